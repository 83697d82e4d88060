/* Runs the kernels of other benchmark suites (apps.h): every application by Upsweep's strategies and by OpenMP's own
 * reduction clause, in turns; checks every single result, and prints medians. */
#include "apps.h"
#include "../bench.h"
#include "../bench_context.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPETITIONS = 100000, MAX_COMPETITORS = 10, WARM_UP_CALLS = 3, EXIT_SKIPPED = 77 };

static const apps_case_t *const cases[] = {&apps_everythingsreduced_dot,
                                           &apps_complex_sum,
                                           &apps_complex_sum_soa,
                                           &apps_complex_min,
                                           &apps_field_summary,
                                           &apps_describe,
                                           &apps_red_comb,
                                           &apps_red_sum_struct,
                                           &apps_red_indirect,
                                           &apps_red_kernel_part,
                                           &apps_red_pi,
                                           &apps_reduce3_int,
                                           &apps_reduce_struct,
                                           &apps_pi_reduce,
                                           &apps_trap_int,
                                           &apps_first_min,
                                           &apps_sum_f64,
                                           &apps_sum_f32,
                                           &apps_sum_i32,
                                           &apps_max_f64,
                                           &apps_dot_f32,
                                           &apps_sum_u8,
                                           &apps_max_i16,
                                           &apps_babelstream_dot,
                                           &apps_histogram,
                                           &apps_multi_reduce,
                                           &apps_red_sum_arr_32,
#define SPAN_CASES(extent)                                                                                             \
  &apps_counts_##extent, &apps_equal_counts_##extent, &apps_sums_##extent, &apps_equal_sums_##extent,
                                           APPS_SPANS(SPAN_CASES)};
enum { CASES = sizeof cases / sizeof *cases };

/* The words of --strategies; the last two are peers: the library's own kernel, and OpenMP without Upsweep. */
static const struct {
  const char *name;
  usw_strategy_t strategy;
} methods[] = {{"auto", USW_AUTO_STRATEGY},     {"host", USW_STRATEGY_HOST},
               {"tree", USW_STRATEGY_TREE},     {"host_finish", USW_STRATEGY_HOST_FINISH},
               {"clause", USW_STRATEGY_CLAUSE}, {"tree_atomic", USW_STRATEGY_TREE_ATOMIC},
               {"atomic", USW_STRATEGY_ATOMIC}, {"multipass", USW_STRATEGY_MULTIPASS},
               {"library", USW_AUTO_STRATEGY},  {"plain_clause", USW_AUTO_STRATEGY}};
enum { METHODS = sizeof methods / sizeof *methods, LIBRARY = METHODS - 2, PLAIN_CLAUSE };

typedef struct command {
  const char *place, *apps, *strategies, *json_file;
  size_t n;
  int repetitions, peers;
} command_t;

/* Who takes part, and how it went. */
typedef struct competitor {
  int method;
  double *seconds;
  int wrong;
  bench_statistics_t times;
} competitor_t;

static usw_status_t run(const apps_case_t *app, const apps_call_t *call, int method, double *numbers_out) {
  for (int k = 0; k < APPS_MAX_NUMBERS; k++)
    numbers_out[k] = NAN; /* no number is ever right by chance */
  if (method == PLAIN_CLAUSE) {
    app->clause(call, numbers_out);
    return USW_OK;
  }
  const usw_strategy_t strategy = methods[method].strategy;
  const usw_options_t options = {
      .size = USW_INIT(usw_options_t),
      .place = call->device < 0 ? USW_HOST : USW_DEVICE,
      .device = call->device,
      .strategy = strategy,
      .accuracy = bench_accuracy(strategy),
  };
  return (method == LIBRARY ? app->library : app->run)(call, &options, numbers_out);
}

/* Complains of the first wrong result of a competitor: of its first wrong number, or of its status. */
static void check(const apps_case_t *app, const apps_call_t *call, competitor_t *competitor, usw_status_t status,
                  const apps_expected_t *expected, const double *numbers) {
  int k = 0;
  while (k < expected->count && fabs(numbers[k] - expected->number[k]) <= expected->tolerance[k])
    k++;
  if (status == USW_OK && k == expected->count)
    return;
  if (competitor->wrong++ > 0)
    return;
  if (status != USW_OK)
    fprintf(stderr, "apps: %s, n = %zu, %s: %s (%s)\n", app->name, call->n, methods[competitor->method].name,
            usw_status_text(status), usw_error_text());
  else
    fprintf(stderr, "apps: %s, n = %zu, %s: number %d is %.17g, expected %.17g +- %.3g\n", app->name, call->n,
            methods[competitor->method].name, k, numbers[k], expected->number[k], expected->tolerance[k]);
}

/* Everybody calls once per round; who starts changes from round to round. */
static void run_rounds(const apps_case_t *app, const apps_call_t *call, competitor_t *competitors, int count,
                       int rounds) {
  const apps_expected_t expected = app->expect(call->n);
  double numbers[APPS_MAX_NUMBERS];
  for (int round = -WARM_UP_CALLS; round < rounds; round++) {
    for (int turn = 0; turn < count; turn++) {
      competitor_t *competitor = &competitors[(round + WARM_UP_CALLS + turn) % count];
      const double start = bench_now();
      const usw_status_t status = run(app, call, competitor->method, numbers);
      if (round >= 0)
        competitor->seconds[round] = bench_now() - start;
      check(app, call, competitor, status, &expected, numbers);
    }
  }
  for (int k = 0; k < count; k++)
    competitors[k].times = bench_describe_times(competitors[k].seconds, (size_t)rounds);
}

static void print_line(const apps_case_t *app, size_t n, const competitor_t *competitor) {
  const bench_statistics_t *times = &competitor->times;
  char rate[16] = "-";
  if (apps_bytes(app, n) > 0)
    snprintf(rate, sizeof rate, "%.1f", apps_bytes(app, n) * 1e-9 / times->median);
  printf("%-19s %-15s %11zu  %-13s %11.2f %11.2f %11.2f %8s%s\n", app->suite, app->name, n,
         methods[competitor->method].name, times->median * 1e6, times->first_quartile * 1e6,
         times->third_quartile * 1e6, rate, competitor->wrong ? "  WRONG" : "");
}

static void add_entry(cJSON *results, const bench_place_t *place, const apps_case_t *app, size_t n,
                      const competitor_t *competitor, int repetitions) {
  const bench_statistics_t *times = &competitor->times;
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(results, entry);
  cJSON_AddStringToObject(entry, "place", place->name);
  cJSON_AddStringToObject(entry, "suite", app->suite);
  cJSON_AddStringToObject(entry, "kernel", app->name);
  cJSON_AddNumberToObject(entry, "n", (double)n);
  cJSON_AddNumberToObject(entry, "bytes", apps_bytes(app, n));
  cJSON_AddStringToObject(entry, "competitor", methods[competitor->method].name);
  cJSON_AddBoolToObject(entry, "peer", competitor->method >= LIBRARY);
  cJSON_AddNumberToObject(entry, "repetitions", repetitions);
  cJSON_AddNumberToObject(entry, "least_us", times->least * 1e6);
  cJSON_AddNumberToObject(entry, "first_quartile_us", times->first_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "median_us", times->median * 1e6);
  cJSON_AddNumberToObject(entry, "third_quartile_us", times->third_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "gb_per_s", apps_bytes(app, n) * 1e-9 / times->median);
  cJSON_AddNumberToObject(entry, "wrong_results", competitor->wrong);
}

/* Is the word in the comma-separated list? */
static int is_listed(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
      return 1;
  return 0;
}

static int enlist(const command_t *command, const apps_case_t *app, competitor_t *competitors) {
  int count = 0;
  for (int k = 0; k < METHODS; k++) {
    const int wanted = k == PLAIN_CLAUSE ? command->peers && app->clause
                       : k == LIBRARY    ? command->peers && app->library
                                         : is_listed(command->strategies, methods[k].name);
    if (wanted && !(app->without_clause && methods[k].strategy == USW_STRATEGY_CLAUSE))
      competitors[count++] = (competitor_t){.method = k};
  }
  return count;
}

/* Drops who cannot run the application at all: not every kernel has every strategy. */
static int drop_refused(const apps_case_t *app, const apps_call_t *call, competitor_t *competitors, int count) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    double numbers[APPS_MAX_NUMBERS];
    if (run(app, call, competitors[k].method, numbers) == USW_ERROR_UNSUPPORTED)
      fprintf(stderr, "apps: %s\n", usw_error_text());
    else
      competitors[kept++] = competitors[k];
  }
  return kept;
}

/* Returns how many competitors had something wrong, or -1 if nobody could run it. */
static int run_app(const command_t *command, const bench_place_t *place, const apps_case_t *app, cJSON *results) {
  competitor_t competitors[MAX_COMPETITORS];
  apps_call_t call = {.n = app->items ? app->items(command->n) : command->n, .device = place->device};
  int count = enlist(command, app, competitors);
  double *seconds = calloc((size_t)count * (size_t)command->repetitions, sizeof *seconds);
  if (!seconds || apps_make_data(app, call.n, place->device, call.streams)) {
    free(seconds);
    return -1;
  }
  count = drop_refused(app, &call, competitors, count);
  for (int k = 0; k < count; k++)
    competitors[k].seconds = seconds + (size_t)k * (size_t)command->repetitions;
  run_rounds(app, &call, competitors, count, command->repetitions);
  int wrong = 0;
  for (int k = 0; k < count; k++) {
    print_line(app, call.n, &competitors[k]);
    add_entry(results, place, app, call.n, &competitors[k], command->repetitions);
    wrong += competitors[k].wrong > 0;
  }
  fflush(stdout);
  apps_free_data(place->device, call.streams);
  free(seconds);
  return wrong;
}

static int usage(void) {
  fputs("usage: apps [OPTION]...   (lists are separated by commas)\n"
        "  --place host|x86_64|gpu  where to run; the GPU if there is one, else the host\n"
        "  --apps LIST              names of applications (both named dot together); all by default\n"
        "  --n N                    items, as 1000 or as 2^20: 64 to 2^33, 2^20 by default; field_summary takes\n"
        "                           the largest square within it whose sides are multiples of 10\n"
        "  --strategies LIST        auto,tree,host_finish,clause,tree_atomic,atomic,multipass or, on the host, "
        "auto,host;\n"
        "                           by default host or tree,host_finish,clause\n"
        "  --peers on|off           run OpenMP's clause and the library's own kernels as well, on by default\n"
        "  --repetitions N          timed calls of each competitor, 21 by default\n"
        "  --json FILE              write all measurements to FILE\n"
        "applications:",
        stderr);
  for (int k = 0; k < CASES; k++)
    fprintf(stderr, " %s", cases[k]->name);
  fputc('\n', stderr);
  return 2;
}

/* 1000 or 2^20. */
static int parse_number(const char *option, const char *text, size_t least, size_t most, size_t *number_out) {
  char *end;
  unsigned long long number = strtoull(text, &end, 10);
  if (*end == '^' && number == 2) {
    const unsigned long long exponent = strtoull(end + 1, &end, 10);
    number = exponent < 63 ? 1ull << exponent : 0;
  }
  if (text[0] < '0' || text[0] > '9' || *end || number < least || number > most) {
    fprintf(stderr, "apps: %s: '%s' is no number from %zu to %zu\n", option, text, least, most);
    return -1;
  }
  *number_out = (size_t)number;
  return 0;
}

static int parse(int argc, char **argv, command_t *command) {
  static const struct option options[] = {
      {"place", required_argument, NULL, 'p'}, {"apps", required_argument, NULL, 'a'},
      {"n", required_argument, NULL, 'n'},     {"strategies", required_argument, NULL, 's'},
      {"peers", required_argument, NULL, 'c'}, {"repetitions", required_argument, NULL, 'r'},
      {"json", required_argument, NULL, 'j'},  {NULL, 0, NULL, 0}};
  size_t repetitions = (size_t)command->repetitions;
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    int failed = 0;
    if (option == 'p')
      command->place = optarg;
    else if (option == 'a')
      command->apps = optarg;
    else if (option == 'n')
      failed = parse_number("--n", optarg, 64, (size_t)1 << 33, &command->n);
    else if (option == 's')
      command->strategies = optarg;
    else if (option == 'c' && (strcmp(optarg, "on") == 0 || strcmp(optarg, "off") == 0))
      command->peers = strcmp(optarg, "on") == 0;
    else if (option == 'r')
      failed = parse_number("--repetitions", optarg, 1, MAX_REPETITIONS, &repetitions);
    else if (option == 'j')
      command->json_file = optarg;
    else
      failed = 1;
    if (failed)
      return usage();
  }
  command->repetitions = (int)repetitions;
  return optind < argc ? usage() : 0;
}

/* The strategies that the place has, where nobody said it; complains of those that it does not have. */
static int choose_strategies(command_t *command, const bench_place_t *place) {
  if (!command->strategies)
    command->strategies = place->device < 0 ? "host" : "tree,host_finish,clause";
  competitor_t competitors[MAX_COMPETITORS];
  const apps_case_t none = {0};
  if (enlist(command, &none, competitors) > 0)
    return 0;
  fprintf(stderr, "apps: --strategies: '%s' names none\n", command->strategies);
  return -1;
}

int main(int argc, char **argv) {
  command_t command = {.n = (size_t)1 << 20, .repetitions = 21, .peers = 1};
  bench_place_t place;
  char name[256];
  if (parse(argc, argv, &command))
    return 2;
  if (bench_find_place(command.place, &place)) {
    fprintf(stderr, "apps: there is no place '%s' here\n", command.place);
    return EXIT_SKIPPED;
  }
  if (choose_strategies(&command, &place))
    return usage();
  bench_device_name(place.device, name, sizeof name);
  printf("place %s: %s; calls in turns\n", place.name, name);
  printf("%-19s %-15s %11s  %-13s %11s %11s %11s %8s\n", "suite", "kernel", "n", "competitor", "median, us",
         "quartile 1", "quartile 3", "GB/s");
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", bench_context(place.device, argc, argv));
  cJSON *results = cJSON_AddArrayToObject(root, "results");
  int failed = 0;
  for (int k = 0; k < CASES; k++)
    if (!command.apps || is_listed(command.apps, cases[k]->name))
      failed += run_app(&command, &place, cases[k], results) != 0;
  if (cJSON_GetArraySize(results) == 0) {
    fputs("apps: there are no such applications\n", stderr);
    failed++;
  }
  if (command.json_file && bench_write_json(root, command.json_file))
    failed++;
  else if (!command.json_file)
    cJSON_Delete(root);
  return failed ? 1 : 0;
}
