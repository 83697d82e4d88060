/* Sums by several sweeps over parts that lie in several places. */
#ifndef USWI_EXEC_EXACT_PARTS_H
#define USWI_EXEC_EXACT_PARTS_H

#include "exec/exact.h"
#include "exec/parts.h"

/* Add all parts to sums: a sweep of each at once, as parts run at once, then the next one of those that need it. The sweeps have begun;
 * `room` is for as many parts. Bytes and kept items go into a report, which may be NULL. */
usw_status_t uswi_exact_add_parts(uswi_sweeps_t *sweeps, uswi_part_t *room, size_t count, usw_report_t *total,
                                  uswi_exact_sum_t sums[2]);

#endif
