/* Outputs: every item writes its element and nothing else is written, in arrays of their own and in place, at any length, alignment and
 * stride, by every strategy; spaces; what is no output is refused; recheck, plans and staging of kernels that write.
 *   outputs [--place NAME] */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "output_kernels.h"

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum { MOST_ITEMS = 70001, GAP = 4, ROOM = 3 * MOST_ITEMS + 2 * GAP, STAGED_ITEMS = 300007 };

static test_place_t place;
static double x[ROOM], y[ROOM], written[ROOM], expected[ROOM];
static const double a = 3, untouched = -12345.5;

static usw_options_t options_of(usw_strategy_t strategy) {
  usw_options_t options = place_options(&place);
  options.strategy = strategy;
  options.accuracy = strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  return options;
}

static void fill(double *values, double scale) {
  for (size_t i = 0; i < ROOM; i++)
    values[i] = scale * (double)((i * 7919) % 1000);
}

/* Kernels of the same arguments; those with one more variable take it from here. */
static uint64_t items;
static double total, most, cells[TURN_CELLS];
static usw_status_t run_update(size_t n, const double *in, const double *other, double *out, const usw_options_t *o) {
  return update(n, in, other, a, out, &total, &most, o);
}
static usw_status_t run_reproducibly(size_t n, const double *in, const double *other, double *out,
                                     const usw_options_t *o) {
  return update_reproducibly(n, in, other, a, out, &total, o);
}
static usw_status_t run_in_order(size_t n, const double *in, const double *other, double *out, const usw_options_t *o) {
  return update_in_order(n, in, other, a, out, &items, o);
}
static usw_status_t run_in_step(size_t n, const double *in, const double *other, double *out, const usw_options_t *o) {
  return update_in_step(n, in, other, a, out, &items, o);
}
static usw_status_t run_in_turns(size_t n, const double *in, const double *other, double *out, const usw_options_t *o) {
  return update_by_turns(n, in, other, a, out, &items, cells, TURN_CELLS, o);
}

typedef struct {
  const char *name;
  usw_status_t (*run)(size_t n, const double *in, const double *other, double *out, const usw_options_t *o);
  int counts, in_place, has_clause;
} kernel_t;
static const kernel_t kernels[] = {{"update", run_update, 0, 1, 1},
                                   {"update_reproducibly", run_reproducibly, 0, 1, 0},
                                   {"update_in_order", run_in_order, 1, 1, 0},
                                   {"update_in_step", run_in_step, 1, 1, 1},
                                   {"update_by_turns", run_in_turns, 1, 0, 0}};

typedef struct {
  const kernel_t *kernel;
  size_t n, offset; /* of the first element, in elements of 8 bytes from a boundary */
  ptrdiff_t stride; /* of the inputs and the output */
  int in_place;     /* 1: the output is x, 2: it is y */
  usw_strategy_t strategy;
} case_t;

static size_t span_of(const case_t *c) {
  const size_t step = (size_t)(c->stride < 0 ? -c->stride : c->stride);
  return c->n == 0 ? 0 : (c->n - 1) * step + 1;
}

/* The output as it is to be, gaps and what lies around it included. */
static void expect(const case_t *c) {
  const size_t span = span_of(c), first = GAP + (c->stride < 0 ? span - 1 : 0);
  for (size_t k = 0; k < span + 2 * GAP; k++)
    expected[k] = c->in_place == 1 ? x[k] : c->in_place == 2 ? y[k] : untouched;
  for (size_t i = 0; i < c->n; i++) {
    const size_t at = (size_t)((ptrdiff_t)first + (ptrdiff_t)i * c->stride);
    expected[at] = a * x[at] + y[at];
  }
}

static void run_case(const case_t *c) {
  const size_t span = span_of(c), bytes = (span + 2 * GAP) * sizeof(double), shift = c->offset * sizeof(double);
  char note[200];
  usw_options_t o = options_of(c->strategy);
  place_memory_t in = device_memory_get(&place, x, bytes, shift), other = device_memory_get(&place, y, bytes, shift);
  for (size_t k = 0; k < span + 2 * GAP; k++)
    written[k] = untouched;
  place_memory_t out = device_memory_get(&place, written, bytes, shift);
  const size_t first = GAP + (c->stride < 0 && span > 0 ? span - 1 : 0);
  double *const to = (double *)(c->in_place == 1 ? in.data : c->in_place == 2 ? other.data : out.data) + first;
  o.stride[0] = o.stride[1] = o.stride[2] = c->stride;
  items = 0, total = 0;
  const usw_status_t status =
      c->kernel->run(c->n, (const double *)in.data + first, (const double *)other.data + first, to, &o);
  snprintf(note, sizeof note, "%s, n %zu, stride %td, offset %zu, in place %d, strategy %d: %s", c->kernel->name, c->n,
           c->stride, c->offset, c->in_place, (int)c->strategy, usw_error_text());
  CHECK_AT(status == USW_OK, note);
  memory_read(c->in_place == 1 ? &in : c->in_place == 2 ? &other : &out, written, bytes);
  expect(c);
  CHECK_AT(memcmp(written, expected, bytes) == 0, note);
  CHECK_AT(!c->kernel->counts || items == c->n, note);
  device_memory_free(&in);
  device_memory_free(&other);
  device_memory_free(&out);
}

static void lengths(const kernel_t *kernel, usw_strategy_t strategy) {
  static const size_t sizes[] = {0, 1, 2, 3, 17, 255, 512, 1025, 4099, MOST_ITEMS};
  static const ptrdiff_t strides[] = {1, 2, -1};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t t = 0; t < sizeof strides / sizeof *strides; t++)
      for (size_t offset = 0; offset < 2; offset++)
        for (int in_place = 0; in_place <= 2 * kernel->in_place; in_place++) {
          const case_t c = {kernel, sizes[s], offset, strides[t], in_place, strategy};
          if (place_takes_next(&place, 5))
            run_case(&c);
        }
}

/* Numbers of which some fit no window, so that blocks are tried twice, or item by item. */
static void wild(void) {
  for (size_t i = 0; i < ROOM; i++) {
    x[i] = ldexp((double)(i % 7 + 1), i % 97 == 0 ? (int)(i % 1500) - 800 : 0);
    y[i] = i % 5003 == 17 ? NAN : -x[i] / 2;
  }
  const size_t sizes[] = {1, 100, 5000, MOST_ITEMS};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int in_place = 0; in_place <= 2; in_place++) {
      const case_t c = {&kernels[1], sizes[s], 0, 1, in_place, USW_AUTO_STRATEGY};
      run_case(&c);
    }
  fill(x, 1);
  fill(y, 0.5);
}

/* ---- more outputs, none read, spaces ---- */

static uint8_t bytes[STAGED_ITEMS];
static float singles[STAGED_ITEMS];
static uint64_t thirds[STAGED_ITEMS];
static double source[STAGED_ITEMS];

static void check_converted(size_t n, const char *note) {
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t whole = (uint64_t)source[i];
    wrong += bytes[i] != (uint8_t)whole || singles[i] != (float)source[i] ||
             thirds[i] != (whole % 3 == 0 ? whole : UINT64_MAX);
  }
  CHECK_AT(wrong == 0, note);
}

static void reset_converted(void) {
  memset(bytes, 0, sizeof bytes);
  memset(singles, 0, sizeof singles);
  memset(thirds, 0xff, sizeof thirds);
  for (size_t i = 0; i < STAGED_ITEMS; i++)
    source[i] = (double)(i * 31 % 1021);
}

static void unlike_types(void) {
  static const size_t sizes[] = {1, 15, 16, 17, 4096, 33333};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t offset = 0; offset < 2; offset++) {
      const size_t n = sizes[s];
      usw_options_t o = options_of(USW_AUTO_STRATEGY);
      uint64_t found = 0;
      reset_converted();
      place_memory_t in = device_memory_get(&place, source, n * 8, 0), b = device_memory_get(&place, bytes, n, offset);
      place_memory_t f = device_memory_get(&place, singles, n * 4, 4 * offset),
                     t = device_memory_get(&place, thirds, n * 8, 0);
      CHECK_STATUS(USW_OK, convert(n, (const double *)in.data, (uint8_t *)b.data, (float *)f.data, (uint64_t *)t.data,
                                   &found, &o));
      CHECK_U64(n, found);
      memory_read(&b, bytes, n);
      memory_read(&f, singles, n * 4);
      memory_read(&t, thirds, n * 8);
      check_converted(n, "unlike types");
      device_memory_free(&in), device_memory_free(&b), device_memory_free(&f), device_memory_free(&t);
    }
}

static void nothing_to_read(void) {
  usw_options_t o = options_of(USW_AUTO_STRATEGY);
  const size_t n = 5003;
  uint64_t found = 0;
  size_t wrong = 0;
  place_memory_t out = device_memory_get(&place, NULL, n * sizeof(double), 0);
  o.place = place.place;
  CHECK_STATUS(USW_OK, ramp(n, 0.25, (double *)out.data, &found, &o));
  memory_read(&out, written, n * sizeof(double));
  for (size_t i = 0; i < n; i++)
    wrong += written[i] != 0.25 + (double)i;
  CHECK_U64(0, wrong);
  CHECK_U64(n, found);
  device_memory_free(&out);
}

/* Every second column of a part of an array, backwards, by tiles, in place. */
static void spaces(void) {
  enum { ROWS = 61, COLUMNS = 90, PITCH = 100 };
  usw_options_t o = options_of(USW_AUTO_STRATEGY);
  usw_space_t space = usw_space_2d(ROWS, COLUMNS / 2);
  uint64_t found = 0;
  space.start[1] = COLUMNS - 1;
  space.step[1] = -2;
  space.tile[0] = 7;
  space.tile[1] = 8;
  space.pitch[0] = PITCH;
  place_memory_t in = device_memory_get(&place, x, ROWS * PITCH * sizeof(double), 0);
  CHECK_STATUS(USW_OK, update_plane(&space, (const double *)in.data, a, (double *)in.data, &found, &o));
  CHECK_U64(ROWS * (COLUMNS / 2), found);
  memory_read(&in, written, ROWS * PITCH * sizeof(double));
  size_t wrong = 0;
  for (int j = 0; j < ROWS; j++)
    for (int i = 0; i < PITCH; i++) {
      const double before = x[j * PITCH + i], after = written[j * PITCH + i];
      wrong += after != (i < COLUMNS && i % 2 == 1 ? a * before + (double)(1000 * j + i) : before);
    }
  CHECK_U64(0, wrong);
  device_memory_free(&in);
}

/* ---- misuse ---- */

static void refused(void) {
  const size_t n = 1000, room = 2 * n;
  usw_options_t o = options_of(USW_AUTO_STRATEGY);
  place_memory_t memory = device_memory_get(&place, x, room * sizeof(double), 0);
  place_memory_t apart = device_memory_get(&place, y, room * sizeof(double), 0);
  double *const in = (double *)memory.data, *const other = (double *)apart.data;
  CHECK_STATUS(USW_ERROR_INVALID, update(n, in, other, a, in + 1, &total, &most, &o));
  CHECK_TEXT_HAS(usw_error_text(), "the output 'out' shares elements with 'x'");
  CHECK_STATUS(USW_ERROR_INVALID, update(n, in, other, a, NULL, &total, &most, &o));
  CHECK_TEXT_HAS(usw_error_text(), "'out' is NULL");
  CHECK_STATUS(USW_ERROR_INVALID, update(n, in, other, a, (double *)((char *)other + 4), &total, &most, &o));
  CHECK_TEXT_HAS(usw_error_text(), "not aligned");
  o.stride[2] = USW_STRIDE_NONE;
  CHECK_STATUS(USW_ERROR_INVALID, update(n, in, in, a, other, &total, &most, &o));
  CHECK_TEXT_HAS(usw_error_text(), "stride 0");
  o.stride[2] = 2; /* over what x has, where that is contiguous */
  CHECK_STATUS(USW_ERROR_INVALID, update(n, in, other, a, in, &total, &most, &o));
  o.stride[0] = o.stride[1] = 2; /* members of structures, which are apart */
  CHECK_STATUS(USW_OK, update(n, in, in, a, in + 1, &total, &most, &o));
  o.stride[0] = o.stride[1] = o.stride[2] = 0;
  CHECK_STATUS(USW_OK, update(n, in, in, a, in + n, &total, &most, &o)); /* one behind the other */
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, update_by_turns(n, in, other, a, in, &items, cells, TURN_CELLS, &o));
  CHECK_TEXT_HAS(usw_error_text(), "cannot be written in place");
  uint64_t *const index = (uint64_t *)apart.data;
  CHECK_STATUS(USW_ERROR_INVALID, gather(n, index, in + 5, in, &most, &o));
  CHECK_TEXT_HAS(usw_error_text(), "the array 'table' begins within the output 'out'");
  CHECK_STATUS(USW_OK, update(1, in, in, a, in, &total, &most, &o));
  device_memory_free(&memory);
  device_memory_free(&apart);
}

/* ---- the ways of a call ---- */

static void rechecked(void) {
  const size_t n = 3001;
  uint64_t checked, before, differing;
  usw_options_t o = options_of(USW_AUTO_STRATEGY);
  place_memory_t in = device_memory_get(&place, x, n * sizeof(double), 0),
                 out = device_memory_get(&place, y, n * sizeof(double), 0);
  o.recheck = 1;
  usw_recheck_counts(&before, NULL);
  CHECK_STATUS(USW_OK,
               update(n, (const double *)in.data, (const double *)in.data, a, (double *)out.data, &total, &most, &o));
  usw_recheck_counts(&checked, &differing);
  CHECK_U64(before + 1, checked);
  CHECK_U64(0, differing);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED,
               update(n, (const double *)in.data, (const double *)in.data, a, (double *)in.data, &total, &most, &o));
  CHECK_TEXT_HAS(usw_error_text(), "written in place");
  device_memory_free(&in);
  device_memory_free(&out);
}

static void plans(void) {
  const size_t n = 9001;
  usw_options_t o = options_of(USW_AUTO_STRATEGY);
  usw_plan_t *plan;
  place_memory_t in = device_memory_get(&place, x, n * sizeof(double), 0),
                 out = device_memory_get(&place, y, n * sizeof(double), 0);
  double *const to = (double *)out.data;
  CHECK_STATUS(USW_OK, update_plan_create(&plan, &o));
  for (int run = 0; run < 4; run++) { /* in place: each run goes on from what the one before has written */
    const usw_status_t status = run < 2 ? update_plan_run(n, (const double *)in.data, to, a, to, &total, &most, plan)
                                        : usw_plan_run_bound(plan);
    CHECK_STATUS(USW_OK, status);
    if (run == 1)
      CHECK_STATUS(USW_OK, update_plan_bind(n, (const double *)in.data, to, a, to, &total, &most, plan));
  }
  size_t wrong = 0;
  memory_read(&out, written, n * sizeof(double));
  for (size_t i = 0; i < n; i++)
    wrong += written[i] != 4 * a * x[i] + y[i];
  CHECK_U64(0, wrong);
  usw_plan_destroy(plan);
  device_memory_free(&in);
  device_memory_free(&out);
}

/* From host memory and back, some of it or all; `convert` has no index. */
static void staged(void) {
  static const size_t sizes[] = {1, 1000, 32768, 40000, STAGED_ITEMS};
  static uint64_t spread[2 * STAGED_ITEMS];
  usw_options_t o = options_of(USW_AUTO_STRATEGY);
  o.staging = USW_STAGING_ALWAYS;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int kept = 0; kept < 3; kept++) { /* on the device: nothing, the input, an output */
      const size_t n = sizes[s];
      uint64_t found = 0;
      reset_converted();
      memset(spread, 0xff, sizeof spread);
      place_memory_t in = device_memory_get(&place, source, n * 8, 0), b = device_memory_get(&place, bytes, n, 0);
      o.stride[3] = 2;
      CHECK_STATUS(USW_OK, convert(n, kept == 1 ? (const double *)in.data : source,
                                   kept == 2 ? (uint8_t *)b.data : bytes, singles, spread, &found, &o));
      if (kept == 2)
        memory_read(&b, bytes, n);
      for (size_t i = 0; i < n; i++)
        thirds[i] = spread[2 * i];
      check_converted(n, "staged");
      CHECK_U64(n, found);
      device_memory_free(&in);
      device_memory_free(&b);
    }
}

int main(int argc, char **argv) {
  hide_host_memory();
  place = place_of_arguments(argc, argv);
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  fill(x, 1);
  fill(y, 0.5);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    for (int s = 0; s < count; s++)
      if (kernels[k].has_clause || strategies[s] != USW_STRATEGY_CLAUSE)
        lengths(&kernels[k], strategies[s]);
  wild();
  unlike_types();
  nothing_to_read();
  spaces();
  refused();
  rechecked();
  plans();
  if (place.place == USW_DEVICE)
    staged();
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
