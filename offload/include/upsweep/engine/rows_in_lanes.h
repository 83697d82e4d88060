/* Rows on processors: vectors go along them, one item of a run for each lane. By itself a row of some hundred items takes longer to begin and
 * to fold than to visit. Accumulators of 4 or 8 bytes: the lanes of several rows are turned, so that vectors go across the rows, and folded at
 * once. Kernels by rows (USW_BY_ROWS; many_items.h) fold a vector by itself. Which rows these are, policy/result_shares.c says. All levels give
 * the same bits, as they have as many lanes.
 *
 * Sums wait for their last addition: some rows are taken abreast, where processors read each of them ahead or a cache has them. (One thread, one
 * row after the other and four abreast: 1024 rows of 1024 f64 on an EPYC 248 us, 197, f32 131, 95; 30000 of 1500 f64 31 ms, 24; 1000 of 100 f64 on
 * a Xeon 25 us, 21; but 200000 of 200 f64 on an EPYC, in memory, 29 ms, 37. Extremes of 1000 rows of 100 f64 43 us, 51.) */

#ifndef UPSWEEP_ENGINE_ROWS_IN_LANES_ONCE
#define UPSWEEP_ENGINE_ROWS_IN_LANES_ONCE
enum {
  USW_ROW_LANES_BYTES = 64,  /* a vector of accumulators */
  USW_ROW_AHEAD_BYTES = 4096 /* of an array in memory: begin and end of rows leave few loads under way */
};
#define USW_ADVANCE_BY_ROWS(T, n)                                                                                      \
  part->n += (ptrdiff_t)(rows * (USW_OF(_stream_, n) == 0 ? part->usw_column_step : part->usw_second_column_step));
#define USW_FETCH_ROW(T, n)                                                                                            \
  for (size_t at = 0; at < count * sizeof(T); at += 64)                                                                \
    __builtin_prefetch((const char *)arguments->n + USW_ROW_AHEAD_BYTES + at, 0, 2);
#define USW_LANES_OF_ITEM(T, n) , arguments->n + first + i
#define USW_REST_OF_ROW(T, n) T rest_of_##n[USW_STRIP_COLUMNS];
#define USW_FILL_REST_OF_ROW(T, n)                                                                                     \
  for (size_t k = 0; k < USW_STRIP_COLUMNS; k++)                                                                       \
    rest_of_##n[k] = arguments->n[first + (i + k < count ? i + k : 0)];
#define USW_LANES_OF_REST(T, n) , rest_of_##n
#endif

USW_INLINE void USW_F(_advance_by_rows)(USW_F(_arguments) * part, size_t rows) {
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_ROWS, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_ROWS)
}

#if USW_BY_ROWS
typedef USW_F(_acc) USW_F(_lanes_of_row);
enum { USW_F(_items_of_strip) = USW_COLUMN_ITEMS * USW_STRIP_COLUMNS };

/* What fills no vector of a strip of `count` items, from number i on: with the elements before them, where these may be seen again; else the
 * first one stands for those that are not there, and changes nothing. */
USW_INLINE void USW_F(_visit_rest_of_row)(USW_F(_strip) * strip, size_t first, size_t i, size_t count,
                                          const USW_F(_arguments) * arguments) {
#if USW_SEES_AGAIN
  i = count - USW_STRIP_COLUMNS;
  USW_F(_visit_strip)(strip, i USW_ARGS(USW_LANES_OF_ITEM, USW_VISIT_OTHER, USW_VISIT_OTHER));
#else
  USW_ARGS(USW_REST_OF_ROW, USW_NOTHING, USW_NOTHING)
  USW_ARGS(USW_FILL_REST_OF_ROW, USW_NOTHING, USW_NOTHING)
  USW_F(_visit_strip)(strip, i USW_ARGS(USW_LANES_OF_REST, USW_VISIT_OTHER, USW_VISIT_OTHER));
#endif
}

/* `count` items of a run from number `first` on, at most those of a strip; 0: the bodies for one item take them. */
USW_INLINE int USW_F(_visit_strip_of_row)(USW_F(_acc) * a, size_t first, size_t count,
                                          const USW_F(_arguments) * arguments) {
  USW_F(_strip) strip;
  size_t i = 0;
  if (count < USW_STRIP_COLUMNS ||
      !USW_F(_begin_strip)(&strip, 1 USW_ARGS(USW_LANES_OF_ITEM, USW_VISIT_OTHER, USW_VISIT_OTHER)))
    return 0;
  for (; i + USW_STRIP_COLUMNS <= count; i += USW_STRIP_COLUMNS)
    USW_F(_visit_strip)(&strip, i USW_ARGS(USW_LANES_OF_ITEM, USW_VISIT_OTHER, USW_VISIT_OTHER));
  if (i < count)
    USW_F(_visit_rest_of_row)(&strip, first, i, count, arguments);
  i = 0;
  USW_F(_identity)(a);
  return USW_F(_end_row)(a, &strip, arguments->usw_first + first,
                         count USW_ARGS(USW_LANES_OF_ITEM, USW_VISIT_OTHER, USW_VISIT_OTHER));
}

/* A run of a row; rows are not taken abreast. */
USW_INLINE void USW_F(_visit_run_of_rows)(USW_F(_lanes_of_row) * row, USW_F(_spans) * s, const size_t abreast,
                                          size_t count, const USW_F(_arguments) * arguments) {
  (void)s, (void)abreast;
  for (size_t first = 0; first < count; first += USW_F(_items_of_strip)) {
    const size_t of_strip = usw_least(count - first, USW_F(_items_of_strip));
    USW_F(_acc) a;
    if (!USW_F(_visit_strip_of_row)(&a, first, of_strip, arguments)) {
      const USW_F(_arguments) part = USW_F(_from_item)(arguments, first);
      USW_F(_identity)(&a);
      USW_F(_visit_carefully)(&a, 0, of_strip, &part, 1, 0);
    }
    USW_F(_merge)(row, &a);
  }
}

USW_INLINE void USW_F(_fold_rows)(USW_F(_acc) * total, USW_F(_lanes_of_row) * rows) {
  for (size_t q = 0; q < USW_ROWS_TOGETHER; q++)
    total[q] = rows[q];
}
enum { USW_F(_has_row_lanes) = 1, USW_F(_rows_abreast) = 1 };
#else
enum {
  USW_F(_is_of_floats) = (int)USW_TYPE == (int)USW_F64 || (int)USW_TYPE == (int)USW_F32,
  USW_F(_has_row_lanes) = USW_F(_is_of_floats) && !USW_F(_tries) && !USW_F(_ordered) &&
                          (sizeof(USW_F(_acc)) == 4 || sizeof(USW_F(_acc)) == 8),
  USW_F(_row_lanes) = USW_F(_has_row_lanes) ? USW_ROW_LANES_BYTES / sizeof(USW_F(_acc)) : USW_SQUARE,
  USW_F(_rows_abreast) =
      USW_F(_integers) ? 1 : USW_SQUARE /* keys are compared at once, sums wait for their last addition */
};
typedef USW_F(_acc) USW_F(_lanes_of_row)[USW_F(_row_lanes)];

/* Whole vectors of a run of `abreast` rows, an item of each row after the other. Returns the item behind them. */
USW_INLINE size_t USW_F(_visit_lanes_of_rows)(USW_F(_lanes_of_row) * rows, USW_F(_spans) * s, const size_t abreast,
                                              size_t count, const USW_F(_arguments) * arguments) {
  USW_F(_acc) a[USW_F(_rows_abreast)][USW_F(_row_lanes)];
  USW_F(_arguments) row[USW_F(_rows_abreast)];
  size_t i = 0;
  USW_UNROLL for (size_t q = 0; q < abreast; q++) {
    row[q] = *arguments;
    USW_F(_advance_by_rows)(&row[q], q);
    for (size_t k = 0; k < USW_F(_row_lanes); k++)
      a[q][k] = rows[q][k];
  }
  USW_ONE_BY_ONE for (; i + USW_F(_row_lanes) <= count; i += USW_F(_row_lanes)) {
    USW_UNROLL for (size_t q = 0; q < abreast; q++) for (size_t k = 0; k < USW_F(_row_lanes); k++)
        USW_F(_visit_index)(&a[q][k], s, i + k, &row[q], 1);
  }
  USW_UNROLL for (size_t q = 0; q < abreast; q++) for (size_t k = 0; k < USW_F(_row_lanes); k++) rows[q][k] = a[q][k];
  return i;
}

/* What fills no lanes, from item i on, goes to the first ones, in memory: halves of all, and one by one. */
USW_INLINE void USW_F(_visit_rest_of_row)(USW_F(_lanes_of_row) * row, USW_F(_spans) * s, size_t i, size_t count,
                                          const USW_F(_arguments) * arguments) {
  USW_F(_acc) *const lanes = *row, a[USW_F(_row_lanes)];
  USW_STORED(*row);
  USW_UNROLL for (size_t part = USW_F(_row_lanes) / 2; part >= USW_SQUARE; part /= 2) {
    if (i + part > count)
      continue;
    for (size_t k = 0; k < part; k++)
      a[k] = lanes[k];
    for (size_t k = 0; k < part; k++)
      USW_F(_visit_index)(&a[k], s, i + k, arguments, 1);
    for (size_t k = 0; k < part; k++)
      lanes[k] = a[k];
    USW_STORED(*row);
    i += part;
  }
  USW_ONE_BY_ONE for (size_t k = 0; i < count; i++, k++) USW_F(_visit_index)(&lanes[k], s, i, arguments, 1);
}

/* A run of `abreast` rows. */
USW_INLINE void USW_F(_visit_run_of_rows)(USW_F(_lanes_of_row) * rows, USW_F(_spans) * s, const size_t abreast,
                                          size_t count, const USW_F(_arguments) * first) {
  USW_F(_arguments) row = *first;
  const size_t i = USW_F(_visit_lanes_of_rows)(rows, s, abreast, count, first);
  for (size_t q = 0; q < abreast; q++) {
    USW_F(_visit_rest_of_row)(&rows[q], s, i, count, &row);
    USW_F(_advance_by_rows)(&row, 1);
  }
}

/* The totals of rows: their lanes are folded one half into the other, then turned, and folded on. */
USW_INLINE void USW_F(_fold_rows)(USW_F(_acc) * total, USW_F(_lanes_of_row) * rows) {
  USW_F(_acc) turned[USW_SQUARE][USW_ROWS_TOGETHER];
  for (size_t half = USW_F(_row_lanes) / 2; half >= USW_SQUARE; half /= 2)
    for (size_t q = 0; q < USW_ROWS_TOGETHER; q++)
      for (size_t k = 0; k < half; k++)
        USW_F(_merge)(&rows[q][k], &rows[q][k + half]);
  for (size_t q = 0; q < USW_ROWS_TOGETHER; q += USW_SQUARE)
    usw_turn_four_rows(&turned[0][q], USW_ROWS_TOGETHER, rows[q], USW_F(_row_lanes), USW_SQUARE, sizeof *total);
  USW_STORED(turned);
  for (size_t half = USW_SQUARE / 2; half > 0; half /= 2)
    for (size_t k = 0; k < half; k++)
      for (size_t q = 0; q < USW_ROWS_TOGETHER; q++)
        USW_F(_merge)(&turned[k][q], &turned[k + half][q]);
  for (size_t q = 0; q < USW_ROWS_TOGETHER; q++)
    total[q] = turned[0][q];
}
#endif

/* Ask for what lies behind a row of `count` items. (Xeon, 2^20 rows of 64 f64, ms, without and with: sum 54, 45; max 73, 47; argmax 90, 54;
 * describe 120, 75. Of longer rows processors ask by themselves: 1024 of 1024, us: sum 343, 512 with.) */
USW_INLINE void USW_F(_fetch_behind_row)(size_t count, const USW_F(_arguments) * arguments){
    USW_OWN_ARGUMENTS(USW_FETCH_ROW, USW_NOTHING, USW_NOTHING, USW_NOTHING)}

/* `count` results from r on, of one line. */
USW_INLINE
    void USW_F(_visit_rows_together)(USW_F(_spans) * s, size_t r, size_t count, const USW_F(_arguments) * arguments) {
  const usw_range_t range = USW_F(_items_of)(r, arguments);
  const usw_offset_t start = USW_F(_start_of_result)(r, arguments);
  const int is_cached = USW_F(_is_cached)(arguments);
  USW_F(_lanes_of_row) rows[USW_ROWS_TOGETHER] __attribute__((aligned(USW_ROW_LANES_BYTES)));
  USW_F(_acc) total[USW_ROWS_TOGETHER];
  size_t of_run;
  USW_F(_clear_chains)((USW_F(_acc) *)(void *)rows, sizeof rows / sizeof *total);
  for (size_t i = range.first; i < range.end; i += of_run) {
    USW_F(_arguments) of_row = USW_F(_run_from)(arguments, start, i, range.end, &of_run), *const part = &of_row;
    const size_t bytes = of_run * USW_F(_item_bytes);
    const int are_abreast = USW_F(_rows_abreast) > 1 && (is_cached || bytes >= USW_ROW_AHEAD_BYTES);
    size_t q = 0;
    for (; are_abreast && q + USW_F(_rows_abreast) <= count; q += USW_F(_rows_abreast)) {
      USW_F(_visit_run_of_rows)(&rows[q], s, USW_F(_rows_abreast), of_run, part);
      USW_F(_advance_by_rows)(part, USW_F(_rows_abreast));
    }
    for (; q < count; q++) {
      if (!is_cached && bytes <= USW_ROW_AHEAD_BYTES)
        USW_F(_fetch_behind_row)(of_run, part);
      USW_F(_visit_run_of_rows)(&rows[q], s, 1, of_run, part);
      USW_F(_advance_by_rows)(part, 1);
    }
  }
  USW_F(_fold_rows)(total, rows);
  for (size_t q = 0; q < count; q++)
    USW_F(_write_results)
  (&total[q], start.result + q * arguments->usw_result_step, arguments, range.first >= range.end);
}

/* Results first, ..., last - 1. */
USW_INLINE void USW_F(_visit_rows_of_results)(USW_F(_spans) * s, size_t first, size_t last,
                                              const USW_F(_arguments) * arguments) {
  size_t count;
  for (size_t r = first; r < last; r += count) {
    count = USW_F(_results_of_line)(r, last, USW_ROWS_TOGETHER, arguments);
    USW_F(_visit_rows_together)(s, r, count, arguments);
  }
}
