/* Count, mean, variance, minimum, maximum and their indices in one pass.
 *
 * Deviations are taken from a shift, each worker's first element, so that large means do not cancel: the squared distance
 * of an element from the mean is part of what is summed, which bounds what cancels by (items of a worker) * eps of the
 * result. Workers merge pairwise by means and deviations (Chan, Golub, LeVeque, 1979). Extremes are order keys with
 * indices, as in located.h. Row: name, PLUS, type. */
#include "row.h"

/* An item takes many registers: more of the small ones at once would spill in the clause. */
#define USW_BYTES_IN_FLIGHT (sizeof(USW_ROW_ELEMENT) == 8 ? 64 : 16)

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* What is known of some items. The keys of the maximum are turned round. */
typedef struct {
  uint64_t count;
  double shift, sum, squares; /* sums of (x - shift) and (x - shift)^2 */
  USW_ROW_KEY least, greatest;
  uint64_t least_index, greatest_index;
} usw_moments_t;

USW_INLINE usw_moments_t usw_no_moments(void) {
  const usw_moments_t nothing = {0,          0,         0, 0, USW_LARGEST(USW_ROW_KEY), USW_LARGEST(USW_ROW_KEY),
                                 UINT64_MAX, UINT64_MAX};
  return nothing;
}

/* Keep the smaller key and its lower index. */
USW_INLINE void usw_keep_first(USW_ROW_KEY *key, uint64_t *index, USW_ROW_KEY other, uint64_t other_index) {
  const int take = other < *key || (other == *key && other_index < *index);
  *key = take ? other : *key;
  *index = take ? other_index : *index;
}

/* The same where indices only grow. An index of the upper half is "none yet", which integers cannot tell by the key. */
USW_INLINE void usw_keep_earlier(USW_ROW_KEY *key, uint64_t *index, USW_ROW_KEY other, uint64_t other_index) {
  const int take = other < *key || (USW_ROW_IS_INTEGER && (int64_t)*index < 0);
  *key = take ? other : *key;
  *index = take ? other_index : *index;
}

/* Mean, and squared deviations from it. */
USW_INLINE double usw_mean(const usw_moments_t *m) { return m->shift + m->sum / (double)m->count; }
USW_INLINE double usw_deviations(const usw_moments_t *m) { return m->squares - m->sum * (m->sum / (double)m->count); }

USW_INLINE usw_moments_t usw_join_moments(usw_moments_t a, usw_moments_t b) {
  usw_moments_t both = a;
  usw_keep_first(&both.least, &both.least_index, b.least, b.least_index);
  usw_keep_first(&both.greatest, &both.greatest_index, b.greatest, b.greatest_index);
  if (b.count == 0)
    return both;
  both.count = a.count + b.count;
  if (a.count == 0) {
    both.shift = b.shift;
    both.sum = b.sum;
    both.squares = b.squares;
    return both;
  }
  const double share = (double)b.count / (double)both.count, mean = usw_mean(&a), distance = usw_mean(&b) - mean;
  both.shift = mean + distance * share;
  both.sum = 0;
  both.squares = usw_deviations(&a) + usw_deviations(&b) + distance * distance * share * (double)a.count;
  return both;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* An infinity is its own mean, unless it meets its opposite; nothing is at a finite distance from it. */
static void usw_moments_of(const usw_moments_t *m, double minimum, double maximum, double *mean, double *variance) {
  *mean = *variance = NAN;
  if (m->count == 0 || minimum != minimum)
    return;
  if (minimum == -INFINITY || maximum == INFINITY) {
    *mean = minimum + maximum; /* NaN for opposite ones */
    if (minimum > -INFINITY)
      *mean = maximum;
    else if (maximum < INFINITY)
      *mean = minimum;
    return;
  }
  *mean = usw_mean(m);
  *variance = usw_deviations(m) / (double)m->count;
}

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_DESCRIBE
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS (USW_FACT_NAN_POLICY | USW_FACT_INDEX)
#define USW_RESULT USW_TAGGED(usw_describe_, USW_ROW_TYPE, _t)
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) VALUE(uint64_t, index_of_first) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(usw_moments_t, all, usw_join_moments, usw_no_moments())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_moments_t *m = &usw_accumulator->all;
  const double value = (double)USW_ROW_VALUE(x);
  if (value != value && nan == USW_NAN_IGNORE)
    return;
  m->shift = m->count == 0 ? value : m->shift;
  const double distance = value - m->shift;
  m->count++;
  m->sum += distance;
  m->squares += distance * distance;
  const uint64_t index = index_of_first + i;
  usw_keep_earlier(&m->least, &m->least_index, USW_ROW_TO_KEY(x, nan, (USW_ROW_KEY)USW_TURN_MINIMUM), index);
  usw_keep_earlier(&m->greatest, &m->greatest_index, USW_ROW_TO_KEY(x, nan, (USW_ROW_KEY)USW_TURN_MAXIMUM), index);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  const usw_moments_t *m = &a->all;
  __builtin_memset(result, 0, sizeof *result); /* padding too: results are compared and hashed as bytes */
  result->count = m->count;
  result->minimum = USW_ROW_FROM_KEY(m->least, (USW_ROW_KEY)USW_TURN_MINIMUM);
  result->maximum = USW_ROW_FROM_KEY(m->greatest, (USW_ROW_KEY)USW_TURN_MAXIMUM);
  usw_moments_of(m, (double)USW_ROW_VALUE(result->minimum), (double)USW_ROW_VALUE(result->maximum), &result->mean,
                 &result->variance);
  result->minimum_index = (int64_t)m->least_index;
  result->maximum_index = (int64_t)m->greatest_index;
}
#include <upsweep/kernel_end.h>
