/* Columns on a GPU (team_results.h), in strips of a team: neighbouring threads take results side by side. */

/* Team memory in which columns of half of a team fold: as many of a thread's at once as there is room for. Kernels with segments stage elements
 * there, in other launches. */
#if USW_SEGMENTS
enum { USW_F(_stage_bytes) = sizeof(USW_F(_stage)) };
#else
enum { USW_F(_stage_bytes) = 0 };
#endif
enum {
  USW_F(_column_bytes) = USW_F(_strip_words) * sizeof(uint32_t) * USW_TEAM_SIZE / 2,
  USW_F(_room_of_strip) = (int)USW_F(_stage_bytes) > USW_STRIP_ROOM ? (int)USW_F(_stage_bytes) : (int)USW_STRIP_ROOM,
  USW_F(_folded_at_once) =
      USW_HIGH_BIT(USW_CLAMP(1, USW_F(_room_of_strip) / (int)USW_F(_column_bytes), (int)USW_F(_vector))),
  USW_F(_strip_bytes) = USW_F(_folded_at_once) * USW_F(_column_bytes),
  USW_F(_shares_stage) = USW_F(_stage_bytes) >= USW_F(_strip_bytes)
};
USW_TEAM_MEMORY uint32_t USW_F(_own_strip)[USW_F(_shares_stage) ? 1 : USW_F(_strip_bytes) / sizeof(uint32_t)]
    __attribute__((aligned(16)));
USW_INLINE USW_TEAM_SPACE uint32_t *USW_F(_strip)(void) {
#if USW_SEGMENTS
  if (USW_F(_shares_stage))
    return (USW_TEAM_SPACE uint32_t *)(USW_TEAM_SPACE void *)USW_F(_stage);
#endif
  return (USW_TEAM_SPACE uint32_t *)USW_F(_own_strip);
}

/* The place of a thread in a strip: across, each has `columns` columns; down, they take items in turn. Both are powers of two. */
typedef struct {
  uint32_t columns, across, down, row, column;
  size_t line, in_line, r; /* the first of the thread's columns, in its line and of all */
  int has_column;
} USW_F(_seat);

USW_INLINE USW_F(_seat)
    USW_F(_find_seat)(size_t strip, uint32_t thread, uint32_t across, const USW_F(_arguments) * arguments) {
  const uint32_t columns = arguments->usw_has_vectors ? USW_F(_vector) : 1;
  const uint32_t row = thread / across, column = thread - row * across;
  const size_t line = arguments->usw_kept_levels == 0 ? 0 : strip / arguments->usw_strips_of_line;
  const size_t in_line = ((strip - line * arguments->usw_strips_of_line) * across + column) * columns;
  const USW_F(_seat) seat = {columns,
                             across,
                             USW_TEAM_SIZE / across,
                             row,
                             column,
                             line,
                             in_line,
                             line * arguments->usw_width + in_line,
                             in_line < arguments->usw_width};
  return seat;
}
/* The same, found anew in kernels by columns whose accumulators leave registers for more: kept over all that a strip takes, it would be in the way
 * of elements, and what registers do not hold every thread writes to memory. (Largest of 256 columns of 2^20 halves on an H200: 180 us, so 149;
 * but descriptions of the same, which have few registers for elements, 299, so 335.) */
#if USW_BY_COLUMNS
enum { USW_F(_finds_seats_anew) = sizeof(USW_F(_acc)) <= USW_SMALL_BYTES };
#else
enum { USW_F(_finds_seats_anew) = 0 };
#endif
USW_INLINE USW_F(_seat) USW_F(_seat_anew)(const USW_F(_seat) seat, size_t strip, const USW_F(_arguments) * arguments) {
  return USW_F(_finds_seats_anew) ? USW_F(_find_seat)(strip, usw_port_opaque(usw_port_thread()),
                                                      usw_port_opaque((uint32_t)arguments->usw_across), arguments)
                                  : seat;
}

/* A column's accumulator to its place in a strip, and from there. */
USW_INLINE void USW_F(_put_in_strip)(uint32_t k, uint32_t place, const USW_F(_acc) * a) {
  uint32_t words[USW_F(_strip_words)];
  __builtin_memcpy(words, (const void *)a, sizeof words);
  USW_UNROLL for (uint32_t w = 0; w < USW_F(_strip_words); w++)
      USW_F(_strip)()[(k * USW_F(_strip_words) + w) * (USW_TEAM_SIZE / 2) + place] = words[w];
}
USW_INLINE void USW_F(_get_from_strip)(USW_F(_acc) * a, uint32_t k, uint32_t place) {
  uint32_t words[USW_F(_strip_words)];
  USW_UNROLL for (uint32_t w = 0; w < USW_F(_strip_words); w++) words[w] =
      USW_F(_strip)()[(k * USW_F(_strip_words) + w) * (USW_TEAM_SIZE / 2) + place];
  __builtin_memcpy((void *)a, words, sizeof words);
}

USW_INLINE void USW_F(_fold_some_columns)(USW_F(_acc) * a, const USW_F(_seat) seat) {
#pragma nounroll
  for (uint32_t half = seat.down / 2; half > 0; half /= 2) {
    if (seat.row >= half && seat.row < 2 * half)
      USW_UNROLL for (uint32_t k = 0; k < USW_F(_folded_at_once); k++) if (k < seat.columns)
          USW_F(_put_in_strip)(k, (seat.row - half) * seat.across + seat.column, &a[k]);
    usw_port_barrier();
    if (seat.row < half)
      USW_UNROLL for (uint32_t k = 0; k < USW_F(_folded_at_once); k++) if (k < seat.columns) {
        USW_F(_acc) other;
        USW_F(_get_from_strip)(&other, k, seat.row * seat.across + seat.column);
        USW_F(_merge)(&a[k], &other);
      }
    usw_port_barrier();
  }
}

/* Fold a strip's accumulators into those of its first row: many columns of a thread between two barriers, which are what takes long. (H200, 2^20
 * rows of 256, us, a column at a time and so: sums of f16 150, 142; of u8 133, 125; largest of u8 129, 114.) */
USW_INLINE void USW_F(_fold_columns)(USW_F(_acc) * a, const USW_F(_seat) seat) {
  if (!USW_F(_folds_strips))
    return;
  USW_UNROLL for (uint32_t first = 0; first < USW_F(_vector); first += USW_F(_folded_at_once)) if (first < seat.columns)
      USW_F(_fold_some_columns)(a + first, seat);
}

/* Fold partials of a thread's columns, `step` partials apart, `left` of them at most: as in _take_some_lines(). */
USW_INLINE void USW_F(_fold_some_partials)(USW_F(_acc) * a, const USW_F(_acc) * partials, size_t left, size_t step,
                                           int is_vector) {
  enum {
    SINGLE = USW_F(_single_partials_in_flight),
    MOST = SINGLE > USW_F(_partials_in_flight) * USW_F(_vector) ? SINGLE : USW_F(_partials_in_flight) * USW_F(_vector)
  };
  const uint32_t columns = is_vector ? USW_F(_vector) : 1, at_once = is_vector ? USW_F(_partials_in_flight) : SINGLE;
  USW_F(_acc) loaded[MOST];
  USW_UNROLL for (uint32_t u = 0; u < at_once; u++) USW_UNROLL for (uint32_t k = 0; k < columns; k++)
      loaded[u * columns + k] = partials[(u < left ? u * step : 0) + k];
  USW_UNROLL for (uint32_t u = 0; u < at_once; u++) if (u < left) USW_UNROLL for (uint32_t k = 0; k < columns; k++)
      USW_F(_merge)(&a[k], &loaded[u * columns + k]);
}

/* All partials of a thread's columns: `count` of them. */
USW_INLINE void USW_F(_fold_partials_of_columns)(USW_F(_acc) * a, const USW_F(_acc) * partials, size_t count,
                                                 size_t step, int is_vector) {
  const size_t at_once = is_vector ? USW_F(_partials_in_flight) : USW_F(_single_partials_in_flight);
#pragma nounroll
  for (size_t p = 0; p < count; p += at_once)
    USW_F(_fold_some_partials)(a, partials + p * step, count - p, step, is_vector);
}

/* A team's piece of a strip; in the team that leaves its last one, the partials of all. 1 there. */
USW_INLINE int USW_F(_leave_piece_of_strip)(USW_F(_acc) * a, const USW_F(_share_of_results) share, USW_F(_seat) seat,
                                            size_t strip, size_t piece) {
  const size_t results = share.arguments->usw_results, pieces = share.arguments->usw_pieces;
  if (seat.has_column && seat.row == 0)
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) if (k < seat.columns)
        share.partials[piece * results + seat.r + k] = a[k];
  usw_port_barrier();
  if (!USW_F(_is_last_of)((uint32_t)pieces, &share.ticket[1 + strip]))
    return 0;
  seat = USW_F(_seat_anew)(seat, strip, share.arguments);
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) USW_F(_identity)(&a[k]);
  const USW_F(_acc) *const partials = &share.partials[seat.row * results + seat.r];
  const size_t count = seat.has_column && seat.row < pieces ? (pieces - seat.row - 1) / seat.down + 1 : 0;
  if (USW_F(_vector) > 1 && seat.columns > 1)
    USW_F(_fold_partials_of_columns)(a, partials, count, seat.down * results, 1);
  else
    USW_F(_fold_partials_of_columns)(a, partials, count, seat.down * results, 0);
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
    const USW_F(_turn) turn = {seat.row, seat.down, USW_MOST_AT_ONCE};
    if (USW_F(_vector) > 1 && seat.columns > 1)
      USW_F(_take_lines)(a, s, &run, count, turn, 1);
    else
      USW_F(_take_lines)(a, s, &run, count, turn, 0);
  }
}

/* A team's piece of a strip. */
USW_INLINE void USW_F(_visit_strip)(const USW_F(_share_of_results) share, size_t strip, size_t piece) {
  const USW_F(_arguments) *const arguments = share.arguments;
  USW_F(_seat) seat = USW_F(_find_seat)(strip, usw_port_thread(), (uint32_t)arguments->usw_across, arguments);
  seat = USW_F(_seat_anew)(seat, strip, arguments);
  const usw_range_t range = USW_F(_items_of_piece)(seat.r, piece, arguments);
  usw_offset_t start = USW_F(_start_in_line)(seat.line, seat.in_line, arguments);
  USW_F(_acc) a[USW_F(_vector)];
  USW_F(_take_seat)(a, share.s, seat, start, range, arguments);
  int is_whole = arguments->usw_pieces == 1;
  do { /* twice in the team that leaves the last piece, as for rows */
    seat = USW_F(_seat_anew)(seat, strip, arguments);
    USW_F(_fold_columns)(a, seat);
    if (is_whole)
      break;
    seat = USW_F(_seat_anew)(seat, strip, arguments);
    is_whole = USW_F(_leave_piece_of_strip)(a, share, seat, strip, piece);
  } while (is_whole);
  seat = USW_F(_seat_anew)(seat, strip, arguments);
  if (USW_F(_finds_seats_anew))
    start = USW_F(_start_in_line)(seat.line, seat.in_line, arguments);
  if (is_whole && seat.has_column && seat.row == 0)
    USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) if (k < seat.columns) USW_F(_write_results)(
        &a[k], start.result + k * arguments->usw_result_step, arguments, arguments->usw_items == 0);
}

#if !USW_AXES_OF_SPACE
#include <upsweep/engine/team_whole_columns.h>
#endif

USW_INLINE void USW_F(_visit_strips)(const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
#if !USW_AXES_OF_SPACE
  if (USW_F(_are_whole_columns)(arguments)) {
    USW_F(_visit_whole_columns)(share);
    return;
  }
#endif
  const size_t units = arguments->usw_strips * arguments->usw_pieces;
#pragma nounroll
  for (size_t unit = usw_port_team(); unit < units; unit += usw_port_teams()) {
    const size_t piece = arguments->usw_pieces == 1 ? 0 : unit / arguments->usw_strips;
    USW_F(_visit_strip)(share, unit - piece * arguments->usw_strips, piece);
    usw_port_barrier(); /* between one's tickets and the next one's */
  }
}
