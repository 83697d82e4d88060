/* What tests over ranks share: MPI's begin and end, and items dealt to the ranks. Every rank makes all items, and takes its own. */
#ifndef USW_TESTS_MPI_RANKS_H
#define USW_TESTS_MPI_RANKS_H

#include <upsweep/mpi.h>

#include "support/place.h"

enum { MOST_RANKS = 64 };

typedef struct {
  int rank, ranks;
  test_place_t place;
} ranks_t;

/* Begin MPI, and take the place from the command line: each rank a device of its own, where there are several. */
ranks_t ranks_begin(int *argc, char ***argv);

/* 1: aligned_alloc() finds no memory in this process. Larger: each call that finds some takes one away. 0: memory is not short. */
extern int ranks_memory_is_short;

/* End MPI: the exit code, which is that of a failure where any rank has one. */
int ranks_end(void);

/* Cut n items into one piece for each rank, by chance but the same on every rank; some are empty. */
typedef struct {
  size_t first, n;
} piece_t;
piece_t ranks_deal(const ranks_t *ranks, size_t n, uint64_t seed);

#endif
