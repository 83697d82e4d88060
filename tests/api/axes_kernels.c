/* Kernels of axes: any extents, starts, steps, pitches and strides, every set of axes, with original values and without, in memory of the host
 * and of the device, by calls and plans; misuse.
 *   axes_kernels [--place NAME] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "axes_kernels.h"
#include "by_chance.h"

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ELEMENTS = 100000, MANY_ITEMS = 90000, MOST_RESULTS = 30000 };

static test_place_t place;
static double a[MOST_ELEMENTS], center[MOST_ELEMENTS];
static float b[MOST_ELEMENTS];

typedef struct {
  double sum[MOST_RESULTS];
  peak_t peak[MOST_RESULTS];
  uint64_t indices[MOST_RESULTS], items[MOST_RESULTS];
  double reproducible[MOST_RESULTS];
  float most[MOST_RESULTS];
  float most_small[MOST_RESULTS];
  uint32_t indices_small[MOST_RESULTS];
  uint64_t indices_alone[MOST_RESULTS];
} results_t;
static results_t originals, expected, found;

typedef struct {
  usw_space_t space;
  uint32_t axes;
  ptrdiff_t strides[2]; /* as options take them */
  size_t results;
  int is_fresh, results_on_device, has_plan;
} case_t;

static void fill(void) {
  for (size_t e = 0; e < MOST_ELEMENTS; e++) {
    a[e] = (double)chance(40) - 20;
    b[e] = (float)chance(1000) - 500;
    center[e] = (double)chance(8);
  }
  for (size_t r = 0; r < MOST_RESULTS; r++) {
    const peak_t peak = {r % 4 == 0 ? 30.0 : -30.0, 7};
    originals.sum[r] = originals.reproducible[r] = (double)r;
    originals.peak[r] = peak;
    originals.most[r] = originals.most_small[r] = r % 3 == 0 ? 2000 : -2000;
    originals.indices[r] = originals.items[r] = originals.indices_alone[r] = 5 + r;
    originals.indices_small[r] = (uint32_t)r;
  }
}

/* An extent below the rest: none, one, few, or many. */
static size_t extent_below(size_t most) {
  const uint64_t kind = chance(16);
  const size_t wanted = kind == 0   ? 0
                        : kind == 1 ? 1
                        : kind < 6  ? 1 + chance(9)
                        : kind < 12 ? 1 + chance(70)
                                    : 1 + chance(20000);
  return wanted < most ? wanted : most;
}

/* Starts, steps and pitches that leave all elements in the array, if it has room for them. */
static void spread(usw_space_t *space) {
  size_t pitch = 1;
  for (uint32_t d = space->dimensions; d-- > 0;) {
    const size_t step = 1 + chance(3) / 2, way = space->extent[d] > 0 ? (space->extent[d] - 1) * step : 0;
    const size_t from = chance(3);
    const int is_down = chance(3) == 0;
    space->step[d] = is_down ? -(ptrdiff_t)step : (ptrdiff_t)step;
    space->start[d] = (ptrdiff_t)(is_down ? from + way : from);
    pitch *= from + way + 1 + chance(2);
    if (d > 0)
      space->pitch[space->dimensions - 1 - d] = pitch;
  }
}

static void choose(case_t *c) {
  const uint32_t dimensions = 2 + (uint32_t)chance(2);
  const int has_pieces =
      place.place == USW_HOST && chance(20) == 0; /* one axis of so many items that the host cuts them */
  size_t room = 6000;
  uint32_t longest = 0;
  size_t extents[3] = {1, 1, 1};
  for (uint32_t k = 0, d = (uint32_t)chance(dimensions); k < dimensions; k++, d = (d + 1) % dimensions) {
    extents[d] = has_pieces && k == 0 ? MANY_ITEMS : extent_below(chance(4) == 0 && k == 0 ? 20000 : room);
    longest = k == 0 ? d : longest;
    room = extents[d] > 0 && room / extents[d] > 0 ? room / extents[d] : 1;
  }
  c->space = dimensions == 2 ? usw_space_2d(extents[0], extents[1]) : usw_space_3d(extents[0], extents[1], extents[2]);
  c->strides[0] = c->strides[1] = 1;
  if (chance(2) && extents[0] * extents[1] * extents[2] < 1200)
    spread(&c->space);
  for (uint32_t s = 0; s < 2 && extents[0] * extents[1] * extents[2] < 1200; s++)
    c->strides[s] = chance(4) == 0 ? 2 : chance(8) == 0 ? USW_STRIDE_NONE : 1;
  c->axes = chance(8) == 0 ? USW_ALL_AXES : (uint32_t)chance(1u << dimensions);
  c->axes |= has_pieces ? USW_AXIS(longest) : 0;
  c->is_fresh = (int)chance(2);
  c->results_on_device = place.place == USW_DEVICE && chance(2);
  c->has_plan = chance(3) == 0;
  c->results = 1;
  for (uint32_t d = 0; d < dimensions; d++)
    c->results *= c->axes >> d & 1 ? 1 : extents[d];
}

static ptrdiff_t stride_of(const case_t *c, uint32_t s) { return c->strides[s] == USW_STRIDE_NONE ? 0 : c->strides[s]; }

static void expect_item(const case_t *c, size_t r, uint64_t item, const ptrdiff_t *index) {
  const uint32_t last = c->space.dimensions - 1;
  const size_t whole = c->space.extent[last], rows = c->space.extent[last - 1];
  const ptrdiff_t row_pitch = (ptrdiff_t)(c->space.pitch[0] ? c->space.pitch[0] : whole);
  const ptrdiff_t plane_pitch = (ptrdiff_t)(c->space.pitch[1] ? c->space.pitch[1] : whole * rows);
  const ptrdiff_t i = index[last], j = index[last - 1], k = last == 2 ? index[0] : 0;
  const ptrdiff_t element = k * plane_pitch + j * row_pitch + i;
  const uint64_t told = (uint64_t)(10007 * k + 101 * j + i);
  const peak_t here = {a[element * stride_of(c, 0)], item};
  const float of_b = b[element * stride_of(c, 1)], of_small = b[element * stride_of(c, 0)];
  expected.sum[r] += 3 * (here.value - center[i]);
  expected.most[r] = of_b > expected.most[r] ? of_b : expected.most[r];
  expected.peak[r] = peak_higher(expected.peak[r], here);
  expected.indices[r] += told;
  expected.items[r] += item;
  expected.indices_alone[r] += told;
  expected.reproducible[r] += here.value;
  expected.most_small[r] = of_small > expected.most_small[r] ? of_small : expected.most_small[r];
  expected.indices_small[r] += (uint32_t)told;
}

static void expect(const case_t *c) {
  const usw_space_t *s = &c->space;
  size_t items = 1;
  expected = originals;
  for (size_t r = 0; c->is_fresh && r < c->results; r++) {
    expected.sum[r] = expected.reproducible[r] = 0;
    expected.most[r] = expected.most_small[r] = -INFINITY;
    expected.peak[r] = peak_none();
    expected.indices[r] = expected.items[r] = expected.indices_alone[r] = 0;
    expected.indices_small[r] = 0;
  }
  for (uint32_t d = 0; d < s->dimensions; d++)
    items *= s->extent[d];
  for (size_t n = 0; n < items; n++) {
    size_t rest = n, r = 0, results = 1, item = 0, of_result = 1;
    ptrdiff_t index[3];
    for (uint32_t d = s->dimensions; d-- > 0;) {
      const size_t at = rest % s->extent[d];
      rest /= s->extent[d];
      index[d] = s->start[d] + (ptrdiff_t)at * (s->step[d] ? s->step[d] : 1);
      if (c->axes >> d & 1) {
        item += at * of_result;
        of_result *= s->extent[d];
      } else {
        r += at * results;
        results *= s->extent[d];
      }
    }
    expect_item(c, r, item, index);
  }
}

static size_t wrong_at(size_t r, int is_3d) {
  return found.sum[r] != expected.sum[r] || found.most[r] != expected.most[r] ||
         found.peak[r].value != expected.peak[r].value || found.peak[r].item != expected.peak[r].item ||
         found.indices[r] != expected.indices[r] ||
         (is_3d &&
          (found.reproducible[r] != expected.reproducible[r] || found.items[r] != expected.items[r] ||
           found.indices_alone[r] != expected.indices_alone[r] || found.most_small[r] != expected.most_small[r] ||
           found.indices_small[r] != expected.indices_small[r]));
}

static void compare(const case_t *c, const char *note) {
  size_t wrong = 0, first = 0;
  for (size_t r = 0; r < c->results; r++) {
    const size_t is_wrong = wrong_at(r, c->space.dimensions == 3);
    if (is_wrong && wrong == 0)
      first = r;
    wrong += is_wrong;
  }
  if (wrong > 0)
    fprintf(stderr, "%s: %zu wrong, result %zu is %g %g %g@%llu %llu, not %g %g %g@%llu %llu\n", note, wrong, first,
            found.sum[first], found.most[first], found.peak[first].value, (unsigned long long)found.peak[first].item,
            (unsigned long long)found.indices[first], expected.sum[first], expected.most[first],
            expected.peak[first].value, (unsigned long long)expected.peak[first].item,
            (unsigned long long)expected.indices[first]);
  CHECK_AT(wrong == 0, note);
  CHECK_AT(memcmp(&found.items[c->results], &originals.items[c->results],
                  (MOST_RESULTS - c->results) * sizeof *found.items) == 0,
           note);
}

static usw_status_t run_planned(const case_t *c, const double *of_a, const double *of_center, const float *of_b,
                                results_t *to, const usw_options_t *options) {
  usw_plan_t *plan;
  usw_status_t status;
  if (c->space.dimensions == 2) {
    status = centered_2d_plan_create(&plan, &c->space, c->axes, options);
    if (status == USW_OK)
      status = centered_2d_plan_run(3, of_a, of_center, of_b, to->sum, to->most, to->peak, to->indices, plan);
  } else {
    status = centered_3d_plan_create(&plan, &c->space, c->axes, options);
    if (status == USW_OK)
      status = centered_3d_plan_run(3, of_a, of_center, of_b, to->sum, to->most, to->peak, to->indices, plan);
  }
  usw_plan_destroy(plan);
  return status;
}

static void run_all(const case_t *c, const double *of_a, const double *of_center, const float *of_b, results_t *to,
                    const usw_options_t *options) {
  if (c->has_plan)
    CHECK_STATUS(USW_OK, run_planned(c, of_a, of_center, of_b, to, options));
  else if (c->space.dimensions == 2)
    CHECK_STATUS(USW_OK, centered_2d(&c->space, c->axes, 3, of_a, of_center, of_b, to->sum, to->most, to->peak,
                                     to->indices, options));
  else
    CHECK_STATUS(USW_OK, centered_3d(&c->space, c->axes, 3, of_a, of_center, of_b, to->sum, to->most, to->peak,
                                     to->indices, options));
  if (c->space.dimensions == 2)
    return;
  CHECK_STATUS(USW_OK, least_halves(&c->space, c->axes, of_b, to->most_small, to->indices_small, options));
  CHECK_STATUS(USW_OK, indices_alone(&c->space, c->axes, to->indices_alone, to->items, options));
  CHECK_STATUS(USW_OK, reproducible_3d(&c->space, c->axes, of_a, to->reproducible, options));
}

static void run(uint64_t seed) {
  const test_place_t host = {USW_HOST, -1, "host"};
  usw_options_t options = place_options(&place);
  char note[240];
  case_t c;
  chance_begin(seed);
  fill();
  choose(&c);
  expect(&c);
  snprintf(note, sizeof note,
           "seed %llu: %u dimensions, %zu x %zu x %zu, steps %td %td %td, strides %td %td, axes %x, fresh %d, device "
           "%d, plan %d",
           (unsigned long long)seed, c.space.dimensions, c.space.extent[0], c.space.extent[1], c.space.extent[2],
           c.space.step[0], c.space.step[1], c.space.step[2], stride_of(&c, 0), stride_of(&c, 1), c.axes, c.is_fresh,
           c.results_on_device, c.has_plan);
  options.initialize_to_identity = c.is_fresh ? 0xf : 0;
  options.teams = chance(4) == 0 ? 1 + (uint32_t)chance(60) : 0;
  options.stride[0] = c.strides[0];
  options.stride[1] = c.strides[1];
  place_memory_t of_a = device_memory_get(&place, a, sizeof a, chance(3) == 0 ? sizeof *a : 0);
  place_memory_t of_b = device_memory_get(&place, b, sizeof b, chance(3) == 0 ? sizeof *b : 0);
  place_memory_t centers = device_memory_get(&place, center, sizeof center, 0);
  place_memory_t results = device_memory_get(c.results_on_device ? &place : &host, &originals, sizeof originals, 0);
  run_all(&c, (const double *)of_a.data, (const double *)centers.data, (const float *)of_b.data,
          (results_t *)results.data, &options);
  memory_read(&results, &found, sizeof found);
  compare(&c, note);
  device_memory_free(&of_a);
  device_memory_free(&of_b);
  device_memory_free(&centers);
  device_memory_free(&results);
}

static void misuse(void) {
  const usw_options_t options = place_options(&place);
  usw_space_t space = usw_space_2d(2, 2);
  double elements[4] = {0}, sums[2] = {-1, -1};
  float most[2];
  peak_t peaks[2];
  uint64_t indices[2];
  const float of_b[4] = {0};
  CHECK_STATUS(USW_ERROR_INVALID,
               centered_2d(NULL, 1, 1, elements, elements, of_b, sums, most, peaks, indices, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               centered_2d(&space, 4, 1, elements, elements, of_b, sums, most, peaks, indices, &options));
  CHECK_TEXT_HAS(usw_error_text(), "centered_2d: there is no axis 2, the space has 2 dimensions");
  CHECK_STATUS(USW_ERROR_INVALID,
               centered_2d(&space, 1, 1, NULL, elements, of_b, sums, most, peaks, indices, &options));
  CHECK_STATUS(USW_ERROR_INVALID,
               centered_2d(&space, 1, 1, elements, elements, of_b, NULL, most, peaks, indices, &options));
  space.tile[1] = 1;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               centered_2d(&space, 1, 1, elements, elements, of_b, sums, most, peaks, indices, &options));
  CHECK_TEXT_HAS(usw_error_text(), "without tiles");
  space.tile[1] = 0;
  const usw_variable_t variable = {sums, 2};
  const uint64_t arguments[72] = {(uint64_t)(uintptr_t)elements};
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               usw_kernel_run_axes(&without_axes_kernel, 2, &space, 1, arguments, &variable, &options));
  CHECK_TEXT_HAS(usw_error_text(), "define USW_AXES");
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_kernel_run(&reproducible_3d_kernel, 4, arguments, &variable, &options));
  CHECK_TEXT_HAS(usw_error_text(), "a kernel of axes: run it by its function");
  CHECK_F64(-1, sums[0]);
}

/* Sums of integers have it, those with bins have not: a sweep is all that there is along axes. */
static void check_exact(void) {
  usw_options_t options = place_options(&place);
  const usw_space_t space = usw_space_3d(1, 2, 2);
  const double elements[4] = {0};
  double sum = -1;
  uint64_t indices[2] = {0}, items[2] = {0};
  options.accuracy = USW_EXACT;
  CHECK_STATUS(USW_OK, indices_alone(&space, USW_AXIS(2), indices, items, &options));
  CHECK_U64(2 * 101 + 1, indices[1]);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, reproducible_3d(&space, 7, elements, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "reproducible_3d: USW_EXACT takes several sweeps");
  CHECK_TEXT_HAS(usw_error_text(), "take USW_REPRODUCIBLE, or one call for each result");
  CHECK_F64(-1, sum);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  hide_host_memory();
  run_by_chance(argc, argv, &place, (case_counts_t){40, 200, 2000}, run);
  misuse();
  check_exact();
  return check_report();
}
