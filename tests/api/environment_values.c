/* Environment variables: a good value is used; a bad one gives one warning, which names variable,
 * value and what is used instead. Each value in a process of its own: the program starts itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

static int warnings;
static char warning[512];

static void keep_warning(usw_log_level_t level, const char *line, void *context) {
  (void)context;
  if (level != USW_LOG_WARNING || !strstr(line, "USW_"))
    return;
  warnings++;
  snprintf(warning, sizeof warning, "%s", line);
}

/* After one call: of those that follow and name no number, so many run twice, and none that says never. */
static void check_rechecks(uint64_t rate) {
  const double one = 1;
  usw_options_t never = {.size = USW_INIT(usw_options_t), .recheck = USW_RECHECK_NEVER};
  uint64_t checked, differing;
  double sum;
  for (int call = 1; call < 12; call++) {
    CHECK_STATUS(USW_OK, usw_sum(&one, 1, &sum));
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, &one, 1, &sum, &never));
  }
  usw_recheck_counts(&checked, &differing);
  CHECK_U64(12 / rate, checked);
  CHECK_U64(0, differing);
}

/* In the child: one call, then what the parent wants to see. */
static int child(const char *name, const char *value, const char *instead) {
  static double data[1 << 20]; /* large enough for threads */
  double sum = 1;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = {.size = USW_INIT(usw_options_t), .report = &report};
  usw_set_log_callback(keep_warning, NULL);
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, data, sizeof data / sizeof *data, &sum, &options);
  if (instead) {
    CHECK_STATUS(USW_OK, status);
    CHECK_F64(0, sum);
    CHECK_I64(1, warnings);
    CHECK_TEXT_HAS(warning, name);
    CHECK_TEXT_HAS(warning, value);
    CHECK_TEXT_HAS(warning, instead);
  } else {
    CHECK_I64(0, warnings);
    if (strcmp(value, "device:999") == 0) {
      CHECK_STATUS(USW_ERROR_DEVICE, status);
      CHECK_TEXT_HAS(usw_error_text(), "999");
      options.place = USW_HOST; /* what a call names comes first */
      CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, data, 9, &sum, &options));
    } else {
      CHECK_STATUS(USW_OK, status);
      CHECK_I64(USW_HOST, report.place);
    }
    if (strcmp(name, "USW_RECHECK") == 0)
      check_rechecks((uint64_t)atoi(value));
    if (strcmp(name, "USW_THREADS") == 0)
      CHECK(strcmp(value, "1") != 0 || report.teams == 1);
  }
  return check_report();
}

static void run(const char *name, const char *value, const char *instead) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    setenv(name, value, 1);
    execl("/proc/self/exe", "environment_values", name, value, instead, (char *)NULL);
    _exit(1);
  }
  int how = 1;
  waitpid(pid, &how, 0);
  check_count(how == 0, __FILE__, __LINE__, "%s=%s: the process ended with %d", name, value, how);
}

int main(int argc, char **argv) {
  if (argc >= 3)
    return child(argv[1], argv[2], argc > 3 ? argv[3] : NULL);
  static const char *const bad[][3] = {
      {"USW_PLACE", "mars", "auto"},       {"USW_PLACE", "device:", "auto"},
      {"USW_PLACE", "device:1x", "auto"},  {"USW_PLACE", "device:-1", "auto"},
      {"USW_PLACE", "", "auto"},           {"USW_STRATEGY", "Tree", "auto"},
      {"USW_STRATEGY", "host", "auto"},    {"USW_WAIT", "forever", "spin"},
      {"USW_HOST_ISA", "v9", "auto"},      {"USW_THREADS", "-1", "0"},
      {"USW_THREADS", "many", "0"},        {"USW_THREADS", "99999999999999999999", "0"},
      {"USW_TEAMS", "65536", "0"},         {"USW_TEAMS", "1.5", "0"},
      {"USW_RECHECK", "-1", "0"},          {"USW_RECHECK", "4294967295", "0"},
      {"USW_BACKEND", "driver", "auto"},   {"USW_STAGING", "1", "never"},
      {"USW_LOG", "loud", "warn"},         {"USW_THREADS", "+4", "0"},
      {"USW_THREADS", " 4", "0"},          {"USW_BIND", "2", "0"},
      {"USW_STRATEGY", "atomics", "auto"}, {"USW_WORK_GROUP_LOAD", "65536", "0"}};
  static const char *const good[][2] = {{"USW_LOG", "quiet"},
                                        {"USW_LOG", "debug"},
                                        {"USW_PLACE", "auto"},
                                        {"USW_PLACE", "host"},
                                        {"USW_PLACE", "device:999"},
                                        {"USW_STRATEGY", "tree"},
                                        {"USW_STRATEGY", "host_finish"},
                                        {"USW_STRATEGY", "auto"},
                                        {"USW_BACKEND", "openmp"},
                                        {"USW_STAGING", "always"},
                                        {"USW_STAGING", "never"},
                                        {"USW_BACKEND", "auto"},
                                        {"USW_TUNING", "none"},
                                        {"USW_WAIT", "spin"},
                                        {"USW_WAIT", "yield"},
                                        {"USW_WAIT", "block"},
                                        {"USW_THREADS", "1"},
                                        {"USW_THREADS", "0"},
                                        {"USW_TEAMS", "65535"},
                                        {"USW_HOST_ISA", "base"},
                                        {"USW_STRATEGY", "tree_atomic"},
                                        {"USW_STRATEGY", "atomic"},
                                        {"USW_STRATEGY", "multipass"},
                                        {"USW_WORK_GROUP_LOAD", "1"},
                                        {"USW_RECHECK", "1"},
                                        {"USW_RECHECK", "2"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    run(bad[k][0], bad[k][1], bad[k][2]);
  for (size_t k = 0; k < sizeof good / sizeof *good; k++)
    run(good[k][0], good[k][1], NULL);
  return check_report();
}
