/* User kernels: several reducers of different types and operators at once, original values, arrays
 * and values as arguments, every strategy. C11 and C++17, with offload and without.
 *   user_kernel [--place NAME] */
#include <math.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"
#include "user_types.h"

#include "user_mixed.h"

/* No stream at all: what an item needs is found by its index. Any name is the user's that does not begin with usw_. */
#define USW_KERNEL squares
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(int32_t, variables)
#define USW_REDUCERS(R, S) R(int64_t, arguments, USW_PLUS) R(int64_t, variable, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int64_t k = (int64_t)i - variables;
  usw_add(arguments, k * k);
  usw_combine(variable, -k);
}
#include <upsweep/kernel_end.h>

enum { MOST_ITEMS = 100003, WEIGHTS = 101 };

typedef struct {
  double total, worst;
  float least;
  uint64_t over;
  int32_t peak;
  unsigned char narrow;
  double nearest;
  affine_t map;
  padded_t padded;
} results_t;

static double b[MOST_ITEMS];
static float a[MOST_ITEMS];
static int32_t weights[WEIGHTS];
static test_place_t place;
static place_memory_t b_there, a_there, weights_there;
static const double limit = 2.5;

static void fill(void) {
  for (int i = 0; i < MOST_ITEMS; i++) {
    b[i] = (i * 37 % 1009) / 8.0 - 50;
    a[i] = (float)(i * 53 % 499) / 16.0f - 10.0f;
  }
  for (int k = 0; k < WEIGHTS; k++)
    weights[k] = (k * 71 % WEIGHTS) * 1000 - 77777;
}

/* What the variables hold before a call. */
static results_t originals(void) {
  results_t r;
  memset(&r, 0, sizeof r);
  r.total = 1000;
  r.worst = 20;
  r.least = -3;
  r.over = 5;
  r.peak = -60000;
  r.narrow = 250;
  r.nearest = 11;
  r.map = about_seven(3);
  r.padded.low = 1;
  r.padded.sum = 2;
  r.padded.high = 3;
  return r;
}

enum {
  SKIP_TOTAL = 1,
  SKIP_WORST = 2,
  SKIP_LEAST = 4,
  SKIP_OVER = 8,
  SKIP_PEAK = 16,
  SKIP_NARROW = 32,
  SKIP_NEAREST = 64,
  SKIP_MAP = 128,
  SKIP_PADDED = 256,
  SKIP_MOST = 511 - SKIP_NEAREST,
};

/* The same by a plain loop. */
static results_t serial(size_t n, results_t r, unsigned skip) {
  const padded_t zero = padded_zero();
  if (skip & SKIP_TOTAL)
    r.total = 0;
  if (skip & SKIP_WORST)
    r.worst = -INFINITY;
  if (skip & SKIP_LEAST)
    r.least = INFINITY;
  if (skip & SKIP_OVER)
    r.over = 0;
  if (skip & SKIP_PEAK)
    r.peak = INT32_MIN;
  if (skip & SKIP_NARROW)
    r.narrow = 0;
  if (skip & SKIP_MAP)
    r.map = affine_one();
  if (skip & SKIP_PADDED)
    r.padded = zero;
  for (size_t i = 0; i < n; i++) {
    const double d = b[i] - (double)a[i];
    r.total += floor(d);
    r.worst = d > r.worst ? d : r.worst;
    r.least = a[i] < r.least ? a[i] : r.least;
    r.over += d > limit;
    r.peak = weights[i % WEIGHTS] > r.peak ? weights[i % WEIGHTS] : r.peak;
    r.narrow++;
    if (i % 3 == 2)
      r.nearest = closer(r.nearest, b[i]);
    r.map = compose(r.map, about_seven(2 * i + 1));
    r.padded.low = (uint8_t)(r.padded.low + i);
    r.padded.sum += (uint32_t)i * 3;
    r.padded.high = (uint16_t)(r.padded.high + i * 5);
  }
  return r;
}

static usw_options_t options_of(usw_strategy_t strategy) {
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.work_group_load = 2;
  options.accuracy = strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  return options;
}

static usw_status_t run_mixed(size_t n, results_t *r, const usw_options_t *options) {
  return mixed(n, (const double *)b_there.data, (const float *)a_there.data, (const int32_t *)weights_there.data, limit,
               (char)WEIGHTS, &r->total, &r->worst, &r->least, &r->over, &r->peak, &r->narrow, &r->nearest, &r->map,
               &r->padded, options);
}

static void check_mixed(size_t n, usw_strategy_t strategy, unsigned skip) {
  const results_t expected = serial(n, originals(), skip);
  results_t got = originals();
  usw_options_t options = options_of(strategy);
  options.initialize_to_identity = skip;
  CHECK_STATUS(USW_OK, run_mixed(n, &got, &options));
  CHECK_F64(expected.total, got.total);
  CHECK_F64(expected.worst, got.worst);
  CHECK_F64((double)expected.least, (double)got.least);
  CHECK_U64(expected.over, got.over);
  CHECK_I64(expected.peak, got.peak);
  CHECK_U64(expected.narrow, got.narrow);
  CHECK_F64(expected.nearest, got.nearest);
  CHECK_U64(expected.map.a, got.map.a);
  CHECK_U64(expected.map.b, got.map.b);
  CHECK_U64(expected.padded.low, got.padded.low);
  CHECK_U64(expected.padded.sum, got.padded.sum);
  CHECK_U64(expected.padded.high, got.padded.high);
}

static void check_squares(size_t n, usw_strategy_t strategy) {
  const usw_options_t options = options_of(strategy);
  int64_t sum = 0, most = INT64_MIN, fresh_sum = 77, fresh_most = INT64_MAX, expected = 0;
  for (size_t i = 0; i < n; i++)
    expected += ((int64_t)i - 5) * ((int64_t)i - 5);
  CHECK_STATUS(USW_OK, squares(n, 5, &sum, &most, &options));
  CHECK_STATUS(USW_OK, squares_fresh(n, 5, &fresh_sum, &fresh_most, &options));
  CHECK_I64(expected, sum);
  CHECK_I64(n ? 5 : INT64_MIN, most);
  CHECK_I64(sum, fresh_sum);
  CHECK_I64(most, fresh_most);
  CHECK_STATUS(USW_OK, squares_fresh(n, 5, &fresh_sum, &fresh_most, NULL)); /* wherever it runs */
  CHECK_I64(sum, fresh_sum);
}

/* NaN and signed zeros in floating extremes, in whatever item they are. */
static void check_specials(usw_strategy_t strategy) {
#ifdef __FAST_MATH__ /* gives up NaN and the sign of zero */
  (void)strategy;
#else
  static const size_t at[] = {0, 17, 255, 999};
  enum { ITEMS = 1000 };
  static double zeros[ITEMS];
  static float plus[ITEMS];
  const usw_options_t options = options_of(strategy);
  for (size_t k = 0; k < sizeof at / sizeof *at; k++)
    for (int is_nan = 0; is_nan < 2; is_nan++) {
      results_t r = originals();
      r.worst = -INFINITY;
      r.least = INFINITY;
      for (size_t i = 0; i < ITEMS; i++) {
        zeros[i] = -0.0; /* b - a is -0 but where a is -0: there it is +0 */
        plus[i] = 0;
      }
      plus[at[k]] = is_nan ? (float)NAN : -0.0f;
      place_memory_t b_here = memory_get(&place, zeros, sizeof zeros, 8);
      place_memory_t a_here = memory_get(&place, plus, sizeof plus, 4);
      CHECK_STATUS(USW_OK, mixed(ITEMS, (const double *)b_here.data, (const float *)a_here.data,
                                 (const int32_t *)weights_there.data, limit, (char)WEIGHTS, &r.total, &r.worst,
                                 &r.least, &r.over, &r.peak, &r.narrow, &r.nearest, &r.map, &r.padded, &options));
      CHECK_F64(is_nan ? NAN : -0.0, (double)r.least);
      CHECK_F64(is_nan ? NAN : 0.0, r.worst);
      memory_free(&a_here);
      memory_free(&b_here);
    }
#endif
}

static void check_refused(usw_status_t expected, const char *culprit, usw_status_t got, const results_t *r) {
  const results_t before = originals();
  CHECK_STATUS(expected, got);
  CHECK_TEXT_HAS(usw_error_text(), culprit);
  CHECK(memcmp(r, &before, sizeof before) == 0);
}

static void check_errors(usw_strategy_t strategy) {
  results_t r = originals();
  usw_options_t options = options_of(strategy);
  options.initialize_to_identity = SKIP_NEAREST;
  check_refused(USW_ERROR_NO_IDENTITY, "nearest", run_mixed(100, &r, &options), &r);
  check_refused(USW_ERROR_NO_IDENTITY, "nearest", run_mixed(0, &r, &options), &r);
  check_refused(USW_ERROR_NO_IDENTITY, "nearest",
                mixed_fresh(9, (const double *)b_there.data, (const float *)a_there.data,
                            (const int32_t *)weights_there.data, 1, 1, &r.total, &r.worst, &r.least, &r.over, &r.peak,
                            &r.narrow, &r.nearest, &r.map, &r.padded, &options),
                &r);
  options.initialize_to_identity = 0;
  check_refused(USW_ERROR_INVALID, "'b' is NULL",
                mixed(9, NULL, (const float *)a_there.data, (const int32_t *)weights_there.data, 1, 1, &r.total,
                      &r.worst, &r.least, &r.over, &r.peak, &r.narrow, &r.nearest, &r.map, &r.padded, &options),
                &r);
  check_refused(USW_ERROR_INVALID, "'weight' is NULL",
                mixed(9, (const double *)b_there.data, (const float *)a_there.data, NULL, 1, 1, &r.total, &r.worst,
                      &r.least, &r.over, &r.peak, &r.narrow, &r.nearest, &r.map, &r.padded, &options),
                &r);
  check_refused(USW_ERROR_INVALID, "'worst'",
                mixed(9, (const double *)b_there.data, (const float *)a_there.data, (const int32_t *)weights_there.data,
                      1, 1, &r.total, &r.total, &r.least, &r.over, &r.peak, &r.narrow, &r.nearest, &r.map, &r.padded,
                      &options),
                &r);
  check_refused(USW_ERROR_INVALID, "'narrow'",
                mixed(9, (const double *)b_there.data, (const float *)a_there.data, (const int32_t *)weights_there.data,
                      1, 1, &r.total, &r.worst, &r.least, &r.over, &r.peak, NULL, &r.nearest, &r.map, &r.padded,
                      &options),
                &r);
  CHECK_STATUS(USW_OK, run_mixed(3, &r, &options));
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 31, 33, 255, 257, 1000, 4097, MOST_ITEMS};
  static const unsigned skips[] = {0, SKIP_MOST, SKIP_TOTAL | SKIP_PEAK | SKIP_PADDED,
                                   SKIP_WORST | SKIP_NARROW | SKIP_MAP};
  place = place_of_arguments(argc, argv);
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  fill();
  b_there = memory_get(&place, b, sizeof b, 0);
  a_there = memory_get(&place, a, sizeof a, 0);
  weights_there = memory_get(&place, weights, sizeof weights, 0);
  for (int s = 0; s < count; s++) {
    const usw_strategy_t strategy = strategies[s];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      for (size_t m = 0; m < sizeof skips / sizeof *skips; m++)
        check_mixed(sizes[k], strategy, skips[m]);
      check_squares(sizes[k], strategy);
    }
    check_specials(strategy);
    check_errors(strategy);
  }
  memory_free(&b_there);
  memory_free(&a_there);
  memory_free(&weights_there);
  return check_report();
}
