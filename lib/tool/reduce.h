/* The command line of `usw reduce`. */
#ifndef USW_TOOL_REDUCE_H
#define USW_TOOL_REDUCE_H

#include "inputs.h"
#include "output.h"

enum { TOOL_MAX_ANSWERS = 64 }; /* there are fewer operations, and each is answered once */

typedef struct tool_reduce_command {
  const char *name; /* "usw reduce" */
  tool_inputs_t inputs;
  const tool_operation_t *operations[TOOL_MAX_ANSWERS];
  size_t operation_count; /* 0: those that the type has of the usual ones */
  tool_axis_list_t axes;
  const char *segments, *keys; /* .npy files; NULL: not said */
  const char *output;          /* a .npy file, instead of standard output; NULL: none */
  const char *unique;          /* a .npy file for the keys of runs; NULL: none */
  usw_options_t options;
  tool_output_format_t format;
  int format_is_said;
} tool_reduce_command_t;

/* Fill in the command; TOOL_OK, or TOOL_BAD_INPUT after one line about what is wrong. Does not return for --help. */
int tool_reduce_parse(int argc, char **argv, tool_reduce_command_t *command);

/* Free what parsing allocated. */
void tool_reduce_forget(tool_reduce_command_t *command);

#endif
