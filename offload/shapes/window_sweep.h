/* One sweep of an exact sum (lib/exec/exact.c), for every type and operation at once: image space is dear, and what is the same
 * for all items costs little to ask. An item is a batch of elements of either stream, so that what to load is decided once
 * for many loads, which are under way together. */
#include "shapes/window_numbers.h"

#define USW_ITEMS_IN_FLIGHT 1 /* an item has loads enough of its own */

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

enum {
#define USW_WINDOW_CODE(tag, CODE, code, ...) USW_WINDOW_CODE_##tag = code,
  USW_TYPES(USW_WINDOW_CODE, )
#undef USW_WINDOW_CODE
};

/* Neighbouring items of a sub-group take neighbouring elements; elsewhere an item takes neighbours. */
#if USW_SUB_GROUP > 1
enum { USW_WINDOW_STEP = USW_WINDOW_LANES, USW_WINDOW_NEXT = 1 };
#else
enum { USW_WINDOW_STEP = 1, USW_WINDOW_NEXT = USW_WINDOW_BATCH };
#endif

/* `batch` elements, `step` bytes apart: all types at the same addresses, for which there are registers once. */
#define USW_WINDOW_LOAD(tag)                                                                                           \
  USW_UNROLL for (int k = 0; k < batch; k++) numbers[k] =                                                              \
      (double)usw_value_##tag(*(const usw_##tag##_t *)(const void *)(x + k * step));
USW_INLINE void usw_window_load(double *numbers, const unsigned char *x, int64_t step, uint64_t type, int batch) {
  if (type == USW_WINDOW_CODE_f64) {
    USW_WINDOW_LOAD(f64)
  } else if (type == USW_WINDOW_CODE_f32) {
    USW_WINDOW_LOAD(f32)
  } else if (type == USW_WINDOW_CODE_f16) {
    USW_WINDOW_LOAD(f16)
  } else {
    USW_WINDOW_LOAD(bf16)
  }
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL window_sweep
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_window_t
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  ARRAY(unsigned char, x)                                                                                              \
  ARRAY(unsigned char, y)                                                                                              \
  VALUE(int64_t, stride_of_x)                                                                                          \
  VALUE(int64_t, stride_of_y)                                                                                          \
  VALUE(uint64_t, count) VALUE(uint64_t, what) VALUE(uint64_t, kept) VALUE(double, anchor) VALUE(uint64_t, removed)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE) R(uint64_t, least, USW_MINIMUM)
#include <upsweep/kernel.h>
/* Add `batch` elements. */
#define USW_WINDOW_ADD(first, batch)                                                                                   \
  do {                                                                                                                 \
    const uint64_t type = what & USW_WINDOW_TYPE;                                                                      \
    const int parts = what & USW_WINDOW_PRODUCTS ? 2 : 1;                                                              \
    double number[batch], error[batch];                                                                                \
    usw_window_load(number, x + (int64_t)(first) * stride_of_x, USW_WINDOW_STEP * stride_of_x, type, batch);           \
    USW_UNROLL for (int k = 0; k < (batch); k++) error[k] = 0;                                                         \
    if (what & (USW_WINDOW_PRODUCTS | USW_WINDOW_PARTS)) {                                                             \
      double right[batch];                                                                                             \
      usw_window_load(right, y + (int64_t)(first) * stride_of_y, USW_WINDOW_STEP * stride_of_y, type, batch);          \
      if (what & USW_WINDOW_PASSES_NANS)                                                                               \
        USW_UNROLL for (int k = 0; k < (batch); k++) usw_window_pass_pair(&number[k], &right[k]);                      \
      USW_UNROLL for (int k = 0; k < (batch) && (what & USW_WINDOW_PRODUCTS); k++) {                                   \
        const double product = number[k] * right[k];                                                                   \
        error[k] = usw_window_error(number[k], right[k], product);                                                     \
        number[k] = product;                                                                                           \
      }                                                                                                                \
    } else if (what & USW_WINDOW_PASSES_NANS) {                                                                        \
      USW_UNROLL for (int k = 0; k < (batch); k++) usw_window_pass_pair(&number[k], &number[k]);                       \
    }                                                                                                                  \
    _Pragma("nounroll") for (int part = 0; part < parts; part++) {                                                     \
      USW_UNROLL for (int k = 0; k < (batch); k++) {                                                                   \
        usw_combine(least, usw_window_size(number[k]));                                                                \
        usw_combine(sum, usw_window_remainder(usw_window_masked(number[k], kept), anchor, removed));                   \
        number[k] = error[k];                                                                                          \
      }                                                                                                                \
    }                                                                                                                  \
  } while (0)
USW_VISIT(i) {
  const uint64_t first =
      i / USW_WINDOW_LANES * (USW_WINDOW_LANES * (uint64_t)USW_WINDOW_BATCH) + i % USW_WINDOW_LANES * USW_WINDOW_NEXT;
  const uint64_t end = first + USW_WINDOW_BATCH * USW_WINDOW_STEP;
  if (usw_spans->usw_on_trial != USW_ASKS && end - USW_WINDOW_STEP < count) {
    USW_WINDOW_ADD(first, USW_WINDOW_BATCH);
    return;
  }
  /* The last ones, and where each number is asked about, which is long. */
#pragma nounroll
  for (uint64_t element = first; element < end && element < count; element += USW_WINDOW_STEP)
    USW_WINDOW_ADD(element, 1);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { usw_window_of(&a->sum, a->least, result); }
#include <upsweep/kernel_end.h>
