/* OpenMP's reduction clause: sections whose lengths are known at run time only.
 * By hand: cc -O2 -fopenmp sections_runtime.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run section %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell section %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 9600 };

static double of_length(double *a, int m) {
  double weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a[0 : m]) reduction(+ : a[0 : m])
#else
#pragma omp parallel for reduction(+ : a[0 : m])
#endif
  for (int i = 0; i < N; i++)
    a[i % m] += 1;
  for (int k = 0; k < m; k++)
    weighted += (k + 1.0) * a[k];
  return weighted;
}

static double from_start(double *a, int from, int m) {
  double weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a[0 : from + m]) reduction(max : a[from : m])
#else
#pragma omp parallel for reduction(max : a[from : m])
#endif
  for (int i = 0; i < N; i++)
    a[from + i % m] = i > a[from + i % m] ? i : a[from + i % m];
  for (int k = 0; k < from + m; k++)
    weighted += (k + 1.0) * a[k];
  return weighted;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  double a[64] = {7}, b[8] = {-3, 5}, one[1] = {2};
  const int more = count - count; /* 0, which the compiler does not know */
  CASE(length_64, of_length(a, more + 64), 7 + 150.0 * 64 * 65 / 2);
  CASE(length_1, of_length(one, more + 1), 2 + N);
  CASE(start_2_length_4, from_start(b, more + 2, more + 4),
       -3 + 2 * 5 + 3.0 * (N - 4) + 4.0 * (N - 3) + 5.0 * (N - 2) + 6.0 * (N - 1));
  return 0;
}
