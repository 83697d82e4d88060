/* Descriptions whose mean and variance come from the exact sums of the elements and of their squares. */
#include <upsweep/engine/wide.h>

#include "ends.h"

#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY | USW_FACT_INDEX)
#define USW_NO_CLAUSE 1

#ifndef UPSWEEP_SHAPES_EXACT_MOMENTS_H
#define UPSWEEP_SHAPES_EXACT_MOMENTS_H
/* total / count, or / count^2, rounded once: the quotient has more digits than a double, the last of which says whether
 * something was left. */
static double usw_divide(const usw_wide_t *total, uint64_t count, int times) {
  const int negative = usw_wide_is_negative(total);
  usw_wide_t absolute = *total;
  if (negative)
    usw_wide_negate(&absolute);
  const int missing = 64 * (times + 1) + 1 - usw_wide_highest(&absolute), shift = missing > 0 ? missing : 0;
  usw_wide_t quotient = usw_wide_zero(total->exponent - shift);
  usw_wide_add(&quotient, &absolute, shift);
  int is_cut = 0;
  for (; times > 0; times--)
    is_cut |= usw_wide_divide(&quotient, count);
  quotient.limb[0] |= (uint32_t)is_cut;
  const double rounded = usw_wide_round(&quotient, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG);
  return negative ? -rounded : rounded;
}

/* The variance is (count * squares - sum^2) / count^2, of which the difference is exact. */
static void usw_exact_moments(const usw_wide_t *sum, const usw_wide_t *squares, uint64_t count, double *mean,
                              double *variance) {
  usw_wide_t times = usw_wide_zero(0), square = usw_wide_product(sum, sum), difference;
  *mean = usw_divide(sum, count, 1);
  *variance = 0;
  if (usw_wide_highest(squares) < 0) /* zeros: windows that no number has moved do not lie side by side */
    return;
  usw_wide_add_integer(&times, (int64_t)count, 0);
  times = usw_wide_product(squares, &times);
  usw_wide_negate(&square);
  difference = usw_wide_zero(times.exponent < square.exponent ? times.exponent : square.exponent);
  usw_wide_add(&difference, &times, times.exponent - difference.exponent);
  usw_wide_add(&difference, &square, square.exponent - difference.exponent);
  *variance = usw_divide(&difference, count, 2);
}
#endif
