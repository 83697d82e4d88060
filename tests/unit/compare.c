/* Comparisons of measurements whose noise is known: pairs of runs that differ by chance alone raise hardly any alarm, and a
 * slower kernel is found in nearly every pair. */
#include "measure/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { PAIRS = 200, CELLS = 8, ROUNDS = 30, COMPETITORS = 3 };

static uint64_t state = 20261122;

/* Of the normal distribution, by the sum of twelve of the even one. */
static double chance(void) {
  double sum = -6;
  for (int k = 0; k < 12; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(state >> 11) * 0x1p-53;
  }
  return sum;
}

static void add_entry(cJSON *results, int cell, const char *competitor, const double *us) {
  cJSON *entry = cJSON_CreateObject();
  char kernel[16];
  cJSON_AddItemToArray(results, entry);
  snprintf(kernel, sizeof kernel, "kernel%d", cell);
  cJSON_AddStringToObject(entry, "place", "gpu");
  cJSON_AddStringToObject(entry, "kernel", kernel);
  cJSON_AddStringToObject(entry, "type", "f64");
  cJSON_AddNumberToObject(entry, "n", 1 << 20);
  cJSON_AddStringToObject(entry, "competitor", competitor);
  cJSON_AddBoolToObject(entry, "peer", strcmp(competitor, "auto") != 0);
  cJSON_AddNumberToObject(entry, "median_us", us[0]);
  cJSON_AddNumberToObject(entry, "wrong_results", 0);
  cJSON_AddItemToObject(entry, "rounds_us", cJSON_CreateDoubleArray(us, ROUNDS));
}

/* A run: a machine that is faster or slower than the one before; memory that lies better or worse for each competitor of a
 * cell (0.5 %); rounds in which everybody is slow (5 %), calls that are noisy (2 %), and now and then one that takes twice
 * its time. Upsweep takes `factor` times its time in the first cell. */
static cJSON *make_run(double factor) {
  static const char *const names[COMPETITORS] = {"auto", "read", "cub"};
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", cJSON_CreateObject());
  cJSON *results = cJSON_AddArrayToObject(root, "results");
  const double machine = exp(0.05 * chance());
  for (int cell = 0; cell < CELLS; cell++) {
    double rounds[ROUNDS], us[ROUNDS];
    for (int r = 0; r < ROUNDS; r++)
      rounds[r] = exp(0.05 * chance());
    for (int k = 0; k < COMPETITORS; k++) {
      const double time = 200 * machine * exp(0.005 * chance()) * (k == 0 && cell == 0 ? factor : 1);
      for (int r = 0; r < ROUNDS; r++)
        us[r] = time * rounds[r] * exp(0.02 * chance()) * (chance() > 2.3 ? 2 : 1);
      add_entry(results, cell, names[k], us);
    }
  }
  return root;
}

/* Compares two new runs; the second one's first cell is slower by `factor`. Counts what was said of it and of others. */
static void compare_runs(double factor, int *found, int *false_alarms) {
  cJSON *roots[2] = {make_run(1), make_run(factor)};
  bench_measurement_t runs[2];
  bench_comparison_t comparison;
  for (int k = 0; k < 2; k++)
    CHECK_I64(0, bench_measurement_of(roots[k], k ? "after" : "before", &runs[k]));
  CHECK_I64(0, bench_compare(&runs[0], &runs[1], 0, &comparison));
  CHECK_I64(CELLS * (COMPETITORS - 1), comparison.count);
  int is_found = 0, is_false = 0;
  for (int s = 0; s < comparison.count; s++) {
    const bench_shift_t *shift = &comparison.shifts[s];
    const int is_slower = factor > 1 && strcmp(shift->kernel, "kernel0") == 0;
    is_found |= is_slower && shift->verdict == BENCH_REGRESSION;
    is_false |= shift->verdict != BENCH_SAME && !(is_slower && shift->verdict == BENCH_REGRESSION);
  }
  *found += is_found;
  *false_alarms += is_false;
  bench_comparison_free(&comparison);
  for (int k = 0; k < 2; k++) {
    bench_measurement_free(&runs[k]);
    cJSON_Delete(roots[k]);
  }
}

int main(void) {
  int found = 0, false_alarms = 0;
  for (int pair = 0; pair < PAIRS; pair++)
    compare_runs(1, &found, &false_alarms);
  check_count(false_alarms * 100 < PAIRS, __FILE__, __LINE__, "%d of %d pairs raise a false alarm", false_alarms,
              PAIRS);
  CHECK_I64(0, found);
  false_alarms = 0;
  for (int pair = 0; pair < PAIRS; pair++)
    compare_runs(1.10, &found, &false_alarms);
  check_count(found * 100 > 95 * PAIRS, __FILE__, __LINE__, "10 %% is found in %d of %d pairs", found, PAIRS);
  check_count(false_alarms * 100 < PAIRS, __FILE__, __LINE__, "%d of %d pairs raise a false alarm", false_alarms,
              PAIRS);
  return check_report();
}
