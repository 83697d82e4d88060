/* Rows on a GPU whose items kernels by columns with large accumulators see as those of a column (team_columns.h), which takes no branch where an
 * extreme is found, and the loads of their tiles. The bits are those of _take_blocks(). */

#ifndef UPSWEEP_ENGINE_TEAM_SEEN_ROWS_ONCE
#define UPSWEEP_ENGINE_TEAM_SEEN_ROWS_ONCE
#define USW_LONG_ROW (1u << 30) /* items, whose numbers and the next tile's have 32 bits */
#endif

/* A worker's tile from item `first` of a row of n on. What the row has not is loaded from the worker's first block, or the row's. */
USW_INLINE void USW_F(_load_of_row)(USW_F(_items) * items, const USW_F(_arguments) * row, uint32_t n, uint32_t first,
                                    uint32_t group) {
  const uint32_t known = first < n ? first : 0;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++)
      USW_F(_load)(&items[u], first + u * group < n ? first + u * group : known, USW_F(_block), row, 1);
}

#if USW_BY_COLUMNS
enum { USW_F(_sees_rows) = sizeof(USW_F(_acc)) > USW_SMALL_BYTES &&USW_F(_item_bytes) > 1 }; /* bytes go by many */

/* See a worker's tile from item `first` of a row on, the lane's first one being `start`. Returns whether the kernel takes such. */
USW_INLINE int USW_F(_see_of_row)(USW_F(_column) * column, const USW_F(_arguments) * arguments USW_UNUSED,
                                  const USW_F(_items) * loaded, uint32_t n, uint32_t first, uint32_t start,
                                  uint32_t group) {
  int takes = 1;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const USW_F(_items) *const items = &loaded[u];
    if (first + u * group < n)
      USW_UNROLL for (uint32_t k = 0; k < USW_F(_block); k++) {
        if (u == 0 && k == 0 && first == start)
          takes = USW_F(_begin_column)(column USW_ARGS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER));
        else
          USW_F(_see_item)
        (column, first + u * group + k - start USW_ARGS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER));
      }
  }
  return takes;
}

/* The accumulator of a lane that has seen its items. 0: the kernel takes none, and the accumulator is fresh. */
USW_INLINE int USW_F(_end_row)(const USW_F(_worker) w, const USW_F(_column) * column, uint32_t start, uint32_t group,
                               int takes) {
  const USW_F(_arguments) *const arguments = w.arguments;
  const uint32_t n = (uint32_t)w.n, blocks = start < n ? (n - start + group - 1) / group : 0;
  if (blocks == 0)
    return 1;
  if (takes && USW_F(_end_column)(w.a, column, start + arguments->usw_first, 1,
                                  blocks * USW_F(_block) USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER)))
    return 1;
  USW_F(_identity)(w.a);
  return 0;
}

/* A worker's whole blocks, of fewer than USW_LONG_ROW items, into a fresh accumulator. 0: the kernel takes none. (H200, descriptions of 2^8 rows of
 * 2^20, us: f64 725, so 557; f32 390, so 277; f16 272, so 255.) */
USW_INLINE int USW_F(_see_blocks)(const USW_F(_worker) w) {
  const uint32_t n = (uint32_t)w.n, start = (uint32_t)USW_F(_start_of)(w), group = (uint32_t)USW_F(_group_items)(w);
  const uint32_t tile = group * USW_F(_in_flight);
  USW_F(_items) items[USW_F(_in_flight)], next[USW_F(_in_flight)];
  USW_F(_column) column;
  int takes = 1;
  if (start >= n)
    return 1;
  USW_F(_load_of_row)(items, w.arguments, n, start, group);
#pragma nounroll
  for (uint32_t first = start; first < n; first += tile) {
    USW_F(_load_of_row)(next, w.arguments, n, first + tile, group);
    takes &= USW_F(_see_of_row)(&column, w.arguments, items, n, first, start, group);
    __builtin_memcpy(items, next, sizeof items);
  }
  return USW_F(_end_row)(w, &column, start, group, takes);
}
#else
enum { USW_F(_sees_rows) = 0 };
typedef char USW_F(_column);
USW_INLINE int USW_F(_see_of_row)(USW_F(_column) * column, const USW_F(_arguments) * arguments USW_UNUSED,
                                  const USW_F(_items) * loaded, uint32_t n, uint32_t first, uint32_t start,
                                  uint32_t group) {
  (void)column, (void)arguments, (void)loaded, (void)n, (void)first, (void)start, (void)group;
  return 0;
}
USW_INLINE int USW_F(_end_row)(const USW_F(_worker) w, const USW_F(_column) * column, uint32_t start, uint32_t group,
                               int takes) {
  (void)w, (void)column, (void)start, (void)group, (void)takes;
  return 1;
}
USW_INLINE int USW_F(_see_blocks)(const USW_F(_worker) w) {
  (void)w;
  return 0;
}
#endif
