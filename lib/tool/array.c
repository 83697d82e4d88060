#include "array.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int tool_array_reserve(tool_array_t *array, const char *command, const char *label, const char *why, uint64_t bytes) {
  const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  if (bytes == UINT64_MAX)
    return TOOL_OK;
  array->data = bytes <= memory ? malloc(bytes ? bytes : 1) : NULL;
  array->room = array->data ? bytes : 0;
  return array->data
             ? TOOL_OK
             : tool_fail(command, label,
                         "%s takes its %llu bytes into memory as a whole, there are %llu: take a smaller part of it",
                         why, (unsigned long long)bytes, (unsigned long long)memory);
}

int tool_array_append(tool_array_t *array, const char *command, const void *bytes, size_t count) {
  if (count > array->room - array->bytes) {
    const size_t room = 2 * array->room + count;
    char *data = realloc(array->data, room);
    if (!data) {
      tool_fail(command, NULL, "no memory for an array of %zu bytes, which is held as a whole", room);
      return TOOL_FAILURE;
    }
    array->data = data;
    array->room = room;
  }
  memcpy(array->data + array->bytes, bytes, count);
  array->bytes += count;
  return TOOL_OK;
}

void tool_array_free(tool_array_t *array) {
  free(array->data);
  *array = (tool_array_t){NULL, 0, 0};
}

const void *tool_put(const char *command, const char *label, const usw_options_t *options, const void *memory,
                     size_t bytes, tool_device_t *device) {
  const void *there = NULL;
  if (tool_device_open(device, options, bytes))
    tool_fail(command, label, "device %d has no memory for its %zu bytes: leave out --place", options->device, bytes);
  else if (!(there = tool_device_put(device, memory, bytes)))
    tool_fail(command, label, "the copy to device %d failed", device->number);
  return there;
}
