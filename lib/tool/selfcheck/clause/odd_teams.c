/* OpenMP's reduction clause: teams smaller than a sub-group (warp) or no multiple of it.
 * By hand: cc -O2 -fopenmp odd_teams.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run thread_limit %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell thread_limit %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 100003 };
static const double expected = 3 + N * (N - 1.0) / 2;

static double limit_1(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(1) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double limit_7(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(7) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double limit_16(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(16) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double limit_31(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(31) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double limit_33(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(33) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double limit_48(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(48) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double limit_1000(void) {
  double r = 3;
#pragma omp target teams distribute parallel for thread_limit(1000) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double threads_5_of_64(void) {
  double r = 3;
#pragma omp target teams distribute parallel for num_teams(8) thread_limit(64) num_threads(5) map(tofrom : r)          \
    reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  CASE(limit_1, limit_1(), expected);
  CASE(limit_7, limit_7(), expected);
  CASE(limit_16, limit_16(), expected);
  CASE(limit_31, limit_31(), expected);
  CASE(limit_33, limit_33(), expected);
  CASE(limit_48, limit_48(), expected);
  CASE(limit_1000, limit_1000(), expected);
  CASE(threads_5_of_64, threads_5_of_64(), expected);
  return 0;
}
