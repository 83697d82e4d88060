#include "mixed_calls.h"

#include <stdatomic.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/partial.h>
#include <upsweep/set.h>
#include <upsweep/upsweep.h>

#include "mixed_kernels.h"
#include "oracle/memory.h"

enum { SHORT = 100, BINS = 300, SPAN = 16, ARRAYS = 8, BLOCK_BYTES = 4096 };

static test_place_t place;
static place_memory_t x_there, whole_there, keys_there;
static const double *x;
static usw_plan_t *shared_plan;

static usw_options_t options_of(void) { return place_options(&place); }

uint64_t mixed_random(mixed_t *thread) {
  thread->state = thread->state * 6364136223846793005u + 1442695040888963407u;
  return thread->state >> 33;
}

/* ---- one call ---- */

static usw_status_t reduce(mixed_t *t, usw_operation_t operation, usw_type_t type, const void *data, size_t n,
                           usw_accuracy_t accuracy) {
  usw_options_t options = options_of();
  options.accuracy = accuracy;
  return usw_reduce(operation, type, data, n, t->results, &options);
}

static usw_status_t sum_short(mixed_t *t) { return reduce(t, USW_PLUS, USW_F64, x, SHORT, USW_REPEATABLE); }
static usw_status_t sum_long(mixed_t *t) { return reduce(t, USW_PLUS, USW_F64, x, MIXED_ITEMS, USW_REPEATABLE); }
static atomic_ullong shared_calls;

/* By several threads, where there are cores for them. */
static usw_status_t sum_of_all(mixed_t *t) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = options_of();
  options.report = &report;
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, x, MIXED_LONG, t->results, &options);
  if (status == USW_OK && report.teams > 1)
    atomic_fetch_add(&shared_calls, 1);
  return status;
}

uint64_t mixed_shared_calls(void) { return atomic_load(&shared_calls); }

static usw_status_t sum_integers(mixed_t *t) {
  return reduce(t, USW_PLUS, USW_I64, whole_there.data, MIXED_ITEMS, USW_REPEATABLE);
}
static usw_status_t reproducible(mixed_t *t) {
  return reduce(t, USW_PLUS, USW_F64, x, MIXED_ITEMS / 2, USW_REPRODUCIBLE);
}
static usw_status_t least(mixed_t *t) { return reduce(t, USW_MINIMUM, USW_F64, x + 1, 4097, USW_REPEATABLE); }
static usw_status_t place_of_most(mixed_t *t) { return reduce(t, USW_ARGMAX, USW_F64, x, 5000, USW_FAST); }

static usw_status_t dot(mixed_t *t) {
  const usw_options_t options = options_of();
  return usw_reduce_pair(USW_DOT, USW_F64, x, x + 1, MIXED_ITEMS - 1, t->results, &options);
}

static usw_status_t rechecked(mixed_t *t) {
  usw_options_t options = options_of();
  options.recheck = 1;
  return usw_reduce(USW_PLUS, USW_I64, whole_there.data, 3000, t->results, &options);
}

/* ---- kernels and plans ---- */

static usw_status_t kernel(mixed_t *t) {
  const usw_options_t options = options_of();
  double *most = (double *)t->results;
  return mixed_beyond(MIXED_ITEMS, x, 500, most, &t->results[1], &options);
}

static usw_status_t span(mixed_t *t) {
  const usw_options_t options = options_of();
  return mixed_bins(3001, x, (double *)t->results, &t->results[1], BINS, &options);
}

static usw_status_t plan(mixed_t *t) { return usw_plan_run(t->plan, x, MIXED_ITEMS, t->results); }

static usw_status_t plan_of_kernel(mixed_t *t) {
  return mixed_run_bins(t->plan_of_bins, 3001, x, (double *)t->results, &t->results[1], BINS);
}

static usw_status_t bound(mixed_t *t) {
  usw_status_t status = usw_plan_bind(t->plan, x, 7001, t->results);
  if (status == USW_OK)
    status = usw_plan_run_bound(t->plan);
  return status;
}

static usw_status_t requests(mixed_t *t) {
  usw_request_t first = {NULL, 0}, second = {NULL, 0};
  usw_status_t status = usw_plan_start(t->plan, x, 1000, &t->results[0], &first);
  if (status == USW_OK)
    status = usw_plan_start(t->plan, x, 2000, &t->results[1], &second);
  const usw_status_t of_second = second.plan ? usw_request_wait(&second) : USW_OK;
  const usw_status_t of_first = first.plan ? usw_request_wait(&first) : USW_OK;
  return status != USW_OK ? status : of_first != USW_OK ? of_first : of_second;
}

static usw_status_t fresh_plan(mixed_t *t) {
  const usw_options_t options = options_of();
  usw_plan_t *fresh = NULL;
  usw_status_t status = usw_plan_create(&fresh, USW_PLUS, USW_I64, &options);
  if (status == USW_OK)
    status = usw_plan_run(fresh, whole_there.data, 6000, t->results);
  usw_plan_destroy(fresh);
  return status;
}

static usw_status_t plan_of_all(mixed_t *t) { return usw_plan_run(shared_plan, x, 9000, t->results); }

/* ---- sets and parts ---- */

static usw_status_t set(mixed_t *t) {
  const usw_options_t options = options_of();
  usw_set_t *reducers = NULL;
  const uint32_t fresh = USW_SET_INITIALIZE_TO_IDENTITY;
  usw_status_t status = usw_set_create(&reducers);
  if (status == USW_OK)
    status = usw_set_add(reducers, USW_PLUS, USW_F64, x, 1, &t->results[0], fresh);
  if (status == USW_OK)
    status = usw_set_add_span(reducers, USW_MAXIMUM, USW_I64, whole_there.data, 1, USW_U32, keys_there.data,
                              &t->results[1], SPAN, fresh);
  if (status == USW_OK)
    status = usw_set_run(reducers, 2000, &options);
  usw_set_destroy(reducers);
  return status;
}

static usw_status_t batch(mixed_t *t) {
  const usw_options_t options = options_of();
  usw_set_t *reducers = NULL;
  usw_status_t status = usw_set_create(&reducers);
  for (size_t k = 0; k < ARRAYS && status == USW_OK; k++)
    status = usw_set_add_array(reducers, USW_PLUS, USW_F64, x + 100 * k, 100, 1, &t->results[k],
                               USW_SET_INITIALIZE_TO_IDENTITY);
  if (status == USW_OK)
    status = usw_set_run(reducers, 0, &options);
  usw_set_destroy(reducers);
  return status;
}

static usw_status_t parts(mixed_t *t) {
  const usw_options_t options = options_of();
  usw_partial_t *part = NULL, *other = NULL;
  char block[BLOCK_BYTES];
  size_t bytes = 0;
  usw_status_t status = usw_partial_create(&part, USW_PLUS, USW_F64, &options);
  if (status == USW_OK)
    status = usw_partial_add(part, x, 3000);
  if (status == USW_OK)
    status = usw_partial_export(part, block, sizeof block, &bytes);
  if (status == USW_OK)
    status = usw_partial_import(&other, block, bytes, &options);
  if (status == USW_OK)
    status = usw_partial_merge(other, part);
  if (status == USW_OK)
    status = usw_partial_result(other, t->results);
  usw_partial_destroy(other);
  usw_partial_destroy(part);
  return status;
}

/* ---- questions, errors and the log ---- */

static usw_status_t questions(mixed_t *t) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  usw_explanation_t explanation = {.size = sizeof explanation};
  const usw_options_t options = options_of();
  const usw_status_t status = usw_info(&info);
  t->results[0] = (uint64_t)info.version;
  return status == USW_OK ? usw_explain(USW_PLUS, USW_F64, 1000, &options, &explanation) : status;
}

static void take_line(usw_log_level_t level, const char *line, void *context) {
  (void)level, (void)line, (void)context;
}

/* A call that fails is told the log, of which another thread may change the receiver. */
static usw_status_t failing(mixed_t *t) {
  const usw_options_t options = options_of();
  double sum;
  usw_set_log_callback(take_line, NULL);
  const usw_status_t status = usw_reduce(USW_PLUS, USW_F64, NULL, 10, &sum, &options);
  t->results[0] = strstr(usw_error_text(), "NULL") != NULL;
  return status == USW_ERROR_INVALID ? USW_OK : status;
}

const mixed_call_t mixed_calls[] = {
    {"sum_short", sum_short, 0, 0, 0, 0},
    {"sum_long", sum_long, 0, 0, 0, 0},
    {"sum_of_all", sum_of_all, 0, 0, 0, 1},
    {"sum_integers", sum_integers, 0, 0, 0, 0},
    {"reproducible", reproducible, 0, 0, 0, 0},
    {"least", least, 0, 0, 0, 0},
    {"place_of_most", place_of_most, 0, 0, 0, 0},
    {"dot", dot, 0, 0, 0, 0},
    {"rechecked", rechecked, 0, 0, 0, 0},
    {"kernel", kernel, 0, 0, 0, 0},
    {"span", span, 0, 0, 0, 0},
    {"plan", plan, 0, 1, 0, 0},
    {"plan_of_kernel", plan_of_kernel, 0, 1, 0, 0},
    {"bound", bound, 0, 1, 0, 0},
    {"requests", requests, 1, 1, 0, 0},
    {"fresh_plan", fresh_plan, 0, 0, 0, 0},
    {"plan_of_all", plan_of_all, 1, 1, 0, 0},
    {"set", set, 0, 0, 1, 0},
    {"batch", batch, 0, 0, 1, 0},
    {"parts", parts, 0, 0, 0, 0},
    {"questions", questions, 0, 0, 0, 0},
    {"failing", failing, 0, 0, 0, 0},
};
const int mixed_call_count = sizeof mixed_calls / sizeof *mixed_calls;

int mixed_is_possible(int call) {
#ifdef USW_PORT_SIMT
  return place.place == USW_DEVICE ? !mixed_calls[call].is_long : !mixed_calls[call].is_of_own_host;
#else
  (void)call;
  return 1;
#endif
}

void mixed_prepare(const test_place_t *there) {
  static double values[MIXED_LONG];
  static int64_t whole[MIXED_ITEMS];
  static uint32_t keys[MIXED_ITEMS];
  const usw_options_t options = place_options(there);
  place = *there;
  for (size_t i = 0; i < MIXED_LONG; i++)
    values[i] = (double)(i * 7919 % 1000);
  for (size_t i = 0; i < MIXED_ITEMS; i++) {
    whole[i] = (int64_t)(i * 104729 % 100003) - 50000;
    keys[i] = (uint32_t)(i % SPAN);
  }
  x_there = memory_get(&place, values, sizeof values, 0);
  whole_there = memory_get(&place, whole, sizeof whole, 0);
  keys_there = memory_get(&place, keys, sizeof keys, 0);
  x = x_there.data;
  if (usw_plan_create(&shared_plan, USW_PLUS, USW_F64, &options) != USW_OK)
    shared_plan = NULL;
}

void mixed_end_plan(void) { usw_plan_destroy(shared_plan); }

void mixed_end(void) {
  memory_free(&x_there);
  memory_free(&whole_there);
  memory_free(&keys_there);
}

usw_status_t mixed_begin_thread(mixed_t *thread, uint64_t number) {
  const usw_options_t options = options_of();
  *thread = (mixed_t){.state = number * 0x9e3779b97f4a7c15u + 1};
  const usw_status_t status = usw_plan_create(&thread->plan, USW_PLUS, USW_F64, &options);
  return status == USW_OK ? mixed_plan_of_bins(&thread->plan_of_bins, &options) : status;
}

void mixed_end_thread(mixed_t *thread) {
  usw_plan_destroy(thread->plan);
  usw_plan_destroy(thread->plan_of_bins);
}
