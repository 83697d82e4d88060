#include "policy/row_lanes.h"

#include "base/bytes.h"
#include "policy/axes.h"

enum {
  LEAST_LANES = 8,            /* side by side they read a line of the cache */
  TILES_OF_THREAD = 8,        /* so that there is little to fold */
  TILES_OF_LARGE = 64,        /* of large accumulators: so many tiles of a thread, */
  FEW_OF_LARGE = 2,           /* or threads, or one that has no more tiles, */
  THREADS_OF_LARGE = 1 << 17, /* where that leaves so many threads with work */
  TEAM_TILES = 128,           /* of a sub-group: results of more are a team's */
  FEW_TILES = 2,              /* the same where there are few results */
  BLOCK_BYTES = 16
};

uint32_t uswi_power_of_two_up(size_t x, uint32_t most) {
  uint32_t power = 1;
  while (power < most && power < x)
    power *= 2;
  return power;
}

int uswi_has_no_gaps(const uswi_call_t *call) {
  const uint32_t streams = call->kernel->stream_count;
  int has_none = 1;
  for (uint32_t s = 0; s < streams; s++)
    has_none &= call->strides[s] == 1;
  return has_none;
}

int uswi_has_runs(const uswi_call_t *call) {
  return uswi_has_no_gaps(call) && (!uswi_has_axes_of_space(call->kernel) ||
                                    uswi_axes_of_space_words((uswi_call_t *)(uintptr_t)call)->usw_run_step == 1);
}

uint32_t uswi_block_of(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  uint32_t block = 1;
  for (uint32_t a = 0; a < k->argument_count; a++) {
    const uint32_t bytes = k->arguments[a].bytes, power = bytes & (0 - bytes);
    if (uswi_is_stream(&k->arguments[a]) && power < BLOCK_BYTES && BLOCK_BYTES / power > block)
      block = BLOCK_BYTES / power;
  }
  return block;
}

/* Fewer of them for accumulators that take long to fold. (H200, description of rows, us: 2^20 of 256 f64 873, so 820; of 256 f16 427, so 254;
 * 2^22 of 64 f64 1707, so 943; but 4096 of 8192 f16 45, so 84 if there were no regard to the number of rows.) */
static uint32_t lanes_of_large(const uswi_call_t *call, size_t length, uint32_t usual) {
  const size_t of_thread = call->kernel->items_per_thread, tiles = uswi_quotient_up(length, of_thread);
  const uint32_t of_length = uswi_power_of_two_up(uswi_quotient_up(tiles, TILES_OF_LARGE), USWI_SUB_GROUP);
  const uint32_t of_results = uswi_power_of_two_up(THREADS_OF_LARGE / uswi_results_of(call), USWI_SUB_GROUP);
  uint32_t lanes = tiles <= FEW_OF_LARGE ? 1 : FEW_OF_LARGE;
  lanes = lanes > of_length ? lanes : of_length;
  lanes = lanes > of_results ? lanes : of_results;
  return lanes < usual ? lanes : usual;
}

uint32_t uswi_lanes_in_blocks(const uswi_call_t *call, size_t length) {
  const size_t of_thread = call->kernel->items_per_thread, tile = USWI_SUB_GROUP * of_thread;
  const size_t team_from = uswi_results_of(call) < USWI_FEW_RESULTS ? FEW_TILES : TEAM_TILES;
  const uint32_t least = uswi_power_of_two_up(uswi_quotient_up(length, of_thread), LEAST_LANES);
  const uint32_t lanes = uswi_power_of_two_up(uswi_quotient_up(length, TILES_OF_THREAD * of_thread), USWI_SUB_GROUP);
  const uint32_t usual = lanes > least ? lanes : least;
  if (length > team_from * tile)
    return call->kernel->bare.team_size;
  return call->kernel->accumulator_bytes > USWI_SMALL_BYTES ? lanes_of_large(call, length, usual) : usual;
}
