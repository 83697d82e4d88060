/* usw-bench: times Upsweep and its peers over a table of cases. See bench.h for how. */
#include "bench.h"
#include "bench_context.h"
#include "ladder/ladder.h"
#include "peers/plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_CALLS = 3 };

/* Calls that are not timed: they fill caches, and tell what was launched. Removes who cannot run
 * the case. */
static int warm_up(const bench_call_t *call, bench_competitor_t *competitors, int count) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    usw_record_t record = {.size = USW_INIT(usw_record_t)};
    bench_value_t value;
    usw_status_t status = USW_OK;
    for (int r = 0; r < WARM_UP_CALLS && status == USW_OK; r++) {
      status = bench_run(&competitors[k], call, &record, &value);
      bench_settle(&competitors[k]);
    }
    if (status != USW_OK) {
      fprintf(stderr, "usw-bench: %s of %s, n = %zu, %s with %u teams: %s (%s)\n", call->kernel->name, call->type->name,
              call->n, competitors[k].name, competitors[k].teams, usw_status_text(status), usw_error_text());
      continue;
    }
    competitors[kept] = competitors[k];
    competitors[kept].strategy_used = record.strategy;
    competitors[kept].teams_used = record.teams;
    competitors[kept++].team_size_used = record.team_size;
  }
  return kept;
}

/* Says the first wrong result of a competitor: the first number that is not what it has to be, or the status. */
static void complain(const bench_call_t *call, const bench_competitor_t *competitor, usw_status_t status,
                     const bench_expected_t *expected, const bench_numbers_t *found) {
  int k = 0;
  while (k + 1 < expected->numbers.count && fabsl(found->at[k] - expected->numbers.at[k]) <= expected->tolerance[k])
    k++;
  fprintf(stderr, "usw-bench: %s of %s, n = %zu, %s: %.18Lg, expected %.18Lg (%s)\n", call->kernel->name,
          call->type->name, call->n, competitor->name, found->at[k], expected->numbers.at[k], usw_status_text(status));
}

/* Everybody calls once per round; who starts changes from round to round. Returns the number of
 * wrong results. */
static int run_rounds(const bench_call_t *call, bench_competitor_t *competitors, int count, int rounds) {
  const bench_expected_t expected = bench_expect(call->kernel, call->type, call->n);
  int wrong = 0;
  for (int round = 0; round < rounds; round++) {
    for (int turn = 0; turn < count; turn++) {
      bench_competitor_t *competitor = &competitors[(round + turn) % count];
      bench_value_t value;
      memset(&value, 0xa5, sizeof value);
      const double start = bench_now();
      const usw_status_t status = bench_run(competitor, call, NULL, &value);
      competitor->seconds[round] = bench_now() - start;
      const peer_plugin_t *plugin = competitor->plugin;
      const unsigned special = plugin ? plugin->forms[competitor->plugin_form].special : 0;
      if (special & PEER_OWN_CLOCK)
        competitor->seconds[round] = plugin->seconds();
      bench_settle(competitor);
      const bench_numbers_t found = bench_numbers(call->kernel, call->type, &value);
      if (status == USW_OK && bench_is_right(&expected, &found, competitor->peer || special & PEER_PLAIN_LOOP))
        continue;
      if (competitor->wrong++ == 0)
        complain(call, competitor, status, &expected, &found);
      wrong++;
    }
  }
  return wrong;
}

/* How often a case is timed where nobody said it: short calls are noisy, long ones take their time. */
static int repetitions_of(const bench_options_t *options, size_t n) {
  if (options->repetitions)
    return options->repetitions;
  return n <= 1 << 20 ? 100 : 30;
}

/* One case from start to end. Returns how many results were wrong, or -1 if nobody could run it. */
static int run_case(const bench_options_t *options, const bench_place_t *place, const bench_call_t *call,
                    cJSON *results) {
  static bench_competitor_t competitors[BENCH_MAX_COMPETITORS];
  const int repetitions = repetitions_of(options, call->n);
  int count = warm_up(call, competitors, bench_enlist(options, place, competitors));
  if (count == 0)
    return -1;
  count += warm_up(call, competitors + count, bench_enlist_peers(options, place, call, competitors + count));
  double *seconds = calloc((size_t)count * (size_t)repetitions, sizeof *seconds);
  if (!seconds)
    return -1;
  for (int k = 0; k < count; k++)
    competitors[k].seconds = seconds + (size_t)k * (size_t)repetitions;
  const int wrong = run_rounds(call, competitors, count, repetitions);
  for (int k = 0; k < count; k++) {
    competitors[k].times = bench_describe_times(competitors[k].seconds, (size_t)repetitions);
    bench_add_entry(results, place, call, &competitors[k], repetitions);
    if (!options->sweep)
      bench_print_line(call, &competitors[k]);
  }
  if (options->sweep)
    bench_print_best(call, competitors, count);
  fflush(stdout);
  free(seconds);
  return wrong;
}

/* All kernels and lengths of one type over the same data. Returns how many cases failed. */
static int run_type(const bench_options_t *options, const bench_place_t *place, const bench_type_t *type,
                    bench_data_t data, cJSON *results) {
  size_t longest = 0;
  int inputs = 0, failed = 0;
  const bench_kernel_t *kernels[BENCH_MAX_LIST];
  int kernel_count = 0;
  void *streams[2];
  for (int k = 0; k < options->length_count; k++)
    longest = options->lengths[k] > longest ? options->lengths[k] : longest;
  for (int k = 0; k < options->kernel_count; k++) {
    const bench_kernel_t *kernel = options->kernels[k];
    if (kernel->data != data || !bench_has(kernel, type))
      continue;
    kernels[kernel_count++] = kernel;
    inputs = kernel->inputs > inputs ? kernel->inputs : inputs;
  }
  if (kernel_count == 0)
    return 0;
  if (bench_make_data(place, type, data, longest, inputs, streams))
    return 1;
  for (int k = 0; k < kernel_count; k++) {
    for (int l = 0; l < options->length_count; l++) {
      const bench_call_t call = {kernels[k], type, options->lengths[l], streams[0], streams[1], place->device};
      failed += run_case(options, place, &call, results) != 0;
    }
  }
  bench_free_data(place, streams);
  return failed;
}

int main(int argc, char **argv) {
  bench_options_t options;
  bench_place_t place;
  if (argc > 1 && strcmp(argv[1], "ladder") == 0)
    return ladder_main(argc - 1, argv + 1);
  const int code = bench_parse(argc, argv, &options);
  if (code)
    return code;
  if (options.list) {
    bench_print_list();
    return 0;
  }
  if (bench_find_place(options.place, &place)) {
    fprintf(stderr, "usw-bench: there is no place '%s' here\n", options.place);
    return 1;
  }
  char name[256];
  bench_device_name(place.device, name, sizeof name);
  printf("place %s: %s; calls in turns\n", place.name, name);
  bench_print_heading();
  cJSON *root = cJSON_CreateObject();
  cJSON *context = bench_context(place.device, argc, argv);
  cJSON_AddItemToObject(root, "context", context);
  cJSON *results = cJSON_AddArrayToObject(root, "results");
  int failed = 0;
  for (int k = 0; k < options.type_count; k++)
    for (bench_data_t data = 0; data < BENCH_DATA_COUNT; data++)
      failed += run_type(&options, &place, options.types[k], data, results);
  bench_add_peers(&options, &place, context);
  if (cJSON_GetArraySize(results) == 0) {
    fputs("usw-bench: there are no such kernels for these types\n", stderr);
    failed++;
  }
  if (options.json_file && bench_write_json(root, options.json_file))
    failed++;
  else if (!options.json_file)
    cJSON_Delete(root);
  if (failed)
    fprintf(stderr, "usw-bench: %d cases failed\n", failed);
  return failed ? 1 : 0;
}
