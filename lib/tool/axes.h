/* What --axis means: the axes of an array that are reduced, and the grid of results along those that stay. Knows nothing of files. */
#ifndef USW_TOOL_AXES_H
#define USW_TOOL_AXES_H

#include "source.h"

/* --axis as it stands on the command line. */
typedef struct tool_axis_list {
  int is_said;
  size_t count;
  int axes[2 * USW_MAX_RANK]; /* negative ones count from the end */
} tool_axis_list_t;

/* The results of a reduction, row-major. Without --axis there is one, and no dimension. */
typedef struct tool_grid {
  int has_axes;
  uint32_t axes; /* bits USW_AXIS(k) */
  int dimensions;
  uint64_t shape[USW_MAX_RANK];
  size_t count;
} tool_grid_t;

/* The grid of a source; 0, or -1 with a line in source->problem. */
int tool_make_grid(tool_source_t *source, const tool_axis_list_t *list, tool_grid_t *grid);

/* The source's elements, which are in memory, as the library's array. */
usw_array_t tool_array_of(const tool_source_t *source, const void *elements);

/* The position of result k as text: "1,2"; "" where there is one result. */
enum { TOOL_GRID_POSITION_BYTES = 24 * USW_MAX_RANK };
const char *tool_grid_position(const tool_grid_t *grid, size_t k, char text[TOOL_GRID_POSITION_BYTES]);

#endif
