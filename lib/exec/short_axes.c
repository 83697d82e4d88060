#include "exec/short_axes.h"

#include <string.h>

#include "machine/arithmetic.h"
#include "policy/check.h"
#include "policy/result_shares.h"
#include "policy/segments.h"
#include "policy/variant.h"

/* What the kernel gets, and how the call is shared out. Words of levels that there are not are left out: they are most of all words. */
static void fill(uswi_call_t *call) {
  const uswi_axes_t *axes = call->axes;
  const uint64_t levels = axes->words.usw_kept_levels + axes->words.usw_reduced_levels;
  memcpy(uswi_axes_words(call), &axes->words,
         offsetof(usw_axes_words_t, usw_extent_of_level_0) + levels * USW_WORDS_OF_LEVEL * sizeof(uint64_t));
  if (call->kernel->facts & USW_FACT_SEGMENTS) /* it does those, too */
    *uswi_segments_words(call) = (usw_segments_words_t){0};
  memcpy(call->strides, axes->strides, sizeof axes->strides);
  call->extents[0] = axes->results;
  uswi_finish_arguments(call); /* which fails for other kernels */
  uswi_share_results(call);
}

int uswi_run_axes_short(const usw_kernel_t *kernel, const uswi_axes_t *axes, const uint64_t *arrays, void *results,
                        const usw_options_t *options) {
  const uswi_short_t *how = &uswi_shorts[kernel->operation][kernel->type];
  _Alignas(USWI_SHORT_RECORD_ALIGNMENT_BYTES) char record[USWI_SHORT_RECORD_BYTES]; /* which nobody reads */
  uswi_arithmetic_t callers;
  uswi_call_t call;
  if (!uswi_is_short(how, arrays, kernel->stream_count, axes->items * axes->results, options) ||
      !uswi_is_of_host(how, (uint64_t)(uintptr_t)results, kernel->reducers[0].alignment_bytes) ||
      kernel->accumulator_bytes > sizeof record)
    return 0;
  uswi_call_init(&call, kernel, axes->items * axes->results, options);
  call.axes = axes;
  memcpy(call.arguments, arrays, kernel->stream_count * sizeof *arrays);
  fill(&call);
  if (uswi_partials_of_results(&call) > 0)
    return 0;
  call.extents[0] = (uint64_t)(uintptr_t)results;
  uswi_arithmetic_begin(&callers, kernel, call.options);
  uswi_host_function(kernel)(0, axes->results, call.arguments, call.strides, call.extents, record);
  uswi_arithmetic_end(&callers);
  return 1;
}
