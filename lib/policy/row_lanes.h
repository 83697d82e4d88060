/* What rows, columns and segments ask of a call: whether items follow each other, and how many threads of a GPU take the items of a result; and what
 * all of them have room for. */
#ifndef USWI_POLICY_ROW_LANES_H
#define USWI_POLICY_ROW_LANES_H

#include "policy/call.h"

enum {
  USWI_SUB_GROUP = 32,          /* lanes that share a result without team memory */
  USWI_SMALL_BYTES = 16,        /* accumulators; larger ones take long to fold */
  USWI_FEW_RESULTS = 4096,      /* so few leave sub-groups of a GPU without work */
  USWI_RESULT_TICKETS = 1 << 14 /* of results, strips of columns or segments, that several teams take pieces of */
};

/* Of a path, whose blocks have 32 bits for positions, and join by tickets. */
#define USWI_MOST_PATH_ITEMS ((size_t)1 << 48)

/* The least power of two that is not less than x, or `most`. */
uint32_t uswi_power_of_two_up(size_t x, uint32_t most);

/* Whether every stream has the stride 1, and so the items of a run follow each other, if they do in its space; and whether they do. */
int uswi_has_no_gaps(const uswi_call_t *call);
int uswi_has_runs(const uswi_call_t *call);

/* Items of a block, as many as the engine's (USW_BLOCK_OF). */
uint32_t uswi_block_of(const uswi_call_t *call);

/* Threads that take so many items of a run 16 bytes at a time: some tiles each, so that there is little to fold, but a line of the cache side by
 * side; or a team, where there are many tiles. */
uint32_t uswi_lanes_in_blocks(const uswi_call_t *call, size_t length);

#endif
