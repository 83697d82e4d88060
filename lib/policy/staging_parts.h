/* How a staged call of many results is cut into chunks, by lengths alone: each is some results with all their items, or a piece of one that
 * has too many for a chunk. */
#ifndef USWI_POLICY_STAGING_PARTS_H
#define USWI_POLICY_STAGING_PARTS_H

#include "policy/axes.h"
#include "policy/call.h"

enum { USWI_MOST_AXES = USW_MAX_RANK + 1, USWI_STAGED_STREAMS = 2 };

/* An axis of the arrays: its steps in them, and in the results if it stays. */
typedef struct uswi_staged_axis {
  size_t extent;
  ptrdiff_t step[USWI_STAGED_STREAMS];
  size_t result_step;
} uswi_staged_axis_t;

/* A chunk. Results are numbered as they are staged: along axes in the order of the axes below. */
typedef struct uswi_part {
  size_t result, results; /* the first one, and how many */
  size_t item,
      items; /* the first one: of segments in the array, of an axis' piece in its result; and how many, of all results */
  int is_piece;          /* of one result, which has more */
  int is_first, is_last; /* of that result's pieces */
} uswi_part_t;

typedef struct uswi_parts {
  const uswi_call_t *call;
  size_t chunks, chunk_bytes; /* the most of a chunk: elements, offsets, results */
  size_t piece_items;
  /* along axes: those that stay, then those that are reduced, the slowest first */
  uswi_staged_axis_t axes[USWI_MOST_AXES];
  uint32_t kept, count;
  size_t items;  /* of a result */
  size_t pieces; /* of a result; 0: results are whole */
  uint32_t cut;  /* the axis that chunks divide, `at_once` positions each: those before have one position */
  size_t at_once, chunks_of_axis;
  size_t results_of_position; /* of that axis */
  /* segments */
  uswi_part_t *list;
} uswi_parts_t;

/* Cut a checked call, whose offsets of segments are in host memory. USW_ERROR_MEMORY: no room for the list of chunks. */
usw_status_t uswi_parts_cut(const uswi_call_t *call, uswi_parts_t *parts_out);
void uswi_parts_free(uswi_parts_t *parts);

uswi_part_t uswi_parts_at(const uswi_parts_t *parts, size_t chunk);

/* Offset number k of segments that follow each other. */
uint64_t uswi_staged_offset(const uswi_call_t *call, size_t k);

#endif
