/** @defgroup gathering Records of processes on a GPU
 *  Large spans of several processes that run on a GPU each: what a process's launches leave stays on its GPU, in room where the others' are put
 *  beside it, by a library that moves memory of GPUs (an MPI that is told to, NCCL, NVSHMEM). A launch folds them, and no host sees any. In place
 *  of messages (@ref message), which are in host memory; `libupsweep_mpi` (@ref mpi) does this by itself.
 *  @code{.c}
 *  status = usw_gathering_begin(kernel, n, arguments, variables, &options, first_index, processes, number, &gathering);
 *  ... all processes agree on whether each of them has gathering.records ...
 *  MPI_Allgather(MPI_IN_PLACE, 0, MPI_BYTE, gathering.records, (int)gathering.record_bytes, MPI_BYTE, comm);
 *  status = usw_gathering_end(&gathering);
 *  @endcode
 *  @{ */
#ifndef UPSWEEP_GATHERING_H
#define UPSWEEP_GATHERING_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/descriptor.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

USW_BEGIN_C

/** Records of processes, on this one's GPU. */
typedef struct usw_gathering {
  void *records; /**< device memory of the library's: each process's record, in their order; NULL: nothing has run */
  size_t record_bytes; /**< of each, the same in every process; may be over 2^31 */
  int device;          /**< OpenMP device number of the GPU */
  void *stream;        /**< the driver's (CUstream): what copies records in it may still run at usw_gathering_end() */
  void *state;         /**< the library's */
} usw_gathering_t;

/** Reduce this process's items to a record that stays on its GPU, and wait until it is there.
 *
 *  Where that cannot be, records is NULL, nothing has run, and usw_message_reduce() is for the call. It can for one or more items of a kernel whose
 *  spans take 32 KiB and more, by #USW_STRATEGY_TREE with more than one team, launched through NVIDIA's driver, without rechecks and staging; if
 *  the GPU has room for all records, and the library's memory for launches is not all in use.
 *
 *  @param[in]  kernel        as for usw_message_bytes().
 *  @param[in]  n             number of items.
 *  @param[in]  arguments     as for usw_kernel_run().
 *  @param[in]  variables     as for usw_kernel_run(): checked here, written by usw_gathering_end(). The array is copied.
 *  @param[in]  options       NULL for the defaults; copied. Their report, which is filled in here, tells of this process's items.
 *  @param[in]  first_index   as for usw_message_reduce().
 *  @param[in]  count         number of processes.
 *  @param[in]  number        which of them this one is: where its record lies.
 *  @param[out] gathering_out receives the gathering; unchanged on failure.
 *  @return as usw_message_reduce(); USW_ERROR_INVALID also where number is not below count, or gathering_out is NULL.
 *  @note Determinism, accuracy, threads: as usw_kernel_run(). Between begin and end the calling thread may run other calls.
 *  @note Cost: as usw_kernel_run(), but for `count` records of room on the GPU, which stays with the library until usw_finalize().
 *  @since 0.3  @see tests/api/spans_there.c */
USW_API usw_status_t usw_gathering_begin(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                         const usw_variable_t *variables, const usw_options_t *options,
                                         uint64_t first_index, size_t count, size_t number,
                                         usw_gathering_t *gathering_out);

/** Fold the records of all processes, write the result, and give back the room.
 *
 *  @param[in,out] gathering from usw_gathering_begin(), with records; each process's record is in place, and whoever put it there has ended,
 *                           or is in gathering.stream. All zero afterwards.
 *  @return as usw_kernel_run(), for the result; USW_ERROR_INVALID (no gathering with records).
 *  @note Determinism: the same bits for the same records in the same order.
 *  @note Threads: safe for different gatherings.  @since 0.3  @see tests/api/spans_there.c */
USW_API usw_status_t usw_gathering_end(usw_gathering_t *gathering);

/** Give back the room without a result, when what is in gathering.stream has ended; what has been reduced goes into a message, if there is one.
 *
 *  @param[in,out] gathering   from usw_gathering_begin(); all zero afterwards. May have no records: then nothing is done.
 *  @param[in]     source      as for usw_message_reduce().
 *  @param[out]    message_out as for usw_message_reduce(); NULL: none is wanted.
 *  @param[in]     bytes       as for usw_message_reduce(); 0 without a message.
 *  @return USW_OK; as usw_message_reduce() if the record cannot be copied from the GPU, or the GPU has failed.
 *  @note Threads: safe for different gatherings.  @since 0.3  @see tests/api/spans_there.c */
USW_API usw_status_t usw_gathering_leave(usw_gathering_t *gathering, uint32_t source, void *message_out, size_t bytes);

USW_END_C

/** @} */
#endif
