/* What parts come to when all have ended: their records merged, the results written to wherever they are wanted, the report. */
#ifndef USWI_EXEC_PARTS_FINISH_H
#define USWI_EXEC_PARTS_FINISH_H

#include "exec/part.h"

/* The records in the order of the parts become one, which is written as results; or to record_out, which takes it as it is, unless that is
 * NULL. The first part's call stands for all of them. */
usw_status_t uswi_parts_finish(const uswi_parts_t *parts, void *record_out);

/* Say of the failure that this thread has had last which part it is of; k counts from 0. Returns the status. */
usw_status_t uswi_fail_of_part(usw_status_t status, size_t k, size_t count);

#endif
