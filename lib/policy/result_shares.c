#include "policy/result_shares.h"

#include "base/bytes.h"
#include "policy/axes.h"
#include "policy/row_lanes.h"
#include "policy/segment_shares.h"
#include "policy/segments.h"

enum {
  UNITS = 512,     /* pieces of all results that there should be: as many teams run at once on large GPUs */
  MOST_VECTOR = 8, /* columns of a thread */
  LEAST_TILES = 2, /* of a team, in a piece */
  MOST_CUT_ROWS = 2048,
  FEW_ITEMS = 8,          /* runs of fewer are not worth a look at each */
  SHORT_RUN_BYTES = 127,  /* up to which a run's elements are loaded one by one, */
  SHORT_ROW_BYTES = 31,   /* those of rows that are whole blocks of 16 bytes up to this */
  LONG_ITEMS = 4096,      /* of a run with gaps: a team's */
  ELEMENTS_OF_THREAD = 8, /* that are loaded one by one */
  LINES_IN_FLIGHT = 4,    /* of a thread's columns */
  LEAST_LINES = 16,       /* items of a column that are worth a piece */
  USUAL_ACROSS = 64,      /* threads side by side: lines of 1 KiB */
  WHOLE_STRIPS = 512,     /* so many of a team's threads side by side are enough for all teams */
  LEAST_BYTES_BY_WORDS = 1 << 26,
  LEAST_HOST_COLUMNS = 4, /* side by side */
  LEAST_HOST_ROWS = 8,    /* short ones */
  LANE_BYTES = 8,         /* of an accumulator, at most */
  HOST_LINE_BYTES = 1024, /* of an item in columns that a processor takes together */
  HOST_SHARES = 64,       /* of results, that are enough for the cores; where there are fewer, */
  HOST_PIECES = 256,      /* so many pieces at most, */
  PIECE_BYTES = 1 << 19,  /* of so many bytes at least, */
  PIECE_ITEMS = 128,      /* and items of a result, or more, if they are smaller than what a piece leaves of them */
  LINE_BYTES = 128,       /* of the cache */
  FOLDS_OF_THREAD = 4,    /* pieces of a strip that it folds one after the other */
  SECTOR_BYTES = 32
};

_Static_assert(MOST_CUT_ROWS <= USWI_RESULT_TICKETS && UNITS * MOST_VECTOR <= USWI_RESULT_TICKETS,
               "whatever is cut into pieces has a ticket");

static const usw_axes_words_t *words_of(const uswi_call_t *call) {
  return uswi_axes_words((uswi_call_t *)(uintptr_t)call);
}
/* ---- rows ---- */

/* Cut few long results into pieces, each of whole tiles of a team. */
static void cut_rows(const uswi_call_t *call, usw_axes_words_t *words) {
  const usw_results_words_t *results = uswi_results_words_of(call);
  const size_t tile = (size_t)call->kernel->bare.team_size * call->kernel->items_per_thread;
  const size_t wanted = uswi_quotient_up(UNITS, results->usw_results);
  const size_t possible = results->usw_items / (LEAST_TILES * tile);
  const size_t pieces = wanted < possible ? wanted : possible;
  if (results->usw_lanes != call->kernel->bare.team_size || results->usw_results > MOST_CUT_ROWS || pieces < 2)
    return;
  words->usw_items_of_piece = uswi_quotient_up(uswi_quotient_up(results->usw_items, pieces), tile) * tile;
  words->usw_pieces = uswi_quotient_up(results->usw_items, words->usw_items_of_piece);
}

/* Whether results are rows of whole blocks, wherever the stream lies (engine/team_whole_rows.h). */
static int are_whole_rows(const uswi_call_t *call, const usw_axes_words_t *words) {
  const uint32_t block = uswi_block_of(call);
  const int is_pair = !uswi_has_axes_of_space(call->kernel) && call->kernel->stream_count == 2;
  return !uswi_has_axes_of_space(call->kernel) && words->usw_kept_levels + words->usw_reduced_levels == 0 &&
         words->usw_length % block == 0 && words->usw_column_step % block == 0 &&
         (!is_pair || words->usw_second_column_step % block == 0);
}

/* How the runs of a result are taken, and by how many threads each. Short ones element by element: but rows of whole blocks take a tenth of that
 * (H200, 2^23 rows of 96 u8, us: sums 1427, so 220; descriptions 5348, so 367). */
static void choose_way(const uswi_call_t *call, usw_axes_words_t *words) {
  const size_t length = words->usw_length;
  const size_t short_bytes = are_whole_rows(call, words) ? SHORT_ROW_BYTES : SHORT_RUN_BYTES;
  const int is_short = length * call->item_bytes <= short_bytes;
  words->usw_way = words->usw_reduced_levels > 0 && length < FEW_ITEMS ? USW_ITEMS_ALONE
                   : !uswi_has_runs(call) || is_short                  ? USW_RUNS_IN_ELEMENTS
                                                                       : USW_RUNS_IN_BLOCKS;
  uint32_t lanes = uswi_power_of_two_up(uswi_quotient_up(length, ELEMENTS_OF_THREAD), USWI_SUB_GROUP);
  if (words->usw_way == USW_RUNS_IN_BLOCKS)
    lanes = uswi_lanes_in_blocks(call, length);
  else if (length > LONG_ITEMS)
    lanes = call->kernel->bare.team_size;
  if (words->usw_reduced_levels > 0 && lanes > USWI_SUB_GROUP) /* a team takes several runs at once */
    lanes = USWI_SUB_GROUP;
  words->usw_run_lanes = words->usw_way == USW_ITEMS_ALONE ? 1 : lanes;
}

/* Threads that take the runs of a result: several runs at once where results alone leave threads without work. */
static uint32_t lanes_of_result(const uswi_call_t *call, const usw_axes_words_t *words) {
  const usw_results_words_t *results = uswi_results_words_of(call);
  const uint32_t team_size = call->kernel->bare.team_size;
  const size_t at_once = words->usw_way == USW_ITEMS_ALONE
                             ? results->usw_items / ELEMENTS_OF_THREAD
                             : results->usw_items / words->usw_length * words->usw_run_lanes;
  if (words->usw_run_lanes == team_size || (results->usw_results < USWI_FEW_RESULTS && at_once > 2 * USWI_SUB_GROUP))
    return team_size;
  return uswi_power_of_two_up(at_once, USWI_SUB_GROUP);
}

static void share_rows(uswi_call_t *call) {
  usw_results_words_t *results = uswi_results_words(call);
  if (!call->axes) {
    results->usw_lanes = uswi_lanes_in_blocks(call, results->usw_items / results->usw_results);
    return;
  }
  usw_axes_words_t *words = uswi_axes_words(call);
  if (results->usw_items == 0)
    return;
  choose_way(call, words);
  results->usw_lanes = lanes_of_result(call, words);
  if (words->usw_run_lanes > results->usw_lanes)
    words->usw_run_lanes = results->usw_lanes;
  cut_rows(call, words);
}

/* ---- columns ---- */

/* Whether results that lie side by side are visited so: their items do not follow each other. */
static int are_columns(const uswi_call_t *call, const usw_axes_words_t *words) {
  const int is_of_space = uswi_has_axes_of_space(call->kernel),
            is_pair = !is_of_space && call->kernel->stream_count == 2;
  return words->usw_width > 1 && words->usw_column_step == 1 && (!is_pair || words->usw_second_column_step == 1) &&
         (!is_of_space || uswi_has_no_gaps(call)) && !uswi_has_runs(call);
}

/* Whether the kernel sees the columns of a word at once, if its accumulators are large: descriptions of small integers (USW_BY_WORDS). */
static int sees_words(const uswi_call_t *call) {
  return call->item_bytes <= 2 && (call->kernel->facts & USW_FACT_NAN_POLICY) != 0;
}

static uint32_t columns_of_thread(const uswi_call_t *call) {
  return USW_COLUMNS_OF_THREAD(call->kernel->accumulator_bytes, uswi_block_of(call), sees_words(call));
}

/* Whether columns of a thread lie as far from the beginning of each stream as their size goes, in every line. */
static int has_whole_vectors(const uswi_call_t *call, const usw_axes_words_t *words, uint32_t vector) {
  const int is_of_space = uswi_has_axes_of_space(call->kernel);
  const uint64_t levels = words->usw_kept_levels + words->usw_reduced_levels;
  uint64_t steps = is_of_space ? uswi_axes_of_space_words((uswi_call_t *)(uintptr_t)call)->usw_run_step : 0;
  for (uint32_t stream = 0; stream < call->kernel->stream_count; stream++) {
    const uint64_t *level = &words->usw_extent_of_level_0 + 2 + (is_of_space ? 0 : stream);
    steps |= is_of_space ? 0 : (uint64_t)call->strides[stream];
    for (uint64_t l = 0; l < levels; l++, level += USW_WORDS_OF_LEVEL)
      steps |= *level;
  }
  return steps % vector == 0;
}

/* Whether most of what a column moves is its result, and one has several numbers, or those of a thread's vector fill more than a sector of the
 * device's memory: threads that take one column each write them side by side. */
static int are_mostly_results(const uswi_call_t *call, uint32_t vector) {
  size_t bytes = 0;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    bytes += call->kernel->reducers[r].bytes;
  return (bytes > sizeof(uint64_t) || bytes * vector > SECTOR_BYTES) &&
         uswi_results_words_of(call)->usw_items * call->item_bytes < bytes;
}

/* Whether an array of bytes is so small that to end a word's columns would take longer than to see their items. (H200, descriptions along axis 0, us, a
 * column of each thread and four: 2^12 x 2^12 55, 72; 100 x 2^18 39, 87; 2^13 x 2^13 112, 99.) */
static int are_few_bytes(const uswi_call_t *call) {
  const usw_results_words_t *results = uswi_results_words_of(call);
  return call->item_bytes == 1 && sees_words(call) && call->kernel->accumulator_bytes > USWI_SMALL_BYTES &&
         results->usw_items < uswi_quotient_up(LEAST_BYTES_BY_WORDS, results->usw_results);
}

/* Columns that a thread takes by the extents and steps of the array. */
static uint32_t choose_vector(const uswi_call_t *call, const usw_axes_words_t *words) {
  const uint32_t vector = columns_of_thread(call);
  const int takes_vectors = vector > 1 && words->usw_width % vector == 0 && has_whole_vectors(call, words, vector);
  return takes_vectors && !are_mostly_results(call, vector) && !are_few_bytes(call) ? vector : 1;
}

/* Whether they are on boundaries of their size, so that one load takes them. */
static int is_on_boundary(const uswi_call_t *call, uint32_t vector) {
  const usw_kernel_t *k = call->kernel;
  int is_on = 1;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (uswi_is_stream(&k->arguments[a]))
      is_on = is_on && call->arguments[a] % ((uint64_t)vector * k->arguments[a].bytes) == 0;
  return is_on;
}

static size_t strips_of(const uswi_call_t *call, size_t across, uint32_t vector) {
  const size_t width = words_of(call)->usw_width;
  return uswi_results_of(call) / width * uswi_quotient_up(width, vector * across);
}

static void put_strips(uswi_call_t *call, uint32_t vector) {
  usw_axes_words_t *words = uswi_axes_words(call);
  words->usw_strips_of_line = uswi_quotient_up(words->usw_width, (size_t)vector * words->usw_across);
  words->usw_strips = strips_of(call, words->usw_across, vector);
}

/* Pieces of a strip, where strips alone leave teams without work. */
static size_t pieces_of_strip(const uswi_call_t *call, size_t across, uint32_t vector) {
  const size_t strips = strips_of(call, across, vector), down = call->kernel->bare.team_size / across;
  const size_t wanted = strips ? uswi_quotient_up(UNITS, strips) : 1;
  const size_t possible = uswi_results_words_of(call)->usw_items / (down * LEAST_LINES);
  return wanted < possible ? wanted : possible;
}

/* Whether all threads of teams would have columns side by side: of several lines those of whole teams, where it takes long to fold. (H200,
 * descriptions of 256 x 1024 x 1024 along the middle axis, us, of 64 threads side by side and so: f32 358, 310; f16 333, 252; i16 395, 331.) */
static int has_full_teams(const uswi_call_t *call, uint32_t vector) {
  const usw_axes_words_t *words = words_of(call);
  return words->usw_kept_levels == 0 || (call->kernel->accumulator_bytes > USWI_SMALL_BYTES &&
                                         words->usw_width % ((size_t)vector * call->kernel->bare.team_size) == 0);
}

/* Threads side by side. All of a team where there are columns enough for that, so that threads have nothing to fold. Few where strips are so
 * few that their many pieces would take long to fold, but a line of the cache if a sub-group can read one. (H200, us: description of 2^8 x 2^20
 * doubles 957, so 546; largest of 2^18 x 2^10 bytes 387, so 124; its place in 2^8 x 2^20 halves 220 with half a line, so 153.) */
static uint32_t choose_across(const uswi_call_t *call, uint32_t vector) {
  const uint32_t team_size = call->kernel->bare.team_size;
  const uint32_t most_down = uswi_power_of_two_up(uswi_results_words_of(call)->usw_items / LINES_IN_FLIGHT, team_size);
  uint32_t across = uswi_power_of_two_up(uswi_quotient_up(words_of(call)->usw_width, vector), USUAL_ACROSS);
  const size_t bytes = vector * uswi_bytes_of_item(call);
  const uint32_t least = uswi_power_of_two_up(uswi_quotient_up(LINE_BYTES, bytes), USWI_SUB_GROUP);
  if (call->kernel->accumulator_bytes > USW_STRIP_BYTES ||
      (has_full_teams(call, vector) && strips_of(call, team_size, vector) >= WHOLE_STRIPS))
    return team_size;
  if (across * most_down < team_size)
    return team_size / most_down;
  while (across > least && across / 2 * most_down >= team_size &&
         pieces_of_strip(call, across, vector) > FOLDS_OF_THREAD * (team_size / across))
    across /= 2;
  return across;
}

/* Which items a thread adds up depends on threads across and pieces, which follow from extents and steps. So where the elements lie off a
 * boundary, and a thread takes one column at a time, results have the same bits. */
static void share_columns(uswi_call_t *call) {
  usw_axes_words_t *words = uswi_axes_words(call);
  const uint32_t vector = choose_vector(call, words);
  words->usw_across = choose_across(call, vector);
  put_strips(call, vector);
  const size_t items = uswi_results_words_of(call)->usw_items,
               pieces = pieces_of_strip(call, words->usw_across, vector);
  if (pieces > 1) { /* so strips are less than UNITS, and USWI_RESULT_TICKETS with a column for each thread */
    words->usw_items_of_piece = uswi_quotient_up(items, pieces);
    words->usw_pieces = uswi_quotient_up(items, words->usw_items_of_piece);
  }
  words->usw_has_vectors = vector > 1 && is_on_boundary(call, vector);
  if (!words->usw_has_vectors)
    put_strips(call, 1);
}

/* ---- processors ---- */

/* How many items rows may have that are put side by side (engine/side_by_side.h). Places and descriptions of floats have vectors there. (Xeon
 * with vectors of 64 bytes, ns for a row of so many items, by itself and side by side: sum f64 7: 7.8, 3.5; 16: 6.2, 4.5; 32: 13.8, 15.8; f32 7:
 * 7.3, 1.8; 16: 6.6, 2.8; max f64 7: 13.3, 5.0; 16: 13.8, 7.3; 32: 11.5, 12.3; argmax u8 16: 35, 33; 32: 12, 63; f64 7: 20, 11; 48: 24, 23; 64: 25, 30;
 * f32 7: 22, 15; 48: 24, 19; describe f64 7: 91, 22; 100: 177, 102; f32 7: 79, 15; 100: 127, 52.) */
static size_t most_items_side_by_side(const usw_kernel_t *kernel) {
  const int has_strips = (kernel->facts & USW_FACT_INDEX) && (kernel->type == USW_F64 || kernel->type == USW_F32);
  return !has_strips ? 16 : kernel->accumulator_bytes <= USWI_SMALL_BYTES ? 48 : 128;
}

/* How many items rows have that engine/rows_in_lanes.h takes faster: fewer go side by side, and long ones have little to begin and to fold. (Xeon
 * with vectors of 64 bytes, us for 1000 rows, otherwise and in lanes: sum f64 10: 3.6, 7.2; 20: 9, 6; 100: 12, 10; f32 20: 8, 6; 79: 12, 8; max
 * f64 20: 14, 7; 100: 20, 19; 300: 42, 48; f32 100: 17, 11; 300: 42, 26; 1000: 84, 95; argmax f64 64: 41, 36; 100: 59, 48; 4000: 1500, 1800;
 * f32 100: 64, 29; 400: 51, 73; describe f64 48: 43, 45; 100: 103, 78; 400: 286, 149; 2^20: 1330000, 1240000; f32 200: 255, 112; 4000: 1700,
 * 1300; 2^20: 572000, 696000.) */
typedef struct {
  size_t least, most;
} lengths_t;

static lengths_t lengths_in_lanes(const usw_kernel_t *kernel) {
  const int has_places = (kernel->facts & USW_FACT_INDEX) != 0, is_double = kernel->type == USW_F64;
  if (has_places && kernel->accumulator_bytes > USWI_SMALL_BYTES) /* descriptions */
    return (lengths_t){49, 8192};
  if (has_places)
    return (lengths_t){49, is_double ? 2048 : 256};
  if (kernel->facts & USW_FACT_NAN_POLICY) /* extremes */
    return (lengths_t){17, is_double ? 128 : 512};
  return (lengths_t){17, 2048};
}

/* Rows whose items follow each other. Where NaNs are passed over, nothing is compared as processors do. */
static int are_rows_in_lanes(const uswi_call_t *call, const usw_axes_words_t *words) {
  const usw_kernel_t *kernel = call->kernel;
  const lengths_t lengths = lengths_in_lanes(kernel);
  const int has_lanes =
      kernel->facts & USW_FACT_INDEX ? call->options->nan != USW_NAN_IGNORE : kernel->accumulator_bytes <= LANE_BYTES;
  return (kernel->type == USW_F64 || kernel->type == USW_F32) && has_lanes && !uswi_has_axes_of_space(kernel) &&
         uswi_has_no_gaps(call) && words->usw_width >= LEAST_HOST_ROWS && words->usw_length >= lengths.least &&
         uswi_results_words_of(call)->usw_items <= lengths.most;
}

/* Of the host's calls: the x86_64 device takes rows without gaps where they are, so it takes all so, and strides do not show in the bits. */
static int are_short_rows(const uswi_call_t *call, const usw_axes_words_t *words) {
  return !uswi_has_axes_of_space(call->kernel) && words->usw_width >= LEAST_HOST_ROWS && words->usw_length > 0 &&
         words->usw_length <= most_items_side_by_side(call->kernel);
}

static size_t least_of(size_t a, size_t b) { return a < b ? a : b; }

static void choose_way_on_processors(uswi_call_t *call) {
  usw_axes_words_t *words = uswi_axes_words(call);
  if (are_columns(call, words))
    words->usw_across = words->usw_width >= LEAST_HOST_COLUMNS;
  else if (!call->device && are_rows_in_lanes(call, words))
    words->usw_across = USW_ROWS_IN_LANES;
  else if (!call->device && are_short_rows(call, words))
    words->usw_across = USW_ROWS_SIDE_BY_SIDE;
}

/* As many as cores could take, of so many items at least that one core hardly notices them. (One core of a Xeon, us, without pieces and with those
 * of 128 KiB and 64 items: sums of f64 along axis 0 of 1000 x 100 18, 20; of 1024 x 1024 384, 386 to 423.) */
static size_t pieces_of_items(const uswi_call_t *call) {
  const size_t bytes = uswi_bytes_of_item(call);
  const size_t of_partial = uswi_quotient_up(call->kernel->accumulator_bytes, bytes);
  const size_t most = least_of(call->n / uswi_quotient_up(PIECE_BYTES, bytes), HOST_PIECES);
  return least_of(uswi_results_words_of(call)->usw_items / (PIECE_ITEMS * of_partial), most);
}

/* Few results of many items, of which else few cores would take all: cut into pieces, which are shares then. So are columns where pieces are no
 * fewer than strips of them, because lines are read whole. By lengths alone, as all bits are. (16 cores of a Xeon, sums of f64, ms: 2^20 x 64 along
 * axis 0 48.7, so 4.6; 2^22 x 7 37.4, so 3.3.) */
static void cut_on_host(uswi_call_t *call) {
  usw_axes_words_t *words = uswi_axes_words(call);
  if (call->n * uswi_bytes_of_item(call) < 2 * PIECE_BYTES) /* as mostly: one piece, which is known without divisions */
    return;
  const size_t items = uswi_results_words_of(call)->usw_items, pieces = pieces_of_items(call);
  const size_t shares = uswi_results_of(call) / uswi_results_together(call);
  const int are_few = words->usw_across == 0 && shares < HOST_SHARES && pieces > shares;
  if (pieces < 2 || !(are_few || (words->usw_across == 1 && pieces >= shares)))
    return;
  words->usw_items_of_piece = uswi_quotient_up(items, pieces);
  words->usw_pieces = uswi_quotient_up(items, words->usw_items_of_piece);
}

static void share_on_processors(uswi_call_t *call) {
  choose_way_on_processors(call);
  if (!call->device)
    cut_on_host(call);
}

/* 0: there are none. */
static size_t pieces_on_host(const uswi_call_t *call) {
  return !call->device && call->axes && words_of(call)->usw_pieces > 1 ? words_of(call)->usw_pieces : 0;
}

/* ---- calls ---- */

void uswi_share_results(uswi_call_t *call) {
  const int is_bare = call->device && call->device->runs_bare;
  if (uswi_results_of(call) == 0)
    return;
  if (call->segments)
    uswi_share_segments(call);
  else if (is_bare && call->axes && are_columns(call, words_of(call)))
    share_columns(call);
  else if (is_bare)
    share_rows(call);
  else if (call->axes)
    share_on_processors(call);
}

/* Of the first stream. */
static uint32_t bytes_of_element(const usw_kernel_t *kernel) {
  uint32_t a = 0;
  while (!uswi_is_stream(&kernel->arguments[a]))
    a++;
  return kernel->arguments[a].bytes;
}

size_t uswi_results_together(const uswi_call_t *call) {
  if (pieces_on_host(call) > 0)
    return 1;
  const uint64_t across = call->axes && call->kernel->stream_count > 0 ? words_of(call)->usw_across : 0;
  const uint32_t bytes = across > 0 ? bytes_of_element(call->kernel) : HOST_LINE_BYTES;
  if (across == USW_ROWS_IN_LANES)
    return USW_ROWS_TOGETHER;
  return bytes < HOST_LINE_BYTES ? HOST_LINE_BYTES / bytes : 1;
}

size_t uswi_shares_of_results(const uswi_call_t *call) {
  const size_t blocks = call->segments           ? uswi_blocks_of_segments(call)
                        : call->first_share == 0 ? pieces_on_host(call)
                                                 : 0;
  return blocks > 0 ? blocks : uswi_results_of(call);
}

uint64_t uswi_teams_of_results(const uswi_call_t *call) {
  const usw_results_words_t *results = uswi_results_words_of(call);
  if (call->segments)
    return uswi_teams_of_segments(call);
  const uint64_t of_team = call->kernel->bare.team_size / results->usw_lanes;
  if (!call->axes)
    return uswi_quotient_up(results->usw_results, of_team);
  const usw_axes_words_t *words = words_of(call);
  return words->usw_across > 0 ? words->usw_strips * words->usw_pieces
                               : uswi_quotient_up(results->usw_results * words->usw_pieces, of_team);
}

size_t uswi_partials_of_results(const uswi_call_t *call) {
  if (call->segments)
    return uswi_partials_of_segments(call);
  if (!call->axes || words_of(call)->usw_pieces < 2)
    return 0;
  return words_of(call)->usw_pieces * uswi_results_of(call) * call->kernel->accumulator_bytes;
}

/* ---- explanations ---- */

static uswi_share_t share_of_segments(const uswi_call_t *call, int is_bare) {
  const uint64_t results = uswi_results_of(call), blocks = uswi_shares_of_results(call);
  if (uswi_blocks_of_segments(call) > 0)
    return (uswi_share_t){"a block of the path", uswi_quotient_up(call->n, blocks), blocks,
                          is_bare ? USWI_SUB_GROUP : 1};
  return (uswi_share_t){"a segment", 0, results, (uint32_t)uswi_results_words_of(call)->usw_lanes};
}

uswi_share_t uswi_share_of_results(const uswi_call_t *call) {
  const int is_bare = call->device && call->device->runs_bare;
  const usw_results_words_t *results = uswi_results_words_of(call);
  if (results->usw_results == 0 || results->usw_items == 0)
    return (uswi_share_t){"", 0, 0, 1};
  if (call->segments)
    return share_of_segments(call, is_bare);
  const usw_axes_words_t *words = words_of(call);
  const int has_pieces = words->usw_pieces > 1;
  const uint64_t items = has_pieces ? words->usw_items_of_piece : results->usw_items;
  if (pieces_on_host(call) > 0)
    return (uswi_share_t){"a piece of all results", items * results->usw_results, words->usw_pieces, 1};
  if (!is_bare)
    return (uswi_share_t){"a result", items, results->usw_results, 1};
  if (words->usw_across > 0)
    return (uswi_share_t){has_pieces ? "a piece of a strip of columns" : "a strip of columns",
                          items * uswi_quotient_up(words->usw_width, words->usw_strips_of_line),
                          words->usw_strips * words->usw_pieces, call->kernel->bare.team_size};
  return (uswi_share_t){has_pieces ? "a piece of a result" : "a result", items,
                        results->usw_results * words->usw_pieces, (uint32_t)results->usw_lanes};
}
