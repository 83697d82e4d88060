#include "axes.h"
#include "value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHAPE_BYTES = 24 * TOOL_MAX_DIMENSIONS };

static const char *shape_text(const tool_source_t *source, char *text) {
  size_t used = 0;
  *text = 0;
  for (int d = 0; d < source->dimensions; d++)
    used += (size_t)snprintf(text + used, SHAPE_BYTES - used, "%s%" PRIu64, d ? "x" : "", source->shape[d]);
  return text;
}

static int refuse_axis(tool_source_t *source, int axis) {
  char shape[SHAPE_BYTES];
  if (source->dimensions == 0)
    return tool_problem(source, "is one number without axes: leave out --axis");
  return tool_problem(source, "has no axis %d: its shape is %s, --axis takes %d to %d", axis, shape_text(source, shape),
                      -source->dimensions, source->dimensions - 1);
}

int tool_make_grid(tool_source_t *source, const tool_axis_list_t *list, tool_grid_t *grid) {
  *grid = (tool_grid_t){.option = list->is_said ? "--axis" : NULL, .count = 1};
  if (!list->is_said)
    return 0;
  if (source->dimensions > USW_MAX_RANK)
    return tool_problem(source, "has %d dimensions, --axis takes at most %d: save it with fewer", source->dimensions,
                        USW_MAX_RANK);
  if (source->dimensions == 0 && source->count == TOOL_UNKNOWN_COUNT)
    return tool_problem(source, "has no axes before it is read: name its shape by --shape");
  const int *const wrong = tool_find_axes(list, source->dimensions, &grid->axes);
  if (wrong)
    return refuse_axis(source, *wrong);
  const int repeated = tool_find_repeated_axis(list, source->dimensions);
  if (repeated >= 0)
    return tool_problem(source, "--axis names axis %d of its %d twice: name it once", repeated, source->dimensions);
  for (int d = 0; d < source->dimensions; d++) {
    if (grid->axes >> d & 1)
      continue;
    grid->shape[grid->dimensions++] = source->shape[d];
    if (__builtin_mul_overflow(grid->count, source->shape[d], &grid->count))
      return tool_problem(source, "has more results along the axes that stay than memory can hold");
  }
  return 0;
}

/* Of `count` results at most, of an array of one dimension. */
static int make_grid_of_column(tool_source_t *source, size_t count, tool_grid_t *grid) {
  char shape[SHAPE_BYTES];
  grid->dimensions = 1;
  grid->shape[0] = grid->count = count;
  if (source->dimensions > 1)
    return tool_problem(source, "its shape is %s, %s takes an array of one dimension: save it flat",
                        shape_text(source, shape), grid->option);
  return source->dimensions == 1 || source->count == TOOL_UNKNOWN_COUNT
             ? 0
             : tool_problem(source, "is one number, %s takes an array of one dimension", grid->option);
}

int tool_make_grid_of_segments(tool_source_t *source, const tool_column_t *segments, tool_grid_t *grid) {
  *grid = (tool_grid_t){.option = "--segments", .segments = segments};
  return make_grid_of_column(source, segments->count - 1, grid);
}

int tool_make_grid_of_keys(tool_source_t *source, const tool_column_t *keys, tool_grid_t *grid) {
  *grid = (tool_grid_t){.option = "--keys", .keys = keys};
  return make_grid_of_column(source, keys->count, grid);
}

int tool_make_grid_of_scan(tool_source_t *source, tool_grid_t *grid) {
  *grid = (tool_grid_t){.option = "usw scan"};
  return make_grid_of_column(source, source->count == TOOL_UNKNOWN_COUNT ? 0 : source->count, grid);
}

/* The source's elements as the library's array. */
static usw_array_t array_of(const tool_source_t *source, const void *elements) {
  size_t extents[USW_MAX_RANK];
  ptrdiff_t strides[USW_MAX_RANK], packed = 1;
  for (int d = 0; d < source->dimensions; d++) {
    extents[d] = source->shape[d];
    strides[d] = packed; /* first index fastest, for Fortran order */
    packed = (ptrdiff_t)((size_t)packed * extents[d]);
  }
  return usw_array(source->type->code, elements, (uint32_t)source->dimensions, extents,
                   source->fortran ? strides : NULL);
}

static usw_status_t reduce_by_key(tool_grid_t *grid, usw_operation_t operation, usw_type_t type, const void *elements,
                                  void *results, const usw_options_t *options) {
  size_t runs = 0;
  const usw_status_t status = usw_reduce_by_key(operation, type, elements, grid->keys->type->code, grid->column,
                                                grid->keys->count, grid->unique_there, results, &runs, options);
  grid->shape[0] = grid->count = runs;
  return status;
}

usw_status_t tool_reduce_grid(tool_grid_t *grid, usw_operation_t operation, const tool_source_t *source,
                              const void *elements, size_t count, void *results, const usw_options_t *options) {
  if (grid->keys)
    return reduce_by_key(grid, operation, source->type->code, elements, results, options);
  if (!grid->segments) {
    const usw_array_t array = array_of(source, elements);
    return usw_reduce_axes(operation, &array, grid->axes, results, options);
  }
  const usw_segments_t segments = usw_segments_by_offsets(grid->segments->type->code, grid->column, grid->count);
  return usw_reduce_segments(operation, source->type->code, elements, count, &segments, results, options);
}

const char *tool_grid_position(const tool_grid_t *grid, size_t k, char text[TOOL_GRID_POSITION_BYTES]) {
  uint64_t position[USW_MAX_RANK];
  size_t used = 0;
  *text = 0;
  if (grid->keys) {
    const char *unique = (const char *)grid->unique + k * grid->keys->type->bytes;
    snprintf(text, TOOL_GRID_POSITION_BYTES, "%s", tool_element("key", grid->keys->type->code, unique).text);
    return text;
  }
  for (int d = grid->dimensions - 1; d >= 0; d--) {
    position[d] = k % grid->shape[d];
    k /= grid->shape[d];
  }
  for (int d = 0; d < grid->dimensions; d++)
    used += (size_t)snprintf(text + used, TOOL_GRID_POSITION_BYTES - used, "%s%" PRIu64, d ? "," : "", position[d]);
  return text;
}
