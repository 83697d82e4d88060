#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_CELLS = 20, BAR_BYTES = BAR_CELLS + 3 };

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

/* "[#######-------------]", as far as the part says. */
static void write_bar(char bar[BAR_BYTES], double part) {
  const int done = (int)(part * BAR_CELLS);
  bar[0] = '[';
  for (int k = 0; k < BAR_CELLS; k++)
    bar[1 + k] = k < done ? '#' : '-';
  memcpy(bar + 1 + BAR_CELLS, "]", 2);
}

void tool_progress_show(tool_progress_t *progress, uint64_t bytes) {
  if (!progress->is_on)
    return;
  const double now = tool_now(), gib = 1024.0 * 1024 * 1024;
  if (now < progress->next)
    return;
  progress->next = now + seconds_between;
  progress->is_shown = 1;
  const double rate = (double)bytes / (now - progress->start);
  if (progress->total_bytes == UINT64_MAX || progress->total_bytes == 0) {
    fprintf(stderr, "\r%s: %.2f GiB, %.2f GB/s\033[K", progress->command, (double)bytes / gib, rate / 1e9);
  } else {
    const uint64_t left_bytes = bytes < progress->total_bytes ? progress->total_bytes - bytes : 0;
    const double part = 1 - (double)left_bytes / (double)progress->total_bytes;
    const uint64_t left = rate > 0 ? (uint64_t)((double)left_bytes / rate + 0.5) : 0;
    char bar[BAR_BYTES];
    write_bar(bar, part);
    fprintf(stderr, "\r%s: %s %3.0f %% of %.2f GiB, %.2f GB/s, %" PRIu64 ":%02" PRIu64 " left\033[K", progress->command,
            bar, 100 * part, (double)progress->total_bytes / gib, rate / 1e9, left / 60, left % 60);
  }
  fflush(stderr);
}

void tool_progress_end(tool_progress_t *progress) {
  if (progress->is_shown)
    fputs("\r\033[K", stderr);
}
