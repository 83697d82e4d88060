/* USW_REPRODUCIBLE over ranks: the hashes are those of one process (tests/api/same_bits.expected), for any number of ranks and any split.
 *   mpiexec -n RANKS same_bits [--place NAME] [--splits N]
 * In the quick tier sums and norms of two types, and one split. */
#include <stdlib.h>
#include <string.h>

#include "api/hashes.h"
#include "oracle/memory.h"
#include "ranks.h"
#include "support/check.h"

static ranks_t ranks;
static uint64_t splits = 5;

static result_t reduce(const row_t *row, const items_t *items, uint64_t seed) {
  usw_options_t options = place_options(&ranks.place);
  const piece_t piece = ranks_deal(&ranks, items->n, seed);
  const size_t bytes = type_bytes(row->type), offset = piece.first * bytes;
  place_memory_t x = memory_get(&ranks.place, (const char *)items->x + offset, piece.n * bytes, 0);
  place_memory_t y = memory_get(&ranks.place, (const char *)items->y + offset, piece.n * bytes, 0);
  result_t result;
  memset(&result, 0, sizeof result);
  options.accuracy = USW_REPRODUCIBLE;
  CHECK_STATUS(USW_OK, row->streams == 1 ? usw_mpi_allreduce(row->operation, row->type, x.data, piece.n, &result,
                                                             MPI_COMM_WORLD, &options)
                                         : usw_mpi_allreduce_pair(row->operation, row->type, x.data, y.data, piece.n,
                                                                  &result, MPI_COMM_WORLD, &options));
  memory_free(&x);
  memory_free(&y);
  return result;
}

static void one_function(const row_t *row, hard_set_t set, uint64_t split) {
  uint64_t hash = HASH_START;
  for (const size_t *n = hash_most.sizes; *n; n++) {
    items_t items = hard_items(set, row->type, *n);
    const result_t result = reduce(row, &items, split * 100 + (uint64_t)(n - hash_most.sizes));
    hash = hash_add(hash, row, &result);
    items_free(&items);
  }
  CHECK(hash_check(set, row, &hash_most, hash));
}

static int is_chosen(const row_t *row, hard_set_t set) {
  if (!is_quick_tier())
    return 1;
  return (row->type == USW_F64 || row->type == USW_CF32) && (set == HARD_condition_1e16 || set == HARD_whole_range);
}

int main(int argc, char **argv) {
  ranks = ranks_begin(&argc, &argv);
  for (int k = 1; k + 1 < argc; k++)
    splits = strcmp(argv[k], "--splits") == 0 ? strtoull(argv[k + 1], NULL, 10) : splits;
  splits = is_quick_tier() ? 1 : splits;
  for (uint64_t split = 0; split < splits; split++)
    for (int r = 0; r < ROW_COUNT; r++)
      for (int set = 0; set < HARD_COUNT; set++)
        if (hash_covers(&rows[r]) && hard_fits((hard_set_t)set, rows[r].type) && is_chosen(&rows[r], (hard_set_t)set))
          one_function(&rows[r], (hard_set_t)set, split);
  return ranks_end();
}
