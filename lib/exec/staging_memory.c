/* Staging memory: a few of each device. Their pinned memory is near to the device. */

#include "exec/staging_memory.h"

#include <sched.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/state.h"
#include "exec/staging_near.h"
#include "machine/numa.h"

enum { POOL_SIZE = 4 /* calls at once that share a device's link */ };

typedef struct pool_entry {
  atomic_int taken;
  uswi_staging_memory_t memory;
} pool_entry_t;

static pool_entry_t pools[USWI_MAX_DEVICES][POOL_SIZE];

static void free_scratch(uswi_staging_memory_t *memory) {
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS; b++)
    if (memory->buffers[b].scratch.ticket)
      uswi_scratch_free(memory->device, &memory->buffers[b].scratch);
}

static void free_buffers(uswi_staging_memory_t *memory) {
  if (memory->pinned)
    uswi_backend_free_host(memory->device, memory->pinned);
  if (memory->there)
    uswi_backend_free(memory->device, memory->there);
  memory->pinned = memory->there = NULL;
  memory->buffer_bytes = 0;
}

/* What lies in a buffer is on boundaries of its beginning. */
static usw_status_t grow(uswi_staging_memory_t *memory, const uswi_device_t *device, size_t least_bytes) {
  const size_t buffer_bytes = uswi_round_up(least_bytes, USWI_STAGING_BOUNDARY),
               bytes = USWI_STAGING_BUFFERS * buffer_bytes;
  if (memory->buffer_bytes >= buffer_bytes)
    return USW_OK;
  free_buffers(memory);
  memory->device = device;
  uswi_policy_t before;
  uswi_policy_prefer(uswi_staging_memory_near(device), &before);
  memory->pinned = uswi_backend_allocate_host(device, bytes);
  uswi_policy_give_back(&before);
  memory->there = uswi_backend_allocate(device, bytes, 0);
  if (!memory->pinned || !memory->there) {
    free_buffers(memory);
    return uswi_fail(USW_ERROR_MEMORY, "device %d: no room for %zu bytes of pinned memory and %zu bytes there to stage",
                     device->number, bytes, bytes);
  }
  memory->buffer_bytes = buffer_bytes;
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS; b++) {
    memory->buffers[b].pinned = memory->pinned + b * buffer_bytes;
    memory->buffers[b].there = memory->there + b * buffer_bytes;
  }
  return USW_OK;
}

static usw_status_t grow_scratch(uswi_staging_memory_t *memory, const uswi_call_t *call) {
  size_t partials_bytes, pinned_bytes;
  usw_status_t status = USW_OK;
  uswi_scratch_of(call, &partials_bytes, &pinned_bytes);
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS && status == USW_OK; b++)
    status = uswi_scratch_grow(call->device, &memory->buffers[b].scratch, partials_bytes, pinned_bytes);
  return status;
}

static pool_entry_t *find_free(const uswi_device_t *device) {
  pool_entry_t *const pool = pools[device->number % USWI_MAX_DEVICES];
  for (;; sched_yield())
    for (int d = 0; d < POOL_SIZE; d++) {
      int expected = 0;
      if (atomic_compare_exchange_strong(&pool[d].taken, &expected, 1))
        return &pool[d];
    }
}

usw_status_t uswi_staging_take(const uswi_call_t *call, size_t buffer_bytes, uswi_staging_memory_t **memory_out) {
  pool_entry_t *const entry = find_free(call->device);
  usw_status_t status = uswi_check_state(); /* finalize may have come between the call's start and here */
  if (status == USW_OK)
    status = grow(&entry->memory, call->device, buffer_bytes);
  if (status == USW_OK)
    status = grow_scratch(&entry->memory, call);
  *memory_out = &entry->memory;
  if (status != USW_OK)
    uswi_staging_give_back(&entry->memory);
  return status;
}

void uswi_staging_give_back(uswi_staging_memory_t *memory) {
  pool_entry_t *entry = (pool_entry_t *)((char *)memory - offsetof(pool_entry_t, memory));
  atomic_store_explicit(&entry->taken, 0, memory_order_release);
}

int uswi_staging_release(void) {
  int taken = 0;
  for (int d = 0; d < USWI_MAX_DEVICES; d++)
    for (int k = 0; k < POOL_SIZE; k++)
      taken |= atomic_load(&pools[d][k].taken);
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < POOL_SIZE; k++) {
      free_scratch(&pools[d][k].memory); /* first: they wait for their streams */
      free_buffers(&pools[d][k].memory);
    }
  return !taken;
}
