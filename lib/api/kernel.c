/* Runs of a kernel by its descriptor: what the generated functions of user kernels call. */
#include <upsweep/descriptor.h>

#include "api/library.h"
#include "exec/run.h"

usw_status_t usw_kernel_run(const usw_kernel_t *kernel, size_t n, const uint64_t *slots,
                            const usw_variable_t *variables, const usw_options_t *options) {
  const usw_status_t status = uswi_enter();
  return status == USW_OK ? uswi_run_kernel(kernel, n, slots, variables, options) : status;
}
