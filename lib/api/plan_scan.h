/* Runs of plans of scans: of all items, of segments, by key. */
#ifndef USWI_API_PLAN_SCAN_H
#define USWI_API_PLAN_SCAN_H

#include "api/plan_object.h"

/* Check a run's arguments, and find its place. Its variable is a total of the job's own, in place of the results, which are an output. */
usw_status_t uswi_plan_prepare_scan(uswi_job_t *job, const uint64_t *arguments);

/* Run it to its end. */
usw_status_t uswi_plan_run_scan(uswi_job_t *job);

/* The same in a stream of the caller's, in steps: memory of the job's own; the launches; and, when these have ended, the record. */
usw_status_t uswi_plan_get_memory_of_scan(uswi_job_t *job);
usw_status_t uswi_plan_enqueue_scan(uswi_job_t *job, void *stream);
usw_status_t uswi_plan_collect_scan(uswi_job_t *job);

#endif
