/* Array reductions: each element of a span is a reduction of its own, whatever the type and operator, on every place.
 *   spans [--place NAME] */
#include <math.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"
#include "user_types.h"

enum { BINS = 16, FEW = 5, MOST_ITEMS = 70001 };

/* A histogram, sums and extremes by bin, bits, and beside them an ordinary reducer. */
#define USW_KERNEL by_bin
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint8_t, bin)
#define USW_REDUCERS(R, S)                                                                                             \
  S(uint64_t, counts, BINS, USW_PLUS)                                                                                  \
  S(double, sums, BINS, USW_PLUS)                                                                                      \
  R(double, least, USW_MINIMUM)                                                                                        \
  S(float, greatest, FEW, USW_MAXIMUM)                                                                                 \
  S(uint32_t, bits, 1, USW_BIT_OR)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc_at(counts, bin);
  usw_add_at(sums, bin, x);
  usw_combine(least, x);
  if (bin < FEW)
    usw_combine_at(greatest, bin, (float)x);
  usw_or_at(bits, 0, 1u << (i % 31));
}
#include <upsweep/kernel_end.h>

/* The user's operators: a structure with an identity, and an operator without one. */
#define USW_KERNEL users_spans
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, bin)
#define USW_REDUCERS(R, S)                                                                                             \
  S(affine_t, maps, FEW, compose, affine_one()) S(double, nearest, FEW, closer) S(int64_t, products, 2, USW_MULTIPLIES)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (bin < FEW) {
    usw_combine_at(maps, bin, about_seven(2 * i + 1));
    if (bin != 3) /* nothing ever comes to element 3 */
      usw_combine_at(nearest, bin, (double)(i % 1000));
  }
  usw_multiply_at(products, i & 1, 3);
}
#include <upsweep/kernel_end.h>

static inline float closer_float(float a, float b) { return (float)closer(a, b); }

/* Few enough for a copy in each thread of a GPU's team; one element has an index that is a constant. */
#define USW_KERNEL few_bins
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint8_t, bin)
#define USW_REDUCERS(R, S)                                                                                             \
  S(double, sums, FEW, USW_PLUS) S(float, nearest, FEW, closer_float) R(uint16_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (bin < FEW) {
    usw_add_at(sums, bin, x);
    usw_combine_at(nearest, bin, (float)x);
  }
  usw_add_at(sums, 2, 0.25);
  if (i % 3 == 0)
    usw_combine_at(nearest, 1, (float)(i % 1000));
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

USW_ASSERT(USW_REDUCER_DIMENSIONS(by_bin, counts) == 1 && USW_REDUCER_DIMENSIONS(by_bin, least) == 0, "dimensions");
USW_ASSERT(USW_REDUCER_EXTENT(by_bin, greatest) == FEW && USW_REDUCER_EXTENT(by_bin, least) == 1, "extents");
USW_ASSERT(USW_REDUCER_OPERATION(by_bin, bits) == (int)USW_BIT_OR, "operators");
USW_ASSERT(sizeof(USW_REDUCER_TYPE(by_bin, greatest)) == sizeof(float), "types");
USW_ASSERT(USW_REDUCER_HAS_IDENTITY(users_spans, maps) && !USW_REDUCER_HAS_IDENTITY(users_spans, nearest),
           "identities");

static double x[MOST_ITEMS];
static uint8_t bin[MOST_ITEMS];
static test_place_t place;
static place_memory_t x_there, bin_there;

static void check_bins(size_t n, usw_strategy_t strategy, int fresh) {
  uint64_t counts[BINS], expected_counts[BINS];
  double sums[BINS], expected_sums[BINS], least = fresh ? 99 : -5, expected_least = fresh ? INFINITY : -5;
  float greatest[FEW], expected_greatest[FEW];
  uint32_t bits = 1u << 31, expected_bits = fresh ? 0 : bits;
  for (int k = 0; k < BINS; k++) {
    counts[k] = expected_counts[k] = (uint64_t)k;
    sums[k] = expected_sums[k] = 0.5 * k;
    if (fresh)
      expected_counts[k] = 0;
  }
  if (n == 0) /* what no item changes stays as it is, bit by bit */
    sums[1] = expected_sums[1] = -0.0;
  for (int k = 0; k < FEW; k++)
    greatest[k] = expected_greatest[k] = k == 2 ? 1e6f : -1e6f;
  for (size_t i = 0; i < n; i++) {
    expected_counts[bin[i]]++;
    expected_sums[bin[i]] += x[i];
    expected_least = x[i] < expected_least ? x[i] : expected_least;
    if (bin[i] < FEW && (float)x[i] > expected_greatest[bin[i]])
      expected_greatest[bin[i]] = (float)x[i];
    expected_bits |= 1u << (i % 31);
  }
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.work_group_load = 1;
  options.accuracy = USW_FAST;
  options.initialize_to_identity = fresh ? 1u << 0 | 1u << 2 | 1u << 4 : 0;
  CHECK_STATUS(USW_OK, by_bin(n, (const double *)x_there.data, (const uint8_t *)bin_there.data, counts, sums, &least,
                              greatest, &bits, &options));
  check_count(memcmp(counts, expected_counts, sizeof counts) == 0, __FILE__, __LINE__, "counts, n=%zu", n);
  check_count(memcmp(sums, expected_sums, sizeof sums) == 0, __FILE__, __LINE__, "sums, n=%zu",
              n); /* exact: quarters */
  check_count(memcmp(greatest, expected_greatest, sizeof greatest) == 0, __FILE__, __LINE__, "greatest, n=%zu", n);
  CHECK_F64(expected_least, least);
  CHECK_U64(expected_bits, bits);
}

static void check_users(size_t n, usw_strategy_t strategy) {
  affine_t maps[FEW], expected_maps[FEW];
  double nearest[FEW], expected_nearest[FEW];
  int64_t products[2] = {1, -1}, expected_products[2] = {1, -1};
  for (int k = 0; k < FEW; k++) {
    maps[k] = expected_maps[k] = about_seven(3);
    nearest[k] = expected_nearest[k] = 500 + k;
  }
  for (size_t i = 0; i < n; i++) {
    if (bin[i] < FEW) {
      expected_maps[bin[i]] = compose(expected_maps[bin[i]], about_seven(2 * i + 1));
      if (bin[i] != 3)
        expected_nearest[bin[i]] = closer(expected_nearest[bin[i]], (double)(i % 1000));
    }
    expected_products[i & 1] = (int64_t)((uint64_t)expected_products[i & 1] * 3);
  }
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.work_group_load = 1;
  options.accuracy = USW_FAST;
  CHECK_STATUS(USW_OK, users_spans(n, (const uint8_t *)bin_there.data, maps, nearest, products, &options));
  check_count(memcmp(maps, expected_maps, sizeof maps) == 0, __FILE__, __LINE__, "maps, n=%zu", n);
  check_count(memcmp(nearest, expected_nearest, sizeof nearest) == 0, __FILE__, __LINE__, "nearest, n=%zu", n);
  check_count(memcmp(products, expected_products, sizeof products) == 0, __FILE__, __LINE__, "products, n=%zu", n);
}

static void check_few(size_t n, usw_strategy_t strategy) {
  double sums[FEW], expected_sums[FEW];
  float nearest[FEW], expected_nearest[FEW];
  uint16_t items = 11;
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.work_group_load = 1;
  options.accuracy = strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  for (int k = 0; k < FEW; k++) {
    sums[k] = expected_sums[k] = k;
    nearest[k] = expected_nearest[k] = 1e6f;
  }
  for (size_t i = 0; i < n; i++) {
    if (bin[i] < FEW) {
      expected_sums[bin[i]] += x[i];
      expected_nearest[bin[i]] = (float)closer(expected_nearest[bin[i]], (float)x[i]);
    }
    expected_sums[2] += 0.25;
    if (i % 3 == 0)
      expected_nearest[1] = (float)closer(expected_nearest[1], (float)(i % 1000));
  }
  CHECK_STATUS(USW_OK, few_bins(n, (const double *)x_there.data, (const uint8_t *)bin_there.data, sums, nearest, &items,
                                &options));
  check_count(memcmp(sums, expected_sums, sizeof sums) == 0, __FILE__, __LINE__, "few sums, n=%zu", n);
  check_count(memcmp(nearest, expected_nearest, sizeof nearest) == 0, __FILE__, __LINE__, "few nearest, n=%zu", n);
  CHECK_U64((uint16_t)(n + 11), items);
}

/* Spans that overlap a variable or each other are refused, and nothing is written. */
static void refusals(void) {
  uint64_t counts[BINS + 1] = {7};
  double sums[BINS + 1] = {8}, least = 9;
  float greatest[FEW] = {0};
  uint32_t bits = 0;
  usw_options_t options = place_options(&place);
  const double *from = (const double *)x_there.data;
  const uint8_t *with = (const uint8_t *)bin_there.data;
  CHECK_STATUS(USW_ERROR_INVALID, by_bin(9, from, with, counts, sums, &sums[BINS - 1], greatest, &bits, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'sums' and 'least'");
  CHECK_STATUS(USW_ERROR_INVALID,
               by_bin(9, from, with, counts, (double *)(void *)&counts[BINS - 1], &least, greatest, &bits, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'counts' and 'sums'");
  CHECK_STATUS(USW_ERROR_INVALID, by_bin(9, from, with, NULL, sums, &least, greatest, &bits, &options));
  CHECK_U64(7, counts[0]);
  CHECK_F64(8, sums[0]);
  CHECK_STATUS(USW_OK, by_bin(9, from, with, counts, sums, &sums[BINS], greatest, &bits, &options));
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 15, 255, 4095, 4096, 4097, 65537, MOST_ITEMS};
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  place = place_of_arguments(argc, argv);
  const int strategy_count = place_strategies(&place, strategies);
  for (int i = 0; i < MOST_ITEMS; i++) {
    x[i] = (i * 37 % 1009) / 4.0 - 100;
    bin[i] = (uint8_t)(i * 7919 % 97 % BINS);
  }
  x_there = memory_get(&place, x, sizeof x, 0);
  bin_there = memory_get(&place, bin, sizeof bin, 0);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    check_bins(sizes[s], USW_AUTO_STRATEGY, 0);
    check_bins(sizes[s], USW_AUTO_STRATEGY, 1);
    check_users(sizes[s], USW_AUTO_STRATEGY);
    check_few(sizes[s], USW_AUTO_STRATEGY);
    for (int k = 0; k < strategy_count; k++) {
      check_bins(sizes[s], strategies[k], 0);
      check_users(sizes[s], strategies[k]);
      check_few(sizes[s], strategies[k]);
    }
  }
  refusals();
  memory_free(&x_there);
  memory_free(&bin_there);
  return check_report();
}
