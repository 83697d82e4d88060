/** @defgroup partial Reductions in parts
 *  Data that comes piece by piece, from a file or from other processes.
 *  @{ */
#ifndef UPSWEEP_PARTIAL_H
#define UPSWEEP_PARTIAL_H

#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** The reduction of the elements seen so far. */
typedef struct usw_partial usw_partial_t;

USW_BEGIN_C

/** Start a reduction in parts.
 *
 *  @param[out] partial_out receives the new object; unchanged on failure. Free it with usw_partial_destroy().
 *  @param[in]  operation   operation of a function that reads one stream (@ref function_table).
 *  @param[in]  type        type of the elements.
 *  @param[in]  options     NULL for the defaults; copied. Its record, if any, is filled by each usw_partial_add() and
 *                          must live as long as the object.
 *  @return USW_OK; USW_ERROR_INVALID (partial_out is NULL); USW_ERROR_UNSUPPORTED (no such reduction);
 *          USW_ERROR_VERSION (options of another size); USW_ERROR_MEMORY; USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: two small allocations, 65 accumulators in all.  @since 0.1  @see tests/api/partial.c */
USW_API usw_status_t usw_partial_create(usw_partial_t **partial_out, usw_operation_t operation, usw_type_t type,
                                        const usw_options_t *options);

/** Reduce n more elements. They follow those of earlier calls: indices go on counting.
 *
 *  @param[in,out] partial  from usw_partial_create(); unchanged on failure.
 *  @param[in]     x        n elements, as for usw_reduce().
 *  @param[in]     n        number of elements; 0 changes nothing.
 *  @return as usw_reduce().
 *  @note Determinism: as usw_reduce(), for the same sequence of lengths; with USW_REPRODUCIBLE the bits of one
 *        usw_reduce() of all elements, whatever the lengths.
 *  @note Accuracy: as usw_reduce(), and log2(number of calls) additions on top.
 *  @note Threads: one call at a time per object.
 *  @note Cost: one usw_reduce().  @since 0.1 */
USW_API usw_status_t usw_partial_add(usw_partial_t *partial, const void *x, size_t n);

/** The result so far. The object stays usable.
 *
 *  @param[in]  partial    from usw_partial_create().
 *  @param[out] result_out host address of what usw_reduce() writes; before the first element: its result for n = 0.
 *  @return USW_OK; USW_ERROR_INVALID (NULL).
 *  @note Threads: one call at a time per object.  @since 0.1 */
USW_API usw_status_t usw_partial_result(const usw_partial_t *partial, void *result_out);

/** Free the object. NULL is allowed.
 *
 *  @param[in] partial from usw_partial_create(), not in use by any thread.
 *  @note Threads: safe for different objects.  @since 0.1 */
USW_API void usw_partial_destroy(usw_partial_t *partial);

USW_END_C

/** @} */
#endif
