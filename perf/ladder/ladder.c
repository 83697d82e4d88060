/* usw-bench ladder: times every rung at every size of team and k. See ladder.h for how. */
#include "ladder.h"

#include "measure/context.h"
#include "measure/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_CALLS = 2, MAX_ROUNDS = 21, MIN_ROUNDS = 3 };
static const double seconds_of_rounds = 20;

/* One sum; NaN where the library has none. The library says how it ran. */
static double run(ladder_entry_t *entry, const ladder_data_t *data) {
  const ladder_fact_t *fact = &ladder_facts[entry->rung];
  if (!fact->is_own)
    return fact->is_scan ? ladder_scan(entry, data) : ladder_reduce(entry, data);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t),
      .place = data->place->device < 0 ? USW_HOST : USW_DEVICE,
      .device = data->place->device,
      .report = &report,
  };
  double sum = NAN;
  const usw_status_t status =
      entry->rung == LADDER_USW_SUM   ? usw_reduce(USW_PLUS, USW_F64, data->x, data->n, &sum, &options)
      : entry->rung == LADDER_USW_DOT ? usw_reduce_pair(USW_DOT, USW_F64, data->x, data->y, data->n, &sum, &options)
                                      : usw_scan_inclusive(USW_PLUS, USW_F64, data->x, data->n, data->y, &options);
  entry->teams = report.teams;
  entry->team_size = report.team_size;
  entry->launches = 1;
  if (status != USW_OK)
    return NAN;
  return fact->is_scan ? ladder_last_output(data) : sum;
}

/* Complains of the first wrong result of an entry. */
static void check(ladder_entry_t *entry, const ladder_data_t *data, double sum) {
  const ladder_fact_t *fact = &ladder_facts[entry->rung];
  const double expected = fact->arrays == 2 && !fact->is_scan ? data->dot : data->sum;
  if (sum == expected || entry->wrong++ > 0)
    return;
  fprintf(stderr, "usw-bench ladder: rung %s, team size %u, k = %u: %.17g, expected %.17g %s\n", fact->word,
          entry->team_size, entry->k, sum, expected, fact->is_own ? usw_error_text() : "");
}

static void enlist(const ladder_options_t *options, ladder_results_t *results) {
  for (int rung = LADDER_INTERLEAVED; rung < LADDER_RUNGS; rung++) {
    const int has_items = ladder_facts[rung].has_items, is_kernel = !ladder_facts[rung].is_own;
    if (ladder_facts[rung].is_scan != options->are_scans)
      continue;
    const int has_sizes = is_kernel && rung != LADDER_SCAN_SERIAL; /* which takes a GPU seconds, whatever the size */
    for (int s = 0; s < (has_sizes ? options->size_count : 1); s++)
      for (int k = 0; k < (has_items ? options->item_count : 1); k++)
        results->entries[results->count++] = (ladder_entry_t){.rung = (ladder_rung_t)rung,
                                                              .team_size = is_kernel ? options->team_sizes[s] : 0,
                                                              .k = has_items ? options->items[k] : 1};
  }
}

/* Calls that are not counted: the first ones find nothing in the partials but NaN. The library comes first, since it sets
 * how a thread waits for a GPU, for the whole process. Returns the seconds of one round. */
static double warm_up(ladder_results_t *results, const ladder_data_t *data) {
  double seconds = 0;
  for (int call = 0; call < WARM_UP_CALLS; call++) {
    seconds = 0;
    for (int e = results->count - 1; e >= 0; e--) {
      ladder_entry_t *entry = &results->entries[e];
      if (call == 0)
        ladder_poison(data, results->are_scans);
      const double start = bench_now();
      const double sum = run(entry, data);
      seconds += bench_now() - start;
      check(entry, data, call == 0 && results->are_scans && !ladder_outputs_are_right(data) ? NAN : sum);
    }
  }
  return seconds;
}

/* Everybody once per round; who starts changes from round to round. */
static void run_rounds(ladder_results_t *results, const ladder_data_t *data) {
  for (int round = 0; round < results->repetitions; round++) {
    for (int turn = 0; turn < results->count; turn++) {
      ladder_entry_t *entry = &results->entries[(round + turn) % results->count];
      const double start = bench_now();
      const double sum = run(entry, data);
      entry->seconds[round] = bench_now() - start;
      check(entry, data, sum);
    }
  }
}

/* Returns how many results were wrong, or -1 without memory. */
static int measure(const ladder_options_t *options, const ladder_data_t *data, ladder_results_t *results) {
  int wrong = 0;
  enlist(options, results);
  const double fitting = seconds_of_rounds / warm_up(results, data);
  results->repetitions = options->repetitions    ? options->repetitions
                         : fitting >= MAX_ROUNDS ? MAX_ROUNDS
                         : fitting <= MIN_ROUNDS ? MIN_ROUNDS
                                                 : (int)fitting;
  double *seconds = calloc((size_t)results->count * (size_t)results->repetitions, sizeof *seconds);
  if (!seconds)
    return -1;
  for (int e = 0; e < results->count; e++)
    results->entries[e].seconds = seconds + (size_t)e * (size_t)results->repetitions;
  run_rounds(results, data);
  for (int e = 0; e < results->count; e++) {
    ladder_entry_t *entry = &results->entries[e];
    const bench_statistics_t times = bench_describe_times(entry->seconds, (size_t)results->repetitions);
    entry->median_us = times.median * 1e6;
    entry->first_quartile_us = times.first_quartile * 1e6;
    entry->third_quartile_us = times.third_quartile * 1e6;
    wrong += entry->wrong;
    entry->seconds = NULL;
  }
  free(seconds);
  return wrong;
}

static size_t default_n(const bench_place_t *place) {
  if (strcmp(place->name, "gpu") == 0)
    return (size_t)1 << 28;
  if (strcmp(place->name, "simt") == 0)
    return (size_t)1 << 12;
  return (size_t)1 << (place->device < 0 ? 24 : 22);
}

/* What a file has to say about the measurement; the caller owns it. */
static cJSON *context_of(ladder_results_t *results, int device, int argc, char **argv) {
  cJSON *context = bench_context(device, argc, argv);
  cJSON_AddStringToObject(context, "place", results->place);
  cJSON_AddNumberToObject(context, "n", (double)results->n);
  cJSON_AddNumberToObject(context, "work_group_load", results->work_group_load);
  cJSON_AddNumberToObject(context, "repetitions", results->repetitions);
  snprintf(results->device, sizeof results->device, "%s", cJSON_GetObjectItem(context, "device")->valuestring);
  return context;
}

/* Returns how many files could not be written. Frees the context. */
static int write_files(const ladder_options_t *options, const ladder_results_t *results, cJSON *context) {
  int failed = options->csv_file && ladder_write_csv(results, context, options->csv_file) != 0;
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", context);
  ladder_add_entries(results, cJSON_AddArrayToObject(root, "results"));
  if (options->json_file)
    return failed + (bench_write_json(root, options->json_file) != 0);
  cJSON_Delete(root);
  return failed;
}

static int run_all(const ladder_options_t *options, const bench_place_t *place, int argc, char **argv) {
  static ladder_results_t results;
  ladder_data_t data;
  int wrong = -1;
  results.n = options->n ? options->n : default_n(place);
  results.work_group_load = options->work_group_load;
  results.are_scans = options->are_scans;
  snprintf(results.place, sizeof results.place, "%s", place->name);
  if (ladder_make_data(place, results.n, options->work_group_load, &data) == 0)
    wrong = measure(options, &data, &results);
  ladder_free_data(&data);
  if (wrong < 0)
    return LADDER_FAILED;
  cJSON *context = context_of(&results, place->device, argc, argv);
  ladder_describe(&results);
  ladder_print(&results);
  const int failed = write_files(options, &results, context);
  if (wrong)
    fprintf(stderr, "usw-bench ladder: %d results are wrong\n", wrong);
  return wrong || failed ? LADDER_FAILED : LADDER_OK;
}

int ladder_main(int argc, char **argv) {
  static char name[] = "usw-bench ladder";
  ladder_options_t options;
  bench_place_t place;
  argv[0] = name;
  const int code = ladder_parse(argc, argv, &options);
  if (code)
    return code;
  if (bench_find_place(options.place, &place)) {
    fprintf(stderr, "usw-bench ladder: there is no place '%s' here\n", options.place);
    return LADDER_NO_PLACE;
  }
  return run_all(&options, &place, argc, argv);
}
