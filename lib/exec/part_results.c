#include "exec/part_results.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/result_room.h"
#include "policy/place.h"
#include "policy/results.h"

enum { LARGE_BYTES = 64 << 10 /* that come from another GPU sooner than from the host */ };

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
  const uswi_device_t *device; /* NULL: the host writes it */
  void *memory;
} there_t;

static usw_status_t find(const uswi_call_t *placed, uint32_t r, void *result, there_t *there_out) {
  uint64_t address;
  const usw_status_t status = reach(placed, r, result, &address);
  there_out->memory = (void *)(uintptr_t)address;
  there_out->device = status == USW_OK && is_copied_by_device(placed, there_out->memory) ? placed->device : NULL;
  return status;
}

static int is_large(const uswi_call_t *placed, uint32_t r) { return uswi_result_bytes(placed, r) >= LARGE_BYTES; }

/* Whether a large result goes to the source now, and whether the source has it for the device. */
static int goes_to(const uswi_results_source_t *source, const uswi_call_t *placed, uint32_t r) {
  return source && source->call == placed && is_large(placed, r);
}
static int has(const uswi_results_source_t *source, const uswi_call_t *placed, uint32_t r, there_t *near_out) {
  return source && source->call && source->is_filled && source->results[r] &&
         placed->device->driver == source->call->device->driver && is_large(placed, r) &&
         find(source->call, r, source->results[r], near_out) == USW_OK && near_out->device;
}

static usw_status_t copy_to_source(uswi_results_source_t *source, const there_t *there, const void *from,
                                   size_t bytes) {
  const uswi_device_t *device = there->device;
  source->is_filled = 1;
  const int error = device->driver->copy_to_device(device->ordinal, source->stream, there->memory, from, bytes);
  return uswi_driver_status(device, source->call->name, error);
}

static usw_status_t copy_across(const uswi_results_source_t *source, const uswi_call_t *placed, const there_t *near,
                                const there_t *there, size_t bytes) {
  const uswi_device_t *device = near->device;
  const int error = device->driver->copy_across(device->ordinal, source->stream, there->device->ordinal, there->memory,
                                                near->memory, bytes);
  return uswi_driver_status(placed->device, placed->name, error);
}

static usw_status_t copy(const uswi_call_t *placed, uint32_t r, void *result, const void *from,
                         uswi_results_source_t *source) {
  const size_t bytes = uswi_result_bytes(placed, r);
  there_t there, near;
  const usw_status_t status = find(placed, r, result, &there);
  if (status != USW_OK)
    return status;
  if (!there.device) {
    memmove(there.memory, from, bytes);
    return USW_OK;
  }
  if (goes_to(source, placed, r))
    return copy_to_source(source, &there, from, bytes);
  if (has(source, placed, r, &near))
    return copy_across(source, placed, &near, &there, bytes);
  return uswi_backend_copy_to_device(there.device, there.memory, from, bytes)
             ? USW_OK
             : uswi_fail(USW_ERROR_DEVICE, "%s: '%s' cannot be copied to device %d", placed->name,
                         placed->kernel->reducers[r].name, placed->device->number);
}

usw_status_t uswi_part_results_copy(const uswi_call_t *placed, void *const *results, const usw_variable_t *from,
                                    uswi_results_source_t *source) {
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < placed->kernel->reducer_count && status == USW_OK; r++)
    if (results[r])
      status = copy(placed, r, results[r], from[r].address, source);
  return status;
}

usw_status_t uswi_part_results_wait(uswi_results_source_t *source) {
  if (!source->is_filled)
    return USW_OK;
  const uswi_device_t *device = source->call->device;
  source->is_filled = 0;
  return uswi_driver_status(device, source->call->name, device->driver->wait(source->stream));
}

static int has_large_ones(const uswi_call_t *placed, void *const *results) {
  for (uint32_t r = 0; r < placed->kernel->reducer_count; r++)
    if (results[r] && is_large(placed, r))
      return 1;
  return 0;
}

void uswi_part_results_choose(const uswi_call_t *placed, void *const *results, uswi_results_source_t *source_out) {
  const uswi_device_t *device = placed->device;
  uswi_scratch_t *scratch;
  if (!device || !device->driver || !has_large_ones(placed, results) ||
      uswi_scratch_try(device, 1, uswi_results_room(placed), &scratch) != USW_OK)
    return;
  *source_out = (uswi_results_source_t){placed, results, scratch, NULL, 0};
  if (uswi_stream_of_scratch(device, scratch, &source_out->stream) != 0)
    uswi_part_results_release(source_out);
}

void uswi_part_results_release(uswi_results_source_t *source) {
  if (source->is_filled) /* a copy has failed, others are under way */
    source->call->device->driver->wait(source->stream);
  if (source->call)
    uswi_scratch_give_back(source->scratch);
  source->call = NULL;
}

usw_status_t uswi_part_results_apart(const uswi_call_t *call, const uswi_results_source_t *source,
                                     usw_variable_t *own_out, void **room_out) {
  const size_t bytes = uswi_results_room(call);
  *room_out = source->call ? uswi_scratch_room(source->scratch) : aligned_alloc(USWI_RESULT_BOUNDARY, bytes);
  return *room_out ? uswi_variables_to_room(call, *room_out, own_out)
                   : uswi_fail(USW_ERROR_MEMORY, "%s: no room for results of %zu bytes", call->name, bytes);
}
