#include "exec/short_results.h"

#include <string.h>

#include "exec/segment_check.h"
#include "machine/arithmetic.h"
#include "policy/check.h"
#include "policy/result_shares.h"
#include "policy/variant.h"

enum { FEW_STRETCHES_BYTES = 512 /* that a stack has room for */ };

/* A record that nobody reads: results go to the caller's array. */
typedef struct {
  _Alignas(USWI_SHORT_RECORD_ALIGNMENT_BYTES) char bytes[USWI_SHORT_RECORD_BYTES];
} record_t;

/* Whether a call is short, and its results where the host writes them. */
static int is_short(const usw_kernel_t *kernel, const uint64_t *arrays, size_t n, const void *results,
                    const usw_options_t *options) {
  const uswi_short_t *how = &uswi_shorts[kernel->operation][kernel->type];
  return uswi_is_short(how, arrays, kernel->stream_count, n, options) &&
         uswi_is_of_host(how, (uint64_t)(uintptr_t)results, kernel->reducers[0].alignment_bytes) &&
         kernel->accumulator_bytes <= USWI_SHORT_RECORD_BYTES;
}

/* The call that the kernel's function gets; how it is shared out is to be said. */
static void begin(const usw_kernel_t *kernel, const uint64_t *arrays, size_t n, size_t results,
                  const usw_options_t *options, uswi_call_t *call_out) {
  uswi_call_init(call_out, kernel, n, options);
  memcpy(call_out->arguments, arrays, kernel->stream_count * sizeof *arrays);
  call_out->extents[0] = results;
}

/* Words of levels that there are not are left out: they are most of all words. */
static void share_axes(uswi_call_t *call) {
  const uswi_axes_t *axes = call->axes;
  const uint64_t levels = axes->words.usw_kept_levels + axes->words.usw_reduced_levels;
  memcpy(uswi_axes_words(call), &axes->words,
         offsetof(usw_axes_words_t, usw_extent_of_level_0) + levels * USW_WORDS_OF_LEVEL * sizeof(uint64_t));
  if (call->kernel->facts & USW_FACT_SEGMENTS) /* it does those, too */
    *uswi_segments_words(call) = (usw_segments_words_t){0};
  memcpy(call->strides, axes->strides, sizeof axes->strides);
  uswi_finish_arguments(call); /* which fails for other kernels */
  uswi_share_results(call);
}

static void share_segments(uswi_call_t *call) {
  const size_t words = offsetof(usw_axes_words_t, usw_extent_of_level_0);
  memset(uswi_axes_words(call), 0, words); /* there are no axes */
  call->strides[0] = call->strides[1] = 1;
  uswi_finish_arguments(call);
  uswi_share_results(call);
}

/* Shares 0, ..., shares - 1; `joins`: what they have left, too. */
static void run(uswi_call_t *call, size_t shares, int joins, void *results) {
  const usw_host_function_t function = uswi_host_function(call->kernel);
  uswi_arithmetic_t callers;
  record_t record;
  call->extents[0] = (uint64_t)(uintptr_t)results;
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  function(0, shares, call->arguments, call->strides, call->extents, record.bytes);
  if (joins)
    function(shares, shares + 1, call->arguments, call->strides, call->extents, record.bytes);
  uswi_arithmetic_end(&callers);
}

int uswi_run_axes_short(const usw_kernel_t *kernel, const uswi_axes_t *axes, const uint64_t *arrays, void *results,
                        const usw_options_t *options) {
  uswi_call_t call;
  if (!is_short(kernel, arrays, axes->items * axes->results, results, options))
    return 0;
  begin(kernel, arrays, axes->items * axes->results, axes->results, options, &call);
  call.axes = axes;
  share_axes(&call);
  if (uswi_partials_of_results(&call) > 0)
    return 0;
  run(&call, axes->results, 0, results);
  return 1;
}

/* Whether the host reads the offsets, and none of them is wrong. */
static int are_right(const uswi_short_t *how, const uswi_segments_t *segments, size_t n) {
  const usw_segments_words_t *words = &segments->words;
  return uswi_is_of_host(how, words->usw_begins, (uint32_t)words->usw_offset_bytes) &&
         uswi_is_of_host(how, words->usw_ends, (uint32_t)words->usw_offset_bytes) &&
         uswi_are_right_offsets(words, segments->count, uswi_items_reached(segments, n));
}

int uswi_run_segments_short(const usw_kernel_t *kernel, const uswi_segments_t *segments, size_t n,
                            const uint64_t *arrays, void *results, const usw_options_t *options) {
  const uswi_short_t *how = &uswi_shorts[kernel->operation][kernel->type];
  _Alignas(USWI_SHORT_RECORD_ALIGNMENT_BYTES) char stretches[FEW_STRETCHES_BYTES];
  uswi_told_t told;
  uswi_call_t call;
  if (!is_short(kernel, arrays, n, results, options) || segments->count - 1 >= how->most_items ||
      !are_right(how, segments, n))
    return 0;
  begin(kernel, arrays, n, segments->count, options, &call);
  call.segments = segments;
  share_segments(&call);
  if (uswi_partials_of_results(&call) > sizeof stretches)
    return 0;
  uswi_segments_aim(&call, stretches, &told);
  run(&call, uswi_shares_of_results(&call), segments->is_path, results);
  return 1;
}
