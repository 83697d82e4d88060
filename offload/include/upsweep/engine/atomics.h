/* Reducers combined in device memory by atomics, for the strategies tree_atomic and atomic.
 *
 * A reducer has a cell of 8-byte words there, all zero between launches, so that no launch has to fill it:
 *   integer plus, bit_xor   the sum of the bits: one instruction
 *   plus of float, double   a sum of doubles, one per part of a complex number: a GPU's own addition of floats in memory
 *                           takes subnormal numbers for zero
 *   anything else           the bits of the value XOR those of the identity, by compare-and-swap; without an identity the
 *                           value and, above it, a bit that says so. Who would change nothing only reads: after the first
 *                           few minima the others cost one load
 * Values that are too large for a word, other than sums of complex numbers, have no cell (USW_OF(_words_, n) is 0), nor
 * have spans and accurate sums. */
#ifndef UPSWEEP_ENGINE_ATOMICS_H
#define UPSWEEP_ENGINE_ATOMICS_H

/* Floating numbers in a type whose sum is kept as doubles. */
#define USW_PARTS_INTEGER 0
#define USW_PARTS_BOOLEAN 0
#define USW_PARTS_FLOATING 1
#define USW_PARTS_COMPLEX 2
#ifdef __cplusplus
template <class T> struct usw_parts_of {
  enum { count = 0 };
};
#define USW_PARTS_OF_TYPE(T, tag, CLASS, ...)                                                                          \
  template <> struct usw_parts_of<T> {                                                                                 \
    enum { count = USW_PARTS_##CLASS };                                                                                \
  };
USW_SCALARS(USW_PARTS_OF_TYPE, )
#define USW_PARTS_OF(T) (int)usw_parts_of<T>::count
#else
#define USW_PARTS_OF_TYPE(T, tag, CLASS, ...) , T : USW_PARTS_##CLASS
#define USW_PARTS_OF(T) _Generic(*(T *)0 USW_SCALARS(USW_PARTS_OF_TYPE, ), default: 0)
#endif

/* The words of a reducer's cell, and whether its value is a sum of doubles there. */
enum { USW_NO_VALUE_YET = 0, USW_VALUE_SHIFT = 32 /* of the bit that says that there is a value */ };
#define USW_SUM_PARTS(T, n) ((int)USW_OF(_code_, n) == USW_PLUS ? USW_PARTS_OF(T) : 0)
#define USW_R_WORDS(T, n, ...)                                                                                         \
  USW_OF(_parts_, n) = USW_SUM_PARTS(T, n),                                                                            \
                  USW_OF(_words_, n) = (int)USW_OF(_level_, n) > 0 ? 0                                                 \
                                       : USW_SUM_PARTS(T, n) > 0   ? USW_SUM_PARTS(T, n)                               \
                                                                   : sizeof(T) <= (USW_OF(_has_identity_, n) ? 8 : 4),
#define USW_S_WORDS(T, n, ...) USW_OF(_words_, n) = 0,
#define USW_R_AND_WORDS(T, n, ...) &&(int)USW_OF(_words_, n) > 0
#define USW_R_PLUS_WORDS(T, n, ...) +(int)USW_OF(_words_, n)

/* Part of a number. */
USW_INLINE double usw_part_of(const void *value, int part, size_t part_bytes) {
  float single;
  double number;
  if (part_bytes == sizeof number) {
    __builtin_memcpy(&number, (const char *)value + (size_t)part * sizeof number, sizeof number);
    return number;
  }
  __builtin_memcpy(&single, (const char *)value + (size_t)part * sizeof single, sizeof single);
  return (double)single;
}
USW_INLINE void usw_set_part(void *value, int part, size_t part_bytes, double number) {
  const float single = (float)number;
  if (part_bytes == sizeof number)
    __builtin_memcpy((char *)value + (size_t)part * sizeof number, &number, sizeof number);
  else
    __builtin_memcpy((char *)value + (size_t)part * sizeof single, &single, sizeof single);
}

/* A word that the compiler knows nothing of. LLVM 19 knows too much: in some kernels on NVIDIA's GPUs (norm_inf of doubles,
 * after a change far from here) it took `the larger of a and b is not a` for `a is not b`, and a cell could get smaller. */
USW_INLINE uint64_t usw_hidden(uint64_t word) {
  return (uint64_t)usw_port_opaque((uint32_t)(word >> 32)) << 32 | usw_port_opaque((uint32_t)word);
}

USW_INLINE double usw_double_of(uint64_t word) {
  double number;
  __builtin_memcpy(&number, &word, sizeof number);
  return number;
}

#if USW_PORT_ADDS_DOUBLES
USW_INLINE void usw_atomic_add_double(uint64_t *word, double value) {
  __atomic_fetch_add((double *)(void *)word, value, __ATOMIC_RELAXED);
}
#else
USW_INLINE void usw_atomic_add_double(uint64_t *word, double value) {
  uint64_t seen = __atomic_load_n(word, __ATOMIC_RELAXED), next;
  do {
    const double sum = usw_double_of(seen) + value;
    __builtin_memcpy(&next, &sum, sizeof next);
  } while (!__atomic_compare_exchange_n(word, &seen, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
#endif

/* A value as a word, and back; an accumulator into its cell, and the cell into an accumulator. */
#define USW_R_ATOMIC(T, n, ...) USW_BY_FORM(USW_ATOMIC_, __VA_ARGS__)(T, n, __VA_ARGS__)
#define USW_ATOMIC_PLAIN(T, n, ...) USW_ATOMIC_VARIABLE(T, n, __VA_ARGS__)
#define USW_ATOMIC_NONE(T, n, ...) USW_ATOMIC_VARIABLE(T, n, __VA_ARGS__)
#define USW_ATOMIC_SUM(T, n, ...)
#define USW_ATOMIC_VARIABLE(T, n, ...)                                                                                 \
  USW_INLINE uint64_t USW_OF(_bits_of_, n)(T value) {                                                                  \
    uint64_t word = 0;                                                                                                 \
    __builtin_memcpy((void *)&word, (const void *)&value, sizeof value < 8 ? sizeof value : 8);                        \
    return word;                                                                                                       \
  }                                                                                                                    \
  USW_INLINE uint64_t USW_OF(_encode_, n)(T value) {                                                                   \
    const uint64_t says_so = (uint64_t)!USW_OF(_has_identity_, n) << USW_VALUE_SHIFT;                                  \
    return (USW_OF(_bits_of_, n)(value) ^ USW_OF(_bits_of_, n)(USW_OF(_identity_of_, n)())) | says_so;                 \
  }                                                                                                                    \
  USW_INLINE T USW_OF(_decode_, n)(uint64_t word) {                                                                    \
    T value = USW_OF(_identity_of_, n)();                                                                              \
    word ^= USW_OF(_bits_of_, n)(value);                                                                               \
    __builtin_memcpy((void *)&value, (const void *)&word, sizeof value < 8 ? sizeof value : 8);                        \
    return value;                                                                                                      \
  }                                                                                                                    \
  USW_INLINE uint64_t USW_OF(_after_, n)(uint64_t word, T value) {                                                     \
    if (!USW_OF(_has_identity_, n) && word == USW_NO_VALUE_YET)                                                        \
      return USW_OF(_encode_, n)(value);                                                                               \
    return USW_OF(_encode_, n)(USW_OF(_operate_, n)(USW_OF(_decode_, n)(word), value));                                \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_atomics_in_, n)(const USW_F(_acc) * a, uint64_t *cell) {                                     \
    if (!(USW_BY_FORM(USW_HAS_, __VA_ARGS__)(a, n)))                                                                   \
      return;                                                                                                          \
    if (USW_OF(_parts_, n) > 0) {                                                                                      \
      for (int part = 0; part < USW_OF(_parts_, n); part++)                                                            \
        usw_atomic_add_double(&cell[part], usw_part_of(&a->n, part, sizeof(T) / (USW_OF(_parts_, n) > 1 ? 2 : 1)));    \
    } else if (USW_IS_SUM_OF_BITS(T, n)) {                                                                             \
      __atomic_fetch_add(cell, USW_OF(_bits_of_, n)(a->n), __ATOMIC_RELAXED);                                          \
    } else if ((int)USW_OF(_code_, n) == USW_BIT_XOR) {                                                                \
      __atomic_fetch_xor(cell, USW_OF(_bits_of_, n)(a->n), __ATOMIC_RELAXED);                                          \
    } else {                                                                                                           \
      uint64_t seen = __atomic_load_n(cell, __ATOMIC_RELAXED), next;                                                   \
      do {                                                                                                             \
        next = usw_hidden(USW_OF(_after_, n)(seen, a->n));                                                             \
      } while (next != seen &&                                                                                         \
               !__atomic_compare_exchange_n(cell, &seen, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                \
    }                                                                                                                  \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_atomics_out_, n)(USW_F(_acc) * a, uint64_t *cell) {                                          \
    if (USW_OF(_parts_, n) == 0) {                                                                                     \
      const uint64_t word = __atomic_load_n(cell, __ATOMIC_RELAXED);                                                   \
      a->n = USW_OF(_decode_, n)(word);                                                                                \
      USW_BY_FORM(USW_FROM_CELL_, __VA_ARGS__)(n)                                                                      \
    }                                                                                                                  \
    for (int part = 0; part < USW_OF(_parts_, n); part++)                                                              \
      usw_set_part(&a->n, part, sizeof(T) / (USW_OF(_parts_, n) > 1 ? 2 : 1),                                          \
                   usw_double_of(__atomic_load_n(&cell[part], __ATOMIC_RELAXED)));                                     \
    for (int word = 0; word < USW_OF(_words_, n); word++)                                                              \
      cell[word] = 0;                                                                                                  \
  }
#define USW_IS_SUM_OF_BITS(T, n) ((int)USW_OF(_code_, n) == USW_PLUS && USW_INTEGER_KNOWN(T))
#define USW_FROM_CELL_PLAIN(n)
#define USW_FROM_CELL_NONE(n) a->has_##n = word != USW_NO_VALUE_YET;

/* Visitors of all cells. */
#define USW_R_INTO_CELL(T, n, ...) USW_BY_FORM(USW_INTO_CELL_, __VA_ARGS__)(n)
#define USW_INTO_CELL_PLAIN(n)                                                                                         \
  USW_OF(_atomics_in_, n)(a, cells);                                                                                   \
  cells += USW_OF(_words_, n);
#define USW_INTO_CELL_NONE(n) USW_INTO_CELL_PLAIN(n)
#define USW_INTO_CELL_SUM(n)
#define USW_R_FROM_CELL(T, n, ...) USW_BY_FORM(USW_OUT_OF_CELL_, __VA_ARGS__)(n)
#define USW_OUT_OF_CELL_PLAIN(n)                                                                                       \
  USW_OF(_atomics_out_, n)(a, cells);                                                                                  \
  cells += USW_OF(_words_, n);
#define USW_OUT_OF_CELL_NONE(n) USW_OUT_OF_CELL_PLAIN(n)
#define USW_OUT_OF_CELL_SUM(n)

#endif
