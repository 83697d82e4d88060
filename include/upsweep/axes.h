/** @defgroup axes Reductions along axes
 *  One result for each row, column or plane of an array: any axes of an array of up to eight dimensions, with any strides.
 *  @code{.c}
 *     const usw_array_t a = usw_array_2d(USW_F64, x, rows, columns);
 *     usw_reduce_axes(USW_PLUS, &a, USW_AXIS(1), row_sums, NULL);        one sum for each row
 *     usw_reduce_axes(USW_PLUS, &a, USW_AXIS(0), column_sums, NULL);     one sum for each column
 *  @endcode
 *  @{ */
#ifndef UPSWEEP_AXES_H
#define UPSWEEP_AXES_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** The most dimensions of an array. */
#define USW_MAX_RANK 8

/** Axis number k, from 0 on, in a set of axes: USW_AXIS(0) | USW_AXIS(2). */
#define USW_AXIS(k) (1u << (k))
/** Every axis of an array: one result. */
#define USW_ALL_AXES (~0u)

/* The tag has _t: in C++ a function of the name of a structure hides its constructor. */
/** An array of up to eight dimensions, which the caller owns. Element (i, j, ...) is data[i * stride[0] + j * stride[1] + ...]. */
typedef struct usw_array_t {
  size_t size;                 /**< sizeof(usw_array_t) */
  const void *data;            /**< element (0, 0, ...); host or device memory; may be NULL where there is no element */
  usw_type_t type;             /**< of the elements */
  uint32_t rank;               /**< dimensions, 0 to USW_MAX_RANK; 0: one element */
  size_t extent[USW_MAX_RANK]; /**< of each dimension; 0: there is no element */
  ptrdiff_t
      stride[USW_MAX_RANK]; /**< of each dimension, in elements; may be negative, and 0: the same elements again */
} usw_array_t;

/** An array of `rank` dimensions.
 *
 *  @param[in] type    of the elements.
 *  @param[in] data    element (0, 0, ...), host or device memory, owned by the caller.
 *  @param[in] rank    dimensions, at most USW_MAX_RANK.
 *  @param[in] extents `rank` of them; not kept.
 *  @param[in] strides `rank` of them, in elements; not kept. NULL: the last dimension is the fastest, without gaps, as in C.
 *  @return the array, by value; with a rank over USW_MAX_RANK, which calls refuse, nothing else is filled in.
 *  @note Threads: any.  @since 0.3 */
static inline usw_array_t usw_array(usw_type_t type, const void *data, uint32_t rank, const size_t *extents,
                                    const ptrdiff_t *strides) {
  usw_array_t array;
  ptrdiff_t packed = 1;
  array.size = sizeof array;
  array.data = data;
  array.type = type;
  array.rank = rank;
  for (uint32_t d = 0; d < USW_MAX_RANK; d++)
    array.extent[d] = 1, array.stride[d] = 0;
  for (uint32_t d = rank <= USW_MAX_RANK ? rank : 0; d-- > 0; packed = (ptrdiff_t)((size_t)packed * extents[d])) {
    array.extent[d] = extents[d];
    array.stride[d] = strides ? strides[d] : packed;
  }
  return array;
}

/** An array of two dimensions without gaps, the last one the fastest: usw_array() with less to write.
 *
 *  @param[in] type    of the elements.
 *  @param[in] data    rows * columns elements, host or device memory, owned by the caller.
 *  @param[in] rows    extent of dimension 0.
 *  @param[in] columns extent of dimension 1.
 *  @return the array, by value.
 *  @note Threads: any.  @since 0.3 */
static inline usw_array_t usw_array_2d(usw_type_t type, const void *data, size_t rows, size_t columns) {
  size_t extents[2];
  extents[0] = rows;
  extents[1] = columns;
  return usw_array(type, data, 2, extents, NULL);
}

/** The same with three dimensions.
 *
 *  @param[in] type    of the elements.
 *  @param[in] data    planes * rows * columns elements, host or device memory, owned by the caller.
 *  @param[in] planes  extent of dimension 0.
 *  @param[in] rows    extent of dimension 1.
 *  @param[in] columns extent of dimension 2.
 *  @return the array, by value.
 *  @note Threads: any.  @since 0.3 */
static inline usw_array_t usw_array_3d(usw_type_t type, const void *data, size_t planes, size_t rows, size_t columns) {
  size_t extents[3];
  extents[0] = planes;
  extents[1] = rows;
  extents[2] = columns;
  return usw_array(type, data, 3, extents, NULL);
}

USW_BEGIN_C

/** Reduce an array along some of its axes: one result for each position along the axes that stay.
 *
 *  @param[in]  operation what to compute, for each result what usw_reduce() computes; of one stream.
 *  @param[in]  array     what to reduce; read during the call only.
 *  @param[in]  axes      the axes to reduce, bits USW_AXIS(k); USW_ALL_AXES: one result; 0: each element by itself.
 *  @param[out] results   the results, of the type that usw_reduce() writes, one behind the other, row-major over the axes that stay;
 *                        host memory, or memory of the device that the call runs on; owned by the caller. Unchanged after an error, if
 *                        they are in host memory.
 *  @param[in]  options   NULL: the defaults. stride is not looked at; strategy is USW_AUTO_STRATEGY, on devices also USW_STRATEGY_TREE.
 *  @return USW_OK, also where the reduced axes have no element: the results are those of usw_reduce() with n = 0 then;
 *          USW_ERROR_INVALID (array or results NULL, a rank over USW_MAX_RANK, an axis that the array has not, an array larger
 *          than the address space, over 2^63 - 1 elements); USW_ERROR_VERSION (sizes); USW_ERROR_UNSUPPORTED (there is no such
 *          operation of this type, accuracy USW_EXACT or a fold of sums); USW_ERROR_PLACE, USW_ERROR_DEVICE,
 *          USW_ERROR_MEMORY as usw_reduce(). Arrays in host memory may be staged (@ref staging).
 *          The index of argmin and argmax is that along the reduced axes, row-major: a result's items count from 0.
 *  @note Determinism: the same bits on every run, for any number of teams and threads. They depend on the extents and strides of the
 *        whole array, not on its address.
 *        Accuracy: as usw_reduce(), but on GPUs chains of additions along columns may be as long as a column. Threads: any. Cost: one
 *        launch and one read of the array, no allocation after the first call.
 *  @since 0.3
 *  @see tests/api/axes.c */
USW_API usw_status_t usw_reduce_axes(usw_operation_t operation, const usw_array_t *array, uint32_t axes, void *results,
                                     const usw_options_t *options);

/** Reduce two arrays of the same extents along some of their axes: USW_DOT and USW_DOTC.
 *
 *  @param[in]  operation what usw_reduce_pair() computes.
 *  @param[in]  x         the first array.
 *  @param[in]  y         the second: the same type, rank and extents, strides of its own.
 *  @param[in]  axes      as usw_reduce_axes().
 *  @param[out] results   as usw_reduce_axes().
 *  @param[in]  options   as usw_reduce_axes().
 *  @return as usw_reduce_axes(); USW_ERROR_INVALID also for arrays that differ in type, rank or an extent; USW_ERROR_UNSUPPORTED
 *          also where one of them is to be staged and the other is on the device.
 *  @note Determinism, accuracy: as usw_reduce_axes(). Threads: any. Cost: one launch and one read of both arrays.  @since 0.3
 *  @see tests/api/axes.c */
USW_API usw_status_t usw_reduce_axes_pair(usw_operation_t operation, const usw_array_t *x, const usw_array_t *y,
                                          uint32_t axes, void *results, const usw_options_t *options);

USW_END_C

/** @cond */
/* What a kernel with many results gets behind its own arguments: how many items and results there are, as bits which reducers do not take
 * original values, and how many threads of a GPU take the items of a result: a power of two up to a sub-group, or a team. */
#define USW_RESULTS_WORDS(WORD)                                                                                        \
  WORD(uint64_t, usw_items) WORD(uint64_t, usw_results) WORD(uint64_t, usw_fresh) WORD(uint64_t, usw_lanes)
/* The library's kernels of axes: before these the words of the axes, with steps in each of at most two streams and in the results.
 * Results are visited in the order of their elements in memory, which need not be that of the results.
 *   length      items of a run: the extent of the innermost reduced axis, whose steps are the streams' strides
 *   width       results of a line: the extent of the innermost axis that stays, and its steps
 *   levels      the other axes, the fastest first: those that stay, then those that are reduced
 *   pieces      of each result, and items of a piece; of columns: of each strip. left_by_pieces: on processors the address of what pieces leave
 *   across      threads of a team that take columns side by side; 0: rows. On processors 1: columns, USW_ROWS_SIDE_BY_SIDE: short rows,
 *               USW_ROWS_IN_LANES: rows whose items follow each other
 *   strips      of columns: what a team takes at once, of all lines and of one
 *   vectors     1: a thread takes several columns at once, which lie on boundaries of their size; the items of each are those that a thread
 *               of one column would take
 *   way, run_lanes   of rows: how runs are taken, and by how many threads each */
#define USW_FEW_AXES_WORDS(WORD)                                                                                       \
  WORD(uint64_t, usw_length)                                                                                           \
  WORD(uint64_t, usw_length_magic)                                                                                     \
  WORD(uint64_t, usw_width)                                                                                            \
  WORD(uint64_t, usw_width_magic)                                                                                      \
  WORD(uint64_t, usw_column_step)                                                                                      \
  WORD(uint64_t, usw_second_column_step)                                                                               \
  WORD(uint64_t, usw_result_step)                                                                                      \
  WORD(uint64_t, usw_kept_levels)                                                                                      \
  WORD(uint64_t, usw_reduced_levels)                                                                                   \
  WORD(uint64_t, usw_pieces)                                                                                           \
  WORD(uint64_t, usw_items_of_piece)                                                                                   \
  WORD(uint64_t, usw_left_by_pieces)                                                                                   \
  WORD(uint64_t, usw_across)                                                                                           \
  WORD(uint64_t, usw_strips)                                                                                           \
  WORD(uint64_t, usw_strips_of_line)                                                                                   \
  WORD(uint64_t, usw_has_vectors)                                                                                      \
  WORD(uint64_t, usw_way)                                                                                              \
  WORD(uint64_t, usw_run_lanes)                                                                                        \
  USW_LEVEL_WORDS(WORD, 0)                                                                                             \
  USW_LEVEL_WORDS(WORD, 1)
#define USW_MORE_AXES_WORDS(WORD)                                                                                      \
  USW_LEVEL_WORDS(WORD, 2)                                                                                             \
  USW_LEVEL_WORDS(WORD, 3)                                                                                             \
  USW_LEVEL_WORDS(WORD, 4)                                                                                             \
  USW_LEVEL_WORDS(WORD, 5)                                                                                             \
  USW_LEVEL_WORDS(WORD, 6)
#define USW_AXES_WORDS(WORD) USW_FEW_AXES_WORDS(WORD) USW_MORE_AXES_WORDS(WORD)
#define USW_LEVEL_WORDS(WORD, k)                                                                                       \
  WORD(uint64_t, usw_extent_of_level_##k)                                                                              \
  WORD(uint64_t, usw_magic_of_level_##k)                                                                               \
  WORD(uint64_t, usw_step_of_level_##k)                                                                                \
  WORD(uint64_t, usw_second_step_of_level_##k)                                                                         \
  WORD(uint64_t, usw_result_step_of_level_##k)
#define USW_AXES_FIELD(T, name) T name;
typedef struct usw_axes_words {
  USW_AXES_WORDS(USW_AXES_FIELD)
} usw_axes_words_t;
/* Kernels of users with USW_AXES have the axes of a space: before the words of the axes, of which there are fewer, these. The first step of
 * the axes is in elements, the second in positions, row-major; the streams' strides are those of the caller.
 *   run_step    elements from one item of a run to the next, and positions
 *   columns     of the space, and rows; indices begin at start, and have steps
 *   run_step_k  what index k grows by from one item of a run to the next; line_step_k: from one result of a line to the next */
#define USW_AXES_OF_SPACE_WORDS(WORD)                                                                                  \
  WORD(uint64_t, usw_run_step)                                                                                         \
  WORD(uint64_t, usw_positions_of_item)                                                                                \
  WORD(uint64_t, usw_columns)                                                                                          \
  WORD(uint64_t, usw_columns_magic)                                                                                    \
  WORD(uint64_t, usw_rows)                                                                                             \
  WORD(uint64_t, usw_rows_magic)                                                                                       \
  USW_INDEX_WORDS(WORD, 0)                                                                                             \
  USW_INDEX_WORDS(WORD, 1)                                                                                             \
  USW_INDEX_WORDS(WORD, 2)
#define USW_INDEX_WORDS(WORD, k)                                                                                       \
  WORD(uint64_t, usw_start_##k)                                                                                        \
  WORD(uint64_t, usw_step_##k)                                                                                         \
  WORD(uint64_t, usw_run_step_##k)                                                                                     \
  WORD(uint64_t, usw_line_step_##k)
typedef struct usw_axes_of_space_words {
  USW_AXES_OF_SPACE_WORDS(USW_AXES_FIELD)
} usw_axes_of_space_words_t;
#define USW_AXES_COUNT(T, name) +1
enum { USW_FEW_AXES_WORDS_COUNT = 0 USW_FEW_AXES_WORDS(USW_AXES_COUNT) };
typedef struct usw_results_words {
  USW_RESULTS_WORDS(USW_AXES_FIELD)
} usw_results_words_t;
/* Columns of a thread, elements of one load: fewer where their accumulators would take many registers, and of bytes. (H200, 2^14 rows and columns,
 * axis 0, us: sum of u8 115 with 16, 82 with 8, 83 with 4; largest of u8 104, 89, 82; its place, with 8 131, with 4 90; of f16 190 with 8, 149 with
 * 4, 141 with 2; sum of f16 138 with 8, 144 with 4.) */
#define USW_COLUMNS_OF_THREAD(accumulator_bytes, block, sees_words)                                                     \
  ((accumulator_bytes) * 8 <= USW_REGISTERS_OF_COLUMNS(block) && (block) >= 8   ? 8                                     \
   : (accumulator_bytes) * 4 <= USW_REGISTERS_OF_COLUMNS(block) && (block) >= 4 ? 4                                     \
   : (accumulator_bytes) * 2 <= 128 && (block) >= 2                             ? USW_FEWEST_COLUMNS(block, sees_words) \
                                                                                : 1)
#define USW_REGISTERS_OF_COLUMNS(block) ((block) >= 16 ? 64 : 32)                     /* bytes */
#define USW_FEWEST_COLUMNS(block, sees_words) ((block) >= 16 && (sees_words) ? 4 : 2) /* those of a word, of bytes */
enum {
  USW_STRIP_BYTES = 64 /* of an accumulator that team memory folds; threads do not share columns of larger ones */
};
enum { USW_WORDS_OF_LEVEL = 5, USW_MOST_LEVELS = 7, USW_ROWS_SIDE_BY_SIDE = 2, USW_ROWS_IN_LANES = 3 };
enum { USW_ROWS_TOGETHER = 8 /* in lanes, that are folded at once: a multiple of 4 */ };
enum {
  USW_RUNS_IN_BLOCKS = 0,   /* 16 bytes at a time */
  USW_RUNS_IN_ELEMENTS = 1, /* neighbours take neighbouring elements: short runs, and those with gaps */
  USW_ITEMS_ALONE = 2       /* each item is looked for: runs of a few items */
};
#define USW_FEW_LEVELS(LEVEL) LEVEL(0) LEVEL(1)
#define USW_MORE_LEVELS(LEVEL) LEVEL(2) LEVEL(3) LEVEL(4) LEVEL(5) LEVEL(6)
/** @endcond */
/** @} */
#endif
