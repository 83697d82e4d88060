/* Merging records of large spans into another place, without a copy of the whole: messages are merged so. */
#ifndef USWI_API_MESSAGE_CHUNKS_H
#define USWI_API_MESSAGE_CHUNKS_H

#include <upsweep/descriptor.h>

/* Whether cells of its spans can be merged a few at a time: in a kernel a constant extent stays what it is. */
int uswi_has_free_extents(const usw_kernel_t *kernel);

/* In their order, into either record or a third. 0: no memory. */
int uswi_merge_in_chunks(const usw_kernel_t *kernel, const char *first, const char *second, char *to,
                         const uint64_t *extents);

#endif
