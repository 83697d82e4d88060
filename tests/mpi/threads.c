/* Several threads of each rank call at once, each over a communicator of its own, while the datatypes of kernels are made.
 *   mpiexec -n RANKS threads */
#include <pthread.h>
#include <string.h>

#include "ranks.h"
#include "support/check.h"

enum { THREADS = 4, CALLS = 60, FEW = 5 };

static const struct {
  usw_operation_t operation;
  usw_accuracy_t accuracy;
} kinds[] = {{USW_PLUS, USW_REPEATABLE},
             {USW_PLUS, USW_REPRODUCIBLE},
             {USW_MAXIMUM, USW_REPEATABLE},
             {USW_PLUS, USW_COMPENSATED},
             {USW_MULTIPLIES, USW_REPEATABLE}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct {
  pthread_t thread;
  MPI_Comm comm;
  int number, rank, ranks;
  int wrong;
} worker_t;

static double expected(const worker_t *w, usw_operation_t operation) {
  double value = operation == USW_MULTIPLIES ? 1 : 0;
  for (int r = 0; r < w->ranks; r++)
    for (int i = 0; i < FEW; i++) {
      const double x = w->number + r + i % 2 + 1;
      value = operation == USW_PLUS ? value + x : operation == USW_MULTIPLIES ? value * x : x > value ? x : value;
    }
  return value;
}

static void *work(void *argument) {
  worker_t *w = argument;
  double x[FEW];
  for (int i = 0; i < FEW; i++)
    x[i] = w->number + w->rank + i % 2 + 1;
  for (int k = 0; k < CALLS; k++) {
    const int kind = (k + w->number) % KINDS; /* the same on all ranks */
    const usw_options_t options = {
        .size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = kinds[kind].accuracy};
    usw_mpi_request_t request = {NULL};
    double result = -1;
    usw_status_t status = USW_OK;
    if (k % 3) {
      status = usw_mpi_allreduce(kinds[kind].operation, USW_F64, x, FEW, &result, w->comm, &options);
    } else {
      status = usw_mpi_iallreduce(kinds[kind].operation, USW_F64, x, FEW, &result, w->comm, &options, &request);
      status = status == USW_OK ? usw_mpi_wait(&request) : status;
    }
    w->wrong += status != USW_OK || result != expected(w, kinds[kind].operation);
  }
  return NULL;
}

int main(int argc, char **argv) {
  const ranks_t ranks = ranks_begin(&argc, &argv);
  worker_t workers[THREADS];
  int level;
  MPI_Query_thread(&level);
  const int count = level == MPI_THREAD_MULTIPLE ? THREADS : 1;
  for (int t = 0; t < count; t++) {
    workers[t] = (worker_t){.number = t, .rank = ranks.rank, .ranks = ranks.ranks};
    MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].comm);
  }
  for (int t = 0; t < count; t++)
    CHECK(pthread_create(&workers[t].thread, NULL, work, &workers[t]) == 0);
  for (int t = 0; t < count; t++) {
    pthread_join(workers[t].thread, NULL);
    CHECK_I64(0, workers[t].wrong);
    MPI_Comm_free(&workers[t].comm);
  }
  return ranks_end();
}
