/* Count, mean, variance, minimum, maximum and their indices in one pass.
 *
 * Deviations are taken from a shift, each worker's first element, so that large means do not cancel: the squared distance
 * of an element from the mean is part of what is summed, which bounds what cancels by (items of a worker) * eps of the
 * result. Workers merge pairwise by means and deviations (Chan, Golub, LeVeque, 1979). Row: name, PLUS, type. */
#include "ends.h"

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* What is known of some items. */
typedef struct {
  uint64_t count;
  double shift, sum, squares; /* sums of (x - shift) and (x - shift)^2 */
} usw_moments_t;
#define USW_MEMBERS_OF_usw_moments_t(n) USW_MEMBER(n.count) USW_MEMBER(n.shift) USW_MEMBER(n.sum) USW_MEMBER(n.squares)

USW_INLINE usw_moments_t usw_no_moments(void) {
  const usw_moments_t nothing = {0, 0, 0, 0};
  return nothing;
}

/* Mean, and squared deviations from it. */
USW_INLINE double usw_mean(const usw_moments_t *m) { return m->shift + m->sum / (double)m->count; }
USW_INLINE double usw_deviations(const usw_moments_t *m) { return m->squares - m->sum * (m->sum / (double)m->count); }

USW_INLINE usw_moments_t usw_join_moments(usw_moments_t a, usw_moments_t b) {
  usw_moments_t both = a;
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

#define USW_FACTS (USW_FACT_NAN_POLICY | USW_FACT_INDEX)
#define USW_REDUCERS(R, S)                                                                                             \
  R(usw_moments_t, moments, usw_join_moments, usw_no_moments()) R(usw_ends_t, ends, usw_join_ends, usw_no_ends())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_moments_t *m = &usw_accumulator->moments;
  const double value = (double)USW_ROW_VALUE(x);
  if (value != value && nan == USW_NAN_IGNORE)
    return;
  m->shift = m->count == 0 ? value : m->shift;
  const double distance = value - m->shift;
  m->count++;
  m->sum += distance;
  m->squares += distance * distance;
  usw_keep_ends(&usw_accumulator->ends, x, index_of_first + i, nan);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  const usw_moments_t *m = &a->moments;
  usw_describe_ends(&a->ends, m->count, result);
  if (usw_ends_decide(m->count, (double)USW_ROW_VALUE(result->minimum), (double)USW_ROW_VALUE(result->maximum),
                      &result->mean, &result->variance))
    return;
  result->mean = usw_mean(m);
  result->variance = usw_deviations(m) / (double)m->count;
}
#include <upsweep/kernel_end.h>
