/* usw-bench: times Upsweep and its peers over a table of cases. See bench.h for how. */
#include "bench.h"
#include "bench_context.h"

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
    for (int r = 0; r < WARM_UP_CALLS && status == USW_OK; r++)
      status = bench_run(&competitors[k], call, &record, &value);
    if (status != USW_OK) {
      fprintf(stderr, "usw-bench: %s of %s, n = %zu, %s with %u teams: %s (%s)\n", call->kernel->name, call->type->name,
              call->n, competitors[k].name, competitors[k].teams, usw_status_text(status), usw_error_text());
      continue;
    }
    competitors[kept] = competitors[k];
    competitors[kept].teams_used = record.teams;
    competitors[kept++].team_size_used = record.team_size;
  }
  return kept;
}

/* Everybody calls once per round; who starts changes from round to round. Returns the number of
 * wrong results. */
static int run_rounds(const bench_call_t *call, bench_competitor_t *competitors, int count, int rounds) {
  int wrong = 0;
  for (int round = 0; round < rounds; round++) {
    for (int turn = 0; turn < count; turn++) {
      bench_competitor_t *competitor = &competitors[(round + turn) % count];
      bench_value_t value;
      memset(&value, 0xa5, sizeof value);
      const double start = bench_now();
      const usw_status_t status = bench_run(competitor, call, NULL, &value);
      competitor->seconds[round] = bench_now() - start;
      if (status == USW_OK && bench_is_right(call, &value))
        continue;
      if (competitor->wrong++ == 0)
        fprintf(stderr, "usw-bench: %s of %s, n = %zu, %s: wrong result %.17g (%s)\n", call->kernel->name,
                call->type->name, call->n, competitor->name, bench_as_number(call, &value), usw_status_text(status));
      wrong++;
    }
  }
  return wrong;
}

/* One case from start to end. Returns how many results were wrong, or -1 if nobody could run it. */
static int run_case(const bench_options_t *options, const bench_place_t *place, const bench_call_t *call,
                    cJSON *results) {
  static bench_competitor_t competitors[BENCH_MAX_COMPETITORS];
  int count = warm_up(call, competitors, bench_enlist(options, place, competitors));
  if (count == 0)
    return -1;
  if (options->peers)
    count += warm_up(call, competitors + count, bench_enlist_peers(place, call, competitors + count));
  double *seconds = calloc((size_t)count * (size_t)options->repetitions, sizeof *seconds);
  if (!seconds)
    return -1;
  for (int k = 0; k < count; k++)
    competitors[k].seconds = seconds + (size_t)k * (size_t)options->repetitions;
  const int wrong = run_rounds(call, competitors, count, options->repetitions);
  for (int k = 0; k < count; k++) {
    competitors[k].times = bench_describe_times(competitors[k].seconds, (size_t)options->repetitions);
    bench_add_entry(results, place, call, &competitors[k], options->repetitions);
    if (!options->sweep)
      bench_print_line(call, &competitors[k]);
  }
  if (options->sweep)
    bench_print_best(call, competitors, count);
  fflush(stdout);
  free(seconds);
  return wrong;
}

/* All kernels and lengths of one type, over the same buffers. Returns how many cases failed. */
static int run_type(const bench_options_t *options, const bench_place_t *place, const bench_type_t *type,
                    cJSON *results) {
  size_t longest = 0;
  int inputs = 0, failed = 0;
  void *data[2];
  for (int k = 0; k < options->length_count; k++)
    longest = options->lengths[k] > longest ? options->lengths[k] : longest;
  for (int k = 0; k < options->kernel_count; k++)
    if (bench_has(options->kernels[k], type) && options->kernels[k]->inputs > inputs)
      inputs = options->kernels[k]->inputs;
  if (inputs == 0)
    return 0;
  if (bench_make_data(place, type, longest, inputs, data))
    return 1;
  for (int k = 0; k < options->kernel_count; k++) {
    if (!bench_has(options->kernels[k], type))
      continue;
    for (int l = 0; l < options->length_count; l++) {
      const bench_call_t call = {options->kernels[k], type, options->lengths[l], data[0], data[1], place->device};
      failed += run_case(options, place, &call, results) != 0;
    }
  }
  bench_free_data(place, data);
  return failed;
}

int main(int argc, char **argv) {
  bench_options_t options;
  bench_place_t place;
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
  printf("place %s: %s; %d calls each, in turns\n", place.name, name, options.repetitions);
  bench_print_heading();
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", bench_context(place.device, argc, argv));
  cJSON *results = cJSON_AddArrayToObject(root, "results");
  int failed = 0;
  for (int k = 0; k < options.type_count; k++)
    failed += run_type(&options, &place, options.types[k], results);
  if (cJSON_GetArraySize(results) == 0) {
    fputs("usw-bench: the library has none of these kernels for these types\n", stderr);
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
