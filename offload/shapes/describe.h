/* Count, mean, variance, minimum, maximum and their indices in one pass.
 *
 * Mean and squared deviations go item by item (Welford, Technometrics 4, 1962) and merge pairwise (Chan, Golub, LeVeque,
 * 1979), so no large sums cancel. Extremes are order keys with indices, as in argmin.h. Row: name, PLUS, type. */
#include "row.h"

#include <upsweep/order.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* What is known of some items. Keys of the maximum are those of the negated elements. */
typedef struct {
  uint64_t count;
  double mean, deviations; /* deviations: sum of (x - mean)^2 */
  USW_ROW_KEY least, greatest;
  uint64_t least_index, greatest_index;
} usw_moments_t;

USW_INLINE usw_moments_t usw_no_moments(void) {
  const usw_moments_t nothing = {0, 0, 0, USW_LARGEST(USW_ROW_KEY), USW_LARGEST(USW_ROW_KEY), UINT64_MAX, UINT64_MAX};
  return nothing;
}

/* Keep the smaller key and its lower index. */
USW_INLINE void usw_keep_first(USW_ROW_KEY *key, uint64_t *index, USW_ROW_KEY other, uint64_t other_index) {
  const int take = other < *key || (other == *key && other_index < *index);
  *key = take ? other : *key;
  *index = take ? other_index : *index;
}

USW_INLINE usw_moments_t usw_join_moments(usw_moments_t a, usw_moments_t b) {
  usw_moments_t both = a;
  usw_keep_first(&both.least, &both.least_index, b.least, b.least_index);
  usw_keep_first(&both.greatest, &both.greatest_index, b.greatest, b.greatest_index);
  if (b.count == 0)
    return both;
  if (a.count == 0) {
    both.count = b.count;
    both.mean = b.mean;
    both.deviations = b.deviations;
    return both;
  }
  const double share = (double)b.count / (double)(a.count + b.count), distance = b.mean - a.mean;
  both.count = a.count + b.count;
  both.mean = a.mean + distance * share;
  both.deviations = a.deviations + b.deviations + distance * distance * share * (double)a.count;
  return both;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_DESCRIBE
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS USW_FACT_NAN_POLICY
#define USW_RESULT USW_TAGGED(usw_describe_, USW_ROW_TYPE, _t)
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(usw_moments_t, all, usw_join_moments, usw_no_moments())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_moments_t *m = &usw_accumulator->all;
  if (x != x && nan == USW_NAN_IGNORE)
    return;
  const double distance = (double)x - m->mean;
  m->count++;
  m->mean += distance / (double)m->count;
  m->deviations += distance * ((double)x - m->mean);
  usw_keep_first(&m->least, &m->least_index, USW_CAT(usw_key_, USW_ROW_TYPE)(x, nan), i);
  usw_keep_first(&m->greatest, &m->greatest_index, USW_CAT(usw_key_, USW_ROW_TYPE)(-x, nan), i);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  const usw_moments_t *m = &a->all;
  result->count = m->count;
  result->mean = m->count ? m->mean : NAN;
  result->variance = m->count ? m->deviations / (double)m->count : NAN;
  result->minimum = USW_CAT(usw_from_key_, USW_ROW_TYPE)(m->least, USW_LARGEST(USW_ROW_ELEMENT));
  result->maximum = -USW_CAT(usw_from_key_, USW_ROW_TYPE)(m->greatest, USW_LARGEST(USW_ROW_ELEMENT));
  result->minimum_index = (int64_t)m->least_index;
  result->maximum_index = (int64_t)m->greatest_index;
}
#include <upsweep/kernel_end.h>

usw_status_t USW_ROW_FUNCTION(const USW_ROW_ELEMENT *x, size_t n,
                              USW_TAGGED(usw_describe_, USW_ROW_TYPE, _t) * result_out) {
  const uint64_t slots[] = {(uint64_t)(uintptr_t)x, USW_NAN_PROPAGATE};
  void *variables[] = {result_out};
  return usw_kernel_run(&USW_ROW_DESCRIPTOR, n, slots, variables, NULL);
}
