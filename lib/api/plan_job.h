/* The jobs of a plan: from their checks to their written results. */
#ifndef USWI_API_PLAN_JOB_H
#define USWI_API_PLAN_JOB_H

#include "api/plan_object.h"

/* A job that is free, or a new one; NULL: there is no room, and the error is told. */
uswi_job_t *uswi_plan_take_job(usw_plan_t *plan);

/* A run whose arguments are checked, and that knows where and how it runs. */
usw_status_t uswi_plan_prepare(usw_plan_t *plan, size_t n, const uint64_t *arguments, const usw_variable_t *variables,
                               uswi_job_t **job_out);

/* When its launches have ended: write the result. A recheck, by a rate other than 0, runs the call again. Then, in whatever
 * thread: tell how it ended. */
usw_status_t uswi_plan_complete(uswi_job_t *job, uint32_t recheck_rate);
void uswi_plan_end(uswi_job_t *job, usw_status_t status);

/* Wait for its launches here, and complete it. */
usw_status_t uswi_plan_wait(uswi_job_t *job);

/* Whether a run is launched and left alone; else uswi_plan_run_now() runs it to its end and writes the result. */
int uswi_plan_is_launched(const uswi_job_t *job);
usw_status_t uswi_plan_run_now(uswi_job_t *job);

#endif
