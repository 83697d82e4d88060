/* The options about files, as words of the command line. */
#include "file_options.h"
#include "tool.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

error_t tool_read_shape(const char *command, const char *text, uint64_t *shape, int *dimensions) {
  static const char *const wanted = "numbers with x between them, for example 100x200";
  for (const char *at = text;; at++) {
    char number[24];
    const size_t length = strcspn(at, "x");
    uint64_t extent;
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number - 1), at);
    if (*dimensions == TOOL_MAX_DIMENSIONS || length >= sizeof number || number_parse(number, 0, UINT64_MAX, &extent))
      return tool_refuse(command, "shape", text, wanted);
    shape[(*dimensions)++] = extent;
    at += length;
    if (*at == 0)
      return 0;
  }
}

/* The index of `text` in a list that ends with NULL, or -1. */
static int index_in(const char *const *list, const char *text) {
  for (int k = 0; list[k]; k++)
    if (strcmp(list[k], text) == 0)
      return k;
  return -1;
}

static error_t read_progress(const char *command, const char *text, tool_inputs_t *inputs) {
  static const char *const modes[] = {"auto", "on", "off", NULL};
  const int index = index_in(modes, text);
  if (index < 0)
    return tool_refuse(command, "progress", text, "auto, on or off");
  inputs->progress = (tool_progress_mode_t)index;
  return 0;
}

static error_t read_buffer(const char *command, const char *text, tool_inputs_t *inputs) {
  uint64_t bytes;
  if (number_parse(text, 4096, 1 << 30, &bytes) || bytes % 4096 != 0)
    return tool_refuse(command, "buffer", text, "a multiple of 4k up to 1G");
  inputs->buffer_bytes = (size_t)bytes;
  return 0;
}

static error_t read_input(const char *command, int key, char *text, tool_input_t *input) {
  static const char *const formats[] = {"raw", "npy", "npz", "hdf5", NULL};
  switch (key) {
  case TOOL_KEY_TYPE:
    return tool_read_type(command, text, &input->type);
  case TOOL_KEY_SHAPE:
    input->dimensions = 0;
    return tool_read_shape(command, text, input->shape, &input->dimensions);
  case TOOL_KEY_OFFSET:
    return number_parse(text, 0, INT64_MAX, &input->offset_bytes) == 0
               ? 0
               : tool_refuse(command, "offset", text, "a number of bytes, written as " NUMBER_FORMS);
  case TOOL_KEY_MEMBER:
    input->member = text;
    return 0;
  case TOOL_KEY_DATASET:
    input->dataset = text;
    return 0;
  case TOOL_KEY_INPUT:
    input->format = text;
    return index_in(formats, text) < 0 ? tool_refuse(command, "input", text, "raw, npy, npz or hdf5") : 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* The file, or every file of the pattern that it is, in the order of their names. */
static error_t add_files(const char *command, const char *text, tool_inputs_t *inputs) {
  glob_t found = {0};
  const int is_pattern = strpbrk(text, "*?[") && access(text, F_OK) != 0;
  if (is_pattern && glob(text, GLOB_ERR, NULL, &found) != 0) {
    globfree(&found);
    tool_fail(command, text, "no file has such a name");
    return EINVAL;
  }
  const size_t count = is_pattern ? found.gl_pathc : 1;
  char **files = realloc(inputs->files, (inputs->file_count + count) * sizeof *files);
  int failed = !files;
  if (files)
    inputs->files = files;
  for (size_t k = 0; k < count && !failed; k++) {
    char *copy = strdup(is_pattern ? found.gl_pathv[k] : text);
    failed = !copy;
    if (copy)
      files[inputs->file_count++] = copy;
  }
  globfree(&found);
  return failed ? ENOMEM : 0;
}

error_t tool_read_common_option(const char *command, int key, char *text, tool_inputs_t *inputs,
                                usw_options_t *options) {
  error_t failed;
  switch (key) {
  case TOOL_KEY_MERGE:
    inputs->merges = 1;
    return 0;
  case TOOL_KEY_BUFFER:
    return read_buffer(command, text, inputs);
  case TOOL_KEY_PROGRESS:
    return read_progress(command, text, inputs);
  case ARGP_KEY_ARG:
    return add_files(command, text, inputs);
  case ARGP_KEY_NO_ARGS:
    tool_fail(command, NULL, "no FILE is named; - is standard input");
    return EINVAL;
  default:
    failed = read_input(command, key, text, &inputs->input);
    return failed == ARGP_ERR_UNKNOWN ? tool_read_call_option(command, key, text, options) : failed;
  }
}

error_t tool_read_format(const char *command, const char *text, tool_output_format_t *format_out) {
  static const char *const formats[] = {"text", "json", "csv", NULL};
  const int index = index_in(formats, text);
  if (index < 0)
    return tool_refuse(command, "format", text, "text, json or csv");
  *format_out = (tool_output_format_t)index;
  return 0;
}

error_t tool_read_npy_name(const char *command, const char *option, const char *text, const char **name_out) {
  const size_t length = strlen(text);
  *name_out = text;
  return length > 4 && strcmp(text + length - 4, ".npy") == 0
             ? 0
             : tool_refuse(command, option, text, "the name of a .npy file");
}

void tool_forget_inputs(tool_inputs_t *inputs) {
  for (size_t f = 0; f < inputs->file_count; f++)
    free(inputs->files[f]);
  free(inputs->files);
}
