/* Results side by side on processors: those of the innermost axis that stays, whose elements follow each other in memory, or are put so
 * (side_by_side.h). An accumulator each, and the items one after the other, so that compilers find vectors across the results. Every
 * USW_COLUMN_ITEMS items the accumulators are folded into the totals, as which they begin, so that no sum gets long. How many items' lines are
 * taken at once changes no bits: each result has its items in order. */

#ifndef UPSWEEP_ENGINE_COLUMNS_ONCE
#define UPSWEEP_ENGINE_COLUMNS_ONCE
enum {
  USW_COLUMN_BYTES = 8192,        /* of accumulators: a quarter of what the nearest cache holds, beside their totals */
  USW_FAR_LINE_BYTES = 4096,      /* from which on the lines of a strip lie on pages of their own */
  USW_LONG_LINE_BYTES = 512,      /* that processors read ahead in */
  USW_AHEAD_BYTES = 2048,         /* of near lines, which follow each other */
  USW_CACHED_BYTES = 1024 * 1024, /* of all elements: what a core's own cache holds */
  USW_COLUMN_BLOCK_BYTES = 128    /* of accumulators in registers */
};
#ifndef USW_COLUMN_ITEMS
#define USW_COLUMN_ITEMS 256
#endif
#define USW_MOST_LINES 8
#define USW_NEAR_LINES 4
#define USW_FEW_COLUMNS 4
#define USW_VISIT_COLUMN_IN(T, n) , arguments->n[c]
#define USW_FETCH_COLUMN_IN(T, n) __builtin_prefetch(arguments->n + c + ahead * arguments->usw_stride_##n, 0, 2);
#define USW_FETCH_BEHIND_IN(T, n) __builtin_prefetch(arguments->n + c + (ptrdiff_t)(USW_AHEAD_BYTES / sizeof(T)), 0, 2);
#endif

enum {
  USW_F(_columns_at_once) = USW_COLUMN_BYTES / sizeof(USW_F(_acc)) > 1 ? USW_COLUMN_BYTES / sizeof(USW_F(_acc)) : 1,
  /* Compilers find vectors in one line of doubles with their indices, not in several (argmax of f64, 2^19 columns: 36 ms instead of 64);
   * of floats in several (512 columns: 21 ms instead of 39). */
  USW_F(_takes_lines_alone) = sizeof(USW_F(_acc)) > 8 && USW_F(_item_bytes) >= 8,
  /* In one line of small elements that are compared they find none. */
  USW_F(_takes_some_lines) = USW_F(_integers) && sizeof(USW_F(_acc)) <= 4 && USW_F(_item_bytes) < 4,
  USW_F(_columns_of_block) =
      sizeof(USW_F(_acc)) <= 8 && USW_F(_item_bytes) >= 4 ? USW_COLUMN_BLOCK_BYTES / sizeof(USW_F(_acc)) : 1,
  USW_F(_columns_of_fetch) = 64 / (USW_F(_item_bytes) > 0 && USW_F(_item_bytes) <= 64 ? USW_F(_item_bytes) : 64)
};

/* Whether a core's own cache holds all elements. */
USW_INLINE int USW_F(_is_cached)(const USW_F(_arguments) * arguments) {
  return arguments->usw_results * arguments->usw_items * USW_F(_item_bytes) <= USW_CACHED_BYTES;
}

/* How many of results r, ..., last - 1 are taken at once, `most` at most: those of one line. */
USW_INLINE size_t USW_F(_results_of_line)(size_t r, size_t last, size_t most, const USW_F(_arguments) * arguments) {
  return usw_least(usw_least(last - r, arguments->usw_width - r % arguments->usw_width), most);
}

/* Ask for column c of the item `ahead` lines behind the first one. */
USW_INLINE void USW_F(_fetch_column)(const USW_F(_arguments) * arguments USW_UNUSED, ptrdiff_t ahead, size_t c) {
  (void)ahead, (void)c;
  USW_OWN_ARGUMENTS(USW_FETCH_COLUMN_IN, USW_NOTHING, USW_NOTHING, USW_NOTHING)
}

/* Ask for what lies behind column c of the first item. */
USW_INLINE void USW_F(_fetch_behind_column)(const USW_F(_arguments) * arguments USW_UNUSED, size_t c) {
  (void)c;
  USW_OWN_ARGUMENTS(USW_FETCH_BEHIND_IN, USW_NOTHING, USW_NOTHING, USW_NOTHING)
}

/* The first of `line`'s items in column c. */
USW_INLINE void USW_F(_visit_column)(USW_F(_acc) * a, USW_F(_spans) * s, size_t c,
                                     const USW_F(_arguments) * arguments) {
  USW_F(_visit)(a, s,
                USW_INDICES_IN_LINE(0, c) USW_OWN_ARGUMENTS(USW_VISIT_COLUMN_IN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                            USW_VISIT_OTHER) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* `lines` items of the `some` columns from c on, a constant, whose accumulators stay in registers. */
USW_INLINE void USW_F(_visit_lines_of_some)(USW_F(_acc) * a, USW_F(_spans) * s, size_t lines, size_t c,
                                            const size_t some, const USW_F(_arguments) * line) {
  USW_F(_acc) own[USW_F(_columns_of_block)];
  for (size_t j = 0; j < some; j++)
    own[j] = a[c + j];
  USW_UNROLL for (size_t k = 0; k < lines; k++) for (size_t j = 0; j < some; j++)
      USW_F(_visit_column)(&own[j], s, c + j, &line[k]);
  for (size_t j = 0; j < some; j++)
    a[c + j] = own[j];
}

/* Items i, ..., i + lines - 1 of the columns from c on, so that an accumulator is loaded and stored once for all. What fills no block goes by
 * few columns: arrays are often that narrow. */
USW_INLINE void USW_F(_visit_lines_at_once)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, size_t lines, size_t c,
                                            size_t count, const USW_F(_arguments) * arguments) {
  const size_t block = USW_F(_columns_of_block);
  USW_F(_arguments) line[USW_MOST_LINES];
  for (size_t k = 0; k < lines; k++)
    line[k] = USW_F(_from_item)(arguments, i + k);
  if (block == 1) {
    for (; c < count; c++)
      for (size_t k = 0; k < lines; k++)
        USW_F(_visit_column)(&a[c], s, c, &line[k]);
    return;
  }
  USW_ONE_BY_ONE for (; c + block <= count; c += block) USW_F(_visit_lines_of_some)(a, s, lines, c, block, line);
  USW_ONE_BY_ONE for (; c + USW_FEW_COLUMNS <= count; c += USW_FEW_COLUMNS)
      USW_F(_visit_lines_of_some)(a, s, lines, c, USW_FEW_COLUMNS, line);
  USW_ONE_BY_ONE for (; c < count; c++) USW_F(_visit_lines_of_some)(a, s, lines, c, 1, line);
}

/* Whole groups of lines from item i on; returns the item behind them. */
USW_INLINE size_t USW_F(_visit_line_groups)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, size_t last, size_t lines,
                                            size_t c, size_t count, const USW_F(_arguments) * arguments) {
  for (; i + lines <= last; i += lines)
    USW_F(_visit_lines_at_once)(a, s, i, lines, c, count, arguments);
  return i;
}

/* `lines` items from *first on, a block of columns after the other: a block's accumulators stay in registers from line to line, where compilers
 * find vectors. Returns the column behind the blocks. */
USW_INLINE size_t USW_F(_visit_lines_of_blocks)(USW_F(_acc) * a, USW_F(_spans) * s, size_t lines, size_t count,
                                                const USW_F(_arguments) * first, int are_far) {
  USW_F(_acc) block[USW_F(_columns_of_block)];
  size_t c = 0;
  for (; c + USW_F(_columns_of_block) <= count; c += USW_F(_columns_of_block)) {
    USW_F(_arguments) line = *first;
    for (size_t j = 0; j < USW_F(_columns_of_block); j++)
      block[j] = a[c + j];
    USW_ONE_BY_ONE for (size_t k = 0; k < lines; k++) {
      USW_UNROLL for (size_t j = 0; !are_far && j < USW_F(_columns_of_block); j += USW_F(_columns_of_fetch))
          USW_F(_fetch_behind_column)(&line, c + j);
      for (size_t j = 0; j < USW_F(_columns_of_block); j++)
        USW_F(_visit_column)(&block[j], s, c + j, &line);
      line = USW_F(_from_item)(&line, 1);
    }
    for (size_t j = 0; j < USW_F(_columns_of_block); j++)
      a[c + j] = block[j];
  }
  return c;
}

/* Items first, ..., last - 1 of a run, by blocks: of far lines some at once, of which processors see what comes next; near ones one after the
 * other, as they lie in memory. The columns behind the blocks by few lines at once. */
USW_INLINE void USW_F(_visit_blocks_of_columns)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last,
                                                size_t count, const USW_F(_arguments) * arguments, int are_far) {
  size_t lines, c = 0;
  for (size_t i = first; i < last; i += lines) {
    const USW_F(_arguments) line = USW_F(_from_item)(arguments, i);
    lines = are_far ? usw_least(last - i, USW_MOST_LINES) : 1;
    c = USW_F(_visit_lines_of_blocks)(a, s, lines, count, &line, are_far);
  }
  if (c == count)
    return;
  const size_t i = USW_F(_visit_line_groups)(a, s, first, last, USW_NEAR_LINES, c, count, arguments);
  USW_F(_visit_line_groups)(a, s, i, last, 1, c, count, arguments);
}

/* Items first, ..., last - 1 of a run. (One thread, ms, by blocks of 8 lines that fetch the next 8 ones, and as here. EPYC: sums of 8192 x 8192
 * f64 58, 42; 2^20 x 64 f64 82, 58; planes of 512 x 512 f32 37, 28; the largest of 2^20 x 64 f64 75, 48; of 8192 x 8192 f16 20, 13. Xeon: 57, 52;
 * 49, 46; 20, 18; 55, 51. In a cache, of 1000 x 100 f64 on a Xeon, by blocks 0.77 of a read, few lines at once 0.95; of 512 columns of 2000 halves
 * 236 us, 172. Lines of 1 KiB of 2^24 doubles on an EPYC, one after the other 0.87 of a read, 4 at once 0.35.) */
USW_INLINE void USW_F(_visit_lines)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last, size_t count,
                                    const USW_F(_arguments) * arguments) {
  const size_t line_bytes = arguments->usw_width * USW_F(_item_bytes);
  const int is_cached = USW_F(_is_cached)(arguments);
  const size_t far_bytes = USW_F(_takes_some_lines) ? USW_LONG_LINE_BYTES : USW_FAR_LINE_BYTES;
  const int are_far = !is_cached && line_bytes >= far_bytes;
  size_t i = first;
  if (USW_F(_columns_of_block) > 1 && !is_cached && count >= USW_F(_columns_of_block)) {
    USW_F(_visit_blocks_of_columns)(a, s, first, last, count, arguments, are_far);
    return;
  }
  if (USW_F(_columns_of_block) == 1 && !USW_F(_takes_lines_alone) && are_far)
    i = USW_F(_visit_line_groups)(a, s, i, last, USW_MOST_LINES, 0, count, arguments);
  else if (!USW_F(_takes_lines_alone) && (sizeof(USW_F(_acc)) > 8 || line_bytes < USW_LONG_LINE_BYTES || is_cached))
    i = USW_F(_visit_line_groups)(a, s, i, last, USW_NEAR_LINES, 0, count, arguments);
  USW_F(_visit_line_groups)(a, s, i, last, 1, 0, count, arguments);
}

#if USW_BY_STRIPS
#include <upsweep/engine/strips.h>
#else
#define USW_VISIT_CHUNK_OF_LINES USW_F(_visit_lines)
#endif

#include <upsweep/engine/side_by_side.h>

/* A range of the items of `count` results of one line. */
USW_INLINE void USW_F(_visit_columns)(USW_F(_acc) * total, USW_F(_spans) * s, usw_range_t range, usw_offset_t start,
                                      size_t count, const USW_F(_arguments) * arguments) {
  USW_F(_acc) a[USW_F(_columns_at_once)];
  USW_F(_side) side;
  size_t of_run;
  USW_F(_clear_chains)(total, count);
  for (size_t i = range.first; i < range.end; i += of_run) {
    USW_F(_arguments) part = USW_F(_run_from)(arguments, start, i, range.end, &of_run);
    USW_F(_put_side_by_side)(&side, &part, of_run, count);
    for (size_t first = 0; first < of_run; first += USW_COLUMN_ITEMS) {
      USW_F(_acc) *const to = i + first == range.first ? total : a;
      if (to == a)
        USW_F(_clear_chains)(a, count);
      USW_VISIT_CHUNK_OF_LINES(to, s, first, of_run - first < USW_COLUMN_ITEMS ? of_run : first + USW_COLUMN_ITEMS,
                               count, &part);
      for (size_t c = 0; to == a && c < count; c++)
        USW_F(_merge)(&total[c], &a[c]);
    }
  }
}

/* End a piece of `count` results from number r on. Whole ones that lie one behind the other are stored by vectors. (Instructions of the kernel for
 * 10 x 100 f64 along axis 0, one by one and so: 2420, 1330.) */
USW_INLINE void USW_F(_end_pieces)(USW_F(_acc) * total, size_t piece, size_t r, size_t count, size_t there,
                                   int is_empty, const USW_F(_arguments) * arguments) {
  const USW_F(_arguments) own = *arguments; /* so that what they say stays in registers */
  if (own.usw_result_step == 1 && own.usw_pieces <= 1)
    for (size_t c = 0; c < count; c++)
      USW_F(_write_results)(&total[c], there + c, &own, is_empty);
  else
    for (size_t c = 0; c < count; c++)
      USW_F(_end_piece)(&total[c], piece, r + c, there + c * own.usw_result_step, is_empty, &own);
}

/* Results first, ..., last - 1, of each the piece. */
USW_INLINE void USW_F(_visit_columns_of_results)(USW_F(_spans) * s, size_t piece, size_t first, size_t last,
                                                 const USW_F(_arguments) * arguments) {
  USW_F(_acc) total[USW_F(_columns_at_once)];
  size_t count;
  for (size_t r = first; r < last; r += count) {
    const usw_range_t range = USW_F(_items_of_piece)(r, piece, arguments);
    const usw_offset_t start = USW_F(_start_of_result)(r, arguments);
    count = USW_F(_results_of_line)(r, last, USW_F(_columns_together)(arguments), arguments);
    USW_F(_visit_columns)(total, s, range, start, count, arguments);
    USW_F(_end_pieces)(total, piece, r, count, start.result, range.first >= range.end, arguments);
  }
}
#undef USW_VISIT_CHUNK_OF_LINES
