/* Scans: find the kernel, run it. What all elements come to is known then, too, and not asked for. */
#include "api/scan.h"

#include <string.h>

#include "api/library.h"
#include "base/error.h"
#include "exec/run.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/scan.h"

usw_status_t uswi_scan_kernel(usw_operation_t operation, usw_type_t type, int is_of_segments, const void *initial,
                              const usw_options_t *options, const usw_kernel_t **kernel_out) {
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_size("scan", options);
  if (status != USW_OK)
    return status;
  *kernel_out = uswi_kernel_of_scan(operation, type, is_of_segments, options);
  if (*kernel_out && initial && !(*kernel_out)->absorb)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s takes no initial value: let it be NULL", (*kernel_out)->name);
  return *kernel_out ? USW_OK : USW_ERROR_UNSUPPORTED;
}

void uswi_scan_fill(const usw_kernel_t *kernel, const uswi_scan_t *scan, char total_out[USWI_MOST_RESULT_BYTES],
                    uint64_t arguments_out[USWI_MAX_ARGUMENTS]) {
  memset(total_out, 0, USWI_MOST_RESULT_BYTES);
  if (scan->initial)
    memcpy(total_out, scan->initial, kernel->reducers[0].bytes);
  uswi_scan_arguments(kernel, (uint64_t)(uintptr_t)scan->x, (uint64_t)(uintptr_t)scan->out, scan->is_exclusive,
                      arguments_out);
  if (!scan->restarts)
    return;
  usw_restart_words_t *const words = uswi_restart_words(kernel, arguments_out);
  *words = *scan->restarts;
  words->usw_has_initial = scan->initial != NULL;
  memcpy(&words->usw_initial_low, total_out, sizeof words->usw_initial_low);
  memcpy(&words->usw_initial_high, total_out + sizeof words->usw_initial_low, sizeof words->usw_initial_high);
}

usw_status_t uswi_scan(const usw_kernel_t *kernel, const uswi_scan_t *scan, const usw_options_t *options,
                       uint32_t *restarts_out) {
  _Alignas(16) char total[USWI_MOST_RESULT_BYTES];
  uint64_t arguments[USWI_MAX_ARGUMENTS];
  const usw_variable_t variable = {total, 1};
  usw_options_t own = options ? *options : uswi_default_options;
  uswi_call_t call;
  own.initialize_to_identity = scan->restarts || !scan->initial;
  uswi_scan_fill(kernel, scan, total, arguments);
  uswi_call_init(&call, kernel, scan->n, &own);
  call.variables = &variable;
  call.restarts = 0;
  const usw_status_t status = uswi_run_call(&call, arguments);
  if (restarts_out)
    *restarts_out = call.restarts;
  return status;
}

static usw_status_t run(usw_operation_t operation, usw_type_t type, const uswi_scan_t *scan,
                        const usw_options_t *options) {
  const usw_kernel_t *kernel;
  const usw_status_t status = uswi_scan_kernel(operation, type, 0, scan->initial, options, &kernel);
  return status == USW_OK ? uswi_scan(kernel, scan, options, NULL) : status;
}

usw_status_t usw_scan_inclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                const usw_options_t *options) {
  return run(operation, type, &(uswi_scan_t){.x = x, .n = n, .out = out}, options);
}

usw_status_t usw_scan_exclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                const void *initial, const usw_options_t *options) {
  return run(operation, type, &(uswi_scan_t){.x = x, .n = n, .out = out, .is_exclusive = 1, .initial = initial},
             options);
}
