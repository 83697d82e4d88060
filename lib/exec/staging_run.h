/* A call whose streams come from host memory in chunks, while the device reduces the chunks before. */
#ifndef USWI_EXEC_STAGING_RUN_H
#define USWI_EXEC_STAGING_RUN_H

#include "policy/call.h"

/* Leaves the record of all items in record_out: those of the chunks, merged in their order. Of a scan also the outputs. */
usw_status_t uswi_run_staged(const uswi_call_t *call, void *record_out);

/* Several reductions of one kernel, each of a device of its own, at the same time, in the order of the devices' numbers. The
 * status is that of the first that failed, whose number is in failed_out; all have ended. */
typedef struct uswi_staged_call {
  const uswi_call_t *call;
  void *record_out;
} uswi_staged_call_t;

usw_status_t uswi_run_staged_together(const uswi_staged_call_t *calls, uint32_t count, uint32_t *failed_out);

#endif
