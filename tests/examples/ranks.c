/* The sum of numbers that are spread over the ranks of an MPI program, the same bits for any number of ranks.
 *   mpicc ranks.c $(pkg-config --cflags --libs upsweep) -o ranks && mpirun -n 3 ./ranks */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <upsweep/upsweep.h>

enum { N = 1000003 };

/* Merge the blocks of all ranks, in any order. */
static usw_status_t merge_all(const unsigned char *blocks, size_t bytes, int ranks, double *sum) {
  usw_partial_t *total = NULL;
  usw_status_t status = usw_partial_import(&total, blocks, bytes, NULL);
  for (int r = 1; r < ranks && status == USW_OK; r++) {
    usw_partial_t *part = NULL;
    status = usw_partial_import(&part, blocks + (size_t)r * bytes, bytes, NULL);
    if (status == USW_OK)
      status = usw_partial_merge(total, part);
    usw_partial_destroy(part);
  }
  if (status == USW_OK)
    status = usw_partial_result(total, sum);
  usw_partial_destroy(total);
  return status;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  const usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPRODUCIBLE};
  const size_t bytes = usw_partial_export_bytes(USW_PLUS, USW_F64, &options); /* the same on every rank */
  const size_t first = (size_t)N * (size_t)rank / (size_t)ranks, last = (size_t)N * ((size_t)rank + 1) / (size_t)ranks;
  double *x = malloc((last - first) * sizeof *x), sum = 0, whole = 0;
  unsigned char *mine = malloc(bytes), *all = malloc(bytes * (size_t)ranks);
  if (!x || !mine || !all)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = first; i < last; i++)
    x[i - first] = 1.0 / (double)(i + 1) - 0.5;

  usw_partial_t *partial = NULL;
  usw_status_t status = usw_partial_create(&partial, USW_PLUS, USW_F64, &options);
  if (status == USW_OK)
    status = usw_partial_begin_at(partial, first); /* for indices, as of argmin; sums have none */
  if (status == USW_OK)
    status = usw_partial_add(partial, x, last - first);
  if (status == USW_OK)
    status = usw_partial_export(partial, mine, bytes, NULL);
  usw_partial_destroy(partial);
  if (status != USW_OK) /* or the others wait for ever */
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
  status = merge_all(all, bytes, ranks, &sum);
  if (status != USW_OK)
    fprintf(stderr, "rank %d: %s\n", rank, usw_error_text());
  else if (rank == 0)
    printf("%d ranks: %a\n", ranks, sum);

  whole = sum;
  MPI_Bcast(&whole, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (whole != sum)
    fprintf(stderr, "rank %d: another sum than that of rank 0: %a\n", rank, sum);
  free(x);
  free(mine);
  free(all);
  MPI_Finalize();
  return status == USW_OK && whole == sum ? 0 : 1;
}
