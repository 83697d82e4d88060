/* What --axis, --segments and --keys mean: what of an array is reduced, and the grid of results. Knows nothing of files. */
#ifndef USW_TOOL_AXES_H
#define USW_TOOL_AXES_H

#include "axis_list.h"
#include "column.h"

/* The results of a reduction, row-major. Without one of these options there is one, and no dimension. */
typedef struct tool_grid {
  const char *option;                   /* "--axis" for example; NULL: none */
  uint32_t axes;                        /* bits USW_AXIS(k) */
  const tool_column_t *segments, *keys; /* NULL: none */
  const void *column;                   /* theirs, where the place that reduces can read them */
  void *unique, *unique_there;          /* the key of each run, in host memory and at that place */
  int dimensions;
  uint64_t shape[USW_MAX_RANK];
  size_t count;
} tool_grid_t;

/* The grid of a source; 0, or -1 with a line in source->problem. */
int tool_make_grid(tool_source_t *source, const tool_axis_list_t *list, tool_grid_t *grid);

/* Likewise, of segments. */
int tool_make_grid_of_segments(tool_source_t *source, const tool_column_t *segments, tool_grid_t *grid);

/* Likewise, of keys: as many results as there may be. */
int tool_make_grid_of_keys(tool_source_t *source, const tool_column_t *keys, tool_grid_t *grid);

/* Of one dimension, as a scan takes and gives it: a result for each element. */
int tool_make_grid_of_scan(tool_source_t *source, tool_grid_t *grid);

/* Reduce the source's `count` elements, which are in memory, to the results of the grid; of keys it gets as many
 * results as there are runs. */
usw_status_t tool_reduce_grid(tool_grid_t *grid, usw_operation_t operation, const tool_source_t *source,
                              const void *elements, size_t count, void *results, const usw_options_t *options);

/* The position of result k as text: "1,2", or its key; "" where there is one result. */
enum { TOOL_GRID_POSITION_BYTES = 24 * USW_MAX_RANK };
const char *tool_grid_position(const tool_grid_t *grid, size_t k, char text[TOOL_GRID_POSITION_BYTES]);

#endif
