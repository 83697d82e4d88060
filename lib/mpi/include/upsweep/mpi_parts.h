/* Parts over the ranks of an MPI program: <upsweep/mpi.h> includes this. */
#ifndef UPSWEEP_MPI_PARTS_H
#define UPSWEEP_MPI_PARTS_H

#include <upsweep/mpi.h>

/** @addtogroup mpi
 *  @{ */

USW_BEGIN_C

/* ---- the library's reductions, of parts ---- */

/** Reduce elements that each rank has in several places, GPUs and the host: usw_reduce_parts() over all ranks.
 *
 *  Elements come in the order of the ranks, those of a rank in the order of its parts; so do indices. Number, places and lengths of the parts
 *  are each rank's own.
 *
 *  @param[in]  operation  operation of any function of @ref function_table.
 *  @param[in]  type       type of the elements.
 *  @param[in]  parts      this rank's, as for usw_reduce_parts(); NULL only if count is 0.
 *  @param[in]  count      how many this rank has; 0 is allowed.
 *  @param[out] result_out as for usw_mpi_allreduce().
 *  @param[in]  comm       as for usw_mpi_allreduce().
 *  @param[in]  options    as for usw_reduce_parts(): places and strides are those of the parts.
 *  @return as usw_mpi_allreduce() and usw_reduce_parts(); USW_ERROR_UNSUPPORTED also for #USW_EXACT, and for parts that name memory for the
 *          result.
 *  @note Determinism, accuracy: as usw_mpi_allreduce() of all parts; with #USW_REPRODUCIBLE the same bits for any parts, too.
 *  @note Cost: one usw_reduce_parts(), and the message of usw_mpi_allreduce().  @since 0.3  @see tests/mpi/parts.c */
USW_API usw_status_t usw_mpi_allreduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                             size_t count, void *result_out, MPI_Comm comm,
                                             const usw_options_t *options);

/** usw_mpi_allreduce_parts() whose result one rank wants.
 *
 *  @param[in]  operation  as for usw_mpi_allreduce_parts().
 *  @param[in]  type       as for usw_mpi_allreduce_parts().
 *  @param[in]  parts      as for usw_mpi_allreduce_parts().
 *  @param[in]  count      as for usw_mpi_allreduce_parts().
 *  @param[out] result_out as for usw_mpi_reduce().
 *  @param[in]  root       as for usw_mpi_reduce().
 *  @param[in]  comm       as for usw_mpi_allreduce_parts().
 *  @param[in]  options    as for usw_mpi_allreduce_parts().
 *  @return as usw_mpi_allreduce_parts() and usw_mpi_reduce().
 *  @note Determinism, accuracy, cost: as usw_mpi_allreduce_parts(), the same bits.  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_reduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                          size_t count, void *result_out, int root, MPI_Comm comm,
                                          const usw_options_t *options);

/** Reduce the parts of ranks 0 to this one: all parts of a rank are in its result.
 *
 *  @param[in]  operation  as for usw_mpi_allreduce_parts().
 *  @param[in]  type       as for usw_mpi_allreduce_parts().
 *  @param[in]  parts      as for usw_mpi_allreduce_parts().
 *  @param[in]  count      as for usw_mpi_allreduce_parts().
 *  @param[out] result_out as for usw_mpi_allreduce_parts().
 *  @param[in]  comm       as for usw_mpi_scan().
 *  @param[in]  options    as for usw_mpi_allreduce_parts().
 *  @return as usw_mpi_allreduce_parts() and usw_mpi_scan().
 *  @note Determinism, accuracy: as usw_mpi_allreduce_parts().
 *  @note Cost: one usw_reduce_parts(), and the messages of usw_mpi_scan().  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_scan_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                        size_t count, void *result_out, MPI_Comm comm, const usw_options_t *options);

/** Reduce the parts of the ranks before this one: rank 0 gets what usw_reduce_parts() gives for no parts.
 *
 *  @param[in]  operation  as for usw_mpi_scan_parts().
 *  @param[in]  type       as for usw_mpi_scan_parts().
 *  @param[in]  parts      as for usw_mpi_scan_parts().
 *  @param[in]  count      as for usw_mpi_scan_parts().
 *  @param[out] result_out as for usw_mpi_scan_parts().
 *  @param[in]  comm       as for usw_mpi_scan_parts().
 *  @param[in]  options    as for usw_mpi_scan_parts().
 *  @return as usw_mpi_scan_parts().
 *  @note Determinism, accuracy, cost: as usw_mpi_scan_parts(), with an MPI_Exscan().  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_exscan_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                          size_t count, void *result_out, MPI_Comm comm, const usw_options_t *options);

/** Start usw_mpi_allreduce_parts(): this rank's parts are reduced when it returns, and the message is under way.
 *
 *  @param[in]  operation   as for usw_mpi_allreduce_parts().
 *  @param[in]  type        as for usw_mpi_allreduce_parts().
 *  @param[in]  parts       as for usw_mpi_allreduce_parts(); their elements are read before this returns.
 *  @param[in]  count       as for usw_mpi_allreduce_parts().
 *  @param[out] result_out  as for usw_mpi_iallreduce().
 *  @param[in]  comm        as for usw_mpi_iallreduce().
 *  @param[in]  options     as for usw_mpi_allreduce_parts(); copied.
 *  @param[out] request_out as for usw_mpi_iallreduce().
 *  @return as usw_mpi_iallreduce(): what is wrong with parts of a rank is told by usw_mpi_wait().
 *  @note Determinism, accuracy: as usw_mpi_allreduce_parts(), the same bits.
 *  @note Cost: one usw_reduce_parts(), the allocations of usw_mpi_iallreduce() and one for the parts, and MPI_Iallreduce().
 *  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_iallreduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                              size_t count, void *result_out, MPI_Comm comm,
                                              const usw_options_t *options, usw_mpi_request_t *request_out);

/** Make a request of parts that can be started again and again.
 *
 *  @param[in]  operation   as for usw_mpi_allreduce_parts().
 *  @param[in]  type        as for usw_mpi_allreduce_parts().
 *  @param[in]  parts       as for usw_mpi_allreduce_parts(); copied, but for the elements, which each usw_mpi_start() reads.
 *  @param[in]  count       as for usw_mpi_allreduce_parts().
 *  @param[out] result_out  as for usw_mpi_allreduce_init().
 *  @param[in]  comm        as for usw_mpi_allreduce_init().
 *  @param[in]  options     as for usw_mpi_allreduce_parts(); copied.
 *  @param[out] request_out as for usw_mpi_allreduce_init().
 *  @return as usw_mpi_allreduce_init(): what is wrong with parts of a rank is told by usw_mpi_wait().
 *  @note Determinism, accuracy: as usw_mpi_allreduce_parts(), the same bits.
 *  @note Cost: the allocations of usw_mpi_allreduce_init(), and one for the parts.  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_allreduce_parts_init(usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                                  size_t count, void *result_out, MPI_Comm comm,
                                                  const usw_options_t *options, usw_mpi_request_t *request_out);

/* ---- kernels: what K_mpi_parts() and its like call ---- */

/** usw_mpi_kernel_allreduce() over the items of all parts of all ranks: what K_mpi_parts() calls.
 *
 *  @param[in]     kernel    as for usw_mpi_kernel_allreduce().
 *  @param[in]     parts     this rank's, made by K_part(); NULL only if count is 0. As for usw_kernel_run_parts().
 *  @param[in]     count     how many this rank has; 0 is allowed.
 *  @param[in,out] variables as for usw_mpi_kernel_allreduce().
 *  @param[in]     comm      as for usw_mpi_kernel_allreduce().
 *  @param[in]     options   as for usw_mpi_allreduce_parts().
 *  @return as usw_mpi_kernel_allreduce() and usw_kernel_run_parts(); USW_ERROR_UNSUPPORTED also for parts that name memory for results.
 *  @note Determinism, accuracy: as usw_mpi_kernel_allreduce(). The body's index counts on over parts and ranks.
 *  @note Cost: one usw_kernel_run_parts(), and the messages of usw_mpi_kernel_allreduce().  @since 0.3  @see tests/mpi/parts.c */
USW_API usw_status_t usw_mpi_kernel_allreduce_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts,
                                                    size_t count, const usw_variable_t *variables, MPI_Comm comm,
                                                    const usw_options_t *options);

/** The same whose results one rank wants: what K_mpi_parts_reduce() calls.
 *
 *  @param[in]     kernel    as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     parts     as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     count     as for usw_mpi_kernel_allreduce_parts().
 *  @param[in,out] variables as for usw_mpi_kernel_reduce().
 *  @param[in]     root      as for usw_mpi_reduce().
 *  @param[in]     comm      as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     options   as for usw_mpi_kernel_allreduce_parts().
 *  @return as usw_mpi_kernel_allreduce_parts() and usw_mpi_reduce().
 *  @note Determinism, accuracy, cost: as usw_mpi_kernel_allreduce_parts().  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_kernel_reduce_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts,
                                                 size_t count, const usw_variable_t *variables, int root, MPI_Comm comm,
                                                 const usw_options_t *options);

/** Over the parts of ranks 0 to this one, or of those before it.
 *
 *  @param[in]     kernel       as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     parts        as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     count        as for usw_mpi_kernel_allreduce_parts().
 *  @param[in,out] variables    as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     is_exclusive 1: this rank's parts are not in its result.
 *  @param[in]     comm         no intercommunicator.
 *  @param[in]     options      as for usw_mpi_kernel_allreduce_parts().
 *  @return as usw_mpi_kernel_allreduce_parts().
 *  @note Determinism, accuracy: as usw_mpi_kernel_allreduce_parts(). Cost: as usw_mpi_scan_parts().
 *  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_kernel_scan_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                               const usw_variable_t *variables, int is_exclusive, MPI_Comm comm,
                                               const usw_options_t *options);

/** Make a request of a kernel and parts, to be started by usw_mpi_start(): what K_mpi_parts_init() calls.
 *
 *  @param[in]     kernel      as for usw_mpi_kernel_allreduce_parts().
 *  @param[in]     parts       as for usw_mpi_kernel_allreduce_parts(), for all starts; copied, but for the arrays. Values are bound as they are
 *                             now.
 *  @param[in]     count       as for usw_mpi_kernel_allreduce_parts().
 *  @param[in,out] variables   as for usw_mpi_kernel_init().
 *  @param[in]     comm        as for usw_mpi_iallreduce().
 *  @param[in]     options     as for usw_mpi_iallreduce_parts().
 *  @param[out]    request_out as for usw_mpi_allreduce_init().
 *  @return as usw_mpi_kernel_init(): what is wrong with parts of a rank is told by usw_mpi_wait().
 *  @note Determinism, accuracy: as usw_mpi_kernel_allreduce_parts(). Cost: as usw_mpi_kernel_init(), and an allocation for the parts.
 *  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_kernel_init_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                               const usw_variable_t *variables, MPI_Comm comm,
                                               const usw_options_t *options, usw_mpi_request_t *request_out);

/** Make such a request and start it; usw_mpi_wait() ends it for good: what K_mpi_parts_start() calls.
 *
 *  @param[in]     kernel      as for usw_mpi_kernel_init_parts().
 *  @param[in]     parts       as for usw_mpi_kernel_init_parts(); arrays are read before this returns.
 *  @param[in]     count       as for usw_mpi_kernel_init_parts().
 *  @param[in,out] variables   as for usw_mpi_kernel_iallreduce().
 *  @param[in]     comm        as for usw_mpi_iallreduce().
 *  @param[in]     options     as for usw_mpi_iallreduce_parts().
 *  @param[out]    request_out as for usw_mpi_iallreduce().
 *  @return as usw_mpi_iallreduce() and usw_mpi_kernel_init_parts().
 *  @note Determinism, accuracy: as usw_mpi_kernel_allreduce_parts(). Cost: as usw_mpi_kernel_init_parts(), and one usw_kernel_run_parts().
 *  @since 0.3  @see tests/mpi/parts_forms.c */
USW_API usw_status_t usw_mpi_kernel_iallreduce_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts,
                                                     size_t count, const usw_variable_t *variables, MPI_Comm comm,
                                                     const usw_options_t *options, usw_mpi_request_t *request_out);

USW_END_C

/** @} */
#endif
