/* Spans: arrays of reductions, whose elements are cells. A cell is a value, with a flag where the operator has no identity.
 *
 * Where the cells of a span are:
 *   in the accumulator   all of a short span (at most 256 bytes, known at compile time)
 *   in the block         of any other: an array beside the accumulator, one block per worker, chunk or team
 * and, while a GPU's team visits its items, in team memory if they fit there (team_spans.h).
 * On a GPU a short span's cells in the accumulator are found by comparing an index with every cell's, which keeps all of
 * them in registers where an array in memory would not: free for an index that is a constant. */
#ifndef UPSWEEP_ENGINE_SPANS_H
#define UPSWEEP_ENGINE_SPANS_H

enum {
  USW_SHORT_SPAN_BYTES = 256, /* a quarter of the registers that a thread of a GPU can have */
  USW_BLOCK_ALIGNMENT = 16    /* of every span's cells in a block, and of the block */
};
#define USW_BLOCK_ROUND(bytes) (((bytes) + (USW_BLOCK_ALIGNMENT - 1)) / USW_BLOCK_ALIGNMENT * USW_BLOCK_ALIGNMENT)

#define USW_EXTENT(...) USW_1ST(__VA_ARGS__)
#define USW_IS_DYNAMIC(...) USW_3RD(__VA_ARGS__, 1, 0)

/* Cells by the kind of the reducer. */
#define USW_CELL_PLAIN(T, ...) T
#define USW_CELL_SUM(T, ...) USW_SUM_OF(USW_1ST(__VA_ARGS__), T)
#define USW_CELL_NONE(T, ...)                                                                                          \
  struct {                                                                                                             \
    T value;                                                                                                           \
    unsigned char has;                                                                                                 \
  }
#define USW_CLEAR_PLAIN(n) *cell = USW_OF(_identity_of_, n)();
#define USW_CLEAR_SUM(n) USW_ACCURATE(identity, *cell)(cell);
#define USW_CLEAR_NONE(n) __builtin_memset((void *)cell, 0, sizeof *cell);
#define USW_PUT_PLAIN(n) *cell = USW_OF(_operate_, n)(*cell, value);
#define USW_PUT_SUM(n) USW_ACCURATE(add, *cell)(cell, value, 0);
#define USW_PUT_NONE(n)                                                                                                \
  cell->value = cell->has ? USW_OF(_operate_, n)(cell->value, value) : value;                                          \
  cell->has = 1;
#define USW_SET_PLAIN *cell = value;
#define USW_SET_SUM USW_ACCURATE(set, *cell)(cell, value);
#define USW_SET_NONE                                                                                                   \
  cell->value = value;                                                                                                 \
  cell->has = 1;
#define USW_JOIN_PLAIN(n) *cell = USW_OF(_operate_, n)(*cell, *later);
#define USW_JOIN_SUM(n) USW_ACCURATE(merge, *cell)(cell, later);
#define USW_JOIN_NONE(n)                                                                                               \
  if (later->has)                                                                                                      \
    USW_OF(_put_, n)(cell, later->value);
#define USW_ALONE_PLAIN 1
#define USW_ALONE_SUM 0
#define USW_ALONE_NONE 0
#define USW_HOLDS_PLAIN 1
#define USW_HOLDS_SUM 1
#define USW_HOLDS_NONE cell->has
#define USW_VALUE_PLAIN *cell
#define USW_VALUE_SUM USW_ACCURATE(value, *cell)(cell)
#define USW_VALUE_NONE cell->value

/* Before the accumulator: types and sizes. fixed: the extent, 0 if it comes at run time; inline: cells in the
 * accumulator. */
#define USW_S_SHAPE(T, n, extent, ...)                                                                                 \
  typedef USW_BY_FORM(USW_CELL_, __VA_ARGS__)(T, __VA_ARGS__) USW_OF(_cell_, n);                                       \
  USW_ASSERT(USW_IS_DYNAMIC(extent) || (USW_EXTENT(extent)) >= 1, "span '" #n "' has no element");                     \
  enum {                                                                                                               \
    USW_OF(_inline_, n) =                                                                                              \
        (USW_EXTENT(extent)) * sizeof(USW_OF(_cell_, n)) <= USW_SHORT_SPAN_BYTES ? (int)(USW_EXTENT(extent)) : 0       \
  };                                                                                                                   \
  USW_ASSERT(!USW_IN_STEP || USW_OF(_inline_, n) > 0,                                                                  \
             "span '" #n "': USW_IN_STEP is for spans of at most 256 bytes, of an extent that is a constant");         \
  USW_ASSERT(!USW_ORDERED || USW_OF(_inline_, n) > 0,                                                                  \
             "span '" #n "': USW_ORDERED is for spans of at most 256 bytes, of an extent that is a constant");
/* A span in the block leaves a word in the accumulator, which must not be empty. */
#define USW_S_FIELD(T, n, extent, ...)                                                                                 \
  USW_OF(_cell_, n) n[USW_OF(_inline_, n)];                                                                            \
  uint32_t usw_no_##n[USW_OF(_inline_, n) == 0];
#define USW_S_START(T, n, extent, ...)                                                                                 \
  USW_UNROLL for (size_t k = 0; k != USW_OF(_inline_, n); k++) USW_OF(_clear_, n)(&a->n[k]);
#define USW_S_MERGE(T, n, extent, ...)                                                                                 \
  USW_UNROLL for (size_t k = 0; k != USW_OF(_inline_, n); k++) USW_OF(_join_, n)(&a->n[k], &b->n[k]);
#define USW_S_IN_BLOCK(T, n, extent, ...) +(USW_OF(_inline_, n) == 0)
#define USW_ATOMIC_OPERATIONS (1 << USW_PLUS | 1 << USW_BIT_AND | 1 << USW_BIT_OR | 1 << USW_BIT_XOR)
#define USW_S_ATOMIC(T, n)                                                                                             \
  (USW_INTEGER_KNOWN(T) && (sizeof(T) == 4 || sizeof(T) == 8) && ((USW_ATOMIC_OPERATIONS >> USW_OF(_code_, n)) & 1))
/* Whether a cell is a value alone, of a size that atomics of device memory combine; in turns: by instructions of team memory it is not. */
#define USW_S_AND_COMMON(T, n, extent, ...)                                                                            \
  &&(USW_OF(_inline_, n) > 0 || (USW_BY_FORM(USW_ALONE_, __VA_ARGS__) && (sizeof(T) == 4 || sizeof(T) == 8)))
#define USW_S_IS_SUM(T, n) ((int)USW_OF(_level_, n) == 0 && USW_SUM_PARTS(T, n) == 1)
#define USW_S_AND_FIXED(T, n, extent, ...)                                                                             \
  &&(USW_OF(_inline_, n) > 0 || USW_S_IS_SUM(T, n) || USW_BY_KIND(USW_EXACT_, __VA_ARGS__)(T, n))
#define USW_S_AND_EXACT_CELLS(T, n, extent, ...)                                                                       \
  &&(USW_OF(_inline_, n) > 0 || USW_BY_KIND(USW_EXACT_, __VA_ARGS__)(T, n))
#define USW_S_FIXED_CELLS(T, n, ...) +(USW_OF(_inline_, n) == 0 && USW_S_IS_SUM(T, n) ? s->usw_extent_##n : 0)
#define USW_S_IN_TURNS(T, n, ...) +(USW_OF(_inline_, n) == 0 && !USW_S_ATOMIC(T, n))
/* Bytes of all cells whose number is a constant, and of those of them in the block; what a team has room for in its
 * memory (team_spans.h). */
#define USW_S_BYTES(T, n, extent, ...) +USW_BLOCK_ROUND((USW_EXTENT(extent)) * sizeof(USW_OF(_cell_, n)))
#define USW_S_FIXED_BYTES(T, n, extent, ...)                                                                           \
  +(USW_OF(_inline_, n) > 0 ? 0 : USW_BLOCK_ROUND((USW_EXTENT(extent)) * sizeof(USW_OF(_cell_, n))))
enum { USW_POOL_BYTES = USW_TEAM_CELLS_BYTES }; /* 6 teams of 256 threads fit on an H200's multiprocessor */
#define USW_S_DYNAMIC(T, n, extent, ...) +USW_IS_DYNAMIC(extent)

/* What can be done with a cell. */
#define USW_S_CELLS(T, n, extent, ...)                                                                                 \
  USW_INLINE void USW_OF(_clear_, n)(USW_OF(_cell_, n) * cell) { USW_BY_FORM(USW_CLEAR_, __VA_ARGS__)(n); }            \
  USW_INLINE void USW_OF(_put_, n)(USW_OF(_cell_, n) * cell, T value) { USW_BY_FORM(USW_PUT_, __VA_ARGS__)(n); }       \
  USW_INLINE void USW_OF(_set_, n)(USW_OF(_cell_, n) * cell, T value) { USW_BY_FORM(USW_SET_, __VA_ARGS__); }          \
  USW_INLINE void USW_OF(_join_, n)(USW_OF(_cell_, n) * cell, const USW_OF(_cell_, n) * later) {                       \
    USW_BY_FORM(USW_JOIN_, __VA_ARGS__)(n);                                                                            \
  }                                                                                                                    \
  USW_INLINE int USW_OF(_holds_, n)(const USW_OF(_cell_, n) * cell) {                                                  \
    (void)cell;                                                                                                        \
    return USW_BY_FORM(USW_HOLDS_, __VA_ARGS__);                                                                       \
  }                                                                                                                    \
  static inline USW_UNUSED T USW_OF(_value_, n)(const USW_OF(_cell_, n) * cell) {                                      \
    return USW_BY_FORM(USW_VALUE_, __VA_ARGS__);                                                                       \
  }

/* Whose cells a body combines into. */
enum {
  USW_CELLS_OWN,       /* the worker's or the chunk's: nobody else does; those of short spans are in its accumulator */
  USW_CELLS_REGISTERS, /* the same for a thread of a GPU: short spans only, by comparison */
  USW_CELLS_TEAM       /* the team's: team_spans.h */
};

/* A span while items are visited: its extent, its cells in the block; and what its team needs. */
#define USW_S_PLACE(T, n, extent, ...)                                                                                 \
  uint64_t usw_extent_##n;                                                                                             \
  USW_OF(_cell_, n) * usw_cells_##n;                                                                                   \
  USW_S_TEAM_PLACE(T, n)
#define USW_S_OPEN(T, n, extent, ...)                                                                                  \
  s->usw_extent_##n = USW_IS_DYNAMIC(extent) ? arguments->usw_extent_##n : (uint64_t)(USW_EXTENT(extent));             \
  s->usw_cells_##n = (USW_OF(_cell_, n) *)(void *)(block + offset);                                                    \
  offset += USW_OF(_inline_, n) > 0 ? 0 : USW_BLOCK_ROUND(s->usw_extent_##n * sizeof(USW_OF(_cell_, n)));
#define USW_S_BLOCK_BYTES(T, n, extent, ...)                                                                           \
  +(USW_OF(_inline_, n) > 0                                                                                            \
        ? 0                                                                                                            \
        : USW_BLOCK_ROUND((USW_IS_DYNAMIC(extent) ? arguments->usw_extent_##n : (uint64_t)(USW_EXTENT(extent))) *      \
                          sizeof(USW_OF(_cell_, n))))
/* Cells in a block: k counts them. */
#define USW_S_CLEAR_BLOCK(T, n, extent, ...)                                                                           \
  for (uint64_t k = first; USW_OF(_inline_, n) == 0 && k < s->usw_extent_##n; k += step)                               \
    USW_OF(_clear_, n)(&s->usw_cells_##n[k]);
#define USW_S_MERGE_BLOCK(T, n, extent, ...)                                                                           \
  for (uint64_t k = first; USW_OF(_inline_, n) == 0 && k < s->usw_extent_##n; k += step)                               \
    USW_OF(_join_, n)(&s->usw_cells_##n[k], &later->usw_cells_##n[k]);

/* Combine into one cell. The extent is asked for by its constant where it has one. */
#define USW_S_COMBINE(T, n, extent, ...)                                                                               \
  USW_INLINE uint64_t USW_OF(_extent_in_, n)(const USW_F(_spans) * s) {                                                \
    return USW_IS_DYNAMIC(extent) ? s->usw_extent_##n : (uint64_t)(USW_EXTENT(extent));                                \
  }                                                                                                                    \
  USW_INLINE void USW_OF(_compare_, n)(USW_F(_acc) * a, size_t index, T value) {                                       \
    USW_UNROLL for (size_t k = 0; k != USW_OF(_inline_, n); k++) if (k == index) USW_OF(_put_, n)(&a->n[k], value);    \
  }                                                                                                                    \
  USW_S_TEAM_COMBINE(T, n, extent, __VA_ARGS__)                                                                        \
  USW_INLINE void USW_OF(_combine_, n)(USW_F(_acc) * a, USW_F(_spans) * s, size_t index, T value) {                    \
    USW_CHECK_INDEX(n)                                                                                                 \
    if (USW_SUB_GROUP > 1 && s->usw_home == USW_CELLS_TEAM && USW_IS_POOLED(n) &&                                      \
        !(USW_OF(_inline_, n) > 0 && __builtin_constant_p(index))) {                                                   \
      USW_OF(_team_combine_, n)(s, (uint32_t)index, value);                                                            \
    } else if (USW_SUB_GROUP > 1 && s->usw_home != USW_CELLS_OWN) {                                                    \
      USW_OF(_compare_, n)(a, index, value);                                                                           \
      s->usw_compared = 1;                                                                                             \
    } else {                                                                                                           \
      USW_OF(_put_, n)(USW_OF(_inline_, n) > 0 ? &a->n[index] : &s->usw_cells_##n[index], value);                      \
    }                                                                                                                  \
  }

#if USW_SUB_GROUP == 1
#define USW_IS_POOLED(n) 0
#define USW_S_TEAM_PLACE(T, n)
#define USW_S_TEAM_COMBINE(T, n, extent, ...)                                                                          \
  USW_INLINE void USW_OF(_team_combine_, n)(USW_F(_spans) * s, uint32_t index, T value) {                              \
    (void)s, (void)index, (void)value;                                                                                 \
  }
#endif

#endif
