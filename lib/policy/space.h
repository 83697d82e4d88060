/* Iteration spaces of two and three dimensions: what is wrong with one, and what its kernel gets to know of it. */
#ifndef USWI_POLICY_SPACE_H
#define USWI_POLICY_SPACE_H

#include <upsweep/descriptor.h>
#include <upsweep/space.h>

typedef struct uswi_dimension {
  size_t extent, tile;
  ptrdiff_t start, step;
  size_t pitch;       /* elements from one index to the next */
  size_t most_offset; /* largest distance of an index from 0 */
} uswi_dimension_t;

typedef struct uswi_box {
  const usw_kernel_t *kernel;
  uint32_t dimensions;
  uswi_dimension_t of[3];
  size_t n;
} uswi_box_t;

/* Check a space, and measure it: without items only n is set; pitches only of a kernel with streams. */
usw_status_t uswi_space_measure(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                const usw_options_t *options, uswi_box_t *box_out);

/* The items of a space: their number, and the arguments that tell the kernel of them, at the front of its list. */
usw_status_t uswi_space_describe(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                 const usw_options_t *options, uint64_t *arguments, size_t *n_out);

#endif
