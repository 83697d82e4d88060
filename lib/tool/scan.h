/* The command line of `usw scan`. */
#ifndef USW_TOOL_SCAN_H
#define USW_TOOL_SCAN_H

#include "inputs.h"
#include "output.h"

typedef struct tool_scan_command {
  const char *name; /* "usw scan" */
  tool_inputs_t inputs;
  const tool_operation_t *operation;
  int is_exclusive, is_reversed;
  const char *initial; /* a number of the results' type; NULL: the identity */
  const char *output;  /* a .npy file, instead of standard output; NULL: none */
  usw_options_t options;
  tool_output_format_t format;
  int format_is_said;
} tool_scan_command_t;

/* Fill in the command; TOOL_OK, or TOOL_BAD_INPUT after one line about what is wrong. Does not return for --help. */
int tool_scan_parse(int argc, char **argv, tool_scan_command_t *command);

/* Free what parsing allocated. */
void tool_scan_forget(tool_scan_command_t *command);

#endif
