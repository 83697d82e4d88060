/* Scans: every item's result is that of the items before it, so that chunks and tiles wait for each other. */
#ifndef USWI_EXEC_SCAN_H
#define USWI_EXEC_SCAN_H

#include "exec/device.h"
#include "exec/scratch.h"
#include "policy/call.h"

/* A call with items, whose place is known; record_out has what all of them come to, behind the original values. */
usw_status_t uswi_scan_on_host(uswi_call_t *call, void *record_out);
usw_status_t uswi_scan_on_device(uswi_call_t *call, void *record_out);

/* The same in steps, with scratch that has room (uswi_scan_get_memory()). */
usw_status_t uswi_scan_start(uswi_call_t *call, uswi_scratch_t *scratch, uswi_launched_t *launched_out);

/* In steps for a stream of the caller's: memory that is this call's alone, while it may run; the launch, which a graph may repeat,
 * because what tiles tell each other is cleared before it; and, when it has ended, the record. */
usw_status_t uswi_scan_get_memory(const uswi_call_t *call, uswi_scratch_t *scratch);
usw_status_t uswi_scan_enqueue(uswi_call_t *call, uswi_scratch_t *scratch, void *stream, uswi_launched_t *launched);
usw_status_t uswi_scan_collect(uswi_call_t *call, const uswi_scratch_t *scratch, void *record_out);

#endif
