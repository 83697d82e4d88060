/* The host's kernels of sweeps over elements of one type with one NaN policy: of the numbers themselves or their absolute values,
 * and of products. Included by windows_of_type.h, once for each policy. */
#define USW_KERNEL USW_CAT(USW_WINDOW_KERNEL, USW_WINDOW_TAG)
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_window_t
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(USW_WINDOW_ELEMENT, x)                                                                                            \
  USW_WINDOW_SECOND_STREAM(IN) VALUE(uint64_t, kept) VALUE(double, anchor) VALUE(uint64_t, removed)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE) R(uint64_t, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double value = (double)USW_WINDOW_VALUE(x);
  const double number = USW_WINDOW_IS_NUMBER(value, (double)USW_WINDOW_VALUE(other)) ? value : 0;
  usw_combine(least, usw_window_size(number));
  usw_combine(sum, usw_window_remainder(usw_window_masked(number, kept), anchor, removed));
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { usw_window_of(&a->sum, a->least, result); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL USW_CAT(USW_CAT(USW_WINDOW_KERNEL, of_products_), USW_WINDOW_TAG)
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_window_t
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(USW_WINDOW_ELEMENT, x) IN(USW_WINDOW_ELEMENT, y) VALUE(double, anchor) VALUE(uint64_t, removed)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE) R(uint64_t, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double of_x = (double)USW_WINDOW_VALUE(x), of_y = (double)USW_WINDOW_VALUE(y);
  const int is_number = USW_WINDOW_IS_NUMBER(of_x, of_y);
  const double left = is_number ? of_x : 0, right = is_number ? of_y : 0, product = left * right;
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
#undef USW_WINDOW_KERNEL
#undef USW_WINDOW_SECOND_STREAM
#undef USW_WINDOW_IS_NUMBER
