/* Scratch for launches: pools, one per device. */

#include "exec/scratch.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/state.h"
#include "policy/devices.h"
#include "policy/result_shares.h"

enum {
  POOL_SIZE = 64,
  TICKETS_BYTES = 4 + 4 * USWI_RESULT_TICKETS + 124, /* whole lines of 128: the cells behind them start on one */
  LEAST_PARTIALS_BYTES = 64 << 10,
  LEAST_BANK_BYTES = 4 << 10,
  LINE_BYTES = 64,
  LITTLE_TO_ARM = 4 * LINE_BYTES /* takes no time before a launch: better one bank, and launches that are all alike */
};

_Static_assert(TICKETS_BYTES % 128 == 0 && USWI_CELLS_BYTES % 128 == 0, "cells, and what is sent, start on a line");

_Static_assert(USW_MEASURED_TICKET > USWI_RESULT_TICKETS && 4 * USW_MEASURED_TICKET + 32 <= TICKETS_BYTES,
               "what launches of sums by a fixed point measure is behind the tickets");

typedef struct pool_entry {
  _Alignas(64) atomic_int taken; /* a line of its own: threads take them at the same time */
  uswi_scratch_t scratch;
} pool_entry_t;

static pool_entry_t pools[USWI_MAX_DEVICES][POOL_SIZE];

/* Where this thread looks first: the scratch it had last, so that its memory stays warm. */
static _Thread_local unsigned favourite;

static pool_entry_t *pool_of(const uswi_device_t *device) { return pools[device->number % USWI_MAX_DEVICES]; }

size_t uswi_scratch_tickets_bytes(void) { return TICKETS_BYTES + USWI_CELLS_BYTES + USWI_SENT_BYTES; }

static void give_memory(uswi_scratch_t *scratch, void *tickets, void *partials, size_t partials_bytes, void *pinned,
                        size_t bank_bytes) {
  scratch->ticket = tickets;
  scratch->cells = (char *)tickets + TICKETS_BYTES;
  scratch->sent = (char *)scratch->cells + USWI_CELLS_BYTES;
  scratch->partials = partials;
  scratch->partials_bytes = partials_bytes;
  scratch->result = pinned;
  scratch->bank_bytes = bank_bytes;
}

void uswi_scratch_lend(uswi_scratch_t *scratch, void *tickets, void *partials, size_t partials_bytes, void *pinned,
                       size_t pinned_bytes) {
  give_memory(scratch, tickets, partials, partials_bytes, pinned, pinned_bytes / 2);
  scratch->is_lent = 1;
}

void *uswi_scratch_bank(const uswi_scratch_t *scratch) {
  return (char *)scratch->result + scratch->bank * scratch->bank_bytes;
}

void *uswi_scratch_room(uswi_scratch_t *scratch) {
  scratch->armed_bytes[scratch->bank] = 0;
  return uswi_scratch_bank(scratch);
}

int uswi_scratch_has_one_bank(size_t armed_bytes) { return armed_bytes <= LITTLE_TO_ARM; }

void uswi_scratch_turn(uswi_scratch_t *scratch, size_t armed_bytes) {
  scratch->armed_bytes[scratch->bank] = 0;
  if (uswi_scratch_has_one_bank(armed_bytes) || scratch->is_lent)
    return;
  scratch->bank ^= 1;
  uswi_driver_arm(uswi_scratch_bank(scratch), armed_bytes);
  scratch->armed_bytes[scratch->bank] = armed_bytes;
}

/* The driver's part of a scratch: first wait for what still runs. */
static void free_stream(const uswi_device_t *device, uswi_scratch_t *scratch) {
  if (scratch->stream)
    device->driver->destroy_stream(device->ordinal, scratch->stream);
  uswi_graphs_free(scratch->graphs);
  if (scratch->event) {
    device->driver->wait_for_event(scratch->event);
    device->driver->destroy_event(scratch->event);
  }
}

static void forget(const uswi_device_t *device, uswi_zeroed_t *zeroed) {
  if (zeroed->memory)
    uswi_backend_free(device, zeroed->memory);
  *zeroed = (uswi_zeroed_t){NULL, 0};
}

void uswi_scratch_forget(const uswi_device_t *device, uswi_scratch_t *scratch) {
  forget(device, &scratch->told);
  forget(device, &scratch->marks);
}

void uswi_scratch_free(const uswi_device_t *device, uswi_scratch_t *scratch) {
  free_stream(device, scratch);
  if (scratch->partials)
    uswi_backend_free(device, scratch->partials);
  if (scratch->ticket)
    uswi_backend_free(device, scratch->ticket);
  uswi_scratch_forget(device, scratch);
  if (scratch->result)
    uswi_backend_free_host(device, scratch->result);
  *scratch = (uswi_scratch_t){0};
}

/* Replace a scratch's memory by a larger one where it is too small. */
usw_status_t uswi_scratch_grow(const uswi_device_t *device, uswi_scratch_t *scratch, size_t partials_bytes,
                               size_t bank_bytes) {
  if (scratch->partials_bytes >= partials_bytes && scratch->bank_bytes >= bank_bytes)
    return USW_OK;
  if (partials_bytes < scratch->partials_bytes)
    partials_bytes = scratch->partials_bytes;
  if (bank_bytes < scratch->bank_bytes)
    bank_bytes = scratch->bank_bytes;
  if (partials_bytes < LEAST_PARTIALS_BYTES)
    partials_bytes = LEAST_PARTIALS_BYTES;
  if (bank_bytes < LEAST_BANK_BYTES)
    bank_bytes = LEAST_BANK_BYTES;
  bank_bytes = uswi_round_up(bank_bytes, LINE_BYTES);
  uswi_scratch_free(device, scratch);
  scratch->partials = uswi_backend_allocate(device, partials_bytes, 0);
  scratch->ticket = uswi_backend_allocate(device, uswi_scratch_tickets_bytes(), 1);
  scratch->result = uswi_backend_allocate_host(device, 2 * bank_bytes);
  if (!scratch->partials || !scratch->ticket || !scratch->result) {
    uswi_scratch_free(device, scratch);
    return uswi_fail(USW_ERROR_MEMORY, "device %d: no room for %zu bytes of scratch and %zu bytes of pinned memory",
                     device->number, partials_bytes, 2 * bank_bytes);
  }
  give_memory(scratch, scratch->ticket, scratch->partials, partials_bytes, scratch->result, bank_bytes);
  return USW_OK;
}

static usw_status_t grow_zeroed(const uswi_device_t *device, uswi_zeroed_t *zeroed, size_t bytes) {
  bytes = bytes < LEAST_PARTIALS_BYTES ? LEAST_PARTIALS_BYTES : bytes;
  forget(device, zeroed);
  zeroed->memory = uswi_backend_allocate(device, bytes, 1);
  zeroed->bytes = zeroed->memory ? bytes : 0;
  return zeroed->memory ? USW_OK
                        : uswi_fail(USW_ERROR_MEMORY, "device %d: no room for %zu bytes of a scan's scratch",
                                    device->number, bytes);
}

usw_status_t uswi_scratch_tell(const uswi_device_t *device, uswi_scratch_t *scratch, size_t bytes) {
  if (scratch->told.bytes >= bytes)
    return USW_OK;
  scratch->scans = scratch->tickets = 0;
  return grow_zeroed(device, &scratch->told, bytes);
}

usw_status_t uswi_scratch_mark(const uswi_device_t *device, uswi_scratch_t *scratch, size_t bytes) {
  return scratch->marks.bytes >= bytes ? USW_OK : grow_zeroed(device, &scratch->marks, bytes);
}

/* Whether it has that much memory; large memory is worth looking for, so that one of a pool grows and not all in turns. */
static inline int is_roomy(const uswi_scratch_t *scratch, size_t partials_bytes, size_t bank_bytes) {
  return (partials_bytes <= LEAST_PARTIALS_BYTES && bank_bytes <= LEAST_BANK_BYTES) ||
         (scratch->partials_bytes >= partials_bytes && scratch->bank_bytes >= bank_bytes);
}

/* Inlined, because small calls are without marks. */
static inline __attribute__((always_inline)) usw_status_t take(const uswi_device_t *device, size_t partials_bytes,
                                                               size_t bank_bytes, size_t marks_bytes, int may_wait,
                                                               uswi_scratch_t **scratch_out) {
  pool_entry_t *pool = pool_of(device);
  for (unsigned k = favourite;; k++) {
    pool_entry_t *entry = &pool[k % POOL_SIZE];
    int expected = 0;
    if (atomic_load_explicit(&entry->taken, memory_order_relaxed) == 0 &&
        atomic_compare_exchange_strong(&entry->taken, &expected, 1)) {
      const int has_marks = marks_bytes == 0 || entry->scratch.marks.bytes >= marks_bytes;
      if (k - favourite < POOL_SIZE && !(has_marks && is_roomy(&entry->scratch, partials_bytes, bank_bytes))) {
        atomic_store_explicit(&entry->taken, 0, memory_order_release);
        continue;
      }
      usw_status_t status = uswi_check_state(); /* finalize may have come between the call's start and here */
      if (status == USW_OK)
        status = uswi_scratch_grow(device, &entry->scratch, partials_bytes, bank_bytes);
      if (status == USW_OK && !has_marks)
        status = uswi_scratch_mark(device, &entry->scratch, marks_bytes);
      favourite = k % POOL_SIZE;
      if (status == USW_OK)
        *scratch_out = &entry->scratch;
      else
        atomic_store(&entry->taken, 0);
      return status;
    }
    if (k - favourite < 2 * POOL_SIZE)
      continue;
    if (!may_wait)
      return USW_ERROR_BUSY;
    sched_yield(); /* more callers than that: wait for one */
  }
}

usw_status_t uswi_scratch_take(const uswi_device_t *device, size_t partials_bytes, size_t bank_bytes, int may_wait,
                               uswi_scratch_t **scratch_out) {
  const usw_status_t status = take(device, partials_bytes, bank_bytes, 0, may_wait, scratch_out);
  if (status != USW_ERROR_BUSY)
    return status;
  return uswi_fail(status, "device %d: %d calls are under way there already", device->number, POOL_SIZE);
}

usw_status_t uswi_scratch_try(const uswi_device_t *device, size_t partials_bytes, size_t bank_bytes,
                              uswi_scratch_t **scratch_out) {
  const unsigned before = favourite; /* calls that take several find the same ones again */
  const usw_status_t status = take(device, partials_bytes, bank_bytes, 0, 0, scratch_out);
  favourite = before;
  return status;
}

usw_status_t uswi_scratch_take_marks(const uswi_device_t *device, size_t marks_bytes, uswi_scratch_t **scratch_out) {
  return take(device, 1, 1, marks_bytes, 1, scratch_out);
}

void uswi_scratch_give_back(uswi_scratch_t *scratch) {
  pool_entry_t *entry = (pool_entry_t *)((char *)scratch - offsetof(pool_entry_t, scratch));
  atomic_store_explicit(&entry->taken, 0, memory_order_release);
}

static atomic_int owners;

void uswi_scratch_count_owners(int change) { atomic_fetch_add(&owners, change); }

int uswi_scratch_owners(void) { return atomic_load(&owners); }

int uswi_scratch_release(void) {
  int taken = 0;
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < POOL_SIZE && !taken; k++)
      taken = atomic_load(&pools[d][k].taken);
  for (int d = 0; d < USWI_MAX_DEVICES && !taken; d++)
    for (int k = 0; k < POOL_SIZE; k++)
      if (pools[d][k].scratch.ticket)
        uswi_scratch_free(uswi_device(d), &pools[d][k].scratch);
  return !taken;
}
