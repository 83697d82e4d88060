/* Large spans of many items on GPUs: sums by a fixed point are exact, whatever the number of teams, or taken in turns where their numbers do not
 * fit; beside them extremes, short spans and variables; spans alone, and in chunks.
 *   exact_spans [--place NAME] */
#include <math.h>
#include <stdlib.h>
#include <upsweep/upsweep.h>

#include "oracle/exact.h"
#include "span_items.h"
#include "support/check.h"

enum { MOST_CELLS = 20000 };

#define VALUE_OF_NUMBER(i) number_of(i, 40)
#define VALUE_OF_FLOATS(i) (float)number_of(i, 40)
#define VALUE_FAR_APART(i) number_of(i, 300)
/* Finite ones are within the words. */
#define VALUE_OF_NANS(i) ((i) == 4711 ? NAN : (i) == 4001 ? INFINITY : 0x1p980 * number_of(i, 20))

#define SPAN_EXTENT USW_DYNAMIC_EXTENT
#define SPAN_NAME numbers_of
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_NUMBER
#include "span_kernel.h"
#define SPAN_NAME floats_of
#define SPAN_TYPE float
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_FLOATS
#include "span_kernel.h"
#define SPAN_NAME far_apart_of
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_FAR_APART
#include "span_kernel.h"
#define SPAN_NAME nans_of
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_NANS
#include "span_kernel.h"
/* A span and nothing else: its cells are the result. */
#define USW_KERNEL only_counts
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S) S(uint64_t, cells, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(cells, key % extent, i + 1); }
#include <upsweep/kernel_end.h>

/* Sums of two types by one fixed point, extremes beside them, a short span and a variable. */
#define USW_KERNEL mixed_spans
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S)                                                                                             \
  S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS)                                                                        \
  S(float, ends, USW_DYNAMIC_EXTENT, USW_MAXIMUM)                                                                      \
  S(float, floats, USW_DYNAMIC_EXTENT, USW_PLUS) S(double, few, 4, USW_PLUS) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const uint32_t cell = key % extent;
  usw_add_at(sums, cell, number_of(i, 40));
  usw_combine_at(ends, cell, VALUE_TO_COMPARE(i));
  usw_add_at(floats, cell, VALUE_OF_FLOATS(i));
  usw_add_at(few, i % 4, 0.25);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* Of parts. */
#define USW_KERNEL dealt_sums
#define USW_PARTS 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_add_at(sums, key % extent, number_of(key, 40)); }
#include <upsweep/kernel_end.h>

/* What may come in chunks. */
#define USW_KERNEL chunked_sums
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key) VALUE(uint32_t, extent)
#define USW_REDUCERS(R, S) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_add_at(sums, key % extent, 0.5 + key % 8); }
#include <upsweep/kernel_end.h>

enum { FIXED_CELLS = 33000 };
static exact_t exact[FIXED_CELLS];
static double magnitudes[FIXED_CELLS];
static double got_sums[FIXED_CELLS], again_sums[FIXED_CELLS];
static float got_floats[FIXED_CELLS];

static usw_options_t fixed_options(uint32_t teams) {
  usw_options_t options = place_options(&place);
  options.teams = teams;
  return options;
}

static void sum_exactly(size_t n, uint32_t most, int as_floats, uint32_t range) {
  memset(exact, 0, sizeof exact);
  memset(magnitudes, 0, sizeof magnitudes);
  for (size_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < times_of(i, most); k++) {
      const double x = number_of(i + k, range);
      exact_add(&exact[cell_of(keys[i], k, FIXED_CELLS)], as_floats ? (float)x : x);
      magnitudes[cell_of(keys[i], k, FIXED_CELLS)] += fabs(x);
    }
}

/* On GPUs each is the exact sum, rounded once, whatever the teams, but for runs of keys, of which turns are taken; else near it. */
static void check_exact_sums(pattern_t pattern, size_t n, uint32_t most) {
  const format_t doubles = {53, -1074, 0x1.fffffffffffffp1023L}, floats = {24, -149, 0x1.fffffep127L};
  const uint32_t *key = (const uint32_t *)keys_there.data;
  const int on_gpu = strcmp(place.target, "nvptx") == 0 || strcmp(place.target, "simt") == 0;
  const int is_exact = on_gpu && (pattern == UNIFORM || pattern == TWO_KEYS);
  uint64_t items = 0;
  usw_options_t options = fixed_options(0), others = fixed_options(7);
  memset(got_sums, 0, sizeof got_sums);
  memset(again_sums, 0, sizeof again_sums);
  memset(got_floats, 0, sizeof got_floats);
  sum_exactly(n, most, 0, 40);
  CHECK_STATUS(USW_OK, numbers_of(n, key, FIXED_CELLS, most, &items, got_sums, FIXED_CELLS, &options));
  CHECK_STATUS(USW_OK,
               numbers_of(n, key, FIXED_CELLS, most, &items, again_sums, FIXED_CELLS, is_exact ? &others : &options));
  CHECK_U64(2 * n, items);
  CHECK(memcmp(got_sums, again_sums, sizeof got_sums) == 0);
  for (uint32_t k = 0; k < FIXED_CELLS; k++) {
    const double sum = (double)exact_rounded(&exact[k], doubles);
    if (is_exact ? sum != got_sums[k] : fabs(sum - got_sums[k]) > 1e-11 * magnitudes[k])
      CHECK_F64(sum, got_sums[k]);
  }
  sum_exactly(n, most, 1, 40);
  CHECK_STATUS(USW_OK, floats_of(n, key, FIXED_CELLS, most, &items, got_floats, FIXED_CELLS, &options));
  for (uint32_t k = 0; k < FIXED_CELLS; k++) {
    const float sum = (float)exact_rounded(&exact[k], floats);
    if (is_exact ? sum != got_floats[k] : fabsf(sum - got_floats[k]) > 1e-4f * (float)magnitudes[k])
      CHECK_F64(sum, got_floats[k]);
  }
}

/* Numbers that fit no words, and those that are none, are added in turns: near the sum, with the same bits again. */
static void check_unfit_sums(size_t n) {
  const uint32_t *key = (const uint32_t *)keys_there.data;
  uint64_t items = 0;
  usw_options_t options = fixed_options(0);
  memset(got_sums, 0, sizeof got_sums);
  memset(again_sums, 0, sizeof again_sums);
  sum_exactly(n, 1, 0, 300);
  CHECK_STATUS(USW_OK, far_apart_of(n, key, FIXED_CELLS, 1, &items, got_sums, FIXED_CELLS, &options));
  CHECK_STATUS(USW_OK, far_apart_of(n, key, FIXED_CELLS, 1, &items, again_sums, FIXED_CELLS, &options));
  CHECK(memcmp(got_sums, again_sums, sizeof got_sums) == 0);
  for (uint32_t k = 0; k < FIXED_CELLS; k++) {
    const double sum = (double)exact_value(&exact[k]);
    if (!(fabs(sum - got_sums[k]) <= 1e-11 * magnitudes[k]))
      CHECK_F64(sum, got_sums[k]);
  }
  memset(got_sums, 0, sizeof got_sums);
  CHECK_STATUS(USW_OK, nans_of(n, key, FIXED_CELLS, 1, &items, got_sums, FIXED_CELLS, &options));
  CHECK_U64(3 * n, items);
  for (uint32_t k = 0; k < FIXED_CELLS; k++)
    if (k != cell_of(keys[4711], 0, FIXED_CELLS) && k != cell_of(keys[4001], 0, FIXED_CELLS))
      CHECK_AT(isfinite(got_sums[k]), "finite");
  CHECK(isnan(got_sums[cell_of(keys[4711], 0, FIXED_CELLS)]));
  if (cell_of(keys[4001], 0, FIXED_CELLS) != cell_of(keys[4711], 0, FIXED_CELLS))
    CHECK(isinf(got_sums[cell_of(keys[4001], 0, FIXED_CELLS)]));
}

static void check_mixed_spans(int is_exact) {
  enum { CELLS = 12000 };
  static double sums[CELLS];
  static float ends[CELLS], floats[CELLS], expected_ends[CELLS];
  const format_t doubles = {53, -1074, 0x1.fffffffffffffp1023L}, of_float = {24, -149, 0x1.fffffep127L};
  double few[4] = {1, 1, 1, 1};
  uint64_t items = 0;
  const usw_options_t options = fixed_options(0);
  memset(sums, 0, sizeof sums);
  memset(floats, 0, sizeof floats);
  memset(exact, 0, sizeof exact);
  for (uint32_t k = 0; k < CELLS; k++)
    ends[k] = expected_ends[k] = -1e6f;
  for (size_t i = 0; i < MOST_ITEMS; i++) {
    const uint32_t k = keys[i] % CELLS;
    exact_add(&exact[k], number_of(i, 40));
    exact_add(&exact[CELLS + k], VALUE_OF_FLOATS(i));
    expected_ends[k] = expected_ends[k] < VALUE_TO_COMPARE(i) ? VALUE_TO_COMPARE(i) : expected_ends[k];
  }
  CHECK_STATUS(USW_OK, mixed_spans(MOST_ITEMS, (const uint32_t *)keys_there.data, CELLS, sums, CELLS, ends, CELLS,
                                   floats, CELLS, few, &items, &options));
  CHECK_U64(MOST_ITEMS, items);
  CHECK(memcmp(ends, expected_ends, sizeof ends) == 0);
  for (int k = 0; k < 4; k++)
    CHECK_F64(1 + 0.25 * (MOST_ITEMS / 4 + (k < MOST_ITEMS % 4)), few[k]);
  for (uint32_t k = 0; k < CELLS && is_exact; k++) {
    CHECK_F64((double)exact_rounded(&exact[k], doubles), sums[k]);
    CHECK_F64((float)exact_rounded(&exact[CELLS + k], of_float), floats[k]);
  }
}

/* Parts that are alike are chosen for once: each is as exact as the first. */
static void check_parts(int is_exact) {
  enum { PARTS = 2, CELLS = 33000 };
  const format_t doubles = {53, -1074, 0x1.fffffffffffffp1023L};
  const uint32_t *const key = keys_there.data;
  usw_kernel_part_t parts[PARTS];
  for (int k = 0; k < PARTS; k++) { /* of the same items */
    parts[k] = dealt_sums_part(MOST_ITEMS, key, CELLS);
    parts[k].place = place.place;
    parts[k].device = place.device;
  }
  memset(exact, 0, sizeof exact);
  for (size_t i = 0; i < MOST_ITEMS; i++)
    exact_add(&exact[keys[i] % CELLS], number_of(keys[i], 40));
  CHECK_STATUS(USW_OK, dealt_sums_parts_fresh(parts, PARTS, got_sums, CELLS, NULL));
  for (uint32_t k = 0; k < CELLS && is_exact; k++) {
    CHECK_F64(2 * (double)exact_rounded(&exact[k], doubles), got_sums[k]);
  }
}

/* Chunks, of which the last one is short, in scratch for the others. */
static void check_staged(void) {
  enum { STAGED_ITEMS = 260001, CELLS = 40000 };
  static double expected[CELLS], got[CELLS];
  uint32_t *key = malloc(STAGED_ITEMS * sizeof *key);
  usw_options_t options = fixed_options(0);
  options.staging = USW_STAGING_ALWAYS;
  memset(expected, 0, sizeof expected);
  memset(got, 0, sizeof got);
  for (size_t i = 0; i < STAGED_ITEMS; i++) {
    key[i] = (uint32_t)(i * 0x9e3779b97f4a7c15u >> 33);
    expected[key[i] % CELLS] += 0.5 + key[i] % 8;
  }
  CHECK_STATUS(USW_OK, chunked_sums(STAGED_ITEMS, key, CELLS, got, CELLS, &options));
  CHECK(memcmp(expected, got, sizeof got) == 0);
  free(key);
}

/* With what its elements begin with, and without. */
static void check_only_span(size_t n, uint32_t extent) {
  static uint64_t expected[MOST_CELLS], got[MOST_CELLS];
  usw_options_t options = place_options(&place);
  const uint32_t *key = (const uint32_t *)keys_there.data;
  for (int is_fresh = 0; is_fresh < 2; is_fresh++) {
    for (uint32_t k = 0; k < extent; k++) {
      got[k] = 7 * k + 1;
      expected[k] = is_fresh ? 0 : got[k];
    }
    for (size_t i = 0; i < n; i++)
      expected[keys[i] % extent] += i + 1;
    CHECK_STATUS(USW_OK, (is_fresh ? only_counts_fresh : only_counts)(n, key, extent, got, extent, &options));
    CHECK(memcmp(got, expected, extent * sizeof *got) == 0);
  }
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 3, 300, 1025, 5003};
  place = place_of_arguments(argc, argv);
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    set_keys((pattern_t)pattern);
    if (pattern == UNIFORM || place_takes_next(&place, 4)) {
      check_exact_sums((pattern_t)pattern, MOST_ITEMS, pattern == UNIFORM ? 3 : 1);
      check_unfit_sums(MOST_ITEMS);
    }
  }
  set_keys(UNIFORM);
  for (int k = 0; k < 6; k++) {
    check_only_span(sizes[k], 100);
    check_only_span(sizes[k], 9000);
  }
  check_only_span(MOST_ITEMS, 5000); /* enough for several blocks in common */
  check_mixed_spans(strcmp(place.target, "simt") == 0 || strcmp(place.target, "nvptx") == 0);
  check_parts(strcmp(place.target, "simt") == 0 || strcmp(place.target, "nvptx") == 0);
  if (place.place != USW_HOST)
    check_staged();
  memory_free(&keys_there);
  return check_report();
}
