/* What all descriptions have in common: the kernel's lists but for its reducers, the smallest and the largest element, each
 * with its lowest index, as order keys (order.h); and what the extremes say of mean and variance. */
#include "entry.h"
#include "first.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_DESCRIBE
#define USW_TYPE USW_ENTRY_CODE
#define USW_RESULT usw_description_t
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) VALUE(uint64_t, index_of_first) VALUE(uint64_t, nan)
/* An item takes many registers: more of the small ones at once would spill in the clause. Blocks are visited as words. */
#undef USW_BYTES_IN_FLIGHT /* of the file's description before */
#define USW_BYTES_IN_FLIGHT (sizeof(USW_ENTRY_ELEMENT) == 8 || USW_F(_by_blocks) ? 64 : 16)

#ifndef UPSWEEP_SHAPES_ENDS_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_ENDS_H
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* The keys of the maximum are turned round. */
typedef struct {
  USW_ENTRY_KEY least, greatest;
  uint64_t least_index, greatest_index;
} usw_ends_t;
#define USW_MEMBERS_OF_usw_ends_t(n)                                                                                   \
  USW_MEMBER(n.least)                                                                                                  \
  USW_MEMBER(n.greatest) USW_MEMBER_INDEX(n.least_index) USW_MEMBER_INDEX(n.greatest_index)

USW_INLINE usw_ends_t usw_no_ends(void) {
  const usw_ends_t nothing = {USW_LARGEST(USW_ENTRY_KEY), USW_LARGEST(USW_ENTRY_KEY), UINT64_MAX, UINT64_MAX};
  return nothing;
}

USW_INLINE usw_ends_t usw_join_ends(usw_ends_t a, usw_ends_t b) {
  usw_ends_t both = a;
  usw_keep_first(&both.least, &both.least_index, b.least, b.least_index);
  usw_keep_first(&both.greatest, &both.greatest_index, b.greatest, b.greatest_index);
  return both;
}

USW_INLINE void usw_keep_ends(usw_ends_t *ends, USW_ENTRY_ELEMENT x, uint64_t index, uint64_t nan) {
  usw_keep_earlier(&ends->least, &ends->least_index, USW_ENTRY_TO_KEY(x, nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM), index);
  usw_keep_earlier(&ends->greatest, &ends->greatest_index, USW_ENTRY_TO_KEY(x, nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM),
                   index);
}

#if USW_ENTRY_HAS_FIRST
/* The same of many elements: of `blocks` blocks, `step` items apart, which are in memory, too. NaNs that are passed over are as if
 * they were not there. */
USW_INLINE void usw_keep_ends_of_blocks(usw_ends_t *ends, const USW_ENTRY_ELEMENT *const *x, size_t blocks,
                                        const USW_ENTRY_ELEMENT *memory, size_t step, uint64_t index, uint64_t nan) {
  const USW_ENTRY_KEY upwards = (USW_ENTRY_KEY)USW_TURN_MINIMUM, downwards = (USW_ENTRY_KEY)USW_TURN_MAXIMUM;
  uint32_t at;
  const USW_ENTRY_ELEMENT least =
      usw_first_of_blocks(x, blocks, memory, step, nan, upwards, ends->least, ends->least_index, &at);
  const USW_ENTRY_KEY key = USW_ENTRY_TO_KEY(least, nan, upwards);
  if (USW_ENTRY_ONLY_NANS(key))
    return;
  usw_keep_earlier(&ends->least, &ends->least_index, key, index + at / USW_ENTRY_BLOCK * step + at % USW_ENTRY_BLOCK);
  const USW_ENTRY_ELEMENT greatest =
      usw_first_of_blocks(x, blocks, memory, step, nan, downwards, ends->greatest, ends->greatest_index, &at);
  usw_keep_earlier(&ends->greatest, &ends->greatest_index, USW_ENTRY_TO_KEY(greatest, nan, downwards),
                   index + at / USW_ENTRY_BLOCK * step + at % USW_ENTRY_BLOCK);
}

/* Whether one of many elements, no NaNs, is the smallest or the largest so far; of equal ones those before are first. */
USW_INLINE int usw_is_new_end(const usw_ends_t *ends, USW_ENTRY_ELEMENT least, USW_ENTRY_ELEMENT greatest) {
  const USW_ENTRY_KEY key = USW_ENTRY_TO_KEY(least, USW_NAN_PROPAGATE, (USW_ENTRY_KEY)USW_TURN_MINIMUM);
  const USW_ENTRY_KEY turned = USW_ENTRY_TO_KEY(greatest, USW_NAN_PROPAGATE, (USW_ENTRY_KEY)USW_TURN_MAXIMUM);
  return usw_is_earlier(ends->least, ends->least_index, key) |
         usw_is_earlier(ends->greatest, ends->greatest_index, turned);
}

#if USW_SUB_GROUP > 1
/* Let all threads of a sub-group know the least key of their items so far: they need not look at items for larger ones, nor,
 * as later items have later indices, for the same one. Those who have it from others say so by an index beyond any other. */
USW_INLINE void usw_share_end(USW_ENTRY_KEY *key, uint64_t *index) {
  const int is_signed = (USW_ENTRY_KEY)-1 < (USW_ENTRY_KEY)1, is_long = sizeof(USW_ENTRY_KEY) == 8;
  const uint64_t equals = (uint64_t)USW_ENTRY_KEY_OF_EQUALS(*key);
  const uint32_t own = (uint32_t)(is_long ? equals >> 32 : equals);
  const uint32_t least = usw_port_sub_group_least(is_signed, own);
  if (own != least) {
    *key = (USW_ENTRY_KEY)(is_long ? (uint64_t)least << 32 | UINT32_MAX : least);
    *index = INT64_MAX;
  }
}
#endif
#endif
/* The same of elements that follow each other, on the host. */
USW_INLINE void usw_keep_ends_of_run(usw_ends_t *ends, const USW_ENTRY_ELEMENT *x, size_t count, uint64_t index,
                                     uint64_t nan, size_t least) {
  usw_keep_earlier_of_run(&ends->least, &ends->least_index, x, count, index, nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM,
                          least);
  usw_keep_earlier_of_run(&ends->greatest, &ends->greatest_index, x, count, index, nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM,
                          least);
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* Whether the extremes decide mean and variance: there is no element, or a NaN, or an infinity, which is its own mean unless
 * it meets its opposite: the same NaN on every processor; nothing is at a finite distance from it. */
static USW_UNUSED int usw_ends_decide(uint64_t count, double minimum, double maximum, double *mean, double *variance) {
  *mean = *variance = NAN;
  if (count == 0 || minimum != minimum)
    return 1;
  if (minimum == -INFINITY || maximum == INFINITY) {
    if (minimum > -INFINITY)
      *mean = maximum;
    else if (maximum < INFINITY)
      *mean = minimum;
    return 1;
  }
  return 0;
}

typedef USW_TAGGED(usw_describe_, USW_ENTRY_TYPE, _t) usw_description_t;

/* All of a description but mean and variance. */
static void usw_describe_ends(const usw_ends_t *ends, uint64_t count, usw_description_t *result) {
  __builtin_memset(result, 0, sizeof *result); /* padding too: results are compared and hashed as bytes */
  result->count = count;
  result->minimum = USW_ENTRY_FROM_KEY(ends->least, (USW_ENTRY_KEY)USW_TURN_MINIMUM);
  result->maximum = USW_ENTRY_FROM_KEY(ends->greatest, (USW_ENTRY_KEY)USW_TURN_MAXIMUM);
  result->minimum_index = (int64_t)ends->least_index;
  result->maximum_index = (int64_t)ends->greatest_index;
}
#endif
