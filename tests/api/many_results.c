/* Kernels with many results, whose maps are the tests' own: sums of tiles and of segments, in arrays of the host and of the device, with
 * original values and without, at any length and alignment; plans, recheck, misuse.
 *   many_results [--place NAME] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "many_results.h"

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ITEMS = 70001, MOST_RESULTS = 5000 };

static test_place_t place;
static double x[MOST_ITEMS + 1];
static uint8_t bytes[MOST_ITEMS + 1];

typedef struct {
  double sum[MOST_RESULTS];
  float most[MOST_RESULTS];
  uint64_t places[MOST_RESULTS];
  affine_t map[MOST_RESULTS];
} results_t;
static results_t originals, expected, found;

static void fill(void) {
  for (size_t i = 0; i <= MOST_ITEMS; i++) {
    x[i] = (double)((i * 7919) % 1000) - 250;
    bytes[i] = (uint8_t)(i * 31);
  }
  for (size_t r = 0; r < MOST_RESULTS; r++) {
    originals.sum[r] = (double)r;
    originals.most[r] = r % 3 == 0 ? 2000 : -2000;
    originals.places[r] = 1000 + r;
    originals.map[r] = about_seven(r);
  }
}

typedef struct {
  size_t n, results, tile, offset; /* of x, in elements */
  uint64_t fresh;                  /* bits of the reducers that start from the identity */
  int results_on_device;
} case_t;

static void expect(const case_t *c) {
  expected = originals;
  for (size_t r = 0; r < c->results; r++) {
    if (c->fresh & 1)
      expected.sum[r] = 0;
    if (c->fresh & 2)
      expected.most[r] = -INFINITY;
    if (c->fresh & 4)
      expected.places[r] = 0;
    for (size_t i = r * c->tile; i < (r + 1) * c->tile && i < c->n; i++) {
      const double element = x[i + c->offset];
      expected.sum[r] += element;
      expected.most[r] = (float)element > expected.most[r] ? (float)element : expected.most[r];
      expected.places[r] += i;
      expected.map[r] = compose(expected.map[r], about_seven(3));
    }
  }
}

/* The arrays of the results where the case wants them. */
static place_memory_t results_in(const case_t *c) {
  const test_place_t host = {USW_HOST, -1, "host"};
  return device_memory_get(c->results_on_device ? &place : &host, &originals, sizeof originals, 0);
}

static usw_status_t run_tiles(const case_t *c, const double *elements, place_memory_t *results,
                              const usw_options_t *options) {
  results_t *to = (results_t *)results->data;
  return tile_sums(c->n, c->results, elements, c->tile, to->sum, to->most, to->places, to->map, options);
}

static void check_tiles(const case_t *c, const usw_options_t *options) {
  char note[200];
  place_memory_t elements = device_memory_get(&place, x, sizeof x, 0), results = results_in(c);
  usw_options_t o = *options;
  o.initialize_to_identity = c->fresh;
  const usw_status_t status = run_tiles(c, (const double *)elements.data + c->offset, &results, &o);
  snprintf(note, sizeof note, "n %zu, %zu results, tile %zu, offset %zu, fresh %d, on device %d: %s", c->n, c->results,
           c->tile, c->offset, (int)c->fresh, c->results_on_device, usw_error_text());
  CHECK_AT(status == USW_OK, note);
  expect(c);
  memory_read(&results, &found, sizeof found);
  CHECK_AT(memcmp(&found, &expected, sizeof found) == 0, note);
  device_memory_free(&elements);
  device_memory_free(&results);
}

/* All results are launched even where most have no item, for which an emulated team takes a millisecond. */
static void tiles(void) {
  const int is_slow = strcmp(place.target, "simt") == 0;
  static const size_t sizes[] = {0, 1, 5, 1000, 4099, MOST_ITEMS}, counts[] = {1, 2, 7, 40, MOST_RESULTS};
  static const size_t lengths[] = {1, 3, 16, 255, 2048, 40000};
  const usw_options_t options = place_options(&place);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
      for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int way = 0; way < 8; way++) {
          const case_t c = {sizes[s], counts[k], lengths[l], (size_t)(way & 1), way & 2 ? 7 : 0, way >> 2};
          const int is_taken =
              is_slow && c.results == MOST_RESULTS ? s == 5 && l == 2 && way == 0 : place_takes_next(&place, 11);
          if (is_taken)
            check_tiles(&c, &options);
        }
}

/* ---- segments ---- */

static void check_segments(const uint64_t *offsets, size_t segments, size_t n) {
  usw_options_t options = place_options(&place), on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  place_memory_t elements = device_memory_get(&place, x, n * sizeof *x, 0),
                 halved = device_memory_get(&place, NULL, n * 4, 4);
  place_memory_t there = device_memory_get(&place, offsets, (segments + 1) * sizeof *offsets, 0);
  float *const halves = (float *)malloc(n * sizeof *halves);
  size_t wrong = 0;
  on_host.accuracy = USW_REPRODUCIBLE;
  options.initialize_to_identity = 1;
  memset(&found, 0xa5, sizeof found);
  CHECK_STATUS(USW_OK, segment_sums(n, segments, (const double *)elements.data, (const uint64_t *)there.data,
                                    (float *)halved.data, found.sum, &options));
  memory_read(&halved, halves, n * sizeof *halves);
  for (size_t s = 0; s < segments; s++) {
    double sum;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x + offsets[s], offsets[s + 1] - offsets[s], &sum, &on_host));
    wrong += memcmp(&sum, &found.sum[s], sizeof sum) != 0;
  }
  for (size_t i = offsets[0]; i < offsets[segments]; i++)
    wrong += halves[i] != (float)(x[i] / 2);
  CHECK_U64(0, wrong);
  free(halves);
  device_memory_free(&elements);
  device_memory_free(&halved);
  device_memory_free(&there);
}

static void segments(void) {
  static uint64_t offsets[MOST_RESULTS + 1];
  static const uint64_t few[] = {3, 3, 3, 60000, 60001, 60001, MOST_ITEMS};
  for (size_t i = 0; i < MOST_ITEMS; i++)
    x[i] = (i % 2 ? -1.0 : 1.0) / (double)(i + 1) * (i % 501 == 0 ? 1e200 : i % 77 == 0 ? 1e-200 : 1);
  check_segments(few, sizeof few / sizeof *few - 1, MOST_ITEMS);
  for (size_t s = 0; s < MOST_RESULTS; s++)
    offsets[s + 1] = offsets[s] + (s * s) % 27;
  check_segments(offsets, 1000, MOST_ITEMS);
  fill();
}

/* ---- order ---- */

static void in_order(void) {
  static affine_t maps[MOST_RESULTS];
  const size_t n = 30011, tile = 977, results = (n + tile - 1) / tile;
  const usw_options_t options = place_options(&place);
  place_memory_t elements = device_memory_get(&place, bytes, n, 0);
  size_t wrong = 0;
  memcpy(maps, originals.map, sizeof maps);
  CHECK_STATUS(USW_OK, tile_maps(n, results, (const uint8_t *)elements.data, tile, maps, &options));
  for (size_t r = 0; r < MOST_RESULTS; r++) {
    affine_t map = originals.map[r];
    for (size_t i = r * tile; r < results && i < n && i < (r + 1) * tile; i++) {
      const affine_t of_item = {2 * (uint64_t)bytes[i] + 3, i};
      map = compose(map, of_item);
    }
    wrong += map.a != maps[r].a || map.b != maps[r].b;
  }
  CHECK_U64(0, wrong);
  device_memory_free(&elements);
}

/* ---- the ways of a call ---- */

static void rechecked(void) {
  uint64_t before, after, differing;
  usw_options_t options = place_options(&place);
  options.recheck = 1;
  usw_recheck_counts(&before, NULL);
  for (int on_device = 0; on_device < 2; on_device++) {
    const case_t c = {50000, 60, 1000, 0, 2, on_device};
    check_tiles(&c, &options);
  }
  usw_recheck_counts(&after, &differing);
  CHECK_U64(before + 2, after);
  CHECK_U64(0, differing);
}

static void plans(void) {
  const case_t c = {50000, 60, 1000, 0, 0, 0};
  usw_options_t options = place_options(&place);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_plan_t *plan;
  usw_request_t request;
  place_memory_t elements = device_memory_get(&place, x, sizeof x, 0), results = results_in(&c);
  const double *in = (const double *)elements.data;
  results_t *to = (results_t *)results.data;
  options.report = &report;
  CHECK_STATUS(USW_OK, tile_sums_plan_create(&plan, &options));
  expect(&c);
  for (int run = 0; run < 3; run++) {
    memcpy(to, &originals, sizeof originals);
    if (run == 0)
      CHECK_STATUS(USW_OK,
                   tile_sums_plan_run(c.n, c.results, in, c.tile, to->sum, to->most, to->places, to->map, plan));
    if (run == 1) {
      CHECK_STATUS(USW_OK, tile_sums_plan_start(c.n, c.results, in, c.tile, to->sum, to->most, to->places, to->map,
                                                plan, &request));
      CHECK_STATUS(USW_OK, usw_request_wait(&request));
    }
    if (run == 2) {
      CHECK_STATUS(USW_OK,
                   tile_sums_plan_bind(c.n, c.results, in, c.tile, to->sum, to->most, to->places, to->map, plan));
      CHECK_STATUS(USW_OK, usw_plan_run_bound(plan));
    }
    CHECK(memcmp(to, &expected, sizeof expected) == 0);
    CHECK(report.teams > 0 && report.place == place.place);
  }
  usw_plan_destroy(plan);
  device_memory_free(&elements);
  device_memory_free(&results);
}

static void refused(void) {
  const case_t c = {1000, 10, 100, 0, 0, 0};
  usw_options_t options = place_options(&place);
  place_memory_t elements = device_memory_get(&place, x, sizeof x, 0), results = results_in(&c);
  const double *in = (const double *)elements.data;
  results_t *to = (results_t *)results.data;
  CHECK_STATUS(USW_ERROR_INVALID, tile_sums(c.n, c.results, in, c.tile, NULL, to->most, to->places, to->map, &options));
  CHECK_TEXT_HAS(usw_error_text(), "the address of 'sum' is NULL");
  CHECK_STATUS(USW_OK, tile_sums(c.n, 0, in, c.tile, NULL, NULL, NULL, NULL, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               tile_sums(c.n, c.results, in, c.tile, to->sum, to->most, (uint64_t *)to->sum + 9, to->map, &options));
  CHECK_TEXT_HAS(usw_error_text(), "overlap");
  CHECK_STATUS(USW_ERROR_INVALID,
               tile_sums(c.n, SIZE_MAX / 4, in, c.tile, to->sum, to->most, to->places, to->map, &options));
  CHECK_TEXT_HAS(usw_error_text(), "larger than the address space");
  options.initialize_to_identity = 8;
  CHECK_STATUS(USW_ERROR_NO_IDENTITY, run_tiles(&c, in, &results, &options));
  options = place_options(&place);
  options.strategy = USW_STRATEGY_MULTIPASS;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, run_tiles(&c, in, &results, &options));
  CHECK(memcmp(to, &originals, sizeof originals) == 0);
  device_memory_free(&elements);
  device_memory_free(&results);
}

int main(int argc, char **argv) {
  hide_host_memory();
  place = place_of_arguments(argc, argv);
  fill();
  tiles();
  segments();
  in_order();
  rechecked();
  plans();
  refused();
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
