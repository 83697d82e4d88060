/* Rows on a GPU that lie at the same distance behind each other, each of which some lanes of a sub-group take: most arrays. Short rows are taken
 * element by element. Of those that are whole blocks, what is loaded next, of this row or the next one, is under way while a tile is visited
 * and a row's accumulators are folded. Kernels by columns with large accumulators see the items of a row as those of a column (team_columns.h),
 * which takes no branch where an extreme is found. The bits are those of _take_items(). */

#ifndef UPSWEEP_ENGINE_TEAM_WHOLE_ROWS_ONCE
#define UPSWEEP_ENGINE_TEAM_WHOLE_ROWS_ONCE
#define USW_LONG_ROW (1u << 30) /* items, whose numbers and the next tile's have 32 bits */
#define USW_AND_ROWS_ON_BOUNDARY(T, n) &&((uintptr_t)arguments->n & 15) == 0 && USW_STEP_OF_ROWS(n) % USW_F(_block) == 0
#define USW_ELEMENT_OF_ROW(T, n) , items->n[k]
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

/* A worker's tile from item `first` of a row on. What the row has not is loaded from the worker's first block, or the row's. */
USW_INLINE void USW_F(_load_of_row)(USW_F(_items) * items, const USW_F(_arguments) * row, uint32_t first,
                                    uint32_t group) {
  const uint32_t n = (uint32_t)row->usw_items, known = first < n ? first : 0;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++)
      USW_F(_load)(&items[u], first + u * group < n ? first + u * group : known, USW_F(_block), row, 1);
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

#if USW_BY_COLUMNS
enum { USW_F(_sees_rows) = sizeof(USW_F(_acc)) > USW_SMALL_BYTES &&USW_F(_item_bytes) > 1 }; /* bytes go by many */

/* See a worker's tile from item `first` of a row on, the lane's first one being `start`. Returns whether the kernel takes such. */
USW_INLINE int USW_F(_see_of_row)(USW_F(_column) * column, const USW_F(_arguments) * arguments,
                                  const USW_F(_items) * loaded, uint32_t first, uint32_t start, uint32_t group) {
  const uint32_t n = (uint32_t)arguments->usw_items;
  int takes = 1;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const USW_F(_items) *const items = &loaded[u];
    if (first + u * group < n)
      USW_UNROLL for (uint32_t k = 0; k < USW_F(_block); k++) {
        if (u == 0 && k == 0 && first == start)
          takes = USW_F(_begin_column)(column USW_ARGS(USW_ELEMENT_OF_ROW, USW_VISIT_OTHER, USW_VISIT_OTHER));
        else
          USW_F(_see_item)
        (column, first + u * group + k - start USW_ARGS(USW_ELEMENT_OF_ROW, USW_VISIT_OTHER, USW_VISIT_OTHER));
      }
  }
  return takes;
}

/* The accumulator of a lane that has seen its items; else it visits them. */
USW_INLINE void USW_F(_end_row)(const USW_F(_worker) w, const USW_F(_column) * column, uint32_t start, uint32_t group,
                                int takes) {
  const USW_F(_arguments) *const arguments = w.arguments;
  const uint32_t n = (uint32_t)w.n, blocks = start < n ? (n - start + group - 1) / group : 0;
  if (blocks == 0)
    return;
  if (takes && USW_F(_end_column)(w.a, column, start + arguments->usw_first, 1,
                                  blocks * USW_F(_block) USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER)))
    return;
  USW_F(_identity)(w.a);
  USW_F(_take_blocks)(w);
}
#else
enum { USW_F(_sees_rows) = 0 };
typedef char USW_F(_column);
USW_INLINE int USW_F(_see_of_row)(USW_F(_column) * column, const USW_F(_arguments) * arguments,
                                  const USW_F(_items) * loaded, uint32_t first, uint32_t start, uint32_t group) {
  (void)column, (void)arguments, (void)loaded, (void)first, (void)start, (void)group;
  return 0;
}
USW_INLINE void USW_F(_end_row)(const USW_F(_worker) w, const USW_F(_column) * column, uint32_t start, uint32_t group,
                                int takes) {
  (void)w, (void)column, (void)start, (void)group, (void)takes;
}
#endif

USW_INLINE void USW_F(_visit_whole_rows)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const uint32_t thread = usw_port_thread(), lanes = (uint32_t)arguments->usw_lanes, lane = thread & (lanes - 1);
  const uint32_t at_once = USW_TEAM_SIZE / lanes, n = (uint32_t)arguments->usw_items, start = lane * USW_F(_block);
  const uint32_t group = lanes * USW_F(_block), tile = group * USW_F(_in_flight);
  const size_t rows = arguments->usw_results, step = usw_port_teams() * (size_t)at_once;
  size_t r = usw_port_team() * (size_t)at_once + thread / lanes;
  USW_F(_items) items[USW_F(_in_flight)], next[USW_F(_in_flight)];
  const USW_F(_arguments) of_first = USW_F(_whole_row)(r < rows ? r : 0, arguments);
  USW_F(_load_of_row)(items, &of_first, start, group);
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
      USW_F(_load_of_row)(next, is_last ? &after : &row, start + (is_last ? 0 : first + tile), group);
      if (USW_F(_sees_rows))
        takes &= USW_F(_see_of_row)(&column, &row, items, start + first, start, group);
      else
        USW_F(_take_of_row)(w, items, start + first, group);
      __builtin_memcpy(items, next, sizeof items);
    }
    if (USW_F(_sees_rows))
      USW_F(_end_row)(w, &column, start, group, takes);
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
