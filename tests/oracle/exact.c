#include "exact.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef unsigned __int128 wide_t;

static const uint64_t digit_mask = ((uint64_t)1 << EXACT_DIGIT_BITS) - 1;

/* Brings all digits but the highest into 0 .. 2^32 - 1; the highest one has the sign of all. */
static void carry(exact_t *s) {
  int64_t over = 0;
  for (int k = 0; k < EXACT_DIGITS - 1; k++) {
    const int64_t digit = s->digits[k] + over;
    s->digits[k] = (int64_t)((uint64_t)digit & digit_mask);
    over = (digit - s->digits[k]) / ((int64_t)1 << EXACT_DIGIT_BITS);
  }
  s->digits[EXACT_DIGITS - 1] += over;
  s->pending = 0;
}

/* Adds significand * 2^exponent, of either sign. */
static void deposit(exact_t *s, wide_t significand, int exponent, int is_negative) {
  enum { MOST_PENDING = 1 << 30 };
  const int position = exponent - EXACT_LEAST_BIT, shift = position % EXACT_DIGIT_BITS;
  int64_t *digits = s->digits + position / EXACT_DIGIT_BITS;
  uint64_t over = 0;
  for (int k = 0; significand || over; k++) {
    const uint64_t part = ((uint64_t)significand & digit_mask) << shift | over;
    const int64_t digit = (int64_t)(part & digit_mask);
    digits[k] += is_negative ? -digit : digit;
    over = part >> EXACT_DIGIT_BITS;
    significand >>= EXACT_DIGIT_BITS;
  }
  if (++s->pending == MOST_PENDING)
    carry(s);
}

static void add_special(exact_t *s, long double x) {
  *(isnan(x) ? &s->has_nan : x > 0 ? &s->has_plus : &s->has_minus) = 1;
}

/* A finite double as an integer and a power of two. */
static uint64_t take_apart(double x, int *exponent_out) {
  enum { FRACTION_BITS = DBL_MANT_DIG - 1, LEAST = DBL_MIN_EXP - DBL_MANT_DIG };
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
  const int exponent = (int)(bits >> FRACTION_BITS & 0x7ff);
  *exponent_out = exponent ? LEAST + exponent - 1 : LEAST;
  return exponent ? fraction | (uint64_t)1 << FRACTION_BITS : fraction;
}

void exact_add(exact_t *s, long double x) {
  int exponent = 0;
  if (!isfinite(x)) {
    add_special(s, x);
  } else if ((long double)(double)x == x) { /* faster than the general way */
    const wide_t significand = take_apart((double)x, &exponent);
    deposit(s, significand, exponent, x < 0);
  } else {
    const long double fraction = frexpl(fabsl(x), &exponent);
    deposit(s, (wide_t)ldexpl(fraction, LDBL_MANT_DIG), exponent - LDBL_MANT_DIG, x < 0);
  }
}

void exact_add_product(exact_t *s, double x, double y) {
  int of_x = 0, of_y = 0;
  if (!isfinite(x) || !isfinite(y)) {
    add_special(s, (long double)x * (long double)y);
  } else if (x != 0 && y != 0) {
    const wide_t a = take_apart(x, &of_x), b = take_apart(y, &of_y);
    deposit(s, a * b, of_x + of_y, (x < 0) != (y < 0));
  }
}

static int bit_at(const exact_t *s, int position) {
  return position >= 0 && (s->digits[position / EXACT_DIGIT_BITS] >> position % EXACT_DIGIT_BITS & 1);
}

static int has_bit_below(const exact_t *s, int position) {
  for (int k = 0; k < position / EXACT_DIGIT_BITS; k++)
    if (s->digits[k])
      return 1;
  const uint64_t below = ((uint64_t)1 << position % EXACT_DIGIT_BITS) - 1;
  return position > 0 && ((uint64_t)s->digits[position / EXACT_DIGIT_BITS] & below) != 0;
}

/* The position of the highest bit of what is not negative and has its carries done; -1 of zero. */
static int highest_bit(const exact_t *s) {
  for (int k = EXACT_DIGITS - 1; k >= 0; k--)
    if (s->digits[k])
      return k * EXACT_DIGIT_BITS + 63 - __builtin_clzll((unsigned long long)s->digits[k]);
  return -1;
}

long double exact_rounded(const exact_t *sum, format_t format) {
  exact_t s = *sum;
  if (s.has_nan || (s.has_plus && s.has_minus))
    return NAN;
  if (s.has_plus || s.has_minus)
    return s.has_plus ? INFINITY : -INFINITY;
  carry(&s);
  const int is_negative = s.digits[EXACT_DIGITS - 1] < 0;
  for (int k = 0; is_negative && k < EXACT_DIGITS; k++)
    s.digits[k] = -s.digits[k];
  carry(&s);
  const int high = highest_bit(&s), least = format.least_bit - EXACT_LEAST_BIT;
  const int low = high - format.bits + 1 > least ? high - format.bits + 1 : least;
  wide_t significand = 0;
  for (int position = high; position >= low; position--)
    significand = significand << 1 | (wide_t)bit_at(&s, position);
  if (bit_at(&s, low - 1) && (has_bit_below(&s, low - 1) || (significand & 1)))
    significand++;
  const long double rounded = ldexpl((long double)significand, low + EXACT_LEAST_BIT);
  const long double value = rounded > format.largest ? INFINITY : rounded;
  return is_negative ? -value : value;
}

long double exact_value(const exact_t *sum) {
  const format_t finest = {64, EXACT_LEAST_BIT, LDBL_MAX};
  return exact_rounded(sum, finest);
}
