/* Integers of 640 bits, of which the exact value of a binned sum is made, and their rounding to floating point. Mostly on the host: a few
 * hundred nanoseconds once per call do not matter there. GPUs do so for many results, without any function of a library's. */
#ifndef UPSWEEP_ENGINE_WIDE_H
#define UPSWEEP_ENGINE_WIDE_H

#include <float.h>
#include <math.h>
#include <stdint.h>

enum { USW_WIDE_LIMBS = 20, USW_WIDE_LIMB_BITS = 32 };

/* An integer in two's complement, the lowest limb first, times 2^exponent. */
typedef struct {
  uint32_t limb[USW_WIDE_LIMBS];
  int exponent;
} usw_wide_t;

__extension__ typedef __int128 usw_int128_t;
__extension__ typedef unsigned __int128 usw_uint128_t;

/* An integer without its sign, cut to 64 bits, of which the lowest says whether others were set, so that it rounds as the whole; what is
 * cut off is added to the exponent. (GPUs cannot convert 128 bits.) */
static inline uint64_t usw_wide_cut(usw_int128_t x, int *exponent) {
  const usw_uint128_t size = x < 0 ? -(usw_uint128_t)x : (usw_uint128_t)x;
  const uint64_t high = (uint64_t)(size >> 64), low = (uint64_t)size;
  if (high == 0)
    return low;
  const int cut = 64 - __builtin_clzll(high);
  *exponent += cut;
  return (uint64_t)(size >> cut) | ((low & (UINT64_MAX >> (64 - cut))) != 0);
}

static inline usw_wide_t usw_wide_zero(int exponent) {
  usw_wide_t zero;
  __builtin_memset(&zero, 0, sizeof zero);
  zero.exponent = exponent;
  return zero;
}

static inline int usw_wide_is_negative(const usw_wide_t *a) { return (int)(a->limb[USW_WIDE_LIMBS - 1] >> 31); }

/* a += x * 2^shift, in units of a; what leaves the upper end is lost. */
static inline void usw_wide_add_integer(usw_wide_t *a, int64_t x, int shift) {
  const uint32_t sign = x < 0 ? UINT32_MAX : 0;
  const int first = shift / USW_WIDE_LIMB_BITS, bits = shift % USW_WIDE_LIMB_BITS;
  const uint64_t low = (uint64_t)x << bits;
  const uint64_t high = bits == 0 ? (uint64_t)(x < 0 ? -1 : 0) : (uint64_t)(x >> 32) >> (USW_WIDE_LIMB_BITS - bits);
  uint64_t carry = 0;
  for (int k = first; k < USW_WIDE_LIMBS; k++) {
    const uint32_t part = k == first       ? (uint32_t)low
                          : k == first + 1 ? (uint32_t)(low >> 32)
                          : k == first + 2 ? (uint32_t)high
                                           : sign;
    if (k >= first + 3 && carry == (sign & 1)) /* nothing changes from here on */
      return;
    carry += (uint64_t)a->limb[k] + part;
    a->limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
}

static inline void usw_wide_negate(usw_wide_t *a) {
  uint64_t carry = 1;
  for (int k = 0; k < USW_WIDE_LIMBS; k++) {
    carry += (uint32_t)~a->limb[k];
    a->limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* a += b * 2^shift. */
static inline void usw_wide_add(usw_wide_t *a, const usw_wide_t *b, int shift) {
  const int first = shift / USW_WIDE_LIMB_BITS, bits = shift % USW_WIDE_LIMB_BITS;
  uint64_t carry = 0;
  for (int k = first; k < USW_WIDE_LIMBS; k++) {
    const uint64_t below = k - first > 0 ? b->limb[k - first - 1] : 0;
    carry += (uint64_t)a->limb[k] + (uint32_t)(((uint64_t)b->limb[k - first] << 32 | below) >> (32 - bits));
    a->limb[k] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* a * b, of which one is not negative and both have half of the limbs at most. */
static inline usw_wide_t usw_wide_product(const usw_wide_t *a, const usw_wide_t *b) {
  usw_wide_t product = usw_wide_zero(a->exponent + b->exponent), x = *a, y = *b;
  const int negative = usw_wide_is_negative(a) != usw_wide_is_negative(b);
  if (usw_wide_is_negative(a))
    usw_wide_negate(&x);
  if (usw_wide_is_negative(b))
    usw_wide_negate(&y);
  for (int i = 0; i < USW_WIDE_LIMBS; i++) {
    uint64_t carry = 0;
    for (int k = 0; x.limb[i] != 0 && i + k < USW_WIDE_LIMBS; k++) {
      carry += (uint64_t)x.limb[i] * y.limb[k] + product.limb[i + k];
      product.limb[i + k] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  if (negative)
    usw_wide_negate(&product);
  return product;
}

/* The 64 bits from `bit` on. */
static inline uint64_t usw_wide_bits(const usw_wide_t *a, int bit) {
  const int first = bit / USW_WIDE_LIMB_BITS, shift = bit % USW_WIDE_LIMB_BITS;
  uint32_t limb[3];
  for (int k = 0; k < 3; k++)
    limb[k] = first + k < USW_WIDE_LIMBS ? a->limb[first + k] : 0;
  const uint64_t low = (uint64_t)limb[1] << 32 | limb[0];
  return shift == 0 ? low : low >> shift | (uint64_t)limb[2] << (64 - shift);
}

/* The number of the highest bit that is set, or -1. */
static inline int usw_wide_highest(const usw_wide_t *a) {
  for (int k = USW_WIDE_LIMBS - 1; k >= 0; k--)
    if (a->limb[k] != 0)
      return k * USW_WIDE_LIMB_BITS + 31 - __builtin_clz(a->limb[k]);
  return -1;
}

/* Whether any of the lowest `bits` bits is set. */
static inline int usw_wide_any_below(const usw_wide_t *a, int bits) {
  uint32_t any = 0;
  for (int k = 0; k < bits / USW_WIDE_LIMB_BITS; k++)
    any |= a->limb[k];
  if (bits % USW_WIDE_LIMB_BITS != 0)
    any |= a->limb[bits / USW_WIDE_LIMB_BITS] << (USW_WIDE_LIMB_BITS - bits % USW_WIDE_LIMB_BITS);
  return any != 0;
}

/* a /= divisor, rounded down; returns whether there is a remainder. a is not negative. */
static inline int usw_wide_divide(usw_wide_t *a, uint64_t divisor) {
  usw_uint128_t rest = 0;
  for (int k = usw_wide_highest(a) / USW_WIDE_LIMB_BITS; k >= 0; k--) {
    rest = rest << USW_WIDE_LIMB_BITS | a->limb[k];
    a->limb[k] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  return rest != 0;
}

/* x * 2^exponent of an integer below 2^64, where that needs no rounding: by steps that need none either. (GPUs have no ldexp.) */
static inline double usw_wide_scale(double x, int exponent) {
  for (int step = 0; exponent != 0 && step < 3; step++) {
    const int part = exponent < -1022 ? -1022 : exponent > 1023 ? 1023 : exponent;
    const uint64_t bits = (uint64_t)(part + 1023) << 52;
    double power;
    __builtin_memcpy(&power, &bits, sizeof power);
    x *= power;
    exponent -= part;
  }
  return x;
}

/* The nearest number, ties to even, of `digits` binary digits whose exponent is at least `least`: 53 and -1074 for double,
 * 24 and -149 for float. An exact zero is +0; what rounds to zero keeps its sign. */
static inline double usw_wide_round(const usw_wide_t *a, int digits, int least) {
  const int negative = usw_wide_is_negative(a);
  usw_wide_t x = *a;
  if (negative)
    usw_wide_negate(&x);
  const int highest = usw_wide_highest(&x);
  int last = highest - digits + 1; /* the lowest bit that stays */
  if (last < least - x.exponent)
    last = least - x.exponent;
  if (highest < 0 || last > highest + 1)
    return negative ? -0.0 : 0.0;
  uint64_t kept = last > 0 ? usw_wide_bits(&x, last) : usw_wide_bits(&x, 0);
  if (last > 0 && (usw_wide_bits(&x, last - 1) & 1) && (usw_wide_any_below(&x, last - 1) || (kept & 1)))
    kept++;
  const double nearest = usw_wide_scale((double)kept, x.exponent + (last > 0 ? last : 0));
  return negative ? -nearest : nearest;
}

#endif
