/* Kernels that scan: running values of several reducers, a selection, maps that do not commute; scans that begin anew. */
#ifndef USW_TESTS_SCAN_KERNELS_H
#define USW_TESTS_SCAN_KERNELS_H

#include <upsweep/upsweep.h>

#include "user_types.h"

/* A running sum, the running largest element behind it, and the items above `least`, with their numbers. */
#define USW_KERNEL select_above
#define USW_SCAN 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(double, least)
#define USW_OUTPUTS(OUT) OUT(double, running) OUT(float, most_before) OUT(uint32_t, number)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(float, most, USW_MAXIMUM) R(uint64_t, kept, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_combine(most, (float)x);
  usw_write(running, usw_scanned_through(sum));
  usw_write(most_before, usw_scanned(most));
  if (x > least) {
    usw_write_at(number, usw_scanned(kept), (uint32_t)i);
    usw_inc(kept);
  }
}
#include <upsweep/kernel_end.h>

/* In order: maps that do not commute, with an identity and without; tiles of few items. */
#define USW_KERNEL running_maps
#define USW_SCAN 1
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, x)
#define USW_OUTPUTS(OUT) OUT(affine_t, before) OUT(affine_t, through)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one()) R(affine_t, same, compose)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const affine_t of_item = {2 * (uint64_t)x + 3, i};
  usw_combine(map, of_item);
  usw_combine(same, of_item);
  usw_write(before, usw_scanned(map));
  usw_write(through, usw_scanned_through(same));
}
#include <upsweep/kernel_end.h>

/* Where elements differ from the ones before: how many up to each item, and the differences one behind the other. */
#define USW_KERNEL changes
#define USW_SCAN 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x) IN(uint8_t, y)
#define USW_OUTPUTS(OUT) OUT(uint64_t, so_far) OUT(int32_t, difference)
#define USW_REDUCERS(R, S) R(uint64_t, count, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x != usw_previous(x) || y != usw_previous(y)) {
    usw_write_at(difference, usw_scanned(count), x - usw_previous(x) + 1000 * (y - usw_previous(y)));
    usw_inc(count);
  }
  usw_write(so_far, usw_scanned_through(count));
}
#include <upsweep/kernel_end.h>

/* Anew at each negative element: a running sum, and the largest element before each one. */
#define USW_KERNEL spells
#define USW_SCAN 1
#define USW_RESTARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_OUTPUTS(OUT) OUT(double, running) OUT(float, most_before)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(float, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x < 0)
    usw_restart();
  usw_write(most_before, usw_scanned(most));
  usw_add(sum, x);
  usw_combine(most, (float)x);
  usw_write(running, usw_scanned_through(sum));
}
#include <upsweep/kernel_end.h>

/* In order, anew where elements fall: maps that do not commute, with an identity and without. */
#define USW_KERNEL ascents
#define USW_SCAN 1
#define USW_RESTARTS 1
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint16_t, x)
#define USW_OUTPUTS(OUT) OUT(affine_t, before) OUT(affine_t, through)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one()) R(affine_t, same, compose)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const affine_t of_item = {2 * (uint64_t)x + 3, i};
  if (x < usw_previous(x))
    usw_restart();
  usw_write(before, usw_scanned(map));
  usw_combine(map, of_item);
  usw_combine(same, of_item);
  usw_write(through, usw_scanned_through(same));
}
#include <upsweep/kernel_end.h>

#endif
