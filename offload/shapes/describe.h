/* Count, mean, variance, minimum, maximum and their indices in one pass.
 *
 * Deviations are taken from a shift, each worker's first element, so that large means do not cancel: the squared distance
 * of an element from the mean is part of what is summed, which bounds what cancels by (items of a worker) * eps of the
 * result. Workers merge pairwise by means and deviations (Chan, Golub, LeVeque, 1979). Row: name, PLUS, type. */
#include "chains.h"
#include "row.h"

/* Elements of 64 bits take as long one at a time. */
#define USW_BY_BLOCKS (USW_ROW_HAS_FIRST && !USW_ROW_IS_LONG)
#define USW_BY_RUNS 1
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
/* Blocks give the bits that their elements would one by one, so that nobody sees how streams are aligned. */
#if USW_BY_BLOCKS && USW_ROW_IS_BYTES
/* Sums of bytes are exact: of their deviations, too. */
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_moments_t *m = &usw_accumulator->moments;
  m->shift = m->count == 0 ? (double)x[0][0] : m->shift;
  const int64_t count = (int64_t)(blocks * USW_ROW_BLOCK), shift = (int64_t)m->shift;
  const int64_t total = (int64_t)USW_ROW_TOTAL(x, blocks), squares = (int64_t)USW_ROW_TOTAL_OF_PRODUCTS(x, x, blocks);
  const int64_t distances = total - count * shift;
  m->count += (uint64_t)count;
  m->sum += (double)distances;
  m->squares += (double)(squares - shift * (total + distances));
  usw_keep_ends_of_blocks(&usw_accumulator->ends, x, blocks, step, index_of_first + i, nan);
}
#elif USW_BY_BLOCKS
/* An element that the compiler does not know: else it keeps what it made of each for where it is needed again, mostly never. */
USW_INLINE USW_ROW_ELEMENT USW_F(_unknown)(USW_ROW_ELEMENT x) {
  uint32_t words[(sizeof x + 3) / 4] = {0};
  __builtin_memcpy(words, &x, sizeof x);
  USW_UNROLL for (size_t w = 0; w < sizeof words / sizeof *words; w++) words[w] = usw_port_opaque(words[w]);
  __builtin_memcpy(&x, words, sizeof x);
  return x;
}

/* The moments with those of some blocks. `passes`: over NaNs; the first element is then known to be none, or `seeks` the
 * first number. */
USW_INLINE usw_moments_t USW_F(_with_blocks)(usw_moments_t m, const USW_ROW_ELEMENT *const *x, size_t blocks,
                                             int passes, int seeks) {
  USW_UNROLL for (uint32_t k = 0; k < blocks * USW_ROW_BLOCK; k++) {
    const USW_ROW_ELEMENT element = x[k / USW_ROW_BLOCK][k % USW_ROW_BLOCK];
    const double value = (double)USW_ROW_VALUE(seeks ? USW_F(_unknown)(element) : element);
    const int is_number = !passes || value == value;
    if (seeks || k == 0)
      m.shift = is_number && m.count == 0 ? value : m.shift;
    const double distance = is_number ? value - m.shift : 0;
    m.count += (uint64_t)is_number;
    m.sum += distance;
    m.squares += distance * distance;
  }
  return m;
}
/* Nearly all blocks are without a NaN, which their sums tell: then none is looked for among large numbers. Small ones are
 * compared in pairs, as quickly with NaNs as without. */
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_moments_t *m = &usw_accumulator->moments;
  const int is_small = sizeof(USW_ROW_ELEMENT) == 2, passes = !USW_ROW_IS_INTEGER && nan == USW_NAN_IGNORE;
  const usw_moments_t with = USW_F(_with_blocks)(*m, x, blocks, is_small && passes, 0);
  const int has_nan = !USW_ROW_IS_INTEGER && with.squares != with.squares;
  if (passes && (is_small ? m->count == 0 : has_nan))
    *m = USW_F(_with_blocks)(*m, x, blocks, 1, 1);
  else
    *m = with;
  if (is_small || has_nan)
    usw_keep_ends_of_blocks(&usw_accumulator->ends, x, blocks, step, index_of_first + i, nan);
  else
    usw_keep_ends_of_blocks(&usw_accumulator->ends, x, blocks, step, index_of_first + i, USW_NAN_NONE);
}
#endif
/* On the host, one chain beside the other, but for NaNs that are passed over. */
USW_VISIT_RUN(i, count, chains) {
  int has_nan = 0;
  for (size_t k = 0; k < count; k++)
    has_nan |= USW_ROW_VALUE(x[k]) != USW_ROW_VALUE(x[k]);
  if (chains != USW_CHAINS || (has_nan && nan == USW_NAN_IGNORE))
    return 0;
  usw_chains_t shift = {0}, sum = {0}, squares = {0};
  for (size_t k = 0; k < USW_CHAINS; k++) {
    const usw_moments_t *m = &usw_accumulator[k].moments;
    shift[k] = m->count == 0 ? (double)USW_ROW_VALUE(x[k]) : m->shift;
    sum[k] = m->sum;
    squares[k] = m->squares;
  }
  for (size_t row = 0; row < count; row += USW_CHAINS) {
    usw_chains_t distance = {0};
    for (size_t k = 0; k < USW_CHAINS; k++)
      distance[k] = (double)USW_ROW_VALUE(x[row + k]);
    distance -= shift;
    sum += distance;
    squares += distance * distance;
  }
  for (size_t k = 0; k < USW_CHAINS; k++)
    usw_accumulator[k].moments =
        (usw_moments_t){usw_accumulator[k].moments.count + count / USW_CHAINS, shift[k], sum[k], squares[k]};
  usw_keep_ends_of_run(&usw_accumulator->ends, x, count, index_of_first + i, nan);
  return 1;
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
