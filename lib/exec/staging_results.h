/* Calls of many results whose elements come from host memory in chunks: reductions along axes and of segments by the library's kernels. */
#ifndef USWI_EXEC_STAGING_RESULTS_H
#define USWI_EXEC_STAGING_RESULTS_H

#include "policy/call.h"

/* Whether a placed call is to be staged: elements, or offsets of segments without any, are in host memory that the device cannot read, and
 * the call may be staged. */
int uswi_results_are_staged(const uswi_call_t *call);

/* What of a staged call has no staging: USW_ERROR_UNSUPPORTED; and wrong offsets. */
usw_status_t uswi_check_staged_results(const uswi_call_t *call);

/* Run a checked one; leaves its results in `room`, one behind the other. */
usw_status_t uswi_stage_results(uswi_call_t *call, char *room);

#endif
