/* Reductions over ranks that go on meanwhile, and those that are started again and again.   mpiexec -n RANKS requests */
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "support/check.h"

enum { ITEMS = 1000, REQUESTS = 5 };

static ranks_t ranks;

static double sum_of(const double *x, size_t n) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  double sum = 0;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n, &sum, &options));
  return sum;
}

static void fill(double *x, size_t n, int seed) {
  for (size_t i = 0; i < n; i++)
    x[i] = 1.0 / (double)(i + (size_t)seed + 1) - 0.25;
}

/* Several at once, waited for in another order on each rank. */
static void several_at_once(void) {
  static double x[REQUESTS][ITEMS];
  usw_mpi_request_t requests[REQUESTS] = {{NULL}};
  double sums[REQUESTS];
  usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  for (int k = 0; k < REQUESTS; k++) {
    const piece_t piece = ranks_deal(&ranks, ITEMS, (uint64_t)k);
    fill(x[k], ITEMS, k);
    CHECK_STATUS(USW_OK, usw_mpi_iallreduce(USW_PLUS, USW_F64, x[k] + piece.first, piece.n, &sums[k], MPI_COMM_WORLD,
                                            &options, &requests[k]));
    CHECK(requests[k].state != NULL);
  }
  options.accuracy = USW_FAST; /* it was copied */
  for (int k = 0; k < REQUESTS; k++) {
    const int at = (k + ranks.rank) % REQUESTS;
    for (int done = 0; k == 0 && !done;)
      CHECK_STATUS(USW_OK, usw_mpi_test(&requests[at], &done));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&requests[at]));
    CHECK(requests[at].state == NULL);
    CHECK_F64(sum_of(x[at], ITEMS), sums[at]);
    CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_wait(&requests[at]));
  }
}

/* The same request over data that changes. */
static void again(void) {
  double x[ITEMS], y[ITEMS], sum = 0, dot = 0;
  const piece_t piece = ranks_deal(&ranks, ITEMS, 7);
  usw_mpi_request_t request = {NULL}, pair = {NULL};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_init(USW_PLUS, USW_F64, x + piece.first, piece.n, &sum, MPI_COMM_WORLD,
                                              &options, &request));
  CHECK_STATUS(USW_OK, usw_mpi_allreduce_pair_init(USW_DOT, USW_F64, x + piece.first, y + piece.first, piece.n, &dot,
                                                   MPI_COMM_WORLD, &options, &pair));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_wait(&request));
  for (int run = 0; run < 5; run++) {
    double whole = 0;
    fill(x, ITEMS, run);
    fill(y, ITEMS, run + 9);
    CHECK_STATUS(USW_OK, usw_mpi_start(&request));
    CHECK_STATUS(USW_ERROR_BUSY, usw_mpi_start(&request));
    CHECK_STATUS(USW_OK, usw_mpi_start(&pair));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&pair));
    CHECK_STATUS(USW_OK, usw_mpi_wait(&request));
    CHECK_F64(sum_of(x, ITEMS), sum);
    CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x, y, ITEMS, &whole, &options));
    CHECK_F64(whole, dot);
  }
  CHECK_STATUS(USW_OK, usw_mpi_start(&pair));
  usw_mpi_request_free(&request);
  usw_mpi_request_free(&pair); /* it is under way */
  usw_mpi_request_free(&pair);
  CHECK(request.state == NULL && pair.state == NULL);
}

static void dots(void) {
  double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, dot = 0;
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(USW_OK, usw_mpi_iallreduce_pair(USW_DOT, USW_F64, x, y, 3, &dot, MPI_COMM_WORLD, NULL, &request));
  CHECK_STATUS(USW_OK, usw_mpi_wait(&request));
  CHECK_F64(32.0 * ranks.ranks, dot);
}

/* A rank that fails is told of by the end. */
static void failures(void) {
  const double own = 1;
  double sum = 7;
  const usw_options_t other = {.size = 3};
  usw_mpi_request_t request = {NULL};
  const int failing = ranks.ranks - 1;
  CHECK_STATUS(USW_OK, usw_mpi_iallreduce(USW_PLUS, USW_F64, ranks.rank == failing ? NULL : &own, 1, &sum,
                                          MPI_COMM_WORLD, NULL, &request));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_wait(&request));
  CHECK_TEXT_HAS(usw_error_text(), ranks.rank == failing ? "'x' is NULL" : "rank ");
  CHECK_F64(7, sum);
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_iallreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL, NULL));
  CHECK_STATUS(USW_ERROR_VERSION,
               usw_mpi_iallreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, &other, &request));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_start(NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_test(&request, NULL));
  CHECK(request.state == NULL);
}

/* The text is of the rank's items, whatever fails before the request is waited for. */
static void text_of_later_calls(void) {
  const double own = 1;
  double sum = 7;
  const int failing = ranks.ranks - 1;
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(USW_OK, usw_mpi_iallreduce(USW_PLUS, USW_F64, ranks.rank == failing ? NULL : &own, 1, &sum,
                                          MPI_COMM_WORLD, NULL, &request));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce((usw_operation_t)63, USW_F64, &own, 1, &sum, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_wait(&request));
  CHECK_TEXT_HAS(usw_error_text(), ranks.rank == failing ? ": sum_f64: 'x' is NULL" : "sum_f64: rank ");
  CHECK_F64(7, sum);
}

/* A request that the last rank alone cannot make: all learn of it, when they make theirs or wait for it. */
static void one_is_refused(usw_status_t status, const usw_kernel_t *kernel, const usw_variable_t *variables,
                           const usw_options_t *options, int has_request, const char *text) {
  const double own = 1;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)&own};
  const int fails = ranks.rank == ranks.ranks - 1;
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(fails ? status : USW_OK, usw_mpi_kernel_iallreduce(kernel, 1, arguments, variables, MPI_COMM_WORLD,
                                                                  options, has_request ? &request : NULL));
  if (!fails)
    CHECK_STATUS(status, usw_mpi_wait(&request));
  CHECK_STATUS(status, usw_mpi_kernel_init(kernel, 1, arguments, variables, MPI_COMM_WORLD, options,
                                           has_request ? &request : NULL));
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK(request.state == NULL);
}

static void refused_on_one_rank(void) {
  const double own = 1;
  double sum = 7;
  const int fails = ranks.rank == ranks.ranks - 1;
  const usw_kernel_t *kernel = NULL;
  const usw_variable_t variable = {&sum, 1};
  const usw_options_t options = {.size = fails ? 3 : USW_INIT(usw_options_t)};
  usw_mpi_request_t request = {NULL};
  CHECK_STATUS(USW_OK, usw_kernel_of(USW_PLUS, USW_F64, 1, NULL, &kernel));
  one_is_refused(USW_ERROR_INVALID, kernel, &variable, NULL, !fails, "request_out is NULL");
  one_is_refused(USW_ERROR_INVALID, kernel, fails ? NULL : &variable, NULL, 1, "the variables are NULL");
  one_is_refused(USW_ERROR_VERSION, kernel, &variable, &options, 1, "options.size is 3");
  CHECK_STATUS(fails ? USW_ERROR_VERSION : USW_OK,
               usw_mpi_iallreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, &options, &request));
  if (!fails)
    CHECK_STATUS(USW_ERROR_VERSION, usw_mpi_wait(&request));
  CHECK_F64(7, sum);
  CHECK_STATUS(USW_OK, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL)); /* still in step */
  CHECK_F64(ranks.ranks, sum);
}

/* A rank without memory takes part as one that has failed. */
static void short_of_memory(void) {
  const double own = 1;
  double sum = 7;
  usw_mpi_request_t request = {NULL};
  const int fails = ranks.rank == ranks.ranks - 1;
  ranks_memory_is_short = fails;
  const usw_status_t started = usw_mpi_iallreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL, &request);
  ranks_memory_is_short = 0;
  CHECK_STATUS(fails ? USW_ERROR_MEMORY : USW_OK, started);
  if (!fails)
    CHECK_STATUS(USW_ERROR_MEMORY, usw_mpi_wait(&request));
  ranks_memory_is_short = fails;
  CHECK_STATUS(USW_ERROR_MEMORY,
               usw_mpi_allreduce_init(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL, &request));
  ranks_memory_is_short = 0;
  CHECK_TEXT_HAS(usw_error_text(), "no room for a request");
  CHECK(request.state == NULL);
  CHECK_F64(7, sum);
}

int main(int argc, char **argv) {
  ranks = ranks_begin(&argc, &argv);
  several_at_once();
  again();
  dots();
  failures();
  text_of_later_calls();
  refused_on_one_rank();
  short_of_memory();
  return ranks_end();
}
