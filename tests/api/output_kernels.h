/* Kernels that write: one of each kind that the engine visits items in a way of its own for. */
#ifndef USW_TESTS_OUTPUT_KERNELS_H
#define USW_TESTS_OUTPUT_KERNELS_H

#include <upsweep/team.h>
#include <upsweep/upsweep.h>

/* Two streams, and an output of the same type. */
#define USW_KERNEL update
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y) VALUE(double, a)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double sum = a * x + y;
  usw_write(out, sum);
  usw_add(total, sum);
  usw_combine(most, sum);
}
#include <upsweep/kernel_end.h>

/* The same for sums that are added on trial, and again where numbers do not fit. */
#define USW_KERNEL update_reproducibly
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y) VALUE(double, a)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double sum = a * x + y;
  usw_write(out, sum);
  usw_add(total, sum);
}
#include <upsweep/kernel_end.h>

/* Elements of unlike sizes; one is not written by all items. */
#define USW_KERNEL convert
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_OUTPUTS(OUT) OUT(uint8_t, byte) OUT(float, single) OUT(uint64_t, third)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() {
  const uint64_t whole = (uint64_t)x;
  usw_write(byte, (uint8_t)whole);
  usw_write(single, (float)x);
  if (whole % 3 == 0)
    usw_write(third, whole);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* Nothing to read. */
#define USW_KERNEL ramp
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(double, first)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_write(out, first + (double)i);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* In the items' order, in step, and beside a span whose cells threads take turns at, of whose two values an item the second one has the
 * body run again. */
#define USW_KERNEL update_in_order
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y) VALUE(double, a)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_write(out, a * x + y);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL update_in_step
#define USW_IN_STEP 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y) VALUE(double, a)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const usw_team_t team = usw_kernel_team();
  const uint32_t some = usw_team_any(team, usw_has_item());
  usw_write(out, some ? a * x + y : -1);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

enum { TURN_CELLS = 37 };
#define USW_KERNEL update_by_turns
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y) VALUE(double, a)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS) S(double, most, USW_DYNAMIC_EXTENT, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_write(out, a * x + y);
  usw_combine_at(most, i % TURN_CELLS, x);
  usw_combine_at(most, (i + 1) % TURN_CELLS, y);
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* Of a space, whose elements are not in the order of the items. */
#define USW_KERNEL update_plane
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(double, a)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_write(out, a * x + (double)(1000 * j + i));
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

/* With an array for random access. */
#define USW_KERNEL gather
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint64_t, index) ARRAY(double, table)
#define USW_OUTPUTS(OUT) OUT(double, out)
#define USW_REDUCERS(R, S) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_write(out, table[index]);
  usw_combine(most, table[index]);
}
#include <upsweep/kernel_end.h>

#endif
