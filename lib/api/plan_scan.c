#include "api/plan_scan.h"

#include <string.h>

#include "api/keys.h"
#include "backend/gpu_driver.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/run.h"
#include "exec/scan.h"
#include "policy/prepare.h"
#include "policy/scan.h"

/* Whether its marks are made by a launch before it. */
static int has_marks(const uswi_job_t *job) { return job->plan->map == USWI_PLAN_OF_SCAN_OF_SEGMENTS; }

/* ---- a run ---- */

/* Where it begins anew. A run without segments has no items. */
static usw_status_t find_restarts(uswi_job_t *job, usw_restart_words_t *words_out) {
  const usw_plan_t *plan = job->plan;
  usw_options_t placed;
  usw_status_t status = USW_OK;
  *words_out = (usw_restart_words_t){0};
  if (has_marks(job)) {
    status = uswi_scan_segments_describe(plan->name, &plan->segments, job->call.n, &plan->options, &job->segments);
    if (status == USW_OK && job->segments.count == 0)
      job->call.n = 0;
  } else if (job->call.n > 0) {
    status = uswi_keys_find(plan->kernel, &job->scan, plan->key_type, plan->keys, &plan->options, words_out, &placed);
  }
  return status;
}

usw_status_t uswi_plan_prepare_scan(uswi_job_t *job, const uint64_t *arguments) {
  const usw_plan_t *plan = job->plan;
  uint64_t words[USWI_MAX_ARGUMENTS];
  usw_restart_words_t restarts;
  usw_status_t status = USW_OK;
  job->scan = (uswi_scan_t){.x = (const void *)(uintptr_t)arguments[0],
                            .n = job->call.n,
                            .out = job->variables[0].address,
                            .is_exclusive = plan->is_exclusive,
                            .initial = plan->has_initial ? plan->initial : NULL};
  uswi_scan_t scan = job->scan;
  if (plan->map != USWI_PLAN_OF_SCAN) {
    status = find_restarts(job, &restarts);
    scan.restarts = &restarts;
  }
  if (status != USW_OK)
    return status;
  uswi_scan_fill(plan->kernel, &scan, job->total, words);
  job->variables[0] = (usw_variable_t){job->total, 1};
  return uswi_prepare(&job->call, words);
}

usw_status_t uswi_plan_run_scan(uswi_job_t *job) {
  const usw_plan_t *plan = job->plan;
  if (has_marks(job))
    return uswi_scan_segments(plan->kernel, &job->scan, &plan->segments, &plan->options);
  memcpy(job->total, plan->initial, sizeof job->total); /* the run before has left its own */
  const usw_status_t status = uswi_run(&job->call, job->record);
  if (status == USW_OK)
    uswi_fill_report(&job->call);
  return status;
}

/* ---- in a stream ---- */

/* The launch that marks is prepared before there is memory for marks: how much it needs itself is known then. */
static usw_status_t get_memory(uswi_job_t *job) {
  const uswi_call_t *call = &job->call;
  uswi_marking_t *marking = &job->marking;
  size_t partials_bytes, bank_bytes;
  if (!has_marks(job))
    return uswi_scan_get_memory(call, &job->tiles);
  uswi_marking_init(marking, call, &job->segments, call->n, job->scan.x);
  usw_status_t status = uswi_prepare(&marking->call, marking->arguments);
  if (status != USW_OK)
    return status;
  uswi_scratch_of(&marking->call, &partials_bytes, &bank_bytes);
  status = uswi_scratch_grow(call->device, &job->tiles, partials_bytes, bank_bytes);
  if (status == USW_OK)
    status = uswi_scan_get_memory(call, &job->tiles);
  if (status == USW_OK)
    status = uswi_scratch_mark(call->device, &job->tiles, uswi_marks_bytes(call->n));
  return status;
}

usw_status_t uswi_plan_get_memory_of_scan(uswi_job_t *job) {
  const int had_memory = job->tiles.ticket != NULL;
  const usw_status_t status = get_memory(job);
  uswi_scratch_count_owners((job->tiles.ticket != NULL) - had_memory); /* of growing that failed none is left */
  return status;
}

/* Its record goes into the bank that the scan does not use. */
static usw_status_t enqueue_marking(uswi_job_t *job, void *stream) {
  uswi_call_t *call = &job->call;
  void *const marks = job->tiles.marks.memory;
  usw_restart_words_t *const words = uswi_restart_words(call->kernel, call->arguments);
  const usw_restart_words_t of_marks = uswi_restarts_at_marks(marks, call->n);
  words->usw_marks = of_marks.usw_marks;
  words->usw_bounds = of_marks.usw_bounds;
  words->usw_items = of_marks.usw_items;
  uswi_marking_aim(job->marking.call.arguments, marks);
  usw_status_t status =
      uswi_driver_status(call->device, call->name,
                         call->device->driver->clear(call->device->ordinal, stream, marks, uswi_marks_bytes(call->n)));
  job->tiles.bank = 1;
  if (status == USW_OK)
    status = uswi_start_on_device(&job->marking.call, &job->tiles, stream, 1, &job->marked);
  job->tiles.bank = 0;
  return status;
}

usw_status_t uswi_plan_enqueue_scan(uswi_job_t *job, void *stream) {
  const usw_status_t status = has_marks(job) ? enqueue_marking(job, stream) : USW_OK;
  return status == USW_OK ? uswi_scan_enqueue(&job->call, &job->tiles, stream, &job->launched) : status;
}

/* Which segment is wrong only a call of the driver's could tell, and here is none allowed. */
static usw_status_t check_marking(uswi_job_t *job) {
  _Alignas(64) char record[64];
  uswi_marking_t *marking = &job->marking;
  marking->wrong = UINT64_MAX; /* a run of a graph before this one may have left another value */
  usw_status_t status = uswi_collect(&marking->call, &job->marked, record);
  if (status == USW_OK)
    status = uswi_finish(&marking->call, record);
  if (status != USW_OK || marking->wrong == UINT64_MAX)
    return status;
  return uswi_fail(USW_ERROR_INVALID, "%s: an offset falls or leaves the %zu items: usw_scan_segments() tells which",
                   job->call.name, job->call.n);
}

usw_status_t uswi_plan_collect_scan(uswi_job_t *job) {
  const usw_status_t status = uswi_scan_collect(&job->call, &job->tiles, job->record);
  return status == USW_OK && has_marks(job) ? check_marking(job) : status;
}
