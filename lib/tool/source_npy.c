/* Files in NumPy's .npy format. */
#include "source.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static int open_npy(tool_source_t *source) {
  return source->state ? 0 : tool_open_at(source, source->start_bytes); /* a pipe is open since its header was read */
}

static int list_npy(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  (void)sources; /* there is one in the file */
  struct stat facts;
  if (tool_open_at(source, 0))
    return -1;
  const int failed = tool_read_npy_header(source, input, tool_read_file);
  const int is_file = strcmp(source->file, "-") != 0 && stat(source->file, &facts) == 0 && S_ISREG(facts.st_mode);
  if (failed || is_file)
    tool_close_file(source);
  if (failed || !is_file)
    return failed;
  const uint64_t bytes = source->count * source->type->bytes;
  const uint64_t there = (uint64_t)facts.st_size - source->start_bytes;
  if (there < bytes)
    return tool_problem(source, "truncated: %" PRIu64 " of %" PRIu64 " bytes are missing", bytes - there, bytes);
  return there == bytes ? 0 : tool_problem(source, "has %" PRIu64 " bytes behind its data", there - bytes);
}

const tool_format_t tool_format_npy = {"npy", ".npy", list_npy, open_npy, tool_read_file, tool_close_file};
