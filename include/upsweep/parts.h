/** @defgroup parts Many devices
 *  One reduction of data that lies in several places: GPUs of the node, and the host.
 *  @code{.c}
 *  usw_part_t parts[] = {{.size = USW_INIT(usw_part_t), .n = n0, .x = {x0}},
 *                        {.size = USW_INIT(usw_part_t), .n = n1, .x = {x1}}};
 *  status = usw_reduce_parts(USW_PLUS, USW_F64, parts, 2, &sum, NULL);
 *  @endcode
 *  @{ */
#ifndef UPSWEEP_PARTS_H
#define UPSWEEP_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/descriptor.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/plan.h>
#include <upsweep/set.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** A part of the elements, and where it is reduced. */
typedef struct usw_part {
  size_t size;         /**< USW_INIT(usw_part_t) */
  usw_place_t place;   /**< where to run; #USW_AUTO_PLACE: where x[0] is */
  int device;          /**< OpenMP device number, used when place is USW_DEVICE */
  size_t n;            /**< number of elements; 0: the part counts for nothing */
  const void *x[2];    /**< n elements each, in memory that the place can read, aligned to their type; NULL only if n is
                            0. The second is read by functions of two streams, dot, alone */
  ptrdiff_t stride[2]; /**< elements from one item to the next of each, as usw_options_t::stride */
  void *result;        /**< copy of the result of all parts: memory of the place where this part runs, or NULL */
} usw_part_t;

/** Most arguments of a kernel with USW_PARTS, the one that counts its items included. */
#define USW_MAX_PART_ARGUMENTS 24

/** A part of the items of a kernel of the user's, and where it runs: what K_part(n, ...) of a kernel K with USW_PARTS makes. The caller may
 *  change place, device, strides and results. */
typedef struct usw_kernel_part {
  size_t size;                                /**< USW_INIT(usw_kernel_part_t) */
  usw_place_t place;                          /**< where to run; #USW_AUTO_PLACE: where its first input or array is */
  int device;                                 /**< OpenMP device number, used when place is USW_DEVICE */
  size_t n;                                   /**< number of items; 0: the part counts for nothing */
  const usw_kernel_t *kernel;                 /**< K's descriptor */
  uint64_t arguments[USW_MAX_PART_ARGUMENTS]; /**< the arguments in list order, as for usw_kernel_run() */
  ptrdiff_t stride[USW_MAX_INPUTS];           /**< as usw_options_t::stride */
  void *const *results;                       /**< NULL, or for each reducer, in list order, as usw_part_t::result */
} usw_kernel_part_t;

/** A part of the items of a set, and where it runs. */
typedef struct usw_set_part {
  size_t size;       /**< USW_INIT(usw_set_part_t) */
  usw_place_t place; /**< where to run; #USW_AUTO_PLACE: where the x of the first reducer with elements is */
  int device;        /**< OpenMP device number, used when place is USW_DEVICE */
  size_t n;          /**< number of items, as for usw_set_run() */
  usw_set_t *set;    /**< this part's own, whose arrays are those of the part */
} usw_set_part_t;

USW_BEGIN_C

/** Reduce the elements of all parts as if they were one array, in the order of the parts.
 *
 *  Parts on GPUs run at the same time; the calling thread's team reduces those of the host meanwhile. Then all are waited for, and what
 *  they leave is merged. Indices (of argmin, argmax, describe) count on over the parts: those of a part begin with the sum of n before it.
 *
 *  Every part may name memory of its place where the result of all parts is written too (usw_part_t::result): one part, or all of them,
 *  also parts without elements. It is aligned as result_out, which is written last.
 *
 *  @param[in]  operation  operation of any function of @ref function_table.
 *  @param[in]  type       type of the elements.
 *  @param[in]  parts      `count` of them, read during the call only; several may be on one device. NULL only if count is 0.
 *  @param[in]  count      number of parts; 0 gives what usw_reduce() gives for n = 0.
 *  @param[out] result_out host address of what usw_reduce() writes; written on USW_OK only.
 *  @param[in]  options    NULL for the defaults; for every part. Their place has to be #USW_AUTO_PLACE, their strides and
 *                         devices 0 and their stream NULL: parts have their own places and strides. The report tells place, strategy and
 *                         teams of one part; bytes, time and kept items are those of all.
 *  @return as usw_reduce(), for each part: the text names the first that failed, as "part 2 of 3: ...", after all that were
 *          started have ended; USW_ERROR_INVALID (NULL; place, stride, stream or devices in the options; over 2^63 - 1 elements in
 *          all); USW_ERROR_VERSION (a part of another size); USW_ERROR_UNSUPPORTED (usw_options_t::fold above what one
 *          sweep over the elements keeps); USW_ERROR_PLACE also for a result that is not memory of its part's place. If the copy
 *          of a result fails (USW_ERROR_DEVICE), results of the parts before may have been written; result_out has not.
 *  @note Determinism: as usw_reduce(), for the same parts at the same places. With #USW_REPRODUCIBLE and #USW_EXACT the bits
 *        of one usw_reduce() of all elements, for any parts at any places.
 *  @note Accuracy: as usw_reduce() of the longest part, and count - 1 additions on top; with #USW_REPRODUCIBLE and
 *        #USW_EXACT nothing on top.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: the slowest part's usw_reduce(), and on top a launch and a merge for each further GPU. Where all parts are on GPUs and calls
 *        follow each other within 200 us, threads of the library's launch on further GPUs, one for each as long as there are processors: they
 *        look for work without a break until 200 us after the last call, and not where USW_WAIT is yield or block. Nothing is allocated
 *        for up to nine parts after the first calls. Parts that are staged run at the same time, one of each device, once the others
 *        have ended. Parts on devices that are no GPUs run one after the other. With #USW_EXACT each sweep is over all parts at
 *        once, and two arrays are allocated. Each result in a device's memory takes a copy there, one after the other.
 *  @since 0.3  @see tests/api/parts.c */
USW_API usw_status_t usw_reduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                      void *result_out, const usw_options_t *options);

/** Run a kernel over the items of all parts as if they were one range, in the order of the parts: what K_parts() of a kernel K with
 *  USW_PARTS calls. The index that the body sees counts on over the parts.
 *
 *  @param[in]     kernel    its descriptor; must live as long as the program. Of one dimension, without segments, axes and scans.
 *  @param[in]     parts     `count` of them, each made by K_part(), read during the call only; several may be on one device. NULL only if
 *                           count is 0. What a part's arrays are, and who owns them, is as for K(); outputs of parts are apart. Results are
 *                           as many as K has reducers, each NULL or as usw_part_t::result; of a span the first element's address.
 *  @param[in]     count     number of parts; 0 gives what usw_kernel_run() gives for n = 0.
 *  @param[in,out] variables the reduction variables, one per reducer, as for usw_kernel_run(); unchanged on failure. Their original values come
 *                           before the items of all parts, once.
 *  @param[in]     options   as for usw_reduce_parts().
 *  @return as usw_kernel_run() and usw_reduce_parts(); USW_ERROR_INVALID also for a part of another kernel; USW_ERROR_UNSUPPORTED also for
 *          kernels of segments, axes, spaces and scans, and for those whose body has an index and whose file does not say USW_PARTS.
 *  @note Determinism, accuracy, threads, cost: as usw_reduce_parts(). Operators need not commute where the kernel is USW_ORDERED. Accumulators
 *        and spans of over 512 bytes are allocated for each part that is not launched on a GPU; those of launches stay in pinned memory, which the
 *        library keeps.  @since 0.3  @see tests/api/parts_kernels.c */
USW_API usw_status_t usw_kernel_run_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                          const usw_variable_t *variables, const usw_options_t *options);

/** Run all reducers of a set over the items of all parts, in the order of the parts. Each part is a set of its own over the part's arrays: with
 *  reducers of the same operations, types and extents, in the same order. Results are those of the first set: its variables and spans, by its
 *  flags. Those of the others are neither read nor written.
 *
 *  @param[in,out] parts   `count` of them, read during the call only; several may be on one device.
 *  @param[in]     count   number of parts, at least 1.
 *  @param[in]     options as for usw_reduce_parts(); initialize_to_identity as for usw_set_run().
 *  @return as usw_set_run() and usw_reduce_parts(), for each part; USW_ERROR_INVALID also for no parts, and for a part without a set, with
 *          the set of another part, or with other reducers than the first has. All variables and spans are unchanged on failure.
 *  @note Determinism, accuracy: as usw_set_run() and usw_reduce_parts().
 *  @note Threads: one call at a time per set.
 *  @note Cost: the slowest part's usw_set_run(), and on top a launch for each further GPU and a merge of all cells for each further part.
 *        Room for parts is allocated.  @since 0.3  @see tests/api/set_parts.c */
USW_API usw_status_t usw_set_run_parts(const usw_set_part_t *parts, size_t count, const usw_options_t *options);

/** Make a plan of a reduction of parts, which is bound to them: what usw_reduce_parts() computes, again and again, over what is in their
 *  arrays by then. Runs are those of usw_plan_run_parts() and usw_plan_start_parts().
 *
 *  @param[out] plan_out  as for usw_plan_create().
 *  @param[in]  operation as for usw_reduce_parts().
 *  @param[in]  type      type of the elements.
 *  @param[in]  parts     as for usw_reduce_parts(); copied, but for the elements and where results are written, which must be there as
 *                        long as the plan.
 *  @param[in]  count     number of parts.
 *  @param[in]  options   as for usw_reduce_parts(); copied. The report, if any, must live as long as the plan.
 *  @return as usw_reduce_parts(), for all that is wrong before a run; USW_ERROR_INVALID also if plan_out is NULL.
 *  @note Determinism, accuracy: as usw_reduce_parts(), the same bits. Threads: as usw_plan_create().
 *  @note Cost: each part is checked, placed and chosen for here, and has scratch of its own on its GPU: some hundred kilobytes.
 *  @since 0.3  @see tests/api/parts.c */
USW_API usw_status_t usw_plan_create_parts(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                           const usw_part_t *parts, size_t count, const usw_options_t *options);

/** The same of a user kernel: K_plan_create_parts() of a kernel K with USW_PARTS calls this.
 *
 *  @param[out] plan_out as for usw_plan_create().
 *  @param[in]  kernel   as for usw_kernel_run_parts().
 *  @param[in]  parts    as for usw_kernel_run_parts(); copied, but for arrays and the addresses of results, which must be there as long as
 *                       the plan; values are bound as they are now.
 *  @param[in]  count    number of parts.
 *  @param[in]  options  as for usw_plan_create_parts().
 *  @return as usw_kernel_run_parts() and usw_plan_create_parts().
 *  @note Determinism, accuracy: as usw_kernel_run_parts(). Threads, cost: as usw_plan_create_parts(); with spans the first run of each extent
 *        has that cost.  @since 0.3  @see tests/api/parts_kernels.c */
USW_API usw_status_t usw_plan_create_kernel_parts(usw_plan_t **plan_out, const usw_kernel_t *kernel,
                                                  const usw_kernel_part_t *parts, size_t count,
                                                  const usw_options_t *options);

/** Run a plan of parts and wait for the result.
 *
 *  @param[in,out] plan       from usw_plan_create_parts().
 *  @param[out]    result_out as for usw_reduce_parts().
 *  @return as usw_reduce_parts(); USW_ERROR_INVALID also if plan is NULL, USW_ERROR_UNSUPPORTED also if it is no plan of parts of the
 *          library's; USW_ERROR_BUSY (another thread is using the plan).
 *  @note Determinism, accuracy: as usw_reduce_parts().
 *  @note Threads: as usw_plan_run().
 *  @note Cost: on GPUs the replay of a graph for each part, one after the other, and what the slowest kernel takes.  @since 0.3 */
USW_API usw_status_t usw_plan_run_parts(usw_plan_t *plan, void *result_out);

/** Start a plan of parts: usw_request_wait() tells how it ended, and only then is the result there. Parts that the calling thread has to run,
 *  on the host and where usw_plan_start() is a call, have ended when this returns. With USW_EXACT, and with a function to call at the end,
 *  all have.
 *
 *  @param[in,out] plan        as for usw_plan_run_parts().
 *  @param[out]    result_out  as for usw_plan_start().
 *  @param[out]    request_out as for usw_plan_start().
 *  @return as usw_plan_run_parts(), for what can be known before the end.
 *  @note Determinism, accuracy, threads: as usw_plan_run_parts().
 *  @note Cost: the launches. When more requests are under way than ever before, as usw_plan_create_parts().  @since 0.3 */
USW_API usw_status_t usw_plan_start_parts(usw_plan_t *plan, void *result_out, usw_request_t *request_out);

/** usw_plan_run_parts() for any kernel: K_plan_run_parts() calls this.
 *
 *  @param[in,out] plan      from usw_plan_create_kernel_parts().
 *  @param[in]     kernel    as for usw_plan_run_kernel().
 *  @param[in,out] variables as for usw_kernel_run_parts(); each run may have others.
 *  @return as usw_plan_run_parts() and usw_kernel_run_parts().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_run_parts().  @since 0.3 */
USW_API usw_status_t usw_plan_run_kernel_parts(usw_plan_t *plan, const usw_kernel_t *kernel,
                                               const usw_variable_t *variables);

/** usw_plan_start_parts() for any kernel: K_plan_start_parts() calls this.
 *
 *  @param[in,out] plan        as for usw_plan_run_kernel_parts().
 *  @param[in]     kernel      as for usw_plan_run_kernel().
 *  @param[in,out] variables   as for usw_plan_run_kernel_parts(); original values are read at the end, too.
 *  @param[out]    request_out as for usw_plan_start().
 *  @return as usw_plan_start_parts() and usw_plan_run_kernel_parts().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_start_parts().  @since 0.3 */
USW_API usw_status_t usw_plan_start_kernel_parts(usw_plan_t *plan, const usw_kernel_t *kernel,
                                                 const usw_variable_t *variables, usw_request_t *request_out);

USW_END_C

/** @} */
#endif
