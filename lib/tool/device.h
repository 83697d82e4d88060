/* Buffers on their way to the place that reduces them. */
#ifndef USW_TOOL_DEVICE_H
#define USW_TOOL_DEVICE_H

#include "stream.h"

typedef struct tool_device {
  int number;           /* OpenMP device number; -1: nothing is copied, the place reads host memory */
  int host;             /* OpenMP's number of the host */
  void *copy;           /* memory of the device */
  tool_memory_t memory; /* for the buffers of a stream */
} tool_device_t;

/* Buffers and copies have room for one more element behind their bytes. */
enum { TOOL_BYTES_BEHIND = 16 };

/* Get ready for buffers of that size; the options' place is the host or a device that the library can use. Returns 0,
 * or -1 if the device has no memory left. */
int tool_device_open(tool_device_t *device, const usw_options_t *options, size_t buffer_bytes);

/* The address of the elements at the place: where they are, or a copy. NULL: they could not be copied. */
const void *tool_device_put(const tool_device_t *device, const void *elements, size_t bytes);

/* Memory at the place for results: its own, or `memory` where the place writes host memory. */
void *tool_device_room(const tool_device_t *device, void *memory);

/* Copy these results to `memory`; 0, or -1 if they could not be copied. */
int tool_device_get(const tool_device_t *device, void *memory, size_t bytes);

void tool_device_close(tool_device_t *device);

#endif
