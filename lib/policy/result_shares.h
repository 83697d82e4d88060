/* Which threads take which items of many results: from the lengths alone, so that the bits of results depend neither on the device nor on
 * the number of teams. What the words mean, <upsweep/axes.h> says. */
#ifndef USWI_POLICY_RESULT_SHARES_H
#define USWI_POLICY_RESULT_SHARES_H

#include "policy/row_lanes.h"

/* Set the words of a call that has its place. */
void uswi_share_results(uswi_call_t *call);

/* How many results a processor should take together at least, and how many shares there are: results, or blocks of segments; then, on a
 * device, the teams that find something to do, and the bytes that pieces of results or blocks leave. Once the words are set. */
size_t uswi_results_together(const uswi_call_t *call);
size_t uswi_shares_of_results(const uswi_call_t *call);
uint64_t uswi_teams_of_results(const uswi_call_t *call);
size_t uswi_partials_of_results(const uswi_call_t *call);

/* What one of those who share a call's items takes: what it is, items (0: the lengths of segments decide), how many there are, and the threads
 * of a GPU that take it together. */
typedef struct uswi_share {
  const char *text;
  uint64_t items, count;
  uint32_t lanes;
} uswi_share_t;

/* Once teams or chunks are chosen. */
uswi_share_t uswi_share_of_results(const uswi_call_t *call);

#endif
