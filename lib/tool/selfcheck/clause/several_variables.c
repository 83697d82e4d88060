/* OpenMP's reduction clause: several variables, operators and types in one region.
 * By hand: cc -O2 -fopenmp several_variables.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run several %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell several %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 5000 };

static double five_operators(void) {
  double sum = 0, least = 1e9, largest = -1e9;
  int bits = 0, all = 1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : sum, least, largest, bits, all) reduction(+ : sum)       \
    reduction(min : least) reduction(max : largest) reduction(| : bits) reduction(&& : all)
#else
#pragma omp parallel for reduction(+ : sum) reduction(min : least) reduction(max : largest) reduction(| : bits)        \
    reduction(&& : all)
#endif
  for (int i = 0; i < N; i++) {
    sum += i;
    least = i - 7 < least ? i - 7 : least;
    largest = i > largest ? i : largest;
    bits |= i & 1024;
    all = all && i >= 0;
  }
  return sum + least + largest + bits + all;
}

static double mixed_widths(void) {
  signed char narrow = 0;
  short medium = 0;
  int usual = 0;
  long long wide = 0;
  float single = 0;
  double both = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : narrow, medium, usual, wide, single, both)               \
    reduction(+ : narrow, medium, usual, wide, single, both)
#else
#pragma omp parallel for reduction(+ : narrow, medium, usual, wide, single, both)
#endif
  for (int i = 0; i < N; i++) {
    narrow = (signed char)(narrow + (i % 100 == 0));
    medium = (short)(medium + 1);
    usual += 2;
    wide += 1LL << 33;
    single += 1;
    both += 0.5;
  }
  return narrow + medium + usual + (double)wide + single + both;
}

static double sixteen(void) {
  long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, j = 0, k = 0, l = 0, m = 0, o = 0, p = 0, q = 0, s = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : a, b, c, d, e, f, g, h, j, k, l, m, o, p, q, s)          \
    reduction(+ : a, b, c, d, e, f, g, h, j, k, l, m, o, p, q, s)
#else
#pragma omp parallel for reduction(+ : a, b, c, d, e, f, g, h, j, k, l, m, o, p, q, s)
#endif
  for (int i = 0; i < N; i++) {
    a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8;
    j += 9, k += 10, l += 11, m += 12, o += 13, p += 14, q += 15, s += 16;
  }
  return (double)(a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h) +
         (double)(j + 3 * k + 5 * l + 7 * m + 11 * o + 13 * p + 17 * q + 19 * s);
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  CASE(five_operators, five_operators(), N * (N - 1) / 2 - 7 + N - 1 + 1024 + 1);
  CASE(mixed_widths, mixed_widths(), 50 + 5000 + 10000 + 5000 * 8589934592.0 + 5000 + 2500);
  CASE(sixteen, sixteen(),
       5000.0 * (1 + 3 * 2 + 5 * 3 + 7 * 4 + 11 * 5 + 13 * 6 + 17 * 7 + 19 * 8) +
           5000.0 * (9 + 3 * 10 + 5 * 11 + 7 * 12 + 11 * 13 + 13 * 14 + 17 * 15 + 19 * 16));
  return 0;
}
