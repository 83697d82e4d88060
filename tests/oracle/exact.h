/* Sums that are never rounded: a fixed-point number that holds every product of two doubles, and 2^63 of them. What it
 * gives in the end is rounded once. */
#ifndef USW_ORACLE_EXACT_H
#define USW_ORACLE_EXACT_H

#include <stdint.h>
#include <upsweep/export.h>

USW_BEGIN_C

/* The digit of least weight is worth 2^-2176, below the product of the two smallest doubles. */
enum { EXACT_DIGITS = 136, EXACT_DIGIT_BITS = 32, EXACT_LEAST_BIT = -2176 };

/* Starts as zeros. */
typedef struct {
  int64_t digits[EXACT_DIGITS]; /* in base 2^32; between carries they may be larger, and negative */
  uint64_t pending;             /* deposits since the last carry */
  int has_nan, has_plus, has_minus;
} exact_t;

/* Add a number no finer than 2^-1300 that is below 2^1100 (any double, any modulus of two, any 64-bit integer), an
 * infinity or a NaN. */
void exact_add(exact_t *sum, long double x);
/* Add x * y; not a number where IEEE 754's product is none. */
void exact_add_product(exact_t *sum, double x, double y);

/* What numbers a format has: bits of the significand, weight of the last bit of the smallest ones, the largest. */
typedef struct {
  int bits, least_bit;
  long double largest;
} format_t;

/* The sum in that format: the nearest number, of two the even one; infinity from half a step above the largest. NaN and
 * infinities as IEEE 754 adds them. A zero is +0. */
long double exact_rounded(const exact_t *sum, format_t format);
/* The sum, right to 64 bits. */
long double exact_value(const exact_t *sum);

USW_END_C

#endif
