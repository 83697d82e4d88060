#include "policy/cells.h"

#include "base/bytes.h"

enum {
  LARGE_BLOCK_BYTES = 32 << 10,   /* of cells: the last team would take long to fold them */
  COMMON_BLOCKS_BYTES = 32 << 20, /* what the second cache keeps beside items */
  COMMON_BYTES_OF_ITEM = 4,
  /* Launches more than turns take; into smaller blocks of more items. (H200, sums of 2^20 doubles into 8192 cells 89 us, in turns 77; of 2^24
   * 708, 863; of 2^17 into 65536 108, 107; of 2^28 into 2^20 11.3 ms, 103.) */
  LEAST_FIXED_ITEMS = 1 << 17,
  LEAST_FIXED_BLOCK = 128 << 10,
  MANY_FIXED_ITEMS = 1 << 22,
  BLOCKS_BYTES_OF_US = 300 << 10,
  LINE_BYTES = 128,
  ALIGNMENT_BYTES = 16 /* of records, and of accumulators beside a block */
};

static int has_large_blocks(const uswi_call_t *call) {
  return call->cells > 0 && call->device->runs_bare && call->strategy == USW_STRATEGY_TREE &&
         call->record_bytes >= LARGE_BLOCK_BYTES;
}

size_t uswi_accumulator_step(const uswi_call_t *call) {
  return uswi_round_up(call->kernel->accumulator_bytes, ALIGNMENT_BYTES);
}

/* Whose teams have no copies in their memory. */
static int has_blocks_past_team_memory(const uswi_call_t *call) {
  return has_large_blocks(call) && call->record_bytes - uswi_accumulator_step(call) > USW_TEAM_CELLS_BYTES;
}

/* Atomics of floats round in whatever order they come in: a call that is to run twice has none. */
static int has_common_cells(const uswi_call_t *call) {
  const uint32_t facts = call->kernel->facts;
  const int is_fast = call->options->accuracy == USW_FAST && !uswi_asks_for_rechecks(call->options);
  return (facts & USW_FACT_COMMON_CELLS) && ((facts & USW_FACT_EXACT_CELLS) || is_fast) &&
         has_blocks_past_team_memory(call);
}

/* Of calls that atomics would not serve: with room for the words, and where turns would take long. Outputs would be written before the numbers
 * are read again; chunks of staged calls have scratch for turns. */
static int is_worth_a_fixed_point(const uswi_call_t *call) {
  const int are_many =
      call->n >= MANY_FIXED_ITEMS || (call->n >= LEAST_FIXED_ITEMS && call->record_bytes >= LEAST_FIXED_BLOCK);
  return (call->kernel->facts & (USW_FACT_FIXED_POINT | USW_FACT_OUTPUTS)) == USW_FACT_FIXED_POINT && are_many &&
         !call->staged && has_blocks_past_team_memory(call) && !has_common_cells(call) &&
         uswi_words_bytes(call) <= uswi_tuning_of(call->device)->limits.span_records_bytes;
}

/* More blocks than one, so that teams that combine into the same cell do not wait for each other; no more than items are worth. */
static uint32_t choose_common_blocks(const uswi_call_t *call) {
  if (!has_common_cells(call))
    return 0;
  const uint64_t worth = (uint64_t)call->n * COMMON_BYTES_OF_ITEM;
  const uint64_t blocks = (worth < COMMON_BLOCKS_BYTES ? worth : COMMON_BLOCKS_BYTES) / call->record_bytes;
  uint32_t power = 1;
  while (power * 2 <= blocks && power * 2 <= call->teams)
    power *= 2;
  return power;
}

void uswi_choose_cells(uswi_call_t *call) {
  call->common_blocks = choose_common_blocks(call);
  call->has_fixed_point = is_worth_a_fixed_point(call);
}

/* Nanoseconds of a call with large blocks of cells by so many teams, roughly: one team takes 9 for an item that is added to a cell of the
 * device's memory, and all teams clear and fold 300 KiB of blocks in a microsecond. (H200, 2^20 items into as many doubles 2.7 ms, of which the
 * host's share is 2.0, 2^16 into as many 0.13; by the last team of one launch 10.3 and 0.59.) */
static uint64_t cost_of_blocks(const uswi_call_t *call, uint64_t teams) {
  return 9 * (call->n / teams) + 1000 * (call->record_bytes * teams / BLOCKS_BYTES_OF_US);
}

/* No more teams than gain by what they add what their blocks take to fold. */
static uint64_t teams_with_blocks(const uswi_call_t *call, uint64_t most) {
  uint64_t best = most;
  for (uint64_t teams = 1; teams < most; teams *= 2)
    if (cost_of_blocks(call, teams) < cost_of_blocks(call, best))
      best = teams;
  return best;
}

/* As many as run at once at any length, since an item takes longer than its elements to load and each team begins with clearing cells; no
 * more than have room for what they leave behind. */
uint64_t uswi_teams_with_cells(const uswi_call_t *call) {
  const uswi_limits_t *limits = &uswi_tuning_of(call->device)->limits;
  const uint32_t share = call->team_size <= limits->small_team ? limits->small_span_teams : limits->span_teams;
  const uint64_t resident = (uint64_t)share * call->device->multiprocessors;
  const uint64_t room = limits->span_records_bytes / call->record_bytes;
  if (!call->cells || has_common_cells(call) || is_worth_a_fixed_point(call))
    return resident;
  const uint64_t most = resident < room ? resident : room;
  return call->record_bytes < LARGE_BLOCK_BYTES ? most : teams_with_blocks(call, most);
}

uint32_t uswi_teams_in_turns(const uswi_call_t *call) {
  const uint64_t room = uswi_tuning_of(call->device)->limits.span_records_bytes / call->record_bytes;
  const uint64_t most = room < 1 ? 1 : room < call->teams ? room : call->teams;
  return (uint32_t)(call->options->teams ? most : teams_with_blocks(call, most));
}

/* ---- what is left ---- */

int uswi_folds_cells(const uswi_call_t *call) {
  return has_large_blocks(call) && (call->teams > 1 || call->common_blocks > 0 || call->has_fixed_point);
}

int uswi_are_cells_elements(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  return k->reducer_count == 1 &&
         (k->facts & (USW_FACT_COMMON_CELLS | USW_FACT_PASSES_NANS)) == USW_FACT_COMMON_CELLS && !k->bad_index;
}

int uswi_are_cells_the_result(const uswi_call_t *call) {
  return uswi_are_cells_elements(call) && uswi_fresh_reducers(call) != 0;
}

size_t uswi_bytes_of_cells(const uswi_call_t *call) { return call->cells * call->kernel->reducers[0].cell_bytes; }

size_t uswi_words_bytes(const uswi_call_t *call) {
  size_t cells = 0;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    cells += call->kernel->reducers[r].cell_bytes ? call->extents[r] : 0;
  return cells * USW_FIXED_WORDS * sizeof(uint64_t);
}

size_t uswi_fixed_bytes(const uswi_call_t *call) {
  return uswi_round_up(call->record_bytes + uswi_words_bytes(call) + call->teams * uswi_accumulator_step(call),
                       LINE_BYTES);
}

size_t uswi_left_bytes(const uswi_call_t *call) {
  if (call->common_blocks > 0)
    return call->common_blocks * call->record_bytes + call->teams * uswi_accumulator_step(call);
  if (call->has_fixed_point)
    return uswi_fixed_bytes(call) + uswi_teams_in_turns(call) * call->record_bytes;
  return call->teams * call->record_bytes;
}

uint32_t uswi_teams_of_cells(const uswi_call_t *call, uint32_t blocks) {
  const uint64_t most = (uint64_t)uswi_teams_at_once(call) * call->device->multiprocessors;
  const uint64_t wanted = uswi_quotient_up(call->cells * blocks, call->team_size);
  return (uint32_t)(wanted < most ? wanted : most);
}
