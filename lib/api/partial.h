/* The inside of a reduction in parts: what partial.c keeps and partial_block.c writes into blocks. */
#ifndef USWI_API_PARTIAL_H
#define USWI_API_PARTIAL_H

#include <upsweep/descriptor.h>
#include <upsweep/partial.h>

struct usw_partial {
  const usw_kernel_t *kernel;
  usw_options_t options;
  uint64_t count;      /* elements so far */
  uint64_t next_index; /* of the next element */
  int is_placed;       /* whether somebody said where it begins */
  uint64_t parts;      /* what brought some elements: calls and merges */
  size_t stride;       /* bytes from one accumulator to the next */
  char *levels;        /* LEVELS accumulators and one to work in */
};

/* The kernel of a reduction of one stream that can do what the options ask for; or NULL, and why. */
const usw_kernel_t *uswi_partial_kernel(usw_operation_t operation, usw_type_t type, const usw_options_t *options,
                                        usw_status_t *status_out);

/* An object for such a kernel. */
usw_status_t uswi_partial_make(usw_partial_t **partial_out, usw_operation_t operation, usw_type_t type,
                               const usw_options_t *options);

/* The accumulator that partial works in, free between calls. */
void *uswi_partial_work(const usw_partial_t *partial);

/* Fold all parts into one accumulator, in the arithmetic that the caller has begun (machine/arithmetic.h). */
void uswi_partial_total(const usw_partial_t *partial, void *total_out);

/* Take the accumulator that partial works in as its last part. */
void uswi_partial_push(usw_partial_t *partial);

/* Move the indices of an accumulator; those of the upper half are none. */
void uswi_shift_indices(const usw_kernel_t *kernel, void *accumulator, uint64_t shift);

#endif
