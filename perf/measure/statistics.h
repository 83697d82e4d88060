/* Wall clock, and what is said of repeated measurements. Times are in seconds. */
#ifndef MEASURE_STATISTICS_H
#define MEASURE_STATISTICS_H

#include <stddef.h>

typedef struct bench_statistics {
  double least, first_quartile, median, third_quartile;
} bench_statistics_t;

double bench_now(void);

/* Describes `count` times, at least one; quartiles are interpolated. All NaN where memory is short. */
bench_statistics_t bench_describe_times(const double *seconds, size_t count);

#endif
