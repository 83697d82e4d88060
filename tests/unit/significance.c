/* The Mann-Whitney test and Holm's correction of usw bench --compare: against values of another implementation (SciPy's
 * mannwhitneyu(method="asymptotic")), against the exact test by counting all ways to deal two samples, and by hand. */
#include "measure/significance.h"

#include <math.h>
#include <stddef.h>

#include "support/check.h"

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static void check_near(double expected, double got, double tolerance, const char *what) {
  check_count(fabs(got - expected) <= tolerance, __FILE__, __LINE__, "%s: expected %.17g, got %.17g", what, expected,
              got);
}

static void known_values(void) {
  const double males[] = {19, 22, 16, 29, 24}, females[] = {20, 11, 17, 12};
  const double few[] = {1, 2, 2, 3, 3, 3, 4, 5}, more[] = {2, 3, 4, 4, 5, 5, 6, 7, 7};
  const double halves[] = {0.5, 1.5, 2.5}, wholes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const double equal[] = {1, 1, 1, 1};
  double low[30], high[30];
  for (int k = 0; k < 30; k++) {
    low[k] = k;
    high[k] = 100 - k;
  }
  check_near(0.11134688653314041, bench_mann_whitney(males, COUNT(males), females, COUNT(females)), 1e-15, "no ties");
  check_near(0.03175895714806371, bench_mann_whitney(few, COUNT(few), more, COUNT(more)), 1e-15, "ties");
  check_near(0.05191296493501827, bench_mann_whitney(halves, COUNT(halves), wholes, COUNT(wholes)), 1e-15,
             "other sizes");
  check_near(3.019859359162157e-11, bench_mann_whitney(low, COUNT(low), high, COUNT(high)), 1e-24, "apart");
  check_near(3.019859359162157e-11, bench_mann_whitney_least(COUNT(low), COUNT(high)), 1e-24, "the least");
  CHECK_F64(1.0, bench_mann_whitney(equal, COUNT(equal), equal, COUNT(equal)));
  CHECK_F64(1.0, bench_mann_whitney(males, COUNT(males), females, 0));
  CHECK_F64(1.0, bench_mann_whitney_least(0, 3));
  for (int k = 0; k < COUNT(few); k++) /* the samples change places */
    CHECK_F64(bench_mann_whitney(few, k + 1, more, COUNT(more)), bench_mann_whitney(more, COUNT(more), few, k + 1));
}

/* U of the left sample: pairs in which it is greater, ties as halves. */
static double u_of(const double *left, int left_count, const double *right, int right_count) {
  double u = 0;
  for (int a = 0; a < left_count; a++)
    for (int b = 0; b < right_count; b++)
      u += left[a] > right[b] ? 1 : left[a] == right[b] ? 0.5 : 0;
  return u;
}

enum { HALF = 8, ALL = 2 * HALF };

/* The share of all ways to deal the values into two samples of eight whose U is as far from its mean. */
static double exact_p(const double values[ALL]) {
  const double mean = HALF * HALF / 2.0, distance = fabs(u_of(values, HALF, values + HALF, HALF) - mean);
  int ways = 0, as_far = 0;
  for (unsigned dealt = 0; dealt < 1u << ALL; dealt++) {
    double hands[2][ALL];
    int counts[2] = {0, 0};
    for (int k = 0; k < ALL; k++) {
      const int hand = dealt >> k & 1;
      hands[hand][counts[hand]++] = values[k];
    }
    if (counts[0] != HALF)
      continue;
    ways++;
    as_far += fabs(u_of(hands[0], HALF, hands[1], HALF) - mean) >= distance;
  }
  return (double)as_far / ways;
}

static void against_exact(void) {
  uint64_t state = 12345;
  for (int round = 0; round < 24; round++) {
    double values[ALL];
    for (int k = 0; k < ALL; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const double noise = (double)(state >> 40) / (1 << 24);
      values[k] = noise + (k < HALF ? 0.05 * round : 0);
      if (round % 2)
        values[k] = floor(8 * values[k]); /* many ties */
    }
    check_near(exact_p(values), bench_mann_whitney(values, HALF, values + HALF, HALF), 0.02, "against the exact test");
  }
}

static void holm(void) {
  double p[] = {0.01, NAN, 0.04, 0.03, 0.005}, one[] = {0.2}, none[] = {NAN, NAN}, large[] = {0.6, 0.5};
  CHECK_I64(0, bench_holm(p, COUNT(p)));
  check_near(0.03, p[0], 1e-15, "0.01 x 3");
  CHECK(isnan(p[1]));
  check_near(0.06, p[2], 1e-15, "no smaller than the one before");
  check_near(0.06, p[3], 1e-15, "0.03 x 2");
  check_near(0.02, p[4], 1e-15, "0.005 x 4");
  CHECK_I64(0, bench_holm(one, 1));
  CHECK_F64(0.2, one[0]);
  CHECK_I64(0, bench_holm(none, COUNT(none)));
  CHECK(isnan(none[0]) && isnan(none[1]));
  CHECK_I64(0, bench_holm(large, COUNT(large)));
  CHECK_F64(1.0, large[0]);
  CHECK_F64(1.0, large[1]);
  CHECK_I64(0, bench_holm(NULL, 0));
}

static void median(void) {
  double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
  CHECK_F64(2.0, bench_median(odd, COUNT(odd)));
  CHECK_F64(2.5, bench_median(even, COUNT(even)));
}

int main(void) {
  known_values();
  against_exact();
  holm();
  median();
  return check_report();
}
