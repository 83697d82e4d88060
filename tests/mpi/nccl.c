/* Connections by NCCL, which a library of the tests stands in for, and records that go over them.   mpiexec -n RANKS nccl [missing | none] */
#include "mpi/nccl.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "stand_in_nccl.h"
#include "support/check.h"

enum { RECORD_BYTES = 70000 };

static ranks_t ranks;
static stand_in_nccl_t *stand_in;
static char streams[2]; /* of two GPUs, by their addresses */
static char records[MOST_RANKS][RECORD_BYTES];
static usw_kernel_t kernel = {.name = "some_kernel"};

static uswi_mpi_call_t call_of(MPI_Comm comm) { return (uswi_mpi_call_t){.kernel = &kernel, .comm = comm}; }

static usw_gathering_t on_gpu(int which) {
  return (usw_gathering_t){.records = records, .record_bytes = RECORD_BYTES, .stream = &streams[which]};
}

static int is_last(void) { return ranks.rank == ranks.ranks - 1; }

static void check_state(MPI_Comm comm, int gpu, uswi_nccl_state_t expected) {
  const uswi_mpi_call_t call = call_of(comm);
  const usw_gathering_t gathering = on_gpu(gpu);
  uswi_nccl_state_t state;
  CHECK_STATUS(USW_OK, uswi_nccl_state(&call, &gathering, &state));
  CHECK_I64(expected, state);
}

static void check_connecting(MPI_Comm comm, int gpu, int expected) {
  const uswi_mpi_call_t call = call_of(comm);
  const usw_gathering_t gathering = on_gpu(gpu);
  int is_connected = !expected;
  CHECK_STATUS(USW_OK, uswi_nccl_connect(&call, &gathering, &is_connected));
  CHECK_I64(expected, is_connected);
  CHECK(stand_in->context == NULL);
  CHECK_I64(!expected, uswi_nccl_has_failed(comm));
}

static char byte_of(int rank, int seed, size_t k) { return (char)(rank * 31 + seed * 7 + (int)(k % 101)); }

static usw_status_t gather(MPI_Comm comm, int gpu, int seed) {
  const uswi_mpi_call_t call = call_of(comm);
  const usw_gathering_t gathering = on_gpu(gpu);
  memset(records, 0, sizeof records);
  for (size_t k = 0; k < RECORD_BYTES; k++)
    records[ranks.rank][k] = byte_of(ranks.rank, seed, k);
  return uswi_nccl_gather(&call, &gathering);
}

static void check_gathering(MPI_Comm comm, int gpu, int seed) {
  int right = 1;
  CHECK_STATUS(USW_OK, gather(comm, gpu, seed));
  for (int r = 0; r < ranks.ranks; r++)
    for (size_t k = 0; k < RECORD_BYTES; k++)
      right &= records[r][k] == byte_of(r, seed, k);
  CHECK(right);
}

/* A connection is for one GPU of each rank, and ends with its communicator. */
static void connections(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK(!uswi_nccl_has_failed(comm));
  check_state(comm, 0, USWI_NCCL_CAN_CONNECT);
  check_connecting(comm, 0, 1);
  CHECK(stand_in->context_of_connection == &streams[0]);
  check_state(comm, 0, USWI_NCCL_IS_CONNECTED);
  check_state(MPI_COMM_WORLD, 0, USWI_NCCL_CAN_CONNECT);
  check_gathering(comm, 0, 1);
  check_gathering(comm, 0, 2);
  CHECK_I64(1, stand_in->connected);
  check_state(comm, 1, USWI_NCCL_CAN_CONNECT);
  check_connecting(comm, is_last(), 1); /* one rank alone takes another GPU: all connect once more */
  CHECK_I64(2, stand_in->connected);
  CHECK_I64(1, stand_in->disconnected);
  check_state(comm, is_last(), USWI_NCCL_IS_CONNECTED);
  check_gathering(comm, is_last(), 3);
  MPI_Comm_free(&comm);
  CHECK_I64(2, stand_in->disconnected);
  CHECK_I64(0, stand_in->abandoned);
}

/* Of one rank, which all agree on. */
static void refused_connections(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  stand_in->connected = stand_in->abandoned = stand_in->disconnected = 0;
  stand_in->fails_to_connect = is_last();
  check_connecting(comm, 0, 0);
  CHECK_I64(!is_last(), stand_in->abandoned);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  stand_in->fails_to_number = ranks.rank == 0;
  check_connecting(comm, 0, 0);
  CHECK_I64(!is_last(), stand_in->connected); /* none without a number */
  CHECK_I64(0, stand_in->disconnected);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  stand_in->shares_gpu = ranks.rank != 1; /* ranks 0 and 2 */
  check_connecting(comm, 0, ranks.ranks < 3);
  stand_in->shares_gpu = 0;
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  uswi_nccl_give_up(comm);
  CHECK(uswi_nccl_has_failed(comm) && !uswi_nccl_has_failed(MPI_COMM_WORLD));
  MPI_Comm_free(&comm);
}

/* A rank that fails ends the connection of all; the next call makes a new one. */
static void failing_gatherings(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  check_connecting(comm, 0, 1);
  stand_in->abandoned = 0;
  stand_in->fails_to_gather = is_last();
  CHECK_STATUS(USW_ERROR_EXCHANGE, gather(comm, 0, 4));
  CHECK_TEXT_HAS(usw_error_text(), "some_kernel: ncclAllGather: invalid usage");
  CHECK_I64(1, stand_in->abandoned);
  CHECK(!uswi_nccl_has_failed(comm));
  check_state(comm, 0, USWI_NCCL_CAN_CONNECT);
  check_connecting(comm, 0, 1);
  check_gathering(comm, 0, 5);
  MPI_Comm_free(&comm);
}

/* USW_NCCL names a file that is not there, or says that there is none. */
static void check_without_nccl(int is_missing) {
  const uswi_mpi_call_t call = call_of(MPI_COMM_WORLD);
  const usw_gathering_t gathering = on_gpu(0);
  uswi_nccl_state_t state = USWI_NCCL_CAN_CONNECT;
  CHECK_STATUS(is_missing ? USW_ERROR_EXCHANGE : USW_OK, uswi_nccl_state(&call, &gathering, &state));
  CHECK_I64(USWI_NCCL_CANNOT, state);
  if (is_missing)
    CHECK_TEXT_HAS(usw_error_text(), "some_kernel: USW_NCCL: /nowhere/libnccl.so: cannot open");
}

int main(int argc, char **argv) {
  const int is_missing = argc > 1 && strcmp(argv[1], "missing") == 0;
  const int is_none = argc > 1 && strcmp(argv[1], "none") == 0;
  if (is_missing || is_none)
    setenv("USW_NCCL", is_missing ? "/nowhere/libnccl.so" : "none", 1);
  ranks = ranks_begin(&argc, &argv);
  if (is_missing || is_none) {
    check_without_nccl(is_missing);
    return ranks_end();
  }
  void *const library = dlopen("libnccl.so.2", RTLD_NOW);
  stand_in = library ? dlsym(library, "stand_in_nccl") : NULL;
  CHECK(stand_in != NULL);
  if (stand_in) {
    connections();
    refused_connections();
    failing_gatherings();
  }
  return ranks_end();
}
