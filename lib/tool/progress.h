/* How far a long reading is, on a terminal. */
#ifndef USW_TOOL_PROGRESS_H
#define USW_TOOL_PROGRESS_H

#include <stdint.h>

typedef enum tool_progress_mode { TOOL_PROGRESS_AUTO, TOOL_PROGRESS_ON, TOOL_PROGRESS_OFF } tool_progress_mode_t;

typedef struct tool_progress {
  const char *command;
  int is_on, is_shown;
  uint64_t total_bytes; /* UINT64_MAX: not known */
  double start, next;   /* seconds */
} tool_progress_t;

/* Seconds of a clock that only goes forward. */
double tool_now(void);

void tool_progress_start(tool_progress_t *progress, const char *command, tool_progress_mode_t mode,
                         uint64_t total_bytes);
void tool_progress_show(tool_progress_t *progress, uint64_t bytes);

/* Wipe the line. */
void tool_progress_end(tool_progress_t *progress);

#endif
