/* One run of a decided call, wherever it was decided to run. */
#ifndef USWI_EXEC_DISPATCH_H
#define USWI_EXEC_DISPATCH_H

#include "policy/call.h"

/* Leaves the record of all items in record_out, on a 64-byte boundary of host memory. */
usw_status_t uswi_run_once(uswi_call_t *call, void *record_out);

#endif
