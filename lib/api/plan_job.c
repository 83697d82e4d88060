#include "api/plan_job.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/plan_scan.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/recheck.h"
#include "exec/run.h"
#include "exec/segment_check.h"
#include "machine/arithmetic.h"
#include "policy/call.h"
#include "policy/choose.h"
#include "policy/prepare.h"
#include "policy/results.h"

enum { LINE = 64 };

uswi_job_t *uswi_plan_take_job(usw_plan_t *plan) {
  uswi_job_t *job = plan->jobs;
  while (job && !uswi_job_is_free(job))
    job = job->next;
  if (!job) {
    job = calloc(1, sizeof *job);
    if (!job) {
      uswi_fail(USW_ERROR_MEMORY, "%s: no room for a run of %zu bytes", plan->name, sizeof *job);
      return NULL;
    }
    job->plan = plan;
    job->next = plan->jobs;
    plan->jobs = job;
  }
  job->state = USWI_JOB_FREE;
  job->scratch = NULL;
  job->callback = NULL;
  atomic_store_explicit(&job->has_ended, 0, memory_order_relaxed);
  return job;
}

static usw_status_t make_record(uswi_job_t *job) {
  const size_t bytes = uswi_round_up(job->call.record_bytes, LINE);
  if (bytes <= job->record_room)
    return USW_OK;
  void *record = aligned_alloc(LINE, bytes);
  if (!record)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", job->call.kernel->name, bytes);
  free(job->record);
  job->record = record;
  job->record_room = bytes;
  return USW_OK;
}

/* Axes and segments of a run, of which each variable has many results. */
static usw_status_t describe(usw_plan_t *plan, size_t n, uswi_job_t *job) {
  const size_t elements = plan->axes.items * plan->axes.results;
  const int is_of_segments = plan->map == USWI_PLAN_OF_SEGMENTS, is_of_axes = plan->map == USWI_PLAN_OF_AXES;
  for (uint32_t r = 0; r < plan->kernel->reducer_count && (is_of_segments || is_of_axes); r++)
    job->variables[r].extent = plan->results;
  if (is_of_segments) {
    job->call.segments = &job->segments;
    const usw_status_t status = uswi_segments_describe(plan->name, &plan->segments, n, &job->segments);
    job->call.n = uswi_items_reached(&job->segments, n);
    return status;
  }
  if (!is_of_axes)
    return USW_OK;
  if (plan->is_of_library && (n < elements || (n > elements && !plan->may_have_more)))
    return uswi_fail(USW_ERROR_INVALID, "%s: the plan is of arrays of %zu elements, not of %zu", plan->name, elements,
                     n);
  job->call.axes = &plan->axes;
  job->call.n = elements;
  return USW_OK;
}

/* Check a run's arguments, and find its place. A reduction's of the library are its streams, behind which a kernel of many results has more. */
static usw_status_t prepare(usw_plan_t *plan, const uint64_t *arguments, uswi_job_t *job) {
  uint64_t words[USWI_MAX_ARGUMENTS] = {0};
  if (plan->map == USWI_PLAN_OF_KERNEL || !plan->is_of_library)
    return uswi_prepare(&job->call, arguments);
  if (uswi_plan_is_scan(plan))
    return uswi_plan_prepare_scan(job, arguments);
  memcpy(words, arguments, plan->kernel->stream_count * sizeof *words);
  return uswi_prepare(&job->call, words);
}

usw_status_t uswi_plan_prepare(usw_plan_t *plan, size_t n, const uint64_t *arguments, const usw_variable_t *variables,
                               uswi_job_t **job_out) {
  if (!variables)
    return uswi_fail(USW_ERROR_INVALID, "%s: the variables are NULL", plan->name);
  uswi_job_t *job = uswi_plan_take_job(plan);
  if (!job)
    return USW_ERROR_MEMORY;
  uswi_call_init(&job->call, plan->kernel, n, &plan->options);
  memcpy(job->variables, variables, plan->kernel->reducer_count * sizeof *variables);
  job->call.variables = job->variables;
  job->call.name = plan->name;
  usw_status_t status = describe(plan, n, job);
  if (status == USW_OK)
    status = prepare(plan, arguments, job);
  if (status == USW_OK)
    status = make_record(job);
  if (status == USW_OK && (plan->kernel->facts & USW_FACT_SPANS) && uswi_plan_is_launched(job) &&
      uswi_recheck_rate(&job->call) == 0)
    uswi_aim_at_span(&job->call);
  *job_out = job;
  return status;
}

/* Many results are written when a launch ends: what is left is to ask for wrong offsets. Which are wrong, only a call of the driver's could
 * tell, and here is none allowed. */
static usw_status_t complete_many(const uswi_job_t *job) {
  uswi_told_t *const told = (uswi_told_t *)(void *)job->staging;
  if (!job->call.segments || !told->is_wrong)
    return USW_OK;
  told->is_wrong = 0; /* for the next run of a graph */
  return uswi_fail(USW_ERROR_INVALID, "%s: an offset falls or leaves the %zu items: %s tells which", job->call.name,
                   job->call.n, job->plan->is_of_library ? "usw_reduce_segments()" : "the kernel's function");
}

usw_status_t uswi_plan_complete(uswi_job_t *job, uint32_t recheck_rate) {
  uswi_call_t *call = &job->call;
  uswi_arithmetic_t callers;
  usw_status_t status = USW_OK;
  void *record = job->record;
  if (uswi_has_many_results(call->kernel))
    return complete_many(job);
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  if (call->n == 0)
    call->kernel->identity(record, call->extents);
  else if (call->writes_span)
    record = job->launched.records;
  else if (uswi_is_scan(call->kernel))
    status = uswi_plan_collect_scan(job);
  else if (call->cells && uswi_record_in_place(&job->launched))
    record = uswi_record_in_place(&job->launched);
  else
    status = uswi_collect(call, &job->launched, record);
  if (status == USW_OK && recheck_rate)
    status = uswi_recheck(call, recheck_rate, record);
  if (status == USW_OK && call->options->report)
    uswi_count_kept(call, record);
  if (status == USW_OK && !call->writes_span)
    status = uswi_finish(call, record);
  uswi_arithmetic_end(&callers);
  if (status == USW_OK)
    uswi_fill_report(call);
  return status;
}

usw_status_t uswi_plan_wait(uswi_job_t *job) {
  const usw_status_t status = uswi_wait_on_device(&job->launched);
  return status == USW_OK ? uswi_plan_complete(job, uswi_recheck_rate(&job->call)) : status;
}

/* Staging takes the calling thread; a recheck cannot be made by the driver's thread. */
int uswi_plan_is_launched(const uswi_job_t *job) {
  const char *why;
  return job->call.device && job->call.n > 0 && !job->call.staged && !uswi_has_many_results(job->call.kernel) &&
         !uswi_is_scan(job->call.kernel) && uswi_function_of_driver(&job->call, &why) != NULL &&
         !(job->callback && uswi_recheck_rate(&job->call));
}

usw_status_t uswi_plan_run_now(uswi_job_t *job) {
  if (uswi_plan_is_scan(job->plan))
    return uswi_plan_run_scan(job);
  const usw_status_t status = uswi_run(&job->call, job->record);
  if (status == USW_OK)
    uswi_fill_report(&job->call);
  return status;
}

void uswi_plan_end(uswi_job_t *job, usw_status_t status) {
  const usw_callback_t callback = job->callback;
  void *const context = job->context;
  job->status = status;
  if (status != USW_OK)
    uswi_keep_error_text(job->text);
  atomic_store_explicit(&job->has_ended, 1, memory_order_release); /* from here on it is somebody else's */
  if (callback)
    callback(context, status);
}
