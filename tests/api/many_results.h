/* Kernels with many results, by maps of the tests' own. */
#ifndef USW_TESTS_MANY_RESULTS_H
#define USW_TESTS_MANY_RESULTS_H

#include <upsweep/upsweep.h>

#include "user_types.h"

/* Sum and largest element of each tile, and its items, which know where they are in the whole. */
#define USW_KERNEL tile_sums
#define USW_OWN_MAP "api/tile_map.h"
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint64_t, tile)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, sum, USW_PLUS) R(float, most, USW_MAXIMUM) R(uint64_t, places, USW_PLUS) R(affine_t, map, compose)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_combine(most, (float)x);
  usw_add(places, i);
  usw_combine(map, about_seven(3));
}
#include <upsweep/kernel_end.h>

/* Reproducible sums of segments, and an output. */
#define USW_KERNEL segment_sums
#define USW_OWN_MAP "api/offsets_map.h"
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) ARRAY(uint64_t, offsets)
#define USW_OUTPUTS(OUT) OUT(float, halved)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_write(halved, (float)(x / 2));
}
#include <upsweep/kernel_end.h>

/* In order: maps that do not commute. */
#define USW_KERNEL tile_maps
#define USW_ORDERED 1
#define USW_OWN_MAP "api/tile_map.h"
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, x) VALUE(uint64_t, tile)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const affine_t of_item = {2 * (uint64_t)x + 3, i};
  usw_combine(map, of_item);
}
#include <upsweep/kernel_end.h>

#endif
