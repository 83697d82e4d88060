/* Kernels of segments: several reducers at once, in order, with an output. */
#ifndef USW_TESTS_SEGMENT_KERNELS_H
#define USW_TESTS_SEGMENT_KERNELS_H

#include <upsweep/upsweep.h>

#include "user_types.h"

/* y = A x of a sparse matrix by rows, its largest element of each row, and the numbers of rows and elements. */
#define USW_KERNEL row_products
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) IN(int32_t, column) ARRAY(double, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, y, USW_PLUS) R(float, most, USW_MAXIMUM) R(uint64_t, rows, USW_PLUS) R(uint64_t, places, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(y, a * x[column]);
  usw_combine(most, (float)a);
  usw_add(rows, usw_segment());
  usw_add(places, i);
}
#include <upsweep/kernel_end.h>

/* In order: maps that do not commute, with an identity and without. */
#define USW_KERNEL segment_maps
#define USW_ORDERED 1
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, x)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one()) R(affine_t, same, compose)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const affine_t of_item = {2 * (uint64_t)x + 3, i};
  usw_combine(map, of_item);
  usw_combine(same, of_item);
}
#include <upsweep/kernel_end.h>

/* Reproducible sums, and an output. */
#define USW_KERNEL halves_of_segments
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_OUTPUTS(OUT) OUT(float, halved)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_write(halved, (float)(x / 2));
}
#include <upsweep/kernel_end.h>

/* A small accumulator that depends on items and on segments. */
#define USW_KERNEL numbers_of_segments
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, x)
#define USW_REDUCERS(R, S) R(uint64_t, number, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(number, x * (usw_segment() + 1) + i); }
#include <upsweep/kernel_end.h>

/* Which loads for itself by the index, in items only. */
#define USW_KERNEL weighted_segments
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) ARRAY(uint8_t, weights)
#define USW_REDUCERS(R, S) R(double, weighted, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(weighted, a * weights[i]); }
#include <upsweep/kernel_end.h>

/* Elements for which a GPU's team memory has no room. */
typedef struct {
  double first, others[7], last;
} record_t;
#define USW_KERNEL ends_of_records
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(record_t, record) IN(uint8_t, x)
#define USW_REDUCERS(R, S) R(double, ends, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(ends, record.first - record.last + x); }
#include <upsweep/kernel_end.h>

#endif
