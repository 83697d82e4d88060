/* Kernels of users over ranks: results are those of the kernel's function over all items.   mpiexec -n RANKS kernels [--place NAME] */
#include <math.h>
#include <string.h>

#include "oracle/memory.h"
#include "ranks.h"
#include "support/check.h"

#define USW_KERNEL residual
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax) VALUE(double, tolerance)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, sum2, USW_PLUS_REPRODUCIBLE) R(double, worst, USW_MAXIMUM) R(uint64_t, bad, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() {
  const double r = b - ax;
  usw_add(sum2, r * r);
  usw_combine(worst, fabs(r));
  if (fabs(r) > tolerance)
    usw_inc(bad);
}
#include <upsweep/kernel_end.h>

/* Merges take memory: rounded sums have an order, and the extent is a constant. */
enum { CELLS = 1000 };
#define USW_KERNEL rounded_cells
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b)
#define USW_REDUCERS(R, S) S(double, cells, CELLS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_add_at(cells, (size_t)b % CELLS, b); }
#include <upsweep/kernel_end.h>

#include "rank_kernels.h" /* whose items have names of the arguments above */

enum { SPLITS = 4 };

static ranks_t ranks;

/* ---- several reducers ---- */

typedef struct {
  double sum2, worst;
  uint64_t bad;
} residual_t;

static void check_residual(residual_t expected, residual_t got) {
  CHECK_F64(expected.sum2, got.sum2);
  CHECK_F64(expected.worst, got.worst);
  CHECK_U64(expected.bad, got.bad);
}

static void residuals(uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t own_b = memory_get(&ranks.place, b + piece.first, piece.n * sizeof *b, 0);
  place_memory_t own_ax = memory_get(&ranks.place, ax + piece.first, piece.n * sizeof *ax, 0);
  const double *const of_b = own_b.data, *const of_ax = own_ax.data;
  residual_t all = {1, 2, 3}, r = all, fresh;
  usw_mpi_request_t request = {NULL}, again = {NULL};
  CHECK_STATUS(USW_OK, residual(ITEMS, b, ax, 5, &all.sum2, &all.worst, &all.bad, NULL));
  CHECK_STATUS(USW_OK, residual_mpi(piece.n, of_b, of_ax, 5, &r.sum2, &r.worst, &r.bad, MPI_COMM_WORLD, &options));
  check_residual(all, r);
  r = (residual_t){1, 2, 3};
  CHECK_STATUS(USW_OK, residual_mpi_start(piece.n, of_b, of_ax, 5, &r.sum2, &r.worst, &r.bad, MPI_COMM_WORLD, &options,
                                          &request));
  CHECK_STATUS(USW_OK, usw_mpi_wait(&request));
  check_residual(all, r);
  r = (residual_t){1, 2, 3};
  CHECK_STATUS(USW_OK,
               residual_mpi_reduce(piece.n, of_b, of_ax, 5, &r.sum2, &r.worst, &r.bad, 0, MPI_COMM_WORLD, &options));
  check_residual(ranks.rank == 0 ? all : (residual_t){1, 2, 3}, r);
  CHECK_STATUS(USW_OK, residual_fresh(ITEMS, b, ax, 5, &all.sum2, &all.worst, &all.bad, NULL));
  CHECK_STATUS(USW_OK, residual_mpi_fresh(piece.n, of_b, of_ax, 5, &fresh.sum2, &fresh.worst, &fresh.bad,
                                          MPI_COMM_WORLD, &options));
  check_residual(all, fresh);
  CHECK_STATUS(USW_OK,
               residual_mpi_init(piece.n, of_b, of_ax, 5, &r.sum2, &r.worst, &r.bad, MPI_COMM_WORLD, &options, &again));
  for (int run = 0; run < 3; run++) {
    r = (residual_t){0, 0, 0};
    CHECK_STATUS(USW_OK, usw_mpi_start(&again));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&again));
    check_residual(all, r);
  }
  usw_mpi_request_free(&again);
  memory_free(&own_b);
  memory_free(&own_ax);
}

/* ---- order, indices, spans ---- */

static void chains(uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t x = memory_get(&ranks.place, numbers + piece.first, piece.n * sizeof *numbers, 0);
  const chain_t begin = {UINT64_MAX, UINT64_MAX, 0};
  chain_t all = begin, chain = begin;
  affine_t map_of_all = affine_one(), map = affine_one();
  CHECK_STATUS(USW_OK, chained(ITEMS, numbers, &all, &map_of_all, NULL));
  CHECK_U64(0, all.broken);
  CHECK_STATUS(USW_OK, chained_mpi(piece.n, (const uint32_t *)x.data, &chain, &map, MPI_COMM_WORLD, &options));
  CHECK(all.first == chain.first && all.last == chain.last && chain.broken == 0); /* behind them is padding */
  CHECK(memcmp(&map_of_all, &map, sizeof map) == 0);
  memory_free(&x);
}

static void histograms(uint64_t seed) {
  static uint64_t all[BINS], counts[BINS];
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const usw_options_t options = place_options(&ranks.place);
  place_memory_t x = memory_get(&ranks.place, numbers + piece.first, piece.n * sizeof *numbers, 0);
  uint64_t total_of_all, total;
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(USW_OK, histogram_fresh(ITEMS, numbers, all, BINS, &total_of_all, NULL));
  CHECK_STATUS(USW_OK,
               histogram_mpi_fresh(piece.n, (const uint32_t *)x.data, counts, BINS, &total, MPI_COMM_WORLD, &options));
  CHECK(memcmp(all, counts, sizeof all) == 0);
  CHECK_U64(total_of_all, total);
  memset(counts, 0, sizeof counts);
  total = 0;
  CHECK_STATUS(USW_OK, histogram_mpi_start(piece.n, (const uint32_t *)x.data, counts, BINS, &total, MPI_COMM_WORLD,
                                           &options, &request));
  CHECK_STATUS(USW_OK, usw_mpi_wait(&request));
  CHECK(memcmp(all, counts, sizeof all) == 0);
  memset(counts, 0, sizeof counts);
  total = 0;
  CHECK_STATUS(USW_OK, histogram_mpi_reduce(piece.n, (const uint32_t *)x.data, counts, BINS, &total, ranks.ranks - 1,
                                            MPI_COMM_WORLD, &options));
  CHECK_U64(ranks.rank == ranks.ranks - 1 ? total_of_all : 0, total);
  memory_free(&x);
}

/* ---- errors ---- */

/* Of no rank an item: no value, no identity. */
static void nothing_to_chain(void) {
  const usw_kernel_t *const kernel = chained_part(0, NULL).kernel;
  CHECK(kernel != NULL);
  chain_t chain = {5, 5, 0};
  affine_t map = affine_one();
  CHECK_STATUS(USW_OK, chained_mpi(0, NULL, &chain, &map, MPI_COMM_WORLD, NULL));
  CHECK_U64(5, chain.last); /* the original value stays */
  CHECK_STATUS(USW_ERROR_NO_IDENTITY, chained_mpi_fresh(0, NULL, &chain, &map, MPI_COMM_WORLD, NULL));
}

static void failures(void) {
  residual_t r = {1, 2, 3};
  static uint64_t counts[BINS];
  uint64_t total = 7;
  const int failing = ranks.ranks - 1;
  CHECK_STATUS(USW_ERROR_INVALID, residual_mpi(1, ranks.rank == failing ? NULL : b, ax, 5, &r.sum2, &r.worst, &r.bad,
                                               MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "residual: 'b' is NULL");
  check_residual((residual_t){1, 2, 3}, r);
  CHECK_STATUS(USW_ERROR_INVALID,
               histogram_mpi(1, ranks.rank == failing ? NULL : numbers, counts, BINS, &total, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID,
               histogram_mpi(1, numbers, ranks.rank == failing ? NULL : counts, BINS, &total, MPI_COMM_WORLD, NULL));
  ranks_memory_is_short = ranks.rank == failing;
  CHECK_STATUS(USW_ERROR_MEMORY, histogram_mpi(1, numbers, counts, BINS, &total, MPI_COMM_WORLD, NULL));
  ranks_memory_is_short = 0;
  CHECK_TEXT_HAS(usw_error_text(), "no room for two messages");
  CHECK_STATUS(USW_ERROR_INVALID, histogram_mpi(1, numbers, counts, 0, &total, MPI_COMM_WORLD, NULL));
  CHECK_U64(7, total);
}

/* The sums of a scan over ranks of a kernel. */
static void scans(uint64_t seed) {
  const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)(b + piece.first), (uint64_t)(uintptr_t)(ax + piece.first), 0};
  residual_t before = {0, 0, 0}, expected = before;
  const usw_variable_t variables[] = {{&before.sum2, 1}, {&before.worst, 1}, {&before.bad, 1}};
  const usw_kernel_t *const kernel = residual_part(0, NULL, NULL, 0).kernel;
  CHECK_STATUS(USW_OK, usw_mpi_kernel_scan(kernel, piece.n, arguments, variables, 1, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_OK, residual(piece.first, b, ax, 0, &expected.sum2, &expected.worst, &expected.bad, NULL));
  check_residual(expected, before);
}

/* Of rank 0, whose message has as many bytes: each message is padded. */
static void different_extents(void) {
  static uint64_t counts[BINS];
  const size_t n = ranks.rank == 0 ? 0 : ITEMS, bins = ranks.rank == 0 ? BINS - 1 : BINS;
  uint64_t total = 7;
  usw_mpi_request_t request = {NULL};
  if (ranks.ranks == 1)
    return;
  CHECK_STATUS(USW_ERROR_EXCHANGE, histogram_mpi(n, numbers, counts, bins, &total, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "histogram: ranks have different kernels or extents");
  CHECK_STATUS(USW_OK, histogram_mpi_start(n, numbers, counts, bins, &total, MPI_COMM_WORLD, NULL, &request));
  CHECK_STATUS(USW_ERROR_EXCHANGE, usw_mpi_wait(&request));
  CHECK_TEXT_HAS(usw_error_text(), "histogram: ranks have different kernels or extents");
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)numbers};
  const usw_variable_t variables[] = {{counts, bins}, {&total, 1}};
  const usw_kernel_t *const kernel = histogram_part(0, NULL).kernel;
  for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++) {
    CHECK_STATUS(USW_ERROR_EXCHANGE,
                 usw_mpi_kernel_scan(kernel, n, arguments, variables, is_exclusive, MPI_COMM_WORLD, NULL));
    CHECK_TEXT_HAS(usw_error_text(), "histogram: ranks have different kernels or extents");
  }
  CHECK_U64(7, total);
}

/* The last rank has memory for its two messages, but not for a merge: earlier ranks, whose scans are complete, have its status. */
static void no_memory_to_merge(void) {
  static double cells[CELLS];
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)b};
  const usw_variable_t variable = {cells, CELLS};
  const usw_kernel_t *const kernel = rounded_cells_part(0, NULL).kernel;
  if (ranks.ranks == 1)
    return;
  ranks_memory_is_short = ranks.rank == ranks.ranks - 1 ? 2 : 0;
  CHECK_STATUS(USW_ERROR_MEMORY, usw_mpi_kernel_scan(kernel, 2, arguments, &variable, 0, MPI_COMM_WORLD, NULL));
  ranks_memory_is_short = 0;
  CHECK_TEXT_HAS(usw_error_text(), "rounded_cells: out of memory");
  for (int k = 0; k < CELLS; k++)
    CHECK_F64(0, cells[k]);
}

int main(int argc, char **argv) {
  ranks = ranks_begin(&argc, &argv);
  fill();
  for (uint64_t seed = 0; seed < SPLITS; seed++) {
    residuals(seed);
    chains(seed);
    histograms(seed);
    scans(seed);
  }
  nothing_to_chain();
  failures();
  different_extents();
  no_memory_to_merge();
  return ranks_end();
}
