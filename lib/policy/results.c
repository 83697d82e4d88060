#include "policy/results.h"

#include "policy/cells.h"
#include "policy/choose.h"
#include "policy/devices.h"
#include "policy/place.h"

int uswi_finds_wrong_offsets(const uswi_call_t *call) {
  return call->segments && call->device && call->device->runs_bare;
}

usw_status_t uswi_results_locate(uswi_call_t *call) {
  call->results_there = 0;
  call->results_direct = ~UINT64_C(0);
  if (!call->device) /* which writes no other memory: exec/results.c asks whether it can */
    return USW_OK;
  const int shares = call->device->shares_host_memory && !uswi_finds_wrong_offsets(call);
  call->results_direct = 0;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++) {
    const void *const address = call->variables[r].address;
    const uswi_where_t where = uswi_backend_where(address);
    if (where.memory == USWI_MEMORY_UNKNOWN)
      return uswi_unknown_place(call->name, call->kernel->reducers[r].name, (uint64_t)(uintptr_t)address);
    call->results_there |= (uint64_t)(where.memory == USWI_MEMORY_DEVICE) << r;
    call->results_direct |= (uint64_t)(shares || where.memory != USWI_MEMORY_HOST) << r;
  }
  return USW_OK;
}

/* What a driver cannot tell of is taken for the host's: a lost GPU leaves the host's calls as they are. Pages that are known to be the host's may have
 * become a GPU's. */
void uswi_results_find_spans(uswi_call_t *call) {
  call->results_there = 0;
  for (uint32_t r = 0; uswi_gpu(0) && r < call->kernel->reducer_count; r++)
    if (call->kernel->reducers[r].dimensions > 0 &&
        uswi_backend_where(call->variables[r].address).memory == USWI_MEMORY_DEVICE)
      call->results_there |= UINT64_C(1) << r;
}

/* ---- large spans ---- */

int uswi_is_span_on_device(const uswi_call_t *call) {
  const char *why;
  return uswi_result_is_there(call, 0) && uswi_are_cells_elements(call) && uswi_function_of_driver(call, &why) &&
         uswi_backend_where(call->variables[0].address).device == call->device->number;
}

int uswi_is_span_copied(const uswi_call_t *call) {
  return !uswi_result_is_there(call, 0) && uswi_are_cells_the_result(call);
}

uint32_t uswi_records_of_span(const uswi_call_t *call) { return uswi_fresh_reducers(call) ? 1 : 2; }

void uswi_aim_at_span(uswi_call_t *call) {
  if (!call->device || !uswi_folds_by_cells(call) || !uswi_is_span_on_device(call))
    return;
  call->writes_span = 1;
  call->gathered = uswi_records_of_span(call);
}
