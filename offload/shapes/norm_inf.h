/* The largest absolute value, as an integer maximum over keys: the bits of |x| order as the numbers do, a NaN's come
 * after infinity's. 0 is "nothing seen", 1 a NaN that was passed over, numbers follow. Of complex floats it is the bits of the
 * square, which is a double: one root at the end gives what the largest of all roots would be. Entry: name, MAXIMUM, type. */
#include "entry.h"

#ifndef UPSWEEP_SHAPES_NORM_INF_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_NORM_INF_H
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* For the two real types that norms have. */
#define USW_MAGNITUDE(tag, T, K, K_MAX)                                                                                \
  typedef K usw_magnitude_##tag##_t;                                                                                   \
  USW_INLINE K usw_magnitude_##tag(T absolute, uint64_t nan) {                                                         \
    K bits;                                                                                                            \
    __builtin_memcpy(&bits, &absolute, sizeof bits);                                                                   \
    return absolute == absolute ? bits + 2 : nan == USW_NAN_IGNORE ? 1 : K_MAX;                                        \
  }                                                                                                                    \
  USW_INLINE T usw_from_magnitude_##tag(K key) {                                                                       \
    const K bits = key == 0 ? 0 : key - 2;                                                                             \
    T absolute;                                                                                                        \
    __builtin_memcpy(&absolute, &bits, sizeof absolute);                                                               \
    return key == 1 || key == K_MAX ? (T)NAN : absolute;                                                               \
  }
USW_MAGNITUDE(f32, float, uint32_t, UINT32_MAX)
USW_MAGNITUDE(f64, double, uint64_t, UINT64_MAX)
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif

#define USW_REAL_OF_f16 f32
#define USW_REAL_OF_bf16 f32
#define USW_REAL_OF_f32 f32
#define USW_REAL_OF_f64 f64
#define USW_REAL_OF_cf32 f64
#define USW_REAL_OF_cf64 f64
#define USW_ENTRY_REAL_TYPE USW_CAT(USW_REAL_OF_, USW_ENTRY_TYPE)
#define USW_ENTRY_IS_SQUARED (USW_ENTRY_IS_COMPLEX && !USW_ENTRY_IS_WIDE)
#if USW_ENTRY_IS_SQUARED
#define USW_ENTRY_SIZE(x) usw_square_of_cf32(x)
#define USW_ENTRY_FROM_SIZE(size) (float)__builtin_sqrt(size)
#else
#define USW_ENTRY_SIZE(x) USW_ENTRY_ABSOLUTE(x)
#define USW_ENTRY_FROM_SIZE(size) (size)
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_NORM_INF
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY)
#define USW_RESULT USW_ENTRY_REAL
#define USW_NATIVE_CLAUSE 1
#if USW_ENTRY_IS_COMPLEX && !USW_ENTRY_IS_SQUARED
#define USW_LOADS_AHEAD 1 /* as norm1's */
#endif
#if USW_ENTRY_IS_HALF
#define USW_HOST_BULK_ITEMS 64 /* as minmax's */
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(USW_TAGGED(usw_magnitude_, USW_ENTRY_REAL_TYPE, _t), key, USW_ENTRY_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(key, USW_CAT(usw_magnitude_, USW_ENTRY_REAL_TYPE)(USW_ENTRY_SIZE(x), nan)); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  *result = USW_ENTRY_FROM_SIZE(USW_CAT(usw_from_magnitude_, USW_ENTRY_REAL_TYPE)(a->key));
}
#include <upsweep/kernel_end.h>
