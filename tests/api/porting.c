/* The Upsweep forms of the porting guide (scripts/docs/pages/tutorials/porting.md), compiled and run: the guide shows the parts
 * between the markers.   porting [--place NAME] */
#include <math.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

/** [openmp] */
#define USW_KERNEL dot_and_most
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y)
#define USW_REDUCERS(R, S) R(double, dot, USW_PLUS) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(dot, x * y);
  usw_combine(most, x);
}
#include <upsweep/kernel_end.h>
/* usw_status_t dot_and_most(size_t n, const double *x, const double *y, double *dot, double *most,
 *                           const usw_options_t *options); */
/** [openmp] */

/** [sycl] */
#define USW_KERNEL by_class
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x) IN(uint8_t, class_of)
#define USW_REDUCERS(R, S) S(int32_t, sums, 4, USW_PLUS) R(int32_t, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add_at(sums, class_of, x); /* in C++: sums[class_of] += x; */
  usw_combine(least, x);         /* in C++: least.combine(x); */
}
#include <upsweep/kernel_end.h>
/** [sycl] */

/** [kokkos_type] */
typedef struct {
  double sum, weight;
} mean_t;
static inline mean_t joined(mean_t a, mean_t b) {
  const mean_t both = {a.sum + b.sum, a.weight + b.weight};
  return both;
}
static inline mean_t no_weight(void) {
  const mean_t none = {0, 0};
  return none;
}

#define USW_KERNEL weighted_mean
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y)
#define USW_REDUCERS(R, S) R(mean_t, mean, joined, no_weight())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const mean_t item = {x * y, y};
  usw_combine(mean, item);
}
#include <upsweep/kernel_end.h>
/** [kokkos_type] */

/** [raja] */
#define USW_KERNEL three_of
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x)
#define USW_REDUCERS(R, S) R(int64_t, sum, USW_PLUS) R(int32_t, least, USW_MINIMUM) R(int32_t, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, x);
  usw_combine(least, x);
  usw_combine(most, x);
}
#include <upsweep/kernel_end.h>
/** [raja] */

/** [nested] */
#define USW_KERNEL inner_products
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, u) IN(double, v)
#define USW_REDUCERS(R, S) R(double, dot, USW_PLUS) R(double, moment, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  usw_add(dot, u * v); /* u is u[j][i] */
  usw_add(moment, (double)j * u);
}
#include <upsweep/kernel_end.h>
/* usw_status_t inner_products(const usw_space_t *space, const double *u, const double *v, double *dot, double *moment,
 *                             const usw_options_t *options); */
/** [nested] */

enum { ITEMS = 40000, ROWS = 100, COLUMNS = ITEMS / ROWS };
static double x[ITEMS], y[ITEMS];
static int32_t k[ITEMS];
static uint8_t classes[ITEMS];

static usw_status_t kernels(size_t n, const double *u, const double *v, const int32_t *m, const uint8_t *class_of,
                            const usw_options_t *options) {
  double dot = 0, most = -INFINITY;
  int32_t sums[4] = {0}, least = 0, smallest = INT32_MAX, largest = INT32_MIN;
  int64_t sum = 0;
  mean_t mean = {0, 0};
  usw_status_t status = dot_and_most(n, u, v, &dot, &most, options);
  CHECK_F64(ITEMS * 1.5, dot);
  CHECK_F64(6, most);
  if (status == USW_OK)
    status = by_class(n, m, class_of, sums, &least, options);
  for (int c = 0; c < 4; c++)
    CHECK_I64(ITEMS / 4 * (c - 1), sums[c]);
  CHECK_I64(-1, least);
  if (status == USW_OK)
    status = weighted_mean(n, u, v, &mean, options);
  CHECK_F64(1.5 * ITEMS, mean.sum);
  if (status == USW_OK)
    status = three_of(n, m, &sum, &smallest, &largest, options);
  CHECK_I64(ITEMS / 2, sum);
  CHECK(smallest == -1 && largest == 2);
  return status;
}

static usw_status_t nested(const double *u, const double *v, const usw_options_t *options) {
  double dot = 0, moment = 0, expected_dot = 0, expected_moment = 0;
  for (int j = 1; j < ROWS - 1; j++)
    for (int i = 1; i < COLUMNS - 1; i++) {
      expected_dot += x[j * COLUMNS + i] * y[j * COLUMNS + i];
      expected_moment += j * x[j * COLUMNS + i];
    }
  /** [nested_call] */
  usw_space_t inner = usw_space_2d(ROWS, COLUMNS);      /* the whole array */
  inner = usw_space_slice(inner, 0, 1, ROWS - 2, 1);    /* without its first and last row */
  inner = usw_space_slice(inner, 1, 1, COLUMNS - 2, 1); /* and without its first and last column */
  usw_status_t status = inner_products(&inner, u, v, &dot, &moment, options);
  /** [nested_call] */
  CHECK_F64(expected_dot, dot);
  CHECK_F64(expected_moment, moment);
  return status;
}

static usw_status_t one_calls(size_t n, const double *u, const float *samples) {
  /** [kokkos_location] */
  usw_located_f64_t where; /* .value, .index: the lowest index of the smallest element */
  usw_status_t status = usw_argmin(u, n, &where);
  /** [kokkos_location] */
  CHECK_F64(0, where.value);
  CHECK_I64(0, where.index);
  /** [cub] */
  float total = 0;
  if (status == USW_OK)
    status = usw_sum(samples, n, &total);
  /** [cub] */
  CHECK_F64(ITEMS, total);
  return status;
}

int main(int argc, char **argv) {
  const test_place_t place = place_of_arguments(argc, argv);
  static float ones[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    x[i] = i % 4 * 2; /* 0, 2, 4, 6 */
    y[i] = 0.5;
    k[i] = i % 4 - 1;
    classes[i] = (uint8_t)(i % 4);
    ones[i] = 1;
  }
  place_memory_t u = memory_get(&place, x, sizeof x, 0), v = memory_get(&place, y, sizeof y, 0),
                 m = memory_get(&place, k, sizeof k, 0), c = memory_get(&place, classes, sizeof classes, 0);
  const usw_options_t options = place_options(&place);
  CHECK_STATUS(USW_OK, kernels(ITEMS, (const double *)u.data, (const double *)v.data, (const int32_t *)m.data,
                               (const uint8_t *)c.data, &options));
  CHECK_STATUS(USW_OK, nested((const double *)u.data, (const double *)v.data, &options));
  CHECK_STATUS(USW_OK, one_calls(ITEMS, x, ones)); /* host addresses: they run where their data is */
  memory_free(&u);
  memory_free(&v);
  memory_free(&m);
  memory_free(&c);
  return check_report();
}
