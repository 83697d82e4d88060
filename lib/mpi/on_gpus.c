#include "on_gpus.h"

#include <dlfcn.h>

#include "nccl.h"

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

static int count_ranks(const uswi_mpi_call_t *call) {
  int ranks = 1;
  MPI_Comm_size(call->comm, &ranks);
  return ranks;
}

int uswi_mpi_may_stay_on_gpus(const uswi_mpi_call_t *call) {
  const size_t bytes = call->type->bytes;
  if (call->is_inter || call->items != USWI_MPI_ONE_PLACE || !(call->kernel->facts & USW_FACT_SPANS) ||
      bytes < LEAST_BYTES || (!is_aware_of_gpus() && uswi_nccl_has_failed(call->comm)))
    return 0;
  return bytes <= (size_t)MOST_BYTES / (size_t)count_ranks(call);
}

static usw_status_t begin(const uswi_mpi_call_t *call, usw_gathering_t *gathering_out) {
  return usw_gathering_begin(call->kernel, call->n, call->arguments, call->variables, call->options, call->first,
                             (size_t)count_ranks(call), (size_t)uswi_mpi_rank(call), gathering_out);
}

static usw_status_t exchange_by_mpi(const uswi_mpi_call_t *call, const usw_gathering_t *gathering) {
  return uswi_mpi_check(call->kernel->name, MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathering->records,
                                                          (int)gathering->record_bytes, MPI_BYTE, call->comm));
}

/* What moves records, the same on all ranks. */
typedef enum { BY_MESSAGES, BY_NCCL, BY_MPI, ONE_RANK_HAS_ALL } way_t;

static usw_status_t choose_without_mpi(const uswi_mpi_call_t *call, const usw_gathering_t *gathering,
                                       uswi_nccl_state_t state, way_t *way_out) {
  int is_connected = state == USWI_NCCL_IS_CONNECTED;
  usw_status_t status = USW_OK;
  if (state == USWI_NCCL_CANNOT)
    uswi_nccl_give_up(call->comm);
  else if (!is_connected)
    status = uswi_nccl_connect(call, gathering, &is_connected);
  *way_out = is_connected ? BY_NCCL : BY_MESSAGES;
  return status;
}

/* What all ranks can take, whose kernels are the same. Messages, unless all have a record on their GPU. */
static usw_status_t agree(const uswi_mpi_call_t *call, usw_status_t own, const usw_gathering_t *gathering,
                          way_t *way_out) {
  enum { HAVE_RECORDS, ARE_AWARE, NCCL, NUMBERS };
  _Static_assert(NUMBERS <= (int)USWI_MPI_NUMBERS_BESIDE_KERNEL, "they travel in one message");
  const int has_record = gathering->records != NULL, is_alone = count_ranks(call) == 1;
  uswi_nccl_state_t nccl = USWI_NCCL_CANNOT;
  if (own == USW_OK && has_record && !is_aware_of_gpus() && !is_alone)
    own = uswi_nccl_state(call, gathering, &nccl);
  int64_t numbers[NUMBERS] = {[HAVE_RECORDS] = has_record, [ARE_AWARE] = is_aware_of_gpus(), [NCCL] = (int64_t)nccl};
  const usw_status_t status = uswi_mpi_agree_on_kernel(call, own, numbers, NUMBERS);
  *way_out = BY_MESSAGES;
  if (status != USW_OK || !numbers[HAVE_RECORDS])
    return status;
  if (!numbers[ARE_AWARE] && !is_alone)
    return choose_without_mpi(call, gathering, (uswi_nccl_state_t)numbers[NCCL], way_out);
  *way_out = is_alone ? ONE_RANK_HAS_ALL : BY_MPI;
  return USW_OK;
}

usw_status_t uswi_mpi_reduce_on_gpus(const uswi_mpi_call_t *call, void *mine, int *is_done_out, int *is_message_out) {
  usw_gathering_t gathering = {.records = NULL};
  way_t way;
  usw_status_t own = begin(call, &gathering);
  const int has_record = gathering.records != NULL;
  usw_status_t status = agree(call, own, &gathering, &way);
  *is_message_out = has_record;
  *is_done_out = way != BY_MESSAGES;
  if (way == BY_MESSAGES) {
    const int is_wanted = status == USW_OK && has_record;
    usw_gathering_leave(&gathering, (uint32_t)uswi_mpi_rank(call), is_wanted ? mine : NULL,
                        is_wanted ? call->type->bytes : 0);
    return status; /* of a copy that failed the message tells */
  }
  if (way == BY_MPI)
    status = exchange_by_mpi(call, &gathering);
  else if (way == BY_NCCL)
    status = uswi_nccl_gather(call, &gathering);
  if (status == USW_OK && call->wants_result)
    own = usw_gathering_end(&gathering);
  else
    usw_gathering_leave(&gathering, 0, NULL, 0);
  return status == USW_OK ? uswi_mpi_agree(call, own) : status;
}
