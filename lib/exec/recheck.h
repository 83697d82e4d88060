/* Rechecking: one call in N runs a second time, and both results must be the same in every bit. */
#ifndef USWI_EXEC_RECHECK_H
#define USWI_EXEC_RECHECK_H

#include "machine/environment.h"
#include "policy/call.h"

/* The N of "one call in N": the call's own, or the environment's; 0: never. */
static inline uint32_t uswi_recheck_rate(const uswi_call_t *call) {
  const uint32_t rate = call->options->recheck ? call->options->recheck : uswi_environment()->recheck;
  return rate == USW_RECHECK_NEVER ? 0 : rate;
}

/* How the call runs the second time. Where the kernel's results do not depend on how they are combined: on the host in
 * another number of chunks, on a device by another strategy and another number of teams; of many results by another number of
 * them. Else the same way again.
 * 0: not at all, because the call's strategy promises no bits. */
int uswi_second_way(const uswi_call_t *call, uswi_call_t *second);

/* Count a call that has a rate: whether it is one in N and can run again; how is in *second then. */
int uswi_recheck_is_due(const uswi_call_t *call, uint32_t rate, uswi_call_t *second);

/* Compare the results of two runs of a call that writes them itself, laid out as policy/results.h says. */
usw_status_t uswi_recheck_compare(const uswi_call_t *first, const uswi_call_t *second, char *results,
                                  char *second_results);

/* Count the call, which has left `record` and has a rate; if it is one in N, run it again and compare. The record stays as
 * it is. USW_OK, USW_ERROR_MISMATCH, or what keeps the second run from running. */
usw_status_t uswi_recheck(const uswi_call_t *call, uint32_t rate, const void *record);

#endif
