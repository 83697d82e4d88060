#include "axis_list.h"

#include <stdlib.h>

enum { LARGEST_AXIS = 99 };

int tool_parse_axes(const char *text, tool_axis_list_t *list) {
  *list = (tool_axis_list_t){.is_said = 1};
  for (const char *at = text;; at++) {
    char *end;
    const size_t sign = *at == '-';
    if (at[sign] < '0' || at[sign] > '9' || list->count == sizeof list->axes / sizeof *list->axes)
      return -1;
    const long axis = strtol(at, &end, 10);
    if (axis > LARGEST_AXIS || axis < -LARGEST_AXIS || (*end && *end != ','))
      return -1;
    list->axes[list->count++] = (int)axis;
    at = end;
    if (!*at)
      return 0;
  }
}

/* Counted from 0. */
static int axis_at(const tool_axis_list_t *list, size_t k, int dimensions) {
  return list->axes[k] < 0 ? list->axes[k] + dimensions : list->axes[k];
}

const int *tool_find_axes(const tool_axis_list_t *list, int dimensions, uint32_t *axes_out) {
  for (size_t k = 0; k < list->count; k++) {
    const int axis = axis_at(list, k, dimensions);
    if (axis < 0 || axis >= dimensions)
      return &list->axes[k];
    *axes_out |= USW_AXIS(axis);
  }
  return NULL;
}

int tool_find_repeated_axis(const tool_axis_list_t *list, int dimensions) {
  uint32_t before = 0;
  for (size_t k = 0; k < list->count; k++) {
    const int axis = axis_at(list, k, dimensions);
    if (before & USW_AXIS(axis))
      return axis;
    before |= USW_AXIS(axis);
  }
  return -1;
}
