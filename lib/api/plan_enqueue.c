/* Runs of plans that are put into a stream of the caller's. In its order: results on the device are copied here, as far as
 * they are original values; the launches; a call of the driver's that writes the results; the copies back. */
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/plan_job.h"
#include "api/plan_object.h"
#include "api/plan_scan.h"
#include "api/plan_scratch.h"
#include "backend/backend.h"
#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/results.h"
#include "exec/segment_check.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/results.h"
#include "policy/scan.h"

enum { BOUNDARY = 16 };

static size_t round_up(size_t bytes) { return uswi_round_up(bytes, BOUNDARY); }

static usw_status_t check_plan(const usw_plan_t *plan) {
  const char *name = plan->name;
  if (!plan->options.stream)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the plan's options name no stream", name);
  if (plan->takes_sweeps)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the host decides after each sweep whether there is another", name);
  if (plan->options.report || uswi_asks_for_rechecks(&plan->options))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: what is put into a stream has no %s", name,
                     plan->options.report ? "report" : "recheck");
  return USW_OK;
}

/* ---- results on the device ---- */

/* A job's memory stays on one device. */
static usw_status_t keep_device(uswi_job_t *job) {
  if (job->device && job->device != job->call.device)
    return uswi_fail(USW_ERROR_PLACE, "%s: the plan's memory is on device %d, not on device %d", job->call.name,
                     job->device->number, job->call.device->number);
  job->device = job->call.device;
  return USW_OK;
}

static usw_status_t grow_staging(uswi_job_t *job, size_t bytes) {
  if (bytes <= job->staging_bytes)
    return USW_OK;
  const usw_status_t status = keep_device(job);
  if (status != USW_OK)
    return status;
  if (job->staging)
    uswi_backend_free_host(job->call.device, job->staging);
  job->staging = uswi_backend_allocate_host(job->call.device, bytes);
  job->staging_bytes = job->staging ? bytes : 0;
  return job->staging
             ? USW_OK
             : uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes of pinned memory", job->call.name, bytes);
}

/* Room for copies of these; staging NULL: all results are in host memory. */
static usw_status_t make_staging(uswi_job_t *job) {
  const usw_kernel_t *k = job->call.kernel;
  size_t bytes = 0;
  for (uint32_t r = 0; r < k->reducer_count; r++)
    bytes += uswi_result_is_there(&job->call, r) ? round_up(k->reducers[r].bytes) : 0;
  return grow_staging(job, bytes);
}

/* Copy the results on the device here, and have the job write these copies. */
static int copy_here(uswi_job_t *job, const usw_variable_t *variables) {
  const uswi_call_t *call = &job->call;
  char *at = job->staging;
  int error = 0;
  for (uint32_t r = 0; r < call->kernel->reducer_count && error == 0; r++) {
    const size_t bytes = call->kernel->reducers[r].bytes;
    if (!uswi_result_is_there(call, r))
      continue;
    error = call->device->driver->copy_to_host(call->device->ordinal, call->options->stream, at, variables[r].address,
                                               bytes);
    job->variables[r].address = at;
    at += round_up(bytes);
  }
  return error;
}

static int copy_back(const uswi_job_t *job, const usw_variable_t *variables) {
  const uswi_call_t *call = &job->call;
  int error = 0;
  for (uint32_t r = 0; r < call->kernel->reducer_count && error == 0; r++)
    if (job->variables[r].address != variables[r].address)
      error = call->device->driver->copy_to_device(call->device->ordinal, call->options->stream, variables[r].address,
                                                   job->variables[r].address, call->kernel->reducers[r].bytes);
  return error;
}

/* Many results are the kernel's own to write, where it can. */
static usw_status_t aim_at_results(uswi_job_t *job) {
  uswi_call_t *call = &job->call;
  usw_status_t status = uswi_results_reach(call);
  if (status == USW_OK && !uswi_results_are_direct(call))
    status = uswi_fail(USW_ERROR_UNSUPPORTED, "%s: put into a stream, many results have to be in memory of the device",
                       call->name);
  if (status == USW_OK && call->segments)
    status = grow_staging(job, sizeof(uswi_told_t));
  if (status != USW_OK)
    return status;
  uswi_results_aim(call);
  if (call->segments)
    uswi_segments_aim(call, job->plan->own.partials, (uswi_told_t *)(void *)job->staging);
  return USW_OK;
}

/* A scan reads what is before its first item when it is put into the stream. */
static usw_status_t get_memory_of_scan(uswi_job_t *job) {
  if (uswi_scan_has_start(&job->call) && !uswi_plan_is_scan(job->plan))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: in a stream a scan begins with the identity: options.initialize_to_identity", job->call.name);
  const usw_status_t status = keep_device(job);
  return status == USW_OK ? uswi_plan_get_memory_of_scan(job) : status;
}

/* Results that are this thread's to write, in the end. */
static usw_status_t take_results(uswi_job_t *job, const usw_variable_t *variables) {
  usw_status_t status = uswi_results_locate(&job->call);
  if (status == USW_OK)
    status = make_staging(job);
  if (status == USW_OK)
    status = uswi_driver_status(job->call.device, job->call.name, copy_here(job, variables));
  job->call.results_there = 0; /* copies are written in their place */
  return status;
}

/* ---- in the stream ---- */

static void remember_failure(usw_plan_t *plan, usw_status_t status) {
  pthread_mutex_lock(&plan->lock);
  if (plan->failure == USW_OK) {
    plan->failure = status;
    uswi_keep_error_text(plan->failure_text);
  }
  pthread_mutex_unlock(&plan->lock);
}

/* In a thread of the driver's. */
static void write_results(void *argument) {
  uswi_job_t *job = argument;
  const usw_status_t status = uswi_plan_complete(job, 0);
  if (status != USW_OK)
    remember_failure(job->plan, status);
  uswi_plan_end(job, status);
}

/* From the driver's call on the job is in the stream, whatever comes after it. */
static usw_status_t put(uswi_job_t *job, const usw_variable_t *variables, uswi_job_state_t state) {
  const uswi_call_t *call = &job->call;
  void *stream = call->options->stream;
  const int writes_itself = uswi_has_many_results(call->kernel), is_scan = uswi_is_scan(call->kernel);
  usw_status_t status = writes_itself ? aim_at_results(job) : take_results(job, variables);
  job->launched = (uswi_launched_t){
      .is_pending = 1,
      .pending = {.device = call->device, .kernel = call->kernel, .name = call->name, .stream = stream}};
  if (status == USW_OK && (writes_itself ? uswi_results_of(call) > 0 : call->n > 0))
    status = is_scan ? uswi_plan_enqueue_scan(job, stream)
                     : uswi_start_on_device(call, &job->plan->own, stream, 1, &job->launched);
  if (status != USW_OK)
    return status;
  int error = call->device->driver->call_host(call->device->ordinal, stream, write_results, job);
  if (error == 0) {
    job->state = state;
    error = copy_back(job, variables);
  }
  return uswi_driver_status(call->device, call->name, error);
}

static usw_status_t enqueue(usw_plan_t *plan, size_t n, const uint64_t *arguments, const usw_variable_t *variables) {
  uswi_job_t *job = NULL;
  usw_status_t status = check_plan(plan);
  if (status == USW_OK)
    status = uswi_plan_prepare(plan, n, arguments, variables, &job);
  if (status != USW_OK || !job)
    return status;
  const uswi_device_t *device = job->call.device;
  const int is_captured = device->driver->is_capturing(device->ordinal, plan->options.stream);
  const int mode = device->driver->relax_capture(); /* memory is allocated beside the stream */
  if (!uswi_is_scan(plan->kernel))
    status = uswi_plan_own_scratch(plan, &job->call);
  else if (job->call.n > 0)
    status = get_memory_of_scan(job);
  if (status == USW_OK)
    status = put(job, variables, is_captured ? USWI_JOB_CAPTURED : USWI_JOB_ENQUEUED);
  device->driver->restore_capture(mode);
  return status;
}

static usw_status_t enqueue_streams(usw_plan_t *plan, uint32_t streams, const uint64_t *arguments, size_t n,
                                    void *result_out) {
  const usw_variable_t variable = uswi_plan_results(plan, result_out);
  const usw_status_t status = uswi_plan_enter_streams(plan, "usw_plan_enqueue", streams);
  return status == USW_OK ? uswi_plan_leave(plan, enqueue(plan, n, arguments, &variable)) : status;
}

usw_status_t usw_plan_enqueue(usw_plan_t *plan, const void *x, size_t n, void *result_out) {
  return enqueue_streams(plan, 1, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x}, n, result_out);
}

usw_status_t usw_plan_enqueue_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out) {
  return enqueue_streams(plan, 2, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x, (uintptr_t)y}, n,
                         result_out);
}

usw_status_t usw_plan_enqueue_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                     const usw_variable_t *variables) {
  const usw_status_t status = uswi_plan_enter_kernel(plan, "usw_plan_enqueue_kernel", kernel);
  return status == USW_OK ? uswi_plan_leave(plan, enqueue(plan, n, arguments, variables)) : status;
}

usw_status_t usw_plan_status(usw_plan_t *plan) {
  char text[USWI_TEXT_BYTES];
  if (!plan)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_status: the plan is NULL");
  pthread_mutex_lock(&plan->lock);
  const usw_status_t status = plan->failure;
  memcpy(text, plan->failure_text, sizeof text);
  plan->failure = USW_OK;
  pthread_mutex_unlock(&plan->lock);
  return status == USW_OK ? USW_OK : uswi_fail(status, "%s", text);
}
