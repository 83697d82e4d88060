/* Reductions over ranks, to the result. */
#include <stdatomic.h>
#include <stdlib.h>

#include "exchange.h"
#include "on_gpus.h"

/* ---- room for messages ---- */

/* The last large room, for the next call: the pages of fresh memory, which are touched for the first time, cost as much as a merge. Smaller rooms
 * the C library keeps itself; larger ones would be missed elsewhere. */
enum { KEPT_FROM_BYTES = 128 << 10, KEPT_TO_BYTES = 256 << 20 };
typedef struct {
  size_t bytes; /* of what follows, a line further on */
} kept_t;
static _Atomic(kept_t *) kept;

__attribute__((destructor)) static void free_kept(void) { free(atomic_exchange(&kept, NULL)); }

/* NULL: there is no memory. */
static kept_t *take_kept(size_t bytes) {
  kept_t *memory = bytes >= KEPT_FROM_BYTES ? atomic_exchange(&kept, NULL) : NULL;
  if (memory && memory->bytes >= bytes)
    return memory;
  free(memory); /* before there is a larger one */
  memory = aligned_alloc(USWI_MPI_LINE_BYTES, USWI_MPI_LINE_BYTES + bytes);
  if (memory)
    memory->bytes = bytes;
  return memory;
}

static void keep(kept_t *memory) {
  if (memory && memory->bytes >= KEPT_FROM_BYTES && memory->bytes <= KEPT_TO_BYTES)
    memory = atomic_exchange(&kept, memory);
  free(memory);
}

/* Room for this rank's message and for the outcome. */
typedef struct {
  void *mine, *outcome;
  kept_t *memory; /* NULL: it is here */
  _Alignas(USWI_MPI_LINE_BYTES) char small[2][USWI_MPI_SMALL_BYTES];
} room_t;

static usw_status_t take_room(const uswi_mpi_call_t *call, room_t *room) {
  const size_t bytes = call->type->bytes;
  room->memory = NULL;
  room->mine = room->small[0];
  room->outcome = room->small[1];
  if (bytes <= USWI_MPI_SMALL_BYTES)
    return USW_OK;
  const size_t step = uswi_mpi_round_up(bytes);
  room->memory = take_kept(2 * step);
  if (!room->memory)
    return uswi_mpi_fail(USW_ERROR_MEMORY, call->kernel->name, "no room for two messages of %zu bytes", bytes);
  room->mine = (char *)room->memory + USWI_MPI_LINE_BYTES;
  room->outcome = (char *)room->mine + step;
  return USW_OK;
}

/* Of messages that need memory all ranks have some, or none sends; and what all may, they do. */
static usw_status_t open_room(const uswi_mpi_call_t *call, room_t *room, int64_t *may) {
  const usw_status_t own = take_room(call, room);
  if (call->type->bytes <= USWI_MPI_SMALL_BYTES || call->is_inter)
    return own;
  const usw_status_t status = uswi_mpi_agree_on(call, own, may, 1);
  if (status != USW_OK)
    keep(room->memory);
  return status;
}

/* ---- every rank gets the result ---- */

/* On an intercommunicator a group learns of the other's failure, and, once that has been there and back, of its own. */
static usw_status_t tell_groups(const uswi_mpi_call_t *call, usw_status_t theirs, uint32_t source) {
  const int told = (int)theirs;
  int ours = USW_OK;
  const usw_status_t status =
      uswi_mpi_check(call->kernel->name, MPI_Allreduce(&told, &ours, 1, MPI_INT, MPI_MAX, call->comm));
  if (status != USW_OK)
    return status;
  if (theirs != USW_OK && (int)source == USWI_MPI_NO_RANK)
    return uswi_mpi_tell(call, theirs, USWI_MPI_NO_RANK, NULL, 0);
  if (theirs != USW_OK)
    return uswi_mpi_fail(theirs, call->kernel->name, "rank %u of the other group: %s", source, usw_status_text(theirs));
  return ours == USW_OK ? USW_OK
                        : uswi_mpi_fail((usw_status_t)ours, call->kernel->name, "a rank of this group: %s",
                                        usw_status_text((usw_status_t)ours));
}

static usw_status_t finish(const uswi_mpi_call_t *call, const void *mine, const void *outcome) {
  const int has_failed = usw_message_status(mine, NULL) != USW_OK;
  uint32_t source = (uint32_t)USWI_MPI_NO_RANK;
  usw_status_t status = usw_message_status(outcome, &source);
  if (call->is_inter)
    status = tell_groups(call, status, source);
  else if (status != USW_OK)
    status = uswi_mpi_tell(call, status, (int)source, has_failed ? usw_error_text() : NULL, 1);
  return status == USW_OK ? uswi_mpi_finish(call, outcome) : status;
}

/* What all ranks' items are reduced to, from this rank's message. */
static usw_status_t exchange(const uswi_mpi_call_t *call, const room_t *room) {
  const uswi_mpi_type_t *type = call->type;
  const usw_status_t status =
      uswi_mpi_check(call->kernel->name, MPI_Allreduce(room->mine, room->outcome, 1, type->type, type->op, call->comm));
  return status == USW_OK ? finish(call, room->mine, room->outcome) : status;
}

static usw_status_t by_messages(uswi_mpi_call_t *call, int64_t may_stay_on_gpus) {
  room_t room;
  int is_done = 0, is_message = 0;
  usw_status_t status = open_room(call, &room, &may_stay_on_gpus);
  if (status != USW_OK)
    return status;
  if (may_stay_on_gpus)
    status = uswi_mpi_reduce_on_gpus(call, room.mine, &is_done, &is_message);
  if (status == USW_OK && !is_done) {
    if (!is_message)
      uswi_mpi_reduce_own(call, room.mine);
    status = exchange(call, &room);
  }
  keep(room.memory);
  return status;
}

usw_status_t uswi_mpi_allreduce(uswi_mpi_call_t *call) {
  const usw_status_t status = uswi_mpi_begin(call);
  return status == USW_OK ? by_messages(call, uswi_mpi_may_stay_on_gpus(call)) : status;
}

static usw_status_t check_root(const char *owner, int root, MPI_Comm comm, int *is_root_out) {
  int is_inter, rank, ranks;
  usw_status_t status = uswi_mpi_check_comm(owner, comm, &is_inter);
  if (status == USW_OK && is_inter)
    status = uswi_mpi_fail(USW_ERROR_UNSUPPORTED, owner, "a root is for one group: on an intercommunicator all get it");
  if (status == USW_OK)
    status = uswi_mpi_check(owner, MPI_Comm_size(comm, &ranks));
  if (status == USW_OK && (root < 0 || root >= ranks))
    status = uswi_mpi_fail(USW_ERROR_INVALID, owner, "root is %d, there are %d ranks", root, ranks);
  if (status == USW_OK)
    status = uswi_mpi_check(owner, MPI_Comm_rank(comm, &rank));
  *is_root_out = status == USW_OK && rank == root;
  return status;
}

usw_status_t uswi_mpi_reduce(uswi_mpi_call_t *call, int root) {
  usw_status_t status = uswi_mpi_begin(call); /* which checks the kernel first */
  if (status == USW_OK)
    status = check_root(call->kernel->name, root, call->comm, &call->wants_result);
  if (status == USW_OK && !call->wants_result && !(call->kernel->facts & USW_FACT_SPANS))
    call->variables = NULL;
  return status == USW_OK ? by_messages(call, uswi_mpi_may_stay_on_gpus(call)) : status;
}

/* A merge of larger messages may lack memory. Earlier ranks do not learn of it by the scan. */
static usw_status_t agree_on_merges(const uswi_mpi_call_t *call, const void *outcome) {
  const int own = (int)usw_message_status(outcome, NULL);
  int any = own;
  if (call->type->bytes <= USWI_MPI_SMALL_BYTES)
    return USW_OK;
  const usw_status_t status =
      uswi_mpi_check(call->kernel->name, MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, call->comm));
  if (status != USW_OK || any == USW_OK)
    return status;
  return uswi_mpi_tell(call, (usw_status_t)any, USWI_MPI_NO_RANK, NULL, 0);
}

/* Ranks agree on their kernel before, too: a merge would tell later ranks alone that it differs. */
static usw_status_t exchange_scan(const uswi_mpi_call_t *call, const room_t *room, int is_exclusive) {
  const uswi_mpi_type_t *type = call->type;
  usw_status_t status = usw_message_status(room->mine, NULL);
  if (status == USW_OK && is_exclusive)
    status = uswi_mpi_reduce_nothing(call, room->outcome);
  status = uswi_mpi_agree_on_kernel(call, status, NULL, 0);
  if (status != USW_OK)
    return status;
  status = uswi_mpi_check(call->kernel->name, (is_exclusive ? MPI_Exscan : MPI_Scan)(room->mine, room->outcome, 1,
                                                                                     type->type, type->op, call->comm));
  if (status == USW_OK)
    status = agree_on_merges(call, room->outcome);
  return status == USW_OK ? uswi_mpi_finish(call, room->outcome) : status;
}

usw_status_t uswi_mpi_scan(uswi_mpi_call_t *call, int is_exclusive) {
  room_t room;
  int64_t may = 0;
  usw_status_t status = uswi_mpi_begin(call);
  if (status == USW_OK && call->is_inter)
    status =
        uswi_mpi_fail(USW_ERROR_UNSUPPORTED, call->kernel->name, "the ranks of an intercommunicator have no order");
  if (status == USW_OK)
    status = open_room(call, &room, &may);
  if (status != USW_OK)
    return status;
  uswi_mpi_reduce_own(call, room.mine);
  status = exchange_scan(call, &room, is_exclusive);
  keep(room.memory);
  return status;
}

/* ---- kernels ---- */

usw_status_t usw_mpi_kernel_allreduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                      const usw_variable_t *variables, MPI_Comm comm, const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call(kernel, n, arguments, variables, comm, options);
  return uswi_mpi_allreduce(&call);
}

usw_status_t usw_mpi_kernel_allreduce_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                            const usw_variable_t *variables, MPI_Comm comm,
                                            const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call_of_parts(kernel, USWI_MPI_KERNEL_PARTS, parts, count, variables, comm, options);
  return uswi_mpi_allreduce(&call);
}

usw_status_t usw_mpi_kernel_reduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                   const usw_variable_t *variables, int root, MPI_Comm comm,
                                   const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call(kernel, n, arguments, variables, comm, options);
  return uswi_mpi_reduce(&call, root);
}

usw_status_t usw_mpi_kernel_reduce_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                         const usw_variable_t *variables, int root, MPI_Comm comm,
                                         const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call_of_parts(kernel, USWI_MPI_KERNEL_PARTS, parts, count, variables, comm, options);
  return uswi_mpi_reduce(&call, root);
}

usw_status_t usw_mpi_kernel_scan(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, int is_exclusive, MPI_Comm comm,
                                 const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call(kernel, n, arguments, variables, comm, options);
  return uswi_mpi_scan(&call, is_exclusive);
}

usw_status_t usw_mpi_kernel_scan_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                       const usw_variable_t *variables, int is_exclusive, MPI_Comm comm,
                                       const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call_of_parts(kernel, USWI_MPI_KERNEL_PARTS, parts, count, variables, comm, options);
  return uswi_mpi_scan(&call, is_exclusive);
}

usw_status_t usw_mpi_op(const usw_kernel_t *kernel, const usw_variable_t *variables, MPI_Datatype *type_out,
                        MPI_Op *op_out) {
  const uswi_mpi_type_t *type;
  size_t bytes;
  usw_status_t status = usw_message_bytes(kernel, variables, &bytes);
  if (status == USW_OK && (!type_out || !op_out))
    status = uswi_mpi_fail(USW_ERROR_INVALID, kernel->name, "%s is NULL", type_out ? "op_out" : "type_out");
  if (status == USW_OK)
    status = uswi_mpi_type(kernel->name, kernel, bytes, &type);
  if (status != USW_OK)
    return status;
  *type_out = type->type;
  *op_out = type->op;
  return USW_OK;
}
