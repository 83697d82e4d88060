/* RAJAPerf: sum, minimum and maximum of one stream and of two. */
#include "apps.h"

#include <math.h>

#define USW_KERNEL apps_three_of_integers
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x)
#define USW_REDUCERS(R, S) R(int32_t, sum, USW_PLUS) R(int32_t, least, USW_MINIMUM) R(int32_t, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_combine(least, x);
  usw_combine(most, x);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_three_of_points
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, x_sum, USW_PLUS)                                                                                           \
  R(double, x_least, USW_MINIMUM)                                                                                      \
  R(double, x_most, USW_MAXIMUM)                                                                                       \
  R(double, y_sum, USW_PLUS)                                                                                           \
  R(double, y_least, USW_MINIMUM)                                                                                      \
  R(double, y_most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(x_sum, x);
  usw_combine(x_least, x);
  usw_combine(x_most, x);
  usw_add(y_sum, y);
  usw_combine(y_least, y);
  usw_combine(y_most, y);
}
#include <upsweep/kernel_end.h>

static usw_status_t run_integers(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  int32_t sum = 0, least = INT32_MAX, most = INT32_MIN;
  const usw_status_t status = apps_three_of_integers(call->n, call->streams[0], &sum, &least, &most, options);
  numbers_out[0] = sum;
  numbers_out[1] = least;
  numbers_out[2] = most;
  return status;
}

static void clause_integers(const apps_call_t *call, double *numbers_out) {
  const int32_t *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  int32_t sum = 0, least = INT32_MAX, most = INT32_MIN;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : sum, least, most) reduction(+ : sum) reduction(min : least) reduction(max : most)
  for (size_t i = 0; i < n; i++) {
    sum += x[i];
    least = x[i] < least ? x[i] : least;
    most = x[i] > most ? x[i] : most;
  }
  numbers_out[0] = sum;
  numbers_out[1] = least;
  numbers_out[2] = most;
}

/* From -504 to 504, each as often as the others: the sum stays small. */
enum { INTEGERS = 1009 };
static int32_t integer_at(size_t i) { return (int32_t)(i % INTEGERS * 37 % INTEGERS) - INTEGERS / 2; }

static void fill_integers(size_t n, size_t first, size_t count, void *elements_out) {
  int32_t *elements = elements_out;
  (void)n;
  for (size_t k = 0; k < count; k++)
    elements[k] = integer_at(first + k);
}

static apps_expected_t expect_integers(size_t n) {
  apps_expected_t expected = {0};
  int32_t sum = 0, least = INT32_MAX, most = INT32_MIN;
  for (size_t i = 0; i < n && i < INTEGERS; i++) {
    sum += i < n % INTEGERS ? integer_at(i) : 0; /* whole periods add up to 0 */
    least = integer_at(i) < least ? integer_at(i) : least;
    most = integer_at(i) > most ? integer_at(i) : most;
  }
  apps_expect(&expected, sum, 0);
  apps_expect(&expected, least, 0);
  apps_expect(&expected, most, 0);
  return expected;
}

static usw_status_t run_points(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  const double originals[6] = {0, INFINITY, -INFINITY, 0, INFINITY, -INFINITY};
  for (int k = 0; k < 6; k++)
    numbers_out[k] = originals[k];
  return apps_three_of_points(call->n, call->streams[0], call->streams[1], &numbers_out[0], &numbers_out[1],
                              &numbers_out[2], &numbers_out[3], &numbers_out[4], &numbers_out[5], options);
}

static void clause_points(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0], *y = call->streams[1];
  const size_t n = call->n;
  const int device = call->device;
  double x_sum = 0, x_least = INFINITY, x_most = -INFINITY, y_sum = 0, y_least = INFINITY, y_most = -INFINITY;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x, y)          \
    map(tofrom : x_sum, x_least, x_most, y_sum, y_least, y_most) reduction(+ : x_sum, y_sum)                           \
    reduction(min : x_least, y_least) reduction(max : x_most, y_most)
  for (size_t i = 0; i < n; i++) {
    x_sum += x[i];
    x_least = x[i] < x_least ? x[i] : x_least;
    x_most = x[i] > x_most ? x[i] : x_most;
    y_sum += y[i];
    y_least = y[i] < y_least ? y[i] : y_least;
    y_most = y[i] > y_most ? y[i] : y_most;
  }
  const double numbers[6] = {x_sum, x_least, x_most, y_sum, y_least, y_most};
  for (int k = 0; k < 6; k++)
    numbers_out[k] = numbers[k];
}

/* Points on the diagonal of a box. */
static const double box[2] = {64, 32};

static void fill_coordinate(size_t n, size_t first, size_t count, double side, double *elements_out) {
  for (size_t k = 0; k < count; k++)
    elements_out[k] = (double)(first + k) * side / (double)n;
}

static void fill_x(size_t n, size_t first, size_t count, void *elements_out) {
  fill_coordinate(n, first, count, box[0], elements_out);
}

static void fill_y(size_t n, size_t first, size_t count, void *elements_out) {
  fill_coordinate(n, first, count, box[1], elements_out);
}

static apps_expected_t expect_points(size_t n) {
  apps_expected_t expected = {0};
  for (int k = 0; k < 2; k++) {
    const double sum = box[k] * (double)(n - 1) / 2;
    apps_expect(&expected, sum, apps_sum_tolerance(n, sum, (size_t)1 << 26)); /* beyond it sums have over 53 bits */
    apps_expect(&expected, 0, 0);
    apps_expect(&expected, (double)(n - 1) * box[k] / (double)n, 0);
  }
  return expected;
}

const apps_case_t apps_reduce3_int = {.suite = "RAJAPerf",
                                      .name = "REDUCE3_INT",
                                      .streams = {{sizeof(int32_t), fill_integers, NULL}},
                                      .run = run_integers,
                                      .clause = clause_integers,
                                      .expect = expect_integers};

const apps_case_t apps_reduce_struct = {.suite = "RAJAPerf",
                                        .name = "REDUCE_STRUCT",
                                        .streams = {{sizeof(double), fill_x, NULL}, {sizeof(double), fill_y, NULL}},
                                        .run = run_points,
                                        .clause = clause_points,
                                        .expect = expect_points};
