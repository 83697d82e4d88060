/* What the library prints on stderr by itself: one line for a variable that cannot be honored, more or nothing where USW_LOG says
 * so, and nothing where a log callback is set. Each in a process of its own: the program starts itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

enum { MOST_TEXT = 4096 };

static void ignore(usw_log_level_t level, const char *line, void *context) { (void)level, (void)line, (void)context; }

/* In the child: calls that go well, and one that fails. */
static int child(int has_callback) {
  const double x[3] = {1, 2, 3};
  double sum;
  if (has_callback)
    usw_set_log_callback(ignore, NULL);
  for (int call = 0; call < 3; call++)
    CHECK_STATUS(USW_OK, usw_sum_f64(x, 3, &sum));
  CHECK_STATUS(USW_ERROR_INVALID, usw_sum_f64(NULL, 3, &sum));
  return check_report();
}

typedef struct {
  const char *log, *variable, *value;
  int has_callback;
  const char *part; /* of each line, NULL: nothing is printed */
  int lines;
} case_t;

static void start(const case_t *c, int out) {
  dup2(out, STDERR_FILENO);
  if (c->log)
    setenv("USW_LOG", c->log, 1);
  if (c->variable)
    setenv(c->variable, c->value, 1);
  execl("/proc/self/exe", "log", c->has_callback ? "--callback" : "--plain", (char *)NULL);
  _exit(1);
}

static void run(const case_t *c) {
  char text[MOST_TEXT] = "";
  size_t length = 0;
  int ends[2], how = 1, lines = 0;
  fflush(NULL);
  if (pipe(ends) != 0)
    exit(check_skip("no pipe"));
  const pid_t pid = fork();
  if (pid == 0)
    start(c, ends[1]);
  close(ends[1]);
  for (ssize_t got; length < sizeof text - 1 && (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
    length += (size_t)got;
  close(ends[0]);
  waitpid(pid, &how, 0);
  for (size_t k = 0; k < length; k++)
    lines += text[k] == '\n';
  check_count(how == 0 && lines == c->lines && (!c->part || strstr(text, c->part)), __FILE__, __LINE__,
              "USW_LOG=%s %s=%s, callback %d: ended with %d, printed %d lines: '%s'", c->log ? c->log : "",
              c->variable ? c->variable : "", c->value ? c->value : "", c->has_callback, how, lines, text);
}

int main(int argc, char **argv) {
  if (argc > 1)
    return child(strcmp(argv[1], "--callback") == 0);
  char long_value[1000] = "";
  memset(long_value, 'x', sizeof long_value - 1);
  const case_t cases[] = {
      {NULL, NULL, NULL, 0, NULL, 0},
      {NULL, "USW_PLACE", "host", 0, NULL, 0},
      {NULL, "USW_PLACE", "mars", 0, "upsweep: USW_PLACE=mars is not auto, host or device:<number>: auto is used\n", 1},
      {NULL, "USW_PLACE", long_value, 0, "auto is used\n", 1},
      {NULL, "USW_PLACE", "a\nb\033[2J", 0, "upsweep: USW_PLACE=a?b?[2J is not ", 1},
      {NULL, "USW_THREADS", "many", 0, "USW_THREADS=many", 1},
      {NULL, "USW_TUNING", "/nowhere", 0, "USW_TUNING: /nowhere", 1},
      {"warn", "USW_PLACE", "mars", 0, "USW_PLACE=mars", 1},
      {"quiet", "USW_PLACE", "mars", 0, NULL, 0},
      {"loud", NULL, NULL, 0, "USW_LOG=loud is not quiet, warn, info or debug: warn is used\n", 1},
      {"info", "USW_PLACE", "mars", 0, "USW_PLACE=mars", 1},
      {"debug", "USW_PLACE", "mars", 0, "USW_PLACE=mars", 2},
      {"debug", NULL, NULL, 0, "upsweep: sum_f64: 'x' is NULL", 1},
      {NULL, "USW_PLACE", "mars", 1, NULL, 0},
      {"debug", "USW_PLACE", "mars", 1, NULL, 0}};
  unsetenv("USW_LOG");
  unsetenv("USW_PLACE");
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    run(&cases[k]);
  return check_report();
}
