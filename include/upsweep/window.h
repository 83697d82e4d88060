/* What sweeps over data hand from the kernels (offload/shapes/window_sweep.h, offload/windows_on_host.c) to the library
 * (lib/exec/exact.c): the exact sums of windows of bins, and numbers wide enough for all of them. Not for users. */
#ifndef UPSWEEP_WINDOW_H
#define UPSWEEP_WINDOW_H
/** @cond */

#include <stdint.h>
#include <upsweep/descriptor.h>

enum {
  USW_WINDOW_LIMBS = 20,
  USW_WINDOW_LOWEST_UNIT = -1120, /* of the lowest window */
  USW_WINDOW_SUM_LIMBS = 73       /* from the lowest unit to 2^1216: 2^128 of the largest doubles */
};

/* The sum that a sweep finds in its window. */
typedef struct usw_window {
  uint32_t limb[USW_WINDOW_LIMBS]; /* an integer in two's complement, the lowest limb first, times 2^unit */
  int32_t unit;                    /* what is below 2^unit is left for the next sweep */
  int32_t smallest;                /* exponent of the smallest number but zeros; INT32_MAX: there was none */
  int32_t is_special;              /* the sum is no number, or an infinity: `special` is it */
  double special;
} usw_window_t;

/* The sum of windows: an integer in two's complement, times 2^USW_WINDOW_LOWEST_UNIT. Starts as zeros. */
typedef struct usw_window_sum {
  uint32_t limb[USW_WINDOW_SUM_LIMBS];
} usw_window_sum_t;

/* Which numbers a sweep adds, in an argument of its kernel: the type of the elements, of real numbers, and these. */
enum {
  USW_WINDOW_TYPE = 0xffu,
  USW_WINDOW_PRODUCTS = 1u << 8,    /* those of both streams */
  USW_WINDOW_PASSES_NANS = 1u << 9, /* nothing of an item that has a NaN in one of its streams */
  USW_WINDOW_PARTS = 1u << 10       /* of complex numbers: the second stream has the other part, which is not added */
};

/* Elements of an item of the kernel for any place; items are so many times a multiple of the lanes, whose neighbours take
 * neighbouring elements on a GPU. */
enum { USW_WINDOW_BATCH = 4, USW_WINDOW_LANES = 32 };

/* The remainders' anchor for what a window with this unit has not taken: 2^52 units. */
#define USW_WINDOW_ANCHOR_BITS 52

/* sum += window. */
void uswi_window_add(usw_window_sum_t *sum, const usw_window_t *window);

/* The nearest number, ties to even, of `digits` binary digits whose exponent is at least `least`: 53 and -1074 for double,
 * 24 and -149 for float. An exact zero is +0. */
double uswi_window_round(const usw_window_sum_t *sum, int digits, int least);

/* The kernels of a sweep: for any place, and for the host, by type, whether it is of products, and whether it passes over NaNs. */
extern const usw_kernel_t window_sweep_kernel;
const usw_kernel_t *uswi_window_kernel_on_host(usw_type_t type, int is_of_products, int passes_nans);

/** @endcond */
#endif
