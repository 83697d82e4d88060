/* Kernels of axes: several reducers of unlike types at once, streams of unlike sizes, none, and reproducible sums. */
#ifndef USW_TESTS_AXES_KERNELS_H
#define USW_TESTS_AXES_KERNELS_H

#include <math.h>
#include <upsweep/upsweep.h>

/* A value and where it is; of equal ones the first. */
typedef struct {
  double value;
  uint64_t item;
} peak_t;

static inline peak_t peak_none(void) {
  const peak_t none = {-INFINITY, UINT64_MAX};
  return none;
}

static inline peak_t peak_higher(peak_t a, peak_t b) {
  return (a.value > b.value) | ((a.value == b.value) & (a.item < b.item)) ? a : b;
}

/* A matrix minus a row vector: its sum, extreme, peak, and what the body is told of its indices. */
#define USW_KERNEL centered_2d
#define USW_AXES 1
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(double, scale) IN(double, a) ARRAY(double, center) IN(float, b)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, sum, USW_PLUS)                                                                                             \
  R(float, most, USW_MAXIMUM) R(peak_t, peak, peak_higher, peak_none()) R(uint64_t, indices, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  const peak_t here = {a, usw_item()};
  usw_add(sum, scale * (a - center[i]));
  usw_combine(most, b);
  usw_combine(peak, here);
  usw_add(indices, (uint64_t)(101 * j + i));
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL centered_3d
#define USW_AXES 1
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(double, scale) IN(double, a) ARRAY(double, center) IN(float, b)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, sum, USW_PLUS)                                                                                             \
  R(float, most, USW_MAXIMUM) R(peak_t, peak, peak_higher, peak_none()) R(uint64_t, indices, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) {
  const peak_t here = {a, usw_item()};
  usw_add(sum, scale * (a - center[i]));
  usw_combine(most, b);
  usw_combine(peak, here);
  usw_add(indices, (uint64_t)(10007 * k + 101 * j + i));
}
#include <upsweep/kernel_end.h>

/* Of small elements, many columns of which a thread takes at once. */
#define USW_KERNEL least_halves
#define USW_AXES 1
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) IN(float, b)
#define USW_REDUCERS(R, S) R(float, most, USW_MAXIMUM) R(uint32_t, indices, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) {
  usw_combine(most, b);
  usw_add(indices, (uint32_t)(10007 * k + 101 * j + i));
}
#include <upsweep/kernel_end.h>

/* Without a stream. */
#define USW_KERNEL indices_alone
#define USW_AXES 1
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE)
#define USW_REDUCERS(R, S) R(uint64_t, indices, USW_PLUS) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) {
  usw_add(indices, (uint64_t)(10007 * k + 101 * j + i));
  usw_add(items, usw_item());
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL reproducible_3d
#define USW_AXES 1
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) { usw_add(sum, a); }
#include <upsweep/kernel_end.h>

/* For errors: of the same kind, without axes. */
#define USW_KERNEL without_axes
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add(sum, a); }
#include <upsweep/kernel_end.h>

#endif
