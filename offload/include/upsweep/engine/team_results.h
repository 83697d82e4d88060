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
enum { USW_MOST_AT_ONCE = 16, USW_FEW_AT_ONCE = 4, USW_STRIP_ROOM = 4096 /* bytes of team memory */ };
#define USW_AND_ON_BOUNDARY(T, n) &&((uintptr_t)arguments->n & 15) == 0
#define USW_COLUMN_BUFFER(T, n) T n[USW_F(_vector)];
#define USW_GO_DOWN(T, n) line->n += (ptrdiff_t)items * line->usw_stride_##n;
#define USW_LOAD_COLUMNS(T, n)                                                                                         \
  if (!is_vector)                                                                                                      \
    items->n[0] = *arguments->n;                                                                                       \
  else if (sizeof items->n % 16 == 0)                                                                                  \
    usw_move_here(items->n, arguments->n, sizeof items->n);                                                            \
  else                                                                                                                 \
    __builtin_memcpy(items->n, __builtin_assume_aligned(arguments->n, sizeof items->n > 16 ? 16 : sizeof items->n),    \
                     sizeof items->n);
#define USW_VISIT_LOADED_COLUMN(T, n) , items->n[k]
/* Elements come to depend on all loads, by a word that is 0, as there are not so many results, which compilers do not know: those of `count`
 * items, of each of which `loaded` are there; or, where accumulators fill the registers, those of the first item on a word of each other one. (H200:
 * largest of 2^8 rows of 2^20 doubles 604 us, so 510. Descriptions of them take 731; with all elements held 755.) */
#define USW_GATHER_WORDS(T, n) word |= usw_words_of(items[u].n, (holds_all ? elements : 1) * sizeof(T), sizeof(T));
#define USW_HOLD_ELEMENTS(T, n) usw_change_bits(items[u].n, elements * sizeof(T), sizeof(T), word & zero);
#define USW_OF_HELD_ITEMS(first, count, ...)                                                                           \
  USW_UNROLL for (uint32_t u = first; USW_F(_is_slow) && u < (count); u++) { __VA_ARGS__ }
#define USW_HOLD(items, count, loaded)                                                                                 \
  const int holds_all USW_UNUSED = sizeof(USW_F(_acc)) <= USW_SMALL_BYTES;                                             \
  const uint32_t zero USW_UNUSED = (uint32_t)(arguments->usw_results >> 63);                                           \
  uint32_t word USW_UNUSED = 0;                                                                                        \
  const size_t elements USW_UNUSED = loaded;                                                                           \
  (void)items;                                                                                                         \
  USW_OF_HELD_ITEMS(!holds_all, count, USW_ARGS(USW_GATHER_WORDS, USW_NOTHING, USW_NOTHING))                           \
  USW_OF_HELD_ITEMS(0, holds_all ? (count) : 1, USW_ARGS(USW_HOLD_ELEMENTS, USW_NOTHING, USW_NOTHING))

/* A word of every 8 bytes, or of every element that has more. */
USW_INLINE uint32_t usw_words_of(const void *elements, size_t bytes, size_t of_element) {
  const size_t step = of_element > 2 * sizeof(uint32_t) ? of_element : 2 * sizeof(uint32_t);
  uint32_t words = 0;
  USW_UNROLL for (size_t k = 0; k < bytes; k += step) {
    uint32_t word = 0;
    __builtin_memcpy(&word, (const char *)elements + k, bytes - k < sizeof word ? bytes - k : sizeof word);
    words |= word;
  }
  return words;
}
/* Turn bits of every word round, or of every element's first. */
USW_INLINE void usw_change_bits(void *elements, size_t bytes, size_t of_element, uint32_t bits) {
  const size_t step = of_element > sizeof(uint32_t) ? of_element : sizeof(uint32_t);
  USW_UNROLL for (size_t k = 0; k < bytes; k += step) {
    char *const at = (char *)elements + k;
    const size_t some = bytes - k < sizeof(uint32_t) ? bytes - k : sizeof(uint32_t);
    uint32_t word = 0;
    __builtin_memcpy(&word, at, some);
    word ^= bits;
    __builtin_memcpy(at, &word, some);
  }
}
#endif

/* ---- what both do ---- */

/* To visit an item, or those of 16 bytes. */
enum { USW_F(_is_slow) = USW_MERGES_SLOWLY || sizeof(USW_F(_acc)) > 8 || USW_F(_item_bytes) < 4 };

/* What the team's threads share of a launch. */
typedef struct {
  const USW_F(_arguments) * arguments;
  USW_F(_spans) * s;
  USW_F(_acc) * partials; /* piece p of result r: number p * results + r */
  uint32_t *ticket;
} USW_F(_share_of_results);

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
  USW_F(_vector) = USW_COLUMNS_OF_THREAD(sizeof(USW_F(_acc)), USW_F(_block), USW_BY_WORDS),
  USW_F(_lines_in_flight) =
      USW_CLAMP(2, USW_BYTES_IN_FLIGHT / ((USW_F(_item_bytes) + !USW_F(_item_bytes)) * (int)USW_F(_vector)),
                USW_F(_heavy) ? 2 : 8),
  /* The same of threads that take one column, or the items of a row. */
  USW_F(_elements_in_flight) =
      USW_CLAMP(2, USW_BYTES_IN_FLIGHT / (USW_F(_item_bytes) + !USW_F(_item_bytes)), USW_F(_heavy) ? 2 : 8),
  USW_F(_partials_in_flight) = USW_CLAMP(1, USW_BYTES_IN_FLIGHT / (int)(sizeof(USW_F(_acc)) * USW_F(_vector)), 8),
  USW_F(_single_partials_in_flight) = USW_CLAMP(1, USW_BYTES_IN_FLIGHT / (int)sizeof(USW_F(_acc)), 8),
  USW_F(_folds_strips) = sizeof(USW_F(_acc)) <= USW_STRIP_BYTES,
  USW_F(_strip_words) = USW_F(_folds_strips) ? sizeof(USW_F(_acc)) / 4 : 1
};

/* The elements of one item in a thread's columns. */
typedef struct {
  USW_ARGS(USW_COLUMN_BUFFER, USW_NOTHING, USW_NOTHING)
  USW_WHERE_SPACE(char usw_end;) /* which need not have streams */
} USW_F(_column_items);

/* A line: the elements of one item, and of the ones below it. */
USW_INLINE void USW_F(_go_down)(USW_F(_arguments) * line, size_t items) {
  (void)line, (void)items; /* not every kernel has streams */
  USW_OWN_ARGUMENTS(USW_GO_DOWN, USW_NOTHING, USW_NOTHING, USW_NOTHING)
}
USW_INLINE void USW_F(_load_columns)(USW_F(_column_items) * items, const USW_F(_arguments) * arguments, int is_vector) {
  (void)items, (void)arguments, (void)is_vector;
  USW_ARGS(USW_LOAD_COLUMNS, USW_NOTHING, USW_NOTHING)
}
USW_INLINE void USW_F(_visit_loaded_column)(USW_F(_acc) * a, USW_F(_spans) * s,
                                            const USW_F(_column_items) * items USW_UNUSED,
                                            const USW_F(_arguments) * arguments, size_t i, uint32_t k) {
  USW_F(_visit)(a, s,
                USW_INDICES_IN_LINE(i, k) USW_OWN_ARGUMENTS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                            USW_VISIT_OTHER) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* Where items take many steps: let nothing be done with the elements of the first line before those of all `lines` are under way. Assemblers
 * spread loads among what is done with them, and each is waited for then. (Description of u8, 2^14 rows and columns, H200: 829 us, so 302; but
 * sums of f32 256 us, so 270.) */
USW_INLINE void USW_F(_hold_lines)(USW_F(_column_items) * items, uint32_t lines, int is_vector,
                                   const USW_F(_arguments) * arguments) {
  USW_HOLD(items, lines, (is_vector ? USW_F(_vector) : 1))
}

/* Which items of a run threads take: those of a column are `down` items apart, the first one `row`. at_once: how many are loaded so at most,
 * which compilers know. */
typedef struct {
  uint32_t row, down, at_once;
} USW_F(_turn);
USW_INLINE uint32_t USW_F(_lines_at_once)(const USW_F(_turn) turn, int is_vector) {
  const uint32_t lines = is_vector ? USW_F(_lines_in_flight) : USW_F(_elements_in_flight);
  return lines < turn.at_once ? lines : turn.at_once;
}

/* Items i, i + down, ... of a run, `left` of them at most, into the accumulators of a thread's columns. In place of what there is not the last
 * one is loaded again: loads that wait for no condition are under way together. Each address follows from the one before, which takes fewer
 * steps and registers than a product for each. */
USW_INLINE void USW_F(_take_some_lines)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, size_t i,
                                        size_t left, const USW_F(_turn) turn, int is_vector) {
  enum {
    MOST = USW_F(_elements_in_flight) > USW_F(_lines_in_flight) ? USW_F(_elements_in_flight) : USW_F(_lines_in_flight)
  };
  const uint32_t lines = USW_F(_lines_at_once)(turn, is_vector);
  USW_F(_column_items) items[MOST];
  USW_F(_arguments) line = *run;
  USW_F(_go_down)(&line, i);
  USW_UNROLL for (uint32_t u = 0; u < lines; u++) {
    if (u > 0)
      USW_F(_go_down)(&line, u < left ? turn.down : 0);
    USW_F(_load_columns)(&items[u], &line, is_vector);
  }
  USW_F(_hold_lines)(items, lines, is_vector, run);
  USW_UNROLL for (uint32_t u = 0; u < lines; u++) if (u < left)
      USW_UNROLL for (uint32_t k = 0; k < (is_vector ? USW_F(_vector) : 1); k++)
          USW_F(_visit_loaded_column)(&a[k], s, &items[u], run, i + u * (size_t)turn.down, k);
}

/* A thread's items of a run. */
USW_INLINE void USW_F(_take_lines)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, size_t count,
                                   const USW_F(_turn) turn, int is_vector) {
  const size_t step = USW_F(_lines_at_once)(turn, is_vector) * (size_t)turn.down;
  size_t i = turn.row;
#pragma nounroll
  for (; i + (step - turn.down) < count; i += step)
    USW_F(_take_some_lines)(a, s, run, i, USW_F(_lines_at_once)(turn, is_vector), turn, is_vector);
  if (i < count)
    USW_F(_take_some_lines)(a, s, run, i, (count - i + turn.down - 1) / turn.down, turn, is_vector);
}
#endif

#include <upsweep/engine/team_rows.h>

#if USW_SEGMENTS
/* Tell the host, which watches, that all is written. */
USW_INLINE void USW_F(_tell_end)(const USW_F(_arguments) * arguments) {
  usw_port_publish();
  ((volatile uint64_t *)(uintptr_t)arguments->usw_wrong)[1] = 1;
}

#include <upsweep/engine/team_segments.h>

#include <upsweep/engine/team_few_items.h>

/* The same in the team that ends last, which then makes the first `tickets` ready for the next launch: the library orders one with the same tickets
 * behind this one, whatever the host has been told. */
USW_INLINE void USW_F(_tell_end_of_teams)(const USW_F(_share_of_results) share, uint32_t tickets) {
  usw_port_barrier();
  if (usw_port_thread() == 0) {
    USW_F(_is_last) = usw_port_take_ticket(share.ticket) == usw_port_teams() - 1;
    if (USW_F(_is_last))
      USW_F(_tell_end)(share.arguments);
  }
  usw_port_barrier();
  if (!USW_F(_is_last))
    return;
#pragma nounroll
  for (uint32_t k = usw_port_thread(); k < tickets; k += USW_TEAM_SIZE)
    share.ticket[k] = 0;
}
#endif

#if USW_AXES
#include <upsweep/engine/team_strips.h>
#endif

/* Rows or columns of a launch. */
USW_INLINE void USW_F(_visit_rows_or_columns)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
#if USW_AXES
  USW_F(_put_levels)(share.arguments);
  if (share.arguments->usw_across > 0) {
    USW_F(_visit_strips)(share);
    return;
  }
#endif
  USW_F(_visit_rows)(a, share);
}

/* The results of a launch. */
USW_INLINE void USW_F(_visit_results_of_team)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
#if USW_SEGMENTS
  const USW_F(_arguments) *const arguments = share.arguments;
  if (arguments->usw_blocks > 0) {
    USW_F(_visit_segments_of_team)(share);
  } else if (USW_F(_has_few_items)(arguments)) {
    USW_F(_visit_few_items)(a, share);
    USW_F(_tell_end_of_teams)(share, 1 + USW_F(_portions)(arguments));
  } else {
    USW_F(_visit_rows_or_columns)(a, share);
    if (arguments->usw_wrong != 0) /* whoever watches */
      USW_F(_tell_end_of_teams)(share, 1);
  }
#else
  USW_F(_visit_rows_or_columns)(a, share);
#endif
}
