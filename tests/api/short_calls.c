/* Short calls on the host take a way of their own where they ask for nothing else: each function and type has the same bits as
 * with a report, which goes the usual way, however the elements lie; and what that way refuses is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "oracle/items.h"
#include "support/check.h"
#include "support/place.h"

static const test_place_t host = {USW_HOST, -1, "host"};

static result_t reduce(const row_t *row, const laid_out_t *laid_out, usw_options_t options, usw_report_t *report) {
  result_t result;
  memset(&result, 0xa5, sizeof result);
  options.report = report;
  CHECK_STATUS(USW_OK, laid_out_reduce(laid_out, row, &options, &result));
  return result;
}

/* In three layouts: runs of elements (USW_BY_RUNS) give the bits that elements would one by one, as with a stride. */
static void same_all_ways(const row_t *row, pattern_t pattern, size_t n, usw_nan_t nan) {
  static const layout_t layouts[] = {{0, 1}, {1, 1}, {0, 2}};
  items_t items = items_make(row->type, pattern, n, 0);
  usw_options_t options = place_options(&host);
  result_t first;
  options.nan = nan;
  for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
    laid_out_t laid_out = items_lay_out(&items, &host, layouts[k]);
    usw_report_t report = {.size = sizeof report};
    const result_t usual = reduce(row, &laid_out, options, &report), brief = reduce(row, &laid_out, options, NULL);
    first = k == 0 ? usual : first;
    check_count(memcmp(&usual, &brief, sizeof usual) == 0 && results_equal(row, &usual, &first), __FILE__, __LINE__,
                "%s_%s of %zu, %s, nan %d, layout %zu: other bits", row->name, type_name(row->type), n,
                pattern_name(pattern), (int)nan, k);
    laid_out_free(&laid_out);
  }
  items_free(&items);
}

static void all_rows(void) {
  static const size_t lengths[] = {1, 15, 16, 17, 63, 511, 513, 4096, 4097, 16384, 16385, 32769};
  static const pattern_t patterns[] = {PATTERN_random,    PATTERN_extremes, PATTERN_zeros,
                                       PATTERN_nan_often, PATTERN_nan_all,  PATTERN_huge_and_tiny};
  for (int r = 0; r < ROW_COUNT; r++)
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
      for (size_t k = 0; pattern_fits(patterns[p], rows[r].type) && k < sizeof lengths / sizeof *lengths; k++) {
        if (takes_next(3))
          same_all_ways(&rows[r], patterns[p], lengths[k], USW_NAN_PROPAGATE);
        if (takes_next(3))
          same_all_ways(&rows[r], patterns[p], lengths[k], USW_NAN_IGNORE);
      }
}

/* The results of min, max and minmax of elements that follow each other, and of the same two apart, which no run has. */
#define EXTREMES(tag, CODE, T)                                                                                         \
  static void extremes_of_##tag(const T *apart, const T *together, size_t n, const char *what) {                       \
    static const usw_operation_t operations[] = {USW_MINIMUM, USW_MAXIMUM, USW_MINMAX, USW_ARGMIN, USW_ARGMAX};        \
    usw_options_t one = place_options(&host), two = one;                                                               \
    two.stride[0] = 2;                                                                                                 \
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++) {                                              \
      T by_keys[4] = {0}, by_runs[4] = {0}; /* an index, too */                                                        \
      CHECK_STATUS(USW_OK, usw_reduce(operations[k], CODE, together, n, by_runs, &one));                               \
      CHECK_STATUS(USW_OK, usw_reduce(operations[k], CODE, apart, n, by_keys, &two));                                  \
      check_count(memcmp(by_keys, by_runs, sizeof by_keys) == 0, __FILE__, __LINE__,                                   \
                  "%zu " #tag ", %s: %a, %a not %a, %a", n, what, (double)by_runs[0], (double)by_runs[1],              \
                  (double)by_keys[0], (double)by_keys[1]);                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  /* One number among others, at the beginning, within a vector, and at the end. */                                    \
  static void near_zero_##tag(T least) {                                                                               \
    const T numbers[] = {0, -(T)0, least, -least, 3 * least, 1, -1};                                                   \
    enum { MOST = 4096, NUMBERS = sizeof numbers / sizeof *numbers };                                                  \
    static const size_t lengths[] = {16, 100, 513, MOST};                                                              \
    static T apart[2 * MOST], together[MOST];                                                                          \
    for (size_t c = 0; c < NUMBERS * NUMBERS * 3 * 4; c++) {                                                           \
      const size_t n = lengths[c % 4], places[] = {0, n / 2 + 1, n - 1};                                               \
      const T usual = numbers[c / 12 % NUMBERS], other = numbers[c / 12 / NUMBERS];                                    \
      char what[64];                                                                                                   \
      snprintf(what, sizeof what, "%a among %a", (double)other, (double)usual);                                        \
      for (size_t k = 0; k < n; k++)                                                                                   \
        apart[2 * k] = together[k] = k == places[c / 4 % 3] ? other : usual;                                           \
      extremes_of_##tag(apart, together, n, what);                                                                     \
    }                                                                                                                  \
  }
EXTREMES(f32, USW_F32, float)
EXTREMES(f64, USW_F64, double)

static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};

static void refused(usw_status_t expected, const char *culprit, const void *from, usw_options_t options, int line) {
  double sum = -1;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, from, 2, &sum, &options);
  check_count(status == expected && sum == -1 && strstr(usw_error_text(), culprit), __FILE__, line,
              "%s (%s), sum %g in place of %s about '%s'", usw_status_name(status), usw_error_text(), sum,
              usw_status_name(expected), culprit);
}

/* Each member of the options that a short call could overlook. */
static void every_option(void) {
  const usw_options_t plain = place_options(&host);
  usw_options_t o = plain;
  refused(USW_ERROR_INVALID, "NULL", NULL, plain, __LINE__);
  refused(USW_ERROR_INVALID, "aligned", (const char *)x + 4, plain, __LINE__);
#define REFUSED(expected, culprit, member, value)                                                                      \
  o = plain;                                                                                                           \
  o.member = value;                                                                                                    \
  refused(expected, culprit, x, o, __LINE__)
  REFUSED(USW_ERROR_VERSION, "size", size, sizeof o - 1);
  REFUSED(USW_ERROR_INVALID, "place", place, (usw_place_t)9);
  REFUSED(USW_ERROR_UNSUPPORTED, "USW_STRATEGY_TREE", strategy, USW_STRATEGY_TREE);
  REFUSED(USW_ERROR_INVALID, "accuracy", accuracy, (usw_accuracy_t)9);
  REFUSED(USW_ERROR_INVALID, "accuracy", accuracy, (usw_accuracy_t)-1);
  REFUSED(USW_ERROR_INVALID, "nan", nan, (usw_nan_t)9);
  REFUSED(USW_ERROR_INVALID, "staging", staging, (usw_staging_t)9);
  REFUSED(USW_ERROR_INVALID, "teams", teams, 65536);
  REFUSED(USW_ERROR_INVALID, "fold", fold, 5);
  REFUSED(USW_ERROR_UNSUPPORTED, "stream", stream, &o);
  REFUSED(USW_ERROR_INVALID, "address space", stride[0], PTRDIFF_MAX);
}

static double sum_with(usw_options_t options, size_t n) {
  double sum = -1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n, &sum, &options));
  return sum;
}

static void what_is_heeded(void) {
  usw_options_t o = place_options(&host);
  CHECK_F64(0, sum_with(o, 0));
  o.stride[0] = 1;
  CHECK_F64(10, sum_with(o, 4));
  o.stride[0] = 2;
  CHECK_F64(16, sum_with(o, 4));
  o.stride[0] = USW_STRIDE_NONE;
  CHECK_F64(4, sum_with(o, 4));
  o.stride[0] = 0;
  uint64_t before, after;
  usw_recheck_counts(&before, NULL);
  o.recheck = 1;
  CHECK_F64(10, sum_with(o, 4));
  usw_recheck_counts(&after, NULL);
  CHECK_U64(before + 1, after);
}

/* A pair is passed over for either of its elements. */
static void nan_of_one_stream(void) {
  static const double x[] = {3, NAN, -1, 2, 4}, y[] = {1, 2, NAN, 10, 5};
  usw_report_t report = {.size = sizeof report};
  usw_options_t options = place_options(&host);
  double dot = 0;
  options.nan = USW_NAN_IGNORE;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x, y, 5, &dot, &options));
  CHECK_F64(43, dot);
  options.report = &report;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x, y, 5, &dot, &options));
  CHECK_U64(3, report.kept);
}

int main(void) {
  all_rows();
  nan_of_one_stream();
  near_zero_f32(0x1p-149f);
  near_zero_f64(0x1p-1074);
#ifdef __SSE2__
  const unsigned usual = _mm_getcsr();
  _mm_setcsr(usual | 0x8040); /* subnormal numbers are zeros */
  near_zero_f32(0x1p-149f);
  near_zero_f64(0x1p-1074);
  _mm_setcsr(usual);
#endif
  every_option();
  what_is_heeded();
  return check_report();
}
