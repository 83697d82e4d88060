#include "exec/part_results.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/error.h"
#include "policy/place.h"
#include "policy/results.h"

enum { LARGE_BYTES = 64 << 10 /* that come from another device sooner than from the host */ };

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

/* A result in a device's memory. */
typedef struct {
  const uswi_device_t *device;
  void *memory;
} there_t;

/* Of a reducer of a placed call; the device is NULL where the host writes it. */
static usw_status_t find(const uswi_call_t *placed, uint32_t r, void *result, there_t *there_out) {
  uint64_t address;
  const usw_status_t status = reach(placed, r, result, &address);
  there_out->memory = (void *)(uintptr_t)address;
  there_out->device = status == USW_OK && is_copied_by_device(placed, there_out->memory) ? placed->device : NULL;
  return status;
}

static int copy_there(const there_t *there, const there_t *near, const void *from, size_t bytes) {
  if (near->device && bytes >= LARGE_BYTES)
    return uswi_backend_copy_across(near->device, near->memory, there->device, there->memory, bytes);
  return uswi_backend_copy_to_device(there->device, there->memory, from, bytes);
}

usw_status_t uswi_part_results_copy(const uswi_call_t *placed, void *const *results, const usw_variable_t *from,
                                    const uswi_call_t *near, void *const *near_results) {
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < placed->kernel->reducer_count && status == USW_OK; r++) {
    const size_t bytes = uswi_result_bytes(placed, r);
    there_t there, near_there = {NULL, NULL};
    if (!results[r])
      continue;
    status = find(placed, r, results[r], &there);
    if (status == USW_OK && near && near_results[r])
      status = find(near, r, near_results[r], &near_there);
    if (status != USW_OK)
      return status;
    if (!there.device)
      memmove(there.memory, from[r].address, bytes);
    else if (!copy_there(&there, &near_there, from[r].address, bytes))
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
