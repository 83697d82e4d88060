/* Every member and every operator of a reducer that a kernel's body may use: combining once, several times or not at all,
 * shorthands, and each operator over numbers for which order does not show.   members [--place NAME] */
#include <math.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

enum { ITEMS = 30000 };

#define USW_KERNEL members
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, mask)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, sum, USW_PLUS)                                                                                           \
  R(double, real_sum, USW_PLUS)                                                                                        \
  R(int32_t, odd, USW_PLUS)                                                                                            \
  R(uint64_t, steps, USW_PLUS)                                                                                         \
  R(uint64_t, product, USW_MULTIPLIES)                                                                                 \
  R(double, sign, USW_MULTIPLIES)                                                                                      \
  R(uint32_t, in_all, USW_BIT_AND)                                                                                     \
  R(uint32_t, in_any, USW_BIT_OR)                                                                                      \
  R(uint32_t, parity, USW_BIT_XOR)                                                                                     \
  R(float, least, USW_MINIMUM)                                                                                         \
  R(int64_t, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(sum, x);
  usw_add(real_sum, x * 0.25);
  if (x % 2 == 1)
    usw_inc(odd);
  for (uint32_t step = 0; step < x % 4; step++)
    usw_inc(steps);
  usw_combine(product, 2 * x + 1);
  usw_combine(sign, x % 3 == 0 ? -1 : 1);
  usw_combine(in_all, x | mask);
  usw_combine(in_any, x & mask);
  usw_combine(parity, x);
  usw_combine(least, (float)(x % 1000));
  usw_combine(most, -(int64_t)x);
}
#include <upsweep/kernel_end.h>

/* Logical operators over bool, as in the table, and over integers, of which every value but 0 is true. */
#define USW_KERNEL truths
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, bound)
#define USW_REDUCERS(R, S)                                                                                             \
  R(usw_b8_t, every_below, USW_LOGICAL_AND)                                                                            \
  R(usw_b8_t, some_above, USW_LOGICAL_OR)                                                                              \
  R(int32_t, every_set, USW_LOGICAL_AND)                                                                               \
  R(uint64_t, some_set, USW_LOGICAL_OR)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(every_below, x < bound);
  usw_combine(some_above, x > bound);
  usw_combine(every_set, (int32_t)(x / bound) - 1);
  usw_combine(some_set, (uint64_t)(x / bound) << 40);
}
#include <upsweep/kernel_end.h>

typedef struct {
  uint64_t sum, steps, product;
  double real_sum, sign;
  int64_t most;
  int32_t odd;
  uint32_t in_all, in_any, parity;
  float least;
} members_t;

static const members_t originals = {10, 20, 31, 0.5, -1, -7, 40, 0x7fffffff, 0x80000000, 0x5555, 999};
static const members_t identities = {0, 0, 1, 0, 1, INT64_MIN, 0, UINT32_MAX, 0, 0, INFINITY};

static members_t serial(size_t n, const uint32_t *x, uint32_t mask, members_t m) {
  for (size_t i = 0; i < n; i++) {
    m.sum += x[i];
    m.real_sum += x[i] * 0.25;
    m.odd += (int32_t)(x[i] % 2);
    m.steps += x[i] % 4;
    m.product *= 2 * x[i] + 1;
    m.sign *= x[i] % 3 == 0 ? -1 : 1;
    m.in_all &= x[i] | mask;
    m.in_any |= x[i] & mask;
    m.parity ^= x[i];
    m.least = (float)(x[i] % 1000) < m.least ? (float)(x[i] % 1000) : m.least;
    m.most = -(int64_t)x[i] > m.most ? -(int64_t)x[i] : m.most;
  }
  return m;
}

static void check_members(size_t n, const uint32_t *x, const uint32_t *x_there, usw_options_t options, int fresh) {
  static const uint32_t mask = 0x10ff00ff;
  const members_t expected = serial(n, x, mask, fresh ? identities : originals);
  members_t got = originals;
  options.initialize_to_identity = fresh ? 2047 : 0;
  CHECK_STATUS(USW_OK, members(n, x_there, mask, &got.sum, &got.real_sum, &got.odd, &got.steps, &got.product, &got.sign,
                               &got.in_all, &got.in_any, &got.parity, &got.least, &got.most, &options));
  CHECK_U64(expected.sum, got.sum);
  CHECK_F64(expected.real_sum, got.real_sum);
  CHECK_I64(expected.odd, got.odd);
  CHECK_U64(expected.steps, got.steps);
  CHECK_U64(expected.product, got.product);
  CHECK_F64(expected.sign, got.sign);
  CHECK_U64(expected.in_all, got.in_all);
  CHECK_U64(expected.in_any, got.in_any);
  CHECK_U64(expected.parity, got.parity);
  CHECK_F64((double)expected.least, (double)got.least);
  CHECK_I64(expected.most, got.most);
}

/* Each original value in turn decides a result that the items leave open. */
static void check_truths(size_t n, const uint32_t *x, const uint32_t *x_there, uint32_t bound,
                         const usw_options_t *options) {
  for (int original = 0; original < 2; original++) {
    usw_b8_t every_below = (usw_b8_t)original, some_above = (usw_b8_t)original;
    int32_t every_set = original;
    uint64_t some_set = (uint64_t)original;
    int below = original, above = original, all_set = original, any_set = original;
    for (size_t i = 0; i < n; i++) {
      below = below && x[i] < bound;
      above = above || x[i] > bound;
      all_set = all_set && x[i] / bound != 1;
      any_set = any_set || x[i] / bound != 0;
    }
    CHECK_STATUS(USW_OK, truths(n, x_there, bound, &every_below, &some_above, &every_set, &some_set, options));
    CHECK_I64(below, every_below);
    CHECK_I64(above, some_above);
    CHECK_I64(all_set, every_set);
    CHECK_I64(any_set, (int64_t)some_set);
  }
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 31, 255, 257, 1024, 4095, ITEMS};
  static uint32_t x[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (uint32_t i = 0; i < ITEMS; i++)
    x[i] = 1 + i * 48271 % 65537;
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  const uint32_t *data = (const uint32_t *)there.data;
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      check_members(sizes[k], x, data, strategies.options[s], 0);
      check_members(sizes[k], x, data, strategies.options[s], 1);
      for (uint32_t bound = 1; bound < 100000; bound = 4 * bound + 3)
        check_truths(sizes[k], x, data, bound, &strategies.options[s]);
    }
  memory_free(&there);
  return check_report();
}
