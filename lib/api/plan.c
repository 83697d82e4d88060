/* Plans: calls that are kept, run, or started and waited for. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/plan_bind.h"
#include "api/plan_job.h"
#include "api/plan_object.h"
#include "api/plan_parts.h"
#include "api/plan_scratch.h"
#include "backend/backend.h"
#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/exact.h"
#include "exec/scratch.h"
#include "exec/short_results.h"
#include "policy/call.h"
#include "policy/catalog.h"

/* ---- start ---- */

static usw_status_t take_scratch(uswi_job_t *job) {
  usw_plan_t *plan = job->plan;
  size_t partials_bytes, pinned_bytes;
  if (!plan->is_lent) {
    uswi_scratch_of(&job->call, &partials_bytes, &pinned_bytes);
    return uswi_scratch_take(job->call.device, partials_bytes, pinned_bytes, 0, &job->scratch);
  }
  const usw_status_t status = uswi_plan_lent_scratch(plan, &job->call);
  if (status == USW_OK)
    job->scratch = &plan->own;
  return status;
}

static void give_back(uswi_job_t *job) {
  if (job->scratch && job->scratch != &job->plan->own)
    uswi_scratch_give_back(job->scratch);
  job->scratch = NULL;
}

/* In a thread of the driver's, when what was before it in the stream has ended. */
static void end_in_stream(void *argument) {
  uswi_job_t *job = argument;
  uswi_plan_end(job, uswi_plan_complete(job, 0));
}

/* The driver's thread, which may not call it, cannot copy results there. */
static usw_status_t check_callback(const uswi_job_t *job) {
  return job->callback && job->call.results_there && !job->call.writes_span
             ? uswi_fail(USW_ERROR_UNSUPPORTED,
                         "%s: a span is in a device's memory, where a run with a callback cannot write: start it "
                         "without one, and wait for it",
                         job->call.name)
             : USW_OK;
}

/* Launch it; a callback comes behind it in its stream. */
static usw_status_t launch(uswi_job_t *job) {
  const uswi_call_t *call = &job->call;
  usw_status_t status = check_callback(job);
  if (status == USW_OK)
    status = take_scratch(job);
  if (status == USW_OK)
    status = uswi_start_on_device(call, job->scratch, call->options->stream, 0, &job->launched);
  if (status == USW_OK && job->callback) {
    status = uswi_driver_status(
        call->device, call->name,
        call->device->driver->call_host(call->device->ordinal, job->launched.pending.stream, end_in_stream, job));
    if (status != USW_OK) /* nobody will wait for what is in the stream, and others get the scratch */
      call->device->driver->wait(job->launched.pending.stream);
  }
  if (status != USW_OK)
    give_back(job);
  return status;
}

/* A run as its caller describes it. */
typedef struct run_arguments {
  size_t n;
  const uint64_t *arguments;
  const usw_variable_t *variables;
  usw_callback_t callback;
  void *context;
} run_arguments_t;

static usw_status_t start_sweeps(usw_plan_t *plan, const run_arguments_t *run, uswi_job_t **job_out) {
  uswi_job_t *job = uswi_plan_take_job(plan);
  if (!job)
    return USW_ERROR_MEMORY;
  *job_out = job;
  job->callback = run->callback;
  job->context = run->context;
  uswi_plan_end(job,
                uswi_exact_reduce(plan->kernel, run->arguments, run->n, run->variables[0].address, &plan->options));
  return USW_OK;
}

static usw_status_t start_call(usw_plan_t *plan, const run_arguments_t *run, uswi_job_t **job_out) {
  uswi_job_t *job = NULL;
  const usw_status_t status = uswi_plan_prepare(plan, run->n, run->arguments, run->variables, &job);
  if (status != USW_OK || !job)
    return status;
  *job_out = job;
  job->callback = run->callback;
  job->context = run->context;
  if (uswi_plan_is_launched(job))
    return launch(job);
  uswi_plan_end(job, uswi_plan_run_now(job));
  return USW_OK;
}

static usw_status_t start(usw_plan_t *plan, const run_arguments_t *run, uswi_job_t **job_out) {
  *job_out = NULL;
  const usw_status_t status = plan->map == USWI_PLAN_OF_PARTS
                                  ? uswi_plan_start_parts(plan, run->variables, run->callback, run->context, job_out)
                                  : (plan->takes_sweeps ? start_sweeps : start_call)(plan, run, job_out);
  if (status != USW_OK || !*job_out)
    return status;
  (*job_out)->state = USWI_JOB_STARTED;
  (*job_out)->number = ++plan->requests;
  return USW_OK;
}

/* ---- wait ---- */

static int has_ended(uswi_job_t *job) { return atomic_load_explicit(&job->has_ended, memory_order_acquire); }

/* Until the driver has called; if the launch fails, it never does. Where it cannot be asked it still calls, with the job's memory: a
 * wait tells the one from the other. */
static usw_status_t wait_for_call(uswi_job_t *job) {
  usw_status_t status = USW_OK;
  while (!has_ended(job) && status == USW_OK) {
    if (uswi_is_done_on_device(&job->launched, &status) && status != USW_OK)
      status = uswi_wait_on_device(&job->launched);
    sched_yield();
  }
  return has_ended(job) ? USW_OK : status;
}

/* Its end: how it was told before, or by what is waited for now. */
static usw_status_t finish(uswi_job_t *job) {
  usw_status_t status = USW_OK;
  int is_told = has_ended(job);
  if (!is_told && job->callback) {
    status = wait_for_call(job);
    is_told = status == USW_OK;
  } else if (!is_told) {
    status = job->plan->map == USWI_PLAN_OF_PARTS ? uswi_parts_end(job->parts) : uswi_plan_wait(job);
  }
  if (is_told)
    status = job->status == USW_OK ? USW_OK : uswi_fail(job->status, "%s", job->text);
  give_back(job);
  job->state = USWI_JOB_FREE;
  return status;
}

static usw_status_t find_job(const usw_request_t *request, const char *function, uswi_job_t **job_out) {
  for (uswi_job_t *job = request->plan->jobs; job; job = job->next)
    if (job->state == USWI_JOB_STARTED && job->number == request->number) {
      *job_out = job;
      return USW_OK;
    }
  return uswi_fail(USW_ERROR_INVALID, "%s: the request has been waited for", function);
}

static usw_status_t enter_request(const usw_request_t *request, const char *function, uswi_job_t **job_out) {
  if (!request || !request->plan)
    return uswi_fail(USW_ERROR_INVALID, "%s: there is no request", function);
  const usw_status_t status = uswi_plan_enter(request->plan, function);
  if (status != USW_OK)
    return status;
  const usw_status_t found = find_job(request, function, job_out);
  return found == USW_OK ? USW_OK : uswi_plan_leave(request->plan, found);
}

usw_status_t usw_request_wait(usw_request_t *request) {
  uswi_job_t *job = NULL;
  const usw_status_t status = enter_request(request, "usw_request_wait", &job);
  if (status != USW_OK || !job)
    return status;
  usw_plan_t *plan = request->plan;
  *request = (usw_request_t){NULL, 0};
  return uswi_plan_leave(plan, finish(job));
}

usw_status_t usw_request_test(const usw_request_t *request, int *done_out) {
  uswi_job_t *job = NULL;
  usw_status_t of_job;
  if (!done_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_request_test: done_out is NULL");
  const usw_status_t status = enter_request(request, "usw_request_test", &job);
  if (status != USW_OK || !job)
    return status;
  if (atomic_load_explicit(&job->has_ended, memory_order_acquire))
    *done_out = 1;
  else if (request->plan->map == USWI_PLAN_OF_PARTS)
    *done_out = uswi_parts_are_done(job->parts);
  else if (job->callback) /* the driver's call comes last, unless the launch has failed */
    *done_out = uswi_is_done_on_device(&job->launched, &of_job) && of_job != USW_OK;
  else
    *done_out = uswi_is_done_on_device(&job->launched, &of_job);
  return uswi_plan_leave(request->plan, USW_OK);
}

/* ---- the calls ---- */

static usw_status_t run(usw_plan_t *plan, const run_arguments_t *run_arguments) {
  uswi_job_t *job = NULL;
  const usw_status_t status = start(plan, run_arguments, &job);
  return status == USW_OK && job ? finish(job) : status;
}

/* A request, whose end the plan's callback is told. */
static usw_status_t start_request(usw_plan_t *plan, const run_arguments_t *run_arguments, usw_request_t *request_out) {
  uswi_job_t *job = NULL;
  run_arguments_t with_callback = *run_arguments;
  if (!request_out)
    return uswi_fail(USW_ERROR_INVALID, "%s: request_out is NULL", plan->name);
  with_callback.callback = plan->callback;
  with_callback.context = plan->context;
  const usw_status_t status = start(plan, &with_callback, &job);
  if (status == USW_OK && job)
    *request_out = (usw_request_t){plan, job->number};
  return status;
}

/* 0: the run is not short. */
static int run_short(const usw_plan_t *plan, const uint64_t *arguments, size_t n, void *result_out) {
  uswi_segments_t segments;
  if (plan->map == USWI_PLAN_OF_AXES)
    return n == plan->axes.items * plan->axes.results &&
           uswi_run_axes_short(plan->kernel, &plan->axes, arguments, result_out, &plan->options);
  return plan->map == USWI_PLAN_OF_SEGMENTS &&
         uswi_segments_describe(plan->name, &plan->segments, n, &segments) == USW_OK &&
         uswi_run_segments_short(plan->kernel, &segments, n, arguments, result_out, &plan->options);
}

static usw_status_t run_streams(usw_plan_t *plan, uint32_t streams, const uint64_t *arguments, size_t n,
                                void *result_out) {
  const usw_variable_t variable = uswi_plan_results(plan, result_out);
  const usw_status_t status = uswi_plan_enter_streams(plan, "usw_plan_run", streams);
  if (status != USW_OK)
    return status;
  if (run_short(plan, arguments, n, result_out))
    return uswi_plan_leave(plan, USW_OK);
  return uswi_plan_leave(plan, run(plan, &(run_arguments_t){n, arguments, &variable, NULL, NULL}));
}

static usw_status_t start_streams(usw_plan_t *plan, uint32_t streams, const uint64_t *arguments, size_t n,
                                  void *result_out, usw_request_t *request_out) {
  const usw_variable_t variable = uswi_plan_results(plan, result_out);
  const usw_status_t status = uswi_plan_enter_streams(plan, "usw_plan_start", streams);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan,
                         start_request(plan, &(run_arguments_t){n, arguments, &variable, NULL, NULL}, request_out));
}

usw_status_t usw_plan_run(usw_plan_t *plan, const void *x, size_t n, void *result_out) {
  return run_streams(plan, 1, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x}, n, result_out);
}

usw_status_t usw_plan_run_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out) {
  return run_streams(plan, 2, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x, (uintptr_t)y}, n, result_out);
}

usw_status_t usw_plan_start(usw_plan_t *plan, const void *x, size_t n, void *result_out, usw_request_t *request_out) {
  return start_streams(plan, 1, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x}, n, result_out, request_out);
}

usw_status_t usw_plan_start_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out,
                                 usw_request_t *request_out) {
  return start_streams(plan, 2, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x, (uintptr_t)y}, n, result_out,
                       request_out);
}

usw_status_t usw_plan_run_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables) {
  const usw_status_t status = uswi_plan_enter_kernel(plan, "usw_plan_run_kernel", kernel);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan, run(plan, &(run_arguments_t){n, arguments, variables, NULL, NULL}));
}

usw_status_t usw_plan_start_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                   const usw_variable_t *variables, usw_request_t *request_out) {
  const usw_status_t status = uswi_plan_enter_kernel(plan, "usw_plan_start_kernel", kernel);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan,
                         start_request(plan, &(run_arguments_t){n, arguments, variables, NULL, NULL}, request_out));
}

/* ---- parts ---- */

usw_status_t usw_plan_run_parts(usw_plan_t *plan, void *result_out) {
  const usw_variable_t variable = {result_out, 1};
  const usw_status_t status = uswi_plan_enter_parts(plan, "usw_plan_run_parts", NULL);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan, run(plan, &(run_arguments_t){0, NULL, &variable, NULL, NULL}));
}

usw_status_t usw_plan_start_parts(usw_plan_t *plan, void *result_out, usw_request_t *request_out) {
  const usw_variable_t variable = {result_out, 1};
  const usw_status_t status = uswi_plan_enter_parts(plan, "usw_plan_start_parts", NULL);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan, start_request(plan, &(run_arguments_t){0, NULL, &variable, NULL, NULL}, request_out));
}

static usw_status_t enter_kernel_parts(usw_plan_t *plan, const char *function, const usw_kernel_t *kernel,
                                       const usw_variable_t *variables) {
  if (!kernel || !variables)
    return uswi_fail(USW_ERROR_INVALID, "%s: the %s NULL", function, kernel ? "variables are" : "kernel is");
  return uswi_plan_enter_parts(plan, function, kernel);
}

usw_status_t usw_plan_run_kernel_parts(usw_plan_t *plan, const usw_kernel_t *kernel, const usw_variable_t *variables) {
  const usw_status_t status = enter_kernel_parts(plan, "usw_plan_run_kernel_parts", kernel, variables);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan, run(plan, &(run_arguments_t){0, NULL, variables, NULL, NULL}));
}

usw_status_t usw_plan_start_kernel_parts(usw_plan_t *plan, const usw_kernel_t *kernel, const usw_variable_t *variables,
                                         usw_request_t *request_out) {
  const usw_status_t status = enter_kernel_parts(plan, "usw_plan_start_kernel_parts", kernel, variables);
  if (status != USW_OK)
    return status;
  return uswi_plan_leave(plan, start_request(plan, &(run_arguments_t){0, NULL, variables, NULL, NULL}, request_out));
}

/* ---- the end ---- */

static void wait_for_all(usw_plan_t *plan) {
  usw_status_t status;
  for (uswi_job_t *job = plan->jobs; job; job = job->next) {
    if (job->state == USWI_JOB_STARTED)
      finish(job);
    while (!uswi_job_is_free(job) && job->state == USWI_JOB_ENQUEUED)
      if (uswi_is_done_on_device(&job->launched, &status) && status != USW_OK)
        break;
  }
}

void usw_plan_destroy(usw_plan_t *plan) {
  if (!plan)
    return;
  wait_for_all(plan);
  uswi_plan_unbind(plan);
  uswi_plan_free_scratch(plan);
  uswi_plan_free(plan);
}
