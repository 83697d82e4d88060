#include "on_gpus.h"

#include <dlfcn.h>

/* Shorter messages are merged by hosts in less time than two more messages take. All ranks' records lie on each GPU. */
enum { LEAST_BYTES = 64 << 10, MOST_BYTES = 1 << 30 };

/* Whether the MPI that runs says that it takes addresses of GPUs' memory: Open MPI, MPICH and their relatives have this function. */
static int is_aware_of_gpus(void) {
  enum { UNKNOWN, UNAWARE, AWARE };
  static _Atomic int answer = UNKNOWN;
  if (answer == UNKNOWN) {
    int (*query)(void) = NULL;
    *(void **)&query = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
    answer = query && query() == 1 ? AWARE : UNAWARE;
  }
  return answer == AWARE;
}

int uswi_mpi_may_stay_on_gpus(const uswi_mpi_call_t *call) {
  const size_t bytes = call->type->bytes;
  int ranks = 1;
  if (call->is_inter || call->items != USWI_MPI_ONE_PLACE || !(call->kernel->facts & USW_FACT_SPANS) ||
      bytes < LEAST_BYTES || !is_aware_of_gpus())
    return 0;
  MPI_Comm_size(call->comm, &ranks);
  return bytes <= (size_t)MOST_BYTES / (size_t)ranks;
}

static usw_status_t begin(const uswi_mpi_call_t *call, usw_gathering_t *gathering_out) {
  int ranks;
  MPI_Comm_size(call->comm, &ranks);
  return usw_gathering_begin(call->kernel, call->n, call->arguments, call->variables, call->options, call->first,
                             (size_t)ranks, (size_t)uswi_mpi_rank(call), gathering_out);
}

static usw_status_t exchange(const uswi_mpi_call_t *call, const usw_gathering_t *gathering) {
  return uswi_mpi_check(call->kernel->name, MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathering->records,
                                                          (int)gathering->record_bytes, MPI_BYTE, call->comm));
}

/* The kernel and its record as a number, and its opposite: least ones that are no opposites are of different records. FNV-1a. */
static void identify(const uswi_mpi_call_t *call, int64_t *numbers_out) {
  uint64_t hash = 0xcbf29ce484222325u ^ call->type->bytes;
  for (const char *c = call->kernel->name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  numbers_out[0] = (int64_t)(hash >> 1);
  numbers_out[1] = -numbers_out[0];
}

/* Whether all ranks have a record on their GPU. */
static usw_status_t agree(const uswi_mpi_call_t *call, usw_status_t own, int *all_have) {
  int64_t numbers[USWI_MPI_NUMBERS] = {*all_have};
  identify(call, numbers + 1);
  const usw_status_t status = uswi_mpi_agree_on(call, own, numbers, USWI_MPI_NUMBERS);
  *all_have = (int)numbers[0];
  if (status == USW_OK && numbers[1] != -numbers[2])
    return uswi_mpi_fail(USW_ERROR_EXCHANGE, call->kernel->name, "ranks have different kernels, or other extents");
  return status;
}

usw_status_t uswi_mpi_allreduce_on_gpus(const uswi_mpi_call_t *call, void *mine, int *is_done_out,
                                        int *is_message_out) {
  usw_gathering_t gathering = {NULL, 0, 0, NULL};
  usw_status_t own = begin(call, &gathering);
  const int has_record = gathering.records != NULL;
  int all_have = has_record;
  *is_message_out = has_record;
  *is_done_out = 0;
  usw_status_t status = agree(call, own, &all_have);
  if (status != USW_OK || !all_have) {
    const int is_wanted = status == USW_OK && has_record;
    usw_gathering_leave(&gathering, (uint32_t)uswi_mpi_rank(call), is_wanted ? mine : NULL,
                        is_wanted ? call->type->bytes : 0);
    return status; /* of a copy that failed the message tells */
  }
  *is_done_out = 1;
  status = exchange(call, &gathering);
  if (status == USW_OK)
    own = usw_gathering_end(&gathering);
  else
    usw_gathering_leave(&gathering, 0, NULL, 0);
  return status == USW_OK ? uswi_mpi_agree(call, own) : status;
}
