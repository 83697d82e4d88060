/* The segments of a call, as kernels take them. */
#ifndef USWI_POLICY_SEGMENTS_H
#define USWI_POLICY_SEGMENTS_H

#include <upsweep/segments.h>

#include "policy/call.h"

typedef struct uswi_segments {
  size_t count;
  int is_path;                /* each begins where the one before ends */
  int is_signed;              /* of the offsets */
  usw_segments_words_t words; /* but for how they are shared out, and for memory */
} uswi_segments_t;

/* Describe segments of n items; name is the owner of errors. Offsets are not looked at. */
usw_status_t uswi_segments_describe(const char *name, const usw_segments_t *segments, size_t n,
                                    uswi_segments_t *segments_out);

/* As many of n items as offsets reach. Those of 32 bits that are below 0 are beyond all of them so, not large ones. */
static inline size_t uswi_items_reached(const uswi_segments_t *segments, size_t n) {
  return segments->is_signed && segments->words.usw_offset_bytes == 4 && n > INT32_MAX ? INT32_MAX : n;
}

/* USW_ERROR_UNSUPPORTED for a kernel of a user's that has no segments. */
usw_status_t uswi_segments_check_kernel(const usw_kernel_t *kernel);

/* Segments of one length are the rows of an array, here without its data: stream number `stream` of a call with these options. */
usw_array_t uswi_rows_of_segments(const usw_segments_t *segments, usw_type_t type, uint32_t stream,
                                  const usw_options_t *options);

/* The words of the segments among a call's arguments. */
static inline usw_segments_words_t *uswi_segments_words(uswi_call_t *call) {
  return (usw_segments_words_t *)(void *)((char *)uswi_results_words(call) - sizeof(usw_segments_words_t));
}

/* The memory that stretches of so many blocks take, those of further rounds included (engine/team_segments.h). */
size_t uswi_stretches_bytes(const uswi_call_t *call);

#endif
