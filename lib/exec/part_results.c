#include "exec/part_results.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/error.h"
#include "policy/place.h"
#include "policy/results.h"

/* An address as the place of the call has it. */
static usw_status_t reach(const uswi_call_t *placed, uint32_t r, const void *address, uint64_t *there_out) {
  uswi_call_t asking = *placed; /* what it remembers of the streams' memory stays */
  *there_out = (uint64_t)(uintptr_t)address;
  return uswi_reach(&asking, placed->name, placed->kernel->reducers[r].name, there_out);
}

usw_status_t uswi_part_results_check(const uswi_call_t *placed, void *const *results) {
  const usw_kernel_t *k = placed->kernel;
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < k->reducer_count && status == USW_OK; r++) {
    uint64_t there;
    if (!results[r])
      continue;
    if (!uswi_is_aligned((uintptr_t)results[r], k->reducers[r].alignment_bytes))
      return uswi_fail(USW_ERROR_INVALID, "%s: the part's '%s' at %p is not aligned to %u bytes", placed->name,
                       k->reducers[r].name, results[r], k->reducers[r].alignment_bytes);
    status = reach(placed, r, results[r], &there);
  }
  return status;
}

/* Host memory that a device can write is the host's to write, too. */
static int is_copied_by_device(const uswi_call_t *placed, const void *there) {
  const uswi_memory_t memory = uswi_backend_where(there).memory;
  return placed->device && memory != USWI_MEMORY_PINNED && memory != USWI_MEMORY_MANAGED;
}

usw_status_t uswi_part_results_copy(const uswi_call_t *placed, void *const *results, const usw_variable_t *from) {
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < placed->kernel->reducer_count && status == USW_OK; r++) {
    const size_t bytes = uswi_result_bytes(placed, r);
    uint64_t address;
    if (!results[r])
      continue;
    status = reach(placed, r, results[r], &address);
    if (status != USW_OK)
      return status;
    void *const there = (void *)(uintptr_t)address;
    if (!is_copied_by_device(placed, there))
      memmove(there, from[r].address, bytes);
    else if (!uswi_backend_copy_to_device(placed->device, there, from[r].address, bytes))
      status = uswi_fail(USW_ERROR_DEVICE, "%s: '%s' cannot be copied to device %d", placed->name,
                         placed->kernel->reducers[r].name, placed->device->number);
  }
  return status;
}

void *uswi_part_results_apart(const uswi_call_t *call, usw_variable_t *own_out) {
  const size_t bytes = uswi_results_room(call);
  const uint64_t fresh = uswi_fresh_reducers(call);
  char *const room = aligned_alloc(USWI_RESULT_BOUNDARY, bytes), *at = room;
  if (!room) {
    uswi_fail(USW_ERROR_MEMORY, "%s: no room for results of %zu bytes", call->name, bytes);
    return NULL;
  }
  for (uint32_t r = 0; r < call->kernel->reducer_count; at += uswi_result_room(call, r++)) {
    own_out[r] = (usw_variable_t){at, call->variables[r].extent};
    if (!(fresh >> r & 1))
      memcpy(at, call->variables[r].address, uswi_result_bytes(call, r));
  }
  return room;
}

void uswi_part_results_write(const uswi_call_t *call, const usw_variable_t *own) {
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    memcpy(call->variables[r].address, own[r].address, uswi_result_bytes(call, r));
}
