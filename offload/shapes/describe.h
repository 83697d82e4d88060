/* Count, mean, variance, minimum, maximum and their indices in one pass.
 *
 * Deviations are taken from a shift, each worker's first element, so that large means do not cancel: the squared distance
 * of an element from the mean is part of what is summed, which bounds what cancels by (items of a worker) * eps of the
 * result. Workers merge pairwise (Chan, Golub, LeVeque, 1979), each time from a shift near the mean of both. Doubles so far apart that a sum
 * of distances overflows have a variance that does, and a mean that does not: from there on their sum is kept in units of 2^64.
 *
 * On GPUs many elements at once are asked first whether there is an extreme among them, which is rare, and what one thread of
 * a sub-group has found spares the others to look. Entry: name, PLUS, type. */
#include <float.h>

#include "chains.h"
#include "entry.h"

/* Integers of 64 bits take as long one at a time. */
#define USW_BY_BLOCKS (USW_ENTRY_HAS_FIRST && !USW_ENTRY_IS_LONG)
#define USW_ENTRY_IS_LARGE (sizeof(USW_ENTRY_ELEMENT) == 8 && !USW_ENTRY_IS_INTEGER) /* their squares may overflow */
#define USW_AFTER_TILES USW_BY_BLOCKS
#if USW_BY_BLOCKS
#define USW_LOADS_AHEAD 1
#endif
#define USW_BY_RUNS 1
#define USW_BY_STRIPS (USW_AXES && USW_SUB_GROUP == 1 && USW_ENTRY_IS_COMPARED)
#include "ends.h"
#define USW_BY_COLUMNS (USW_AXES && USW_SUB_GROUP > 1)
#if USW_BY_COLUMNS
#include "column.h"
#define USW_BY_WORDS USW_ENTRY_HAS_TOTALS
#if USW_BY_WORDS
#include "column_word.h"
#endif
#endif
#if USW_BY_STRIPS
#include "strip.h"
#define USW_STRIP_COLUMNS USW_STRIP_COLUMNS_OF_ENTRY
#define USW_BY_ROWS 1
#endif

#ifndef UPSWEEP_SHAPES_DESCRIBE_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_DESCRIBE_H
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

USW_INLINE void usw_add_distance(usw_moments_t *m, double distance) {
  m->sum += distance;
#if USW_SUB_GROUP > 1
  m->squares = __builtin_fma(distance, distance, m->squares);
#else
  m->squares += distance * distance;
#endif
}

#define USW_FAR_UNIT 0x1p64
/* Moments of elements that are far apart: shift and squares are infinite, and sum is that of the elements in such units. */
USW_INLINE int usw_are_far(const usw_moments_t *m) { return m->shift > DBL_MAX; }

USW_INLINE void usw_make_far(usw_moments_t *m) {
  if (usw_are_far(m))
    return;
  m->sum = m->shift * (1 / USW_FAR_UNIT) * (double)m->count + m->sum * (1 / USW_FAR_UNIT);
  m->shift = m->squares = __builtin_inf();
}

/* Whether the sum of distances takes another one. A GPU looks at the extremes of many elements, so it asks each: no 2^63 of them overflow. */
USW_INLINE int usw_is_near(const usw_moments_t *m, double distance) {
#if USW_SUB_GROUP > 1
  (void)m;
  return __builtin_fabs(distance) <= 0x1p960;
#else
  return __builtin_fabs(m->sum + distance) <= DBL_MAX;
#endif
}

/* Add an element; 0: it is a NaN that is passed over. */
USW_INLINE int usw_add_value(usw_moments_t *m, double value, int passes_nans) {
  const double shift = m->count == 0 ? value : m->shift, distance = value - shift;
  const int is_usual = USW_ENTRY_IS_LARGE ? usw_is_near(m, distance) : value == value;
  if (__builtin_expect(!is_usual, 0)) {
    if (value != value && passes_nans)
      return 0;
    if (USW_ENTRY_IS_LARGE) {
      usw_make_far(m);
      m->count++;
      m->sum += value * (1 / USW_FAR_UNIT);
      return 1;
    }
  }
  m->shift = shift;
  m->count++;
  usw_add_distance(m, distance);
  return 1;
}

/* Mean, and squared deviations from it. */
USW_INLINE double usw_mean(const usw_moments_t *m) {
  const double mean = m->sum / (double)m->count;
  return USW_ENTRY_IS_LARGE && usw_are_far(m) ? mean * USW_FAR_UNIT : m->shift + mean;
}
USW_INLINE double usw_deviations(const usw_moments_t *m) {
  return USW_ENTRY_IS_LARGE && m->squares > DBL_MAX ? m->squares : m->squares - m->sum * (m->sum / (double)m->count);
}

/* By their means: three divisions, but nothing overflows before these do. */
USW_INLINE usw_moments_t usw_join_by_means(usw_moments_t a, usw_moments_t b) {
  usw_moments_t both = {a.count + b.count, 0, 0, 0};
  const double share = (double)b.count / (double)both.count, mean = usw_mean(&a), distance = usw_mean(&b) - mean;
  if (usw_are_far(&a) || usw_are_far(&b) || !(__builtin_fabs(distance) <= DBL_MAX)) {
    usw_make_far(&a);
    usw_make_far(&b);
    both.shift = both.squares = a.shift;
    both.sum = a.sum + b.sum;
    return both;
  }
  both.shift = mean + distance * share;
  both.squares = usw_deviations(&a) + usw_deviations(&b) + distance * distance * share * (double)a.count;
  return both;
}
/* The same moments from a shift that is `distance` less. */
USW_INLINE void usw_move_shift(usw_moments_t *m, double distance) {
  const double moved = (double)m->count * distance;
  m->squares += distance * (2 * m->sum + moved);
  m->sum += moved;
}
/* About the mean of both is as good a shift as the mean: a GPU needs no division of doubles for it, of which three would take
 * longer than the rest of a small call. */
USW_INLINE usw_moments_t usw_join_moments(usw_moments_t a, usw_moments_t b) {
  if (a.count == 0 || b.count == 0)
    return a.count == 0 ? b : a;
  const double share = (double)(1 / (float)(a.count + b.count)), apart = b.shift - a.shift;
  const double shift = a.shift + (a.sum + (b.sum + (double)b.count * apart)) * share;
  usw_moments_t from_a = a, from_b = b;
  usw_move_shift(&from_a, a.shift - shift);
  usw_move_shift(&from_b, b.shift - shift);
  const usw_moments_t both = {a.count + b.count, shift, from_a.sum + from_b.sum, from_a.squares + from_b.squares};
  return USW_ENTRY_IS_LARGE && !(both.squares <= DBL_MAX) ? usw_join_by_means(a, b) : both;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif

#define USW_IS_FINITE(x) (USW_ENTRY_VALUE(x) - USW_ENTRY_VALUE(x) == 0)
#define USW_FACTS (USW_FACT_NAN_POLICY | USW_FACT_INDEX)
#define USW_REDUCERS(R, S)                                                                                             \
  R(usw_moments_t, moments, usw_join_moments, usw_no_moments()) R(usw_ends_t, ends, usw_join_ends, usw_no_ends())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_moments_t *m = &usw_accumulator->moments;
  if (usw_add_value(m, (double)USW_ENTRY_VALUE(x), nan == USW_NAN_IGNORE))
    usw_keep_ends(&usw_accumulator->ends, x, index_of_first + i, nan);
}
/* Blocks give the bits that their elements would one by one, so that nobody sees how streams are aligned. */
#if USW_BY_BLOCKS && USW_ENTRY_IS_BYTES
/* Sums of bytes are exact: of their deviations, too. */
USW_INLINE void USW_F(_add_blocks)(usw_moments_t *m, const USW_ENTRY_ELEMENT *const *x, size_t blocks) {
  m->shift = m->count == 0 ? (double)x[0][0] : m->shift;
  const int64_t count = (int64_t)(blocks * USW_ENTRY_BLOCK), shift = (int64_t)m->shift;
  const int64_t total = (int64_t)USW_ENTRY_TOTAL(x, blocks),
                squares = (int64_t)USW_ENTRY_TOTAL_OF_PRODUCTS(x, x, blocks);
  const int64_t distances = total - count * shift;
  m->count += (uint64_t)count;
  m->sum += (double)distances;
  m->squares += (double)(squares - shift * (total + distances));
}
#elif USW_BY_BLOCKS
USW_INLINE void USW_F(_add_blocks)(usw_moments_t *m, const USW_ENTRY_ELEMENT *const *x, size_t blocks) {
  m->shift = m->count == 0 ? (double)USW_ENTRY_VALUE(x[0][0]) : m->shift;
  m->count += (uint64_t)(blocks * USW_ENTRY_BLOCK);
  USW_UNROLL for (uint32_t k = 0; k < blocks * USW_ENTRY_BLOCK; k++)
      usw_add_distance(m, (double)USW_ENTRY_VALUE(x[k / USW_ENTRY_BLOCK][k % USW_ENTRY_BLOCK]) - m->shift);
}
#endif
#if USW_BY_BLOCKS
/* Blocks with NaNs, infinities or elements that are far apart. */
USW_INLINE void USW_F(_add_special_blocks)(usw_moments_t *m, const USW_ENTRY_ELEMENT *const *x, size_t blocks,
                                           int passes) {
  USW_UNROLL for (uint32_t k = 0; k < blocks * USW_ENTRY_BLOCK; k++)
      usw_add_value(m, (double)USW_ENTRY_VALUE(x[k / USW_ENTRY_BLOCK][k % USW_ENTRY_BLOCK]), passes);
}
/* Where the extremes are, is looked for only in blocks that have one. */
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_moments_t *m = &usw_accumulator->moments;
  usw_ends_t *ends = &usw_accumulator->ends;
  USW_ENTRY_ELEMENT least, greatest;
  USW_ENTRY_BOUNDS(x, blocks, &least, &greatest);
  const double shift = m->count == 0 ? (double)USW_ENTRY_VALUE(x[0][0]) : m->shift;
  const int is_usual = USW_ENTRY_IS_LARGE ? usw_is_near(m, (double)USW_ENTRY_VALUE(least) - shift) &&
                                                usw_is_near(m, (double)USW_ENTRY_VALUE(greatest) - shift)
                                          : USW_IS_FINITE(least) && USW_IS_FINITE(greatest);
  if (!USW_ENTRY_IS_INTEGER && !is_usual) {
    USW_F(_add_special_blocks)(m, x, blocks, nan == USW_NAN_IGNORE);
    usw_keep_ends_of_blocks(ends, x, blocks, usw_memory_of_x + i, step, index_of_first + i, nan);
    return;
  }
  USW_F(_add_blocks)(m, x, blocks);
  if (usw_is_new_end(ends, least, greatest))
    usw_keep_ends_of_blocks(ends, x, blocks, usw_memory_of_x + i, step, index_of_first + i, USW_NAN_NONE);
}
#if USW_SUB_GROUP > 1
USW_AFTER_TILE {
  usw_share_end(&usw_accumulator->ends.least, &usw_accumulator->ends.least_index);
  usw_share_end(&usw_accumulator->ends.greatest, &usw_accumulator->ends.greatest_index);
}
#endif
#endif
/* On the host, one chain beside the other. A sum that is no number tells of NaNs, infinities and elements that are far apart. */
USW_VISIT_RUN(i, count, chains) {
  if (chains != USW_CHAINS)
    return 0;
  usw_chains_t shift = {0}, sum = {0}, squares = {0};
  for (size_t k = 0; k < USW_CHAINS; k++) {
    const usw_moments_t *m = &usw_accumulator[k].moments;
    shift[k] = m->count == 0 ? (double)USW_ENTRY_VALUE(x[k]) : m->shift;
    sum[k] = m->sum;
    squares[k] = m->squares;
  }
  for (size_t group = 0; group < count; group += USW_CHAINS) {
    usw_chains_t distance = {0};
    for (size_t k = 0; k < USW_CHAINS; k++)
      distance[k] = (double)USW_ENTRY_VALUE(x[group + k]);
    distance -= shift;
    sum += distance;
    squares += distance * distance;
  }
  const double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  if (!USW_ENTRY_IS_INTEGER && (USW_ENTRY_IS_LARGE || nan == USW_NAN_IGNORE) &&
      !(__builtin_fabs(total) <= DBL_MAX)) /* one by one */
    return 0;
  for (size_t k = 0; k < USW_CHAINS; k++)
    usw_accumulator[k].moments =
        (usw_moments_t){usw_accumulator[k].moments.count + count / USW_CHAINS, shift[k], sum[k], squares[k]};
  usw_keep_ends_of_run(&usw_accumulator->ends, x, count, index_of_first + i, nan, USW_LEAST_COMPARED);
  return 1;
}
#if USW_BY_STRIPS
typedef double usw_strip_sums_t USW_STRIP_VECTOR(double);
typedef struct {
  usw_strip_sums_t shift, sum, squares;
  usw_strip_places_t least, greatest;
} USW_F(_strip);

USW_BEGIN_STRIP(is_row) {
  usw_strip_t value;
  if (nan == USW_NAN_IGNORE) /* to compare NaNs raises FE_INVALID */
    return 0;
  usw_load_strip(&value, x);
  usw_begin_places(&usw_strip->least, &value);
  usw_begin_places(&usw_strip->greatest, &value);
  usw_strip->shift =
      is_row ? (usw_strip_sums_t){0} + (double)value[0] : __builtin_convertvector(value, usw_strip_sums_t);
  usw_strip->sum = usw_strip->squares = (usw_strip_sums_t){0};
  return 1;
}
USW_VISIT_STRIP(item) {
  usw_strip_t value;
  usw_load_strip(&value, x);
  const usw_strip_sums_t distance = __builtin_convertvector(value, usw_strip_sums_t) - usw_strip->shift;
  usw_strip->sum += distance;
  usw_strip->squares += distance * distance;
  usw_keep_least(&usw_strip->least, &value, item);
  usw_keep_greatest(&usw_strip->greatest, &value, item);
}
/* Column c's extremes, whose items count from an index. */
USW_INLINE usw_ends_t USW_F(_ends_of_places)(const usw_strip_places_t *least, const usw_strip_places_t *greatest,
                                             size_t c, uint64_t index, uint64_t nan) {
  return (usw_ends_t){USW_ENTRY_TO_KEY(least->value[c], nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM),
                      USW_ENTRY_TO_KEY(greatest->value[c], nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM),
                      index + usw_item_of_place(least, c), index + usw_item_of_place(greatest, c)};
}
/* As for runs: a sum that is no number tells of NaNs, infinities and elements that are far apart. */
USW_END_STRIP(i, c, items) {
  if (!(__builtin_fabs(usw_strip->sum[c]) <= DBL_MAX))
    return 0;
  usw_accumulator->moments = (usw_moments_t){items, usw_strip->shift[c], usw_strip->sum[c], usw_strip->squares[c]};
  usw_accumulator->ends = USW_F(_ends_of_places)(&usw_strip->least, &usw_strip->greatest, c, index_of_first + i, nan);
  return 1;
}
USW_INLINE double USW_F(_total_of_strip)(const usw_strip_sums_t *sums) {
  usw_strip_sums_t total = *sums;
  total += USW_HALF_OF_STRIP(total);
  total += USW_QUARTER_OF_STRIP(total);
  return total[0] + total[1];
}
USW_END_ROW(i, count) {
  usw_strip_places_t least = usw_strip->least, greatest = usw_strip->greatest;
  const double sum = USW_F(_total_of_strip)(&usw_strip->sum);
  if (!(__builtin_fabs(sum) <= DBL_MAX))
    return 0;
  usw_fold_least(&least, x);
  usw_fold_greatest(&greatest, x);
  usw_accumulator->moments =
      (usw_moments_t){count, usw_strip->shift[0], sum, USW_F(_total_of_strip)(&usw_strip->squares)};
  usw_accumulator->ends = USW_F(_ends_of_places)(&least, &greatest, 0, index_of_first + i, nan);
  return 1;
}
#endif
#if USW_BY_COLUMNS
typedef struct {
  usw_moments_t moments; /* the count at the end */
  usw_seen_t least, greatest;
} USW_F(_column);

USW_BEGIN_COLUMN {
  const usw_seen_t first = {USW_COMPARED_OF(x), 0};
  usw_column->least = usw_column->greatest = first;
  usw_column->moments = usw_no_moments();
  usw_column->moments.shift = (double)first.value;
  usw_add_distance(&usw_column->moments, (double)first.value - usw_column->moments.shift);
  return USW_ENTRY_IS_INTEGER || nan != USW_NAN_IGNORE;
}
USW_SEE_ITEM(item) {
  const usw_compared_t value = USW_COMPARED_OF(x);
  usw_add_distance(&usw_column->moments, (double)value - usw_column->moments.shift);
  usw_see_least(&usw_column->least, value, item);
  usw_see_greatest(&usw_column->greatest, value, item);
}
/* As for strips; of elements that are far apart the extremes tell. */
USW_END_COLUMN(i, step, items) {
  const usw_moments_t *m = &usw_column->moments;
  usw_ends_t *ends = &usw_accumulator->ends;
  const USW_ENTRY_ELEMENT least = USW_ELEMENT_OF_COMPARED(usw_column->least.value),
                          greatest = USW_ELEMENT_OF_COMPARED(usw_column->greatest.value);
  const uint64_t index = index_of_first + i;
  if (!(__builtin_fabs(m->sum) <= DBL_MAX) ||
      (USW_ENTRY_IS_LARGE && !(usw_is_near(m, (double)usw_column->least.value - m->shift) &&
                               usw_is_near(m, (double)usw_column->greatest.value - m->shift))))
    return 0;
  usw_accumulator->moments = *m;
  usw_accumulator->moments.count = items;
  usw_keep_earlier(&ends->least, &ends->least_index, USW_ENTRY_TO_KEY(least, nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM),
                   index + usw_column->least.item * (uint64_t)step);
  usw_keep_earlier(&ends->greatest, &ends->greatest_index,
                   USW_ENTRY_TO_KEY(greatest, nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM),
                   index + usw_column->greatest.item * (uint64_t)step);
  return 1;
}
#endif
#if USW_BY_WORDS
/* Small integers: sums and squares of so many items that 32 bits, or 64, hold them exactly. */
typedef struct {
  usw_word_places_t least, greatest;
  uint32_t first; /* the elements of item 0 */
#if USW_ENTRY_IS_BYTES
  uint32_t even, odd; /* pairs of sums of bytes, as if the least one were 0 */
  uint32_t squares[4];
#else
  uint32_t totals[2];
  uint64_t squares[2];
#endif
} USW_F(_word);
#define USW_WORD_ITEMS USW_ITEMS_OF_WORDS
#define USW_LEAST_BYTE ((USW_ENTRY_ELEMENT) - 1 < 0 ? INT8_MIN : 0)

USW_INLINE USW_ENTRY_ELEMENT USW_F(_element_of_word)(uint32_t word, uint32_t k) {
  return (USW_ENTRY_ELEMENT)(word >> 8 * sizeof(USW_ENTRY_ELEMENT) * k);
}
USW_BEGIN_WORD {
  const USW_F(_word) nothing = {.least = usw_no_places(0), .greatest = usw_no_places(UINT32_MAX)};
  *usw_word = nothing;
  return 1;
}
USW_SEE_WORD(item, word) {
  usw_see_places(&usw_word->least, word, item, 0);
  usw_see_places(&usw_word->greatest, word, item, UINT32_MAX);
  usw_word->first = item == 0 ? word : usw_word->first;
#if USW_ENTRY_IS_BYTES
  const uint32_t bytes = word ^ (uint8_t)USW_LEAST_BYTE * 0x1010101u;
  usw_word->even += bytes & 0x00ff00ff;
  usw_word->odd += bytes >> 8 & 0x00ff00ff;
#else
  USW_UNROLL for (uint32_t k = 0; k < 2; k++) usw_word->totals[k] += (uint32_t)USW_F(_element_of_word)(word, k);
#endif
  USW_UNROLL for (uint32_t k = 0; k < 4 / sizeof(USW_ENTRY_ELEMENT); k++) {
    const uint32_t x = (uint32_t)(int32_t)USW_F(_element_of_word)(word, k);
    usw_word->squares[k] += x * x;
  }
}
#if USW_ENTRY_IS_BYTES
USW_INLINE int64_t USW_F(_total_of_word)(const USW_F(_word) * word, uint32_t k, uint32_t items) {
  const uint32_t pair = k % 2 == 0 ? word->even : word->odd;
  return (int64_t)(uint16_t)(pair >> 8 * (k & 2)) + (int64_t)items * USW_LEAST_BYTE;
}
#else
USW_INLINE int64_t USW_F(_total_of_word)(const USW_F(_word) * word, uint32_t k, uint32_t items) {
  (void)items;
  return (USW_ENTRY_ELEMENT)-1 < 0 ? (int64_t)(int32_t)word->totals[k] : (int64_t)word->totals[k];
}
#endif
/* The moments are those of adding distances one by one: integers that doubles hold exactly. */
USW_SETTLE_WORD(k, first, items) {
  usw_moments_t *const m = &usw_column->moments;
  const int64_t total = USW_F(_total_of_word)(usw_word, k, items), squares = (int64_t)usw_word->squares[k];
  USW_ENTRY_ELEMENT least, greatest;
  const uint32_t least_item = first + usw_place_of_word(&usw_word->least, k, 0, &least),
                 greatest_item = first + usw_place_of_word(&usw_word->greatest, k, UINT32_MAX, &greatest);
  if (first == 0) {
    const usw_seen_t of_least = {least, least_item}, of_greatest = {greatest, greatest_item};
    *m = usw_no_moments();
    m->shift = (double)USW_F(_element_of_word)(usw_word->first, k);
    usw_column->least = of_least;
    usw_column->greatest = of_greatest;
  }
  const int64_t shift = (int64_t)m->shift, distances = total - items * shift;
  m->sum += (double)distances;
  m->squares += (double)(squares - shift * (total + distances));
  usw_see_least(&usw_column->least, least, least_item);
  usw_see_greatest(&usw_column->greatest, greatest, greatest_item);
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  const usw_moments_t *m = &a->moments;
  usw_describe_ends(&a->ends, m->count, result);
  if (usw_ends_decide(m->count, (double)USW_ENTRY_VALUE(result->minimum), (double)USW_ENTRY_VALUE(result->maximum),
                      &result->mean, &result->variance))
    return;
  result->mean = usw_mean(m);
  if (USW_ENTRY_IS_LARGE && !(__builtin_fabs(result->mean) <= DBL_MAX)) /* rounded away from the largest number */
    result->mean = (double)USW_ENTRY_VALUE(result->mean > 0 ? result->maximum : result->minimum);
  result->variance = usw_deviations(m) / (double)m->count;
}
#include <upsweep/kernel_end.h>
