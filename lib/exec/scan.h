/* Scans (engine/scan.h): on the host in rounds of chunks, on devices in one launch. */
#ifndef USWI_EXEC_SCAN_H
#define USWI_EXEC_SCAN_H

#include "policy/call.h"

/* Run a prepared call of at least one item: its outputs are written, and the record has all items behind the original values. */
usw_status_t uswi_scan_on_host(uswi_call_t *call, void *record_out);
usw_status_t uswi_scan_on_device(uswi_call_t *call, void *record_out);

#endif
