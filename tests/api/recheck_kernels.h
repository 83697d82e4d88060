/* Kernels that tests of rechecking run. */
#ifndef USW_TESTS_RECHECK_KERNELS_H
#define USW_TESTS_RECHECK_KERNELS_H

#include <upsweep/upsweep.h>

/* What no body may do: it writes, so that a second run sees other data than the first. Each item has a cell of its own. */
#define USW_KERNEL visits
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(uint64_t, seen)
#define USW_REDUCERS(R, S) R(double, steady, USW_PLUS) S(uint64_t, spread, 3, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  uint64_t *cell = (uint64_t *)(uintptr_t)&seen[i];
  ++*cell;
  usw_add(steady, 0.5);
  usw_combine_at(spread, i % 3, i % 3 == 1 ? *cell : 1);
}
#include <upsweep/kernel_end.h>

/* The same, for what it writes into an output. */
#define USW_KERNEL writes
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(uint64_t, seen)
#define USW_OUTPUTS(OUT) OUT(uint64_t, times)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  uint64_t *cell = (uint64_t *)(uintptr_t)&seen[i];
  ++*cell;
  usw_write(times, i == 2 ? *cell : i);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* The same in a scan. */
#define USW_KERNEL writes_sums
#define USW_SCAN 1
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(uint64_t, seen)
#define USW_OUTPUTS(OUT) OUT(uint64_t, sums)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  uint64_t *cell = (uint64_t *)(uintptr_t)&seen[i];
  ++*cell;
  usw_inc(items);
  usw_write(sums, usw_scanned(items) + *cell);
}
#include <upsweep/kernel_end.h>

/* Reducers whose bits depend on the way, and others; a span whose cells have a block of their own. */
#define USW_KERNEL blend
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint32_t, bins)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, total, USW_PLUS)                                                                                           \
  R(double, most, USW_MAXIMUM)                                                                                         \
  R(uint64_t, items, USW_PLUS)                                                                                         \
  S(float, by_bin, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(total, x);
  usw_combine(most, x);
  usw_inc(items);
  usw_combine_at(by_bin, i % bins, (float)x);
}
#include <upsweep/kernel_end.h>

/* Any way gives the same bits, and the library knows. */
#define USW_KERNEL histogram
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(uint64_t, above, USW_PLUS) S(uint64_t, by_bin, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x > 0)
    usw_inc(above);
  usw_inc_at(by_bin, i % 100);
}
#include <upsweep/kernel_end.h>

#endif
