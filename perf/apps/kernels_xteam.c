/* xteam-test: the sum and the maximum of one loop, a user's operator, a body with work of its own. */
#include "apps.h"

#include <math.h>

/* The operator of red_indirect: plus, which no compiler is told. */
static inline double accumulate(double x, double y) { return x + y; }

/* Work in registers that has nothing to do with the sum; the result is never -1. */
static inline double work(double start) {
  double x = start;
  for (int round = 0; round < 100; round++)
    x = x * 0.9 + round;
  return x;
}

/* The definition has one such piece of work per thread; a body does not know its thread, so it is one for 4096 items,
 * spread by a multiplicative hash. */
static inline int has_work(size_t i) { return (uint32_t)i * 2654435761u < 1u << 20; }

#define USW_KERNEL apps_sum_and_max
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_combine(most, x);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_sum_by_function
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, accumulate, 0.0)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(sum, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_sum_beside_work
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  if (has_work(i)) {
    const double result = work((double)(i % 1024));
    if (result == -1)
      usw_add(sum, result);
  }
}
#include <upsweep/kernel_end.h>

static usw_status_t run_comb(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  numbers_out[0] = 0;
  numbers_out[1] = -INFINITY;
  return apps_sum_and_max(call->n, call->streams[0], &numbers_out[0], &numbers_out[1], options);
}

static void clause_comb(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  double sum = 0, most = -INFINITY;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : sum, most) reduction(+ : sum) reduction(max : most)
  for (size_t i = 0; i < n; i++) {
    sum += x[i];
    most = x[i] > most ? x[i] : most;
  }
  numbers_out[0] = sum;
  numbers_out[1] = most;
}

static usw_status_t run_indirect(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  numbers_out[0] = 0;
  return apps_sum_by_function(call->n, call->streams[0], &numbers_out[0], options);
}

static void clause_indirect(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  double sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : sum) reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum = accumulate(sum, x[i]);
  numbers_out[0] = sum;
}

static usw_status_t run_kernel_part(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  numbers_out[0] = 0;
  return apps_sum_beside_work(call->n, call->streams[0], &numbers_out[0], options);
}

static void clause_kernel_part(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  double sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : sum) reduction(+ : sum)
  for (size_t i = 0; i < n; i++) {
    sum += x[i];
    if (has_work(i)) {
      const double result = work((double)(i % 1024));
      sum += result == -1 ? result : 0;
    }
  }
  numbers_out[0] = sum;
}

static apps_expected_t expect_sum(size_t n) {
  apps_expected_t expected = {0};
  apps_expect(&expected, apps_sum_of_elements(0, n), 0);
  return expected;
}

static apps_expected_t expect_comb(size_t n) {
  apps_expected_t expected = expect_sum(n);
  apps_expect(&expected, apps_largest_element(n), 0);
  return expected;
}

const apps_case_t apps_red_comb = {.suite = "xteam-test",
                                   .name = "red_comb",
                                   .streams = {{sizeof(double), apps_fill_elements, NULL}},
                                   .run = run_comb,
                                   .clause = clause_comb,
                                   .expect = expect_comb};

const apps_case_t apps_red_indirect = {.suite = "xteam-test",
                                       .name = "red_indirect",
                                       .streams = {{sizeof(double), apps_fill_elements, NULL}},
                                       .run = run_indirect,
                                       .clause = clause_indirect,
                                       .expect = expect_sum};

const apps_case_t apps_red_kernel_part = {.suite = "xteam-test",
                                          .name = "red_kernel_part",
                                          .streams = {{sizeof(double), apps_fill_elements, NULL}},
                                          .run = run_kernel_part,
                                          .clause = clause_kernel_part,
                                          .expect = expect_sum};
