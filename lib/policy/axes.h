/* The axes of arrays, as kernels take them: those that stay and those that are reduced, each in the order of the elements in memory,
 * neighbours made one where their elements follow each other. */
#ifndef USWI_POLICY_AXES_H
#define USWI_POLICY_AXES_H

#include <upsweep/axes.h>

#include "policy/call.h"
#include "policy/space.h"

typedef struct uswi_axes {
  size_t items, results;  /* items of each result */
  ptrdiff_t strides[2];   /* of the innermost reduced axis */
  usw_axes_words_t words; /* but for how they are shared out (result_shares.h) */
  usw_axes_of_space_words_t of_space;
  size_t first_element; /* of a space, which streams begin at */
} uswi_axes_t;

/* Describe the axes to reduce of one array, or of two of the same shape, for a kernel; name is the owner of errors. */
usw_status_t uswi_axes_describe(const char *name, const usw_kernel_t *kernel, const usw_array_t *const *arrays,
                                uint32_t axes, uswi_axes_t *axes_out);

/* What is reduced: "all", "none", "inner", "outer", "middle" or "several" axes. */
const char *uswi_axes_kind(const uswi_axes_t *axes);

/* Describe the dimensions of a space to reduce, for a kernel of a user's. */
usw_status_t uswi_axes_of_space(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                uint32_t axes, const usw_options_t *options, uswi_axes_t *axes_out);

/* Whether a kernel has the axes of a space: fewer words of them, and others before those. */
static inline int uswi_has_axes_of_space(const usw_kernel_t *kernel) {
  return (~kernel->facts & (USW_FACT_AXES | USW_FACT_SPACE)) == 0;
}

static inline size_t uswi_axes_words_bytes(const usw_kernel_t *kernel) {
  return uswi_has_axes_of_space(kernel) ? USW_FEW_AXES_WORDS_COUNT * sizeof(uint64_t) : sizeof(usw_axes_words_t);
}

/* The words of the axes among a call's arguments; of a space as many as uswi_axes_words_bytes() says. */
static inline usw_axes_words_t *uswi_axes_words(uswi_call_t *call) {
  const size_t segments = call->kernel->facts & USW_FACT_SEGMENTS ? sizeof(usw_segments_words_t) : 0;
  return (usw_axes_words_t *)(void *)((char *)uswi_results_words(call) - segments -
                                      uswi_axes_words_bytes(call->kernel));
}
static inline usw_axes_of_space_words_t *uswi_axes_of_space_words(uswi_call_t *call) {
  return (usw_axes_of_space_words_t *)(void *)uswi_axes_words(call) - 1;
}

#endif
