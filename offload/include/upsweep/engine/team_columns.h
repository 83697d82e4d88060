/* Columns of a thread on a GPU, for kernels by columns (USW_BY_COLUMNS; many_items.h): what is known of a column's items takes fewer registers
 * and steps than the accumulator, which is made of it at the end; or what is known of the columns of a word of 4 bytes (USW_BY_WORDS). The bits are
 * those of visiting items one by one. */

#ifndef UPSWEEP_ENGINE_TEAM_COLUMNS_ONCE
#define UPSWEEP_ENGINE_TEAM_COLUMNS_ONCE
enum { USW_BYTES_OF_COLUMNS = 64 /* in flight: as many lines as that takes */ };
#endif

enum {
  USW_F(_lines_of_columns) = USW_CLAMP(
      2, USW_BYTES_OF_COLUMNS / ((USW_F(_item_bytes) + !USW_F(_item_bytes)) * (int)USW_F(_vector)), USW_MOST_AT_ONCE)
};

/* Some of the lines of a thread's turn, from item i on, of `count` items. In place of what there is not the last one is loaded again. */
typedef struct {
  const USW_F(_arguments) * run;
  size_t i, count;
  USW_F(_turn) turn;
  int is_vector, is_whole; /* whole: all of them are there */
} USW_F(_lines);

USW_INLINE uint32_t USW_F(_lines_of_turn)(const USW_F(_turn) turn) {
  return USW_F(_lines_of_columns) < turn.at_once ? USW_F(_lines_of_columns) : turn.at_once;
}
USW_INLINE int USW_F(_has_line)(const USW_F(_lines) lines, uint32_t u) {
  return u == 0 || lines.is_whole || lines.i + u * (size_t)lines.turn.down < lines.count;
}

USW_INLINE void USW_F(_load_lines)(USW_F(_column_items) * items, const USW_F(_lines) lines) {
  USW_F(_arguments) line = *lines.run;
  USW_F(_go_down)(&line, lines.i);
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_lines_of_turn)(lines.turn); u++) {
    if (u > 0)
      USW_F(_go_down)(&line, USW_F(_has_line)(lines, u) ? lines.turn.down : 0);
    USW_F(_load_columns)(&items[u], &line, lines.is_vector);
  }
  USW_F(_hold_lines)(items, USW_F(_lines_of_turn)(lines.turn), lines.is_vector, lines.run);
}

/* Those from line `from` on; `item` is the number of the first line's items. */
USW_INLINE void USW_F(_see_lines)(USW_F(_column) * columns, const USW_F(_column_items) * loaded,
                                  const USW_F(_lines) lines, uint32_t from, uint32_t item) {
  const USW_F(_arguments) *const arguments USW_UNUSED = lines.run;
  USW_UNROLL for (uint32_t u = from; u < USW_F(_lines_of_turn)(lines.turn); u++) {
    const USW_F(_column_items) *const items = &loaded[u];
    if (USW_F(_has_line)(lines, u))
      USW_UNROLL for (uint32_t k = 0; k < (lines.is_vector ? USW_F(_vector) : 1); k++)
          USW_F(_see_item)(&columns[k], item + u USW_ARGS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  }
}

/* The first lines: columns begin with the first items. 0: the kernel takes none. */
USW_INLINE int USW_F(_begin_columns_of_thread)(USW_F(_column) * columns, const USW_F(_lines) lines) {
  const USW_F(_arguments) *const arguments USW_UNUSED = lines.run;
  USW_F(_column_items) loaded[USW_F(_lines_of_columns)];
  const USW_F(_column_items) *const items = loaded;
  int takes = 1;
  USW_F(_load_lines)(loaded, lines);
  USW_UNROLL for (uint32_t k = 0; k < (lines.is_vector ? USW_F(_vector) : 1); k++) takes &=
      USW_F(_begin_column)(&columns[k] USW_ARGS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  USW_F(_see_lines)(columns, loaded, lines, 1, 0);
  return takes;
}

/* Tell the accumulators of so many items. 0: one of them has to see each. */
USW_INLINE int USW_F(_end_columns_of_thread)(USW_F(_acc) * a, const USW_F(_column) * columns, const USW_F(_lines) lines,
                                             uint32_t count) {
  const USW_F(_arguments) *const arguments = lines.run;
  int have_ended = 1;
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++) {
    USW_F(_identity)(&a[k]);
    if (k == 0 || lines.is_vector)
      have_ended &= USW_F(_end_column)(&a[k], &columns[k], lines.turn.row + arguments->usw_first, lines.turn.down,
                                       count USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  }
  return have_ended;
}

#if USW_BY_WORDS
/* ---- columns that share words of 4 bytes: several of them in an instruction ---- */

enum {
  USW_F(_columns_of_word) = 4 / USW_F(_item_bytes),
  USW_F(_column_words) = USW_F(_vector) / USW_F(_columns_of_word), /* of a thread */
  USW_F(_loads_lines_ahead) = sizeof(USW_F(_acc)) > USW_SMALL_BYTES &&USW_F(_item_bytes) > 1
};
_Static_assert(USW_F(_column_words) > 0 && USW_F(_inputs) == 1, "a thread's columns of the only stream fill words");

USW_INLINE int USW_F(_begin_words)(USW_F(_word) * words, const USW_F(_arguments) * arguments USW_UNUSED) {
  int takes = 1;
  USW_UNROLL for (uint32_t w = 0; w < USW_F(_column_words); w++) takes &=
      USW_F(_begin_word)(&words[w] USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  return takes;
}

/* See loaded lines; `item` is the number of the first one's items since the words began. */
USW_INLINE void USW_F(_see_loaded_words)(USW_F(_word) * words, const USW_F(_column_items) * loaded,
                                         const USW_F(_lines) lines, uint32_t item) {
  const USW_F(_arguments) *const arguments USW_UNUSED = lines.run;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_lines_of_turn)(lines.turn); u++) {
    uint32_t bits[USW_F(_column_words)];
    __builtin_memcpy(bits, &loaded[u], sizeof bits);
    if (USW_F(_has_line)(lines, u))
      USW_UNROLL for (uint32_t w = 0; w < USW_F(_column_words); w++)
          USW_F(_see_word)(&words[w], item + u, bits[w] USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  }
}

/* The lines from item i on. */
USW_INLINE void USW_F(_see_lines_of_words)(USW_F(_word) * words, const USW_F(_lines) lines, uint32_t item) {
  USW_F(_column_items) loaded[USW_F(_lines_of_columns)];
  USW_F(_load_lines)(loaded, lines);
  USW_F(_see_loaded_words)(words, loaded, lines, item);
}

/* Let the columns know of so many items, and begin the words anew. */
USW_INLINE void USW_F(_settle_words)(USW_F(_column) * columns, USW_F(_word) * words, uint32_t first, uint32_t items,
                                     const USW_F(_arguments) * arguments) {
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_vector); k++)
      USW_F(_settle_word)(&columns[k], &words[k / USW_F(_columns_of_word)], k % USW_F(_columns_of_word), first,
                          items USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  USW_F(_begin_words)(words, arguments);
}

/* A thread's `items` items of a run in columns side by side. 0: the kernel takes none. */
USW_INLINE int USW_F(_take_lines_of_words)(USW_F(_column) * columns, USW_F(_lines) lines, uint32_t items) {
  const uint32_t at_once = USW_F(_lines_of_turn)(lines.turn);
  USW_F(_word) words[USW_F(_column_words)];
  if (!USW_F(_begin_words)(words, lines.run))
    return 0;
#pragma nounroll
  for (uint32_t first = 0, count; first < items; first += count) {
    uint32_t item = 0;
    count = items - first < USW_WORD_ITEMS ? items - first : USW_WORD_ITEMS;
    lines.is_whole = 1;
#pragma nounroll
    for (; item + at_once <= count; item += at_once, lines.i += at_once * (size_t)lines.turn.down)
      USW_F(_see_lines_of_words)(words, lines, item);
    lines.is_whole = 0;
    if (item < count) /* those of the last words alone: USW_WORD_ITEMS are whole rounds */
      USW_F(_see_lines_of_words)(words, lines, item);
    USW_F(_settle_words)(columns, words, first, count, lines.run);
  }
  return 1;
}

/* Load the lines from item i on, if there are such. */
USW_INLINE void USW_F(_load_lines_of_words)(USW_F(_column_items) * loaded, USW_F(_lines) lines) {
  const size_t of_last = (USW_F(_lines_of_turn)(lines.turn) - 1) * (size_t)lines.turn.down;
  lines.is_whole = 1;
  if (lines.i + of_last < lines.count) {
    USW_F(_load_lines)(loaded, lines);
    return;
  }
  lines.is_whole = 0;
  if (lines.i < lines.count)
    USW_F(_load_lines)(loaded, lines);
}

/* The same as _take_lines_of_words(), where the next lines are loaded while some are seen: of large accumulators few threads run. (H200,
 * descriptions of i16 along axis 0, us: 2^14 x 2^14 359, so 270; but whole columns (team_whole_columns.h), which lie side by side, 209, so 262; and of
 * u8, of which a load brings twice as many, 183, so 216.) */
USW_INLINE int USW_F(_take_lines_of_words_ahead)(USW_F(_column) * columns, USW_F(_lines) lines, uint32_t items) {
  const uint32_t at_once = USW_F(_lines_of_turn)(lines.turn);
  USW_F(_word) words[USW_F(_column_words)];
  USW_F(_column_items) loaded[USW_F(_lines_of_columns)], next[USW_F(_lines_of_columns)];
  if (!USW_F(_begin_words)(words, lines.run))
    return 0;
  USW_F(_load_lines_of_words)(loaded, lines);
#pragma nounroll
  for (uint32_t first = 0, count; first < items; first += count) {
    count = items - first < USW_WORD_ITEMS ? items - first : USW_WORD_ITEMS;
#pragma nounroll
    for (uint32_t item = 0; item < count; item += at_once) {
      USW_F(_lines) seen = lines;
      lines.i += at_once * (size_t)lines.turn.down;
      USW_F(_load_lines_of_words)(next, lines);
      seen.is_whole = 1;
      if (item + at_once <= count) {
        USW_F(_see_loaded_words)(words, loaded, seen, item);
      } else {
        seen.is_whole = 0;
        USW_F(_see_loaded_words)(words, loaded, seen, item);
      }
      __builtin_memcpy(loaded, next, sizeof loaded);
    }
    USW_F(_settle_words)(columns, words, first, count, lines.run);
  }
  return 1;
}
#endif

/* A thread's items of a run, into fresh accumulators of its columns. 0: the kernel takes none. */
USW_INLINE int USW_F(_take_lines_of_columns)(USW_F(_acc) * a, const USW_F(_arguments) * run, size_t count,
                                             const USW_F(_turn) turn, int is_vector, int is_whole USW_UNUSED) {
  const uint32_t at_once = USW_F(_lines_of_turn)(turn);
  const size_t step = at_once * (size_t)turn.down;
  USW_F(_column) columns[USW_F(_vector)];
  USW_F(_column_items) loaded[USW_F(_lines_of_columns)];
  USW_F(_lines) lines = {run, turn.row, count, turn, is_vector, 0};
  uint32_t item = at_once;
  if (turn.row >= count || count > UINT32_MAX)
    return 0;
  const uint32_t items = ((uint32_t)count - turn.row - 1) / turn.down + 1;
#if USW_BY_WORDS
  if (is_vector && USW_F(_loads_lines_ahead) && !is_whole)
    return USW_F(_take_lines_of_words_ahead)(columns, lines, items) &&
           USW_F(_end_columns_of_thread)(a, columns, lines, items);
  if (is_vector)
    return USW_F(_take_lines_of_words)(columns, lines, items) &&
           USW_F(_end_columns_of_thread)(a, columns, lines, items);
#endif
  if (!USW_F(_begin_columns_of_thread)(columns, lines))
    return 0;
  lines.is_whole = 1;
#pragma nounroll
  for (lines.i += step; lines.i + (step - turn.down) < count; lines.i += step, item += at_once) {
    USW_F(_load_lines)(loaded, lines);
    USW_F(_see_lines)(columns, loaded, lines, 0, item);
  }
  lines.is_whole = 0;
  if (lines.i < count) {
    USW_F(_load_lines)(loaded, lines);
    USW_F(_see_lines)(columns, loaded, lines, 0, item);
  }
  return USW_F(_end_columns_of_thread)(a, columns, lines, items);
}

/* A thread's items of its columns, which are one run, into fresh accumulators. 0: the kernel takes none. */
USW_INLINE int USW_F(_take_columns)(USW_F(_acc) * a, const USW_F(_seat) seat, usw_offset_t start, usw_range_t range,
                                    const USW_F(_arguments) * arguments) {
  size_t count;
  const USW_F(_arguments) run = USW_F(_run_from)(arguments, start, range.first, range.end, &count);
  const USW_F(_turn) turn = {seat.row, seat.down, USW_MOST_AT_ONCE};
  if (USW_F(_vector) > 1 && seat.columns > 1)
    return USW_F(_take_lines_of_columns)(a, &run, count, turn, 1, 0);
  return USW_F(_take_lines_of_columns)(a, &run, count, turn, 0, 0);
}
