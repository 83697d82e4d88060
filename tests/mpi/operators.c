/* Programs that call MPI themselves: datatypes and operators of messages, with every collective that folds.   mpiexec -n RANKS operators */
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "support/check.h"

static ranks_t ranks;

enum { MESSAGES = 3, MOST_BYTES = 256 };

static void message_of(const usw_kernel_t *kernel, const double *x, size_t bytes, char *message) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)x};
  CHECK_STATUS(USW_OK, usw_message_reduce(kernel, 1, arguments, NULL, NULL, 0, (uint32_t)ranks.rank, message, bytes));
}

static double value_of(const usw_kernel_t *kernel, const char *message) {
  double value = 0;
  const usw_variable_t variable = {&value, 1};
  CHECK_STATUS(USW_OK, usw_message_finish(kernel, message, &variable, NULL));
  return value;
}

/* Three messages in one call of each. */
static void every_collective(void) {
  const usw_kernel_t *kernel = NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  size_t bytes = 0;
  _Alignas(8) char mine[MESSAGES * MOST_BYTES], out[MESSAGES * MOST_BYTES];
  const double x[MESSAGES] = {ranks.rank + 1, 2, 1.5 * ranks.rank}, n = ranks.ranks, before = ranks.rank;
  CHECK_STATUS(USW_OK, usw_kernel_of(USW_PLUS, USW_F64, 1, NULL, &kernel));
  CHECK_STATUS(USW_OK, usw_message_bytes(kernel, NULL, &bytes));
  CHECK_STATUS(USW_OK, usw_mpi_op(kernel, NULL, &type, &op));
  for (int k = 0; k < MESSAGES; k++)
    message_of(kernel, &x[k], bytes, mine + (size_t)k * bytes);
  MPI_Allreduce(mine, out, MESSAGES, type, op, MPI_COMM_WORLD);
  CHECK_F64(n * (n + 1) / 2, value_of(kernel, out));
  CHECK_F64(2 * n, value_of(kernel, out + bytes));
  CHECK_F64(1.5 * n * (n - 1) / 2, value_of(kernel, out + 2 * bytes));
  memset(out, 0, sizeof out);
  MPI_Reduce(mine, out, MESSAGES, type, op, ranks.ranks - 1, MPI_COMM_WORLD);
  if (ranks.rank == ranks.ranks - 1)
    CHECK_F64(2 * n, value_of(kernel, out + bytes));
  MPI_Scan(mine, out, MESSAGES, type, op, MPI_COMM_WORLD);
  CHECK_F64(2 * (before + 1), value_of(kernel, out + bytes));
  MPI_Exscan(mine, out, MESSAGES, type, op, MPI_COMM_WORLD);
  if (ranks.rank > 0)
    CHECK_F64(2 * before, value_of(kernel, out + bytes));
  memcpy(out, mine, sizeof out);
  MPI_Allreduce(MPI_IN_PLACE, out, MESSAGES, type, op, MPI_COMM_WORLD);
  CHECK_F64(2 * n, value_of(kernel, out + bytes));
}

/* An operator commutes where no order shows. */
static void orders(void) {
  static const struct {
    usw_operation_t operation;
    usw_type_t type;
    usw_accuracy_t accuracy;
    int commutes;
  } cases[] = {{USW_PLUS, USW_F64, USW_REPEATABLE, 0},   {USW_PLUS, USW_F64, USW_REPRODUCIBLE, 1},
               {USW_PLUS, USW_I32, USW_REPEATABLE, 1},   {USW_MAXIMUM, USW_F32, USW_REPEATABLE, 1},
               {USW_ARGMIN, USW_F64, USW_REPEATABLE, 0}, {USW_DESCRIBE, USW_I32, USW_REPEATABLE, 0},
               {USW_NORM2, USW_F32, USW_REPRODUCIBLE, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = cases[k].accuracy};
    const usw_kernel_t *kernel = NULL;
    MPI_Datatype type, same_type;
    MPI_Op op, same_op;
    int commutes = -1;
    CHECK_STATUS(USW_OK, usw_kernel_of(cases[k].operation, cases[k].type, 1, &options, &kernel));
    CHECK_STATUS(USW_OK, usw_mpi_op(kernel, NULL, &type, &op));
    CHECK_STATUS(USW_OK, usw_mpi_op(kernel, NULL, &same_type, &same_op));
    CHECK(type == same_type && op == same_op);
    MPI_Op_commutative(op, &commutes);
    CHECK_I64(cases[k].commutes, commutes);
  }
}

static void refused(void) {
  const usw_kernel_t *kernel = NULL;
  MPI_Datatype type;
  CHECK_STATUS(USW_OK, usw_kernel_of(USW_PLUS, USW_F64, 1, NULL, &kernel));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_op(kernel, NULL, &type, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_op(kernel, NULL, NULL, NULL));
}

/* Before MPI begins there is nothing to call. */
static void too_early(void) {
  const double own = 1;
  double sum = 7;
  CHECK_STATUS(USW_ERROR_STATE, usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL));
  CHECK_TEXT_HAS(usw_error_text(), "MPI is not initialized");
  CHECK_F64(7, sum);
}

int main(int argc, char **argv) {
  const double own = 1;
  double sum;
  too_early();
  ranks = ranks_begin(&argc, &argv);
  every_collective();
  orders();
  refused();
  const int failed = ranks_end();
  return failed | (usw_mpi_allreduce(USW_PLUS, USW_F64, &own, 1, &sum, MPI_COMM_WORLD, NULL) != USW_ERROR_STATE);
}
