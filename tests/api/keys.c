/* Reductions by key by chance: every operation of every type, keys of every integer type, runs of any lengths, strided, results in host and
 * device memory; and scans of these runs. Of half of the cases elements are small integers, and each result is compared with usw_reduce() of
 * the run's elements on the host. Of the others elements are hard to add up: what rounds nothing is compared so, and some results with the
 * oracle. Cases are repeated on other grids: the same bits.
 *   keys [--place NAME] [--runs N] [--seed N] [--repeats N] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "by_oracle.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ELEMENTS = 60000, FEW_ELEMENTS = 6000, LOOKS = 24 };

static test_place_t place;
static int is_slow; /* an emulated GPU */

static const struct {
  usw_type_t type;
  size_t bytes;
} key_types[] = {{USW_I8, 1},  {USW_U8, 1},  {USW_I16, 2}, {USW_U16, 2},
                 {USW_I32, 4}, {USW_U32, 4}, {USW_I64, 8}, {USW_U64, 8}};

typedef struct {
  const operation_t *operation;
  const type_t *type;
  usw_type_t key_type;
  size_t key_bytes, n, runs, result_bytes;
  ptrdiff_t stride, key_stride;
  size_t *begins; /* of each run, and n */
  char *keys;     /* strided */
  usw_options_t options;
  int results_on_device, has_nans, is_hard;
  question_t question;
} case_t;

static void choose_keys(case_t *c) {
  static const size_t means[] = {1, 1, 2, 3, 10, 100, 1000, 100000};
  const size_t mean = means[chance(sizeof means / sizeof *means)];
  uint64_t key = chance(1000);
  c->begins = (size_t *)calloc(c->n + 1, sizeof *c->begins);
  c->keys = (char *)calloc((c->n + 1) * (size_t)c->key_stride, c->key_bytes);
  for (size_t i = 0; i < c->n; i++) {
    if (i == 0 || chance(mean) == 0) {
      c->begins[c->runs++] = i;
      key += 1 + chance(3); /* never the one before; of a byte some come again */
    }
    memcpy(c->keys + i * (size_t)c->key_stride * c->key_bytes, &key, c->key_bytes);
  }
  c->begins[c->runs] = c->n;
}

static void choose(case_t *c) {
  static const usw_accuracy_t levels[] = {USW_REPEATABLE, USW_REPEATABLE, USW_FAST, USW_COMPENSATED, USW_REPRODUCIBLE};
  const size_t k = chance(sizeof key_types / sizeof *key_types), most = is_slow ? FEW_ELEMENTS : MOST_ELEMENTS;
  memset(c, 0, sizeof *c);
  do
    choose_operation(&place, &c->operation, &c->type);
  while (c->operation->streams != 1);
  c->key_type = key_types[k].type;
  c->key_bytes = key_types[k].bytes;
  c->n = chance(10) == 0 ? chance(3) : chance(6) == 0 ? chance(most) : chance(3000);
  c->stride = chance(6) == 0 ? 2 : 1;
  c->key_stride = chance(6) == 0 ? 3 : 1;
  choose_keys(c);
  c->options = place_options(&place);
  c->options.accuracy = levels[chance(sizeof levels / sizeof *levels)];
  c->options.stride[0] = c->stride;
  c->options.stride[1] = c->key_stride;
  c->has_nans = chance(6) == 0;
  c->is_hard = (int)chance(2);
  c->options.nan = c->has_nans || (c->is_hard && chance(2)) ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  c->results_on_device = place.place == USW_DEVICE && chance(2);
  c->result_bytes = usw_result_bytes(c->operation->operation, c->type->type);
  c->question = question_of(c->operation, c->type, &c->options);
}

/* Results that have one answer, or the status alone. */
static usw_status_t expect(const case_t *c, const char *elements, char *expected) {
  const size_t count = !c->is_hard || has_one_answer(&c->question) ? c->runs : c->runs > 0;
  const usw_options_t options = {.size = USW_INIT(usw_options_t),
                                 .place = USW_HOST,
                                 .accuracy = c->options.accuracy,
                                 .nan = c->options.nan,
                                 .stride = {c->stride}};
  usw_status_t status = USW_OK;
  for (size_t r = 0; r < count && status == USW_OK; r++)
    status =
        usw_reduce(c->operation->operation, c->type->type, elements + c->begins[r] * (size_t)c->stride * c->type->bytes,
                   c->begins[r + 1] - c->begins[r], expected + r * c->result_bytes, &options);
  return status;
}

/* The result of n elements from `first` on, by the oracle. */
static void ask_oracle(const case_t *c, const char *elements, size_t first, size_t n, const char *found,
                       const char *note) {
  const size_t bytes = c->type->bytes;
  char *const items[] = {(char *)malloc(n * bytes + 1), NULL};
  for (size_t i = 0; i < n; i++)
    memcpy(items[0] + i * bytes, elements + (first + i) * (size_t)c->stride * bytes, bytes);
  check_by_oracle(&c->question, items, n, (double)n, found, note);
  free(items[0]);
}

/* One key for each run, and nothing behind them. */
static int are_right_keys(const case_t *c, const char *unique) {
  for (size_t r = 0; r < c->runs; r++)
    if (memcmp(unique + r * c->key_bytes, c->keys + c->begins[r] * (size_t)c->key_stride * c->key_bytes,
               c->key_bytes) != 0)
      return 0;
  for (size_t b = c->runs * c->key_bytes; b < c->n * c->key_bytes; b++)
    if (unique[b] != 0x5a)
      return 0;
  return 1;
}

/* A scan of the runs, where there is one: some items. */
static void check_scan(const case_t *c, const char *note, const char *elements, place_memory_t *items,
                       place_memory_t *keys) {
  enum { MOST_RESULT = 64 };
  const usw_options_t plain = {.size = USW_INIT(usw_options_t),
                               .place = USW_HOST,
                               .accuracy = c->options.accuracy,
                               .nan = c->options.nan,
                               .stride = {c->stride}};
  const usw_operation_t operation = c->operation->operation;
  const int is_exclusive = (int)chance(2);
  usw_options_t options = c->options;
  options.stride[1] = 1;
  options.stride[2] = c->key_stride;
  char *const found = (char *)calloc(c->n + 1, c->result_bytes);
  place_memory_t out = device_memory_get(&place, found, (c->n + 1) * c->result_bytes, 0);
  const usw_status_t status =
      is_exclusive
          ? usw_scan_by_key_exclusive(operation, c->type->type, items->data, c->key_type, keys->data, c->n, out.data,
                                      NULL, &options)
          : usw_scan_by_key(operation, c->type->type, items->data, c->key_type, keys->data, c->n, out.data, &options);
  if (status != USW_ERROR_UNSUPPORTED)
    CHECK_STATUS(USW_OK, status);
  memory_read(&out, found, c->n * c->result_bytes);
  for (size_t look = 0; look < LOOKS && status == USW_OK && c->n > 0; look++) {
    char expected[MOST_RESULT];
    const size_t i = chance(c->n);
    size_t r = 0;
    while (c->begins[r + 1] <= i)
      r++;
    if (c->is_hard) {
      ask_oracle(c, elements, c->begins[r], i - c->begins[r] + !is_exclusive, found + i * c->result_bytes, note);
      continue;
    }
    CHECK_STATUS(USW_OK,
                 usw_reduce(operation, c->type->type, elements + c->begins[r] * (size_t)c->stride * c->type->bytes,
                            i - c->begins[r] + !is_exclusive, expected, &plain));
    check_many_results(c->operation, c->type, note, 1, expected, found + i * c->result_bytes);
  }
  device_memory_free(&out);
  free(found);
}

/* The same bits on other grids; where results go decides how runs are found. */
static void repeat(const case_t *c, place_memory_t *items, place_memory_t *keys, place_memory_t *unique,
                   const char *first, const char *note) {
  const uint64_t repeats = c->options.accuracy == USW_FAST ? 0 : repeats_by_chance();
  usw_options_t options = c->options;
  const test_place_t host = {USW_HOST, -1, "host"};
  const size_t bytes = c->runs * c->result_bytes;
  char *const found = (char *)malloc((c->n + 1) * c->result_bytes);
  for (uint64_t k = 0; k < repeats; k++) {
    size_t runs = SIZE_MAX;
    options.teams = grids[k % GRIDS];
    memset(found, 0x5a, bytes);
    place_memory_t results =
        device_memory_get(c->results_on_device && c->n > 0 ? &place : &host, found, (c->n + 1) * c->result_bytes, 0);
    CHECK_STATUS(USW_OK, usw_reduce_by_key(c->operation->operation, c->type->type, items->data, c->key_type, keys->data,
                                           c->n, unique->data, results.data, &runs, &options));
    memory_read(&results, found, bytes);
    device_memory_free(&results);
    check_same_results(&c->question, c->runs, first, found, note, "another grid");
  }
  free(found);
}

/* Check the results of a case. */
static void judge(const case_t *c, const char *elements, const char *expected, const char *found, const char *note) {
  if (!c->is_hard)
    check_many_results(c->operation, c->type, note, c->runs, expected, found);
  else if (has_one_answer(&c->question))
    check_same_results(&c->question, c->runs, expected, found, note, "the host");
  for (size_t look = 0; look < LOOKS && c->is_hard && c->runs > 0; look++) {
    const size_t r = chance(c->runs);
    ask_oracle(c, elements, c->begins[r], c->begins[r + 1] - c->begins[r], found + r * c->result_bytes, note);
  }
}

/* What explains it tells of the launch that reduced it, with results where the items are. */
static void check_explanation(const case_t *c, const char *note, const usw_report_t *report) {
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  usw_options_t options = c->options;
  options.report = NULL;
  if (c->n == 0 || (report->place == USW_DEVICE && !c->results_on_device))
    return;
  const usw_status_t status =
      usw_explain_by_key(c->operation->operation, c->type->type, c->key_type, c->n, c->runs, &options, &e);
  check_explained(note, status, &e, report);
  CHECK_AT(e.results == c->runs && e.items == c->n, note);
}

static void run(uint64_t seed) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  const test_place_t host = {USW_HOST, -1, "host"};
  size_t runs = SIZE_MAX;
  char note[300];
  case_t c;
  chance_begin(seed);
  choose(&c);
  snprintf(note, sizeof note, "seed %llu: %s of %s, %zu runs of %zu items, keys of type %d, accuracy %d, nan %d",
           (unsigned long long)seed, c.operation->name, c.type->name, c.runs, c.n, (int)c.key_type,
           (int)c.options.accuracy, (int)c.options.nan);
  const size_t bytes = c.runs * c.result_bytes, count = c.n * (size_t)c.stride + 1;
  char *const elements =
      c.is_hard ? elements_of_patterns(&c.question, count) : elements_by_chance(c.operation, c.type, count, c.has_nans);
  char *const expected = (char *)calloc(1, bytes + 1), *const found = (char *)calloc(c.n + 1, c.result_bytes);
  char *const unique = (char *)malloc(c.n * c.key_bytes + 1);
  memset(unique, 0x5a, c.n * c.key_bytes);
  place_memory_t items = device_memory_get(&place, elements, count * c.type->bytes, 0);
  place_memory_t keys =
      device_memory_get(&place, c.keys, (c.n + 1) * (size_t)c.key_stride * c.key_bytes, chance(2) * c.key_bytes);
  place_memory_t of_runs = device_memory_get(&place, unique, c.n * c.key_bytes + 1, 0);
  place_memory_t results =
      device_memory_get(c.results_on_device && c.n > 0 ? &place : &host, found, (c.n + 1) * c.result_bytes, 0);
  const usw_status_t wanted = expect(&c, elements, expected);
  c.options.report = &report;
  const usw_status_t got = usw_reduce_by_key(c.operation->operation, c.type->type, items.data, c.key_type, keys.data,
                                             c.n, of_runs.data, results.data, &runs, &c.options);
  c.options.report = NULL;
  CHECK_AT(wanted == got, note);
  if (wanted != got)
    fprintf(stderr, "%s\n", usw_error_text());
  memory_read(&of_runs, unique, c.n * c.key_bytes);
  memory_read(&results, found, bytes);
  CHECK_AT(runs == (got == USW_OK ? c.runs : SIZE_MAX), note);
  if (wanted == USW_OK && got == USW_OK) {
    CHECK_AT(are_right_keys(&c, unique), note);
    judge(&c, elements, expected, found, note);
    check_explanation(&c, note, &report);
    repeat(&c, &items, &keys, &of_runs, found, note);
  }
  check_scan(&c, note, elements, &items, &keys);
  device_memory_free(&items);
  device_memory_free(&keys);
  device_memory_free(&of_runs);
  device_memory_free(&results);
  free(elements);
  free(expected);
  free(found);
  free(unique);
  free(c.keys);
  free(c.begins);
}

/* Later calls take the memory of the first ones again, however large it is. */
static void take_again(void) {
#ifdef USW_PORT_SIMT
  enum { N = 30000, CALLS = 6 };
  const usw_options_t options = place_options(&place);
  double *const x = (double *)calloc(N, sizeof *x), sum[1];
  int32_t *const keys = (int32_t *)calloc(N, sizeof *keys);
  uint64_t allocations = 0;
  size_t runs;
  place_memory_t items = device_memory_get(&place, x, N * sizeof *x, 0);
  place_memory_t of_keys = device_memory_get(&place, keys, N * sizeof *keys, 0);
  place_memory_t unique = device_memory_get(&place, keys, N * sizeof *keys, 0);
  for (int call = 0; call < CALLS; call++) {
    CHECK_STATUS(USW_OK, usw_reduce_by_key(USW_PLUS, USW_F64, items.data, USW_I32, of_keys.data, N, unique.data, sum,
                                           &runs, &options));
    CHECK(runs == 1);
    if (call == 0)
      allocations = simt_counts().allocations;
  }
  CHECK(simt_counts().allocations == allocations);
  device_memory_free(&items);
  device_memory_free(&of_keys);
  device_memory_free(&unique);
  free(x);
  free(keys);
#endif
}

/* Of arrays of the host's, which a GPU does not read: there the host is called. */
static void misuse(void) {
  const usw_options_t of_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  usw_options_t options = strcmp(place.target, "nvptx") == 0 ? of_host : place_options(&place);
  double x[4] = {1, 2, 3, 4}, sums[4] = {-1, -1, -1, -1};
  int32_t keys[4] = {1, 1, 2, 2}, unique[4] = {0};
  size_t runs = 7;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_F32, keys, 4, unique, sums, &runs, &options));
  CHECK_TEXT_HAS(usw_error_text(), "no integers");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_reduce_by_key(USW_DOT, USW_F64, x, USW_I32, keys, 4, unique, sums, &runs, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, NULL, 4, unique, sums, &runs, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, NULL, sums, &runs, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, keys, sums, &runs, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, unique, x, &runs, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, unique, NULL, &runs, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, unique, sums, NULL, &options));
  CHECK_TEXT_HAS(usw_error_text(), "number of runs");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_by_key(USW_PLUS, USW_F64, x, USW_F32, keys, 4, sums, &options));
  CHECK_TEXT_HAS(usw_error_text(), "no integers");
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_by_key(USW_PLUS, USW_F64, x, USW_I32, NULL, 4, sums, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_by_key(USW_PLUS, USW_I32, x, USW_I32, keys, 4, keys, &options));
  CHECK_TEXT_HAS(usw_error_text(), "results are to go into the keys");
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_scan_by_key_exclusive(USW_PLUS, USW_I32, x, USW_I32, keys, 3, keys + 1, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I64, unique, 2, x + 1, sums, &runs, &options));
  CHECK_TEXT_HAS(usw_error_text(), "keys of runs are to go into the elements");
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I64, sums, 2, unique, sums + 1, &runs, &options));
  CHECK_TEXT_HAS(usw_error_text(), "results are to go into the keys");
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I64, unique, 2, sums, sums, &runs, &options));
  CHECK_TEXT_HAS(usw_error_text(), "results are to go into the keys of runs");
  options.place = (usw_place_t)3;
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, unique, sums, &runs, &options));
  CHECK_TEXT_HAS(usw_error_text(), "no place");
  CHECK_STATUS(USW_ERROR_INVALID, usw_scan_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, sums, &options));
  options.size = 8;
  CHECK_STATUS(USW_ERROR_VERSION,
               usw_reduce_by_key(USW_PLUS, USW_F64, x, USW_I32, keys, 4, unique, sums, &runs, &options));
  CHECK(runs == 7);
  for (int k = 0; k < 4; k++)
    CHECK_F64(-1, sums[k]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  run_by_chance(argc, argv, &place, (case_counts_t){150, 600, 20000}, run);
  take_again();
  misuse();
  return check_report();
}
