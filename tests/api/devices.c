/* Items of one call that several devices share (usw_options_t::devices): the bits of one place where bits do not depend on parts, the
 * bits of the same parts elsewhere; what fails and what is refused.   devices [--place NAME] */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/partial.h>
#include <upsweep/plan.h>
#include <upsweep/set.h>
#include <upsweep/upsweep.h>

#include "staging_kernels.h" /* before the oracle, whose names it must not meet */

#include "functions_called.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"
#ifdef USW_PORT_SIMT
#include "backend_simt.h"
#endif

#define USW_KERNEL halve
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, value)
#define USW_OUTPUTS(OUT) OUT(double, half)
#define USW_REDUCERS(R, S) R(double, highest, USW_MAXIMUM)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() {
  usw_write(half, value / 2);
  usw_combine(highest, value);
}
#include <upsweep/kernel_end.h>

enum {
  PART = 32768, /* doubles of the least part: shorter calls take fewer devices */
  ITEMS = 300007,
  LINE = 64,
  MOST = 8, /* devices */
  THREADS = 4,
  RUNS = 3
};

static test_place_t place;
static double x[ITEMS], y[ITEMS], halves[ITEMS];
static uint64_t a[ITEMS], c[ITEMS];
static float ax[ITEMS];
static int numbers[MOST]; /* of the devices */
static uint32_t device_count;

static void find_devices(void) {
  for (int device = 0; device < 64 && device_count < MOST; device++) {
    const char *target = usw_device_target(device);
    if (target && strcmp(target, place.target) == 0)
      numbers[device_count++] = device;
  }
}

static uint64_t mask_of(uint32_t count) {
  uint64_t mask = 0;
  for (uint32_t k = 0; k < count; k++)
    mask |= UINT64_C(1) << numbers[k];
  return mask;
}

static usw_options_t options_of(uint64_t devices) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .devices = devices};
  return options;
}

static const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};

/* ---- the library's functions ---- */

/* Whose results have the same bits however they are cut. */
static const function_t functions[] = {
    {USW_PLUS, USW_I64, USW_REPEATABLE, 1},   {USW_PLUS, USW_F64, USW_REPRODUCIBLE, 1},
    {USW_ARGMIN, USW_F64, USW_REPEATABLE, 1}, {USW_MAXIMUM, USW_F64, USW_REPEATABLE, 1},
    {USW_DOT, USW_F64, USW_REPRODUCIBLE, 2},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void same_as_host(const function_t *function, const double *first, const double *second, size_t n,
                         usw_options_t options, const char *what) {
  const row_t *row = row_find(function->operation, function->type);
  usw_options_t host = on_host;
  result_t expected, result;
  memcpy(host.stride, options.stride, sizeof host.stride);
  CHECK_STATUS(call(function, first, second, n, host, &expected), call(function, first, second, n, options, &result));
  check_count(results_equal(row, &expected, &result), __FILE__, __LINE__,
              "%s of %s, %s, n=%zu, devices 0x%llx: not the bits of the host", row->name, type_name(row->type), what, n,
              (unsigned long long)options.devices);
}

static void lengths(void) {
  static const size_t of_parts[] = {0,    1, 63, PART - 1, PART, 2 * PART - 1, 2 * PART, 3 * PART + 1, 4 * PART + 777,
                                    ITEMS};
  for (int f = 0; f < FUNCTIONS; f++)
    for (size_t l = 0; l < sizeof of_parts / sizeof *of_parts; l++)
      for (uint32_t count = 1; count <= device_count; count++)
        if (place_takes_next(&place, 3))
          same_as_host(&functions[f], x, y, of_parts[l], options_of(mask_of(count)), "contiguous");
}

static void strides(void) {
  static const ptrdiff_t steps[] = {2, -1, -2, USW_STRIDE_NONE};
  for (int f = 0; f < FUNCTIONS; f++)
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
      usw_options_t options = options_of(mask_of(device_count));
      const size_t step = steps[s] == USW_STRIDE_NONE ? 1 : (size_t)(steps[s] < 0 ? -steps[s] : steps[s]);
      const size_t n = ITEMS / step;
      options.stride[0] = steps[s];
      same_as_host(&functions[f], x + (steps[s] == -1 || steps[s] == -2 ? (n - 1) * step : 0), y, n, options,
                   "a stride");
    }
}

/* Of equal elements the first wins, whichever device has it, and indices are of the whole array. */
static void ties(void) {
  static double values[ITEMS];
  const usw_options_t options = options_of(mask_of(device_count));
  const size_t part = ITEMS / device_count / LINE * LINE, lows[] = {0, part - 1, part, ITEMS - 1};
  usw_located_f64_t lowest;
  for (size_t i = 0; i < ITEMS; i++)
    values[i] = 3;
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMIN, USW_F64, values, ITEMS, &lowest, &options));
  CHECK_I64(0, lowest.index);
  for (size_t k = sizeof lows / sizeof *lows; k-- > 0;) {
    values[lows[k]] = -2;
    CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMIN, USW_F64, values, ITEMS, &lowest, &options));
    CHECK_I64((int64_t)lows[k], lowest.index);
    CHECK_F64(-2, lowest.value);
  }
}

static usw_status_t sum_of_parts(size_t n, uint32_t count, double *sum) {
  usw_part_t parts[MOST];
  usw_options_t options = options_of(0);
  const size_t length = n / count / LINE * LINE;
  options.staging = USW_STAGING_ALWAYS;
  for (uint32_t k = 0; k < count; k++)
    parts[k] = (usw_part_t){.size = USW_INIT(usw_part_t),
                            .place = USW_DEVICE,
                            .device = numbers[k],
                            .n = k + 1 == count ? n - k * length : length,
                            .x = {x + k * length}};
  return usw_reduce_parts(USW_PLUS, USW_F64, parts, count, sum, &options);
}

/* Sums that round are those of the same parts, on every run. */
static void repeatable(void) {
  for (uint32_t count = 1; count <= device_count; count++)
    for (int run = 0; run < RUNS; run++) {
      const usw_options_t options = options_of(mask_of(count));
      double sum = 0, of_parts = 0;
      CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
      CHECK_STATUS(USW_OK, sum_of_parts(ITEMS, count, &of_parts));
      check_count(memcmp(&sum, &of_parts, sizeof sum) == 0, __FILE__, __LINE__, "%u parts: %a, devices: %a", count,
                  of_parts, sum);
    }
}

static void reported(void) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = options_of(mask_of(device_count));
  double sum = 0;
  options.report = &report;
  options.recheck = 1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_I64(USW_DEVICE, report.place);
  CHECK_I64(numbers[0], report.device);
  CHECK_U64(ITEMS * sizeof(double), report.bytes);
  CHECK_U64(ITEMS, report.kept);
}

/* ---- user kernels ---- */

static void user_kernels(void) {
  const usw_options_t options = options_of(mask_of(device_count));
  int64_t total[2] = {5, 5}, bins[100] = {7};
  double worst[2] = {0, 0}, highest[2] = {0, 0};
  uint64_t over[2] = {1, 1}, places = 3;
  staged_map_t map[2] = {{3, 4}, {3, 4}};
  static const int32_t weights[7] = {1, 2, 3, 4, 5, 6, 7};
  CHECK_STATUS(USW_OK, residual(ITEMS, x, ax, 2.5, &total[0], &worst[0], &over[0], &on_host));
  CHECK_STATUS(USW_OK, residual(ITEMS, x, ax, 2.5, &total[1], &worst[1], &over[1], &options));
  CHECK_I64(total[0], total[1]);
  CHECK_F64(worst[0], worst[1]);
  CHECK_U64(over[0], over[1]);
  CHECK_STATUS(USW_OK, compose(ITEMS, a, c, &map[0], &on_host));
  CHECK_STATUS(USW_OK, compose(ITEMS, a, c, &map[1], &options));
  CHECK_U64(map[0].a, map[1].a);
  CHECK_U64(map[0].c, map[1].c);
  CHECK_STATUS(USW_OK, halve(ITEMS, x, halves, &highest[0], &options));
  size_t wrong = 0;
  for (size_t i = 0; i < ITEMS; i++)
    wrong += halves[i] != x[i] / 2;
  CHECK_U64(0, wrong);
  CHECK_STATUS(USW_OK, halve(0, x, halves, &highest[1], &options));
  CHECK_F64(0, highest[1]);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, tally(ITEMS, a, weights, bins, &options));
  CHECK_TEXT_HAS(usw_error_text(), "tally: options.devices");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, with_index(ITEMS, x, &places, &options));
  CHECK_TEXT_HAS(usw_error_text(), "USW_NO_INDEX");
  CHECK_I64(7, bins[0]);
  CHECK_U64(3, places);
}

/* ---- errors ---- */

static void refused(usw_status_t expected, const char *text, const usw_options_t *options) {
  double sum = 7;
  CHECK_STATUS(expected, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, options));
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_F64(7, sum);
}

static void refusals(void) {
  usw_options_t options = options_of(mask_of(device_count) | UINT64_C(1) << 63);
  double sum = 7;
  usw_plan_t *plan;
  usw_partial_t *partial;
  usw_set_t *set;
  refused(USW_ERROR_DEVICE, "options.devices names device 63", &options);
  options = options_of(mask_of(device_count));
  options.place = USW_DEVICE;
  refused(USW_ERROR_INVALID, "options.place", &options);
  options.place = USW_AUTO_PLACE;
  options.stream = &options;
  refused(USW_ERROR_INVALID, "options.stream", &options);
  options.stream = NULL;
  options.accuracy = USW_EXACT;
  refused(USW_ERROR_UNSUPPORTED, "options.devices", &options);
  options.accuracy = USW_REPEATABLE;
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, NULL, ITEMS, &sum, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, (char *)x + 4, ITEMS - 1, &sum, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, NULL, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create(&plan, USW_PLUS, USW_F64, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_partial_create(&partial, USW_PLUS, USW_F64, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_inclusive(USW_PLUS, USW_F64, x, ITEMS, halves, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_parts(USW_PLUS, USW_F64, NULL, 0, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "options.devices");
  CHECK_STATUS(USW_OK, usw_set_create(&set));
  CHECK_STATUS(USW_OK, usw_set_add(set, USW_PLUS, USW_F64, x, 1, &sum, 0));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_set_run(set, ITEMS, &options));
  usw_set_destroy(set);
  options.size--;
  refused(USW_ERROR_VERSION, "options.size", &options);
  CHECK_F64(7, sum);
}

/* ---- what is told ---- */

static void expect_part(const usw_part_explanation_t *e, const char *path, uint32_t turn, int device, double share) {
  CHECK_TEXT_HAS(e->path, path);
  CHECK_U64(turn, e->turn);
  CHECK_I64(device, e->call.device);
  CHECK_F64(share, e->share);
}

/* Parts of the host and of devices, one after the other or at the same time. */
static void explained(void) {
  enum { COUNT = 5 };
  usw_part_explanation_t e[COUNT];
  usw_part_t parts[COUNT];
  usw_options_t options = options_of(0);
  const int second = numbers[device_count > 1];
  const char *const path = strcmp(place.target, "x86_64") == 0 ? "called" : "staged";
  const uint32_t first = *path == 's' ? 1 : 0; /* staged parts come when the host's are done */
  options.staging = USW_STAGING_ALWAYS;
  for (int k = 0; k < COUNT; k++) {
    parts[k] = (usw_part_t){.size = USW_INIT(usw_part_t), .place = USW_DEVICE, .device = numbers[0], .n = 1000};
    e[k] = (usw_part_explanation_t){.size = USW_INIT(usw_part_explanation_t)};
  }
  parts[0].x[0] = x;
  parts[1].place = USW_AUTO_PLACE;
  parts[1].x[0] = x;
  parts[2].device = second;
  parts[3].n = 0;
  parts[4].n = 2000;
  CHECK_STATUS(USW_OK, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, &options, e));
  expect_part(&e[0], path, first ? 1 : 0, numbers[0], 0.2);
  expect_part(&e[1], "called", first ? 0 : 1, -1, 0.2);
  expect_part(&e[2], path, first && device_count > 1 ? 1 : 2, second, 0.2);
  expect_part(&e[3], "none", 0, numbers[0], 0);
  expect_part(&e[4], path, first ? 2 + (device_count == 1) : 3, numbers[0], 0.4);
  CHECK_U64(sizeof e[0].call, e[0].call.size);
  CHECK_U64(8000, e[0].call.bytes);
  parts[4].device = 63;
  e[0].turn = 77;
  CHECK_STATUS(USW_ERROR_DEVICE, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, &options, e));
  CHECK_TEXT_HAS(usw_error_text(), "part 5 of 5: ");
  parts[4].device = numbers[0];
  parts[3].place = (usw_place_t)9;
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, &options, e));
  CHECK_TEXT_HAS(usw_error_text(), "part 4 of 5: ");
  parts[3].place = USW_HOST;
  options.accuracy = USW_REPRODUCIBLE;
  options.fold = 60;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, &options, e));
  options.devices = 1;
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, &options, e));
  e[4].size--;
  CHECK_STATUS(USW_ERROR_VERSION, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, NULL, e));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, NULL, NULL));
  CHECK_STATUS(USW_OK, usw_explain_parts(USW_PLUS, USW_F64, NULL, 0, NULL, NULL));
  CHECK_U64(77, e[0].turn);
  for (int k = 0; k < COUNT; k++) {
    parts[k].place = USW_HOST;
    e[k].size = USW_INIT(usw_part_explanation_t);
  }
  options = options_of(0);
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_OK, usw_explain_parts(USW_PLUS, USW_F64, parts, COUNT, &options, e));
  uint32_t turn = 0;
  for (int k = 0; k < COUNT; k++)
    expect_part(&e[k], parts[k].n > 0 ? "called" : "none", parts[k].n > 0 ? turn++ : 0, -1, e[k].share);
}

static void all_devices(void) {
  const usw_options_t all = options_of(USW_ALL_DEVICES);
  if (strcmp(place.target, "x86_64") == 0) /* which are no GPUs */
    refused(USW_ERROR_DEVICE, "there is no GPU", &all);
  else
    same_as_host(&functions[1], x, NULL, ITEMS, all, "all devices");
}

/* ---- what only the emulation shows ---- */

#ifdef USW_PORT_SIMT
/* Each device gets its part, and no more. */
static void every_device_works(void) {
  const usw_options_t options = options_of(USW_ALL_DEVICES);
  double sum;
  simt_forget_copies();
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  const size_t part = ITEMS / device_count / LINE * LINE;
  for (uint32_t k = 0; k < device_count; k++)
    CHECK_U64((k + 1 < device_count ? part : ITEMS - k * part) * sizeof *x, simt_copies_of(numbers[k]).bytes);
  simt_forget_copies();
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, 2 * PART + 5, &sum, &options));
  for (uint32_t k = 0; k < device_count; k++)
    CHECK(k < 2 ? simt_copies_of(numbers[k]).bytes >= PART * sizeof *x : simt_copies_of(numbers[k]).bytes == 0);
}

/* With one thread for all, which takes turns: the first chunk of each comes before the last one of any. */
static void at_the_same_time(void) {
  const int threads = omp_get_max_threads();
  uint64_t latest_first = 0, earliest_last = UINT64_MAX;
  double sum;
  omp_set_num_threads(1);
  simt_forget_copies();
  CHECK_STATUS(USW_OK, sum_of_parts(ITEMS, device_count, &sum));
  for (uint32_t k = 0; k < device_count; k++) {
    const simt_copies_t copies = simt_copies_of(numbers[k]);
    latest_first = copies.first > latest_first ? copies.first : latest_first;
    earliest_last = copies.last < earliest_last ? copies.last : earliest_last;
  }
  CHECK(latest_first > 0 && latest_first < earliest_last);
  lengths();
  user_kernels();
  omp_set_num_threads(2 * (int)device_count + 1); /* each has a thread that launches for it, and some that copy */
  repeatable();
  user_kernels();
  omp_set_num_threads(threads);
}

/* A device that is lost takes its part down, and no other: the call fails, names the part, leaves results alone. */
static void lost_device(void) {
  const usw_options_t options = options_of(USW_ALL_DEVICES);
  for (uint32_t k = 0; k < device_count; k++) {
    char name[32];
    snprintf(name, sizeof name, "part %u of %u: ", k + 1, device_count);
    simt_lose_device(numbers[k]);
    refused(USW_ERROR_DEVICE, name, &options);
    simt_lose_device(-1);
    same_as_host(&functions[1], x, NULL, ITEMS, options, "after a device was lost");
  }
}

/* Before anything is kept: each allocation that can fail does once. */
static void no_memory(void) {
  const usw_options_t options = options_of(USW_ALL_DEVICES);
  usw_status_t status = USW_ERROR_MEMORY;
  double sum = 7;
  int64_t good = 0;
  for (; good < 200 && status != USW_OK; good++) {
    simt_fail_allocations_after(good);
    status = usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options);
    CHECK(status == USW_OK || (status == USW_ERROR_MEMORY && sum == 7));
  }
  simt_fail_allocations_after(-1);
  CHECK(good > 3 && good < 200);
}
#endif

/* ---- threads ---- */

static void *call_often(void *number) {
  const size_t n = ITEMS - (size_t)number;
  for (int k = 0; k < RUNS; k++)
    same_as_host(&functions[1], x, NULL, n, options_of(mask_of(device_count)), "beside others");
  return NULL;
}

/* Devices in another order, and two parts of each, beside calls that take them in theirs. */
static void *call_parts(void *unused) {
  usw_part_t parts[2 * MOST];
  usw_options_t options = options_of(0);
  const size_t length = ITEMS / (2 * device_count);
  (void)unused;
  options.staging = USW_STAGING_ALWAYS;
  for (uint32_t k = 0; k < 2 * device_count; k++)
    parts[k] = (usw_part_t){.size = USW_INIT(usw_part_t),
                            .place = USW_DEVICE,
                            .device = numbers[device_count - 1 - k % device_count],
                            .n = length,
                            .x = {a + k * length}};
  for (int run = 0; run < RUNS; run++) {
    int64_t sum = 0, expected = 0;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_I64, a, 2 * device_count * length, &expected, &on_host));
    CHECK_STATUS(USW_OK, usw_reduce_parts(USW_PLUS, USW_I64, parts, 2 * device_count, &sum, &options));
    CHECK_I64(expected, sum);
  }
  return NULL;
}

static void several_threads(void) {
  pthread_t threads[2 * THREADS];
  for (size_t t = 0; t < 2 * THREADS; t++)
    pthread_create(&threads[t], NULL, t % 2 ? call_parts : call_often, (void *)t);
  for (size_t t = 0; t < 2 * THREADS; t++)
    pthread_join(threads[t], NULL);
}

int main(int argc, char **argv) {
#ifdef USW_PORT_SIMT
  simt_set_devices(4);
#endif
  hide_host_memory();
  place = place_of_arguments(argc, argv);
  find_devices();
  pattern_fill(PATTERN_wide, USW_F64, x, ITEMS, 11);
  pattern_fill(PATTERN_random, USW_F64, y, ITEMS, 12);
  for (size_t i = 0; i < ITEMS; i++) {
    ax[i] = (float)(i * 53 % 499) / 16 - 10;
    a[i] = i * 0x9e3779b97f4a7c15u;
    c[i] = i ^ a[i] >> 7;
  }
#ifdef USW_PORT_SIMT
  no_memory();
#endif
  lengths();
  strides();
  ties();
  repeatable();
  reported();
  user_kernels();
  refusals();
  explained();
  all_devices();
#ifdef USW_PORT_SIMT
  every_device_works();
  at_the_same_time();
  lost_device();
#endif
  several_threads();
  CHECK_STATUS(USW_OK, usw_finalize());
#ifdef USW_PORT_SIMT
  CHECK_U64(simt_counts().allocations, simt_counts().frees);
#endif
  return check_report();
}
