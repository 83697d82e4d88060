/* Results of parts in memory of their places, beside the caller's variables. */
#ifndef USWI_EXEC_PART_RESULTS_H
#define USWI_EXEC_PART_RESULTS_H

#include "policy/call.h"

/* Whether the place of a call, which is decided, has memory at these addresses, one for each reducer of the call, NULL: none. */
usw_status_t uswi_part_results_check(const uswi_call_t *placed, void *const *results);

/* Copy results, which are as many variables in host memory, to such addresses, which have been checked. */
usw_status_t uswi_part_results_copy(const uswi_call_t *placed, void *const *results, const usw_variable_t *from);

/* As many variables apart from the caller's, with what those hold, where that counts: in memory to be freed; NULL: there is none, and the
 * error is told. And what they hold into the caller's. */
void *uswi_part_results_apart(const uswi_call_t *call, usw_variable_t *own_out);
void uswi_part_results_write(const uswi_call_t *call, const usw_variable_t *own);

#endif
