/* Scratch for launches: pools of slots, one pool per device. */
#include "scratch.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "devices.h"
#include "error.h"
#include "launch/driver.h"
#include "state.h"

enum {
  SLOTS = 64,
  TICKETS_BYTES = 4 + 4 * 2048 + 124, /* whole lines of 128: the cells behind them start on one */
  LEAST_PARTIALS_BYTES = 64 << 10,
  LEAST_RESULT_BYTES = 4 << 10
};

_Static_assert(TICKETS_BYTES % 128 == 0, "cells start on a line");

typedef struct pool_entry {
  _Alignas(64) atomic_int taken; /* a line of its own: threads take slots at the same time */
  uswi_slot_t slot;
} pool_entry_t;

static pool_entry_t pools[USWI_MAX_DEVICES][SLOTS];

/* Where this thread looks first: the slot it had last, so that its memory stays warm. */
static _Thread_local unsigned favourite;

static pool_entry_t *pool_of(const uswi_device_t *device) { return pools[device->number % USWI_MAX_DEVICES]; }

static void free_slot(const uswi_device_t *device, uswi_slot_t *slot) {
  uswi_driver_forget(device, slot->stream); /* first: it waits for what still runs */
  if (slot->partials)
    uswi_lane_free(device, slot->partials);
  if (slot->ticket)
    uswi_lane_free(device, slot->ticket);
  if (slot->result)
    uswi_lane_free_host(device, slot->result);
  *slot = (uswi_slot_t){0};
}

/* Replace a slot's memory by a larger one where it is too small. */
static usw_status_t grow(const uswi_device_t *device, uswi_slot_t *slot, size_t partials_bytes, size_t result_bytes) {
  if (slot->partials_bytes >= partials_bytes && slot->result_bytes >= result_bytes)
    return USW_OK;
  if (partials_bytes < slot->partials_bytes)
    partials_bytes = slot->partials_bytes;
  if (result_bytes < slot->result_bytes)
    result_bytes = slot->result_bytes;
  if (partials_bytes < LEAST_PARTIALS_BYTES)
    partials_bytes = LEAST_PARTIALS_BYTES;
  if (result_bytes < LEAST_RESULT_BYTES)
    result_bytes = LEAST_RESULT_BYTES;
  free_slot(device, slot);
  slot->partials = uswi_lane_allocate(device, partials_bytes, 0);
  slot->ticket = uswi_lane_allocate(device, TICKETS_BYTES + USWI_CELLS_BYTES, 1);
  slot->result = uswi_lane_allocate_host(device, result_bytes);
  if (!slot->partials || !slot->ticket || !slot->result) {
    free_slot(device, slot);
    return uswi_fail(USW_ERROR_MEMORY, "device %d: no room for %zu bytes of scratch and %zu bytes of pinned memory",
                     device->number, partials_bytes, result_bytes);
  }
  slot->cells = (char *)slot->ticket + TICKETS_BYTES;
  slot->partials_bytes = partials_bytes;
  slot->result_bytes = result_bytes;
  return USW_OK;
}

usw_status_t uswi_scratch_take(const uswi_device_t *device, size_t partials_bytes, size_t result_bytes,
                               uswi_slot_t **slot_out) {
  pool_entry_t *pool = pool_of(device);
  for (unsigned k = favourite;; k++) {
    pool_entry_t *entry = &pool[k % SLOTS];
    int expected = 0;
    if (atomic_load_explicit(&entry->taken, memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&entry->taken, &expected, 1)) {
      usw_status_t status = uswi_enter(); /* finalize may have come between the call's start and here */
      if (status == USW_OK)
        status = grow(device, &entry->slot, partials_bytes, result_bytes);
      favourite = k % SLOTS;
      if (status == USW_OK)
        *slot_out = &entry->slot;
      else
        atomic_store(&entry->taken, 0);
      return status;
    }
    if (k - favourite >= SLOTS)
      sched_yield(); /* more callers than slots: wait for one */
  }
}

void uswi_scratch_give_back(uswi_slot_t *slot) {
  pool_entry_t *entry = (pool_entry_t *)((char *)slot - offsetof(pool_entry_t, slot));
  atomic_store_explicit(&entry->taken, 0, memory_order_release);
}

int uswi_scratch_release(void) {
  int taken = 0;
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < SLOTS && !taken; k++)
      taken = atomic_load(&pools[d][k].taken);
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < SLOTS; k++)
      if (pools[d][k].slot.ticket)
        free_slot(uswi_device(d), &pools[d][k].slot);
  return !taken;
}
