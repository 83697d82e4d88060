/* Many results on a GPU. Which threads take which items of a result depends on the launch's words alone, never on the number of teams, so
 * every grid gives the same bits.
 *
 *   rows     some neighbouring threads take the items of one result, and fold their accumulators by shuffles; a whole team does where
 *            results are long
 *   columns  neighbouring threads take results side by side, whose elements follow each other in memory (kernels of axes); threads of one
 *            column take items in turn, and fold through team memory
 *
 * Few long results are cut into pieces, of which a team takes one at a time: whichever team leaves the last piece of a result, or of a strip
 * of columns, folds all of them in order. */

#ifndef UPSWEEP_ENGINE_TEAM_RESULTS_ONCE
#define UPSWEEP_ENGINE_TEAM_RESULTS_ONCE
#define USW_AND_ON_BOUNDARY(T, n) &&((uintptr_t)arguments->n & 15) == 0
#define USW_COLUMN_BUFFER(T, n) T n[USW_F(_vector)];
#define USW_COLUMN_ADDRESS(T, n) (arguments->n + (ptrdiff_t)i * arguments->usw_stride_##n)
#define USW_LOAD_COLUMNS(T, n)                                                                                         \
  if (is_vector)                                                                                                       \
    __builtin_memcpy(items->n,                                                                                         \
                     __builtin_assume_aligned(USW_COLUMN_ADDRESS(T, n), sizeof items->n > 16 ? 16 : sizeof items->n),  \
                     sizeof items->n);                                                                                 \
  else                                                                                                                 \
    items->n[0] = *USW_COLUMN_ADDRESS(T, n);
#define USW_VISIT_LOADED_COLUMN(T, n) , items->n[k]
#endif

/* ---- what both do ---- */

/* What the team's threads share of a launch. */
typedef struct {
  const USW_F(_arguments) * arguments;
  USW_F(_spans) * s;
  USW_F(_acc) * partials; /* piece p of result r: number p * results + r */
  uint32_t *ticket;
} USW_F(_share_of_results);

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

#if USW_AXES
/* The words of the levels into team memory. */
USW_INLINE void USW_F(_put_levels)(const USW_F(_arguments) * arguments) {
  if (arguments->usw_kept_levels + arguments->usw_reduced_levels == 0)
    return;
  if (usw_port_thread() == 0) {
    USW_LEVELS_OF_KERNEL(USW_PUT_LEVEL)
  }
  usw_port_barrier();
}

/* ---- elements, wherever they lie ---- */

enum {
  USW_F(_vector) = USW_COLUMNS_OF_THREAD(sizeof(USW_F(_acc)), USW_F(_block)),
  USW_F(_lines_in_flight) =
      USW_CLAMP(2, USW_BYTES_IN_FLIGHT / ((USW_F(_item_bytes) + !USW_F(_item_bytes)) * (int)USW_F(_vector)),
                USW_F(_heavy) ? 2 : 8),
  USW_F(_folds_strips) = sizeof(USW_F(_acc)) <= USW_STRIP_BYTES,
  USW_F(_strip_words) = USW_F(_folds_strips) ? sizeof(USW_F(_acc)) / 4 : 1
};
USW_TEAM_MEMORY uint32_t USW_F(_strip)[USW_F(_strip_words)][USW_TEAM_SIZE / 2];

/* The elements of one item in a thread's columns. */
typedef struct {
  USW_ARGS(USW_COLUMN_BUFFER, USW_NOTHING, USW_NOTHING)
  USW_WHERE_SPACE(char usw_end;) /* which need not have streams */
} USW_F(_column_items);

USW_INLINE void USW_F(_load_columns)(USW_F(_column_items) * items, const USW_F(_arguments) * arguments, size_t i,
                                     int is_vector) {
  (void)items, (void)arguments, (void)i, (void)is_vector; /* not every kernel has streams */
  USW_ARGS(USW_LOAD_COLUMNS, USW_NOTHING, USW_NOTHING)
}
USW_INLINE void USW_F(_visit_loaded_column)(USW_F(_acc) * a, USW_F(_spans) * s,
                                            const USW_F(_column_items) * items USW_UNUSED,
                                            const USW_F(_arguments) * arguments, size_t i, uint32_t k) {
  USW_F(_visit)(a, s,
                USW_INDICES_IN_LINE(i, k) USW_OWN_ARGUMENTS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                            USW_VISIT_OTHER) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* Items i, i + down, ... of a run, `left` of them at most, into the accumulators of a thread's columns. Whatever there is not is loaded
 * from the first one: loads that wait for no condition are under way together. */
USW_INLINE void USW_F(_take_some_lines)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, size_t i,
                                        size_t left, uint32_t down, int is_vector) {
  USW_F(_column_items) items[USW_F(_lines_in_flight)];
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_lines_in_flight); u++)
      USW_F(_load_columns)(&items[u], run, i + (u < left ? u * (size_t)down : 0), is_vector);
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_lines_in_flight); u++) if (u < left)
      USW_UNROLL for (uint32_t k = 0; k < (is_vector ? USW_F(_vector) : 1); k++)
          USW_F(_visit_loaded_column)(&a[k], s, &items[u], run, i + u * (size_t)down, k);
}

/* Every down-th item of a run, from `row` on. */
USW_INLINE void USW_F(_take_lines)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, size_t count,
                                   uint32_t row, uint32_t down, int is_vector) {
  const size_t step = USW_F(_lines_in_flight) * (size_t)down;
  size_t i = row;
#pragma nounroll
  for (; i + (step - down) < count; i += step)
    USW_F(_take_some_lines)(a, s, run, i, USW_F(_lines_in_flight), down, is_vector);
  if (i < count)
    USW_F(_take_some_lines)(a, s, run, i, (count - i + down - 1) / down, down, is_vector);
}
#endif

/* ---- rows ---- */

/* A worker's whole blocks, of which it has all: a tile at a time, then what is left. */
USW_INLINE void USW_F(_take_blocks)(const USW_F(_worker) w) {
  const size_t group = USW_F(_group_items)(w), tile = USW_F(_tile_items)(w);
  size_t first = USW_F(_start_of)(w);
#pragma nounroll
  for (; first + (tile - group) < w.n; first += tile)
    USW_F(_take_groups)(w, USW_F(_whole_tile)(first, USW_F(_known)));
  if (first >= w.n)
    return;
  USW_F(_items) items[USW_F(_in_flight)]; /* as in _take_some_lines() */
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++)
      USW_F(_load)(&items[u], first + u * group < w.n ? first + u * group : first, USW_F(_block), w.arguments, 1);
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) if (first + u * group < w.n) {
    const USW_F(_blocks_of_worker) block = {first + u * group, 1, SIZE_MAX, 1, USW_F(_known)};
    USW_F(_take_loaded)(w, &items[u], block, 0);
  }
}

/* Items of a result that are a run, by `lanes` threads: those before a boundary of 16 bytes one by one, then blocks, then the rest. The
 * boundary is one of the stream's elements, wherever the stream lies, so that alignment does not show in what is added to what. */
USW_INLINE void USW_F(_take_run)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, size_t count,
                                 size_t to_boundary, uint32_t lane, uint32_t lanes) {
  const size_t before = USW_F(_ordered) ? 0 : usw_least(to_boundary, count);
  const size_t end = count - (count - before) % USW_F(_block);
  const USW_F(_arguments) part = USW_F(_from_item)(run, before), *const arguments = &part;
  const USW_F(_worker) w = {a, s, &part, end - before, {0, SIZE_MAX, 1, lane, lanes}};
  const int is_aligned = USW_F(_are_contiguous)(arguments)
      USW_OWN_ARGUMENTS(USW_AND_ON_BOUNDARY, USW_NOTHING, USW_NOTHING, USW_AND_ON_BOUNDARY);
  s->usw_on_trial = USW_ASKS; /* whatever the run before left */
  if (USW_F(_ordered)) {
    const USW_F(_worker) in_order = {a, s, run, count, USW_F(_share_of)(count, 0, 1, lane, lanes)};
    USW_F(_accumulate)(in_order, is_aligned);
    return;
  }
  for (size_t i = lane; i < before; i += lanes)
    USW_F(_visit_item)(a, s, i, run);
  if (is_aligned)
    USW_F(_take_blocks)(w);
  else
    for (size_t first = lane * USW_F(_block); first < w.n; first += USW_F(_tile_items)(w))
      USW_F(_visit_any_items)(w, first);
  s->usw_on_trial = USW_ASKS;
  for (size_t i = end + lane; i < count; i += lanes)
    USW_F(_visit_item)(a, s, i, run);
}

/* Items from the element where they begin to the next whole block of elements. */
USW_INLINE size_t USW_F(_to_boundary)(const USW_F(_arguments) * run USW_UNUSED,
                                      const USW_F(_arguments) * arguments USW_UNUSED) {
#if USW_AXES
#define USW_ELEMENTS_FROM_START(T, n) elements = (size_t)(run->n - arguments->n);
  size_t elements = 0;
  USW_OWN_ARGUMENTS(USW_ELEMENTS_FROM_START, USW_NOTHING, USW_NOTHING, USW_ELEMENTS_FROM_START)
#undef USW_ELEMENTS_FROM_START
  return (0 - elements) % USW_F(_block);
#else
  (void)arguments;
  return (0 - run->usw_first) % USW_F(_block);
#endif
}

/* The items of a piece, by `lanes` threads: some of them take a run, others the next. */
#if USW_AXES
USW_INLINE void USW_F(_take_items)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                   usw_offset_t start, usw_range_t range, uint32_t lane, uint32_t lanes) {
  const uint32_t run_lanes = (uint32_t)arguments->usw_run_lanes, runs = lanes / run_lanes;
  const uint32_t lane_of_run = lane & (run_lanes - 1);
  const int is_alone = arguments->usw_way == USW_ITEMS_ALONE;
  const size_t length = is_alone ? 1 : arguments->usw_length;
  const size_t q = is_alone ? range.first : USW_F(_run_of_item)(range.first, arguments);
#pragma nounroll
  for (size_t i = (q + lane / run_lanes) * length; i < range.end; i += runs * length) {
    const size_t first = i < range.first ? range.first : i;
    size_t count;
    const USW_F(_arguments) run = USW_F(_run_from)(arguments, start, first, usw_least(i + length, range.end), &count);
    if (arguments->usw_way == USW_RUNS_IN_BLOCKS)
      USW_F(_take_run)(a, s, &run, count, USW_F(_to_boundary)(&run, arguments), lane_of_run, run_lanes);
    else
      USW_F(_take_lines)(a, s, &run, count, lane_of_run, run_lanes, 0);
  }
}
#else
USW_INLINE void USW_F(_take_items)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                   usw_offset_t start, usw_range_t range, uint32_t lane, uint32_t lanes) {
  size_t count;
  if (range.first >= range.end)
    return;
  const USW_F(_arguments) run = USW_F(_run_from)(arguments, start, range.first, range.end, &count);
  USW_F(_take_run)(a, s, &run, count, USW_F(_to_boundary)(&run, arguments), lane, lanes);
}
#endif

/* Fold the accumulators of every `lanes` neighbours of a sub-group. Windows of reproducible sums stay each result's own. */
USW_INLINE void USW_F(_fold_lanes)(USW_F(_acc) * a, uint32_t lanes) {
#pragma nounroll
  for (uint32_t delta = 1; delta < lanes; delta *= 2) {
    USW_F(_acc) other;
    USW_F(_shuffle_down)(&other, a, delta, USW_SUB_GROUP);
    USW_F(_merge)(a, &other);
  }
}

/* A team's piece of a result; in the team that leaves its last one, the partial of all. 1 there. */
USW_INLINE int USW_F(_leave_piece)(USW_F(_acc) * a, const USW_F(_share_of_results) share, size_t r, size_t piece,
                                   size_t pieces) {
  const uint32_t thread = usw_port_thread();
  const size_t results = share.arguments->usw_results;
  if (thread == 0)
    share.partials[piece * results + r] = *a;
  if (!USW_F(_is_last_of)((uint32_t)pieces, &share.ticket[1 + r]))
    return 0;
  USW_F(_identity)(a);
#pragma nounroll
  for (size_t p = thread; p < pieces; p += USW_TEAM_SIZE) {
    const USW_F(_acc) partial = share.partials[p * results + r];
    USW_F(_merge)(a, &partial);
  }
  if (thread == 0)
    share.ticket[1 + r] = 0;
  return 1;
}

USW_INLINE void USW_F(_visit_rows)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const uint32_t thread = usw_port_thread(), lanes = (uint32_t)arguments->usw_lanes, lane = thread & (lanes - 1);
  const size_t at_once = USW_TEAM_SIZE / lanes, pieces = USW_F(_pieces)(arguments);
  const size_t units = arguments->usw_results * pieces;
#pragma nounroll
  for (size_t first = usw_port_team() * at_once; first < units; first += usw_port_teams() * at_once) {
    const size_t unit = first + thread / lanes, r = pieces == 1 ? unit : unit / pieces, piece = unit - r * pieces;
    usw_offset_t start = {{0, 0}, 0};
    usw_range_t range = {0, 0};
    USW_F(_identity)(a);
    if (unit < units) {
      start = USW_F(_start_of_result)(r, arguments);
      range = USW_F(_items_of_piece)(r, piece, arguments);
      USW_F(_spans) s = *share.s;
      USW_ENTER_SEGMENT(&s, r);
      USW_F(_take_items)(a, &s, arguments, start, range, lane, lanes);
    }
    int is_whole = pieces == 1;
    do { /* twice in the team that leaves the last piece: that of the team, then those of all */
      if (lanes == USW_TEAM_SIZE)
        USW_F(_fold_accumulators)(a);
      else
        USW_F(_fold_lanes)(a, lanes);
      if (is_whole)
        break;
      is_whole = USW_F(_leave_piece)(a, share, r, piece, pieces);
    } while (is_whole);
    if (is_whole && lane == 0 && unit < units)
      USW_F(_write_results)(a, start.result, arguments, range.first >= range.end);
    if (lanes == USW_TEAM_SIZE)
      usw_port_barrier(); /* the next fold takes the same team memory */
  }
}

/* ---- columns ---- */

#if USW_AXES
/* Fold the accumulators of the threads of each column into that of its first one. */
USW_INLINE void USW_F(_fold_strip)(USW_F(_acc) * a, uint32_t row, uint32_t column, uint32_t across, uint32_t down) {
  uint32_t words[USW_F(_strip_words)];
#pragma nounroll
  for (uint32_t half = down / 2; half > 0; half /= 2) {
    if (row >= half && row < 2 * half) {
      __builtin_memcpy(words, (const void *)a, sizeof words);
      USW_UNROLL for (uint32_t w = 0; w < USW_F(_strip_words); w++) USW_F(_strip)[w][(row - half) * across + column] =
          words[w];
    }
    usw_port_barrier();
    if (row < half) {
      USW_F(_acc) other;
      USW_UNROLL for (uint32_t w = 0; w < USW_F(_strip_words); w++) words[w] = USW_F(_strip)[w][row * across + column];
      __builtin_memcpy((void *)&other, words, sizeof words);
      USW_F(_merge)(a, &other);
    }
    usw_port_barrier();
  }
}

/* The threads of a strip: across, each has up to `_vector` columns; down, they take items in turn. */
typedef struct {
  uint32_t columns, across, down, row, column;
  size_t r; /* the first of the thread's columns */
  int has_column;
} USW_F(_seat);

/* Fold a strip's accumulators into those of its first row. */
USW_INLINE void USW_F(_fold_columns)(USW_F(_acc) * a, const USW_F(_seat) seat) {
  if (USW_F(_folds_strips))
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) if (k < seat.columns)
        USW_F(_fold_strip)(&a[k], seat.row, seat.column, seat.across, seat.down);
}

/* A team's piece of a strip; in the team that leaves its last one, the partials of all. 1 there. */
USW_INLINE int USW_F(_leave_piece_of_strip)(USW_F(_acc) * a, const USW_F(_share_of_results) share,
                                            const USW_F(_seat) seat, size_t strip, size_t piece) {
  const size_t results = share.arguments->usw_results, pieces = share.arguments->usw_pieces;
  if (seat.has_column && seat.row == 0)
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) if (k < seat.columns)
        share.partials[piece * results + seat.r + k] = a[k];
  usw_port_barrier();
  if (!USW_F(_is_last_of)((uint32_t)pieces, &share.ticket[1 + strip]))
    return 0;
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) USW_F(_identity)(&a[k]);
#pragma nounroll
  for (size_t p = seat.row; seat.has_column && p < pieces; p += seat.down)
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) if (k < seat.columns) {
      const USW_F(_acc) partial = share.partials[p * results + seat.r + k];
      USW_F(_merge)(&a[k], &partial);
    }
  if (usw_port_thread() == 0)
    share.ticket[1 + strip] = 0;
  return 1;
}

#if USW_BY_COLUMNS
#include <upsweep/engine/team_columns.h>
#endif

/* A thread's items of its columns, into fresh accumulators. */
USW_INLINE void USW_F(_take_seat)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_seat) seat, usw_offset_t start,
                                  usw_range_t range, const USW_F(_arguments) * arguments) {
  size_t count;
#if USW_BY_COLUMNS
  if (seat.has_column && range.first < range.end && arguments->usw_reduced_levels == 0 &&
      USW_F(_take_columns)(a, seat, start, range, arguments))
    return;
#endif
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) USW_F(_identity)(&a[k]);
#pragma nounroll
  for (size_t i = range.first; seat.has_column && i < range.end; i += count) {
    const USW_F(_arguments) run = USW_F(_run_from)(arguments, start, i, range.end, &count);
    if (USW_F(_vector) > 1 && seat.columns > 1)
      USW_F(_take_lines)(a, s, &run, count, seat.row, seat.down, 1);
    else
      USW_F(_take_lines)(a, s, &run, count, seat.row, seat.down, 0);
  }
}

/* A team's piece of a strip. */
USW_INLINE void USW_F(_visit_strip)(const USW_F(_share_of_results) share, size_t strip, size_t piece) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const uint32_t thread = usw_port_thread(), across = (uint32_t)arguments->usw_across;
  const size_t line = arguments->usw_kept_levels == 0 ? 0 : strip / arguments->usw_strips_of_line;
  USW_F(_seat)
  seat = {(uint32_t)(arguments->usw_has_vectors ? USW_F(_vector) : 1),
          across,
          USW_TEAM_SIZE / across,
          thread / across,
          thread & (across - 1),
          0,
          0};
  const size_t in_line = ((strip - line * arguments->usw_strips_of_line) * across + seat.column) * seat.columns;
  seat.r = line * arguments->usw_width + in_line;
  seat.has_column = in_line < arguments->usw_width;
  const usw_range_t range = USW_F(_items_of_piece)(seat.r, piece, arguments);
  const usw_offset_t start = USW_F(_start_in_line)(line, in_line, arguments);
  USW_F(_acc) a[USW_F(_vector)];
  USW_F(_take_seat)(a, share.s, seat, start, range, arguments);
  int is_whole = arguments->usw_pieces == 1;
  do { /* twice in the team that leaves the last piece, as for rows */
    USW_F(_fold_columns)(a, seat);
    if (is_whole)
      break;
    is_whole = USW_F(_leave_piece_of_strip)(a, share, seat, strip, piece);
  } while (is_whole);
  if (is_whole && seat.has_column && seat.row == 0)
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) if (k < seat.columns) USW_F(_write_results)(
        &a[k], start.result + k * arguments->usw_result_step, arguments, range.first >= range.end);
}

USW_INLINE void USW_F(_visit_strips)(const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const size_t units = arguments->usw_strips * arguments->usw_pieces;
#pragma nounroll
  for (size_t unit = usw_port_team(); unit < units; unit += usw_port_teams()) {
    const size_t piece = arguments->usw_pieces == 1 ? 0 : unit / arguments->usw_strips;
    USW_F(_visit_strip)(share, unit - piece * arguments->usw_strips, piece);
    usw_port_barrier(); /* between one's tickets and the next one's */
  }
}
#endif

#if USW_SEGMENTS
#include <upsweep/engine/team_segments.h>
#endif

/* The results of a launch. */
USW_INLINE void USW_F(_visit_results_of_team)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
#if USW_SEGMENTS
  if (share.arguments->usw_blocks > 0) {
    USW_F(_visit_segments_of_team)(share);
    return;
  }
#endif
#if USW_AXES
  USW_F(_put_levels)(share.arguments);
  if (share.arguments->usw_across > 0) {
    USW_F(_visit_strips)(share);
    return;
  }
#endif
  USW_F(_visit_rows)(a, share);
}
