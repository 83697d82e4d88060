/* Count, mean, variance, minimum, maximum and their indices from reproducible sums of the elements and of their squares, in
 * one pass. What cancels between the two is taken from integers that hold both exactly, rounded once. Squares of
 * 16- and 32-bit numbers are exact in double; those of doubles take one bin more than the sum. Of elements of one size
 * neither sum loses anything, so that nothing shows where they are nearly the same. Entry: name, PLUS_REPRODUCIBLE, type. */
#include "entry.h"

#if USW_ENTRY_IS_WIDE
#define USW_SQUARES_OPERATION USW_WHOLE_SQUARES_REPRODUCIBLE
#else
#define USW_SQUARES_OPERATION USW_ENTRY_OPERATION
#endif

#include "exact_moments.h"

#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, count, USW_PLUS)                                                                                         \
  R(double, sum, USW_ENTRY_OPERATION)                                                                                  \
  R(double, squares, USW_SQUARES_OPERATION) R(usw_ends_t, ends, usw_join_ends, usw_no_ends())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double value = (double)USW_ENTRY_VALUE(x);
  if (value != value && nan == USW_NAN_IGNORE)
    return;
  usw_inc(count);
  usw_add(sum, value);
#if USW_ENTRY_IS_WIDE
  usw_combine(squares, value);
#else
  usw_add(squares, value * value);
#endif
  usw_keep_ends(&usw_accumulator->ends, x, index_of_first + i, nan);
}

static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  usw_describe_ends(&a->ends, a->count, result);
  const double minimum = (double)USW_ENTRY_VALUE(result->minimum), maximum = (double)USW_ENTRY_VALUE(result->maximum);
  if (usw_ends_decide(a->count, minimum, maximum, &result->mean, &result->variance))
    return;
  const usw_wide_t sum = usw_bins_d_exact(&a->sum, 1);
#if USW_ENTRY_IS_WIDE
  const usw_wide_t squares = usw_bins_s_exact(&a->squares.bins, 2);
#else
  const usw_wide_t squares = usw_bins_d_exact(&a->squares, 1);
#endif
  usw_exact_moments(&sum, &squares, a->count, &result->mean, &result->variance);
}
#include <upsweep/kernel_end.h>
