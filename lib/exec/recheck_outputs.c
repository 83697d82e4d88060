#include "exec/recheck_outputs.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"

/* The bytes from an output's first element to its last one in memory, and where in them that of item 0 begins. */
typedef struct range {
  uint64_t low;
  size_t bytes, first;
  ptrdiff_t step;
} range_t;

static range_t range_of(const uswi_call_t *call, uint32_t argument, uint32_t stream) {
  const ptrdiff_t step = call->strides[stream] * (ptrdiff_t)call->kernel->arguments[argument].bytes;
  const size_t width = (size_t)(step < 0 ? -step : step) * (call->n - 1);
  const size_t first = step < 0 ? width : 0;
  return (range_t){call->arguments[argument] - first, width + call->kernel->arguments[argument].bytes, first, step};
}

/* The next output from *argument on, 0: there is none. *argument and *stream are those of the one behind it then. */
static int next_output(const uswi_call_t *call, uint32_t *argument, uint32_t *stream, uint32_t *output_out,
                       range_t *range_out) {
  const usw_kernel_t *k = call->kernel;
  while (*argument < k->argument_count) {
    const uint32_t a = (*argument)++;
    if (k->arguments[a].kind == USW_ARGUMENT_OUT)
      *range_out = range_of(call, a, *stream);
    *stream += (uint32_t)uswi_is_stream(&k->arguments[a]);
    *output_out = a;
    if (k->arguments[a].kind == USW_ARGUMENT_OUT)
      return 1;
  }
  return 0;
}

static int copy(const uswi_call_t *call, uint32_t output, const range_t *range, char *to) {
  const void *from = (const void *)(uintptr_t)range->low;
  if (call->device && !(call->staged >> output & 1))
    return uswi_backend_copy_to_host(call->device, to, from, range->bytes);
  memcpy(to, from, range->bytes);
  return 1;
}

usw_status_t uswi_outputs_copy(const uswi_call_t *call, char **copies_out) {
  uint32_t argument = 0, stream = 0, output;
  size_t bytes = 0;
  range_t range;
  *copies_out = NULL;
  if (!(call->kernel->facts & USW_FACT_OUTPUTS) || (call->kernel->facts & USW_FACT_SPACE))
    return USW_OK;
  while (next_output(call, &argument, &stream, &output, &range))
    bytes += range.bytes;
  char *const copies = malloc(bytes);
  if (!copies)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes to recheck its outputs", call->name, bytes);
  int is_copied = 1;
  char *to = copies;
  argument = stream = 0;
  for (; is_copied && next_output(call, &argument, &stream, &output, &range); to += range.bytes)
    is_copied = copy(call, output, &range, to);
  if (!is_copied) {
    free(copies);
    return uswi_fail(USW_ERROR_DEVICE, "%s: '%s' cannot be copied from device %d", call->name,
                     call->kernel->arguments[output].name, call->device->number);
  }
  *copies_out = copies;
  return USW_OK;
}

int uswi_outputs_differ(const uswi_call_t *call, const char *one, const char *other, uint32_t *argument_out,
                        size_t *item_out) {
  uint32_t argument = 0, stream = 0;
  range_t range;
  for (size_t at = 0; next_output(call, &argument, &stream, argument_out, &range); at += range.bytes) {
    const ptrdiff_t first = (ptrdiff_t)(at + range.first);
    for (*item_out = 0; *item_out < call->n; ++*item_out) {
      const ptrdiff_t element = first + (ptrdiff_t)*item_out * range.step;
      if (memcmp(one + element, other + element, call->kernel->arguments[*argument_out].bytes) != 0)
        return 1;
    }
  }
  return 0;
}
