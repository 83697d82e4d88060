#include "significance.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

typedef struct ranked {
  double value;
  int is_left;
} ranked_t;

static int compare_ranked(const void *left, const void *right) {
  const ranked_t *a = left, *b = right;
  return compare_numbers(&a->value, &b->value);
}

/* p of a U of samples with m and n values; `ties` is the sum of t^3 - t over groups of t equal values. */
static double p_of(double u, double m, double n, double ties) {
  const double all = m + n, mean = m * n / 2;
  const double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
  if (!(variance > 0))
    return 1;
  const double distance = fabs(u - mean) - 0.5; /* U has whole steps, the normal distribution has none */
  return distance > 0 ? erfc(distance / sqrt(2 * variance)) : 1;
}

double bench_mann_whitney(const double *left, int left_count, const double *right, int right_count) {
  const int count = left_count + right_count;
  if (left_count < 1 || right_count < 1)
    return 1;
  ranked_t *all = malloc((size_t)count * sizeof *all);
  if (!all)
    return -1;
  for (int k = 0; k < count; k++)
    all[k] = (ranked_t){k < left_count ? left[k] : right[k - left_count], k < left_count};
  qsort(all, (size_t)count, sizeof *all, compare_ranked);
  double ranks = 0, ties = 0; /* ranks: the sum of those of the left sample */
  for (int first = 0, end; first < count; first = end) {
    int lefts = 0;
    for (end = first; end < count && all[end].value == all[first].value; end++)
      lefts += all[end].is_left;
    const double equal = end - first;
    ranks += lefts * (first + 1 + end) / 2.0; /* equal values share the mean of their ranks */
    ties += equal * equal * equal - equal;
  }
  free(all);
  const double m = left_count, n = right_count;
  return p_of(ranks - m * (m + 1) / 2, m, n, ties);
}

double bench_mann_whitney_least(int left_count, int right_count) {
  return left_count < 1 || right_count < 1 ? 1 : p_of(0, left_count, right_count, 0);
}

typedef struct tested {
  double p;
  int position;
} tested_t;

static int compare_tested(const void *left, const void *right) {
  const tested_t *a = left, *b = right;
  return compare_numbers(&a->p, &b->p);
}

int bench_holm(double *p, int count) {
  tested_t *tests = malloc((size_t)count * sizeof *tests + 1);
  int test_count = 0;
  if (!tests)
    return -1;
  for (int k = 0; k < count; k++)
    if (!isnan(p[k]))
      tests[test_count++] = (tested_t){p[k], k};
  qsort(tests, (size_t)test_count, sizeof *tests, compare_tested);
  double most = 0;
  for (int k = 0; k < test_count; k++) {
    most = fmax(most, fmin(1, tests[k].p * (test_count - k)));
    p[tests[k].position] = most;
  }
  free(tests);
  return 0;
}

double bench_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_numbers);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
