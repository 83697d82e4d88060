/* usw bench staging: sums of doubles in host memory, staged to a GPU, of all, of rows, of segments, and running ones, in turns with what
 * bounds them: the copy of as many bytes from pinned memory, and the sum by the host; and with other ways: a copy of plain memory, and a
 * kernel that reads pinned memory itself. All elements are 1, so that every sum is a count, and is checked. */
#include "staging/staging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "bench/bench.h"
#include "measure/arguments.h"
#include "measure/context.h"
#include "measure/device.h"
#include "measure/json.h"
#include "measure/number.h"
#include "measure/statistics.h"

enum { EXIT_FAILED = 1, EXIT_NO_PLACE = 77 };
enum { ROW = 1024, SEGMENT = 64 /* elements */ };
enum { ROUNDS = 201, LEAST_ROUNDS = 5, GROWTH = 8, PAGE_BYTES = 4096, MOST_MIB = 1 << 20 };

static const size_t MIB = 1 << 20, PIECE_BYTES = (size_t)1 << 30 /* that is copied at once */;

typedef struct session {
  bench_place_t place;
  double seconds; /* of a length */
  size_t most_bytes, piece_bytes;
  double *plain, *pinned; /* most_bytes, piece_bytes */
  double *out;            /* most_bytes of results */
  uint64_t *offsets;      /* of segments of all elements */
  char *there;            /* piece_bytes on the device */
  cJSON *results;
  int wrong;
} session_t;

static void check(session_t *session, int is_right) {
  if (!is_right && session->wrong++ == 0)
    fprintf(stderr, "usw-bench: a sum or a copy is wrong: %s\n", usw_error_text());
}

/* ---- ways ---- */

typedef struct way {
  const char *name;
  void (*run)(session_t *, size_t bytes);
  double seconds[ROUNDS];
} way_t;

static usw_options_t options_of(const session_t *session, usw_place_t place) {
  return (usw_options_t){.size = USW_INIT(usw_options_t),
                         .place = place,
                         .device = place == USW_DEVICE ? session->place.device : 0,
                         .staging = USW_STAGING_ALWAYS};
}

static void sum(session_t *session, const double *x, size_t bytes, usw_place_t place) {
  const usw_options_t options = options_of(session, place);
  double result = -1;
  const size_t n = bytes / sizeof *x;
  check(session, usw_reduce(USW_PLUS, USW_F64, x, n, &result, &options) == USW_OK && result == (double)n);
}

static void staged(session_t *session, size_t bytes) { sum(session, session->plain, bytes, USW_DEVICE); }
static void by_host(session_t *session, size_t bytes) { sum(session, session->plain, bytes, USW_HOST); }

static void staged_rows(session_t *session, size_t bytes) {
  const usw_options_t options = options_of(session, USW_DEVICE);
  const size_t rows = bytes / sizeof(double) / ROW;
  const usw_array_t array = usw_array_2d(USW_F64, session->plain, rows, ROW);
  const usw_status_t status = usw_reduce_axes(USW_PLUS, &array, USW_AXIS(1), session->out, &options);
  check(session, status == USW_OK && session->out[0] == ROW && session->out[rows - 1] == ROW);
}

static void staged_segments(session_t *session, size_t bytes) {
  const usw_options_t options = options_of(session, USW_DEVICE);
  const size_t n = bytes / sizeof(double), count = n / SEGMENT;
  const usw_segments_t segments = usw_segments_by_offsets(USW_U64, session->offsets, count);
  const usw_status_t status =
      usw_reduce_segments(USW_PLUS, USW_F64, session->plain, n, &segments, session->out, &options);
  check(session, status == USW_OK && session->out[0] == SEGMENT && session->out[count - 1] == SEGMENT);
}

/* As many bytes come back. */
static void staged_scan(session_t *session, size_t bytes) {
  const usw_options_t options = options_of(session, USW_DEVICE);
  const size_t n = bytes / sizeof(double);
  const usw_status_t status = usw_scan_inclusive(USW_PLUS, USW_F64, session->plain, n, session->out, &options);
  check(session, status == USW_OK && session->out[0] == 1 && session->out[n - 1] == (double)n);
}

static void copy(session_t *session, const double *from, size_t bytes) {
  for (size_t done = 0; done < bytes; done += session->piece_bytes) {
    const size_t piece = bytes - done < session->piece_bytes ? bytes - done : session->piece_bytes;
    const char *at = from == session->pinned ? (const char *)from : (const char *)from + done;
    check(session, bench_device_write(session->place.device, session->there, 0, at, piece) == 0);
  }
}

static void pinned_copy(session_t *session, size_t bytes) { copy(session, session->pinned, bytes); }
static void plain_copy(session_t *session, size_t bytes) { copy(session, session->plain, bytes); }

/* The piece of pinned memory again and again. */
static void read_pinned(session_t *session, size_t bytes) {
  for (size_t done = 0; done < bytes; done += session->piece_bytes)
    sum(session, session->pinned, bytes - done < session->piece_bytes ? bytes - done : session->piece_bytes,
        USW_DEVICE);
}

/* ---- rounds ---- */

enum { WAYS = 8 };

static void report(session_t *session, way_t *way, size_t bytes, size_t rounds, double copy_median) {
  const bench_statistics_t s = bench_describe_times(way->seconds, rounds);
  const double rate = (double)bytes / s.median * 1e-9;
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddStringToObject(entry, "way", way->name);
  cJSON_AddNumberToObject(entry, "bytes", (double)bytes);
  cJSON_AddNumberToObject(entry, "rounds", (double)rounds);
  cJSON_AddNumberToObject(entry, "first_quartile_us", s.first_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "median_us", s.median * 1e6);
  cJSON_AddNumberToObject(entry, "third_quartile_us", s.third_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "gb_per_s", rate);
  cJSON_AddNumberToObject(entry, "of_pinned_copy", copy_median / s.median);
  cJSON_AddItemToArray(session->results, entry);
  printf("%-12s %10.0f %11.1f %11.1f %11.1f %9.2f %9.1f %%\n", way->name, (double)bytes / (double)MIB, s.median * 1e6,
         s.first_quartile * 1e6, s.third_quartile * 1e6, rate, 100 * copy_median / s.median);
}

static void take_turns(session_t *session, size_t bytes) {
  static way_t ways[WAYS] = {{.name = "pinned copy", .run = pinned_copy},  {.name = "staged", .run = staged},
                             {.name = "rows", .run = staged_rows},         {.name = "segments", .run = staged_segments},
                             {.name = "scan", .run = staged_scan},         {.name = "host", .run = by_host},
                             {.name = "reads pinned", .run = read_pinned}, {.name = "plain copy", .run = plain_copy}};
  size_t rounds = 0;
  for (int w = 0; w < WAYS; w++)
    ways[w].run(session, bytes);
  const double begin = bench_now();
  for (; rounds < ROUNDS && (rounds < LEAST_ROUNDS || bench_now() < begin + session->seconds); rounds++)
    for (int w = 0; w < WAYS; w++) {
      const double start = bench_now();
      ways[w].run(session, bytes);
      ways[w].seconds[rounds] = bench_now() - start;
    }
  double copies[ROUNDS];
  memcpy(copies, ways[0].seconds, sizeof copies);
  const double copy_median = bench_describe_times(copies, rounds).median;
  for (int w = 0; w < WAYS; w++)
    report(session, &ways[w], bytes, rounds, copy_median);
}

static void every_length(session_t *session) {
  printf("%-12s %10s %11s %11s %11s %9s %11s\n", "way", "MiB", "median us", "quartile", "quartile", "GB/s",
         "of the copy");
  for (size_t bytes = MIB; bytes < session->most_bytes; bytes *= GROWTH)
    take_turns(session, bytes);
  take_turns(session, session->most_bytes);
}

/* ---- all ---- */

/* Plain memory is touched first by threads of the host, as a program would. */
static int fill(session_t *session) {
  const int device = session->place.device;
  session->piece_bytes = session->most_bytes < PIECE_BYTES ? session->most_bytes : PIECE_BYTES;
  session->plain = aligned_alloc(PAGE_BYTES, session->most_bytes);
  session->out = aligned_alloc(PAGE_BYTES, session->most_bytes);
  session->offsets = malloc((session->most_bytes / sizeof(double) / SEGMENT + 1) * sizeof *session->offsets);
  session->pinned = bench_device_allocate_pinned(device, session->piece_bytes);
  session->there = bench_device_allocate(device, session->piece_bytes);
  if (!session->plain || !session->out || !session->offsets || !session->pinned || !session->there)
    return -1;
#pragma omp parallel for
  for (size_t i = 0; i < session->most_bytes / sizeof(double); i++)
    session->plain[i] = session->out[i] = 1;
  for (size_t k = 0; k <= session->most_bytes / sizeof(double) / SEGMENT; k++)
    session->offsets[k] = k * SEGMENT;
  memcpy(session->pinned, session->plain, session->piece_bytes);
  return 0;
}

static void empty(session_t *session) {
  free(session->plain);
  free(session->out);
  free(session->offsets);
  if (session->pinned)
    bench_device_free_pinned(session->place.device, session->pinned);
  bench_device_free(session->place.device, session->there);
}

/* What the command line asks for. */
typedef struct request {
  const char *place, *json;
  double seconds;
  uint64_t mib;
} request_t;

enum { KEY_PLACE = 256, KEY_MIB, KEY_SECONDS, KEY_JSON };

static const struct argp_option known[] = {
    {"place", KEY_PLACE, "PLACE", 0, "the device: gpu by default", 0},
    {"mib", KEY_MIB, "N", 0, "length of the longest sum in MiB, written as " NUMBER_FORMS "; 8192 by default", 0},
    {"seconds", KEY_SECONDS, "S", 0, "how long to measure each length, at least 5 rounds; 2 by default", 0},
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
    return bench_is_place(text) && strcmp(text, "host") != 0
               ? 0
               : arguments_refuse("usw-bench staging", "place", text, "device");
  case KEY_MIB:
    return number_parse(text, 1, MOST_MIB, &request->mib) == 0
               ? 0
               : arguments_refuse("usw-bench staging", "mib", text, "number of MiB, written as " NUMBER_FORMS);
  case KEY_SECONDS:
    return arguments_positive("usw-bench staging", "seconds", text, "number of seconds", &request->seconds);
  case KEY_JSON:
    request->json = text;
    return 0;
  case ARGP_KEY_ARG:
    return arguments_refuse_argument("usw-bench staging", text);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    known,
    parse,
    NULL,
    "Times sums of doubles in host memory, from 1 MiB on: staged to the GPU, also of rows of 1024, of segments of 64 "
    "and running ones; by the host, and by a kernel that reads pinned memory; and copies of as many bytes to the GPU, "
    "from pinned and from plain memory. All in turns.",
    NULL,
    NULL,
    NULL};

int staging_main(int argc, char **argv) {
  static char name[] = "usw-bench staging"; /* by which files call it */
  static session_t session;
  request_t request = {.place = "gpu", .seconds = 2, .mib = 8192};
  argv[0] = name;
  const int code = arguments_parse(&parser, argc, argv, &request);
  if (code)
    return code;
  if (bench_find_place(request.place, &session.place)) {
    fprintf(stderr, "usw-bench: there is no place '%s' here\n", request.place);
    return EXIT_NO_PLACE;
  }
  session.seconds = request.seconds;
  session.most_bytes = (size_t)request.mib * MIB;
  int failed = fill(&session);
  if (failed) {
    fputs("usw-bench: there is no memory for the elements\n", stderr);
  } else {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddItemToObject(root, "context", bench_context(session.place.device, argc, argv));
    session.results = cJSON_AddArrayToObject(root, "results");
    bench_wake_up(&session.place);
    every_length(&session);
    bench_free_references();
    if (request.json)
      failed = bench_write_json(root, request.json) != 0;
    else
      cJSON_Delete(root);
  }
  empty(&session);
  if (session.wrong)
    fprintf(stderr, "usw-bench: %d results were wrong\n", session.wrong);
  return failed || session.wrong ? EXIT_FAILED : 0;
}
