/* How much of the Earth is land?
 *
 * Reads a map of 933 million cells (or makes one up), asks the question at every place that this
 * machine has and by every strategy that the place has, and beside each by OpenMP's own reduction
 * clause; prints the answer, then times. Every run has to find the same counts and the same share
 * of land. */
#include "land.h"
#include "measure/arguments.h"
#include "measure/context.h"
#include "measure/device.h"
#include "measure/json.h"
#include "measure/number.h"
#include "measure/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 24, MAX_REPETITIONS = 1000, MAX_ROWS = 1000000 };

typedef struct command {
  const char *map_file, *json_file;
  uint64_t rows, repetitions; /* rows of a generated map */
  int is_generated;
} command_t;

/* One way of asking the question. Upsweep's strategy, or the plain clause (USW_AUTO_STRATEGY). */
typedef struct run {
  const char *place, *method;
  int device; /* -1: the host */
  usw_strategy_t strategy;
  land_answer_t answer;
  bench_statistics_t times;
} run_t;

static double share_of_land(const land_map_t *map, const land_answer_t *answer) {
  uint64_t weights = 0;
  for (size_t row = 0; row < map->rows; row++)
    weights += map->weight[row];
  return (double)answer->weighted_land / (double)(weights * map->columns);
}

/* Ask once. `ocean` and `weight` are addresses at the place of the run. */
static int ask(run_t *run, const land_map_t *map, const uint8_t *ocean, const uint64_t *weight) {
  const size_t n = map->rows * map->columns;
  const uint64_t rows_per_group = land_rows_per_group(map);
  if (run->strategy == USW_AUTO_STRATEGY) {
    run->answer = run->device < 0 ? land_clause_host(n, ocean, weight, rows_per_group)
                                  : land_clause_device(run->device, n, ocean, weight, rows_per_group);
    return 0;
  }
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t),
      .place = run->device < 0 ? USW_HOST : USW_DEVICE,
      .device = run->device,
      .strategy = run->strategy,
      /* OpenMP's clause does not promise the same bits on every run; the others do. */
      .accuracy = run->strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE,
  };
  land_answer_t answer = {0, 0, 0}; /* what is in the variables counts, so they start at 0 */
  const usw_status_t status = land_sums(n, ocean, weight, rows_per_group, &answer.ocean_count, &answer.land_count,
                                        &answer.weighted_land, &options);
  if (status != USW_OK) {
    fprintf(stderr, "land: %s, %s: %s (%s)\n", run->place, run->method, usw_status_text(status), usw_error_text());
    return -1;
  }
  run->answer = answer;
  return 0;
}

static int measure(run_t *run, const land_map_t *map, const uint8_t *ocean, const uint64_t *weight, int repetitions) {
  double seconds[MAX_REPETITIONS];
  if (ask(run, map, ocean, weight))
    return -1; /* once to warm up */
  for (int k = 0; k < repetitions; k++) {
    const double start = bench_now();
    if (ask(run, map, ocean, weight))
      return -1;
    seconds[k] = bench_now() - start;
  }
  run->times = bench_describe_times(seconds, (size_t)repetitions);
  return 0;
}

/* A copy in the device's own memory, or NULL. */
static void *upload(int device, const void *data, size_t bytes) {
  void *memory = bench_device_allocate(device, bytes);
  if (memory && bench_device_write(device, memory, 0, data, bytes)) {
    bench_device_free(device, memory);
    memory = NULL;
  }
  return memory;
}

static int run_on_host(const land_map_t *map, int repetitions, run_t *runs, int *count) {
  const run_t host[] = {{.place = "host", .method = "host", -1, USW_STRATEGY_HOST},
                        {.place = "host", .method = "plain clause", -1, USW_AUTO_STRATEGY}};
  for (size_t k = 0; k < sizeof host / sizeof *host; k++) {
    runs[*count] = host[k];
    if (measure(&runs[(*count)++], map, map->ocean, map->weight, repetitions))
      return -1;
  }
  return 0;
}

static int run_on_device(int device, const land_map_t *map, int repetitions, run_t *runs, int *count) {
  static const struct {
    const char *method;
    usw_strategy_t strategy;
  } methods[] = {{"tree", USW_STRATEGY_TREE},
                 {"host_finish", USW_STRATEGY_HOST_FINISH},
                 {"clause", USW_STRATEGY_CLAUSE},
                 {"plain clause", USW_AUTO_STRATEGY}};
  const char *place = usw_device_target(device);
  uint8_t *ocean = upload(device, map->ocean, map->rows * map->columns);
  uint64_t *weight = upload(device, map->weight, map->rows * sizeof *map->weight);
  int failed = !ocean || !weight;
  if (failed)
    fprintf(stderr, "land: %s: no device memory for the map\n", place);
  for (size_t k = 0; k < sizeof methods / sizeof *methods && !failed; k++) {
    run_t *run = &runs[(*count)++];
    *run = (run_t){.place = place, .method = methods[k].method, device, methods[k].strategy};
    failed = measure(run, map, ocean, weight, repetitions);
  }
  bench_device_free(device, ocean);
  bench_device_free(device, weight);
  return failed ? -1 : 0;
}

/* The host, then the first device of each kind. */
static int run_everywhere(const land_map_t *map, int repetitions, run_t *runs, int *count) {
  const char *seen[4] = {NULL};
  int kinds = 0;
  if (run_on_host(map, repetitions, runs, count))
    return -1;
  for (int device = 0; device < bench_device_count(); device++) {
    const char *target = usw_device_target(device);
    int known = !target;
    for (int k = 0; k < kinds; k++)
      known |= target && strcmp(target, seen[k]) == 0;
    if (known || kinds == 4)
      continue;
    seen[kinds++] = target;
    if (run_on_device(device, map, repetitions, runs, count))
      return -1;
  }
  return 0;
}

static void print_answer(const land_map_t *map, const land_answer_t *answer) {
  const double cells = (double)(map->rows * map->columns);
  printf("%zu x %zu cells: %llu ocean, %llu land\n", map->rows, map->columns, (unsigned long long)answer->ocean_count,
         (unsigned long long)answer->land_count);
  printf("land: %.3f %% of the cells, %.3f %% of the Earth's surface (cells weighted by the cosine "
         "of their latitude)\n\n",
         100 * (double)answer->land_count / cells, 100 * share_of_land(map, answer));
}

/* Prints the table; returns how many runs found something else than the first. */
static int print_runs(const land_map_t *map, const run_t *runs, int count) {
  const double gigabytes = (double)(map->rows * map->columns) * 1e-9;
  int wrong = 0;
  for (int k = 0; k < count; k++) {
    char name[256];
    if (k > 0 && runs[k].device == runs[k - 1].device)
      continue;
    bench_device_name(runs[k].device, name, sizeof name);
    printf("%s: %s\n", runs[k].place, name);
  }
  printf("\n%-8s %-14s %12s %9s   %s\n", "place", "strategy", "time, ms", "GB/s", "share of land");
  for (int k = 0; k < count; k++) {
    const run_t *run = &runs[k];
    const double share = share_of_land(map, &run->answer);
    const int same = run->answer.ocean_count == runs[0].answer.ocean_count &&
                     run->answer.land_count == runs[0].answer.land_count &&
                     run->answer.weighted_land == runs[0].answer.weighted_land;
    printf("%-8s %-14s %12.3f %9.1f   %.12f%s\n", run->place, run->method, run->times.median * 1e3,
           gigabytes / run->times.median, share, same ? "" : "   WRONG");
    wrong += !same;
  }
  return wrong;
}

static int write_json(const command_t *command, const land_map_t *map, const run_t *runs, int count, int argc,
                      char *const *argv) {
  const double bytes = (double)(map->rows * map->columns);
  int device = -1;
  usw_gpu_count(&device); /* the context describes the GPU if there is one */
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", bench_context(device, argc, argv));
  cJSON_AddStringToObject(root, "map", command->map_file ? "GLOBE mask" : "generated");
  cJSON_AddNumberToObject(root, "cells", bytes);
  cJSON *list = cJSON_AddArrayToObject(root, "results");
  for (int k = 0; k < count; k++) {
    const run_t *run = &runs[k];
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddItemToArray(list, entry);
    cJSON_AddStringToObject(entry, "place", run->place);
    cJSON_AddStringToObject(entry, "strategy", run->method);
    cJSON_AddNumberToObject(entry, "repetitions", (double)command->repetitions);
    cJSON_AddNumberToObject(entry, "median_us", run->times.median * 1e6);
    cJSON_AddNumberToObject(entry, "first_quartile_us", run->times.first_quartile * 1e6);
    cJSON_AddNumberToObject(entry, "third_quartile_us", run->times.third_quartile * 1e6);
    cJSON_AddNumberToObject(entry, "gb_per_s", bytes * 1e-9 / run->times.median);
    cJSON_AddNumberToObject(entry, "ocean", (double)run->answer.ocean_count);
    cJSON_AddNumberToObject(entry, "land", (double)run->answer.land_count);
    cJSON_AddNumberToObject(entry, "share_of_land", share_of_land(map, &run->answer));
  }
  return bench_write_json(root, command->json_file);
}

enum { KEY_GENERATE = 256, KEY_ROWS, KEY_REPETITIONS, KEY_JSON };

static const struct argp_option known[] = {
    {"generate", KEY_GENERATE, NULL, 0, "make a map up, as without a file", 0},
    {"rows", KEY_ROWS, "N", 0, "rows of a made-up map, written as " NUMBER_FORMS "; 21600 by default", 0},
    {"repetitions", KEY_REPETITIONS, "N", 0, "timed runs of each kind; 5 by default", 0},
    {"json", KEY_JSON, "FILE", 0, "write all times to FILE", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_GENERATE:
    command->is_generated = 1;
    return 0;
  case KEY_ROWS:
    return number_parse(text, 1, MAX_ROWS, &command->rows) == 0
               ? 0
               : arguments_refuse("land", "rows", text, "number from 1 to 1000000, written as " NUMBER_FORMS);
  case KEY_REPETITIONS:
    return number_parse(text, 1, MAX_REPETITIONS, &command->repetitions) == 0
               ? 0
               : arguments_refuse("land", "repetitions", text, "number from 1 to 1000, written as " NUMBER_FORMS);
  case KEY_JSON:
    command->json_file = text;
    return 0;
  case ARGP_KEY_ARG:
    if (command->map_file)
      return arguments_refuse("land", NULL, text, "option, and there is a map already");
    command->map_file = text;
    return 0;
  case ARGP_KEY_END:
    if (!command->map_file || !command->is_generated)
      return 0;
    fputs("land: --generate takes no file\n", stderr);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    known,
    parse,
    "[FILE.npz]",
    "Tells how much of the Earth is land, by a map with mask.npy (true = ocean) and lat.npy, or by one that it makes "
    "up; and how long that takes at every place of this machine.",
    NULL,
    NULL,
    NULL};

int main(int argc, char **argv) {
  command_t command = {.rows = 21600, .repetitions = 5};
  int code = arguments_parse(&parser, argc, argv, &command);
  if (code)
    return code;

  land_map_t map;
  char error[512];
  const int failed = command.map_file ? land_read(command.map_file, &map, error, sizeof error)
                                      : land_generate((size_t)command.rows, &map, error, sizeof error);
  if (failed) {
    fprintf(stderr, "land: %s\n", error);
    return 2;
  }
  if (!command.map_file)
    puts("This map is generated, not the Earth's.");

  run_t runs[MAX_RUNS];
  int count = 0;
  if (run_everywhere(&map, (int)command.repetitions, runs, &count)) {
    land_free(&map);
    return 1;
  }
  print_answer(&map, &runs[0].answer);
  if (print_runs(&map, runs, count))
    code = 1;
  if (command.json_file && write_json(&command, &map, runs, count, argc, argv))
    code = 1;
  land_free(&map);
  return code;
}
