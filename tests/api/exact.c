/* USW_EXACT gives the exact sum, rounded once, and each bin that options.fold asks for makes the error of a reproducible sum
 * smaller: over hard data, against sums that are never rounded.   exact [--place NAME] */
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/partial.h>
#include <upsweep/set.h>

#include "hard_data.h"
#include "oracle/oracle.h"
#include "support/check.h"
#include "support/place.h"

static test_place_t place;

static int is_emulated(void) { return strcmp(place.target, "simt") == 0; }
static int is_double(usw_type_t type) { return type == USW_F64 || type == USW_CF64; }
static int is_complex(usw_type_t type) { return type == USW_CF32 || type == USW_CF64; }

/* What has the level. */
static int has_exact(const row_t *row) {
  switch (row->operation) {
  case USW_PLUS:
    return 1;
  case USW_NORM1:
  case USW_DOT:
    return !is_complex(row->type);
  default:
    return 0;
  }
}

/* ---- the exact sums ---- */

static int has_nan(const row_t *row, const number_t *x, const number_t *y, size_t i) {
  return isnan(x[i].re) || isnan(x[i].im) || (row->operation == USW_DOT && isnan(y[i].re));
}

/* Of one part; a product of doubles as a pair, whose lower part is rounded where it is subnormal. */
static exact_t exact_of(const row_t *row, const number_t *x, const number_t *y, size_t n, int imaginary,
                        usw_nan_t nan) {
  exact_t sum;
  memset(&sum, 0, sizeof sum);
  for (size_t i = 0; i < n; i++) {
    if (nan == USW_NAN_IGNORE && has_nan(row, x, y, i))
      continue;
    const double left = (double)(imaginary ? x[i].im : x[i].re);
    if (row->operation == USW_DOT) {
      const double right = (double)y[i].re, product = left * right;
      exact_add(&sum, (long double)product);
      if (isfinite(product))
        exact_add(&sum, (long double)fma(left, right, -product));
    } else {
      exact_add(&sum, (long double)(row->operation == USW_NORM1 ? fabs(left) : left));
    }
  }
  return sum;
}

static double rounded(const row_t *row, const exact_t *sum) {
  static const format_t of_double = {53, -1074, DBL_MAX}, of_float = {24, -149, FLT_MAX};
  return (double)exact_rounded(sum, is_double(row->type) ? of_double : of_float);
}

static double part_of(const row_t *row, const result_t *result, int part) {
  float single;
  double number;
  memcpy(&single, result->bytes + (size_t)part * sizeof single, sizeof single);
  memcpy(&number, result->bytes + (size_t)part * sizeof number, sizeof number);
  return is_double(row->type) ? number : (double)single;
}

/* ---- one call ---- */

typedef struct {
  const row_t *row;
  const char *name; /* of the data */
  const items_t *items;
} data_t;

static int same(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

static void check_policy(const data_t *data, const laid_out_t *laid_out, usw_options_t options, usw_nan_t nan,
                         const char *way) {
  const row_t *row = data->row;
  const items_t *items = data->items;
  result_t result;
  memset(&result, 0, sizeof result);
  options.accuracy = USW_EXACT;
  options.nan = nan;
  CHECK_STATUS(USW_OK, laid_out_reduce(laid_out, row, &options, &result));
  for (int p = 0; p < 1 + is_complex(row->type); p++) {
    const exact_t sum = exact_of(row, items->numbers_of_x, items->numbers_of_y, items->n, p, nan);
    const double expected = rounded(row, &sum), got = part_of(row, &result, p);
    check_count(same(expected, got), __FILE__, __LINE__, "%s_%s of %s, n=%zu, nan=%d, part %d, %s: %a, not %a",
                row->name, type_name(row->type), data->name, items->n, (int)nan, p, way, got, expected);
  }
}

/* With either NaN policy, where it matters. */
static void check_exact(const data_t *data, const laid_out_t *laid_out, usw_options_t options, const char *way) {
  const items_t *items = data->items;
  size_t kept = 0;
  for (size_t i = 0; i < items->n; i++)
    kept += !has_nan(data->row, items->numbers_of_x, items->numbers_of_y, i);
  check_policy(data, laid_out, options, USW_NAN_PROPAGATE, way);
  if (kept == items->n && items->n > 64)
    return;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  options.report = &report;
  check_policy(data, laid_out, options, USW_NAN_IGNORE, way);
  CHECK_U64(kept, report.kept);
}

static const layout_t contiguous = {0, 1};

static void check_layout(const data_t *data, layout_t layout, const char *way) {
  laid_out_t laid_out = items_lay_out(data->items, &place, layout);
  check_exact(data, &laid_out, place_options(&place), way);
  laid_out_free(&laid_out);
}

/* ---- folds ---- */

/* The error, against the bound that usw_explain() has; the part is the real one. */
static long double check_fold(const data_t *data, const laid_out_t *laid_out, uint32_t fold, long double largest,
                              result_t *result) {
  const exact_t sum =
      exact_of(data->row, data->items->numbers_of_x, data->items->numbers_of_y, data->items->n, 0, USW_NAN_PROPAGATE);
  const long double exact = exact_value(&sum);
  usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
  usw_options_t options = place_options(&place);
  options.accuracy = USW_REPRODUCIBLE;
  options.fold = fold;
  CHECK_STATUS(USW_OK, usw_explain(data->row->operation, data->row->type, data->items->n, &options, &explained));
  CHECK_STATUS(USW_OK, laid_out_reduce(laid_out, data->row, &options, result));
  if (isinf(rounded(data->row, &sum))) { /* more bins do not help */
    CHECK_F64(rounded(data->row, &sum), part_of(data->row, result, 0));
    return 0;
  }
  const long double error = fabsl((long double)part_of(data->row, result, 0) - exact);
  const long double least = is_double(data->row->type) ? 0x1p-1075L : 0x1p-150L;
  const long double bound =
      (long double)explained.error_bound * largest + (long double)explained.result_bound * fabsl(exact) + least;
  check_count(error <= bound * (1 + 0x1p-60L), __FILE__, __LINE__,
              "%s_%s of %s, n=%zu, fold %u: error %.3Lg, the bound is %.3Lg", data->row->name,
              type_name(data->row->type), data->name, data->items->n, fold, error, bound);
  return error;
}

static long double largest_of(const data_t *data) {
  long double largest = 0;
  for (size_t i = 0; i < data->items->n; i++) {
    const long double x = fabsl(data->items->numbers_of_x[i].re),
                      size = data->row->operation == USW_DOT ? x * fabsl(data->items->numbers_of_y[i].re) : x;
    largest = size > largest ? size : largest;
  }
  return largest;
}

static void check_folds(const data_t *data, const items_t *shuffled) {
  static const uint32_t folds[] = {0, 3, 4, 6, 9, 60};
  laid_out_t laid_out = items_lay_out(data->items, &place, contiguous);
  laid_out_t other = items_lay_out(shuffled, &place, contiguous);
  const long double largest = largest_of(data);
  long double before = INFINITY;
  for (size_t f = 0; f < sizeof folds / sizeof *folds; f++) {
    result_t result, again;
    memset(&result, 0, sizeof result);
    memset(&again, 0, sizeof again);
    const long double error = check_fold(data, &laid_out, folds[f], largest, &result);
    check_count(error <= before, __FILE__, __LINE__, "%s_%s of %s, n=%zu: fold %u has an error of %.3Lg, fewer %.3Lg",
                data->row->name, type_name(data->row->type), data->name, data->items->n, folds[f], error, before);
    check_fold(data, &other, folds[f], largest, &again);
    CHECK_AT(memcmp(&result, &again, sizeof result) == 0, data->name);
    before = error;
  }
  laid_out_free(&laid_out);
  laid_out_free(&other);
}

/* ---- hard data ---- */

static void run_set(usw_type_t type, hard_set_t set, size_t n) {
  items_t items = hard_items(set, type, n), shuffled = hard_shuffled(&items, 5);
  const int has_numbers = set < HARD_one_infinity || set > HARD_one_nan;
  hard_numbers(&items);
  hard_numbers(&shuffled);
  for (int r = 0; r < ROW_COUNT; r++) {
    const data_t data = {&rows[r], hard_name(set), &items}, other = {&rows[r], hard_name(set), &shuffled};
    if (rows[r].type != type || !has_exact(&rows[r]) || !place_takes_next(&place, 3))
      continue;
    check_layout(&data, contiguous, "contiguous");
    check_layout(&other, contiguous, "shuffled");
    if (n == 65 || n == 2049) {
      check_layout(&data, (layout_t){1, 1}, "misaligned");
      check_layout(&data, (layout_t){0, 3}, "strided");
      check_layout(&data, (layout_t){0, -2}, "backwards");
    }
    if (n == 2049 && has_numbers && (!is_emulated() || set == HARD_whole_range))
      check_folds(&data, &shuffled);
  }
  items_free(&items);
  items_free(&shuffled);
}

/* ---- a few numbers, whose sums are near what rounding decides ---- */

typedef struct {
  const char *name;
  double x[8];
  int n;
} few_t;

static const few_t few[] = {
    {"a half and the least", {1, 0x1p-53, 0x1p-1074}, 3},
    {"a half less the least", {1 + 0x1p-52, 0x1p-53, -0x1p-1074}, 3},
    {"a half below one", {-1, -0x1p-53, -0x1p-1074}, 3},
    {"a tie", {1, 0x1p-53}, 2},
    {"a tie of many", {1, 0x1p-53, 0x1p-200, -0x1p-200, 0x1p-500, -0x1p-500}, 6},
    {"more than the largest", {DBL_MAX, 0x1p970}, 2},
    {"hardly the largest", {DBL_MAX, 0x1p970, -0x1p-1074}, 3},
    {"hardly the lowest", {-DBL_MAX, -0x1p970, 0x1p-1074}, 3},
    {"too much on the way", {DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, 0x1p-1074}, 6},
    {"nothing is left", {0x1p1023, -0x1p1023, 0x1p-1074, -0x1p-1074}, 4},
    {"the least is left", {0x1p1023, 0x1p-1074, -0x1p1023}, 3},
    {"half of a unit each", {0x1p90, 0.5, 0.5, -0.5, 0x1p-80, -0x1p90}, 6},
    {"odd, above 2^52 units", {0x1p90, 0x1p52 + 1, -0x1p52, -0x1p90, 0x1p-300}, 5},
    {"odd, below 2^52 units", {0x1p90, 0x1.8p51 + 1, -0x1.8p51, -0x1p90, 0x1p-300}, 5},
    {"a half, above 2^51 units", {0x1p90, 0x1p51 + 0.5, -0x1p51, -0x1p90, 0x1p-300}, 5},
    {"before the lowest window", {0x1p-930, 0x3p-1074, -0x1p-930}, 3},
    {"another sign far below", {0x1p1000, 0x1p947, -0x1p200, 0x1p199, 0x1p-900}, 5},
};

static const few_t few_floats[] = {
    {"a half and the least", {1, 0x1p-24, 0x1p-149}, 3},
    {"a half less the least", {1 + 0x1p-23, 0x1p-24, -0x1p-149}, 3},
    {"a tie", {-1, -0x1p-24}, 2},
    {"more than the largest", {FLT_MAX, 0x1p103}, 2},
    {"hardly the largest", {FLT_MAX, 0x1p103, -0x1p-149}, 3},
    {"too much on the way", {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, 0x1p-149}, 5},
    {"before the lowest window", {0x1p-10, 0x3p-149, -0x1p-10}, 3},
};

static void run_few(const few_t *numbers, usw_type_t type) {
  const size_t n = (size_t)numbers->n;
  items_t items = hard_items(HARD_zeros, type, n);
  for (size_t i = 0; i < n; i++) {
    const double x = numbers->x[i];
    const float single = (float)x;
    if (type == USW_F64)
      memcpy((char *)items.x + i * sizeof x, &x, sizeof x);
    else
      memcpy((char *)items.x + i * sizeof single, &single, sizeof single);
    memcpy((char *)items.y + i * type_bytes(type), items.x, type_bytes(type)); /* all the first */
  }
  hard_numbers(&items);
  const data_t sum = {row_find(USW_PLUS, type), numbers->name, &items},
               dot = {row_find(USW_DOT, type), numbers->name, &items};
  check_layout(&sum, contiguous, "few");
  check_layout(&dot, contiguous, "few");
  items_free(&items);
}

/* A product of doubles is exact where its pair is. */
static void check_products(void) {
  enum { N = 1001 };
  items_t items = hard_items(HARD_condition_1e16, USW_F64, N);
  exact_t sum;
  double got = 0;
  memset(&sum, 0, sizeof sum);
  for (int i = 0; i < N; i++)
    exact_add_product(&sum, ((const double *)items.x)[i], ((const double *)items.y)[i]);
  laid_out_t laid_out = items_lay_out(&items, &place, contiguous);
  usw_options_t options = place_options(&place);
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, laid_out.x, laid_out.y, N, &got, &options));
  CHECK_F64(rounded(row_find(USW_DOT, USW_F64), &sum), got);
  laid_out_free(&laid_out);
  items_free(&items);
}

/* Nothing but what two products' rounding has lost. */
static void check_errors_of_products(void) {
  static const double x[] = {1 + 0x1p-52, -1 - 0x1p-51}, y[] = {1 + 0x1p-52, 1};
  place_memory_t x_there = memory_get(&place, x, sizeof x, 0), y_there = memory_get(&place, y, sizeof y, 0);
  usw_options_t options = place_options(&place);
  double got = 0;
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x_there.data, y_there.data, 2, &got, &options));
  CHECK_F64(0x1p-104, got);
  memory_free(&x_there);
  memory_free(&y_there);
}

/* ---- ways to run, and what they tell ---- */

static void check_ways(void) {
  const size_t n = is_emulated() ? 3001 : 100000;
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int strategy_count = place_strategies(&place, strategies);
  items_t items = hard_items(HARD_whole_range, USW_F64, n);
  hard_numbers(&items);
  const data_t data = {row_find(USW_PLUS, USW_F64), "whole_range", &items};
  laid_out_t laid_out = items_lay_out(&items, &place, contiguous);
  usw_options_t options = place_options(&place);
  for (int threads = 1; threads <= 7; threads += threads == 1 ? 1 : 5) {
    omp_set_num_threads(threads);
    check_exact(&data, &laid_out, options, "threads");
  }
  for (int s = 0; s < strategy_count; s++)
    for (uint32_t teams = 1; teams <= 7 && strategies[s] != USW_STRATEGY_CLAUSE; teams += 3) {
      options.strategy = strategies[s];
      options.teams = teams;
      check_exact(&data, &laid_out, options, strategy_name(strategies[s]));
    }
  options = place_options(&place);
  options.recheck = 1;
  check_exact(&data, &laid_out, options, "rechecked");
  laid_out_free(&laid_out);
  items_free(&items);
}

static void check_report_of(void) {
  const double x[] = {1, 0x1p-53, 0x1p-1074};
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  usw_options_t options = place_options(&place);
  double sum;
  options.accuracy = USW_EXACT;
  options.report = &report;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, there.data, 3, &sum, &options));
  CHECK_U64(place.place, report.place);
  CHECK(report.bytes >= 2 * sizeof x && report.bytes % sizeof x == 0);
  CHECK_U64(3, report.kept);
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, 1 << 20, &options, &e));
  CHECK_TEXT_HAS(e.kernel, "sum_exact_f64");
  CHECK_U64(27, e.most_sweeps);
  CHECK_F64(0, e.error_bound);
  CHECK_F64(0x1p-53, e.result_bound);
  CHECK_U64(place.place, e.place);
  CHECK_STATUS(USW_OK, usw_explain(USW_DOT, USW_F16, 1 << 20, &options, &e));
  CHECK_TEXT_HAS(e.kernel, "dot_exact_f16");
  CHECK_U64(1, e.most_sweeps);
  memory_free(&there);
}

/* ---- refusals ---- */

static void check_refused(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy, uint32_t fold,
                          usw_status_t status, const char *text) {
  usw_options_t options = place_options(&place);
  unsigned char result[64] = {7};
  const row_t *row = row_find(operation, type);
  options.accuracy = accuracy;
  options.fold = fold;
  const usw_status_t got = row->streams == 2 ? usw_reduce_pair(operation, type, NULL, NULL, 0, result, &options)
                                             : usw_reduce(operation, type, NULL, 0, result, &options);
  CHECK_STATUS(status, got);
  if (status != USW_OK) {
    CHECK_TEXT_HAS(usw_error_text(), text);
    CHECK(result[0] == 7);
  }
}

static void check_refusals(void) {
  static const char *const several = "several sweeps";
  check_refused(USW_NORM2, USW_F64, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_DESCRIBE, USW_F64, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_DESCRIBE, USW_I32, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_NORM1, USW_CF64, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_NORM_INF, USW_CF64, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_DOT, USW_CF64, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_DOTC, USW_CF32, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, several);
  check_refused(USW_MULTIPLIES, USW_F64, USW_EXACT, 0, USW_ERROR_UNSUPPORTED, "USW_EXACT");
  check_refused(USW_NORM2, USW_F64, USW_REPRODUCIBLE, 4, USW_ERROR_UNSUPPORTED, "one keeps 3 bins");
  check_refused(USW_NORM2, USW_F32, USW_REPRODUCIBLE, 3, USW_ERROR_UNSUPPORTED, "one keeps 2 bins");
  check_refused(USW_PLUS, USW_F64, USW_REPRODUCIBLE, 61, USW_ERROR_INVALID, "options.fold is 61, at most 60");
  check_refused(USW_NORM2, USW_F64, USW_REPRODUCIBLE, 61, USW_ERROR_INVALID, "options.fold is 61, at most 60");
  check_refused(USW_PLUS, USW_F64, USW_REPEATABLE, 3, USW_ERROR_INVALID, "USW_REPRODUCIBLE only");
  check_refused(USW_PLUS, USW_F64, USW_EXACT, 3, USW_ERROR_INVALID, "USW_REPRODUCIBLE only");
  check_refused(USW_PLUS, USW_F64, (usw_accuracy_t)5, 0, USW_ERROR_INVALID, "no level");
  for (int r = 0; r < ROW_COUNT; r++) /* what rounds nothing has every level */
    if (rows[r].type == USW_I32 && rows[r].operation != USW_DESCRIBE)
      check_refused(rows[r].operation, USW_I32, USW_EXACT, 0, USW_OK, "");
  check_refused(USW_MAXIMUM, USW_F64, USW_EXACT, 0, USW_OK, "");
  check_refused(USW_PLUS, USW_I32, USW_REPRODUCIBLE, 9, USW_OK, "");
}

/* One sweep gives many results, so they have the level of what rounds nothing (all cells: support_table.c). */
static void check_many_results(void) {
  static const struct {
    usw_operation_t operation;
    usw_type_t type;
    usw_status_t status;
  } cells[] = {{USW_PLUS, USW_F64, USW_ERROR_UNSUPPORTED},
               {USW_NORM2, USW_F32, USW_ERROR_UNSUPPORTED},
               {USW_DESCRIBE, USW_I32, USW_ERROR_UNSUPPORTED},
               {USW_PLUS, USW_I32, USW_OK},
               {USW_MAXIMUM, USW_F64, USW_OK},
               {USW_BIT_XOR, USW_U64, USW_OK},
               {USW_BIT_XOR, USW_U8, USW_OK}};
  static const double zeros[12];
  const usw_segments_t segments = usw_segments_of_length(4, 3);
  usw_options_t options = place_options(&place);
  place_memory_t x = memory_get(&place, zeros, sizeof zeros, 0);
  options.accuracy = USW_EXACT;
  for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
    for (int along_axes = 0; along_axes < 2 && place_has_families(&place, cells[c].type); along_axes++) {
      const usw_array_t array = usw_array_2d(cells[c].type, x.data, 3, 4);
      unsigned char results[300] = {7};
      const usw_status_t status =
          along_axes ? usw_reduce_axes(cells[c].operation, &array, USW_AXIS(1), results, &options)
                     : usw_reduce_segments(cells[c].operation, cells[c].type, x.data, 12, &segments, results, &options);
      CHECK_STATUS(cells[c].status, status);
      CHECK_U64(cells[c].status == USW_OK ? 0 : 7, results[0]);
      if (cells[c].status != USW_OK)
        CHECK_TEXT_HAS(usw_error_text(), "take USW_REPRODUCIBLE, or one call for each result");
    }
  memory_free(&x);
}

/* What sees the elements once. */
static void check_once(void) {
  usw_options_t options = place_options(&place);
  usw_partial_t *partial = NULL;
  usw_set_t *set = NULL;
  double sum = 3;
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_partial_create(&partial, USW_PLUS, USW_F64, &options));
  CHECK_TEXT_HAS(usw_error_text(), "several sweeps");
  options.accuracy = USW_REPRODUCIBLE;
  options.fold = 4;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_partial_create(&partial, USW_PLUS, USW_F64, &options));
  CHECK_TEXT_HAS(usw_error_text(), "several sweeps");
  options.fold = 3;
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_PLUS, USW_F64, &options));
  usw_partial_destroy(partial);
  options.accuracy = USW_EXACT;
  options.fold = 0;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, NULL, 0, &sum, 0));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_run(set, 0, &options));
  CHECK(sum == 3);
  usw_set_destroy(set);
}

/* Arguments that are wrong leave the result as it was. */
static void check_arguments(void) {
  usw_options_t options = place_options(&place);
  double x[3] = {1, 2, 3}, sum = 7;
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, NULL, 3, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "sum_exact_f64: 'x' is NULL");
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, (char *)x + 4, 1, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "not aligned");
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, x, 3, NULL, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'result' is NULL");
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, x, SIZE_MAX / 2, &sum, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_pair(USW_PLUS, USW_F64, x, x, 3, &sum, &options));
  CHECK(sum == 7);
  options.strategy = USW_STRATEGY_CLAUSE;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce(USW_PLUS, USW_F64, NULL, 0, &sum, &options));
  options.strategy = USW_AUTO_STRATEGY;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, NULL, 0, &sum, &options));
  CHECK_F64(0, sum);
  options.stride[0] = USW_STRIDE_NONE;
  if (place.place == USW_HOST) {
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x + 2, 5, &sum, &options));
    CHECK_F64(15, sum);
  }
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {100000, 2049, 65, 1, 0};
  place = place_of_arguments(argc, argv);
  const size_t large = is_emulated() || (is_sanitized() && is_quick_tier());
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    for (int set = 0; set < HARD_COUNT; set++)
      for (size_t s = large + (is_emulated() && set != HARD_whole_range); s < sizeof sizes / sizeof *sizes; s++)
        if (hard_fits((hard_set_t)set, type) && type_is_floating(type))
          run_set(type, (hard_set_t)set, sizes[s]);
  for (size_t k = 0; k < sizeof few / sizeof *few; k++)
    run_few(&few[k], USW_F64);
  for (size_t k = 0; k < sizeof few_floats / sizeof *few_floats; k++)
    run_few(&few_floats[k], USW_F32);
  check_products();
  check_errors_of_products();
  check_ways();
  check_report_of();
  check_refusals();
  check_many_results();
  check_once();
  check_arguments();
  return check_report();
}
