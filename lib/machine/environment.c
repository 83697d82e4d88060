/* The environment table: one entry per variable gives its name, default, meaning and reader. */

#include "machine/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "base/error.h"
#include "base/number.h"
#include "base/strategy.h"
#include "machine/isa.h"

static uswi_environment_t environment = {.wait = USWI_WAIT_SPIN};

const uswi_environment_t *uswi_environment(void) { return &environment; }

enum { SHOWN_BYTES = 100 }; /* of a bad value, so that the line has room for what is used */

typedef struct word {
  const char *text;
  int value;
} word_t;

/* The value of a word in a list that ends with NULL, or -1. */
static int find_word(const word_t *words, const char *text) {
  for (; words->text; words++)
    if (strcmp(words->text, text) == 0)
      return words->value;
  return -1;
}

/* A decimal number in [0, most], or -1. */
static int64_t find_number(const char *text, uint64_t most) {
  uint64_t number;
  return uswi_read_number(text, strlen(text), most, &number) ? (int64_t)number : -1;
}

static int read_log(const char *text) {
  static const word_t words[] = {{"quiet", USWI_PRINT_NOTHING},
                                 {"warn", USWI_PRINT_VARIABLES},
                                 {"info", USWI_PRINT_INFO},
                                 {"debug", USWI_PRINT_ERRORS},
                                 {NULL, 0}};
  const int what = find_word(words, text);
  if (what >= 0)
    uswi_log_print((uswi_print_t)what);
  return what >= 0;
}

static int read_place(const char *text) {
  if (strncmp(text, "device:", 7) == 0) {
    const int64_t device = find_number(text + 7, 1 << 20);
    if (device < 0)
      return 0;
    environment.place = USW_DEVICE;
    environment.device = (int)device;
    return 1;
  }
  static const word_t words[] = {{"auto", USW_AUTO_PLACE}, {"host", USW_HOST}, {NULL, 0}};
  const int place = find_word(words, text);
  if (place >= 0)
    environment.place = (usw_place_t)place;
  return place >= 0;
}

static int read_strategy(const char *text) {
  const int strategy = uswi_strategy_named(text, strlen(text));
  if (strategy < 0 || strategy == USW_STRATEGY_HOST) /* which USW_PLACE says */
    return 0;
  environment.strategy = (usw_strategy_t)strategy;
  return 1;
}

static int read_wait(const char *text) {
  static const word_t words[] = {
      {"spin", USWI_WAIT_SPIN}, {"yield", USWI_WAIT_YIELD}, {"block", USWI_WAIT_BLOCK}, {NULL, 0}};
  const int wait = find_word(words, text);
  if (wait >= 0)
    environment.wait = (uswi_wait_t)wait;
  return wait >= 0;
}

static int read_backend(const char *text) {
  static const word_t words[] = {{"auto", USWI_BACKEND_AUTO}, {"openmp", USWI_BACKEND_OPENMP}, {NULL, 0}};
  const int backend = find_word(words, text);
  if (backend >= 0)
    environment.backend = (uswi_backend_choice_t)backend;
  return backend >= 0;
}

static int read_threads(const char *text) {
  const int64_t threads = find_number(text, 1 << 20);
  if (threads >= 0)
    environment.threads = (uint32_t)threads;
  return threads >= 0;
}

static int read_bind(const char *text) {
  const int64_t bind = find_number(text, 1);
  if (bind >= 0)
    environment.bind = (int)bind;
  return bind >= 0;
}

static int read_teams(const char *text) {
  const int64_t teams = find_number(text, 65535);
  if (teams >= 0)
    environment.teams = (uint32_t)teams;
  return teams >= 0;
}

static int read_work_group_load(const char *text) {
  const int64_t load = find_number(text, 65535);
  if (load >= 0)
    environment.work_group_load = (uint32_t)load;
  return load >= 0;
}

static int read_recheck(const char *text) {
  const int64_t rate = find_number(text, USW_RECHECK_NEVER - 1);
  if (rate >= 0)
    environment.recheck = (uint32_t)rate;
  return rate >= 0;
}

static int read_staging(const char *text) {
  static const word_t words[] = {{"always", USW_STAGING_ALWAYS}, {"never", USW_STAGING_NEVER}, {NULL, 0}};
  const int staging = find_word(words, text);
  if (staging >= 0)
    environment.staging = (usw_staging_t)staging;
  return staging >= 0;
}

/* Forces a lower version than the best, so that all of them can be tested anywhere. */
static int read_isa(const char *text) {
  static const word_t words[] = {{"auto", USWI_ISA_V4}, {"base", USWI_ISA_BASE}, {"v2", USWI_ISA_V2},
                                 {"v3", USWI_ISA_V3},   {"v4", USWI_ISA_V4},     {NULL, 0}};
  const int isa = find_word(words, text), best = uswi_isa_best();
  if (isa >= 0)
    environment.isa = isa < best ? isa : best;
  return isa >= 0;
}

/* What the files say is tuning.c's to judge. */
static int read_tuning(const char *text) {
  environment.tuning = strcmp(text, "none") == 0 ? NULL : strdup(text);
  if (!environment.tuning && strcmp(text, "none") != 0)
    uswi_warn_of_variable("USW_TUNING: there is no memory for its names; the built-in entries are used");
  return 1;
}

typedef struct variable {
  const char *name, *standard, *values, *meaning;
  int (*read)(const char *text); /* 0: not a value of this variable */
} variable_t;

/* USW_LOG comes first: it says whether those behind it are warned of. */
static const variable_t variables[] = {
    {"USW_LOG", "warn", "quiet, warn, info or debug",
     "what is printed on stderr while there is no log callback: nothing, variables that cannot be honored, all "
     "warnings and "
     "information, or failing calls as well",
     read_log},
    {"USW_PLACE", "auto", "auto, host or device:<number>", "where calls run that name no place", read_place},
    {"USW_STRATEGY", "auto", "auto, tree, host_finish, clause, tree_atomic, atomic or multipass",
     "how calls run on a device that name no strategy", read_strategy},
    {"USW_WAIT", "spin", "spin, yield or block",
     "how a thread waits for an NVIDIA GPU; for the whole process, until usw_finalize()", read_wait},
    {"USW_BACKEND", "auto", "auto or openmp",
     "what launches on NVIDIA GPUs go through: the driver where it can, or always the OpenMP runtime", read_backend},
    {"USW_THREADS", "0", "a number, 0 = one for each core", "most threads of a call on the host, at most OpenMP's",
     read_threads},
    {"USW_BIND", "0", "0 or 1",
     "1: each thread of a call on the host binds itself to a core of its own, once and for ever", read_bind},
    {"USW_TEAMS", "0", "a number up to 65535, 0 = by the tuning table", "teams of device calls that name no number",
     read_teams},
    {"USW_WORK_GROUP_LOAD", "0", "a number up to 65535, 0 = 256",
     "partials that multipass leaves for the host, in calls that name no number", read_work_group_load},
    {"USW_RECHECK", "0", "a number up to 4294967294, 0 = never",
     "one call in so many runs twice, in calls that name no number; results that differ are an error", read_recheck},
    {"USW_STAGING", "never", "always or never",
     "host memory in calls that name a device it is not mapped to, and no staging: brought there in chunks, or an "
     "error",
     read_staging},
    {"USW_HOST_ISA", "auto", "auto, base, v2, v3 or v4",
     "highest x86-64 level of the host's kernels, at most the processor's", read_isa},
    {"USW_TUNING", "none", "none, or names of files with colons between them",
     "entries that usw tune has found for this machine, which go before the built-in ones", read_tuning},
};
enum { VARIABLE_COUNT = sizeof variables / sizeof variables[0] };

void uswi_environment_read(void) {
  environment.isa = uswi_isa_best();
  environment.has_openmp_threads = getenv("OMP_NUM_THREADS") != NULL;
  for (int v = 0; v < VARIABLE_COUNT; v++) {
    const char *text = getenv(variables[v].name);
    if (text && !variables[v].read(text))
      uswi_warn_of_variable("%s=%.*s is not %s: %s is used", variables[v].name, SHOWN_BYTES, text, variables[v].values,
                            variables[v].standard);
  }
}

size_t usw_environment_help(char *buffer, size_t buffer_bytes) {
  size_t length = 0;
  for (int v = 0; v < VARIABLE_COUNT; v++) {
    const char *now = getenv(variables[v].name);
    const size_t room = length < buffer_bytes ? buffer_bytes - length : 0;
    const int written =
        snprintf(room ? buffer + length : NULL, room, "%s=%s\n    %s; %s (default %s)\n", variables[v].name,
                 now ? now : "", variables[v].meaning, variables[v].values, variables[v].standard);
    length += written > 0 ? (size_t)written : 0;
  }
  return length + 1;
}
