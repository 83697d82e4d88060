/* The command line of `usw reduce`. */
#include "call_options.h"
#include "measure/arguments.h"
#include "measure/number.h"
#include "reduce.h"
#include "tool.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { /* options without a letter */
       KEY_OFFSET = 256,
       KEY_MEMBER,
       KEY_MERGE,
       KEY_DATASET,
       KEY_INPUT,
       KEY_PROGRESS,
       KEY_BUFFER,
       KEY_AXIS,
       KEY_SEGMENTS,
       KEY_OUTPUT,
};

enum { LARGEST_AXIS = 99 };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to compute:", 1},
    {"op", 'o', "LIST", 0,
     "operations, separated by commas; sum,min,max,mean,std by default, as far as the type has them; count,all,any for "
     "booleans",
     0},
    {"axis", KEY_AXIS, "AXES", 0,
     "one result for each position along the other axes: numbers from 0 on, separated by commas, -1 for the last axis; "
     "the array is held in memory as a whole; an index counts along the reduced axes",
     0},
    {"segments", KEY_SEGMENTS, "FILE.npy", 0,
     "one result for each segment of an array of one dimension: the file has offsets of i32, u32, i64 or u64; "
     "segment k begins at offset k and ends before offset k + 1; the array is held in memory as a whole; an index "
     "counts from 0 in each segment",
     0},
    {NULL, 0, NULL, 0, "The input:", 2},
    {"type", 't', "TYPE", 0,
     "type of the elements: " TOOL_TYPES "; needed for raw data, otherwise the file's type has to be this one", 0},
    {"shape", 's', "AxBx...", 0, "shape, slowest dimension first; the size of raw data has to agree with it", 0},
    {"offset", KEY_OFFSET, "BYTES", 0, "where raw data starts, written as " NUMBER_FORMS, 0},
    {"member", KEY_MEMBER, "NAME", 0, "array of a .npz archive; by default each of them has results of its own", 0},
    {"merge", KEY_MERGE, NULL, 0, "all arrays of .npz archives are one data set", 0},
    {"dataset", KEY_DATASET, "PATH", 0, "dataset of an HDF5 file; the only one by default", 0},
    {"input", KEY_INPUT, "FORMAT", 0, "raw, npy, npz or hdf5; by default what the file looks like", 0},
    {NULL, 0, NULL, 0, "How to compute:", 3},
    TOOL_CALL_OPTIONS,
    {"buffer", KEY_BUFFER, "BYTES", 0,
     "size of one of the four buffers, a multiple of 4K; 2M by default, 8M on a device; sums of floats depend on it in "
     "the last bits, unless they are reproducible",
     0},
    {NULL, 0, NULL, 0, "The output:", 4},
    {"format", 'f', "FORMAT", 0, "text, json or csv; text by default", 0},
    {"output", KEY_OUTPUT, "FILE.npy", 0,
     "write the results of one operation to a .npy file and print nothing; of argmin and argmax the indices", 0},
    {"progress", KEY_PROGRESS, "WHEN", 0,
     "auto, on or off: a bar and the time left on standard error; by default auto, on a terminal", 0},
    {NULL, 0, NULL, 0, "Operations:", 5},
#define DOCUMENT(name, what) {#name, 0, NULL, OPTION_DOC, what, 0},
#define DOCUMENT_1(...) DOCUMENT(__VA_ARGS__)
#define DOCUMENT_2(...) /* two streams: not over one file */
#define ROW(name, OPERATION, streams, RESULT, GROUP, what, ...) DOCUMENT_##streams(name, what)
    USW_FUNCTIONS(ROW, ) TOOL_MEMBERS(DOCUMENT)
#undef ROW
        {NULL, 0, NULL, 0, NULL, 0},
};

static error_t read_operations(tool_reduce_command_t *command, char *list) {
  char *rest = NULL;
  if (list[strspn(list, ",")] == 0)
    return tool_refuse(command->name, "op", list, "operations, separated by commas");
  for (char *name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
    const tool_operation_t *operation = tool_operation_named(name);
    if (!operation)
      return tool_refuse(command->name, "op", name, TOOL_OPERATIONS);
    size_t k = 0;
    while (k < command->operation_count && command->operations[k] != operation)
      k++;
    if (k == command->operation_count) /* a repeated one is answered once */
      command->operations[command->operation_count++] = operation;
  }
  return 0;
}

static error_t read_shape(tool_reduce_command_t *command, const char *text) {
  static const char *const wanted = "numbers with x between them, for example 100x200";
  tool_input_t *input = &command->input;
  for (const char *at = text;; at++) {
    char number[24];
    const size_t length = strcspn(at, "x");
    uint64_t extent;
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : sizeof number - 1), at);
    if (input->dimensions == TOOL_MAX_DIMENSIONS || length >= sizeof number ||
        number_parse(number, 0, UINT64_MAX, &extent))
      return tool_refuse(command->name, "shape", text, wanted);
    input->shape[input->dimensions++] = extent;
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

static error_t read_output(tool_reduce_command_t *command, int key, const char *text) {
  static const char *const formats[] = {"text", "json", "csv", NULL}, *const modes[] = {"auto", "on", "off", NULL};
  const int index = index_in(key == 'f' ? formats : modes, text);
  if (index < 0)
    return key == 'f' ? tool_refuse(command->name, "format", text, "text, json or csv")
                      : tool_refuse(command->name, "progress", text, "auto, on or off");
  if (key == 'f') {
    command->format = (tool_output_format_t)index;
    command->format_is_said = 1;
  } else
    command->progress = (tool_progress_mode_t)index;
  return 0;
}

static error_t read_input(tool_reduce_command_t *command, int key, char *text) {
  static const char *const formats[] = {"raw", "npy", "npz", "hdf5", NULL};
  tool_input_t *input = &command->input;
  uint64_t bytes;
  switch (key) {
  case 't':
    return tool_read_type(command->name, text, &input->type);
  case 's':
    input->dimensions = 0;
    return read_shape(command, text);
  case KEY_OFFSET:
    return number_parse(text, 0, INT64_MAX, &input->offset_bytes) == 0
               ? 0
               : tool_refuse(command->name, "offset", text, "a number of bytes, written as " NUMBER_FORMS);
  case KEY_MEMBER:
    input->member = text;
    return 0;
  case KEY_DATASET:
    input->dataset = text;
    return 0;
  case KEY_INPUT:
    input->format = text;
    return index_in(formats, text) < 0 ? tool_refuse(command->name, "input", text, "raw, npy, npz or hdf5") : 0;
  default:
    if (number_parse(text, 4096, 1 << 30, &bytes) || bytes % 4096 != 0)
      return tool_refuse(command->name, "buffer", text, "a multiple of 4k up to 1G");
    command->buffer_bytes = (size_t)bytes;
    return 0;
  }
}

/* The file, or every file of the pattern that it is, in the order of their names. */
static error_t add_files(tool_reduce_command_t *command, const char *text) {
  glob_t found = {0};
  const int is_pattern = strpbrk(text, "*?[") && access(text, F_OK) != 0;
  if (is_pattern && glob(text, GLOB_ERR, NULL, &found) != 0) {
    globfree(&found);
    tool_fail(command->name, text, "no file has such a name");
    return EINVAL;
  }
  const size_t count = is_pattern ? found.gl_pathc : 1;
  char **files = realloc(command->files, (command->file_count + count) * sizeof *files);
  int failed = !files;
  if (files)
    command->files = files;
  for (size_t k = 0; k < count && !failed; k++) {
    char *copy = strdup(is_pattern ? found.gl_pathv[k] : text);
    failed = !copy;
    if (copy)
      files[command->file_count++] = copy;
  }
  globfree(&found);
  return failed ? ENOMEM : 0;
}

/* "0,-1"; 0, or -1 if that is no list of axes. */
static int parse_axes(const char *text, tool_axis_list_t *list) {
  *list = (tool_axis_list_t){.is_said = 1};
  for (const char *at = text;; at++) {
    char *end;
    const size_t sign = *at == '-';
    if (at[sign] < '0' || at[sign] > '9' || list->count == sizeof list->axes / sizeof *list->axes)
      return -1;
    const long axis = strtol(at, &end, 10);
    if (axis > LARGEST_AXIS || axis < -LARGEST_AXIS || (*end && *end != ','))
      return -1;
    list->axes[list->count++] = (int)axis;
    at = end;
    if (!*at)
      return 0;
  }
}

static error_t read_axis(tool_reduce_command_t *command, const char *text) {
  return parse_axes(text, &command->axes) == 0
             ? 0
             : tool_refuse(command->name, "axis", text, "axes separated by commas, for example 0 or 0,-1");
}

static error_t read_output_file(tool_reduce_command_t *command, const char *text) {
  const size_t length = strlen(text);
  command->output = text;
  return length > 4 && strcmp(text + length - 4, ".npy") == 0
             ? 0
             : tool_refuse(command->name, "output", text, "the name of a .npy file");
}

/* Options that exclude each other. */
static error_t check_together(const tool_reduce_command_t *command) {
  if (command->segments && command->axes.is_said) {
    tool_fail(command->name, "--segments", "an array is reduced by segments or along axes: leave out --axis");
    return EINVAL;
  }
  if (!command->output)
    return 0;
  if (command->operation_count != 1)
    tool_fail(command->name, "--output", "a .npy file holds the results of one operation: name it by --op");
  else if (command->format_is_said)
    tool_fail(command->name, "--output", "nothing is printed: leave out --format");
  else
    return 0;
  return EINVAL;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  tool_reduce_command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case 'o':
    return read_operations(command, text);
  case 'f':
  case KEY_PROGRESS:
    return read_output(command, key, text);
  case KEY_AXIS:
    return read_axis(command, text);
  case KEY_SEGMENTS:
    command->segments = text;
    return 0;
  case KEY_OUTPUT:
    return read_output_file(command, text);
  case ARGP_KEY_END:
    return check_together(command);
  case KEY_MERGE:
    command->merges = 1;
    return 0;
  case 't':
  case 's':
  case KEY_OFFSET:
  case KEY_MEMBER:
  case KEY_DATASET:
  case KEY_INPUT:
  case KEY_BUFFER:
    return read_input(command, key, text);
  case ARGP_KEY_ARG:
    return add_files(command, text);
  case ARGP_KEY_NO_ARGS:
    tool_fail(command->name, NULL, "no FILE is named; - is standard input");
    return EINVAL;
  default:
    return tool_read_call_option(command->name, key, text, &command->options);
  }
}

static const struct argp parser = {
    options,
    parse,
    "FILE...",
    "Reduces the numbers in files: .npy, .npz, HDF5 or raw data, in one sweep and in little memory.\v"
    "Several files of one type are one data set, in the order in which they are named; a pattern in quotes names files "
    "too; - is standard input (raw). The manual page usw(1) says more. Exit code: 0, 2 for a bad file "
    "or command line, 1 for anything else that failed.",
    NULL,
    NULL,
    NULL};

int tool_reduce_parse(int argc, char **argv, tool_reduce_command_t *command) {
  *command = (tool_reduce_command_t){.name = argv[0], .options = {.size = USW_INIT(usw_options_t), .place = USW_HOST}};
  return arguments_parse(&parser, argc, argv, command);
}

void tool_reduce_forget(tool_reduce_command_t *command) {
  for (size_t f = 0; f < command->file_count; f++)
    free(command->files[f]);
  free(command->files);
}
