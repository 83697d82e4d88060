#include "policy/axes.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"

enum {
  STREAMS = 2,
  MOST_OF_PLANE = 1 << 28 /* positions, and steps: elements of 16 bytes lie within the address space then */
};

/* An axis: its extent, and its steps in the arrays and in the results. */
typedef struct {
  size_t extent;
  ptrdiff_t step[STREAMS];
  size_t result_step;
  uint32_t dimension; /* of a space */
} axis_t;

/* Axes, the slowest first. */
typedef struct {
  axis_t of[USW_MAX_RANK];
  uint32_t count;
} axes_t;

/* ---- checks ---- */

static usw_status_t check_array(const char *name, const usw_array_t *array, const usw_kernel_t *kernel, uint32_t a) {
  static const char *const which[] = {"array", "second array"};
  if (!array)
    return uswi_fail(USW_ERROR_INVALID, "%s: the %s is NULL", name, which[a]);
  if (array->size != sizeof *array)
    return uswi_fail(USW_ERROR_VERSION, "%s: array.size is %zu, this library knows %zu", name, array->size,
                     sizeof *array);
  if (array->rank > USW_MAX_RANK)
    return uswi_fail(USW_ERROR_INVALID, "%s: the %s has %u dimensions, at most %d are possible", name, which[a],
                     array->rank, USW_MAX_RANK);
  if ((uint32_t)array->type != kernel->type)
    return uswi_fail(USW_ERROR_INVALID, "%s: the arrays have elements of unlike types", name);
  return USW_OK;
}

static usw_status_t check_alike(const char *name, const usw_array_t *x, const usw_array_t *y) {
  if (x->rank != y->rank)
    return uswi_fail(USW_ERROR_INVALID, "%s: the first array has %u dimensions, the second %u", name, x->rank, y->rank);
  for (uint32_t d = 0; d < x->rank; d++)
    if (x->extent[d] != y->extent[d])
      return uswi_fail(USW_ERROR_INVALID, "%s: dimension %u has extent %zu in the first array, %zu in the second", name,
                       d, x->extent[d], y->extent[d]);
  return USW_OK;
}

static usw_status_t check_axes(const char *name, const char *what, uint32_t rank, uint32_t axes) {
  const uint32_t known = (1u << rank) - 1;
  if (axes == USW_ALL_AXES || (axes & ~known) == 0)
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "%s: there is no axis %d, the %s has %u dimensions", name,
                   __builtin_ctz(axes & ~known), what, rank);
}

/* Whether elements lie further apart than addresses can. */
static int is_too_large(const usw_array_t *array, uint32_t bytes) {
  size_t most = 1;
  for (uint32_t d = 0; d < array->rank; d++) {
    size_t of_axis;
    if (__builtin_mul_overflow(array->extent[d] - 1, uswi_distance(array->stride[d]), &of_axis) ||
        __builtin_add_overflow(most, of_axis, &most))
      return 1;
  }
  return __builtin_mul_overflow(most, bytes, &most) || most > (size_t)PTRDIFF_MAX;
}

static int has_no_element(const usw_array_t *array) {
  int is_empty = 0;
  for (uint32_t d = 0; d < array->rank; d++)
    is_empty |= array->extent[d] == 0;
  return is_empty;
}

/* ---- axes ---- */

/* Append an axis, unless it has one position. */
static void append(axes_t *axes, axis_t axis) {
  if (axis.extent != 1)
    axes->of[axes->count++] = axis;
}

/* The axes that stay and those to reduce, in the order of the arrays, and how many results and items of each there are. */
static usw_status_t divide_axes(const char *name, const usw_array_t *const *arrays, uint32_t streams, uint32_t mask,
                                uswi_axes_t *out, axes_t *kept, axes_t *reduced) {
  const usw_array_t *x = arrays[0], *y = arrays[streams - 1];
  size_t elements = 1;
  int is_over = 0;
  out->items = out->results = 1;
  for (uint32_t d = x->rank; d-- > 0;) {
    const int is_reduced = mask >> d & 1;
    const axis_t axis = {x->extent[d], {x->stride[d], y->stride[d]}, is_reduced ? 0 : out->results, d};
    is_over |= __builtin_mul_overflow(elements, x->extent[d] ? x->extent[d] : 1, &elements);
    if (is_reduced)
      out->items *= x->extent[d];
    else
      out->results *= x->extent[d];
    append(is_reduced ? reduced : kept, axis);
  }
  if (is_over || elements > (size_t)INT64_MAX)
    return uswi_fail(USW_ERROR_INVALID, "%s: the array has over 2^63 - 1 elements", name);
  return USW_OK;
}

/* The same of two dimensions of which one stays, as most arrays are: there is nothing to sort or to merge, and no product too large.
 * 0: it is none of these. */
static int divide_plane(const usw_array_t *const *arrays, uint32_t streams, uint32_t mask, uswi_axes_t *out,
                        axes_t *kept, axes_t *reduced) {
  const usw_array_t *x = arrays[0], *y = arrays[streams - 1];
  const uint32_t k = mask == USW_AXIS(0), r = !k;
  int is_plane = x->rank == 2 && (mask == USW_AXIS(0) || mask == USW_AXIS(1));
  for (uint32_t d = 0; d < 2; d++)
    is_plane = is_plane && x->extent[d] - 2 < MOST_OF_PLANE - 2 && uswi_distance(x->stride[d]) < MOST_OF_PLANE &&
               uswi_distance(y->stride[d]) < MOST_OF_PLANE;
  if (!is_plane)
    return 0;
  out->items = x->extent[r];
  out->results = x->extent[k];
  append(kept, (axis_t){x->extent[k], {x->stride[k], y->stride[k]}, 1, k});
  append(reduced, (axis_t){x->extent[r], {x->stride[r], y->stride[r]}, 0, r});
  return 1;
}

/* Whether a comes before b in memory: a longer step; the same elements again are the slowest. */
static int is_slower(const axis_t *a, const axis_t *b) {
  const size_t of_a = uswi_distance(a->step[0]), of_b = uswi_distance(b->step[0]);
  return of_a == 0 ? of_b != 0 : of_b != 0 && of_a > of_b;
}

/* From fastest first in the order of the array to slowest first; sorted by their steps unless the order of the items matters. */
static void order(axes_t *axes, int is_fixed) {
  for (uint32_t fast = 0, slow = axes->count; fast + 1 < slow;) {
    const axis_t axis = axes->of[fast];
    axes->of[fast++] = axes->of[--slow];
    axes->of[slow] = axis;
  }
  for (uint32_t k = 1; k < axes->count && !is_fixed; k++) {
    const axis_t axis = axes->of[k];
    uint32_t at = k;
    for (; at > 0 && is_slower(&axis, &axes->of[at - 1]); at--)
      axes->of[at] = axes->of[at - 1];
    axes->of[at] = axis;
  }
}

static int follows(const axis_t *outer, const axis_t *inner) {
  const ptrdiff_t extent = (ptrdiff_t)inner->extent;
  return outer->step[0] == inner->step[0] * extent && outer->step[1] == inner->step[1] * extent &&
         outer->result_step == inner->result_step * inner->extent;
}

/* Make neighbours one axis where they are one. */
static void merge(axes_t *axes) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < axes->count; k++) {
    if (count > 0 && follows(&axes->of[count - 1], &axes->of[k])) {
      const size_t extent = axes->of[count - 1].extent * axes->of[k].extent;
      axes->of[count - 1] = axes->of[k];
      axes->of[count - 1].extent = extent;
    } else {
      axes->of[count++] = axes->of[k];
    }
  }
  axes->count = count;
}

/* ---- words ---- */

/* Take the innermost axis, or one of a single position. */
static axis_t take_innermost(axes_t *axes) {
  const axis_t none = {1, {0, 0}, 0, USW_MAX_RANK};
  return axes->count > 0 ? axes->of[--axes->count] : none;
}

/* The levels of the axes that are left, the fastest first, from level number `level` on. */
static void put_levels(const axes_t *axes, uint64_t level, usw_axes_words_t *out) {
  for (uint32_t k = 0; k < axes->count; k++) {
    const axis_t *axis = &axes->of[axes->count - 1 - k];
    const uint64_t words[USW_WORDS_OF_LEVEL] = {axis->extent, uswi_magic_of(axis->extent), (uint64_t)axis->step[0],
                                                (uint64_t)axis->step[1], axis->result_step};
    memcpy(&out->usw_extent_of_level_0 + (level + k) * USW_WORDS_OF_LEVEL, words, sizeof words);
  }
}

/* The innermost axes, whose words are not levels. */
typedef struct {
  axis_t line, run;
} innermost_t;

static innermost_t put_words(axes_t *kept, axes_t *reduced, uswi_axes_t *out) {
  const axis_t line = take_innermost(kept), run = take_innermost(reduced);
  usw_axes_words_t *words = &out->words;
  memcpy(out->strides, run.step, sizeof out->strides);
  *words = (usw_axes_words_t){.usw_length = run.extent,
                              .usw_length_magic = uswi_magic_of(run.extent),
                              .usw_width = line.extent,
                              .usw_width_magic = uswi_magic_of(line.extent),
                              .usw_column_step = (uint64_t)line.step[0],
                              .usw_second_column_step = (uint64_t)line.step[1],
                              .usw_result_step = line.result_step,
                              .usw_kept_levels = kept->count,
                              .usw_reduced_levels = reduced->count,
                              .usw_pieces = 1,
                              .usw_run_lanes = 1,
                              .usw_items_of_piece = out->items};
  put_levels(kept, 0, words);
  put_levels(reduced, kept->count, words);
  return (innermost_t){line, run};
}

usw_status_t uswi_axes_describe(const char *name, const usw_kernel_t *kernel, const usw_array_t *const *arrays,
                                uint32_t axes, uswi_axes_t *axes_out) {
  axes_t kept, reduced;
  usw_status_t status = USW_OK;
  kept.count = reduced.count = 0;
  for (uint32_t a = 0; a < kernel->stream_count && status == USW_OK; a++)
    status = check_array(name, arrays[a], kernel, a);
  if (status == USW_OK && kernel->stream_count == STREAMS)
    status = check_alike(name, arrays[0], arrays[1]);
  if (status == USW_OK && divide_plane(arrays, kernel->stream_count, axes, axes_out, &kept, &reduced)) {
    put_words(&kept, &reduced, axes_out);
    return USW_OK;
  }
  if (status == USW_OK)
    status = check_axes(name, "array", arrays[0]->rank, axes);
  if (status == USW_OK)
    status = divide_axes(name, arrays, kernel->stream_count, axes, axes_out, &kept, &reduced);
  for (uint32_t a = 0; a < kernel->stream_count && status == USW_OK; a++)
    if (!has_no_element(arrays[a]) && is_too_large(arrays[a], kernel->arguments[a].bytes))
      status =
          uswi_fail(USW_ERROR_INVALID, "%s: '%s' is larger than the address space", name, kernel->arguments[a].name);
  if (status != USW_OK)
    return status;
  order(&kept, 0);
  order(&reduced, (kernel->facts & USW_FACT_INDEX) != 0);
  merge(&kept);
  merge(&reduced);
  put_words(&kept, &reduced, axes_out);
  return USW_OK;
}

/* ---- explanations ---- */

/* The longest step in the first array of levels in a row, the slowest last; or that of the axis inside them. */
static size_t longest_step(const uint64_t (*levels)[USW_WORDS_OF_LEVEL], uint64_t count, ptrdiff_t inside) {
  return uswi_distance(count > 0 ? (ptrdiff_t)levels[count - 1][2] : inside);
}

const char *uswi_axes_kind(const uswi_axes_t *axes) {
  const usw_axes_words_t *words = &axes->words;
  uint64_t levels[USW_MOST_LEVELS][USW_WORDS_OF_LEVEL];
  const ptrdiff_t column = (ptrdiff_t)words->usw_column_step;
  const size_t reduced = uswi_distance(axes->strides[0]);
  memcpy(levels, &words->usw_extent_of_level_0, sizeof levels);
  if (axes->results == 1)
    return "all";
  if (axes->items == 1)
    return "none";
  if (words->usw_reduced_levels > 0)
    return "several";
  if (reduced < uswi_distance(column))
    return "inner";
  return reduced > longest_step(levels, words->usw_kept_levels, column) ? "outer" : "middle";
}

/* ---- axes of a space ---- */

/* Those with more than one index, whose second steps are positions. No two are made one: each has an index of its own. */
static void divide_space(const uswi_box_t *box, uint32_t mask, uswi_axes_t *out, axes_t *kept, axes_t *reduced) {
  size_t positions = 1;
  for (uint32_t d = box->dimensions; d-- > 0;) {
    const uswi_dimension_t *of = &box->of[d];
    const int is_reduced = mask >> d & 1;
    const ptrdiff_t elements = (ptrdiff_t)(of->pitch * (size_t)of->step);
    append(is_reduced ? reduced : kept,
           (axis_t){of->extent, {elements, (ptrdiff_t)positions}, is_reduced ? 0 : out->results, d});
    positions *= of->extent;
    if (is_reduced)
      out->items *= of->extent;
    else
      out->results *= of->extent;
    out->first_element += of->pitch * (size_t)of->start;
  }
}

/* Without items there may be results, one behind the other. */
static usw_status_t describe_without_items(const char *name, const usw_space_t *space, uint32_t mask, uswi_axes_t *out,
                                           axes_t *kept, axes_t *reduced) {
  int is_over = 0;
  for (uint32_t d = 0; d < space->dimensions; d++)
    if (!(mask >> d & 1))
      is_over |= __builtin_mul_overflow(out->results, space->extent[d], &out->results);
  out->items = 0;
  if (is_over || out->results > (size_t)INT64_MAX)
    return uswi_fail(USW_ERROR_INVALID, "%s: the space has over 2^63 - 1 results", name);
  append(kept, (axis_t){out->results, {0, 0}, 1, USW_MAX_RANK});
  append(reduced, (axis_t){0, {0, 0}, 0, USW_MAX_RANK});
  put_words(kept, reduced, out);
  return USW_OK;
}

/* What the kernel finds indices with: dimensions are numbered from the last, 2, down. */
static void put_space(const uswi_box_t *box, innermost_t of, uswi_axes_t *out) {
  const uint32_t before = 3 - box->dimensions, last = box->dimensions - 1;
  usw_axes_of_space_words_t *words = &out->of_space;
  *words = (usw_axes_of_space_words_t){.usw_run_step = (uint64_t)of.run.step[0],
                                       .usw_positions_of_item = (uint64_t)of.run.step[1],
                                       .usw_columns = box->of[last].extent,
                                       .usw_columns_magic = uswi_magic_of(box->of[last].extent),
                                       .usw_rows = box->of[last - 1].extent,
                                       .usw_rows_magic = uswi_magic_of(box->of[last - 1].extent)};
  uint64_t *word = &words->usw_start_0 + before * 4;
  for (uint32_t d = 0; d < box->dimensions; d++, word += 4) {
    word[0] = (uint64_t)box->of[d].start;
    word[1] = (uint64_t)box->of[d].step;
    word[2] = d == of.run.dimension ? word[1] : 0;
    word[3] = d == of.line.dimension ? word[1] : 0;
  }
}

usw_status_t uswi_axes_of_space(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                uint32_t axes, const usw_options_t *options, uswi_axes_t *axes_out) {
  axes_t kept = {.count = 0}, reduced = {.count = 0};
  uswi_box_t box;
  if (!uswi_has_axes_of_space(kernel))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s is no kernel of axes: define USW_AXES before <upsweep/kernel.h>",
                     kernel->name);
  usw_status_t status = uswi_space_measure(kernel, dimensions, space, options, &box);
  *axes_out = (uswi_axes_t){.items = 1, .results = 1};
  if (status == USW_OK)
    status = check_axes(kernel->name, "space", dimensions, axes);
  for (uint32_t d = 0; d < dimensions && status == USW_OK; d++)
    if (space->tile[d] != 0)
      status = uswi_fail(USW_ERROR_UNSUPPORTED, "%s: space.tile[%u] is %zu: kernels of axes take spaces without tiles",
                         kernel->name, d, space->tile[d]);
  if (status != USW_OK)
    return status;
  if (box.n == 0)
    return describe_without_items(kernel->name, space, axes, axes_out, &kept, &reduced);
  divide_space(&box, axes, axes_out, &kept, &reduced);
  order(&kept, 0);
  order(&reduced, 1); /* items count row-major */
  put_space(&box, put_words(&kept, &reduced, axes_out), axes_out);
  return USW_OK;
}
