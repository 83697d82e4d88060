/* Short rows on processors: their items are copied side by side, so that they are columns (columns.h), where vectors go across the rows. By
 * itself a short row takes longer to begin and to fold than to visit. Which rows are short, policy/result_shares.c says. */

#ifndef UPSWEEP_ENGINE_SIDE_BY_SIDE_ONCE
#define UPSWEEP_ENGINE_SIDE_BY_SIDE_ONCE
enum {
  USW_SIDE_BYTES = 16384, /* of a stream's elements, side by side: half of what the nearest cache holds */
  USW_SIDE_PAD = 8,       /* elements between lines, which else would meet in few sets of the cache */
  USW_SIDE_LINE = 16,     /* rows, of which at once there are a multiple: vectors of floats */
  USW_SQUARE = 4          /* rows and items that are turned at once */
};

/* Turn a square of words: its rows begin `row` words apart, its columns are written `line` words apart. Elements are words of their size, of
 * any alignment. */
#define USW_TURN_SQUARE(W)                                                                                             \
  USW_INLINE void usw_turn_square_##W(char *there, size_t line, const char *x, ptrdiff_t row) {                        \
    typedef W four_t __attribute__((vector_size(USW_SQUARE * sizeof(W))));                                             \
    four_t of[USW_SQUARE];                                                                                             \
    USW_UNROLL for (ptrdiff_t k = 0; k < USW_SQUARE; k++)                                                              \
        __builtin_memcpy(&of[k], x + k * row * (ptrdiff_t)sizeof(W), sizeof of[k]);                                    \
    const four_t low[] = {__builtin_shufflevector(of[0], of[1], 0, 4, 1, 5),                                           \
                          __builtin_shufflevector(of[2], of[3], 0, 4, 1, 5)},                                          \
                 high[] = {__builtin_shufflevector(of[0], of[1], 2, 6, 3, 7),                                          \
                           __builtin_shufflevector(of[2], of[3], 2, 6, 3, 7)};                                         \
    of[0] = __builtin_shufflevector(low[0], low[1], 0, 1, 4, 5);                                                       \
    of[1] = __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7);                                                       \
    of[2] = __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5);                                                     \
    of[3] = __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7);                                                     \
    USW_UNROLL for (size_t k = 0; k < USW_SQUARE; k++)                                                                 \
        __builtin_memcpy(there + k * line * sizeof(W), &of[k], sizeof of[k]);                                          \
  }
USW_TURN_SQUARE(uint8_t)
USW_TURN_SQUARE(uint16_t)
USW_TURN_SQUARE(uint32_t)
USW_TURN_SQUARE(uint64_t)
#undef USW_TURN_SQUARE

/* The squares of four rows: the last one begins earlier where it would end behind the rows. */
#define USW_TURN_ROWS(W)                                                                                               \
  for (size_t i = 0; i < items; i += USW_SQUARE) {                                                                     \
    const size_t first = i + USW_SQUARE <= items ? i : items - USW_SQUARE;                                             \
    usw_turn_square_##W((char *)there + first * line * sizeof(W), line, (const char *)x + first * sizeof(W), row);     \
  }
USW_INLINE void usw_turn_four_rows(void *there, size_t line, const void *x, ptrdiff_t row, size_t items, size_t bytes) {
  if (bytes == 1)
    USW_TURN_ROWS(uint8_t)
  else if (bytes == 2)
    USW_TURN_ROWS(uint16_t)
  else if (bytes == 4)
    USW_TURN_ROWS(uint32_t)
  else
    USW_TURN_ROWS(uint64_t)
}
#undef USW_TURN_ROWS

USW_INLINE int usw_is_word(size_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

#define USW_SIDE_ELEMENTS(T, n) T n[USW_SIDE_BYTES / sizeof(T)];
#define USW_LEAST_ROOM(T, n) room = usw_least(room, USW_SIDE_BYTES / sizeof(T) / length);
#define USW_PUT_STREAM(T, n)                                                                                           \
  {                                                                                                                    \
    const ptrdiff_t row =                                                                                              \
        (ptrdiff_t)(USW_OF(_stream_, n) == 0 ? part->usw_column_step : part->usw_second_column_step);                  \
    size_t c = 0;                                                                                                      \
    if (part->usw_stride_##n == 1 && usw_is_word(sizeof(T)) && items >= USW_SQUARE)                                    \
      for (; c + USW_SQUARE <= count; c += USW_SQUARE)                                                                 \
        usw_turn_four_rows(side->n + c, line, part->n + (ptrdiff_t)c * row, row, items, sizeof(T));                    \
    for (; c < count; c++)                                                                                             \
      for (size_t i = 0; i < items; i++)                                                                               \
        side->n[i * line + c] = part->n[(ptrdiff_t)c * row + (ptrdiff_t)i * part->usw_stride_##n];                     \
    part->n = side->n;                                                                                                 \
    part->usw_stride_##n = (ptrdiff_t)line;                                                                            \
  }
#endif

#if USW_AXES_OF_SPACE /* rows of users' kernels are taken by themselves: their bodies see indices */
typedef struct {
  char none;
} USW_F(_side);
USW_INLINE size_t USW_F(_columns_together)(const USW_F(_arguments) * arguments USW_UNUSED) {
  return USW_F(_columns_at_once);
}
USW_INLINE void USW_F(_put_side_by_side)(USW_F(_side) * side, USW_F(_arguments) * part, size_t items, size_t count) {
  (void)side, (void)part, (void)items, (void)count;
}
#else
typedef struct {
  USW_OWN_ARGUMENTS(USW_SIDE_ELEMENTS, USW_NOTHING, USW_NOTHING, USW_SIDE_ELEMENTS)
} USW_F(_side);

/* How many columns are taken together, or, of short rows, whole vectors that there is room for. */
USW_INLINE size_t USW_F(_columns_together)(const USW_F(_arguments) * arguments) {
  const size_t length = arguments->usw_length;
  size_t room = USW_SIDE_BYTES, vector = USW_SIDE_LINE;
  if (arguments->usw_across != USW_ROWS_SIDE_BY_SIDE)
    return USW_F(_columns_at_once);
  USW_OWN_ARGUMENTS(USW_LEAST_ROOM, USW_NOTHING, USW_NOTHING, USW_LEAST_ROOM)
  const size_t rows = usw_least(room > USW_SIDE_PAD ? room - USW_SIDE_PAD : 1, USW_F(_columns_at_once));
  while (vector > rows)
    vector /= 2;
  return rows / vector * vector;
}

/* Put the items of `count` rows, if it is rows, side by side, and let *part name them there. */
USW_INLINE void USW_F(_put_side_by_side)(USW_F(_side) * side, USW_F(_arguments) * part, size_t items, size_t count) {
  const size_t line = count + USW_SIDE_PAD;
  if (part->usw_across != USW_ROWS_SIDE_BY_SIDE)
    return;
  USW_OWN_ARGUMENTS(USW_PUT_STREAM, USW_NOTHING, USW_NOTHING, USW_PUT_STREAM)
  part->usw_width = part->usw_results = count;
}
#endif
