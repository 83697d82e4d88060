/* What one of those who share the items of many results takes on a GPU that need not be there; which rows processors put side by side, and which
 * results they cut into pieces: by lengths alone. */
#include "policy/result_shares.h"

#include <string.h>

#include "policy/axes.h"
#include "policy/segments.h"
#include "support/check.h"

enum { TEAM = 256, PER_THREAD = 8, MOST_BLOCKS = 4224 };

static usw_argument_t arguments[USWI_MAX_ARGUMENTS] = {{"x", USW_ARGUMENT_IN, 8, 8}};
static usw_reducer_t sum = {.name = "sum", .bytes = 8};
static const usw_kernel_t kernel = {.type = USW_F64,
                                    .facts = USW_FACT_MANY_RESULTS | USW_FACT_AXES | USW_FACT_SEGMENTS,
                                    .argument_count = USWI_MAX_ARGUMENTS,
                                    .stream_count = 1,
                                    .accumulator_bytes = 8,
                                    .item_bytes = 8,
                                    .items_per_thread = PER_THREAD,
                                    .reducer_count = 1,
                                    .reducers = &sum,
                                    .arguments = arguments,
                                    .bare = {.team_size = TEAM}};
static const uswi_device_t gpu = {.target = "nvptx", .runs_bare = 1, .multiprocessors = 132};
static const uswi_device_t x86_64 = {.target = "x86_64", .multiprocessors = 2};
static const uswi_device_t *device = &gpu; /* NULL: the host */
static const usw_options_t *options;       /* of calls */

static uswi_call_t call_of(size_t items, size_t results, uswi_axes_t *axes, uswi_segments_t *segments) {
  uswi_call_t call = {.kernel = &kernel,
                      .item_bytes = 8,
                      .n = axes ? items * results : items,
                      .axes = axes,
                      .segments = segments,
                      .strides = {axes ? axes->strides[0] : 1},
                      .options = options,
                      .device = device};
  *uswi_results_words(&call) = (usw_results_words_t){.usw_items = items, .usw_results = results, .usw_lanes = 1};
  if (axes)
    *uswi_axes_words(&call) = axes->words;
  if (segments)
    *uswi_segments_words(&call) = segments->words;
  uswi_share_results(&call);
  return call;
}

/* The elements of all shares are those of the array, but for what ends leave out. */
static void check_share(const uswi_share_t *share, const char *text, uint32_t lanes, uint64_t elements) {
  CHECK(strcmp(share->text, text) == 0);
  CHECK_U64(lanes, share->lanes);
  CHECK(share->count * share->items >= elements && share->count * share->items < 2 * elements + share->items);
}

static void check_axes(size_t rows, size_t columns, uint32_t axis, const char *text, uint32_t lanes) {
  const usw_array_t array = usw_array_2d(USW_F64, NULL, rows, columns);
  const usw_array_t *const arrays[] = {&array};
  uswi_axes_t axes;
  CHECK_STATUS(USW_OK, uswi_axes_describe("sum", &kernel, arrays, USW_AXIS(axis), &axes));
  const uswi_call_t call = call_of(axes.items, axes.results, &axes, NULL);
  const uswi_share_t share = uswi_share_of_results(&call);
  check_share(&share, text, lanes, (uint64_t)rows * columns);
  CHECK_U64(uswi_teams_of_results(&call), (share.count * share.lanes + TEAM - 1) / TEAM);
}

/* Columns of a thread, unless most of what it moves are results of more than a sector of memory. */
static void check_vectors(uint32_t result_bytes, size_t rows, uint64_t has_vectors) {
  const usw_array_t array = usw_array_2d(USW_F64, NULL, rows, 1000000);
  const usw_array_t *const arrays[] = {&array};
  uswi_axes_t axes;
  sum.bytes = result_bytes;
  CHECK_STATUS(USW_OK, uswi_axes_describe("sum", &kernel, arrays, USW_AXIS(0), &axes));
  uswi_call_t call = call_of(axes.items, axes.results, &axes, NULL);
  CHECK_U64(has_vectors, uswi_axes_words(&call)->usw_has_vectors);
  sum.bytes = 8;
}

/* Threads side by side: all of a team, few or the usual number; or how a processor takes results. */
static void check_across_axis_of(const usw_array_t *array, uint32_t axis, uint64_t across) {
  const usw_array_t *const arrays[] = {array};
  uswi_axes_t axes;
  CHECK_STATUS(USW_OK, uswi_axes_describe("sum", &kernel, arrays, USW_AXIS(axis), &axes));
  uswi_call_t call = call_of(axes.items, axes.results, &axes, NULL);
  CHECK_U64(across, uswi_axes_words(&call)->usw_across);
  if (across == USW_ROWS_IN_LANES) /* few, so that few rows are many chunks */
    CHECK_U64(USW_ROWS_TOGETHER, uswi_results_together(&call));
}
static void check_across_axis(size_t rows, size_t columns, uint32_t axis, uint64_t across) {
  const usw_array_t array = usw_array_2d(USW_F64, NULL, rows, columns);
  check_across_axis_of(&array, axis, across);
}
static void check_across(size_t rows, size_t columns, uint64_t across) { check_across_axis(rows, columns, 0, across); }

/* Short rows side by side on the host, longer ones in lanes, if their items follow each other. */
static void rows_of_processors(void) {
  const size_t extents[] = {1000, 100};
  const ptrdiff_t strides[] = {200, 2};
  const usw_array_t with_gaps = usw_array(USW_F64, NULL, 2, extents, strides);
  device = NULL;
  check_across_axis(1000, 16, 1, USW_ROWS_SIDE_BY_SIDE);
  check_across_axis(1000, 17, 1, USW_ROWS_IN_LANES);
  check_across_axis(1000, 2048, 1, USW_ROWS_IN_LANES);
  check_across_axis(1000, 2049, 1, 0);
  check_across_axis(7, 16, 1, 0);
  check_across_axis(7, 100, 1, 0);
  check_across_axis_of(&with_gaps, 1, 0);
  device = &x86_64;
  check_across_axis(1000, 16, 1, 0);
  check_across_axis(1000, 100, 1, 0);
  device = &gpu;
}

/* 0: results are whole. */
static void check_pieces(size_t rows, size_t columns, uint32_t axis, uint64_t pieces) {
  const usw_array_t array = usw_array_2d(USW_F64, NULL, rows, columns);
  const usw_array_t *const arrays[] = {&array};
  uswi_axes_t axes;
  CHECK_STATUS(USW_OK, uswi_axes_describe("sum", &kernel, arrays, USW_AXIS(axis), &axes));
  const uswi_call_t call = call_of(axes.items, axes.results, &axes, NULL);
  const uswi_share_t share = uswi_share_of_results(&call);
  check_share(&share, pieces ? "a piece of all results" : "a result", 1, (uint64_t)rows * columns);
  CHECK_U64(pieces ? pieces : axes.results, share.count);
  CHECK_U64(share.count, uswi_shares_of_results(&call));
  CHECK_U64(pieces * axes.results * kernel.accumulator_bytes, uswi_partials_of_results(&call));
  if (pieces)
    CHECK_U64(1, uswi_results_together(&call));
  uswi_call_t joining = call;
  joining.first_share = share.count;
  CHECK_U64(pieces ? axes.results : share.count, uswi_shares_of_results(&joining));
}

/* Few results of the host, if they have items enough. */
static void pieces_of_processors(void) {
  device = NULL;
  check_pieces(1 << 20, 64, 0, 256);
  check_pieces(1 << 22, 7, 0, 256);
  check_pieces(3, 1 << 22, 1, 192);
  check_pieces(1000, 100, 0, 0);
  check_pieces(100, 100, 0, 0);
  check_pieces(1024, 1024, 0, 8);
  check_pieces(1 << 13, 1 << 13, 0, 64);
  check_pieces(256, 1 << 18, 0, 0);
  check_pieces(64, 1 << 20, 1, 0);
  device = &x86_64;
  check_pieces(1 << 20, 64, 0, 0);
  device = &gpu;
}

static uswi_share_t share_of_path(size_t n, size_t count, uint64_t *teams_out) {
  static const int32_t offsets[2];
  const usw_segments_t path = usw_segments_by_offsets(USW_I32, offsets, count);
  uswi_segments_t described;
  CHECK_STATUS(USW_OK, uswi_segments_describe("sum", &path, n, &described));
  const uswi_call_t call = call_of(n, count, NULL, &described);
  const uswi_share_t share = uswi_share_of_results(&call);
  CHECK_U64(uswi_shares_of_results(&call), share.count);
  *teams_out = uswi_teams_of_results(&call);
  return share;
}

/* Few items are taken by segments, unless the call asks for blocks. */
static void check_few_items(size_t n, size_t count, uint32_t lanes, uint64_t teams) {
  const usw_options_t with_blocks = {.size = USW_INIT(usw_options_t), .work_group_load = 100};
  uint64_t found;
  uswi_share_t share = share_of_path(n, count, &found);
  CHECK(strcmp(share.text, "a segment") == 0 && share.items == 0);
  CHECK_U64(lanes, share.lanes);
  CHECK_U64(teams, found);
  options = &with_blocks;
  share = share_of_path(n, count, &found);
  check_share(&share, "a block of the path", 32, n);
  const size_t blocks = (n + 99) / 100 + count / 100;
  CHECK_U64(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, share.count);
  options = NULL;
}

static void check_many_items(size_t n, size_t count) {
  uint64_t teams;
  const uswi_share_t share = share_of_path(n, count, &teams);
  check_share(&share, "a block of the path", 32, n);
}

/* Half as many where items load for themselves. */
static void check_most_blocks(void) {
  const usw_argument_t before = arguments[1];
  uint64_t teams;
  CHECK_U64(MOST_BLOCKS, share_of_path(1 << 28, 1 << 20, &teams).count);
  arguments[1] = (usw_argument_t){"array", USW_ARGUMENT_ARRAY, 8, 8};
  CHECK_U64(MOST_BLOCKS / 2, share_of_path(1 << 28, 1 << 20, &teams).count);
  arguments[1] = before;
}

static void segments(void) {
  static const int32_t offsets[2];
  const usw_segments_t alone = usw_segments_by_pairs(USW_I32, offsets, offsets, 100000);
  uswi_segments_t described;
  check_many_items(1 << 23, 1000);
  check_many_items(1 << 22, 10000);
  check_many_items(1 << 20, 15);
  check_many_items(1 << 19, 1 << 14);
  check_most_blocks();
  check_few_items(100000, 1000, 32, (2 * 49 + 1000 + 7) / 8);
  check_few_items(100000, 1, 32, (2 * 49 + 1 + 7) / 8);
  check_few_items(1 << 22, 1 << 13, 16, (2 * 4096 + (1 << 12)) / 8);
  check_few_items(1 << 18, 1 << 18, 1, (2 * 512 + (1 << 13)) / 8);
  CHECK_STATUS(USW_OK, uswi_segments_describe("sum", &alone, 1 << 20, &described));
  const uswi_call_t each = call_of(1 << 20, 100000, NULL, &described);
  const uswi_share_t share = uswi_share_of_results(&each);
  CHECK(strcmp(share.text, "a segment") == 0);
  CHECK(share.items == 0 && share.count == 100000 && share.lanes >= 1 && share.lanes < TEAM);
  CHECK_U64(0, uswi_partials_of_results(&each));
}

static void nothing(void) {
  const usw_array_t array = usw_array_2d(USW_F64, NULL, 5, 0);
  const usw_array_t *const arrays[] = {&array};
  uswi_axes_t axes;
  CHECK_STATUS(USW_OK, uswi_axes_describe("sum", &kernel, arrays, USW_AXIS(1), &axes));
  const uswi_call_t call = call_of(axes.items, axes.results, &axes, NULL);
  CHECK(*uswi_share_of_results(&call).text == 0);
}

int main(void) {
  for (int a = 1; a < USWI_MAX_ARGUMENTS; a++)
    arguments[a].kind = USW_ARGUMENT_VALUE;
  check_axes(1000000, 3, 1, "a result", 1);
  check_axes(100000, 300, 1, "a result", 8);
  check_axes(100000, 1000, 1, "a result", 16);
  check_axes(10000, 100000, 1, "a result", TEAM);
  check_axes(3, 10000000, 1, "a piece of a result", TEAM);
  check_axes(1000, 1000000, 0, "a strip of columns", TEAM);
  check_axes(1000000, 100, 0, "a piece of a strip of columns", TEAM);
  check_vectors(8, 2, 1);
  check_vectors(24, 2, 0);
  check_vectors(24, 3, 1);
  check_vectors(16, 1, 0);
  check_across(256, 1 << 20, TEAM);
  check_across(256, 1 << 18, TEAM);
  check_across(256, 1 << 17, 64);
  check_across(1 << 14, 1 << 14, 64);
  check_across(1 << 18, 1 << 10, 32);
  check_across(1 << 20, 1 << 8, 16);
  check_across(1 << 20, 1 << 6, 8);
  check_across(1 << 22, 7, 8);
  check_across(3, 1 << 18, TEAM);
  rows_of_processors();
  pieces_of_processors();
  segments();
  nothing();
  return check_report();
}
