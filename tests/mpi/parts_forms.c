/* Parts over ranks in forms other than usw_mpi_allreduce_parts(): with a root, of the ranks before, and as requests.
 *   mpiexec -n RANKS parts_forms [--place NAME] */
#include <string.h>

#include "deals.h"
#include "rank_kernels.h"
#include "support/check.h"

enum { SPLITS = 2, RUNS = 2 };

static ranks_t ranks;
static const usw_options_t reproducible = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
static const chain_t begin = {UINT64_MAX, UINT64_MAX, 0};

/* ---- the library's reductions ---- */

static double sum_of(size_t n) {
  double sum = -1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, b, n, &sum, &reproducible));
  return sum;
}

static double dot_of(size_t n) {
  double dot = -1;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, b, ax, n, &dot, &reproducible));
  return dot;
}

static void rooted(uint64_t seed) {
  deal_t own;
  usw_part_t parts[MOST_PARTS];
  const int root = (int)seed % ranks.ranks, is_root = ranks.rank == root;
  double sum = 7, dot = 7;
  deal(&own, ITEMS, seed, b, ax, sizeof *b);
  const usw_part_t *const first = deal_parts(&own, parts);
  CHECK_STATUS(USW_OK,
               usw_mpi_reduce_parts(USW_PLUS, USW_F64, first, own.count, &sum, root, MPI_COMM_WORLD, &reproducible));
  CHECK_F64(is_root ? sum_of(ITEMS) : 7, sum);
  CHECK_STATUS(USW_OK, usw_mpi_reduce_parts(USW_DOT, USW_F64, first, own.count, is_root ? &dot : NULL, root,
                                            MPI_COMM_WORLD, &reproducible));
  CHECK_F64(is_root ? dot_of(ITEMS) : 7, dot);
  deal_free(&own);
}

static void scans(uint64_t seed) {
  deal_t own;
  usw_part_t parts[MOST_PARTS];
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t reporting = reproducible;
  usw_located_f64_t most, expected;
  double value = 7;
  deal(&own, ITEMS, seed, b, ax, sizeof *b);
  const size_t before = own.piece.first, with = before + own.piece.n;
  const usw_part_t *const first = deal_parts(&own, parts);
  reporting.report = &report;
  CHECK_STATUS(USW_OK, usw_mpi_scan_parts(USW_PLUS, USW_F64, first, own.count, &value, MPI_COMM_WORLD, &reproducible));
  CHECK_F64(sum_of(with), value);
  CHECK_STATUS(USW_OK, usw_mpi_exscan_parts(USW_PLUS, USW_F64, first, own.count, &value, MPI_COMM_WORLD, &reporting));
  CHECK_F64(sum_of(before), value);
  CHECK_U64(own.piece.n * sizeof *b, report.bytes);
  CHECK_STATUS(USW_OK, usw_mpi_exscan_parts(USW_DOT, USW_F64, first, own.count, &value, MPI_COMM_WORLD, &reproducible));
  CHECK_F64(dot_of(before), value);
  CHECK_STATUS(USW_OK, usw_mpi_scan_parts(USW_ARGMAX, USW_F64, first, own.count, &most, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMAX, USW_F64, b, with, &expected, NULL));
  CHECK_I64(expected.index, most.index);
  CHECK_STATUS(USW_OK, usw_mpi_exscan_parts(USW_ARGMAX, USW_F64, first, own.count, &most, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMAX, USW_F64, b, before, &expected, NULL));
  CHECK_I64(expected.index, most.index);
  deal_free(&own);
}

/* The caller's array of parts is gone when they are started. */
static void requests(uint64_t seed) {
  deal_t own;
  usw_part_t parts[MOST_PARTS];
  usw_mpi_request_t once = {NULL}, again = {NULL};
  double sum = 7, dot = 7;
  deal(&own, ITEMS, seed, b, ax, sizeof *b);
  const usw_part_t *const first = deal_parts(&own, parts);
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_parts_init(USW_DOT, USW_F64, first, own.count, &dot, MPI_COMM_WORLD,
                                                    &reproducible, &again));
  CHECK_STATUS(USW_OK, usw_mpi_iallreduce_parts(USW_PLUS, USW_F64, first, own.count, &sum, MPI_COMM_WORLD,
                                                &reproducible, &once));
  memset(parts, 0xff, sizeof parts);
  for (int run = 0; run < RUNS; run++) {
    dot = 7;
    CHECK_STATUS(USW_OK, usw_mpi_start(&again));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&again));
    CHECK_F64(dot_of(ITEMS), dot);
  }
  CHECK_STATUS(USW_OK, usw_mpi_wait(&once));
  CHECK_F64(sum_of(ITEMS), sum);
  usw_mpi_request_free(&again);
  deal_free(&own);
}

/* Elements that change between the starts. */
static void changing(void) {
  double x[3] = {0}, y[2] = {0}, sum = 7;
  const usw_part_t parts[] = {{.size = sizeof *parts, .n = 3, .x = {x}}, {.size = sizeof *parts, .n = 2, .x = {y}}};
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_parts_init(USW_PLUS, USW_F64, parts, 2, &sum, MPI_COMM_WORLD, NULL, &request));
  for (int run = 1; run <= RUNS; run++) {
    x[2] = run;
    y[1] = 10 * run;
    CHECK_STATUS(USW_OK, usw_mpi_start(&request));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&request));
    CHECK_F64(11.0 * run * ranks.ranks, sum);
  }
  usw_mpi_request_free(&request);
}

/* ---- kernels ---- */

typedef struct {
  deal_t deal;
  usw_kernel_part_t links[MOST_PARTS], bins[MOST_PARTS];
} own_t;

static void take(own_t *own, uint64_t seed) {
  deal(&own->deal, ITEMS, seed, numbers, numbers, sizeof *numbers);
  for (size_t k = 0; k < own->deal.count; k++) {
    const own_part_t *part = &own->deal.part[k];
    own->links[k] = deal_placed(chained_part(part->n, part->x.data), part);
    own->bins[k] = deal_placed(histogram_part(part->n, part->x.data), part);
  }
}

static void check_links(size_t n, chain_t chain, affine_t map) {
  chain_t expected = begin;
  affine_t expected_map = affine_one();
  CHECK_STATUS(USW_OK, chained(n, numbers, &expected, &expected_map, NULL));
  CHECK(chain.first == expected.first && chain.last == expected.last && chain.broken == 0); /* behind them is padding */
  CHECK(memcmp(&map, &expected_map, sizeof map) == 0);
}

/* So many times the counts of the first n numbers. */
static void check_bins(size_t n, uint64_t times, const uint64_t *counts, uint64_t total) {
  static uint64_t expected[BINS];
  uint64_t expected_total;
  CHECK_STATUS(USW_OK, histogram_fresh(n, numbers, expected, BINS, &expected_total, NULL));
  for (int k = 0; k < BINS; k++)
    expected[k] *= times;
  CHECK(memcmp(counts, expected, sizeof expected) == 0);
  CHECK_U64(times * expected_total, total);
}

static void kernels_to_root(uint64_t seed) {
  static uint64_t counts[BINS];
  own_t own;
  const int root = (int)seed % ranks.ranks;
  uint64_t total = 0;
  chain_t chain = begin;
  affine_t map = affine_one();
  take(&own, seed);
  memset(counts, 0, sizeof counts);
  CHECK_STATUS(USW_OK, chained_mpi_parts_reduce(own.links, own.deal.count, &chain, &map, root, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_OK,
               histogram_mpi_parts_reduce(own.bins, own.deal.count, counts, BINS, &total, root, MPI_COMM_WORLD, NULL));
  check_links(ranks.rank == root ? ITEMS : 0, chain, map);
  check_bins(ranks.rank == root ? ITEMS : 0, 1, counts, total);
  deal_free(&own.deal);
}

static void kernels_before(uint64_t seed) {
  static uint64_t counts[BINS];
  own_t own;
  take(&own, seed);
  for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++) {
    uint64_t total = 0;
    chain_t chain = begin;
    affine_t map = affine_one();
    const usw_variable_t links[] = {{&chain, 1}, {&map, 1}}, bins[] = {{counts, BINS}, {&total, 1}};
    const size_t n = own.deal.piece.first + (is_exclusive ? 0 : own.deal.piece.n);
    memset(counts, 0, sizeof counts);
    CHECK_STATUS(USW_OK, usw_mpi_kernel_scan_parts(chained_part(0, NULL).kernel, own.links, own.deal.count, links,
                                                   is_exclusive, MPI_COMM_WORLD, NULL));
    CHECK_STATUS(USW_OK, usw_mpi_kernel_scan_parts(histogram_part(0, NULL).kernel, own.bins, own.deal.count, bins,
                                                   is_exclusive, MPI_COMM_WORLD, NULL));
    check_links(n, chain, map);
    check_bins(n, 1, counts, total);
  }
  deal_free(&own.deal);
}

static void kernels_later(uint64_t seed) {
  static uint64_t counts[BINS];
  own_t own;
  usw_mpi_request_t once = {NULL}, again = {NULL};
  uint64_t total = 0;
  chain_t chain = begin;
  affine_t map = affine_one();
  take(&own, seed);
  memset(counts, 0, sizeof counts);
  CHECK_STATUS(USW_OK,
               histogram_mpi_parts_init(own.bins, own.deal.count, counts, BINS, &total, MPI_COMM_WORLD, NULL, &again));
  CHECK_STATUS(USW_OK, chained_mpi_parts_start(own.links, own.deal.count, &chain, &map, MPI_COMM_WORLD, NULL, &once));
  memset(own.bins, 0xff, sizeof own.bins);
  memset(own.links, 0xff, sizeof own.links);
  for (uint64_t run = 1; run <= RUNS; run++) { /* what the variables hold is part of the next results */
    CHECK_STATUS(USW_OK, usw_mpi_start(&again));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&again));
    check_bins(ITEMS, run, counts, total);
  }
  CHECK_STATUS(USW_OK, usw_mpi_wait(&once));
  check_links(ITEMS, chain, map);
  usw_mpi_request_free(&again);
  deal_free(&own.deal);
}

/* ---- errors: of one rank, all have them ---- */

static void fails(usw_status_t expected, usw_status_t status, const char *text) {
  CHECK_STATUS(expected, status);
  CHECK_TEXT_HAS(usw_error_text(), text);
}

static void failures(int failing) {
  const int is_wrong = ranks.rank == failing;
  const usw_part_t parts[] = {{.size = sizeof *parts, .n = 2, .x = {b}},
                              {.size = sizeof *parts, .n = 1, .x = {is_wrong ? NULL : b}}};
  double sum = 7;
  char who[64] = "rank 0: part 2 of 2: sum_f64: 'x' is NULL";
  who[5] = (char)('0' + failing);
  fails(USW_ERROR_INVALID,
        usw_mpi_reduce_parts(USW_PLUS, USW_F64, parts, 2, &sum, ranks.ranks - 1, MPI_COMM_WORLD, NULL), who);
  fails(USW_ERROR_INVALID, usw_mpi_scan_parts(USW_PLUS, USW_F64, parts, 2, &sum, MPI_COMM_WORLD, NULL), who);
  fails(USW_ERROR_INVALID, usw_mpi_exscan_parts(USW_PLUS, USW_F64, parts, 2, &sum, MPI_COMM_WORLD, NULL), who);
  fails(USW_ERROR_INVALID, usw_mpi_reduce_parts(USW_PLUS, USW_F64, parts, 2, &sum, ranks.ranks, MPI_COMM_WORLD, NULL),
        "root is ");
  CHECK_F64(7, sum);
}

/* What is wrong with parts is told by the end, on every rank. */
static void late(const usw_part_t *parts, size_t count, usw_status_t expected, int is_wrong, const char *text) {
  usw_mpi_request_t once = {NULL}, again = {NULL};
  double sum = 7, other = 7;
  CHECK_STATUS(USW_OK,
               usw_mpi_allreduce_parts_init(USW_PLUS, USW_F64, parts, count, &sum, MPI_COMM_WORLD, NULL, &again));
  CHECK_STATUS(USW_OK, usw_mpi_iallreduce_parts(USW_PLUS, USW_F64, parts, count, &other, MPI_COMM_WORLD, NULL, &once));
  for (int run = 0; run < RUNS; run++) {
    CHECK_STATUS(USW_OK, usw_mpi_start(&again));
    fails(expected, usw_mpi_wait(&again), is_wrong ? text : "rank ");
  }
  CHECK_STATUS(expected, usw_mpi_wait(&once));
  usw_mpi_request_free(&again);
  CHECK_F64(7, sum);
  CHECK_F64(7, other);
}

static void late_failures(int failing) {
  const int is_wrong = ranks.rank == failing;
  double there = 7;
  usw_part_t parts[] = {{.size = sizeof *parts, .n = 2, .x = {b}}, {.size = sizeof *parts, .n = 1, .x = {b + 2}}};
  parts[1].x[0] = is_wrong ? NULL : b;
  late(parts, 2, USW_ERROR_INVALID, is_wrong, "part 2 of 2: sum_f64: 'x' is NULL");
  parts[1].x[0] = b;
  late(is_wrong ? NULL : parts, 2, USW_ERROR_INVALID, is_wrong, "parts are NULL");
  parts[1].result = is_wrong ? &there : NULL;
  late(parts, 2, USW_ERROR_UNSUPPORTED, is_wrong, "part 2");
  parts[1].result = NULL;
  parts[0].size -= is_wrong ? 1 : 0;
  late(parts, 2, USW_ERROR_VERSION, is_wrong, "part 1 of 2: its size");
  CHECK_F64(7, there);
}

static void late_failures_of_kernels(int failing) {
  static uint64_t counts[BINS];
  const int is_wrong = ranks.rank == failing;
  usw_mpi_request_t request = {NULL};
  uint64_t total = 7;
  usw_kernel_part_t part = histogram_part(1, is_wrong ? NULL : numbers);
  memset(counts, 0, sizeof counts);
  CHECK_STATUS(USW_OK, histogram_mpi_parts_start(&part, 1, counts, BINS, &total, MPI_COMM_WORLD, NULL, &request));
  fails(USW_ERROR_INVALID, usw_mpi_wait(&request), is_wrong ? "part 1 of 1: histogram: 'x' is NULL" : "rank ");
  part = histogram_part(1, numbers);
  part.size -= is_wrong ? 1 : 0;
  CHECK_STATUS(USW_OK, histogram_mpi_parts_start(&part, 1, counts, BINS, &total, MPI_COMM_WORLD, NULL, &request));
  fails(USW_ERROR_VERSION, usw_mpi_wait(&request), is_wrong ? "part 1 of 1: its size" : "rank ");
  fails(USW_ERROR_VERSION, histogram_mpi_parts_reduce(&part, 1, counts, BINS, &total, 0, MPI_COMM_WORLD, NULL),
        "part 1 of 1: its size");
  part.size = sizeof part;
  ranks_memory_is_short = is_wrong;
  CHECK_STATUS(USW_ERROR_MEMORY,
               histogram_mpi_parts_init(&part, 1, counts, BINS, &total, MPI_COMM_WORLD, NULL, &request));
  ranks_memory_is_short = 0;
  CHECK(request.state == NULL);
  CHECK_U64(7, total);
  CHECK_U64(0, counts[numbers[0] % 1000]);
}

int main(int argc, char **argv) {
  ranks = ranks_begin(&argc, &argv);
  fill();
  deals_begin(&ranks);
  for (uint64_t seed = 0; seed < SPLITS; seed++) {
    rooted(seed);
    scans(seed);
    requests(seed);
    kernels_to_root(seed);
    kernels_before(seed);
    kernels_later(seed);
  }
  changing();
  for (int failing = 0; failing < ranks.ranks && failing < 2; failing++) {
    failures(failing);
    late_failures(failing);
    late_failures_of_kernels(failing);
  }
  return ranks_end();
}
