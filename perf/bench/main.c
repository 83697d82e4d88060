/* usw-bench: times Upsweep and its peers over a table of cases. See bench.h for how. */
#include "bench.h"
#include "compare_report.h"
#include "kernel_clock.h"

#include "apps/apps.h"
#include "calls/calls.h"
#include "ladder/ladder.h"
#include "measure/clocks.h"
#include "measure/context.h"
#include "measure/json.h"
#include "staging/staging.h"
#include "tune/tune.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_NO_PLACE = 77 };

/* Every row of the suite. Returns how many cases failed. */
static int run_rows(bench_session_t *session, const bench_options_t *command) {
  static bench_options_t row;
  int failed = 0, found;
  for (int k = 0; (found = bench_row(command, &session->place, k, &row)) > 0; k++) {
    session->options = &row;
    if (session->is_timing_kernels && !row.kernel_times)
      continue;
    if (row.kernel_count)
      failed += bench_run_functions(session);
    if (row.app_count)
      failed += apps_run(session);
  }
  session->options = command;
  return failed + (found < 0);
}

/* Returns how many cases failed. */
static int run(const bench_options_t *command, const bench_place_t *place, int argc, char **argv) {
  cJSON *root = cJSON_CreateObject();
  cJSON *context = bench_context(place->device, argc, argv);
  cJSON_AddItemToObject(root, "context", context);
  cJSON_AddStringToObject(context, "suite", command->suite ? command->suite : "none");
  bench_session_t session = {.place = *place, .results = cJSON_AddArrayToObject(root, "results")};
  session.wrong_peers = cJSON_AddArrayToObject(context, "wrong_peers");
  bench_wake_up(place);
  int failed = run_rows(&session, command);
  if (strcmp(place->name, "gpu") == 0)
    bench_add_clocks(context, 0);
  if (!failed && strcmp(place->name, "gpu") == 0 && bench_kernel_clock()) {
    session.is_timing_kernels = 1;
    failed = run_rows(&session, command);
    session.is_timing_kernels = 0;
  }
  if (!failed && command->baseline)
    failed = bench_guard(&session, command, root, run_rows);
  bench_free_references();
  bench_add_peers(context);
  if (cJSON_GetArraySize(session.results) == 0) {
    fputs("usw-bench: there are no such cases\n", stderr);
    failed++;
  }
  if (command->json_file)
    return failed + (bench_write_json(root, command->json_file) != 0);
  cJSON_Delete(root);
  return failed;
}

int main(int argc, char **argv) {
  static bench_options_t options;
  bench_place_t place;
  if (argc > 1 && strcmp(argv[1], "ladder") == 0)
    return ladder_main(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "calls") == 0)
    return calls_main(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "staging") == 0)
    return staging_main(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "tune") == 0)
    return tune_main(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "--compare") == 0)
    return bench_compare_main(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "--behind") == 0)
    return bench_behind_main(argc - 1, argv + 1);
  const int code = bench_parse(argc, argv, &options);
  if (code)
    return code;
  if (options.list)
    return bench_print_list() ? EXIT_FAILED : 0;
  if (bench_find_place(options.place, &place)) {
    fprintf(stderr, "usw-bench: there is no place '%s' here\n", options.place);
    return EXIT_NO_PLACE;
  }
  char name[256];
  bench_device_name(place.device, name, sizeof name);
  printf("place %s: %s; calls in turns\n", place.name, name);
  bench_print_heading();
  const int failed = run(&options, &place, argc, argv);
  if (failed)
    fprintf(stderr, "usw-bench: %d cases failed\n", failed);
  return failed ? EXIT_FAILED : 0;
}
