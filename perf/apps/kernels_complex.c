/* everythingsreduced: sums of complex numbers, whose parts lie side by side or in two arrays, and the number of the
 * smallest modulus. */
#include "apps.h"

#include <complex.h>
#include <float.h>
#include <math.h>

/* Whichever is nearer to 0. The definition does not say which of two that are equally near: the data has no such. */
static inline double squared_modulus(usw_cf64_t z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }
static inline usw_cf64_t nearer(usw_cf64_t x, usw_cf64_t y) { return squared_modulus(x) <= squared_modulus(y) ? x : y; }
static inline usw_cf64_t farthest(void) { return __builtin_complex(DBL_MAX, DBL_MAX); }

#define USW_KERNEL apps_sum_of_complex
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_cf64_t, c)
#define USW_REDUCERS(R, S) R(usw_cf64_t, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, c); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_sum_of_parts
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, re) IN(double, im)
#define USW_REDUCERS(R, S) R(double, real_sum, USW_PLUS) R(double, imaginary_sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(real_sum, re);
  usw_add(imaginary_sum, im);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_nearest
#define USW_ARGS(IN, ARRAY, VALUE) IN(usw_cf64_t, c)
#define USW_REDUCERS(R, S) R(usw_cf64_t, least, nearer, farthest())
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(least, c); }
#include <upsweep/kernel_end.h>

/* clang's own + over complex numbers needs libatomic on the host, so the sum is declared too, as the suite has it. */
#pragma omp declare reduction(complex_plus:usw_cf64_t : omp_out += omp_in) initializer(omp_priv = 0)
#pragma omp declare reduction(nearer_of:usw_cf64_t : omp_out = nearer(omp_out, omp_in))                                \
    initializer(omp_priv = farthest())

static void split(usw_cf64_t z, double *numbers_out) {
  numbers_out[0] = creal(z);
  numbers_out[1] = cimag(z);
}

static usw_status_t run_sum(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  usw_cf64_t sum = 0;
  const usw_status_t status = apps_sum_of_complex(call->n, call->streams[0], &sum, options);
  split(sum, numbers_out);
  return status;
}

static void clause_sum(const apps_call_t *call, double *numbers_out) {
  const usw_cf64_t *c = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  usw_cf64_t sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(c)             \
    map(tofrom : sum) reduction(complex_plus : sum)
  for (size_t i = 0; i < n; i++)
    sum += c[i];
  split(sum, numbers_out);
}

static usw_status_t run_parts(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  numbers_out[0] = numbers_out[1] = 0;
  return apps_sum_of_parts(call->n, call->streams[0], call->streams[1], &numbers_out[0], &numbers_out[1], options);
}

static void clause_parts(const apps_call_t *call, double *numbers_out) {
  const double *re = call->streams[0], *im = call->streams[1];
  const size_t n = call->n;
  const int device = call->device;
  double real_sum = 0, imaginary_sum = 0;
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(re, im)        \
    map(tofrom : real_sum, imaginary_sum) reduction(+ : real_sum, imaginary_sum)
  for (size_t i = 0; i < n; i++) {
    real_sum += re[i];
    imaginary_sum += im[i];
  }
  numbers_out[0] = real_sum;
  numbers_out[1] = imaginary_sum;
}

static usw_status_t run_min(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  usw_cf64_t least = farthest();
  const usw_status_t status = apps_nearest(call->n, call->streams[0], &least, options);
  split(least, numbers_out);
  return status;
}

static void clause_min(const apps_call_t *call, double *numbers_out) {
  const usw_cf64_t *c = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  usw_cf64_t least = farthest();
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(c)             \
    map(tofrom : least) reduction(nearer_of : least)
  for (size_t i = 0; i < n; i++)
    least = nearer(least, c[i]);
  split(least, numbers_out);
}

static void fill_share(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  (void)first;
  for (size_t k = 0; k < count; k++)
    elements[k] = 2048.0 / (double)n;
}

static void fill_shares(size_t n, size_t first, size_t count, void *elements_out) {
  fill_share(n, 2 * first, 2 * count, elements_out);
}

static void fill_distances(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  for (size_t k = 0; k < count; k++)
    elements[2 * k] = elements[2 * k + 1] = fabs((double)n / 2 - (double)(first + k));
}

static apps_expected_t expect_sums(size_t n) {
  apps_expected_t expected = {0};
  for (int part = 0; part < 2; part++)
    apps_expect(&expected, 2048, apps_sum_tolerance(n, 2048, SIZE_MAX));
  return expected;
}

static apps_expected_t expect_min(size_t n) {
  apps_expected_t expected = {0};
  for (int part = 0; part < 2; part++)
    apps_expect(&expected, n % 2 ? 0.5 : 0, 0);
  return expected;
}

const apps_case_t apps_complex_sum = {.suite = "everythingsreduced",
                                      .name = "complex_sum",
                                      .streams = {{sizeof(usw_cf64_t), fill_shares, NULL}},
                                      .run = run_sum,
                                      .clause = clause_sum,
                                      .expect = expect_sums};

const apps_case_t apps_complex_sum_soa = {
    .suite = "everythingsreduced",
    .name = "complex_sum_soa",
    .streams = {{sizeof(double), fill_share, NULL}, {sizeof(double), fill_share, NULL}},
    .run = run_parts,
    .clause = clause_parts,
    .expect = expect_sums};

const apps_case_t apps_complex_min = {.suite = "everythingsreduced",
                                      .name = "complex_min",
                                      .streams = {{sizeof(usw_cf64_t), fill_distances, NULL}},
                                      .run = run_min,
                                      .clause = clause_min,
                                      .expect = expect_min};
