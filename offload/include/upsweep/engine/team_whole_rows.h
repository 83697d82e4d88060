/* Rows on a GPU that lie at the same distance behind each other, each of which some lanes of a sub-group take: most arrays. Short rows are taken
 * element by element. Of those that are whole blocks, what is loaded next, of this row or the next one, is under way while a tile is visited
 * and a row's accumulators are folded. Some kernels see the items (team_seen_rows.h). The bits are those of _take_items(). */

#ifndef UPSWEEP_ENGINE_TEAM_WHOLE_ROWS_ONCE
#define UPSWEEP_ENGINE_TEAM_WHOLE_ROWS_ONCE
#define USW_AND_ROWS_ON_BOUNDARY(T, n) &&((uintptr_t)arguments->n & 15) == 0 && USW_STEP_OF_ROWS(n) % USW_F(_block) == 0
#define USW_STEP_OF_ROWS(n) (USW_OF(_stream_, n) == 0 ? arguments->usw_column_step : arguments->usw_second_column_step)
#endif

/* Whether the rows of a call are such, and whole blocks. Segments that have ends of their own are none. */
USW_INLINE int USW_F(_are_plain_rows)(const USW_F(_arguments) * arguments) {
#if USW_SEGMENTS
  if (arguments->usw_ends != 0)
    return 0;
#endif
  return arguments->usw_kept_levels + arguments->usw_reduced_levels == 0 && arguments->usw_pieces == 1 &&
         arguments->usw_lanes <= USW_SUB_GROUP && arguments->usw_items > 0 && arguments->usw_items < USW_LONG_ROW;
}
USW_INLINE int USW_F(_are_whole_rows)(const USW_F(_arguments) * arguments) {
  return !USW_F(_ordered) && !USW_F(_tries) && arguments->usw_way == USW_RUNS_IN_BLOCKS &&
         arguments->usw_items % USW_F(_block) == 0 &&
         USW_F(_are_contiguous)(arguments)
             USW_OWN_ARGUMENTS(USW_AND_ROWS_ON_BOUNDARY, USW_NOTHING, USW_NOTHING, USW_AND_ROWS_ON_BOUNDARY);
}

/* The items of row r. */
USW_INLINE USW_F(_arguments) USW_F(_whole_row)(size_t r, const USW_F(_arguments) * arguments) {
  const ptrdiff_t row = (ptrdiff_t)r;
  const size_t within = 0;
  const usw_offset_t offset = {
      {row * (ptrdiff_t)arguments->usw_column_step, row * (ptrdiff_t)arguments->usw_second_column_step}, 0};
  USW_F(_arguments) part = *arguments;
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_OFFSET, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_OFFSET)
  part.usw_first = 0;
  return part;
}

/* Visit it. */
USW_INLINE void USW_F(_take_of_row)(const USW_F(_worker) w, const USW_F(_items) * items, uint32_t first,
                                    uint32_t group) {
  const uint32_t n = (uint32_t)w.n;
  if (first + (USW_F(_in_flight) - 1) * group < n) {
    USW_F(_take_loaded)(w, items, USW_F(_whole_tile)(first, USW_F(_known)), 0);
    return;
  }
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) if (first + u * group < n) {
    const USW_F(_blocks_of_worker) block = {first + u * group, 1, SIZE_MAX, 1, USW_F(_known)};
    USW_F(_take_loaded)(w, &items[u], block, 0);
  }
}

USW_INLINE void USW_F(_visit_whole_rows)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const uint32_t thread = usw_port_thread(), lanes = (uint32_t)arguments->usw_lanes, lane = thread & (lanes - 1);
  const uint32_t at_once = USW_TEAM_SIZE / lanes, n = (uint32_t)arguments->usw_items, start = lane * USW_F(_block);
  const uint32_t group = lanes * USW_F(_block), tile = group * USW_F(_in_flight);
  const size_t rows = arguments->usw_results, step = usw_port_teams() * (size_t)at_once;
  size_t r = usw_port_team() * (size_t)at_once + thread / lanes;
  USW_F(_items) items[USW_F(_in_flight)], next[USW_F(_in_flight)];
  const USW_F(_arguments) of_first = USW_F(_whole_row)(r < rows ? r : 0, arguments);
  USW_F(_load_of_row)(items, &of_first, n, start, group);
  /* As long as a lane of the sub-group has a row: those without one take the first once more, and write nothing. */
#pragma nounroll
  for (; r - thread % USW_SUB_GROUP / lanes < rows; r += step) {
    const USW_F(_arguments) row = USW_F(_whole_row)(r < rows ? r : 0, arguments);
    const USW_F(_arguments) after = USW_F(_whole_row)(r + step < rows ? r + step : 0, arguments);
    USW_F(_spans) s = *share.s;
    const USW_F(_worker) w = {a, &s, &row, n, {0, SIZE_MAX, 1, lane, lanes}};
    USW_F(_column) column;
    int takes = 1;
    USW_ENTER_SEGMENT(&s, r);
    USW_F(_identity)(a);
#pragma nounroll
    for (uint32_t first = 0; first < n; first += tile) {
      const int is_last = first + tile >= n;
      USW_F(_load_of_row)(next, is_last ? &after : &row, n, start + (is_last ? 0 : first + tile), group);
      if (USW_F(_sees_rows))
        takes &= USW_F(_see_of_row)(&column, &row, items, n, start + first, start, group);
      else
        USW_F(_take_of_row)(w, items, start + first, group);
      __builtin_memcpy(items, next, sizeof items);
    }
    if (USW_F(_sees_rows) && !USW_F(_end_row)(w, &column, start, group, takes))
      USW_F(_take_blocks)(w);
    USW_F(_fold_lanes)(a, lanes);
    if (lane == 0 && r < rows)
      USW_F(_write_results)(a, r * arguments->usw_result_step, arguments, 0);
  }
}

USW_INLINE void USW_F(_visit_short_rows)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const uint32_t thread = usw_port_thread(), lanes = (uint32_t)arguments->usw_lanes, lane = thread & (lanes - 1);
  const size_t at_once = USW_TEAM_SIZE / lanes, rows = arguments->usw_results, step = usw_port_teams() * at_once;
  const USW_F(_turn) turn = {lane, lanes, USW_MOST_AT_ONCE};
#pragma nounroll
  for (size_t r = usw_port_team() * at_once + thread / lanes; r - thread % USW_SUB_GROUP / lanes < rows; r += step) {
    const USW_F(_arguments) row = USW_F(_whole_row)(r < rows ? r : 0, arguments);
    USW_F(_spans) s = *share.s;
    USW_ENTER_SEGMENT(&s, r);
    USW_F(_identity)(a);
    USW_F(_take_lines)(a, &s, &row, arguments->usw_items, turn, 0);
    USW_F(_fold_lanes)(a, lanes);
    if (lane == 0 && r < rows)
      USW_F(_write_results)(a, r * arguments->usw_result_step, arguments, 0);
  }
}
