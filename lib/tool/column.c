#include "column.h"
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 18 };

static int check_offsets(tool_source_t *source) {
  const usw_type_t type = source->type->code;
  if (type != USW_I32 && type != USW_U32 && type != USW_I64 && type != USW_U64)
    return tool_problem(source, "its elements are %s, --segments takes i32, u32, i64 or u64", source->type->name);
  if (source->dimensions != 1)
    return tool_problem(source, "has %d dimensions, offsets of --segments have 1", source->dimensions);
  return source->count > 0 ? 0 : tool_problem(source, "is empty, there is one offset more than segments");
}

static int check_keys(tool_source_t *source) {
  if (!tool_has(tool_operation_named("bit_or"), source->type)) /* which integers have, and nothing else */
    return tool_problem(source, "its elements are %s, --keys takes i8 to i64 or u8 to u64: number the keys",
                        source->type->name);
  return source->dimensions == 1 ? 0 : tool_problem(source, "has %d dimensions, --keys takes 1", source->dimensions);
}

/* Every element, in this machine's order of bytes. */
static int read_all(tool_column_t *column, tool_sources_t *sources, tool_source_t *failed) {
  const usw_options_t options = {.place = USW_HOST};
  tool_device_t host; /* for its memory */
  tool_stream_t stream;
  const void *buffer;
  size_t count, done = 0;
  tool_device_open(&host, &options, BUFFER_BYTES);
  column->data = malloc(column->bytes ? column->bytes : 1);
  if (!column->data || tool_stream_start(&stream, sources, BUFFER_BYTES, &host.memory))
    return tool_problem(failed, "no memory for its %zu bytes", column->bytes);
  while ((buffer = tool_stream_next(&stream, &count)) != NULL) {
    memcpy((char *)column->data + done, buffer, count * sources->list[0].type->bytes);
    done += count * sources->list[0].type->bytes;
  }
  const tool_source_t *unreadable = tool_stream_stop(&stream);
  if (!unreadable)
    return 0;
  memcpy(failed->problem, unreadable->problem, sizeof failed->problem);
  return -1;
}

static int read_column(const char *file, int (*check)(tool_source_t *source), tool_column_t *column,
                       tool_source_t *failed) {
  const tool_input_t input = {.format = "npy"};
  tool_sources_t sources = {NULL, 0};
  column->file = file;
  if (tool_list_file(file, &input, &sources, failed))
    return -1;
  int wrong = check(failed);
  if (!wrong) {
    column->type = failed->type;
    column->count = (size_t)failed->count;
    column->bytes = column->count * failed->type->bytes;
    wrong = read_all(column, &sources, failed);
  }
  tool_free_sources(&sources);
  return wrong;
}

int tool_read_offsets(const char *file, tool_column_t *column, tool_source_t *failed) {
  return read_column(file, check_offsets, column, failed);
}

int tool_read_keys(const char *file, tool_column_t *column, tool_source_t *failed) {
  return read_column(file, check_keys, column, failed);
}

void tool_forget_column(tool_column_t *column) { free(column->data); }
