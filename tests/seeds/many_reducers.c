/* Ten reducers of ten types in one kernel, no two of the same type and operator, and a kernel without any stream.
 *   many_reducers [--place NAME] */
#include <math.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

/* Sum and number of values, for their mean. */
typedef struct {
  int64_t sum;
  uint32_t count;
} mean_t;

static inline mean_t no_values(void) {
  const mean_t none = {0, 0};
  return none;
}

static inline mean_t both(mean_t x, mean_t y) {
  const mean_t m = {x.sum + y.sum, x.count + y.count};
  return m;
}

/* The number with fewer bits set, the smaller one of equals. */
static inline uint64_t sparser(uint64_t x, uint64_t y) {
  const int x_bits = __builtin_popcountll(x), y_bits = __builtin_popcountll(y);
  return y_bits < x_bits || (y_bits == x_bits && y < x) ? y : x;
}

#define USW_KERNEL ten
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x) IN(float, y) ARRAY(int16_t, table) VALUE(double, scale)
#define USW_REDUCERS(R, S)                                                                                             \
  R(int64_t, sum, USW_PLUS)                                                                                            \
  R(double, scaled, USW_PLUS)                                                                                          \
  R(float, least, USW_MINIMUM)                                                                                         \
  R(int16_t, most, USW_MAXIMUM)                                                                                        \
  R(uint32_t, product, USW_MULTIPLIES)                                                                                 \
  R(uint8_t, seen, USW_BIT_OR)                                                                                         \
  R(uint16_t, parity, USW_BIT_XOR)                                                                                     \
  R(usw_b8_t, all_small, USW_LOGICAL_AND)                                                                              \
  R(mean_t, mean, both, no_values())                                                                                   \
  R(uint64_t, sparsest, sparser)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const mean_t one = {x, 1};
  usw_add(sum, x);
  usw_add(scaled, x * scale);
  usw_combine(least, y);
  usw_combine(most, table[i % 8]);
  usw_combine(product, 2 * (uint32_t)x + 1);
  usw_combine(seen, (uint8_t)(1u << (x & 7)));
  usw_combine(parity, (uint16_t)x);
  usw_combine(all_small, x < 90000);
  if (x % 3 != 0)
    usw_combine(mean, one);
  usw_combine(sparsest, (uint64_t)i * 977 + 7);
}
#include <upsweep/kernel_end.h>

/* pi / 4 by Leibniz, in whole units of 2^-40 so that every order gives the same, beside two counts. */
#define USW_KERNEL without_streams
#define USW_ARGS(IN, ARRAY, VALUE)
#define USW_REDUCERS(R, S) R(int64_t, quarter_pi, USW_PLUS) R(uint64_t, items, USW_PLUS) R(uint64_t, last, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int64_t term = (int64_t)(UINT64_C(1) << 40) / (int64_t)(2 * i + 1);
  usw_add(quarter_pi, i % 2 == 0 ? term : -term);
  usw_inc(items);
  usw_combine(last, i);
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 40009, TABLE = 8 };

typedef struct {
  int64_t sum;
  double scaled;
  uint64_t sparsest;
  mean_t mean;
  float least;
  uint32_t product;
  int16_t most;
  uint16_t parity;
  uint8_t seen;
  usw_b8_t all_small;
} results_t;

static int32_t x[ITEMS];
static float y[ITEMS];
static const int16_t table[TABLE] = {-300, 5, 12, -7, 299, 0, 31, 298};
static const double scale = 0.125;

static results_t originals(void) {
  results_t r;
  r.sum = 1;
  r.scaled = 0.5;
  r.least = 100;
  r.most = -5;
  r.product = 3;
  r.seen = 0;
  r.parity = 0x8000;
  r.all_small = 1;
  r.mean.sum = 50;
  r.mean.count = 2;
  r.sparsest = 0xffff;
  return r;
}

static results_t serial(size_t n) {
  results_t r = originals();
  for (size_t i = 0; i < n; i++) {
    r.sum += x[i];
    r.scaled += x[i] * scale;
    r.least = y[i] < r.least ? y[i] : r.least;
    r.most = table[i % TABLE] > r.most ? table[i % TABLE] : r.most;
    r.product *= 2 * (uint32_t)x[i] + 1;
    r.seen = (uint8_t)(r.seen | 1u << (x[i] & 7));
    r.parity = (uint16_t)(r.parity ^ x[i]);
    r.all_small = r.all_small && x[i] < 90000;
    r.mean.sum += x[i] % 3 != 0 ? x[i] : 0;
    r.mean.count += x[i] % 3 != 0;
    r.sparsest = sparser(r.sparsest, (uint64_t)i * 977 + 7);
  }
  return r;
}

static void check_ten(size_t n, const place_memory_t *there, const usw_options_t *options) {
  const results_t expected = serial(n);
  results_t r = originals();
  CHECK_STATUS(USW_OK, ten(n, (const int32_t *)there[0].data, (const float *)there[1].data,
                           (const int16_t *)there[2].data, scale, &r.sum, &r.scaled, &r.least, &r.most, &r.product,
                           &r.seen, &r.parity, &r.all_small, &r.mean, &r.sparsest, options));
  CHECK_I64(expected.sum, r.sum);
  CHECK_F64(expected.scaled, r.scaled);
  CHECK_F64((double)expected.least, (double)r.least);
  CHECK_I64(expected.most, r.most);
  CHECK_U64(expected.product, r.product);
  CHECK_U64(expected.seen, r.seen);
  CHECK_U64(expected.parity, r.parity);
  CHECK_I64(expected.all_small, r.all_small);
  CHECK_I64(expected.mean.sum, r.mean.sum);
  CHECK_U64(expected.mean.count, r.mean.count);
  CHECK_U64(expected.sparsest, r.sparsest);
}

static void check_without_streams(size_t n, const usw_options_t *options) {
  int64_t quarter_pi = 0, expected = 0;
  uint64_t items = 5, last = 0;
  for (size_t i = 0; i < n; i++) {
    const int64_t term = (int64_t)(UINT64_C(1) << 40) / (int64_t)(2 * i + 1);
    expected += i % 2 == 0 ? term : -term;
  }
  CHECK_STATUS(USW_OK, without_streams(n, &quarter_pi, &items, &last, options));
  CHECK_I64(expected, quarter_pi);
  CHECK_U64(5 + n, items);
  CHECK_U64(n ? n - 1 : 0, last);
  if (n == ITEMS)
    CHECK(fabs(ldexp((double)quarter_pi, -38) - 3.14159265358979) < 1e-4);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 8, 33, 255, 257, 1023, 4096, ITEMS};
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int i = 0; i < ITEMS; i++) {
    x[i] = i * 48271 % 100003;
    y[i] = (float)(i * 37 % 4001) / 8 - 20;
  }
  place_memory_t there[3] = {memory_get(&place, x, sizeof x, 0), memory_get(&place, y, sizeof y, 4),
                             memory_get(&place, table, sizeof table, 2)};
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      check_ten(sizes[k], there, &strategies.options[s]);
      check_without_streams(sizes[k], &strategies.options[s]);
    }
  for (int k = 0; k < 3; k++)
    memory_free(&there[k]);
  return check_report();
}
