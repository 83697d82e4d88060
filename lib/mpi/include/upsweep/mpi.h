/** @defgroup mpi Ranks of an MPI program
 *  One reduction over the items of all ranks: each rank reduces its own where they are, and one message per rank carries what all reducers
 *  need. With #USW_REPRODUCIBLE the result has the same bits for any number of ranks, any split, any MPI library.
 *  @code{.c}
 *  double sum;
 *  usw_status_t status = usw_mpi_allreduce(USW_PLUS, USW_F64, x, n, &sum, MPI_COMM_WORLD, &options);
 *  @endcode
 *  `libupsweep_mpi` has these functions; it is built for one MPI library. Kernels whose file defines USW_MPI have K_mpi() and its like
 *  (upsweep/mpi_kernel.h). A rank whose items lie in several places, on several GPUs, has the functions of upsweep/mpi_parts.h.
 *
 *  All functions here are collective, as MPI's of the same name: every rank of the communicator calls them, in the same order, with the same
 *  operation, type, kernel, extents of spans, root, accuracy, fold and NaN policy. Number, place, strides and addresses of the items are each rank's own. Errors
 *  are agreed: if one rank fails (a bad pointer, no memory, a GPU that is lost), all ranks return its status, the text names the rank, no result
 *  is written, and nobody hangs. What must be the same on all ranks is checked before anything is sent.
 *
 *  Errors of MPI itself go to the communicator's error handler. If that returns, the call returns USW_ERROR_EXCHANGE with MPI's text.
 *  Call from several threads at once only with MPI_THREAD_MULTIPLE; no thread of the library's calls MPI.
 *  @{ */
#ifndef UPSWEEP_MPI_H
#define UPSWEEP_MPI_H

#include <mpi.h>
#include <upsweep/upsweep.h>

/** What <upsweep/kernel_end.h> includes for kernels with USW_MPI. */
#define USW_FUNCTIONS_OVER_RANKS <upsweep/mpi_kernel.h>

/** A reduction over ranks that is under way, or can be started again; from the functions below, not to be copied while it is in use. */
typedef struct usw_mpi_request {
  struct usw_mpi_state *state; /**< the library's; NULL: nothing is under way */
} usw_mpi_request_t;

USW_BEGIN_C

/* ---- the library's reductions ---- */

/** Reduce the elements of all ranks as if they were one array, in the order of the ranks. Every rank gets the result.
 *
 *  Indices (of argmin, argmax, describe) count over the ranks: those of a rank begin with the sum of n before it. usw_mpi_locate() turns one
 *  into a rank and an index there.
 *
 *  @param[in]  operation  operation of a function of @ref function_table that reads one stream.
 *  @param[in]  type       type of the elements.
 *  @param[in]  x          this rank's elements, as for usw_reduce(): in host or device memory.
 *  @param[in]  n          how many this rank has; 0 is allowed.
 *  @param[out] result_out host address of what usw_reduce() writes; written on USW_OK only.
 *  @param[in]  comm       the ranks. On an intercommunicator each group gets the result of the other's elements, as with MPI_Allreduce().
 *  @param[in]  options    NULL for the defaults. Their report tells of this rank's part.
 *  @return as usw_reduce(), the same on every rank; USW_ERROR_UNSUPPORTED also for #USW_EXACT, which takes several sweeps
 *          (#USW_REPRODUCIBLE does not); USW_ERROR_EXCHANGE (MPI failed, or ranks called for different reductions);
 *          USW_ERROR_INVALID also for MPI_COMM_NULL; USW_ERROR_STATE also before MPI_Init().
 *  @note Determinism: as usw_reduce() for the same ranks with the same elements. With #USW_REPRODUCIBLE the bits of one usw_reduce() of all
 *        elements, whatever the ranks. Sums and products of floating numbers at other levels may differ between MPI libraries.
 *  @note Accuracy: as usw_reduce(), and log2(ranks) additions on top; with #USW_REPRODUCIBLE nothing on top.
 *  @note Cost: one usw_reduce() and one MPI_Allreduce() of 40 to 250 bytes with an operator of the library's.
 *  @since 0.3  @see tests/mpi/calls.c */
USW_API usw_status_t usw_mpi_allreduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                       void *result_out, MPI_Comm comm, const usw_options_t *options);

/** The same of two streams: dot and its like.
 *
 *  @param[in]  operation  operation of a function of two streams.
 *  @param[in]  type       type of the elements.
 *  @param[in]  x,y        n elements each, of this rank.
 *  @param[in]  n          as for usw_mpi_allreduce().
 *  @param[out] result_out as for usw_mpi_allreduce().
 *  @param[in]  comm       as for usw_mpi_allreduce().
 *  @param[in]  options    as for usw_mpi_allreduce().
 *  @return as usw_mpi_allreduce().
 *  @note Determinism, accuracy, cost: as usw_mpi_allreduce().  @since 0.3  @see tests/mpi/calls.c */
USW_API usw_status_t usw_mpi_allreduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y,
                                            size_t n, void *result_out, MPI_Comm comm, const usw_options_t *options);

/** usw_mpi_allreduce() whose result one rank wants.
 *
 *  @param[in]  operation  as for usw_mpi_allreduce().
 *  @param[in]  type       as for usw_mpi_allreduce().
 *  @param[in]  x          as for usw_mpi_allreduce().
 *  @param[in]  n          as for usw_mpi_allreduce().
 *  @param[out] result_out as for usw_mpi_allreduce(), on the root; not read elsewhere.
 *  @param[in]  root       rank that gets the result; of no intercommunicator.
 *  @param[in]  comm       as for usw_mpi_allreduce().
 *  @param[in]  options    as for usw_mpi_allreduce().
 *  @return as usw_mpi_allreduce(); USW_ERROR_INVALID also for a root that is no rank of the communicator.
 *  @note Determinism, accuracy: as usw_mpi_allreduce(), the same bits.
 *  @note Cost: as usw_mpi_allreduce(), whose message goes to all: else they would not learn of errors.  @since 0.3  @see tests/mpi/calls.c */
USW_API usw_status_t usw_mpi_reduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                    void *result_out, int root, MPI_Comm comm, const usw_options_t *options);

/** Reduce the elements of ranks 0 to this one: MPI_Scan() with a rank's elements in place of one.
 *
 *  @param[in]  operation  as for usw_mpi_allreduce().
 *  @param[in]  type       as for usw_mpi_allreduce().
 *  @param[in]  x          as for usw_mpi_allreduce().
 *  @param[in]  n          as for usw_mpi_allreduce().
 *  @param[out] result_out as for usw_mpi_allreduce().
 *  @param[in]  comm       as for usw_mpi_allreduce(), but no intercommunicator.
 *  @param[in]  options    as for usw_mpi_allreduce().
 *  @return as usw_mpi_allreduce().
 *  @note Determinism, accuracy: as usw_mpi_allreduce().
 *  @note Cost: one usw_reduce(), an MPI_Allreduce() of 24 bytes by which ranks agree that none has failed and all have the same kernel, and an
 *        MPI_Scan(). Messages of over 512 bytes take one MPI_Allreduce() of 4 bytes more.
 *  @since 0.3  @see tests/mpi/calls.c */
USW_API usw_status_t usw_mpi_scan(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *result_out,
                                  MPI_Comm comm, const usw_options_t *options);

/** Reduce the elements of the ranks before this one: rank 0 gets what usw_reduce() gives for n = 0. With the sum of a rank's elements it is
 *  the initial value of usw_scan_exclusive() over its part of an array of all.
 *
 *  @param[in]  operation  as for usw_mpi_scan().
 *  @param[in]  type       as for usw_mpi_scan().
 *  @param[in]  x          as for usw_mpi_scan().
 *  @param[in]  n          as for usw_mpi_scan().
 *  @param[out] result_out as for usw_mpi_scan().
 *  @param[in]  comm       as for usw_mpi_scan().
 *  @param[in]  options    as for usw_mpi_scan().
 *  @return as usw_mpi_scan().
 *  @note Determinism, accuracy: as usw_mpi_scan(). Cost: as usw_mpi_scan(), with an MPI_Exscan().  @since 0.3  @see tests/mpi/calls.c */
USW_API usw_status_t usw_mpi_exscan(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                    void *result_out, MPI_Comm comm, const usw_options_t *options);

/* ---- those that go on while the rank does something else ---- */

/** Start usw_mpi_allreduce(): this rank's elements are reduced when it returns, and the message is under way.
 *
 *  @param[in]  operation   as for usw_mpi_allreduce().
 *  @param[in]  type        as for usw_mpi_allreduce().
 *  @param[in]  x           as for usw_mpi_allreduce(); read before this returns.
 *  @param[in]  n           as for usw_mpi_allreduce().
 *  @param[out] result_out  as for usw_mpi_allreduce(); must live until usw_mpi_wait(), which writes it.
 *  @param[in]  comm        as for usw_mpi_allreduce(), but no intercommunicator.
 *  @param[in]  options     as for usw_mpi_allreduce(); copied.
 *  @param[out] request_out receives what usw_mpi_wait() takes; unchanged on failure.
 *  @return as usw_mpi_allreduce(), for what must be the same on all ranks. On one rank alone USW_ERROR_MEMORY, USW_ERROR_VERSION (options.size) or
 *          USW_ERROR_INVALID (request_out is NULL); usw_mpi_wait() returns it on the others. Any other failure is told by usw_mpi_wait().
 *  @note Determinism, accuracy: as usw_mpi_allreduce(), the same bits.
 *  @note Cost: one usw_reduce(), one allocation, and MPI_Iallreduce().  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_iallreduce(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                        void *result_out, MPI_Comm comm, const usw_options_t *options,
                                        usw_mpi_request_t *request_out);

/** The same of two streams.
 *
 *  @param[in]  operation   as for usw_mpi_allreduce_pair().
 *  @param[in]  type        type of the elements.
 *  @param[in]  x,y         n elements each, of this rank.
 *  @param[in]  n           as for usw_mpi_allreduce().
 *  @param[out] result_out  as for usw_mpi_iallreduce().
 *  @param[in]  comm        as for usw_mpi_iallreduce().
 *  @param[in]  options     as for usw_mpi_iallreduce().
 *  @param[out] request_out as for usw_mpi_iallreduce().
 *  @return as usw_mpi_iallreduce().
 *  @note Determinism, accuracy, cost: as usw_mpi_iallreduce().  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_iallreduce_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y,
                                             size_t n, void *result_out, MPI_Comm comm, const usw_options_t *options,
                                             usw_mpi_request_t *request_out);

/** Make a request that can be started again and again: MPI 4's persistent form of usw_mpi_allreduce(). Where the MPI library has none, each
 *  start is an MPI_Iallreduce().
 *
 *  @param[in]  operation   as for usw_mpi_allreduce().
 *  @param[in]  type        as for usw_mpi_allreduce().
 *  @param[in]  x           as for usw_mpi_allreduce(); read by each usw_mpi_start().
 *  @param[in]  n           as for usw_mpi_allreduce().
 *  @param[out] result_out  as for usw_mpi_iallreduce(); written by each usw_mpi_wait().
 *  @param[in]  comm        as for usw_mpi_iallreduce().
 *  @param[in]  options     as for usw_mpi_iallreduce().
 *  @param[out] request_out receives what usw_mpi_start() takes; unchanged on failure. Free it with usw_mpi_request_free().
 *  @return as usw_mpi_iallreduce().
 *  @note Determinism, accuracy: as usw_mpi_allreduce(), the same bits. Cost: one allocation.  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_allreduce_init(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                            void *result_out, MPI_Comm comm, const usw_options_t *options,
                                            usw_mpi_request_t *request_out);

/** The same of two streams.
 *
 *  @param[in]  operation   as for usw_mpi_allreduce_pair().
 *  @param[in]  type        type of the elements.
 *  @param[in]  x,y         n elements each, of this rank; read by each usw_mpi_start().
 *  @param[in]  n           as for usw_mpi_allreduce().
 *  @param[out] result_out  as for usw_mpi_allreduce_init().
 *  @param[in]  comm        as for usw_mpi_iallreduce().
 *  @param[in]  options     as for usw_mpi_iallreduce().
 *  @param[out] request_out as for usw_mpi_allreduce_init().
 *  @return as usw_mpi_allreduce_init().
 *  @note Determinism, accuracy, cost: as usw_mpi_allreduce_init().  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_allreduce_pair_init(usw_operation_t operation, usw_type_t type, const void *x,
                                                 const void *y, size_t n, void *result_out, MPI_Comm comm,
                                                 const usw_options_t *options, usw_mpi_request_t *request_out);

/** Start such a request: this rank's elements are reduced when it returns.
 *
 *  @param[in,out] request from usw_mpi_allreduce_init(), K_mpi_init() or their like of parts, not under way.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, no request that can be started again); USW_ERROR_BUSY (it is under way); USW_ERROR_EXCHANGE. That a
 *          rank has failed is told by usw_mpi_wait().
 *  @note Cost: one usw_reduce() or usw_reduce_parts(), and MPI_Start(); nothing is allocated besides.  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_start(usw_mpi_request_t *request);

/** Whether usw_mpi_wait() would return at once; lets MPI make progress.
 *
 *  @param[in,out] request  under way.
 *  @param[out]    done_out receives 1 or 0; unchanged on failure.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, nothing is under way); USW_ERROR_EXCHANGE.
 *  @note Cost: MPI_Test().  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_test(usw_mpi_request_t *request, int *done_out);

/** Wait for the result, and write it. Requests of usw_mpi_iallreduce(), K_mpi_start() and their like of parts are gone then; others
 *  can be started again.
 *
 *  @param[in,out] request under way.
 *  @return as usw_mpi_allreduce(). The text of a failure on another rank names the rank and the status; that rank's own text says more.
 *  @note Cost: MPI_Wait().  @since 0.3  @see tests/mpi/requests.c */
USW_API usw_status_t usw_mpi_wait(usw_mpi_request_t *request);

/** Free a request that can be started again; one that is under way is waited for. Nothing to do for one that is gone.
 *
 *  @param[in,out] request from usw_mpi_allreduce_init() or any of its like; NULL is allowed.
 *  @since 0.3  @see tests/mpi/requests.c */
USW_API void usw_mpi_request_free(usw_mpi_request_t *request);

/* ---- kernels: what K_mpi() and its like call ---- */

/** Run a kernel over the items of all ranks as if they were one range, in the order of the ranks. Every rank gets the results of all reducers,
 *  which travel in one message.
 *
 *  @param[in]     kernel    its descriptor, whose file defines USW_MPI (or USW_PARTS, or USW_NO_INDEX); or one of usw_kernel_of().
 *  @param[in]     n         number of items of this rank.
 *  @param[in]     arguments in list order, as for usw_kernel_run().
 *  @param[in,out] variables one per reducer, as for usw_kernel_run(); unchanged on failure. Each rank's own original value comes before the items of
 *                           all ranks: give every rank the same, or take K_mpi_fresh().
 *  @param[in]     comm      as for usw_mpi_allreduce(); no intercommunicator for kernels whose body has an index.
 *  @param[in]     options   as for usw_mpi_allreduce().
 *  @return as usw_mpi_allreduce() and usw_kernel_run_parts().
 *  @note Determinism, accuracy: as usw_mpi_allreduce(). Operators need not commute where the kernel is USW_ORDERED.
 *  @note Cost: one usw_kernel_run() and one MPI_Allreduce(); where the body has an index, an MPI_Exscan() of 8 bytes before. Spans travel with
 *        it: a message is one element to MPI. Above 512 bytes an MPI_Allreduce() of 16 bytes comes first, by which ranks agree that all have the
 *        memory. Above 64 KiB the memory, of two messages, stays for the next call, up to 256 MiB in all.
 *  @note GPUs: spans of 64 KiB and more stay there where usw_gathering_begin() keeps those of all ranks, which have one item at least. What moves
 *        records, of 1 GiB for all ranks at most, is an MPI_Allgather() if the MPI of all says that it takes addresses of GPUs' memory
 *        (MPIX_Query_cuda_support()), else NCCL if all ranks can load it and each has a GPU of its own (@ref environment, `USW_NCCL`). The first
 *        such call on a communicator connects its GPUs, which takes a second or so and memory on each; MPI_Comm_free() ends that. Where NCCL
 *        refuses, calls on that communicator send messages from then on. Two or three more MPI_Allreduce() of 48 and 8 bytes are for failures.
 *        Records are folded in the order of ranks, where MPI groups messages as it likes: the last bits of #USW_REPEATABLE sums are those of the
 *        way. If a GPU fails after the exchange, other ranks may have written their results. Requests, scans and parts send messages.
 *  @since 0.3  @see tests/mpi/kernels.c, tests/mpi/large_spans.c, tests/mpi/nccl.c */
USW_API usw_status_t usw_mpi_kernel_allreduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                              const usw_variable_t *variables, MPI_Comm comm,
                                              const usw_options_t *options);

/** The same whose results one rank wants.
 *
 *  @param[in]     kernel    as for usw_mpi_kernel_allreduce().
 *  @param[in]     n         as for usw_mpi_kernel_allreduce().
 *  @param[in]     arguments as for usw_mpi_kernel_allreduce().
 *  @param[in,out] variables as for usw_mpi_kernel_allreduce() on the root; elsewhere read for the extents of spans, and NULL without spans.
 *  @param[in]     root      as for usw_mpi_reduce().
 *  @param[in]     comm      as for usw_mpi_kernel_allreduce().
 *  @param[in]     options   as for usw_mpi_kernel_allreduce().
 *  @return as usw_mpi_kernel_allreduce() and usw_mpi_reduce().
 *  @note Determinism, accuracy, cost: as usw_mpi_kernel_allreduce().  @since 0.3  @see tests/mpi/kernels.c */
USW_API usw_status_t usw_mpi_kernel_reduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                           const usw_variable_t *variables, int root, MPI_Comm comm,
                                           const usw_options_t *options);

/** Over the items of ranks 0 to this one, or of those before it.
 *
 *  @param[in]     kernel       as for usw_mpi_kernel_allreduce().
 *  @param[in]     n            as for usw_mpi_kernel_allreduce().
 *  @param[in]     arguments    as for usw_mpi_kernel_allreduce().
 *  @param[in,out] variables    as for usw_mpi_kernel_allreduce().
 *  @param[in]     is_exclusive 1: this rank's items are not in its result.
 *  @param[in]     comm         no intercommunicator.
 *  @param[in]     options      as for usw_mpi_kernel_allreduce().
 *  @return as usw_mpi_kernel_allreduce().
 *  @note Determinism, accuracy: as usw_mpi_kernel_allreduce(). Cost: as usw_mpi_scan().  @since 0.3  @see tests/mpi/kernels.c */
USW_API usw_status_t usw_mpi_kernel_scan(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                         const usw_variable_t *variables, int is_exclusive, MPI_Comm comm,
                                         const usw_options_t *options);

/** Make a request of a kernel, to be started by usw_mpi_start().
 *
 *  @param[in]     kernel      as for usw_mpi_kernel_allreduce().
 *  @param[in]     n           as for usw_mpi_kernel_allreduce(), for all starts.
 *  @param[in]     arguments   as for usw_mpi_kernel_allreduce(); copied, but for the arrays.
 *  @param[in,out] variables   as for usw_mpi_kernel_allreduce(); the addresses are copied, the variables must live as long as the request.
 *  @param[in]     comm        as for usw_mpi_iallreduce().
 *  @param[in]     options     as for usw_mpi_iallreduce().
 *  @param[out]    request_out as for usw_mpi_allreduce_init().
 *  @return as usw_mpi_kernel_allreduce(), for what must be the same on all ranks; USW_ERROR_MEMORY.
 *  @note Determinism, accuracy: as usw_mpi_kernel_allreduce().
 *  @note Cost: one allocation; where the body has an index, an MPI_Exscan().  @since 0.3  @see tests/mpi/kernels.c */
USW_API usw_status_t usw_mpi_kernel_init(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                         const usw_variable_t *variables, MPI_Comm comm, const usw_options_t *options,
                                         usw_mpi_request_t *request_out);

/** Make such a request and start it; usw_mpi_wait() ends it for good: what K_mpi_start() calls.
 *
 *  @param[in]     kernel      as for usw_mpi_kernel_init().
 *  @param[in]     n           as for usw_mpi_kernel_init().
 *  @param[in]     arguments   as for usw_mpi_kernel_init(); arrays are read before this returns.
 *  @param[in,out] variables   as for usw_mpi_kernel_init(); must live until usw_mpi_wait().
 *  @param[in]     comm        as for usw_mpi_iallreduce().
 *  @param[in]     options     as for usw_mpi_iallreduce().
 *  @param[out]    request_out as for usw_mpi_iallreduce().
 *  @return as usw_mpi_iallreduce() and usw_mpi_kernel_init().
 *  @note Determinism, accuracy, cost: as usw_mpi_kernel_allreduce().  @since 0.3  @see tests/mpi/kernels.c */
USW_API usw_status_t usw_mpi_kernel_iallreduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                               const usw_variable_t *variables, MPI_Comm comm,
                                               const usw_options_t *options, usw_mpi_request_t *request_out);

/* ---- beside them ---- */

/** Datatype and operator of a kernel's messages (@ref message), for programs that call MPI themselves: one element of the type is one message.
 *
 *  @param[in]  kernel    as for usw_message_bytes().
 *  @param[in]  variables as for usw_message_bytes().
 *  @param[out] type_out  receives a committed datatype; the library's: do not free it. Unchanged on failure.
 *  @param[out] op_out    receives an operator, which commutes where the order of ranks does not show in the bits; the library's.
 *  @return as usw_message_bytes(); USW_ERROR_EXCHANGE; USW_ERROR_MEMORY; USW_ERROR_STATE also before MPI_Init().
 *  @note Threads: with MPI_THREAD_MULTIPLE any. Both live until MPI_Finalize().  @since 0.3  @see tests/mpi/operators.c */
USW_API usw_status_t usw_mpi_op(const usw_kernel_t *kernel, const usw_variable_t *variables, MPI_Datatype *type_out,
                                MPI_Op *op_out);

/** Which rank has the element of a global index, and where.
 *
 *  @param[in]  n         this rank's number of elements, as in the call that gave the index.
 *  @param[in]  index     a global index, the same on every rank; -1 (of an empty argmin) is no element's.
 *  @param[out] rank_out  receives the rank; -1 if there is none.
 *  @param[out] local_out receives the index among that rank's elements; -1 if there is none.
 *  @param[in]  comm      no intercommunicator.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, MPI_COMM_NULL); USW_ERROR_UNSUPPORTED (an intercommunicator); USW_ERROR_EXCHANGE.
 *  @note Cost: an MPI_Exscan() and an MPI_Allreduce() of 16 bytes.  @since 0.3  @see tests/mpi/calls.c */
USW_API usw_status_t usw_mpi_locate(size_t n, int64_t index, int *rank_out, int64_t *local_out, MPI_Comm comm);

/** The GPU that this rank should take, of those of its node: near to its cores, and shared by as few ranks as can be.
 *
 *  Ranks of a node choose in their order: among the GPUs near to the NUMA nodes of a rank's cores the one with the fewest ranks; if none is
 *  near, or the others have two ranks fewer, among all.
 *
 *  @param[in]  comm       ranks that share the GPUs: MPI_COMM_WORLD mostly.
 *  @param[out] device_out receives the OpenMP device number, for usw_options_t::device and omp_set_default_device(); -1 if the node has no
 *                         GPU that the library can use. Unchanged on failure.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, MPI_COMM_NULL); USW_ERROR_UNSUPPORTED (an intercommunicator); USW_ERROR_EXCHANGE;
 *          USW_ERROR_MEMORY; USW_ERROR_STATE.
 *  @note Cost: an MPI_Comm_split_type() and an MPI_Allgather(): call it once.  @since 0.3  @see tests/mpi/device.c */
USW_API usw_status_t usw_mpi_device(MPI_Comm comm, int *device_out);

USW_END_C

/** @} */
#include <upsweep/mpi_parts.h>
#endif
