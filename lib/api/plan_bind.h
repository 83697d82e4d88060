/* The data that a plan is bound to. */
#ifndef USWI_API_PLAN_BIND_H
#define USWI_API_PLAN_BIND_H

#include "api/plan_object.h"

/* Let go of it, if there is any; of a plan that no thread is using. */
void uswi_plan_unbind(usw_plan_t *plan);

#endif
