/* Items that each rank has in several parts, on the host and on devices: results are those of one call over all items.
 *   mpiexec -n RANKS parts [--place NAME] */
#include <math.h>
#include <string.h>

#include "deals.h"
#include "support/check.h"

#define USW_KERNEL residual
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax)
#define USW_REDUCERS(R, S) R(double, sum2, USW_PLUS_REPRODUCIBLE) R(double, worst, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT() {
  const double r = b - ax;
  usw_add(sum2, r * r);
  usw_combine(worst, fabs(r));
}
#include <upsweep/kernel_end.h>

#include "rank_kernels.h" /* whose items have names of the arguments above */

enum { SPLITS = 6 };

static ranks_t ranks;

/* ---- results ---- */

static void library(uint64_t seed) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  deal_t own;
  usw_part_t parts[MOST_PARTS];
  double sum, sum_of_all, dot = 1, dot_of_all = 2;
  usw_located_f64_t most, most_of_all;
  usw_describe_f64_t described, described_of_all;
  memset(&described, 0, sizeof described);
  memset(&described_of_all, 0, sizeof described_of_all);
  deal(&own, ITEMS, seed, b, ax, sizeof *b);
  const usw_part_t *const first = deal_parts(&own, parts);
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, b, ITEMS, &sum_of_all, &options));
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_parts(USW_PLUS, USW_F64, first, own.count, &sum, MPI_COMM_WORLD, &options));
  CHECK(memcmp(&sum, &sum_of_all, sizeof sum) == 0);
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, b, ax, ITEMS, &dot_of_all, &options));
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_parts(USW_DOT, USW_F64, first, own.count, &dot, MPI_COMM_WORLD, &options));
  CHECK(memcmp(&dot, &dot_of_all, sizeof dot) == 0);
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMAX, USW_F64, b, ITEMS, &most_of_all, NULL));
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_parts(USW_ARGMAX, USW_F64, first, own.count, &most, MPI_COMM_WORLD, NULL));
  CHECK_F64(most_of_all.value, most.value);
  CHECK_I64(most_of_all.index, most.index);
  CHECK_STATUS(USW_OK, usw_reduce(USW_DESCRIBE, USW_F64, b, ITEMS, &described_of_all, &options));
  CHECK_STATUS(USW_OK,
               usw_mpi_allreduce_parts(USW_DESCRIBE, USW_F64, first, own.count, &described, MPI_COMM_WORLD, &options));
  CHECK(memcmp(&described, &described_of_all, sizeof described) == 0);
  deal_free(&own);
}

static void residuals(uint64_t seed) {
  deal_t own;
  usw_kernel_part_t parts[MOST_PARTS];
  double sum2 = 1, worst = 2, sum2_of_all = 1, worst_of_all = 2;
  deal(&own, ITEMS, seed, b, ax, sizeof *b);
  for (size_t k = 0; k < own.count; k++)
    parts[k] = deal_placed(residual_part(own.part[k].n, own.part[k].x.data, own.part[k].y.data), &own.part[k]);
  CHECK_STATUS(USW_OK, residual(ITEMS, b, ax, &sum2_of_all, &worst_of_all, NULL));
  CHECK_STATUS(USW_OK, residual_mpi_parts(parts, own.count, &sum2, &worst, MPI_COMM_WORLD, NULL));
  CHECK(memcmp(&sum2, &sum2_of_all, sizeof sum2) == 0);
  CHECK_F64(worst_of_all, worst);
  CHECK_STATUS(USW_OK, residual_fresh(ITEMS, b, ax, &sum2_of_all, &worst_of_all, NULL));
  CHECK_STATUS(USW_OK, residual_mpi_parts_fresh(parts, own.count, &sum2, &worst, MPI_COMM_WORLD, NULL));
  CHECK(memcmp(&sum2, &sum2_of_all, sizeof sum2) == 0);
  CHECK_F64(worst_of_all, worst);
  deal_free(&own);
}

static void ordered(uint64_t seed) {
  static uint64_t counts[BINS], counts_of_all[BINS];
  deal_t own;
  usw_kernel_part_t links[MOST_PARTS], bins[MOST_PARTS];
  const chain_t begin = {UINT64_MAX, UINT64_MAX, 0};
  chain_t chain = begin, chain_of_all = begin;
  affine_t map = affine_one(), map_of_all = affine_one();
  uint64_t total, total_of_all;
  deal(&own, ITEMS, seed, numbers, numbers, sizeof *numbers);
  for (size_t k = 0; k < own.count; k++) {
    links[k] = deal_placed(chained_part(own.part[k].n, own.part[k].x.data), &own.part[k]);
    bins[k] = deal_placed(histogram_part(own.part[k].n, own.part[k].x.data), &own.part[k]);
  }
  CHECK_STATUS(USW_OK, chained(ITEMS, numbers, &chain_of_all, &map_of_all, NULL));
  CHECK_STATUS(USW_OK, chained_mpi_parts(links, own.count, &chain, &map, MPI_COMM_WORLD, NULL));
  CHECK_U64(0, chain.broken);
  CHECK(memcmp(&chain, &chain_of_all, sizeof chain) == 0);
  CHECK(memcmp(&map, &map_of_all, sizeof map) == 0);
  CHECK_STATUS(USW_OK, histogram_fresh(ITEMS, numbers, counts_of_all, BINS, &total_of_all, NULL));
  CHECK_STATUS(USW_OK, histogram_mpi_parts_fresh(bins, own.count, counts, BINS, &total, MPI_COMM_WORLD, NULL));
  CHECK(memcmp(counts, counts_of_all, sizeof counts) == 0);
  CHECK_U64(total_of_all, total);
  deal_free(&own);
}

/* ---- errors: of one rank, all have them ---- */

static usw_status_t sum_of(const usw_part_t *parts, size_t count, const usw_options_t *options) {
  double sum = 7;
  const usw_status_t status = usw_mpi_allreduce_parts(USW_PLUS, USW_F64, parts, count, &sum, MPI_COMM_WORLD, options);
  CHECK_F64(7, sum);
  return status;
}

static void failures(int failing) {
  const usw_options_t exact = {.size = USW_INIT(usw_options_t), .accuracy = USW_EXACT},
                      placed_options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  const int is_wrong = ranks.rank == failing;
  usw_part_t parts[] = {{.size = sizeof *parts, .n = 2, .x = {b}}, {.size = sizeof *parts, .n = 1, .x = {b + 2}}};
  double sum2 = 7, worst = 7;
  char who[64] = "rank 0: part 2 of 2: sum_f64: 'x' is NULL";
  who[5] = (char)('0' + failing);
  parts[1].x[0] = is_wrong ? NULL : b;
  CHECK_STATUS(USW_ERROR_INVALID, sum_of(parts, 2, NULL));
  CHECK_TEXT_HAS(usw_error_text(), who);
  parts[1].x[0] = b;
  CHECK_STATUS(USW_ERROR_INVALID, sum_of(is_wrong ? NULL : parts, 2, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "parts are NULL");
  CHECK_STATUS(USW_ERROR_INVALID, sum_of(parts, 2, is_wrong ? &placed_options : NULL));
  CHECK_TEXT_HAS(usw_error_text(), "options.place");
  parts[0].size -= is_wrong ? 1 : 0;
  CHECK_STATUS(USW_ERROR_VERSION, sum_of(parts, 2, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, sum_of(parts, 2, &exact));
  usw_kernel_part_t part = residual_part(1, is_wrong ? NULL : b, ax);
  CHECK_STATUS(USW_ERROR_INVALID, residual_mpi_parts(&part, 1, &sum2, &worst, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "part 1 of 1: residual: 'b' is NULL");
  part = residual_part(1, b, ax);
  part.kernel = is_wrong ? chained_part(0, NULL).kernel : part.kernel;
  CHECK_STATUS(USW_ERROR_INVALID, residual_mpi_parts(&part, 1, &sum2, &worst, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "another kernel");
  CHECK_F64(7, sum2);
  CHECK_F64(7, worst);
}

static void nothing(void) {
  double sum = 7;
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_parts(USW_PLUS, USW_F64, NULL, 0, &sum, MPI_COMM_WORLD, NULL));
  CHECK_F64(0, sum);
}

int main(int argc, char **argv) {
  ranks = ranks_begin(&argc, &argv);
  fill();
  deals_begin(&ranks);
  for (uint64_t seed = 0; seed < SPLITS; seed++) {
    library(seed);
    residuals(seed);
    ordered(seed);
  }
  nothing();
  for (int failing = 0; failing < ranks.ranks && failing < 3; failing++)
    failures(failing);
  return ranks_end();
}
