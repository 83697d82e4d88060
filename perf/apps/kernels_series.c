/* Kernels that read nothing, an item's index says it all: xteam-test's red_pi, RAJAPerf's PI_REDUCE and TRAP_INT. */
#include "apps.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Leibniz: 1 - 1/3 + 1/5 - ... is pi / 4. */
static inline double leibniz(size_t i) {
  const double term = 1.0 / (double)(2 * i + 1);
  return i % 2 ? -term : term;
}

/* The integral of 1 / (1 + x^2) from 0 to 1 is pi / 4, too. */
static inline double witch(double x) { return 1 / (1 + x * x); }

/* One over the distance of (x, 0.3) from (0.7, 0.7). */
static inline double potential(double x) { return 1 / sqrt((x - 0.7) * (x - 0.7) + (0.3 - 0.7) * (0.3 - 0.7)); }

#define USW_KERNEL apps_leibniz
#define USW_ARGS(IN, ARRAY, VALUE)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, leibniz(i)); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_midpoints
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(double, width)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, witch(((double)i + 0.5) * width)); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_integral
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(double, start) VALUE(double, width)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, potential(start + (double)i * width)); }
#include <upsweep/kernel_end.h>

static usw_status_t run_red_pi(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  double sum = 0;
  const usw_status_t status = apps_leibniz(call->n, &sum, options);
  numbers_out[0] = 4 * sum;
  return status;
}

static void clause_red_pi(const apps_call_t *call, double *numbers_out) {
  const size_t n = call->n;
  const int device = call->device;
  double sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) map(tofrom : sum)            \
    reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum += leibniz(i);
  numbers_out[0] = 4 * sum;
}

/* What the series has still to go is 1/n - 1/4n^3 + ..., with the sign of its next term. */
static apps_expected_t expect_red_pi(size_t n) {
  apps_expected_t expected = {0};
  const double r = 1 / (double)n, s = r * r;
  const double rest = r * (1 - s * (1.0 / 4 - s * (5.0 / 16 - s * (61.0 / 64 - s * 1385.0 / 256))));
  apps_expect(&expected, n % 2 ? pi + rest : pi - rest, apps_walk_tolerance(n, pi));
  return expected;
}

static usw_status_t run_pi_reduce(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  const double width = 1 / (double)call->n;
  double sum = 0;
  const usw_status_t status = apps_midpoints(call->n, width, &sum, options);
  numbers_out[0] = 4 * sum * width;
  return status;
}

static void clause_pi_reduce(const apps_call_t *call, double *numbers_out) {
  const size_t n = call->n;
  const int device = call->device;
  const double width = 1 / (double)n;
  double sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) map(tofrom : sum)            \
    reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum += witch(((double)i + 0.5) * width);
  numbers_out[0] = 4 * sum * width;
}

/* The midpoint rule is off by width^2 / 12 here; the next power that does not vanish is the sixth. */
static apps_expected_t expect_pi_reduce(size_t n) {
  apps_expected_t expected = {0};
  const double width = 1 / (double)n;
  apps_expect(&expected, pi + width * width / 12, apps_walk_tolerance(n, pi));
  return expected;
}

/* From 0.1 to 0.7, where the potential is steepest and flattest. */
enum { TENTHS_FROM = 1, TENTHS_TO = 7 };

static double width_of(size_t n) { return (TENTHS_TO - TENTHS_FROM) / 10.0 / (double)n; }

static usw_status_t run_trap_int(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  const double width = width_of(call->n);
  double sum = 0;
  const usw_status_t status = apps_integral(call->n, TENTHS_FROM / 10.0, width, &sum, options);
  numbers_out[0] = sum * width;
  return status;
}

static void clause_trap_int(const apps_call_t *call, double *numbers_out) {
  const size_t n = call->n;
  const int device = call->device;
  const double start = TENTHS_FROM / 10.0, width = width_of(n);
  double sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) map(tofrom : sum)            \
    reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum += potential(start + (double)i * width);
  numbers_out[0] = sum * width;
}

/* The integral is an area sine; Euler and Maclaurin say by how much the sum of its left edges is off. */
static apps_expected_t expect_trap_int(size_t n) {
  apps_expected_t expected = {0};
  const double from = TENTHS_FROM / 10.0, to = TENTHS_TO / 10.0, width = width_of(n);
  const double integral = asinh((to - 0.7) / 0.4) - asinh((from - 0.7) / 0.4);
  const double edges = (potential(from) - potential(to)) * width / 2;
  const double slope_from = (0.7 - from) * pow(potential(from), 3), slope_to = (0.7 - to) * pow(potential(to), 3);
  const double slopes = (slope_to - slope_from) * width * width / 12;
  /* The next term has width^4 / 720 times a difference of third derivatives, which is below 100. */
  apps_expect(&expected, integral + edges + slopes, apps_walk_tolerance(n, integral) + pow(width, 4) * 100 / 720);
  return expected;
}

const apps_case_t apps_red_pi = {
    .suite = "xteam-test", .name = "red_pi", .run = run_red_pi, .clause = clause_red_pi, .expect = expect_red_pi};

const apps_case_t apps_pi_reduce = {.suite = "RAJAPerf",
                                    .name = "PI_REDUCE",
                                    .run = run_pi_reduce,
                                    .clause = clause_pi_reduce,
                                    .expect = expect_pi_reduce};

const apps_case_t apps_trap_int = {
    .suite = "RAJAPerf", .name = "TRAP_INT", .run = run_trap_int, .clause = clause_trap_int, .expect = expect_trap_int};
