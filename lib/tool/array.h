/* Elements that are held in memory as a whole, and their way to the place that takes them. */
#ifndef USW_TOOL_ARRAY_H
#define USW_TOOL_ARRAY_H

#include "device.h"

typedef struct tool_array {
  char *data; /* owned */
  size_t bytes, room;
} tool_array_t;

/* Room for `bytes` bytes: none if they are more than the machine's memory. UINT64_MAX: not known, the array grows. TOOL_OK, or
 * TOOL_BAD_INPUT after one line: `why` takes the array of this label as a whole. */
int tool_array_reserve(tool_array_t *array, const char *command, const char *label, const char *why, uint64_t bytes);

/* Put bytes behind those before; TOOL_OK, or TOOL_FAILURE after one line. */
int tool_array_append(tool_array_t *array, const char *command, const void *bytes, size_t count);

void tool_array_free(tool_array_t *array);

/* The memory at the options' place: itself or a copy, which goes when the device is closed. NULL after one line about why
 * it is not there. */
const void *tool_put(const char *command, const char *label, const usw_options_t *options, const void *memory,
                     size_t bytes, tool_device_t *device);

#endif
