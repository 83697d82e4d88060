/* Results as text, JSON or CSV. */
#ifndef USW_TOOL_OUTPUT_H
#define USW_TOOL_OUTPUT_H

#include "axes.h"

typedef enum tool_output_format { TOOL_TEXT, TOOL_JSON, TOOL_CSV } tool_output_format_t;

/* One operation of --op and its results, as the library wrote them. */
typedef struct tool_answer {
  const tool_operation_t *operation;
  const void *result; /* the first */
  size_t result_bytes;
} tool_answer_t;

/* A data set that was reduced, and how. */
typedef struct tool_report {
  const tool_sources_t *sources;
  uint64_t count; /* elements */
  double seconds;
  const usw_report_t *ran; /* of the last buffer; its strings are NULL if there was none */
  const tool_grid_t *grid; /* of each answer's results */
  const tool_answer_t *answers;
  size_t answer_count;
} tool_report_t;

/* Write the reports to standard output, several ones with the names of their sources; 0, or -1 if they could not be
 * written. */
int tool_print_reports(const tool_report_t *reports, size_t count, tool_output_format_t format);

#endif
