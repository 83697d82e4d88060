/* What an element is worth to a reduction, by type:
 *
 *   value(x)      x in the type that it is computed in: halves as float, everything else as it is
 *   truth(x)      bits of which some are set if x is not zero; a NaN is not, -0 is
 *   nonzero(x)    1 if so, else 0
 *   absolute(x)   |x| in the real type; a complex number's modulus */
#ifndef UPSWEEP_ELEMENT_H
#define UPSWEEP_ELEMENT_H

#include <upsweep/reducer.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

USW_INLINE float usw_value_f16(usw_f16_t x) { return usw_f16_to_float(x); }
USW_INLINE float usw_value_bf16(usw_bf16_t x) { return usw_bf16_to_float(x); }
USW_INLINE uint16_t usw_truth_f16(usw_f16_t x) { return (uint16_t)(x.bits & 0x7fff); }
USW_INLINE uint16_t usw_truth_bf16(usw_bf16_t x) { return (uint16_t)(x.bits & 0x7fff); }
USW_INLINE float usw_absolute_f16(usw_f16_t x) { return __builtin_fabsf(usw_value_f16(x)); }
USW_INLINE float usw_absolute_bf16(usw_bf16_t x) { return __builtin_fabsf(usw_value_bf16(x)); }

#define USW_INTEGER_ELEMENT(tag, CODE, code, T, value, sum, real, key, class, ...)                                     \
  USW_HAS_INTEGER_##class(                                                                                             \
      USW_INLINE T usw_value_##tag(T x) { return x; } USW_INLINE T usw_truth_##tag(T x) { return x; })
USW_TYPES(USW_INTEGER_ELEMENT, )

/* By the bits: a comparison takes subnormal numbers for zero where the calling thread's arithmetic does. */
#define USW_FLOATING_ELEMENT(tag, T, B)                                                                                \
  USW_INLINE T usw_value_##tag(T x) { return x; }                                                                      \
  USW_INLINE B usw_truth_##tag(T x) {                                                                                  \
    B bits;                                                                                                            \
    __builtin_memcpy(&bits, &x, sizeof bits);                                                                          \
    return bits << 1;                                                                                                  \
  }
USW_FLOATING_ELEMENT(f32, float, uint32_t)
USW_FLOATING_ELEMENT(f64, double, uint64_t)
USW_INLINE float usw_absolute_f32(float x) { return __builtin_fabsf(x); }
USW_INLINE double usw_absolute_f64(double x) { return __builtin_fabs(x); }

/* The squares of floats neither over- nor underflow as doubles. */
USW_INLINE double usw_square_of_cf32(usw_cf32_t x) {
  const double real = (double)USW_REAL_PART(x), imaginary = (double)USW_IMAGINARY_PART(x);
  return real * real + imaginary * imaginary;
}
USW_INLINE float usw_absolute_cf32(usw_cf32_t x) { return (float)__builtin_sqrt(usw_square_of_cf32(x)); }

/* Both parts are scaled by a power of two where their squares could over- or underflow: a GPU does that in less time than a
 * division. A NaN gives NaN, else an infinity wins. */
USW_INLINE double usw_absolute_cf64(usw_cf64_t x) {
  const double a = __builtin_fabs(USW_REAL_PART(x)), b = __builtin_fabs(USW_IMAGINARY_PART(x));
  const double larger = a > b ? a : b;
  const int is_large = larger > 0x1p500, is_small = larger < 0x1p-500;
  const double down = is_large ? 0x1p-600 : is_small ? 0x1p600 : 1;
  const double back = is_large ? 0x1p600 : is_small ? 0x1p-600 : 1;
  return __builtin_sqrt(a * down * (a * down) + b * down * (b * down)) * back;
}

#define USW_COMPLEX_ELEMENT(tag, T, part, B)                                                                           \
  USW_INLINE T usw_value_##tag(T x) { return x; }                                                                      \
  USW_INLINE B usw_truth_##tag(T x) {                                                                                  \
    return usw_truth_##part(USW_REAL_PART(x)) | usw_truth_##part(USW_IMAGINARY_PART(x));                               \
  }
USW_COMPLEX_ELEMENT(cf32, usw_cf32_t, f32, uint32_t)
USW_COMPLEX_ELEMENT(cf64, usw_cf64_t, f64, uint64_t)

#define USW_ELEMENT_NONZERO(tag, CODE, code, T, value, sum, real, key, class, ...)                                     \
  USW_HAS_ARITHMETIC_##class(USW_INLINE int usw_nonzero_##tag(T x) { return usw_truth_##tag(x) != 0; })
USW_TYPES(USW_ELEMENT_NONZERO, )

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
