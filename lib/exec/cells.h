/* Launches of calls with large spans: over the items, then over the cells that these leave, in one block or many. Their record may stay on the
 * device: to be folded with those of others there, or to be copied into a span. */
#ifndef USWI_EXEC_CELLS_H
#define USWI_EXEC_CELLS_H

#include "exec/launch.h"

/* All launches of a call whose cells are folded by a launch (policy/cells.h); into its span, if that is the call's (uswi_aim_at_span()). */
usw_status_t uswi_start_cells(const uswi_context_t *context, uswi_launched_t *launched);

/* Of a call that is gathered: its record on the device, number 0, and the others behind it, where it gathers them; and, once they are there,
 * the launch that folds `count` of them, in the stream of the launches before: for the host, or into number 0. */
char *uswi_gathered_record(const uswi_call_t *call, const uswi_scratch_t *scratch, size_t number);
usw_status_t uswi_start_gathered(const uswi_call_t *call, uswi_scratch_t *scratch, size_t count, int stays,
                                 uswi_launched_t *launched);

/* From record number 0 into a span there, combined with its original values, in the same stream. */
usw_status_t uswi_put_span(const uswi_call_t *call, uswi_scratch_t *scratch, const uswi_launched_t *launched);

/* From a record that has stayed, into a span of the host's that starts from the identity, when the launches have ended. */
usw_status_t uswi_copy_span(const uswi_call_t *call, const uswi_launched_t *launched);

#endif
