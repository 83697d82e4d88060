/* The choice of a GPU by itself, for tests of machines that are not there. */
#ifndef USWI_MPI_DEVICE_H
#define USWI_MPI_DEVICE_H

#include <stdint.h>

/* Ranks of a node choose one after the other: `near` has for each rank the GPUs near to it, as bits. The one of `rank`, of as many GPUs as it
 * has; -1: there are none. */
int uswi_mpi_choose_gpu(const uint64_t *near, int rank, int gpus);

#endif
