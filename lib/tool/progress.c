#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double seconds_between = 0.25;

double tool_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void tool_progress_start(tool_progress_t *progress, const char *command, tool_progress_mode_t mode,
                         uint64_t total_bytes) {
  const int is_on = mode == TOOL_PROGRESS_ON || (mode == TOOL_PROGRESS_AUTO && isatty(STDERR_FILENO));
  const double now = tool_now();
  *progress = (tool_progress_t){command, is_on, 0, total_bytes, now, now + seconds_between};
}

void tool_progress_show(tool_progress_t *progress, uint64_t bytes) {
  if (!progress->is_on)
    return;
  const double now = tool_now(), gib = 1024.0 * 1024 * 1024;
  if (now < progress->next)
    return;
  progress->next = now + seconds_between;
  progress->is_shown = 1;
  const double rate = (double)bytes / (now - progress->start) / 1e9;
  if (progress->total_bytes == UINT64_MAX || progress->total_bytes == 0)
    fprintf(stderr, "\r%s: %.2f GiB, %.2f GB/s\033[K", progress->command, (double)bytes / gib, rate);
  else
    fprintf(stderr, "\r%s: %3.0f %% of %.2f GiB, %.2f GB/s\033[K", progress->command,
            bytes < progress->total_bytes ? 100.0 * (double)bytes / (double)progress->total_bytes : 100.0,
            (double)progress->total_bytes / gib, rate);
  fflush(stderr);
}

void tool_progress_end(tool_progress_t *progress) {
  if (progress->is_shown)
    fputs("\r\033[K", stderr);
}
