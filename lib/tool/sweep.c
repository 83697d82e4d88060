#include "sweep.h"
#include "tool.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  HOST_BUFFER_BYTES = 2 << 20,   /* stays in cache: measured best of 128 KiB to 8 MiB */
  DEVICE_BUFFER_BYTES = 8 << 20, /* a copy to a GPU needs some MiB to get fast */
};

size_t tool_buffer_bytes(const tool_inputs_t *inputs, const usw_options_t *options) {
  const size_t usual_bytes = options->place == USW_DEVICE ? DEVICE_BUFFER_BYTES : HOST_BUFFER_BYTES;
  return inputs->buffer_bytes ? inputs->buffer_bytes : usual_bytes;
}

int tool_sweep(const tool_sweep_t *sweep, double *seconds_out) {
  tool_stream_t stream;
  tool_progress_t progress;
  const void *buffer;
  size_t count;
  uint64_t bytes = 0;
  int failed = TOOL_OK;
  if (tool_stream_start(&stream, sweep->sources, sweep->buffer_bytes, &sweep->device->memory)) {
    tool_fail(sweep->command, NULL, "no memory for %d buffers of %zu bytes", TOOL_BUFFERS, sweep->buffer_bytes);
    return TOOL_FAILURE;
  }
  tool_progress_start(&progress, sweep->command, sweep->inputs->progress, tool_total_bytes(sweep->sources));
  const double start = tool_now();
  while (failed == TOOL_OK && (buffer = tool_stream_next(&stream, &count)) != NULL) {
    failed = sweep->take(sweep->context, buffer, count);
    bytes += count * sweep->sources->list[0].type->bytes;
    tool_progress_show(&progress, bytes);
  }
  const tool_source_t *unreadable = tool_stream_stop(&stream);
  *seconds_out = tool_now() - start;
  tool_progress_end(&progress);
  return failed == TOOL_OK && unreadable ? tool_fail_source(sweep->command, unreadable) : failed;
}

void tool_leave_room_for_reader(void) {
  cpu_set_t processors;
  char threads[16];
  if (sched_getaffinity(0, sizeof processors, &processors) != 0)
    return;
  const int count = CPU_COUNT(&processors);
  snprintf(threads, sizeof threads, "%d", count > 2 ? count - 1 : 1);
  setenv("USW_THREADS", threads, 0);
}
