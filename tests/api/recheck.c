/* Rechecking: every function, user kernels, sets and parts give the same bits with it as without; the counts; a kernel
 * whose body writes, so that its second run differs; several threads; what cannot be rechecked.
 *   recheck [--place NAME] */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "recheck_kernels.h"

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 40009, MOST_BYTES = (ITEMS + 1) * 16, BINS = 100, THREADS = 4, CALLS = 25 };

static test_place_t place;
static char items[MOST_BYTES];
static place_memory_t there;

static uint64_t checked(void) {
  uint64_t count;
  usw_recheck_counts(&count, NULL);
  return count;
}
static uint64_t differing(void) {
  uint64_t count;
  usw_recheck_counts(NULL, &count);
  return count;
}

static void fill(usw_type_t type, pattern_t pattern) {
  pattern_fill(pattern, type, items, ITEMS + 1, 7);
  there = memory_get(&place, items, (ITEMS + 1) * type_bytes(type), 0);
}

static usw_options_t rechecked(usw_strategy_t strategy) {
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.accuracy = strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  options.recheck = 1;
  return options;
}

static usw_status_t run(const row_t *row, size_t n, void *result, const usw_options_t *options) {
  const char *y = (const char *)there.data + type_bytes(row->type);
  memset(result, 0xa5, sizeof(result_t));
  return row->streams == 2 ? usw_reduce_pair(row->operation, row->type, there.data, y, n, result, options)
                           : usw_reduce(row->operation, row->type, there.data, n, result, options);
}

/* Whether the library can compare two runs: sums in the clause have no promised bits on the x86_64 device. */
static int can_recheck(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  return usw_explain(operation, type, ITEMS, options, &e) == USW_OK && e.recheck == 1;
}

static void same_bits(const row_t *row, size_t n, usw_strategy_t strategy) {
  usw_options_t options = rechecked(strategy);
  result_t once, twice;
  const int can = can_recheck(row->operation, row->type, &options);
  const uint64_t before = checked();
  const usw_status_t status = run(row, n, &twice, &options);
  CHECK_STATUS(can ? USW_OK : USW_ERROR_UNSUPPORTED, status);
  CHECK_U64(before + (can && n > 0), checked());
  options.recheck = USW_RECHECK_NEVER;
  CHECK_STATUS(USW_OK, run(row, n, &once, &options));
  CHECK_U64(before + (can && n > 0), checked());
  check_count(!can || results_equal(row, &once, &twice), __FILE__, __LINE__, "%s_%s n=%zu: other bits than without",
              row->name, type_name(row->type), n);
}

static void every_function(void) {
  static const usw_type_t types[] = {USW_I8, USW_U64, USW_F16, USW_F32, USW_F64, USW_CF32, USW_CF64, USW_BOOL};
  static const size_t lengths[] = {0, 1, 127, 128, ITEMS};
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    fill(types[t], type_facts(types[t])->epsilon > 0 ? PATTERN_nan_last : PATTERN_random);
    for (int r = 0; r < ROW_COUNT; r++)
      for (int s = 0; s < count && rows[r].type == types[t]; s++)
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
          if (simt_takes_next(&place, 4))
            same_bits(&rows[r], lengths[n], strategies[s]);
    memory_free(&there);
  }
}

static void user_kernels(void) {
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  fill(USW_F64, PATTERN_wide);
  for (int s = 0; s < count; s++) {
    if (strategies[s] == USW_STRATEGY_CLAUSE)
      continue; /* it has no spans of such extents */
    const usw_options_t twice = rechecked(strategies[s]);
    usw_options_t once = twice;
    double total[2] = {1, 1}, most[2] = {0, 0};
    uint64_t number[2] = {5, 5}, before = checked(), bins[2][BINS] = {{0}};
    float spread[2][BINS] = {{0}};
    once.recheck = 0;
    CHECK_STATUS(USW_OK, blend(ITEMS, there.data, BINS, &total[0], &most[0], &number[0], spread[0], BINS, &once));
    CHECK_STATUS(USW_OK, blend(ITEMS, there.data, BINS, &total[1], &most[1], &number[1], spread[1], BINS, &twice));
    CHECK_U64(ITEMS + 5, number[1]);
    CHECK_F64(total[0], total[1]);
    CHECK_F64(most[0], most[1]);
    CHECK(memcmp(spread[0], spread[1], sizeof spread[0]) == 0);
    CHECK_STATUS(USW_OK, histogram(ITEMS, there.data, &number[0], bins[0], BINS, &once));
    CHECK_STATUS(USW_OK, histogram(ITEMS, there.data, &number[1], bins[1], BINS, &twice));
    CHECK_U64(number[0], number[1]);
    CHECK(memcmp(bins[0], bins[1], sizeof bins[0]) == 0);
    CHECK_U64(before + 2, checked());
  }
  memory_free(&there);
}

static void parts_and_sets(void) {
  const usw_options_t options = rechecked(USW_AUTO_STRATEGY);
  const uint64_t before = checked();
  usw_partial_t *partial = NULL;
  usw_set_t *set = NULL;
  usw_located_f64_t found;
  double sum = 0;
  fill(USW_F64, PATTERN_least_last);
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_ARGMIN, USW_F64, &options));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, there.data, ITEMS - 9));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, (const double *)there.data + ITEMS - 9, 10));
  CHECK_STATUS(USW_OK, usw_partial_result(partial, &found));
  CHECK_I64(ITEMS, found.index);
  usw_partial_destroy(partial);
  CHECK_U64(before + 2, checked());
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, there.data, 1, &sum, 0));
  CHECK_STATUS(USW_OK, usw_set_run(set, ITEMS, &options));
  CHECK_F64(5.0 * ITEMS, sum);
  usw_set_destroy(set);
  CHECK_U64(before + 3, checked());
  memory_free(&there);
}

/* ---- a second run that differs ---- */

static char warning[512];

static void keep_warning(usw_log_level_t level, const char *line, void *context) {
  (void)context;
  if (level == USW_LOG_WARNING)
    snprintf(warning, sizeof warning, "%s", line);
}

static void mismatch(usw_strategy_t strategy) {
  usw_options_t options = rechecked(strategy);
  static const uint64_t zeros[ITEMS];
  const uint64_t before = differing(), third = (ITEMS + 1) / 3;
  place_memory_t seen = memory_get(&place, zeros, sizeof zeros, 0);
  double steady = 3;
  uint64_t spread[3] = {1, 2, 3}, cell;
  char second[32];
  snprintf(second, sizeof second, "0x%016llx", (unsigned long long)(2 + 2 * third));
  CHECK_STATUS(USW_ERROR_MISMATCH, visits(ITEMS, seen.data, &steady, spread, &options));
  CHECK_F64(3, steady);
  CHECK(spread[0] == 1 && spread[1] == 2 && spread[2] == 3);
  CHECK_U64(before + 1, differing());
  CHECK_TEXT_HAS(usw_error_text(), "visits: two runs over the same 40009 items on ");
  CHECK_TEXT_HAS(usw_error_text(), "'spread'[1]");
  CHECK_TEXT_HAS(usw_error_text(), second);
  CHECK_TEXT_HAS(warning, "visits: a recheck failed");
  memory_read(&seen, &cell, sizeof cell);
  CHECK_U64(2, cell); /* the body ran twice */
  options.recheck = 0;
  CHECK_STATUS(USW_OK, visits(ITEMS, seen.data, &steady, spread, &options));
  CHECK_F64(3 + ITEMS / 2.0, steady);
  CHECK_U64(2 + 3 * third, spread[1]);
  memory_free(&seen);
}

static void outputs_differ(void) {
  static const ptrdiff_t strides[] = {1, 3, -2};
  place_memory_t seen = memory_get(&place, NULL, ITEMS * sizeof(uint64_t), 0);
  place_memory_t times = memory_get(&place, NULL, 3 * ITEMS * sizeof(uint64_t), 0);
  for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
    usw_options_t options = rechecked(USW_AUTO_STRATEGY);
    uint64_t visited = 5, *first = (uint64_t *)times.data + (strides[k] < 0 ? 2 * ITEMS : 0);
    options.stride[0] = strides[k];
    CHECK_STATUS(USW_ERROR_MISMATCH, writes(ITEMS, (const uint64_t *)seen.data, first, &visited, &options));
    CHECK_TEXT_HAS(usw_error_text(), "differ in 'times'[2]");
    CHECK_U64(5, visited);
  }
  memory_free(&seen);
  memory_free(&times);
}

/* ---- scans ---- */

static const size_t scanned[] = {1, 2, 10, 1000, 20000, ITEMS};

/* Of a scan the second run begins with what the first did, and gives the same. */
static void scans(void) {
  const usw_options_t options = rechecked(USW_AUTO_STRATEGY);
  const double initial = 5;
  fill(USW_F64, PATTERN_wide);
  place_memory_t sums = memory_get(&place, NULL, ITEMS * sizeof(double), 0);
  for (size_t k = 0; k < sizeof scanned / sizeof *scanned; k++) {
    const uint64_t before = checked(), none = differing();
    CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, there.data, scanned[k], sums.data, &options));
    CHECK_STATUS(USW_OK, usw_scan_exclusive(USW_PLUS, USW_F64, there.data, scanned[k], sums.data, &initial, &options));
    CHECK_U64(before + 2, checked());
    CHECK_U64(none, differing());
  }
  memory_free(&sums);
  memory_free(&there);
}

/* And it writes: what differs is seen, however few items there are. */
static void outputs_of_scans_differ(void) {
  const usw_options_t options = rechecked(USW_AUTO_STRATEGY);
  place_memory_t seen = memory_get(&place, NULL, ITEMS * sizeof(uint64_t), 0),
                 sums = memory_get(&place, NULL, ITEMS * sizeof(uint64_t), 0);
  for (size_t k = 0; k < sizeof scanned / sizeof *scanned; k++) {
    uint64_t own = 5;
    CHECK_STATUS(USW_ERROR_MISMATCH, writes_sums(scanned[k], seen.data, sums.data, &own, &options));
    CHECK_TEXT_HAS(usw_error_text(), "differ in 'sums'[0]");
    CHECK_U64(5, own);
  }
  memory_free(&seen);
  memory_free(&sums);
}

/* ---- counts ---- */

static void one_in_three(void) {
  usw_options_t options = place_options(&place);
  const row_t *row = row_find(USW_PLUS, USW_F64);
  const uint64_t before = checked();
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  result_t result;
  fill(USW_F64, PATTERN_wide);
  options.recheck = 3;
  for (int call = 0; call < 30; call++)
    CHECK_STATUS(USW_OK, run(row, 1000, &result, &options));
  CHECK_U64(before + 10, checked());
  CHECK_STATUS(USW_OK, usw_info(&info));
  CHECK_U64(checked(), info.rechecked_calls);
  CHECK_U64(differing(), info.differing_calls);
  usw_recheck_counts(NULL, NULL);
  memory_free(&there);
}

static void *call_often(void *context) {
  usw_options_t options = place_options(&place);
  result_t result;
  (void)context;
  options.recheck = 2;
  for (int call = 0; call < CALLS; call++)
    CHECK_STATUS(USW_OK, run(row_find(call % 2 ? USW_PLUS : USW_COUNT, USW_F64), ITEMS, &result, &options));
  return NULL;
}

static void threads(void) {
  pthread_t callers[THREADS];
  const uint64_t before = checked(), none = differing();
  fill(USW_F64, PATTERN_wide);
  for (int k = 0; k < THREADS; k++)
    pthread_create(&callers[k], NULL, call_often, NULL);
  for (int k = 0; k < THREADS; k++)
    pthread_join(callers[k], NULL);
  CHECK_U64(before + THREADS * CALLS / 2, checked());
  CHECK_U64(none, differing());
  memory_free(&there);
}

/* ---- what usw_explain() says, and what cannot be rechecked ---- */

static void explained(void) {
  usw_options_t options = place_options(&place);
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_I64, 1 << 20, &options, &e));
  CHECK(e.recheck == 0 && e.recheck_strategy == USW_AUTO_STRATEGY && e.recheck_teams == 0);
  options.recheck = 50;
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_I64, 1 << 20, &options, &e));
  CHECK_U64(50, e.recheck);
  CHECK(e.recheck_teams != e.teams && e.recheck_teams > 0);
  CHECK((e.recheck_strategy == e.strategy) == (place.place == USW_HOST));
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, 1 << 20, &options, &e));
  CHECK(e.recheck_teams == e.teams && e.recheck_strategy == e.strategy);
  options.recheck = USW_RECHECK_NEVER;
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, 1 << 20, &options, &e));
  CHECK_U64(0, e.recheck);
}

static void atomics(void) {
  usw_options_t options = rechecked(USW_STRATEGY_TREE_ATOMIC);
  const row_t *rounds = row_find(USW_PLUS, USW_F64), *counts = row_find(USW_COUNT, USW_F64);
  const uint64_t before = checked();
  result_t result;
  fill(USW_F64, PATTERN_ramp);
  options.accuracy = USW_FAST;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, run(rounds, ITEMS, &result, &options));
  CHECK_TEXT_HAS(usw_error_text(), "options.recheck is 1");
  CHECK_STATUS(USW_OK, run(counts, ITEMS, &result, &options));
  options.recheck = USW_RECHECK_NEVER;
  CHECK_STATUS(USW_OK, run(rounds, ITEMS, &result, &options));
  CHECK_U64(before + 1, checked());
  memory_free(&there);
}

int main(int argc, char **argv) {
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  place = place_of_arguments(argc, argv);
  usw_set_log_callback(keep_warning, NULL);
  every_function();
  user_kernels();
  parts_and_sets();
  scans();
  CHECK_U64(0, differing());
  one_in_three();
  threads();
  const int count = place_strategies(&place, strategies);
  for (int s = 0; s < count; s++)
    if (strategies[s] != USW_STRATEGY_CLAUSE) /* of sums of doubles it promises no bits everywhere */
      mismatch(strategies[s]);
  outputs_differ();
  outputs_of_scans_differ();
  explained();
  if (place.place == USW_DEVICE)
    atomics();
  return check_report();
}
