#include "exec/dispatch.h"

#include "exec/device.h"
#include "exec/host.h"
#include "exec/scan.h"
#include "exec/staging_run.h"

usw_status_t uswi_run_once(uswi_call_t *call, void *record_out) {
  if (call->n == 0) {
    call->kernel->identity(record_out, call->extents);
    return USW_OK;
  }
  if (!call->device)
    return uswi_run_on_host(call, record_out);
  if (call->staged)
    return uswi_run_staged(call, record_out);
  return uswi_is_scan(call->kernel) ? uswi_scan_on_device(call, record_out) : uswi_run_on_device(call, record_out);
}
