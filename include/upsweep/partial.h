/** @defgroup partial Reductions in parts
 *  Data that comes piece by piece, from a file or from other processes; @ref exchange shows the ranks of an MPI program.
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
 *  @param[in]  options     NULL for the defaults; copied. Its report, if any, is filled by each usw_partial_add() and
 *                          must live as long as the object.
 *  @return USW_OK; USW_ERROR_INVALID (partial_out is NULL, a word of the options is none); USW_ERROR_UNSUPPORTED (no such
 *          reduction, or none of that accuracy); USW_ERROR_VERSION (options of another size); USW_ERROR_MEMORY;
 *          USW_ERROR_STATE.
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

/** Say where the elements begin: indices (of argmin, argmax, describe) count from there on, in this object and in the one
 *  that it is merged into. A rank that holds elements 1000 to 1999 of the whole says 1000; so do all others, then they
 *  may be merged in any order.
 *
 *  @param[in,out] partial     from usw_partial_create(), without elements; unchanged on failure.
 *  @param[in]     first_index index of the first element, below 2^63.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, there are elements already, index too large).
 *  @note Threads: one call at a time per object.  @since 0.1  @see tests/api/partial_exchange.c */
USW_API usw_status_t usw_partial_begin_at(usw_partial_t *partial, uint64_t first_index);

/** Take in what another object has reduced.
 *
 *  Its elements follow those of `into`, and its indices are counted on from there; unless it was told where it begins, by
 *  usw_partial_begin_at(): then its indices stay. Whether both have seen the same element is not looked for.
 *
 *  @param[in,out] into from usw_partial_create() or usw_partial_import(); unchanged on failure.
 *  @param[in]     from another object, of the same operation, type, accuracy and, where NaNs matter to the operation, NaN
 *                      policy; unchanged. Places and strategies may differ. Without elements it changes nothing.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, the same object, different reductions, 2^63 elements or more).
 *  @note Determinism: the same bits for the same parts merged in the same order; with #USW_REPRODUCIBLE in any order.
 *  @note Accuracy: one more addition; with #USW_REPRODUCIBLE nothing is rounded.
 *  @note Threads: one call at a time per object, of either.
 *  @note Cost: a microsecond at most; no device takes part.  @since 0.1  @see tests/api/partial_exchange.c */
USW_API usw_status_t usw_partial_merge(usw_partial_t *into, const usw_partial_t *from);

/** The size of the blocks that usw_partial_export() writes: the same for every object of a reduction, at every place and
 *  on every machine, so that ranks know it before they receive one.
 *
 *  @param[in] operation as for usw_partial_create().
 *  @param[in] type      as for usw_partial_create().
 *  @param[in] options   NULL for the defaults; only the accuracy matters.
 *  @return bytes, between 61 and 250; 0 if there is no such reduction (usw_error_text() says more).
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API size_t usw_partial_export_bytes(usw_operation_t operation, usw_type_t type, const usw_options_t *options);

/** Write what an object has reduced as a block of bytes, to be kept in a file or sent by MPI.
 *
 *  A block describes itself: version of its format, operation, type, accuracy, NaN policy, number of elements, indices; a
 *  checksum at the end. Its numbers have their lowest byte first whatever the machine.
 *
 *  @param[in]  partial        from usw_partial_create() or usw_partial_import(); stays usable.
 *  @param[out] buffer_out     host memory for the block, of any alignment; unchanged on failure. NULL: only the size is
 *                             asked for.
 *  @param[in]  capacity_bytes bytes at buffer_out; usw_partial_export_bytes() at least.
 *  @param[out] bytes_out      receives the size of the block; unchanged on failure. NULL if nobody asks.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, no room).
 *  @note Determinism: the value of the block is that of the object; its bytes need not be the same for the same value.
 *  @note Threads: one call at a time per object.
 *  @note Cost: a few microseconds; nothing is allocated.  @since 0.1  @see tests/api/partial_exchange.c */
USW_API usw_status_t usw_partial_export(const usw_partial_t *partial, void *buffer_out, size_t capacity_bytes,
                                        size_t *bytes_out);

/** Make an object from a block: as good as the one that wrote it, for results, merges and more elements.
 *
 *  Everything that a block says is checked first. The checksum tells damage, not malice: take blocks from whom you trust.
 *
 *  @param[out] partial_out receives the new object; unchanged on failure. Free it with usw_partial_destroy().
 *  @param[in]  block       host memory that usw_partial_export() has filled, here or elsewhere; of any alignment.
 *  @param[in]  bytes       size of the block, exactly.
 *  @param[in]  options     how usw_partial_add() is to run, NULL for the defaults; copied. Accuracy and NaN policy are those
 *                          of the block: what options say of them is not read.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, no block, truncated, damaged; options that usw_reduce() refuses);
 *          USW_ERROR_VERSION (format or reduction of another version of the library; options of another size);
 *          USW_ERROR_UNSUPPORTED (a reduction that this library does not have); USW_ERROR_MEMORY; USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: that of usw_partial_create(), and a few microseconds.  @since 0.1  @see tests/api/partial_exchange.c */
USW_API usw_status_t usw_partial_import(usw_partial_t **partial_out, const void *block, size_t bytes,
                                        const usw_options_t *options);

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
