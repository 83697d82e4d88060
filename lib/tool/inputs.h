/* The files of a command line as sources, as `usw reduce` and `usw scan` list them. */
#ifndef USW_TOOL_INPUTS_H
#define USW_TOOL_INPUTS_H

#include "progress.h"
#include "source.h"

/* What the command line says about its files and how they are read. */
typedef struct tool_inputs {
  char **files; /* owned */
  size_t file_count;
  tool_input_t input;
  int merges;          /* all members of archives are one data set */
  size_t buffer_bytes; /* 0: by the place */
  tool_progress_mode_t progress;
} tool_inputs_t;

/* Append what all files hold to the sources; TOOL_OK, or TOOL_BAD_INPUT after one line about what is wrong. */
int tool_list_inputs(const char *command, const tool_inputs_t *inputs, tool_sources_t *sources);

/* Elements of all sources have to be of one type; TOOL_OK, or TOOL_BAD_INPUT after one line. */
int tool_check_types(const char *command, const tool_sources_t *sources);

/* An output must not be one of the files that are read; TOOL_OK, also without an output (NULL), or TOOL_BAD_INPUT after
 * one line. */
int tool_check_output(const char *command, const char *output, const tool_sources_t *sources);

/* Likewise, for one file that is read; NULL: none. */
int tool_check_output_beside(const char *command, const char *output, const char *file);

/* Bytes of all elements; UINT64_MAX: not known before they are read. */
uint64_t tool_total_bytes(const tool_sources_t *sources);

/* One line: the source's problem. Returns TOOL_BAD_INPUT. */
int tool_fail_source(const char *command, const tool_source_t *source);

#endif
