/* Items to indices: what the body sees of item i, and which element of the streams is the item's.
 *
 * In one dimension an item's index is its number. In two and three the number is divided by the extents, once for each
 * block of items or row of the space; a multiplication by a magic number stands for the division. `known` is what is known of the
 * space where the code is compiled, as bits USW_SPACE_...; the rest is asked for at run time. */

#ifndef UPSWEEP_ENGINE_INDEX_ONCE
#define UPSWEEP_ENGINE_INDEX_ONCE
#define USW_INDICES(index) USW_CAT(USW_CAT(USW_INDICES_, USW_AXES_OF_SPACE), USW_DIMENSIONS)(index)
#define USW_INDICES_01(index)                                                                                          \
  index USW_WHERE_MANY(+arguments->usw_first) USW_WHERE_COUNTS_ON(+arguments->usw_first_item)
#define USW_INDICES_02(index) (ptrdiff_t)(index).row, (ptrdiff_t)(index).column
#define USW_INDICES_03(index) (ptrdiff_t)(index).plane, USW_INDICES_02(index)
#define USW_INDICES_12(index) USW_INDICES_IN_LINE_12(index, 0)
#define USW_INDICES_13(index) USW_INDICES_IN_LINE_13(index, 0)
/* Those of a result's item beside its run's, in the line of results: with axes of a space, and behind them which of the result's it is. */
#define USW_INDICES_IN_LINE(i, column)                                                                                 \
  USW_CAT(USW_CAT(USW_INDICES_IN_LINE_, USW_AXES_OF_SPACE), USW_DIMENSIONS)(i, column)
#define USW_INDICES_IN_LINE_01(i, column) (i) + arguments->usw_first
#define USW_INDICES_IN_LINE_12(i, column)                                                                              \
  USW_INDEX_IN_LINE(1, i, column), USW_INDEX_IN_LINE(2, i, column), (i) + arguments->usw_first
#define USW_INDICES_IN_LINE_13(i, column) USW_INDEX_IN_LINE(0, i, column), USW_INDICES_IN_LINE_12(i, column)
#define USW_INDEX_IN_LINE(d, i, column)                                                                                \
  (ptrdiff_t)(arguments->usw_index_##d + (i) * arguments->usw_run_step_##d + (column) * arguments->usw_line_step_##d)
#define USW_ELEMENT(index) USW_CAT(USW_ELEMENT_, USW_ITEM_DIMENSIONS)(index)
#define USW_ELEMENT_1(index) (ptrdiff_t)(index)
#define USW_ELEMENT_2(index) (ptrdiff_t)(index).element
#define USW_ELEMENT_3(index) (ptrdiff_t)(index).element

/* Where an item is: positions, from 0 to the extents, then indices. Modulo 2^64, so that indices may be negative. */
typedef struct {
  size_t plane, row, column, element;
  size_t left; /* items up to the end of this row of the space or tile, this one included */
} usw_index_t;

/* x / divisor by magic = (2^64 - 1) / divisor. Below 2^32 - 1 the product with x + 1 has the right high word; beyond, that
 * with x has it or one less. */
USW_INLINE size_t usw_quotient(size_t x, size_t divisor, uint64_t magic, int narrow) {
  const uint64_t high = magic >> 32, low = (uint32_t)magic;
  if (narrow)
    return (high * ((uint32_t)x + 1u) + ((low * ((uint32_t)x + 1u)) >> 32)) >> 32;
  const uint64_t middle = high * (uint32_t)x + ((low * (uint32_t)x) >> 32), x_high = (uint64_t)x >> 32;
  const size_t least = (size_t)(high * x_high + (middle >> 32) + ((low * x_high + (uint32_t)middle) >> 32));
  return least + (x - least * divisor >= divisor);
}

USW_INLINE size_t usw_least(size_t a, size_t b) { return a < b ? a : b; }

/* Position of item i in a space without tiles. */
USW_INLINE usw_index_t usw_position(const usw_layout_t *layout, size_t i, int dimensions, int narrow) {
  usw_index_t at = {0, 0, 0, i, 0};
  at.row = usw_quotient(i, layout->usw_columns, layout->usw_columns_magic, narrow);
  at.column =
      narrow ? (uint32_t)i - (uint32_t)at.row * (uint32_t)layout->usw_columns : i - at.row * layout->usw_columns;
  at.left = layout->usw_columns - at.column;
  if (dimensions == 3) {
    const size_t row = at.row;
    at.plane = usw_quotient(row, layout->usw_rows, layout->usw_rows_magic, narrow);
    at.row =
        narrow ? (uint32_t)row - (uint32_t)at.plane * (uint32_t)layout->usw_rows : row - at.plane * layout->usw_rows;
  }
  return at;
}

/* Position of item i in a space with tiles: which slab of planes, rows and columns, each shorter at the end of its
 * dimension, then where in the tile. x / (a * b) is x / a / b, so that few divisors need magic numbers. */
USW_INLINE usw_index_t usw_tiled_position(const usw_layout_t *layout, size_t i, int dimensions, int narrow) {
  usw_index_t at = {0, 0, 0, i, 0};
  size_t slab, planes = 1, rest = i, of_plane = i;
  if (dimensions == 3) {
    slab = layout->usw_tile_planes * layout->usw_rows * layout->usw_columns;
    at.plane = usw_quotient(rest, slab, layout->usw_plane_slab_magic, narrow);
    rest -= at.plane * slab;
    at.plane *= layout->usw_tile_planes;
    planes = usw_least(layout->usw_tile_planes, layout->usw_planes - at.plane);
    of_plane = usw_quotient(
        rest, planes, planes == layout->usw_tile_planes ? layout->usw_tile_planes_magic : layout->usw_last_planes_magic,
        narrow);
  }
  slab = layout->usw_tile_rows * layout->usw_columns;
  at.row = usw_quotient(of_plane, slab, layout->usw_row_slab_magic, narrow);
  rest -= planes * at.row * slab;
  of_plane -= at.row * slab; /* still rest / planes */
  at.row *= layout->usw_tile_rows;
  const size_t rows = usw_least(layout->usw_tile_rows, layout->usw_rows - at.row);
  const uint64_t rows_magic = rows == layout->usw_tile_rows ? layout->usw_tile_rows_magic : layout->usw_last_rows_magic;
  at.column = usw_quotient(usw_quotient(of_plane, rows, rows_magic, narrow), layout->usw_tile_columns,
                           layout->usw_tile_columns_magic, narrow) *
              layout->usw_tile_columns;
  rest -= planes * rows * at.column;
  const size_t columns = usw_least(layout->usw_tile_columns, layout->usw_columns - at.column);
  const size_t row = usw_quotient(
      rest, columns,
      columns == layout->usw_tile_columns ? layout->usw_tile_columns_magic : layout->usw_last_columns_magic, narrow);
  const size_t plane = dimensions == 3 ? usw_quotient(row, rows, rows_magic, narrow) : 0;
  at.plane += plane;
  at.row += row - plane * rows;
  at.column += rest - row * columns;
  at.left = columns - (rest - row * columns);
  return at;
}

/* Position of item i; the element is that of a packed space. */
USW_INLINE usw_index_t usw_locate(const usw_layout_t *layout, size_t i, int dimensions, uint32_t known) {
  const uint64_t facts = layout->usw_facts | known;
  if (!(facts & USW_SPACE_UNTILED))
    return (facts & USW_SPACE_NARROW) ? usw_tiled_position(layout, i, dimensions, 1)
                                      : usw_tiled_position(layout, i, dimensions, 0);
  return (facts & USW_SPACE_NARROW) ? usw_position(layout, i, dimensions, 1) : usw_position(layout, i, dimensions, 0);
}

/* The position after that of `at`, in a space without tiles: by choices, not branches, so that loads may come before. */
USW_INLINE usw_index_t usw_next(const usw_layout_t *layout, usw_index_t at, int dimensions, uint32_t known) {
  at.element++;
  at.column++;
  if (known & USW_SPACE_EVEN)
    return at;
  const int is_end = at.column == layout->usw_columns;
  at.column = is_end ? 0 : at.column;
  at.row += (size_t)is_end;
  if (dimensions == 3) {
    const int is_last = at.row == layout->usw_rows;
    at.row = is_last ? 0 : at.row;
    at.plane += (size_t)is_last;
  }
  return at;
}

/* From position to indices and element. */
USW_INLINE usw_index_t usw_apply_steps(const usw_layout_t *layout, usw_index_t at, int dimensions, uint32_t known) {
  const int unit = (known & USW_SPACE_UNIT) != 0;
  if (known & USW_SPACE_PACKED)
    return at;
  at.column = layout->usw_column_start + (unit ? at.column : at.column * layout->usw_column_step);
  at.row = layout->usw_row_start + (unit ? at.row : at.row * layout->usw_row_step);
  at.element = at.row * layout->usw_row_pitch + at.column;
  if (dimensions == 3) {
    at.plane = layout->usw_plane_start + (unit ? at.plane : at.plane * layout->usw_plane_step);
    at.element += at.plane * layout->usw_plane_pitch;
  }
  return at;
}
#endif

#if USW_ITEM_DIMENSIONS == 1
typedef size_t USW_F(_index);
enum { USW_F(_known) = 0, USW_F(_known_best) = 0, USW_F(_one_by_one) = 0 };

USW_INLINE int USW_F(_knows)(const USW_F(_arguments) * arguments USW_UNUSED, uint32_t known USW_UNUSED) { return 1; }
USW_INLINE size_t USW_F(_locate)(size_t i, const USW_F(_arguments) * arguments USW_UNUSED, uint32_t known USW_UNUSED) {
  return i;
}
USW_INLINE size_t USW_F(_kth)(size_t position USW_UNUSED, size_t k USW_UNUSED, size_t i,
                              const USW_F(_arguments) * arguments USW_UNUSED, uint32_t known USW_UNUSED) {
  return i;
}
USW_INLINE size_t USW_F(_index_of)(size_t position, const USW_F(_arguments) * arguments USW_UNUSED,
                                   uint32_t known USW_UNUSED) {
  return position;
}
USW_INLINE int USW_F(_has_rows)(const USW_F(_arguments) * arguments USW_UNUSED) {
  return 1 USW_WHERE_SPACE(&&arguments->usw_run_step == 1);
}
USW_INLINE size_t USW_F(_in_run)(size_t run USW_UNUSED, size_t i, const USW_F(_arguments) * arguments USW_UNUSED,
                                 int contiguous USW_UNUSED) {
  return i;
}
#else
typedef usw_index_t USW_F(_index);
enum {
  /* the best that there is to know, and what the fast loop needs: packed streams, or the best where there is no stream */
  USW_F(_known_best) = USW_SPACE_NARROW | USW_SPACE_UNTILED | USW_SPACE_UNIT | USW_SPACE_EVEN |
                       (USW_F(_inputs) > 0 ? USW_SPACE_PACKED : 0),
  USW_F(_known) = USW_F(_inputs) > 0 ? USW_SPACE_PACKED | USW_SPACE_UNTILED | USW_SPACE_UNIT : (int)USW_F(_known_best),
  /* items outside the fast loop are visited one after the other where one is enough to load at a time */
  USW_F(_one_by_one) = USW_F(_item_bytes) == 0 || USW_F(_item_bytes) >= 32
};

USW_INLINE int USW_F(_knows)(const USW_F(_arguments) * arguments, uint32_t known) {
  const uint64_t even = arguments->usw_space.usw_columns % USW_F(_block) == 0 ? USW_SPACE_EVEN : 0;
  return ((arguments->usw_space.usw_facts | even) & known) == known;
}
USW_INLINE usw_index_t USW_F(_locate)(size_t i, const USW_F(_arguments) * arguments, uint32_t known) {
  return usw_locate(&arguments->usw_space, i, USW_DIMENSIONS, known);
}
/* The position of item i, the k-th of a block, from that of the one before it (its own, if it is the first). */
USW_INLINE usw_index_t USW_F(_kth)(usw_index_t position, size_t k, size_t i USW_UNUSED,
                                   const USW_F(_arguments) * arguments, uint32_t known) {
  return k == 0 ? position : usw_next(&arguments->usw_space, position, USW_DIMENSIONS, known);
}
USW_INLINE usw_index_t USW_F(_index_of)(usw_index_t position, const USW_F(_arguments) * arguments, uint32_t known) {
  return usw_apply_steps(&arguments->usw_space, position, USW_DIMENSIONS, known);
}
/* On the host, items whose columns follow each other are a run: its indices are those that item 0 would have in it. With
 * `contiguous` its elements follow each other too, which is true of every run or of none. */
USW_INLINE int USW_F(_has_rows)(const USW_F(_arguments) * arguments) {
  return arguments->usw_space.usw_column_step == 1;
}
USW_INLINE usw_index_t USW_F(_run_of)(usw_index_t position, size_t i, const USW_F(_arguments) * arguments) {
  usw_index_t run = USW_F(_index_of)(position, arguments, 0);
  run.column -= i * arguments->usw_space.usw_column_step;
  run.element -= i * arguments->usw_space.usw_column_step;
  return run;
}
USW_INLINE usw_index_t USW_F(_in_run)(usw_index_t run, size_t i, const USW_F(_arguments) * arguments, int contiguous) {
  run.column += contiguous ? i : i * arguments->usw_space.usw_column_step;
  run.element += contiguous ? i : i * arguments->usw_space.usw_column_step;
  return run;
}
#endif
