/* OpenMP's reduction clause: arrays and sections whose lengths are constants.
 * By hand: cc -O2 -fopenmp sections_constant.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run section %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell section %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 9600 };

static double middle(void) {
  double a[8] = {7, 0, 0, 0, 0, 0, 0, 9};
  double weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a) reduction(+ : a[2 : 4])
#else
#pragma omp parallel for reduction(+ : a[2 : 4])
#endif
  for (int i = 0; i < N; i++)
    a[2 + i % 4] += 1;
  for (int k = 0; k < 8; k++)
    weighted += (k + 1.0) * a[k];
  return weighted;
}

static double least_of_each(void) {
  int a[4] = {90, 90, 90, -90};
  double weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a) reduction(min : a[ : 4])
#else
#pragma omp parallel for reduction(min : a[ : 4])
#endif
  for (int i = 0; i < N; i++)
    a[i % 4] = i < a[i % 4] ? i : a[i % 4];
  for (int k = 0; k < 4; k++)
    weighted += (k + 1.0) * a[k];
  return weighted;
}

static double thousand(void) {
  static int a[1024];
  memset(a, 0, sizeof a);
  double weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a) reduction(+ : a)
#else
#pragma omp parallel for reduction(+ : a)
#endif
  for (int i = 0; i < N; i++)
    a[i % 1024] += 1;
  for (int k = 0; k < 1024; k++)
    weighted += (k + 1.0) * a[k];
  return weighted;
}

static double by_pointer(float *a) {
  double weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a[0 : 16]) reduction(+ : a[0 : 16])
#else
#pragma omp parallel for reduction(+ : a[0 : 16])
#endif
  for (int i = 0; i < N; i++)
    a[i % 16] += 1;
  for (int k = 0; k < 16; k++)
    weighted += (k + 1.0) * a[k];
  return weighted;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  float sixteen[16] = {7};
  CASE(middle, middle(), 7 + 2400.0 * (3 + 4 + 5 + 6) + 8 * 9);
  CASE(least_of_each, least_of_each(), 0 + 2 * 1 + 3 * 2 + 4 * -90);
  CASE(thousand, thousand(), 9.0 * 1024 * 1025 / 2 + 384.0 * 385 / 2);
  CASE(by_pointer, by_pointer(sixteen), 7 + 600.0 * 16 * 17 / 2);
  return 0;
}
