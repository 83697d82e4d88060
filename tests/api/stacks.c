/* Calls from threads with little stack: the first one of a process, and later ones. Each case in a process of its own: the
 * program starts itself.   stacks [--place NAME] [--kib FIRST WARM] */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "support/check.h"
#include "support/place.h"

enum { MOST_ITEMS = 4000037, KIB = 1024 };

static double ones[MOST_ITEMS];
static const double *data;
static test_place_t place;

static void sum_of(usw_accuracy_t accuracy, size_t n, uint32_t recheck) {
  usw_options_t options = place_options(&place);
  double sum = -1;
  options.accuracy = accuracy;
  options.recheck = recheck;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, data, n, &sum, &options));
  CHECK_F64((double)n, sum);
}

static void sum_short(void) { sum_of(USW_REPEATABLE, 3, 0); }

/* Again and again: threads come when the time of a chunk is known. */
static void sum_long(void) {
  for (int call = 0; call < 12; call++)
    sum_of(USW_REPEATABLE, MOST_ITEMS, 0);
}

static void sum_exact(void) { sum_of(USW_EXACT, MOST_ITEMS / 8, 0); }
static void sum_reproducible(void) { sum_of(USW_REPRODUCIBLE, MOST_ITEMS / 8, 0); }
static void sum_rechecked(void) { sum_of(USW_REPEATABLE, MOST_ITEMS / 8, 1); }

static void described(void) {
  const usw_options_t options = place_options(&place);
  usw_describe_f64_t description;
  CHECK_STATUS(USW_OK, usw_reduce(USW_DESCRIBE, USW_F64, data, MOST_ITEMS / 8, &description, &options));
}

static void run_set(void) {
  const usw_options_t options = place_options(&place);
  double sum = -1, least = -1;
  usw_set_t *set;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, data, 1, &sum, USW_SET_INITIALIZE_TO_IDENTITY));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_MINIMUM, USW_F64, data, 1, &least, USW_SET_INITIALIZE_TO_IDENTITY));
  CHECK_STATUS(USW_OK, usw_set_run(set, MOST_ITEMS / 8, &options));
  CHECK_F64(MOST_ITEMS / 8, sum);
  usw_set_destroy(set);
}

/* Columns far apart, whose accumulators are on the stack. */
static void run_axes(void) {
  enum { COLUMNS = 3001 };
  static double sums[COLUMNS];
  const usw_options_t options = place_options(&place);
  const usw_array_t array = usw_array_2d(USW_F64, data, MOST_ITEMS / 8 / COLUMNS, COLUMNS);
  CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(0), sums, &options));
  CHECK_F64(MOST_ITEMS / 8 / COLUMNS, sums[COLUMNS - 1]);
}

static void run_plan(void) {
  const usw_options_t options = place_options(&place);
  double sum = -1;
  usw_plan_t *plan;
  CHECK_STATUS(USW_OK, usw_plan_create(&plan, USW_PLUS, USW_F64, &options));
  CHECK_STATUS(USW_OK, usw_plan_run(plan, data, MOST_ITEMS, &sum));
  CHECK_F64(MOST_ITEMS, sum);
  usw_plan_destroy(plan);
}

static void refused(void) {
  double sum;
  CHECK_STATUS(USW_ERROR_INVALID, usw_sum_f64(NULL, 3, &sum));
}

/* These read the machine's topology, too. */
static void told(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  CHECK_STATUS(USW_OK, usw_info(&info));
}
static void explained(void) {
  const usw_options_t options = place_options(&place);
  usw_explanation_t explanation = {.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, MOST_ITEMS, &options, &explanation));
}

static const struct {
  const char *name;
  void (*calls)(void);
} cases[] = {
    {"short", sum_short},         {"long", sum_long},       {"exact", sum_exact}, {"reproducible", sum_reproducible},
    {"rechecked", sum_rechecked}, {"described", described}, {"set", run_set},     {"plan", run_plan},
    {"axes", run_axes},           {"refused", refused},     {"info", told},       {"explain", explained}};
enum { CASES = sizeof cases / sizeof *cases };

static void *call(void *number) {
  cases[*(const size_t *)number].calls();
  return NULL;
}

/* In the child. */
static int child(size_t number, size_t kib, int is_warm, int device) {
  pthread_attr_t attributes;
  pthread_t thread;
  place = device < 0 ? (test_place_t){USW_HOST, -1, "host"} : (test_place_t){USW_DEVICE, device, "x86_64"};
  for (size_t k = 0; k < MOST_ITEMS; k++)
    ones[k] = 1;
  data = ones;
  if (is_warm)
    call(&number);
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstacksize(&attributes, kib * KIB) == 0);
  CHECK(pthread_create(&thread, &attributes, call, &number) == 0);
  pthread_join(thread, NULL);
  return check_report();
}

static void run(size_t number, size_t kib, int is_warm) {
  char words[4][16];
  const int values[4] = {(int)number, (int)kib, is_warm, place.place == USW_HOST ? -1 : place.device};
  for (int k = 0; k < 4; k++)
    snprintf(words[k], sizeof words[k], "%d", values[k]);
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/proc/self/exe", "stacks", "--child", words[0], words[1], words[2], words[3], (char *)NULL);
    _exit(1);
  }
  int how = 1;
  waitpid(pid, &how, 0);
  check_count(how == 0, __FILE__, __LINE__, "%s, %s call, %zu KiB of stack: the process ended with %d",
              cases[number].name, is_warm ? "warm" : "first", kib, how);
}

int main(int argc, char **argv) {
  size_t kib_of_first = 64, kib_of_warm = 64; /* host.md */
  if (argc == 6 && strcmp(argv[1], "--child") == 0)
    return child((size_t)atoi(argv[2]), (size_t)atoi(argv[3]), atoi(argv[4]), atoi(argv[5]));
  for (int k = 1; k + 2 < argc; k++)
    if (strcmp(argv[k], "--kib") == 0) {
      kib_of_first = (size_t)atoi(argv[k + 1]);
      kib_of_warm = (size_t)atoi(argv[k + 2]);
    }
  place = place_of_arguments(argc, argv);
  for (size_t number = 0; number < CASES; number++) {
    run(number, kib_of_first, 0);
    run(number, kib_of_warm, 1);
  }
  return check_report();
}
