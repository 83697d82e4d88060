/* OpenMP's reduction clause: loops of more than 2^31 items.
 * By hand: cc -O2 -fopenmp large_loops.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run large %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell large %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

/* Sums of 1 in 64 bits: over 2^31 items, where 32 bits do not do. */
static double rectangle_of_ints(int rows, int columns) {
  long r = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) collapse(2) reduction(+ : r)
#else
#pragma omp parallel for collapse(2) reduction(+ : r)
#endif
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      r += 1;
  return (double)r;
}

static double line(long n) {
  long r = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (long i = 0; i < n; i++)
    r += i & 1;
  return (double)r;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  const int more = count - count; /* 0, which the compiler does not know */
  CASE(line_of_2e31_and_7, line(more + 2147483655L), 1073741827);
  CASE(collapse_of_ints, rectangle_of_ints(more + 65536, more + 32769), 2147549184);
  return 0;
}
