/* Wrong offsets of segments: kernels on GPUs only find that there are some; which one is the first, this does. */
#ifndef USWI_EXEC_SEGMENT_CHECK_H
#define USWI_EXEC_SEGMENT_CHECK_H

#include "policy/call.h"

/* Look at the offsets of so many segments of so many items, for a call. USW_OK: none is wrong. */
usw_status_t uswi_check_offsets(const uswi_call_t *call, const usw_segments_words_t *words, size_t segments,
                                size_t items);

/* Whether none of so many is wrong, where the host reads them. */
int uswi_are_right_offsets(const usw_segments_words_t *words, size_t segments, size_t items);

/* What kernels of segments tell the host: 1 where an offset is wrong; 1 when all is written, which a path of blocks on a GPU tells. */
typedef struct uswi_told {
  volatile uint64_t is_wrong, is_written;
} uswi_told_t;

/* Where they leave stretches and tell. */
void uswi_segments_aim(uswi_call_t *call, void *stretches, uswi_told_t *told);

#endif
