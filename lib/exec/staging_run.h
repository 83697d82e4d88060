/* A call whose streams come from host memory in chunks, while the device reduces the chunks before. */
#ifndef USWI_EXEC_STAGING_RUN_H
#define USWI_EXEC_STAGING_RUN_H

#include "policy/call.h"

/* Leaves the record of all items in record_out: those of the chunks, merged in their order. Of a scan also the outputs. */
usw_status_t uswi_run_staged(const uswi_call_t *call, void *record_out);

#endif
