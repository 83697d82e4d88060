#include "policy/segment_shares.h"

#include "base/bytes.h"
#include "policy/axes.h"
#include "policy/row_lanes.h"
#include "policy/segments.h"

enum {
  MOST_FEW_ITEMS = 1 << 22,
  FEW_SEGMENTS = 16,      /* fewer of many items: mostly long ones, of which lanes do not take one each */
  MANY_THREADS = 1 << 16, /* that take segments of few items, and the items that leave lanes of */
  MOST_OF_LANE = 32,      /* a segment enough to do */
  ITEMS_OF_LANE = 16,     /* of a window of segments, or fewer, to share it out */
  FEW_WINDOWS = 1024,     /* of half as many items each: there are sub-groups enough */
  MOST_BLOCKS = 4224,     /* of a path on a GPU: one for each sub-group where 132 multiprocessors have room for 32; */
  ENOUGH_BLOCKS = 1024,   /* more of them have so many windows each at least */
  WINDOWS_OF_BLOCK = 4,
  POSITION_BITS = 31,      /* of a block's items: numbers within it have 32, and it may begin earlier */
  MOST_HOST_BLOCKS = 512,  /* on processors: some for each */
  LEAST_HOST_STEPS = 8192, /* of such a block */
  ANY_LENGTH = 1 << 30     /* and more: of a run that segments end, not axes */
};

_Static_assert((USWI_MOST_PATH_ITEMS >> POSITION_BITS) / 8 <= USWI_RESULT_TICKETS,
               "whatever joins 16 blocks has a ticket");
_Static_assert(MOST_FEW_ITEMS / USW_PORTION_ITEMS(1) <= USWI_RESULT_TICKETS, "and whatever has portions");

static int is_bare(const uswi_call_t *call) { return call->device && call->device->runs_bare; }

/* The items of a block that the call asks for; 0: it does not. */
static uint32_t load_of(const uswi_call_t *call) { return call->options ? call->options->work_group_load : 0; }

/* Whether segments that follow each other are taken by some lanes each (engine/team_few_items.h), which takes less time where a launch has little
 * to do, mostly whatever the lengths. (H200, us, by blocks and so: sums of 10^5 doubles in segments of 100 14.4, 10.4; all in one 19.0, 16.7; of
 * 2^18 by a power law of mean 16 19.7, 14.3; of 2^20 in segments of 64 19.8, 13.6; of 2^22 in segments of 1024 22.4, 19.0, by a power law of mean
 * 1024 27.5, 22.8. But of 2^20 by a power law of mean 16 27.8, 31.8; of 2^22 by one of mean 256 29.5, 42.8, and all in one 25.3, 30.2.) */
static int has_few_items(const uswi_call_t *call) {
  static const struct {
    size_t items, mean, segments; /* no more items, no fewer of a segment on the average, and no fewer segments */
  } few[] = {{1 << 18, 0, 1}, {1 << 20, 64, FEW_SEGMENTS}, {MOST_FEW_ITEMS, 512, FEW_SEGMENTS}};
  const size_t results = uswi_results_of(call), mean = call->n / results;
  int is_few = 0;
  for (size_t k = 0; k < sizeof few / sizeof *few; k++)
    is_few |= call->n <= few[k].items && mean >= few[k].mean && results >= few[k].segments;
  return is_few && call->segments->is_path && is_bare(call) && load_of(call) == 0;
}

/* The lanes of each: a block of items at least for one, and not so many that there are too many threads. */
static uint32_t lanes_of_few_items(const uswi_call_t *call) {
  const size_t results = uswi_results_of(call), mean = call->n / results;
  const uint32_t block = uswi_block_of(call);
  uint32_t lanes = 1;
  while (lanes < USWI_SUB_GROUP && (size_t)lanes * 2 * block <= mean &&
         (lanes * 2 * results <= MANY_THREADS || (size_t)lanes * MOST_OF_LANE < mean))
    lanes *= 2;
  return lanes;
}

/* Segments that may overlap: the threads for each. */
static void share_pairs(uswi_call_t *call) {
  usw_results_words_t *results = uswi_results_words(call);
  const int has_axes = (call->kernel->facts & USW_FACT_AXES) != 0;
  if (has_axes) {
    uswi_axes_words(call)->usw_length = (uint64_t)ANY_LENGTH << 31;
    uswi_axes_words(call)->usw_pieces = uswi_axes_words(call)->usw_run_lanes = 1;
    uswi_axes_words(call)->usw_items_of_piece = call->n;
  }
  if (is_bare(call))
    results->usw_lanes = uswi_lanes_in_blocks(call, call->n / results->usw_results);
  if (is_bare(call) && has_axes) {
    uswi_axes_words(call)->usw_way = uswi_has_runs(call) ? USW_RUNS_IN_BLOCKS : USW_RUNS_IN_ELEMENTS;
    uswi_axes_words(call)->usw_run_lanes = results->usw_lanes;
  }
}

/* The least steps of a block. */
static size_t steps_of_block(const uswi_call_t *call) {
  const size_t of_lane =
      call->kernel->items_per_thread < ITEMS_OF_LANE ? call->kernel->items_per_thread : ITEMS_OF_LANE;
  const size_t window = of_lane * USWI_SUB_GROUP;
  if (!is_bare(call))
    return LEAST_HOST_STEPS;
  if (load_of(call) > 0)
    return load_of(call);
  return call->n < FEW_WINDOWS * window ? window / 2 : window;
}

/* As many as run at once, or twice or half as many, so that none is alone in the end; of items that load for themselves half as many do. (H200, us, by 2048, 2112, 3168, 4096, 4224 and 8192 blocks:
 * sums of 2^27 floats in segments of 1024 160, 150, 152, 162, 150 and 166, places of greatest doubles in segments of 4 1410, 1360, 1132, 1063,
 * 1040 and 1075; by 2048, 2112, 4096, 4224 a sparse matrix of a power law times a vector 161, 161, 171, 171.) */
static size_t most_blocks(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  const size_t numbered = call->n >> POSITION_BITS;
  uint32_t arrays = 0;
  if (!is_bare(call))
    return MOST_HOST_BLOCKS;
  for (uint32_t a = 0; a < k->argument_count; a++)
    arrays += k->arguments[a].kind == USW_ARGUMENT_ARRAY;
  const size_t most = arrays > 0 ? MOST_BLOCKS / 2 : MOST_BLOCKS;
  return numbered > most ? numbered : most;
}

/* Cut the path into blocks. */
static void share_path(uswi_call_t *call) {
  const size_t least = steps_of_block(call), most = most_blocks(call);
  const size_t of_results = uswi_results_words(call)->usw_results / least;
  size_t blocks = uswi_quotient_up(call->n, least) + of_results;
  if (is_bare(call) && blocks > ENOUGH_BLOCKS && load_of(call) == 0) {
    const size_t large = call->n / least / WINDOWS_OF_BLOCK + of_results;
    blocks = large > ENOUGH_BLOCKS ? large : ENOUGH_BLOCKS;
  }
  uswi_segments_words(call)->usw_blocks = blocks == 0 ? 1 : blocks < most ? blocks : most;
}

void uswi_share_segments(uswi_call_t *call) {
  if (!call->segments->is_path)
    share_pairs(call);
  else if (has_few_items(call))
    uswi_results_words(call)->usw_lanes = lanes_of_few_items(call);
  else
    share_path(call);
}

size_t uswi_blocks_of_segments(const uswi_call_t *call) {
  return uswi_segments_words((uswi_call_t *)(uintptr_t)call)->usw_blocks;
}

/* Two parts of long segments each, of calls with few items. */
static size_t portions_of(const uswi_call_t *call) {
  const uint32_t lanes = (uint32_t)uswi_results_words_of(call)->usw_lanes;
  return call->segments->is_path ? uswi_quotient_up(call->n, USW_PORTION_ITEMS(lanes)) : 0;
}

uint64_t uswi_teams_of_segments(const uswi_call_t *call) {
  const size_t blocks = uswi_blocks_of_segments(call), sub_groups = call->kernel->bare.team_size / USWI_SUB_GROUP;
  const usw_results_words_t *results = uswi_results_words_of(call);
  if (blocks > 0)
    return uswi_quotient_up(blocks, sub_groups);
  if (!call->segments->is_path)
    return uswi_quotient_up(results->usw_results, call->kernel->bare.team_size / results->usw_lanes);
  const size_t short_ones = uswi_quotient_up(results->usw_results, USWI_SUB_GROUP / results->usw_lanes);
  return uswi_quotient_up(2 * portions_of(call) + short_ones, sub_groups);
}

size_t uswi_partials_of_segments(const uswi_call_t *call) {
  if (uswi_blocks_of_segments(call) > 0)
    return uswi_stretches_bytes(call);
  return 2 * portions_of(call) * call->kernel->accumulator_bytes;
}
