/* Where the variables of a call are, and room for its results, one reducer's behind the other's. */
#ifndef USWI_POLICY_RESULTS_H
#define USWI_POLICY_RESULTS_H

#include "base/bytes.h"
#include "policy/call.h"
#include "policy/devices.h"

enum { USWI_RESULT_BOUNDARY = 64 };

/* Of a call with many results: find out which variables are in a device's memory, and which the place can write. */
usw_status_t uswi_results_locate(uswi_call_t *call);

/* Of a call with spans: find out which of these are in a device's memory. Other variables are the host's. */
void uswi_results_find_spans(uswi_call_t *call);
static inline void uswi_results_locate_spans(uswi_call_t *call) {
  if (uswi_gpus != 0)
    uswi_results_find_spans(call);
}

/* Whether a variable is in a device's memory. */
static inline int uswi_result_is_there(const uswi_call_t *call, uint32_t r) { return call->results_there >> r & 1; }

/* Of a prepared call that is to be launched: if its only variable is a large span in its device's memory, let the launches write that, which
 * nobody sees before (uswi_call_t::writes_span). */
void uswi_aim_at_span(uswi_call_t *call);

/* How many records that takes: the call's own, and one of original values. */
uint32_t uswi_records_of_span(const uswi_call_t *call);

/* Of a call whose cells a launch folds: whether its only variable is such a span, or one of the host's that starts from the identity, for which
 * nothing but a copy is left to do. */
int uswi_is_span_on_device(const uswi_call_t *call);
int uswi_is_span_copied(const uswi_call_t *call);

/* Whether kernels look at the offsets of segments on their way: results of the host's are not theirs to write then. */
int uswi_finds_wrong_offsets(const uswi_call_t *call);

/* Bytes of a reducer's result, or of its many. A call without variables (api/partial.c) is of the library's kernels: one. */
static inline size_t uswi_result_bytes(const uswi_call_t *call, uint32_t r) {
  const size_t extent = call->variables ? call->extents[r] : 1;
  return extent * call->kernel->reducers[r].bytes;
}

static inline size_t uswi_result_room(const uswi_call_t *call, uint32_t r) {
  return uswi_round_up(uswi_result_bytes(call, r), USWI_RESULT_BOUNDARY);
}

static inline size_t uswi_results_room(const uswi_call_t *call) {
  size_t bytes = 0;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    bytes += uswi_result_room(call, r);
  return bytes;
}

#endif
