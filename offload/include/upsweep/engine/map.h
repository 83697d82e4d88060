/* The map of a kernel with many results: which items a result is of, and where their elements are.
 *
 * Items of a result are taken in runs, within which each stream has its stride. A map of the kernel's file (USW_OWN_MAP; tests/api/tile_map.h
 * is one) gives each result one run of the kernel's items: USW_INLINE usw_range_t USW_F(_own_map)(size_t result, size_t n,
 * const USW_F(_arguments) * arguments). Ranges end at n at most, and may be empty and overlap; without items it is not called. Kernels of
 * axes (USW_AXES) have the library's: the words of <upsweep/axes.h> describe the axes, and items count from 0 in each result. Those of users
 * (USW_AXES_OF_SPACE) have the axes of a space: of[0] counts its elements, for all streams, and of[1] its positions, row-major, from which
 * indices come, once for each run. So do kernels
 * of segments (USW_SEGMENTS), where each has a beginning and an end of its own; segments.h has those that follow each other. */

#ifndef UPSWEEP_ENGINE_MAP_ONCE
#define UPSWEEP_ENGINE_MAP_ONCE
/* Items first, ..., end - 1 of a result. */
typedef struct {
  size_t first, end;
} usw_range_t;

/* Elements from where each of the streams begins, of at most two, and results from the first. */
typedef struct {
  ptrdiff_t of[2];
  size_t result;
} usw_offset_t;

/* Tell the body which segment it is in. */
#define USW_ENTER_SEGMENT(s, k) USW_WHERE_SEGMENTS((s)->usw_segment = (k))
#define USW_STREAM_NUMBER(T, n) USW_OF(_stream_, n),
#define USW_ADVANCE_BY_ITEMS(T, n) part.n += (ptrdiff_t)first * part.usw_stride_##n;
#define USW_OFFSET_BY_ITEMS(T, n) offset.of[USW_OF(_stream_, n)] = begin * arguments->usw_stride_##n;
#define USW_ADVANCE_BY_OFFSET(T, n) part.n += offset.of[USW_OF(_stream_, n)] + (ptrdiff_t)within * part.usw_stride_##n;
/* With axes of a space a stream's stride is its caller's, until a run is entered. */
#define USW_ENTER_SPACE(T, n)                                                                                          \
  part->n += elements * part->usw_stride_##n;                                                                          \
  part->usw_stride_##n *= (ptrdiff_t)part->usw_run_step;
/* By a function, because compilers take an index behind a member for that member alone. */
USW_INLINE uint64_t usw_word_at(const uint64_t *words, uint64_t k) { return words[k]; }

/* The levels that a kernel has words of: a space has two beside the run and the line. */
#define USW_LEVELS_OF_KERNEL(LEVEL) USW_FEW_LEVELS(LEVEL) USW_WHERE_NO_SPACE(USW_MORE_LEVELS(LEVEL))
/* Put the words of a level (<upsweep/axes.h>) into team memory. */
#define USW_PUT_LEVEL(k)                                                                                               \
  USW_F(_team_levels)[(k) * USW_WORDS_OF_LEVEL] = arguments->usw_extent_of_level_##k;                                  \
  USW_F(_team_levels)[(k) * USW_WORDS_OF_LEVEL + 1] = arguments->usw_magic_of_level_##k;                               \
  USW_F(_team_levels)[(k) * USW_WORDS_OF_LEVEL + 2] = arguments->usw_step_of_level_##k;                                \
  USW_F(_team_levels)[(k) * USW_WORDS_OF_LEVEL + 3] = arguments->usw_second_step_of_level_##k;                         \
  USW_F(_team_levels)[(k) * USW_WORDS_OF_LEVEL + 4] = arguments->usw_result_step_of_level_##k;
#endif

#if USW_MANY_RESULTS
/* The arguments of the items from number `first` on, as if they were the only ones. */
USW_INLINE USW_F(_arguments) USW_F(_from_item)(const USW_F(_arguments) * arguments, size_t first) {
  USW_F(_arguments) part = *arguments;
  part.usw_first += first;
#if USW_AXES_OF_SPACE
  part.usw_index_0 += first * part.usw_run_step_0;
  part.usw_index_1 += first * part.usw_run_step_1;
  part.usw_index_2 += first * part.usw_run_step_2;
#endif
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_ITEMS, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_ITEMS)
  return part;
}

#if USW_SEGMENTS
#include <upsweep/engine/segment_ends.h>
#endif

#if USW_AXES
#if USW_AXES_OF_SPACE
USW_ASSERT(USW_F(_outputs) == 0, "USW_AXES is for kernels without USW_OUTPUTS");
#else
enum { USW_OWN_ARGUMENTS(USW_STREAM_NUMBER, USW_NOTHING, USW_NOTHING, USW_STREAM_NUMBER) USW_F(_numbered_streams) };
USW_ASSERT((int)USW_F(_numbered_streams) <= 2, "kernels of axes have one stream or two");
#endif

/* Where the levels' words are: on a GPU, whose arguments no loop can index, team memory has them. */
#if USW_SUB_GROUP > 1
USW_TEAM_MEMORY uint64_t USW_F(_team_levels)[USW_MOST_LEVELS * USW_WORDS_OF_LEVEL];
#define USW_LEVEL_WORD(k) USW_F(_team_levels)[k]
#else
#define USW_LEVEL_WORD(k) usw_word_at(&arguments->usw_extent_of_level_0, k)
#endif
USW_INLINE usw_offset_t USW_F(_add_levels)(usw_offset_t offset, size_t x, uint64_t from, uint64_t levels,
                                           const USW_F(_arguments) * arguments) {
  (void)arguments;
#ifdef __clang__
#pragma nounroll
#endif
  for (uint64_t k = from * USW_WORDS_OF_LEVEL; levels > 0; levels--, k += USW_WORDS_OF_LEVEL) {
    const size_t extent = USW_LEVEL_WORD(k), rest = usw_quotient(x, extent, USW_LEVEL_WORD(k + 1), 0);
    const ptrdiff_t digit = (ptrdiff_t)(x - rest * extent);
    offset.of[0] += digit * (ptrdiff_t)USW_LEVEL_WORD(k + 2);
    offset.of[1] += digit * (ptrdiff_t)USW_LEVEL_WORD(k + 3);
    offset.result += (size_t)digit * USW_LEVEL_WORD(k + 4);
    x = rest;
  }
  return offset;
}
#undef USW_LEVEL_WORD

/* The items of a result. */
USW_INLINE usw_range_t USW_F(_items_of)(size_t r, const USW_F(_arguments) * arguments) {
  usw_range_t range = {0, arguments->usw_items};
#if USW_SEGMENTS
  if (arguments->usw_ends != 0) {
    const usw_range_t segment = USW_F(_range_of_segment)(r, arguments);
    range.end = segment.end - segment.first;
  }
#endif
  (void)r;
  return range;
}

/* Where the items of a result begin, and which of the results it is. */
USW_INLINE usw_offset_t USW_F(_start_in_line)(size_t line, size_t column_of_line, const USW_F(_arguments) * arguments) {
  const ptrdiff_t column = (ptrdiff_t)column_of_line;
  const usw_offset_t offset = {
      {column * (ptrdiff_t)arguments->usw_column_step, column * (ptrdiff_t)arguments->usw_second_column_step},
      (size_t)column * arguments->usw_result_step};
  return USW_F(_add_levels)(offset, line, 0, arguments->usw_kept_levels, arguments);
}
USW_INLINE usw_offset_t USW_F(_start_of_result)(size_t r, const USW_F(_arguments) * arguments) {
#if USW_SEGMENTS
  if (arguments->usw_ends != 0) {
    const ptrdiff_t begin = (ptrdiff_t)USW_F(_range_of_segment)(r, arguments).first;
    usw_offset_t offset = {{0, 0}, r};
    USW_OWN_ARGUMENTS(USW_OFFSET_BY_ITEMS, USW_NOTHING, USW_NOTHING, USW_OFFSET_BY_ITEMS)
    return offset;
  }
#endif
  const size_t line =
      arguments->usw_kept_levels == 0 ? 0 : usw_quotient(r, arguments->usw_width, arguments->usw_width_magic, 0);
  return USW_F(_start_in_line)(line, r - line * arguments->usw_width, arguments);
}

/* Which of its result's runs an item is in. */
USW_INLINE size_t USW_F(_run_of_item)(size_t i, const USW_F(_arguments) * arguments) {
  return arguments->usw_reduced_levels == 0 ? 0
                                            : usw_quotient(i, arguments->usw_length, arguments->usw_length_magic, 0);
}

#if USW_AXES_OF_SPACE
/* A run's first item: its indices, from its position in the space, and the steps of the streams. */
USW_INLINE void USW_F(_enter_space)(USW_F(_arguments) * part, usw_offset_t offset, size_t within) {
  const ptrdiff_t elements = offset.of[0] + (ptrdiff_t)(within * part->usw_run_step);
  const size_t position = (size_t)offset.of[1] + within * part->usw_positions_of_item;
  const size_t row = usw_quotient(position, part->usw_columns, part->usw_columns_magic, 0);
  const size_t plane = USW_DIMENSIONS == 3 ? usw_quotient(row, part->usw_rows, part->usw_rows_magic, 0) : 0;
  part->usw_index_0 = part->usw_start_0 + plane * part->usw_step_0;
  part->usw_index_1 = part->usw_start_1 + (row - plane * part->usw_rows) * part->usw_step_1;
  part->usw_index_2 = part->usw_start_2 + (position - row * part->usw_columns) * part->usw_step_2;
  (void)elements;
  USW_ARGS(USW_ENTER_SPACE, USW_NOTHING, USW_NOTHING)
}
#endif

/* The arguments of a result's items from number i on, up to `end` or to where their run ends: *count_out of them. */
USW_INLINE USW_F(_arguments)
    USW_F(_run_from)(const USW_F(_arguments) * arguments, usw_offset_t start, size_t i, size_t end, size_t *count_out) {
  USW_F(_arguments) part = *arguments;
  const size_t run = USW_F(_run_of_item)(i, arguments);
  const size_t within = i - run * arguments->usw_length, left = arguments->usw_length - within;
  const usw_offset_t offset =
      USW_F(_add_levels)(start, run, arguments->usw_kept_levels, arguments->usw_reduced_levels, arguments);
#if USW_AXES_OF_SPACE
  USW_F(_enter_space)(&part, offset, within);
#else
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_OFFSET, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_OFFSET)
#endif
  part.usw_first = i;
  *count_out = end - i < left ? end - i : left;
  return part;
}
#else
#if USW_SEGMENTS
USW_INLINE usw_range_t USW_F(_own_map)(size_t r, size_t n, const USW_F(_arguments) * arguments) {
  (void)n;
  return USW_F(_range_of_segment)(r, arguments);
}
#else
#include USW_OWN_MAP
#endif

USW_INLINE usw_range_t USW_F(_items_of)(size_t r, const USW_F(_arguments) * arguments) {
  const usw_range_t none = {0, 0};
  return arguments->usw_items == 0 ? none : USW_F(_own_map)(r, arguments->usw_items, arguments);
}
USW_INLINE usw_offset_t USW_F(_start_of_result)(size_t r, const USW_F(_arguments) * arguments) {
  const usw_offset_t offset = {{0, 0}, r};
  (void)arguments;
  return offset;
}
USW_INLINE USW_F(_arguments)
    USW_F(_run_from)(const USW_F(_arguments) * arguments, usw_offset_t start, size_t i, size_t end, size_t *count_out) {
  (void)start;
  *count_out = end - i;
  return USW_F(_from_item)(arguments, i);
}
#endif

/* How many pieces a result has, and the items of one. */
USW_INLINE size_t USW_F(_pieces)(const USW_F(_arguments) * arguments) {
#if USW_AXES
  return arguments->usw_pieces;
#else
  (void)arguments;
  return 1;
#endif
}
USW_INLINE usw_range_t USW_F(_items_of_piece)(size_t r, size_t piece, const USW_F(_arguments) * arguments) {
  usw_range_t range = USW_F(_items_of)(r, arguments);
#if USW_AXES
  range.first = piece * arguments->usw_items_of_piece;
  range.end = usw_least(range.end, range.first + arguments->usw_items_of_piece);
#endif
  (void)piece;
  return range;
}
#endif
