/* Results of parts in memory of their places, beside the caller's variables. */
#ifndef USWI_EXEC_PART_RESULTS_H
#define USWI_EXEC_PART_RESULTS_H

#include "exec/scratch.h"
#include "policy/call.h"

/* Whether the place of a call, which is decided, has memory at these addresses, one for each reducer of the call, NULL: none. */
usw_status_t uswi_part_results_check(const uswi_call_t *placed, void *const *results);

/* A GPU that has large results first, from which others take them; NULL, or call NULL: there is none. Copies are put into the stream. */
typedef struct uswi_results_source {
  const uswi_call_t *call;
  void *const *results;
  uswi_scratch_t *scratch; /* of the stream, and of the pinned memory that results come from */
  void *stream;
  int is_filled; /* 1: copies are on their way there */
} uswi_results_source_t;

/* Copy results, which are as many variables in host memory, to such addresses, which have been checked. Where that and the source's are memory of
 * GPUs, large ones come from there; what is put into the source's stream ends with the wait. */
usw_status_t uswi_part_results_copy(const uswi_call_t *placed, void *const *results, const usw_variable_t *from,
                                    uswi_results_source_t *source);
usw_status_t uswi_part_results_wait(uswi_results_source_t *source);

/* Let a call, of which results are to be copied, be the source, if some are large and a driver launches on its device and has room now; and give
 * that back. */
void uswi_part_results_choose(const uswi_call_t *placed, void *const *results, uswi_results_source_t *source_out);
void uswi_part_results_release(uswi_results_source_t *source);

/* As many variables apart from the caller's, with what those hold, where that counts: in room of the source's pinned memory or, where there is no
 * source, in memory to be freed. */
usw_status_t uswi_part_results_apart(const uswi_call_t *call, const uswi_results_source_t *source,
                                     usw_variable_t *own_out, void **room_out);

#endif
