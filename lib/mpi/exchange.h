/* What all calls over ranks share: messages of a kernel as MPI sees them, and failures that all ranks agree on. */
#ifndef USWI_MPI_EXCHANGE_H
#define USWI_MPI_EXCHANGE_H

#include "errors.h"
#include "types.h"

/* Messages of so many bytes, most of them, take no memory. */
enum { USWI_MPI_LINE_BYTES = 64, USWI_MPI_SMALL_BYTES = 512 };

static inline size_t uswi_mpi_round_up(size_t bytes) {
  return (bytes + USWI_MPI_LINE_BYTES - 1) / USWI_MPI_LINE_BYTES * USWI_MPI_LINE_BYTES;
}

/* What a rank hands over: an array, or parts of either kind. */
typedef enum { USWI_MPI_ONE_PLACE, USWI_MPI_PARTS, USWI_MPI_KERNEL_PARTS } uswi_mpi_items_t;

/* A reduction over ranks: what its caller hands over, and what follows from that. */
typedef struct uswi_mpi_call {
  const usw_kernel_t *kernel; /* whose name begins errors */
  uswi_mpi_items_t items;
  size_t n; /* items, or parts */
  const uint64_t *arguments;
  const void *parts;               /* usw_part_t or usw_kernel_part_t */
  const usw_variable_t *variables; /* NULL where no result is wanted, but for extents of spans */
  const usw_options_t *options;
  MPI_Comm comm;
  int wants_result;
  /* uswi_mpi_begin() */
  const uswi_mpi_type_t *type;
  uint64_t first; /* what the body's index counts from */
  int is_inter;
} uswi_mpi_call_t;

static inline uswi_mpi_call_t uswi_mpi_call(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                            const usw_variable_t *variables, MPI_Comm comm,
                                            const usw_options_t *options) {
  return (uswi_mpi_call_t){.kernel = kernel,
                           .n = n,
                           .arguments = arguments,
                           .variables = variables,
                           .options = options,
                           .comm = comm,
                           .wants_result = 1};
}

static inline uswi_mpi_call_t uswi_mpi_call_of_parts(const usw_kernel_t *kernel, uswi_mpi_items_t items,
                                                     const void *parts, size_t count, const usw_variable_t *variables,
                                                     MPI_Comm comm, const usw_options_t *options) {
  uswi_mpi_call_t call = uswi_mpi_call(kernel, count, NULL, variables, comm, options);
  call.items = items;
  call.parts = parts;
  return call;
}

/* What is wrong whatever the items: the same on every rank. Sets is_inter, type and first. */
usw_status_t uswi_mpi_begin(uswi_mpi_call_t *call);

/* This rank's number, which failures and indices take. */
int uswi_mpi_rank(const uswi_mpi_call_t *call);

/* Reduce this rank's items; a failure is in the message, too. */
usw_status_t uswi_mpi_reduce_own(const uswi_mpi_call_t *call, void *message);

/* Reduce no items: what comes before rank 0. The options' report is of this rank's items, and stays as it is. */
usw_status_t uswi_mpi_reduce_nothing(const uswi_mpi_call_t *call, void *message);

/* The lowest rank's failure, on all ranks: `status` is this rank's. With it go numbers, at most USWI_MPI_NUMBERS, which become the least ones of
 * all ranks. */
enum { USWI_MPI_NUMBERS = 5 };
usw_status_t uswi_mpi_agree(const uswi_mpi_call_t *call, usw_status_t status);
usw_status_t uswi_mpi_agree_on(const uswi_mpi_call_t *call, usw_status_t status, int64_t *numbers, int count);

/* The same, and USW_ERROR_EXCHANGE on all ranks unless all have the same kernel and extents. It takes two of the numbers. */
enum { USWI_MPI_NUMBERS_BESIDE_KERNEL = USWI_MPI_NUMBERS - 2 };
usw_status_t uswi_mpi_agree_on_kernel(const uswi_mpi_call_t *call, usw_status_t status, int64_t *numbers, int count);

/* An error whose text is that of the rank which has failed; the others have no more than the status where not all ranks can be asked.
 * USWI_MPI_NO_RANK: no rank has failed, a merge has, of which all ranks have the status. `own_text` is the text of this rank's failure,
 * NULL if it has none. */
enum { USWI_MPI_NO_RANK = -1 };
usw_status_t uswi_mpi_tell(const uswi_mpi_call_t *call, usw_status_t status, int failed, const char *own_text,
                           int can_ask);

/* Write the result of an outcome that has no failure, if it is wanted. */
usw_status_t uswi_mpi_finish(const uswi_mpi_call_t *call, const void *outcome);

/* Check a communicator, and whether it is an intercommunicator. */
usw_status_t uswi_mpi_check_comm(const char *owner, MPI_Comm comm, int *is_inter_out);

/* The whole of usw_mpi_allreduce(), usw_mpi_reduce(), usw_mpi_scan() or usw_mpi_exscan(), and usw_mpi_iallreduce() or
 * usw_mpi_allreduce_init(), whatever the kernel and the items. */
usw_status_t uswi_mpi_allreduce(uswi_mpi_call_t *call);
usw_status_t uswi_mpi_reduce(uswi_mpi_call_t *call, int root);
usw_status_t uswi_mpi_scan(uswi_mpi_call_t *call, int is_exclusive);
usw_status_t uswi_mpi_make_request(uswi_mpi_call_t *call, int is_persistent, usw_mpi_request_t *request_out);

/* How many of a kernel's arguments are the caller's. */
static inline uint32_t uswi_mpi_arguments(const usw_kernel_t *kernel) {
  return kernel->argument_count - (kernel->facts & USW_FACT_NAN_POLICY ? 1 : 0) -
         (kernel->facts & USW_FACT_INDEX ? 1 : 0);
}

#endif
