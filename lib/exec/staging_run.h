/* A call whose streams come from host memory in chunks, while the device reduces the chunks before. */
#ifndef USWI_EXEC_STAGING_RUN_H
#define USWI_EXEC_STAGING_RUN_H

#include "policy/call.h"

/* Leaves the record of all items in record_out: those of the chunks, merged in their order. */
usw_status_t uswi_run_staged(const uswi_call_t *call, void *record_out);

/* Threads that such a call would take now, the one that launches with them. */
uint32_t uswi_staging_threads(const uswi_call_t *call);

#endif
