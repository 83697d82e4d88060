#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
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

bench_statistics_t bench_describe_times(const double *seconds, size_t count) {
  double *sorted = malloc(count * sizeof *sorted);
  if (!sorted)
    return (bench_statistics_t){NAN, NAN, NAN, NAN};
  memcpy(sorted, seconds, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare);
  const bench_statistics_t statistics = {sorted[0], quantile(sorted, count, 0.25), quantile(sorted, count, 0.5),
                                         quantile(sorted, count, 0.75)};
  free(sorted);
  return statistics;
}
