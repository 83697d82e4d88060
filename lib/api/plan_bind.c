/* Plans that are bound to data: what a call finds out about its arguments is found out once, and the launch is a graph that is
 * launched as it is. */
#include "api/plan_bind.h"

#include <string.h>
#include <upsweep/upsweep.h>

#include "api/plan_job.h"
#include "api/plan_scratch.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/exact.h"
#include "exec/scratch.h"
#include "policy/call.h"
#include "policy/catalog.h"

/* ---- bind ---- */

static usw_status_t make_scratch(const usw_plan_t *plan, const uswi_call_t *call, uswi_bound_t *bound) {
  size_t partials_bytes, bank_bytes;
  if (plan->is_lent)
    return USW_OK;
  uswi_scratch_of(call, &partials_bytes, &bank_bytes);
  const usw_status_t status = uswi_scratch_grow(call->device, &bound->scratch, partials_bytes, bank_bytes);
  if (status == USW_OK)
    uswi_scratch_count_owners(1);
  return status;
}

void uswi_plan_unbind(usw_plan_t *plan) {
  uswi_bound_t *bound = &plan->bound;
  if (bound->scratch.ticket) {
    uswi_scratch_free(bound->job->call.device, &bound->scratch);
    uswi_scratch_count_owners(-1);
  }
  if (bound->job)
    bound->job->state = USWI_JOB_FREE;
  *bound = (uswi_bound_t){0};
}

static usw_status_t bind_sweeps(usw_plan_t *plan, size_t n, const uint64_t *arguments,
                                const usw_variable_t *variables) {
  uswi_job_t *job = uswi_plan_take_job(plan);
  if (!job)
    return USW_ERROR_MEMORY;
  uswi_plan_unbind(plan);
  uswi_call_init(&job->call, plan->kernel, n, &plan->options);
  job->variables[0] = variables[0];
  job->state = USWI_JOB_BOUND;
  plan->bound.job = job;
  memcpy(plan->bound.arguments, arguments, plan->kernel->argument_count * sizeof *arguments);
  return USW_OK;
}

static usw_status_t bind_call(usw_plan_t *plan, size_t n, const uint64_t *arguments, const usw_variable_t *variables) {
  uswi_job_t *job = NULL;
  uswi_bound_t bound = {0};
  usw_status_t status = uswi_plan_prepare(plan, n, arguments, variables, &job);
  if (status != USW_OK)
    return status;
  bound.job = job;
  bound.is_launched = uswi_plan_is_launched(job);
  if (bound.is_launched)
    status = make_scratch(plan, &job->call, &bound);
  if (status != USW_OK)
    return status;
  uswi_plan_unbind(plan);
  plan->bound = bound;
  job->state = USWI_JOB_BOUND;
  return USW_OK;
}

static usw_status_t bind(usw_plan_t *plan, size_t n, const uint64_t *arguments, const usw_variable_t *variables) {
  return plan->takes_sweeps ? bind_sweeps(plan, n, arguments, variables) : bind_call(plan, n, arguments, variables);
}

static usw_status_t bind_streams(usw_plan_t *plan, uint32_t streams, const uint64_t *arguments, size_t n,
                                 void *result_out) {
  const usw_variable_t variable = uswi_plan_results(plan, result_out);
  const usw_status_t status = uswi_plan_enter_streams(plan, "usw_plan_bind", streams);
  return status == USW_OK ? uswi_plan_leave(plan, bind(plan, n, arguments, &variable)) : status;
}

usw_status_t usw_plan_bind(usw_plan_t *plan, const void *x, size_t n, void *result_out) {
  return bind_streams(plan, 1, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x}, n, result_out);
}

usw_status_t usw_plan_bind_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out) {
  return bind_streams(plan, 2, (const uint64_t[USWI_MAX_LIBRARY_ARGUMENTS]){(uintptr_t)x, (uintptr_t)y}, n, result_out);
}

usw_status_t usw_plan_bind_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                  const usw_variable_t *variables) {
  const usw_status_t status = uswi_plan_enter_kernel(plan, "usw_plan_bind_kernel", kernel);
  return status == USW_OK ? uswi_plan_leave(plan, bind(plan, n, arguments, variables)) : status;
}

/* ---- run ---- */

static usw_status_t start(usw_plan_t *plan) {
  uswi_bound_t *bound = &plan->bound;
  uswi_job_t *job = bound->job;
  if (bound->is_repeatable)
    return uswi_start_again(&job->call, &bound->scratch, &job->launched);
  if (!plan->is_lent) {
    const usw_status_t status =
        uswi_start_on_device(&job->call, &bound->scratch, job->call.options->stream, 0, &job->launched);
    bound->is_repeatable = status == USW_OK && uswi_can_start_again(&job->call, &bound->scratch, &job->launched);
    return status;
  }
  const usw_status_t status = uswi_plan_lent_scratch(plan, &job->call);
  return status == USW_OK ? uswi_start_on_device(&job->call, &plan->own, job->call.options->stream, 0, &job->launched)
                          : status;
}

static usw_status_t run_launched(usw_plan_t *plan) {
  const usw_status_t status = start(plan);
  return status == USW_OK ? uswi_plan_wait(plan->bound.job) : status;
}

static usw_status_t run_bound(usw_plan_t *plan) {
  uswi_bound_t *bound = &plan->bound;
  uswi_job_t *job = bound->job;
  if (!job)
    return uswi_fail(USW_ERROR_INVALID, "%s: the plan is bound to no data: usw_plan_bind() comes first", plan->name);
  if (plan->takes_sweeps)
    return uswi_exact_reduce(plan->kernel, bound->arguments, job->call.n, job->variables[0].address, &plan->options);
  if (plan->options.report)
    job->call.start_ns = uswi_now_ns();
  return bound->is_launched ? run_launched(plan) : uswi_plan_run_now(job);
}

usw_status_t usw_plan_run_bound(usw_plan_t *plan) {
  const usw_status_t status = uswi_plan_enter(plan, "usw_plan_run_bound");
  return status == USW_OK ? uswi_plan_leave(plan, run_bound(plan)) : status;
}
