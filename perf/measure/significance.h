/* Whether two samples differ by more than chance. */
#ifndef MEASURE_SIGNIFICANCE_H
#define MEASURE_SIGNIFICANCE_H

/* The two-sided Mann-Whitney U test: how likely samples of one distribution differ in rank by as much as these. Normal
 * approximation with the corrections for ties and for continuity; 1 where all values are equal or a sample is empty, -1
 * where there is no memory. The samples stay as they are. */
double bench_mann_whitney(const double *left, int left_count, const double *right, int right_count);

/* The smallest value that the test can give for samples of these sizes: no value of one among those of the other. */
double bench_mann_whitney_least(int left_count, int right_count);

/* Holm's correction for many tests: each p becomes the share of false alarms, of any test, at which it would be called
 * significant. NaNs are no tests. Returns 0, or -1 where there is no memory. */
int bench_holm(double *p, int count);

/* The median; sorts the values (at least one). */
double bench_median(double *values, int count);

#endif
