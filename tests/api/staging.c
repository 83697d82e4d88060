/* Calls whose streams come from host memory to the device in chunks: the results of a device array, for any function, strategy,
 * length and stride; the same bits again; what has no staging is refused.   staging [--place NAME] */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/partial.h>
#include <upsweep/plan.h>
#include <upsweep/set.h>
#include <upsweep/upsweep.h>

#include "staging_kernels.h" /* before the oracle, whose names it must not meet */

#include "functions_called.h"
#include "oracle/memory.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"
#ifdef USW_PORT_SIMT
#include "backend_simt.h"
#endif

enum {
  ITEMS = 300007,
  CHUNK = 32768 /* doubles, of calls as short as these */,
  THREADS = 6,
  ELEMENT_BYTES = 16,
  RUNS = 4
};

static test_place_t place;
static char x[ITEMS * ELEMENT_BYTES], y[ITEMS * ELEMENT_BYTES]; /* in host memory */
static place_memory_t x_there, y_there;

static usw_options_t options_of(usw_staging_t staging) {
  usw_options_t options = place_options(&place);
  options.staging = staging;
  return options;
}

static place_memory_t put(const void *contents, size_t bytes) { return device_memory_get(&place, contents, bytes, 0); }

static uint64_t bytes_to_device(void) {
#ifdef USW_PORT_SIMT
  return simt_counts().bytes_to_device;
#else
  return 0;
#endif
}

/* ---- the library's functions ---- */

/* Whose results have the same bits however they are cut. */
static const function_t functions[] = {
    {USW_PLUS, USW_U8, USW_REPEATABLE, 1},        {USW_PLUS, USW_I64, USW_REPEATABLE, 1},
    {USW_PLUS, USW_F64, USW_REPRODUCIBLE, 1},     {USW_PLUS, USW_CF32, USW_REPRODUCIBLE, 1},
    {USW_MINIMUM, USW_F16, USW_REPEATABLE, 1},    {USW_BIT_XOR, USW_U16, USW_REPEATABLE, 1},
    {USW_COUNT, USW_CF64, USW_REPEATABLE, 1},     {USW_LOGICAL_AND, USW_I32, USW_REPEATABLE, 1},
    {USW_ARGMIN, USW_I8, USW_REPEATABLE, 1},      {USW_ARGMAX, USW_F64, USW_REPEATABLE, 1},
    {USW_MINMAX, USW_F32, USW_REPEATABLE, 1},     {USW_DESCRIBE, USW_F64, USW_REPRODUCIBLE, 1},
    {USW_NORM2, USW_F32, USW_REPRODUCIBLE, 1},    {USW_NORM_INF, USW_F64, USW_REPEATABLE, 1},
    {USW_DOT, USW_I32, USW_REPEATABLE, 2},        {USW_DOT, USW_F64, USW_REPRODUCIBLE, 2},
    {USW_MULTIPLIES, USW_U64, USW_REPEATABLE, 1},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void expect_same(const function_t *function, const result_t *expected, const result_t *got, const char *what,
                        size_t n) {
  const row_t *row = row_find(function->operation, function->type);
  check_count(results_equal(row, expected, got), __FILE__, __LINE__,
              "%s of %s, %s, n=%zu: not the bits of a device array", row->name, type_name(function->type), what, n);
}

static void copy_there(const place_memory_t *there, const void *from, size_t bytes) {
  if (there->device < 0)
    memcpy(there->data, from, bytes);
  else
    CHECK(memory_device_copy(there->data, there->device, from, -1, bytes) == 0);
}

static void fill(usw_type_t type) {
  pattern_fill(PATTERN_random, type, x, ITEMS, 5);
  pattern_fill(PATTERN_ramp, type, y, ITEMS, 7);
  copy_there(&x_there, x, (size_t)ITEMS * type_bytes(type));
  copy_there(&y_there, y, (size_t)ITEMS * type_bytes(type));
}

/* Staged from host memory, and with the first or the second stream on the device. */
static void lengths_of(const function_t *function, usw_strategy_t strategy) {
  static const size_t lengths[] = {1, 63, CHUNK - 1, CHUNK, CHUNK + 1, ITEMS};
  usw_options_t staged = options_of(USW_STAGING_ALWAYS), there = options_of(USW_STAGING_NEVER);
  fill(function->type);
  staged.strategy = there.strategy = strategy;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    const size_t n = lengths[k];
    result_t expected, result;
    const uint64_t before = bytes_to_device();
    CHECK_STATUS(USW_OK, call(function, x_there.data, y_there.data, n, there, &expected));
    CHECK_U64(before, bytes_to_device());
    CHECK_STATUS(USW_OK, call(function, x, y, n, staged, &result));
    expect_same(function, &expected, &result, "staged", n);
#ifdef USW_PORT_SIMT
    CHECK(bytes_to_device() - before >= n * type_bytes(function->type) * (size_t)function->streams);
#endif
    if (function->streams == 1)
      continue;
    CHECK_STATUS(USW_OK, call(function, x_there.data, y, n, staged, &result));
    expect_same(function, &expected, &result, "the second stream staged", n);
    CHECK_STATUS(USW_OK, call(function, x, y_there.data, n, staged, &result));
    expect_same(function, &expected, &result, "the first stream staged", n);
  }
}

static void every_function(void) {
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  for (int f = 0; f < FUNCTIONS; f++)
    for (int s = 0; s < count; s++)
      if (strategies[s] != USW_STRATEGY_CLAUSE || functions[f].accuracy == USW_REPEATABLE)
        lengths_of(&functions[f], strategies[s]);
}

/* Of streams whose elements do not follow each other, of whichever the last one is at the end of the data. */
static void strides(void) {
  static const ptrdiff_t steps[] = {2, 3, 7, 40, -1, -5, USW_STRIDE_NONE};
  static const function_t of_strides[] = {{USW_PLUS, USW_I32, USW_REPEATABLE, 1},
                                          {USW_ARGMAX, USW_F64, USW_REPEATABLE, 1},
                                          {USW_MINIMUM, USW_I8, USW_REPEATABLE, 1},
                                          {USW_PLUS, USW_CF64, USW_REPRODUCIBLE, 1},
                                          {USW_DOT, USW_F64, USW_REPRODUCIBLE, 2}};
  for (size_t f = 0; f < sizeof of_strides / sizeof *of_strides; f++) {
    const function_t *function = &of_strides[f];
    fill(function->type);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
      usw_options_t staged = options_of(USW_STAGING_ALWAYS), there = options_of(USW_STAGING_NEVER);
      const ptrdiff_t step = steps[k] == USW_STRIDE_NONE ? 0 : steps[k];
      const size_t n = step == 0 ? ITEMS : ITEMS / (size_t)(step < 0 ? -step : step);
      const size_t first = step < 0 ? (n - 1) * (size_t)-step * type_bytes(function->type) : 0;
      result_t expected, result;
      staged.stride[0] = there.stride[0] = steps[k];
      CHECK_STATUS(USW_OK, call(function, (char *)x_there.data + first, y_there.data, n, there, &expected));
      CHECK_STATUS(USW_OK, call(function, x + first, y, n, staged, &result));
      expect_same(function, &expected, &result, "a stride", n);
      CHECK_STATUS(USW_OK, call(function, (char *)x_there.data + first, y, n, staged, &result));
      if (function->streams == 2)
        expect_same(function, &expected, &result, "a stride on the device", n);
    }
  }
}

/* Sums that round: the chunks depend on n alone. */
static void repeatable(void) {
  const function_t sum = {USW_PLUS, USW_F64, USW_REPEATABLE, 1}, norm = {USW_NORM2, USW_F32, USW_COMPENSATED, 1};
  result_t first, again;
  pattern_fill(PATTERN_wide, USW_F64, x, ITEMS, 11);
  CHECK_STATUS(USW_OK, call(&sum, x, NULL, ITEMS, options_of(USW_STAGING_ALWAYS), &first));
  for (int run = 0; run < RUNS; run++) {
    CHECK_STATUS(USW_OK, call(&sum, x, NULL, ITEMS, options_of(USW_STAGING_ALWAYS), &again));
    expect_same(&sum, &first, &again, "once more", ITEMS);
  }
  pattern_fill(PATTERN_random, USW_F32, x, ITEMS, 11);
  CHECK_STATUS(USW_OK, call(&norm, x, NULL, ITEMS, options_of(USW_STAGING_ALWAYS), &first));
  CHECK_STATUS(USW_OK, call(&norm, x, NULL, ITEMS, options_of(USW_STAGING_ALWAYS), &again));
  expect_same(&norm, &first, &again, "once more", ITEMS);
}

/* The lowest index, whichever chunk it is in. */
static void ties(void) {
  static double values[ITEMS];
  const usw_options_t options = options_of(USW_STAGING_ALWAYS);
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  usw_located_f64_t result;
  CHECK_STATUS(USW_OK, usw_explain(USW_ARGMIN, USW_F64, ITEMS, &options, &e));
  const size_t chunk = e.staging_chunk_bytes / sizeof(double);
  const size_t lows[] = {0, chunk - 1, chunk, 5 * chunk + 3, ITEMS - 1};
  for (size_t i = 0; i < ITEMS; i++)
    values[i] = 3;
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMIN, USW_F64, values, ITEMS, &result, &options));
  CHECK_I64(0, result.index);
  for (size_t k = sizeof lows / sizeof *lows; k-- > 0;) {
    values[lows[k]] = -2;
    CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMIN, USW_F64, values, ITEMS, &result, &options));
    CHECK_I64((int64_t)lows[k], result.index);
    CHECK_F64(-2, result.value);
  }
}

/* ---- other doors ---- */

static void parts_and_plans(void) {
  static double values[ITEMS];
  const usw_options_t options = options_of(USW_STAGING_ALWAYS);
  usw_located_f64_t lowest;
  usw_partial_t *partial;
  usw_plan_t *plan;
  usw_request_t request;
  int64_t sum = 0, expected = 0;
  for (size_t i = 0; i < ITEMS; i++)
    values[i] = (double)(ITEMS - i);
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_ARGMIN, USW_F64, &options));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, values, 10));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, values + 10, ITEMS - 10));
  CHECK_STATUS(USW_OK, usw_partial_result(partial, &lowest));
  CHECK_I64(ITEMS - 1, lowest.index);
  usw_partial_destroy(partial);
  fill(USW_I64);
  for (size_t i = 0; i < ITEMS; i++)
    expected = (int64_t)((uint64_t)expected + ((uint64_t *)(void *)x)[i]);
  CHECK_STATUS(USW_OK, usw_plan_create(&plan, USW_PLUS, USW_I64, &options));
  CHECK_STATUS(USW_OK, usw_plan_run(plan, x, ITEMS, &sum));
  CHECK_I64(expected, sum);
  sum = 0;
  CHECK_STATUS(USW_OK, usw_plan_start(plan, x, ITEMS, &sum, &request));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  CHECK_I64(expected, sum);
  CHECK_STATUS(USW_OK, usw_plan_run(plan, x_there.data, ITEMS, &sum));
  CHECK_I64(expected, sum);
  usw_plan_destroy(plan);
}

static void record_and_recheck(void) {
  usw_options_t options = options_of(USW_STAGING_ALWAYS);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  double sum, again;
  fill(USW_F64);
  options.report = &report;
  options.recheck = 1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_I64(USW_DEVICE, report.place);
  CHECK_I64(place.device, report.device);
  CHECK(report.strategy != USW_AUTO_STRATEGY && report.teams > 0);
  CHECK_U64(ITEMS * sizeof(double), report.bytes);
  options.place = USW_AUTO_PLACE; /* plain memory stays the host's */
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &again, &options));
  CHECK_I64(USW_HOST, report.place);
}

/* ---- user kernels ---- */

static void user_kernels(void) {
  static double b[ITEMS];
  static float ax[ITEMS];
  static uint64_t a[ITEMS], c[ITEMS];
  static const int32_t weights[7] = {1, -20, 300, 7, 5000, -60000, 1};
  const usw_options_t staged = options_of(USW_STAGING_ALWAYS),
                      on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  int64_t total[2] = {5, 5}, bins[2][100];
  double worst[2] = {0, 0};
  uint64_t over[2] = {0, 0};
  staged_map_t map[2] = {{3, 4}, {3, 4}};
  for (size_t i = 0; i < ITEMS; i++) {
    b[i] = (double)(i * 37 % 1009) / 8 - 50;
    ax[i] = (float)(i * 53 % 499) / 16 - 10;
    a[i] = i * 0x9e3779b97f4a7c15u;
    c[i] = i ^ a[i] >> 7;
  }
  memset(bins, 0, sizeof bins);
  place_memory_t ax_there = put(ax, sizeof ax), weights_there = put(weights, sizeof weights);
  CHECK_STATUS(USW_OK, residual(ITEMS, b, ax, 2.5, &total[0], &worst[0], &over[0], &on_host));
  CHECK_STATUS(USW_OK, residual(ITEMS, b, ax_there.data, 2.5, &total[1], &worst[1], &over[1], &staged));
  CHECK_I64(total[0], total[1]);
  CHECK_F64(worst[0], worst[1]);
  CHECK_U64(over[0], over[1]);
  CHECK_STATUS(USW_OK, compose(ITEMS, a, c, &map[0], &on_host));
  CHECK_STATUS(USW_OK, compose(ITEMS, a, c, &map[1], &staged));
  CHECK_U64(map[0].a, map[1].a);
  CHECK_U64(map[0].c, map[1].c);
  CHECK_STATUS(USW_OK, tally(ITEMS, a, weights, bins[0], &on_host));
  CHECK_STATUS(USW_OK, tally(ITEMS, a, weights_there.data, bins[1], &staged));
  CHECK(memcmp(bins[0], bins[1], sizeof bins[0]) == 0);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, tally(ITEMS, a, weights, bins[1], &staged));
  CHECK_TEXT_HAS(usw_error_text(), "'weights'");
  CHECK_TEXT_HAS(usw_error_text(), "only streams of kernels are staged");
  CHECK(memcmp(bins[0], bins[1], sizeof bins[0]) == 0);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, with_index(ITEMS, b, &over[0], &staged));
  CHECK_TEXT_HAS(usw_error_text(), "with_index");
  CHECK_TEXT_HAS(usw_error_text(), "USW_NO_INDEX");
  memory_free(&ax_there);
  memory_free(&weights_there);
}

/* ---- what is told ---- */

static void explained(void) {
  usw_options_t options = options_of(USW_STAGING_ALWAYS);
  usw_explanation_t staged = {.size = USW_INIT(usw_explanation_t)}, there = staged;
  usw_staging_rates_t rates = {.size = USW_INIT(usw_staging_rates_t)};
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, ITEMS, &options, &staged));
  const size_t chunk_items = staged.staging_chunk_bytes / sizeof(double);
  CHECK(chunk_items >= CHUNK && chunk_items < ITEMS / 2);
  CHECK_U64((ITEMS + chunk_items - 1) / chunk_items, staged.staging_chunks);
  CHECK(staged.staging_buffers > 1 && staged.staging_threads > 0 && staged.error_bound > 0);
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain(USW_PLUS, USW_F64, ITEMS, &options, &staged));
  options = options_of(USW_AUTO_STAGING);
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, ITEMS, &options, &there));
  CHECK_U64(0, there.staging_chunks);
  CHECK_STATUS(USW_OK, usw_measure_staging(USW_DOT, USW_F64, &options, &rates));
  CHECK(rates.staged_gbs > 0 && rates.host_gbs > 0);
  options.place = USW_HOST;
  CHECK_STATUS(USW_ERROR_PLACE, usw_measure_staging(USW_DOT, USW_F64, &options, &rates));
}

/* ---- errors ---- */

static void refused(void) {
  usw_options_t options = options_of(USW_STAGING_NEVER);
  double sum = 7;
  usw_set_t *set;
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  options.staging = USW_AUTO_STAGING; /* the environment says nothing */
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  options.staging = (usw_staging_t)3;
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "options.staging is 3");
  options.staging = USW_STAGING_ALWAYS;
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "sum_exact_f64");
  options.accuracy = USW_REPEATABLE;
  options.stream = &options;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "options.stream");
  options.stream = NULL;
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, x, 1, &sum, 0));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_run(set, ITEMS, &options));
  CHECK_TEXT_HAS(usw_error_text(), "not sets");
  usw_set_destroy(set);
  CHECK_F64(7, sum);
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, 0, &sum, &options));
  CHECK_F64(0, sum);
}

#ifdef USW_PORT_SIMT
/* Without memory, and with copies that fail, of the first chunk or of a later one: an error, results as they were, and the next
 * call is right. */
static void failures(void) {
  const usw_options_t options = options_of(USW_STAGING_ALWAYS);
  int64_t sum = 7, expected;
  fill(USW_I64);
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I64, x, ITEMS, &expected, &options));
  for (int64_t good = 0; good < 5; good++) {
    simt_fail_copies_after(good);
    CHECK_STATUS(USW_ERROR_DEVICE, usw_reduce(USW_PLUS, USW_I64, x, ITEMS, &sum, &options));
    CHECK_I64(7, sum);
    simt_fail_copies_after(-1);
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I64, x, ITEMS, &sum, &options));
    CHECK_I64(expected, sum);
    sum = 7;
  }
}

/* Before anything is kept: each allocation that can fail does once. */
static void no_memory(void) {
  const usw_options_t options = options_of(USW_STAGING_ALWAYS);
  const simt_counts_t before = simt_counts();
  int64_t sum = 7;
  usw_status_t status = USW_ERROR_MEMORY;
  int64_t good = 0;
  fill(USW_I64);
  for (; good < 100 && status != USW_OK; good++) {
    simt_fail_allocations_after(good);
    status = usw_reduce(USW_PLUS, USW_I64, x, ITEMS, &sum, &options);
    CHECK(status == USW_OK || (status == USW_ERROR_MEMORY && sum == 7));
  }
  simt_fail_allocations_after(-1);
  CHECK(good > 3 && good < 100);
  const uint64_t allocations = simt_counts().allocations;
  CHECK(allocations > before.allocations);
  for (int run = 0; run < RUNS; run++)
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I64, x, ITEMS, &sum, &options));
  CHECK_U64(allocations, simt_counts().allocations); /* kept between calls */
}
#endif

#ifdef USW_PORT_SIMT
/* Memory of another device is no memory of the host's, which threads could copy from. */
static void other_device(void) {
  static double elsewhere[CHUNK];
  const usw_options_t options = options_of(USW_STAGING_ALWAYS);
  double sum = 7;
  simt_is_on_device(1, elsewhere, sizeof elsewhere);
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, elsewhere, CHUNK, &sum, &options));
  CHECK_F64(7, sum);
}
#endif

/* ---- threads ---- */

static result_t serial[FUNCTIONS];

static void *call_often(void *number) {
  for (int k = 0; k < RUNS; k++) {
    const function_t *function = &functions[2]; /* of doubles, as what memory holds now */
    result_t result;
    CHECK_STATUS(USW_OK, call(function, x, y, ITEMS - (size_t)number, options_of(USW_STAGING_ALWAYS), &result));
    expect_same(function, &serial[(size_t)number], &result, "beside others", ITEMS - (size_t)number);
  }
  return NULL;
}

static void several_threads(void) {
  pthread_t threads[THREADS];
  fill(USW_F64);
  for (size_t t = 0; t < THREADS; t++)
    CHECK_STATUS(USW_OK, call(&functions[2], x_there.data, NULL, ITEMS - t, options_of(USW_STAGING_NEVER), &serial[t]));
  for (size_t t = 0; t < THREADS; t++)
    pthread_create(&threads[t], NULL, call_often, (void *)t);
  for (size_t t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
}

int main(int argc, char **argv) {
  hide_host_memory();
  place = place_of_arguments(argc, argv);
  x_there = put(x, sizeof x);
  y_there = put(y, sizeof y);
#ifdef USW_PORT_SIMT
  no_memory();
  failures();
#endif
  every_function();
  strides();
  repeatable();
  ties();
  parts_and_plans();
  record_and_recheck();
  user_kernels();
  explained();
  refused();
#ifdef USW_PORT_SIMT
  other_device();
#endif
  several_threads();
  memory_free(&x_there);
  memory_free(&y_there);
  CHECK_STATUS(USW_OK, usw_finalize());
#ifdef USW_PORT_SIMT
  CHECK_U64(simt_counts().allocations, simt_counts().frees);
#endif
  return check_report();
}
