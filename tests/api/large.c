/* More than 2^32 items: indices and counts must not be cut to 32 bits anywhere.
 *   large [--place NAME]
 * On the host the items are one set of pages, mapped again and again; on a GPU real memory; on other
 * devices one element without a stride. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

/* Enough that even where the last of 256 parts begins is beyond 2^32. */
static const size_t items = ((size_t)1 << 32) + ((size_t)1 << 26) + 17;
static const size_t window_bytes = (size_t)64 << 20;
static test_place_t place;

static usw_options_t options_here(ptrdiff_t stride) {
  usw_options_t options = place_options(&place);
  options.stride[0] = options.stride[1] = stride;
  return options;
}

/* All items are one element. */
static void without_stride(void) {
  const uint8_t u8 = 200;
  const int32_t i32 = -2000000000;
  const double f64 = 0.5;
  usw_options_t options = options_here(USW_STRIDE_NONE);
  place_memory_t bytes = memory_get(&place, &u8, sizeof u8, 0);
  place_memory_t ints = memory_get(&place, &i32, sizeof i32, 0);
  place_memory_t reals = memory_get(&place, &f64, sizeof f64, 0);
  uint64_t u64 = 0;
  int64_t i64 = 0;
  double sum = 0;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_U8, bytes.data, items, &u64, &options));
  CHECK_U64(200 * (uint64_t)items, u64);
  CHECK_STATUS(USW_OK, usw_reduce(USW_COUNT, USW_F64, reals.data, items, &u64, &options));
  CHECK_U64(items, u64);
  if (place.place == USW_DEVICE && strcmp(place.target, "x86_64") != 0) {
    usw_located_f64_t least;
    usw_describe_f64_t all;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I32, ints.data, items, &i64, &options));
    CHECK_I64(-2000000000 * (int64_t)items, i64);
    CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMIN, USW_F64, reals.data, items, &least, &options));
    CHECK_I64(0, least.index);
    CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, reals.data, reals.data, items, &sum, &options));
    CHECK_F64(0.25 * (double)items, sum);
    CHECK_STATUS(USW_OK, usw_reduce(USW_DESCRIBE, USW_F64, reals.data, items, &all, &options));
    CHECK_U64(items, all.count);
    CHECK_F64(0.5, all.mean);
    CHECK_F64(0, all.variance);
  }
  memory_free(&bytes);
  memory_free(&ints);
  memory_free(&reals);
}

/* `bytes` of addresses that all show the same window; the last page is one of its own. */
static char *map_again(const void *window, size_t bytes) {
  const int file = memfd_create("window", 0);
  char *base = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (file < 0 || base == MAP_FAILED || write(file, window, window_bytes) != (ssize_t)window_bytes) {
    perror("large: no memory to map again");
    exit(1);
  }
  for (size_t at = 0; at < bytes; at += window_bytes) {
    const size_t part = bytes - at < window_bytes ? bytes - at : window_bytes;
    if (mmap(base + at, part, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
      perror("large: mmap");
      exit(1);
    }
  }
  close(file);
  return base;
}

/* The items before `last` repeat the window, the ones from there on are the tail. */
static void put_tail(char *base, size_t bytes, const void *tail, size_t tail_bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = bytes / page * page;
  char *own = mmap(base + whole, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (own == MAP_FAILED || bytes - whole != tail_bytes) {
    perror("large: mmap of the tail");
    exit(1);
  }
  memcpy(own, tail, tail_bytes);
}

static size_t round_up(size_t bytes) { return (bytes + window_bytes - 1) / window_bytes * window_bytes; }

static void bytes_on_host(void) {
  uint8_t *window = malloc(window_bytes);
  uint8_t tail[17];
  uint64_t sum = 0, expected = 0;
  const usw_options_t options = options_here(1);
  for (size_t k = 0; k < window_bytes; k++)
    expected += window[k] = (uint8_t)(k % 251);
  memset(tail, 255, sizeof tail);
  expected = expected * (items / window_bytes) + 17 * 255;
  char *base = map_again(window, round_up(items));
  put_tail(base, items, tail, sizeof tail);
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_U8, base, items, &sum, &options));
  CHECK_U64(expected, sum);
  uint8_t greatest = 0;
  CHECK_STATUS(USW_OK, usw_reduce(USW_MAXIMUM, USW_U8, base, items, &greatest, &options));
  CHECK_U64(255, greatest);
  munmap(base, round_up(items));
  free(window);
}

static void check_reals(const void *x) {
  usw_located_f64_t least;
  const usw_options_t options = options_here(1);
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMIN, USW_F64, x, items, &least, &options));
  CHECK_F64(-1, least.value);
  CHECK_I64((int64_t)items - 1, least.index);
}

static void reals_on_host(void) {
  double *window = malloc(window_bytes), tail[17];
  const size_t bytes = items * sizeof(double);
  for (size_t k = 0; k < window_bytes / sizeof(double); k++)
    window[k] = (double)(k % 1000 + 1);
  for (int k = 0; k < 17; k++)
    tail[k] = k == 16 ? -1 : 5;
  char *base = map_again(window, round_up(bytes));
  put_tail(base, bytes, tail, sizeof tail);
  check_reals(base);
  munmap(base, round_up(bytes));
  free(window);
}

/* 32 GiB of real memory: the first part is copied there, then each half onto the next. */
static void reals_on_gpu(void) {
  const size_t bytes = items * sizeof(double);
  double *window = malloc(window_bytes);
  const double least = -1;
  char *x = memory_device_allocate(place.device, bytes);
  if (!x) {
    printf("argmin over 2^32 doubles: left out, the device has no %zu bytes\n", bytes);
    free(window);
    return;
  }
  for (size_t k = 0; k < window_bytes / sizeof(double); k++)
    window[k] = (double)(k % 1000 + 1);
  CHECK_I64(0, memory_device_copy(x, place.device, window, -1, window_bytes));
  for (size_t have = window_bytes; have < bytes; have *= 2) {
    const size_t part = bytes - have < have ? bytes - have : have;
    CHECK_I64(0, memory_device_copy(x + have, place.device, x, place.device, part));
  }
  CHECK_I64(0, memory_device_copy(x + bytes - sizeof least, place.device, &least, -1, sizeof least));
  check_reals(x);
  uint64_t count = 0;
  const usw_options_t options = options_here(1);
  CHECK_STATUS(USW_OK, usw_reduce(USW_COUNT, USW_U8, x, bytes, &count, &options));
  CHECK(count > 0 && count < bytes);
  memory_device_free(place.device, x);
  free(window);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  without_stride();
  if (place.place == USW_HOST) {
    bytes_on_host();
    reals_on_host();
  } else if (strcmp(place.target, "nvptx") == 0 || strcmp(place.target, "amdgcn") == 0)
    reals_on_gpu();
  return check_report();
}
