#include "api/plan_object.h"

#include <stdlib.h>

#include "api/library.h"
#include "backend/backend.h"
#include "base/error.h"

usw_status_t uswi_plan_enter(usw_plan_t *plan, const char *function) {
  if (!plan)
    return uswi_fail(USW_ERROR_INVALID, "%s: the plan is NULL", function);
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (atomic_flag_test_and_set_explicit(&plan->busy, memory_order_acquire))
    return uswi_fail(USW_ERROR_BUSY, "%s: another thread is using the plan", function);
  return USW_OK;
}

usw_status_t uswi_plan_leave(usw_plan_t *plan, usw_status_t status) {
  atomic_flag_clear_explicit(&plan->busy, memory_order_release);
  return status;
}

static usw_status_t check_is_whole(const usw_plan_t *plan) {
  if (plan->map != USWI_PLAN_OF_PARTS)
    return USW_OK;
  return uswi_fail(USW_ERROR_UNSUPPORTED,
                   "%s: a plan of parts is run by usw_plan_run_parts() and usw_plan_start_parts()", plan->name);
}

static usw_status_t check_streams(const usw_plan_t *plan, uint32_t streams) {
  if (!plan->is_of_library)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: a plan of a user kernel is run by that kernel's functions",
                     plan->name);
  const uint32_t outputs = uswi_plan_is_scan(plan), inputs = plan->kernel->stream_count - outputs;
  if (inputs != streams)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s reads %u streams, not %u", plan->name, inputs, streams);
  return USW_OK;
}

static usw_status_t check_parts(const usw_plan_t *plan, const char *function) {
  if (plan->map == USWI_PLAN_OF_PARTS)
    return USW_OK;
  return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: %s is no plan of parts: usw_plan_create_parts() makes them", function,
                   plan->name);
}

static usw_status_t check_kernel(const usw_plan_t *plan, const usw_kernel_t *kernel) {
  if (kernel == plan->kernel)
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "a plan of %s cannot run %s", plan->name,
                   kernel ? kernel->name : "a kernel that is NULL");
}

usw_status_t uswi_plan_enter_streams(usw_plan_t *plan, const char *function, uint32_t streams) {
  usw_status_t status = uswi_plan_enter(plan, function);
  if (status != USW_OK)
    return status;
  status = check_is_whole(plan);
  if (status == USW_OK)
    status = check_streams(plan, streams);
  return status == USW_OK ? USW_OK : uswi_plan_leave(plan, status);
}

usw_status_t uswi_plan_enter_kernel(usw_plan_t *plan, const char *function, const usw_kernel_t *kernel) {
  usw_status_t status = uswi_plan_enter(plan, function);
  if (status != USW_OK)
    return status;
  status = check_is_whole(plan);
  if (status == USW_OK)
    status = check_kernel(plan, kernel);
  return status == USW_OK ? USW_OK : uswi_plan_leave(plan, status);
}

usw_status_t uswi_plan_enter_parts(usw_plan_t *plan, const char *function, const usw_kernel_t *kernel) {
  usw_status_t status = uswi_plan_enter(plan, function);
  if (status != USW_OK)
    return status;
  status = check_parts(plan, function);
  if (status == USW_OK && (kernel || !plan->is_of_library))
    status = check_kernel(plan, kernel);
  return status == USW_OK ? USW_OK : uswi_plan_leave(plan, status);
}

usw_variable_t uswi_plan_results(const usw_plan_t *plan, void *results) {
  return (usw_variable_t){results, plan ? plan->results : 1};
}

int uswi_job_is_free(const uswi_job_t *job) {
  return job->state == USWI_JOB_FREE ||
         (job->state == USWI_JOB_ENQUEUED && atomic_load_explicit(&job->has_ended, memory_order_acquire));
}

int uswi_plan_is_running(const usw_plan_t *plan) {
  for (const uswi_job_t *job = plan->jobs; job; job = job->next)
    if (!uswi_job_is_free(job) && job->state != USWI_JOB_CAPTURED && job->state != USWI_JOB_BOUND)
      return 1;
  return 0;
}

static void free_parts(uswi_parts_t *parts) {
  if (!parts)
    return;
  uswi_parts_clear(parts);
  free(parts->part);
  free(parts);
}

void uswi_plan_free(usw_plan_t *plan) {
  while (plan->jobs) {
    uswi_job_t *job = plan->jobs;
    plan->jobs = job->next;
    if (job->staging)
      uswi_backend_free_host(job->device, job->staging);
    if (job->tiles.ticket) {
      uswi_scratch_free(job->device, &job->tiles);
      uswi_scratch_count_owners(-1);
    }
    free_parts(job->parts);
    free(job->record);
    free(job);
  }
  free(plan->copy_of_parts);
  pthread_mutex_destroy(&plan->lock);
  free(plan);
}
