/* A device that flips a bit now and then: rechecked calls notice, whichever of the two runs it hits, say what differs, and
 * leave the results as they were. */
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/recheck_kernels.h"
#include "backend_simt.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"

/* Bits that are not lost when what they are part of is added to larger numbers. */
enum { ITEMS = 5003, BINS = 100, HIGH_OF_FLOAT = 21, HIGH_OF_DOUBLE = 50, SIGN_OF_FLOAT = 31 };

static char items[(ITEMS + 1) * 16];

static usw_options_t options_of(usw_strategy_t strategy) {
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t), .place = USW_DEVICE, .strategy = strategy, .recheck = 1};
  return options;
}

static usw_status_t run(const row_t *row, const usw_options_t *options, void *result) {
  const char *y = items + type_bytes(row->type);
  return row->streams == 2 ? usw_reduce_pair(row->operation, row->type, items, y, ITEMS, result, options)
                           : usw_reduce(row->operation, row->type, items, ITEMS, result, options);
}

/* One launch a run: the fault is in the first or in the second one. */
static void function(usw_operation_t operation, usw_type_t type, unsigned bit, usw_strategy_t strategy) {
  const row_t *row = row_find(operation, type);
  const usw_options_t options = options_of(strategy);
  char name[128];
  snprintf(name, sizeof name, "%s_%s: two runs over the same 5003 items on device 0 (simt) differ in 'result'",
           row->name, type_name(type));
  pattern_fill(PATTERN_near_one, type, items, ITEMS + 1, 1);
  for (int launch = 0; launch < 2; launch++) {
    result_t result, untouched;
    memset(&result, 0xa5, sizeof result);
    memset(&untouched, 0xa5, sizeof untouched);
    simt_flip_after(launch, bit);
    CHECK_STATUS(USW_ERROR_MISMATCH, run(row, &options, &result));
    CHECK_TEXT_HAS(usw_error_text(), name);
    CHECK(memcmp(&result, &untouched, sizeof result) == 0);
    CHECK_STATUS(USW_OK, run(row, &options, &result));
  }
}

static void functions(usw_strategy_t strategy) {
  function(USW_PLUS, USW_F64, HIGH_OF_DOUBLE, strategy);
  function(USW_PLUS, USW_F32, HIGH_OF_FLOAT, strategy);
  function(USW_PLUS, USW_I8, 0, strategy);
  function(USW_MULTIPLIES, USW_U64, 0, strategy);
  function(USW_MINIMUM, USW_F32, SIGN_OF_FLOAT, strategy);
  function(USW_BIT_XOR, USW_I16, 9, strategy);
  function(USW_LOGICAL_AND, USW_F64, 0, strategy);
  function(USW_COUNT, USW_U8, 63, strategy);
  function(USW_DESCRIBE, USW_F64, 0, strategy);
  function(USW_NORM1, USW_F32, HIGH_OF_FLOAT, strategy);
  function(USW_DOT, USW_CF64, HIGH_OF_DOUBLE, strategy);
}

/* The values are told as numbers where they are. */
static void words(void) {
  const usw_options_t options = options_of(USW_STRATEGY_TREE);
  const row_t *sum = row_find(USW_PLUS, USW_F64), *count = row_find(USW_COUNT, USW_U8);
  double ones[ITEMS];
  result_t result;
  for (int i = 0; i < ITEMS; i++)
    ones[i] = 1;
  memcpy(items, ones, sizeof ones);
  simt_flip_after(1, 0);
  CHECK_STATUS(USW_ERROR_MISMATCH, run(sum, &options, &result));
  CHECK_TEXT_HAS(usw_error_text(), ", 5003 and 5003.0000000000009: first by tree with ");
  memset(items, 1, ITEMS);
  simt_flip_after(0, 0);
  CHECK_STATUS(USW_ERROR_MISMATCH, run(count, &options, &result));
  CHECK_TEXT_HAS(usw_error_text(), ", 0x000000000000138a and 0x000000000000138b: first by tree with 1 team");
  CHECK_TEXT_HAS(usw_error_text(), ", then by host_finish with 2 teams");
}

static void user_kernels(usw_strategy_t strategy) {
  const usw_options_t options = options_of(strategy);
  double total = 1, most = 2;
  uint64_t number = 3, bins[BINS] = {4};
  float by_bin[BINS] = {5};
  pattern_fill(PATTERN_ramp, USW_F64, items, ITEMS, 1);
  for (int launch = 0; launch < 2; launch++) {
    simt_flip_after(launch, HIGH_OF_DOUBLE);
    CHECK_STATUS(USW_ERROR_MISMATCH,
                 blend(ITEMS, (const double *)items, BINS, &total, &most, &number, by_bin, BINS, &options));
    CHECK_TEXT_HAS(usw_error_text(), "blend");
    simt_flip_after(launch, 0);
    CHECK_STATUS(USW_ERROR_MISMATCH, histogram(ITEMS, (const double *)items, &number, bins, BINS, &options));
    CHECK_TEXT_HAS(usw_error_text(), "'above'");
  }
  CHECK(total == 1 && most == 2 && number == 3 && bins[0] == 4 && by_bin[0] == 5 && by_bin[1] == 0);
}

/* A part that was not taken leaves the object as it was. */
static void parts(void) {
  const usw_options_t options = options_of(USW_AUTO_STRATEGY);
  usw_partial_t *partial = NULL;
  uint64_t sum = 0;
  pattern_fill(PATTERN_equal, USW_U8, items, ITEMS, 1);
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_COUNT, USW_U8, &options));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, items, ITEMS));
  simt_flip_after(0, 0);
  CHECK_STATUS(USW_ERROR_MISMATCH, usw_partial_add(partial, items, ITEMS));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, items, 3));
  CHECK_STATUS(USW_OK, usw_partial_result(partial, &sum));
  CHECK_U64(ITEMS + 3, sum);
  usw_partial_destroy(partial);
}

/* One call in four is run twice: of eight faults two are seen. */
static void one_in_four(void) {
  const row_t *row = row_find(USW_COUNT, USW_U8);
  usw_options_t options = options_of(USW_STRATEGY_TREE);
  uint64_t before[2], after[2];
  int seen = 0;
  options.recheck = 4;
  usw_recheck_counts(&before[0], &before[1]);
  for (int call = 0; call < 8; call++) {
    result_t result;
    simt_flip_after(0, 0);
    seen += run(row, &options, &result) == USW_ERROR_MISMATCH;
  }
  usw_recheck_counts(&after[0], &after[1]);
  CHECK_I64(2, seen);
  CHECK_U64(before[0] + 2, after[0]);
  CHECK_U64(before[1] + 2, after[1]);
}

/* No room for the second run: an error, and results as they were. */
static void no_memory(void) {
  const row_t *row = row_find(USW_PLUS, USW_I32);
  usw_options_t options = options_of(USW_STRATEGY_TREE);
  result_t result, untouched;
  memset(&result, 0xa5, sizeof result);
  memset(&untouched, 0xa5, sizeof untouched);
  options.teams = 2000;
  simt_fail_allocations_after(0); /* the second run wants pinned memory for every team's partial */
  CHECK_STATUS(USW_ERROR_MEMORY, run(row, &options, &result));
  simt_fail_allocations_after(-1);
  CHECK(memcmp(&result, &untouched, sizeof result) == 0);
  CHECK_STATUS(USW_OK, run(row, &options, &result));
}

int main(void) {
  static const usw_strategy_t strategies[] = {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH};
  for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++) {
    functions(strategies[s]);
    user_kernels(strategies[s]);
  }
  function(USW_PLUS, USW_I32, 40, USW_STRATEGY_ATOMIC);
  function(USW_COUNT, USW_F64, 3, USW_STRATEGY_TREE_ATOMIC);
  words();
  parts();
  one_in_four();
  no_memory();
  return check_report();
}
