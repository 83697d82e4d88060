/* Which threads take which items of segments, of a call that has its place: from lengths and the call's options alone. */
#ifndef USWI_POLICY_SEGMENT_SHARES_H
#define USWI_POLICY_SEGMENT_SHARES_H

#include "policy/call.h"

/* Set the words: those that follow each other are cut into blocks of a path (engine/segments.h), but a GPU takes few items by segments. */
void uswi_share_segments(uswi_call_t *call);

/* How many blocks there are: 0, where segments are taken one by one. On a device then the teams that find something to do, and the bytes that they
 * leave for each other. Once the words are set. */
size_t uswi_blocks_of_segments(const uswi_call_t *call);
uint64_t uswi_teams_of_segments(const uswi_call_t *call);
size_t uswi_partials_of_segments(const uswi_call_t *call);

#endif
