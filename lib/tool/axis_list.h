/* Axes as the command line names them: "0,-1". */
#ifndef USW_TOOL_AXIS_LIST_H
#define USW_TOOL_AXIS_LIST_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/upsweep.h>

/* --axis as it stands on the command line. */
typedef struct tool_axis_list {
  int is_said;
  size_t count;
  int axes[2 * USW_MAX_RANK]; /* negative ones count from the end */
} tool_axis_list_t;

/* "0,-1"; 0, or -1 if that is no list of axes. */
int tool_parse_axes(const char *text, tool_axis_list_t *list);

/* Add its axes to a mask; the first that an array of so many dimensions has not, or NULL. */
const int *tool_find_axes(const tool_axis_list_t *list, int dimensions, uint32_t *axes_out);

/* The first axis that the list names again, counted from 0, or -1; an array of so many dimensions has all of them. */
int tool_find_repeated_axis(const tool_axis_list_t *list, int dimensions);

#endif
