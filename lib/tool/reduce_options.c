/* The command line of `usw reduce`. */
#include "file_options.h"
#include "measure/arguments.h"
#include "reduce.h"
#include "same_file.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_AXIS = TOOL_FIRST_OWN_KEY, KEY_SEGMENTS, KEY_KEYS, KEY_OUTPUT, KEY_UNIQUE, KEY_DEVICES, MOST_DEVICES = 64 };

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
    {"keys", KEY_KEYS, "FILE.npy", 0,
     "one result for each run of equal keys of an array of one dimension: the file has one integer for each element; "
     "equal keys that do not follow each other are several runs; the array is held in memory as a whole; an index "
     "counts from 0 in each run",
     0},
    {NULL, 0, NULL, 0, "The input:", 2},
    TOOL_INPUT_OPTIONS("by default each of them has results of its own"),
    {NULL, 0, NULL, 0, "How to compute:", 3},
    TOOL_CALL_OPTIONS,
    {"devices", KEY_DEVICES, "LIST", 0,
     "devices that share the elements, each by its own link: all for every GPU, or numbers separated by commas; the "
     "data set is held in memory as a whole",
     0},
    TOOL_BUFFER_OPTION("unless they are reproducible"),
    {NULL, 0, NULL, 0, "The output:", 4},
    TOOL_FORMAT_OPTION,
    {"output", KEY_OUTPUT, "FILE.npy", 0,
     "write the results of one operation to a .npy file and print nothing; of argmin and argmax the indices", 0},
    {"unique-out", KEY_UNIQUE, "FILE.npy", 0, "write the key of each run of --keys to a .npy file", 0},
    TOOL_PROGRESS_OPTION,
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

static error_t read_axis(tool_reduce_command_t *command, const char *text) {
  return tool_parse_axes(text, &command->axes) == 0
             ? 0
             : tool_refuse(command->name, "axis", text, "axes separated by commas, for example 0 or 0,-1");
}

static error_t read_devices(tool_reduce_command_t *command, const char *text) {
  const char *at = text;
  command->options.devices = strcmp(text, "all") == 0 ? USW_ALL_DEVICES : 0;
  while (command->options.devices != USW_ALL_DEVICES) {
    char *end;
    const unsigned long number = strtoul(at, &end, 10);
    if (*at < '0' || *at > '9' || number >= MOST_DEVICES || (*end != ',' && *end != 0))
      return tool_refuse(command->name, "devices", text,
                         "all, or numbers of devices from 0 to 63, separated by commas");
    command->options.devices |= UINT64_C(1) << number;
    if (*end == 0)
      break;
    at = end + 1;
  }
  return 0;
}

static error_t refuse_together(const tool_reduce_command_t *command, const char *option, const char *why) {
  tool_fail(command->name, option, "%s", why);
  return EINVAL;
}

/* Options that exclude each other, or need another one. */
static error_t check_together(const tool_reduce_command_t *command) {
  if (command->segments && command->keys)
    return refuse_together(command, "--keys", "an array is reduced by keys or by segments: leave out --segments");
  if (command->segments && command->axes.is_said)
    return refuse_together(command, "--segments", "an array is reduced by segments or along axes: leave out --axis");
  if (command->keys && command->axes.is_said)
    return refuse_together(command, "--keys", "an array is reduced by keys or along axes: leave out --axis");
  if (command->options.devices && (command->segments || command->keys || command->axes.is_said))
    return refuse_together(command, "--devices",
                           "devices share the elements of one result: leave out --axis, --segments, --keys");
  if (command->options.devices && command->options.place != USW_HOST)
    return refuse_together(command, "--devices", "has the places: leave out --place");
  if (command->unique && !command->keys)
    return refuse_together(command, "--unique-out", "there are no runs of equal keys: name the keys by --keys");
  if (!command->output)
    return 0;
  if (command->unique && tool_is_same_file(command->unique, command->output))
    return refuse_together(command, "--unique-out", "is the file of --output, too: name another one");
  if (command->operation_count != 1)
    return refuse_together(command, "--output", "a .npy file holds the results of one operation: name it by --op");
  return command->format_is_said ? refuse_together(command, "--output", "nothing is printed: leave out --format") : 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  tool_reduce_command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case 'o':
    return read_operations(command, text);
  case TOOL_KEY_FORMAT:
    command->format_is_said = 1;
    return tool_read_format(command->name, text, &command->format);
  case KEY_AXIS:
    return read_axis(command, text);
  case KEY_DEVICES:
    return read_devices(command, text);
  case KEY_SEGMENTS:
    command->segments = text;
    return 0;
  case KEY_KEYS:
    command->keys = text;
    return 0;
  case KEY_UNIQUE:
    return tool_read_npy_name(command->name, "unique-out", text, &command->unique);
  case KEY_OUTPUT:
    return tool_read_npy_name(command->name, "output", text, &command->output);
  case ARGP_KEY_END:
    return check_together(command);
  default:
    return tool_read_common_option(command->name, key, text, &command->inputs, &command->options);
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
  const int error = arguments_parse(&parser, argc, argv, command);
  if (command->options.devices)
    command->options.place = USW_AUTO_PLACE;
  return error;
}

void tool_reduce_forget(tool_reduce_command_t *command) { tool_forget_inputs(&command->inputs); }
