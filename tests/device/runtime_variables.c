/* Variables of the OpenMP runtimes that change what a device or a thread is: under each value every strategy gives the right
 * result at the named place, or an error that names the variable. Each value in a process of its own: the program starts itself.
 *   runtime_variables --place NAME */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 100003 };

static double ones[ITEMS];

static void check_call(usw_options_t options, const void *data, const char *culprit) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  double sum = 42;
  options.report = &report;
  options.accuracy = USW_FAST;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, data, ITEMS, &sum, &options);
  if (culprit) {
    CHECK_STATUS(USW_ERROR_DEVICE, status);
    CHECK_TEXT_HAS(usw_error_text(), culprit);
    CHECK_F64(42, sum);
    return;
  }
  CHECK_STATUS(USW_OK, status);
  CHECK_F64(ITEMS, sum);
  CHECK_I64(options.place, report.place);
}

/* In the child. */
static int child(int device, const char *culprit) {
  static const usw_strategy_t strategies[] = {USW_AUTO_STRATEGY,     USW_STRATEGY_TREE,        USW_STRATEGY_HOST_FINISH,
                                              USW_STRATEGY_CLAUSE,   USW_STRATEGY_TREE_ATOMIC, USW_STRATEGY_ATOMIC,
                                              USW_STRATEGY_MULTIPASS};
  const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE, .device = device};
  for (int k = 0; k < ITEMS; k++)
    ones[k] = 1;
  check_call(on_host, ones, NULL);
  place_memory_t data = {.data = ones};
  const test_place_t place = {USW_DEVICE, device, culprit ? "x86_64" : usw_device_target(device)};
  if (!culprit)
    data = memory_get(&place, ones, sizeof ones, 0);
  for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++) {
    options.strategy = strategies[s];
    check_call(options, data.data, culprit);
  }
  if (!culprit)
    memory_free(&data);
  return check_report();
}

/* What libomp itself has to say goes to its stderr. */
static void run(const char *device, const char *variable, const char *value, const char *culprit) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    unsetenv("OMP_TARGET_OFFLOAD");
    setenv(variable, value, 1);
    execl("/proc/self/exe", "runtime_variables", "--child", device, culprit, (char *)NULL);
    _exit(1);
  }
  int how = 1;
  waitpid(pid, &how, 0);
  check_count(how == 0, __FILE__, __LINE__, "%s=%s: the process ended with %d", variable, value, how);
}

static const char *const works[][2] = {{"OMP_TARGET_OFFLOAD", "default"},
                                       {"OMP_TARGET_OFFLOAD", "mandatory"},
                                       {"OMP_TARGET_OFFLOAD", "perhaps"},
                                       {"OMP_DEFAULT_DEVICE", "99"},
                                       {"OMP_DEFAULT_DEVICE", "-5"},
                                       {"OMP_TEAMS_THREAD_LIMIT", "1"},
                                       {"OMP_NUM_TEAMS", "1"},
                                       {"OMP_NUM_TEAMS", "3"},
                                       {"OMP_THREAD_LIMIT", "1"},
                                       {"OMP_THREAD_LIMIT", "2"},
                                       {"OMP_NUM_THREADS", "1"},
                                       {"OMP_NUM_THREADS", "7"},
                                       {"OMP_DYNAMIC", "true"},
                                       {"OMP_MAX_ACTIVE_LEVELS", "0"},
                                       {"OMP_MAX_ACTIVE_LEVELS", "9"},
                                       {"OMP_PROC_BIND", "spread,close"},
                                       {"OMP_PLACES", "{0}"},
                                       {"OMP_WAIT_POLICY", "passive"},
                                       {"OMP_SCHEDULE", "dynamic,1"},
                                       {"OMP_STACKSIZE", "64k"},
                                       {"OMP_CANCELLATION", "true"},
                                       {"OMP_TOOL", "disabled"},
                                       {"KMP_DEVICE_THREAD_LIMIT", "3"},
                                       {"KMP_TEAMS_THREAD_LIMIT", "1"},
                                       {"KMP_LIBRARY", "serial"},
                                       {"KMP_BLOCKTIME", "0"},
                                       {"KMP_AFFINITY", "disabled"},
                                       {"KMP_HOT_TEAMS_MODE", "0"},
                                       {"KMP_FORCE_REDUCTION", "atomic"},
                                       {"KMP_FORCE_REDUCTION", "critical"},
                                       {"KMP_FORCE_REDUCTION", "tree"},
                                       {"KMP_DETERMINISTIC_REDUCTION", "true"},
                                       {"KMP_PLAIN_BARRIER_PATTERN", "hyper,hyper"},
                                       {"KMP_TASKING", "0"},
                                       {"LIBOMP_NUM_HIDDEN_HELPER_THREADS", "0"},
                                       {"LIBOMPTARGET_STACK_SIZE", "1"},
                                       {"LIBOMPTARGET_HEAP_SIZE", "1"},
                                       {"LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0"},
                                       {"LIBOMPTARGET_LOCK_MAPPED_HOST_BUFFERS", "1"},
                                       {"LIBOMPTARGET_INFO", "-1"}};

/* Under these the runtime counts devices that cannot be used. */
static const char *const refused[][2] = {{"OMP_TARGET_OFFLOAD", "disabled"}, {"OMP_TARGET_OFFLOAD", "DISABLED"},
                                         {"KMP_DEVICE_THREAD_LIMIT", "1"},   {"KMP_DEVICE_THREAD_LIMIT", "2"},
                                         {"KMP_ALL_THREADS", "1"},           {"KMP_DEVICE_THREAD_LIMIT", "0"},
                                         {"KMP_DEVICE_THREAD_LIMIT", "all"}};

int main(int argc, char **argv) {
  if (argc >= 3 && strcmp(argv[1], "--child") == 0)
    return child(atoi(argv[2]), argc > 3 ? argv[3] : NULL);
  const test_place_t place = place_of_arguments(argc, argv);
  const int is_cpu = strcmp(place.target, "x86_64") == 0;
  char device[16];
  snprintf(device, sizeof device, "%d", place.device);
  for (size_t k = 0; k < sizeof works / sizeof *works; k++)
    run(device, works[k][0], works[k][1], NULL);
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    if (is_cpu || strncmp(refused[k][0], "OMP_", 4) == 0)
      run(device, refused[k][0], refused[k][1],
          strncmp(refused[k][0], "OMP_", 4) == 0 ? refused[k][0] : "THREAD_LIMIT");
  if (is_cpu)
    run(device, "CUDA_VISIBLE_DEVICES", "", NULL);
  else
    run(device, "CUDA_VISIBLE_DEVICES", "", "there is no device");
  return check_report();
}
