/* Calls on the host. */
#ifndef USWI_EXEC_HOST_H
#define USWI_EXEC_HOST_H

#include "policy/call.h"

/* Leaves the record of all items in record_out (host memory). */
usw_status_t uswi_run_on_host(uswi_call_t *call, void *record_out);

#endif
