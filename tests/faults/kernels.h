/* Kernels that tests of faults run: one of each kind that the library runs in a way of its own. */
#ifndef USW_TESTS_FAULTS_KERNELS_H
#define USW_TESTS_FAULTS_KERNELS_H

#include <upsweep/upsweep.h>

/* May be staged. */
#define USW_KERNEL beyond
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(double, limit)
#define USW_REDUCERS(R, S) R(double, most, USW_MAXIMUM) R(uint64_t, over, USW_PLUS)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() {
  usw_combine(most, x);
  if (x > limit)
    usw_inc(over);
}
#include <upsweep/kernel_end.h>

/* Over parts. Its records are not watched: launches are waited for by their streams. */
#define USW_KERNEL dealt
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(uint64_t, last, USW_MAXIMUM) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(last, i);
  usw_inc_at(counts, x > 0);
}
#include <upsweep/kernel_end.h>

/* A record that is too large for the stack. */
#define USW_KERNEL bins
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(total, x);
  usw_inc_at(counts, i % 300);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL halve
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_OUTPUTS(OUT) OUT(double, half)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_write(half, x / 2);
  usw_add(total, x);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL tiles
#define USW_OWN_MAP "api/tile_map.h"
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint64_t, tile)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(uint64_t, places, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_add(places, i);
}
#include <upsweep/kernel_end.h>

#endif
