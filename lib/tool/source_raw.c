/* Raw data: elements and nothing else, after --offset bytes. */
#include "source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The offset of what is no file with that many bytes is skipped by reading. */
static int skip(tool_source_t *source, uint64_t bytes) {
  char buffer[4096];
  while (bytes > 0) {
    const ssize_t got = tool_read_file(source, buffer, bytes < sizeof buffer ? bytes : sizeof buffer);
    if (got < 0)
      return -1;
    if (got == 0)
      return tool_problem(source, "ends %" PRIu64 " bytes before --offset", bytes);
    bytes -= (uint64_t)got;
  }
  return 0;
}

static int open_raw(tool_source_t *source) {
  struct stat facts;
  const int is_input = strcmp(source->file, "-") == 0;
  const int has_offset = !is_input && stat(source->file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                         (uint64_t)facts.st_size >= source->start_bytes;
  if (tool_open_at(source, has_offset ? source->start_bytes : 0))
    return -1;
  return has_offset ? 0 : skip(source, source->start_bytes);
}

/* How many elements a file of `bytes` bytes holds. */
static int count_file(tool_source_t *source, uint64_t bytes) {
  if (bytes < source->start_bytes)
    return tool_problem(source, "has %" PRIu64 " bytes, --offset says %" PRIu64, bytes, source->start_bytes);
  bytes -= source->start_bytes;
  if (source->dimensions > 0) {
    if (bytes != source->count * source->type->bytes)
      return tool_problem(source, "has %" PRIu64 " bytes of data, --shape and --type %s say %" PRIu64, bytes,
                          source->type->name, source->count * source->type->bytes);
    return 0;
  }
  if (bytes % source->type->bytes != 0)
    return tool_problem(source, "truncated, or not of type %s: %" PRIu64 " bytes are no multiple of %" PRIu32,
                        source->type->name, bytes, source->type->bytes);
  source->count = bytes / source->type->bytes;
  source->dimensions = 1;
  source->shape[0] = source->count;
  return 0;
}

static int list_raw(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  (void)sources; /* there is one in the file */
  if (!input->type)
    return tool_problem(source, "no .npy, .npz or HDF5 file; raw data needs --type");
  source->type = input->type;
  source->start_bytes = input->offset_bytes;
  source->dimensions = input->dimensions;
  memcpy(source->shape, input->shape, sizeof source->shape);
  source->count = TOOL_UNKNOWN_COUNT;
  source->is_open_ended = input->dimensions == 0;
  if (input->dimensions && !tool_shape_count(source))
    return tool_problem(source, "--shape is larger than any file");
  struct stat facts;
  if (strcmp(source->file, "-") == 0)
    return 0;
  if (stat(source->file, &facts) != 0 || access(source->file, R_OK) != 0)
    return tool_problem(source, "%s", strerror(errno));
  if (S_ISDIR(facts.st_mode))
    return tool_problem(source, "is a directory");
  /* Anything else is opened when its turn comes: who writes into a pipe would see it closed. Files of /proc have no size
   * before they are read. */
  return S_ISREG(facts.st_mode) && facts.st_size > 0 ? count_file(source, (uint64_t)facts.st_size) : 0;
}

const tool_format_t tool_format_raw = {"raw", "", list_raw, open_raw, tool_read_file, tool_close_file};
