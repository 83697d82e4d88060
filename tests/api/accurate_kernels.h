/* User kernels with accurate sums: of every type, beside reducers of every other kind, over every kind of items. */
#ifndef USW_TESTS_ACCURATE_KERNELS_H
#define USW_TESTS_ACCURATE_KERNELS_H

#include <upsweep/team.h>
#include <upsweep/upsweep.h>

#include "user_types.h"

enum { KEYS = 16, FEW = 3 };

/* Sums under conditions, several times an item; an operator of the user's without identity; integers. */
#define USW_KERNEL of_doubles
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y) VALUE(double, factor)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, total, USW_PLUS_REPRODUCIBLE)                                                                              \
  R(double, largest, USW_MAXIMUM)                                                                                      \
  R(double, nearest, closer)                                                                                           \
  R(double, products, USW_PLUS_REPRODUCIBLE)                                                                           \
  R(uint64_t, items, USW_PLUS)                                                                                         \
  R(double, twice, USW_PLUS_COMPENSATED)                                                                               \
  R(double, plain, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (i % 3 != 1) {
    usw_add(total, x);
    usw_combine(total, -y);
  }
  usw_add_product(products, x, y);
  usw_add_product(products, factor, y);
  usw_add_product(twice, x, y);
  usw_add(twice, x);
  usw_combine(largest, x);
  if (i % 5 == 0)
    usw_combine(nearest, (double)(i % 1000));
  usw_inc(items);
  usw_add_product(plain, 2, (double)(i % 100));
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL of_floats
#define USW_ARGS(IN, ARRAY, VALUE) IN(float, x) IN(float, y)
#define USW_REDUCERS(R, S)                                                                                             \
  R(float, total, USW_PLUS_REPRODUCIBLE)                                                                               \
  R(int16_t, items, USW_PLUS)                                                                                          \
  R(float, products, USW_PLUS_REPRODUCIBLE)                                                                            \
  R(float, twice, USW_PLUS_COMPENSATED)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(total, x);
  if (x > y)
    usw_add_product(products, x, y);
  usw_add_product(twice, x, y);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

#define COMPLEX_REDUCERS(R, T)                                                                                         \
  R(T, total, USW_PLUS_REPRODUCIBLE)                                                                                   \
  R(T, products, USW_PLUS_REPRODUCIBLE) R(T, twice, USW_PLUS_COMPENSATED) R(uint32_t, items, USW_PLUS)
#define COMPLEX_BODY                                                                                                   \
  usw_add(total, x);                                                                                                   \
  if (i % 2 == 0)                                                                                                      \
    usw_add_product(products, x, y);                                                                                   \
  usw_add_product(twice, x, y);                                                                                        \
  usw_inc(items);
#define USW_KERNEL of_cf64
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_cf64_t, x) IN(usw_cf64_t, y)
#define USW_REDUCERS(R, S) COMPLEX_REDUCERS(R, usw_cf64_t)
#include <upsweep/kernel.h>
USW_VISIT(i){COMPLEX_BODY}
#include <upsweep/kernel_end.h>
#define USW_KERNEL of_cf32
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_cf32_t, x) IN(usw_cf32_t, y)
#define USW_REDUCERS(R, S) COMPLEX_REDUCERS(R, usw_cf32_t)
#include <upsweep/kernel.h>
USW_VISIT(i){COMPLEX_BODY}
#include <upsweep/kernel_end.h>

/* More numbers of one item than a bin takes before it carries. */
#define USW_KERNEL many_per_item
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint32_t, times)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE) R(float, total_f, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  for (uint32_t k = 0; k < times; k++) {
    usw_add(total, k % 4 == 3 ? -x : x);
    usw_add(total_f, (float)(k % 7) + 0.125f);
  }
}
#include <upsweep/kernel_end.h>

/* No stream; and nothing but reproducible sums. */
#define USW_KERNEL harmonic
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(double, first)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, 1 / (first + (double)i)); }
#include <upsweep/kernel_end.h>

/* The same numbers in order of a space, of which the sum does not depend. */
#define USW_KERNEL of_plane
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE) R(int64_t, indices, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_add(total, x);
  usw_add(indices, 1000 * j + i);
}
#include <upsweep/kernel_end.h>

/* What threads without an item combine is forgotten, whatever window it would need. */
#define USW_KERNEL together
#define USW_IN_STEP 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, total, USW_PLUS_REPRODUCIBLE)                                                                              \
  R(double, twice, USW_PLUS_COMPENSATED) R(uint64_t, items, USW_PLUS) S(double, few, FEW, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const usw_team_t team = usw_kernel_team();
  const uint32_t have = usw_team_count(team, usw_has_item());
  usw_add(total, usw_has_item() ? x : 1e300);
  usw_add(twice, usw_has_item() ? x : 1e300);
  usw_add_at(few, i % FEW, usw_has_item() ? x : 1e300);
  if (team.thread == 0)
    usw_add(items, have);
}
#include <upsweep/kernel_end.h>

/* Spans: in the accumulator, in the block, of an extent that comes with the call. */
#define USW_KERNEL by_few
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S)                                                                                             \
  S(double, totals, FEW, USW_PLUS_REPRODUCIBLE)                                                                        \
  S(double, twice, FEW, USW_PLUS_COMPENSATED)                                                                          \
  R(double, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(total, x);
  usw_add_at(totals, key % FEW, x);
  usw_add_at(totals, 1, 0.1);
  usw_add_at(twice, key % FEW, x);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL by_key
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S)                                                                                             \
  S(double, totals, KEYS, USW_PLUS_REPRODUCIBLE)                                                                       \
  S(uint32_t, items, KEYS, USW_PLUS)                                                                                   \
  S(float, totals_f, KEYS, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add_at(totals, key % KEYS, x);
  usw_add_at(totals, key / 5 % KEYS, -0.3);
  usw_inc_at(items, key % KEYS);
  usw_add_at(totals_f, i / 10 % KEYS, (float)key);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL by_any_key
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(uint32_t, key)
#define USW_REDUCERS(R, S)                                                                                             \
  S(double, totals, USW_DYNAMIC_EXTENT, USW_PLUS_REPRODUCIBLE)                                                         \
  S(usw_cf32_t, twice, USW_DYNAMIC_EXTENT, USW_PLUS_COMPENSATED)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_cf32_t z = 1;
  z *= (float)(i % 1000);
  usw_add_at(totals, key % usw_extent_of(totals), x);
  usw_add_at(twice, key % usw_extent_of(twice), z);
}
#include <upsweep/kernel_end.h>

/* What promises the upper levels, and what does not. */
#define USW_KERNEL with_a_plain_sum
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE) R(double, plain, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(total, x);
  usw_add(plain, x);
}
#include <upsweep/kernel_end.h>
#define USW_KERNEL compensated_and_exact
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, twice, USW_PLUS_COMPENSATED)                                                                               \
  R(double, total, USW_PLUS_REPRODUCIBLE, USW_INITIALIZE_TO_IDENTITY) R(double, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(twice, x);
  usw_add(total, x);
  usw_combine(least, x);
}
#include <upsweep/kernel_end.h>

#endif
