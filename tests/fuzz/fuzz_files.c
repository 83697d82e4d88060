/* Any bytes as a .npy file, a .npz archive or raw data: nothing crashes, whatever fails says why on one line, and a
 * .npy file has the elements that its header says. libFuzzer calls this (fuzz.py). The first bytes of an input are
 * the command line's part, the others the file. It uses the sources of the tool without the library. */
#include "tool/source.h"

#include <sys/mman.h>
#include <unistd.h>

#include "input.h"

enum { COMMAND_BYTES = 4, MOST_READ_BYTES = 1 << 20 };

static tool_input_t read_input(const uint8_t *command) {
  static const char *const formats[] = {NULL, "raw", "npy", "npz"};
  tool_input_t input = {.format = formats[command[0] % 4], .dimensions = command[0] / 4 % 4};
  input.type = tool_type_at(command[1]); /* NULL behind the last one */
  for (int d = 0; d < input.dimensions; d++)
    input.shape[d] = command[2] == 255 ? UINT64_MAX : command[2];
  input.offset_bytes = command[3] & 127;
  input.member = command[3] > 127 ? "a" : NULL;
  return input;
}

static void check_problem(const tool_source_t *source) {
  require(is_one_line(source->problem) && strlen(source->problem) < sizeof source->problem,
          "a failure says '%s', which is not one line", source->problem);
}

static void read_source(tool_source_t *source) {
  static char buffer[4096];
  uint64_t done = 0;
  ssize_t got = 1;
  require(source->type && source->dimensions <= TOOL_MAX_DIMENSIONS, "a listed source has a type and dimensions");
  if (source->format->open(source)) {
    check_problem(source);
    return;
  }
  while (got > 0 && done < MOST_READ_BYTES) {
    got = source->format->read(source, buffer, sizeof buffer);
    done += got > 0 ? (uint64_t)got : 0;
  }
  if (got < 0)
    check_problem(source);
  else if (source->format == &tool_format_npy && done < MOST_READ_BYTES)
    require(done == source->count * source->type->bytes, "a .npy file has the elements of its shape");
  source->format->close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static int file = -1;
  static char path[32];
  tool_sources_t sources = {NULL, 0};
  tool_source_t failed;
  if (bytes < COMMAND_BYTES)
    return -1;
  if (file < 0) {
    file = memfd_create("input", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  }
  const size_t file_bytes = bytes - COMMAND_BYTES;
  require(ftruncate(file, 0) == 0 && pwrite(file, data + COMMAND_BYTES, file_bytes, 0) == (ssize_t)file_bytes,
          "the input is in memory");
  const tool_input_t input = read_input(data);
  if (tool_list_file(path, &input, &sources, &failed)) {
    check_problem(&failed);
    free(failed.member);
  } else {
    for (size_t s = 0; s < sources.count; s++)
      read_source(&sources.list[s]);
  }
  tool_free_sources(&sources);
  return 0;
}
