/* The host's kernels of sweeps over elements of one type, USW_WINDOW_TAG: of the numbers themselves or their absolute values,
 * and of products. */
#undef USW_IMAGES /* no target region */
#include "shapes/window_numbers.h"

#define USW_WINDOW_HAS_ERRORS (sizeof(USW_WINDOW_ELEMENT) == sizeof(double)) /* products round */
#define USW_WINDOW_ELEMENT USW_CAT(USW_CAT(usw_, USW_WINDOW_TAG), _t)
#define USW_WINDOW_VALUE USW_CAT(usw_value_, USW_WINDOW_TAG)

#define USW_KERNEL USW_CAT(window_, USW_WINDOW_TAG)
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_window_t
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(USW_WINDOW_ELEMENT, x) VALUE(uint64_t, kept) VALUE(double, anchor) VALUE(uint64_t, removed)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE) R(uint64_t, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double number = (double)USW_WINDOW_VALUE(x);
  usw_combine(least, usw_window_size(number));
  usw_combine(sum, usw_window_remainder(usw_window_masked(number, kept), anchor, removed));
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { usw_window_of(&a->sum, a->least, result); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL USW_CAT(window_of_products_, USW_WINDOW_TAG)
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_window_t
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(USW_WINDOW_ELEMENT, x) IN(USW_WINDOW_ELEMENT, y) VALUE(double, anchor) VALUE(uint64_t, removed)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE) R(uint64_t, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double left = (double)USW_WINDOW_VALUE(x), right = (double)USW_WINDOW_VALUE(y), product = left * right;
  const double error = USW_WINDOW_HAS_ERRORS ? usw_window_error(left, right, product) : 0;
  usw_combine(least, usw_window_size(product));
  usw_combine(sum, usw_window_remainder(product, anchor, removed));
  if (USW_WINDOW_HAS_ERRORS) {
    usw_combine(least, usw_window_size(error));
    usw_combine(sum, usw_window_remainder(error, anchor, removed));
  }
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { usw_window_of(&a->sum, a->least, result); }
#include <upsweep/kernel_end.h>
