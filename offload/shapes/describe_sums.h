/* Count, mean, variance, minimum, maximum and their indices from reproducible sums of the elements and of their squares, in
 * one pass. What cancels between the two is taken from integers that hold both exactly, rounded once. Row: name,
 * PLUS_REPRODUCIBLE, type. */
#include "row.h"

#define USW_BYTES_IN_FLIGHT (sizeof(USW_ROW_ELEMENT) == 8 ? 64 : 16)

#include "ends.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_DESCRIBE
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY | USW_FACT_INDEX)
#define USW_RESULT usw_description_t
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) VALUE(uint64_t, index_of_first) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, count, USW_PLUS)                                                                                         \
  R(double, sum, USW_ROW_OPERATION)                                                                                    \
  R(double, squares, USW_SQUARES_REPRODUCIBLE) R(usw_ends_t, ends, usw_join_ends, usw_no_ends())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double value = (double)USW_ROW_VALUE(x);
  if (value != value && nan == USW_NAN_IGNORE)
    return;
  usw_inc(count);
  usw_add(sum, value);
  usw_combine(squares, value);
  usw_keep_ends(&usw_accumulator->ends, x, index_of_first + i, nan);
}

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

/* (count * squares - sum^2) / count^2, of which the difference is exact. */
static double usw_variance(const usw_reproducible_d_t *sum_bins, const usw_squares_d_t *squares_bins, uint64_t count) {
  const usw_wide_t sum = usw_bins_d_exact(sum_bins, 1), squares = usw_bins_d_exact(&squares_bins->bins, 2);
  usw_wide_t times = usw_wide_zero(0), square = usw_wide_product(&sum, &sum), difference;
  if (usw_wide_highest(&squares) < 0)
    return 0;
  usw_wide_add_integer(&times, (int64_t)count, 0);
  times = usw_wide_product(&squares, &times);
  usw_wide_negate(&square);
  difference = usw_wide_zero(times.exponent < square.exponent ? times.exponent : square.exponent);
  usw_wide_add(&difference, &times, times.exponent - difference.exponent);
  usw_wide_add(&difference, &square, square.exponent - difference.exponent);
  return usw_wide_is_negative(&difference) ? 0 : usw_divide(difference, count, 2); /* by what was below the windows */
}

static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  usw_describe_ends(&a->ends, a->count, result);
  const double minimum = (double)USW_ROW_VALUE(result->minimum), maximum = (double)USW_ROW_VALUE(result->maximum);
  if (usw_ends_decide(a->count, minimum, maximum, &result->mean, &result->variance))
    return;
  if (minimum == maximum) {       /* what squares have below the window must not show */
    result->mean = minimum + 0.0; /* +0 of zeros */
    result->variance = 0;
    return;
  }
  const usw_wide_t sum = usw_bins_d_exact(&a->sum, 1);
  result->mean = usw_divide(sum, a->count, 1);
  result->variance = usw_variance(&a->sum, &a->squares, a->count);
}
#include <upsweep/kernel_end.h>
