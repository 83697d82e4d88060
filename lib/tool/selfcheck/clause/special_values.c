/* OpenMP's reduction clause: minimum, maximum, sum and product of NaN, infinities, zeros, subnormals.
 * By hand: cc -O2 -fopenmp special_values.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run special %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell special %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 3001 };
static double x[N];
static const double *fill(double usual, double odd) { /* the odd one twice, the usual ones elsewhere */
  for (int i = 0; i < N; i++)
    x[i] = i == 17 || i == 2900 ? odd : usual;
  return x;
}

static double least(const double *x, double r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(to : x[0 : N]) map(tofrom : r) reduction(min : r)
#else
#pragma omp parallel for reduction(min : r)
#endif
  for (int i = 0; i < N; i++)
    r = x[i] < r ? x[i] : r;
  return r;
}

static double largest(const double *x, double r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(to : x[0 : N]) map(tofrom : r) reduction(max : r)
#else
#pragma omp parallel for reduction(max : r)
#endif
  for (int i = 0; i < N; i++)
    r = x[i] > r ? x[i] : r;
  return r;
}

static double sum(const double *x, double r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(to : x[0 : N]) map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (int i = 0; i < N; i++)
    r += x[i];
  return r;
}

static double product(const double *x, double r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(to : x[0 : N]) map(tofrom : r) reduction(* : r)
#else
#pragma omp parallel for reduction(* : r)
#endif
  for (int i = 0; i < N; i++)
    r *= x[i];
  return r;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  /* A comparison with a NaN is false, so that these loops pass it over. */
  CASE(min_with_nan, least(fill(3, NAN), 10), 3);
  CASE(max_with_nan, largest(fill(3, NAN), -10), 3);
  CASE(min_of_nan_only, least(fill(NAN, NAN), 10), 10);
  CASE(max_of_nan_only, largest(fill(NAN, NAN), -10), -10);
  CASE(min_with_minus_inf, least(fill(3, -INFINITY), 10), -INFINITY);
  CASE(max_with_inf, largest(fill(3, INFINITY), 10), INFINITY);
  CASE(min_of_inf_only, least(fill(INFINITY, INFINITY), INFINITY), INFINITY);
  CASE(max_of_minus_inf_only, largest(fill(-INFINITY, -INFINITY), -INFINITY), -INFINITY);
  CASE(min_of_zeros, least(fill(0.0, -0.0), 0.0), 0);
  CASE(max_of_zeros, largest(fill(-0.0, 0.0), -0.0), 0);
  CASE(max_of_negatives, largest(fill(-3, -2), -10), -2);
  CASE(min_of_the_largest, least(fill(DBL_MAX, DBL_MAX), INFINITY), DBL_MAX);
  CASE(min_of_subnormals, least(fill(DBL_MIN / 4, DBL_MIN / 8), 1), DBL_MIN / 8);
  CASE(sum_with_nan, sum(fill(1, NAN), 0), NAN);
  CASE(sum_with_inf, sum(fill(1, INFINITY), 0), INFINITY);
  CASE(sum_of_inf_and_minus_inf, sum((fill(1, INFINITY), x[5] = -INFINITY, x), 0), NAN);
  CASE(sum_beyond_the_largest, sum(fill(DBL_MAX, DBL_MAX), 0), INFINITY);
  CASE(sum_of_subnormals, sum(fill(DBL_MIN / 1024, DBL_MIN / 1024), 0), N * (DBL_MIN / 1024));
  CASE(product_with_inf, product(fill(1, INFINITY), 2), INFINITY);
  CASE(product_with_zero_and_inf, product((fill(1, INFINITY), x[5] = 0, x), 2), NAN);
  return 0;
}
