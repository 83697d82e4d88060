/* The Euclidean norm of 16- and 32-bit numbers: squares and their sum in double, where they neither over- nor underflow.
 * Entry: name, PLUS or an accurate one, type. */
#include "entry.h"

#ifndef UPSWEEP_SHAPES_NORM2_WIDENED_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_NORM2_WIDENED_H
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
USW_INLINE double usw_square(double x) { return x * x; }
USW_INLINE double usw_square_f16(usw_f16_t x) { return usw_square((double)usw_value_f16(x)); }
USW_INLINE double usw_square_bf16(usw_bf16_t x) { return usw_square((double)usw_value_bf16(x)); }
USW_INLINE double usw_square_f32(float x) { return usw_square((double)x); }
USW_INLINE double usw_square_cf32(usw_cf32_t x) {
  return usw_square((double)USW_REAL_PART(x)) + usw_square((double)USW_IMAGINARY_PART(x));
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_NORM2
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_ENTRY_FACTS
#define USW_RESULT USW_ENTRY_REAL
#define USW_NATIVE_CLAUSE USW_ENTRY_IS_NATIVE
#define USW_NO_CLAUSE USW_ENTRY_IS_ACCURATE
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(double, squares, USW_ENTRY_OPERATION) USW_ENTRY_KEPT(R)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int is_number = USW_ENTRY_IS_NUMBER(x);
  usw_combine(squares, is_number ? USW_CAT(usw_square_, USW_ENTRY_TYPE)(x) : 0);
  USW_ENTRY_KEEP(is_number);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  *result = (USW_RESULT)__builtin_sqrt(USW_OF(_total_, squares)(a));
}
#include <upsweep/kernel_end.h>
