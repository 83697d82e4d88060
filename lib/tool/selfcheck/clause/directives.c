/* OpenMP's reduction clause: target, teams, distribute, parallel and for, combined and apart.
 * By hand: cc -O2 -fopenmp directives.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run directive %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell directive %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 6000, EXPECTED = 3 + N * (N - 1) / 2 };

static double combined(void) {
  long r = 3;
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double target_parallel_for(void) {
  long r = 3;
#pragma omp target parallel for map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double target_then_rest(void) {
  long r = 3;
#pragma omp target map(tofrom : r)
#pragma omp teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double teams_then_distribute(void) {
  long r = 3;
#pragma omp target teams map(tofrom : r) reduction(+ : r)
#pragma omp distribute parallel for reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double distribute_then_parallel(void) {
  long r = 3;
#pragma omp target teams distribute map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i += 100) {
#pragma omp parallel for reduction(+ : r)
    for (int j = i; j < i + 100; j++)
      r += j;
  }
  return r;
}

static double distribute_only(void) {
  long r = 3;
#pragma omp target teams distribute map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double parallel_then_for(void) {
  long r = 3;
#pragma omp target map(tofrom : r)
#pragma omp parallel reduction(+ : r)
#pragma omp for
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
  CASE(combined, combined(), EXPECTED);
  CASE(target_parallel_for, target_parallel_for(), EXPECTED);
  CASE(target_then_rest, target_then_rest(), EXPECTED);
  CASE(teams_then_distribute, teams_then_distribute(), EXPECTED);
  CASE(distribute_then_parallel, distribute_then_parallel(), EXPECTED);
  CASE(distribute_only, distribute_only(), EXPECTED);
  CASE(parallel_then_for, parallel_then_for(), EXPECTED);
  return 0;
}
