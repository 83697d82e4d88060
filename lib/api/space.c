/* Runs of a kernel over an iteration space of two or three dimensions. */
#include <upsweep/space.h>

#include "api/library.h"
#include "exec/run.h"
#include "policy/space.h"

usw_status_t usw_kernel_run_space(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                  uint64_t *slots, const usw_variable_t *variables, const usw_options_t *options) {
  size_t n = 0;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  /* A descriptor that this library does not know is not read: usw_kernel_run() says what is wrong with it. */
  if (kernel && kernel->abi == USW_DESCRIPTOR_ABI) {
    status = uswi_space_describe(kernel, dimensions, space, options, slots, &n);
    if (status != USW_OK)
      return status;
  }
  return uswi_run_kernel(kernel, n, slots, variables, options);
}
