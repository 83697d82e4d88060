/* Kernels that tests of plans run. */
#ifndef USW_TESTS_PLAN_KERNELS_H
#define USW_TESTS_PLAN_KERNELS_H

#include <math.h>
#include <upsweep/upsweep.h>

#define USW_KERNEL residual
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax) VALUE(double, tolerance)
#define USW_REDUCERS(R, S) R(double, worst, USW_MAXIMUM) R(uint64_t, bad, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double r = b - ax;
  usw_combine(worst, fabs(r));
  if (fabs(r) > tolerance)
    usw_inc(bad);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL by_bin
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(uint32_t, bins)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(counts, i % bins, 1); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL count_of_segments
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x) VALUE(int32_t, wanted)
#define USW_REDUCERS(R, S) R(uint64_t, found, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x == wanted)
    usw_inc(found);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL area
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(int64_t, weight)
#define USW_REDUCERS(R, S) R(int64_t, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add(sum, weight * ((int64_t)j + (int64_t)i)); }
#include <upsweep/kernel_end.h>

#endif
