/* User kernels whose streams may be staged, and some whose may not. */
#ifndef USW_TESTS_STAGING_KERNELS_H
#define USW_TESTS_STAGING_KERNELS_H

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(float, ax) VALUE(double, limit)
#define USW_REDUCERS(R, S) R(int64_t, total, USW_PLUS) R(double, worst, USW_MAXIMUM) R(uint64_t, over, USW_PLUS)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() {
  const double r = b - (double)ax;
  usw_add(total, (int64_t)(4 * r));
  usw_combine(worst, r < 0 ? -r : r);
  if (r > limit)
    usw_inc(over);
}
#include <upsweep/kernel_end.h>

/* In order: maps x -> a * x + c modulo 2^64 do not commute. */
typedef struct {
  uint64_t a, c;
} staged_map_t;
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
static inline staged_map_t staged_then(staged_map_t f, staged_map_t g) {
  const staged_map_t both = {f.a * g.a, f.c * g.a + g.c};
  return both;
}
static inline staged_map_t staged_nothing(void) {
  const staged_map_t nothing = {1, 0};
  return nothing;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#define USW_KERNEL compose
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint64_t, a) IN(uint64_t, c)
#define USW_REDUCERS(R, S) R(staged_map_t, map, staged_then, staged_nothing())
#define USW_ORDERED 1
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() {
  const staged_map_t of_item = {a | 1, c};
  usw_combine(map, of_item);
}
#include <upsweep/kernel_end.h>

/* A span, and a table for random access. */
#define USW_KERNEL tally
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint64_t, key) ARRAY(int32_t, weights)
#define USW_REDUCERS(R, S) S(int64_t, bins, 100, USW_PLUS)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() { usw_add_at(bins, key % 100, weights[key % 7]); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL with_index
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b)
#define USW_REDUCERS(R, S) R(uint64_t, places, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (b > 0)
    usw_add(places, i);
}
#include <upsweep/kernel_end.h>

#endif
