/* A GPU that is lost in the middle of a call: the call returns USW_ERROR_DEVICE and leaves its results as they were, so do all
 * later ones there, nothing waits for ever, and the host goes on.   lost --place driver|device:gpu
 * On a GPU a kernel traps. driver: the stub's launches tell no error, and all that comes after one does; once for each scenario, and for
 * each of three GPUs that run parts, in a process of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/plan.h>
#include <upsweep/upsweep.h>

#include "faults.h"
#include "lost_part.h"
#include "scenarios.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { ITEMS = 70001, LONGEST_S = 60, NOTHING_LOST = 5, LEAST_LOST = 18 };
static test_place_t place;

static void host_works(void) {
  const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  static double ones[ITEMS];
  double sum = 0;
  for (size_t i = 0; i < ITEMS; i++)
    ones[i] = 1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, ones, ITEMS, &sum, &host));
  CHECK_F64(ITEMS, sum);
}

static void is_told_of(const char *what, usw_status_t status) {
  const char *text = usw_error_text();
  check_true_at(status == USW_ERROR_DEVICE, "the device's error", what, __FILE__, __LINE__);
  check_true_at(strstr(text, "device ") || strstr(text, "the driver"), text, what, __FILE__, __LINE__);
}
static void is_told(usw_status_t status) { is_told_of("", status); }

#ifdef USW_PORT_SIMT
static int asks_only(const scenario_t *scenario) {
  return strcmp(scenario->name, "info") == 0 || strcmp(scenario->name, "explain") == 0;
}

static int is_run_here(const scenario_t *scenario) {
  return scenario_is_possible(scenario) && strcmp(scenario->needs, "end") != 0;
}

static int are_untouched(void) {
  const unsigned char *bytes = (const unsigned char *)scenario_results;
  for (size_t b = (size_t)scenario_steps * sizeof *scenario_results; b < sizeof scenario_results; b++)
    if (bytes[b] != 0xa5)
      return 0;
  return 1;
}

static usw_status_t run(const scenario_t *scenario) {
  memset(scenario_results, 0xa5, sizeof scenario_results);
  scenario_steps = 0;
  return scenario->run();
}

/* A call that launches nothing loses nothing. */
static int lose_in(const scenario_t *scenario) {
  simt_launch_by_driver();
  place = (test_place_t){USW_DEVICE, 0, "simt"};
  scenario_prepare(&place, DRIVER_PLACE);
  if (!is_run_here(scenario))
    return NOTHING_LOST;
  CHECK_STATUS(USW_OK, run(scenario));
  faults_lose_at_next_launch();
  const usw_status_t status = run(scenario);
  if (faults_is_lost()) {
    is_told_of(scenario->name, status);
    check_true_at(are_untouched(), "results are untouched", scenario->name, __FILE__, __LINE__);
    for (int s = 0; s < scenario_count; s++)
      if (is_run_here(&scenarios[s]) && !asks_only(&scenarios[s])) {
        is_told_of(scenarios[s].name, run(&scenarios[s]));
        check_true_at(are_untouched(), "results are untouched", scenarios[s].name, __FILE__, __LINE__);
      }
  }
  host_works();
  CHECK_STATUS(USW_OK, usw_finalize());
  const int code = check_report();
  return code == 0 && !faults_is_lost() ? NOTHING_LOST : code;
}

/* The exit code of a child that loses a GPU in a scenario, or, without one, in a part. */
static int lose_in_child(const scenario_t *scenario, int way, int gpu) {
  int status = -1;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    alarm(LONGEST_S);
    FILE *const quiet = freopen("/dev/null", "w", stdout);
    exit(!quiet ? 1 : scenario ? lose_in(scenario) : lose_part(way, gpu));
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int lose_in_each(void) {
  static char stream;
  scenario_stream = &stream;
  place = (test_place_t){USW_DEVICE, 0, "simt"};
  int lost = 0;
  for (int s = 0; s < scenario_count; s++) {
    const int code = lose_in_child(&scenarios[s], 0, 0);
    check_true_at(code == 0 || code == NOTHING_LOST, "it ends well", scenarios[s].name, __FILE__, __LINE__);
    lost += code == 0;
  }
  CHECK(lost >= LEAST_LOST);
  for (int way = 0; way < LOST_PART_WAYS; way++)
    for (int gpu = 0; gpu < LOST_PART_GPUS; gpu++)
      check_count(lose_in_child(NULL, way, gpu) == 0, __FILE__, __LINE__, "way %d: part %d is lost", way, gpu + 1);
  return check_report();
}
#endif

/* ---- a GPU ---- */

#define USW_KERNEL guarded
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(double, limit)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (x > limit)
    __builtin_trap();
  usw_add(total, x);
}
#include <upsweep/kernel_end.h>

static int trap(void) {
  const usw_options_t options = place_options(&place);
  static double x[ITEMS];
  double total = 3, sum = 5;
  usw_plan_t *plan = NULL, *bound = NULL;
  usw_request_t request = {NULL, 0};
  for (size_t i = 0; i < ITEMS; i++)
    x[i] = (double)(i % 100);
  const place_memory_t there = device_memory_get(&place, x, sizeof x, 0);
  CHECK_STATUS(USW_OK, guarded_fresh(ITEMS, there.data, 100, &sum, &options));
  CHECK_STATUS(USW_OK, usw_plan_create(&plan, USW_PLUS, USW_F64, &options));
  CHECK_STATUS(USW_OK, usw_plan_create(&bound, USW_PLUS, USW_F64, &options));
  CHECK_STATUS(USW_OK, usw_plan_bind(bound, there.data, ITEMS, &sum));
  CHECK_STATUS(USW_OK, usw_plan_run_bound(bound));
  const double right = sum;
  is_told(guarded(ITEMS, there.data, 98, &total, &options));
  CHECK_F64(3, total);
  is_told(guarded(ITEMS, there.data, 100, &total, &options));
  is_told(usw_reduce(USW_PLUS, USW_F64, there.data, ITEMS, &total, &options));
  is_told(usw_plan_run_bound(bound));
  is_told(usw_plan_run(plan, there.data, ITEMS, &total));
  is_told(usw_plan_start(plan, there.data, ITEMS, &total, &request));
  CHECK_F64(3, total);
  CHECK_F64(right, sum);
  usw_plan_destroy(bound);
  usw_plan_destroy(plan);
  host_works();
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}

int main(int argc, char **argv) {
#ifdef USW_PORT_SIMT
  if (argc == 3 && strcmp(argv[2], "driver") == 0)
    return lose_in_each();
#endif
  alarm(LONGEST_S);
  place = place_of_arguments(argc, argv);
  if (strcmp(place.target, "nvptx") != 0)
    return check_skip("a kernel that traps ends the process here");
  const int code = trap();
  fflush(NULL);
  _exit(code); /* libomptarget would end the process when it gives back what it has on the GPU */
}
