/* Parts in several places: however the items are dealt, they give what one call gives.   parts [--place NAME] */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "parts_kernels.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 7001, MOST_BYTES = ITEMS * 16, MOST_PARTS_OF_TEST = 12, MOST_PLACES = 8, THREADS = 4, CALLS = 50 };

static const usw_part_t empty_part = {.size = USW_INIT(usw_part_t)};
static test_place_t places[MOST_PLACES]; /* the one of the command line, the host, further devices of the same kind */
static int place_count;
static char items[2][MOST_BYTES];
static number_t numbers[2][ITEMS];

static void find_places(int argc, char **argv) {
  places[place_count++] = place_of_arguments(argc, argv);
  if (places->place == USW_HOST)
    return;
  places[place_count++] = (test_place_t){USW_HOST, -1, "host"};
  place_count += places_like(&places[0], &places[place_count], MOST_PLACES - place_count);
}

/* The same numbers each time. */
static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* A deal of n items: parts, and their memory. */
typedef struct {
  usw_part_t part[MOST_PARTS_OF_TEST];
  place_memory_t memory[MOST_PARTS_OF_TEST][2];
  size_t count;
} deal_t;

static void set_part(deal_t *deal, usw_type_t type, int streams, size_t first, size_t n, const test_place_t *place) {
  usw_part_t *part = &deal->part[deal->count];
  *part = empty_part;
  part->place = place->place;
  part->device = place->device;
  part->n = n;
  for (int s = 0; s < 2; s++) {
    place_memory_t *memory = &deal->memory[deal->count][s];
    *memory = memory_get(place, items[s] + first * type_bytes(type), s < streams ? n * type_bytes(type) : 0, 0);
    part->x[s] = n > 0 ? memory->data : NULL;
  }
  deal->count++;
}

static void make_deal(deal_t *deal, usw_type_t type, int streams, size_t n, uint64_t seed) {
  const size_t count = 1 + next(&seed) % MOST_PARTS_OF_TEST;
  size_t first = 0;
  deal->count = 0;
  for (size_t k = 0; k < count; k++) {
    const size_t left = n - first, wish = next(&seed) % 4 == 0 ? 0 : next(&seed) % (1 + 2 * n / count);
    const size_t length = k + 1 == count || wish > left ? left : wish;
    set_part(deal, type, streams, first, length, &places[next(&seed) % (uint64_t)place_count]);
    first += length;
  }
}

static void free_deal(deal_t *deal) {
  for (size_t k = 0; k < deal->count; k++)
    for (int s = 0; s < 2; s++)
      memory_free(&deal->memory[k][s]);
}

/* Parts in another order: what is reproducible does not see it. */
static void shuffle(deal_t *deal, uint64_t seed) {
  for (size_t k = deal->count; k > 1; k--) {
    const size_t other = next(&seed) % k;
    const usw_part_t part = deal->part[k - 1];
    deal->part[k - 1] = deal->part[other];
    deal->part[other] = part;
  }
}

static usw_status_t reduce_whole(const row_t *row, size_t n, result_t *result, const usw_options_t *options) {
  return row->streams == 1 ? usw_reduce(row->operation, row->type, items[0], n, result, options)
                           : usw_reduce_pair(row->operation, row->type, items[0], items[1], n, result, options);
}

/* Of a sum, a norm, a dot product: no index, and nothing that the order of the items changes. */
static int has_no_order(const row_t *row) { return row->result == RESULT_SUM || row->result == RESULT_REAL; }

static void check_same(const row_t *row, const result_t *whole, const result_t *got, const char *what, size_t n,
                       size_t count) {
  check_count(results_equal(row, whole, got), __FILE__, __LINE__, "%s_%s n=%zu in %zu parts, %s: other bits", row->name,
              type_name(row->type), n, count, what);
}

/* At the levels that promise the bits of one call for any parts, if the reduction has them. */
static void same_bits(const row_t *row, deal_t *deal, size_t n, usw_nan_t nan, uint64_t seed) {
  static const usw_accuracy_t levels[] = {USW_REPRODUCIBLE, USW_EXACT};
  for (int l = 0; l < 2; l++) {
    usw_options_t options = {.size = USW_INIT(usw_options_t)};
    result_t whole, got;
    memset(&whole, 0xa5, sizeof whole);
    memset(&got, 0xa5, sizeof got);
    options.accuracy = levels[l];
    options.nan = nan;
    options.place = USW_HOST;
    const usw_status_t expected = reduce_whole(row, n, &whole, &options);
    options.place = USW_AUTO_PLACE;
    CHECK_STATUS(expected, usw_reduce_parts(row->operation, row->type, deal->part, deal->count, &got, &options));
    if (expected != USW_OK)
      continue;
    check_same(row, &whole, &got, l ? "exact" : "reproducible", n, deal->count);
    if (!has_no_order(row))
      continue;
    deal_t shuffled = *deal;
    shuffle(&shuffled, seed);
    CHECK_STATUS(USW_OK, usw_reduce_parts(row->operation, row->type, shuffled.part, deal->count, &got, &options));
    check_same(row, &whole, &got, l ? "exact, shuffled" : "reproducible, shuffled", n, deal->count);
  }
}

/* A plan gives the bits of the call, by runs and by requests, of which two are under way. */
static void same_by_plan(const row_t *row, const deal_t *deal, const result_t *of_call, const usw_options_t *options,
                         size_t n) {
  usw_plan_t *plan = NULL;
  usw_request_t requests[2];
  result_t got[2];
  CHECK_STATUS(USW_OK, usw_plan_create_parts(&plan, row->operation, row->type, deal->part, deal->count, options));
  for (int k = 0; k < 3; k++) {
    memset(&got[0], 0xa5, sizeof got[0]);
    CHECK_STATUS(USW_OK, usw_plan_run_parts(plan, &got[0]));
    check_same(row, of_call, &got[0], "plan", n, deal->count);
  }
  memset(got, 0xa5, sizeof got);
  for (int k = 0; k < 2; k++)
    CHECK_STATUS(USW_OK, usw_plan_start_parts(plan, &got[k], &requests[k]));
  for (int k = 1; k >= 0; k--) {
    CHECK_STATUS(USW_OK, usw_request_wait(&requests[k]));
    check_same(row, of_call, &got[k], "request", n, deal->count);
  }
  usw_plan_destroy(plan);
}

static void one_row(const row_t *row, pattern_t pattern, usw_nan_t nan, size_t n, uint64_t seed) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  const rounding_t rounding = {64 + (double)n, pattern_is_exact(pattern)};
  const oracle_t oracle = oracle_of(row, numbers[0], row->streams == 2 ? numbers[1] : NULL, n, nan, rounding);
  result_t got;
  char why[640] = "";
  deal_t deal;
  make_deal(&deal, row->type, row->streams, n, seed);
  options.nan = nan;
  options.report = &report;
  memset(&got, 0xa5, sizeof got);
  CHECK_STATUS(USW_OK, usw_reduce_parts(row->operation, row->type, deal.part, deal.count, &got, &options));
  const int agrees = oracle_agrees(&oracle, &got, why, sizeof why);
  check_count(agrees, __FILE__, __LINE__, "%s_%s n=%zu pattern=%s nan=%d in %zu parts: %s", row->name,
              type_name(row->type), n, pattern_name(pattern), (int)nan, deal.count, why);
  CHECK_U64(0xa5, got.bytes[row->result_bytes]);
  CHECK_U64(n * type_bytes(row->type) * (uint64_t)row->streams, report.bytes);
  if (report.kept != UINT64_MAX)
    CHECK_U64(oracle.kept, report.kept);
  if (place_takes_next(&places[0], 5))
    same_by_plan(row, &deal, &got, &options, n);
  same_bits(row, &deal, n, nan, seed);
  free_deal(&deal);
}

static void every_row(void) {
  static const pattern_t patterns[] = {PATTERN_ramp,       PATTERN_random,           PATTERN_ties,
                                       PATTERN_least_last, PATTERN_zeros_plus_first, PATTERN_nan_middle,
                                       PATTERN_nan_often,  PATTERN_infinity_both,    PATTERN_huge_and_tiny};
  static const size_t sizes[] = {0, 1, 300, ITEMS};
  uint64_t seed = 1;
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s];
        if (!pattern_fits(patterns[p], type))
          continue;
        for (uint64_t k = 0; k < 2; k++) {
          pattern_fill(patterns[p], type, items[k], n, 1 + k);
          numbers_of(type, items[k], n, numbers[k]);
        }
        for (int r = 0; r < ROW_COUNT; r++)
          for (int nan = 0; nan < (type_is_floating(type) ? 2 : 1); nan++)
            if (rows[r].type == type && takes_next(n == ITEMS ? 12 : 4) && simt_takes_next(&places[0], 3))
              one_row(&rows[r], patterns[p], nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE, n, seed++);
      }
}

/* The first of equal ones is found, whatever part runs first, and indices count on over parts. */
static void ties_of_parts(void) {
  const double x[] = {3, 1, 1, 4, 1, 4};
  usw_located_f64_t least, most;
  deal_t deal = {.count = 0};
  memcpy(items[0], x, sizeof x);
  set_part(&deal, USW_F64, 1, 0, 2, &places[place_count - 1]);
  set_part(&deal, USW_F64, 1, 2, 0, &places[0]);
  set_part(&deal, USW_F64, 1, 2, 2, &places[0]);
  set_part(&deal, USW_F64, 1, 4, 2, &places[place_count > 1]);
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_ARGMIN, USW_F64, deal.part, deal.count, &least, NULL));
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_ARGMAX, USW_F64, deal.part, deal.count, &most, NULL));
  CHECK_I64(1, least.index);
  CHECK_I64(3, most.index);
  CHECK_F64(4, most.value);
  free_deal(&deal);
}

/* Strides are those of a part, by stream, and its arrays' own. */
static void strides(void) {
  const double x[] = {1, 9, 2, 9, 3, 9}, y[] = {1, 10, 100, 1000, 10000};
  double dot = 0;
  deal_t deal = {.count = 0};
  memcpy(items[0], x, sizeof x);
  memcpy(items[1], y, sizeof y);
  set_part(&deal, USW_F64, 2, 0, 5, &places[0]);
  set_part(&deal, USW_F64, 2, 0, 5, &places[place_count - 1]);
  deal.part[0].n = 3;
  deal.part[0].stride[0] = 2;
  deal.part[1].n = 2;
  deal.part[1].stride[1] = USW_STRIDE_NONE;
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_DOT, USW_F64, deal.part, deal.count, &dot, NULL));
  CHECK_F64(321 + 10, dot);
  free_deal(&deal);
}

/* A call that fails: its status, what its text begins with, and nothing is written. */
static void refused(usw_status_t expected, const char *text, const usw_part_t *parts, size_t count,
                    const usw_options_t *options) {
  double sum = 77;
  CHECK_STATUS(expected, usw_reduce_parts(USW_PLUS, USW_F64, parts, count, &sum, options));
  check_count(strncmp(usw_error_text(), text, strlen(text)) == 0, __FILE__, __LINE__, "'%s' begins with '%s'",
              usw_error_text(), text);
  CHECK_F64(77, sum);
}

/* One part of three is wrong: the message names it, whichever it is, at every level. */
static void wrong_parts(deal_t *deal, usw_options_t *options) {
  static const char *const names[] = {"part 1 of 3: ", "part 2 of 3: ", "part 3 of 3: "};
  for (size_t k = 0; k < 3; k++) {
    usw_part_t *part = &deal->part[k];
    const usw_part_t right = *part;
    part->x[0] = NULL;
    refused(USW_ERROR_INVALID, names[k], deal->part, 3, options);
    *part = right;
    part->x[0] = (const char *)right.x[0] + 4;
    refused(USW_ERROR_INVALID, names[k], deal->part, 3, options);
    *part = right;
    part->n = SIZE_MAX / 2 + 1;
    refused(USW_ERROR_INVALID, names[k], deal->part, 3, options);
    *part = right;
    part->place = (usw_place_t)9;
    refused(USW_ERROR_INVALID, names[k], deal->part, 3, options);
    *part = right;
    part->place = USW_DEVICE;
    part->device = 4711;
    refused(USW_ERROR_DEVICE, names[k], deal->part, 3, options);
    *part = right;
    part->size--;
    refused(USW_ERROR_VERSION, names[k], deal->part, 3, options);
    *part = right;
  }
}

static void refusals(void) {
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  double sum = 77;
  deal_t deal = {.count = 0};
  memset(items, 0, sizeof items);
  for (int k = 0; k < 3; k++)
    set_part(&deal, USW_F64, 1, 0, 100, &places[k % place_count]);
  wrong_parts(&deal, NULL);
  options.accuracy = USW_EXACT;
  wrong_parts(&deal, &options);
  options.accuracy = USW_REPRODUCIBLE;
  options.fold = 60;
  refused(USW_ERROR_UNSUPPORTED, "", deal.part, 3, &options);
  options = (usw_options_t){.size = USW_INIT(usw_options_t)};
  options.place = USW_HOST;
  refused(USW_ERROR_INVALID, "usw_reduce_parts: options.place", deal.part, 3, &options);
  options.place = USW_AUTO_PLACE;
  options.stride[7] = 1;
  refused(USW_ERROR_INVALID, "usw_reduce_parts: options.stride[7]", deal.part, 3, &options);
  options.stride[7] = 0;
  options.stream = &options;
  refused(USW_ERROR_INVALID, "usw_reduce_parts: options.stream", deal.part, 3, &options);
  options.size--;
  refused(USW_ERROR_VERSION, "usw_reduce_parts: options.size", deal.part, 3, &options);
  refused(USW_ERROR_INVALID, "usw_reduce_parts: parts", NULL, 1, NULL);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_parts(USW_PLUS, USW_F64, deal.part, 3, NULL, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_parts(USW_PLUS, USW_F64, deal.part, 3, (char *)&sum + 1, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_parts(USW_BIT_AND, USW_F64, deal.part, 3, &sum, NULL));
  CHECK_F64(77, sum);
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_MULTIPLIES, USW_F64, NULL, 0, &sum, NULL));
  CHECK_F64(1, sum);
  free_deal(&deal);
}

/* More parts on one device than it has scratches: those that are started end, and their room serves the others. */
static void many_parts(void) {
  enum { PARTS = 300 };
  static usw_part_t parts[PARTS];
  static double ones[PARTS];
  double sum = 0;
  for (int k = 0; k < PARTS; k++)
    ones[k] = k;
  place_memory_t x = memory_get(&places[0], ones, sizeof ones, 0);
  for (int k = 0; k < PARTS; k++) {
    parts[k] = empty_part;
    parts[k].place = places[0].place;
    parts[k].device = places[0].device;
    parts[k].n = 1;
    parts[k].x[0] = (const double *)x.data + k;
  }
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_PLUS, USW_F64, parts, PARTS, &sum, NULL));
  CHECK_F64(PARTS * (PARTS - 1) / 2, sum);
  memory_free(&x);
}

static deal_t shared;

static void *call_often(void *expected) {
  for (int k = 0; k < CALLS; k++) {
    double sum = 0;
    CHECK_STATUS(USW_OK, usw_reduce_parts(USW_PLUS, USW_F64, shared.part, shared.count, &sum, NULL));
    CHECK_F64(*(const double *)expected, sum);
  }
  return NULL;
}

static void threads(void) {
  pthread_t thread[THREADS];
  double sum = 0;
  pattern_fill(PATTERN_random, USW_F64, items[0], ITEMS, 1);
  make_deal(&shared, USW_F64, 1, ITEMS, 5);
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_PLUS, USW_F64, shared.part, shared.count, &sum, NULL));
  for (int t = 0; t < THREADS; t++)
    pthread_create(&thread[t], NULL, call_often, &sum);
  for (int t = 0; t < THREADS; t++)
    pthread_join(thread[t], NULL);
  free_deal(&shared);
}

static void note_end(void *context, usw_status_t status) { *(int *)context += status == USW_OK ? 1 : 100; }

/* What other plans have: a function that is called at the end, exact sums, requests that nobody waits for, mistakes. */
static void plans(void) {
  usw_options_t exact = {.size = USW_INIT(usw_options_t), .accuracy = USW_EXACT};
  usw_plan_t *plan = NULL, *of_exact = NULL, *none = NULL;
  usw_request_t request;
  deal_t deal = {.count = 0};
  double sum = 77, wide = 0;
  int ends = 0, done = 0;
  const double x[] = {1e300, 1, -1e300, 2};
  memcpy(items[0], x, sizeof x);
  for (size_t k = 0; k < 4; k++)
    set_part(&deal, USW_F64, 1, k, 1, &places[k % (size_t)place_count]);
  CHECK_STATUS(USW_OK, usw_plan_create_parts(&plan, USW_MAXIMUM, USW_F64, deal.part, 4, NULL));
  CHECK_STATUS(USW_OK, usw_plan_create_parts(&of_exact, USW_PLUS, USW_F64, deal.part, 4, &exact));
  CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, note_end, &ends));
  CHECK_STATUS(USW_OK, usw_plan_start_parts(plan, &sum, &request));
  CHECK_I64(1, ends);
  CHECK_STATUS(USW_OK, usw_request_test(&request, &done));
  CHECK_I64(1, done);
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  CHECK_F64(1e300, sum);
  CHECK_STATUS(USW_OK, usw_plan_run_parts(of_exact, &wide));
  CHECK_F64(3, wide);
  CHECK_STATUS(USW_OK, usw_plan_start_parts(of_exact, &wide, &request));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  CHECK_STATUS(USW_ERROR_INVALID, usw_request_wait(&request));
  CHECK_F64(3, wide);
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run_parts(of_exact, NULL));
  CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, NULL, NULL));
  CHECK_STATUS(USW_OK, usw_plan_start_parts(plan, &wide, &request));
  usw_plan_destroy(plan); /* waits for it */
  CHECK_F64(1e300, wide);
  usw_plan_destroy(of_exact);
  exact.accuracy = USW_REPRODUCIBLE;
  exact.fold = 60;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create_parts(&none, USW_PLUS, USW_F64, deal.part, 4, &exact));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_parts(NULL, USW_PLUS, USW_F64, deal.part, 4, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_parts(&none, USW_PLUS, USW_F64, NULL, 4, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create_parts(&none, USW_BIT_AND, USW_F64, deal.part, 4, NULL));
  CHECK_STATUS(USW_OK, usw_plan_create_parts(&none, USW_MULTIPLIES, USW_F64, NULL, 0, NULL));
  CHECK_STATUS(USW_OK, usw_plan_run_parts(none, &sum));
  CHECK_F64(1, sum);
  usw_plan_destroy(none);
  free_deal(&deal);
}

int main(int argc, char **argv) {
  double sum = 77;
  find_places(argc, argv);
  refusals();
  ties_of_parts();
  strides();
  many_parts();
  threads();
  plans();
  parts_of_kernels(places, place_count);
  every_row();
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_reduce_parts(USW_PLUS, USW_F64, NULL, 0, &sum, NULL));
  CHECK_F64(77, sum);
  return check_report();
}
