/* Reductions in parts: an accumulator that is kept between calls. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/partial.h>

#include "call.h"
#include "error.h"
#include "host/arithmetic.h"
#include "reduce.h"
#include "state.h"

/* The parts are merged as a binary counter is raised by one: while bit k of `parts` is set, level k holds the
 * reduction of 2^k parts in a row, higher levels the earlier ones. So any number of parts adds few roundings. */
enum { LEVELS = 64, LINE = 64 };

struct usw_partial {
  const usw_kernel_t *kernel;
  usw_options_t options;
  uint64_t count; /* elements so far */
  uint64_t parts; /* calls that brought some */
  size_t stride;  /* bytes from one accumulator to the next */
  char *levels;   /* LEVELS accumulators and one to work in */
};

static void *level(const usw_partial_t *partial, int k) { return partial->levels + (size_t)k * partial->stride; }

static usw_partial_t *allocate(const usw_kernel_t *kernel) {
  usw_partial_t *partial = calloc(1, sizeof *partial);
  if (!partial)
    return NULL;
  partial->kernel = kernel;
  partial->stride = ((size_t)kernel->accumulator_bytes + LINE - 1) / LINE * LINE;
  partial->levels = aligned_alloc(LINE, (LEVELS + 1) * partial->stride);
  if (partial->levels)
    return partial;
  free(partial);
  return NULL;
}

usw_status_t usw_partial_create(usw_partial_t **partial_out, usw_operation_t operation, usw_type_t type,
                                const usw_options_t *options) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!partial_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_create: partial_out is NULL");
  const usw_kernel_t *kernel = uswi_kernel_of_streams(operation, type, 1, options);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  if (options && options->size != sizeof *options)
    return uswi_fail(USW_ERROR_VERSION, "%s: options.size is %zu, this library knows %zu", kernel->name, options->size,
                     sizeof *options);
  usw_partial_t *partial = allocate(kernel);
  if (!partial)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %d accumulators of %u bytes", kernel->name, LEVELS + 1,
                     kernel->accumulator_bytes);
  partial->options = options ? *options : (usw_options_t){.size = sizeof *options};
  *partial_out = partial;
  return USW_OK;
}

static usw_status_t add(usw_partial_t *partial, const void *x, size_t n) {
  const uint64_t slots[USWI_MAX_LIBRARY_SLOTS] = {(uint64_t)(uintptr_t)x};
  void *part = level(partial, LEVELS);
  uswi_call_t call;
  uswi_call_init(&call, partial->kernel, n, &partial->options);
  call.index_of_first = partial->count;
  usw_status_t status = uswi_prepare(&call, slots);
  if (status == USW_OK)
    status = uswi_accumulate(&call, part);
  if (status != USW_OK)
    return status;
  uswi_fill_record(&call);
  if (n == 0)
    return USW_OK;
  int k = 0;
  for (; partial->parts >> k & 1; k++) { /* the earlier parts stay on the left */
    partial->kernel->merge(level(partial, k), part, NULL);
    memcpy(part, level(partial, k), partial->kernel->accumulator_bytes);
  }
  memcpy(level(partial, k), part, partial->kernel->accumulator_bytes);
  partial->parts++;
  partial->count += n;
  return USW_OK;
}

usw_status_t usw_partial_add(usw_partial_t *partial, const void *x, size_t n) {
  if (!partial)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_add: partial is NULL");
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, partial->kernel, &partial->options);
  const usw_status_t status = add(partial, x, n);
  uswi_arithmetic_end(&callers);
  return status;
}

usw_status_t usw_partial_result(const usw_partial_t *partial, void *result_out) {
  if (!partial || !result_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_result: %s is NULL", partial ? "result_out" : "partial");
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, partial->kernel, &partial->options);
  void *total = level(partial, LEVELS);
  partial->kernel->identity(total, NULL);
  for (int k = LEVELS - 1; k >= 0; k--)
    if (partial->parts >> k & 1)
      partial->kernel->merge(total, level(partial, k), NULL);
  const usw_variable_t variable = {result_out, 1};
  partial->kernel->finish(total, &variable, NULL);
  uswi_arithmetic_end(&callers);
  return USW_OK;
}

void usw_partial_destroy(usw_partial_t *partial) {
  if (!partial)
    return;
  free(partial->levels);
  free(partial);
}
