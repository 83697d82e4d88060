#include "ranks.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

int ranks_memory_is_short;

/* In place of the C library's, for the library that is tested. */
void *aligned_alloc(size_t boundary, size_t bytes) {
  void *memory = NULL;
  const size_t least = boundary < sizeof memory ? sizeof memory : boundary;
  const int is_short = ranks_memory_is_short == 1;
  if (ranks_memory_is_short > 1)
    ranks_memory_is_short--;
  return is_short || posix_memalign(&memory, least, bytes) != 0 ? NULL : memory;
}

/* A rank's own of the devices like the one that the command line names: of GPUs the library's choice. */
static test_place_t own_place(const ranks_t *ranks, test_place_t place) {
  enum { MOST = 16 };
  test_place_t others[MOST];
  const int count = 1 + places_like(&place, others, MOST), number = ranks->rank % count;
  int device;
  if (strcmp(place.target, "nvptx") != 0 && strcmp(place.target, "amdgcn") != 0)
    return number == 0 ? place : others[number - 1];
  CHECK_STATUS(USW_OK, usw_mpi_device(MPI_COMM_WORLD, &device));
  place.device = device;
  return place;
}

ranks_t ranks_begin(int *argc, char ***argv) {
  ranks_t ranks;
  int level;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.ranks);
  ranks.place = own_place(&ranks, place_of_arguments(*argc, *argv));
  for (int k = 1; k + 1 < *argc; k++) /* another library's mpiexec starts so many programs of one rank each */
    if (strcmp((*argv)[k], "--ranks") == 0)
      CHECK_I64(strtol((*argv)[k + 1], NULL, 10), ranks.ranks);
  return ranks;
}

int ranks_end(void) {
  int own = check_report(), any = 0;
  MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}

piece_t ranks_deal(const ranks_t *ranks, size_t n, uint64_t seed) {
  piece_t piece = {0, 0};
  seed = seed * 0x9e3779b97f4a7c15u + 1;
  for (int r = 0; r <= ranks->rank; r++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    piece.first += piece.n;
    const size_t left = n - piece.first, most = 2 * left / (size_t)(ranks->ranks - r) + 1;
    const size_t wish = seed >> 61 == 0 ? 0 : (size_t)(seed >> 33) % most;
    piece.n = r + 1 == ranks->ranks || wish > left ? left : wish;
  }
  return piece;
}
