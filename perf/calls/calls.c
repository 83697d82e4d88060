/* usw bench calls: sums of doubles, called in every way there is, in turns; then by several threads at once. All elements are
 * 1, so that every sum is a count, and is checked. */
#include "calls/calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "bench/bench.h"
#include "measure/arguments.h"
#include "measure/context.h"
#include "measure/device.h"
#include "measure/json.h"
#include "measure/statistics.h"

enum { EXIT_FAILED = 1, EXIT_NO_PLACE = 77 };
enum { ROUNDS = 2001, REQUESTS = 8, ARRAYS = 64, OF_ARRAY = 1000, MOST_THREADS = 8, MOST_N = 1 << 22 };

typedef struct session {
  bench_place_t place;
  usw_options_t options;
  double seconds; /* of a measurement */
  double *x;
  cJSON *results;
  int wrong;
} session_t;

static void check(session_t *session, usw_status_t status, double sum, double expected) {
  if (status == USW_OK && sum == expected)
    return;
  if (session->wrong++ == 0)
    fprintf(stderr, "usw-bench: %s\n", status == USW_OK ? "a sum is wrong" : usw_error_text());
}

/* ---- one thread ---- */

/* A way to call: what it takes is divided by how many reductions it makes. */
typedef struct way {
  const char *name;
  size_t n;
  int count;
  void (*run)(session_t *, const struct way *);
  usw_plan_t *plan;
  usw_set_t *set;
  double sums[ARRAYS];
  double seconds[ROUNDS];
  size_t rounds;
} way_t;

static void by_call(session_t *session, const way_t *way) {
  double sum = -1;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, session->x, way->n, &sum, &session->options);
  check(session, status, sum, (double)way->n);
}

static void by_plan(session_t *session, const way_t *way) {
  double sum = -1;
  const usw_status_t status = usw_plan_run(way->plan, session->x, way->n, &sum);
  check(session, status, sum, (double)way->n);
}

static void by_bound_plan(session_t *session, const way_t *way) {
  const usw_status_t status = usw_plan_run_bound(way->plan);
  check(session, status, way->sums[0], (double)way->n);
}

static void by_requests(session_t *session, const way_t *way) {
  usw_request_t requests[REQUESTS];
  double sums[REQUESTS] = {0};
  int started = 0;
  while (started < way->count &&
         usw_plan_start(way->plan, session->x, way->n, &sums[started], &requests[started]) == USW_OK)
    started++;
  for (int k = 0; k < way->count; k++)
    check(session, k < started ? usw_request_wait(&requests[k]) : USW_ERROR_BUSY, sums[k], (double)way->n);
}

static void by_batch(session_t *session, const way_t *way) {
  const usw_status_t status = usw_set_run(way->set, 0, &session->options);
  check(session, status, way->sums[way->count - 1], (double)way->n);
}

static void make_batch(session_t *session, way_t *way) {
  usw_status_t status = usw_set_create(&way->set);
  for (int k = 0; k < way->count && status == USW_OK; k++)
    status = usw_set_add_array(way->set, USW_PLUS, USW_F64, session->x + (size_t)k * OF_ARRAY, OF_ARRAY, 1,
                               &way->sums[k], USW_SET_INITIALIZE_TO_IDENTITY);
  check(session, status, 0, 0);
}

static void report(session_t *session, way_t *way) {
  const bench_statistics_t s = bench_describe_times(way->seconds, way->rounds);
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddStringToObject(entry, "way", way->name);
  cJSON_AddNumberToObject(entry, "n", (double)way->n);
  cJSON_AddNumberToObject(entry, "reductions", way->count);
  cJSON_AddNumberToObject(entry, "first_quartile_us", s.first_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "median_us", s.median * 1e6);
  cJSON_AddNumberToObject(entry, "third_quartile_us", s.third_quartile * 1e6);
  cJSON_AddItemToArray(session->results, entry);
  printf("%-12s %10zu %10d %11.3f %11.3f %11.3f\n", way->name, way->n, way->count, s.median * 1e6,
         s.first_quartile * 1e6, s.third_quartile * 1e6);
}

/* Ways that are compared with each other take turns. */
static void take_turns(session_t *session, way_t *ways, int count) {
  for (int w = 0; w < count; w++) {
    if (ways[w].run == by_batch)
      make_batch(session, &ways[w]);
    else
      check(session, usw_plan_create(&ways[w].plan, USW_PLUS, USW_F64, &session->options), 0, 0);
    if (ways[w].run == by_bound_plan)
      check(session, usw_plan_bind(ways[w].plan, session->x, ways[w].n, &ways[w].sums[0]), 0, 0);
    ways[w].run(session, &ways[w]);
  }
  const double begin = bench_now();
  for (int round = 0; round < ROUNDS && (round == 0 || bench_now() < begin + session->seconds); round++)
    for (int w = 0; w < count; w++) {
      const double start = bench_now();
      ways[w].run(session, &ways[w]);
      ways[w].seconds[ways[w].rounds++] = bench_now() - start;
    }
  for (int w = 0; w < count; w++) {
    report(session, &ways[w]);
    usw_plan_destroy(ways[w].plan);
    usw_set_destroy(ways[w].set);
  }
}

static void one_thread(session_t *session) {
  static const size_t lengths[] = {1, 1 << 10, 1 << 16, 1 << 20, MOST_N};
  static way_t ways[8];
  printf("%-12s %10s %10s %11s %11s %11s\n", "way", "n", "reductions", "median us", "quartile", "quartile");
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    memset(ways, 0, sizeof ways);
    ways[0] = (way_t){.name = "call", .n = lengths[k], .count = 1, .run = by_call};
    ways[1] = (way_t){.name = "plan", .n = lengths[k], .count = 1, .run = by_plan};
    ways[2] = (way_t){.name = "bound plan", .n = lengths[k], .count = 1, .run = by_bound_plan};
    ways[3] = (way_t){.name = "requests", .n = lengths[k], .count = REQUESTS, .run = by_requests};
    take_turns(session, ways, 4);
  }
  memset(ways, 0, sizeof ways);
  ways[0] = (way_t){.name = "call", .n = OF_ARRAY, .count = 1, .run = by_call};
  for (int w = 1, arrays = 1; arrays <= ARRAYS; w++, arrays *= 4)
    ways[w] = (way_t){.name = "batch", .n = OF_ARRAY, .count = arrays, .run = by_batch};
  take_turns(session, ways, 5);
}

/* ---- several threads ---- */

typedef struct callers {
  session_t *session;
  size_t n;
  atomic_int go, stop;
  atomic_long calls;
  atomic_int wrong;
} callers_t;

static void *call_often(void *argument) {
  callers_t *callers = argument;
  long calls = 0;
  while (!atomic_load(&callers->go))
    ;
  while (!atomic_load_explicit(&callers->stop, memory_order_relaxed)) {
    double sum = -1;
    if (usw_reduce(USW_PLUS, USW_F64, callers->session->x, callers->n, &sum, &callers->session->options) != USW_OK ||
        sum != (double)callers->n)
      callers->wrong++;
    calls++;
  }
  callers->calls += calls;
  return NULL;
}

/* Calls a second. */
static double rate_of(session_t *session, size_t n, int threads) {
  callers_t callers = {.session = session, .n = n};
  pthread_t ids[MOST_THREADS];
  int started = 0;
  while (started < threads && pthread_create(&ids[started], NULL, call_often, &callers) == 0)
    started++;
  const double start = bench_now();
  callers.go = 1;
  while (bench_now() < start + session->seconds)
    ;
  callers.stop = 1;
  for (int t = 0; t < started; t++)
    pthread_join(ids[t], NULL);
  session->wrong += callers.wrong + (threads - started);
  return (double)callers.calls / (bench_now() - start);
}

static void many_threads(session_t *session) {
  static const size_t lengths[] = {1, 1 << 10, 1 << 16, 1 << 20};
  printf("%-12s %10s %10s %11s %11s\n", "way", "n", "threads", "calls/s", "of one");
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    double of_one = 0;
    for (int threads = 1; threads <= MOST_THREADS; threads *= 2) {
      const double rate = rate_of(session, lengths[k], threads);
      of_one = threads == 1 ? rate : of_one;
      cJSON *entry = cJSON_CreateObject();
      cJSON_AddStringToObject(entry, "way", "threads");
      cJSON_AddNumberToObject(entry, "n", (double)lengths[k]);
      cJSON_AddNumberToObject(entry, "threads", threads);
      cJSON_AddNumberToObject(entry, "calls_per_s", rate);
      cJSON_AddNumberToObject(entry, "of_one", rate / of_one);
      cJSON_AddItemToArray(session->results, entry);
      printf("%-12s %10zu %10d %11.0f %11.2f\n", "threads", lengths[k], threads, rate, rate / of_one);
    }
  }
}

/* ---- all ---- */

static int fill(session_t *session) {
  double *ones = malloc(MOST_N * sizeof *ones);
  if (!ones)
    return -1;
  for (size_t i = 0; i < MOST_N; i++)
    ones[i] = 1;
  session->x = ones;
  if (session->place.device < 0)
    return 0;
  session->x = bench_device_allocate(session->place.device, MOST_N * sizeof *ones);
  const int failed =
      !session->x || bench_device_write(session->place.device, session->x, 0, ones, MOST_N * sizeof *ones);
  free(ones);
  return failed ? -1 : 0;
}

static void empty(session_t *session) {
  if (session->place.device < 0)
    free(session->x);
  else
    bench_device_free(session->place.device, session->x);
}

/* What the command line asks for. */
typedef struct request {
  const char *place, *json;
  double seconds;
  int is_threads_only;
} request_t;

enum { KEY_PLACE = 256, KEY_SECONDS, KEY_THREADS, KEY_JSON };

static const struct argp_option known[] = {
    {"place", KEY_PLACE, "PLACE", 0, "host, x86_64 or gpu; the GPU if there is one, else the host", 0},
    {"seconds", KEY_SECONDS, "S", 0, "how long to measure each, or 2001 rounds; 1 by default", 0},
    {"threads", KEY_THREADS, NULL, 0, "only the rate of calls of several threads at once", 0},
    {"json", KEY_JSON, "FILE", 0, "write all measurements to FILE", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  request_t *request = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_PLACE:
    request->place = text;
    return bench_is_place(text) ? 0 : arguments_refuse("usw-bench calls", "place", text, "place");
  case KEY_SECONDS:
    return arguments_positive("usw-bench calls", "seconds", text, "number of seconds", &request->seconds);
  case KEY_THREADS:
    request->is_threads_only = 1;
    return 0;
  case KEY_JSON:
    request->json = text;
    return 0;
  case ARGP_KEY_ARG:
    return arguments_refuse_argument("usw-bench calls", text);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {known,
                                   parse,
                                   NULL,
                                   "Times sums of doubles by one call, by a plan, by a bound plan, by eight requests "
                                   "at once, by batches of 1 to 64 arrays of 1000 "
                                   "elements, in turns, and the rate of calls of 1 to 8 threads at once.",
                                   NULL,
                                   NULL,
                                   NULL};

int calls_main(int argc, char **argv) {
  static char name[] = "usw-bench calls"; /* by which files call it */
  static session_t session;
  request_t request = {.seconds = 1};
  argv[0] = name;
  const int code = arguments_parse(&parser, argc, argv, &request);
  if (code)
    return code;
  if (bench_find_place(request.place, &session.place)) {
    fprintf(stderr, "usw-bench: there is no place '%s' here\n", request.place ? request.place : "");
    return EXIT_NO_PLACE;
  }
  session.seconds = request.seconds;
  session.options = (usw_options_t){.size = USW_INIT(usw_options_t),
                                    .place = session.place.device < 0 ? USW_HOST : USW_DEVICE,
                                    .device = session.place.device < 0 ? 0 : session.place.device};
  if (fill(&session)) {
    fputs("usw-bench: there is no memory for the elements\n", stderr);
    return EXIT_FAILED;
  }
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", bench_context(session.place.device, argc, argv));
  session.results = cJSON_AddArrayToObject(root, "results");
  bench_wake_up(&session.place);
  if (!request.is_threads_only)
    one_thread(&session);
  many_threads(&session);
  bench_free_references();
  empty(&session);
  int failed = session.wrong != 0;
  if (session.wrong)
    fprintf(stderr, "usw-bench: %d results were wrong\n", session.wrong);
  if (request.json)
    failed |= bench_write_json(root, request.json) != 0;
  else
    cJSON_Delete(root);
  return failed ? EXIT_FAILED : 0;
}
