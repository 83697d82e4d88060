/* What a large span over ranks costs beside what it is made of: the kernel without MPI, and MPI_Allreduce() of its span.
 *
 *   mpiexec -n RANKS spans [--rounds N] [--place gpu] [--spans gpu]
 *
 * A histogram of 2^22 random numbers on each rank, in the host's memory or in that of the rank's GPU, into spans of the host's or, where MPI takes
 * addresses there, of the GPU's memory. Both results are compared. Times are those of the slowest rank: medians, and quartiles of how much longer a call takes. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/mpi.h>

#include "measure/statistics.h"

#define USW_KERNEL counts_of
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, mask)
#define USW_REDUCERS(R, S) S(uint64_t, bins, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_combine_at(bins, x & mask, 1); }
#include <upsweep/kernel_end.h>

/* Sums that round: merged in the order of ranks. */
#define USW_KERNEL weights_of
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, mask)
#define USW_REDUCERS(R, S) S(double, bins, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_combine_at(bins, x & mask, 1.0); }
#include <upsweep/kernel_end.h>

enum { ITEMS = 1 << 22, MOST_BINS = 1 << 22, BIN_BYTES = 8, MOST_ROUNDS = 101 };
typedef enum { OWN, BY_HAND, CALL, COMPETITORS } competitor_t; /* BY_HAND: what follows OWN */

typedef struct {
  const char *name;
  MPI_Datatype type;
  usw_status_t (*own)(size_t, const uint32_t *, uint32_t, void *, size_t);
  usw_status_t (*call)(size_t, const uint32_t *, uint32_t, void *, size_t);
} span_t;

static usw_options_t options = {.size = USW_INIT(usw_options_t)};
static uint32_t *x;
static void *by_hand, *by_call; /* spans of counts or of weights */
static double seconds[COMPETITORS][MOST_ROUNDS];
static int failures, gpu = -1; /* the rank's */

static usw_status_t own_counts(size_t n, const uint32_t *items, uint32_t mask, void *bins, size_t extent) {
  return counts_of_fresh(n, items, mask, bins, extent, &options);
}
static usw_status_t all_counts(size_t n, const uint32_t *items, uint32_t mask, void *bins, size_t extent) {
  return counts_of_mpi_fresh(n, items, mask, bins, extent, MPI_COMM_WORLD, &options);
}
static usw_status_t own_weights(size_t n, const uint32_t *items, uint32_t mask, void *bins, size_t extent) {
  return weights_of_fresh(n, items, mask, bins, extent, &options);
}
static usw_status_t all_weights(size_t n, const uint32_t *items, uint32_t mask, void *bins, size_t extent) {
  return weights_of_mpi_fresh(n, items, mask, bins, extent, MPI_COMM_WORLD, &options);
}

/* Memory of the rank's GPU, or of the host; this process ends soon. */
static void *allocate(size_t bytes, int is_on_gpu) { return is_on_gpu ? omp_target_alloc(bytes, gpu) : malloc(bytes); }

static int copy(void *to, int is_to_gpu, const void *from, int is_from_gpu, size_t bytes) {
  const int host = omp_get_initial_device();
  return omp_target_memcpy(to, from, bytes, 0, 0, is_to_gpu ? gpu : host, is_from_gpu ? gpu : host);
}

/* Whether both results are the same. */
static int are_same(size_t bytes, int are_on_gpu) {
  void *const one = malloc(bytes), *const other = malloc(bytes);
  const int are = one && other && copy(one, 0, by_hand, are_on_gpu, bytes) == 0 &&
                  copy(other, 0, by_call, are_on_gpu, bytes) == 0 && memcmp(one, other, bytes) == 0;
  free(one);
  free(other);
  return are;
}

/* A turn of each, one behind the other: MPI_Allreduce() takes what the kernel has left. */
static void take_round(const span_t *span, size_t bins, int round) {
  const uint32_t mask = (uint32_t)bins - 1;
  for (competitor_t who = OWN; who < COMPETITORS; who++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (who == OWN)
      failures += span->own(ITEMS, x, mask, by_hand, bins) != USW_OK;
    else if (who == BY_HAND)
      MPI_Allreduce(MPI_IN_PLACE, by_hand, (int)bins, span->type, MPI_SUM, MPI_COMM_WORLD);
    else
      failures += span->call(ITEMS, x, mask, by_call, bins) != USW_OK;
    const double took = MPI_Wtime() - start;
    double slowest;
    MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round >= 0)
      seconds[who][round] = slowest;
  }
}

static void tell(const span_t *span, size_t bins, int rounds) {
  double ratios[MOST_ROUNDS];
  const double to_us = 1e6;
  for (int r = 0; r < rounds; r++)
    ratios[r] = seconds[CALL][r] / (seconds[OWN][r] + seconds[BY_HAND][r]);
  const bench_statistics_t ratio = bench_describe_times(ratios, (size_t)rounds);
  printf("%-8s %8zu", span->name, bins);
  for (competitor_t who = OWN; who < COMPETITORS; who++)
    printf(" %10.1f", bench_describe_times(seconds[who], (size_t)rounds).median * to_us);
  printf("   %.2f (%.2f to %.2f)\n", ratio.median, ratio.first_quartile, ratio.third_quartile);
}

static void measure(const span_t *span, size_t bins, int rounds, int rank, int spans_are_on_gpu) {
  for (int round = -1; round < rounds; round++) /* the first one warms up */
    take_round(span, bins, round);
  failures += !are_same(bins * BIN_BYTES, spans_are_on_gpu);
  if (rank == 0)
    tell(span, bins, rounds);
}

static int find_gpu(void) {
  if (usw_mpi_device(MPI_COMM_WORLD, &gpu) != USW_OK || gpu < 0)
    return fprintf(stderr, "spans: there is no GPU\n"), -1;
  options.place = USW_DEVICE;
  options.device = gpu;
  return 0;
}

/* Random items, the rank's own. */
static int fill(int rank, int is_on_gpu, int spans_are_on_gpu) {
  uint64_t seed = 39 + (uint64_t)rank;
  options.place = USW_HOST;
  if (is_on_gpu && find_gpu() != 0)
    return -1;
  uint32_t *const numbers = malloc(ITEMS * sizeof *numbers);
  x = allocate(ITEMS * sizeof *x, is_on_gpu);
  by_hand = allocate((size_t)MOST_BINS * BIN_BYTES, spans_are_on_gpu);
  by_call = allocate((size_t)MOST_BINS * BIN_BYTES, spans_are_on_gpu);
  if (!numbers || !x || !by_hand || !by_call)
    return -1;
  for (int i = 0; i < ITEMS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    numbers[i] = (uint32_t)(seed >> 32);
  }
  const int error = copy(x, is_on_gpu, numbers, 0, ITEMS * sizeof *x);
  free(numbers);
  return error;
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {1 << 12, 1 << 16, 1 << 20, 1 << 22};
  const span_t spans[] = {{"uint64_t", MPI_UINT64_T, own_counts, all_counts},
                          {"double", MPI_DOUBLE, own_weights, all_weights}};
  int is_on_gpu = 0, spans_are_on_gpu = 0, rounds = 9, rank;
  for (int k = 1; k + 1 < argc; k++) {
    rounds = strcmp(argv[k], "--rounds") == 0 ? (int)strtol(argv[k + 1], NULL, 10) : rounds;
    is_on_gpu |= strcmp(argv[k], "--place") == 0 && strcmp(argv[k + 1], "gpu") == 0;
    spans_are_on_gpu |= strcmp(argv[k], "--spans") == 0 && strcmp(argv[k + 1], "gpu") == 0;
  }
  is_on_gpu |= spans_are_on_gpu;
  if (rounds < 1 || rounds > MOST_ROUNDS)
    return fprintf(stderr, "spans: --rounds is from 1 to %d\n", MOST_ROUNDS), 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  failures += fill(rank, is_on_gpu, spans_are_on_gpu) != 0;
  if (rank == 0)
    puts("us              bins        own  allreduce     K_mpi   K_mpi of own and allreduce");
  for (size_t s = 0; s < sizeof spans / sizeof *spans && !failures; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !failures; k++)
      measure(&spans[s], sizes[k], rounds, rank, spans_are_on_gpu);
  if (failures)
    fprintf(stderr, "spans: rank %d: %d failures, the last one: %s\n", rank, failures, usw_error_text());
  MPI_Finalize();
  return failures != 0;
}
