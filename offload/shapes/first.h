/* A smallest order key (order.h) and the index where it was first found, which is the largest one as long as there is none.
 * Keys that compare equal are alike: -0 and +0 are told apart only where the element of the index is made of its key. */
#ifndef UPSWEEP_SHAPES_FIRST_H
#define UPSWEEP_SHAPES_FIRST_H

#include "entry.h"

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* Keep the smaller key and its lower index. Member by member: choosing between structures goes through memory. */
USW_INLINE void usw_keep_first(USW_ENTRY_KEY *key, uint64_t *index, USW_ENTRY_KEY other, uint64_t other_index) {
  const USW_ENTRY_KEY ours = USW_ENTRY_KEY_OF_EQUALS(*key), theirs = USW_ENTRY_KEY_OF_EQUALS(other);
  const int take = theirs < ours || (theirs == ours && other_index < *index);
  *key = take ? other : *key;
  *index = take ? other_index : *index;
}

/* The same where indices only grow, as a worker's do. An index of the upper half is "none yet", which integers cannot tell by
 * the key. */
USW_INLINE int usw_is_earlier(USW_ENTRY_KEY key, uint64_t index, USW_ENTRY_KEY other) {
  return other < USW_ENTRY_KEY_OF_EQUALS(key) || (USW_ENTRY_IS_INTEGER && (int64_t)index < 0);
}
USW_INLINE void usw_keep_earlier(USW_ENTRY_KEY *key, uint64_t *index, USW_ENTRY_KEY other, uint64_t other_index) {
  const int take = usw_is_earlier(*key, *index, other);
  *key = take ? other : *key;
  *index = take ? other_index : *index;
}

#if USW_ENTRY_HAS_FIRST
/* The first of the smallest elements of some blocks, and its position. ranks.h takes -0 for less than +0: where a zero is earlier
 * than what was found before, which is rare, the first of both is looked for in memory, `step` items between blocks. */
USW_INLINE USW_ENTRY_ELEMENT usw_first_of_blocks(const USW_ENTRY_ELEMENT *const *x, size_t blocks,
                                                 const USW_ENTRY_ELEMENT *memory, size_t step, uint64_t nan,
                                                 USW_ENTRY_KEY turn, USW_ENTRY_KEY key, uint64_t index,
                                                 uint32_t *position) {
  USW_ENTRY_ELEMENT first = USW_ENTRY_FIRST(x, blocks, nan, turn, position);
#if USW_ENTRY_INTEGER_BYTES == 0
  const USW_ENTRY_KEY zeros = USW_KEY_OF_ZEROS;
  uint32_t k = 0;
  if (USW_ENTRY_KEY_OF_EQUALS(USW_ENTRY_TO_KEY(first, nan, turn)) == zeros && usw_is_earlier(key, index, zeros)) {
#pragma nounroll
    do
      first = memory[k / USW_ENTRY_BLOCK * step + k % USW_ENTRY_BLOCK];
    while (USW_ENTRY_KEY_OF_EQUALS(USW_ENTRY_TO_KEY(first, nan, turn)) != zeros && ++k);
    *position = k;
  }
#else
  (void)memory, (void)step, (void)key, (void)index;
#endif
  return first;
}
#endif

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* ---- elements that follow each other, for bodies by runs on the host (USW_BY_RUNS) ---- */

USW_INLINE USW_ENTRY_KEY usw_lesser_key(USW_ENTRY_KEY a, USW_ENTRY_KEY b) { return b < a ? b : a; }

/* The smallest order key of at least one element. */
USW_INLINE USW_ENTRY_KEY usw_least_of_run(const USW_ENTRY_ELEMENT *x, size_t count, uint64_t nan, USW_ENTRY_KEY turn) {
  USW_ENTRY_KEY least = USW_ENTRY_TO_KEY(x[0], nan, turn);
  for (size_t k = 0; k < count; k++)
    least = usw_lesser_key(least, USW_ENTRY_TO_KEY(x[k], nan, turn));
  return least;
}

/* The first element of that key or one that equals it, of which there is one. Vectors find its block. */
USW_INLINE size_t usw_first_of_run(const USW_ENTRY_ELEMENT *x, size_t count, USW_ENTRY_KEY key, uint64_t nan,
                                   USW_ENTRY_KEY turn) {
  enum { AT_ONCE = USW_ENTRY_BLOCK < 8 ? 8 : USW_ENTRY_BLOCK };
  const USW_ENTRY_KEY equals = USW_ENTRY_KEY_OF_EQUALS(key);
  size_t first = 0;
  for (int is_here = 0; first + AT_ONCE <= count; first += AT_ONCE) {
    for (size_t k = 0; k < AT_ONCE; k++)
      is_here |= USW_ENTRY_KEY_OF_EQUALS(USW_ENTRY_TO_KEY(x[first + k], nan, turn)) == equals;
    if (is_here)
      break;
  }
  while (USW_ENTRY_KEY_OF_EQUALS(USW_ENTRY_TO_KEY(x[first], nan, turn)) != equals)
    first++;
  return first;
}

#if USW_ENTRY_IS_COMPARED
#include "extremum_of_run.h"
#define USW_LEAST_NORMAL (sizeof(USW_ENTRY_ELEMENT) == 8 ? DBL_MIN : (double)FLT_MIN)
/* Whether comparing tells an extremum from all other numbers but zero: where a program flushes subnormal numbers, they are as zeros. */
USW_INLINE int usw_is_surely_first(USW_ENTRY_ELEMENT extremum) {
  const volatile USW_ENTRY_ELEMENT subnormal = (USW_ENTRY_ELEMENT)(USW_LEAST_NORMAL / 2);
  return __builtin_fabs((double)extremum) >= USW_LEAST_NORMAL || subnormal > 0;
}

/* The first of the elements that equals a number, of which there is one. */
USW_INLINE size_t usw_first_equal_of_run(const USW_ENTRY_ELEMENT *x, size_t count, USW_ENTRY_ELEMENT value) {
  enum { AT_ONCE = 16 };
  size_t first = 0;
  for (int is_here = 0; first + AT_ONCE <= count; first += AT_ONCE) {
    for (size_t k = 0; k < AT_ONCE; k++)
      is_here |= x[first + k] == value;
    if (is_here)
      break;
  }
  while (x[first] != value)
    first++;
  return first;
}

/* The same as usw_keep_earlier_of_run() by comparing numbers. 0: there are fewer than `least`, or that is not for sure, or would raise
 * FE_INVALID. */
USW_INLINE int usw_keep_earlier_by_comparing(USW_ENTRY_KEY *key, uint64_t *index, const USW_ENTRY_ELEMENT *x,
                                             size_t count, uint64_t index_of_x, uint64_t nan, USW_ENTRY_KEY turn,
                                             size_t least) {
  USW_ENTRY_ELEMENT value;
  if (count < least || nan == USW_NAN_IGNORE ||
      !(turn == 0 ? USW_ENTRY_EXTREMUM_OF_RUN(MINIMUM)(x, count, &value)
                  : USW_ENTRY_EXTREMUM_OF_RUN(MAXIMUM)(x, count, &value)) ||
      !usw_is_surely_first(value))
    return 0;
  if (usw_is_earlier(*key, *index, USW_ENTRY_TO_KEY(value, nan, turn))) {
    const size_t first = usw_first_equal_of_run(x, count, value);
    *key = USW_ENTRY_TO_KEY(x[first], nan, turn);
    *index = index_of_x + first;
  }
  return 1;
}
#else
#define USW_LEAST_COMPARED 0
#define usw_keep_earlier_by_comparing(key, index, x, count, index_of_x, nan, turn, least) ((void)(least), 0)
#endif

/* The same as usw_keep_earlier() for each of them, x[0] that of the index. Fewer than `least` go by their keys. */
USW_INLINE void usw_keep_earlier_of_run(USW_ENTRY_KEY *key, uint64_t *index, const USW_ENTRY_ELEMENT *x, size_t count,
                                        uint64_t index_of_x, uint64_t nan, USW_ENTRY_KEY turn, size_t least) {
  if (usw_keep_earlier_by_comparing(key, index, x, count, index_of_x, nan, turn, least))
    return;
  const USW_ENTRY_KEY first_key = usw_least_of_run(x, count, nan, turn);
  if (usw_is_earlier(*key, *index, first_key)) {
    const size_t first = usw_first_of_run(x, count, first_key, nan, turn);
    *key = USW_ENTRY_TO_KEY(x[first], nan, turn);
    *index = index_of_x + first;
  }
}

#endif
