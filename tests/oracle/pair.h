/* Numbers in twice the bits of a long double, for products. */
#ifndef USW_ORACLE_PAIR_H
#define USW_ORACLE_PAIR_H

#include <float.h>
#include <math.h>
#include <stdint.h>

typedef struct {
  long double high, low;
} pair_t;

/* A zero keeps its sign. */
static inline pair_t pair_of(long double high, long double low) {
  const long double sum = high + low;
  const pair_t pair = {low == 0 ? high : sum, isfinite(sum) ? low - (sum - high) : 0};
  return pair;
}

/* What a * b loses when it is rounded to p (Dekker). */
static inline long double lost(long double a, long double b, long double p) {
  const long double splitter = (long double)((uint64_t)1 << (LDBL_MANT_DIG + 1) / 2) + 1;
  const long double a_high = splitter * a - (splitter * a - a), a_low = a - a_high;
  const long double b_high = splitter * b - (splitter * b - b), b_low = b - b_high;
  const long double rest = ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return isfinite(rest) ? rest : 0;
}

static inline pair_t pair_times(pair_t a, long double b) {
  const long double product = a.high * b;
  const long double rest = isfinite(product) ? lost(a.high, b, product) + a.low * b : 0;
  return pair_of(product, rest);
}

static inline pair_t pair_plus(pair_t a, pair_t b) {
  const long double sum = a.high + b.high, of_b = sum - a.high;
  const long double rest = (a.high - (sum - of_b)) + (b.high - of_b) + a.low + b.low;
  return pair_of(sum, isfinite(rest) ? rest : 0);
}

#endif
