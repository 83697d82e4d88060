/* What tests tell the library that stands in for NCCL and for the driver's, and see of it. */
#ifndef USW_TESTS_MPI_STAND_IN_NCCL_H
#define USW_TESTS_MPI_STAND_IN_NCCL_H

typedef struct {
  int fails_to_number, fails_to_connect, fails_to_gather; /* this rank, the next time */
  int shares_gpu;                                         /* with all others for which this is set */
  int connected, disconnected, abandoned, gathered;       /* how often */
  void *context;                                          /* the thread's, while there is one */
  void *context_of_connection;                            /* at the last connection */
} stand_in_nccl_t;

#endif
