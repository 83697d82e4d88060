/** @defgroup set Reducer sets
 *  Several reductions in one launch, put together by calls: for codes that cannot have a kernel compiled
 *  (@ref kernels), such as Fortran, Python and plugins, and for batches of many small ones.
 *
 * A set holds reducers. Each combines the elements of an array of its own by one of the nine operators, into a variable,
 * or, by keys, into the elements of a span. One call runs them all in one kernel, over the same number of elements but for
 * those that have a number of their own (usw_set_add_array()):
 *  @code{.c}
 *  usw_set_t *set = NULL;
 *  double sum = 0, largest = -INFINITY, by_bin[100] = {0};
 *  usw_set_create(&set);
 *  usw_set_add(set, USW_PLUS, USW_F64, x, 1, &sum, 0);
 *  usw_set_add(set, USW_MAXIMUM, USW_F64, x, 1, &largest, 0);
 *  usw_set_add_span(set, USW_PLUS, USW_F64, y, 1, USW_U32, bin, by_bin, 100, 0);
 *  usw_status_t status = usw_set_run(set, n, NULL);
 *  usw_set_destroy(set);
 *  @endcode
 * These are reduction variables: their original values are part of the result, unless USW_SET_INITIALIZE_TO_IDENTITY
 * says otherwise. Their types are those of the results of usw_reduce(): usw_sum_<tag>_t for USW_PLUS and
 * USW_MULTIPLIES (integers in 64 bits, halves in float), bool for the logical operators, else the element's type.
 *  @{ */
#ifndef UPSWEEP_SET_H
#define UPSWEEP_SET_H

#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** Reductions that run together. */
typedef struct usw_set usw_set_t;

/** Most reducers of one set. */
#define USW_SET_MOST_REDUCERS 64

/** In usw_set_add() and usw_set_add_span(): the original values of the variable or span are not part of the result. */
#define USW_SET_INITIALIZE_TO_IDENTITY 1u

USW_BEGIN_C

/** Make a set without reducers.
 *
 *  @param[out] set_out receives the new object; unchanged on failure. Free it with usw_set_destroy().
 *  @return USW_OK; USW_ERROR_INVALID (set_out is NULL); USW_ERROR_MEMORY; USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: one small allocation.  @since 0.1  @see tests/api/sets.c */
USW_API usw_status_t usw_set_create(usw_set_t **set_out);

/** Add a reducer of one variable. Reducers are numbered from 0 on, in the order in which they are added.
 *
 *  @param[in,out] set       from usw_set_create(); unchanged on failure.
 *  @param[in]     operation one of the nine operators, USW_PLUS to USW_LOGICAL_OR, that usw_reduce() has for the type.
 *  @param[in]     type      type of the elements.
 *  @param[in]     x         elements in host or device memory, aligned to their type, read by usw_set_run(); the caller's.
 *                           NULL only if the set is run with n = 0.
 *  @param[in]     stride    elements from one item's to the next one's, may be negative; 0 = contiguous (1),
 *                           USW_STRIDE_NONE: all items have the same.
 *  @param[in,out] variable  host address of one variable of the result's type, aligned to it; the caller's. Must live as
 *                           long as the set is run; its value is read and written by usw_set_run().
 *  @param[in]     flags     0 or USW_SET_INITIALIZE_TO_IDENTITY.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, shares bytes with the variable or span of another reducer,
 *          unknown flags); USW_ERROR_UNSUPPORTED (no such reduction, or more than USW_SET_MOST_REDUCERS);
 *          USW_ERROR_STATE.
 *  @note Threads: one call at a time per object.
 *  @note Cost: checks only.  @since 0.1 */
USW_API usw_status_t usw_set_add(usw_set_t *set, usw_operation_t operation, usw_type_t type, const void *x,
                                 ptrdiff_t stride, void *variable, uint32_t flags);

/** Add a reducer of one variable over an array of a length of its own, whatever n the set is run with: many small
 *  reductions of different data, operators, types and lengths are one launch then (a batch).
 *
 *  @param[in,out] set       as for usw_set_add().
 *  @param[in]     operation as for usw_set_add().
 *  @param[in]     type      as for usw_set_add().
 *  @param[in]     x         as for usw_set_add(); NULL only if n is 0.
 *  @param[in]     n         elements, at most 2^56; 0 leaves the original value, or gives the identity.
 *  @param[in]     stride    as for usw_set_add().
 *  @param[in,out] variable  as for usw_set_add().
 *  @param[in]     flags     as for usw_set_add().
 *  @return as usw_set_add().
 *  @note Determinism, accuracy: those of usw_set_run().
 *  @note Threads: one call at a time per object.
 *  @note Cost: checks only.  @since 0.1  @see tests/api/sets.c */
USW_API usw_status_t usw_set_add_array(usw_set_t *set, usw_operation_t operation, usw_type_t type, const void *x,
                                       size_t n, ptrdiff_t stride, void *variable, uint32_t flags);

/** Add a reducer of a span: item i is combined into the element that keys[i] names.
 *
 *  @param[in,out] set       as for usw_set_add().
 *  @param[in]     operation as for usw_set_add().
 *  @param[in]     type      as for usw_set_add().
 *  @param[in]     x         as for usw_set_add().
 *  @param[in]     stride    as for usw_set_add().
 *  @param[in]     key_type  USW_U32, USW_I32, USW_U64 or USW_I64.
 *  @param[in]     keys      contiguous, n of them, where x is, aligned to their type; the caller's. Each is from 0 to
 *                           extent - 1; one that is not is an error of usw_set_run(). NULL only as x.
 *  @param[in,out] span      host address of `extent` variables of the result's type, as the variable of usw_set_add().
 *  @param[in]     extent    elements of the span, from 1 to 2^31 - 2 for all reducers of the set together.
 *  @param[in]     flags     as for usw_set_add().
 *  @return as usw_set_add(); USW_ERROR_INVALID also for an extent of 0; USW_ERROR_UNSUPPORTED also for another key_type
 *          or too large an extent.
 *  @note Threads: one call at a time per object.
 *  @note Cost: checks only.  @since 0.1 */
USW_API usw_status_t usw_set_add_span(usw_set_t *set, usw_operation_t operation, usw_type_t type, const void *x,
                                      ptrdiff_t stride, usw_type_t key_type, const void *keys, void *span,
                                      size_t extent, uint32_t flags);

/** Run all reducers of a set over n items, in one kernel. The set may be run again: the results are then original values.
 *
 *  @param[in,out] set     with at least one reducer.
 *  @param[in]     n       number of items, the same for every reducer but those of usw_set_add_array(); 0 leaves original values, or gives identities.
 *                         An element of a span that no key names keeps its value too.
 *  @param[in]     options NULL for the defaults. USW_AUTO_PLACE is where the x of the first reducer with elements is; the arrays of all
 *                         must be readable there. initialize_to_identity: bit r is for reducer r, beside its flags. nan
 *                         is for every minimum and maximum. stride must be zero: each reducer has its own.
 *  @return USW_OK; as usw_reduce(), the text naming the reducer by its number; also USW_ERROR_INVALID (set is NULL or has
 *          no reducer, an array is NULL, misaligned or larger than the address space, a key is outside its span, n is
 *          over 2^56) and USW_ERROR_PLACE (an array is not where the others are); USW_ERROR_UNSUPPORTED for
 *          USW_STRATEGY_CLAUSE. All variables and spans are unchanged on failure.
 *  @note Determinism: as usw_reduce(), for the same reducers in the same order.
 *  @note Accuracy: as usw_reduce(), but for the length of the chains of additions, which is not told.
 *  @note Threads: one call at a time per object.
 *  @note Cost: one launch. On a GPU the reducers are copied there before it when they, or n, are not those of the last
 *        run; the first run allocates. A batch that runs again as it was takes its launch and a few additions for each
 *        reducer: its arrays are taken to be where they were. A span costs 24 bytes per element for each team, on the
 *        host for each chunk.
 *  @since 0.1  @see tests/api/sets.c */
USW_API usw_status_t usw_set_run(usw_set_t *set, size_t n, const usw_options_t *options);

/** Free the object. NULL is allowed.
 *
 *  @param[in] set from usw_set_create(), not in use by any thread.
 *  @note Threads: safe for different objects.  @since 0.1 */
USW_API void usw_set_destroy(usw_set_t *set);

USW_END_C

/** @} */
#endif
