/* Blocks of cells of spans on a GPU: whether teams have one each or some in common, how many teams there are then, and who folds what they
 * leave behind. */
#ifndef USWI_POLICY_CELLS_H
#define USWI_POLICY_CELLS_H

#include "policy/call.h"

/* Bytes of an accumulator where its cells, or another one, are behind it. */
size_t uswi_accumulator_step(const uswi_call_t *call);

/* Teams that a launch over items has at most, by the room that their cells take. */
uint64_t uswi_teams_with_cells(const uswi_call_t *call);

/* Whether what teams leave behind is folded by a second launch, in which all teams take cells; and how many do for so many blocks. */
int uswi_folds_cells(const uswi_call_t *call);
static inline int uswi_folds_by_cells(const uswi_call_t *call) { return call->cells > 0 && uswi_folds_cells(call); }
uint32_t uswi_teams_of_cells(const uswi_call_t *call, uint32_t blocks);

/* When strategy and teams are chosen: how many blocks teams have in common, a power of two, into which they combine by atomics
 * (USW_FINISH_COMMON; 0: each has its own), and whether sums are added as integers of a fixed point, if numbers fit one (USW_FINISH_FIXED). A
 * chunk of a staged call keeps both, whatever its length: the scratch is for them. */
void uswi_choose_cells(uswi_call_t *call);

/* By a fixed point: bytes of the words that sums are, and of all that is left that way; and how many teams take turns where numbers do not
 * fit. */
size_t uswi_words_bytes(const uswi_call_t *call);
size_t uswi_fixed_bytes(const uswi_call_t *call);
uint32_t uswi_teams_in_turns(const uswi_call_t *call);

/* Whether the variables are one span, whose cells, which begin behind the accumulator, are the result as they are, but for original values; and
 * whether there are none of these, so that there is nothing to finish. */
int uswi_are_cells_elements(const uswi_call_t *call);
int uswi_are_cells_the_result(const uswi_call_t *call);
size_t uswi_bytes_of_cells(const uswi_call_t *call);

/* Bytes of what the teams of a launch leave behind. */
size_t uswi_left_bytes(const uswi_call_t *call);

#endif
