/* The least and the greatest of many floats on the host, as its processors compare them: an instruction for a vector of them,
 * where order keys take seven. It does not tell zeros from each other, nor, where a program flushes them, subnormal numbers
 * from zeros. So a result near zero is looked for once more by its bits. NaNs are left to the keys; to compare them raises
 * FE_INVALID, so calls that are to pass over NaNs do not come here. */
#ifndef UPSWEEP_SHAPES_EXTREMUM_OF_RUN_H
#define UPSWEEP_SHAPES_EXTREMUM_OF_RUN_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#include "chains.h"

enum { USW_LANES_BYTES = 64, USW_LANES_AT_ONCE = 2 };

/* How many floats of a kernel's run are compared at least. Of 32 bits whole runs alone, because loops for any number of them make calls of few
 * elements 22 instructions longer; but of rows, which are short, all that fill two vectors (argmax of rows of 200: 29 ns, by keys 47). */
#define USW_LEAST_COMPARED (sizeof(USW_ENTRY_ELEMENT) == 4 && !USW_AXES ? 512 : 0)

/* The first of count elements in the order BEFORE. 0: that is not for sure. The last elements are looked at twice, which is no
 * matter. */
#define USW_EXTREMUM_OF_RUN(name, tag, T, I, BEFORE, LEAST_NORMAL, LEAST_COUNT)                                        \
  USW_INLINE void usw_##name##_joined_##tag(usw_lanes_##tag##_t *extremum, const usw_lanes_##tag##_t *x) {             \
    *extremum = USW_VECTOR_IF(usw_lanes_##tag##_t, usw_lane_flags_##tag##_t, *x BEFORE * extremum, *x, *extremum);     \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_of_lanes_##tag(usw_lanes_##tag##_t *extrema, usw_lane_flags_##tag##_t *nans,            \
                                              const T *x) {                                                            \
    usw_lanes_##tag##_t number[USW_LANES_AT_ONCE];                                                                     \
    __builtin_memcpy(number, x, sizeof number);                                                                        \
    for (size_t k = 0; k < USW_LANES_AT_ONCE; k++)                                                                     \
      usw_##name##_joined_##tag(&extrema[k], &number[k]);                                                              \
    for (size_t k = 0; k < USW_LANES_AT_ONCE; k += 2) /* one instruction for two */                                    \
      *nans |= (number[k] != number[k]) | (number[k + 1] != number[k + 1]);                                            \
  }                                                                                                                    \
  USW_INLINE T usw_##name##_in_lanes_##tag(usw_lanes_##tag##_t *extrema) {                                             \
    T lane[USW_LANES_BYTES / sizeof(T)];                                                                               \
    for (size_t half = USW_LANES_AT_ONCE / 2; half > 0; half /= 2)                                                     \
      for (size_t k = 0; k < half; k++)                                                                                \
        usw_##name##_joined_##tag(&extrema[k], &extrema[k + half]);                                                    \
    __builtin_memcpy(lane, extrema, sizeof lane);                                                                      \
    for (size_t half = USW_LANES_BYTES / sizeof(T) / 2; half > 0; half /= 2)                                           \
      for (size_t k = 0; k < half; k++)                                                                                \
        lane[k] = lane[k + half] BEFORE lane[k] ? lane[k + half] : lane[k];                                            \
    return lane[0];                                                                                                    \
  }                                                                                                                    \
  USW_INLINE int usw_##name##_of_run_##tag(const T *x, size_t count, T *extremum_out) {                                \
    enum { LANES = USW_LANES_BYTES / sizeof(T), AT_ONCE = USW_LANES_AT_ONCE * LANES };                                 \
    usw_lanes_##tag##_t extrema[USW_LANES_AT_ONCE], others[USW_LANES_AT_ONCE];                                         \
    usw_lane_flags_##tag##_t nans = {0};                                                                               \
    size_t first = 0;                                                                                                  \
    if (count < LEAST_COUNT)                                                                                           \
      return 0;                                                                                                        \
    __builtin_memcpy(extrema, x, sizeof extrema);                                                                      \
    __builtin_memcpy(others, x, sizeof others);                                                                        \
    for (; first + 2 * AT_ONCE <= count; first += 2 * AT_ONCE) { /* each waits for its last one */                     \
      usw_##name##_of_lanes_##tag(extrema, &nans, &x[first]);                                                          \
      usw_##name##_of_lanes_##tag(others, &nans, &x[first + AT_ONCE]);                                                 \
    }                                                                                                                  \
    if (first + AT_ONCE <= count)                                                                                      \
      usw_##name##_of_lanes_##tag(extrema, &nans, &x[first]);                                                          \
    usw_##name##_of_lanes_##tag(others, &nans, &x[count - AT_ONCE]);                                                   \
    for (size_t k = 0; k < USW_LANES_AT_ONCE; k++)                                                                     \
      usw_##name##_joined_##tag(&extrema[k], &others[k]);                                                              \
    *extremum_out = usw_##name##_in_lanes_##tag(extrema);                                                              \
    return !usw_has_nans_##tag(&nans) && (*extremum_out <= -LEAST_NORMAL || *extremum_out >= LEAST_NORMAL ||           \
                                          usw_##name##_near_zero_##tag(x, count, extremum_out));                       \
  }
/* Where the extremum is a zero or subnormal, and there are no NaNs: by the bits, which order as the numbers do as long as it has
 * no sign. */
#define USW_EXTREMUM_NEAR_ZERO(name, tag, T, I, BEFORE)                                                                \
  USW_INLINE int usw_##name##_near_zero_##tag(const T *x, size_t count, T *extremum_out) {                             \
    I extremum, bits;                                                                                                  \
    __builtin_memcpy(&extremum, x, sizeof extremum);                                                                   \
    for (size_t k = 1; k < count; k++) {                                                                               \
      __builtin_memcpy(&bits, &x[k], sizeof bits);                                                                     \
      extremum = bits BEFORE extremum ? bits : extremum;                                                               \
    }                                                                                                                  \
    __builtin_memcpy(extremum_out, &extremum, sizeof extremum);                                                        \
    return extremum >= 0;                                                                                              \
  }
/* Of fewer than LEAST_COUNT, which are two vectors, the keys tell. */
#define USW_EXTREMA_OF_RUN(tag, T, I, LEAST_NORMAL, LEAST_COUNT)                                                       \
  typedef T usw_lanes_##tag##_t __attribute__((vector_size(USW_LANES_BYTES)));                                         \
  typedef I usw_lane_flags_##tag##_t __attribute__((vector_size(USW_LANES_BYTES)));                                    \
  USW_INLINE int usw_has_nans_##tag(const usw_lane_flags_##tag##_t *nans) {                                            \
    I flag = 0;                                                                                                        \
    for (size_t k = 0; k < USW_LANES_BYTES / sizeof(T); k++)                                                           \
      flag |= (*nans)[k];                                                                                              \
    return flag != 0;                                                                                                  \
  }                                                                                                                    \
  USW_EXTREMUM_NEAR_ZERO(MINIMUM, tag, T, I, <)                                                                        \
  USW_EXTREMUM_NEAR_ZERO(MAXIMUM, tag, T, I, >)                                                                        \
  USW_EXTREMUM_OF_RUN(MINIMUM, tag, T, I, <, LEAST_NORMAL, LEAST_COUNT)                                                \
  USW_EXTREMUM_OF_RUN(MAXIMUM, tag, T, I, >, LEAST_NORMAL, LEAST_COUNT)

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
USW_EXTREMA_OF_RUN(f64, double, int64_t, DBL_MIN, 16)
USW_EXTREMA_OF_RUN(f32, float, int32_t, FLT_MIN, 32)
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#endif
