/* Reducer sets: every operator over every type, into variables and by keys into spans, against a serial reference; many in
 * one set; strides, original values, NaNs, places and errors.
 *   sets [--place NAME] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/set.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 20011, LARGE_ITEMS = 5000003, MOST_BYTES = ITEMS * 16, BINS = 37, LARGE_EXTENT = 3000 };

static test_place_t place;
static char items[MOST_BYTES];
static number_t numbers[ITEMS], picked[ITEMS];
static uint32_t keys[ITEMS];
static int64_t long_keys[ITEMS];
static place_memory_t keys_there, long_keys_there;

static int is_set_task(const row_t *row) {
  return row->streams == 1 && row->operation >= USW_PLUS && row->operation <= USW_LOGICAL_OR;
}

static uint32_t key_of(size_t i, uint32_t extent) { return (uint32_t)((i * 7919 % 104729) % extent); }

static void agree(const row_t *row, const number_t *x, size_t n, usw_nan_t nan, pattern_t pattern, const void *got,
                  const char *where) {
  const rounding_t rounding = {64 + (double)n, pattern_is_exact(pattern)};
  const oracle_t oracle = oracle_of(row, x, NULL, n, nan, rounding);
  result_t result;
  char why[640] = "";
  memset(&result, 0, sizeof result);
  memcpy(&result, got, row->result_bytes);
  const int agrees = oracle_agrees(&oracle, &result, why, sizeof why);
  check_count(agrees, __FILE__, __LINE__, "%s_%s n=%zu pattern=%s nan=%d, %s: %s", row->name, type_name(row->type), n,
              pattern_name(pattern), (int)nan, where, why);
}

/* All reductions of one type at once: into variables and into spans, fresh. */
static void every_operator(usw_type_t type, pattern_t pattern, usw_nan_t nan, size_t n) {
  static char spans[16][BINS * 16];
  result_t variables[16];
  usw_options_t options = place_options(&place);
  usw_set_t *set = NULL;
  int count = 0;
  options.nan = nan;
  pattern_fill(pattern, type, items, n, 1);
  numbers_of(type, items, n, numbers);
  place_memory_t x = memory_get(&place, items, n * type_bytes(type), type_bytes(type) % 16);
  memset(variables, 0xa5, sizeof variables);
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  for (int r = 0; r < ROW_COUNT; r++)
    if (rows[r].type == type && is_set_task(&rows[r])) {
      const uint32_t fresh = USW_SET_INITIALIZE_TO_IDENTITY;
      const int is_long = count % 2;
      CHECK_STATUS(USW_OK, usw_set_add(set, rows[r].operation, type, x.data, 1, &variables[count], fresh));
      CHECK_STATUS(USW_OK,
                   usw_set_add_span(set, rows[r].operation, type, x.data, 0, is_long ? USW_I64 : USW_U32,
                                    is_long ? long_keys_there.data : keys_there.data, spans[count], BINS, fresh));
      count++;
    }
  CHECK_STATUS(USW_OK, usw_set_run(set, n, &options));
  count = 0;
  for (int r = 0; r < ROW_COUNT; r++)
    if (rows[r].type == type && is_set_task(&rows[r])) {
      agree(&rows[r], numbers, n, nan, pattern, &variables[count], "variable");
      CHECK_U64(0xa5, variables[count].bytes[rows[r].result_bytes]);
      for (uint32_t bin = 0; bin < BINS; bin += 5) {
        size_t some = 0;
        for (size_t i = 0; i < n; i++)
          if (keys[i] == bin)
            picked[some++] = numbers[i];
        agree(&rows[r], picked, some, nan, pattern, spans[count] + bin * rows[r].result_bytes, "span");
      }
      count++;
    }
  usw_set_destroy(set);
  memory_free(&x);
}

static void every_row(void) {
  static const pattern_t patterns[] = {PATTERN_ramp,       PATTERN_random,   PATTERN_near_one,  PATTERN_one_zero,
                                       PATTERN_one_clear,  PATTERN_extremes, PATTERN_nan_often, PATTERN_nan_all,
                                       PATTERN_subnormals, PATTERN_zeros,    PATTERN_least_last};
  static const size_t sizes[] = {0, 1, 31, 300, 4099};
  for (size_t i = 0; i < ITEMS; i++)
    long_keys[i] = keys[i] = key_of(i, BINS);
  keys_there = memory_get(&place, keys, sizeof keys, 0);
  long_keys_there = memory_get(&place, long_keys, sizeof long_keys, 8);
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
      for (int nan = 0; nan < (type_is_floating(type) ? 2 : 1) && pattern_fits(patterns[p], type); nan++)
        if (place_takes_next(&place, 4))
          every_operator(type, patterns[p], nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE, sizes[(p + (size_t)type) % 5]);
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    every_operator(type, PATTERN_ramp, USW_NAN_PROPAGATE, ITEMS);
}

/* Original values: of variables and of elements of spans; what no item reaches keeps its bits. */
static void original_values(size_t n) {
  static int16_t shorts[ITEMS];
  static double doubles[ITEMS];
  const int64_t sum_before = -7;
  int64_t sum = sum_before, sums[4] = {10, 20, 30, 40}, expected[4] = {10, 20, 30, 40}, total = sum_before;
  double least = -1e9, greatest = 0.25;
  uint64_t largest = UINT64_MAX - 5, least_u64 = 3;
  static uint64_t wide[ITEMS];
  usw_b8_t all = 0, any = 0;
  usw_options_t options = place_options(&place);
  usw_set_t *set = NULL;
  for (size_t i = 0; i < n; i++) {
    shorts[i] = (int16_t)(i % 201) - 100;
    doubles[i] = (double)(i % 77);
    wide[i] = UINT64_MAX / 2 - 50 + i % 100;
    total += shorts[i];
    expected[keys[i] % 4] += shorts[i];
  }
  static uint32_t few[ITEMS];
  for (size_t i = 0; i < ITEMS; i++)
    few[i] = keys[i] % 4;
  place_memory_t x = memory_get(&place, shorts, n * sizeof *shorts, 2), y = memory_get(&place, doubles, n * 8, 0);
  place_memory_t w = memory_get(&place, wide, n * 8, 8), k = memory_get(&place, few, sizeof few, 0);
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_I16, x.data, 1, &sum, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MINIMUM, USW_F64, y.data, 1, &least, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MAXIMUM, USW_F64, y.data, 1, &greatest, 0));
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_I16, x.data, 1, USW_I32, k.data, sums, 4, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MAXIMUM, USW_U64, w.data, 1, &largest, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MINIMUM, USW_U64, w.data, 1, &least_u64, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_LOGICAL_AND, USW_F64, y.data, 1, &all, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_LOGICAL_OR, USW_F64, y.data, 1, &any, 0));
  CHECK_STATUS(USW_OK, usw_set_run(set, n, &options));
  CHECK_I64(total, sum);
  CHECK_F64(-1e9, least);
  CHECK_F64(n > 76 ? 76 : 0.25, greatest);
  CHECK(memcmp(sums, expected, sizeof sums) == 0);
  CHECK_U64(UINT64_MAX - 5, largest);
  CHECK_U64(3, least_u64);
  CHECK_I64(0, all);
  CHECK_I64(n > 1, any);
  CHECK_STATUS(USW_OK, usw_set_run(set, n, &options)); /* once more: the results are original values */
  CHECK_I64(2 * total - sum_before, sum);
  options.initialize_to_identity = 1u << 0 | 1u << 4 | 1u << 5;
  CHECK_STATUS(USW_OK, usw_set_run(set, n, &options));
  CHECK_I64(total - sum_before, sum);
  if (n > 100) {
    CHECK_U64(UINT64_MAX / 2 + 49, largest);
    CHECK_U64(UINT64_MAX / 2 - 50, least_u64);
  }
  usw_set_destroy(set);
  memory_free(&x);
  memory_free(&y);
  memory_free(&w);
  memory_free(&k);
}

/* What nothing is combined into keeps its bits. */
static void unreached_values(void) {
  double unreached[2] = {-0.0, NAN}, product = -0.0, cells[BINS + 2] = {0};
  usw_options_t options = place_options(&place);
  usw_set_t *set = NULL;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_F64, NULL, 1, USW_U32, NULL, unreached, 2, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MULTIPLIES, USW_F64, NULL, 1, &product, 0));
  CHECK_STATUS(USW_OK, usw_set_run(set, 0, &options));
  CHECK(signbit(unreached[0]) && unreached[1] != unreached[1] && product == 0 && signbit(product));
  usw_set_destroy(set);
  place_memory_t x = memory_get(&place, NULL, ITEMS * sizeof(double), 0);
  cells[BINS] = cells[0] = -0.0;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK,
               usw_set_add_span(set, USW_PLUS, USW_F64, x.data, 1, USW_U32, keys_there.data, cells, BINS + 2, 0));
  CHECK_STATUS(USW_OK, usw_set_run(set, ITEMS, &options));
  CHECK(signbit(cells[BINS]) && !signbit(cells[0])); /* -0 + 0 */
  usw_set_destroy(set);
  memory_free(&x);
}

/* As many reducers as there may be, of mixed types, strides and kinds. */
static void many(size_t n) {
  static double values[ITEMS];
  static double sums[USW_SET_MOST_REDUCERS][2];
  uint32_t keys_of_two[ITEMS];
  usw_options_t options = place_options(&place);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_set_t *set = NULL;
  char note[60];
  for (size_t i = 0; i < ITEMS; i++) {
    values[i] = (double)(i % 1000);
    keys_of_two[i] = i % 3 == 0;
  }
  place_memory_t x = memory_get(&place, values, sizeof values, 0),
                 k = memory_get(&place, keys_of_two, sizeof keys_of_two, 0);
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  for (int r = 0; r < USW_SET_MOST_REDUCERS; r++) {
    const double *from = (const double *)x.data + (r % 5 == 4 ? n - 1 : 0);
    const ptrdiff_t stride = r % 5 == 4 ? -1 : r % 5 == 3 ? USW_STRIDE_NONE : r % 5;
    sums[r][0] = sums[r][1] = r;
    if (r % 2)
      CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_F64, from, stride, USW_U32, k.data, sums[r], 2, 0));
    else
      CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, from, stride, sums[r], 0));
  }
  double one_more = 5;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_add(set, USW_PLUS, USW_F64, x.data, 1, &one_more, 0));
  options.report = &report;
  CHECK_STATUS(USW_OK, usw_set_run(set, n, &options));
  CHECK_I64(place.place, report.place);
  CHECK_U64(n * (64 * 8 + 32 * 4), report.bytes);
  for (int r = 0; r < USW_SET_MOST_REDUCERS; r++) {
    double expected[2] = {r, r};
    for (size_t i = 0; i < n; i++) {
      const size_t at = r % 5 == 4 ? n - 1 - i : r % 5 == 3 ? 0 : i * (r % 5 == 2 ? 2 : 1);
      expected[r % 2 ? i % 3 == 0 : 0] += values[at];
    }
    snprintf(note, sizeof note, "reducer %d, n %zu", r, n);
    CHECK_AT(memcmp(expected, sums[r], sizeof expected) == 0, note);
  }
  usw_set_destroy(set);
  memory_free(&x);
  memory_free(&k);
}

/* More than one chunk, tile and team; spans in and out of team memory; the same bits on every run. */
static void large(void) {
  const size_t n = strcmp(place.target, "simt") == 0 ? 100003 : LARGE_ITEMS;
  double *values = malloc(n * sizeof *values), *expected = calloc(LARGE_EXTENT, sizeof *expected);
  uint32_t *where = malloc(n * sizeof *where);
  static double got[LARGE_EXTENT], again[LARGE_EXTENT];
  double sum = 0, sum_again = 0, exact = 0, greatest = 0, greatest_again = 0;
  usw_options_t options = place_options(&place);
  usw_set_t *set = NULL;
  for (size_t i = 0; i < n; i++) {
    values[i] = (double)(i % 97) / 8;
    where[i] = key_of(i, LARGE_EXTENT);
    exact += values[i];
    expected[where[i]] += values[i];
  }
  place_memory_t x = memory_get(&place, values, n * sizeof *values, 8),
                 k = memory_get(&place, where, n * sizeof *where, 0);
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, x.data, 1, &sum, 0));
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_F64, x.data, 1, USW_U32, k.data, got, LARGE_EXTENT, 0));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MAXIMUM, USW_F64, x.data, 1, &greatest, 0));
  CHECK_STATUS(USW_OK, usw_set_run(set, n, &options));
  usw_set_destroy(set);
  CHECK_F64(exact, sum);
  CHECK_F64(12, greatest);
  CHECK(memcmp(expected, got, sizeof got) == 0);
  for (size_t i = 0; i < n; i++)
    values[i] = 1.0 / (double)(i + 1);
  memory_free(&x);
  x = memory_get(&place, values, n * sizeof *values, 8);
  for (int run = 0; run < 2; run++) {
    double *cells = run ? again : got;
    CHECK_STATUS(USW_OK, usw_set_create(&set));
    const uint32_t fresh = USW_SET_INITIALIZE_TO_IDENTITY;
    CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, x.data, 1, run ? &sum_again : &sum, fresh));
    CHECK_STATUS(USW_OK,
                 usw_set_add_span(set, USW_PLUS, USW_F64, x.data, 1, USW_U32, k.data, cells, LARGE_EXTENT, fresh));
    CHECK_STATUS(USW_OK, usw_set_add(set, USW_MAXIMUM, USW_F64, x.data, 1, run ? &greatest_again : &greatest, fresh));
    CHECK_STATUS(USW_OK, usw_set_run(set, n, &options));
    usw_set_destroy(set);
  }
  CHECK(memcmp(got, again, sizeof got) == 0 && sum == sum_again && greatest == 1 && greatest_again == 1);
  memory_free(&x);
  memory_free(&k);
  free(values);
  free(expected);
  free(where);
}

/* What is refused when a reducer is added; the set goes on as if nothing had been said. */
static void refused_reducers(void) {
  double sum = 1, cells[8] = {0};
  usw_set_t *set = NULL;
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_create(NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_add(NULL, USW_PLUS, USW_F64, items, 1, &sum, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run(NULL, 1, NULL));
  usw_set_destroy(NULL);
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run(set, 1, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "no reducer");
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_F64, items, 1, USW_U32, keys, cells, 4, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_add(set, USW_PLUS, USW_F64, items, 1, NULL, 0));
  CHECK_TEXT_HAS(usw_error_text(), "reducer 1 (sum_f64)");
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_add(set, USW_PLUS, USW_F64, items, 1, (char *)cells + 36, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_add(set, USW_MAXIMUM, USW_F64, items, 1, &cells[3], 0));
  CHECK_TEXT_HAS(usw_error_text(), "reducer 1 (max_f64): its variable shares bytes with that of reducer 0 (sum_f64)");
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_add(set, USW_PLUS, USW_F64, items, 1, &sum, 2));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_add_span(set, USW_PLUS, USW_F64, items, 1, USW_U32, keys, &cells[4], 0, 0));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_set_add_span(set, USW_PLUS, USW_F64, items, 1, USW_U16, keys, &cells[4], 4, 0));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_set_add_span(set, USW_PLUS, USW_F64, items, 1, USW_U32, keys, &cells[4], (size_t)1 << 31, 0));
  for (int operation = -1; operation < 50; operation++)
    for (int type = -1; type < 20; type++) {
      const row_t *row = row_find((usw_operation_t)operation, (usw_type_t)type);
      if (!row || !is_set_task(row))
        CHECK_STATUS(USW_ERROR_UNSUPPORTED,
                     usw_set_add(set, (usw_operation_t)operation, (usw_type_t)type, items, 1, &sum, 0));
    }
  CHECK_STATUS(USW_OK, usw_set_run(set, 0, NULL));
  CHECK_F64(1, sum);
  usw_set_destroy(set);
}

/* The first reducer's array decides on the place: it is looked at before. */
static void refused_first(const void *x, const char *text) {
  double sum = 1;
  usw_options_t options = place_options(&place);
  usw_set_t *set = NULL;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, x, 1, &sum, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run(set, 5, &options));
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run(set, 5, NULL));
  CHECK_F64(1, sum);
  usw_set_destroy(set);
}

/* What is refused when a set is run: no variable changes. */
static void refused_run(usw_status_t expected, const void *x, const void *with_keys, size_t n, ptrdiff_t stride,
                        const usw_options_t *options, const char *text) {
  double sum = 1, cells[BINS];
  usw_set_t *set = NULL;
  for (int k = 0; k < BINS; k++)
    cells[k] = k;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_U32, keys_there.data, 1, &sum, 0));
  CHECK_STATUS(USW_OK, usw_set_add_span(set, USW_PLUS, USW_F64, x, stride, USW_U32, with_keys, cells, BINS, 0));
  CHECK_STATUS(expected, usw_set_run(set, n, options));
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_F64(1, sum);
  for (int k = 0; k < BINS; k++)
    CHECK_F64(k, cells[k]);
  usw_set_destroy(set);
}

static void refused_runs(void) {
  static double zeros[ITEMS];
  usw_options_t options = place_options(&place);
  static uint32_t wrong[ITEMS];
  place_memory_t x = memory_get(&place, zeros, sizeof zeros, 0);
  const char *const at = (const char *)x.data;
  refused_first(NULL, "reducer 0 (sum_f64): 'x' is NULL with n = 5");
  refused_first(at + 2, "reducer 0 (sum_f64): 'x' at");
  refused_run(USW_ERROR_INVALID, NULL, keys_there.data, 5, 1, &options, "reducer 1 (sum_f64): 'x' is NULL with n = 5");
  refused_run(USW_ERROR_INVALID, at, NULL, 5, 1, &options, "reducer 1 (sum_f64): 'keys' is NULL");
  refused_run(USW_ERROR_INVALID, at + 4, keys_there.data, 5, 1, &options, "not aligned to 8 bytes");
  refused_run(USW_ERROR_INVALID, at, (const char *)keys_there.data + 2, 5, 1, &options, "not aligned to 4 bytes");
  refused_run(USW_ERROR_INVALID, at, keys_there.data, 5, PTRDIFF_MAX / 4, &options, "larger than the address space");
  refused_run(USW_ERROR_INVALID, at, keys_there.data, (size_t)1 << 60, 1, &options, "over 2^56");
  memcpy(wrong, keys, sizeof wrong);
  wrong[ITEMS - 1] = BINS;
  place_memory_t outside = memory_get(&place, wrong, sizeof wrong, 0);
  refused_run(USW_ERROR_INVALID, at, outside.data, ITEMS, 1, &options,
              "reducer 1 (sum_f64): a key is outside its span of 37 elements");
  memory_free(&outside);
  options.stride[1] = 1;
  refused_run(USW_ERROR_INVALID, at, keys_there.data, 5, 1, &options, "options.stride[1]");
  options.stride[1] = 0;
  options.size--;
  refused_run(USW_ERROR_VERSION, at, keys_there.data, 5, 1, &options, "options.size");
  options.size++;
  options.place = USW_DEVICE;
  options.device = 4711;
  refused_run(USW_ERROR_DEVICE, at, keys_there.data, 5, 1, &options, "no device 4711");
  if (strcmp(place.target, "nvptx") == 0) {
    options = place_options(&place);
    refused_run(USW_ERROR_PLACE, zeros, keys_there.data, 5, 1, &options, "reducer 1 (sum_f64): 'x' at");
    refused_run(USW_ERROR_PLACE, zeros, keys_there.data, 5, 1, NULL, "reducer 1 (sum_f64): 'x' at");
    options.place = USW_HOST;
    refused_run(USW_ERROR_PLACE, zeros, keys, 5, 1, &options, "reducer 0 (sum_u32): 'x' at");
  }
  memory_free(&x);
}

/* A batch: arrays of lengths of their own, of several types and operators, with one reducer that takes the run's n. */
static void arrays_of_their_own(size_t n_of_run) {
  static const usw_type_t types[] = {USW_F64, USW_I16, USW_F32, USW_BF16, USW_CF32, USW_U64, USW_I8, USW_F16};
  static const size_t lengths[] = {0, 1, 31, 33, 255, 1000, 4097, ITEMS};
  enum { TYPES = sizeof types / sizeof *types, LENGTHS = sizeof lengths / sizeof *lengths, SOME = 60 };
  const usw_options_t options = place_options(&place);
  place_memory_t x[TYPES];
  result_t variables[SOME];
  struct {
    const row_t *row;
    int type;
    size_t n;
  } added[SOME];
  double sum = 0.5;
  int count = 0;
  usw_set_t *set = NULL;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  for (int t = 0; t < TYPES; t++) {
    pattern_fill(PATTERN_random, types[t], items, ITEMS, 1 + (uint64_t)t);
    x[t] = memory_get(&place, items, ITEMS * type_bytes(types[t]), 0);
  }
  for (int r = 0; r < ROW_COUNT && count < SOME; r++)
    for (int t = 0; t < TYPES && count < SOME; t++)
      if (rows[r].type == types[t] && is_set_task(&rows[r])) {
        added[count].row = &rows[r];
        added[count].type = t;
        added[count].n = lengths[count % LENGTHS];
        CHECK_STATUS(USW_OK, usw_set_add_array(set, rows[r].operation, types[t], x[t].data, added[count].n, 1,
                                               &variables[count], USW_SET_INITIALIZE_TO_IDENTITY));
        count++;
      }
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, x[0].data, USW_STRIDE_NONE, &sum, 0));
  CHECK(count > 40);
  for (int round = 0; round < 2; round++) {
    CHECK_STATUS(USW_OK, usw_set_run(set, n_of_run, &options));
    for (int k = 0; k < count; k++) {
      pattern_fill(PATTERN_random, added[k].row->type, items, ITEMS, 1 + (uint64_t)added[k].type);
      numbers_of(added[k].row->type, items, ITEMS, numbers);
      agree(added[k].row, numbers, added[k].n, USW_NAN_PROPAGATE, PATTERN_random, &variables[k], "array of its own");
    }
  }
  pattern_fill(PATTERN_random, USW_F64, items, 1, 1);
  double first;
  memcpy(&first, items, sizeof first);
  const double expected = 0.5 + 2 * (double)n_of_run * first;
  CHECK(fabs(sum - expected) <= 1e-12 * fabs(expected));
  /* What is known of the last run holds for the same n and options alone, and not when a reducer was added. */
  usw_options_t ignoring = options;
  ignoring.nan = USW_NAN_IGNORE;
  sum = 0;
  CHECK_STATUS(USW_OK, usw_set_run(set, n_of_run + 3, &options));
  CHECK_STATUS(USW_OK, usw_set_run(set, n_of_run + 3, &ignoring));
  CHECK_STATUS(USW_OK, usw_set_run(set, n_of_run, &ignoring));
  const double more = (double)(3 * n_of_run + 6) * first;
  CHECK(fabs(sum - more) <= 1e-12 * fabs(more));
  ignoring.size--;
  CHECK_STATUS(USW_ERROR_VERSION, usw_set_run(set, n_of_run, &ignoring));
  CHECK_STATUS(USW_OK, usw_set_add_array(set, USW_PLUS, USW_F64, NULL, 1, 1, &first, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_set_run(set, n_of_run, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'x' is NULL with n = 1");
  usw_set_destroy(set);
  for (int t = 0; t < TYPES; t++)
    memory_free(&x[t]);
}

int main(int argc, char **argv) {
  usw_set_t *set = NULL;
  double sum = 0;
  place = place_of_arguments(argc, argv);
  refused_reducers();
  every_row();
  original_values(0);
  original_values(1);
  original_values(ITEMS);
  unreached_values();
  many(1);
  many(10000);
  large();
  arrays_of_their_own(0);
  arrays_of_their_own(10);
  refused_runs();
  memory_free(&keys_there);
  memory_free(&long_keys_there);
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, NULL, 1, &sum, 0));
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_set_run(set, 0, NULL));
  CHECK_STATUS(USW_ERROR_STATE, usw_set_add(set, USW_PLUS, USW_F64, NULL, 1, &sum, 0));
  usw_set_destroy(set);
  CHECK_STATUS(USW_ERROR_STATE, usw_set_create(&set));
  return check_report();
}
