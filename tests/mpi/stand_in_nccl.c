/* Stands in for NCCL and for what NVIDIA's driver tells of streams, where there is no GPU: records are in host memory, MPI moves them. All ranks of
 * MPI_COMM_WORLD are in every communicator. A stream's address is that of its context. */
#include "stand_in_nccl.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, FAILURE = 5 /* ncclInvalidUsage */, MOST_RANKS_OF_TESTS = 64 };

typedef struct {
  char bytes[128];
} number_t;

extern stand_in_nccl_t stand_in_nccl;
stand_in_nccl_t stand_in_nccl;

static int is_time_to_fail(int *fails) {
  const int now = *fails;
  *fails = 0;
  return now;
}

int ncclGetUniqueId(number_t *number);
int ncclGetUniqueId(number_t *number) {
  number->bytes[127] = 'U';
  return is_time_to_fail(&stand_in_nccl.fails_to_number) ? FAILURE : SUCCESS;
}

int ncclCommInitRank(void **comm, int ranks, number_t number, int rank);
int ncclCommInitRank(void **comm, int ranks, number_t number, int rank) {
  int size, own;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  *comm = malloc(sizeof(MPI_Comm));
  stand_in_nccl.context_of_connection = stand_in_nccl.context;
  MPI_Comm_dup(MPI_COMM_WORLD, *comm);
  if (size == ranks && own == rank && number.bytes[127] == 'U' && !is_time_to_fail(&stand_in_nccl.fails_to_connect)) {
    stand_in_nccl.connected++;
    return SUCCESS;
  }
  MPI_Comm_free(*comm);
  free(*comm);
  return FAILURE;
}

int ncclAllGather(const void *from, void *to, size_t count, int type, void *comm, void *stream);
int ncclAllGather(const void *from, void *to, size_t count, int type, void *comm, void *stream) {
  int rank;
  (void)stream;
  MPI_Comm_rank(*(MPI_Comm *)comm, &rank);
  const int is_in_place = (const char *)from == (char *)to + (size_t)rank * count;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, (int)count, MPI_BYTE, *(MPI_Comm *)comm);
  stand_in_nccl.gathered++;
  return is_in_place && type == 0 && !is_time_to_fail(&stand_in_nccl.fails_to_gather) ? SUCCESS : FAILURE;
}

static int end(void *comm, int *count) {
  *count += 1;
  MPI_Comm_free(comm);
  free(comm);
  return SUCCESS;
}

int ncclCommDestroy(void *comm);
int ncclCommDestroy(void *comm) { return end(comm, &stand_in_nccl.disconnected); }

int ncclCommAbort(void *comm);
int ncclCommAbort(void *comm) { return end(comm, &stand_in_nccl.abandoned); }

const char *ncclGetErrorString(int error);
const char *ncclGetErrorString(int error) { return error == FAILURE ? "invalid usage" : "another error"; }

int cuStreamGetCtx(void *stream, void **context);
int cuStreamGetCtx(void *stream, void **context) {
  *context = stream;
  return stream ? SUCCESS : FAILURE;
}

int cuCtxPushCurrent_v2(void *context);
int cuCtxPushCurrent_v2(void *context) {
  stand_in_nccl.context = context;
  return SUCCESS;
}

int cuCtxGetDevice(int *device);
int cuCtxGetDevice(int *device) {
  *device = 3;
  return stand_in_nccl.context ? SUCCESS : FAILURE;
}

int cuDeviceGetUuid_v2(char *id, int device);
int cuDeviceGetUuid_v2(char *id, int device) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memset(id, 0, 16);
  id[15] = (char)(1 + (stand_in_nccl.shares_gpu ? MOST_RANKS_OF_TESTS : rank));
  return device == 3 ? SUCCESS : FAILURE;
}

int cuCtxPopCurrent_v2(void **context);
int cuCtxPopCurrent_v2(void **context) {
  *context = stand_in_nccl.context;
  stand_in_nccl.context = NULL;
  return SUCCESS;
}
