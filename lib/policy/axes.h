/* The axes of arrays, as kernels take them: those that stay and those that are reduced, each in the order of the elements in memory,
 * neighbours made one where their elements follow each other. */
#ifndef USWI_POLICY_AXES_H
#define USWI_POLICY_AXES_H

#include <upsweep/axes.h>

#include "policy/call.h"

typedef struct uswi_axes {
  uint32_t streams;       /* arrays: 1 or 2 */
  size_t items, results;  /* items of each result */
  ptrdiff_t strides[2];   /* of the innermost reduced axis */
  usw_axes_words_t words; /* but for how they are shared out (result_shares.h) */
} uswi_axes_t;

/* Describe the axes to reduce of one array, or of two of the same shape, for a kernel; name is the owner of errors. */
usw_status_t uswi_axes_describe(const char *name, const usw_kernel_t *kernel, const usw_array_t *const *arrays,
                                uint32_t axes, uswi_axes_t *axes_out);

/* What is reduced: "all", "none", "inner", "outer", "middle" or "several" axes. */
const char *uswi_axes_kind(const uswi_axes_t *axes);

/* The words of the axes among a call's arguments. */
static inline usw_axes_words_t *uswi_axes_words(uswi_call_t *call) {
  return (usw_axes_words_t *)(void *)((char *)uswi_results_words(call) - sizeof(usw_segments_words_t) -
                                      sizeof(usw_axes_words_t));
}

#endif
