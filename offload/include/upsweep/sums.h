/* The accumulators of accurate sums: what reducers with the operators USW_PLUS_COMPENSATED and USW_PLUS_REPRODUCIBLE keep in
 * place of a value.
 *
 *   USW_PLUS_COMPENSATED   float: a double. double: a sum and what its roundings have lost, each found exactly
 *                          (TwoSum: Knuth; TwoProduct: Dekker; Sum2 and Dot2: Ogita, Rump, Oishi, "Accurate sum and dot
 *                          product", SIAM J. Sci. Comput. 26, 2005)
 *   USW_PLUS_REPRODUCIBLE  bins (engine/bins.h): two for floats, which are summed as doubles, three for doubles
 *   USW_SQUARES_REPRODUCIBLE  the same for the squares of doubles, which neither over- nor underflow
 *   USW_WHOLE_SQUARES_REPRODUCIBLE  the same in four bins, which hold all 106 digits of squares of similar numbers
 *
 * Complex numbers are two such sums. For each accumulator there are, by the name of its type without _t:
 *   _identity(a)                  start from nothing
 *   _set(a, x)                    x itself, which is not to be changed: no other function but _value() may follow
 *   _add(a, x, on_trial)          add x. On trial nothing is asked: _fits() tells at the end whether all of it was right
 *   _add_product(a, x, y, on_trial)  add the exact product
 *   _like(trial, a), _fits(trial) begin a trial, as ready for numbers as `a` is; whether all that came fitted
 *   _join(a, trial, carries)      add what fitted, to the `a` that the trial began like; and have room for as much again, or
 *                                 leave that to whoever asks next time
 *   _is_full(a)                   whether it has no room: to add a number makes some
 *   _learn(a, trial)              make room in it for what did not, or was measured; 0: another trial would fail, too
 *   _merge(a, b)                  add what b has
 *   _value(a)                     the sum, rounded once: on the host only */
#ifndef UPSWEEP_SUMS_H
#define UPSWEEP_SUMS_H

#include <upsweep/engine/wide.h>
#include <upsweep/port.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

#define USW_BINS usw_bins_f
#define USW_BINS_FOLD 2
#define USW_BINS_LOWEST_UNIT(power) (-320) /* products of two floats are multiples of 2^-298 and below 2^256 */
#define USW_BINS_HIGHEST_UNIT 240
#define USW_BINS_SCALE 0
#include <upsweep/engine/bins.h>

#define USW_BINS usw_bins_d
#define USW_BINS_FOLD 3
#define USW_BINS_LOWEST_UNIT(power) ((power) == 1 ? -560 : -1040) /* scaled: 2^-1120, or 2^-2160 for squares */
#define USW_BINS_HIGHEST_UNIT 1040
#define USW_BINS_SCALE 560
#include <upsweep/engine/bins.h>

/* The lowest unit is at most 2^-119 of the largest square: the squares of numbers from 1/64 of the largest on fit whole. */
#define USW_BINS usw_bins_s
#define USW_BINS_FOLD 4
#define USW_BINS_LOWEST_UNIT(power) (-1040)
#define USW_BINS_HIGHEST_UNIT 1040
#define USW_BINS_SCALE 560
#include <upsweep/engine/bins.h>

/* ---- compensated ---- */

typedef struct {
  double sum;
} usw_compensated_f_t;
typedef struct {
  double sum, error;
} usw_compensated_d_t;

USW_INLINE void usw_compensated_f_identity(usw_compensated_f_t *a) { a->sum = 0; }
USW_INLINE void usw_compensated_f_set(usw_compensated_f_t *a, float x) { a->sum = (double)x; }
USW_INLINE void usw_compensated_f_add(usw_compensated_f_t *a, float x, int on_trial) {
  (void)on_trial;
  a->sum += (double)x;
}
USW_INLINE void usw_compensated_f_add_product(usw_compensated_f_t *a, float x, float y, int on_trial) {
  (void)on_trial;
  a->sum += (double)x * (double)y;
}
USW_INLINE void usw_compensated_f_like(usw_compensated_f_t *a, const usw_compensated_f_t *other) {
  (void)other;
  a->sum = 0;
}
USW_INLINE int usw_compensated_f_fits(usw_compensated_f_t *a) {
  (void)a;
  return 1;
}
USW_INLINE int usw_compensated_f_learn(usw_compensated_f_t *a, const usw_compensated_f_t *trial) {
  (void)a, (void)trial;
  return 1;
}
USW_INLINE int usw_compensated_f_is_full(const usw_compensated_f_t *a) {
  (void)a;
  return 0;
}
USW_INLINE void usw_compensated_f_join(usw_compensated_f_t *a, const usw_compensated_f_t *b, int carries) {
  (void)carries;
  a->sum += b->sum;
}
USW_INLINE void usw_compensated_f_merge(usw_compensated_f_t *a, const usw_compensated_f_t *b) { a->sum += b->sum; }
USW_INLINE float usw_compensated_f_value(const usw_compensated_f_t *a) { return (float)a->sum; }

/* -0 is the number that changes nothing, not even the sign of a zero. */
USW_INLINE void usw_compensated_d_identity(usw_compensated_d_t *a) { a->sum = a->error = 0; }
USW_INLINE void usw_compensated_d_set(usw_compensated_d_t *a, double x) {
  a->sum = x;
  a->error = -0.0;
}
USW_INLINE void usw_compensated_d_add(usw_compensated_d_t *a, double x, int on_trial) {
  const double sum = a->sum + x, of_x = sum - a->sum;
  (void)on_trial;
  a->error += (a->sum - (sum - of_x)) + (x - of_x);
  a->sum = sum;
}
USW_INLINE void usw_compensated_d_add_product(usw_compensated_d_t *a, double x, double y, int on_trial) {
  const double product = x * y;
  usw_compensated_d_add(a, product, on_trial);
  a->error += __builtin_fma(x, y, -product);
}
USW_INLINE void usw_compensated_d_like(usw_compensated_d_t *a, const usw_compensated_d_t *other) {
  (void)other;
  usw_compensated_d_identity(a);
}
USW_INLINE int usw_compensated_d_fits(usw_compensated_d_t *a) {
  (void)a;
  return 1;
}
USW_INLINE void usw_compensated_d_merge(usw_compensated_d_t *a, const usw_compensated_d_t *b) {
  const double error = b->error;
  usw_compensated_d_add(a, b->sum, 0);
  a->error += error;
}
USW_INLINE int usw_compensated_d_learn(usw_compensated_d_t *a, const usw_compensated_d_t *trial) {
  (void)a, (void)trial;
  return 1;
}
USW_INLINE int usw_compensated_d_is_full(const usw_compensated_d_t *a) {
  (void)a;
  return 0;
}
USW_INLINE void usw_compensated_d_join(usw_compensated_d_t *a, const usw_compensated_d_t *b, int carries) {
  (void)carries;
  usw_compensated_d_merge(a, b);
}
/* Where the sum is infinite its errors are not numbers. */
USW_INLINE double usw_compensated_d_value(const usw_compensated_d_t *a) {
  return __builtin_fabs(a->sum) <= DBL_MAX ? a->sum + a->error : a->sum;
}

/* ---- reproducible ---- */

typedef usw_bins_f_t usw_reproducible_f_t;
typedef usw_bins_d_t usw_reproducible_d_t;
/* There is no window 0: what is to stay as it is stands where infinities do. */
#define USW_BINS_FUNCTIONS(tag, T)                                                                                     \
  USW_INLINE void usw_reproducible_##tag##_identity(usw_bins_##tag##_t *a) { usw_bins_##tag##_identity(a, 1); }        \
  USW_INLINE void usw_reproducible_##tag##_set(usw_bins_##tag##_t *a, T x) {                                           \
    a->carry[0] = (double)x;                                                                                           \
    a->limit = 0;                                                                                                      \
  }                                                                                                                    \
  USW_INLINE void usw_reproducible_##tag##_add(usw_bins_##tag##_t *a, T x, int on_trial) {                             \
    usw_bins_##tag##_add(a, (double)x, on_trial);                                                                      \
  }                                                                                                                    \
  USW_INLINE void usw_reproducible_##tag##_like(usw_bins_##tag##_t *a, const usw_bins_##tag##_t *other) {              \
    usw_bins_##tag##_like(a, other);                                                                                   \
  }                                                                                                                    \
  USW_INLINE int usw_reproducible_##tag##_learn(usw_bins_##tag##_t *a, const usw_bins_##tag##_t *trial) {              \
    return usw_bins_##tag##_learn(a, trial, 1);                                                                        \
  }                                                                                                                    \
  USW_INLINE int usw_reproducible_##tag##_fits(usw_bins_##tag##_t *a) { return usw_bins_##tag##_fits(a, 1); }          \
  USW_INLINE int usw_reproducible_##tag##_is_full(const usw_bins_##tag##_t *a) { return usw_bins_##tag##_is_full(a); } \
  USW_INLINE void usw_reproducible_##tag##_join(usw_bins_##tag##_t *a, const usw_bins_##tag##_t *b, int carries) {     \
    usw_bins_##tag##_join(a, b, carries);                                                                              \
  }                                                                                                                    \
  USW_INLINE void usw_reproducible_##tag##_merge(usw_bins_##tag##_t *a, const usw_bins_##tag##_t *b) {                 \
    usw_bins_##tag##_merge(a, b, 1);                                                                                   \
  }
USW_BINS_FUNCTIONS(f, float)
USW_BINS_FUNCTIONS(d, double)
USW_INLINE void usw_reproducible_f_add_product(usw_bins_f_t *a, float x, float y, int on_trial) {
  usw_bins_f_add(a, (double)x * (double)y, on_trial); /* exact */
}
USW_INLINE void usw_reproducible_d_add_product(usw_bins_d_t *a, double x, double y, int on_trial) {
  usw_bins_d_add_product(a, x, y, on_trial);
}

/* Squares have types of their own, so that their functions can be told by them. No body comes to _add_product:
 * usw_add_product() does not fit the operators. */
#define USW_SQUARES(name, tag)                                                                                         \
  typedef struct {                                                                                                     \
    usw_bins_##tag##_t bins;                                                                                           \
  } usw_##name##_t;                                                                                                    \
  USW_INLINE void usw_##name##_identity(usw_##name##_t *a) { usw_bins_##tag##_identity(&a->bins, 2); }                 \
  USW_INLINE void usw_##name##_set(usw_##name##_t *a, double x) {                                                      \
    a->bins.carry[0] = x;                                                                                              \
    a->bins.limit = 0;                                                                                                 \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_add(usw_##name##_t *a, double x, int on_trial) {                                        \
    usw_bins_##tag##_add_square(&a->bins, x, on_trial);                                                                \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_add_product(usw_##name##_t *a, double x, double y, int on_trial) {                      \
    (void)a, (void)x, (void)y, (void)on_trial;                                                                         \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_like(usw_##name##_t *a, const usw_##name##_t *other) {                                  \
    usw_bins_##tag##_like(&a->bins, &other->bins);                                                                     \
  }                                                                                                                    \
  USW_INLINE int usw_##name##_learn(usw_##name##_t *a, const usw_##name##_t *trial) {                                  \
    return usw_bins_##tag##_learn(&a->bins, &trial->bins, 2);                                                          \
  }                                                                                                                    \
  USW_INLINE int usw_##name##_fits(usw_##name##_t *a) { return usw_bins_##tag##_fits(&a->bins, 2); }                   \
  USW_INLINE int usw_##name##_is_full(const usw_##name##_t *a) { return usw_bins_##tag##_is_full(&a->bins); }          \
  USW_INLINE void usw_##name##_join(usw_##name##_t *a, const usw_##name##_t *b, int carries) {                         \
    usw_bins_##tag##_join(&a->bins, &b->bins, carries);                                                                \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_merge(usw_##name##_t *a, const usw_##name##_t *b) {                                     \
    usw_bins_##tag##_merge(&a->bins, &b->bins, 2);                                                                     \
  }
USW_SQUARES(squares_d, d)
USW_SQUARES(whole_squares_d, s)

/* ---- complex numbers ---- */

#define USW_COMPLEX_SUM(name, tag, part, T)                                                                            \
  typedef struct {                                                                                                     \
    usw_##name##_##part##_t real, imaginary;                                                                           \
  } usw_##name##_##tag##_t;                                                                                            \
  USW_INLINE void usw_##name##_##tag##_identity(usw_##name##_##tag##_t *a) {                                           \
    usw_##name##_##part##_identity(&a->real);                                                                          \
    usw_##name##_##part##_identity(&a->imaginary);                                                                     \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_##tag##_set(usw_##name##_##tag##_t *a, T x) {                                           \
    usw_##name##_##part##_set(&a->real, USW_REAL_PART(x));                                                             \
    usw_##name##_##part##_set(&a->imaginary, USW_IMAGINARY_PART(x));                                                   \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_##tag##_add(usw_##name##_##tag##_t *a, T x, int on_trial) {                             \
    usw_##name##_##part##_add(&a->real, USW_REAL_PART(x), on_trial);                                                   \
    usw_##name##_##part##_add(&a->imaginary, USW_IMAGINARY_PART(x), on_trial);                                         \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_##tag##_add_product(usw_##name##_##tag##_t *a, T x, T y, int on_trial) {                \
    usw_##name##_##part##_add_product(&a->real, USW_REAL_PART(x), USW_REAL_PART(y), on_trial);                         \
    usw_##name##_##part##_add_product(&a->real, -USW_IMAGINARY_PART(x), USW_IMAGINARY_PART(y), on_trial);              \
    usw_##name##_##part##_add_product(&a->imaginary, USW_REAL_PART(x), USW_IMAGINARY_PART(y), on_trial);               \
    usw_##name##_##part##_add_product(&a->imaginary, USW_IMAGINARY_PART(x), USW_REAL_PART(y), on_trial);               \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_##tag##_like(usw_##name##_##tag##_t *a, const usw_##name##_##tag##_t *other) {          \
    usw_##name##_##part##_like(&a->real, &other->real);                                                                \
    usw_##name##_##part##_like(&a->imaginary, &other->imaginary);                                                      \
  }                                                                                                                    \
  USW_INLINE int usw_##name##_##tag##_learn(usw_##name##_##tag##_t *a, const usw_##name##_##tag##_t *trial) {          \
    return usw_##name##_##part##_learn(&a->real, &trial->real) &                                                       \
           usw_##name##_##part##_learn(&a->imaginary, &trial->imaginary);                                              \
  }                                                                                                                    \
  USW_INLINE int usw_##name##_##tag##_fits(usw_##name##_##tag##_t *a) {                                                \
    return usw_##name##_##part##_fits(&a->real) & usw_##name##_##part##_fits(&a->imaginary);                           \
  }                                                                                                                    \
  USW_INLINE int usw_##name##_##tag##_is_full(const usw_##name##_##tag##_t *a) {                                       \
    return usw_##name##_##part##_is_full(&a->real) | usw_##name##_##part##_is_full(&a->imaginary);                     \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_##tag##_join(usw_##name##_##tag##_t *a, const usw_##name##_##tag##_t *b, int carries) { \
    usw_##name##_##part##_join(&a->real, &b->real, carries);                                                           \
    usw_##name##_##part##_join(&a->imaginary, &b->imaginary, carries);                                                 \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_##tag##_merge(usw_##name##_##tag##_t *a, const usw_##name##_##tag##_t *b) {             \
    usw_##name##_##part##_merge(&a->real, &b->real);                                                                   \
    usw_##name##_##part##_merge(&a->imaginary, &b->imaginary);                                                         \
  }
USW_COMPLEX_SUM(compensated, cf, f, usw_cf32_t)
USW_COMPLEX_SUM(compensated, cd, d, usw_cf64_t)
USW_COMPLEX_SUM(reproducible, cf, f, usw_cf32_t)
USW_COMPLEX_SUM(reproducible, cd, d, usw_cf64_t)

#if USW_SUB_GROUP > 1
#include <upsweep/engine/sums_together.h>
#endif

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* ---- values: on the host, and of many results on devices ---- */

/* The exact sum of the bins. */
#define USW_BINS_EXACT(tag)                                                                                            \
  static inline usw_wide_t usw_bins_##tag##_exact(const usw_bins_##tag##_t *a, int power) {                            \
    enum { bins = sizeof a->units / sizeof a->units[0] };                                                              \
    const int lowest = (int)(a->limit >> 20) - 1023 - (USW_BIN_BITS * bins - 1);                                       \
    usw_wide_t sum = usw_wide_zero(lowest - power * usw_exponent_of(a->scale));                                        \
    for (int k = 0; k < bins; k++) {                                                                                   \
      const int shift = USW_BIN_BITS * (bins - 1 - k);                                                                 \
      usw_wide_add_integer(&sum, (int64_t)a->units[k], shift);                                                         \
      usw_wide_add_integer(&sum, (int64_t)a->carry[k], shift + USW_BIN_CARRY_BITS);                                    \
    }                                                                                                                  \
    return sum;                                                                                                        \
  }
USW_BINS_EXACT(f)
USW_BINS_EXACT(d)
USW_BINS_EXACT(s)

/* Whether what the highest bin has carried says it all: a number that is to stay as it is, an infinity, a NaN (the same one at every place). */
static inline int usw_bins_are_special(uint32_t limit, double first, double *value) {
  *value = first == first || limit == 0 ? first : (double)NAN;
  return limit == 0 || !(__builtin_fabs(first) <= DBL_MAX);
}
/* The sum of units that have not been carried, in units of the last bin, as an integer that rounds to the same double or float: of
 * one with many digits, the lowest are only said not to be zero. */
static inline usw_int128_t usw_bins_sum(const uint64_t *units, int fold, int *exponent) {
  usw_int128_t sum = 0;
  for (int k = 0; k < fold - 1; k++)
    sum = sum * ((int64_t)1 << USW_BIN_BITS) + (int64_t)units[k];
  sum += (int64_t)units[fold - 1] >> USW_BIN_BITS;
  const uint64_t rest = units[fold - 1] & (((uint64_t)1 << USW_BIN_BITS) - 1);
  const int is_cut = sum > (int64_t)1 << 60 || sum < -((int64_t)1 << 60);
  *exponent += is_cut ? USW_BIN_BITS - 1 : 0;
  return is_cut ? sum * 2 + (rest != 0) : sum * ((int64_t)1 << USW_BIN_BITS) + (int64_t)rest;
}
/* The value of such a sum; 0 where something has been carried or the value was set, or where the nearest number is too small to
 * have all digits. */
#define USW_BINS_SHORT_VALUE(tag, T, LEAST)                                                                            \
  static inline int usw_bins_##tag##_short_value(const usw_bins_##tag##_t *a, T *value) {                              \
    enum { bins = sizeof a->units / sizeof a->units[0] };                                                              \
    int exponent = (int)(a->limit >> 20) - 1023 - (USW_BIN_BITS * bins - 1) - usw_exponent_of(a->scale);               \
    uint64_t carried = 0;                                                                                              \
    for (int k = 0; k < bins; k++)                                                                                     \
      carried |= usw_bits_of(a->carry[k]);                                                                             \
    if (carried != 0 || a->limit == 0)                                                                                 \
      return 0;                                                                                                        \
    const usw_int128_t sum = usw_bins_sum(a->units, bins, &exponent);                                                  \
    const T size = (T)usw_wide_cut(sum, &exponent), rounded = sum < 0 ? -size : size;                                  \
    *value = (T)usw_wide_scale((double)rounded, exponent);                                                             \
    return rounded == 0 || __builtin_fabs((double)*value) >= LEAST;                                                    \
  }
USW_BINS_SHORT_VALUE(f, float, 0x1p-125)
USW_BINS_SHORT_VALUE(d, double, 0x1p-1021)
static inline float usw_reproducible_f_value(const usw_reproducible_f_t *a) {
  double special;
  float value;
  if (usw_bins_f_short_value(a, &value))
    return value;
  if (usw_bins_are_special(a->limit, a->carry[0], &special))
    return (float)special;
  const usw_wide_t sum = usw_bins_f_exact(a, 1);
  return (float)usw_wide_round(&sum, FLT_MANT_DIG, FLT_MIN_EXP - FLT_MANT_DIG);
}
static inline double usw_reproducible_d_value(const usw_reproducible_d_t *a) {
  double special, value;
  if (usw_bins_d_short_value(a, &value))
    return value;
  if (usw_bins_are_special(a->limit, a->carry[0], &special))
    return special;
  const usw_wide_t sum = usw_bins_d_exact(a, 1);
  return usw_wide_round(&sum, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG);
}
#define USW_SQUARES_VALUE(name, tag)                                                                                   \
  static inline double usw_##name##_value(const usw_##name##_t *a) {                                                   \
    double special;                                                                                                    \
    if (usw_bins_are_special(a->bins.limit, a->bins.carry[0], &special))                                               \
      return special;                                                                                                  \
    const usw_wide_t sum = usw_bins_##tag##_exact(&a->bins, 2);                                                        \
    return usw_wide_round(&sum, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG);                                             \
  }
USW_SQUARES_VALUE(squares_d, d)
USW_SQUARES_VALUE(whole_squares_d, s)
/* The root of the sum of squares, which no scale can make over- or underflow before. */
static inline double usw_squares_d_root(const usw_squares_d_t *a) {
  double special;
  if (usw_bins_are_special(a->bins.limit, a->bins.carry[0], &special))
    return special;
  usw_wide_t sum = usw_bins_d_exact(&a->bins, 2);
  const int scale = usw_exponent_of(a->bins.scale);
  sum.exponent += 2 * scale;
  return ldexp(__builtin_sqrt(usw_wide_round(&sum, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG)), -scale);
}
#define USW_COMPLEX_VALUE(name, tag, part, T)                                                                          \
  static inline T usw_##name##_##tag##_value(const usw_##name##_##tag##_t *a) {                                        \
    T value;                                                                                                           \
    value =                                                                                                            \
        USW_COMPLEX_LIKE(value, usw_##name##_##part##_value(&a->real), usw_##name##_##part##_value(&a->imaginary));    \
    return value;                                                                                                      \
  }
USW_COMPLEX_VALUE(compensated, cf, f, usw_cf32_t)
USW_COMPLEX_VALUE(compensated, cd, d, usw_cf64_t)
USW_COMPLEX_VALUE(reproducible, cf, f, usw_cf32_t)
USW_COMPLEX_VALUE(reproducible, cd, d, usw_cf64_t)

/* ---- for any of them: by the accumulator's type ---- */

#define USW_ACCURATE_SUMS(ROW, ...)                                                                                    \
  ROW(compensated_f, float, __VA_ARGS__)                                                                               \
  ROW(compensated_d, double, __VA_ARGS__)                                                                              \
  ROW(compensated_cf, usw_cf32_t, __VA_ARGS__)                                                                         \
  ROW(compensated_cd, usw_cf64_t, __VA_ARGS__)                                                                         \
  ROW(reproducible_f, float, __VA_ARGS__)                                                                              \
  ROW(reproducible_d, double, __VA_ARGS__)                                                                             \
  ROW(reproducible_cf, usw_cf32_t, __VA_ARGS__)                                                                        \
  ROW(reproducible_cd, usw_cf64_t, __VA_ARGS__)                                                                        \
  ROW(squares_d, double, __VA_ARGS__)                                                                                  \
  ROW(whole_squares_d, double, __VA_ARGS__)

/* USW_SUM_OF(operator, T): the accumulator of an operator for a type of numbers, for another type just any, so that
 * USW_HAS_ACCURATE_SUMS(T) is what fails to compile; USW_ACCURATE(function, *a)(a, ...) is a function of it. */
#ifdef __cplusplus
struct usw_sums_of_none {
  enum { has = 0 };
  typedef usw_compensated_f_t compensated;
  typedef usw_reproducible_f_t reproducible;
};
struct usw_sums_of_some {
  enum { has = 1 };
};
template <class T> struct usw_sums_of : usw_sums_of_none {};
template <> struct usw_sums_of<float> : usw_sums_of_some {
  typedef usw_compensated_f_t compensated;
  typedef usw_reproducible_f_t reproducible;
};
template <> struct usw_sums_of<double> : usw_sums_of_some {
  typedef usw_compensated_d_t compensated;
  typedef usw_reproducible_d_t reproducible;
  typedef usw_squares_d_t squares;
  typedef usw_whole_squares_d_t whole_squares;
};
template <> struct usw_sums_of<usw_cf32_t> : usw_sums_of_some {
  typedef usw_compensated_cf_t compensated;
  typedef usw_reproducible_cf_t reproducible;
};
template <> struct usw_sums_of<usw_cf64_t> : usw_sums_of_some {
  typedef usw_compensated_cd_t compensated;
  typedef usw_reproducible_cd_t reproducible;
};
#define USW_HAS_ACCURATE_SUMS(T) (usw_sums_of<T>::has)
#define USW_SUM_OF(operation, T) USW_CAT(USW_SUM_OF_, operation)(T)
#define USW_SUM_OF_USW_PLUS_COMPENSATED(T) usw_sums_of<T>::compensated
#define USW_SUM_OF_USW_PLUS_REPRODUCIBLE(T) usw_sums_of<T>::reproducible
#define USW_SUM_OF_USW_SQUARES_REPRODUCIBLE(T) usw_sums_of<T>::squares
#define USW_SUM_OF_USW_WHOLE_SQUARES_REPRODUCIBLE(T) usw_sums_of<T>::whole_squares
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
#define USW_ACCURATE(function, a) usw_accurate_##function
#define USW_ACCURATE_OVERLOADS(name, T, ...)                                                                           \
  USW_INLINE void usw_accurate_identity(usw_##name##_t *a) { usw_##name##_identity(a); }                               \
  USW_INLINE void usw_accurate_set(usw_##name##_t *a, T x) { usw_##name##_set(a, x); }                                 \
  USW_INLINE void usw_accurate_add(usw_##name##_t *a, T x, int on_trial) { usw_##name##_add(a, x, on_trial); }         \
  USW_INLINE void usw_accurate_add_product(usw_##name##_t *a, T x, T y, int on_trial) {                                \
    usw_##name##_add_product(a, x, y, on_trial);                                                                       \
  }                                                                                                                    \
  USW_INLINE void usw_accurate_like(usw_##name##_t *a, const usw_##name##_t *other) { usw_##name##_like(a, other); }   \
  USW_INLINE int usw_accurate_learn(usw_##name##_t *a, const usw_##name##_t *b) { return usw_##name##_learn(a, b); }   \
  USW_INLINE int usw_accurate_fits(usw_##name##_t *a) { return usw_##name##_fits(a); }                                 \
  USW_INLINE int usw_accurate_is_full(const usw_##name##_t *a) { return usw_##name##_is_full(a); }                     \
  USW_INLINE void usw_accurate_join(usw_##name##_t *a, const usw_##name##_t *b, int carries) {                         \
    usw_##name##_join(a, b, carries);                                                                                  \
  }                                                                                                                    \
  USW_INLINE void usw_accurate_merge(usw_##name##_t *a, const usw_##name##_t *b) { usw_##name##_merge(a, b); }
USW_ACCURATE_SUMS(USW_ACCURATE_OVERLOADS, )
#if USW_SUB_GROUP > 1
#define USW_ACCURATE_OVERLOADS_TOGETHER(name, T, ...)                                                                  \
  USW_INLINE int usw_accurate_align(usw_##name##_t *a, uint32_t values) { return usw_##name##_align(a, values); }      \
  USW_INLINE void usw_accurate_add_aligned(usw_##name##_t *a, const usw_##name##_t *b, int is_quick) {                 \
    usw_##name##_add_aligned(a, b, is_quick);                                                                          \
  }                                                                                                                    \
  USW_INLINE uint32_t usw_accurate_pack(const usw_##name##_t *a, uint32_t most, uint64_t *units) {                     \
    return usw_##name##_pack(a, most, units);                                                                          \
  }                                                                                                                    \
  USW_INLINE void usw_accurate_slide_to(usw_##name##_t *a, uint32_t window) { usw_##name##_slide_to(a, window); }      \
  USW_INLINE void usw_accurate_unpack(usw_##name##_t *a, uint32_t window, const uint64_t *units) {                     \
    usw_##name##_unpack(a, window, units);                                                                             \
  }
USW_ACCURATE_SUMS(USW_ACCURATE_OVERLOADS_TOGETHER, )
#endif
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#define USW_ACCURATE_VALUE(name, T, ...)                                                                               \
  static inline T usw_accurate_value(const usw_##name##_t *a) { return usw_##name##_value(a); }
USW_ACCURATE_SUMS(USW_ACCURATE_VALUE, )
#else
#define USW_HAS_ACCURATE_SUMS(T) _Generic(*(T *)0, float: 1, double: 1, usw_cf32_t: 1, usw_cf64_t: 1, default: 0)
#define USW_SUM_OF(operation, T) __typeof__(*USW_CAT(USW_SUM_OF_, operation)(T))
#define USW_SUM_OF_USW_PLUS_COMPENSATED(T)                                                                             \
  _Generic(*(T *)0,                                                                                                    \
      float: (usw_compensated_f_t *)0,                                                                                 \
      double: (usw_compensated_d_t *)0,                                                                                \
      usw_cf32_t: (usw_compensated_cf_t *)0,                                                                           \
      usw_cf64_t: (usw_compensated_cd_t *)0,                                                                           \
      default: (usw_compensated_f_t *)0)
#define USW_SUM_OF_USW_PLUS_REPRODUCIBLE(T)                                                                            \
  _Generic(*(T *)0,                                                                                                    \
      float: (usw_reproducible_f_t *)0,                                                                                \
      double: (usw_reproducible_d_t *)0,                                                                               \
      usw_cf32_t: (usw_reproducible_cf_t *)0,                                                                          \
      usw_cf64_t: (usw_reproducible_cd_t *)0,                                                                          \
      default: (usw_reproducible_f_t *)0)
#define USW_SUM_OF_USW_SQUARES_REPRODUCIBLE(T) _Generic(*(T *)0, double: (usw_squares_d_t *)0)
#define USW_SUM_OF_USW_WHOLE_SQUARES_REPRODUCIBLE(T) _Generic(*(T *)0, double: (usw_whole_squares_d_t *)0)
#define USW_ACCURATE_CASE(name, T, function) , usw_##name##_t : usw_##name##_##function
#define USW_ACCURATE(function, a) _Generic((a)USW_ACCURATE_SUMS(USW_ACCURATE_CASE, function))
#endif

#endif
