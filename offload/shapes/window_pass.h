/* One pass of an exact sum (lib/exact.c), for every type and operation at once: image space is dear, and what is the same
 * for all items costs little to ask. Elements are loaded by the body, because the engine's streams have one type. */
#include "shapes/window_numbers.h"

#define USW_ITEMS_IN_FLIGHT 4

#include <upsweep/port.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
enum {
#define USW_WINDOW_CODE(tag, CODE, code, ...) USW_WINDOW_CODE_##tag = code,
  USW_TYPES(USW_WINDOW_CODE, )
#undef USW_WINDOW_CODE
};

USW_INLINE double usw_window_load(const unsigned char *from, int64_t element, uint64_t type) {
  const void *const x = from;
  switch (type) {
  case USW_WINDOW_CODE_f64:
    return ((const double *)x)[element];
  case USW_WINDOW_CODE_f32:
    return (double)((const float *)x)[element];
  case USW_WINDOW_CODE_f16:
    return (double)usw_value_f16(((const usw_f16_t *)x)[element]);
  default:
    return (double)usw_value_bf16(((const usw_bf16_t *)x)[element]);
  }
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL window_pass
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_window_t
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  ARRAY(unsigned char, x)                                                                                              \
  ARRAY(unsigned char, y)                                                                                              \
  VALUE(int64_t, stride_of_x) VALUE(int64_t, stride_of_y) VALUE(uint64_t, numbers) VALUE(double, anchor)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const uint64_t type = numbers & 0xff;
  double number = usw_window_load(x, (int64_t)i * stride_of_x, type), error = 0;
  if (numbers & USW_WINDOW_PRODUCTS) {
    const double left = number, right = usw_window_load(y, (int64_t)i * stride_of_y, type);
    number = left * right;
    error = usw_window_error(left, right, number);
  }
  if (numbers & USW_WINDOW_ABSOLUTE)
    number = __builtin_fabs(number);
  usw_combine(sum, usw_window_remainder(number, anchor));
  if (numbers & USW_WINDOW_PRODUCTS)
    usw_combine(sum, usw_window_remainder(error, anchor));
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { usw_window_of(&a->sum, result); }
#include <upsweep/kernel_end.h>
