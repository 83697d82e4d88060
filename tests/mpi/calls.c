/* The library's reductions over ranks: results are those of one call over all items; errors are agreed.
 *   mpiexec -n RANKS calls [--place NAME] */
#include <stdlib.h>
#include <string.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "ranks.h"
#include "support/check.h"

enum { ITEMS = 1003, MOST_ITEM_BYTES = 16, LEVELS = 4 };

static ranks_t ranks;
static char items[ITEMS * MOST_ITEM_BYTES], others[ITEMS * MOST_ITEM_BYTES];
static number_t numbers[ITEMS], other_numbers[ITEMS];

/* One function over the items of some ranks: all, or those through this one, or those before it. */
typedef struct {
  const row_t *row;
  usw_options_t options;
  piece_t piece;
  place_memory_t x, y;
} job_t;

static job_t begin(const row_t *row, usw_accuracy_t accuracy, usw_nan_t nan, uint64_t seed) {
  job_t job = {.row = row, .options = place_options(&ranks.place), .piece = ranks_deal(&ranks, ITEMS, seed)};
  const size_t bytes = type_bytes(row->type), offset = job.piece.first * bytes;
  job.options.accuracy = accuracy;
  job.options.nan = nan;
  job.x = memory_get(&ranks.place, items + offset, job.piece.n * bytes, 0);
  job.y = memory_get(&ranks.place, others + offset, job.piece.n * bytes, 0);
  return job;
}

static void end(job_t *job) {
  memory_free(&job->x);
  memory_free(&job->y);
}

/* A result against that of the first n items in one call, or against the oracle where sums round. */
static void compare(const job_t *job, const result_t *result, size_t n, const char *call) {
  const row_t *row = job->row;
  usw_options_t host = {
      .size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = job->options.accuracy, .nan = job->options.nan};
  result_t whole;
  char why[640] = "not the bits of the whole";
  memset(&whole, 0, sizeof whole);
  CHECK_STATUS(USW_OK, row->streams == 1 ? usw_reduce(row->operation, row->type, items, n, &whole, &host)
                                         : usw_reduce_pair(row->operation, row->type, items, others, n, &whole, &host));
  int agrees = results_equal(row, &whole, result);
  if (!agrees && job->options.accuracy != USW_REPRODUCIBLE && row_is_rounded(row)) {
    const rounding_t rounding = {64 + (double)n, 0};
    const oracle_t oracle =
        oracle_of(row, numbers, row->streams == 1 ? NULL : other_numbers, n, job->options.nan, rounding);
    agrees = oracle_agrees(&oracle, result, why, sizeof why);
  }
  check_count(agrees, __FILE__, __LINE__, "%s of %s_%s over %zu items, accuracy %d: %s", call, row->name,
              type_name(row->type), n, (int)job->options.accuracy, why);
}

static result_t untouched(void) {
  result_t result;
  memset(&result, 0xa5, sizeof result);
  return result;
}

static void of_one_stream(const job_t *job) {
  const row_t *row = job->row;
  const int root = ranks.ranks - 1;
  result_t result = untouched();
  CHECK_STATUS(USW_OK, usw_mpi_allreduce(row->operation, row->type, job->x.data, job->piece.n, &result, MPI_COMM_WORLD,
                                         &job->options));
  compare(job, &result, ITEMS, "usw_mpi_allreduce");
  result = untouched();
  CHECK_STATUS(USW_OK, usw_mpi_reduce(row->operation, row->type, job->x.data, job->piece.n,
                                      ranks.rank == root ? &result : NULL, root, MPI_COMM_WORLD, &job->options));
  if (ranks.rank == root)
    compare(job, &result, ITEMS, "usw_mpi_reduce");
  CHECK_STATUS(USW_OK, usw_mpi_scan(row->operation, row->type, job->x.data, job->piece.n, &result, MPI_COMM_WORLD,
                                    &job->options));
  compare(job, &result, job->piece.first + job->piece.n, "usw_mpi_scan");
  CHECK_STATUS(USW_OK, usw_mpi_exscan(row->operation, row->type, job->x.data, job->piece.n, &result, MPI_COMM_WORLD,
                                      &job->options));
  compare(job, &result, job->piece.first, "usw_mpi_exscan");
}

static void of_two_streams(const job_t *job) {
  const row_t *row = job->row;
  result_t result = untouched();
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_pair(row->operation, row->type, job->x.data, job->y.data, job->piece.n,
                                              &result, MPI_COMM_WORLD, &job->options));
  compare(job, &result, ITEMS, "usw_mpi_allreduce_pair");
}

static void every_row(void) {
  static const pattern_t patterns[] = {PATTERN_random, PATTERN_nan_often};
  for (int r = 0; r < ROW_COUNT; r++)
    for (int k = 0; k < 2; k++)
      for (int accuracy = 0; accuracy < LEVELS; accuracy++) {
        if (!pattern_fits(patterns[k], rows[r].type) || (accuracy % 3 && !row_is_rounded(&rows[r])) || !takes_next(12))
          continue;
        pattern_fill(patterns[k], rows[r].type, items, ITEMS, 1);
        pattern_fill(patterns[k], rows[r].type, others, ITEMS, 2);
        numbers_of(rows[r].type, items, ITEMS, numbers);
        numbers_of(rows[r].type, others, ITEMS, other_numbers);
        const usw_kernel_t *kernel;
        job_t job = begin(&rows[r], (usw_accuracy_t)accuracy, k ? USW_NAN_IGNORE : USW_NAN_PROPAGATE, (uint64_t)r);
        if (usw_kernel_of(rows[r].operation, rows[r].type, (uint32_t)rows[r].streams, &job.options, &kernel) == USW_OK)
          (rows[r].streams == 1 ? of_one_stream : of_two_streams)(&job);
        end(&job);
      }
}

/* ---- indices ---- */

static void locate(void) {
  static int32_t data[ITEMS];
  usw_located_i32_t least;
  for (uint64_t seed = 0; seed < 20; seed++) {
    const piece_t piece = ranks_deal(&ranks, ITEMS, seed);
    const int64_t at = (int64_t)(seed * 53 % ITEMS);
    int rank = -7, has = at >= (int64_t)piece.first && at < (int64_t)(piece.first + piece.n), all = -1;
    int64_t local = -7;
    data[at] = -(int32_t)seed - 1;
    CHECK_STATUS(USW_OK,
                 usw_mpi_allreduce(USW_ARGMIN, USW_I32, data + piece.first, piece.n, &least, MPI_COMM_WORLD, NULL));
    CHECK_I64(at, least.index);
    CHECK_STATUS(USW_OK, usw_mpi_locate(piece.n, least.index, &rank, &local, MPI_COMM_WORLD));
    has = has ? ranks.rank : -1;
    MPI_Allreduce(&has, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_I64(all, rank);
    if (rank == ranks.rank)
      CHECK_I64(at - (int64_t)piece.first, local);
    CHECK_STATUS(USW_OK, usw_mpi_locate(piece.n, -1, &rank, &local, MPI_COMM_WORLD));
    CHECK_I64(-1, rank);
    CHECK_I64(-1, local);
  }
}

/* ---- communicators ---- */

static void communicators(void) {
  const double own = ranks.rank + 1;
  double sum = 0;
  MPI_Comm reversed, even, inter = MPI_COMM_NULL;
  CHECK_STATUS(USW_OK, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_SELF, NULL));
  CHECK_F64(own, sum);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -ranks.rank, &reversed);
  CHECK_STATUS(USW_OK, usw_mpi_exscan(USW_PLUS, USW_F64, &own, 1, &sum, reversed, NULL));
  CHECK_F64((ranks.ranks * (ranks.ranks + 1) - (ranks.rank + 1) * (ranks.rank + 2)) / 2, sum);
  MPI_Comm_free(&reversed);
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_NULL, NULL));
  if (ranks.ranks == 1)
    return;
  MPI_Comm_split(MPI_COMM_WORLD, ranks.rank % 2, 0, &even);
  MPI_Intercomm_create(even, 0, MPI_COMM_WORLD, 1 - ranks.rank % 2, 39, &inter);
  double theirs = 0;
  for (int r = 1 - ranks.rank % 2; r < ranks.ranks; r += 2)
    theirs += r + 1;
  CHECK_STATUS(USW_OK, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, inter, NULL));
  CHECK_F64(theirs, sum);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_mpi_scan(USW_PLUS, USW_F64, &own, 1, &sum, inter, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_mpi_reduce(USW_PLUS, USW_F64, &own, 1, &sum, 0, inter, NULL));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_mpi_allreduce(USW_PLUS, USW_F64, ranks.rank == 1 ? NULL : &own, 1, &sum, inter, NULL));
  CHECK_TEXT_HAS(usw_error_text(), ranks.rank % 2 ? "a rank of this group" : "of the other group");
  CHECK_F64(theirs, sum);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&even);
}

/* ---- errors ---- */

/* One rank has a bad pointer: all have its status, its text and the result as it was. */
static void one_fails(int failing) {
  const double own = 1;
  const double *const x = ranks.rank == failing ? NULL : &own;
  char who[32] = "rank 0: sum_f64: 'x' is NULL";
  double sum = 7;
  who[5] = (char)('0' + failing);
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_allreduce(USW_PLUS, USW_F64, x, 1, &sum, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), who);
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_reduce(USW_PLUS, USW_F64, x, 1, &sum, 0, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), who);
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_scan(USW_PLUS, USW_F64, x, 1, &sum, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), who);
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_exscan(USW_PLUS, USW_F64, x, 1, &sum, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, ranks.rank == failing ? NULL : &sum,
                                                    MPI_COMM_WORLD, NULL));
  CHECK_F64(7, sum);
}

/* An option that is wrong on one rank, of those that are each rank's own. */
static void one_has_bad_options(void) {
  const double own = 1;
  const usw_options_t bad = {.size = USW_INIT(usw_options_t), .teams = 1000000};
  double sum = 7;
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD,
                                                    ranks.rank == ranks.ranks - 1 ? &bad : NULL));
  CHECK_TEXT_HAS(usw_error_text(), "options.teams");
  CHECK_F64(7, sum);
}

/* Options of another size on one rank, as of another header; with the others' accuracy where they are as long. */
static void one_has_other_options(size_t size, usw_accuracy_t accuracy) {
  const double own = 1;
  const usw_options_t options = {.size = ranks.rank == ranks.ranks - 1 ? size : USW_INIT(usw_options_t),
                                 .accuracy = accuracy};
  const usw_part_t part = {.size = sizeof part, .n = 1, .x = {&own}};
  double sum = 7;
  CHECK_STATUS(USW_ERROR_VERSION, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, &options));
  CHECK_TEXT_HAS(usw_error_text(), "f64: options.size is");
  CHECK_STATUS(USW_ERROR_VERSION, usw_mpi_allreduce_parts(USW_PLUS, USW_F64, &part, 1, &sum, MPI_COMM_WORLD, &options));
  CHECK_STATUS(USW_ERROR_VERSION, usw_mpi_reduce(USW_PLUS, USW_F64, &own, 1, &sum, 0, MPI_COMM_WORLD, &options));
  CHECK_STATUS(USW_ERROR_VERSION, usw_mpi_scan(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, &options));
  CHECK_STATUS(USW_ERROR_VERSION, usw_mpi_exscan(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, &options));
  CHECK_F64(7, sum);
}

/* Two fail, of other statuses: the lower rank's counts. */
static void two_fail(void) {
  const double own = 1;
  const usw_options_t nowhere = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE, .device = 999};
  double sum = 7;
  const int last = ranks.rank == ranks.ranks - 1;
  CHECK_STATUS(ranks.ranks > 1 ? USW_ERROR_DEVICE : USW_ERROR_INVALID,
               usw_mpi_allreduce(USW_PLUS, USW_F64, last ? NULL : &own, 1, &sum, MPI_COMM_WORLD,
                                 ranks.rank == 0 && !last ? &nowhere : NULL));
  CHECK_F64(7, sum);
}

/* What is the same on all ranks needs no message. */
static void refused_everywhere(void) {
  const double own = 1;
  double sum = 7;
  const usw_options_t exact = {.size = USW_INIT(usw_options_t), .accuracy = USW_EXACT};
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_mpi_allreduce(USW_BIT_AND, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, &exact));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_mpi_allreduce(USW_DOT, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_reduce(USW_PLUS, USW_F64, &own, 1, &sum, ranks.ranks, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_reduce(USW_PLUS, USW_F64, &own, 1, &sum, -1, MPI_COMM_WORLD, NULL));
  CHECK_F64(7, sum);
}

static void no_kernel(void) {
  double sum = 7;
  const uint64_t arguments[] = {0};
  const usw_variable_t variable = {&sum, 1};
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_allreduce(NULL, 1, arguments, &variable, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_reduce(NULL, 1, arguments, &variable, 0, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_reduce(NULL, 1, arguments, &variable, -1, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_reduce_parts(NULL, NULL, 0, &variable, 0, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_scan(NULL, 1, arguments, &variable, 0, MPI_COMM_WORLD, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_init(NULL, 1, arguments, &variable, MPI_COMM_WORLD, NULL, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_kernel_iallreduce(NULL, 1, arguments, NULL, MPI_COMM_WORLD, NULL, &request));
  CHECK_F64(7, sum);
}

/* Ranks that call for other reductions of messages of one size. */
static void mixed_reductions(void) {
  const double own = 2;
  double result = 7;
  const usw_operation_t operation = ranks.rank == 0 ? USW_PLUS : USW_MULTIPLIES;
  const usw_status_t status = ranks.ranks > 1 ? USW_ERROR_EXCHANGE : USW_OK;
  const char *const text = ranks.rank == 0 ? "sum_f64: ranks have different kernels" : "prod_f64: ranks have different";
  CHECK_STATUS(status, usw_mpi_allreduce(operation, USW_F64, &own, 1, &result, MPI_COMM_WORLD, NULL));
  if (ranks.ranks > 1)
    CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_STATUS(status, usw_mpi_scan(operation, USW_F64, &own, 1, &result, MPI_COMM_WORLD, NULL));
  if (ranks.ranks == 1)
    return;
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_STATUS(status, usw_mpi_exscan(operation, USW_F64, &own, 1, &result, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_F64(7, result);
}

int main(int argc, char **argv) {
  ranks = ranks_begin(&argc, &argv);
  for (int failing = 0; failing < ranks.ranks; failing++)
    one_fails(failing);
  two_fail();
  one_has_bad_options();
  one_has_other_options(3, USW_REPEATABLE);
  one_has_other_options(USW_INIT(usw_options_t) + 8, USW_REPRODUCIBLE);
  refused_everywhere();
  no_kernel();
  mixed_reductions();
  locate();
  communicators();
  every_row();
  return ranks_end();
}
