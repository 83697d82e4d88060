#include "axes.h"

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
  for (size_t k = 0; k < list->count; k++) {
    const int axis = list->axes[k] < 0 ? list->axes[k] + source->dimensions : list->axes[k];
    if (axis < 0 || axis >= source->dimensions)
      return refuse_axis(source, list->axes[k]);
    grid->axes |= USW_AXIS(axis);
  }
  for (int d = 0; d < source->dimensions; d++) {
    if (grid->axes >> d & 1)
      continue;
    grid->shape[grid->dimensions++] = source->shape[d];
    if (__builtin_mul_overflow(grid->count, source->shape[d], &grid->count))
      return tool_problem(source, "has more results along the axes that stay than memory can hold");
  }
  return 0;
}

int tool_make_grid_of_segments(tool_source_t *source, const tool_segments_t *segments, tool_grid_t *grid) {
  char shape[SHAPE_BYTES];
  *grid = (tool_grid_t){.option = "--segments", .segments = segments, .dimensions = 1, .count = segments->count};
  grid->shape[0] = segments->count;
  if (source->dimensions > 1)
    return tool_problem(source, "its shape is %s, --segments takes an array of one dimension",
                        shape_text(source, shape));
  return source->dimensions == 1 || source->count == TOOL_UNKNOWN_COUNT
             ? 0
             : tool_problem(source, "is one number, --segments takes an array of one dimension");
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

usw_status_t tool_reduce_grid(const tool_grid_t *grid, usw_operation_t operation, const tool_source_t *source,
                              const void *elements, size_t count, void *results, const usw_options_t *options) {
  if (!grid->segments) {
    const usw_array_t array = array_of(source, elements);
    return usw_reduce_axes(operation, &array, grid->axes, results, options);
  }
  const usw_segments_t segments = usw_segments_by_offsets(grid->segments->type, grid->offsets, grid->count);
  return usw_reduce_segments(operation, source->type->code, elements, count, &segments, results, options);
}

const char *tool_grid_position(const tool_grid_t *grid, size_t k, char text[TOOL_GRID_POSITION_BYTES]) {
  uint64_t position[USW_MAX_RANK];
  size_t used = 0;
  *text = 0;
  for (int d = grid->dimensions - 1; d >= 0; d--) {
    position[d] = k % grid->shape[d];
    k /= grid->shape[d];
  }
  for (int d = 0; d < grid->dimensions; d++)
    used += (size_t)snprintf(text + used, TOOL_GRID_POSITION_BYTES - used, "%s%" PRIu64, d ? "," : "", position[d]);
  return text;
}
