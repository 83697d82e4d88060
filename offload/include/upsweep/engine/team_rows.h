/* Rows on a GPU (team_results.h): neighbouring threads take the items of one result. */

/* As _hold_lines(). */
USW_INLINE void USW_F(_hold_blocks)(USW_F(_items) * items, uint32_t blocks,
                                    const USW_F(_arguments) * arguments){USW_HOLD(items, blocks, USW_F(_block))}

/* A worker's whole blocks, of which it has all: a tile at a time, then what is left. */
USW_INLINE void USW_F(_take_blocks)(const USW_F(_worker) w) {
  const size_t group = USW_F(_group_items)(w), tile = USW_F(_tile_items)(w);
  size_t first = USW_F(_start_of)(w);
#pragma nounroll
  for (; first + (tile - group) < w.n; first += tile) {
    const USW_F(_blocks_of_worker) part = USW_F(_whole_tile)(first, USW_F(_known));
    USW_F(_items) items[USW_F(_in_flight)];
    USW_F(_load_groups)(w, items, part);
    USW_F(_hold_blocks)(items, USW_F(_in_flight), w.arguments);
    USW_F(_take_loaded)(w, items, part, 0);
  }
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

#if USW_AXES && !USW_AXES_OF_SPACE
#include <upsweep/engine/team_seen_rows.h>
#endif

/* Items of a result that are a run, by `lanes` threads: those before a boundary of 16 bytes one by one, then blocks, then the rest. The
 * boundary is one of the stream's elements, wherever the stream lies, so that alignment does not show in what is added to what. may_see:
 * nothing has come into the accumulator, so that blocks may be seen (team_seen_rows.h). */
USW_INLINE void USW_F(_take_run)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, size_t count,
                                 size_t to_boundary, uint32_t lane, uint32_t lanes, int may_see) {
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
  int is_taken = 0;
  (void)may_see;
#if USW_AXES && !USW_AXES_OF_SPACE
  if (USW_F(_sees_rows) && may_see && is_aligned && before == 0 && w.n < USW_LONG_ROW)
    is_taken = USW_F(_see_blocks)(w);
#endif
  if (is_aligned && !is_taken)
    USW_F(_take_blocks)(w);
  else if (!is_taken)
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
  const USW_F(_turn) turn = {lane_of_run, run_lanes, USW_MOST_AT_ONCE};
  const int is_alone = arguments->usw_way == USW_ITEMS_ALONE;
  const size_t length = is_alone ? 1 : arguments->usw_length;
  const size_t q = is_alone ? range.first : USW_F(_run_of_item)(range.first, arguments);
  const size_t begin = (q + lane / run_lanes) * length;
#pragma nounroll
  for (size_t i = begin; i < range.end; i += runs * length) {
    const size_t first = i < range.first ? range.first : i;
    size_t count;
    const USW_F(_arguments) run = USW_F(_run_from)(arguments, start, first, usw_least(i + length, range.end), &count);
    if (arguments->usw_way == USW_RUNS_IN_BLOCKS)
      USW_F(_take_run)(a, s, &run, count, USW_F(_to_boundary)(&run, arguments), lane_of_run, run_lanes, i == begin);
    else
      USW_F(_take_lines)(a, s, &run, count, turn, 0);
  }
}
#else
USW_INLINE void USW_F(_take_items)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * arguments,
                                   usw_offset_t start, usw_range_t range, uint32_t lane, uint32_t lanes) {
  size_t count;
  if (range.first >= range.end)
    return;
  const USW_F(_arguments) run = USW_F(_run_from)(arguments, start, range.first, range.end, &count);
  USW_F(_take_run)(a, s, &run, count, USW_F(_to_boundary)(&run, arguments), lane, lanes, 0);
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

#if USW_AXES && !USW_AXES_OF_SPACE
#include <upsweep/engine/team_whole_rows.h>
#endif

USW_INLINE void USW_F(_visit_rows)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
#if USW_AXES && !USW_AXES_OF_SPACE
  if (USW_F(_are_plain_rows)(arguments)) {
    if (USW_F(_are_whole_rows)(arguments)) {
      USW_F(_visit_whole_rows)(a, share);
      return;
    }
    if (arguments->usw_way == USW_RUNS_IN_ELEMENTS) {
      USW_F(_visit_short_rows)(a, share);
      return;
    }
  }
#endif
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
