/* Scans on the host, beside a copy by as many threads and a loop on one: sums of doubles, medians of 21 rounds in which all take turns.
 *   clang -O3 -march=native -fopenmp -std=c11 perf/scans/host.c -Iinclude -Lbuild/quick -lupsweep -Wl,-rpath,$PWD/build/quick -o host && ./host
 * By clang, so that program and library have one OpenMP runtime. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upsweep/upsweep.h>

enum { ROUNDS = 21, FEWEST = 10, MOST = 26, STEP = 4, WAYS = 3, LITTLE = 1 << 16 };

static const double *x;
static double *y;

static void scan(size_t n) {
  if (usw_scan_inclusive(USW_PLUS, USW_F64, x, n, y, NULL) != USW_OK)
    exit(1);
}

static void copy(size_t n) {
  if (n < LITTLE) {
    memcpy(y, x, n * sizeof *y);
    return;
  }
#pragma omp parallel
  {
    const size_t part = n / (size_t)omp_get_num_threads(), first = part * (size_t)omp_get_thread_num();
    memcpy(y + first, x + first, part * sizeof *y);
  }
}

static void loop(size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    y[i] = sum += x[i];
  __asm__ volatile("" ::"r"(y) : "memory");
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  const double first = *(const double *)a, second = *(const double *)b;
  return first < second ? -1 : first > second;
}

static void measure(int logarithm) {
  static void (*const ways[WAYS])(size_t) = {scan, copy, loop};
  const size_t n = (size_t)1 << logarithm;
  const int repeats = n < LITTLE ? 2000 : 1;
  double times[WAYS][ROUNDS];
  for (int round = 0; round < ROUNDS; round++)
    for (int way = 0; way < WAYS; way++) {
      const double start = seconds();
      for (int k = 0; k < repeats; k++)
        ways[way](n);
      times[way][round] = (seconds() - start) / repeats * 1e6;
    }
  for (int way = 0; way < WAYS; way++)
    qsort(times[way], ROUNDS, sizeof(double), compare);
  printf("2^%d doubles, us: scan %.2f, copy %.2f, loop on one thread %.2f\n", logarithm, times[0][ROUNDS / 2],
         times[1][ROUNDS / 2], times[2][ROUNDS / 2]);
}

int main(void) {
  const size_t most = (size_t)1 << MOST;
  double *const elements = malloc(most * sizeof *elements);
  y = malloc(most * sizeof *y);
  if (!elements || !y)
    return 1;
#pragma omp parallel for
  for (size_t i = 0; i < most; i++) {
    elements[i] = (double)(i % 1000) - 499;
    y[i] = 0;
  }
  x = elements;
  for (int logarithm = FEWEST; logarithm <= MOST; logarithm += STEP)
    measure(logarithm);
  free(elements);
  free(y);
  return 0;
}
