/** @file
 *  @defgroup keys Reductions by key
 *  A result for each run of equal keys. upsweep.h includes this header.
 *  @{ */
#ifndef UPSWEEP_KEYS_H
#define UPSWEEP_KEYS_H

#include <stddef.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

USW_BEGIN_C

/** Reduce each run of equal keys: elements that follow each other and have the same key. Sorted keys have one run for each; keys that come again
 *  later have several (usw_set_add_span() is for keys in any order).
 *
 *  @param[in]  operation   what to compute, for each run what usw_reduce() computes; of one stream.
 *  @param[in]  type        of the elements.
 *  @param[in]  x           n elements, options->stride[0] apart; host or device memory, owned by the caller.
 *  @param[in]  key_type    of the keys: an integer type.
 *  @param[in]  keys        n keys, options->stride[1] apart; in the memory that the call runs in, owned by the caller.
 *  @param[in]  n           elements, and keys; 0: there is no run.
 *  @param[out] unique_out  the key of each run, in order; room for n, in the memory that the call runs in, apart from the keys and from x; owned
 *                          by the caller. What is behind the last run's is left as it is, and all of it where the call is refused.
 *  @param[out] results_out for each run a result of the type that usw_reduce() writes; room for n, host memory or memory of the device that the
 *                          call runs on, apart from x, the keys and unique_out; owned by the caller. Unchanged after an error, if it is in
 *                          host memory.
 *  @param[out] runs_out    how many runs there are; host address. Unchanged after an error.
 *  @param[in]  options     NULL: the defaults. strategy is USW_AUTO_STRATEGY, on devices also USW_STRATEGY_TREE.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, outputs that share elements with another array); USW_ERROR_VERSION (options->size);
 *          USW_ERROR_UNSUPPORTED (there is no such operation of this type, keys that are no integers, n over 2^48,
 *          accuracy USW_EXACT or a fold of sums, staging: the number of runs before a chunk is known only behind the one before);
 *          USW_ERROR_PLACE, USW_ERROR_DEVICE, USW_ERROR_MEMORY as usw_reduce().
 *  @note Determinism, accuracy: as usw_reduce_segments(), for any level; on a GPU the bits of what rounds depend on whether results go to
 *        its memory, too. Threads: any. Cost: on a GPU, with results in its memory, one launch,
 *        which reads keys and elements once. Elsewhere, and for operations that no scan has, a scan over the keys finds where runs begin, and a
 *        reduction of segments follows, which may round floating sums otherwise: 4 bytes for each run are written before (8 from n = 2^32 - 1
 *        on), and the device has room for n of these, which later calls take again.  @since 0.3
 *  @see tests/api/keys.c */
USW_API usw_status_t usw_reduce_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                                       const void *keys, size_t n, void *unique_out, void *results_out,
                                       size_t *runs_out, const usw_options_t *options);

/** Scan each run of equal keys by itself.
 *
 *  @param[in]  operation as usw_scan_inclusive(). The index of argmin and argmax counts from 0 in each run.
 *  @param[in]  type      of the elements.
 *  @param[in]  x         as usw_scan_inclusive().
 *  @param[in]  key_type  of the keys: an integer type.
 *  @param[in]  keys      n keys, options->stride[2] apart; in the memory that the call runs in, owned by the caller, apart from `out`.
 *  @param[in]  n         elements, and keys; 0: nothing is written.
 *  @param[out] out       as usw_scan_inclusive().
 *  @param[in]  options   as usw_scan_inclusive().
 *  @return as usw_scan_inclusive(); USW_ERROR_INVALID also for an output that shares elements with the keys, USW_ERROR_UNSUPPORTED for keys that are
 *          no integers.
 *  @note Determinism, accuracy, threads: as usw_scan_inclusive(). Cost: one launch, one read of elements and keys, one write.  @since 0.3
 *  @see tests/api/keys.c */
USW_API usw_status_t usw_scan_by_key(usw_operation_t operation, usw_type_t type, const void *x, usw_type_t key_type,
                                     const void *keys, size_t n, void *out, const usw_options_t *options);

/** The same without each element itself: of the first one in a run `initial`, or the identity.
 *
 *  @param[in]  operation as usw_scan_by_key().
 *  @param[in]  type      as usw_scan_by_key().
 *  @param[in]  x         as usw_scan_by_key().
 *  @param[in]  key_type  as usw_scan_by_key().
 *  @param[in]  keys      as usw_scan_by_key().
 *  @param[in]  n         elements, and keys; 0: nothing is written.
 *  @param[out] out       as usw_scan_by_key().
 *  @param[in]  initial   as usw_scan_exclusive(), combined before the elements of each run.
 *  @param[in]  options   as usw_scan_by_key().
 *  @return as usw_scan_by_key(), and as usw_scan_exclusive() for an initial value.
 *  @note Determinism, accuracy, threads, cost: as usw_scan_by_key().  @since 0.3  @see tests/api/keys.c */
USW_API usw_status_t usw_scan_by_key_exclusive(usw_operation_t operation, usw_type_t type, const void *x,
                                               usw_type_t key_type, const void *keys, size_t n, void *out,
                                               const void *initial, const usw_options_t *options);

USW_END_C
/** @} */
#endif
