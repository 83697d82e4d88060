/* OpenMP's reduction clause: more teams than 1024, where runtimes have buffers of that size.
 * By hand: cc -O2 -fopenmp many_teams.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run teams %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell teams %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 1 << 20 };
static const double expected = 3 + N * (N - 1.0) / 2;

static double teams_1(void) {
  double r = 3;
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(64) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double teams_1024(void) {
  double r = 3;
#pragma omp target teams distribute parallel for num_teams(1024) thread_limit(64) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double teams_1025(void) {
  double r = 3;
#pragma omp target teams distribute parallel for num_teams(1025) thread_limit(64) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double teams_4096(void) {
  double r = 3;
#pragma omp target teams distribute parallel for num_teams(4096) thread_limit(64) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double teams_20000(void) {
  double r = 3;
#pragma omp target teams distribute parallel for num_teams(20000) thread_limit(64) map(tofrom : r) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

/* Schedules that say the same as the default on a GPU; clang 19 leaves out items under them on a CPU. */
static double chunks_of_teams_4096(void) {
  double r = 3;
#pragma omp target teams num_teams(4096) thread_limit(64) map(tofrom : r) reduction(+ : r)
#pragma omp distribute parallel for dist_schedule(static, 64) schedule(static, 1) reduction(+ : r)
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double three_variables_2048(void) { /* a record of 24 bytes: more than one word a team */
  double a = 1, b = 1, c = 1;
#pragma omp target teams distribute parallel for num_teams(2048) thread_limit(64) map(tofrom : a, b, c)                \
    reduction(+ : a, b, c)
  for (int i = 0; i < N; i++)
    a += i, b += 1, c -= i;
  return a + b + c;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  CASE(teams_1, teams_1(), expected);
  CASE(teams_1024, teams_1024(), expected);
  CASE(teams_1025, teams_1025(), expected);
  CASE(teams_4096, teams_4096(), expected);
  CASE(teams_20000, teams_20000(), expected);
  CASE(chunks_of_teams_4096, chunks_of_teams_4096(), expected);
  CASE(three_variables_2048, three_variables_2048(), 3 + N);
  return 0;
}
