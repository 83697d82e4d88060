/* Plans along axes, of segments and of scans, also of segments and by key: run, started and bound, with the results of the calls; and what
 * they refuse.
 *   plans_of_many [--place NAME] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { ROWS = 60, COLUMNS = 700, ITEMS = ROWS * COLUMNS, SEGMENTS = 500, LENGTH = 80, FIRST = 70 };

static test_place_t place;
static usw_options_t options;
static double x[ITEMS], y[ITEMS];
static int32_t offsets[SEGMENTS + 1];
static uint16_t keys[2 * ITEMS];
static place_memory_t x_there, y_there, offsets_there, keys_there;

/* By each way to run it, over one array or two. */
static void check_runs(usw_plan_t *plan, int is_of_pairs, size_t n, size_t count, const double *expected) {
  double *const found = malloc(count * sizeof *found);
  const size_t bytes = count * sizeof *found;
  usw_request_t request;
  for (int way = 0; way < 3; way++) {
    usw_status_t status;
    memset(found, 255, bytes);
    if (way == 0) {
      status = is_of_pairs ? usw_plan_run_pair(plan, x_there.data, y_there.data, n, found)
                           : usw_plan_run(plan, x_there.data, n, found);
    } else if (way == 1) {
      status = is_of_pairs ? usw_plan_start_pair(plan, x_there.data, y_there.data, n, found, &request)
                           : usw_plan_start(plan, x_there.data, n, found, &request);
      status = status == USW_OK ? usw_request_wait(&request) : status;
    } else {
      status = is_of_pairs ? usw_plan_bind_pair(plan, x_there.data, y_there.data, n, found)
                           : usw_plan_bind(plan, x_there.data, n, found);
      status = status == USW_OK ? usw_plan_run_bound(plan) : status;
    }
    CHECK_STATUS(USW_OK, status);
    CHECK(memcmp(expected, found, bytes) == 0);
  }
  free(found);
}

/* Something else in all elements of an output: those of no segment keep it. */
static void spoil(void *out) {
  const double nothing = -1;
  CHECK_STATUS(USW_OK, usw_scan_exclusive(USW_MINIMUM, USW_F64, x_there.data, ITEMS, out, &nothing, &options));
}

/* Scans, whose output is where they run: each way gives the bits of the call. */
static void check_scan(usw_plan_t *plan, void *out, const place_memory_t *memory, const double *expected) {
  static double found[ITEMS];
  usw_request_t request;
  for (int way = 0; way < 4; way++) {
    usw_status_t status = USW_OK;
    if (way == 0)
      status = usw_plan_run(plan, x_there.data, ITEMS, out);
    if (way == 1)
      status = usw_plan_start(plan, x_there.data, ITEMS, out, &request);
    if (way == 1 && status == USW_OK)
      status = usw_request_wait(&request);
    if (way == 2)
      status = usw_plan_bind(plan, x_there.data, ITEMS, out);
    if (way >= 2 && status == USW_OK) /* twice, from the same initial value */
      status = usw_plan_run_bound(plan);
    CHECK_STATUS(USW_OK, status);
    memory_read(memory, found, sizeof found);
    CHECK(memcmp(expected, found, sizeof found) == 0);
    spoil(out);
  }
}

static void scans(void) {
  static double expected[ITEMS];
  const double initial = 3;
  place_memory_t out = device_memory_get(&place, expected, sizeof expected, 0);
  usw_plan_t *plan = NULL;
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x_there.data, ITEMS, out.data, &options));
  memory_read(&out, expected, sizeof expected);
  CHECK_STATUS(USW_OK, usw_plan_create_scan(&plan, USW_PLUS, USW_F64, 0, NULL, &options));
  check_scan(plan, out.data, &out, expected);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_run_pair(plan, x_there.data, y_there.data, ITEMS, out.data));
  usw_plan_destroy(plan);
  CHECK_STATUS(USW_OK, usw_scan_exclusive(USW_PLUS, USW_F64, x_there.data, ITEMS, out.data, &initial, &options));
  memory_read(&out, expected, sizeof expected);
  CHECK_STATUS(USW_OK, usw_plan_create_scan(&plan, USW_PLUS, USW_F64, 1, &initial, &options));
  check_scan(plan, out.data, &out, expected);
  usw_plan_destroy(plan);
  plan = NULL;
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_scan(&plan, USW_PLUS, USW_F64, 0, &initial, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create_scan(&plan, USW_NORM2, USW_F64, 0, NULL, &options));
  CHECK(plan == NULL);
  device_memory_free(&out);
}

/* Of segments that leave out the first elements and the last ones; by each second key. */
static void scans_that_begin_anew(void) {
  static double expected[ITEMS];
  const double initial = 3;
  const usw_segments_t all[] = {usw_segments_by_offsets(USW_I32, offsets_there.data, SEGMENTS),
                                usw_segments_of_length(LENGTH, SEGMENTS)};
  place_memory_t out = device_memory_get(&place, expected, sizeof expected, 0);
  usw_plan_t *plan = NULL;
  for (int k = 0; k < 2; k++) {
    spoil(out.data);
    CHECK_STATUS(USW_OK, usw_scan_segments(USW_PLUS, USW_F64, x_there.data, ITEMS, &all[k], out.data, &options));
    memory_read(&out, expected, sizeof expected);
    spoil(out.data);
    CHECK_STATUS(USW_OK, usw_plan_create_scan_segments(&plan, USW_PLUS, USW_F64, &all[k], 0, NULL, &options));
    check_scan(plan, out.data, &out, expected);
    usw_plan_destroy(plan);
  }
  CHECK_F64(-1, expected[LENGTH * SEGMENTS]);
  CHECK_STATUS(USW_OK, usw_scan_segments_exclusive(USW_PLUS, USW_F64, x_there.data, ITEMS, &all[0], out.data, &initial,
                                                   &options));
  memory_read(&out, expected, sizeof expected);
  CHECK_F64(-1, expected[FIRST - 1]);
  CHECK_F64(3, expected[FIRST]);
  spoil(out.data);
  CHECK_STATUS(USW_OK, usw_plan_create_scan_segments(&plan, USW_PLUS, USW_F64, &all[0], 1, &initial, &options));
  check_scan(plan, out.data, &out, expected);
  CHECK_STATUS(USW_OK, usw_plan_run(plan, x_there.data, 0, out.data));
  usw_plan_destroy(plan);
  usw_options_t strided = options;
  strided.stride[2] = 2;
  CHECK_STATUS(USW_OK, usw_scan_by_key_exclusive(USW_PLUS, USW_F64, x_there.data, USW_U16, keys_there.data, ITEMS,
                                                 out.data, &initial, &strided));
  memory_read(&out, expected, sizeof expected);
  CHECK_STATUS(USW_OK,
               usw_plan_create_scan_by_key(&plan, USW_PLUS, USW_F64, USW_U16, keys_there.data, 1, &initial, &strided));
  check_scan(plan, out.data, &out, expected);
  CHECK_STATUS(USW_OK, usw_plan_run(plan, NULL, 0, out.data));
  usw_plan_destroy(plan);
  device_memory_free(&out);
}

static void put(const place_memory_t *memory, const void *contents, size_t bytes) {
  if (memory->device < 0)
    memcpy(memory->data, contents, bytes);
  else
    CHECK_I64(0, memory_device_copy(memory->data, memory->device, contents, -1, bytes));
}

/* Offsets and keys are those that are there when a plan runs. */
static void changed_offsets_and_keys(void) {
  double of[] = {1, 2, 3, 4}, found[4];
  int64_t places[][3] = {{0, 1, 4}, {0, 3, 4}};
  uint8_t of_keys[][4] = {{1, 2, 2, 2}, {1, 1, 1, 2}};
  const double expected[][4] = {{1, 2, 5, 9}, {1, 3, 6, 4}};
  place_memory_t in = device_memory_get(&place, of, sizeof of, 0), out = device_memory_get(&place, of, sizeof of, 0);
  place_memory_t at = device_memory_get(&place, places[0], sizeof places[0], 0);
  place_memory_t by = device_memory_get(&place, of_keys[0], sizeof of_keys[0], 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_I64, at.data, 2);
  usw_plan_t *plans[2] = {NULL, NULL};
  CHECK_STATUS(USW_OK, usw_plan_create_scan_segments(&plans[0], USW_PLUS, USW_F64, &segments, 0, NULL, &options));
  CHECK_STATUS(USW_OK, usw_plan_create_scan_by_key(&plans[1], USW_PLUS, USW_F64, USW_U8, by.data, 0, NULL, &options));
  for (int round = 0; round < 2; round++) {
    put(&at, places[round], sizeof places[round]);
    put(&by, of_keys[round], sizeof of_keys[round]);
    for (int k = 0; k < 2; k++) {
      if (round == 0)
        CHECK_STATUS(USW_OK, usw_plan_bind(plans[k], in.data, 4, out.data));
      CHECK_STATUS(USW_OK, usw_plan_run_bound(plans[k]));
      memory_read(&out, found, sizeof found);
      CHECK(memcmp(expected[round], found, sizeof found) == 0);
    }
  }
  usw_plan_destroy(plans[0]);
  usw_plan_destroy(plans[1]);
  device_memory_free(&in);
  device_memory_free(&out);
  device_memory_free(&at);
  device_memory_free(&by);
}

static void axes(void) {
  static double expected[COLUMNS];
  usw_plan_t *plan = NULL;
  const usw_array_t of_x = usw_array_2d(USW_F64, x_there.data, ROWS, COLUMNS);
  const usw_array_t of_y = usw_array_2d(USW_F64, y_there.data, ROWS, COLUMNS);
  for (uint32_t axis = 0; axis < 2; axis++) {
    const size_t count = axis == 0 ? COLUMNS : ROWS;
    CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &of_x, USW_AXIS(axis), expected, &options));
    CHECK_STATUS(USW_OK, usw_plan_create_axes(&plan, USW_PLUS, &of_x, NULL, USW_AXIS(axis), &options));
    check_runs(plan, 0, ITEMS, count, expected);
    usw_plan_destroy(plan);
    CHECK_STATUS(USW_OK, usw_reduce_axes_pair(USW_DOT, &of_x, &of_y, USW_AXIS(axis), expected, &options));
    CHECK_STATUS(USW_OK, usw_plan_create_axes(&plan, USW_DOT, &of_x, &of_y, USW_AXIS(axis), &options));
    check_runs(plan, 1, ITEMS, count, expected);
    usw_plan_destroy(plan);
  }
}

static void segments(void) {
  static double expected[SEGMENTS];
  usw_plan_t *plan = NULL;
  const usw_segments_t all[] = {usw_segments_by_offsets(USW_I32, offsets_there.data, SEGMENTS),
                                usw_segments_of_length(LENGTH, SEGMENTS)};
  for (int k = 0; k < 2; k++) {
    CHECK_STATUS(USW_OK, usw_reduce_segments(USW_MAXIMUM, USW_F64, x_there.data, ITEMS, &all[k], expected, &options));
    CHECK_STATUS(USW_OK, usw_plan_create_segments(&plan, USW_MAXIMUM, USW_F64, &all[k], &options));
    check_runs(plan, 0, ITEMS, SEGMENTS, expected);
    usw_plan_destroy(plan);
    CHECK_STATUS(USW_OK, usw_reduce_segments_pair(USW_DOT, USW_F64, x_there.data, y_there.data, ITEMS, &all[k],
                                                  expected, &options));
    CHECK_STATUS(USW_OK, usw_plan_create_segments(&plan, USW_DOT, USW_F64, &all[k], &options));
    check_runs(plan, 1, ITEMS, SEGMENTS, expected);
    usw_plan_destroy(plan);
  }
}

/* ---- misuse ---- */

static void misuse_of_axes(void) {
  double result[ROWS] = {-1};
  usw_plan_t *plan = NULL;
  usw_scratch_t need = {.size = USW_INIT(usw_scratch_t)};
  usw_array_t array = usw_array_2d(USW_F64, NULL, ROWS, COLUMNS);
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_axes(&plan, USW_PLUS, NULL, NULL, USW_AXIS(1), &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_axes(NULL, USW_PLUS, &array, NULL, USW_AXIS(1), &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_axes(&plan, USW_PLUS, &array, NULL, USW_AXIS(2), &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create_axes(&plan, USW_DOT, &array, NULL, USW_AXIS(1), &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_create_axes(&plan, USW_PLUS, &array, &array, USW_AXIS(1), &options));
  CHECK(plan == NULL);
  CHECK_STATUS(USW_OK, usw_plan_create_axes(&plan, USW_PLUS, &array, NULL, USW_AXIS(1), &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, x_there.data, ITEMS - 1, result));
  CHECK_TEXT_HAS(usw_error_text(), "sum_f64: the plan is of arrays of 42000 elements, not of 41999");
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, NULL, ITEMS, result));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_scratch(plan, &need));
  CHECK_F64(-1, result[0]);
  usw_plan_destroy(plan);
}

static void misuse_of_segments(void) {
  static double result[SEGMENTS] = {-1};
  int32_t falling[] = {0, 9, 3};
  usw_plan_t *plan = NULL;
  place_memory_t falling_there = device_memory_get(&place, falling, sizeof falling, 0);
  usw_segments_t wrong = usw_segments_by_offsets(USW_F32, falling_there.data, 2);
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_segments(&plan, USW_PLUS, USW_F64, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_create_segments(&plan, USW_PLUS, USW_F64, &wrong, &options));
  wrong = usw_segments_by_offsets(USW_I32, falling_there.data, 2);
  CHECK_STATUS(USW_OK, usw_plan_create_segments(&plan, USW_PLUS, USW_F64, &wrong, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, x_there.data, ITEMS, result));
  CHECK_TEXT_HAS(usw_error_text(), "sum_f64: segment 1 begins at item 9 and ends at 3");
  usw_plan_destroy(plan);
  wrong = usw_segments_of_length(LENGTH, SEGMENTS);
  CHECK_STATUS(USW_OK, usw_plan_create_segments(&plan, USW_PLUS, USW_F64, &wrong, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, x_there.data, LENGTH * SEGMENTS - 1, result));
  CHECK_F64(-1, result[0]);
  usw_plan_destroy(plan);
  device_memory_free(&falling_there);
}

static void misuse_of_scans(void) {
  double result[] = {-1}, initial = 1;
  int32_t falling[] = {0, 9, 3};
  usw_plan_t *plan = NULL;
  place_memory_t falling_there = device_memory_get(&place, falling, sizeof falling, 0);
  const usw_segments_t pairs = usw_segments_by_pairs(USW_I32, offsets_there.data, offsets_there.data, 2);
  const usw_segments_t wrong = usw_segments_by_offsets(USW_I32, falling_there.data, 2);
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets_there.data, SEGMENTS);
  usw_scratch_t need = {.size = USW_INIT(usw_scratch_t)};
  const usw_status_t statuses[] = {
      usw_plan_create_scan_segments(&plan, USW_PLUS, USW_F64, NULL, 0, NULL, &options),
      usw_plan_create_scan_segments(&plan, USW_PLUS, USW_F64, &segments, 0, &initial, &options),
      usw_plan_create_scan_segments(NULL, USW_PLUS, USW_F64, &segments, 0, NULL, &options),
      usw_plan_create_scan_by_key(&plan, USW_PLUS, USW_F64, USW_U16, NULL, 0, NULL, &options),
      usw_plan_create_scan_by_key(&plan, USW_PLUS, USW_F64, USW_U16, keys_there.data, 0, &initial, &options)};
  for (size_t k = 0; k < sizeof statuses / sizeof *statuses; k++)
    CHECK_STATUS(USW_ERROR_INVALID, statuses[k]);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_plan_create_scan_segments(&plan, USW_PLUS, USW_F64, &pairs, 0, NULL, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_plan_create_scan_by_key(&plan, USW_PLUS, USW_F64, USW_F32, keys_there.data, 0, NULL, &options));
  CHECK(plan == NULL);
  place_memory_t out = device_memory_get(&place, result, sizeof result, 0);
  CHECK_STATUS(USW_OK, usw_plan_create_scan_segments(&plan, USW_PLUS, USW_F64, &wrong, 0, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, x_there.data, ITEMS, out.data));
  CHECK_TEXT_HAS(usw_error_text(), "segment 1 begins at item 9 and ends at 3");
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_run(plan, NULL, ITEMS, out.data));
  CHECK_STATUS(USW_ERROR_INVALID, usw_plan_bind(plan, x_there.data, ITEMS, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_scratch(plan, &need));
  memory_read(&out, result, sizeof result);
  CHECK_F64(-1, result[0]);
  usw_plan_destroy(plan);
  device_memory_free(&out);
  device_memory_free(&falling_there);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  options = place_options(&place);
  for (int k = 0; k < ITEMS; k++) {
    x[k] = (double)(k * 37 % 101) / 7;
    y[k] = (double)(k * 53 % 89) / 3;
  }
  for (int k = 0; k <= SEGMENTS; k++)
    offsets[k] = FIRST + k * k / 6; /* empty ones first, then longer and longer */
  for (int k = 0; k < 2 * ITEMS; k++)
    keys[k] = (uint16_t)(k % 2 ? k : k / 2 * 7 % 1000 / 100); /* those between are not read */
  x_there = device_memory_get(&place, x, sizeof x, 0);
  y_there = device_memory_get(&place, y, sizeof y, 0);
  offsets_there = device_memory_get(&place, offsets, sizeof offsets, 0);
  keys_there = device_memory_get(&place, keys, sizeof keys, 0);
  axes();
  segments();
  scans();
  scans_that_begin_anew();
  changed_offsets_and_keys();
  misuse_of_axes();
  misuse_of_segments();
  misuse_of_scans();
  device_memory_free(&keys_there);
  device_memory_free(&x_there);
  device_memory_free(&y_there);
  device_memory_free(&offsets_there);
  return check_report();
}
