/* Every call that the library makes of another library fails once, in calls of every kind: the library returns the error
 * that names what failed, leaves results as they were, loses nothing, and the same call is right afterwards.
 *   sweep [--place NAME|driver|staging] [--scenario NAME] [--verbose]
 * driver: the emulated GPU, launched through a stub of NVIDIA's driver; staging: the host's memory is out of its reach,
 * too. For faults of a process's first call, which must not look for the place, the program starts itself:
 *   sweep --place NAME --first SCENARIO NUMBER LASTING DEVICE TARGET */
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/upsweep.h>

#include "faults.h"
#include "scenarios.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

extern char **environ;

enum {
  WARM_RUNS = 4, /* which hold no more than those before */
  MOST_RUNS = 400,
  NO_FAULT = 3 /* a child's exit code: the first call makes fewer calls than that */
};
static const unsigned char untouched = 0xa5;
static const char stale[] = "the text of an earlier failure";

static int is_verbose;
static const char *place_name = "host";
static int stages, has_stub;
static test_place_t place;
static uint64_t injected;

/* ---- one run of a scenario ---- */

static usw_status_t run(const scenario_t *scenario) {
  memset(scenario_results, untouched, sizeof scenario_results);
  scenario_steps = 0;
  return scenario->run();
}

static int is_untouched_from(int first_step) {
  const unsigned char *bytes = (const unsigned char *)scenario_results[first_step];
  for (size_t b = 0; b < sizeof scenario_results - (size_t)first_step * sizeof *scenario_results; b++)
    if (bytes[b] != untouched)
      return 0;
  return 1;
}

/* What a fault of a kind may lead to. A place that cannot be had is an error; ways to run there may replace each other. */
static int is_expected(fault_kind_t kind, usw_status_t status) {
  switch (kind) {
  case FAULT_MEMORY:
  case FAULT_THREAD:
    return status == USW_ERROR_MEMORY;
  case FAULT_OFFLOAD:
  case FAULT_DRIVER:
    return status == USW_ERROR_MEMORY || status == USW_ERROR_DEVICE;
  default: /* the library does without */
    return 0;
  }
}

static const char *kind_name(fault_kind_t kind) {
  static const char *const names[FAULT_KINDS] = {"memory",   "file",   "thread",  "loader",
                                                 "topology", "system", "offload", "driver"};
  return names[kind];
}

typedef struct fault {
  const scenario_t *scenario;
  uint64_t number;
  int is_lasting, is_first;
} fault_t;

static void describe(const fault_t *fault, char *text, size_t bytes) {
  snprintf(text, bytes, "%s%s, call %" PRIu64 "%s", fault->scenario->name, fault->is_first ? " as the first call" : "",
           fault->number, fault->is_lasting ? " and all later ones of its kind" : "");
}

static void check(int ok, const fault_t *fault, const char *what) {
  char where[256];
  describe(fault, where, sizeof where);
  check_count(ok, __FILE__, __LINE__, "%s: %s (%s failed; status now %s)", where, what,
              faults_function() ? faults_function() : "nothing", usw_error_text());
}

/* What of the first call is found out once: without its place a later call has the same error, and calls in streams are for
 * the driver alone. */
static int may_stay(const fault_t *fault, usw_status_t status) {
  const int is_of_device =
      faults_kind() == FAULT_LOADER || faults_kind() == FAULT_OFFLOAD || faults_kind() == FAULT_DRIVER;
  const int needs_driver = strcmp(fault->scenario->needs, "driver") == 0;
  return fault->is_first && is_of_device &&
         (status == USW_ERROR_DEVICE || (needs_driver && status == USW_ERROR_UNSUPPORTED));
}

static void check_outcome(const fault_t *fault, usw_status_t status, const uint64_t *right, size_t bytes) {
  const fault_kind_t kind = faults_kind();
  if (is_verbose)
    fprintf(stderr, "%s %s: %" PRIu64 "%s: %s (%s): %s %s\n", place_name, fault->scenario->name, fault->number,
            fault->is_lasting ? "+" : "", faults_function(), kind_name(kind), usw_status_name(status),
            status == USW_OK ? "" : usw_error_text());
  if (status == USW_OK) {
    check(memcmp(scenario_results, right, bytes) == 0, fault, "OK with a wrong result");
    return;
  }
  check(is_expected(kind, status) || may_stay(fault, status), fault, usw_status_name(status));
  check(is_untouched_from(scenario_steps), fault, "an error, and results were written");
  check(strcmp(usw_error_text(), stale) != 0 && usw_error_text()[0] != 0, fault, "an error without a text");
}

/* The call that a fault hits; 0: it makes fewer calls than that. */
static int inject(const fault_t *fault, const uint64_t *right, size_t bytes, usw_status_t *status_out) {
  usw_error_set(USW_OK, stale);
  faults_begin(fault->number, fault->is_lasting);
  *status_out = run(fault->scenario);
  faults_end();
  if (!faults_function())
    return 0;
  injected++;
  check_outcome(fault, *status_out, right, bytes);
  return 1;
}

static void check_held(const fault_t *fault, const held_t *before) {
  const held_t now = faults_held();
  char what[128];
  for (int r = 0; r < RESOURCES; r++) {
    if (r == RESOURCE_GRAPHS || r == RESOURCE_EXECUTABLES) /* at most sixteen for each stream */
      continue;
    snprintf(what, sizeof what, "%s: %" PRId64 " are held, %" PRId64 " were", fault_resource_name((fault_resource_t)r),
             now.count[r], before->count[r]);
    check(now.count[r] == before->count[r], fault, what);
  }
}

/* ---- warm calls ---- */

static void sweep_warm(const scenario_t *scenario, int is_lasting) {
  static uint64_t right[SCENARIO_STEPS][SCENARIO_WORDS];
  usw_status_t status = USW_OK;
  held_t before = faults_held();
  for (int warm = 0, all = 0; warm < WARM_RUNS && all < MOST_RUNS; warm++, all++) {
    CHECK_STATUS(USW_OK, run(scenario));
    const held_t now = faults_held();
    if (memcmp(&now, &before, sizeof now) != 0)
      warm = 0;
    before = now;
  }
  memcpy(right, scenario_results, sizeof right);
  /* through the stub, in the quick tier: by turns one call, and all from one on */
  const uint64_t step = has_stub && is_quick_tier() ? 2 : 1;
  fault_t fault = {scenario, step == 2 ? (uint64_t)is_lasting : 0, is_lasting, 0};
  for (; inject(&fault, *right, sizeof right, &status); fault.number += step) {
    const usw_status_t later = run(scenario);
    check(later == USW_OK && memcmp(scenario_results, right, sizeof right) == 0, &fault, "the next call is not right");
    check_held(&fault, &before);
  }
}

/* ---- first calls: each in a process of its own ---- */

static int run_child(const scenario_t *scenario, uint64_t number, int is_lasting) {
  char text[24], name[64], device[24], target[24];
  pid_t child;
  int status;
  snprintf(text, sizeof text, "%" PRIu64, number);
  snprintf(name, sizeof name, "%s", scenario->name);
  snprintf(device, sizeof device, "%d", place.device);
  snprintf(target, sizeof target, "%s", place.target);
  char self[] = "/proc/self/exe", option[] = "--place", first[] = "--first", one[] = "0", all[] = "1",
       verbose[] = "--verbose", *where = (char *)(uintptr_t)place_name;
  char *arguments[] = {
      self, option, where, first, name, text, is_lasting ? all : one, device, target, is_verbose ? verbose : NULL,
      NULL};
  if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0 || waitpid(child, &status, 0) != child)
    return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void sweep_first(const scenario_t *scenario, int is_lasting) {
  fault_t fault = {scenario, 0, is_lasting, 1};
  /* a process with a GPU takes long to start */
  const uint64_t step = is_quick_tier() || strcmp(place.target, "nvptx") == 0 ? scenario->first_step : 1;
  for (fault.number = is_lasting % step;; fault.number += step) {
    const int code = run_child(scenario, fault.number, is_lasting);
    if (code == NO_FAULT)
      return;
    injected++;
    char where[256];
    describe(&fault, where, sizeof where);
    check_count(code == 0, __FILE__, __LINE__, "%s: the process ended with %d", where, code);
    if (code != 0 && code != 1) /* it was killed, or there is no process */
      return;
  }
}

static int is_end(const scenario_t *scenario) { return strcmp(scenario->needs, "end") == 0; }

/* After usw_finalize(): nothing is held, and calls are refused. */
static int last_call(const fault_t *fault, usw_status_t of_finalize) {
  CHECK_STATUS(USW_OK, of_finalize);
  CHECK_STATUS(USW_ERROR_STATE, run(&scenarios[0]));
  const held_t now = faults_held();
  for (fault_resource_t r = RESOURCE_FILES; r < RESOURCES; r++)
    if (r != RESOURCE_TOPOLOGIES && r != RESOURCE_CONTEXTS) /* which live as long as the process */
      check(now.count[r] == 0, fault, fault_resource_name(r));
  return check_report();
}

/* In the child: what a run gives is found out only after the fault, by the host at the least. */
static int first_call(fault_t fault) {
  usw_status_t status;
  static uint64_t got[SCENARIO_STEPS][SCENARIO_WORDS];
  FILE *const quiet = freopen("/dev/null", "w", stdout); /* failures are told on stderr */
  double sum = 0;
  const double ones[] = {1, 1, 1};
  (void)quiet;
  const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  for (int s = 0; s < scenario_count && is_end(fault.scenario); s++)
    if (scenario_is_possible(&scenarios[s]) && !is_end(&scenarios[s]) && scenarios[s].first_step > 0)
      CHECK_STATUS(USW_OK, run(&scenarios[s]));
  usw_error_set(USW_OK, stale);
  faults_begin(fault.number, fault.is_lasting);
  status = run(fault.scenario);
  faults_end();
  if (!faults_function())
    return NO_FAULT;
  memcpy(got, scenario_results, sizeof got);
  if (is_end(fault.scenario))
    return last_call(&fault, status);
  const usw_status_t later = run(fault.scenario);
  if (later == USW_OK) {
    static uint64_t right[SCENARIO_STEPS][SCENARIO_WORDS];
    memcpy(right, scenario_results, sizeof right);
    memcpy(scenario_results, got, sizeof got);
    check_outcome(&fault, status, *right, sizeof right);
  } else {
    check(may_stay(&fault, later), &fault, "the next call is not right");
  }
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, ones, 3, &sum, &host));
  CHECK_F64(3.0, sum);
  return last_call(&fault, usw_finalize());
}

/* ---- the command line ---- */

/* Names a tuning file of this place to the children, which the library reads when it starts. */
static char tuning_file[] = "/tmp/usw_faults_XXXXXX";
static void write_tuning(void) {
  usw_options_t options = place_options(&place);
  usw_explanation_t e = {.size = sizeof e};
  const int file = mkstemp(tuning_file);
  FILE *stream = file < 0 ? NULL : fdopen(file, "w");
  if (!stream || !CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, SCENARIO_ITEMS, &options, &e)))
    return;
  fprintf(stream, "%sdriver of a test\ndate of a test\ncommand of a test\nend\n", e.tuning_header);
  fclose(stream);
  setenv("USW_TUNING", tuning_file, 1);
  setenv("USW_LOG", "quiet", 1); /* of the files that cannot be read */
}

static const scenario_t *scenario_named(const char *name) {
  for (int s = 0; s < scenario_count; s++)
    if (strcmp(scenarios[s].name, name) == 0)
      return &scenarios[s];
  exit(2);
}

static const char *argument_of(int argc, char **argv, const char *option) {
  for (int a = 1; a + 1 < argc; a++)
    if (strcmp(argv[a], option) == 0)
      return argv[a + 1];
  return NULL;
}

/* argv[5] and what follows are the child's. */
enum { STREAM_OF_THREAD = 2 /* CU_STREAM_PER_THREAD */ };
enum { CHILD_NUMBER = 5, CHILD_LASTING, CHILD_DEVICE, CHILD_TARGET };

static void prepare(int argc, char **argv, int is_first) {
  char any[] = "device:any", option[] = "--place", *of_driver[] = {argv[0], option, any, NULL};
  const char *name = argument_of(argc, argv, option);
  place_name = name ? name : place_name;
  stages = strcmp(place_name, "staging") == 0;
  has_stub = stages || strcmp(place_name, "driver") == 0;
  scenario_stream = (void *)(uintptr_t)STREAM_OF_THREAD;
#ifdef USW_PORT_SIMT
  static char stream;
  scenario_stream = &stream;
  if (stages) {
    hide_host_memory();
    simt_set_devices(2);
  }
  if (is_quick_tier()) /* teams take the time, and no fault depends on them */
    simt_set_multiprocessors(1);
  if (has_stub)
    simt_launch_by_driver();
#endif
  if (is_first)
    place = (test_place_t){strcmp(place_name, "host") == 0 ? USW_HOST : USW_DEVICE,
                           (int)strtol(argv[CHILD_DEVICE], NULL, 10), argv[CHILD_TARGET]};
  else
    place = has_stub ? place_of_arguments(3, of_driver) : place_of_arguments(argc, argv);
  scenario_prepare(&place, stages                                  ? STAGING_PLACE
                           : has_stub                              ? DRIVER_PLACE
                           : strcmp(place_name, "device:gpu") == 0 ? GPU_PLACE
                                                                   : OTHER_PLACE);
}

int main(int argc, char **argv) {
  const char *wanted = argument_of(argc, argv, "--scenario"), *first = argument_of(argc, argv, "--first");
  is_verbose = strcmp(argv[argc - 1], "--verbose") == 0;
  if (!faults_install())
    return check_skip("the library's calls cannot be led elsewhere here");
  prepare(argc, argv, first != NULL);
  if (!first)
    write_tuning();
  if (first)
    return first_call(
        (fault_t){scenario_named(first), strtoull(argv[CHILD_NUMBER], NULL, 10), argv[CHILD_LASTING][0] == '1', 1});
  for (int s = 0; s < scenario_count; s++)
    for (int is_lasting = 0; is_lasting < 2; is_lasting++)
      if (scenario_is_possible(&scenarios[s]) && (!wanted || strcmp(wanted, scenarios[s].name) == 0)) {
        if (!is_end(&scenarios[s]))
          sweep_warm(&scenarios[s], is_lasting);
        if (scenarios[s].first_step > 0 && (!stages || strcmp(scenarios[s].needs, "staging") == 0))
          sweep_first(&scenarios[s], is_lasting);
      }
  CHECK_STATUS(USW_OK, usw_finalize());
  unlink(tuning_file);
  printf("%" PRIu64 " faults were injected\n", injected);
  return check_report();
}
