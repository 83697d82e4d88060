#include "exchange.h"

#include <stdio.h>

/* ---- before anything is sent ---- */

usw_status_t uswi_mpi_check_comm(const char *owner, MPI_Comm comm, int *is_inter_out) {
  if (comm == MPI_COMM_NULL)
    return uswi_mpi_fail(USW_ERROR_INVALID, owner, "the communicator is MPI_COMM_NULL");
  return uswi_mpi_check(owner, MPI_Comm_test_inter(comm, is_inter_out));
}

int uswi_mpi_rank(const uswi_mpi_call_t *call) {
  int rank = 0;
  MPI_Comm_rank(call->comm, &rank); /* of a communicator that has been checked */
  return rank;
}

static uint64_t own_items(const uswi_mpi_call_t *call) {
  const usw_kernel_part_t *part = call->parts;
  uint64_t n = 0;
  if (call->items != USWI_MPI_KERNEL_PARTS)
    return call->n;
  for (size_t k = 0; part && k < call->n && part[k].size == sizeof *part; k++) /* another size fails below */
    n += part[k].n;
  return n;
}

/* The items of the ranks before this one. */
static usw_status_t count_before(uswi_mpi_call_t *call) {
  const uint64_t n = own_items(call);
  if (call->is_inter)
    return uswi_mpi_fail(USW_ERROR_UNSUPPORTED, call->kernel->name,
                         "its body has an index, which does not count over the groups of an intercommunicator");
  const int error = MPI_Exscan(&n, &call->first, 1, MPI_UINT64_T, MPI_SUM, call->comm);
  if (uswi_mpi_rank(call) == 0) /* where MPI leaves it as it was, or not */
    call->first = 0;
  return uswi_mpi_check(call->kernel->name, error);
}

usw_status_t uswi_mpi_begin(uswi_mpi_call_t *call) {
  size_t bytes;
  usw_status_t status = usw_message_bytes(call->kernel, call->variables, &bytes);
  if (status == USW_OK)
    status = uswi_mpi_type(call->kernel->name, call->kernel, bytes, &call->type);
  if (status == USW_OK)
    status = uswi_mpi_check_comm(call->kernel->name, call->comm, &call->is_inter);
  call->first = 0;
  return status == USW_OK && (call->kernel->facts & USW_FACT_COUNTS_ON) ? count_before(call) : status;
}

static usw_status_t reduce_items(const uswi_mpi_call_t *call, void *message) {
  const uint32_t unknown = 0; /* the rank: a failure is written once more */
  switch (call->items) {
  case USWI_MPI_PARTS:
    return usw_message_reduce_parts(call->kernel, call->parts, call->n, call->variables, call->options, unknown,
                                    message, call->type->bytes);
  case USWI_MPI_KERNEL_PARTS:
    return usw_message_reduce_kernel_parts(call->kernel, call->parts, call->n, call->variables, call->options,
                                           call->first, unknown, message, call->type->bytes);
  default:
    return usw_message_reduce(call->kernel, call->n, call->arguments, call->variables, call->options, call->first,
                              unknown, message, call->type->bytes);
  }
}

usw_status_t uswi_mpi_reduce_own(const uswi_mpi_call_t *call, void *message) {
  const usw_status_t status = reduce_items(call, message);
  if (status != USW_OK)
    usw_message_fail(call->kernel, status, (uint32_t)uswi_mpi_rank(call), message, call->type->bytes);
  return status;
}

usw_status_t uswi_mpi_reduce_nothing(const uswi_mpi_call_t *call, void *message) {
  uswi_mpi_call_t nothing = *call;
  usw_options_t options = {.size = sizeof options};
  if (call->options)
    options = *call->options;
  options.report = NULL;
  nothing.options = &options;
  nothing.n = 0;
  nothing.first = 0;
  return reduce_items(&nothing, message);
}

/* ---- failures ---- */

static usw_status_t differ(const uswi_mpi_call_t *call) {
  return uswi_mpi_fail(USW_ERROR_EXCHANGE, call->kernel->name, "ranks have different kernels or extents");
}

usw_status_t uswi_mpi_tell(const uswi_mpi_call_t *call, usw_status_t status, int failed, const char *own_text,
                           int can_ask) {
  char text[USWI_MPI_TEXT_BYTES];
  if (failed == USWI_MPI_NO_RANK)
    return status == USW_ERROR_EXCHANGE ? differ(call)
                                        : uswi_mpi_fail(status, call->kernel->name, "%s", usw_status_text(status));
  if (own_text && failed == uswi_mpi_rank(call))
    snprintf(text, sizeof text, "rank %d: %s", failed, own_text);
  else
    snprintf(text, sizeof text, "%s: rank %d: %s", call->kernel->name, failed, usw_status_text(status));
  if (can_ask)
    MPI_Bcast(text, sizeof text, MPI_CHAR, failed, call->comm);
  return usw_error_set(status, text);
}

/* A status and who has it as one number, so that the least one is the lowest rank's. Signed ones: MPICH 4.0 compares MPI_UINT64_T as if it
 * were. */
usw_status_t uswi_mpi_agree_on(const uswi_mpi_call_t *call, usw_status_t status, int64_t *numbers, int count) {
  enum { BITS = 32 };
  const int64_t failed = (int64_t)uswi_mpi_rank(call) << BITS | (int64_t)status;
  int64_t mine[1 + USWI_MPI_NUMBERS] = {status == USW_OK ? INT64_MAX : failed}, least[1 + USWI_MPI_NUMBERS];
  for (int k = 0; k < count; k++)
    mine[1 + k] = numbers[k];
  const usw_status_t exchanged =
      uswi_mpi_check(call->kernel->name, MPI_Allreduce(mine, least, 1 + count, MPI_INT64_T, MPI_MIN, call->comm));
  if (exchanged != USW_OK)
    return exchanged;
  for (int k = 0; k < count; k++)
    numbers[k] = least[1 + k];
  if (least[0] == INT64_MAX)
    return USW_OK;
  return uswi_mpi_tell(call, (usw_status_t)(uint32_t)least[0], (int)(least[0] >> BITS),
                       status == USW_OK ? NULL : usw_error_text(), 1);
}

/* The kernel, its extents and the bytes of its messages as a number that is not negative. FNV-1a. */
static int64_t identify(const uswi_mpi_call_t *call) {
  const usw_kernel_t *kernel = call->kernel;
  const uint64_t prime = 0x100000001b3u;
  uint64_t hash = 0xcbf29ce484222325u ^ call->type->bytes;
  for (const char *c = kernel->name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * prime;
  for (uint32_t r = 0; (kernel->facts & USW_FACT_SPANS) && r < kernel->reducer_count; r++)
    hash = (hash ^ (kernel->reducers[r].extent ? kernel->reducers[r].extent : call->variables[r].extent)) * prime;
  return (int64_t)(hash >> 1);
}

/* Least ones of a number and its opposite are opposites if all ranks have the same number. */
usw_status_t uswi_mpi_agree_on_kernel(const uswi_mpi_call_t *call, usw_status_t status, int64_t *numbers, int count) {
  int64_t all[USWI_MPI_NUMBERS] = {identify(call)};
  all[1] = -all[0];
  for (int k = 0; k < count; k++)
    all[2 + k] = numbers[k];
  status = uswi_mpi_agree_on(call, status, all, 2 + count);
  for (int k = 0; k < count; k++)
    numbers[k] = all[2 + k];
  return status == USW_OK && all[0] != -all[1] ? differ(call) : status;
}

usw_status_t uswi_mpi_agree(const uswi_mpi_call_t *call, usw_status_t status) {
  return uswi_mpi_agree_on(call, status, NULL, 0);
}

usw_status_t uswi_mpi_finish(const uswi_mpi_call_t *call, const void *outcome) {
  return call->wants_result ? usw_message_finish(call->kernel, outcome, call->variables, call->options) : USW_OK;
}
