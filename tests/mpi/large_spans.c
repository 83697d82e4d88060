/* Spans of many elements over ranks, whose messages take memory that is kept for the next call.   mpiexec -n RANKS large_spans [--place NAME] */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/memory.h"
#include "ranks.h"
#include "stand_in_nccl.h"
#include "support/check.h"

/* Merged in either order: into the place of MPI's outcome. */
#define USW_KERNEL wide_counts
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, bins)
#define USW_REDUCERS(R, S)                                                                                             \
  S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)                                                                    \
  S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS_REPRODUCIBLE) R(uint64_t, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() {
  usw_combine_at(counts, x % bins, 1);
  usw_combine_at(sums, x % bins / 2, (double)x * 0x1.3p-11);
  usw_inc(total);
}
#include <upsweep/kernel_end.h>

/* Merged in the order of ranks. The sums are of small integers: nothing is rounded. */
#define USW_KERNEL wide_sums
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, bins)
#define USW_REDUCERS(R, S)                                                                                             \
  S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS) S(uint32_t, largest, USW_DYNAMIC_EXTENT, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT() {
  usw_combine_at(sums, x % bins, (double)(x % 7));
  usw_combine_at(largest, x % bins / 3, x);
}
#include <upsweep/kernel_end.h>

/* A span and nothing else, which may be in a GPU's memory. */
#define USW_KERNEL only_sums
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, bins)
#define USW_REDUCERS(R, S) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(sums, x % bins, (double)(i % 5)); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL other_sums
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, bins)
#define USW_REDUCERS(R, S) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(sums, x % bins, (double)(i % 3)); }
#include <upsweep/kernel_end.h>

enum { ITEMS = 20011, MOST_BINS = 100003 };

static ranks_t ranks;
static uint32_t numbers[ITEMS], largest[2][MOST_BINS];
static uint64_t counts[2][MOST_BINS];
static double sums[2][MOST_BINS];

/* What MPI says of addresses of GPUs' memory. Where there is none all ranks take the way over GPUs, none of which keeps its record there; of three
 * ranks the last one does not. RECORDS_STAY: with stand_in_gathering.c all keep theirs, and of three ranks, which have NCCL, no MPI takes them. */
int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void) {
  int (*own)(void) = NULL;
  *(void **)&own = dlsym(RTLD_NEXT, "MPIX_Query_cuda_support");
  if (strcmp(ranks.place.target, "nvptx") == 0)
    return own ? own() : 0;
#ifdef RECORDS_STAY
  return ranks.ranks < 3;
#else
  return ranks.rank < 2;
#endif
}

static void fill(void) {
  uint64_t seed = 41;
  for (int i = 0; i < ITEMS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    numbers[i] = (uint32_t)(seed >> 40);
  }
}

/* The second of both arrays has what a call over ranks has written. */
static void check_spans(size_t bins) {
  CHECK(memcmp(counts[0], counts[1], bins * sizeof **counts) == 0);
  CHECK(memcmp(sums[0], sums[1], bins * sizeof **sums) == 0);
  CHECK(memcmp(largest[0], largest[1], bins * sizeof **largest) == 0);
}

static void start_from(int value) {
  for (int k = 0; k < MOST_BINS; k++)
    for (int which = 0; which < 2; which++) {
      counts[which][k] = (uint64_t)(value + k);
      sums[which][k] = value;
      largest[which][k] = (uint32_t)(value + k);
    }
}

/* Values that were there are combined in once, whatever the number of ranks. */
static void in_either_order(uint32_t bins, uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t x = memory_get(&ranks.place, numbers + piece.first, piece.n * sizeof *numbers, 0);
  const size_t pairs = (bins + 1) / 2;
  uint64_t all = 5, total = 5;
  start_from(3);
  CHECK_STATUS(USW_OK, wide_counts(ITEMS, numbers, bins, counts[0], bins, sums[0], pairs, &all, NULL));
  CHECK_STATUS(USW_OK, wide_counts_mpi(piece.n, (const uint32_t *)x.data, bins, counts[1], bins, sums[1], pairs, &total,
                                       MPI_COMM_WORLD, &options));
  check_spans(MOST_BINS);
  CHECK_U64(all, total);
  CHECK_STATUS(USW_OK, wide_counts_fresh(ITEMS, numbers, bins, counts[0], bins, sums[0], pairs, &all, NULL));
  CHECK_STATUS(USW_OK, wide_counts_mpi_fresh(piece.n, (const uint32_t *)x.data, bins, counts[1], bins, sums[1], pairs,
                                             &total, MPI_COMM_WORLD, &options));
  check_spans(MOST_BINS);
  CHECK_U64(all, total);
  memory_free(&x);
}

static void in_order(uint32_t bins, uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t x = memory_get(&ranks.place, numbers + piece.first, piece.n * sizeof *numbers, 0);
  const size_t thirds = (bins + 2) / 3;
  start_from(3);
  CHECK_STATUS(USW_OK, wide_sums(ITEMS, numbers, bins, sums[0], bins, largest[0], thirds, NULL));
  CHECK_STATUS(USW_OK, wide_sums_mpi(piece.n, (const uint32_t *)x.data, bins, sums[1], bins, largest[1], thirds,
                                     MPI_COMM_WORLD, &options));
  check_spans(MOST_BINS);
  CHECK_STATUS(USW_OK, wide_sums_fresh(ITEMS, numbers, bins, sums[0], bins, largest[0], thirds, NULL));
  CHECK_STATUS(USW_OK, wide_sums_mpi_fresh(piece.n, (const uint32_t *)x.data, bins, sums[1], bins, largest[1], thirds,
                                           MPI_COMM_WORLD, &options));
  check_spans(MOST_BINS);
  memory_free(&x);
}

/* The span is where the rank's items are. */
static void in_the_place(uint32_t bins, uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t x = memory_get(&ranks.place, numbers + piece.first, piece.n * sizeof *numbers, 0);
  for (int is_fresh = 0; is_fresh < 2; is_fresh++) {
    start_from(3);
    place_memory_t span = memory_get(&ranks.place, sums[1], sizeof sums[1], 0);
    CHECK_STATUS(USW_OK, (is_fresh ? only_sums_fresh : only_sums)(ITEMS, numbers, bins, sums[0], bins, NULL));
    CHECK_STATUS(USW_OK,
                 (is_fresh ? only_sums_mpi_fresh : only_sums_mpi)(piece.n, (const uint32_t *)x.data, bins,
                                                                  (double *)span.data, bins, MPI_COMM_WORLD, &options));
    memory_read(&span, sums[1], sizeof sums[1]);
    CHECK(memcmp(sums[0], sums[1], sizeof sums[1]) == 0);
    memory_free(&span);
  }
  memory_free(&x);
}

/* The root's span alone is written. */
static void to_one_rank(uint32_t bins, uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t x = memory_get(&ranks.place, numbers + piece.first, piece.n * sizeof *numbers, 0);
  for (int root = 0; root < ranks.ranks; root++) {
    const int is_root = ranks.rank == root;
    start_from(5);
    if (is_root)
      CHECK_STATUS(USW_OK, only_sums(ITEMS, numbers, bins, sums[0], bins, NULL));
    CHECK_STATUS(USW_OK, only_sums_mpi_reduce(piece.n, (const uint32_t *)x.data, bins, sums[1], bins, root,
                                              MPI_COMM_WORLD, &options));
    CHECK(memcmp(sums[0], sums[1], sizeof sums[1]) == 0);
  }
  memory_free(&x);
}

/* Of the last rank alone; the results stay as they are on all. */
static void failures(uint32_t bins) {
  const int is_wrong = ranks.rank == ranks.ranks - 1;
  uint64_t total = 7;
  start_from(4);
  CHECK_STATUS(USW_ERROR_INVALID, wide_counts_mpi(ITEMS, is_wrong ? NULL : numbers, bins, counts[1], bins, sums[1],
                                                  bins, &total, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "wide_counts: 'x' is NULL");
  CHECK_STATUS(USW_ERROR_INVALID, wide_sums_mpi(ITEMS, is_wrong ? NULL : numbers, bins, sums[1], bins, largest[1], bins,
                                                MPI_COMM_WORLD, NULL));
  check_spans(MOST_BINS);
  CHECK_U64(7, total);
}

/* Kernels of one extent, which are not the same: MPI has no other way to tell. */
static void different_kernels(uint32_t bins) {
  usw_status_t status;
  start_from(4);
  if (ranks.rank % 2 == 0)
    status = only_sums_mpi(ITEMS, numbers, bins, sums[1], bins, MPI_COMM_WORLD, NULL);
  else
    status = other_sums_mpi(ITEMS, numbers, bins, sums[1], bins, MPI_COMM_WORLD, NULL);
  CHECK_STATUS(ranks.ranks > 1 ? USW_ERROR_EXCHANGE : USW_OK, status);
}

/* Records of other extents, which padding makes as long. */
static void different_extents(uint32_t bins) {
  const uint32_t own = bins - (uint32_t)ranks.rank % 2;
  start_from(4);
  CHECK_STATUS(ranks.ranks > 1 ? USW_ERROR_EXCHANGE : USW_OK,
               only_sums_mpi(ITEMS, numbers, own, sums[1], own, MPI_COMM_WORLD, NULL));
}

/* For a room that is larger than any before. */
static void short_of_memory(void) {
  uint64_t total = 7;
  start_from(4);
  ranks_memory_is_short = ranks.rank == ranks.ranks - 1;
  CHECK_STATUS(USW_ERROR_MEMORY, wide_counts_mpi(ITEMS, numbers, MOST_BINS, counts[1], MOST_BINS, sums[1], MOST_BINS,
                                                 &total, MPI_COMM_WORLD, NULL));
  ranks_memory_is_short = 0;
  CHECK_TEXT_HAS(usw_error_text(), "no room for two messages");
  check_spans(MOST_BINS);
  CHECK_U64(7, total);
}

#ifdef RECORDS_STAY
static void check_nccl(void) {
  void *const library = dlopen("libnccl.so.2", RTLD_NOW);
  const stand_in_nccl_t *nccl = library ? dlsym(library, "stand_in_nccl") : NULL;
  CHECK(nccl && (nccl->gathered > 0) == (ranks.ranks > 2));
}
#endif

int main(int argc, char **argv) {
  static const uint32_t bins[] = {20000, 50021, 20000, 8192, 50021};
  ranks = ranks_begin(&argc, &argv);
  fill();
  for (size_t k = 0; k < sizeof bins / sizeof *bins; k++) {
    in_either_order(bins[k], k);
    in_order(bins[k], k);
    in_the_place(bins[k], k);
    to_one_rank(bins[k], k);
    failures(bins[k]);
  }
  different_kernels(20000);
  different_extents(20000);
  short_of_memory();
  in_either_order(MOST_BINS, 7);
  in_order(MOST_BINS, 7);
  in_the_place(MOST_BINS, 8);
  in_the_place(100, 9);
#ifdef RECORDS_STAY
  check_nccl();
#endif
  return ranks_end();
}
