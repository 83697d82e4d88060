/* OpenMP's reduction clause: loops of no, one and few items, of other steps, of collapsed nests.
 * By hand: cc -O2 -fopenmp loops.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run loop %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell loop %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

static double count_to(int n) {
  double r = 1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (int i = 0; i < n; i++)
    r += i + 1;
  return r;
}

static double downwards(long n) {
  double r = 1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (long i = n; i > 0; i -= 3)
    r += (double)i;
  return r;
}

static double unsigned_steps(unsigned from, unsigned to) {
  double r = 1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (unsigned i = from; i <= to; i += 1000003u)
    r += 1;
  return r;
}

static double rectangle(int rows, int columns) {
  double r = 1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) collapse(2) reduction(+ : r)
#else
#pragma omp parallel for collapse(2) reduction(+ : r)
#endif
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      r += i * 1000.0 + j;
  return r;
}

static double box(int x, int y, int z) {
  double r = 1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) collapse(3) reduction(+ : r)
#else
#pragma omp parallel for collapse(3) reduction(+ : r)
#endif
  for (int i = 1; i <= x; i++)
    for (int j = -y; j < y; j += 2)
      for (int k = z; k > 0; k--)
        r += i * k;
  return r;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  const int more = count - count; /* 0, which the compiler does not know */
  CASE(items_0, count_to(more + 0), 1 + 0 * 1 / 2);
  CASE(items_1, count_to(more + 1), 1 + 1 * 2 / 2);
  CASE(items_2, count_to(more + 2), 1 + 2 * 3 / 2);
  CASE(items_31, count_to(more + 31), 1 + 31 * 32 / 2);
  CASE(items_33, count_to(more + 33), 1 + 33 * 34 / 2);
  CASE(items_1000, count_to(more + 1000), 1 + 1000 * 1001 / 2);
  CASE(items_minus_5, count_to(more - 5), 1);
  CASE(downwards_by_3, downwards(more + 3000), 1 + 1000.0 * (3000 + 3) / 2);
  CASE(downwards_none, downwards(more), 1);
  CASE(unsigned_to_4_billion, unsigned_steps((unsigned)more, 4000000000u), 1 + 4000);
  CASE(collapse_2, rectangle(more + 37, more + 211), 1 + 211.0 * 1000 * (36 * 37 / 2) + 37.0 * (210 * 211 / 2));
  CASE(collapse_2_no_columns, rectangle(more + 37, more), 1);
  CASE(collapse_2_no_rows, rectangle(more, more + 37), 1);
  CASE(collapse_3, box(more + 7, more + 5, more + 9), 1 + (7 * 8 / 2) * 5 * (9 * 10 / 2.0));
  return 0;
}
