/* The command line of `usw explain`, and what it says of calls with many results and of scans. */
#ifndef USW_TOOL_EXPLAIN_H
#define USW_TOOL_EXPLAIN_H

#include "axes.h"
#include "call_options.h"

#include <upsweep/parts.h>

enum { TOOL_MOST_PARTS = 64 };

typedef struct tool_explain_command {
  const char *name;
  const char *operation; /* by name: dot and dotc are none of the tool's own */
  const tool_type_t *type;
  uint64_t n;
  usw_options_t options;
  int has_n, is_json;
  tool_axis_list_t axes;
  uint64_t shape[TOOL_MAX_DIMENSIONS];
  int dimensions;
  uint64_t segments;           /* or runs of keys */
  const tool_type_t *key_type; /* NULL: not by key */
  int has_segments, is_scan, is_selection;
  usw_part_t parts[TOOL_MOST_PARTS]; /* their places */
  int part_count;
} tool_explain_command_t;

/* Whether options that exclude or need each other are there; 0, or -1 with the error printed. */
int tool_explain_check(const tool_explain_command_t *command);

/* Whether it is about such a call. */
int tool_explains_shares(const tool_explain_command_t *command);

/* Explain a call along axes, of segments, by key, a scan or a selection; the exit code. */
int tool_explain_shares(const tool_explain_command_t *command, usw_operation_t operation);

/* Read places that are separated by commas; 0, or -1 if one of them is none or there are too many. */
int tool_read_parts(tool_explain_command_t *command, const char *text);

/* Explain a call of parts that share the elements evenly, or as devices do that they are staged to; the exit code. */
int tool_explain_parts(tool_explain_command_t *command, usw_operation_t operation);

#endif
