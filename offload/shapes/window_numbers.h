/* What sweeps over data add up: what windows of earlier sweeps have not taken of each number. For the kernel of any place
 * (window_sweep.h) and those of the host (windows_on_host.c). */
#ifndef UPSWEEP_SHAPES_WINDOW_NUMBERS_H
#define UPSWEEP_SHAPES_WINDOW_NUMBERS_H

#include <float.h>
#include <upsweep/element.h>
#include <upsweep/port.h>
#include <upsweep/sums.h>
#include <upsweep/window.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* The bits of x that a mask has. What a mask decides is no branch, which compilers would copy whole loops for. */
USW_INLINE double usw_window_masked(double x, uint64_t mask) { return usw_of_bits(usw_bits_of(x) & mask); }

/* x without the nearest multiple of a unit, to even in ties as bins cut; `anchor` is 2^52 units. To add 2^52 units of x's sign
 * and to take them away again rounds x to a multiple; numbers that are not smaller than that are multiples themselves.
 * `removed` has all bits, or none in a first sweep. */
USW_INLINE double usw_window_remainder(double x, double anchor, uint64_t removed) {
  const double signed_anchor = __builtin_fabs(x) < anchor ? __builtin_copysign(anchor, x) : 0;
  const double multiple = (x + signed_anchor) - signed_anchor;
  return x - usw_window_masked(multiple, removed);
}

/* What orders numbers by size, with zeros behind all others. */
USW_INLINE uint64_t usw_window_size(double x) { return (usw_bits_of(x) & INT64_MAX) - 1; }

/* What rounding leaves of a product; of one that overflows nothing. */
USW_INLINE double usw_window_error(double x, double y, double product) {
  const double error = __builtin_fma(x, y, -product);
  return __builtin_fabs(product) <= DBL_MAX ? error : 0;
}

/* Nothing is added where one of two is a NaN. */
USW_INLINE void usw_window_pass_pair(double *x, double *y) {
  const int is_number = *x == *x && *y == *y;
  *x = is_number ? *x : 0;
  *y = is_number ? *y : 0;
}

/* The window as it leaves the kernel. */
static inline void usw_window_of(const usw_reproducible_d_t *bins, uint64_t least, usw_window_t *window) {
  __builtin_memset(window, 0, sizeof *window);
  window->smallest = least == UINT64_MAX ? INT32_MAX : (int32_t)((least + 1) >> 52) - 1023;
  window->is_special = usw_bins_are_special(bins->limit, bins->carry[0], &window->special);
  if (window->is_special)
    return;
  window->special = 0;
  const usw_wide_t sum = usw_bins_d_exact(bins, 1);
  __builtin_memcpy(window->limb, sum.limb, sizeof window->limb);
  window->unit = sum.exponent;
}

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
