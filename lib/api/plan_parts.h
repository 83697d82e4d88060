/* Plans of parts: each run's parts are kept from run to run. */
#ifndef USWI_API_PLAN_PARTS_H
#define USWI_API_PLAN_PARTS_H

#include "api/plan_object.h"

/* Start a run; one with a callback runs to its end. The job is free after a failure. */
usw_status_t uswi_plan_start_parts(usw_plan_t *plan, const usw_variable_t *variables, usw_callback_t callback,
                                   void *context, uswi_job_t **job_out);

#endif
