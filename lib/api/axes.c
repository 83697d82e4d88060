/* Reductions along axes: find the kernel, describe the axes, run it. */
#include "policy/axes.h"

#include "api/kernel.h"
#include "base/error.h"
#include "exec/run.h"
#include "exec/short_results.h"
#include "policy/catalog.h"

static usw_status_t run(usw_operation_t operation, const usw_array_t *const *arrays, uint32_t streams, uint32_t axes,
                        void *results, const usw_options_t *options) {
  uint64_t addresses[2] = {0};
  const char *name;
  uswi_axes_t described;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!arrays[0])
    return uswi_fail(USW_ERROR_INVALID, "the array is NULL");
  const usw_kernel_t *const kernel = uswi_kernel_of_many(operation, arrays[0]->type, streams, options, &name);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  status = uswi_axes_describe(name, kernel, arrays, axes, &described);
  if (status != USW_OK)
    return status;
  for (uint32_t a = 0; a < streams; a++)
    addresses[a] = (uint64_t)(uintptr_t)arrays[a]->data;
  if (uswi_run_axes_short(kernel, &described, addresses, results, options))
    return USW_OK;
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {addresses[0], addresses[1]};
  uswi_call_t call;
  uswi_call_init(&call, kernel, described.items * described.results, options);
  const usw_variable_t variable = {results, described.results};
  uswi_learn_shorts();
  call.name = name;
  call.variables = &variable;
  call.axes = &described;
  return uswi_run_call(&call, arguments);
}

usw_status_t usw_reduce_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes, void *results,
                             const usw_options_t *options) {
  return run(operation, &array, 1, axes, results, options);
}

usw_status_t usw_reduce_axes_pair(usw_operation_t operation, const usw_array_t *x, const usw_array_t *y, uint32_t axes,
                                  void *results, const usw_options_t *options) {
  const usw_array_t *const arrays[] = {x, y};
  return run(operation, arrays, 2, axes, results, options);
}

/* ---- kernels of users ---- */

usw_status_t usw_kernel_run_axes(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                 uint32_t axes, const uint64_t *arguments, const usw_variable_t *variables,
                                 const usw_options_t *options) {
  usw_variable_t results[USWI_MAX_REDUCERS];
  uswi_axes_t described;
  usw_status_t status = uswi_enter_kernel(kernel, variables);
  if (status == USW_OK)
    status = uswi_axes_of_space(kernel, dimensions, space, axes, options, &described);
  if (status != USW_OK)
    return status;
  for (uint32_t r = 0; r < kernel->reducer_count && r < USWI_MAX_REDUCERS; r++)
    results[r] = (usw_variable_t){variables[r].address, described.results};
  uswi_call_t call;
  uswi_call_init(&call, kernel, described.items * described.results, options);
  call.variables = results;
  call.axes = &described;
  return uswi_run_call(&call, arguments);
}
