/* Runs of a kernel over an iteration space of two or three dimensions. */
#include <upsweep/space.h>

#include "api/library.h"
#include "policy/check.h"
#include "policy/space.h"

usw_status_t usw_kernel_run_space(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                  uint64_t *arguments, const usw_variable_t *variables, const usw_options_t *options) {
  size_t n = 0;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  status = uswi_check_kernel(kernel);
  if (status == USW_OK)
    status = uswi_space_describe(kernel, dimensions, space, options, arguments, &n);
  return status == USW_OK ? usw_kernel_run(kernel, n, arguments, variables, options) : status;
}
