/* Kernels over spaces: of streams and of none, of variables and of spans, and one whose items are in order. */
#ifndef USW_TESTS_SPACE_KERNELS_H
#define USW_TESTS_SPACE_KERNELS_H

#include <stdint.h>
#include <upsweep/upsweep.h>

#include "user_types.h"

enum { BINS = 5 };

/* A number for the indices of an item: two sets of items with the same count, sum and XOR of these are the same set. */
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
static inline uint64_t mark(uint64_t k, uint64_t j, uint64_t i) {
  uint64_t x = k * 0x9e3779b97f4a7c15u + j * 0xc2b2ae3d27d4eb4fu + i * 0x165667b19e3779f9u;
  x ^= x >> 31;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 29);
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define MARKS(R)                                                                                                       \
  R(uint64_t, count, USW_PLUS)                                                                                         \
  R(uint64_t, sum_of_marks, USW_PLUS) R(uint64_t, marks, USW_BIT_XOR) R(uint64_t, elements, USW_PLUS)
#define NOTE(k, j, i, element)                                                                                         \
  do {                                                                                                                 \
    usw_inc(count);                                                                                                    \
    usw_add(sum_of_marks, mark((uint64_t)(k), (uint64_t)(j), (uint64_t)(i)));                                          \
    usw_xor(marks, mark((uint64_t)(k), (uint64_t)(j), (uint64_t)(i)));                                                 \
    usw_add(elements, (element) * (mark((uint64_t)(k), (uint64_t)(j), (uint64_t)(i)) | 1));                            \
  } while (0)

/* Streams of different widths: blocks of 16 items, loaded ahead. */
#define USW_KERNEL two_streams
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) IN(uint8_t, c)
#define USW_REDUCERS(R, S) MARKS(R)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { NOTE(0, j, i, x + ((uint64_t)c << 32)); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL three_streams
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) IN(uint8_t, c)
#define USW_REDUCERS(R, S) MARKS(R)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) { NOTE(k, j, i, x + ((uint64_t)c << 32)); }
#include <upsweep/kernel_end.h>

/* 32 bytes an item: outside the fast loop one item at a time. */
#define USW_KERNEL two_many
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint64_t, w) IN(uint64_t, x) IN(uint64_t, y) IN(uint64_t, z)
#define USW_REDUCERS(R, S) MARKS(R)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { NOTE(0, j, i, w + 3 * x + 5 * y + 7 * z); }
#include <upsweep/kernel_end.h>

/* No stream: an array read by the indices. */
#define USW_KERNEL two_array
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(uint32_t, x) VALUE(int64_t, pitch)
#define USW_REDUCERS(R, S) MARKS(R)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { NOTE(0, j, i, x[j * pitch + i]); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL three_array
#define USW_DIMENSIONS 3
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(uint32_t, x) VALUE(int64_t, pitch) VALUE(int64_t, plane_pitch)
#define USW_REDUCERS(R, S) MARKS(R)
#include <upsweep/kernel.h>
USW_VISIT(k, j, i) { NOTE(k, j, i, x[k * plane_pitch + j * pitch + i]); }
#include <upsweep/kernel_end.h>

/* A span. */
#define USW_KERNEL two_bins
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) S(uint64_t, bins, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add_at(bins, (size_t)(j + 2 * i + 4000000) % BINS, x); }
#include <upsweep/kernel_end.h>

/* A floating sum whose bits show the order of the items. */
#define USW_KERNEL two_inexact
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  const double term = 1.0 / (double)(x + 1);
#ifdef __cplusplus
  sum += term;
#else
  usw_add(sum, term);
#endif
}
#include <upsweep/kernel_end.h>

/* Floating sums that are exact, so that the host deals items to chains and nothing else shows. */
#define USW_KERNEL two_exact
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, c)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(double, weighted, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_add(sum, (double)c);
  usw_add(weighted, (double)(c * (j + 2 * i)));
}
#include <upsweep/kernel_end.h>

/* A span of any extent, whose cells a team's threads take turns at: some items combine into it twice. */
#define USW_KERNEL two_cells
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint64_t, extent)
#define USW_REDUCERS(R, S) R(uint64_t, count, USW_PLUS) S(double, cells, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_inc(count);
  usw_add_at(cells, x % extent, (double)(j + 2 * i));
  if (i & 1)
    usw_add_at(cells, (uint64_t)(j + 4000000) % extent, (double)i);
}
#include <upsweep/kernel_end.h>

/* Maps that do not commute: the order of the items. */
#define USW_KERNEL two_ordered
#define USW_DIMENSIONS 2
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one())
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  const affine_t of_item = {2 * (uint64_t)x + 1, (uint64_t)(j + 31 * i)};
  usw_combine(map, of_item);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL two_counts
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(int64_t, zero)
#define USW_REDUCERS(R, S) R(uint64_t, count, USW_PLUS) R(uint64_t, rows, USW_PLUS) R(uint64_t, columns, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_inc(count);
  usw_add(rows, (uint64_t)(j + zero));
  usw_add(columns, (uint64_t)i);
}
#include <upsweep/kernel_end.h>

#endif
