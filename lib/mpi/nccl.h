/* Records of ranks from GPU to GPU by NCCL, for MPIs that do not take addresses of GPUs' memory. NCCL is loaded when it is first needed. */
#ifndef USWI_MPI_NCCL_H
#define USWI_MPI_NCCL_H

#include <upsweep/gathering.h>

#include "exchange.h"

/* What a rank can do with NCCL on a communicator and a GPU. Over all ranks the least one is what they can do. */
typedef enum { USWI_NCCL_CANNOT, USWI_NCCL_CAN_CONNECT, USWI_NCCL_IS_CONNECTED } uswi_nccl_state_t;

/* Whether ranks of this communicator have tried in vain, and that they have: of all ranks the same. */
int uswi_nccl_has_failed(MPI_Comm comm);
void uswi_nccl_give_up(MPI_Comm comm);

/* What this rank can do for a record on a GPU. An error where USW_NCCL names a file that cannot be loaded. */
usw_status_t uswi_nccl_state(const uswi_mpi_call_t *call, const usw_gathering_t *gathering,
                             uswi_nccl_state_t *state_out);

/* All ranks connect their GPUs, or none does; connections stay with the communicator. Where NCCL refuses (two ranks on one GPU), *is_connected_out
 * is 0, and uswi_nccl_has_failed() says so from then on. */
usw_status_t uswi_nccl_connect(const uswi_mpi_call_t *call, const usw_gathering_t *gathering, int *is_connected_out);

/* All ranks, which are connected, start to put each one's record beside the others', in the gathering's stream. A failure is that of all ranks. */
usw_status_t uswi_nccl_gather(const uswi_mpi_call_t *call, const usw_gathering_t *gathering);

#endif
