/* OpenMP's reduction clause: variables whose original values are not the operator's identity.
 * By hand: cc -O2 -fopenmp original_values.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run original %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell original %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 2000 };
static int at_file_scope = 11;

static double sum_from(double r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double product_from(double r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(* : r)
#else
#pragma omp parallel for reduction(* : r)
#endif
  for (int i = 0; i < N; i++)
    r *= i == 77 ? 2 : 1;
  return r;
}

static int least_from(int r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(min : r)
#else
#pragma omp parallel for reduction(min : r)
#endif
  for (int i = 0; i < N; i++)
    r = i < r ? i : r;
  return r;
}

static int largest_from(int r) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(max : r)
#else
#pragma omp parallel for reduction(max : r)
#endif
  for (int i = 0; i < N; i++)
    r = -i > r ? -i : r;
  return r;
}

static int at_file_scope_twice(void) { /* the second region begins with the first one's result */
  for (int turn = 0; turn < 2; turn++) {
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : at_file_scope) reduction(+ : at_file_scope)
#else
#pragma omp parallel for reduction(+ : at_file_scope)
#endif
    for (int i = 0; i < N; i++)
      at_file_scope += 1;
  }
  return at_file_scope;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  CASE(sum_from_1000_5, sum_from(1000.5), 1000.5 + N * (N - 1) / 2);
  CASE(sum_from_minus_3, sum_from(-3), -3 + N * (N - 1) / 2);
  CASE(product_from_3, product_from(3), 6);
  CASE(product_from_0, product_from(0), 0);
  CASE(min_from_below_all, least_from(-5), -5);
  CASE(min_from_above_all, least_from(5), 0);
  CASE(max_from_above_all, largest_from(5), 5);
  CASE(max_from_below_all, largest_from(-5000), 0);
  CASE(file_scope_twice, at_file_scope_twice(), 11 + 2 * N);
  return 0;
}
