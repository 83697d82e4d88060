#include "segments.h"
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 18 };

static int check(tool_source_t *source) {
  const usw_type_t type = source->type->code;
  if (type != USW_I32 && type != USW_U32 && type != USW_I64 && type != USW_U64)
    return tool_problem(source, "its elements are %s, --segments takes i32, u32, i64 or u64", source->type->name);
  if (source->dimensions != 1)
    return tool_problem(source, "has %d dimensions, offsets of --segments have 1", source->dimensions);
  return source->count > 0 ? 0 : tool_problem(source, "is empty, there is one offset more than segments");
}

/* Every element, in this machine's order of bytes. */
static int read_all(tool_segments_t *segments, tool_sources_t *sources, tool_source_t *failed) {
  const usw_options_t options = {.place = USW_HOST};
  tool_device_t host; /* for its memory */
  tool_stream_t stream;
  const void *buffer;
  size_t count, done = 0;
  tool_device_open(&host, &options, BUFFER_BYTES);
  segments->offsets = malloc(segments->bytes);
  if (!segments->offsets || tool_stream_start(&stream, sources, BUFFER_BYTES, &host.memory))
    return tool_problem(failed, "no memory for its %zu bytes", segments->bytes);
  while ((buffer = tool_stream_next(&stream, &count)) != NULL) {
    memcpy((char *)segments->offsets + done, buffer, count * sources->list[0].type->bytes);
    done += count * sources->list[0].type->bytes;
  }
  const tool_source_t *unreadable = tool_stream_stop(&stream);
  if (!unreadable)
    return 0;
  memcpy(failed->problem, unreadable->problem, sizeof failed->problem);
  return -1;
}

int tool_read_segments(const char *file, tool_segments_t *segments, tool_source_t *failed) {
  const tool_input_t input = {.format = "npy"};
  tool_sources_t sources = {NULL, 0};
  segments->file = file;
  if (tool_list_file(file, &input, &sources, failed))
    return -1;
  int wrong = check(failed);
  if (!wrong) {
    segments->type = failed->type->code;
    segments->count = (size_t)failed->count - 1;
    segments->bytes = (size_t)failed->count * failed->type->bytes;
    wrong = read_all(segments, &sources, failed);
  }
  tool_free_sources(&sources);
  return wrong;
}

void tool_forget_segments(tool_segments_t *segments) { free(segments->offsets); }
