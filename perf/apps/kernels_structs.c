/* Reductions of structures by the user's operators: xteam-test's five numbers with a tag, RAJAPerf's FIRST_MIN, the lowest
 * index of the smallest element. */
#include "apps.h"

#include <math.h>
#include <string.h>

/* Five numbers and a tag that is made of their bits. */
typedef struct {
  double part[5];
  uint64_t tag;
} value_t;

static inline value_t value_of(const double part[5]) {
  value_t value;
  value.tag = 0;
  for (int k = 0; k < 5; k++) {
    uint64_t bits;
    memcpy(&bits, &part[k], sizeof bits);
    value.part[k] = part[k];
    value.tag |= bits;
  }
  return value;
}

static inline value_t value_zero(void) {
  const double zeros[5] = {0, 0, 0, 0, 0};
  return value_of(zeros);
}

static inline value_t value_add(value_t x, value_t y) {
  for (int k = 0; k < 5; k++)
    x.part[k] += y.part[k];
  return value_of(x.part);
}

/* A value and where it stands. */
typedef struct {
  double value;
  uint64_t index;
} located_t;

static inline located_t located_none(void) {
  const located_t none = {INFINITY, UINT64_MAX};
  return none;
}

/* The smaller; of equals the one that comes first. */
static inline located_t first_of(located_t x, located_t y) {
  return x.value < y.value || (x.value == y.value && x.index < y.index) ? x : y;
}

#define USW_KERNEL apps_sum_of_values
#define USW_ARGS(IN, ARRAY, VALUE) IN(value_t, x)
#define USW_REDUCERS(R, S) R(value_t, total, value_add, value_zero())
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_first_of_smallest
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(located_t, least, first_of, located_none())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const located_t here = {x, i};
  usw_combine(least, here);
}
#include <upsweep/kernel_end.h>

#pragma omp declare reduction(value_sum:value_t : omp_out = value_add(omp_out, omp_in))                                \
    initializer(omp_priv = value_zero())
#pragma omp declare reduction(first_smallest:located_t : omp_out = first_of(omp_out, omp_in))                          \
    initializer(omp_priv = located_none())

/* The five sums, and which bits of the tag are not theirs. */
static void split(const value_t *total, double *numbers_out) {
  for (int k = 0; k < 5; k++)
    numbers_out[k] = total->part[k];
  numbers_out[5] = (double)(total->tag ^ value_of(total->part).tag);
}

static usw_status_t run_struct(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  value_t total = value_zero();
  const usw_status_t status = apps_sum_of_values(call->n, call->streams[0], &total, options);
  split(&total, numbers_out);
  return status;
}

static void clause_struct(const apps_call_t *call, double *numbers_out) {
  const value_t *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  value_t total = value_zero();
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : total) reduction(value_sum : total)
  for (size_t i = 0; i < n; i++)
    total = value_add(total, x[i]);
  split(&total, numbers_out);
}

/* Part k of item i is element i + 20 k of the periodic data. */
static void fill_values(size_t n, size_t first, size_t count, void *elements_out) {
  value_t *values = elements_out;
  (void)n;
  for (size_t i = 0; i < count; i++) {
    double part[5];
    for (size_t k = 0; k < 5; k++)
      part[k] = apps_element(first + i + 20 * k);
    values[i] = value_of(part);
  }
}

static apps_expected_t expect_struct(size_t n) {
  apps_expected_t expected = {0};
  for (size_t k = 0; k < 5; k++)
    apps_expect(&expected, apps_sum_of_elements(20 * k, n), 0);
  apps_expect(&expected, 0, 0);
  return expected;
}

static usw_status_t run_first_min(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  located_t least = located_none();
  const usw_status_t status = apps_first_of_smallest(call->n, call->streams[0], &least, options);
  numbers_out[0] = least.value;
  numbers_out[1] = (double)least.index;
  return status;
}

static void clause_first_min(const apps_call_t *call, double *numbers_out) {
  const double *x = call->streams[0];
  const size_t n = call->n;
  const int device = call->device;
  located_t least = located_none();
#pragma omp target teams distribute parallel for if (target : device >= 0) device(device) is_device_ptr(x)             \
    map(tofrom : least) reduction(first_smallest : least)
  for (size_t i = 0; i < n; i++) {
    const located_t here = {x[i], i};
    least = first_of(least, here);
  }
  numbers_out[0] = least.value;
  numbers_out[1] = (double)least.index;
}

static void fill_first_min(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  for (size_t k = 0; k < count; k++)
    elements[k] = first + k == n / 2 ? -1e10 : 0;
}

static apps_expected_t expect_first_min(size_t n) {
  apps_expected_t expected = {0};
  apps_expect(&expected, -1e10, 0);
  apps_expect(&expected, (double)(n / 2), 0);
  return expected;
}

const apps_case_t apps_red_sum_struct = {.suite = "xteam-test",
                                         .name = "red_sum_struct",
                                         .streams = {{sizeof(value_t), fill_values, NULL}},
                                         .run = run_struct,
                                         .clause = clause_struct,
                                         .expect = expect_struct};

const apps_case_t apps_first_min = {.suite = "RAJAPerf",
                                    .name = "FIRST_MIN",
                                    .streams = {{sizeof(double), fill_first_min, NULL}},
                                    .run = run_first_min,
                                    .clause = clause_first_min,
                                    .expect = expect_first_min};
