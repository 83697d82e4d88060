/* Running extremes of small elements, for scans: of elements of one or two bytes, two at once, a pair (ranks.h), in an instruction.
 *
 *   running(x, nan, turn, &extreme, results)   results[k] is the element of x[0], ..., x[k] and `extreme` whose key is the least; of a block of 16
 *                                              bytes. `extreme` becomes that of all. turn is as in order.h, but a word
 *
 * Integers are compared as numbers of 16 bits, halves as the processor does; NaNs become the one that results have (order.h). */
#ifndef UPSWEEP_RUNNING_H
#define UPSWEEP_RUNNING_H

#include <upsweep/order.h>
#include <upsweep/ranks.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* The second element behind the first, then both behind those before. */
#define USW_RUN_OF_PAIRS(end)                                                                                          \
  USW_UNROLL for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {                                               \
    pairs[p] = end(end(pairs[p], usw_port_bytes(pairs[p], pairs[p], 0x1010)), before);                                 \
    before = usw_port_bytes(pairs[p], pairs[p], 0x3232);                                                               \
  }
#define USW_RUN_OF_INTEGERS                                                                                            \
  if (turn == 0) {                                                                                                     \
    USW_RUN_OF_PAIRS(usw_least_pair)                                                                                   \
  } else {                                                                                                             \
    USW_RUN_OF_PAIRS(usw_greatest_pair)                                                                                \
  }

/* LOWER, UPPER: which bytes make the pairs of a word's elements. */
#define USW_RUNNING_OF_BYTES(tag, T, LOWER, UPPER)                                                                     \
  USW_INLINE void usw_running_##tag(const T *x, uint64_t nan USW_UNUSED, uint32_t turn, T *extreme, T *results) {      \
    uint32_t pairs[2 * USW_BLOCK_WORDS], before = usw_pair_of(*extreme);                                               \
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                          \
      pairs[2 * w] = usw_port_bytes(usw_block_word(x, w), 0, LOWER);                                                   \
      pairs[2 * w + 1] = usw_port_bytes(usw_block_word(x, w), 0, UPPER);                                               \
    }                                                                                                                  \
    USW_RUN_OF_INTEGERS                                                                                                \
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                          \
      const uint32_t word = usw_port_bytes(pairs[2 * w], pairs[2 * w + 1], 0x6420);                                    \
      __builtin_memcpy((char *)results + w * sizeof word, &word, sizeof word);                                         \
    }                                                                                                                  \
    *extreme = (T)before;                                                                                              \
  }
USW_RUNNING_OF_BYTES(u8, uint8_t, 0x4140, 0x4342)
USW_RUNNING_OF_BYTES(i8, int8_t, 0x9180, 0xb3a2)

/* OPEN makes a pair of a word's elements, CLOSE elements again. RUN: the instructions. */
#define USW_RUNNING_OF_SHORTS(tag, T, OPEN, RUN, CLOSE)                                                                \
  USW_INLINE void usw_running_##tag(const T *x, uint64_t nan USW_UNUSED, uint32_t turn, T *extreme, T *results) {      \
    uint16_t bits;                                                                                                     \
    __builtin_memcpy(&bits, (const void *)extreme, sizeof bits);                                                       \
    uint32_t pairs[USW_BLOCK_WORDS], before = OPEN(usw_pair_of(bits));                                                 \
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) pairs[w] = OPEN(usw_block_word(x, w));                     \
    RUN;                                                                                                               \
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) pairs[w] = CLOSE(pairs[w]);                                \
    __builtin_memcpy((void *)results, pairs, sizeof pairs);                                                            \
    bits = (uint16_t)CLOSE(before);                                                                                    \
    __builtin_memcpy((void *)extreme, &bits, sizeof bits);                                                             \
  }
#define USW_AS_IT_IS(pair) (pair)
#define USW_BY_SIGNS(pair) ((pair) ^ 0x80008000u) /* unsigned numbers as signed ones, and back */
#define USW_WITH_ONE_NAN(tag)                                                                                          \
  USW_INLINE uint32_t usw_with_one_nan_##tag(uint32_t pair) {                                                          \
    const uint32_t nans = usw_port_nans_of_pair_##tag(pair);                                                           \
    return (pair & ~nans) | (usw_pair_of(USW_NAN_BITS_##tag) & nans);                                                  \
  }
USW_WITH_ONE_NAN(f16)
USW_WITH_ONE_NAN(bf16)
USW_RUNNING_OF_SHORTS(i16, int16_t, USW_AS_IT_IS, USW_RUN_OF_INTEGERS, USW_AS_IT_IS)
USW_RUNNING_OF_SHORTS(u16, uint16_t, USW_BY_SIGNS, USW_RUN_OF_INTEGERS, USW_BY_SIGNS)
USW_RUNNING_OF_SHORTS(f16, usw_f16_t, USW_AS_IT_IS, USW_BY_END(pair_f16, USW_RUN_OF_PAIRS), usw_with_one_nan_f16)
USW_RUNNING_OF_SHORTS(bf16, usw_bf16_t, USW_AS_IT_IS, USW_BY_END(pair_bf16, USW_RUN_OF_PAIRS), usw_with_one_nan_bf16)

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
