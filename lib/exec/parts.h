/* One reduction of parts, each with a place of its own: all that can run by themselves are started, then waited for. */
#ifndef USWI_EXEC_PARTS_H
#define USWI_EXEC_PARTS_H

#include "exec/part.h"

/* Run one or more parts of a kernel with one result, merge them in their order, and write the results and the report. The first
 * part's call stands for all of them in the end. */
usw_status_t uswi_run_parts(uswi_parts_t *parts);

/* The same to the record of all items in place of a result, and to the report. Variables NULL: no result is wanted here. */
usw_status_t uswi_reduce_parts_to_record(uswi_parts_t *parts, void *record_out);

/* Run calls that have nothing to do with each other, each to its own results. */
usw_status_t uswi_run_each_part(uswi_parts_t *parts);

/* The first in steps, for parts that run many times. Keep them: check, place and choose, unless that is done; variables, which may be
 * others in each run, may be NULL before the first one, if the kernel has no spans. Start all, and run here what cannot be
 * started; look whether what was started has ended; wait for it and write the results. A start that fails has waited. */
usw_status_t uswi_parts_keep(uswi_parts_t *parts);
usw_status_t uswi_parts_start(uswi_parts_t *parts);
int uswi_parts_are_done(const uswi_parts_t *parts);
usw_status_t uswi_parts_end(uswi_parts_t *parts);

/* Free what parts hold, if none is under way. */
void uswi_parts_clear(uswi_parts_t *parts);

#endif
