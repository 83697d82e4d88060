/* The calls by codes: find the library's kernel for (operation, type) and run it. */
#include <upsweep/upsweep.h>

#include "api/library.h"
#include "exec/exact.h"
#include "exec/on_devices.h"
#include "exec/run.h"
#include "exec/short.h"
#include "policy/call.h"
#include "policy/catalog.h"

/* What is not short. */
static __attribute__((noinline)) usw_status_t run_usual(usw_operation_t operation, usw_type_t type,
                                                        const uint64_t *arguments, uint32_t streams, size_t n,
                                                        void *result_out, const usw_options_t *options) {
  const usw_kernel_t *kernel = uswi_kernel_of_streams(operation, type, streams, options);
  uswi_learn_shorts();
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  if (uswi_takes_sweeps(operation, type, options))
    return uswi_exact_reduce(kernel, arguments, n, result_out, options);
  const usw_variable_t variable = {result_out, 1};
  if (uswi_names_devices(options))
    return uswi_run_on_devices(kernel, n, arguments, &variable, options);
  return uswi_run_kernel(kernel, n, arguments, &variable, options);
}

/* Run the kernel of (operation, type) if it reads that many streams, the first of the arguments. Inlined, with the number of
 * streams a constant. */
static inline __attribute__((always_inline)) usw_status_t run(usw_operation_t operation, usw_type_t type,
                                                              uint64_t *arguments, uint32_t streams, size_t n,
                                                              void *result_out, const usw_options_t *options) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (uswi_are_codes(operation, type) &&
      uswi_run_short(&uswi_shorts[operation][type], arguments, streams, n, result_out, options))
    return USW_OK;
  return run_usual(operation, type, arguments, streams, n, result_out, options);
}

usw_status_t usw_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                        const usw_options_t *options) {
  uint64_t arguments[USWI_MAX_LIBRARY_ARGUMENTS] = {(uint64_t)(uintptr_t)x};
  return run(operation, type, arguments, 1, n, result_out, options);
}

usw_status_t usw_reduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y, size_t n,
                             void *result_out, const usw_options_t *options) {
  uint64_t arguments[USWI_MAX_LIBRARY_ARGUMENTS] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y};
  return run(operation, type, arguments, 2, n, result_out, options);
}

size_t usw_result_bytes(usw_operation_t operation, usw_type_t type) {
  const usw_kernel_t *kernel = uswi_kernel_at(operation, type, USW_REPEATABLE, USW_NAN_PROPAGATE);
  return kernel ? kernel->reducers[0].bytes : 0;
}
