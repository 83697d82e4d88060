/* Count, mean, variance, minimum, maximum and their indices of integers from the exact sums of the elements and of their
 * squares. Entry: name, PLUS_REPRODUCIBLE, type. */
#include "entry.h"

/* Elements of 64 bits take as long one at a time. */
#define USW_BY_BLOCKS (!USW_ENTRY_IS_LONG)
#include "exact_moments.h"

#ifndef UPSWEEP_SHAPES_DESCRIBE_INTEGERS_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_DESCRIBE_INTEGERS_H
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
__extension__ typedef unsigned __int128 usw_u128_t;

/* Sums in two's complement, the lowest word first: of 2^63 elements, and of their squares. */
typedef struct {
  uint64_t sum[2], squares[3];
} usw_integer_sums_t;
#define USW_MEMBERS_OF_usw_integer_sums_t(n) USW_MEMBER_WORDS(n.sum) USW_MEMBER_WORDS(n.squares)

USW_INLINE usw_integer_sums_t usw_no_integers(void) {
  const usw_integer_sums_t nothing = {{0, 0}, {0, 0, 0}};
  return nothing;
}

/* a + b + *carry. */
USW_INLINE uint64_t usw_add_with_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  const uint64_t sum = a + b, total = sum + *carry;
  *carry = (uint64_t)(sum < a) | (uint64_t)(total < sum);
  return total;
}

USW_INLINE usw_integer_sums_t usw_join_integers(usw_integer_sums_t a, usw_integer_sums_t b) {
  usw_integer_sums_t both;
  uint64_t carry = 0, carry_of_squares = 0;
  both.sum[0] = usw_add_with_carry(a.sum[0], b.sum[0], &carry);
  both.sum[1] = usw_add_with_carry(a.sum[1], b.sum[1], &carry);
  both.squares[0] = usw_add_with_carry(a.squares[0], b.squares[0], &carry_of_squares);
  both.squares[1] = usw_add_with_carry(a.squares[1], b.squares[1], &carry_of_squares);
  both.squares[2] = usw_add_with_carry(a.squares[2], b.squares[2], &carry_of_squares);
  return both;
}

USW_INLINE usw_integer_sums_t usw_sums_of_one(USW_ENTRY_ELEMENT x) {
  const int negative = x < 0;
  const uint64_t bits = (uint64_t)x, absolute = negative ? 0 - bits : bits;
  const usw_u128_t square = sizeof x == 8 ? (usw_u128_t)absolute * absolute : (usw_u128_t)(absolute * absolute);
  const usw_integer_sums_t one = {{bits, negative ? UINT64_MAX : 0}, {(uint64_t)square, (uint64_t)(square >> 64), 0}};
  return one;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* Words in two's complement as a wide integer. */
static usw_wide_t usw_wide_of_words(const uint64_t *words, int count) {
  usw_wide_t wide = usw_wide_zero(0);
  for (int k = 0; k < count; k++) {
    usw_wide_add_integer(&wide, (int64_t)(words[k] & UINT32_MAX), 64 * k);
    usw_wide_add_integer(&wide, k == count - 1 ? (int64_t)words[k] >> 32 : (int64_t)(words[k] >> 32), 64 * k + 32);
  }
  return wide;
}
#endif

#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, count, USW_PLUS)                                                                                         \
  R(usw_integer_sums_t, sums, usw_join_integers, usw_no_integers())                                                    \
  R(usw_ends_t, ends, usw_join_ends, usw_no_ends())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc(count);
  usw_combine(sums, usw_sums_of_one(x));
  usw_keep_ends(&usw_accumulator->ends, x, index_of_first + i, nan);
}

#if USW_BY_BLOCKS
#if USW_ENTRY_HAS_TOTALS
USW_INLINE usw_integer_sums_t USW_F(_sums_of_blocks)(const USW_ENTRY_ELEMENT *const *x, size_t blocks) {
  const uint64_t total = USW_ENTRY_TOTAL(x, blocks), squares = USW_ENTRY_TOTAL_OF_PRODUCTS(x, x, blocks);
  const usw_integer_sums_t sums = {{total, (int64_t)total < 0 ? UINT64_MAX : 0}, {squares, 0, 0}};
  return sums;
}
#else
USW_INLINE usw_integer_sums_t USW_F(_sums_of_blocks)(const USW_ENTRY_ELEMENT *const *x, size_t blocks) {
  usw_integer_sums_t sums = usw_no_integers();
  USW_UNROLL for (uint32_t k = 0; k < USW_ENTRY_BLOCK * blocks; k++) sums =
      usw_join_integers(sums, usw_sums_of_one(x[k / USW_ENTRY_BLOCK][k % USW_ENTRY_BLOCK]));
  return sums;
}
#endif
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_combine(count, (uint64_t)(blocks * USW_ENTRY_BLOCK));
  usw_combine(sums, USW_F(_sums_of_blocks)(x, blocks));
  USW_ENTRY_ELEMENT least, greatest;
  USW_ENTRY_BOUNDS(x, blocks, &least, &greatest);
  if (usw_is_new_end(&usw_accumulator->ends, least, greatest))
    usw_keep_ends_of_blocks(&usw_accumulator->ends, x, blocks, usw_memory_of_x + i, step, index_of_first + i, nan);
}
#endif

static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  const usw_wide_t sum = usw_wide_of_words(a->sums.sum, 2), squares = usw_wide_of_words(a->sums.squares, 3);
  usw_describe_ends(&a->ends, a->count, result);
  result->mean = result->variance = NAN;
  if (a->count > 0)
    usw_exact_moments(&sum, &squares, a->count, &result->mean, &result->variance);
}
#include <upsweep/kernel_end.h>
