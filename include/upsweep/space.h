/** @defgroup space Iteration spaces of two and three dimensions
 *  What a kernel with USW_DIMENSIONS 2 or 3 visits: a box of indices, or every so-manieth of them, in an array that may
 *  be larger than the box.
 *  @code{.c}
 *  usw_space_t all = usw_space_2d(rows, columns);
 *  usw_space_t inner = usw_space_slice(usw_space_slice(all, 0, 1, rows - 2, 1), 1, 1, columns - 2, 1);
 *  status = residual(&inner, b, ax, &sum2, NULL);
 *  @endcode
 * Dimensions are numbered as the body's indices are written: USW_VISIT(k, j, i) has k in dimension 0, i in the last,
 * which is the fastest in memory. The body sees indices, not positions: in dimension d they are start[d] + p * step[d]
 * for p from 0 to extent[d] - 1.
 * An IN stream's address is that of the element with all indices 0, whether or not the space visits it; the body gets
 * the element of its indices: x[k * pitch[1] + j * pitch[0] + i]. Where the space has negative indices that address
 * must still lie in the array, which then begins before it. usw_options_t::stride[d] of a stream multiplies this number
 * of the element.
 *  @{ */
#ifndef UPSWEEP_SPACE_H
#define UPSWEEP_SPACE_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/descriptor.h>

/** An iteration space. What is not set is zero, and zero means the default. */
typedef struct usw_space {
  size_t size;         /**< USW_INIT(usw_space_t) */
  uint32_t dimensions; /**< 2 or 3: as many as the kernel has */
  size_t extent[3];    /**< number of indices; 0 in any dimension: an empty space */
  ptrdiff_t start[3];  /**< first index */
  ptrdiff_t step[3];   /**< from one index to the next, also negative; 0 = 1 */
  /** Positions of a tile; 0 = all of the dimension, as is more than the extent. Tiles change the order in which items
   *  are visited, not what is visited: tile after tile, and in each row by row. Cut short at the end of a dimension.
   *  The order of the items in which a kernel with USW_ORDERED combines is this one. */
  size_t tile[3];
  /** Elements of an IN stream from one index to the next of the dimension before the last ([0]), and of the one before
   *  that ([1]). 0: no gap, which needs the faster dimension to be whole (indices 0 to extent - 1 in any order). Kernels
   *  without a stream do not use it. */
  size_t pitch[2];
} usw_space_t;

/** A space of two dimensions that is a whole array.
 *
 *  @param[in] rows    number of values of the first index, 0 to rows - 1.
 *  @param[in] columns number of values of the second, the fastest in memory.
 *  @return the space: start 0, step 1, no tiles, no gaps.
 *  @note Threads: a function of its arguments.  @since 0.1  @see tests/api/spaces.c */
static inline usw_space_t usw_space_2d(size_t rows, size_t columns) {
  const usw_space_t space = {USW_INIT(usw_space_t), 2, {rows, columns, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0}};
  return space;
}

/** A space of three dimensions that is a whole array.
 *
 *  @param[in] planes  number of values of the first index, 0 to planes - 1.
 *  @param[in] rows    number of values of the second.
 *  @param[in] columns number of values of the third, the fastest in memory.
 *  @return the space: start 0, step 1, no tiles, no gaps.
 *  @note Threads: a function of its arguments.  @since 0.1  @see tests/api/spaces.c */
static inline usw_space_t usw_space_3d(size_t planes, size_t rows, size_t columns) {
  const usw_space_t space = {
      USW_INIT(usw_space_t), 3, {planes, rows, columns}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0}};
  return space;
}

/** Part of a space in one dimension, in the same array: the interior of a mesh, every second column, one plane.
 *
 *  Sets start, extent and step of that dimension anew, and the pitches that were 0 to those of the array so far; slice
 *  each dimension once.
 *  @param[in] space     a whole array, or one with other dimensions sliced before.
 *  @param[in] dimension 0, 1 or 2; another value gives the space as it was.
 *  @param[in] start     first index.
 *  @param[in] extent    number of indices.
 *  @param[in] step      from one index to the next; 0 = 1.
 *  @return the part.
 *  @note Threads: a function of its arguments.  @since 0.1  @see tests/api/spaces.c */
static inline usw_space_t usw_space_slice(usw_space_t space, unsigned dimension, ptrdiff_t start, size_t extent,
                                          ptrdiff_t step) {
  if (dimension >= space.dimensions || space.dimensions > 3)
    return space;
  if (space.pitch[0] == 0)
    space.pitch[0] = space.extent[space.dimensions - 1];
  if (space.dimensions == 3 && space.pitch[1] == 0)
    space.pitch[1] = space.pitch[0] * space.extent[1];
  space.start[dimension] = start;
  space.extent[dimension] = extent;
  space.step[dimension] = step;
  return space;
}

/** @cond */
/* What a kernel gets to know of its space: arguments before those in its list. Starts and steps are modulo 2^64; a magic
 * number is (2^64 - 1) / divisor, to divide without a division: by the extent, a tile, the tile that the end cuts short
 * (last), and the items of a plane that tiles side by side have (slab). */
#define USW_SPACE_WORDS_2(WORD)                                                                                        \
  WORD(uint64_t, usw_facts)                                                                                            \
  WORD(uint64_t, usw_columns)                                                                                          \
  WORD(uint64_t, usw_columns_magic)                                                                                    \
  WORD(uint64_t, usw_column_start)                                                                                     \
  WORD(uint64_t, usw_column_step)                                                                                      \
  WORD(uint64_t, usw_tile_columns)                                                                                     \
  WORD(uint64_t, usw_tile_columns_magic)                                                                               \
  WORD(uint64_t, usw_last_columns_magic)                                                                               \
  WORD(uint64_t, usw_rows)                                                                                             \
  WORD(uint64_t, usw_row_start)                                                                                        \
  WORD(uint64_t, usw_row_step)                                                                                         \
  WORD(uint64_t, usw_row_pitch)                                                                                        \
  WORD(uint64_t, usw_row_slab_magic)                                                                                   \
  WORD(uint64_t, usw_tile_rows)                                                                                        \
  WORD(uint64_t, usw_tile_rows_magic)                                                                                  \
  WORD(uint64_t, usw_last_rows_magic)
#define USW_SPACE_WORDS_3(WORD)                                                                                        \
  USW_SPACE_WORDS_2(WORD)                                                                                              \
  WORD(uint64_t, usw_rows_magic)                                                                                       \
  WORD(uint64_t, usw_planes)                                                                                           \
  WORD(uint64_t, usw_plane_start)                                                                                      \
  WORD(uint64_t, usw_plane_step)                                                                                       \
  WORD(uint64_t, usw_plane_pitch)                                                                                      \
  WORD(uint64_t, usw_plane_slab_magic)                                                                                 \
  WORD(uint64_t, usw_tile_planes)                                                                                      \
  WORD(uint64_t, usw_tile_planes_magic)                                                                                \
  WORD(uint64_t, usw_last_planes_magic)
#define USW_SPACE_FIELD(T, name) T name;
#define USW_SPACE_COUNT(T, name) +1
typedef struct usw_layout {
  USW_SPACE_WORDS_3(USW_SPACE_FIELD)
} usw_layout_t;

enum {
  USW_SPACE_ARGUMENT_COUNT_2 = 0 USW_SPACE_WORDS_2(USW_SPACE_COUNT),
  USW_SPACE_ARGUMENT_COUNT_3 = 0 USW_SPACE_WORDS_3(USW_SPACE_COUNT),
  /* facts, as bits */
  USW_SPACE_NARROW = 1,  /* fewer than 2^32 - 1 items */
  USW_SPACE_UNTILED = 2, /* items are in the order of their positions */
  USW_SPACE_UNIT = 4,    /* every step is 1 */
  USW_SPACE_PACKED = 8,  /* item i has element i of the streams; all of the above but NARROW, and starts of 0 */
  USW_SPACE_EVEN = 16    /* rows are whole blocks: known in the kernel only */
};
/** @endcond */

USW_BEGIN_C

/** Run a kernel over a space: what the function made by kernel_end.h calls for two and three dimensions.
 *
 *  @param[in]     kernel     its descriptor; must live as long as the program.
 *  @param[in]     dimensions of the kernel: 2 or 3.
 *  @param[in]     space      what to visit; read during the call only.
 *  @param[in,out] arguments      the arguments in list order; those of the space come first and are filled in here.
 *  @param[in,out] variables  as usw_kernel_run().
 *  @param[in]     options    as usw_kernel_run().
 *  @return as usw_kernel_run(); USW_ERROR_VERSION (the space's size); USW_ERROR_INVALID (space NULL; not of the kernel's
 *          dimensions; over 2^63 - 1 items; indices or elements beyond an address; a pitch of 0 where the faster
 *          dimension is not whole).
 *  @note Determinism: which items a thread visits, and in which order, depends on the space's extents and tiles alone.
 *        Accuracy, threads: as usw_kernel_run(). Cost: an item's indices cost a few instructions; streams of a space with
 *        gaps, steps or tiles are loaded element by element; where a space has tiles, an item on a device costs about a
 *        hundred instructions more.  @since 0.1
 *  @see tests/api/spaces.c */
USW_API usw_status_t usw_kernel_run_space(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                          uint64_t *arguments, const usw_variable_t *variables,
                                          const usw_options_t *options);

/** Run a kernel with USW_AXES: what the function made by kernel_end.h calls.
 *
 *  @param[in]     kernel     its descriptor; must live as long as the program.
 *  @param[in]     dimensions of the kernel: 2 or 3.
 *  @param[in]     space      what to visit, without tiles; read during the call only.
 *  @param[in]     axes       the dimensions to reduce, bits USW_AXIS(k), k as in the space; USW_ALL_AXES: one result; 0: each item by itself.
 *  @param[in]     arguments  the arguments in list order, behind which the library has its own.
 *  @param[in,out] variables  for each reducer the address of an array of results, row-major over the axes that stay, in host memory or memory
 *                            of the device that the call runs on; owned by the caller; the extent is not looked at. Unchanged on failure,
 *                            if they are in host memory.
 *  @param[in]     options    as usw_kernel_run(); stride is that of each stream, as in usw_kernel_run_space().
 *  @return as usw_kernel_run_space() and usw_reduce_axes(); USW_ERROR_INVALID also for an axis that the kernel has not;
 *          USW_ERROR_UNSUPPORTED also for a kernel without USW_AXES, and for a space with tiles.
 *  @note Determinism: as usw_reduce_axes(). Accuracy, threads: as usw_kernel_run(). Cost: one launch, one read of each stream; a row of
 *        the space is at most one run of a result, whose indices are found once.  @since 0.3
 *  @see tests/api/axes_kernels.c */
USW_API usw_status_t usw_kernel_run_axes(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                         uint32_t axes, const uint64_t *arguments, const usw_variable_t *variables,
                                         const usw_options_t *options);

USW_END_C
/** @} */
#endif
