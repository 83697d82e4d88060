/** @defgroup segments Reductions of segments
 *  One result for each of many segments of an array: runs of elements that follow each other, of any lengths, as the rows of a sparse
 *  matrix.
 *  @code{.c}
 *     const int32_t offsets[] = {0, 3, 3, 7};                            three segments, of 3, 0 and 4 elements
 *     const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, 3);
 *     usw_reduce_segments(USW_PLUS, USW_F64, x, 7, &segments, sums, NULL);
 *  @endcode
 *  @{ */
#ifndef UPSWEEP_SEGMENTS_H
#define UPSWEEP_SEGMENTS_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/* The tag has _t: in C++ a function of the name of a structure hides its constructor. */
/** Segments of an array. The caller owns the offsets. */
typedef struct usw_segments_t {
  size_t size;     /**< sizeof(usw_segments_t) */
  size_t count;    /**< segments */
  usw_type_t type; /**< of the offsets: USW_I32, USW_U32, USW_I64, USW_U64; USW_NO_TYPE: there are none, but a length */
  const void *begins; /**< the first item of each segment */
  const void *ends;   /**< the item behind its last one; follows begins by one offset, or is an array of its own */
  size_t length;      /**< of every segment, where there are no offsets: segment k begins at item k * length */
} usw_segments_t;

/** Segments that follow each other, as the rows of a sparse matrix do.
 *
 *  @param[in] type    of the offsets: USW_I32, USW_U32, USW_I64, USW_U64.
 *  @param[in] offsets count + 1 of them, which do not fall: segment k is items offsets[k], ..., offsets[k + 1] - 1. The first one need not
 *                     be 0, and the last one may be less than the number of items. In memory that the call can read, as the items.
 *  @param[in] count   segments.
 *  @return the segments, by value; the offsets are not copied.
 *  @note Threads: any.  @since 0.3 */
static inline usw_segments_t usw_segments_by_offsets(usw_type_t type, const void *offsets, size_t count) {
  usw_segments_t segments;
  segments.size = sizeof segments;
  segments.count = count;
  segments.type = type;
  segments.begins = offsets;
  segments.ends = offsets ? (const char *)offsets + (type == USW_I32 || type == USW_U32 ? 4 : 8) : NULL;
  segments.length = 0;
  return segments;
}

/** Segments anywhere: apart, overlapping, in any order. Their lengths are not evened out: threads take as many items each as the mean
 *  suggests, so that one segment that is much longer than the others is slower than by offsets.
 *
 *  @param[in] type   of begins and ends: USW_I32, USW_U32, USW_I64, USW_U64.
 *  @param[in] begins count of them: the first item of each segment.
 *  @param[in] ends   count of them: the item behind its last one; equal for an empty segment.
 *  @param[in] count  segments.
 *  @return the segments, by value; the arrays are not copied.
 *  @note Threads: any.  @since 0.3 */
static inline usw_segments_t usw_segments_by_pairs(usw_type_t type, const void *begins, const void *ends,
                                                   size_t count) {
  usw_segments_t segments = usw_segments_by_offsets(type, begins, count);
  segments.ends = ends;
  return segments;
}

/** Segments of one length, which follow each other: the rows of a matrix.
 *
 *  @param[in] length items of each segment, from item 0 on.
 *  @param[in] count  segments.
 *  @return the segments, by value.
 *  @note Threads: any.  @since 0.3 */
static inline usw_segments_t usw_segments_of_length(size_t length, size_t count) {
  usw_segments_t segments = usw_segments_by_offsets(USW_NO_TYPE, NULL, count);
  segments.length = length;
  return segments;
}

USW_BEGIN_C

/** Reduce each of many segments of an array: one result for each.
 *
 *  @param[in]  operation what to compute, for each segment what usw_reduce() computes; of one stream.
 *  @param[in]  type      of the elements.
 *  @param[in]  x         n elements, options->stride apart; host or device memory, owned by the caller.
 *  @param[in]  n         elements; below 2^63. 0: every segment is empty, and x may be NULL.
 *  @param[in]  segments  read during the call only.
 *  @param[out] results   one for each segment, of the type that usw_reduce() writes, one behind the other; host memory, or memory of the
 *                        device that the call runs on; owned by the caller. Unchanged after an error, if they are in host memory.
 *  @param[in]  options   NULL: the defaults. strategy is USW_AUTO_STRATEGY, on devices also USW_STRATEGY_TREE.
 *  @return USW_OK, also for segments without items: their results are those of usw_reduce() with n = 0; USW_ERROR_INVALID (NULL, n over
 *          2^63 - 1, a type of offsets that is none, offsets that fall or leave the array: the text names the first wrong one);
 *          USW_ERROR_VERSION (sizes); USW_ERROR_UNSUPPORTED (there is no such operation of this type, accuracy USW_EXACT or a fold of sums;
 *          over 2^48 items by offsets; staging (@ref staging) of segments by pairs, which may overlap, of offsets in a device's memory, or
 *          of one of two arrays);
 *          USW_ERROR_PLACE, USW_ERROR_DEVICE, USW_ERROR_MEMORY as usw_reduce().
 *          The index of argmin and argmax counts from 0 in each segment.
 *  @note Determinism: the same bits on every run, for any number of teams and threads; they depend on the lengths of all segments and, on a
 *        GPU, on options->work_group_load. Accuracy: as usw_reduce(). Threads: any. Cost: one launch, one read of the items and of the
 *        offsets, whatever the lengths (merge path: Merrill, Garland, 2016; of few items on a GPU some lanes take each segment); no
 *        allocation after the first call.  @since 0.3
 *  @see tests/api/segments.c */
USW_API usw_status_t usw_reduce_segments(usw_operation_t operation, usw_type_t type, const void *x, size_t n,
                                         const usw_segments_t *segments, void *results, const usw_options_t *options);

/** Reduce segments of two arrays: USW_DOT and USW_DOTC.
 *
 *  @param[in]  operation what usw_reduce_pair() computes.
 *  @param[in]  type      of the elements of both.
 *  @param[in]  x         the first array, as usw_reduce_segments().
 *  @param[in]  y         the second one, likewise.
 *  @param[in]  n         elements of each; 0 as usw_reduce_segments().
 *  @param[in]  segments  of both arrays.
 *  @param[out] results   as usw_reduce_segments().
 *  @param[in]  options   as usw_reduce_segments().
 *  @return as usw_reduce_segments().
 *  @note Determinism, accuracy: as usw_reduce_segments(). Threads: any. Cost: one launch, one read of both arrays and of the offsets.
 *  @since 0.3
 *  @see tests/api/segments.c */
USW_API usw_status_t usw_reduce_segments_pair(usw_operation_t operation, usw_type_t type, const void *x, const void *y,
                                              size_t n, const usw_segments_t *segments, void *results,
                                              const usw_options_t *options);

USW_END_C

/** @cond */
/* What a kernel of segments gets before the words of its results (USW_RESULTS_WORDS):
 *   begins, ends     addresses of the offsets, whose bytes are 4 or 8; 0 bytes: ends is the length of every segment
 *   blocks           that the path of items and ends is cut into (engine/segments.h); 0: each segment is taken by itself
 *   stretches        memory for what blocks leave
 *   wrong            two words: the first is set to 1 where an offset is wrong; the second by a GPU, when all is written. 0: nobody asks */
#define USW_SEGMENTS_WORDS(WORD)                                                                                       \
  WORD(uint64_t, usw_begins)                                                                                           \
  WORD(uint64_t, usw_ends)                                                                                             \
  WORD(uint64_t, usw_offset_bytes)                                                                                     \
  WORD(uint64_t, usw_blocks)                                                                                           \
  WORD(uint64_t, usw_stretches)                                                                                        \
  WORD(uint64_t, usw_wrong)
#define USW_SEGMENTS_FIELD(T, name) T name;
typedef struct usw_segments_words {
  USW_SEGMENTS_WORDS(USW_SEGMENTS_FIELD)
} usw_segments_words_t;
/* The items of a portion, where so many lanes take each segment: those of longer ones are shared out (engine/team_few_items.h). */
#define USW_PORTION_ITEMS(lanes) ((lanes) < 8 ? 512 : 64 * (lanes))
/* A stretch: two accumulators and two numbers. */
#define USW_STRETCH_BYTES(accumulator_bytes) (2 * sizeof(uint64_t) + 2 * (accumulator_bytes))
/** @endcond */
/** @} */
#endif
