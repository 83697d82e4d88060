/* Reducers as objects in C++: SYCL's members and operators.   reducers_cxx [--place NAME] */
#include <upsweep/upsweep.h>

struct pair_t {
  int64_t first, second;
};
static inline pair_t both(pair_t a, pair_t b) { return pair_t{a.first + b.first, a.second + b.second}; }

#define USW_KERNEL objects
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(int64_t, sum, USW_PLUS)                                                                                            \
  R(int32_t, most, USW_MAXIMUM)                                                                                        \
  R(uint64_t, product, USW_MULTIPLIES)                                                                                 \
  R(uint32_t, ones, USW_BIT_AND)                                                                                       \
  R(uint32_t, bits, USW_BIT_OR)                                                                                        \
  R(uint32_t, parity, USW_BIT_XOR)                                                                                     \
  R(uint64_t, count, USW_PLUS)                                                                                         \
  R(pair_t, two, both, (pair_t{0, 0}))                                                                                 \
  R(usw_f16_t, half, USW_PLUS)                                                                                         \
  R(usw_bf16_t, half_product, USW_MULTIPLIES)                                                                          \
  S(int64_t, bins, 4, USW_PLUS)                                                                                        \
  R(double, accurate, USW_PLUS_REPRODUCIBLE)                                                                           \
  R(usw_cf64_t, accurate_complex, USW_PLUS_COMPENSATED)                                                                \
  S(float, accurate_bins, 3, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  static_assert(objects_reducer_sum::dimensions == 0 && objects_reducer_bins::dimensions == 1, "dimensions");
  static_assert(objects_reducer_most::operation == USW_MAXIMUM, "operators");
  static_assert(std::is_same<objects_reducer_bins::value_type, int64_t>::value, "types");
  static_assert(!std::is_copy_constructible<objects_reducer_sum>::value, "reducers are not copied");
  static_assert(!std::is_copy_assignable<objects_reducer_sum>::value, "reducers are not assigned");
  sum += x;
  sum.combine(1).combine(sum.identity());
  most.combine(x);
  product *= 3;
  ones &= ~(1u << (x & 7));
  bits |= 1u << (x & 7);
  parity ^= (uint32_t)x;
  ++count;
  count++;
  two.combine(pair_t{x, 1});
  bins[i % 4] += x;
  ++bins[0];
  if (i < 100)
    half += usw_float_to_f16(0.5f);
  half_product *= usw_float_to_bf16(-1);
  half_product.combine(half_product.identity());
  static_assert(objects_reducer_accurate::operation == USW_PLUS, "accurate sums are sums");
  accurate += i % 2 ? 1e20 : -1e20; /* what cancels in the end */
  accurate.combine(0.25).combine(accurate.identity());
  accurate_complex += usw_cf64_t(x, 1);
  accurate_bins[i % 3] += 0.5f;
  usw_add(sum, 1); /* the macros are there as well */
}
#include <upsweep/kernel_end.h>

#include "support/check.h"
#include "oracle/memory.h"
#include "support/place.h"

enum { ITEMS = 9999 };

int main(int argc, char **argv) {
  const test_place_t place = place_of_arguments(argc, argv);
  static int32_t data[ITEMS];
  int64_t sum = 10, expected_sum = 10, bins[4] = {1, 2, 3, 4}, expected_bins[4] = {1, 2, 3, 4};
  int32_t most = -100, expected_most = -100;
  uint64_t product = 5, expected_product = 5, count = 0;
  uint32_t ones = ~0u, bits = 0, parity = 0, expected_parity = 0;
  pair_t two = {1, 1};
  usw_f16_t half = usw_float_to_f16(-3);
  usw_bf16_t half_product = usw_float_to_bf16(0.25f);
  double accurate = 1e20;
  usw_cf64_t accurate_complex(0.5, 0.5);
  float accurate_bins[3] = {0, 1, 2};
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i * 37 % 1009 - 500;
    expected_sum += data[i] + 2;
    expected_most = data[i] > expected_most ? data[i] : expected_most;
    expected_product *= 3;
    expected_parity ^= (uint32_t)data[i];
    expected_bins[i % 4] += data[i];
    expected_bins[0]++;
  }
  place_memory_t x = memory_get(&place, data, sizeof data, 0);
  usw_options_t options = place_options(&place);
  CHECK_STATUS(USW_OK, objects(ITEMS, static_cast<const int32_t *>(x.data), &sum, &most, &product, &ones, &bits,
                               &parity, &count, &two, &half, &half_product, bins, &accurate, &accurate_complex,
                               accurate_bins, &options));
  CHECK_I64(expected_sum, sum);
  CHECK_I64(expected_most, most);
  CHECK_U64(expected_product, product);
  CHECK_U64(0xffffff00u, ones);
  CHECK_U64(0xff, bits);
  CHECK_U64(expected_parity, parity);
  CHECK_U64(2 * ITEMS, count);
  CHECK_I64(expected_sum - 9 - 2 * ITEMS, two.first);
  CHECK_I64(1 + ITEMS, two.second);
  CHECK_F64(47, (double)usw_f16_to_float(half));
  CHECK_F64(-0.25, (double)usw_bf16_to_float(half_product));
  for (int k = 0; k < 4; k++)
    CHECK_I64(expected_bins[k], bins[k]);
  CHECK_F64(0.25 * double(ITEMS), accurate);
  CHECK_F64(static_cast<double>(expected_sum - 10 - 2 * ITEMS) + 0.5, accurate_complex.real());
  CHECK_F64(double(ITEMS) + 0.5, accurate_complex.imag());
  for (int k = 0; k < 3; k++)
    CHECK_F64(k + 0.5 * double(ITEMS / 3), static_cast<double>(accurate_bins[k]));
  memory_free(&x);
  return check_report();
}
