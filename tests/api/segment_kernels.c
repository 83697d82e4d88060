/* Kernels of segments, by offsets, pairs and one length: original values and without, in memory of the host and of the device, in order,
 * with an output; by their functions and by plans; misuse.
 *   segment_kernels [--place NAME] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "segment_kernels.h"

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ITEMS = 30000, MOST_SEGMENTS = 4000, COLUMNS = 100 };

static test_place_t place;
static double a[MOST_ITEMS + 1], x[COLUMNS];
static int32_t column[MOST_ITEMS + 1];
static uint8_t small[MOST_ITEMS + 1];
static record_t records[MOST_ITEMS];
static uint32_t offsets[2 * MOST_SEGMENTS]; /* count + 1; or begins and, from MOST_SEGMENTS on, ends */

typedef struct {
  double y[MOST_SEGMENTS];
  float most[MOST_SEGMENTS];
  uint64_t rows[MOST_SEGMENTS], places[MOST_SEGMENTS];
  affine_t map[MOST_SEGMENTS], same[MOST_SEGMENTS];
  double sum[MOST_SEGMENTS], ends[MOST_SEGMENTS], weighted[MOST_SEGMENTS];
  uint64_t number[MOST_SEGMENTS];
} results_t;
static results_t originals, expected, found;

typedef enum { BY_OFFSETS, BY_PAIRS, BY_LENGTH, KINDS } kind_t;
typedef enum { BY_CALL, BY_RUN, BY_BIND, BY_START, WAYS } way_t;
typedef struct {
  kind_t kind;
  way_t way;
  size_t n, count, length;
  int is_fresh, results_on_device;
} case_t;

static void fill(void) {
  for (size_t i = 0; i <= MOST_ITEMS; i++) {
    a[i] = (double)(chance(40))-20;
    column[i] = (int32_t)chance(COLUMNS);
    small[i] = (uint8_t)chance(256);
  }
  for (size_t i = 0; i < MOST_ITEMS; i++) {
    records[i].first = a[i];
    records[i].last = small[i];
  }
  for (size_t k = 0; k < COLUMNS; k++)
    x[k] = (double)chance(16);
  for (size_t r = 0; r < MOST_SEGMENTS; r++) {
    originals.y[r] = (double)r;
    originals.most[r] = r % 3 == 0 ? 2000 : -2000;
    originals.rows[r] = 1000 + r;
    originals.places[r] = r;
    originals.map[r] = originals.same[r] = about_seven(r);
    originals.sum[r] = originals.ends[r] = originals.weighted[r] = -(double)r;
    originals.number[r] = 3 * r;
  }
}

static void choose(case_t *c) {
  const uint64_t mean = chance(2) ? chance(6) : chance(300);
  uint32_t at = 0;
  c->kind = (kind_t)chance(KINDS);
  c->way = (way_t)chance(WAYS);
  c->is_fresh = (int)chance(2);
  c->results_on_device = place.place == USW_DEVICE && chance(2);
  c->count = 1 + chance(MOST_SEGMENTS - 1);
  c->length = c->kind == BY_LENGTH ? chance(MOST_ITEMS / c->count + 1) : 0;
  for (size_t k = 0; k < c->count; k++) {
    const uint32_t wanted = (uint32_t)(c->kind == BY_LENGTH ? c->length
                                       : chance(100) == 0   ? 3000
                                                            : chance(2 * mean + 1));
    const uint32_t length = wanted < MOST_ITEMS - at ? wanted : MOST_ITEMS - at;
    offsets[k] = at;
    at += length;
    if (c->kind == BY_PAIRS)
      offsets[MOST_SEGMENTS + k] = at;
    else
      offsets[k + 1] = at;
  }
  c->n = at;
}

static size_t begin_of(size_t k) { return offsets[k]; }
static size_t end_of(const case_t *c, size_t k) {
  return c->kind == BY_PAIRS ? offsets[MOST_SEGMENTS + k] : offsets[k + 1];
}

static void expect_segment(const case_t *c, size_t k) {
  for (size_t i = begin_of(k); i < end_of(c, k); i++) {
    const affine_t of_item = {2 * (uint64_t)small[i] + 3, i};
    expected.y[k] += a[i] * x[column[i]];
    expected.most[k] = (float)a[i] > expected.most[k] ? (float)a[i] : expected.most[k];
    expected.rows[k] += k;
    expected.places[k] += i;
    expected.map[k] = compose(expected.map[k], of_item);
    expected.same[k] = compose(expected.same[k], of_item);
    expected.sum[k] += a[i];
    expected.ends[k] += a[i]; /* whose last is small[i] */
    expected.weighted[k] += a[i] * small[i];
    expected.number[k] += small[i] * (k + 1) + i;
  }
}

static void expect(const case_t *c) {
  expected = originals;
  for (size_t k = 0; k < c->count; k++) {
    if (c->is_fresh) {
      expected.y[k] = expected.sum[k] = expected.ends[k] = expected.weighted[k] = 0;
      expected.number[k] = 0;
      expected.most[k] = -INFINITY;
      expected.rows[k] = expected.places[k] = 0;
      expected.map[k] = affine_one();
    }
    expect_segment(c, k);
  }
}

/* The same numbers: a sum of none is 0, of either sign. */
static void compare(const case_t *c, const char *note) {
  size_t wrong = 0;
  for (size_t k = 0; k < c->count; k++)
    wrong += found.y[k] != expected.y[k] || found.most[k] != expected.most[k] || found.rows[k] != expected.rows[k] ||
             found.places[k] != expected.places[k] || found.sum[k] != expected.sum[k] ||
             found.ends[k] != expected.ends[k] || found.number[k] != expected.number[k] ||
             found.weighted[k] != expected.weighted[k] ||
             memcmp(&found.map[k], &expected.map[k], sizeof found.map[k]) != 0 ||
             memcmp(&found.same[k], &expected.same[k], sizeof found.same[k]) != 0;
  CHECK_AT(wrong == 0, note);
  CHECK_AT(memcmp(&found.places[c->count], &originals.places[c->count],
                  (MOST_SEGMENTS - c->count) * sizeof *found.places) == 0,
           note);
}

static void check_halves(const place_memory_t *halved, size_t first, size_t last, const char *note) {
  float *const halves = (float *)malloc((MOST_ITEMS + 1) * sizeof *halves);
  size_t wrong = 0;
  memory_read(halved, halves, MOST_ITEMS * sizeof *halves);
  for (size_t i = first; i < last; i++)
    wrong += halves[i] != (float)(a[i] / 2);
  CHECK_AT(wrong == 0, note);
  free(halves);
}

/* Kernel K by its function, or by a plan. */
#define CHECK_BY_WAY(K, ...)                                                                                           \
  do {                                                                                                                 \
    usw_plan_t *plan = NULL;                                                                                           \
    usw_request_t request;                                                                                             \
    usw_status_t status = c.way == BY_CALL ? K(c.n, &segments, __VA_ARGS__, &options)                                  \
                                           : K##_plan_create_segments(&plan, &segments, &options);                     \
    if (status == USW_OK && c.way == BY_RUN)                                                                           \
      status = K##_plan_run(c.n, __VA_ARGS__, plan);                                                                   \
    if (status == USW_OK && c.way == BY_BIND)                                                                          \
      status = K##_plan_bind(c.n, __VA_ARGS__, plan);                                                                  \
    if (status == USW_OK && c.way == BY_BIND)                                                                          \
      status = usw_plan_run_bound(plan);                                                                               \
    if (status == USW_OK && c.way == BY_START)                                                                         \
      status = K##_plan_start(c.n, __VA_ARGS__, plan, &request);                                                       \
    if (status == USW_OK && c.way == BY_START)                                                                         \
      status = usw_request_wait(&request);                                                                             \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    usw_plan_destroy(plan);                                                                                            \
  } while (0)

static void run(uint64_t seed) {
  const test_place_t host = {USW_HOST, -1, "host"};
  static const float nothing[MOST_ITEMS] = {0};
  usw_options_t options = place_options(&place);
  char note[160];
  case_t c;
  chance_begin(seed);
  fill();
  choose(&c);
  expect(&c);
  snprintf(note, sizeof note, "seed %llu: kind %d, %zu segments of %zu items, fresh %d, results on device %d, way %d",
           (unsigned long long)seed, (int)c.kind, c.count, c.n, c.is_fresh, c.results_on_device, (int)c.way);
  options.initialize_to_identity = c.is_fresh ? 0xf : 0;
  shares_by_chance(&options, 60);
  place_memory_t elements = device_memory_get(&place, a, sizeof a, chance(3) == 0 ? sizeof *a : 0);
  place_memory_t columns = device_memory_get(&place, column, sizeof column, 0);
  place_memory_t vector = device_memory_get(&place, x, sizeof x, 0),
                 bytes = device_memory_get(&place, small, sizeof small, 0);
  place_memory_t of_records = device_memory_get(&place, records, sizeof records, 0);
  place_memory_t at = device_memory_get(&place, offsets, sizeof offsets, 0);
  place_memory_t halved = device_memory_get(&place, nothing, sizeof nothing, 0);
  place_memory_t results = device_memory_get(c.results_on_device ? &place : &host, &originals, sizeof originals, 0);
  results_t *const to = (results_t *)results.data;
  const uint32_t *const begins = (const uint32_t *)at.data;
  const usw_segments_t segments = c.kind == BY_OFFSETS ? usw_segments_by_offsets(USW_U32, begins, c.count)
                                  : c.kind == BY_PAIRS
                                      ? usw_segments_by_pairs(USW_U32, begins, begins + MOST_SEGMENTS, c.count)
                                      : usw_segments_of_length(c.length, c.count);
  CHECK_BY_WAY(row_products, (const double *)elements.data, (const int32_t *)columns.data, (const double *)vector.data,
               to->y, to->most, to->rows, to->places);
  CHECK_BY_WAY(halves_of_segments, (const double *)elements.data, (float *)halved.data, to->sum);
  CHECK_BY_WAY(numbers_of_segments, (const uint8_t *)bytes.data, to->number);
  CHECK_BY_WAY(weighted_segments, (const double *)elements.data, (const uint8_t *)bytes.data, to->weighted);
  CHECK_BY_WAY(ends_of_records, (const record_t *)of_records.data, (const uint8_t *)bytes.data, to->ends);
  options.initialize_to_identity &= 1; /* the second one has no identity */
  CHECK_BY_WAY(segment_maps, (const uint8_t *)bytes.data, to->map, to->same);
  memory_read(&results, &found, sizeof found);
  compare(&c, note);
  if (c.kind != BY_PAIRS)
    check_halves(&halved, begin_of(0), end_of(&c, c.count - 1), note);
  device_memory_free(&elements);
  device_memory_free(&columns);
  device_memory_free(&vector);
  device_memory_free(&bytes);
  device_memory_free(&of_records);
  device_memory_free(&at);
  device_memory_free(&halved);
  device_memory_free(&results);
}

/* More items than a GPU's blocks have in a window, which are loaded before the ends are known. */
static void windows_of_blocks(void) {
  enum { N = 1 << 20 };
  const usw_options_t options = place_options(&place);
  double *const items = (double *)malloc(N * sizeof *items), *const sums = (double *)malloc(N * sizeof *sums);
  uint8_t *const weights = (uint8_t *)malloc(N);
  uint32_t *const ends = (uint32_t *)malloc((N + 1) * sizeof *ends);
  size_t count = 0, wrong = 0;
  chance_begin(5);
  for (size_t i = 0; i < N; i++) {
    items[i] = (double)chance(100);
    weights[i] = (uint8_t)chance(256);
  }
  for (ends[0] = 0; ends[count] < N; count++) {
    const uint32_t length = ends[count] < N / 2 ? 27 : (uint32_t)chance(20), left = N - ends[count];
    ends[count + 1] = ends[count] + (length < left ? length : left);
  }
  place_memory_t elements = device_memory_get(&place, items, N * sizeof *items, 0);
  place_memory_t bytes = device_memory_get(&place, weights, N, 0);
  place_memory_t at = device_memory_get(&place, ends, (count + 1) * sizeof *ends, 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U32, at.data, count);
  memset(sums, 0, count * sizeof *sums);
  CHECK_STATUS(USW_OK, weighted_segments(N, &segments, (const double *)elements.data, (const uint8_t *)bytes.data, sums,
                                         &options));
  for (size_t k = 0; k < count; k++) {
    double sum = 0;
    for (uint32_t i = ends[k]; i < ends[k + 1]; i++)
      sum += items[i] * weights[i];
    wrong += sums[k] != sum;
  }
  CHECK(wrong == 0);
  device_memory_free(&elements);
  device_memory_free(&bytes);
  device_memory_free(&at);
  free(items);
  free(sums);
  free(weights);
  free(ends);
}

static void misuse(void) {
  const usw_options_t options = place_options(&place);
  usw_segments_t segments = usw_segments_of_length(2, 2);
  double elements[4] = {0}, sums[2] = {-1, -1};
  float halved[4];
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments(4, NULL, elements, halved, sums, &options));
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments(3, &segments, elements, halved, sums, &options));
  CHECK_TEXT_HAS(usw_error_text(), "halves_of_segments: 2 segments of 2 items");
  const usw_segments_t large = usw_segments_of_length((size_t)1 << 47, 3);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, halves_of_segments((size_t)3 << 47, &large, elements, halved, sums, &options));
  CHECK_TEXT_HAS(usw_error_text(), "over 2^48 items in segments");
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments(4, &segments, NULL, halved, sums, &options));
  const usw_variable_t variable = {sums, 2};
  const uint64_t arguments[16] = {(uint64_t)(uintptr_t)elements, (uint64_t)(uintptr_t)halved};
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_kernel_run(&halves_of_segments_kernel, 4, arguments, &variable, &options));
  CHECK_TEXT_HAS(usw_error_text(), "by its function");
  usw_plan_t *plan = NULL;
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments_plan_create_segments(&plan, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments_plan_create_segments(NULL, &segments, &options));
  CHECK(plan == NULL);
  CHECK_STATUS(USW_OK, halves_of_segments_plan_create_segments(&plan, &segments, &options));
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments_plan_run(3, elements, halved, sums, plan));
  CHECK_STATUS(USW_ERROR_INVALID, halves_of_segments_plan_bind(4, elements, halved, NULL, plan));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_plan_run(plan, elements, 4, sums));
  usw_plan_destroy(plan);
  CHECK_F64(-1, sums[0]);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  run_by_chance(argc, argv, &place, (case_counts_t){40, 200, 2000}, run);
  windows_of_blocks();
  misuse();
  return check_report();
}
