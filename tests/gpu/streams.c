/* Calls in CUDA streams of the program's: after what is there, started, put there, captured into graphs; scratch of the
 * caller's; what is refused.   streams --place device:gpu */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "../api/plan_kernels.h"
#include "support/check.h"
#include "support/place.h"

#include "driver_calls.h"

enum { ITEMS = 1 << 26, FEW = 5000, ROUNDS = 20, LEGACY_STREAM = 1, HOST_ALLOCATION_PORTABLE = 1, THREAD_LOCAL = 1 };

static test_place_t place;
static usw_options_t options; /* with the stream */
static void *context, *stream;
static address_t x, results; /* ITEMS integers, some results, on the device */
static void *x_there;

/* Every item of x, in the stream's order: it takes long enough for a call that does not wait to be seen. */
static void set_items(unsigned value) { CHECK_I64(0, cuMemsetD32Async(x, value, ITEMS, stream)); }

static int64_t result_at(int k) {
  int64_t result = -1;
  CHECK_I64(0, cuMemcpyDtoHAsync(&result, results + 8 * (address_t)k, sizeof result, stream));
  CHECK_I64(0, cuStreamSynchronize(stream));
  return result;
}
static void *result_there(int k) { return (void *)(uintptr_t)(results + 8 * (address_t)k); }

static usw_plan_t *plan_of(usw_operation_t operation) {
  usw_plan_t *plan = NULL;
  CHECK_STATUS(USW_OK, usw_plan_create(&plan, operation, USW_I32, &options));
  return plan;
}

/* ---- after what is in the stream ---- */

static void calls_are_ordered(void) {
  usw_options_t other = options;
  int64_t sum = -1, of_library = -1;
  for (unsigned round = 1; round <= ROUNDS; round++) {
    set_items(round);
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I32, x_there, ITEMS, &sum, &options));
    CHECK_I64((int64_t)round * ITEMS, sum);
    other.stream = NULL; /* the same scratch, in a stream of the library's */
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I32, x_there, ITEMS - 1, &of_library, &other));
    CHECK_I64((int64_t)round * (ITEMS - 1), of_library);
    other.strategy = round % 2 ? USW_STRATEGY_CLAUSE : USW_STRATEGY_HOST_FINISH;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I32, x_there, FEW, &of_library, &other));
    CHECK_I64((int64_t)round * FEW, of_library);
  }
  other.stream = (void *)(uintptr_t)LEGACY_STREAM;
  other.strategy = USW_AUTO_STRATEGY;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I32, x_there, FEW, &sum, &other));
  CHECK_I64((int64_t)ROUNDS * FEW, sum);
}

/* ROUNDS rows, and ROUNDS segments of FEW items, by offsets on the device. */
static usw_array_t rows_of_x(void) { return usw_array_2d(USW_I32, x_there, ROUNDS, ITEMS / ROUNDS); }
static usw_segments_t segments_of_x(uint32_t last_offset) {
  uint32_t offsets[ROUNDS + 1];
  address_t there;
  for (uint32_t k = 0; k < ROUNDS; k++)
    offsets[k] = k * FEW;
  offsets[ROUNDS] = last_offset;
  CHECK_I64(0, cuMemAlloc(&there, sizeof offsets));
  CHECK_I64(0, cuMemcpyHtoD(there, offsets, sizeof offsets));
  return usw_segments_by_offsets(USW_U32, (void *)(uintptr_t)there, ROUNDS);
}

static void check_results(int64_t expected) {
  for (int k = 0; k < ROUNDS; k++)
    CHECK_I64(expected, result_at(k));
}

/* The call returns when all results are there. */
static void many_results_are_ordered(void) {
  const usw_array_t rows = rows_of_x();
  const usw_segments_t segments = segments_of_x(ROUNDS * FEW);
  int64_t sums[ROUNDS];
  for (unsigned round = 1; round <= ROUNDS; round++) {
    set_items(2 * round);
    CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &rows, USW_AXIS(1), sums, &options));
    for (int k = 0; k < ROUNDS; k++)
      CHECK_I64(2 * (int64_t)round * (ITEMS / ROUNDS), sums[k]);
    set_items(2 * round + 1);
    CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_I32, x_there, ITEMS, &segments, result_there(0), &options));
    check_results((2 * (int64_t)round + 1) * FEW);
  }
}

/* Put into the stream, and captured into a graph. */
static void plans_of_many_results(void) {
  const usw_array_t rows = rows_of_x();
  const usw_segments_t segments = segments_of_x(ROUNDS * FEW), falling = segments_of_x(1);
  usw_plan_t *along = NULL, *of_segments = NULL, *wrong = NULL;
  void *captured = NULL, *executable = NULL;
  int64_t here[ROUNDS];
  CHECK_STATUS(USW_OK, usw_plan_create_axes(&along, USW_PLUS, &rows, NULL, USW_AXIS(1), &options));
  CHECK_STATUS(USW_OK, usw_plan_create_segments(&of_segments, USW_PLUS, USW_I32, &segments, &options));
  CHECK_STATUS(USW_OK, usw_plan_create_segments(&wrong, USW_PLUS, USW_I32, &falling, &options));
  for (unsigned round = 1; round <= ROUNDS; round++) {
    set_items(2 * round);
    CHECK_STATUS(USW_OK, usw_plan_enqueue(along, x_there, ROUNDS * (size_t)(ITEMS / ROUNDS), result_there(0)));
    check_results(2 * (int64_t)round * (ITEMS / ROUNDS));
    set_items(2 * round + 1);
    CHECK_STATUS(USW_OK, usw_plan_enqueue(of_segments, x_there, ITEMS, result_there(0)));
    check_results((2 * (int64_t)round + 1) * FEW);
  }
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_enqueue(of_segments, x_there, ITEMS, here));
  CHECK_I64(0, cuStreamBeginCapture(stream, THREAD_LOCAL));
  CHECK_STATUS(USW_OK, usw_plan_enqueue(of_segments, x_there, ITEMS, result_there(0)));
  CHECK_I64(0, cuStreamEndCapture(stream, &captured));
  CHECK_I64(0, cuGraphInstantiate(&executable, captured, 0));
  for (unsigned round = 1; round <= ROUNDS && executable; round++) {
    set_items(round);
    CHECK_I64(0, cuGraphLaunch(executable, stream));
    check_results((int64_t)round * FEW);
  }
  CHECK_STATUS(USW_OK, usw_plan_status(of_segments));
  CHECK_STATUS(USW_OK, usw_plan_enqueue(wrong, x_there, ITEMS, result_there(0)));
  CHECK_I64(0, cuStreamSynchronize(stream));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_status(wrong));
  CHECK_TEXT_HAS(usw_error_text(), "sum_i32: an offset falls");
  usw_plan_destroy(along);
  usw_plan_destroy(of_segments);
  usw_plan_destroy(wrong);
}

static void requests_are_ordered(void) {
  usw_plan_t *plan = plan_of(USW_PLUS);
  usw_request_t requests[ROUNDS];
  int64_t sums[ROUNDS];
  for (unsigned round = 0; round < ROUNDS; round++) {
    set_items(round);
    CHECK_STATUS(USW_OK, usw_plan_start(plan, x_there, ITEMS, &sums[round], &requests[round]));
  }
  int done = -1;
  CHECK_STATUS(USW_OK, usw_request_test(&requests[ROUNDS - 1], &done));
  CHECK_I64(0, done); /* milliseconds of work are before it */
  for (unsigned round = 0; round < ROUNDS; round++) {
    CHECK_STATUS(USW_OK, usw_request_wait(&requests[round]));
    CHECK_I64((int64_t)round * ITEMS, sums[round]);
  }
  usw_plan_destroy(plan);
}

/* ---- bound to data ---- */

static void bound_runs_are_ordered(void) {
  usw_plan_t *plan = plan_of(USW_PLUS);
  int64_t sum = -1;
  CHECK_STATUS(USW_OK, usw_plan_bind(plan, x_there, ITEMS, &sum));
  for (unsigned round = 1; round <= ROUNDS; round++) {
    set_items(round);
    CHECK_STATUS(USW_OK, usw_plan_run_bound(plan));
    CHECK_I64((int64_t)round * ITEMS, sum);
  }
  usw_plan_destroy(plan);
}

typedef struct bound_sums {
  usw_plan_t *plan;
  int64_t expected, sum;
  _Atomic int wrong;
} bound_sums_t;

static void *replay(void *argument) {
  bound_sums_t *bound = argument;
  for (int round = 0; round < 20 * ROUNDS; round++) {
    bound->sum = -1;
    bound->wrong += usw_plan_run_bound(bound->plan) != USW_OK || bound->sum != bound->expected;
  }
  return NULL;
}

/* Each thread its own plan, in a stream of the library's: the graphs of many threads, and launches without a graph. */
static void bound_plans_of_many_threads(usw_strategy_t strategy) {
  enum { THREADS = 6 };
  usw_options_t own = options;
  bound_sums_t bound[THREADS];
  pthread_t threads[THREADS];
  own.stream = NULL;
  own.strategy = strategy;
  set_items(1);
  CHECK_I64(0, cuStreamSynchronize(stream));
  for (int t = 0; t < THREADS; t++) {
    const size_t n = t == 0 ? 0 : t == 1 ? 1 : (size_t)(ITEMS >> (2 * t));
    bound[t].expected = (int64_t)n;
    bound[t].wrong = 0;
    CHECK_STATUS(USW_OK, usw_plan_create(&bound[t].plan, USW_PLUS, USW_I32, &own));
    CHECK_STATUS(USW_OK, usw_plan_bind(bound[t].plan, x_there, n, &bound[t].sum));
  }
  for (int t = 0; t < THREADS; t++)
    CHECK_I64(0, pthread_create(&threads[t], NULL, replay, &bound[t]));
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    CHECK_I64(0, bound[t].wrong);
    usw_plan_destroy(bound[t].plan);
  }
}

/* ---- many at once ---- */

static void many_requests(void) {
  enum { TOO_MANY = 100 };
  usw_plan_t *plan = plan_of(USW_PLUS);
  usw_request_t requests[TOO_MANY];
  int64_t sums[TOO_MANY];
  int started = 0;
  set_items(3);
  while (started < TOO_MANY && usw_plan_start(plan, x_there, FEW, &sums[started], &requests[started]) == USW_OK)
    started++;
  CHECK(started >= 32 && started < TOO_MANY);
  CHECK_STATUS(USW_ERROR_BUSY, usw_plan_start(plan, x_there, FEW, &sums[0], &requests[0]));
  for (int k = started - 1; k >= 0; k--) {
    CHECK_STATUS(USW_OK, usw_request_wait(&requests[k]));
    CHECK_I64(3 * FEW, sums[k]);
  }
  usw_plan_destroy(plan);
}

/* ---- put there ---- */

static void results_in_order(void) {
  usw_plan_t *sum = plan_of(USW_PLUS), *most = plan_of(USW_MAXIMUM);
  int64_t here[ROUNDS];
  int32_t largest[ROUNDS];
  for (unsigned round = 0; round < ROUNDS; round++) {
    set_items(round);
    CHECK_STATUS(USW_OK, usw_plan_enqueue(sum, x_there, ITEMS - round, &here[round]));
    CHECK_STATUS(USW_OK, usw_plan_enqueue(most, x_there, round * FEW, &largest[round]));
    CHECK_STATUS(USW_OK, usw_plan_enqueue(sum, x_there, FEW + round, result_there((int)round)));
  }
  CHECK_I64(0, cuStreamSynchronize(stream));
  for (unsigned round = 0; round < ROUNDS; round++) {
    CHECK_I64((int64_t)round * (ITEMS - (int64_t)round), here[round]);
    CHECK_I64(round ? (int64_t)round : INT32_MIN, largest[round]);
    CHECK_I64((int64_t)round * (FEW + (int64_t)round), result_at((int)round));
  }
  CHECK_STATUS(USW_OK, usw_plan_status(sum));
  CHECK_STATUS(USW_ERROR_BUSY, usw_finalize());
  usw_plan_destroy(sum);
  usw_plan_destroy(most);
}

/* A user kernel, whose variables are on the device and here, with their original values. */
static void user_kernel(void) {
  usw_plan_t *plan = NULL;
  double worst = 7;
  const double *b = (const double *)x_there;
  const uint64_t original = 1000;
  set_items(0);
  CHECK_I64(0, cuStreamSynchronize(stream));
  CHECK_I64(0, cuMemcpyHtoD(results, &original, sizeof original));
  CHECK_STATUS(USW_OK, residual_plan_create(&plan, &options));
  CHECK_STATUS(USW_OK, residual_plan_enqueue(FEW, b, b, -1.0, &worst, (uint64_t *)result_there(0), plan));
  CHECK_STATUS(USW_OK, residual_plan_enqueue(FEW, b, b, -1.0, &worst, (uint64_t *)result_there(0), plan));
  CHECK_I64(1000 + 2 * FEW, result_at(0));
  CHECK_F64(7, worst);
  usw_plan_destroy(plan);
  uint64_t counts[3];
  CHECK_STATUS(USW_OK, by_bin_plan_create(&plan, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, by_bin_plan_enqueue(FEW, 3, counts, 3, plan));
  CHECK_TEXT_HAS(usw_error_text(), "is a span");
  usw_plan_destroy(plan);
}

/* A user kernel of segments, whose results on the device are added to. */
static void kernel_of_segments(void) {
  const usw_segments_t segments = segments_of_x(ROUNDS * FEW);
  const uint64_t originals[ROUNDS] = {1000};
  usw_plan_t *plan = NULL;
  uint64_t here[ROUNDS];
  CHECK_I64(0, cuStreamSynchronize(stream));
  CHECK_I64(0, cuMemcpyHtoD(results, originals, sizeof originals));
  set_items(3);
  CHECK_STATUS(USW_OK, count_of_segments_plan_create_segments(&plan, &segments, &options));
  for (int k = 0; k < 2; k++)
    CHECK_STATUS(USW_OK,
                 count_of_segments_plan_enqueue(ITEMS, (const int32_t *)x_there, 3, (uint64_t *)result_there(0), plan));
  for (int k = 0; k < ROUNDS; k++)
    CHECK_I64((k == 0 ? 1000 : 0) + 2 * FEW, result_at(k));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, count_of_segments_plan_enqueue(ITEMS, (const int32_t *)x_there, 3, here, plan));
  CHECK_STATUS(USW_OK, usw_plan_status(plan));
  usw_plan_destroy(plan);
}

/* ---- captured ---- */

static void graph(void) {
  usw_plan_t *sum = plan_of(USW_PLUS), *dot = plan_of(USW_DOT);
  int64_t here = -1, other = -1;
  void *captured = NULL, *executable = NULL;
  CHECK_I64(0, cuStreamBeginCapture(stream, THREAD_LOCAL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_I32, x_there, FEW, &other, &options));
  CHECK_TEXT_HAS(usw_error_text(), "is being captured");
  CHECK_STATUS(USW_OK, usw_plan_enqueue(sum, x_there, ITEMS, &here));
  CHECK_STATUS(USW_OK, usw_plan_enqueue_pair(dot, x_there, x_there, FEW, result_there(0)));
  CHECK_STATUS(USW_OK, usw_plan_enqueue(sum, x_there, FEW, result_there(1)));
  CHECK_I64(0, cuStreamEndCapture(stream, &captured));
  CHECK_I64(0, cuGraphInstantiate(&executable, captured, 0));
  CHECK_I64(-1, here);
  for (unsigned round = 1; round <= ROUNDS && executable; round++) {
    set_items(round);
    CHECK_I64(0, cuGraphLaunch(executable, stream));
    CHECK_I64((int64_t)round * round * FEW, result_at(0));
    CHECK_I64((int64_t)round * FEW, result_at(1));
    CHECK_I64((int64_t)round * ITEMS, here);
  }
  usw_plan_destroy(sum);
  usw_plan_destroy(dot);
}

/* Two scans of x by one plan, one behind the other in the stream, and again by a graph: others write what they read in between. */
static void scans(void) {
  const int64_t initial = 7;
  usw_plan_t *plan = NULL;
  void *captured = NULL, *executable = NULL;
  address_t out;
  CHECK_I64(0, cuMemAlloc(&out, (size_t)ITEMS * 8));
  void *const there = (void *)(uintptr_t)out;
  CHECK_STATUS(USW_OK, usw_plan_create_scan(&plan, USW_PLUS, USW_I32, 1, &initial, &options));
  for (unsigned round = 1; round <= 2 * ROUNDS; round++) {
    int64_t last[2];
    set_items(round);
    if (round == ROUNDS)
      CHECK_I64(0, cuStreamBeginCapture(stream, THREAD_LOCAL));
    if (round <= ROUNDS) {
      CHECK_STATUS(USW_OK, usw_plan_enqueue(plan, x_there, FEW + round, there));
      CHECK_STATUS(USW_OK, usw_plan_enqueue(plan, x_there, ITEMS - round, there));
    }
    if (round == ROUNDS) {
      CHECK_I64(0, cuStreamEndCapture(stream, &captured));
      CHECK_I64(0, cuGraphInstantiate(&executable, captured, 0));
    }
    if (round >= ROUNDS && executable)
      CHECK_I64(0, cuGraphLaunch(executable, stream));
    const size_t n = ITEMS - (round < ROUNDS ? round : ROUNDS);
    CHECK_I64(0, cuMemcpyDtoHAsync(last, out + 8 * (n - 2), sizeof last, stream));
    CHECK_I64(0, cuStreamSynchronize(stream));
    CHECK_I64(initial + (int64_t)round * (int64_t)(n - 2), last[0]);
    CHECK_I64(initial + (int64_t)round * (int64_t)(n - 1), last[1]);
  }
  CHECK_STATUS(USW_OK, usw_plan_status(plan));
  usw_plan_destroy(plan);
}

/* Scans that begin anew at every FEW elements but leave out the first FEW and, of segments, the last ones: by one plan twice in the stream, and by
 * a graph. What is in no segment is left as the stream has it. */
static void check_anew(usw_plan_t *plan, void *there, int is_of_segments) {
  const address_t out = (address_t)(uintptr_t)there;
  void *captured = NULL, *executable = NULL;
  for (unsigned round = 1; round <= 2 * ROUNDS; round++) {
    int64_t first[2], last[2];
    set_items(round);
    CHECK_I64(0, cuMemsetD32Async(out, 0, 2 * (size_t)ITEMS, stream));
    if (round == ROUNDS)
      CHECK_I64(0, cuStreamBeginCapture(stream, THREAD_LOCAL));
    if (round <= ROUNDS) {
      CHECK_STATUS(USW_OK, usw_plan_enqueue(plan, x_there, ROUNDS * FEW, there));
      CHECK_STATUS(USW_OK, usw_plan_enqueue(plan, x_there, ITEMS, there));
    }
    if (round == ROUNDS) {
      CHECK_I64(0, cuStreamEndCapture(stream, &captured));
      CHECK_I64(0, cuGraphInstantiate(&executable, captured, 0));
    }
    if (round >= ROUNDS && executable)
      CHECK_I64(0, cuGraphLaunch(executable, stream));
    CHECK_I64(0, cuMemcpyDtoHAsync(first, out + 8 * (FEW - 1), sizeof first, stream));
    CHECK_I64(0, cuMemcpyDtoHAsync(last, out + 8 * (ROUNDS * FEW - 1), sizeof last, stream));
    CHECK_I64(0, cuStreamSynchronize(stream));
    CHECK_I64(is_of_segments ? 0 : 7 + (int64_t)round * (FEW - 1), first[0]);
    CHECK_I64(7, first[1]);
    CHECK_I64(7 + (int64_t)round * (FEW - 1), last[0]);
    CHECK_I64(is_of_segments ? 0 : 7, last[1]);
  }
  CHECK_STATUS(USW_OK, usw_plan_status(plan));
}

static void scans_that_begin_anew(void) {
  const int64_t initial = 7;
  usw_segments_t segments = segments_of_x(ROUNDS * FEW), falling = segments_of_x(1);
  segments.count--; /* without the first one */
  segments.begins = (const uint32_t *)segments.begins + 1;
  segments.ends = (const uint32_t *)segments.ends + 1;
  usw_plan_t *of_segments = NULL, *by_key = NULL, *wrong = NULL;
  address_t out, keys;
  uint32_t *const made = malloc((size_t)ITEMS * sizeof *made);
  for (uint32_t k = 0; k < ITEMS; k++)
    made[k] = k / FEW % 3;
  CHECK_I64(0, cuMemAlloc(&out, (size_t)ITEMS * 8));
  CHECK_I64(0, cuMemAlloc(&keys, (size_t)ITEMS * 4));
  CHECK_I64(0, cuMemcpyHtoD(keys, made, (size_t)ITEMS * 4));
  free(made);
  void *const there = (void *)(uintptr_t)out, *const keys_there = (void *)(uintptr_t)keys;
  CHECK_STATUS(USW_OK,
               usw_plan_create_scan_segments(&of_segments, USW_PLUS, USW_I32, &segments, 1, &initial, &options));
  check_anew(of_segments, there, 1);
  CHECK_STATUS(USW_OK,
               usw_plan_create_scan_by_key(&by_key, USW_PLUS, USW_I32, USW_U32, keys_there, 1, &initial, &options));
  check_anew(by_key, there, 0);
  CHECK_STATUS(USW_OK, usw_plan_create_scan_segments(&wrong, USW_PLUS, USW_I32, &falling, 0, NULL, &options));
  CHECK_STATUS(USW_OK, usw_plan_enqueue(wrong, x_there, ITEMS, there));
  CHECK_I64(0, cuStreamSynchronize(stream));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_status(wrong));
  CHECK_TEXT_HAS(usw_error_text(), "an offset falls");
  usw_plan_destroy(of_segments);
  usw_plan_destroy(by_key);
  usw_plan_destroy(wrong);
}

/* ---- scratch of the caller's ---- */

static void callers_scratch(void) {
  usw_plan_t *plan = plan_of(USW_PLUS);
  usw_scratch_t scratch = {USW_INIT(usw_scratch_t)};
  usw_request_t request, second;
  int64_t sum = -1, here = -1;
  address_t device = 0;
  void *plain = aligned_alloc(256, 1 << 20);
  CHECK_STATUS(USW_OK, usw_plan_scratch(plan, &scratch));
  CHECK_I64(0, cuMemAlloc(&device, scratch.device_bytes));
  CHECK_I64(0, cuMemHostAlloc(&scratch.pinned, scratch.pinned_bytes, HOST_ALLOCATION_PORTABLE));
  void *pinned = scratch.pinned;
  scratch.device = (void *)(uintptr_t)device;
  scratch.pinned = plain;
  CHECK_STATUS(USW_ERROR_PLACE, usw_plan_use_scratch(plan, &scratch));
  CHECK_TEXT_HAS(usw_error_text(), "not pinned");
  scratch.pinned = pinned;
  CHECK_STATUS(USW_OK, usw_plan_use_scratch(plan, &scratch));
  for (unsigned round = 1; round <= ROUNDS; round++) {
    set_items(round);
    CHECK_STATUS(USW_OK, usw_plan_start(plan, x_there, ITEMS, &sum, &request));
    CHECK_STATUS(USW_ERROR_BUSY, usw_plan_start(plan, x_there, FEW, &here, &second));
    CHECK_STATUS(USW_OK, usw_request_wait(&request));
    CHECK_I64((int64_t)round * ITEMS, sum);
    CHECK_STATUS(USW_OK, usw_plan_enqueue(plan, x_there, FEW, &here));
    CHECK_I64(0, cuStreamSynchronize(stream));
    CHECK_I64((int64_t)round * FEW, here);
    CHECK_STATUS(USW_OK, usw_plan_run(plan, x_there, (size_t)round << 20, &sum));
    CHECK_I64((int64_t)round * ((int64_t)round << 20), sum);
  }
  usw_plan_destroy(plan);
  free(plain);
}

static void another_context(void) {
  void *created = NULL, *other = NULL;
  usw_options_t wrong = options;
  int64_t sum = -1;
  CHECK_I64(0, cuCtxCreate(&created, 0, 0));
  CHECK_I64(0, cuStreamCreate(&other, 0));
  CHECK_I64(0, cuCtxSetCurrent(context));
  wrong.stream = other;
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_I32, x_there, FEW, &sum, &wrong));
  CHECK_I64(-1, sum);
  CHECK_I64(0, cuCtxDestroy(created));
  CHECK_I64(0, cuCtxSetCurrent(context));
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  options = place_options(&place);
  int64_t nothing = -1;
  if (!find_driver())
    return check_skip("the driver lacks functions that this test calls");
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I32, NULL, 0, &nothing, &options)); /* the context is there then */
  CHECK_I64(0, cuDevicePrimaryCtxRetain(&context, 0));
  CHECK_I64(0, cuCtxSetCurrent(context));
  CHECK_I64(0, cuStreamCreate(&stream, 0));
  CHECK_I64(0, cuMemAlloc(&x, (size_t)ITEMS * 4));
  CHECK_I64(0, cuMemAlloc(&results, 8 * ROUNDS));
  x_there = (void *)(uintptr_t)x;
  options.stream = stream;
  calls_are_ordered();
  many_results_are_ordered();
  requests_are_ordered();
  bound_runs_are_ordered();
  bound_plans_of_many_threads(USW_AUTO_STRATEGY);
  bound_plans_of_many_threads(USW_STRATEGY_HOST_FINISH);
  bound_plans_of_many_threads(USW_STRATEGY_MULTIPASS);
  many_requests();
  results_in_order();
  user_kernel();
  graph();
  plans_of_many_results();
  scans();
  scans_that_begin_anew();
  kernel_of_segments();
  callers_scratch();
  another_context();
  return check_report();
}
