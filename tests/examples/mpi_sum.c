/* The sum of an array whose parts the ranks of an MPI program have: the same bits for any number of ranks.
 *   mpicc mpi_sum.c $(pkg-config --cflags --libs upsweep-mpi) -o mpi_sum && mpirun -n 3 ./mpi_sum */
#include <stdio.h>
#include <stdlib.h>
#include <upsweep/mpi.h>

enum { N = 1000003 };

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t first = (size_t)N * (size_t)rank / (size_t)ranks, last = (size_t)N * ((size_t)rank + 1) / (size_t)ranks;
  double *x = malloc((last - first) * sizeof *x), sum;
  if (!x)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = first; i < last; i++)
    x[i - first] = 1.0 / (double)(i + 1) - 0.5;

  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  const usw_status_t status = usw_mpi_allreduce(USW_PLUS, USW_F64, x, last - first, &sum, MPI_COMM_WORLD, &options);
  if (status != USW_OK) /* on all ranks */
    fprintf(stderr, "%s\n", usw_error_text());
  else if (rank == 0)
    printf("sum of %d ranks: %a\n", ranks, sum);
  free(x);
  MPI_Finalize();
  return status != USW_OK;
}
