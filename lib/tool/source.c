/* Finds the format of a file and lists what it holds; reads files as bytes. */
#include "source.h"
#include "measure/one_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef USW_TOOL_NPZ
const tool_format_t tool_format_npz = {.name = "npz", .suffix = ".npz"};
#endif
#ifndef USW_TOOL_HDF5
const tool_format_t tool_format_hdf5 = {.name = "hdf5", .suffix = ".h5"};
#endif

static const struct {
  const tool_format_t *format;
  const char *start; /* what such a file begins with */
  size_t start_bytes;
} formats[] = {
    {&tool_format_npy, "\x93NUMPY", 6},
    {&tool_format_npz, "PK\3\4", 4},
    {&tool_format_npz, "PK\5\6", 4}, /* an archive without members */
    {&tool_format_hdf5, "\x89HDF\r\n\x1a\n", 8},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0], START_BYTES = 8 };

/* Names and headers in files hold any byte. */
int tool_problem(tool_source_t *source, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(source->problem, sizeof source->problem, format, arguments);
  va_end(arguments);
  keep_one_line(source->problem);
  return -1;
}

void tool_append_name(char *names, const char *name) {
  const size_t used = strlen(names);
  if (used + strlen(name) + 8 < TOOL_NAMES_BYTES)
    snprintf(names + used, TOOL_NAMES_BYTES - used, "%s%s", used ? ", " : "", name);
  else if (used && names[used - 1] != '.')
    snprintf(names + used, TOOL_NAMES_BYTES - used, ", ...");
}

const char *tool_source_label(const tool_source_t *source, char *buffer, size_t bytes) {
  snprintf(buffer, bytes, "%s%s%s", source->file, source->member ? ":" : "", source->member ? source->member : "");
  keep_one_line(buffer);
  return buffer;
}

int tool_append(tool_sources_t *sources, const tool_source_t *source) {
  tool_source_t *list = realloc(sources->list, (sources->count + 1) * sizeof *list);
  if (!list)
    return -1;
  sources->list = list;
  list[sources->count++] = *source;
  return 0;
}

void tool_free_sources(tool_sources_t *sources) {
  for (size_t s = 0; s < sources->count; s++) {
    if (sources->list[s].state) /* its turn never came */
      sources->list[s].format->close(&sources->list[s]);
    free(sources->list[s].member);
  }
  free(sources->list);
  *sources = (tool_sources_t){NULL, 0};
}

int tool_shape_count(tool_source_t *source) {
  uint64_t count = 1, bytes;
  int is_empty = 0, is_large = 0;
  for (int d = 0; d < source->dimensions; d++) {
    is_empty |= source->shape[d] == 0;
    is_large |= __builtin_mul_overflow(count, source->shape[d] ? source->shape[d] : 1, &count);
  }
  source->count = is_empty ? 0 : count;
  return is_empty || (!is_large && !__builtin_mul_overflow(count, source->type->bytes, &bytes) && bytes <= INT64_MAX);
}

/* ---- files as bytes ---- */

int tool_open_at(tool_source_t *source, uint64_t position) {
  struct stat facts;
  const int is_input = strcmp(source->file, "-") == 0;
  const int file = is_input ? dup(STDIN_FILENO) : open(source->file, O_RDONLY | O_CLOEXEC);
  int failed = file < 0 || fstat(file, &facts) != 0;
  if (!failed && S_ISREG(facts.st_mode) && !is_input)
    failed = lseek(file, (off_t)position, SEEK_SET) < 0;
  if (failed)
    tool_problem(source, "%s", strerror(errno));
  else if (S_ISDIR(facts.st_mode))
    failed = tool_problem(source, "is a directory");
  if (failed) {
    if (file >= 0)
      close(file);
    return -1;
  }
  posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL); /* reads ahead further; no harm where it means nothing */
  source->state = (void *)(intptr_t)(file + 1);
  return 0;
}

static int descriptor_of(const tool_source_t *source) { return (int)(intptr_t)source->state - 1; }

ssize_t tool_read_file(tool_source_t *source, void *into, size_t bytes) {
  for (;;) {
    const ssize_t got = read(descriptor_of(source), into, bytes);
    if (got >= 0)
      return got;
    if (errno != EINTR)
      return tool_problem(source, "%s", strerror(errno));
  }
}

void tool_close_file(tool_source_t *source) {
  if (source->state)
    close(descriptor_of(source));
  source->state = NULL;
}

/* ---- which format ---- */

static int ends_with(const char *text, const char *suffix) {
  const size_t length = strlen(text), suffix_length = strlen(suffix);
  return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

static const tool_format_t *format_by_name(const char *name) {
  for (size_t f = 0; f < FORMAT_COUNT; f++)
    if (strcmp(formats[f].format->name, name) == 0)
      return formats[f].format;
  return &tool_format_raw;
}

/* By the first bytes; where they say nothing, by the name's end, so that a damaged file is called what it should be. */
static const tool_format_t *format_by_look(const char *file, const char *start, size_t start_bytes) {
  for (size_t f = 0; f < FORMAT_COUNT; f++)
    if (start_bytes >= formats[f].start_bytes && memcmp(start, formats[f].start, formats[f].start_bytes) == 0)
      return formats[f].format;
  for (size_t f = 0; f < FORMAT_COUNT; f++)
    if (ends_with(file, formats[f].format->suffix))
      return formats[f].format;
  return ends_with(file, ".hdf5") ? &tool_format_hdf5 : &tool_format_raw;
}

/* NULL: the file cannot be read. Standard input, pipes and the like are raw: looking at them would eat their bytes. */
static const tool_format_t *find_format(tool_source_t *source, const tool_input_t *input) {
  char start[START_BYTES];
  struct stat facts;
  if (input->format)
    return format_by_name(input->format);
  if (strcmp(source->file, "-") == 0 ||
      (stat(source->file, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)))
    return &tool_format_raw;
  if (tool_open_at(source, 0))
    return NULL;
  const ssize_t got = tool_read_file(source, start, sizeof start);
  tool_close_file(source);
  return got < 0 ? NULL : format_by_look(source->file, start, (size_t)got);
}

/* What the command line says about the input has to be true of every source. */
static int check(tool_source_t *source, const tool_input_t *input) {
  int differs = input->dimensions && input->dimensions != source->dimensions;
  for (int d = 0; d < input->dimensions && !differs; d++)
    differs = input->shape[d] != source->shape[d];
  if (differs)
    return tool_problem(source, "its shape is not what --shape says");
  if (input->type && input->type != source->type)
    return tool_problem(source, "its elements are %s, --type says %s", source->type->name, input->type->name);
  return 0;
}

int tool_list_file(const char *file, const tool_input_t *input, tool_sources_t *sources, tool_source_t *failed) {
  const size_t before = sources->count;
  *failed = (tool_source_t){.file = file};
  failed->format = find_format(failed, input);
  if (!failed->format)
    return -1;
  if (!failed->format->list)
    return tool_problem(failed, "is an %s file; this usw was built without %s", failed->format->name,
                        failed->format == &tool_format_npz ? "libzip" : "libhdf5");
  if ((input->member && failed->format != &tool_format_npz) || (input->dataset && failed->format != &tool_format_hdf5))
    return tool_problem(failed, "is no %s",
                        input->member ? ".npz file: it has no --member" : "HDF5 file: it has no --dataset");
  if (input->offset_bytes && failed->format != &tool_format_raw)
    return tool_problem(failed, "is a %s file: --offset is for raw data", failed->format->name);
  if (failed->format->list(failed, input, sources))
    return -1;
  if (sources->count == before && tool_append(sources, failed))
    return tool_problem(failed, "no memory");
  for (size_t s = before; s < sources->count; s++) {
    tool_source_t *source = &sources->list[s];
    if (check(source, input)) {
      *failed = *source;
      source->member = NULL;
      return -1;
    }
  }
  return 0;
}
