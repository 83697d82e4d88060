/* One sweep over a data set, buffer by buffer. */
#ifndef USW_TOOL_SWEEP_H
#define USW_TOOL_SWEEP_H

#include "device.h"
#include "inputs.h"

typedef struct tool_sweep {
  const char *command;
  const tool_inputs_t *inputs;
  tool_sources_t *sources;
  const tool_device_t *device; /* whose memory the buffers are in */
  size_t buffer_bytes;
  int (*take)(void *context, const void *elements,
              size_t count); /* of each buffer; anything but TOOL_OK ends the sweep */
  void *context;
} tool_sweep_t;

/* Bytes of a buffer: what the command line says, or what suits the place. */
size_t tool_buffer_bytes(const tool_inputs_t *inputs, const usw_options_t *options);

/* Read all elements; TOOL_OK, what `take` returned, or another exit code after one line. */
int tool_sweep(const tool_sweep_t *sweep, double *seconds_out);

/* One processor belongs to the thread that reads: the library's threads would spin on it while they wait. Before the
 * library's first call. */
void tool_leave_room_for_reader(void);

#endif
