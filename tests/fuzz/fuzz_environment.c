/* Any bytes as the values of the environment's variables: a value is taken, within its limits, or there is one
 * warning, of one line, which names the variable, and the default stays. */
#include <machine/environment.h>
#include <upsweep/upsweep.h>

#include "input.h"

enum { MOST_VALUE = 300, HELP_BYTES = 1 << 14, MOST_VARIABLES = 4 };

static const char *const names[] = {
    "USW_LOG",   "USW_PLACE",           "USW_STRATEGY", "USW_WAIT",    "USW_BACKEND",  "USW_THREADS", "USW_BIND",
    "USW_TEAMS", "USW_WORK_GROUP_LOAD", "USW_RECHECK",  "USW_STAGING", "USW_HOST_ISA", "USW_TUNING"};
enum { NAMES = sizeof names / sizeof *names };
static const char *const words[] = {"auto",  "host",  "device:", "0",     "1",     "none",   "tree", "spin",
                                    "quiet", "never", "always",  "65535", "65536", "openmp", "v3",   "4294967295"};

static int warnings[NAMES];

static void count_warning(usw_log_level_t level, const char *line, void *context) {
  (void)context;
  require(level == USW_LOG_WARNING && is_one_line(line), "a warning of another level, or of several lines: '%s'", line);
  int named = 0;
  for (int v = 0; v < NAMES; v++) {
    const size_t length = strlen(names[v]);
    if (strncmp(line, names[v], length) == 0 && line[length] == '=') {
      warnings[v]++;
      named++;
    }
  }
  require(named == 1 && strstr(line, " is used"), "a warning that names no variable, or no default: '%s'", line);
}

static void take_value(input_t *input, char value[MOST_VALUE + 1]) {
  size_t length = 0;
  if (take_below(input, 2))
    length = (size_t)snprintf(value, MOST_VALUE, "%s", words[take_below(input, 16)]);
  for (uint64_t more = take_below(input, 4) ? take_below(input, 8) : take_below(input, MOST_VALUE - 32); more > 0;
       more--)
    value[length++] = (char)(1 + take_below(input, 255));
  value[length] = 0;
}

static int is_number_of(const char *text, uint64_t most) {
  return *text && text[strspn(text, "0123456789")] == 0 && strtoull(text, NULL, 10) <= most;
}

/* Whether numbers were taken as they are written. */
static void check_number(const char *name, const char *text, uint64_t most, uint64_t value) {
  if (!text || !is_number_of(text, most))
    require(value == 0, "%s=%s is taken for %llu", name, text ? text : "", (unsigned long long)value);
  else
    require(value == strtoull(text, NULL, 10), "%s=%s gives %llu", name, text, (unsigned long long)value);
}

static void check_environment(const uswi_environment_t *e) {
  check_number("USW_THREADS", getenv("USW_THREADS"), 1 << 20, e->threads);
  check_number("USW_TEAMS", getenv("USW_TEAMS"), 65535, e->teams);
  check_number("USW_WORK_GROUP_LOAD", getenv("USW_WORK_GROUP_LOAD"), 65535, e->work_group_load);
  check_number("USW_RECHECK", getenv("USW_RECHECK"), USW_RECHECK_NEVER - 1, e->recheck);
  check_number("USW_BIND", getenv("USW_BIND"), 1, (uint64_t)e->bind);
  require((unsigned)e->place <= USW_DEVICE && e->device >= 0 && e->device <= 1 << 20, "place %d:%d", (int)e->place,
          e->device);
  require((unsigned)e->strategy <= USW_STRATEGY_MULTIPASS && e->strategy != USW_STRATEGY_HOST, "strategy %d",
          (int)e->strategy);
  require((unsigned)e->staging <= USW_STAGING_NEVER && e->isa >= 0 && e->isa <= 3, "staging %d, isa %d",
          (int)e->staging, e->isa);
}

/* The help says how long it is, and writes no more than there is room for. */
static void check_help(size_t room) {
  static char help[HELP_BYTES];
  memset(help, 0x5a, sizeof help);
  const size_t bytes = usw_environment_help(help, room);
  require(bytes < sizeof help && usw_environment_help(NULL, 0) == bytes, "the help has %zu bytes", bytes);
  require(help[room] == 0x5a && (room == 0 || strlen(help) == (bytes <= room ? bytes : room) - 1),
          "a help of %zu bytes in room for %zu", bytes, room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  input_t input = input_of(data, bytes);
  uswi_environment_t *environment = (uswi_environment_t *)(uintptr_t)uswi_environment(); /* the library reads once */
  int is_set[NAMES] = {0};
  memset(warnings, 0, sizeof warnings);
  usw_set_log_callback(count_warning, NULL);
  for (int v = 0; v < NAMES; v++)
    unsetenv(names[v]);
  for (uint64_t count = 1 + take_below(&input, MOST_VARIABLES); count > 0; count--) {
    char value[MOST_VALUE + 1];
    const int v = (int)take_below(&input, NAMES);
    take_value(&input, value);
    setenv(names[v], value, 1);
    is_set[v] = 1;
  }
  *environment = (uswi_environment_t){.wait = USWI_WAIT_SPIN};
  uswi_environment_read();
  for (int v = 0; v < NAMES; v++)
    require(warnings[v] <= is_set[v], "%s: %d warnings", names[v], warnings[v]);
  check_environment(environment);
  check_help(take_below(&input, 4) ? take_below(&input, 1 << 13) : 0);
  free((char *)(uintptr_t)environment->tuning);
  return 0;
}
