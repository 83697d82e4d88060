/* Which GPU a rank takes: of machines that are not there, by the choice itself, and of this one.   mpiexec -n RANKS device */
#include "../../lib/mpi/device.h"

#include "ranks.h"
#include "support/check.h"

enum { MOST = 8 };

static void check_choices(const uint64_t *near, int ranks, int gpus, const int *expected) {
  for (int r = 0; r < ranks; r++)
    CHECK_I64(expected[r], uswi_mpi_choose_gpu(near, r, gpus));
}

static void machines(void) {
  static const uint64_t anywhere[MOST] = {255, 255, 255, 255, 255, 255, 255, 255};
  static const uint64_t two_nodes[MOST] = {3, 3,  12, 12,
                                           3, 12, 3,  12}; /* GPUs 0 and 1 beside one, 2 and 3 beside the other */
  static const uint64_t one_node[MOST] = {3, 3, 3, 3, 3, 3, 3, 3}; /* all ranks there */
  static const uint64_t none_near[MOST] = {0};
  check_choices(anywhere, 4, 4, (const int[]){0, 1, 2, 3});
  check_choices(anywhere, 8, 2, (const int[]){0, 1, 0, 1, 0, 1, 0, 1});
  check_choices(anywhere, 3, 8, (const int[]){0, 1, 2});
  check_choices(two_nodes, 8, 4, (const int[]){0, 1, 2, 3, 0, 2, 1, 3});
  check_choices(one_node, 8, 4, (const int[]){0, 1, 0, 1, 2, 3, 0, 1});
  check_choices(none_near, 4, 2, (const int[]){0, 1, 0, 1});
  check_choices(anywhere, 2, 0, (const int[]){-1, -1});
  check_choices(anywhere, 2, 1, (const int[]){0, 0});
}

int main(int argc, char **argv) {
  const ranks_t ranks = ranks_begin(&argc, &argv);
  int device = -7, first = -1;
  MPI_Comm inter, even;
  machines();
  CHECK_STATUS(USW_OK, usw_mpi_device(MPI_COMM_WORLD, &device));
  if (usw_gpu_count(&first) == 0)
    CHECK_I64(-1, device);
  else
    CHECK_I64(first + ranks.rank % usw_gpu_count(NULL), device); /* ranks of one node, near to all or to none */
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_device(MPI_COMM_NULL, &device));
  CHECK_STATUS(USW_ERROR_INVALID, usw_mpi_device(MPI_COMM_WORLD, NULL));
  if (ranks.ranks > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, ranks.rank % 2, 0, &even);
    MPI_Intercomm_create(even, 0, MPI_COMM_WORLD, 1 - ranks.rank % 2, 39, &inter);
    CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_mpi_device(inter, &device));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&even);
  }
  return ranks_end();
}
