/* Large spans of ranks that run on a GPU each: their records go from GPU to GPU, by an MPI that takes addresses of GPUs' memory. */
#ifndef USWI_MPI_ON_GPUS_H
#define USWI_MPI_ON_GPUS_H

#include "exchange.h"

/* Whether this rank may try; all may, or none does. */
int uswi_mpi_may_stay_on_gpus(const uswi_mpi_call_t *call);

/* Reduce this rank's items and exchange records, if those of all ranks are on GPUs: *is_done_out 1, and the result is written where it is wanted.
 * Else this rank's message is in `mine`, if *is_message_out is 1. A failure is that of all ranks. */
usw_status_t uswi_mpi_reduce_on_gpus(const uswi_mpi_call_t *call, void *mine, int *is_done_out, int *is_message_out);

#endif
