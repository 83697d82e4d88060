/* Plans and requests: the same bits as one calls, many requests at once, waited for in any order; callbacks; user kernels;
 * scratch of the caller's; what is refused.   plans [--place NAME] */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "oracle/place.h"
#include "plan_kernels.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 30011, REQUESTS = 40, BINS = 7 };

static test_place_t place;
static double numbers[ITEMS];
static place_memory_t x;

static size_t n_of(int k) { return k == 0 ? 0 : k == 1 ? 1 : (size_t)(ITEMS - 700 * k); }

static usw_plan_t *plan_of(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  usw_plan_t *plan = NULL;
  CHECK_STATUS(USW_OK, usw_plan_create(&plan, operation, type, options));
  return plan;
}

/* What a one call gives; on the host, where launches are emulated: the sums are exact. */
static double sum_of(size_t n, const usw_options_t *options) {
  const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  const int is_simt = strcmp(place.target, "simt") == 0;
  double sum = -1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x.data, n, &sum, is_simt ? &on_host : options));
  return sum;
}

static int is_done(const usw_request_t *request) {
  int done = -1;
  CHECK_STATUS(USW_OK, usw_request_test(request, &done));
  CHECK(done == 0 || done == 1);
  return done;
}

/* ---- the same bits ---- */

static void runs_and_requests(usw_options_t options) {
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  usw_request_t requests[REQUESTS];
  double sums[REQUESTS];
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < REQUESTS; k++)
      CHECK_STATUS(USW_OK, usw_plan_start(plan, x.data, n_of(k), &sums[k], &requests[k]));
    if (round == 1)
      while (!is_done(&requests[REQUESTS / 2]))
        ;
    for (int k = 0; k < REQUESTS; k++) {
      const int mine = round == 2 ? REQUESTS - 1 - k : k * 7 % REQUESTS;
      CHECK_STATUS(USW_OK, usw_request_wait(&requests[mine]));
      CHECK(requests[mine].plan == NULL && requests[mine].number == 0);
      CHECK_F64(sum_of(n_of(mine), &options), sums[mine]);
      CHECK_STATUS(USW_OK, usw_plan_run(plan, x.data, n_of(k), &sums[mine]));
      CHECK_F64(sum_of(n_of(k), &options), sums[mine]);
    }
  }
  usw_plan_destroy(plan);
}

static void two_streams(void) {
  const usw_options_t options = place_options(&place);
  usw_plan_t *plan = plan_of(USW_DOT, USW_F64, &options);
  usw_request_t request;
  double expected = 0, dot = 0;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x.data, x.data, ITEMS, &expected, &options));
  CHECK_STATUS(USW_OK, usw_plan_run_pair(plan, x.data, x.data, ITEMS, &dot));
  CHECK_F64(expected, dot);
  dot = 0;
  CHECK_STATUS(USW_OK, usw_plan_start_pair(plan, x.data, x.data, ITEMS, &dot, &request));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  CHECK_F64(expected, dot);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_run(plan, x.data, ITEMS, &dot));
  CHECK_TEXT_HAS(usw_error_text(), "reads 2 streams");
  usw_plan_destroy(plan);
}

/* ---- bound to data ---- */

static double run_bound(usw_plan_t *plan, double *sum) {
  *sum = -1;
  CHECK_STATUS(USW_OK, usw_plan_run_bound(plan));
  return *sum;
}

static void set_middle(double value) {
  double *middle = (double *)x.data + ITEMS / 2;
  if (strcmp(place.target, "nvptx") == 0)
    CHECK(memory_device_copy(middle, x.device, &value, -1, sizeof value) == 0);
  else /* memory of the host, whatever the place */
    *middle = value;
}

/* Bound runs, beside runs over other data and with elements that change. */
static void bound_runs(usw_options_t options) {
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  double bound = -1, other;
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run_bound(plan));
  CHECK_TEXT_HAS(usw_error_text(), "bound to no data");
  for (int k = 0; k < REQUESTS; k += 5) {
    CHECK_STATUS(USW_OK, usw_plan_bind(plan, x.data, n_of(k), &bound));
    for (int round = 0; round < 3; round++) {
      CHECK_F64(sum_of(n_of(k), &options), run_bound(plan, &bound));
      CHECK_STATUS(USW_OK, usw_plan_run(plan, x.data, n_of(REQUESTS - 1 - k), &other));
      CHECK_F64(sum_of(n_of(REQUESTS - 1 - k), &options), other);
    }
  }
  CHECK_STATUS(USW_OK, usw_plan_bind(plan, x.data, ITEMS, &bound));
  set_middle(numbers[ITEMS / 2] + 8);
  CHECK_F64(sum_of(ITEMS, &options), run_bound(plan, &bound));
  set_middle(numbers[ITEMS / 2]);
  CHECK_F64(sum_of(ITEMS, &options), run_bound(plan, &bound));
  usw_plan_destroy(plan);
}

static void all_ways(usw_options_t options) {
  runs_and_requests(options);
  bound_runs(options);
}

static void every_strategy(void) {
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  usw_options_t options = place_options(&place);
  all_ways(options);
  options.accuracy = USW_FAST; /* no sum here is rounded */
  for (int s = 0; s < count; s++) {
    options.strategy = strategies[s];
    all_ways(options);
  }
  options.strategy = USW_AUTO_STRATEGY;
  options.accuracy = USW_REPRODUCIBLE;
  all_ways(options);
  options.accuracy = USW_EXACT;
  all_ways(options);
  options.accuracy = USW_REPEATABLE;
  options.recheck = 1;
  all_ways(options);
}

/* What is wrong leaves the plan bound as it was. */
static void bound_wrongly(void) {
  const usw_options_t options = place_options(&place);
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  double bound = -1, other = -1;
  CHECK_STATUS(USW_OK, usw_plan_bind(plan, x.data, ITEMS, &bound));
  CHECK_F64(-1, bound);
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_bind(plan, NULL, 1, &other));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_bind(plan, x.data, 1, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_bind(plan, (char *)x.data + 1, 1, &other));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_bind_pair(plan, x.data, x.data, 1, &other));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_bind(NULL, x.data, 1, &other));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run_bound(NULL));
  CHECK_F64(sum_of(ITEMS, &options), run_bound(plan, &bound));
  CHECK_F64(-1, other);
  usw_plan_destroy(plan);
}

static void bound_reports(void) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = place_options(&place);
  options.report = &report;
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  double bound;
  CHECK_STATUS(USW_OK, usw_plan_bind(plan, x.data, ITEMS, &bound));
  for (int round = 0; round < 2; round++) {
    report = (usw_report_t){.size = USW_INIT(usw_report_t)};
    CHECK_STATUS(USW_OK, usw_plan_run_bound(plan));
    CHECK(report.bytes == sizeof numbers && report.time_ns > 0);
  }
  usw_plan_destroy(plan);
}

static void bound_pair(void) {
  const usw_options_t options = place_options(&place);
  usw_plan_t *plan = plan_of(USW_DOT, USW_F64, &options);
  double expected, dot = -1;
  CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x.data, x.data, ITEMS, &expected, &options));
  CHECK_STATUS(USW_OK, usw_plan_bind_pair(plan, x.data, x.data, ITEMS, &dot));
  CHECK_F64(expected, run_bound(plan, &dot));
  CHECK_F64(expected, run_bound(plan, &dot));
  usw_plan_destroy(plan);
}

/* Each run goes on from the variables as they are. */
static void bound_kernel(void) {
  const usw_options_t options = place_options(&place);
  usw_plan_t *plan = NULL;
  const double *b = (const double *)x.data, *ax = b + 1;
  double worst = 1, worst_of_call = 1;
  uint64_t bad = 5, bad_of_call = 5;
  CHECK_STATUS(USW_OK, residual_plan_create(&plan, &options));
  CHECK_STATUS(USW_OK, residual_plan_bind(ITEMS - 1, b, ax, 2.0, &worst, &bad, plan));
  for (int round = 0; round < 3; round++) {
    CHECK_STATUS(USW_OK, residual(ITEMS - 1, b, ax, 2.0, &worst_of_call, &bad_of_call, &options));
    CHECK_STATUS(USW_OK, usw_plan_run_bound(plan));
    CHECK_F64(worst_of_call, worst);
    CHECK_U64(bad_of_call, bad);
  }
  CHECK_STATUS(USW_ERROR_INVALID, by_bin_plan_bind(10, 2, &bad, 1, plan));
  usw_plan_destroy(plan);
}

/* ---- user kernels ---- */

static void user_kernel(void) {
  usw_options_t options = place_options(&place);
  usw_plan_t *plan = NULL;
  usw_request_t request;
  double worst = 1, worst_of_call = 1;
  uint64_t bad = 5, bad_of_call = 5;
  const double *b = (const double *)x.data, *ax = b + 1;
  CHECK_STATUS(USW_OK, residual(ITEMS - 1, b, ax, 2.0, &worst_of_call, &bad_of_call, &options));
  CHECK_STATUS(USW_OK, residual_plan_create(&plan, &options));
  CHECK_STATUS(USW_OK, residual_plan_run(ITEMS - 1, b, ax, 2.0, &worst, &bad, plan));
  CHECK_F64(worst_of_call, worst);
  CHECK_U64(bad_of_call, bad);
  worst = 1, bad = 5;
  CHECK_STATUS(USW_OK, residual_plan_start(ITEMS - 1, b, ax, 2.0, &worst, &bad, plan, &request));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  CHECK_F64(worst_of_call, worst);
  CHECK_U64(bad_of_call, bad);
  CHECK_STATUS(USW_ERROR_INVALID, by_bin_plan_run(10, 2, &bad, 1, plan));
  CHECK_TEXT_HAS(usw_error_text(), "cannot run by_bin");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_run(plan, x.data, ITEMS, &worst));
  CHECK_TEXT_HAS(usw_error_text(), "user kernel");
  CHECK_F64(worst_of_call, worst);
  usw_plan_destroy(plan);
}

static void spans_and_spaces(void) {
  const usw_options_t options = place_options(&place);
  usw_space_t space = {USW_INIT(usw_space_t), .dimensions = 2, .extent = {30, 50}};
  usw_plan_t *bins = NULL, *areas = NULL;
  usw_request_t requests[2];
  uint64_t counts[BINS] = {100};
  int64_t sum = 1000;
  CHECK_STATUS(USW_OK, by_bin_plan_create(&bins, &options));
  CHECK_STATUS(USW_OK, area_plan_create(&areas, &options));
  CHECK_STATUS(USW_OK, by_bin_plan_start(7 * BINS, BINS, counts, BINS, bins, &requests[0]));
  CHECK_STATUS(USW_OK, area_plan_start(&space, 2, &sum, areas, &requests[1]));
  CHECK_STATUS(USW_OK, usw_request_wait(&requests[1]));
  CHECK_STATUS(USW_OK, usw_request_wait(&requests[0]));
  for (int k = 0; k < BINS; k++)
    CHECK_U64(k == 0 ? 107 : 7, counts[k]);
  CHECK_I64(1000 + 2 * 30 * 50 * (29 + 49) / 2, sum);
  CHECK_STATUS(USW_ERROR_INVALID, area_plan_run(NULL, 2, &sum, areas));
  CHECK_STATUS(USW_OK, area_plan_run(&space, 0, &sum, areas));
  usw_plan_destroy(bins);
  usw_plan_destroy(areas);
}

/* ---- callbacks ---- */

typedef struct {
  _Atomic int calls, failures;
} told_t;

static void tell(void *context, usw_status_t status) {
  told_t *told = (told_t *)context;
  told->calls++;
  told->failures += status != USW_OK;
}

static void callbacks(void) {
  usw_options_t options = place_options(&place);
  told_t told = {0, 0};
  for (int with_recheck = 0; with_recheck < 2; with_recheck++) {
    options.recheck = with_recheck ? 1 : USW_RECHECK_NEVER;
    usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
    usw_request_t requests[REQUESTS];
    double sums[REQUESTS];
    told.calls = 0;
    CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, tell, &told));
    for (int k = 0; k < REQUESTS; k++)
      CHECK_STATUS(USW_OK, usw_plan_start(plan, x.data, n_of(k), &sums[k], &requests[k]));
    while (told.calls < REQUESTS)
      ;
    for (int k = 0; k < REQUESTS; k++) {
      CHECK(is_done(&requests[k]));
      CHECK_F64(sum_of(n_of(k), &options), sums[k]);
      CHECK_STATUS(USW_OK, usw_request_wait(&requests[k]));
    }
    CHECK_STATUS(USW_OK, usw_plan_run(plan, x.data, ITEMS, &sums[0])); /* is no request */
    CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, NULL, NULL));
    CHECK_STATUS(USW_OK, usw_plan_start(plan, x.data, ITEMS, &sums[0], &requests[0]));
    usw_plan_destroy(plan); /* waits */
    CHECK_F64(sum_of(ITEMS, &options), sums[0]);
    CHECK_I64(REQUESTS, told.calls);
    CHECK_I64(0, told.failures);
  }
}

/* ---- one thread at a time ---- */

typedef struct {
  pthread_barrier_t in, out;
} gate_t;

static void wait_inside(void *context, usw_status_t status) {
  gate_t *gate = (gate_t *)context;
  (void)status;
  pthread_barrier_wait(&gate->in);
  pthread_barrier_wait(&gate->out);
}

static void *start_one(void *plan) {
  usw_request_t request;
  double sum;
  CHECK_STATUS(USW_OK, usw_plan_start((usw_plan_t *)plan, x.data, 1, &sum, &request));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  return NULL;
}

/* Where start() runs it to the end, the callback holds the plan as long as it likes. */
static void another_thread(void) {
  const usw_options_t options = place_options(&place);
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  gate_t gate;
  pthread_t thread;
  double sum = -1;
  pthread_barrier_init(&gate.in, NULL, 2);
  pthread_barrier_init(&gate.out, NULL, 2);
  CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, wait_inside, &gate));
  pthread_create(&thread, NULL, start_one, plan);
  pthread_barrier_wait(&gate.in);
  CHECK_STATUS(USW_ERROR_BUSY, usw_plan_run(plan, x.data, 1, &sum));
  CHECK_TEXT_HAS(usw_error_text(), "another thread is using the plan");
  CHECK_F64(-1, sum);
  pthread_barrier_wait(&gate.out);
  pthread_join(thread, NULL);
  CHECK_STATUS(USW_OK, usw_plan_on_completion(plan, NULL, NULL));
  CHECK_STATUS(USW_OK, usw_plan_run(plan, x.data, 1, &sum));
  usw_plan_destroy(plan);
}

/* ---- scratch of the caller's: on devices that share the host's memory; tests/gpu/streams.c has GPUs ---- */

static void callers_scratch(void) {
  const usw_options_t options = place_options(&place);
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  usw_scratch_t need = {USW_INIT(usw_scratch_t)}, scratch;
  double sum = -1;
  if (place.place == USW_HOST) {
    CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_scratch(plan, &need));
    CHECK_TEXT_HAS(usw_error_text(), "names no device");
    usw_plan_destroy(plan);
    return;
  }
  CHECK_STATUS(USW_OK, usw_plan_scratch(plan, &need));
  CHECK(need.device_bytes > 0 && need.pinned_bytes > 0 && !need.device && !need.pinned);
  if (strcmp(place.target, "nvptx") != 0) {
    scratch = need;
    scratch.device = aligned_alloc(256, (need.device_bytes + 255) / 256 * 256);
    scratch.pinned = aligned_alloc(256, (need.pinned_bytes + 255) / 256 * 256);
    scratch.device_bytes--;
    CHECK_STATUS(USW_ERROR_INVALID, usw_plan_use_scratch(plan, &scratch));
    CHECK_TEXT_HAS(usw_error_text(), "scratch.device has");
    scratch.device_bytes++;
    scratch.pinned = (char *)scratch.pinned + 8;
    CHECK_STATUS(USW_ERROR_INVALID, usw_plan_use_scratch(plan, &scratch));
    CHECK_TEXT_HAS(usw_error_text(), "boundary of 256");
    scratch.pinned = (char *)scratch.pinned - 8;
    CHECK_STATUS(USW_OK, usw_plan_use_scratch(plan, &scratch));
    CHECK_STATUS(USW_ERROR_BUSY, usw_plan_use_scratch(plan, &scratch));
    for (int k = 0; k < REQUESTS; k++) {
      CHECK_STATUS(USW_OK, usw_plan_run(plan, x.data, n_of(k), &sum));
      CHECK_F64(sum_of(n_of(k), &options), sum);
    }
    CHECK_STATUS(USW_ERROR_BUSY, usw_finalize()); /* the plan holds scratch */
    usw_plan_destroy(plan);
    free(scratch.device);
    free(scratch.pinned);
    return;
  }
  usw_plan_destroy(plan);
}

/* ---- what is refused ---- */

static void refused(void) {
  usw_options_t options = place_options(&place);
  usw_plan_t *plan = NULL;
  usw_request_t request = {NULL, 0}, copy;
  double sum = -1;
  int done = -1;
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create(NULL, USW_PLUS, USW_F64, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create(&plan, USW_BIT_AND, USW_F64, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_kernel(&plan, NULL, &options));
  options.size--;
  CHECK_STATUS(USW_ERROR_VERSION, usw_plan_create(&plan, USW_PLUS, USW_F64, &options));
  options.size++;
  options.accuracy = USW_EXACT;
  options.place = (usw_place_t)9;
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create(&plan, USW_PLUS, USW_F64, &options));
  CHECK_TEXT_HAS(usw_error_text(), "no place");
  options = place_options(&place);
  CHECK(plan == NULL);
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(NULL, x.data, 1, &sum));
  CHECK_STATUS(USW_ERROR_INVALID, usw_request_wait(NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_request_wait(&request));
  CHECK_TEXT_HAS(usw_error_text(), "there is no request");
  plan = plan_of(USW_PLUS, USW_F64, &options);
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, NULL, 1, &sum));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, x.data, 1, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_start(plan, x.data, 1, &sum, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_start(plan, (char *)x.data + 1, 1, &sum, &request));
  CHECK_TEXT_HAS(usw_error_text(), "aligned");
  CHECK_F64(-1, sum);
  CHECK(request.plan == NULL);
  CHECK_STATUS(USW_OK, usw_plan_start(plan, x.data, 1, &sum, &request));
  copy = request;
  CHECK_STATUS(USW_ERROR_INVALID, usw_request_test(&request, NULL));
  CHECK_STATUS(USW_OK, usw_request_wait(&request));
  CHECK_STATUS(USW_ERROR_INVALID, usw_request_wait(&copy));
  CHECK_TEXT_HAS(usw_error_text(), "has been waited for");
  CHECK_STATUS(USW_ERROR_INVALID, usw_request_test(&copy, &done));
  CHECK_I64(-1, done);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_enqueue(plan, x.data, 1, &sum));
  CHECK_TEXT_HAS(usw_error_text(), "name no stream");
  CHECK_STATUS(USW_OK, usw_plan_status(plan));
  usw_plan_destroy(plan);
  usw_plan_destroy(NULL);
}

/* Streams are for launches through NVIDIA's driver. */
static void no_stream_here(void) {
  usw_options_t options = place_options(&place);
  double sum = -1;
  options.stream = &sum;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce(USW_PLUS, USW_F64, x.data, ITEMS, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "NVIDIA's driver");
  usw_plan_t *plan = plan_of(USW_PLUS, USW_F64, &options);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_enqueue(plan, x.data, ITEMS, &sum));
  CHECK_F64(-1, sum);
  usw_plan_destroy(plan);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  for (int i = 0; i < ITEMS; i++)
    numbers[i] = (i * 37 % 1009) / 8.0 - 50;
  x = memory_get(&place, numbers, sizeof numbers, 0);
  every_strategy();
  two_streams();
  bound_wrongly();
  bound_reports();
  bound_pair();
  bound_kernel();
  user_kernel();
  spans_and_spaces();
  callbacks();
  callers_scratch();
  refused();
  if (strcmp(place.target, "nvptx") != 0) {
    no_stream_here();
    another_thread();
  }
  memory_free(&x);
  return check_report();
}
