/* Scans: find the kernel, run it. What all elements come to is known then, too, and not asked for. */
#include <string.h>
#include <upsweep/scan.h>

#include "api/library.h"
#include "base/error.h"
#include "exec/run.h"
#include "policy/catalog.h"
#include "policy/scan.h"

enum { MOST_RESULT_BYTES = 64 };

static usw_status_t run(const usw_kernel_t *kernel, const void *x, size_t n, void *out, int is_exclusive,
                        const void *initial, const usw_options_t *options) {
  _Alignas(16) char total[MOST_RESULT_BYTES] = {0};
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {(uint64_t)(uintptr_t)x};
  const usw_variable_t variable = {total, 1};
  usw_options_t own = options ? *options : uswi_default_options;
  uswi_call_t call;
  own.initialize_to_identity = !initial;
  if (initial)
    memcpy(total, initial, kernel->reducers[0].bytes);
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    if (kernel->arguments[a].kind == USW_ARGUMENT_OUT)
      arguments[a] = (uint64_t)(uintptr_t)out;
  uswi_scan_words(kernel, arguments)->usw_is_exclusive = (uint64_t)is_exclusive;
  uswi_call_init(&call, kernel, n, &own);
  call.variables = &variable;
  return uswi_run_call(&call, arguments);
}

static usw_status_t start(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                          const usw_kernel_t **kernel_out) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (options && options->size != sizeof *options) /* it is copied */
    return uswi_fail(USW_ERROR_VERSION, "scan: options.size is %zu, this library knows %zu", options->size,
                     sizeof *options);
  *kernel_out = uswi_kernel_of_scan(operation, type, options);
  return *kernel_out ? USW_OK : USW_ERROR_UNSUPPORTED;
}

usw_status_t usw_scan_inclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const usw_status_t status = start(operation, type, options, &kernel);
  return status == USW_OK ? run(kernel, x, n, out, 0, NULL, options) : status;
}

usw_status_t usw_scan_exclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                const void *initial, const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const usw_status_t status = start(operation, type, options, &kernel);
  if (status != USW_OK)
    return status;
  if (initial && !kernel->absorb)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s takes no initial value: let it be NULL", kernel->name);
  return run(kernel, x, n, out, 1, initial, options);
}
