/* The command line of `usw scan`. */
#include "file_options.h"
#include "measure/arguments.h"
#include "scan.h"
#include "tool.h"

enum { KEY_EXCLUSIVE = TOOL_FIRST_OWN_KEY, KEY_INITIAL, KEY_REVERSE, KEY_OUTPUT };

/* Operations with a scan are those whose results are of these kinds; the other kinds have none. */
#define SCANNED_SUM(...) __VA_ARGS__
#define SCANNED_ELEMENT(...) __VA_ARGS__
#define SCANNED_BOOL(...) __VA_ARGS__
#define SCANNED_COUNT(...) __VA_ARGS__
#define SCANNED_LOCATED(...) __VA_ARGS__
#define SCANNED_REAL(...)
#define SCANNED_EXTREMES(...)
#define SCANNED_DESCRIBE(...)
#define OF_1(...) __VA_ARGS__
#define OF_2(...) /* two streams */

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to compute:", 1},
    {"op", 'o', "NAME", 0, "the operation; sum by default", 0},
    {"exclusive", KEY_EXCLUSIVE, NULL, 0,
     "an element's result is of the elements before it; without it also of the element itself", 0},
    {"initial", KEY_INITIAL, "VALUE", 0,
     "with --exclusive: combined before all elements, of the type of the results; 1-2i is a complex number; not for "
     "count, argmin and argmax",
     0},
    {"reverse", KEY_REVERSE, NULL, 0, "from the last element to the first; the array is held in memory as a whole", 0},
    {NULL, 0, NULL, 0, "The input:", 2},
    TOOL_INPUT_OPTIONS("needed where the archive has several, unless --merge is said"),
    {NULL, 0, NULL, 0, "How to compute:", 3},
    TOOL_CALL_OPTIONS,
    TOOL_BUFFER_OPTION("unless they are compensated"),
    {NULL, 0, NULL, 0, "The output:", 4},
    TOOL_FORMAT_OPTION,
    {"output", KEY_OUTPUT, "FILE.npy", 0,
     "write the results to a .npy file and print nothing; of argmin and argmax the indices", 0},
    TOOL_PROGRESS_OPTION,
    {NULL, 0, NULL, 0, "Operations:", 5},
#define ROW(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                        \
  OF_##streams(SCANNED_##RESULT({#name, 0, NULL, OPTION_DOC, what, 0}, ))
    USW_FUNCTIONS(ROW, )
#undef ROW
        {NULL, 0, NULL, 0, NULL, 0},
};

static error_t read_operation(tool_scan_command_t *command, const char *text) {
#define ROW(name, OPERATION, streams, RESULT, GROUP, what, ...) OF_##streams(SCANNED_##RESULT(", " #name))
  static const char names[] = USW_FUNCTIONS(ROW, );
#undef ROW
  command->operation = tool_operation_named(text);
  const tool_result_t result = command->operation ? command->operation->result : TOOL_RESULT_DESCRIBE;
  const int is_scanned = result == TOOL_RESULT_SUM || result == TOOL_RESULT_ELEMENT || result == TOOL_RESULT_BOOL ||
                         result == TOOL_RESULT_COUNT || result == TOOL_RESULT_LOCATED;
  return is_scanned ? 0 : tool_refuse(command->name, "op", text, names + 2);
}

static int takes_initial(const tool_operation_t *operation) {
  return operation->result != TOOL_RESULT_COUNT && operation->result != TOOL_RESULT_LOCATED;
}

/* Options that need or exclude another one. */
static error_t check_together(const tool_scan_command_t *command) {
  const char *option = "--initial", *why = NULL;
  if (command->initial && !command->is_exclusive)
    why = "a value before the first element goes with --exclusive: add it";
  else if (command->initial && !takes_initial(command->operation))
    why = "count, argmin and argmax begin with no element: leave it out";
  else if (command->output && command->format_is_said) {
    option = "--output";
    why = "nothing is printed: leave out --format";
  }
  if (why)
    tool_fail(command->name, option, "%s", why);
  return why ? EINVAL : 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  tool_scan_command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case 'o':
    return read_operation(command, text);
  case KEY_EXCLUSIVE:
    command->is_exclusive = 1;
    return 0;
  case KEY_INITIAL:
    command->initial = text;
    return 0;
  case KEY_REVERSE:
    command->is_reversed = 1;
    return 0;
  case TOOL_KEY_FORMAT:
    command->format_is_said = 1;
    return tool_read_format(command->name, text, &command->format);
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
    "Gives running results of the numbers in files: for each element what the elements up to it come to.\v"
    "The files have arrays of one dimension: .npy, .npz, HDF5 or raw data. Several files of one type are one data set, "
    "in the order in which they are named; a pattern in quotes names files too; - is standard input (raw). With "
    "--output the data may be larger than memory, but with --reverse, argmin, argmax, --nan=ignore of min and max, or "
    "--accuracy above repeatable it is held as a whole. The manual page usw(1) says more. Exit code: 0, 2 for a bad "
    "file or command line, 1 for anything else that failed.",
    NULL,
    NULL,
    NULL};

int tool_scan_parse(int argc, char **argv, tool_scan_command_t *command) {
  *command = (tool_scan_command_t){.name = argv[0],
                                   .operation = tool_operation_named("sum"),
                                   .options = {.size = USW_INIT(usw_options_t), .place = USW_HOST}};
  return arguments_parse(&parser, argc, argv, command);
}

void tool_scan_forget(tool_scan_command_t *command) { tool_forget_inputs(&command->inputs); }
