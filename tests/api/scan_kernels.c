/* Kernels that scan (USW_SCAN) by chance: what a body sees is what the items before it come to, behind the original values; several reducers,
 * outputs of its own and of other elements, operators that do not commute, restarts, over many tiles, groups and rows of them.
 *   scan_kernels [--place NAME] [--runs N] [--seed N] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "scan_kernels.h"

#include "by_chance.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ITEMS = 300000, FEW_ITEMS = 20000, OUTPUTS = 3 };

static test_place_t place;
static int is_slow;

static size_t some_items(void) {
  const size_t most = is_slow ? FEW_ITEMS : MOST_ITEMS;
  return chance(5) == 0 ? chance(most) : chance(5000);
}

static usw_options_t some_options(void) {
  usw_options_t options = place_options(&place);
  options.teams = chance(4) == 0 ? 1 + (uint32_t)chance(20) : 0;
  return options;
}

/* What select_above() writes, one item after the other. */
static void expect_selection(size_t n, const double *x, double least, double *running, float *most_before,
                             uint32_t *number, double *sum, float *most, uint64_t *kept) {
  for (size_t i = 0; i < n; i++) {
    most_before[i] = *most;
    *sum += x[i];
    *most = (float)x[i] > *most ? (float)x[i] : *most;
    running[i] = *sum;
    if (x[i] > least)
      number[(*kept)++] = (uint32_t)i;
  }
}

static void select_some(uint64_t seed) {
  char note[100];
  chance_begin(seed);
  const size_t n = some_items();
  const usw_options_t options = some_options();
  const double least = (double)chance(17) - 8;
  const int is_fresh = (int)chance(2);
  double *const x = (double *)calloc(n + 1, sizeof *x), sum = 5, wanted_sum = is_fresh ? 0 : sum;
  float most = 2.5f, wanted_most = is_fresh ? -INFINITY : most;
  uint64_t kept = 0, wanted_kept = 0;
  const size_t bytes[OUTPUTS] = {n * sizeof(double), n * sizeof(float), n * sizeof(uint32_t)};
  char *wanted[OUTPUTS], *found[OUTPUTS];
  place_memory_t out[OUTPUTS];
  for (size_t i = 0; i < n; i++)
    x[i] = (double)chance(17) - 8;
  place_memory_t in = device_memory_get(&place, x, (n + 1) * sizeof *x, 0);
  for (int o = 0; o < OUTPUTS; o++) {
    wanted[o] = (char *)calloc(n + 1, 8);
    found[o] = (char *)calloc(n + 1, 8);
    out[o] = device_memory_get(&place, found[o], bytes[o] + 8, chance(3) == 0 ? 8 : 0);
  }
  snprintf(note, sizeof note, "seed %llu: select_above of %zu items, fresh %d, teams %u", (unsigned long long)seed, n,
           is_fresh, options.teams);
  expect_selection(n, x, least, (double *)(void *)wanted[0], (float *)(void *)wanted[1], (uint32_t *)(void *)wanted[2],
                   &wanted_sum, &wanted_most, &wanted_kept);
  CHECK_STATUS(USW_OK, (is_fresh ? select_above_fresh : select_above)(
                           n, (double *)in.data, least, (double *)out[0].data, (float *)out[1].data,
                           (uint32_t *)out[2].data, &sum, &most, &kept, &options));
  for (int o = 0; o < OUTPUTS; o++) {
    memory_read(&out[o], found[o], bytes[o]);
    CHECK_AT(memcmp(wanted[o], found[o], bytes[o]) == 0, note);
    device_memory_free(&out[o]);
    free(wanted[o]);
    free(found[o]);
  }
  CHECK_F64(wanted_sum, sum);
  CHECK_F64(wanted_most, most);
  CHECK_AT(wanted_kept == kept, note);
  device_memory_free(&in);
  free(x);
}

/* A tile of so large an accumulator is of few items: `n` may be of several rows of tiles. */
static void map_items(uint64_t seed, size_t n) {
  char note[100];
  chance_begin(seed);
  const usw_options_t options = some_options();
  uint8_t *const x = (uint8_t *)calloc(n + 1, 1);
  affine_t *const wanted = (affine_t *)calloc(2 * n + 1, sizeof *wanted), *const found = wanted + n;
  affine_t map = {3, 4}, same = {5, 6}, wanted_map = map, wanted_same = same;
  for (size_t i = 0; i < n; i++)
    x[i] = (uint8_t)chance(256);
  place_memory_t in = device_memory_get(&place, x, n + 1, chance(2));
  place_memory_t out = device_memory_get(&place, wanted, (2 * n + 1) * sizeof *wanted, 0);
  snprintf(note, sizeof note, "seed %llu: running_maps of %zu items, teams %u", (unsigned long long)seed, n,
           options.teams);
  affine_t *const before = (affine_t *)out.data;
  CHECK_STATUS(USW_OK, running_maps(n, (uint8_t *)in.data, before, before + n, &map, &same, &options));
  memory_read(&out, wanted, 2 * n * sizeof *wanted);
  int is_right = 1;
  for (size_t i = 0; i < n; i++) {
    const affine_t of_item = {2 * (uint64_t)x[i] + 3, i};
    is_right &= memcmp(&wanted[i], &wanted_map, sizeof wanted_map) == 0;
    wanted_map = compose(wanted_map, of_item);
    wanted_same = compose(wanted_same, of_item);
    is_right &= memcmp(&found[i], &wanted_same, sizeof wanted_same) == 0;
  }
  CHECK_AT(is_right, note);
  CHECK_AT(memcmp(&wanted_map, &map, sizeof map) == 0 && memcmp(&wanted_same, &same, sizeof same) == 0, note);
  device_memory_free(&in);
  device_memory_free(&out);
  free(x);
  free(wanted);
}

/* Elements and those before them, at any stride and alignment. */
static void change(uint64_t seed) {
  char note[100];
  chance_begin(seed);
  const size_t n = some_items(), stride = 1 + chance(2);
  usw_options_t options = some_options();
  int32_t *const x = (int32_t *)calloc(2 * (n + 1), sizeof *x), *const wanted = (int32_t *)calloc(2 * n + 1, sizeof *x);
  uint8_t *const y = (uint8_t *)calloc(n + 1, 1);
  uint64_t *const so_far = (uint64_t *)calloc(2 * n + 1, sizeof *so_far), count = 0, wanted_count = 0;
  for (size_t i = 0; i < n; i++) {
    x[i * stride] = i > 0 && chance(2) ? x[(i - 1) * stride] : (int32_t)chance(5);
    y[i] = i > 0 && chance(2) ? y[i - 1] : (uint8_t)chance(3);
    const int32_t by = i == 0 ? 0 : x[i * stride] - x[(i - 1) * stride] + 1000 * (y[i] - y[i - 1]);
    if (by != 0)
      wanted[wanted_count++] = by;
    so_far[i] = wanted_count;
  }
  options.stride[0] = (ptrdiff_t)stride;
  place_memory_t of_x = device_memory_get(&place, x, 2 * (n + 1) * sizeof *x, 4 * chance(2));
  place_memory_t of_y = device_memory_get(&place, y, n + 1, chance(2));
  place_memory_t counts = device_memory_get(&place, so_far + n, (n + 1) * sizeof *so_far, 0);
  place_memory_t differences = device_memory_get(&place, wanted + n, (n + 1) * sizeof *wanted, 0);
  snprintf(note, sizeof note, "seed %llu: changes of %zu items, stride %zu", (unsigned long long)seed, n, stride);
  CHECK_STATUS(USW_OK, changes(n, (int32_t *)of_x.data, (uint8_t *)of_y.data, (uint64_t *)counts.data,
                               (int32_t *)differences.data, &count, &options));
  memory_read(&counts, so_far + n, n * sizeof *so_far);
  memory_read(&differences, wanted + n, wanted_count * sizeof *wanted);
  CHECK_AT(count == wanted_count, note);
  CHECK_AT(memcmp(so_far, so_far + n, n * sizeof *so_far) == 0, note);
  CHECK_AT(memcmp(wanted, wanted + n, wanted_count * sizeof *wanted) == 0, note);
  device_memory_free(&of_x);
  device_memory_free(&of_y);
  device_memory_free(&counts);
  device_memory_free(&differences);
  free(x);
  free(y);
  free(wanted);
  free(so_far);
}

/* How far apart scans begin anew: at many items of a block, at few tiles, at none. */
static size_t some_distance(void) {
  static const size_t distances[] = {1, 2, 40, 3000, 60000, SIZE_MAX};
  return distances[chance(sizeof distances / sizeof *distances)];
}

/* Two reducers that begin anew, behind original values or not. */
static void spell(uint64_t seed) {
  char note[100];
  chance_begin(seed);
  const size_t n = some_items(), distance = some_distance();
  const usw_options_t options = some_options();
  const int is_fresh = (int)chance(2);
  double *const x = (double *)calloc(3 * n + 1, sizeof *x), *const wanted = x + n, *const running = wanted + n;
  float *const before = (float *)calloc(2 * n + 1, sizeof *before), *const wanted_before = before + n;
  double sum = 5, wanted_sum = is_fresh ? 0 : sum;
  float most = 2.5f, wanted_most = is_fresh ? -INFINITY : most;
  for (size_t i = 0; i < n; i++) {
    x[i] = chance(distance) == 0 ? -1 - (double)chance(9) : (double)chance(9);
    wanted_sum = x[i] < 0 ? 0 : wanted_sum;
    wanted_most = x[i] < 0 ? -INFINITY : wanted_most;
    wanted_before[i] = wanted_most;
    wanted[i] = wanted_sum += x[i];
    wanted_most = (float)x[i] > wanted_most ? (float)x[i] : wanted_most;
  }
  place_memory_t in = device_memory_get(&place, x, (n + 1) * sizeof *x, 0);
  place_memory_t sums = device_memory_get(&place, running, (n + 1) * sizeof *x, chance(3) == 0 ? 8 : 0);
  place_memory_t most_before = device_memory_get(&place, before, (n + 1) * sizeof *before, 0);
  snprintf(note, sizeof note, "seed %llu: spells of %zu items, fresh %d, teams %u", (unsigned long long)seed, n,
           is_fresh, options.teams);
  CHECK_STATUS(USW_OK, (is_fresh ? spells_fresh : spells)(n, (double *)in.data, (double *)sums.data,
                                                          (float *)most_before.data, &sum, &most, &options));
  memory_read(&sums, running, n * sizeof *x);
  memory_read(&most_before, before, n * sizeof *before);
  CHECK_AT(memcmp(wanted, running, n * sizeof *x) == 0, note);
  CHECK_AT(memcmp(wanted_before, before, n * sizeof *before) == 0, note);
  CHECK_AT(wanted_sum == sum && wanted_most == most, note);
  device_memory_free(&in);
  device_memory_free(&sums);
  device_memory_free(&most_before);
  free(x);
  free(before);
}

/* Operators that need the order of the items, and one without an identity. */
static void ascend(uint64_t seed) {
  char note[100];
  chance_begin(seed);
  const size_t n = some_items(), distance = some_distance();
  const usw_options_t options = some_options();
  uint16_t *const x = (uint16_t *)calloc(n + 1, sizeof *x);
  affine_t *const wanted = (affine_t *)calloc(4 * n + 1, sizeof *wanted), *const found = wanted + 2 * n;
  affine_t map = {3, 4}, same = {5, 6}, wanted_map = map, wanted_same = same;
  for (size_t i = 0; i < n; i++) {
    const int falls = i > 0 && x[i - 1] > 0 && chance(distance) == 0;
    x[i] = (uint16_t)(i == 0 ? 1 : falls ? x[i - 1] - 1 : x[i - 1] + (chance(8) == 0));
    const affine_t of_item = {2 * (uint64_t)x[i] + 3, i};
    wanted[i] = wanted_map = falls ? affine_one() : wanted_map;
    wanted_map = compose(wanted_map, of_item);
    wanted[n + i] = wanted_same = falls ? of_item : compose(wanted_same, of_item);
  }
  place_memory_t in = device_memory_get(&place, x, (n + 1) * sizeof *x, 2 * chance(2));
  place_memory_t out = device_memory_get(&place, found, (2 * n + 1) * sizeof *found, 0);
  snprintf(note, sizeof note, "seed %llu: ascents of %zu items, teams %u", (unsigned long long)seed, n, options.teams);
  affine_t *const before = (affine_t *)out.data;
  CHECK_STATUS(USW_OK, ascents(n, (uint16_t *)in.data, before, before + n, &map, &same, &options));
  memory_read(&out, found, 2 * n * sizeof *found);
  CHECK_AT(memcmp(wanted, found, 2 * n * sizeof *found) == 0, note);
  CHECK_AT(memcmp(&wanted_map, &map, sizeof map) == 0 && memcmp(&wanted_same, &same, sizeof same) == 0, note);
  device_memory_free(&in);
  device_memory_free(&out);
  free(x);
  free(wanted);
}

/* A plan of a kernel, run and bound, behind original values. */
static void run_by_plan(void) {
  enum { N = 5000 };
  static double x[N], running[N], expected[N];
  static float most[N], expected_most[N];
  static uint32_t number[N], expected_number[N];
  usw_options_t options = place_options(&place);
  usw_plan_t *plan = NULL;
  for (int i = 0; i < N; i++)
    x[i] = i * 7 % 11 - 4;
  place_memory_t items = device_memory_get(&place, x, sizeof x, 0);
  place_memory_t of_running = device_memory_get(&place, running, sizeof running, 0);
  place_memory_t of_most = device_memory_get(&place, most, sizeof most, 0);
  place_memory_t of_number = device_memory_get(&place, number, sizeof number, 0);
  CHECK_STATUS(USW_OK, select_above_plan_create(&plan, &options));
  for (int way = 0; way < 2; way++) {
    double sum = 10, expected_sum = 10;
    float largest = 5, expected_largest = 5;
    uint64_t kept = 0, expected_kept = 0;
    expect_selection(N, x, 3, expected, expected_most, expected_number, &expected_sum, &expected_largest,
                     &expected_kept);
    if (way == 0)
      CHECK_STATUS(USW_OK, select_above_plan_run(N, (const double *)items.data, 3, (double *)of_running.data,
                                                 (float *)of_most.data, (uint32_t *)of_number.data, &sum, &largest,
                                                 &kept, plan));
    else
      CHECK_STATUS(USW_OK, select_above_plan_bind(N, (const double *)items.data, 3, (double *)of_running.data,
                                                  (float *)of_most.data, (uint32_t *)of_number.data, &sum, &largest,
                                                  &kept, plan));
    if (way == 1)
      CHECK_STATUS(USW_OK, usw_plan_run_bound(plan));
    memory_read(&of_running, running, sizeof running);
    memory_read(&of_number, number, sizeof number);
    CHECK(memcmp(expected, running, sizeof running) == 0 && sum == expected_sum && largest == expected_largest);
    CHECK(kept == expected_kept && memcmp(expected_number, number, kept * sizeof *number) == 0);
  }
  usw_plan_destroy(plan);
  device_memory_free(&items);
  device_memory_free(&of_running);
  device_memory_free(&of_most);
  device_memory_free(&of_number);
}

static void misuse(void) {
  const usw_options_t options = place_options(&place);
  double x[4] = {1, 2, 3, 4}, running[4], sum = 0;
  float most[4], largest = 0;
  uint32_t number[4];
  uint64_t kept = 0;
  CHECK_STATUS(USW_ERROR_INVALID, select_above(4, NULL, 0, running, most, number, &sum, &largest, &kept, &options));
  CHECK_STATUS(USW_ERROR_INVALID, select_above(4, x, 0, x + 1, most, number, &sum, &largest, &kept, &options));
  CHECK_F64(0, sum);
}

static void run(uint64_t seed) {
  select_some(seed);
  map_items(seed, some_items());
  change(seed);
  spell(seed);
  ascend(seed);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  is_slow = strcmp(place.target, "simt") == 0;
  run_by_chance(argc, argv, &place, (case_counts_t){40, 200, 10000}, run);
  map_items(1, (size_t)5 << 17); /* two rows of tiles and a half */
  run_by_plan();
  misuse();
  return check_report();
}
