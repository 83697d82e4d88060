/* Room for the results of a call, one reducer's behind the other's. */
#ifndef USWI_POLICY_RESULTS_H
#define USWI_POLICY_RESULTS_H

#include "base/bytes.h"
#include "policy/call.h"

enum { USWI_RESULT_BOUNDARY = 64 };

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
