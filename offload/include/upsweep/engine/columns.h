/* Results side by side on processors: those of the innermost axis that stays, whose elements follow each other in memory. An accumulator
 * each, and the items one after the other, so that compilers find vectors across the results. Every USW_COLUMN_ITEMS items the accumulators
 * are folded into the totals, so that no sum gets long. */

#ifndef UPSWEEP_ENGINE_COLUMNS_ONCE
#define UPSWEEP_ENGINE_COLUMNS_ONCE
enum { USW_COLUMN_BYTES = 4096 /* of accumulators: half of what the nearest cache holds beside their totals */ };
#ifndef USW_COLUMN_ITEMS
#define USW_COLUMN_ITEMS 256
#endif
#define USW_VISIT_COLUMN_IN(T, n) , arguments->n[c]
#endif

enum {
  USW_F(_columns_at_once) = USW_COLUMN_BYTES / sizeof(USW_F(_acc)) > 1 ? USW_COLUMN_BYTES / sizeof(USW_F(_acc)) : 1
};

/* The first of `line`'s items in column c. */
USW_INLINE void USW_F(_visit_column)(USW_F(_acc) * a, USW_F(_spans) * s, size_t c,
                                     const USW_F(_arguments) * arguments) {
  USW_F(_visit)(a, s,
                USW_INDICES_IN_LINE(0, c) USW_OWN_ARGUMENTS(USW_VISIT_COLUMN_IN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                            USW_VISIT_OTHER) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* Items first, ..., last - 1 of a run: four at a time, so that an accumulator is loaded and stored once for four. */
USW_INLINE void USW_F(_visit_lines)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last, size_t count,
                                    const USW_F(_arguments) * arguments) {
  size_t i = first;
  for (; i + 4 <= last; i += 4) {
    const USW_F(_arguments) line0 = USW_F(_from_item)(arguments, i), line1 = USW_F(_from_item)(arguments, i + 1);
    const USW_F(_arguments) line2 = USW_F(_from_item)(arguments, i + 2), line3 = USW_F(_from_item)(arguments, i + 3);
    for (size_t c = 0; c < count; c++) {
      USW_F(_visit_column)(&a[c], s, c, &line0);
      USW_F(_visit_column)(&a[c], s, c, &line1);
      USW_F(_visit_column)(&a[c], s, c, &line2);
      USW_F(_visit_column)(&a[c], s, c, &line3);
    }
  }
  for (; i < last; i++) {
    const USW_F(_arguments) line = USW_F(_from_item)(arguments, i);
    for (size_t c = 0; c < count; c++)
      USW_F(_visit_column)(&a[c], s, c, &line);
  }
}

/* `count` results from r on, of one line. */
USW_INLINE void USW_F(_visit_columns)(USW_F(_spans) * s, size_t r, size_t count, const USW_F(_arguments) * arguments) {
  const usw_range_t range = USW_F(_items_of)(r, arguments);
  const usw_offset_t start = USW_F(_start_of_result)(r, arguments);
  USW_F(_acc) total[USW_F(_columns_at_once)], a[USW_F(_columns_at_once)];
  size_t of_run;
  USW_F(_clear_chains)(total, count);
  for (size_t i = range.first; i < range.end; i += of_run) {
    const USW_F(_arguments) part = USW_F(_run_from)(arguments, start, i, range.end, &of_run);
    for (size_t first = 0; first < of_run; first += USW_COLUMN_ITEMS) {
      USW_F(_clear_chains)(a, count);
      USW_F(_visit_lines)
      (a, s, first, of_run - first < USW_COLUMN_ITEMS ? of_run : first + USW_COLUMN_ITEMS, count, &part);
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
    count = usw_least(usw_least(last - r, of_line), USW_F(_columns_at_once));
    USW_F(_visit_columns)(s, r, count, arguments);
  }
}
