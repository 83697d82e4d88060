/* Mean and variance from the exact sums of the elements and of their squares. */
#include <upsweep/engine/wide.h>

/* total / count, or / count^2: nothing that the quotient does not exceed overflows. */
static double usw_divide(usw_wide_t total, uint64_t count, int times) {
  usw_wide_t absolute = total;
  if (usw_wide_is_negative(&total))
    usw_wide_negate(&absolute);
  if (usw_wide_highest(&absolute) < 0)
    return 0;
  const int magnitude = usw_wide_highest(&absolute) + total.exponent;
  total.exponent -= magnitude;
  double quotient = usw_wide_round(&total, DBL_MANT_DIG, DBL_MIN_EXP - DBL_MANT_DIG);
  for (; times > 0; times--)
    quotient /= (double)count;
  return ldexp(quotient, magnitude);
}

/* The variance is (count * squares - sum^2) / count^2, of which the difference is exact; negative only by what was below the
 * windows of the sums. */
static void usw_exact_moments(const usw_wide_t *sum, const usw_wide_t *squares, uint64_t count, double *mean,
                              double *variance) {
  usw_wide_t times = usw_wide_zero(0), square = usw_wide_product(sum, sum), difference;
  *mean = usw_divide(*sum, count, 1);
  *variance = 0;
  if (usw_wide_highest(squares) < 0)
    return;
  usw_wide_add_integer(&times, (int64_t)count, 0);
  times = usw_wide_product(squares, &times);
  usw_wide_negate(&square);
  difference = usw_wide_zero(times.exponent < square.exponent ? times.exponent : square.exponent);
  usw_wide_add(&difference, &times, times.exponent - difference.exponent);
  usw_wide_add(&difference, &square, square.exponent - difference.exponent);
  if (!usw_wide_is_negative(&difference))
    *variance = usw_divide(difference, count, 2);
}
