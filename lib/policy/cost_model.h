/* How long a call takes on one thread, by how long chunks of its kernel took before. It decides how many threads help, never
 * what a result is. */
#ifndef USWI_POLICY_COST_MODEL_H
#define USWI_POLICY_COST_MODEL_H

#include "policy/call.h"

/* Nanoseconds for all items on one thread; while nobody has timed the kernel, as if it did nothing but read from a near
 * cache. */
uint64_t uswi_cost_expect(const uswi_call_t *call);

/* Whether a chunk of this call is to be timed: those of the first few calls of a kernel are. */
int uswi_cost_is_wanted(const uswi_call_t *call);

/* So many items took so long. The fastest counts: others had to wait for memory or for the processor. */
void uswi_cost_learn(const uswi_call_t *call, uint64_t items, uint64_t ns);

#endif
