/* Results side by side on processors: those of the innermost axis that stays, whose elements follow each other in memory, or are put so
 * (side_by_side.h). An accumulator each, and the items one after the other, so that compilers find vectors across the results. Every
 * USW_COLUMN_ITEMS items the accumulators are folded into the totals, so that no sum gets long. How many items' lines are taken at once
 * changes no bits: each result has its items in order. */

#ifndef UPSWEEP_ENGINE_COLUMNS_ONCE
#define UPSWEEP_ENGINE_COLUMNS_ONCE
enum {
  USW_COLUMN_BYTES = 8192,       /* of accumulators: a quarter of what the nearest cache holds, beside their totals */
  USW_FAR_LINE_BYTES = 4096,     /* from which on the lines of a strip lie on pages of their own */
  USW_LONG_LINE_BYTES = 512,     /* that processors read ahead in */
  USW_CACHED_BYTES = 1024 * 1024 /* of all elements: what a core's own cache holds */
};
#ifndef USW_COLUMN_ITEMS
#define USW_COLUMN_ITEMS 256
#endif
#define USW_MOST_LINES 8
#define USW_VISIT_COLUMN_IN(T, n) , arguments->n[c]
#define USW_FETCH_COLUMN_IN(T, n)                                                                                      \
  __builtin_prefetch(arguments->n + c + (ptrdiff_t)lines * arguments->usw_stride_##n, 0, 2);
#endif

enum {
  USW_F(_columns_at_once) = USW_COLUMN_BYTES / sizeof(USW_F(_acc)) > 1 ? USW_COLUMN_BYTES / sizeof(USW_F(_acc)) : 1,
  /* Compilers find vectors in one line of doubles with their indices, not in several (argmax of f64, 2^19 columns: 36 ms instead of 64);
   * of floats in several (512 columns: 21 ms instead of 39). */
  USW_F(_takes_lines_alone) = sizeof(USW_F(_acc)) > 8 && USW_F(_item_bytes) >= 8,
  USW_F(_columns_of_fetch) = 64 / (USW_F(_item_bytes) > 0 && USW_F(_item_bytes) <= 64 ? USW_F(_item_bytes) : 64)
};

/* Ask for column c of the item `lines` behind the first one. */
USW_INLINE void USW_F(_fetch_column)(const USW_F(_arguments) * arguments USW_UNUSED, size_t lines, size_t c) {
  (void)lines, (void)c;
  USW_OWN_ARGUMENTS(USW_FETCH_COLUMN_IN, USW_NOTHING, USW_NOTHING, USW_NOTHING)
}

/* The first of `line`'s items in column c. */
USW_INLINE void USW_F(_visit_column)(USW_F(_acc) * a, USW_F(_spans) * s, size_t c,
                                     const USW_F(_arguments) * arguments) {
  USW_F(_visit)(a, s,
                USW_INDICES_IN_LINE(0, c) USW_OWN_ARGUMENTS(USW_VISIT_COLUMN_IN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                            USW_VISIT_OTHER) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* Items i, ..., i + lines - 1, so that an accumulator is loaded and stored once for all. Of far lines processors do not see what comes next:
 * the same columns of the next items are fetched into a core's second cache. */
USW_INLINE void USW_F(_visit_lines_at_once)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, size_t lines, size_t count,
                                            const USW_F(_arguments) * arguments, int are_far) {
  USW_F(_arguments) line[USW_MOST_LINES];
  size_t c = 0;
  for (size_t k = 0; k < lines; k++)
    line[k] = USW_F(_from_item)(arguments, i + k);
  for (; are_far && c + USW_F(_columns_of_fetch) <= count; c += USW_F(_columns_of_fetch)) {
    for (size_t k = 0; k < lines; k++)
      USW_F(_fetch_column)(&line[k], lines, c);
    for (size_t j = 0; j < USW_F(_columns_of_fetch); j++)
      for (size_t k = 0; k < lines; k++)
        USW_F(_visit_column)(&a[c + j], s, c + j, &line[k]);
  }
  for (; c < count; c++)
    for (size_t k = 0; k < lines; k++)
      USW_F(_visit_column)(&a[c], s, c, &line[k]);
}

/* Whole groups of lines from item i on; returns the item behind them. */
USW_INLINE size_t USW_F(_visit_line_groups)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, size_t last, size_t lines,
                                            size_t count, const USW_F(_arguments) * arguments, int are_far) {
  for (; i + lines <= last; i += lines)
    USW_F(_visit_lines_at_once)(a, s, i, lines, count, arguments, are_far);
  return i;
}

/* Items first, ..., last - 1 of a run. (2^24 doubles on an EPYC, share of a read: lines of 64 KiB, 8 at once 0.80, 4 at once 0.50; lines of
 * 1 KiB, one after the other 0.87, 4 at once 0.35; lines of 128 bytes, 4 at once 0.7. In cache 4 at once are twice as fast as one.) */
USW_INLINE void USW_F(_visit_lines)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last, size_t count,
                                    const USW_F(_arguments) * arguments) {
  const size_t line_bytes = arguments->usw_width * USW_F(_item_bytes);
  const int is_cached = arguments->usw_results * arguments->usw_items * USW_F(_item_bytes) <= USW_CACHED_BYTES;
  size_t i = first;
  if (!USW_F(_takes_lines_alone) && line_bytes >= USW_FAR_LINE_BYTES)
    i = USW_F(_visit_line_groups)(a, s, i, last, USW_MOST_LINES, count, arguments, 1);
  else if (!USW_F(_takes_lines_alone) && (sizeof(USW_F(_acc)) > 8 || line_bytes < USW_LONG_LINE_BYTES || is_cached))
    i = USW_F(_visit_line_groups)(a, s, i, last, 4, count, arguments, 0);
  USW_F(_visit_line_groups)(a, s, i, last, 1, count, arguments, 0);
}

#if USW_BY_STRIPS
#include <upsweep/engine/strips.h>
#else
#define USW_VISIT_CHUNK_OF_LINES USW_F(_visit_lines)
#endif

#include <upsweep/engine/side_by_side.h>

/* `count` results from r on, of one line. */
USW_INLINE void USW_F(_visit_columns)(USW_F(_spans) * s, size_t r, size_t count, const USW_F(_arguments) * arguments) {
  const usw_range_t range = USW_F(_items_of)(r, arguments);
  const usw_offset_t start = USW_F(_start_of_result)(r, arguments);
  USW_F(_acc) total[USW_F(_columns_at_once)], a[USW_F(_columns_at_once)];
  USW_F(_side) side;
  size_t of_run;
  USW_F(_clear_chains)(total, count);
  for (size_t i = range.first; i < range.end; i += of_run) {
    USW_F(_arguments) part = USW_F(_run_from)(arguments, start, i, range.end, &of_run);
    USW_F(_put_side_by_side)(&side, &part, of_run, count);
    for (size_t first = 0; first < of_run; first += USW_COLUMN_ITEMS) {
      USW_F(_clear_chains)(a, count);
      USW_VISIT_CHUNK_OF_LINES(a, s, first, of_run - first < USW_COLUMN_ITEMS ? of_run : first + USW_COLUMN_ITEMS,
                               count, &part);
      for (size_t c = 0; c < count; c++)
        USW_F(_merge)(&total[c], &a[c]);
    }
  }
  for (size_t c = 0; c < count; c++)
    USW_F(_write_results)
  (&total[c], start.result + c * arguments->usw_result_step, arguments, range.first >= range.end);
}

/* Results first, ..., last - 1. */
USW_INLINE void USW_F(_visit_columns_of_results)(USW_F(_spans) * s, size_t first, size_t last,
                                                 const USW_F(_arguments) * arguments) {
  size_t count;
  for (size_t r = first; r < last; r += count) {
    const size_t of_line = arguments->usw_width - r % arguments->usw_width;
    count = usw_least(usw_least(last - r, of_line), USW_F(_columns_together)(arguments));
    USW_F(_visit_columns)(s, r, count, arguments);
  }
}
#undef USW_VISIT_CHUNK_OF_LINES
