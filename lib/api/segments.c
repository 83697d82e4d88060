/* Reductions of segments: find the kernel, describe the segments, run it. */
#include "policy/segments.h"

#include <upsweep/axes.h>

#include "api/kernel.h"
#include "exec/run.h"
#include "exec/short_results.h"
#include "policy/catalog.h"
#include "policy/check.h"

static usw_status_t run_kernel(const usw_kernel_t *kernel, const char *name, size_t n, const uswi_segments_t *segments,
                               const uint64_t *arguments, const usw_variable_t *variables,
                               const usw_options_t *options) {
  uswi_call_t call;
  uswi_call_init(&call, kernel, uswi_items_reached(segments, n), options);
  call.name = name;
  call.variables = variables;
  call.segments = segments;
  return uswi_run_call(&call, arguments);
}

/* ---- the library's kernels ---- */

static usw_status_t run_rows(usw_operation_t operation, usw_type_t type, const void *const *streams, uint32_t count,
                             const usw_segments_t *segments, void *results, const usw_options_t *options) {
  usw_array_t rows[2];
  for (uint32_t k = 0; k < count; k++) {
    rows[k] = uswi_rows_of_segments(segments, type, k, options);
    rows[k].data = (void *)(uintptr_t)streams[k];
  }
  return count == 1 ? usw_reduce_axes(operation, &rows[0], USW_AXIS(1), results, options)
                    : usw_reduce_axes_pair(operation, &rows[0], &rows[1], USW_AXIS(1), results, options);
}

static usw_status_t run(usw_operation_t operation, usw_type_t type, const void *const *streams, uint32_t count,
                        size_t n, const usw_segments_t *segments, void *results, const usw_options_t *options) {
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  uswi_segments_t described;
  const char *name;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  const usw_kernel_t *const kernel = uswi_kernel_of_many(operation, type, count, options, &name);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_segments_describe(name, segments, n, &described);
  if (status == USW_OK)
    status = uswi_check_items(name, n);
  if (status != USW_OK)
    return status;
  if (segments->type == USW_NO_TYPE)
    return run_rows(operation, type, streams, count, segments, results, options);
  for (uint32_t k = 0; k < count; k++)
    arguments[k] = (uint64_t)(uintptr_t)streams[k];
  if (uswi_run_segments_short(kernel, &described, n, arguments, results, options))
    return USW_OK;
  uswi_learn_shorts();
  const usw_variable_t variable = {results, segments->count};
  return run_kernel(kernel, name, n, &described, arguments, &variable, options);
}

usw_status_t usw_reduce_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                 const usw_segments_t *segments, void *results, const usw_options_t *options) {
  return run(operation, type, &x, 1, n, segments, results, options);
}

usw_status_t usw_reduce_segments_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y,
                                      size_t n, const usw_segments_t *segments, void *results,
                                      const usw_options_t *options) {
  const void *const streams[] = {x, y};
  return run(operation, type, streams, 2, n, segments, results, options);
}

/* ---- kernels of users ---- */

usw_status_t usw_kernel_run_segments(const usw_kernel_t *kernel, size_t n, const usw_segments_t *segments,
                                     const uint64_t *arguments, const usw_variable_t *variables,
                                     const usw_options_t *options) {
  uswi_segments_t described;
  usw_status_t status = uswi_enter_kernel(kernel, variables);
  if (status == USW_OK)
    status = uswi_segments_check_kernel(kernel);
  if (status == USW_OK)
    status = uswi_segments_describe(kernel->name, segments, n, &described);
  return status == USW_OK ? run_kernel(kernel, kernel->name, n, &described, arguments, variables, options) : status;
}
