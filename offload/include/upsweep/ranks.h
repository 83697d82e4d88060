/* Extremes of many small elements at once. An order key (order.h) for each would take a GPU more instructions than it can
 * spend on 16 bytes while they are read.
 *
 * A rank is a signed integer that orders as the elements do; an addition that wraps moves all NaNs to its lower end, or to
 * the upper one. Those of elements of one or two bytes have 16 bits, and are compared two at a time in a word, a pair. Ranks
 * have no room for "nothing seen": the least of a thread's items of a tile becomes an order key, and goes the way of all
 * elements from there.
 *
 *   least(x, vectors, nan, turn)              the element whose key is the least, of vectors of 16 bytes; turn is as in order.h, but
 *                                          a word
 *   first(x, vectors, nan, turn, &position)   the same, and the position of the first such, counted over the vectors: where all
 *                                          elements are NaNs that are passed over, of any. Also for integers of
 *                                          32 and 64 bits
 *   bounds(x, vectors, &least, &greatest)     the least and the greatest element, in fewer instructions: one of them is a NaN
 *                                          where an element is one */
#ifndef UPSWEEP_RANKS_H
#define UPSWEEP_RANKS_H

#include <upsweep/port.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* A function of two pairs: its lanes as expressions, and as vectors where the compiler has an instruction for those. */
#ifdef __clang__
typedef int16_t usw_pair_lanes_t __attribute__((ext_vector_type(2)));
typedef uint16_t usw_pair_bits_t __attribute__((ext_vector_type(2)));
#define USW_WRAPPING_SUM (usw_pair_lanes_t)((usw_pair_bits_t)x + (usw_pair_bits_t)y)
#define USW_PAIR_FUNCTION(name, LANE, VECTOR)                                                                          \
  USW_INLINE uint32_t name(uint32_t a, uint32_t b) {                                                                   \
    usw_pair_lanes_t x, y;                                                                                             \
    __builtin_memcpy(&x, &a, sizeof x);                                                                                \
    __builtin_memcpy(&y, &b, sizeof y);                                                                                \
    x = VECTOR;                                                                                                        \
    __builtin_memcpy(&a, &x, sizeof a);                                                                                \
    return a;                                                                                                          \
  }
#else
#define USW_PAIR_FUNCTION(name, LANE, VECTOR)                                                                          \
  USW_INLINE uint32_t name(uint32_t a, uint32_t b) {                                                                   \
    int16_t x[2], y[2];                                                                                                \
    __builtin_memcpy(x, &a, sizeof x);                                                                                 \
    __builtin_memcpy(y, &b, sizeof y);                                                                                 \
    for (int k = 0; k < 2; k++)                                                                                        \
      x[k] = (int16_t)(LANE);                                                                                          \
    __builtin_memcpy(&a, x, sizeof a);                                                                                 \
    return a;                                                                                                          \
  }
#endif
USW_PAIR_FUNCTION(usw_least_pair, x[k] < y[k] ? x[k] : y[k], __builtin_elementwise_min(x, y))
USW_PAIR_FUNCTION(usw_greatest_pair, x[k] > y[k] ? x[k] : y[k], __builtin_elementwise_max(x, y))
USW_PAIR_FUNCTION(usw_sum_of_pairs, (uint16_t)x[k] + (uint16_t)y[k], USW_WRAPPING_SUM)

/* A rank twice. */
USW_INLINE uint32_t usw_pair_of(int rank) { return (uint32_t)(rank & 0xffff) * 0x10001u; }

/* The lesser of a pair's ranks. */
USW_INLINE int usw_lesser_of_pair(uint32_t pair) {
  return (int16_t)usw_least_pair(pair, usw_port_bytes(pair, pair, 0x1032));
}

/* The words of a block of 16 bytes. */
enum { USW_BLOCK_WORDS = 4 };
USW_INLINE uint32_t usw_block_word(const void *block, size_t number) {
  uint32_t word;
  __builtin_memcpy(&word, (const char *)block + number * sizeof word, sizeof word);
  return word;
}

/* USW_RANKS_OF_SHORTS(tag, T, the bits that a negative number turns round, those that are turned round anyway, how far NaNs
 * are to be moved). */
#define USW_RANKS_OF_SHORTS(tag, T, NEGATIVE, OFFSET, NANS)                                                            \
  USW_INLINE int usw_nans_##tag(uint64_t nan) { return nan == USW_NAN_IGNORE ? -(NANS) : NANS; }                       \
  USW_INLINE uint32_t usw_in_order_##tag(uint32_t word) {                                                              \
    return word ^ (usw_port_bytes(word, 0, 0xbb99) & NEGATIVE * 0x10001u);                                             \
  }                                                                                                                    \
  USW_INLINE uint32_t usw_ranks_##tag(uint32_t word, uint64_t nan, uint32_t turn) {                                    \
    return usw_sum_of_pairs(usw_in_order_##tag(word) ^ turn ^ usw_pair_of(OFFSET), usw_pair_of(usw_nans_##tag(nan)));  \
  }                                                                                                                    \
  USW_INLINE T usw_ranked_##tag(int rank, uint64_t nan, uint32_t turn) {                                               \
    const uint32_t turned = (uint32_t)(rank - usw_nans_##tag(nan)) ^ turn ^ (OFFSET);                                  \
    const uint16_t bits = (uint16_t)usw_in_order_##tag(turned);                                                        \
    T x;                                                                                                               \
    __builtin_memcpy(&x, &bits, sizeof x);                                                                             \
    return x;                                                                                                          \
  }                                                                                                                    \
  /* With the position below the rank: one minimum for both. NaNs that win are all alike: the first one does. */       \
  USW_INLINE T usw_first_##tag(const T *const *x, size_t vectors, uint64_t nan, uint32_t turn, uint32_t *position) {   \
    const int least_number = NANS == 0 || nan == USW_NAN_IGNORE ? INT16_MIN : 2 * (NANS) - INT16_MAX - 2;              \
    int32_t least = INT32_MAX;                                                                                         \
    USW_UNROLL for (size_t u = 0; u < vectors; u++) {                                                                  \
      int32_t of_vector = INT32_MAX;                                                                                   \
      USW_UNROLL for (uint32_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                      \
        const uint32_t ranks =                                                                                         \
            usw_greatest_pair(usw_ranks_##tag(usw_block_word(x[u], w), nan, turn), usw_pair_of(least_number));         \
        const uint32_t positions = 2 * w | (2 * w + 1) << 16;                                                          \
        const int32_t even = (int32_t)usw_port_bytes(ranks, positions, 0x1054);                                        \
        const int32_t odd = (int32_t)usw_port_bytes(ranks, positions, 0x3276);                                         \
        of_vector = even < of_vector ? even : of_vector;                                                               \
        of_vector = odd < of_vector ? odd : of_vector;                                                                 \
      }                                                                                                                \
      of_vector += 2 * USW_BLOCK_WORDS * (int32_t)u;                                                                   \
      least = of_vector < least ? of_vector : least;                                                                   \
    }                                                                                                                  \
    *position = (uint32_t)least & 0xffff;                                                                              \
    return usw_ranked_##tag(least >> 16, nan, turn);                                                                   \
  }
#define USW_BOUNDS_OF_SHORTS(tag, T, OFFSET)                                                                           \
  USW_INLINE void usw_bounds_##tag(const T *const *x, size_t vectors, T *least, T *greatest) {                         \
    uint32_t low = usw_pair_of(INT16_MAX), high = usw_pair_of(INT16_MIN);                                              \
    USW_UNROLL for (size_t u = 0; u < vectors; u++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t ranks = usw_in_order_##tag(usw_block_word(x[u], w)) ^ usw_pair_of(OFFSET);                      \
        low = usw_least_pair(low, ranks);                                                                              \
        high = usw_greatest_pair(high, ranks);                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
    *least = usw_ranked_##tag(usw_lesser_of_pair(low), 0, 0);                                                          \
    *greatest = usw_ranked_##tag((int)~(uint32_t)usw_lesser_of_pair(~high), 0, 0);                                     \
  }
#define USW_LEAST_OF_SHORTS(tag, T)                                                                                    \
  USW_INLINE T usw_least_##tag(const T *const *x, size_t vectors, uint64_t nan, uint32_t turn) {                       \
    uint32_t least = usw_pair_of(INT16_MAX);                                                                           \
    USW_UNROLL for (size_t u = 0; u < vectors; u++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t ranks = usw_ranks_##tag(usw_block_word(x[u], w), nan, turn);                                    \
        least = usw_least_pair(least, ranks);                                                                          \
      }                                                                                                                \
    }                                                                                                                  \
    return usw_ranked_##tag(usw_lesser_of_pair(least), nan, turn);                                                     \
  }
USW_RANKS_OF_SHORTS(f16, usw_f16_t, 0x7fff, 0, (INT16_MAX - USW_INFINITY_BITS_f16))
USW_RANKS_OF_SHORTS(bf16, usw_bf16_t, 0x7fff, 0, (INT16_MAX - USW_INFINITY_BITS_bf16))
USW_RANKS_OF_SHORTS(i16, int16_t, 0, 0, 0)
USW_RANKS_OF_SHORTS(u16, uint16_t, 0, 0x8000, 0)
USW_LEAST_OF_SHORTS(i16, int16_t)
USW_LEAST_OF_SHORTS(u16, uint16_t)
/* Where the port has no instruction for floating numbers. */
#define USW_NANS_OF_PAIRS(tag)                                                                                         \
  USW_INLINE uint32_t usw_port_nans_of_pair_##tag(uint32_t pair) {                                                     \
    return ((pair & INT16_MAX) > USW_INFINITY_BITS_##tag ? 0xffffu : 0) |                                              \
           ((pair >> 16 & INT16_MAX) > USW_INFINITY_BITS_##tag ? 0xffff0000u : 0);                                     \
  }
#ifndef USW_PORT_FINDS_NANS
USW_NANS_OF_PAIRS(f16)
USW_NANS_OF_PAIRS(bf16)
#endif
#define USW_ENDS_OF_PAIRS(name, tag)                                                                                   \
  USW_INLINE uint32_t usw_port_##name##_number_pair_##tag(uint32_t a, uint32_t b) {                                    \
    const uint32_t a_nans = usw_port_nans_of_pair_##tag(a), b_nans = usw_port_nans_of_pair_##tag(b);                   \
    const uint32_t x = (a & ~a_nans) | (b & a_nans), y = (b & ~b_nans) | (a & b_nans);                                 \
    return usw_in_order_##tag(usw_##name##_pair(usw_in_order_##tag(x), usw_in_order_##tag(y)));                        \
  }                                                                                                                    \
  USW_INLINE uint32_t usw_port_##name##_pair_##tag(uint32_t a, uint32_t b) {                                           \
    const uint32_t end = usw_in_order_##tag(usw_##name##_pair(usw_in_order_##tag(a), usw_in_order_##tag(b)));          \
    return end | usw_port_nans_of_pair_##tag(a) | usw_port_nans_of_pair_##tag(b);                                      \
  }
#define USW_LESS_OF_PAIRS(tag)                                                                                         \
  USW_INLINE uint32_t usw_port_less_pair_##tag(uint32_t a, uint32_t b) {                                               \
    uint32_t less = 0;                                                                                                 \
    USW_UNROLL for (uint32_t k = 0; k < 32; k += 16) {                                                                 \
      const int x = (int16_t)(usw_in_order_##tag(a) >> k), y = (int16_t)(usw_in_order_##tag(b) >> k);                  \
      less |= x < y && !(x == -1 && y == 0) ? 0xffffu << k : 0; /* which are zeros */                                  \
    }                                                                                                                  \
    return less & ~usw_port_nans_of_pair_##tag(a) & ~usw_port_nans_of_pair_##tag(b);                                   \
  }
/* STEPS(end) with the instruction of two elements that finds the one whose key is the less (order.h). */
#define USW_BY_END(kind, STEPS) USW_BY_END_OF(kind, STEPS)
#define USW_BY_END_OF(kind, STEPS)                                                                                     \
  if (nan == USW_NAN_IGNORE && turn == 0) {                                                                            \
    STEPS(usw_port_least_number_##kind)                                                                                \
  } else if (nan == USW_NAN_IGNORE) {                                                                                  \
    STEPS(usw_port_greatest_number_##kind)                                                                             \
  } else if (turn == 0) {                                                                                              \
    STEPS(usw_port_least_##kind)                                                                                       \
  } else {                                                                                                             \
    STEPS(usw_port_greatest_##kind)                                                                                    \
  }
#ifndef USW_PORT_HAS_ENDS
USW_ENDS_OF_PAIRS(least, f16)
USW_ENDS_OF_PAIRS(least, bf16)
USW_ENDS_OF_PAIRS(greatest, f16)
USW_ENDS_OF_PAIRS(greatest, bf16)
USW_LESS_OF_PAIRS(f16)
USW_LESS_OF_PAIRS(bf16)
USW_LEAST_OF_SHORTS(f16, usw_f16_t)
USW_LEAST_OF_SHORTS(bf16, usw_bf16_t)
#else
#define USW_END_OF_HALVES(end)                                                                                         \
  USW_UNROLL for (size_t w = 1; w < USW_BLOCK_WORDS * vectors; w++) pair =                                             \
      end(pair, usw_block_word(x[w / USW_BLOCK_WORDS], w % USW_BLOCK_WORDS));                                          \
  pair = end(pair, usw_port_bytes(pair, pair, 0x1032));
#define USW_LEAST_OF_HALVES(tag, T)                                                                                    \
  USW_INLINE T usw_least_##tag(const T *const *x, size_t vectors, uint64_t nan, uint32_t turn) {                       \
    uint32_t pair = usw_block_word(x[0], 0);                                                                           \
    T least;                                                                                                           \
    USW_BY_END(pair_##tag, USW_END_OF_HALVES)                                                                          \
    least.bits = (uint16_t)pair;                                                                                       \
    return least;                                                                                                      \
  }
USW_LEAST_OF_HALVES(f16, usw_f16_t)
USW_LEAST_OF_HALVES(bf16, usw_bf16_t)
#endif
#define USW_BOUNDS_OF_HALVES(tag, T)                                                                                   \
  USW_INLINE void usw_bounds_##tag(const T *const *x, size_t vectors, T *least, T *greatest) {                         \
    uint32_t low = usw_block_word(x[0], 0), high = low;                                                                \
    USW_UNROLL for (size_t w = 1; w < USW_BLOCK_WORDS * vectors; w++) {                                                \
      const uint32_t word = usw_block_word(x[w / USW_BLOCK_WORDS], w % USW_BLOCK_WORDS);                               \
      low = usw_port_least_pair_##tag(low, word);                                                                      \
      high = usw_port_greatest_pair_##tag(high, word);                                                                 \
    }                                                                                                                  \
    low = usw_port_least_pair_##tag(low, usw_port_bytes(low, low, 0x1032));                                            \
    high = usw_port_greatest_pair_##tag(high, usw_port_bytes(high, high, 0x1032));                                     \
    least->bits = (uint16_t)low;                                                                                       \
    greatest->bits = (uint16_t)high;                                                                                   \
  }
USW_BOUNDS_OF_HALVES(f16, usw_f16_t)
USW_BOUNDS_OF_HALVES(bf16, usw_bf16_t)
USW_BOUNDS_OF_SHORTS(i16, int16_t, 0)
USW_BOUNDS_OF_SHORTS(u16, uint16_t, 0x8000)

/* The same for one element of 32 bits in a word: no faster to compare, but NaNs are not asked for. */
USW_INLINE int32_t usw_rank_f32(uint32_t word, uint32_t nans, uint32_t turn) {
  return (int32_t)((word ^ ((uint32_t)((int32_t)word >> 31) & INT32_MAX) ^ turn) + nans);
}
#ifdef USW_PORT_HAS_ENDS
#define USW_END_OF_FLOATS(end)                                                                                         \
  USW_UNROLL for (size_t k = 1; k < USW_BLOCK_WORDS * vectors; k++) least =                                            \
      end(least, x[k / USW_BLOCK_WORDS][k % USW_BLOCK_WORDS]);
USW_INLINE float usw_least_f32(const float *const *x, size_t vectors, uint64_t nan, uint32_t turn) {
  float least = x[0][0];
  USW_BY_END(float, USW_END_OF_FLOATS)
  return least;
}
#else
USW_INLINE float usw_least_f32(const float *const *x, size_t vectors, uint64_t nan, uint32_t turn) {
  const uint32_t distance = INT32_MAX - 0x7f800000, nans = nan == USW_NAN_IGNORE ? 0 - distance : distance;
  int32_t least = INT32_MAX;
  USW_UNROLL for (size_t u = 0; u < vectors; u++) {
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {
      const int32_t rank = usw_rank_f32(usw_block_word(x[u], w), nans, turn);
      least = rank < least ? rank : least;
    }
  }
  const uint32_t bits = (uint32_t)usw_rank_f32(((uint32_t)least - nans) ^ turn, 0, 0);
  float number;
  __builtin_memcpy(&number, &bits, sizeof number);
  return number;
}
#endif

/* Ranks in the upper bytes of pairs, of every second byte of a word; below them its neighbour or its position. */
#define USW_RANKS_OF_BYTES(tag, T, OFFSET)                                                                             \
  USW_INLINE uint32_t usw_ranks_##tag(uint32_t word, uint32_t turn) { return word ^ turn ^ OFFSET * 0x1010101u; }      \
  USW_INLINE T usw_ranked_##tag(int rank, uint32_t turn) { return (T)((uint32_t)rank ^ turn ^ (OFFSET)); }             \
  USW_INLINE T usw_least_##tag(const T *const *x, size_t vectors, uint64_t nan USW_UNUSED, uint32_t turn) {            \
    uint32_t least = usw_pair_of(INT16_MAX);                                                                           \
    USW_UNROLL for (size_t u = 0; u < vectors; u++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t ranks = usw_ranks_##tag(usw_block_word(x[u], w), turn);                                         \
        least = usw_least_pair(usw_least_pair(least, ranks), ranks << 8);                                              \
      }                                                                                                                \
    }                                                                                                                  \
    return usw_ranked_##tag(usw_lesser_of_pair(least) >> 8, turn);                                                     \
  }                                                                                                                    \
  USW_INLINE T usw_first_##tag(const T *const *x, size_t vectors, uint64_t nan USW_UNUSED, uint32_t turn,              \
                               uint32_t *position) {                                                                   \
    uint32_t least = usw_pair_of(INT16_MAX);                                                                           \
    USW_UNROLL for (size_t u = 0; u < vectors; u++) {                                                                  \
      uint32_t of_vector = usw_pair_of(INT16_MAX);                                                                     \
      USW_UNROLL for (uint32_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                      \
        const uint32_t ranks = usw_ranks_##tag(usw_block_word(x[u], w), turn);                                         \
        const uint32_t positions = 0x3020100 + w * 0x4040404;                                                          \
        of_vector = usw_least_pair(of_vector, usw_port_bytes(ranks, positions, 0x2604));                               \
        of_vector = usw_least_pair(of_vector, usw_port_bytes(ranks, positions, 0x3715));                               \
      }                                                                                                                \
      least = usw_least_pair(least, usw_sum_of_pairs(of_vector, usw_pair_of(4 * USW_BLOCK_WORDS * (int)u)));           \
    }                                                                                                                  \
    const int rank = usw_lesser_of_pair(least);                                                                        \
    *position = (uint32_t)rank & 0xff;                                                                                 \
    return usw_ranked_##tag(rank >> 8, turn);                                                                          \
  }
#define USW_BOUNDS_OF_BYTES(tag, T)                                                                                    \
  USW_INLINE void usw_bounds_##tag(const T *const *x, size_t vectors, T *least, T *greatest) {                         \
    uint32_t low = usw_pair_of(INT16_MAX), high = usw_pair_of(INT16_MIN);                                              \
    USW_UNROLL for (size_t u = 0; u < vectors; u++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t ranks = usw_ranks_##tag(usw_block_word(x[u], w), 0);                                            \
        low = usw_least_pair(usw_least_pair(low, ranks), ranks << 8);                                                  \
        high = usw_greatest_pair(usw_greatest_pair(high, ranks), ranks << 8);                                          \
      }                                                                                                                \
    }                                                                                                                  \
    *least = usw_ranked_##tag(usw_lesser_of_pair(low) >> 8, 0);                                                        \
    *greatest = usw_ranked_##tag((int)~(uint32_t)usw_lesser_of_pair(~high) >> 8, 0);                                   \
  }
USW_RANKS_OF_BYTES(i8, int8_t, 0)
USW_RANKS_OF_BYTES(u8, uint8_t, 0x80)
USW_BOUNDS_OF_BYTES(i8, int8_t)
USW_BOUNDS_OF_BYTES(u8, uint8_t)

/* Of larger numbers, one at a time. NaNs that win are of the same rank; USW_NAN_NONE: there is none. USW_FIRST_OF_NUMBERS(tag,
 * T, K, its unsigned, bits of infinity). */
enum { USW_NAN_NONE = 2 };
#define USW_FIRST_OF_NUMBERS(tag, T, K, U, INFINITY_BITS)                                                              \
  USW_INLINE K usw_turned_##tag(K bits, U turn) {                                                                      \
    return (K)((U)(bits ^ ((bits >> (8 * sizeof(K) - 1)) & (K)((U) - 1 >> 1))) ^ turn);                                \
  }                                                                                                                    \
  USW_INLINE T usw_first_##tag(const T *const *x, size_t vectors, uint64_t nan, uint32_t turn, uint32_t *position) {   \
    const U all = (U)((uint64_t)turn << 32 | turn), most = (U) - 1 >> 1, distance = most - INFINITY_BITS;              \
    const U nans = nan == USW_NAN_NONE ? 0 : nan == USW_NAN_IGNORE ? 0 - distance : distance;                          \
    const K least_number = nan == USW_NAN_PROPAGATE ? (K)(most + 2 * distance) : (K)(most + 1);                        \
    const uint32_t block = 16 / sizeof(T);                                                                             \
    K least = (K)most;                                                                                                 \
    *position = 0;                                                                                                     \
    USW_UNROLL for (uint32_t k = 0; k < block * vectors; k++) {                                                        \
      K bits;                                                                                                          \
      __builtin_memcpy(&bits, &x[k / block][k % block], sizeof bits);                                                  \
      bits = (K)((U)usw_turned_##tag(bits, all) + nans);                                                               \
      bits = bits < least_number ? least_number : bits;                                                                \
      *position = bits < least ? k : *position;                                                                        \
      least = bits < least ? bits : least;                                                                             \
    }                                                                                                                  \
    const K bits = usw_turned_##tag((K)((U)((U)least - nans) ^ all), 0);                                               \
    T number;                                                                                                          \
    __builtin_memcpy(&number, &bits, sizeof number);                                                                   \
    return number;                                                                                                     \
  }
/* K compares as T does; RANK makes one of the other, both ways. */
#define USW_BOUNDS_OF_NUMBERS(tag, T, K, RANK)                                                                         \
  USW_INLINE void usw_bounds_##tag(const T *const *x, size_t vectors, T *least, T *greatest) {                         \
    const uint32_t block = 16 / sizeof(T);                                                                             \
    K low = 0, high = 0, bits;                                                                                         \
    USW_UNROLL for (uint32_t k = 0; k < block * vectors; k++) {                                                        \
      __builtin_memcpy(&bits, &x[k / block][k % block], sizeof bits);                                                  \
      bits = RANK;                                                                                                     \
      low = k == 0 || bits < low ? bits : low;                                                                         \
      high = k == 0 || bits > high ? bits : high;                                                                      \
    }                                                                                                                  \
    bits = low;                                                                                                        \
    bits = RANK;                                                                                                       \
    __builtin_memcpy(least, &bits, sizeof bits);                                                                       \
    bits = high;                                                                                                       \
    bits = RANK;                                                                                                       \
    __builtin_memcpy(greatest, &bits, sizeof bits);                                                                    \
  }
USW_FIRST_OF_NUMBERS(f32, float, int32_t, uint32_t, 0x7f800000u)
USW_FIRST_OF_NUMBERS(f64, double, int64_t, uint64_t, 0x7ff0000000000000u)
#ifdef USW_PORT_HAS_ENDS
USW_INLINE void usw_bounds_f32(const float *const *x, size_t vectors, float *least, float *greatest) {
  *least = *greatest = x[0][0];
  USW_UNROLL for (uint32_t k = 1; k < 4 * vectors; k++) {
    *least = usw_port_least_float(*least, x[k / 4][k % 4]);
    *greatest = usw_port_greatest_float(*greatest, x[k / 4][k % 4]);
  }
}
#else
USW_BOUNDS_OF_NUMBERS(f32, float, int32_t, usw_turned_f32(bits, 0))
#endif
USW_BOUNDS_OF_NUMBERS(f64, double, int64_t, usw_turned_f64(bits, 0))
USW_BOUNDS_OF_NUMBERS(i32, int32_t, int32_t, bits)
USW_BOUNDS_OF_NUMBERS(u32, uint32_t, uint32_t, bits)

/* Integers of 32 and 64 bits are ranks themselves. To compare two of 64 takes two instructions, to choose one three with a
 * position of 32 bits, four with an index of 64. */
#define USW_FIRST_OF_INTEGERS(tag, T)                                                                                  \
  USW_INLINE T usw_first_##tag(const T *const *x, size_t vectors, uint64_t nan USW_UNUSED, uint32_t turn,              \
                               uint32_t *position) {                                                                   \
    const T all = (T)((uint64_t)turn << 32 | turn);                                                                    \
    const uint32_t block = 16 / sizeof(T);                                                                             \
    T least = x[0][0] ^ all;                                                                                           \
    *position = 0;                                                                                                     \
    USW_UNROLL for (uint32_t k = 1; k < block * vectors; k++) {                                                        \
      const T rank = x[k / block][k % block] ^ all;                                                                    \
      *position = rank < least ? k : *position;                                                                        \
      least = rank < least ? rank : least;                                                                             \
    }                                                                                                                  \
    return least ^ all;                                                                                                \
  }
USW_FIRST_OF_INTEGERS(i32, int32_t)
USW_FIRST_OF_INTEGERS(u32, uint32_t)
USW_FIRST_OF_INTEGERS(i64, int64_t)
USW_FIRST_OF_INTEGERS(u64, uint64_t)

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
