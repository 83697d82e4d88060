#include "api/plan_parts.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/kernel.h"
#include "api/plan_create.h"
#include "api/plan_job.h"
#include "base/error.h"
#include "exec/exact.h"
#include "exec/parts.h"
#include "policy/call.h"

/* ---- runs ---- */

static uswi_parts_t *make_parts(const usw_plan_t *plan) {
  uswi_part_t *room = uswi_allocate_parts(plan->parts.owner, plan->parts.count);
  uswi_parts_t *parts = room ? calloc(1, sizeof *parts) : NULL;
  if (!parts) {
    free(room);
    return NULL;
  }
  memset((void *)room, 0, plan->parts.count * sizeof *room);
  uswi_fill_parts(&plan->parts, &plan->options, room);
  parts->part = room;
  parts->count = parts->whole = plan->parts.count;
  return parts;
}

/* Have a run's parts prepared; variables NULL: there are none yet. */
static usw_status_t keep_parts(uswi_job_t *job, const usw_variable_t *variables) {
  const usw_plan_t *plan = job->plan;
  if (!job->parts)
    job->parts = make_parts(plan);
  if (!job->parts)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a run of %zu parts", plan->name, plan->parts.count);
  if (variables)
    memcpy(job->variables, variables, plan->kernel->reducer_count * sizeof *variables);
  job->parts->variables = variables ? job->variables : NULL;
  return uswi_parts_keep(job->parts);
}

static usw_status_t run_to_its_end(uswi_job_t *job, const usw_variable_t *variables) {
  const usw_plan_t *plan = job->plan;
  if (plan->takes_sweeps)
    return uswi_run_exact_parts(&plan->parts, variables[0].address, &plan->options);
  usw_status_t status = keep_parts(job, variables);
  if (status == USW_OK)
    status = uswi_parts_start(job->parts);
  return status == USW_OK ? uswi_parts_end(job->parts) : status;
}

usw_status_t uswi_plan_start_parts(usw_plan_t *plan, const usw_variable_t *variables, usw_callback_t callback,
                                   void *context, uswi_job_t **job_out) {
  uswi_job_t *const job = uswi_plan_take_job(plan);
  if (!job)
    return USW_ERROR_MEMORY;
  *job_out = job;
  if (plan->takes_sweeps || callback) {
    job->callback = callback;
    job->context = context;
    uswi_plan_end(job, run_to_its_end(job, variables));
    return USW_OK;
  }
  const usw_status_t status = keep_parts(job, variables);
  return status == USW_OK ? uswi_parts_start(job->parts) : status;
}

/* ---- plans ---- */

static usw_status_t copy_parts(usw_plan_t *plan, const uswi_described_parts_t *parts) {
  const size_t each = parts->parts ? sizeof *parts->parts : sizeof *parts->of_kernel;
  const void *from = parts->parts ? (const void *)parts->parts : parts->of_kernel;
  plan->copy_of_parts = parts->count <= SIZE_MAX / each ? malloc(parts->count * each) : NULL;
  if (!plan->copy_of_parts)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu parts", plan->name, parts->count);
  memcpy(plan->copy_of_parts, from, parts->count * each);
  plan->parts = *parts;
  if (parts->parts)
    plan->parts.parts = plan->copy_of_parts;
  else
    plan->parts.of_kernel = plan->copy_of_parts;
  return USW_OK;
}

/* The first run's parts are prepared now, so that mistakes are told here: but for spans, whose extents come with a run. */
static usw_status_t prepare_first(usw_plan_t *plan) {
  if (plan->takes_sweeps || (plan->kernel->facts & USW_FACT_SPANS))
    return USW_OK;
  uswi_job_t *const job = uswi_plan_take_job(plan);
  return job ? keep_parts(job, NULL) : USW_ERROR_MEMORY;
}

static usw_status_t create(usw_plan_t **plan_out, const uswi_described_parts_t *parts, int takes_sweeps,
                           const usw_options_t *options) {
  usw_plan_t *plan = NULL;
  if (!plan_out)
    return uswi_fail(USW_ERROR_INVALID, "%s: plan_out is NULL", parts->kernel->name);
  usw_status_t status = uswi_plan_make(&plan, parts->kernel, options);
  if (status != USW_OK)
    return status;
  plan->map = USWI_PLAN_OF_PARTS;
  plan->is_of_library = parts->parts != NULL;
  plan->takes_sweeps = takes_sweeps;
  status = copy_parts(plan, parts);
  if (status == USW_OK)
    status = prepare_first(plan);
  if (status == USW_OK)
    *plan_out = plan;
  else
    uswi_plan_free(plan);
  return status;
}

usw_status_t usw_plan_create_parts(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                   const usw_part_t *parts, size_t count, const usw_options_t *options) {
  uswi_described_parts_t described;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  status = uswi_describe_parts("usw_plan_create_parts", operation, type, parts, count, options, &described);
  if (status != USW_OK)
    return status;
  const int takes_sweeps = uswi_takes_sweeps(operation, type, options);
  if (takes_sweeps)
    status = uswi_check_exact_parts(described.kernel, options);
  return status == USW_OK ? create(plan_out, &described, takes_sweeps, options) : status;
}

usw_status_t usw_plan_create_kernel_parts(usw_plan_t **plan_out, const usw_kernel_t *kernel,
                                          const usw_kernel_part_t *parts, size_t count, const usw_options_t *options) {
  uswi_described_parts_t described;
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_kernel(kernel);
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  status = uswi_describe_kernel_parts("usw_plan_create_kernel_parts", kernel, parts, count, options, &described);
  return status == USW_OK ? create(plan_out, &described, 0, options) : status;
}
