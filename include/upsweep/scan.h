/** @file
 *  @defgroup scan Scans
 *  Running results: for each item what the items before it come to, or those up to it. upsweep.h includes this header.
 *  @{ */
#ifndef UPSWEEP_SCAN_H
#define UPSWEEP_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/segments.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

USW_BEGIN_C

/** For each element what the elements up to it come to, itself included.
 *
 *  @param[in]  operation what usw_reduce() would compute of those elements: sums, products, minima, maxima, bits, logical operators, counts,
 *                        argmin and argmax.
 *  @param[in]  type      of the elements.
 *  @param[in]  x         n elements, options->stride[0] apart; host or device memory, owned by the caller.
 *  @param[in]  n         elements; 0: nothing is written.
 *  @param[out] out       n results of the type that usw_reduce() writes (sums of integers widen to 64 bits), options->stride[1] apart;
 *                        in the memory that the call runs in, owned by the caller: host memory, or memory of its device. It may be x itself, if
 *                        both have elements of the same size and the same stride; else both are apart. Undefined after an error.
 *  @param[in]  options   NULL: the defaults. strategy is USW_AUTO_STRATEGY, on devices also USW_STRATEGY_TREE. A negative stride, with x and
 *                        out at the last elements, scans from the end.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, x and out share elements otherwise); USW_ERROR_VERSION (options->size);
 *          USW_ERROR_UNSUPPORTED (there is no such scan of this type, accuracy USW_REPRODUCIBLE or USW_EXACT of what rounds, recheck in
 *          place); USW_ERROR_PLACE, USW_ERROR_DEVICE, USW_ERROR_MEMORY as usw_reduce(). USW_ERROR_DEVICE also where a team of the
 *          device has waited for another one for seconds in vain.
 *  @note Determinism: the same bits on every run at every level, for any number of teams and threads. Accuracy: of running sums of floating
 *        numbers each is added up by a tree; they need not grow with each positive element by the last bit. Threads: any. Cost: one launch,
 *        one read, one write; on the host two passes over what is in the cache. No allocation after the first call of a length.
 *        Source: scan by tiles that tell each other what they come to (Merrill, Garland, 2016), put together by a fixed tree.  @since 0.3
 *  @see tests/api/scans.c */
USW_API usw_status_t usw_scan_inclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                        const usw_options_t *options);

/** For each element what the elements before it come to: of the first one `initial`, or the identity.
 *
 *  @param[in]  operation as usw_scan_inclusive().
 *  @param[in]  type      as usw_scan_inclusive().
 *  @param[in]  x         as usw_scan_inclusive().
 *  @param[in]  n         elements; 0: nothing is written.
 *  @param[out] out       as usw_scan_inclusive().
 *  @param[in]  initial   a value of the type that `out` has, combined before all elements; host memory, owned by the caller. NULL: the
 *                        identity, which is what usw_reduce() writes for no element. NULL for argmin, argmax and counts.
 *  @param[in]  options   as usw_scan_inclusive().
 *  @return as usw_scan_inclusive(); USW_ERROR_UNSUPPORTED also for an initial value of an operation that takes none.
 *  @note Determinism, accuracy, threads, cost: as usw_scan_inclusive().  @since 0.3  @see tests/api/scans.c */
USW_API usw_status_t usw_scan_exclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n, void *out,
                                        const void *initial, const usw_options_t *options);

/** Scan each of many segments of an array by itself.
 *
 *  @param[in]  operation as usw_scan_inclusive(). The index of argmin and argmax counts from 0 in each segment.
 *  @param[in]  type      as usw_scan_inclusive().
 *  @param[in]  x         as usw_scan_inclusive().
 *  @param[in]  n         elements; 0: nothing is written.
 *  @param[in]  segments  that follow each other (usw_segments_by_offsets(), usw_segments_of_length()); read during the call only.
 *  @param[out] out       as usw_scan_inclusive(); elements of no segment are left as they are.
 *  @param[in]  options   as usw_scan_inclusive(); recheck is not for segments.
 *  @return as usw_scan_inclusive(); USW_ERROR_INVALID also for offsets that fall or leave the array: the text names the first wrong segment,
 *          and nothing is written; USW_ERROR_UNSUPPORTED also for segments by pairs, which may overlap, and for staging: marks of where
 *          segments begin are of the whole array.
 *  @note Determinism, accuracy, threads: as usw_scan_inclusive(). Cost: two launches, the first of which marks where segments begin, a bit for
 *        each element. No allocation after the first call of a length.  @since 0.3
 *  @see tests/api/scans.c */
USW_API usw_status_t usw_scan_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                       const usw_segments_t *segments, void *out, const usw_options_t *options);

/** The same without each element itself: of the first one in a segment `initial`, or the identity.
 *
 *  @param[in]  operation as usw_scan_segments().
 *  @param[in]  type      as usw_scan_segments().
 *  @param[in]  x         as usw_scan_segments().
 *  @param[in]  n         elements; 0: nothing is written.
 *  @param[in]  segments  as usw_scan_segments().
 *  @param[out] out       as usw_scan_segments().
 *  @param[in]  initial   as usw_scan_exclusive(), combined before the elements of each segment.
 *  @param[in]  options   as usw_scan_segments().
 *  @return as usw_scan_segments(), and as usw_scan_exclusive() for an initial value.
 *  @note Determinism, accuracy, threads, cost: as usw_scan_segments().  @since 0.3  @see tests/api/scans.c */
USW_API usw_status_t usw_scan_segments_exclusive(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                                 const usw_segments_t *segments, void *out, const void *initial,
                                                 const usw_options_t *options);

USW_END_C

/** @cond */
/* What a kernel of scans gets behind its own arguments:
 *   is_exclusive   of the library's kernels: an item's result is that of the items before it
 *   is_written     0: a chunk of the host's is to fill its record; else it is to write its outputs, from what the record holds on.
 *                  USW_PAST_CACHES or more: outputs of the library's kernels go past the caches; that many more items ahead, inputs are
 *                  loaded. Outputs are apart from inputs then
 *   launch         of a GPU: the number of the launch among those with the same memory; not 0
 *   first_ticket   of a GPU: the number of its first tile's ticket */
#define USW_SCAN_WORDS(WORD)                                                                                           \
  WORD(uint64_t, usw_is_exclusive)                                                                                     \
  WORD(uint64_t, usw_is_written)                                                                                       \
  WORD(uint64_t, usw_launch)                                                                                           \
  WORD(uint64_t, usw_first_ticket)
enum { USW_PAST_CACHES = 2 };
#define USW_SCAN_FIELD(T, name) T name;
typedef struct usw_scan_words {
  USW_SCAN_WORDS(USW_SCAN_FIELD)
} usw_scan_words_t;
/* What the library's kernels that begin anew get before these words:
 *   marks            address of bits, one for each item, 32 in a word, lowest first: the scan begins anew at this item. Or of keys
 *   key_bytes        1, 2, 4 or 8: it does so where a key differs from the one before, and at item 0; 0: marks are bits
 *   key_stride       of the keys, in keys
 *   by_run           1: an item's result is written behind its run's last item only, as element number of the run; n is below 2^32
 *   unique           address of what the keys of runs are written to, for by_run
 *   bounds           for bits, address of two numbers: the first item that has a result, and the one behind the last
 *   items            n
 *   has_initial      1: `initial` is combined before the items of each segment
 * On a GPU bits are zero when the launch is done. */
#define USW_RESTART_WORDS(WORD)                                                                                        \
  WORD(uint64_t, usw_marks)                                                                                            \
  WORD(uint64_t, usw_key_bytes)                                                                                        \
  WORD(int64_t, usw_key_stride)                                                                                        \
  WORD(uint64_t, usw_by_run)                                                                                           \
  WORD(uint64_t, usw_unique)                                                                                           \
  WORD(uint64_t, usw_bounds)                                                                                           \
  WORD(uint64_t, usw_items)                                                                                            \
  WORD(uint64_t, usw_has_initial)                                                                                      \
  WORD(uint64_t, usw_initial_low)                                                                                      \
  WORD(uint64_t, usw_initial_high)
typedef struct usw_restart_words {
  USW_RESTART_WORDS(USW_SCAN_FIELD)
} usw_restart_words_t;
typedef struct usw_marks { /* of segments; behind it: the words of bits */
  uint64_t begin, end;     /* the bounds */
} usw_marks_t;
/* Device memory of a scan on a GPU, zero before the first launch: `partials` of its launch (engine/team_scan.h). In pinned memory,
 * where `accumulator_out` is, it has room for two accumulators, the total and what is before the first item (whose address `records` is, if
 * there is such a thing), and behind these a word that is set where a team has waited in vain. */
typedef struct usw_scan_memory { /* behind it: what tiles, groups and rows tell, each on 16 bytes */
  uint32_t next_ticket, unused[31];
} usw_scan_memory_t;
enum { USW_SCAN_WIDTH = 32 /* tiles of a group, groups of a row */ };
#define USW_SCAN_BYTES_TOLD(accumulator_bytes) (((accumulator_bytes) + 7) / 8 * 16)
/** @endcond */
/** @} */
#endif
