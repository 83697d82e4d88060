/* The tree costs one launch and nothing else: a tool inside the OpenMP runtime counts what 100 calls
 * do on the device.   allocations --place NAME
 *
 * The x86_64 device runs every strategy through the standard region, whose clause has a variable of
 * its own: that one is mapped (allocated, copied in and out, freed), and nothing else is. */
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 100003, CALLS = 100, OPERATIONS_OF_A_CLAUSE = 4 };

static atomic_int data_operations, submits;
static int tool_is_in;

/* Each operation is reported when it begins and when it has ended: count the beginnings. */
static void on_data_operation(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target,
                              ompt_id_t *host_id, ompt_target_data_op_t kind, void *from, int from_device, void *to,
                              int to_device, size_t bytes, const void *code) {
  (void)task, (void)target, (void)host_id, (void)kind, (void)from, (void)from_device;
  (void)to, (void)to_device, (void)bytes, (void)code;
  data_operations += endpoint == ompt_scope_begin;
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *host_id, unsigned teams) {
  (void)target, (void)host_id, (void)teams;
  submits += endpoint == ompt_scope_begin;
}

static int start(ompt_function_lookup_t look_up, int initial_device, ompt_data_t *tool) {
  (void)initial_device, (void)tool;
  ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
  tool_is_in = set && set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_data_operation) > ompt_set_never &&
               set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit) > ompt_set_never;
  return 1;
}

static void end(ompt_data_t *tool) { (void)tool; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  static ompt_start_tool_result_t tool = {start, end, {0}};
  (void)version, (void)runtime;
  return &tool;
}

static void run(const test_place_t *place, const void *x, usw_operation_t operation, usw_type_t type,
                usw_strategy_t strategy, int calls) {
  usw_options_t options = place_options(place);
  usw_describe_f64_t result;
  options.strategy = strategy;
  for (int call = 0; call < calls; call++)
    CHECK_STATUS(USW_OK, usw_reduce(operation, type, x, ITEMS, &result, &options));
}

/* Of which the OpenMP runtime does not know. */
static int goes_through_driver(const test_place_t *place, usw_operation_t operation, usw_type_t type,
                               usw_strategy_t strategy) {
  usw_options_t options = place_options(place);
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  options.strategy = strategy;
  CHECK_STATUS(USW_OK, usw_explain(operation, type, ITEMS, &options, &e));
  return strcmp(e.backend, "driver") == 0;
}

static void expect_one_launch(const test_place_t *place, const void *x, usw_operation_t operation, usw_type_t type,
                              usw_strategy_t strategy) {
  run(place, x, operation, type, strategy, 1);
  data_operations = submits = 0;
  run(place, x, operation, type, strategy, CALLS);
  CHECK_I64(goes_through_driver(place, operation, type, strategy) ? 0 : CALLS, submits);
  CHECK_I64(strcmp(place->target, "x86_64") == 0 ? CALLS * OPERATIONS_OF_A_CLAUSE : 0, data_operations);
}

/* libomptarget asks for its tool in a library named libomp.so, which need not be on the search path
 * although libomp.so.5 is loaded: start again with a folder on the path where that name leads there.
 */
static const char *const folder_variable = "USW_TEST_OMP_FOLDER";

static void start_again_with_tool(char **argv) {
  char folder[] = "/tmp/usw-omp-XXXXXX", link[64], path[4096];
  const char *old = getenv("LD_LIBRARY_PATH");
  Dl_info runtime;
  if (!dladdr((void *)omp_get_num_threads, &runtime) || !mkdtemp(folder))
    return;
  snprintf(link, sizeof link, "%s/libomp.so", folder);
  snprintf(path, sizeof path, "%s%s%s", folder, old ? ":" : "", old ? old : "");
  char *real = realpath(runtime.dli_fname, NULL);
  if (real && symlink(real, link) == 0 && setenv("LD_LIBRARY_PATH", path, 1) == 0 &&
      setenv(folder_variable, folder, 1) == 0)
    execv("/proc/self/exe", argv);
  free(real);
}

static void remove_folder(void) {
  char link[4096];
  snprintf(link, sizeof link, "%s/libomp.so", getenv(folder_variable));
  unlink(link);
  rmdir(getenv(folder_variable));
}

int main(int argc, char **argv) {
  if (!getenv(folder_variable))
    start_again_with_tool(argv);
  else
    atexit(remove_folder);
  const test_place_t place = place_of_arguments(argc, argv);
  place_memory_t x = memory_get(&place, NULL, ITEMS * sizeof(double), 0);
  if (!tool_is_in)
    return check_skip("the OpenMP runtime has no tools interface");
  CHECK(data_operations > 0); /* the copy to the device: the counters work */
  expect_one_launch(&place, x.data, USW_PLUS, USW_F64, USW_STRATEGY_TREE);
  expect_one_launch(&place, x.data, USW_PLUS, USW_U8, USW_STRATEGY_TREE);
  expect_one_launch(&place, x.data, USW_MINIMUM, USW_F32, USW_STRATEGY_TREE);
  expect_one_launch(&place, x.data, USW_DESCRIBE, USW_F64, USW_STRATEGY_TREE);
  expect_one_launch(&place, x.data, USW_PLUS, USW_F64, USW_STRATEGY_HOST_FINISH);
  expect_one_launch(&place, x.data, USW_PLUS, USW_I64, USW_STRATEGY_TREE_ATOMIC);
  expect_one_launch(&place, x.data, USW_MINIMUM, USW_F32, USW_STRATEGY_ATOMIC);
  expect_one_launch(&place, x.data, USW_PLUS, USW_F64, USW_STRATEGY_MULTIPASS); /* few teams: nothing to fold */
  data_operations = 0;
  run(&place, x.data, USW_MAXIMUM, USW_I64, USW_STRATEGY_CLAUSE, 10);
  printf("clause: %.1f data operations a call\n", data_operations / 10.0);
  CHECK(data_operations > 0); /* its variable is mapped: the counters work */
  memory_free(&x);
  return check_report();
}
