/* everythingsreduced: count, mean, standard deviation, minimum and maximum, in two passes: the deviations need the mean.
 * The sum of the mean carries along what its additions round away. */
#include "apps.h"

#include <float.h>
#include <math.h>

/* A sum, and what it is short of. */
typedef struct {
  double sum, carry;
} carried_t;

static inline carried_t carried_zero(void) {
  const carried_t zero = {0, 0};
  return zero;
}

/* Knuth's two-sum finds the rounding error of one addition, whichever number is the larger. */
static inline carried_t carried_add(carried_t x, carried_t y) {
  const double sum = x.sum + y.sum, y_part = sum - x.sum, x_part = sum - y_part;
  const carried_t both = {sum, x.carry + y.carry + (x.sum - x_part) + (y.sum - y_part)};
  return both;
}

#define USW_KERNEL apps_describe_values
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, count, USW_PLUS)                                                                                         \
  R(carried_t, total, carried_add, carried_zero())                                                                     \
  R(double, least, USW_MINIMUM)                                                                                        \
  R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const carried_t one = {x, 0};
  usw_inc(count);
  usw_combine(total, one);
  usw_combine(least, x);
  usw_combine(most, x);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_describe_deviations
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(double, mean)
#define USW_REDUCERS(R, S) R(double, squares, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(squares, (x - mean) * (x - mean)); }
#include <upsweep/kernel_end.h>

#pragma omp declare reduction(carried_sum:carried_t : omp_out = carried_add(omp_out, omp_in))                          \
    initializer(omp_priv = carried_zero())

static usw_status_t run(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  uint64_t count = 0;
  carried_t total = carried_zero();
  double least = INFINITY, most = -INFINITY, squares = 0;
  usw_status_t status = apps_describe_values(call->n, call->streams[0], &count, &total, &least, &most, options);
  if (status != USW_OK)
    return status;
  const double mean = (total.sum + total.carry) / (double)count;
  status = apps_describe_deviations(call->n, call->streams[0], mean, &squares, options);
  const double numbers[] = {(double)count, mean, sqrt(squares / (double)count), least, most};
  for (int k = 0; k < 5; k++)
    numbers_out[k] = numbers[k];
  return status;
}

static void clause(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  uint64_t count = 0;
  carried_t total = carried_zero();
  double least = INFINITY, most = -INFINITY, squares = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : count, total, least, most) reduction(+ : count) reduction(carried_sum : total) reduction(min : least) \
    reduction(max : most)
  for (size_t i = 0; i < n; i++) {
    const carried_t one = {x[i], 0};
    count++;
    total = carried_add(total, one);
    least = x[i] < least ? x[i] : least;
    most = x[i] > most ? x[i] : most;
  }
  const double mean = (total.sum + total.carry) / (double)count;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : squares) reduction(+ : squares)
  for (size_t i = 0; i < n; i++)
    squares += (x[i] - mean) * (x[i] - mean);
  const double numbers[] = {(double)count, mean, sqrt(squares / (double)count), least, most};
  for (int k = 0; k < 5; k++)
    numbers_out[k] = numbers[k];
}

static void fill(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  for (size_t k = 0; k < count; k++)
    elements[k] = fabs((double)n / 2 - (double)(first + k));
}

/* The numbers offset, 1 + offset, ... count - 1 + offset: their sum and the sum of their squares. */
static void add_up(long double count, long double offset, long double *sum, long double *squares) {
  const long double linear = count * (count - 1) / 2;
  *sum += linear + count * offset;
  *squares += linear * (2 * count - 1) / 3 + 2 * offset * linear + count * offset * offset;
}

static apps_expected_t expect(size_t n) {
  apps_expected_t expected = {0};
  /* Up to the middle and beyond it, each read from the middle outwards. */
  const long double least = n % 2 ? 0.5L : 0, below = (long double)(n / 2 + 1), above = (long double)n - below;
  long double sum = 0, squares = 0;
  add_up(below, least, &sum, &squares);
  add_up(above, n % 2 ? 0.5L : 1, &sum, &squares);
  const long double mean = sum / (long double)n, deviation = sqrtl(squares / (long double)n - mean * mean);
  apps_expect(&expected, (double)n, 0);
  apps_expect(&expected, (double)mean, 2 * DBL_EPSILON * (double)mean);
  apps_expect(&expected, (double)deviation, apps_sum_tolerance(n, (double)deviation, 0));
  apps_expect(&expected, (double)least, 0);
  apps_expect(&expected, (double)n / 2, 0);
  return expected;
}

const apps_case_t apps_describe = {.suite = "everythingsreduced",
                                   .name = "describe",
                                   .streams = {{sizeof(double), fill, NULL}},
                                   .passes = 2,
                                   .run = run,
                                   .clause = clause,
                                   .expect = expect};
