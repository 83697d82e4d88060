/* How every plan begins. */
#ifndef USWI_API_PLAN_CREATE_H
#define USWI_API_PLAN_CREATE_H

#include "api/plan_object.h"

/* A plan of a kernel, of one result, whose options are copied, NULL: the defaults; nothing is checked but plan_out. */
usw_status_t uswi_plan_make(usw_plan_t **plan_out, const usw_kernel_t *kernel, const usw_options_t *options);

#endif
