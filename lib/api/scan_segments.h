/* Scans of segments: a launch marks where they begin, the next one scans. For calls both are here; plans put them into streams in steps. */
#ifndef USWI_API_SCAN_SEGMENTS_H
#define USWI_API_SCAN_SEGMENTS_H

#include "api/scan.h"
#include "policy/call.h"
#include "policy/segments.h"

/* Describe segments of n items, and refuse what scans have not; n SIZE_MAX: it is not known yet. */
usw_status_t uswi_scan_segments_describe(const char *name, const usw_segments_t *segments, size_t n,
                                         const usw_options_t *options, uswi_segments_t *described_out);

/* The whole call. */
usw_status_t uswi_scan_segments(const usw_kernel_t *kernel, const uswi_scan_t *scan, const usw_segments_t *segments,
                                const usw_options_t *options);

/* The launch that marks. It must not be moved: the call points into it. */
typedef struct uswi_marking {
  uswi_call_t call;
  usw_options_t options;
  usw_variable_t variable;
  uint64_t wrong; /* the first segment that is wrong; UINT64_MAX: none is */
  uint64_t arguments[USWI_MAX_ARGUMENTS];
} uswi_marking_t;

/* A call for it, to be prepared with its arguments: where the scan is placed, in its stream; `any` is an address of the place. */
void uswi_marking_init(uswi_marking_t *marking, const uswi_call_t *placed, const uswi_segments_t *segments,
                       size_t items, const void *any);

/* The memory of marks, zero before the launch, whose arguments are those here, or as they are prepared in the call. */
size_t uswi_marks_bytes(size_t items);
void uswi_marking_aim(uint64_t *arguments, void *marks);

/* The words that tell the scan. */
usw_restart_words_t uswi_restarts_at_marks(const void *marks, size_t items);

#endif
