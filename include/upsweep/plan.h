/** @defgroup plans Plans and requests
 *  The same reduction many times: bound once, then run over any data, started and waited for, or put into a stream.
 *  @code{.c}
 *  usw_plan_t *plan = NULL;
 *  usw_request_t requests[2];
 *  double sums[2];
 *  usw_plan_create(&plan, USW_PLUS, USW_F64, NULL);
 *  usw_plan_start(plan, x, n, &sums[0], &requests[0]);
 *  usw_plan_start(plan, y, n, &sums[1], &requests[1]);
 *  ... work of the program's own ...
 *  usw_status_t status = usw_request_wait(&requests[0]);
 *  usw_status_t status_of_y = usw_request_wait(&requests[1]);
 *  usw_plan_destroy(plan);
 *  @endcode
 * A plan does what usw_reduce() or usw_kernel_run() does with its options, in one of three ways:
 *  - usw_plan_run() returns when the result is there;
 *  - usw_plan_start() returns when it has been launched, and a request stands for the result. On NVIDIA's GPUs, where
 *    launches go through the driver (usw_explain() tells), many are under way at once; on other places it returns when
 *    the reduction has ended, and the request is done at once;
 *  - usw_plan_enqueue() puts it into the caller's CUDA stream (usw_options_t::stream), and its result, in host or device
 *    memory, is written in the order of that stream. A stream that is being captured takes it into its graph.
 *
 * One thread at a time uses a plan and its requests: another one gets USW_ERROR_BUSY. Different plans are independent.
 *  @{ */
#ifndef UPSWEEP_PLAN_H
#define UPSWEEP_PLAN_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/axes.h>
#include <upsweep/descriptor.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/segments.h>
#include <upsweep/space.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** A reduction that is bound: its kernel and its options. */
typedef struct usw_plan usw_plan_t;

/** A reduction that was started. All zero: none. Copies stand for the same one, which is waited for once. */
typedef struct usw_request {
  usw_plan_t *plan; /**< the plan that started it, which must live until it is waited for */
  uint64_t number;  /**< among those of the plan, from 1 on */
} usw_request_t;

/** Called when a request has ended, in a thread of the driver's or in that which started it; the result is written. It must
 *  not call this library nor CUDA, and no exception may leave it.
 *  @param[in] context as given to usw_plan_on_completion().
 *  @param[in] status  what usw_request_wait() will return. */
typedef void (*usw_callback_t)(void *context, usw_status_t status);

/** Memory that a plan works in. */
typedef struct usw_scratch {
  size_t size;         /**< USW_INIT(usw_scratch_t) */
  void *device;        /**< memory of the plan's device, on a 256-byte boundary */
  size_t device_bytes; /**< its size */
  void *pinned;        /**< host memory that the device can write at the same address, on a 256-byte boundary */
  size_t pinned_bytes; /**< its size */
} usw_scratch_t;

USW_BEGIN_C

/** Make a plan of a reduction of the library's.
 *
 *  @param[out] plan_out  receives the new object; unchanged on failure. Free it with usw_plan_destroy().
 *  @param[in]  operation as for usw_reduce() or usw_reduce_pair().
 *  @param[in]  type      type of the elements.
 *  @param[in]  options   as for these, NULL for the defaults; copied. The report, if any, and the stream must live as long
 *                        as the plan. USW_AUTO_PLACE is decided for each run by its data.
 *  @return USW_OK; USW_ERROR_INVALID (plan_out is NULL), USW_ERROR_UNSUPPORTED (no such reduction), USW_ERROR_VERSION,
 *          USW_ERROR_MEMORY, USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: one allocation.  @since 0.1  @see tests/api/plans.c */
USW_API usw_status_t usw_plan_create(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                     const usw_options_t *options);

/** Make a plan of a user kernel: K_plan_create() for a kernel K, which the kernel's file defines, calls this.
 *
 *  @param[out] plan_out as for usw_plan_create().
 *  @param[in]  kernel   its descriptor; must live as long as the program.
 *  @param[in]  options  as for usw_plan_create().
 *  @return as usw_plan_create(); USW_ERROR_INVALID also if kernel is NULL, USW_ERROR_VERSION also for a descriptor of
 *          another layout.
 *  @note Threads, cost: as usw_plan_create().  @since 0.1 */
USW_API usw_status_t usw_plan_create_kernel(usw_plan_t **plan_out, const usw_kernel_t *kernel,
                                            const usw_options_t *options);

/** Make a plan of a reduction along axes of arrays of one shape, one result for each of the others: what usw_reduce_axes() computes. Runs
 *  take it as any plan: x is the address of element (0, 0, ...), n the number of elements of the array, result_out the first of the results.
 *
 *  @param[out] plan_out  as for usw_plan_create().
 *  @param[in]  operation as for usw_reduce_axes() or usw_reduce_axes_pair().
 *  @param[in]  x         the arrays' type, extents and strides; its data is not looked at; read during the call only.
 *  @param[in]  y         those of the second array, which runs of pairs take; NULL: the operation reads one.
 *  @param[in]  axes      the axes to reduce, as for usw_reduce_axes().
 *  @param[in]  options   as for usw_plan_create(), within what usw_reduce_axes() takes.
 *  @return as usw_plan_create(); USW_ERROR_INVALID also as usw_reduce_axes(), and in runs for an n that is not the arrays'. What
 *          usw_plan_enqueue() puts into a stream has its results in memory of the stream's device, else USW_ERROR_UNSUPPORTED, as
 *          usw_plan_scratch().
 *  @note Determinism, accuracy: as usw_reduce_axes(). Threads, cost: as usw_plan_create(). A started run, and a bound one, is a call.
 *  @since 0.3  @see tests/api/plans_of_many.c */
USW_API usw_status_t usw_plan_create_axes(usw_plan_t **plan_out, usw_operation_t operation, const usw_array_t *x,
                                          const usw_array_t *y, uint32_t axes, const usw_options_t *options);

/** Make a plan of a kernel with USW_AXES: K_plan_create() for such a kernel K calls this, and K_plan_run() and the others take the arguments and
 *  the arrays of results, without the space.
 *
 *  @param[out] plan_out   as for usw_plan_create().
 *  @param[in]  kernel     its descriptor; must live as long as the program.
 *  @param[in]  dimensions of the kernel: 2 or 3.
 *  @param[in]  space      as for usw_kernel_run_axes(); read during the call only.
 *  @param[in]  axes       as for usw_kernel_run_axes().
 *  @param[in]  options    as for usw_plan_create(), within what usw_kernel_run_axes() takes.
 *  @return as usw_plan_create_kernel() and usw_kernel_run_axes(). Runs do not look at n. Streams and scratch as usw_plan_create_axes().
 *  @note Determinism, accuracy: as usw_kernel_run_axes(). Threads, cost: as usw_plan_create(). A started run, and a bound one, is a call.
 *  @since 0.3  @see tests/api/axes_kernels.c */
USW_API usw_status_t usw_plan_create_kernel_axes(usw_plan_t **plan_out, const usw_kernel_t *kernel, uint32_t dimensions,
                                                 const usw_space_t *space, uint32_t axes, const usw_options_t *options);

/** Make a plan of a scan: what usw_scan_inclusive() or usw_scan_exclusive() computes. usw_plan_run(), usw_plan_start(), usw_plan_bind() and
 *  usw_plan_enqueue() take it as any plan: result_out is the first element of the output.
 *
 *  @param[out] plan_out     as for usw_plan_create().
 *  @param[in]  operation    as for usw_scan_inclusive().
 *  @param[in]  type         of the elements.
 *  @param[in]  is_exclusive 0: usw_scan_inclusive(); else usw_scan_exclusive().
 *  @param[in]  initial      as for usw_scan_exclusive(), copied; NULL: the identity, and for inclusive scans.
 *  @param[in]  options      as for usw_plan_create(), within what usw_scan_inclusive() takes.
 *  @return as usw_plan_create(); USW_ERROR_INVALID also for an initial value of an inclusive scan. usw_plan_scratch() is USW_ERROR_UNSUPPORTED.
 *  @note Determinism, accuracy: as usw_scan_inclusive(). Threads, cost: as usw_plan_create(). A started run, and a bound one, is a call. In a
 *        stream no thread waits: memory that tiles tell each other in is cleared there first, some 16 bytes for 4096 doubles; each run
 *        that is under way, or in a graph, has its own, which later runs take again. If a team waits in vain, usw_plan_status() tells.
 *  @since 0.3  @see tests/api/plans_of_many.c */
USW_API usw_status_t usw_plan_create_scan(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                          int is_exclusive, const void *initial, const usw_options_t *options);

/** Make a plan of a scan of segments: what usw_scan_segments() or usw_scan_segments_exclusive() computes. Runs take it as
 *  usw_plan_create_scan().
 *
 *  @param[out] plan_out     as for usw_plan_create().
 *  @param[in]  operation    as for usw_scan_segments().
 *  @param[in]  type         of the elements.
 *  @param[in]  segments     that follow each other; as for usw_plan_create_segments().
 *  @param[in]  is_exclusive 0: usw_scan_segments(); else usw_scan_segments_exclusive().
 *  @param[in]  initial      as for usw_scan_segments_exclusive(), copied; NULL: the identity, and for inclusive scans.
 *  @param[in]  options      as for usw_plan_create(), within what usw_scan_segments() takes.
 *  @return as usw_plan_create_scan(); USW_ERROR_INVALID and USW_ERROR_UNSUPPORTED also as usw_scan_segments(), for what is wrong with segments
 *          themselves. Of wrong offsets in a stream usw_plan_status() tells, but not which: elements of the output may have been written then.
 *  @note Determinism, accuracy: as usw_scan_segments(). Threads, cost: as usw_plan_create_scan(); in a stream a run has, and clears, a bit for
 *        each element, too.
 *  @since 0.3  @see tests/api/plans_of_many.c */
USW_API usw_status_t usw_plan_create_scan_segments(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                                   const usw_segments_t *segments, int is_exclusive,
                                                   const void *initial, const usw_options_t *options);

/** Make a plan of a scan by key: what usw_scan_by_key() or usw_scan_by_key_exclusive() computes. Runs take it as usw_plan_create_scan().
 *
 *  @param[out] plan_out     as for usw_plan_create().
 *  @param[in]  operation    as for usw_scan_by_key().
 *  @param[in]  type         of the elements.
 *  @param[in]  key_type     as for usw_scan_by_key().
 *  @param[in]  keys         as for usw_scan_by_key(), as many as the longest run has elements; they stay the caller's, must be there as long
 *                           as the plan, and are read by each run, so that they may have changed. Not NULL.
 *  @param[in]  is_exclusive 0: usw_scan_by_key(); else usw_scan_by_key_exclusive().
 *  @param[in]  initial      as for usw_scan_by_key_exclusive(), copied; NULL: the identity, and for inclusive scans.
 *  @param[in]  options      as for usw_plan_create(), within what usw_scan_by_key() takes.
 *  @return as usw_plan_create_scan(); USW_ERROR_INVALID also for keys NULL, USW_ERROR_UNSUPPORTED also for a key_type that is no integer.
 *  @note Determinism, accuracy: as usw_scan_by_key(). Threads, cost: as usw_plan_create_scan().
 *  @since 0.3  @see tests/api/plans_of_many.c */
USW_API usw_status_t usw_plan_create_scan_by_key(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                                 usw_type_t key_type, const void *keys, int is_exclusive,
                                                 const void *initial, const usw_options_t *options);

/** Make a plan of a reduction of segments: what usw_reduce_segments() computes. Runs take it as any plan: result_out is the first of the
 *  results.
 *
 *  @param[out] plan_out  as for usw_plan_create().
 *  @param[in]  operation as for usw_reduce_segments() or usw_reduce_segments_pair().
 *  @param[in]  type      of the elements.
 *  @param[in]  segments  read during the call only; the offsets stay the caller's, must be there as long as the plan, and are read by each
 *                        run, so that they may have changed.
 *  @param[in]  options   as for usw_plan_create(), within what usw_reduce_segments() takes.
 *  @return as usw_plan_create(); USW_ERROR_INVALID also as usw_reduce_segments(), for what is wrong with segments themselves. Of wrong
 *          offsets in a stream usw_plan_status() tells, but not which: results in it may have been written then. Streams and scratch as
 *          usw_plan_create_axes().
 *  @note Determinism, accuracy: as usw_reduce_segments(). Threads, cost: as usw_plan_create(). A started run, and a bound one, is a call.
 *  @since 0.3  @see tests/api/plans_of_many.c */
USW_API usw_status_t usw_plan_create_segments(usw_plan_t **plan_out, usw_operation_t operation, usw_type_t type,
                                              const usw_segments_t *segments, const usw_options_t *options);

/** Make a plan of a user kernel of segments: K_plan_create_segments() for a kernel K with USW_SEGMENTS, which the kernel's file defines, calls
 *  this. Runs are those of K's plans, with an array of results for each reducer.
 *
 *  @param[out] plan_out as for usw_plan_create().
 *  @param[in]  kernel   as for usw_plan_create_kernel().
 *  @param[in]  segments as for usw_plan_create_segments().
 *  @param[in]  options  as for usw_plan_create(), within what the kernel's function takes.
 *  @return as usw_plan_create_kernel() and usw_plan_create_segments(); USW_ERROR_UNSUPPORTED also for a kernel without segments.
 *  @note Determinism, accuracy: as the kernel's function. Threads, cost: as usw_plan_create(). A started run, and a bound one, is a call; each run
 *        of variables with original values reads those that the one before has left.
 *  @since 0.3  @see tests/api/segment_kernels.c */
USW_API usw_status_t usw_plan_create_kernel_segments(usw_plan_t **plan_out, const usw_kernel_t *kernel,
                                                     const usw_segments_t *segments, const usw_options_t *options);

/** Run it and wait for the result.
 *
 *  @param[in,out] plan       of a reduction of one stream of elements.
 *  @param[in]     x          as for usw_reduce().
 *  @param[in]     n          number of elements; 0 gives what usw_reduce() gives.
 *  @param[out]    result_out as for usw_reduce().
 *  @return as usw_reduce(); USW_ERROR_INVALID also if plan is NULL, USW_ERROR_UNSUPPORTED also if the plan's reduction
 *          reads two streams or is a user kernel; USW_ERROR_BUSY (another thread is using the plan; all of the device's scratch
 *          is in use).
 *  @note Determinism, accuracy: as usw_reduce().
 *  @note Threads: one at a time per plan; another one gets USW_ERROR_BUSY.
 *  @note Cost: as usw_reduce(); no allocation after the first run on a device.  @since 0.1 */
USW_API usw_status_t usw_plan_run(usw_plan_t *plan, const void *x, size_t n, void *result_out);

/** usw_plan_run() for a reduction of two streams, x and y: a dot product.
 *
 *  @param[in,out] plan       of a reduction of two streams.
 *  @param[in]     x, y       as for usw_reduce_pair().
 *  @param[in]     n          number of elements of each; 0 gives 0.
 *  @param[out]    result_out as for usw_reduce_pair().
 *  @return as usw_plan_run().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_run().  @since 0.1 */
USW_API usw_status_t usw_plan_run_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out);

/** usw_plan_run() for any kernel: K_plan_run() calls this.
 *
 *  @param[in,out] plan      any.
 *  @param[in]     kernel    the one that the plan was made for: any other is USW_ERROR_INVALID.
 *  @param[in]     n         number of items; 0 leaves original values, or gives identities.
 *  @param[in]     arguments     as for usw_kernel_run(); read before the function returns.
 *  @param[in,out] variables as for usw_kernel_run(): the array is read before the function returns, what its addresses
 *                           point to is written at the end.
 *  @return as usw_kernel_run(); also USW_ERROR_BUSY as usw_plan_run().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_run().  @since 0.1 */
USW_API usw_status_t usw_plan_run_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n,
                                         const uint64_t *arguments, const usw_variable_t *variables);

/** Bind the plan to data, for usw_plan_run_bound(): addresses, strides and n are checked and a place is chosen now, not at each
 *  run. On NVIDIA's GPUs the launch is made a CUDA graph, which runs replay as it is.
 *
 *  @param[in,out] plan       as for usw_plan_run().
 *  @param[in]     x          as for usw_plan_run(). Its memory, and on which device it is, must stay until the plan is bound to
 *                            other data or destroyed; the elements may change between runs.
 *  @param[in]     n          number of elements; 0 gives what usw_reduce() gives.
 *  @param[out]    result_out where each run writes its result; must be there as long as x. Binding writes nothing.
 *  @return as usw_plan_run(), for what can be known before a run; the plan stays bound to what it was bound to on failure.
 *  @note Determinism, accuracy, threads: as usw_plan_run(). usw_plan_run() and the others still run over any data.
 *  @note Cost: as a run without its launch; scratch on the device, which the plan keeps until it is bound to other data or
 *        destroyed, unless the caller has lent some (usw_plan_use_scratch()).
 *  @since 0.1  @see tests/api/plans.c, tests/gpu/streams.c */
USW_API usw_status_t usw_plan_bind(usw_plan_t *plan, const void *x, size_t n, void *result_out);

/** usw_plan_bind() for two streams.
 *
 *  @param[in,out] plan       as for usw_plan_run_pair().
 *  @param[in]     x, y       as for usw_plan_bind().
 *  @param[in]     n          number of elements of each; 0 gives 0.
 *  @param[out]    result_out as for usw_plan_bind().
 *  @return as usw_plan_bind().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_bind().  @since 0.1 */
USW_API usw_status_t usw_plan_bind_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out);

/** usw_plan_bind() for any kernel: K_plan_bind() calls this.
 *
 *  @param[in,out] plan      as for usw_plan_run_kernel().
 *  @param[in]     kernel    as for usw_plan_run_kernel().
 *  @param[in]     n         number of items; 0 leaves original values, or gives identities.
 *  @param[in]     arguments as for usw_plan_run_kernel(); values are bound as they are now.
 *  @param[in,out] variables as for usw_plan_run_kernel(); each run reads original values and writes results.
 *  @return as usw_plan_bind().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_bind().  @since 0.1 */
USW_API usw_status_t usw_plan_bind_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n,
                                          const uint64_t *arguments, const usw_variable_t *variables);

/** Run it over the data that the plan is bound to, and wait for the result.
 *
 *  @param[in,out] plan bound by usw_plan_bind() or one of the others.
 *  @return as usw_plan_run(); USW_ERROR_INVALID also if the plan is bound to no data.
 *  @note Determinism, accuracy, threads: as usw_plan_run(); the same bits.
 *  @note Cost: on a GPU the replay of a graph and what the kernel takes; no allocation.  @since 0.1 */
USW_API usw_status_t usw_plan_run_bound(usw_plan_t *plan);

/** Start it: usw_request_wait() tells how it ended, and only then is the result there.
 *
 *  @param[in,out] plan        as for usw_plan_run().
 *  @param[in]     x           as for usw_plan_run(); must stay as it is until the request has been waited for.
 *  @param[in]     n           number of elements; 0 gives what usw_reduce() gives.
 *  @param[out]    result_out  as for usw_plan_run(); must be there until then, and is unchanged if the request fails.
 *  @param[out]    request_out receives the request; unchanged on failure.
 *  @return as usw_plan_run(), for what can be known before the end; USW_ERROR_BUSY also if the plan works in scratch of
 *          the caller's that another request or enqueued run is still using.
 *  @note Determinism, accuracy, threads: as usw_plan_run().
 *  @note Cost: a launch, some microseconds. Memory for a request is allocated when more are under way than ever before.
 *  @since 0.1  @see tests/api/plans.c */
USW_API usw_status_t usw_plan_start(usw_plan_t *plan, const void *x, size_t n, void *result_out,
                                    usw_request_t *request_out);

/** usw_plan_start() for two streams.
 *
 *  @param[in,out] plan        as for usw_plan_run_pair().
 *  @param[in]     x, y        as for usw_plan_start().
 *  @param[in]     n           number of elements of each; 0 gives 0.
 *  @param[out]    result_out  as for usw_plan_start().
 *  @param[out]    request_out as for usw_plan_start().
 *  @return as usw_plan_start().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_start().  @since 0.1 */
USW_API usw_status_t usw_plan_start_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out,
                                         usw_request_t *request_out);

/** usw_plan_start() for any kernel: K_plan_start() calls this.
 *
 *  @param[in,out] plan        as for usw_plan_run_kernel().
 *  @param[in]     kernel      as for usw_plan_run_kernel().
 *  @param[in]     n           number of items; 0 leaves original values, or gives identities.
 *  @param[in]     arguments       as for usw_plan_run_kernel().
 *  @param[in,out] variables   as for usw_plan_run_kernel(); original values are read at the end, too.
 *  @param[out]    request_out as for usw_plan_start().
 *  @return as usw_plan_start(); USW_ERROR_UNSUPPORTED also for a span in a device's memory that is copied there, if the plan has a function for
 *          ends of requests (usw_plan_on_completion()): the driver's thread cannot.
 *  @note Determinism, accuracy, threads, cost: as usw_plan_start().  @since 0.1 */
USW_API usw_status_t usw_plan_start_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n,
                                           const uint64_t *arguments, const usw_variable_t *variables,
                                           usw_request_t *request_out);

/** Whether a request has ended: whether usw_request_wait() would return at once.
 *
 *  @param[in]  request  from a start; it still has to be waited for.
 *  @param[out] done_out 1 or 0; unchanged on failure.
 *  @return USW_OK, however the reduction ended; USW_ERROR_INVALID (NULL, or the request has been waited for);
 *          USW_ERROR_BUSY (another thread is using the plan).
 *  @note Threads: as usw_plan_run().
 *  @note Cost: a look at memory; up to a microsecond where the driver has to be asked.  @since 0.1 */
USW_API usw_status_t usw_request_test(const usw_request_t *request, int *done_out);

/** Wait until a request has ended and write its result.
 *
 *  @param[in,out] request from a start; all zero afterwards, whatever is returned but USW_ERROR_INVALID and USW_ERROR_BUSY.
 *  @return as usw_plan_run(): how the reduction ended, its result unchanged unless USW_OK; USW_ERROR_INVALID also if the
 *          request, or a copy of it, has been waited for.
 *  @note Threads: as usw_plan_run().  @since 0.1 */
USW_API usw_status_t usw_request_wait(usw_request_t *request);

/** Have a function called at the end of each request that is started from now on.
 *
 *  @param[in,out] plan     any.
 *  @param[in]     callback the function; NULL: none.
 *  @param[in]     context  handed to it; the caller's.
 *  @return USW_OK; USW_ERROR_INVALID (plan is NULL); USW_ERROR_BUSY.
 *  @note Threads: as usw_plan_run().
 *  @note Cost: on NVIDIA's GPUs the driver calls it, which delays the end of a request by about ten microseconds.
 *  @since 0.1 */
USW_API usw_status_t usw_plan_on_completion(usw_plan_t *plan, usw_callback_t callback, void *context);

/** Put it into the plan's stream (usw_options_t::stream, which may be being captured) and return. There is no request:
 *  what comes later in the stream sees the result.
 *
 *  @param[in,out] plan       whose options name a stream; it must outlive what was put there, and every graph of it.
 *  @param[in]     x          as for usw_plan_run(), in memory of the stream's device; read in the order of the stream.
 *  @param[in]     n          number of elements; 0 gives what usw_reduce() gives.
 *  @param[out]    result_out host or device memory, written in the order of the stream; unchanged if the reduction fails.
 *  @return as usw_plan_start(); USW_ERROR_UNSUPPORTED also without a stream, for USW_EXACT and folds that take sweeps,
 *          for spans by another strategy than USW_STRATEGY_TREE, and with options.recheck or options.report.
 *  @note Determinism, accuracy, threads: as usw_plan_run(). Runs of one plan, and graphs that hold some, must not overlap: they share
 *        scratch.
 *  @note Cost: a launch and a call of a host function in the stream. Each run that is captured, and more runs under way
 *        than ever before, allocate.
 *  @since 0.1  @see usw_plan_status(), tests/gpu/streams.c */
USW_API usw_status_t usw_plan_enqueue(usw_plan_t *plan, const void *x, size_t n, void *result_out);

/** usw_plan_enqueue() for two streams of elements.
 *
 *  @param[in,out] plan       as for usw_plan_enqueue().
 *  @param[in]     x, y       as for usw_plan_enqueue().
 *  @param[in]     n          number of elements of each; 0 gives 0.
 *  @param[out]    result_out as for usw_plan_enqueue().
 *  @return as usw_plan_enqueue().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_enqueue().  @since 0.1 */
USW_API usw_status_t usw_plan_enqueue_pair(usw_plan_t *plan, const void *x, const void *y, size_t n, void *result_out);

/** usw_plan_enqueue() for any kernel: K_plan_enqueue() calls this.
 *
 *  @param[in,out] plan      as for usw_plan_enqueue().
 *  @param[in]     kernel    as for usw_plan_run_kernel().
 *  @param[in]     n         number of items; 0 leaves original values, or gives identities.
 *  @param[in]     arguments     as for usw_plan_run_kernel().
 *  @param[in,out] variables as for usw_plan_run_kernel(), each in host or device memory; original values are read in the
 *                           order of the stream.
 *  @return as usw_plan_enqueue().
 *  @note Determinism, accuracy, threads, cost: as usw_plan_enqueue().  @since 0.1 */
USW_API usw_status_t usw_plan_enqueue_kernel(usw_plan_t *plan, const usw_kernel_t *kernel, size_t n,
                                             const uint64_t *arguments, const usw_variable_t *variables);

/** How the runs that were put into the stream ended, of those that have: the first failure since this was last asked.
 *
 *  @param[in,out] plan any.
 *  @return USW_OK; as usw_plan_run(); USW_ERROR_INVALID (plan is NULL).
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API usw_status_t usw_plan_status(usw_plan_t *plan);

/** The scratch that a plan needs, whatever n is.
 *
 *  @param[in]  plan     whose options name a device (USW_DEVICE).
 *  @param[out] need_out receives the sizes, its addresses NULL; need_out->size is set by the caller. Unchanged on failure.
 *  @return USW_OK; USW_ERROR_INVALID (NULL); USW_ERROR_VERSION; USW_ERROR_UNSUPPORTED (no device is named, spans whose
 *          extent comes with each run); USW_ERROR_DEVICE; USW_ERROR_BUSY.
 *  @note Threads: as usw_plan_run(). Sizes differ between versions of the library, devices and tuning tables.  @since 0.1 */
USW_API usw_status_t usw_plan_scratch(usw_plan_t *plan, usw_scratch_t *need_out);

/** Have a plan work in memory of the caller's: one run at a time is under way then, and the library allocates nothing.
 *
 *  @param[in,out] plan    without runs under way.
 *  @param[in]     scratch of at least the sizes of usw_plan_scratch(); its memory is the caller's, and the plan's alone
 *                         until the plan is destroyed.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, too small, misaligned); USW_ERROR_PLACE (not memory of the plan's device, or
 *          not pinned); as usw_plan_scratch(); USW_ERROR_BUSY also if the plan has scratch already.
 *  @note Threads: as usw_plan_run().
 *  @note Cost: copies some kilobytes of zeros to the device.  @since 0.1 */
USW_API usw_status_t usw_plan_use_scratch(usw_plan_t *plan, const usw_scratch_t *scratch);

/** Describe the items of a space to a kernel: what K_plan_run() of a kernel K with dimensions calls first.
 *
 *  @param[in]  plan       of a user kernel of so many dimensions.
 *  @param[in]  dimensions 2 or 3.
 *  @param[in]  space      as for the kernel's function.
 *  @param[in,out] arguments   the kernel's arguments, those of the space first: these are written.
 *  @param[out] n_out      receives the number of items.
 *  @return as the kernel's function, for what is wrong with the space.
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API usw_status_t usw_plan_space(const usw_plan_t *plan, uint32_t dimensions, const usw_space_t *space,
                                    uint64_t *arguments, size_t *n_out);

/** Wait for what is under way and free the plan; its requests are void. NULL is allowed.
 *
 *  @param[in] plan not in use by another thread; its stream, if it was used, still there.
 *  @note Threads: safe for different objects.  @since 0.1 */
USW_API void usw_plan_destroy(usw_plan_t *plan);

USW_END_C

/** @} */
#endif
