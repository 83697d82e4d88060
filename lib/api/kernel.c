/* Runs of a kernel by its descriptor: what the generated functions of user kernels call. */
#include <upsweep/descriptor.h>

#include "api/kernel.h"

#include "exec/on_devices.h"
#include "exec/run.h"

usw_status_t usw_kernel_run(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                            const usw_variable_t *variables, const usw_options_t *options) {
  const usw_status_t status = uswi_enter_kernel(kernel, variables);
  if (status != USW_OK)
    return status;
  if (uswi_names_devices(options))
    return uswi_run_on_devices(kernel, n, arguments, variables, options);
  uswi_call_t call;
  uswi_call_init(&call, kernel, n, options);
  call.variables = variables;
  return uswi_run_call(&call, arguments);
}
