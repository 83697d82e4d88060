/* Sums, products and counts of many small integers at once. To widen each to 64 bits would take a GPU more instructions than
 * it can spend on 16 bytes while they are read.
 *
 * x and y are vectors of 16 bytes, at most 16 of them, so that no total of bytes or of their products leaves 32 bits. Totals are
 * in two's complement.
 *
 *   total(x, vectors)                 the sum of all elements
 *   total_of_products(x, y, vectors)  the sum of x[b][k] * y[b][k]
 *   product(x, vectors)               the product of all elements, modulo 2^64
 *   usw_nonzeros(x, vectors)          how many bytes are not zero; usw_any_nonzero, usw_all_nonzero: whether any is, or all */
#ifndef UPSWEEP_TOTALS_H
#define UPSWEEP_TOTALS_H

#include <upsweep/ranks.h>

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif

/* Four bytes of a word at a time. SUM: what 32 bits of a total are. */
#define USW_TOTALS_OF_BYTES(tag, T, SUM)                                                                               \
  USW_INLINE uint64_t usw_total_of_products_##tag(const T *const *x, const T *const *y, size_t vectors) {              \
    uint32_t total = 0;                                                                                                \
    USW_UNROLL for (size_t b = 0; b < vectors; b++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t left = usw_block_word(x[b], w), right = usw_block_word(y[b], w);                                \
        total = usw_port_dot_bytes((T) - 1 < 0, left, right, total);                                                   \
      }                                                                                                                \
    }                                                                                                                  \
    return (uint64_t)(SUM)total;                                                                                       \
  }                                                                                                                    \
  USW_INLINE uint64_t usw_total_##tag(const T *const *x, size_t vectors) {                                             \
    uint32_t total = 0;                                                                                                \
    USW_UNROLL for (size_t b = 0; b < vectors; b++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        total = usw_port_dot_bytes((T) - 1 < 0, usw_block_word(x[b], w), 0x01010101, total);                           \
      }                                                                                                                \
    }                                                                                                                  \
    return (uint64_t)(SUM)total;                                                                                       \
  }                                                                                                                    \
  /* Four bytes' product fits a word, that of two words 64 bits. */                                                    \
  USW_INLINE SUM usw_product_of_word_##tag(uint32_t word) {                                                            \
    const SUM low = (SUM)(T)word * (SUM)(T)(word >> 8), high = (SUM)(T)(word >> 16) * (SUM)(T)(word >> 24);            \
    return low * high;                                                                                                 \
  }                                                                                                                    \
  USW_INLINE uint64_t usw_product_##tag(const T *const *x, size_t vectors) {                                           \
    uint64_t product = 1;                                                                                              \
    USW_UNROLL for (size_t b = 0; b < vectors; b++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w += 2) {                                                     \
        const SUM first = usw_product_of_word_##tag(usw_block_word(x[b], w));                                          \
        const SUM second = usw_product_of_word_##tag(usw_block_word(x[b], w + 1));                                     \
        product *= (T) - 1 < 0 ? (uint64_t)((int64_t)first * second) : (uint64_t)first * (uint64_t)second;             \
      }                                                                                                                \
    }                                                                                                                  \
    return product;                                                                                                    \
  }
USW_TOTALS_OF_BYTES(i8, int8_t, int32_t)
USW_TOTALS_OF_BYTES(u8, uint8_t, uint32_t)

/* Two numbers of a word at a time. */
#define USW_TOTALS_OF_SHORTS(tag, T, SUM)                                                                              \
  USW_INLINE uint64_t usw_total_##tag(const T *const *x, size_t vectors) {                                             \
    SUM total = 0;                                                                                                     \
    USW_UNROLL for (size_t b = 0; b < vectors; b++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t word = usw_block_word(x[b], w);                                                                 \
        total += (SUM)(T)word + (SUM)(T)(word >> 16);                                                                  \
      }                                                                                                                \
    }                                                                                                                  \
    return (uint64_t)total;                                                                                            \
  }                                                                                                                    \
  USW_INLINE uint64_t usw_total_of_products_##tag(const T *const *x, const T *const *y, size_t vectors) {              \
    uint64_t total = 0;                                                                                                \
    USW_UNROLL for (size_t b = 0; b < vectors; b++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t left = usw_block_word(x[b], w), right = usw_block_word(y[b], w);                                \
        total += (uint64_t)((SUM)(T)left * (SUM)(T)right);                                                             \
        total += (uint64_t)((SUM)(T)(left >> 16) * (SUM)(T)(right >> 16));                                             \
      }                                                                                                                \
    }                                                                                                                  \
    return total;                                                                                                      \
  }                                                                                                                    \
  USW_INLINE uint64_t usw_product_##tag(const T *const *x, size_t vectors) {                                           \
    uint64_t product = 1;                                                                                              \
    USW_UNROLL for (size_t b = 0; b < vectors; b++) {                                                                  \
      USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {                                                        \
        const uint32_t word = usw_block_word(x[b], w);                                                                 \
        product *= (uint64_t)((SUM)(T)word * (SUM)(T)(word >> 16));                                                    \
      }                                                                                                                \
    }                                                                                                                  \
    return product;                                                                                                    \
  }
USW_TOTALS_OF_SHORTS(i16, int16_t, int32_t)
USW_TOTALS_OF_SHORTS(u16, uint16_t, uint32_t)

/* The high bit of a byte says whether it is not zero. */
USW_INLINE uint32_t usw_nonzero_bytes(uint32_t word) {
  return (((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080;
}
USW_INLINE uint64_t usw_nonzeros(const uint8_t *const *x, size_t vectors) {
  uint32_t total = 0;
  USW_UNROLL for (size_t b = 0; b < vectors; b++) {
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) {
      total = usw_port_dot_bytes(0, usw_nonzero_bytes(usw_block_word(x[b], w)), 0x01010101, total);
    }
  }
  return total / 0x80;
}
USW_INLINE int usw_any_nonzero(const uint8_t *const *x, size_t vectors) {
  uint32_t some = 0;
  USW_UNROLL for (size_t b = 0; b < vectors; b++) {
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) some |= usw_block_word(x[b], w);
  }
  return some != 0;
}
USW_INLINE int usw_all_nonzero(const uint8_t *const *x, size_t vectors) {
  uint32_t all = 0x80808080;
  USW_UNROLL for (size_t b = 0; b < vectors; b++) {
    USW_UNROLL for (size_t w = 0; w < USW_BLOCK_WORDS; w++) all &= usw_nonzero_bytes(usw_block_word(x[b], w));
  }
  return all == 0x80808080;
}

#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif
