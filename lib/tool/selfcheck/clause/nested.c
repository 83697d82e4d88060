/* OpenMP's reduction clause: a reduction inside a region that reduces, too.
 * By hand: cc -O2 -fopenmp nested.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run nested %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell nested %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { ROWS = 300, COLUMNS = 40 };
static double row_sums(void) {
  static double sums[ROWS];
  double r = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute map(from : sums)
#else
#pragma omp parallel for num_threads(3)
#endif
  for (int row = 0; row < ROWS; row++) {
    double sum = row;
#pragma omp parallel for reduction(+ : sum)
    for (int column = 0; column < COLUMNS; column++)
      sum += column;
    sums[row] = sum * (row + 1);
  }
  for (int row = 0; row < ROWS; row++)
    r += sums[row];
  return r;
}

static double both_levels(void) {
  double r = 3;
#ifdef ON_DEVICE
#pragma omp target teams distribute map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for num_threads(3) reduction(+ : r)
#endif
  for (int row = 0; row < ROWS; row++) {
#pragma omp parallel for reduction(+ : r)
    for (int column = 0; column < COLUMNS; column++)
      r += row + column;
  }
  return r;
}

static double sum_of_least(void) {
  double r = 3;
#ifdef ON_DEVICE
#pragma omp target teams distribute map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for num_threads(3) reduction(+ : r)
#endif
  for (int row = 0; row < ROWS; row++) {
    int least = 1000;
#pragma omp parallel for reduction(min : least)
    for (int column = 0; column < COLUMNS; column++)
      least = row + column < least ? row + column : least;
    r += least;
  }
  return r;
}

static double serial_inside(void) {
  double r = 3;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (int row = 0; row < ROWS; row++) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int column = 0; column < COLUMNS; column++)
      sum += column;
    r += sum;
  }
  return r;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  double expected = 0;
  omp_set_max_active_levels(2);
  for (int row = 0; row < ROWS; row++)
    expected += (row + COLUMNS * (COLUMNS - 1) / 2) * (row + 1.0);
  CASE(row_sums, row_sums(), expected);
  CASE(both_levels, both_levels(), 3 + ROWS * COLUMNS * (COLUMNS - 1.0) / 2 + COLUMNS * ROWS * (ROWS - 1.0) / 2);
  CASE(sum_of_least, sum_of_least(), 3 + ROWS * (ROWS - 1.0) / 2);
  CASE(simd_inside, serial_inside(), 3 + ROWS * COLUMNS * (COLUMNS - 1.0) / 2);
  return 0;
}
