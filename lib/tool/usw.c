/* The program usw: picks the sub-command, or runs the program beside it that has its name. */
#include "measure/one_line.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

static const struct {
  const char *name, *full_name, *meaning;
  int (*run)(int argc, char **argv);
} commands[] = {
    {"reduce", "usw reduce", "reduce the numbers in files", tool_reduce},
    {"scan", "usw scan", "running results of the numbers in files", tool_scan},
    {"info", "usw info", "what this machine and this library have, and what is missing", tool_info},
    {"explain", "usw explain", "how a reduction would run, and its error bound", tool_explain},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* Commands that are programs of their own, in ../libexec/upsweep. */
static const struct {
  const char *name, *meaning;
} programs[] = {
    {"bench", "time the library beside other ones"},
    {"selfcheck", "grade every function and place against exact results"},
    {"tune", "measure how calls run fastest here, and write a tuning file"},
    {"report", "draw what usw bench measured"},
};
enum { PROGRAM_COUNT = sizeof programs / sizeof programs[0], PROGRAM_BYTES = PATH_MAX + 64 };

int tool_fail(const char *command, const char *subject, const char *format, ...) {
  char text[512], line[PATH_MAX + 1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line, "%s: %.*s%s%s", command, PATH_MAX, subject ? subject : "", subject ? ": " : "", text);
  keep_one_line(line);
  fprintf(stderr, "%s\n", line);
  return TOOL_BAD_INPUT;
}

static void print_version(FILE *stream) {
  const int version = usw_version();
  fprintf(stream, "usw (Upsweep) %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
}

/* The file of the program usw-<name> in ../libexec/upsweep, seen from this program's folder; 0: no command has such a name. */
static int find_program(const char *name, char program[PROGRAM_BYTES]) {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0 || strchr(name, '/'))
    return 0;
  self[length] = 0;
  *strrchr(self, '/') = 0;
  snprintf(program, PROGRAM_BYTES, "%s/../libexec/upsweep/usw-%.50s", self, name);
  return 1;
}

static void print_help(FILE *stream) {
  char program[PROGRAM_BYTES];
  fputs("Usage: usw COMMAND [OPTION...]\n\n", stream);
  for (size_t c = 0; c < COMMAND_COUNT; c++)
    fprintf(stream, "  %-10s %s\n", commands[c].name, commands[c].meaning);
  for (size_t p = 0; p < PROGRAM_COUNT; p++)
    fprintf(stream, "  %-10s %s%s\n", programs[p].name, programs[p].meaning,
            find_program(programs[p].name, program) && access(program, F_OK) == 0 ? "" : " (not installed)");
  fputs("\n`usw COMMAND --help' and the manual page usw(1) say more. usw X runs libexec/upsweep/usw-X where X is none "
        "of\n"
        "these.\n",
        stream);
}

/* There is no such program: it is not installed, or nobody has heard of it. */
static int fail_command(const char *command, const char *name) {
  for (size_t p = 0; p < PROGRAM_COUNT; p++)
    if (strcmp(name, programs[p].name) == 0)
      return tool_fail(command, name,
                       "this command is not installed: install the package upsweep-tools, or build with "
                       "-DUSW_BUILD_TOOLS=ON -DUSW_BUILD_PERF=ON");
  return tool_fail(command, name, "there is no such command; `usw help' lists them");
}

/* The program usw-<name>. Returns only on failure. */
static int run_beside(char **argv) {
  char program[PROGRAM_BYTES];
  if (find_program(argv[0], program)) {
    char name[64], *const command = argv[0];
    snprintf(name, sizeof name, "usw-%.50s", command);
    argv[0] = name; /* by which the program calls itself */
    execv(program, argv);
    argv[0] = command;
    if (errno != ENOENT)
      return tool_fail("usw", program, "%s", strerror(errno));
  }
  return fail_command("usw", argv[0]);
}

static int help(int argc, char **argv) {
  if (argc < 2) {
    print_help(stdout);
    return TOOL_OK;
  }
  for (size_t c = 0; c < COMMAND_COUNT; c++) {
    char full_name[32], option[] = "--help", *arguments[] = {full_name, option, NULL};
    snprintf(full_name, sizeof full_name, "%s", commands[c].full_name);
    if (strcmp(argv[1], commands[c].name) == 0)
      return commands[c].run(2, arguments);
  }
  for (size_t p = 0; p < PROGRAM_COUNT; p++) {
    char name[32], option[] = "--help", *arguments[] = {name, option, NULL};
    snprintf(name, sizeof name, "%s", programs[p].name);
    if (strcmp(argv[1], name) == 0)
      return run_beside(arguments);
  }
  return fail_command("usw help", argv[1]);
}

/* What the library warns of, an environment variable's bad value for example; failures come as statuses. */
static void print_warning(usw_log_level_t level, const char *line, void *context) {
  (void)context;
  if (level == USW_LOG_WARNING)
    fprintf(stderr, "usw: warning: %s\n", line);
}

/* The exit code of a command, which may have left output that cannot be written. A failed one has said why. */
static int finish(const char *command, int code) {
  const int is_lost = fflush(stdout) != 0 || ferror(stdout);
  if (code != TOOL_OK || !is_lost)
    return code;
  tool_fail(command, NULL, "the results could not be written");
  return TOOL_FAILURE;
}

int main(int argc, char **argv) {
  usw_set_log_callback(print_warning, NULL);
  if (argc < 2) {
    print_help(stderr);
    return TOOL_BAD_INPUT;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "version") == 0) {
    print_version(stdout);
    return finish("usw", TOOL_OK);
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
    return finish("usw", help(argc - 1, argv + 1));
  for (size_t c = 0; c < COMMAND_COUNT; c++) {
    if (strcmp(argv[1], commands[c].name) != 0)
      continue;
    char full_name[32];
    snprintf(full_name, sizeof full_name, "%s", commands[c].full_name);
    argv[1] = full_name;
    return finish(full_name, commands[c].run(argc - 1, argv + 1));
  }
  return run_beside(argv + 1);
}
