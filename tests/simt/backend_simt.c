/* The backend of the tests: a device or several, whose memory is the host's and whose teams are fibers.
 */
#include "backend_simt.h"

#include <backend/backend.h>
#include <backend/cuda.h>
#include <exec/scratch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = 1024 };

static _Atomic uint64_t allocations, frees, launches, awaiting, unsent, bytes_to_device;
static _Atomic int64_t good_allocations = -1, good_launches = -1, good_copies = -1;
static _Atomic unsigned bit_to_flip;
#ifndef SIMT_MULTIPROCESSORS
#define SIMT_MULTIPROCESSORS 4
#endif
static uint32_t multiprocessors = SIMT_MULTIPROCESSORS;
static int is_host_hidden, has_driver, device_count = 1;
static _Atomic int lost_device = -1;
static _Atomic uint64_t copies;
static struct {
  _Atomic uint64_t bytes, first, last;
} copies_of[SIMT_MOST_DEVICES];
static struct {
  int device;
  uintptr_t start;
  size_t bytes;
} ranges[MOST_RANGES];
static int range_count;
typedef struct {
  int device;
  const char *start;
  size_t bytes;
  const char *copy;
} map_t;
static map_t maps[MOST_RANGES];
static int map_count;
static pthread_mutex_t ranges_lock = PTHREAD_MUTEX_INITIALIZER;

simt_counts_t simt_counts(void) {
  const simt_counts_t counts = {allocations, frees, launches, awaiting, unsent, bytes_to_device};
  return counts;
}

void simt_fail_allocations_after(int64_t good) { good_allocations = good; }

void simt_flip_after(int64_t good, unsigned bit) {
  bit_to_flip = bit;
  good_launches = good;
}

void simt_hide_host_memory(void) { is_host_hidden = 1; }

void simt_launch_by_driver(void) { has_driver = 1; }

void simt_set_devices(int count) { device_count = count; }

int simt_devices(void) { return device_count; }

simt_copies_t simt_copies_of(int device) {
  const simt_copies_t found = {copies_of[device].bytes, copies_of[device].first, copies_of[device].last};
  return found;
}

void simt_forget_copies(void) {
  copies = 0;
  for (int d = 0; d < SIMT_MOST_DEVICES; d++)
    copies_of[d].bytes = copies_of[d].first = copies_of[d].last = 0;
}

void simt_lose_device(int device) { lost_device = device; }

int simt_has_driver(void) { return has_driver; }

int simt_range_of(const void *address, int *device_out, unsigned long long *start_out, size_t *bytes_out) {
  *start_out = *bytes_out = 0;
  *device_out = -1;
  for (int r = 0; r < range_count; r++)
    if ((uintptr_t)address - ranges[r].start < ranges[r].bytes) {
      *device_out = ranges[r].device;
      *start_out = ranges[r].start;
      *bytes_out = ranges[r].bytes;
      return 1;
    }
  return 0;
}

void simt_is_on_device(int device, const void *start, size_t bytes) {
  pthread_mutex_lock(&ranges_lock);
  if (range_count == MOST_RANGES)
    abort();
  ranges[range_count].device = device;
  ranges[range_count].start = (uintptr_t)start;
  ranges[range_count++].bytes = bytes;
  pthread_mutex_unlock(&ranges_lock);
}

void simt_is_on_host(const void *start) {
  pthread_mutex_lock(&ranges_lock);
  for (int r = 0; r < range_count; r++)
    if (ranges[r].start == (uintptr_t)start)
      ranges[r--] = ranges[--range_count];
  pthread_mutex_unlock(&ranges_lock);
}

void simt_set_multiprocessors(uint32_t count) { multiprocessors = count; }

void simt_fail_copies_after(int64_t good) { good_copies = good; }

int uswi_backend_devices(uswi_device_t *devices, int capacity) {
  const uswi_device_t device = {.number = 0,
                                .target = "simt",
                                .image = "simt",
                                .runs_bare = 1,
                                .starts_in_order = 1,
                                .shares_host_memory = !is_host_hidden,
                                .multiprocessors = multiprocessors,
                                .driver = has_driver ? &uswi_cuda_driver : NULL};
  if (has_driver && uswi_cuda_driver.count() == 0)
    return 0;
  for (int d = 0; d < device_count && d < capacity; d++) {
    devices[d] = device;
    devices[d].number = devices[d].ordinal = d;
  }
  return device_count;
}

uswi_where_t uswi_backend_where(const void *address) {
  if (has_driver)
    return uswi_cuda_driver.where(address);
  uswi_where_t where = {USWI_MEMORY_HOST, -1, 0, 0};
  pthread_mutex_lock(&ranges_lock);
  for (int r = 0; r < range_count; r++)
    if ((uintptr_t)address - ranges[r].start < ranges[r].bytes)
      where = (uswi_where_t){USWI_MEMORY_DEVICE, ranges[r].device, ranges[r].start, ranges[r].bytes};
  pthread_mutex_unlock(&ranges_lock);
  return where;
}

void simt_map(int device, const void *start, size_t bytes, const void *copy) {
  if (map_count == MOST_RANGES)
    abort();
  maps[map_count++] = (map_t){device, start, bytes, copy};
}

void simt_forget_maps(void) { map_count = 0; }

const void *uswi_backend_mapped(const uswi_device_t *device, const void *address) {
  for (int m = 0; m < map_count; m++)
    if (maps[m].device == device->number && (uintptr_t)address - (uintptr_t)maps[m].start < maps[m].bytes)
      return maps[m].copy + ((const char *)address - maps[m].start);
  return NULL;
}

static void *allocate(size_t bytes) {
  int64_t good = good_allocations;
  while (good > 0 && !atomic_compare_exchange_weak(&good_allocations, &good, good - 1))
    ;
  if (good == 0)
    return NULL;
  allocations++;
  return calloc(1, bytes);
}

void *uswi_backend_allocate(const uswi_device_t *device, size_t bytes, int zeroed) {
  void *memory = allocate(bytes);
  if (memory && !zeroed)
    memset(memory, 0xa5, bytes);
  if (memory && is_host_hidden)
    simt_is_on_device(device->number, memory, bytes);
  return memory;
}

void uswi_backend_free(const uswi_device_t *device, void *memory) {
  (void)device;
  frees++;
  simt_is_on_host(memory);
  free(memory);
}

void *uswi_backend_allocate_host(const uswi_device_t *device, size_t bytes) {
  (void)device;
  return allocate(bytes);
}

void uswi_backend_free_host(const uswi_device_t *device, void *memory) {
  (void)device;
  frees++;
  free(memory);
}

int uswi_backend_copy_to_host(const uswi_device_t *device, void *to, const void *from, size_t bytes) {
  (void)device;
  memcpy(to, from, bytes);
  return 1;
}

int uswi_backend_copy_to_device(const uswi_device_t *device, void *to, const void *from, size_t bytes) {
  int64_t good = good_copies;
  while (good > 0 && !atomic_compare_exchange_weak(&good_copies, &good, good - 1))
    ;
  if (good == 0 || lost_device == device->number)
    return 0;
  bytes_to_device += bytes;
  copies_of[device->number].bytes += bytes;
  copies_of[device->number].last = ++copies;
  if (copies_of[device->number].first == 0)
    copies_of[device->number].first = copies_of[device->number].last;
  memcpy(to, from, bytes);
  return 1;
}

/* What one team has sent and another has not taken. */
static void count_unsent(const uint64_t *sent) {
  uint64_t count = 0;
  for (size_t k = 0; k < USWI_SENT_BYTES / sizeof *sent; k++)
    count += sent[k] != 0;
  unsent += count;
}

int uswi_backend_launch(const uswi_device_t *device, const usw_entry_t *entry, const usw_launch_t *how, size_t n,
                        const uint64_t *arguments, void *accumulator_out) {
  (void)device;
  launches++;
  awaiting += how->finish == USW_FINISH_AWAIT;
  entry->stub(how, n, arguments, accumulator_out);
  if (how->finish == USW_FINISH_AWAIT)
    count_unsent(how->partials);
  if (good_launches >= 0 && good_launches-- == 0) {
    char *record = how->finish == USW_FINISH_HOST ? how->partials : accumulator_out;
    record[bit_to_flip / 8] ^= (char)(1u << bit_to_flip % 8);
  }
  return 1;
}

const char *uswi_backend_refusal(void) { return NULL; }

void uswi_backend_release(void) {}
