/* Messages of kernels of users. */
#include <string.h>

#include "message.h"
#include "oracle/memory.h"
#include "support/check.h"
#include "user_types.h"

enum { BINS = 300 };

/* Records with cells, larger than what merges have on the stack, and an index that counts on. */
#define USW_KERNEL bins_of
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS) R(uint64_t, weighted, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc_at(counts, x % BINS);
  usw_add(weighted, x * (uint64_t)i);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL chained
#define USW_PARTS 1
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one()) R(uint64_t, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(map, affine_of(x));
  usw_add(total, x + (uint64_t)i);
}
#include <upsweep/kernel_end.h>

void user_kernels(const test_place_t *place) {
  static uint32_t data[FEW_ITEMS];
  uint64_t counts[BINS] = {0}, counts_of_all[BINS] = {0}, weighted = 3, weighted_of_all = 3, total = 0,
           total_of_all = 0;
  affine_t map = affine_one(), map_of_all = affine_one();
  for (int i = 0; i < FEW_ITEMS; i++)
    data[i] = (uint32_t)random_below(100000);
  place_memory_t x = memory_get(place, data, sizeof data, 0);
  const usw_options_t options = place_options(place);
  _Alignas(64) char message[MOST_BYTES], before[MOST_BYTES];
  const usw_variable_t of_bins[] = {{counts, BINS}, {&weighted, 1}}, of_chain[] = {{&map, 1}, {&total, 1}};
  job_t job = {.kernel = bins_of_part(0, NULL).kernel,
               .options = options,
               .variables = of_bins,
               .n = FEW_ITEMS,
               .at = stream_at,
               .x = x.data,
               .item_bytes = sizeof *data};
  CHECK_STATUS(USW_OK, usw_message_bytes(job.kernel, of_bins, &job.bytes));
  CHECK(job.bytes > sizeof counts && job.bytes < MOST_BYTES - 64);
  CHECK_STATUS(USW_OK, usw_message_finish(job.kernel, exchange(&job, 5), of_bins, &options));
  CHECK_STATUS(USW_OK, bins_of(FEW_ITEMS, (const uint32_t *)x.data, counts_of_all, BINS, &weighted_of_all, &options));
  CHECK(memcmp(counts, counts_of_all, sizeof counts) == 0);
  CHECK_U64(weighted_of_all, weighted);
  memcpy(message, exchange(&job, 5), job.bytes);
  memcpy(before, message, job.bytes);
  CHECK_STATUS(USW_OK, usw_message_finish(job.kernel, message, of_bins, &options)); /* onto values that are there */
  CHECK(memcmp(before, message, job.bytes) == 0);
  job.kernel = chained_part(0, NULL).kernel;
  job.variables = of_chain;
  for (int parts = 1; parts <= MOST_PROCESSES; parts += 5) {
    map = affine_one();
    total = 0;
    CHECK_STATUS(USW_OK, usw_message_bytes(job.kernel, NULL, &job.bytes));
    CHECK_STATUS(USW_OK, usw_message_finish(job.kernel, exchange(&job, parts), of_chain, &options));
    map_of_all = affine_one();
    total_of_all = 0;
    CHECK_STATUS(USW_OK, chained(FEW_ITEMS, (const uint32_t *)x.data, &map_of_all, &total_of_all, &options));
    CHECK(memcmp(&map, &map_of_all, sizeof map) == 0);
    CHECK_U64(total_of_all, total);
  }
  memory_free(&x);
}

int refuses_spans_without_variables(void) {
  size_t bytes = 1;
  return usw_message_bytes(bins_of_part(0, NULL).kernel, NULL, &bytes) == USW_ERROR_INVALID && bytes == 1;
}

/* Parts of the library's kernels say nothing of what a kernel of a user's reads. */
int refuses_parts_of_library(void) {
  _Alignas(64) char message[MOST_BYTES];
  const usw_kernel_t *const kernel = chained_part(0, NULL).kernel;
  const usw_part_t part = {.size = sizeof part};
  size_t bytes = 0;
  return usw_message_bytes(kernel, NULL, &bytes) == USW_OK &&
         usw_message_reduce_parts(kernel, &part, 1, NULL, NULL, 0, message, bytes) == USW_ERROR_UNSUPPORTED &&
         usw_message_status(message, NULL) == USW_ERROR_UNSUPPORTED;
}

/* Extents whose messages have the same number of bytes, by padding. */
void other_extents(void) {
  enum { FAILED = 3, UNTOUCHED = 99 };
  static _Alignas(64) char mine[MOST_BYTES], other[MOST_BYTES], out[MOST_BYTES];
  static uint64_t counts[BINS];
  const uint32_t item = 0;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)&item};
  const usw_kernel_t *const kernel = bins_of_part(0, NULL).kernel;
  uint64_t weighted = 7;
  const usw_variable_t all[] = {{counts, BINS}, {&weighted, 1}}, fewer[] = {{counts, BINS - 1}, {&weighted, 1}};
  size_t bytes = 0, bytes_of_fewer = 0;
  CHECK_STATUS(USW_OK, usw_message_bytes(kernel, all, &bytes));
  CHECK_STATUS(USW_OK, usw_message_bytes(kernel, fewer, &bytes_of_fewer));
  CHECK_U64(bytes, bytes_of_fewer);
  CHECK_STATUS(USW_OK, usw_message_reduce(kernel, 1, arguments, all, NULL, 0, 0, mine, bytes));
  for (size_t n = 0; n < 2; n++) {
    uint32_t source = UNTOUCHED;
    CHECK_STATUS(USW_OK, usw_message_reduce(kernel, n, arguments, fewer, NULL, 0, 1, other, bytes));
    CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_finish(kernel, other, all, NULL));
    CHECK_TEXT_HAS(usw_error_text(), "of other extents");
    usw_message_merge(kernel, mine, other, out);
    CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_status(out, &source));
    CHECK_U64(UNTOUCHED, source);
    CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_finish(kernel, out, all, NULL));
    CHECK_TEXT_HAS(usw_error_text(), "messages of different kernels or extents");
    usw_message_merge(kernel, mine, other, other); /* in place */
    CHECK_STATUS(USW_ERROR_EXCHANGE, usw_message_status(other, NULL));
    usw_message_fail(kernel, USW_ERROR_MEMORY, FAILED, other, bytes);
    usw_message_merge(kernel, out, other, out); /* a process that has failed comes first */
    CHECK_STATUS(USW_ERROR_MEMORY, usw_message_status(out, &source));
    CHECK_U64(FAILED, source);
  }
  CHECK_U64(7, weighted);
  CHECK_U64(0, counts[0]);
}
