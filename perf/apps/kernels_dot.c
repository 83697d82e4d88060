/* The dot product, of everythingsreduced and of BabelStream: one kernel, two sets of data. */
#include "apps.h"

#define USW_KERNEL apps_dot
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, a) IN(double, b)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, a * b); }
#include <upsweep/kernel_end.h>

static usw_status_t run(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  double sum = 0;
  const usw_status_t status = apps_dot(call->n, call->streams[0], call->streams[1], &sum, options);
  numbers_out[0] = sum;
  return status;
}

static void clause(const apps_call_t *call, double *numbers_out) {
  const double *a = call->streams[0], *b = call->streams[1];
  const size_t n = call->n;
  const int device = call->device;
  double sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(a, b)          \
    map(tofrom : sum) reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  numbers_out[0] = sum;
}

static void fill_with(double element, size_t count, double *elements_out) {
  for (size_t k = 0; k < count; k++)
    elements_out[k] = element;
}

/* everythingsreduced: every product is 2^21 / n^2. */
static void fill_1024(size_t n, size_t first, size_t count, void *elements_out) {
  (void)first;
  fill_with(1024.0 / (double)n, count, elements_out);
}

static void fill_2048(size_t n, size_t first, size_t count, void *elements_out) {
  (void)first;
  fill_with(2048.0 / (double)n, count, elements_out);
}

static apps_expected_t expect_everythingsreduced(size_t n) {
  apps_expected_t expected = {0};
  const double sum = 1024.0 * 2048.0 / (double)n;
  apps_expect(&expected, sum, apps_sum_tolerance(n, sum, SIZE_MAX));
  return expected;
}

const apps_case_t apps_everythingsreduced_dot = {
    .suite = "everythingsreduced",
    .name = "dot",
    .streams = {{sizeof(double), fill_1024, NULL}, {sizeof(double), fill_2048, NULL}},
    .run = run,
    .clause = clause,
    .expect = expect_everythingsreduced};

/* BabelStream: 0.1 and 0.2, which no sum of is exact. */
static void fill_a(size_t n, size_t first, size_t count, void *elements_out) {
  (void)n, (void)first;
  fill_with(0.1, count, elements_out);
}

static void fill_b(size_t n, size_t first, size_t count, void *elements_out) {
  (void)n, (void)first;
  fill_with(0.2, count, elements_out);
}

static apps_expected_t expect_babelstream(size_t n) {
  apps_expected_t expected = {0};
  const double sum = 0.1 * 0.2 * (double)n;
  apps_expect(&expected, sum, apps_sum_tolerance(n, sum, 0));
  return expected;
}

const apps_case_t apps_babelstream_dot = {.suite = "BabelStream",
                                          .name = "dot",
                                          .streams = {{sizeof(double), fill_a, NULL}, {sizeof(double), fill_b, NULL}},
                                          .run = run,
                                          .clause = clause,
                                          .expect = expect_babelstream};
