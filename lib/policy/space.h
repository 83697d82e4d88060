/* Iteration spaces of two and three dimensions: what is wrong with one, and what its kernel gets to know of it. */
#ifndef USWI_POLICY_SPACE_H
#define USWI_POLICY_SPACE_H

#include <upsweep/descriptor.h>
#include <upsweep/space.h>

/* The items of a space: their number, and the arguments that tell the kernel of them, at the front of its list. */
usw_status_t uswi_space_describe(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                 const usw_options_t *options, uint64_t *arguments, size_t *n_out);

#endif
