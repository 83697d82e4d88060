/** @defgroup message Messages between processes
 *  What processes exchange so that each has the result of the items of all: the partial result of a kernel as a message of fixed size, which
 *  merges with another in a fraction of a microsecond. `libupsweep_mpi` (@ref mpi) sends them by MPI; these functions are for other ways to
 *  exchange bytes, and for MPI programs that call MPI themselves. Blocks (@ref partial) are for files and for machines of another kind: they
 *  have a checksum and a fixed order of bytes, which messages lack.
 *  @code{.c}
 *  usw_kernel_of(USW_PLUS, USW_F64, 1, &options, &kernel);
 *  const uint64_t arguments[] = {(uint64_t)(uintptr_t)x};
 *  const usw_variable_t variable = {&sum, 1};
 *  usw_message_bytes(kernel, &variable, &bytes);
 *  usw_message_reduce(kernel, n, arguments, &variable, &options, 0, rank, mine, bytes);
 *  ... for each other rank's message, in the order of the ranks: usw_message_merge(kernel, mine, other, mine);
 *  status = usw_message_finish(kernel, mine, &variable, &options);
 *  @endcode
 *  @{ */
#ifndef UPSWEEP_MESSAGE_H
#define UPSWEEP_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/descriptor.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/parts.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

USW_BEGIN_C

/** The kernel that usw_reduce() or usw_reduce_pair() runs for these options.
 *
 *  @param[in]  operation  operation of any function of @ref function_table.
 *  @param[in]  type       type of the elements.
 *  @param[in]  streams    arrays that it reads: 1, or 2 of dot and its like.
 *  @param[in]  options    NULL for the defaults; only accuracy, NaN policy and fold are read.
 *  @param[out] kernel_out receives its descriptor, which lives as long as the program; unchanged on failure.
 *  @return USW_OK; USW_ERROR_UNSUPPORTED (no such reduction, or none of that accuracy, or one that takes several sweeps over the elements:
 *          #USW_EXACT, or a fold above what one sweep keeps); USW_ERROR_INVALID (kernel_out is NULL, no such accuracy, NaN policy or fold);
 *          USW_ERROR_VERSION (options of another size); USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.  @since 0.3  @see tests/api/message.c */
USW_API usw_status_t usw_kernel_of(usw_operation_t operation, usw_type_t type, uint32_t streams,
                                   const usw_options_t *options, const usw_kernel_t **kernel_out);

/** The size of a kernel's messages: the same in every process, for the same extents of spans.
 *
 *  @param[in]  kernel    its descriptor: of one dimension, without segments, axes and scans, and with USW_PARTS or USW_NO_INDEX.
 *  @param[in]  variables of a kernel with spans: their extents are read. May be NULL for others.
 *  @param[out] bytes_out receives the size, a multiple of 8: 40 for a sum of doubles, 96 for a reproducible one; unchanged on failure.
 *  @return USW_OK; USW_ERROR_UNSUPPORTED (a kernel of another family); USW_ERROR_INVALID (NULL, a span without elements);
 *          USW_ERROR_VERSION (a descriptor of another layout); USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.  @since 0.3  @see tests/api/message.c */
USW_API usw_status_t usw_message_bytes(const usw_kernel_t *kernel, const usw_variable_t *variables, size_t *bytes_out);

/** Reduce this process's items to a message.
 *
 *  @param[in]  kernel      as for usw_message_bytes().
 *  @param[in]  n           number of items; 0 is allowed.
 *  @param[in]  arguments   as for usw_kernel_run(); of one of the library's kernels the addresses of its streams.
 *  @param[in]  variables   as for usw_kernel_run(): checked, not written. NULL if the result is not wanted here, for kernels without spans.
 *  @param[in]  options     NULL for the defaults. Their report tells of this process's items; they name no devices.
 *  @param[in]  first_index what the body's index counts from: items of the processes before. The library's kernels take 0: their indices are
 *                          moved when messages merge.
 *  @param[in]  source      number of this process: who failed, if the reduction fails.
 *  @param[out] message_out host memory for the message, on an 8-byte boundary. Always written: on failure with the status, so that the others
 *                          learn of it.
 *  @param[in]  bytes       size of the message: usw_message_bytes().
 *  @return as usw_kernel_run(), for all but the result. USW_ERROR_INVALID also where bytes are not the message's or message_out is NULL:
 *          nothing is written then.
 *  @note Determinism, accuracy, threads, cost: as usw_kernel_run().  @since 0.3  @see tests/api/message.c */
USW_API usw_status_t usw_message_reduce(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                        const usw_variable_t *variables, const usw_options_t *options,
                                        uint64_t first_index, uint32_t source, void *message_out, size_t bytes);

/** Reduce this process's items, which lie in several places, to a message: usw_reduce_parts() in place of usw_reduce().
 *
 *  @param[in]  kernel      one of the library's: usw_kernel_of().
 *  @param[in]  parts       as for usw_reduce_parts().
 *  @param[in]  count       number of parts; 0: there are no items.
 *  @param[in]  variables   as for usw_message_reduce().
 *  @param[in]  options     as for usw_reduce_parts().
 *  @param[in]  source      as for usw_message_reduce().
 *  @param[out] message_out as for usw_message_reduce().
 *  @param[in]  bytes       as for usw_message_reduce().
 *  @return as usw_message_reduce() and usw_reduce_parts(); USW_ERROR_UNSUPPORTED also for a kernel of a user's, and for parts that name
 *          memory for the result.
 *  @note Determinism, accuracy, threads, cost: as usw_reduce_parts().  @since 0.3  @see tests/api/message.c */
USW_API usw_status_t usw_message_reduce_parts(const usw_kernel_t *kernel, const usw_part_t *parts, size_t count,
                                              const usw_variable_t *variables, const usw_options_t *options,
                                              uint32_t source, void *message_out, size_t bytes);

/** The same of any kernel, with parts that K_part() makes.
 *
 *  @param[in]  kernel      as for usw_message_bytes().
 *  @param[in]  parts       as for usw_kernel_run_parts().
 *  @param[in]  count       as for usw_message_reduce_parts().
 *  @param[in]  variables   as for usw_message_reduce().
 *  @param[in]  options     as for usw_reduce_parts().
 *  @param[in]  first_index as for usw_message_reduce(); the index counts on over the parts.
 *  @param[in]  source      as for usw_message_reduce().
 *  @param[out] message_out as for usw_message_reduce().
 *  @param[in]  bytes       as for usw_message_reduce().
 *  @return as usw_message_reduce() and usw_kernel_run_parts(); USW_ERROR_UNSUPPORTED also for parts that name memory for results.
 *  @note Determinism, accuracy, threads, cost: as usw_kernel_run_parts().  @since 0.3  @see tests/api/message_kernels.c */
USW_API usw_status_t usw_message_reduce_kernel_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts,
                                                     size_t count, const usw_variable_t *variables,
                                                     const usw_options_t *options, uint64_t first_index,
                                                     uint32_t source, void *message_out, size_t bytes);

/** Write a message that says that its process has failed.
 *
 *  @param[in]  kernel      as for usw_message_bytes().
 *  @param[in]  status      why: not USW_OK.
 *  @param[in]  source      number of this process.
 *  @param[out] message_out as for usw_message_reduce().
 *  @param[in]  bytes       as for usw_message_reduce().
 *  @note Threads: safe from any number of threads at once.  @since 0.3  @see tests/api/message.c */
USW_API void usw_message_fail(const usw_kernel_t *kernel, usw_status_t status, uint32_t source, void *message_out,
                              size_t bytes);

/** Merge two messages. The items of the first come before those of the second: indices of argmin, argmax and describe count on. If one of both
 *  has failed the outcome has, with the status of the lower source. Messages of different kernels or extents make one that has failed with
 *  USW_ERROR_EXCHANGE.
 *
 *  @param[in]  kernel as for usw_message_bytes().
 *  @param[in]  first  a message, on an 8-byte boundary.
 *  @param[in]  second another one, of the same kernel, extents and options.
 *  @param[out] out    receives the outcome, on an 8-byte boundary: as many bytes as the messages have; may be either of them.
 *  @note Determinism: the same bits for the same messages merged in the same order and grouping. With #USW_REPRODUCIBLE, and for integers,
 *        extremes and bits, in any.
 *  @note Accuracy: one more addition; with #USW_REPRODUCIBLE nothing is rounded.
 *  @note Threads: safe for different messages.
 *  @note Cost: 0.1 us and less. Messages of kernels with spans on a 64-byte boundary merge where they lie if out is the first, or if it is the
 *        second and nothing is rounded; else by chunks, if no extent is a constant. Others of over 512 bytes are copied to memory that is allocated.
 *  @since 0.3  @see tests/api/message.c */
USW_API void usw_message_merge(const usw_kernel_t *kernel, const void *first, const void *second, void *out);

/** Whether a message tells of a failure.
 *
 *  @param[in]  message    a message, on an 8-byte boundary.
 *  @param[out] source_out receives the number of the process that failed; unchanged if none did. NULL if nobody asks.
 *  @return USW_OK, or why it failed.
 *  @note Threads: safe from any number of threads at once.  @since 0.3  @see tests/api/message.c */
USW_API usw_status_t usw_message_status(const void *message, uint32_t *source_out);

/** The result of all items that a message stands for.
 *
 *  @param[in]     kernel    as for usw_message_bytes().
 *  @param[in]     message   a message, on an 8-byte boundary; unchanged.
 *  @param[in,out] variables as for usw_kernel_run(); unchanged on failure. The original values are this process's.
 *  @param[in]     options   as for usw_message_reduce().
 *  @return USW_OK; as usw_message_status(); USW_ERROR_INVALID (NULL, variables that usw_kernel_run() refuses, a body that named an index
 *          outside a span); USW_ERROR_EMPTY; USW_ERROR_EXCHANGE (a message of another kernel, or of other extents); USW_ERROR_VERSION
 *          (options->size).
 *  @note Determinism: the value follows from the message alone.
 *  @note Threads: safe from any number of threads at once.  @since 0.3  @see tests/api/message.c */
USW_API usw_status_t usw_message_finish(const usw_kernel_t *kernel, const void *message,
                                        const usw_variable_t *variables, const usw_options_t *options);

USW_END_C

/** @} */
#endif
