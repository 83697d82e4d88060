/* Scratch for launches: pools of slots, one pool per device. */

#include "exec/scratch.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/error.h"
#include "base/state.h"
#include "policy/devices.h"

enum {
  SLOTS = 64,
  TICKETS_BYTES = 4 + 4 * 2048 + 124, /* whole lines of 128: the cells behind them start on one */
  LEAST_PARTIALS_BYTES = 64 << 10,
  LEAST_BANK_BYTES = 4 << 10,
  LINE_BYTES = 64,
  LITTLE_TO_ARM = 4 * LINE_BYTES /* takes no time before a launch: better one bank, and launches that are all alike */
};

_Static_assert(TICKETS_BYTES % 128 == 0 && USWI_CELLS_BYTES % 128 == 0, "cells, and what is sent, start on a line");

typedef struct pool_entry {
  _Alignas(64) atomic_int taken; /* a line of its own: threads take slots at the same time */
  uswi_slot_t slot;
} pool_entry_t;

static pool_entry_t pools[USWI_MAX_DEVICES][SLOTS];

/* Where this thread looks first: the slot it had last, so that its memory stays warm. */
static _Thread_local unsigned favourite;

static pool_entry_t *pool_of(const uswi_device_t *device) { return pools[device->number % USWI_MAX_DEVICES]; }

size_t uswi_scratch_tickets_bytes(void) { return TICKETS_BYTES + USWI_CELLS_BYTES + USWI_SENT_BYTES; }

static void give_memory(uswi_slot_t *slot, void *tickets, void *partials, size_t partials_bytes, void *pinned,
                        size_t bank_bytes) {
  slot->ticket = tickets;
  slot->cells = (char *)tickets + TICKETS_BYTES;
  slot->sent = (char *)slot->cells + USWI_CELLS_BYTES;
  slot->partials = partials;
  slot->partials_bytes = partials_bytes;
  slot->result = pinned;
  slot->bank_bytes = bank_bytes;
}

void uswi_scratch_lend(uswi_slot_t *slot, void *tickets, void *partials, size_t partials_bytes, void *pinned,
                       size_t pinned_bytes) {
  give_memory(slot, tickets, partials, partials_bytes, pinned, pinned_bytes / 2);
  slot->is_lent = 1;
}

void *uswi_scratch_bank(const uswi_slot_t *slot) { return (char *)slot->result + slot->bank * slot->bank_bytes; }

void uswi_scratch_turn(uswi_slot_t *slot, size_t armed_bytes) {
  slot->armed_bytes[slot->bank] = 0;
  if (armed_bytes <= LITTLE_TO_ARM || slot->is_lent)
    return;
  slot->bank ^= 1;
  uswi_driver_arm(uswi_scratch_bank(slot), armed_bytes);
  slot->armed_bytes[slot->bank] = armed_bytes;
}

/* The driver's part of a slot: first wait for what still runs. */
static void free_stream(const uswi_device_t *device, uswi_slot_t *slot) {
  if (slot->stream)
    device->driver->destroy_stream(device->ordinal, slot->stream);
  uswi_graphs_free(slot->graphs);
  if (slot->event) {
    device->driver->wait_for_event(slot->event);
    device->driver->destroy_event(slot->event);
  }
}

void uswi_scratch_free(const uswi_device_t *device, uswi_slot_t *slot) {
  free_stream(device, slot);
  if (slot->partials)
    uswi_backend_free(device, slot->partials);
  if (slot->ticket)
    uswi_backend_free(device, slot->ticket);
  if (slot->result)
    uswi_backend_free_host(device, slot->result);
  *slot = (uswi_slot_t){0};
}

/* Replace a slot's memory by a larger one where it is too small. */
usw_status_t uswi_scratch_grow(const uswi_device_t *device, uswi_slot_t *slot, size_t partials_bytes,
                               size_t bank_bytes) {
  if (slot->partials_bytes >= partials_bytes && slot->bank_bytes >= bank_bytes)
    return USW_OK;
  if (partials_bytes < slot->partials_bytes)
    partials_bytes = slot->partials_bytes;
  if (bank_bytes < slot->bank_bytes)
    bank_bytes = slot->bank_bytes;
  if (partials_bytes < LEAST_PARTIALS_BYTES)
    partials_bytes = LEAST_PARTIALS_BYTES;
  if (bank_bytes < LEAST_BANK_BYTES)
    bank_bytes = LEAST_BANK_BYTES;
  bank_bytes = (bank_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  uswi_scratch_free(device, slot);
  slot->partials = uswi_backend_allocate(device, partials_bytes, 0);
  slot->ticket = uswi_backend_allocate(device, uswi_scratch_tickets_bytes(), 1);
  slot->result = uswi_backend_allocate_host(device, 2 * bank_bytes);
  if (!slot->partials || !slot->ticket || !slot->result) {
    uswi_scratch_free(device, slot);
    return uswi_fail(USW_ERROR_MEMORY, "device %d: no room for %zu bytes of scratch and %zu bytes of pinned memory",
                     device->number, partials_bytes, 2 * bank_bytes);
  }
  give_memory(slot, slot->ticket, slot->partials, partials_bytes, slot->result, bank_bytes);
  return USW_OK;
}

usw_status_t uswi_scratch_take(const uswi_device_t *device, size_t partials_bytes, size_t bank_bytes, int may_wait,
                               uswi_slot_t **slot_out) {
  pool_entry_t *pool = pool_of(device);
  for (unsigned k = favourite;; k++) {
    pool_entry_t *entry = &pool[k % SLOTS];
    int expected = 0;
    if (atomic_load_explicit(&entry->taken, memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&entry->taken, &expected, 1)) {
      usw_status_t status = uswi_check_state(); /* finalize may have come between the call's start and here */
      if (status == USW_OK)
        status = uswi_scratch_grow(device, &entry->slot, partials_bytes, bank_bytes);
      favourite = k % SLOTS;
      if (status == USW_OK)
        *slot_out = &entry->slot;
      else
        atomic_store(&entry->taken, 0);
      return status;
    }
    if (k - favourite < SLOTS)
      continue;
    if (!may_wait)
      return uswi_fail(USW_ERROR_BUSY, "device %d: %d calls are under way there already", device->number, SLOTS);
    sched_yield(); /* more callers than slots: wait for one */
  }
}

void uswi_scratch_give_back(uswi_slot_t *slot) {
  pool_entry_t *entry = (pool_entry_t *)((char *)slot - offsetof(pool_entry_t, slot));
  atomic_store_explicit(&entry->taken, 0, memory_order_release);
}

static atomic_int owners;

void uswi_scratch_count_owners(int change) { atomic_fetch_add(&owners, change); }

int uswi_scratch_owners(void) { return atomic_load(&owners); }

int uswi_scratch_release(void) {
  int taken = 0;
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < SLOTS && !taken; k++)
      taken = atomic_load(&pools[d][k].taken);
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < SLOTS; k++)
      if (pools[d][k].slot.ticket)
        uswi_scratch_free(uswi_device(d), &pools[d][k].slot);
  return !taken;
}
