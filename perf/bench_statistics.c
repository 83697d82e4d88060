#include "bench_statistics.h"

#include <stdlib.h>
#include <time.h>

double bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double share) {
  const double place = share * (double)(count - 1);
  const size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

bench_statistics_t bench_describe_times(double *seconds, size_t count) {
  qsort(seconds, count, sizeof *seconds, compare);
  return (bench_statistics_t){seconds[0], quantile(seconds, count, 0.25), quantile(seconds, count, 0.5),
                              quantile(seconds, count, 0.75)};
}
