/* Reductions in parts: an accumulator that is kept between calls. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/partial.h>

#include "call.h"
#include "error.h"
#include "reduce.h"
#include "state.h"

struct usw_partial {
  const usw_kernel_t *kernel;
  usw_options_t options;
  uint64_t count;     /* elements so far */
  void *total, *part; /* accumulators: of all elements, of one call */
};

static void *allocate_accumulator(const usw_kernel_t *kernel) {
  return aligned_alloc(64, ((size_t)kernel->accumulator_bytes + 63) / 64 * 64);
}

usw_status_t usw_partial_create(usw_partial_t **partial_out, usw_operation_t operation, usw_type_t type,
                                const usw_options_t *options) {
  const usw_kernel_t *kernel;
  usw_status_t status = uswi_enter();
  if (status == USW_OK && !partial_out)
    status = uswi_fail(USW_ERROR_INVALID, "usw_partial_create: partial_out is NULL");
  if (status == USW_OK)
    status = uswi_kernel_of_streams(operation, type, 1, &kernel);
  if (status == USW_OK && options && options->size != sizeof *options)
    status = uswi_fail(USW_ERROR_VERSION, "%s: options.size is %zu, this library knows %zu", kernel->name,
                       options->size, sizeof *options);
  if (status != USW_OK)
    return status;
  usw_partial_t *partial = calloc(1, sizeof *partial);
  if (partial) {
    partial->kernel = kernel;
    partial->options = options ? *options : (usw_options_t){.size = sizeof *options};
    partial->total = allocate_accumulator(kernel);
    partial->part = allocate_accumulator(kernel);
  }
  if (!partial || !partial->total || !partial->part) {
    usw_partial_destroy(partial);
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for two accumulators of %u bytes", kernel->name,
                     kernel->accumulator_bytes);
  }
  kernel->identity(partial->total);
  *partial_out = partial;
  return USW_OK;
}

usw_status_t usw_partial_add(usw_partial_t *partial, const void *x, size_t n) {
  if (!partial)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_add: partial is NULL");
  const uint64_t slots[USWI_MAX_LIBRARY_SLOTS] = {(uint64_t)(uintptr_t)x};
  uswi_call_t call;
  uswi_call_init(&call, partial->kernel, n, &partial->options);
  call.index_of_first = partial->count;
  usw_status_t status = uswi_prepare(&call, slots);
  if (status == USW_OK)
    status = uswi_accumulate(&call, partial->part);
  if (status != USW_OK)
    return status;
  partial->kernel->merge(partial->total, partial->part);
  partial->count += n;
  uswi_fill_record(&call);
  return USW_OK;
}

usw_status_t usw_partial_result(const usw_partial_t *partial, void *result_out) {
  if (!partial || !result_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_result: %s is NULL", partial ? "result_out" : "partial");
  partial->kernel->finish(partial->total, &result_out);
  return USW_OK;
}

void usw_partial_destroy(usw_partial_t *partial) {
  if (!partial)
    return;
  free(partial->total);
  free(partial->part);
  free(partial);
}
