/* Accurate sums in kernels of the user's own: at every place and strategy, on every grid, the bits that one accumulator gives
 * that meets the numbers backwards; and what is promised of them beside others.   accurate_kernels [--place NAME] */
#include "accurate_kernels.h"

#include <math.h>
#include <string.h>

#include "oracle/exact.h"
#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_ITEMS = 6001, MOST_STRIDE = 3, ELEMENTS = 2 * MOST_STRIDE * MOST_ITEMS + 8, MOST_EXTENT = 700 };

/* What numbers there are: of one window; such that nearly all of a sum cancels; of many windows; about the smallest; about the largest, some of whose products are infinite;
 * some infinite. */
typedef enum { TAME, CANCELLING, WIDE, TINY, HUGE_ONES, INFINITE, NUMBERS } numbers_t;

/* How streams lie in memory. */
typedef struct {
  ptrdiff_t offset, stride; /* in elements */
} layout_t;
static const layout_t layouts[] = {{0, 1}, {1, 1}, {0, MOST_STRIDE}};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static double x[ELEMENTS], y[ELEMENTS];
static float x_f[ELEMENTS], y_f[ELEMENTS];
static uint32_t keys[ELEMENTS];
static test_place_t place;
static place_memory_t x_there, y_there, x_f_there, y_f_there, keys_there;

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* Of exponents from `least` on, `count` of them. */
static double random_number(int least, int count) {
  const double digits = 1 + (double)(random_bits() >> 12) * 0x1p-52;
  const int exponent = least + (int)(random_bits() % (uint64_t)count);
  return ldexp(random_bits() & 1 ? digits : -digits, exponent);
}

static void fill(numbers_t numbers) {
  static const struct {
    int least, count, least_f, count_f;
  } exponents[NUMBERS] = {{-4, 8, -4, 8},        {-20, 19, -20, 19}, {-300, 600, -60, 120},
                          {-1074, 60, -149, 24}, {990, 34, 100, 28}, {-300, 600, -60, 120}};
  for (int i = 0; i < ELEMENTS; i++) {
    x[i] = random_number(exponents[numbers].least, exponents[numbers].count);
    y[i] = random_number(exponents[numbers].least, exponents[numbers].count);
    x_f[i] = (float)random_number(exponents[numbers].least_f, exponents[numbers].count_f);
    y_f[i] = (float)random_number(exponents[numbers].least_f, exponents[numbers].count_f);
    keys[i] = (uint32_t)(random_bits() >> 40);
    if (numbers == CANCELLING) { /* neighbours do, at odd strides too */
      x[i] = (i % 2 ? -0x1p20 : 0x1p20) + x[i];
      y[i] = 1 + y[i] * 0x1p-20;
    }
  }
  for (int i = 5; numbers == INFINITE && i < ELEMENTS; i += 3000) {
    x[i] = i < 5000 ? (double)INFINITY : (double)-INFINITY;
    x_f[i] = i < 5000 ? (float)INFINITY : (float)NAN;
  }
  x_there = memory_get(&place, x, sizeof x, 0);
  y_there = memory_get(&place, y, sizeof y, 0);
  x_f_there = memory_get(&place, x_f, sizeof x_f, 0);
  y_f_there = memory_get(&place, y_f, sizeof y_f, 0);
  keys_there = memory_get(&place, keys, sizeof keys, 0);
}

static void forget(void) {
  memory_free(&x_there);
  memory_free(&y_there);
  memory_free(&x_f_there);
  memory_free(&y_f_there);
  memory_free(&keys_there);
}

/* One run of a kernel. */
typedef struct {
  size_t n;
  usw_strategy_t strategy;
  uint32_t teams;
  layout_t layout;
  numbers_t numbers;
  uint64_t skip;
} case_t;

static int same(const void *expected, const void *got, size_t bytes, const char *what, const case_t *c) {
  return check_count(memcmp(expected, got, bytes) == 0, __FILE__, __LINE__,
                     "%s: n %zu, %s, %u teams, stride %d, offset %d, numbers %d, skip %d", what, c->n,
                     strategy_name(c->strategy), c->teams, (int)c->layout.stride, (int)c->layout.offset,
                     (int)c->numbers, (int)c->skip);
}
#define SAME(expected, got) same(&(expected), &(got), sizeof(got), #got, c)

static usw_options_t options_of(const case_t *c, usw_accuracy_t accuracy) {
  usw_options_t options = place_options(&place);
  options.strategy = c->strategy;
  options.teams = c->teams;
  options.accuracy = accuracy;
  options.work_group_load = 2;
  options.initialize_to_identity = c->skip;
  options.stride[0] = options.stride[1] = c->layout.stride;
  return options;
}

/* The element of an item. */
static size_t at(const case_t *c, size_t i) { return (size_t)(c->layout.offset + (ptrdiff_t)i * c->layout.stride); }

/* What is left of the original value of a reducer, by its number. */
static double original(const case_t *c, int reducer, double value) { return (c->skip >> reducer) & 1 ? 0 : value; }

/* What a sum of n numbers in twice the precision may be off by; a tenth of that bound would do. */
static void check_compensated(const exact_t *sum, const exact_t *magnitudes, double got, const case_t *c) {
  const long double exact = exact_value(sum), chain = (long double)c->n * 0x1p-53L;
  const long double bound = chain * chain * exact_value(magnitudes) + fabsl(exact) * 0x1p-53L + 0x1p-1074L;
  check_count(c->numbers > WIDE || fabsl((long double)got - exact) <= bound, __FILE__, __LINE__,
              "compensated: n %zu, %s, numbers %d: %a, not %La", c->n, strategy_name(c->strategy), (int)c->numbers, got,
              exact);
}
static void add_both(exact_t *sum, exact_t *magnitudes, double a, double b) {
  exact_add_product(sum, a, b);
  exact_add_product(magnitudes, fabs(a), fabs(b));
}

static void check_doubles(const case_t *c) {
  static const double factor = 0.3;
  const usw_options_t options = options_of(c, USW_REPEATABLE);
  usw_reproducible_d_t total_sum, products_sum;
  exact_t sum, magnitudes;
  double total = 3.5, products = -0x1p-60, largest = -1e300, nearest = 555, plain = 7, twice = 0.1;
  double expected_largest = largest, expected_nearest = nearest, expected_plain = plain;
  uint64_t items = 11;
  memset(&sum, 0, sizeof sum);
  memset(&magnitudes, 0, sizeof magnitudes);
  usw_reproducible_d_identity(&total_sum);
  usw_reproducible_d_identity(&products_sum);
  for (size_t i = c->n; i-- > 0;) {
    const double a = x[at(c, i)], b = y[at(c, i)];
    if (i % 3 != 1) {
      usw_reproducible_d_add(&total_sum, -b, 0);
      usw_reproducible_d_add(&total_sum, a, 0);
    }
    usw_reproducible_d_add_product(&products_sum, factor, b, 0);
    usw_reproducible_d_add_product(&products_sum, a, b, 0);
    add_both(&sum, &magnitudes, a, b);
    add_both(&sum, &magnitudes, a, 1);
    expected_largest = a > expected_largest ? a : expected_largest;
    expected_nearest = i % 5 == 0 ? closer(expected_nearest, (double)(i % 1000)) : expected_nearest;
    expected_plain += 2 * (double)(i % 100);
  }
  usw_reproducible_d_add(&total_sum, original(c, 0, total), 0);
  usw_reproducible_d_add(&products_sum, products, 0);
  add_both(&sum, &magnitudes, twice, 1);
  CHECK_STATUS(USW_OK, of_doubles(c->n, (const double *)x_there.data + c->layout.offset,
                                  (const double *)y_there.data + c->layout.offset, factor, &total, &largest, &nearest,
                                  &products, &items, &twice, &plain, &options));
  const double expected_total = usw_reproducible_d_value(&total_sum),
               expected_products = usw_reproducible_d_value(&products_sum);
  SAME(expected_total, total);
  SAME(expected_products, products);
  CHECK_F64(expected_largest, largest);
  CHECK_F64(expected_nearest, nearest);
  CHECK_F64(expected_plain, plain);
  CHECK_U64((uint64_t)original(c, 4, 11) + c->n, items);
  check_compensated(&sum, &magnitudes, twice, c);
}

static void check_floats(const case_t *c) {
  const usw_options_t options = options_of(c, USW_COMPENSATED);
  usw_reproducible_f_t total_sum, products_sum;
  float total = 3.5f, products = -0x1p-60f, twice = 0.1f;
  int16_t items = -3;
  double sum = (double)twice;
  usw_reproducible_f_identity(&total_sum);
  usw_reproducible_f_identity(&products_sum);
  for (size_t i = c->n; i-- > 0;) {
    const float a = x_f[at(c, i)], b = y_f[at(c, i)];
    usw_reproducible_f_add(&total_sum, a, 0);
    if (a > b)
      usw_reproducible_f_add_product(&products_sum, a, b, 0);
    sum += (double)a * (double)b;
  }
  usw_reproducible_f_add(&total_sum, (float)original(c, 0, (double)total), 0);
  usw_reproducible_f_add(&products_sum, products, 0);
  CHECK_STATUS(USW_OK, of_floats(c->n, (const float *)x_f_there.data + c->layout.offset,
                                 (const float *)y_f_there.data + c->layout.offset, &total, &items, &products, &twice,
                                 &options));
  const float expected_total = usw_reproducible_f_value(&total_sum),
              expected_products = usw_reproducible_f_value(&products_sum);
  SAME(expected_total, total);
  SAME(expected_products, products);
  CHECK_I64((int16_t)((int)c->n - 3), items);
  check_count(c->numbers > TAME || fabs((double)twice - sum) <= fabs(sum) * 0x1p-24 + 1e-9, __FILE__, __LINE__,
              "compensated float: %a, not %a", (double)twice, sum);
}

/* Complex numbers lie in x and y as pairs. */
static void check_cf64(const case_t *c) {
  const usw_options_t options = options_of(c, USW_COMPENSATED);
  usw_reproducible_d_t sum[4]; /* parts of total, of products */
  double total[2] = {1, -1}, products[2] = {0x1p-300, 0}, twice[2] = {0, 0}, expected[4];
  uint32_t items = 0;
  for (int k = 0; k < 4; k++)
    usw_reproducible_d_identity(&sum[k]);
  for (size_t i = 0; i < c->n; i++) {
    const double *const a = &x[2 * at(c, i)], *const b = &y[2 * at(c, i)];
    usw_reproducible_d_add(&sum[0], a[0], 0);
    usw_reproducible_d_add(&sum[1], a[1], 0);
    if (i % 2 == 0) {
      usw_reproducible_d_add_product(&sum[2], a[0], b[0], 0);
      usw_reproducible_d_add_product(&sum[2], a[1], -b[1], 0);
      usw_reproducible_d_add_product(&sum[3], a[1], b[0], 0);
      usw_reproducible_d_add_product(&sum[3], a[0], b[1], 0);
    }
  }
  for (int k = 0; k < 4; k++) {
    usw_reproducible_d_add(&sum[k], k < 2 ? original(c, 0, total[k]) : products[k - 2], 0);
    expected[k] = usw_reproducible_d_value(&sum[k]);
  }
  CHECK_STATUS(USW_OK, of_cf64(c->n, (const usw_cf64_t *)x_there.data + c->layout.offset,
                               (const usw_cf64_t *)y_there.data + c->layout.offset, (usw_cf64_t *)(void *)total,
                               (usw_cf64_t *)(void *)products, (usw_cf64_t *)(void *)twice, &items, &options));
  same(expected, total, sizeof total, "complex total", c);
  same(expected + 2, products, sizeof products, "complex products", c);
  CHECK_U64(c->n, items);
}

static void check_cf32(const case_t *c) {
  const usw_options_t options = options_of(c, USW_COMPENSATED);
  usw_reproducible_f_t sum[2];
  float total[2] = {1, -1}, products[2] = {0, 0}, twice[2] = {0, 0}, expected[2];
  double sum_of_products = 0, magnitudes = 0;
  uint32_t items = 0;
  for (int k = 0; k < 2; k++)
    usw_reproducible_f_identity(&sum[k]);
  for (size_t i = 0; i < c->n; i++) {
    const float *const a = &x_f[2 * at(c, i)], *const b = &y_f[2 * at(c, i)];
    usw_reproducible_f_add(&sum[0], a[0], 0);
    usw_reproducible_f_add(&sum[1], a[1], 0);
    sum_of_products += (double)a[0] * (double)b[1] + (double)a[1] * (double)b[0];
    magnitudes += fabs((double)a[0] * (double)b[1]) + fabs((double)a[1] * (double)b[0]);
  }
  for (int k = 0; k < 2; k++) {
    usw_reproducible_f_add(&sum[k], (float)original(c, 0, (double)total[k]), 0);
    expected[k] = usw_reproducible_f_value(&sum[k]);
  }
  CHECK_STATUS(USW_OK, of_cf32(c->n, (const usw_cf32_t *)x_f_there.data + c->layout.offset,
                               (const usw_cf32_t *)y_f_there.data + c->layout.offset, (usw_cf32_t *)(void *)total,
                               (usw_cf32_t *)(void *)products, (usw_cf32_t *)(void *)twice, &items, &options));
  same(expected, total, sizeof total, "complex total", c);
  check_count(c->numbers > TAME ||
                  fabs((double)twice[1] - sum_of_products) <= fabs(sum_of_products) * 0x1p-24 + magnitudes * 0x1p-40,
              __FILE__, __LINE__, "compensated complex: %a, not %a", (double)twice[1], sum_of_products);
}

#include "accurate_spans.h"

/* More numbers of an item than a bin takes before it carries; no stream. */
static void check_items(const case_t *c) {
  static const uint32_t times[] = {1, 3, 5000};
  const usw_options_t options = options_of(c, USW_REPRODUCIBLE);
  for (size_t t = 0; t < 3; t++) {
    const size_t n = times[t] > 4096 && c->n > 9 ? 9 : c->n;
    usw_reproducible_d_t sum;
    usw_reproducible_f_t sum_f;
    double total = 0.1, expected;
    float total_f = 0.1f, expected_f;
    usw_reproducible_d_identity(&sum);
    usw_reproducible_f_identity(&sum_f);
    for (size_t i = 0; i < n; i++)
      for (uint32_t k = times[t]; k-- > 0;) {
        usw_reproducible_d_add(&sum, k % 4 == 3 ? -x[at(c, i)] : x[at(c, i)], 0);
        usw_reproducible_f_add(&sum_f, (float)(k % 7) + 0.125f, 0);
      }
    usw_reproducible_d_add(&sum, original(c, 0, total), 0);
    usw_reproducible_f_add(&sum_f, total_f, 0);
    expected = usw_reproducible_d_value(&sum);
    expected_f = usw_reproducible_f_value(&sum_f);
    CHECK_STATUS(USW_OK, many_per_item(n, (const double *)x_there.data + c->layout.offset, times[t], &total, &total_f,
                                       &options));
    SAME(expected, total);
    SAME(expected_f, total_f);
  }
}

static void check_harmonic(const case_t *c) {
  const usw_options_t options = options_of(c, USW_REPRODUCIBLE);
  usw_reproducible_d_t sum;
  double total = 1, expected;
  usw_reproducible_d_identity(&sum);
  for (size_t i = c->n; i-- > 0;)
    usw_reproducible_d_add(&sum, 1 / (3.0 + (double)i), 0);
  usw_reproducible_d_add(&sum, original(c, 0, 1), 0);
  expected = usw_reproducible_d_value(&sum);
  CHECK_STATUS(USW_OK, harmonic(c->n, 3, &total, &options));
  SAME(expected, total);
}

/* The first items as rows of 7, whole and a slice; and in teams that visit together. */
static void check_spaces(const case_t *c) {
  usw_options_t options = options_of(c, USW_REPRODUCIBLE);
  const size_t rows = c->n / 7;
  for (int is_slice = 0; is_slice < 2; is_slice++) {
    usw_space_t space = usw_space_2d(rows, 7);
    usw_reproducible_d_t sum;
    double total = -0.7, expected;
    int64_t indices = 0, expected_indices = 0;
    if (is_slice)
      space = usw_space_slice(usw_space_slice(space, 1, 1, 3, 2), 0, 0, (rows + 1) / 2, 2);
    usw_reproducible_d_identity(&sum);
    for (size_t j = 0; j < rows; j += is_slice ? 2 : 1)
      for (size_t i = is_slice ? 1 : 0; i < 7; i += is_slice ? 2 : 1) {
        usw_reproducible_d_add(&sum, x[at(c, 7 * j + i)], 0);
        expected_indices += (int64_t)(1000 * j + i);
      }
    usw_reproducible_d_add(&sum, original(c, 0, total), 0);
    expected = usw_reproducible_d_value(&sum);
    CHECK_STATUS(USW_OK, of_plane(&space, (const double *)x_there.data + c->layout.offset, &total, &indices, &options));
    SAME(expected, total);
    CHECK_I64(expected_indices, indices);
  }
}

static void check_together(const case_t *c) {
  const usw_options_t options = options_of(c, USW_COMPENSATED);
  usw_reproducible_d_t sum, few_sum[FEW];
  double total = -0.7, twice = 0, few[FEW] = {1, 2, 3}, expected, expected_few[FEW];
  uint64_t items = 0;
  usw_reproducible_d_identity(&sum);
  for (int k = 0; k < FEW; k++)
    usw_reproducible_d_identity(&few_sum[k]);
  for (size_t i = 0; i < c->n; i++) {
    usw_reproducible_d_add(&sum, x[at(c, i)], 0);
    usw_reproducible_d_add(&few_sum[i % FEW], x[at(c, i)], 0);
  }
  usw_reproducible_d_add(&sum, original(c, 0, total), 0);
  for (int k = 0; k < FEW; k++) {
    usw_reproducible_d_add(&few_sum[k], few[k], 0);
    expected_few[k] = usw_reproducible_d_value(&few_sum[k]);
  }
  expected = usw_reproducible_d_value(&sum);
  CHECK_STATUS(USW_OK,
               together(c->n, (const double *)x_there.data + c->layout.offset, &total, &twice, &items, few, &options));
  SAME(expected, total);
  same(expected_few, few, sizeof few, "few", c);
  CHECK_U64(c->n, items);
}

/* No item: what was there stays, bit by bit, unless it is told to start from 0. */
static void check_nothing(usw_strategy_t strategy) {
  static const uint64_t bits[] = {0x8000000000000000u, 0x7ff8000000abcde1u, 1, 0xfff0000000000000u};
  for (size_t k = 0; k < sizeof bits / sizeof bits[0]; k++)
    for (uint64_t skip = 0; skip < 2; skip++) {
      const case_t one = {0, strategy, 0, {0, 1}, TAME, skip}, *const c = &one;
      const usw_options_t options = options_of(c, USW_REPRODUCIBLE), spans = options_of(c, USW_COMPENSATED);
      const float before_f = k == 1 ? (float)NAN : k == 2 ? 0x1p-149f : -0.0f;
      double before, total, zero = 0, few[FEW], twice[FEW], sum = 0, expected_few[FEW];
      float total_f = before_f;
      memcpy(&before, &bits[k], sizeof before);
      memcpy(&total, &bits[k], sizeof total);
      for (int e = 0; e < FEW; e++) {
        memcpy(&few[e], &bits[k], sizeof total);
        memcpy(&twice[e], &bits[k], sizeof total);
        memcpy(&expected_few[e], skip ? (const void *)&zero : (const void *)&bits[k], sizeof total);
      }
      CHECK_STATUS(USW_OK, many_per_item(0, NULL, 9, &total, &total_f, &options));
      same(skip ? &zero : &before, &total, sizeof total, "no item", c);
      SAME(before_f, total_f);
      CHECK_STATUS(USW_OK, by_few(0, NULL, NULL, few, twice, &sum, &spans));
      same(expected_few, few, sizeof few, "no item of a span", c);
      same(&bits[k], &twice[2], sizeof twice[2], "no item of a compensated span", c);
    }
}

/* What a kernel does not promise is refused. */
static void check_levels(const case_t *c) {
  const double *const items = (const double *)x_there.data;
  double total = 5, plain = 6, least = 7;
  usw_options_t options = options_of(c, USW_REPRODUCIBLE);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, with_a_plain_sum(c->n, items, &total, &plain, &options));
  CHECK_TEXT_HAS(usw_error_text(), "with_a_plain_sum");
  CHECK_TEXT_HAS(usw_error_text(), "USW_REPRODUCIBLE");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, compensated_and_exact(c->n, items, &plain, &total, &least, &options));
  options.accuracy = USW_COMPENSATED;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, with_a_plain_sum(c->n, items, &total, &plain, &options));
  CHECK_TEXT_HAS(usw_error_text(), "USW_COMPENSATED");
  CHECK(total == 5 && plain == 6 && least == 7);
  CHECK_STATUS(USW_OK, compensated_and_exact(c->n, items, &plain, &total, &least, &options));
  CHECK(least < 0);
  options.accuracy = USW_FAST;
  options.strategy = USW_STRATEGY_ATOMIC;
  total = 5;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, harmonic(c->n, 3, &total, &options));
  CHECK(total == 5);
}

static void check_clause(void) {
  const case_t c = {100, USW_STRATEGY_CLAUSE, 0, {0, 1}, TAME, 0};
  const usw_options_t options = options_of(&c, USW_FAST);
  double total = 5;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, harmonic(c.n, 3, &total, &options));
  CHECK_TEXT_HAS(usw_error_text(), "harmonic");
  CHECK(total == 5);
}

static void check_all(const case_t *c) {
  check_doubles(c);
  check_floats(c);
  check_cf64(c);
  check_cf32(c);
  check_few(c);
  check_keys(c);
  check_any_keys(c);
  check_items(c);
  check_harmonic(c);
  check_spaces(c);
  check_together(c);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {1, 2, 33, 257, 2049, MOST_ITEMS};
  static const uint32_t teams[] = {0, 1, 7};
  static const uint64_t skips[] = {0, 1u << 0 | 1u << 4};
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  place = place_of_arguments(argc, argv);
  const int count = place_strategies(&place, strategies);
  for (int numbers = 0; numbers < NUMBERS; numbers++) {
    fill((numbers_t)numbers);
    for (int s = 0; s < count; s++) {
      if (strategies[s] == USW_STRATEGY_CLAUSE)
        continue;
      for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const size_t layout = (k + (size_t)s + (size_t)numbers) % LAYOUTS;
        const case_t c = {sizes[k],        strategies[s],      teams[k % 3],
                          layouts[layout], (numbers_t)numbers, skips[(k + (size_t)numbers) % 2]};
        if (place_takes_next(&place, 3))
          check_all(&c);
      }
      if (numbers == TAME) {
        const case_t c = {1000, strategies[s], 0, layouts[0], TAME, 0};
        check_nothing(strategies[s]);
        check_levels(&c);
      }
    }
    forget();
  }
  if (place.place == USW_DEVICE)
    check_clause();
  return check_report();
}
