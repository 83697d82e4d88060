/* Exact sums and their rounding, against sums that are known: from powers of two, in every order, near every edge. */
#include "oracle/exact.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/check.h"

static const format_t f64 = {53, -1074, DBL_MAX}, f32 = {24, -149, FLT_MAX};

static double sum_of(const double *x, int n, format_t format) {
  exact_t sum = {0};
  for (int i = 0; i < n; i++)
    exact_add(&sum, x[i]);
  return (double)exact_rounded(&sum, format);
}

#define SUM(format, ...)                                                                                               \
  sum_of((const double[]){__VA_ARGS__}, (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)), format)

static void sums(void) {
  const exact_t nothing = {0};
  CHECK_F64(0, (double)exact_rounded(&nothing, f64));
  CHECK_F64(0, SUM(f64, -0.0));
  CHECK_F64(1.5, SUM(f64, 1e300, 1, -1e300, 0.5));
  CHECK_F64(-0x1p-1074, SUM(f64, 1e308, -0x1p-1074, -1e308));
  CHECK_F64(-1, SUM(f64, -1e16, 3, 1e16, -4));
  CHECK_F64(DBL_MAX, SUM(f64, DBL_MAX, DBL_MAX, -DBL_MAX));
  CHECK_F64(INFINITY, SUM(f64, DBL_MAX, 0x1p970));
  CHECK_F64(DBL_MAX, SUM(f64, DBL_MAX, 0x1.fffffffffffffp969));
  CHECK_F64(-INFINITY, SUM(f32, -(double)FLT_MAX, -0x1p103));
  CHECK_F64(-INFINITY, SUM(f64, 1, -INFINITY));
  CHECK_F64(NAN, SUM(f64, INFINITY, -INFINITY));
  CHECK_F64(NAN, SUM(f64, NAN, 1));
}

/* Halves of a last bit go to the even neighbour; the smallest thing beside one decides. */
static void ties(void) {
  CHECK_F64(1, SUM(f64, 1, 0x1p-53));
  CHECK_F64(1 + 0x1p-52, SUM(f64, 1, 0x1p-53, 0x1p-1074));
  CHECK_F64(1, SUM(f64, 1, 0x1p-53, -0x1p-1074));
  CHECK_F64(1 + 0x1p-51, SUM(f64, 1 + 0x1p-52, 0x1p-53));
  CHECK_F64(2, SUM(f64, 0x1.fffffffffffffp0, 0x1p-53));
  CHECK_F64(1 + 0x1p-23, SUM(f32, 1, 0x1p-24, 0x1p-900));
  CHECK_F64(0, SUM(f32, 0x1p-150));
  CHECK_F64(0x1p-149, SUM(f32, 0x1p-150, 0x1p-1000));
  CHECK_F64(-0x1p-148, SUM(f32, -0x1p-149, -0x1p-150));
}

static void products(void) {
  exact_t sum = {0};
  exact_add_product(&sum, DBL_TRUE_MIN, DBL_TRUE_MIN);
  CHECK(exact_value(&sum) == 0x1p-2148L);
  exact_add_product(&sum, DBL_MAX, DBL_MAX);
  exact_add_product(&sum, -DBL_MAX, DBL_MAX);
  exact_add_product(&sum, -DBL_TRUE_MIN, DBL_TRUE_MIN);
  CHECK(exact_value(&sum) == 0);
  exact_add_product(&sum, 1 + DBL_EPSILON, 1 - DBL_EPSILON);
  exact_add(&sum, -1);
  CHECK(exact_value(&sum) == -0x1p-104L);
  exact_add_product(&sum, 0, INFINITY);
  CHECK(isnan(exact_value(&sum)));
}

/* What was added in any order and taken away again leaves what was there before: all bits of all exponents. */
static void and_back(void) {
  enum { ITEMS = 20000 };
  static double x[ITEMS], y[ITEMS];
  exact_t sum = {0};
  srand(1);
  for (int i = 0; i < ITEMS; i++) {
    x[i] = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 2000 - 1000);
    y[i] = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 2000 - 1000);
    exact_add(&sum, x[i]);
    exact_add_product(&sum, x[i], y[i]);
  }
  exact_add(&sum, 0x1.8p-1070);
  for (int i = ITEMS - 1; i >= 0; i--) {
    exact_add_product(&sum, -y[i], x[i]);
    exact_add(&sum, -x[i]);
  }
  CHECK(exact_value(&sum) == 0x1.8p-1070L);
}

int main(void) {
  sums();
  ties();
  products();
  and_back();
  return check_report();
}
