/* Scans and reductions along axes and of segments whose elements come from host memory to the device in chunks: the results of device
 * arrays, at every edge of chunks; the same bits again; what has no staging is refused.   staging_families [--place NAME] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

enum {
  ITEMS = 100007,
  OF_SCAN = 16384,  /* doubles of the shortest chunk that a scan has: in and out */
  OF_CHUNK = 32768, /* and that others have */
  MOST_SEGMENTS = 70000,
  RUNS = 2
};

static test_place_t place;
static double x[2 * ITEMS], y[2 * ITEMS]; /* in host memory */
static char expected[2 * ITEMS * 16], found[2 * ITEMS * 16];

static usw_options_t options_of(usw_staging_t staging) {
  usw_options_t options = place_options(&place);
  options.staging = staging;
  return options;
}

static place_memory_t put(const void *contents, size_t bytes) {
  return device_memory_get(&place, contents, bytes > 0 ? bytes : 1, 0);
}

static void copy_here(void *to, const place_memory_t *from, size_t bytes) {
  if (from->device < 0)
    memcpy(to, from->data, bytes);
  else
    CHECK(memory_device_copy(to, -1, from->data, from->device, bytes) == 0);
}

/* Small whole numbers, of which sums are exact in any order; as integers too. */
static void fill(usw_type_t type) {
  for (size_t i = 0; i < 2 * ITEMS; i++) {
    const uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u >> 40;
    const int64_t number = (int64_t)(mixed % 97) - 48, other = (int64_t)(mixed % 13) - 6;
    if (type == USW_F64)
      x[i] = (double)number, y[i] = (double)other;
    else
      memcpy(&x[i], &number, sizeof number), memcpy(&y[i], &other, sizeof other);
  }
}

/* Numbers of very unlike sizes: each order of a sum has bits of its own. */
static void fill_wide(void) {
  fill(USW_F64);
  for (size_t i = 0; i < 2 * ITEMS; i++)
    x[i] *= 1.0 / (double)(1 + i % 7919);
}

static void expect_same(size_t bytes, const char *what, size_t n) {
  size_t at = 0;
  while (at < bytes && expected[at] == found[at])
    at++;
  check_count(at == bytes, __FILE__, __LINE__, "%s, n=%zu: byte %zu of %zu is not that of device arrays", what, n, at,
              bytes);
}

/* ---- scans ---- */

typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  size_t result_bytes;
  int is_exclusive, has_initial;
} scan_t;

static const scan_t scans[] = {
    {USW_PLUS, USW_I32, 8, 0, 0},    {USW_PLUS, USW_F64, 8, 1, 1},   {USW_ARGMIN, USW_F64, 16, 0, 0},
    {USW_MAXIMUM, USW_F64, 8, 1, 0}, {USW_MAXIMUM, USW_U8, 1, 0, 0},
};
enum { SCANS = sizeof scans / sizeof *scans };

static usw_status_t scan(const scan_t *s, const void *from, size_t n, void *to, const usw_options_t *options) {
  static const double initial = -1000;
  return s->is_exclusive
             ? usw_scan_exclusive(s->operation, s->type, from, n, to, s->has_initial ? &initial : NULL, options)
             : usw_scan_inclusive(s->operation, s->type, from, n, to, options);
}

static void scan_lengths(const scan_t *s) {
  static const size_t lengths[] = {1, OF_SCAN - 1, OF_SCAN, OF_SCAN + 1, ITEMS};
  const usw_options_t staged = options_of(USW_STAGING_ALWAYS), there = options_of(USW_STAGING_NEVER);
  fill(s->type == USW_I32 ? USW_I64 : USW_F64);
  memset(found, 0, sizeof found);
  place_memory_t from = put(x, ITEMS * sizeof *x), to = put(found, ITEMS * s->result_bytes);
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    const size_t n = lengths[k], bytes = n * s->result_bytes;
    if (!place_takes_next(&place, 2))
      continue;
    CHECK_STATUS(USW_OK, scan(s, from.data, n, to.data, &there));
    copy_here(expected, &to, bytes);
    memset(found, 0xa5, bytes + 8);
    CHECK_STATUS(USW_OK, scan(s, x, n, found, &staged));
    expect_same(bytes, "a scan", n);
    CHECK_U64(0xa5, (unsigned char)found[bytes]);
    CHECK_STATUS(USW_OK, scan(s, x, n, to.data, &staged));
    copy_here(found, &to, bytes);
    expect_same(bytes, "a scan to the device", n);
    memset(found, 0, bytes);
    CHECK_STATUS(USW_OK, scan(s, from.data, n, found, &staged));
    expect_same(bytes, "a scan from the device", n);
  }
  device_memory_free(&from);
  device_memory_free(&to);
}

/* From the end, and in place. */
static void scan_ways(void) {
  usw_options_t backward = options_of(USW_STAGING_ALWAYS), staged = backward;
  double *const to = (double *)(void *)found, *const sums = (double *)(void *)expected;
  fill(USW_F64);
  for (size_t i = ITEMS; i-- > 0;)
    sums[i] = x[2 * i] + (i + 1 < ITEMS ? sums[i + 1] : 0);
  backward.stride[0] = -2;
  backward.stride[1] = -1;
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x + 2 * (ITEMS - 1), ITEMS, to + ITEMS - 1, &backward));
  expect_same(ITEMS * sizeof *to, "a scan from the end", ITEMS);
  for (size_t i = 0; i < ITEMS; i++)
    sums[i] = x[i] + (i > 0 ? sums[i - 1] : 0);
  memcpy(to, x, ITEMS * sizeof *to);
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, to, ITEMS, to, &staged));
  expect_same(ITEMS * sizeof *to, "a scan in place", ITEMS);
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x, 0, to, &staged));
}

/* Sums that round: the same bits on every run, near to those of the device. */
static void scan_rounds(void) {
  usw_options_t staged = options_of(USW_STAGING_ALWAYS);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  const double *const sums = (double *)(void *)expected;
  double sum = 0, all = 0;
  int is_near = 1;
  fill_wide();
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x, ITEMS, expected, &staged));
  for (size_t i = 0; i < ITEMS; i++) {
    sum += x[i];
    all += x[i] < 0 ? -x[i] : x[i];
    is_near &= sums[i] - sum <= all * 1e-12 && sum - sums[i] <= all * 1e-12;
  }
  CHECK(is_near);
  staged.report = &report;
  staged.recheck = 1;
  for (int run = 0; run < RUNS; run++) {
    CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x, ITEMS, found, &staged));
    expect_same(ITEMS * sizeof *x, "a scan once more", ITEMS);
  }
  CHECK_I64(USW_DEVICE, report.place);
  CHECK(report.teams > 0);
}

/* ---- axes ---- */

/* A case: extents, what is reduced, and how far dimensions lie apart; 0: without gaps. */
typedef struct {
  uint32_t rank, axes;
  size_t extent[4];
  ptrdiff_t stride[4];
} shape_t;

static const shape_t shapes[] = {
    {2, USW_AXIS(1), {2, 50000}, {0}},                    /* rows longer than a chunk */
    {2, USW_AXIS(1), {3, OF_CHUNK - 1}, {0}},             /* a row with its result is a chunk */
    {2, USW_AXIS(1), {3, OF_CHUNK}, {0}},                 /* and no longer */
    {2, USW_AXIS(1), {33333, 3}, {0}},                    /* many rows of a chunk */
    {2, USW_AXIS(0), {1000, 100}, {0}},                   /* columns: the slowest axis is reduced */
    {2, USW_AXIS(0), {40000, 2}, {0}},                    /* columns longer than a chunk */
    {2, USW_AXIS(0), {2, 50000}, {0}},                    /* results of many chunks */
    {2, USW_AXIS(1), {250, 400}, {1, 250}},               /* as in Fortran */
    {3, USW_AXIS(0) | USW_AXIS(2), {20, 50, 100}, {0}},   /* the middle one stays */
    {3, USW_AXIS(1), {50, 40, 50}, {0}},                  /* results in planes */
    {3, USW_AXIS(1), {50, 40, 50}, {1, 50, 2000}},        /* whose order is another */
    {3, USW_ALL_AXES, {50, 40, 50}, {0}},                 /* one result */
    {3, 0, {50, 40, 50}, {0}},                            /* each element */
    {2, USW_AXIS(1), {130, 700}, {1500, 2}},              /* gaps */
    {2, USW_AXIS(0), {40000, 2}, {5, 1}},                 /* gaps, in pieces */
    {2, USW_AXIS(1), {100, 1000}, {0, 1}},                /* the same row again: stride 0, marked below */
    {4, USW_AXIS(1) | USW_AXIS(3), {5, 20, 5, 200}, {0}}, /* two levels of each */
    {1, USW_AXIS(0), {5}, {0}},
    {1, 0, {1}, {0}},
    {2, USW_AXIS(1), {4, 0}, {0}}, /* no element */
    {2, USW_AXIS(0), {4, 0}, {0}}, /* no result */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct {
  usw_operation_t operation;
  usw_type_t type;
  usw_accuracy_t accuracy;
  size_t result_bytes;
} function_t;

static const function_t functions[] = {{USW_PLUS, USW_I64, USW_REPEATABLE, 8},
                                       {USW_PLUS, USW_F64, USW_REPEATABLE, 8},
                                       {USW_PLUS, USW_F64, USW_REPRODUCIBLE, 8},
                                       {USW_ARGMIN, USW_F64, USW_REPEATABLE, 16},
                                       {USW_DOT, USW_F64, USW_REPEATABLE, 8}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* From one case of a function to the next: in the quick tier each is for one function, on an emulated GPU. */
static int step(void) { return is_quick_tier() && strcmp(place.target, "simt") == 0 ? FUNCTIONS : 1; }

static usw_array_t array_of(const shape_t *shape, usw_type_t type, const void *data) {
  const int has_strides = shape->stride[0] != 0 || shape->stride[1] != 0;
  return usw_array(type, data, shape->rank, shape->extent, has_strides ? shape->stride : NULL);
}

static size_t results_of(const shape_t *shape) {
  size_t results = 1;
  for (uint32_t d = 0; d < shape->rank; d++)
    results *= shape->axes >> d & 1 ? 1 : shape->extent[d];
  return results;
}

static usw_status_t reduce_axes(const function_t *f, const shape_t *shape, const void *a, const void *b, void *results,
                                usw_options_t options) {
  const usw_array_t first = array_of(shape, f->type, a), second = array_of(shape, f->type, b);
  options.accuracy = f->accuracy;
  return f->operation == USW_DOT ? usw_reduce_axes_pair(f->operation, &first, &second, shape->axes, results, &options)
                                 : usw_reduce_axes(f->operation, &first, shape->axes, results, &options);
}

static void every_shape(const function_t *f) {
  const usw_options_t staged = options_of(USW_STAGING_ALWAYS), there = options_of(USW_STAGING_NEVER);
  fill(f->type);
  if (f->accuracy == USW_REPRODUCIBLE)
    fill_wide();
  place_memory_t x_there = put(x, sizeof x), y_there = put(y, sizeof y), to = put(found, ITEMS * f->result_bytes);
  for (int k = (int)(f - functions) % step(); k < SHAPES; k += step()) {
    const shape_t *shape = &shapes[k];
    const size_t bytes = results_of(shape) * f->result_bytes;
    memset(expected, 0xa5, bytes);
    CHECK_STATUS(USW_OK, reduce_axes(f, shape, x_there.data, y_there.data, expected, there));
    memset(found, 0xa5, bytes + 8);
    CHECK_STATUS(USW_OK, reduce_axes(f, shape, x, y, found, staged));
    expect_same(bytes, "axes", (size_t)k);
    CHECK_U64(0xa5, (unsigned char)found[bytes]);
    CHECK_STATUS(USW_OK, reduce_axes(f, shape, x, y, to.data, staged));
    copy_here(found, &to, bytes);
    expect_same(bytes, "axes to the device", (size_t)k);
  }
  device_memory_free(&x_there);
  device_memory_free(&y_there);
  device_memory_free(&to);
}

static void axes_round(void) {
  const function_t sum = {USW_PLUS, USW_F64, USW_REPEATABLE, 8};
  usw_options_t staged = options_of(USW_STAGING_ALWAYS);
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  fill_wide();
  staged.recheck = 1;
  staged.report = &report;
  for (int k = 0; k < SHAPES; k++)
    for (int run = 0; run < RUNS && (run > 0 || place_takes_next(&place, 3)); run++) {
      staged.teams = run == 0 ? 0 : 3; /* which show in no bits, not even of results in pieces */
      CHECK_STATUS(USW_OK, reduce_axes(&sum, &shapes[k], x, y, run == 0 ? expected : found, staged));
      if (run > 0)
        expect_same(results_of(&shapes[k]) * sizeof(double), "axes once more", (size_t)k);
    }
  staged.teams = 0;
  CHECK_STATUS(USW_OK, reduce_axes(&sum, &shapes[0], x, y, found, staged));
  CHECK_I64(USW_DEVICE, report.place);
  CHECK(report.teams > 0);
}

/* ---- segments ---- */

static uint64_t offsets[MOST_SEGMENTS + 1];
static uint32_t offsets_32[MOST_SEGMENTS + 1];

/* Segments of lengths in turn, from `first` on, until the items end; returns how many. */
static size_t cut(const size_t *lengths, size_t count, size_t first) {
  size_t segments = 0;
  offsets[0] = first;
  while (segments < MOST_SEGMENTS && offsets[segments] + lengths[segments % count] <= ITEMS) {
    offsets[segments + 1] = offsets[segments] + lengths[segments % count];
    segments++;
  }
  for (size_t k = 0; k <= segments; k++)
    offsets_32[k] = (uint32_t)offsets[k];
  return segments;
}

static usw_status_t reduce_segments(const function_t *f, const void *a, const void *b, const usw_segments_t *segments,
                                    void *results, usw_options_t options) {
  options.accuracy = f->accuracy;
  return f->operation == USW_DOT
             ? usw_reduce_segments_pair(f->operation, f->type, a, b, ITEMS, segments, results, &options)
             : usw_reduce_segments(f->operation, f->type, a, ITEMS, segments, results, &options);
}

static void segments_of(const function_t *f, const place_memory_t *a, const place_memory_t *b, size_t count,
                        int is_short) {
  const usw_options_t staged = options_of(USW_STAGING_ALWAYS), there = options_of(USW_STAGING_NEVER);
  const size_t bytes = count * f->result_bytes;
  place_memory_t offsets_there = put(offsets, (count + 1) * sizeof *offsets), to = put(found, bytes);
  const usw_segments_t on_device = usw_segments_by_offsets(USW_I64, offsets_there.data, count),
                       here = is_short ? usw_segments_by_offsets(USW_U32, offsets_32, count)
                                       : usw_segments_by_offsets(USW_I64, offsets, count);
  CHECK_STATUS(USW_OK, reduce_segments(f, a->data, b->data, &on_device, expected, there));
  memset(found, 0xa5, bytes + 8);
  CHECK_STATUS(USW_OK, reduce_segments(f, x, y, &here, found, staged));
  expect_same(bytes, "segments", count);
  CHECK_U64(0xa5, (unsigned char)found[bytes]);
  CHECK_STATUS(USW_OK, reduce_segments(f, x, y, &here, to.data, staged));
  copy_here(found, &to, bytes);
  expect_same(bytes, "segments to the device", count);
  device_memory_free(&offsets_there);
  device_memory_free(&to);
}

static void every_cut(const function_t *f) {
  static const size_t lengths[][6] = {
      {5, 0, 0, 17, 1, 3},        /* some empty */
      {0, 0, 40000, 0, 2, 60000}, /* longer than chunks, beside empty ones */
      {OF_CHUNK, OF_CHUNK, OF_CHUNK, OF_CHUNK, OF_CHUNK,
       OF_CHUNK},                                              /* one that is a chunk, and has no room for its result */
      {OF_CHUNK - 2, 2, OF_CHUNK - 2, 0, OF_CHUNK - 3, 1},     /* and has it */
      {OF_CHUNK / 2, OF_CHUNK / 2 - 9, 3, OF_CHUNK + 1, 1, 1}, /* ends of segments around ends of chunks */
      {ITEMS - 7, 0, 0, 0, 0, 0},                              /* one of all, then empty ones */
      {1, 1, 1, 1, 1, 1},
      {0, 0, 0, 0, 0, 0}};
  enum { CUTS = sizeof lengths / sizeof *lengths };
  fill(f->type);
  if (f->accuracy == USW_REPRODUCIBLE)
    fill_wide();
  place_memory_t a = put(x, ITEMS * sizeof *x), b = put(y, ITEMS * sizeof *y);
  for (int k = (int)(f - functions) % step(); k < CUTS; k += step())
    segments_of(f, &a, &b, cut(lengths[k], 6, (size_t)k % 3), k % 2 == 1);
  device_memory_free(&a);
  device_memory_free(&b);
}

/* Of one length, of none, without items, with gaps. */
static void other_segments(void) {
  usw_options_t staged = options_of(USW_STAGING_ALWAYS);
  const usw_segments_t tens = usw_segments_of_length(10, 10000), long_ones = usw_segments_of_length(50000, 2);
  static const size_t length[] = {1000};
  int64_t *const sums = (int64_t *)(void *)expected, *const to = (int64_t *)(void *)found;
  const int64_t *const items = (const int64_t *)(const void *)x;
  fill(USW_I64);
  memset(expected, 0, sizeof expected);
  for (size_t i = 0; i < 100000; i++)
    sums[i / 10] += items[i];
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_I64, x, ITEMS, &tens, found, &staged));
  expect_same(10000 * sizeof *to, "segments of one length", 10);
  memset(expected, 0, sizeof expected);
  for (size_t i = 0; i < 100000; i++)
    sums[i / 50000] += items[2 * i];
  staged.stride[0] = 2;
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_I64, x, ITEMS, &long_ones, found, &staged));
  expect_same(2 * sizeof *to, "long segments of one length, every other element", 50000);
  const size_t count = cut(length, 1, 0);
  const usw_segments_t thousands = usw_segments_by_offsets(USW_U64, offsets, count);
  memset(expected, 0, sizeof expected);
  for (size_t i = 0; i < count * 1000; i++)
    sums[i / 1000] += items[2 * i];
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_I64, x, ITEMS, &thousands, found, &staged));
  expect_same(count * sizeof *to, "segments of every other element", 1000);
  memset(offsets, 0, sizeof offsets);
  memset(expected, 0, sizeof expected);
  memset(found, 0xa5, sizeof found);
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_I64, NULL, 0, &thousands, found, &staged));
  expect_same(count * sizeof *to, "segments of no item", 0);
}

/* Several buffers of an odd number of bytes: offsets keep their boundary in each. */
static void odd_chunks(void) {
  enum { ALL = 2 * ITEMS, EACH = 3, COUNT = ALL / EACH };
  const usw_options_t staged = options_of(USW_STAGING_ALWAYS);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U64, offsets, COUNT);
  int64_t *const sums = (int64_t *)(void *)expected;
  const int64_t *const items = (const int64_t *)(const void *)x;
  fill(USW_I64);
  for (size_t k = 0; k <= COUNT; k++)
    offsets[k] = k * EACH;
  memset(expected, 0, sizeof expected);
  for (size_t i = 0; i < (size_t)COUNT * EACH; i++)
    sums[i / EACH] += items[i];
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_I64, x, ALL, &segments, found, &staged));
  expect_same(COUNT * sizeof *sums, "segments in odd chunks", EACH);
}

static void segments_round(void) {
  static const size_t lengths[] = {OF_CHUNK / 2, 50000, 3};
  const function_t sum = {USW_PLUS, USW_F64, USW_REPEATABLE, 8};
  usw_options_t staged = options_of(USW_STAGING_ALWAYS);
  fill_wide();
  const size_t count = cut(lengths, 3, 1);
  const usw_segments_t segments = usw_segments_by_offsets(USW_I64, offsets, count);
  staged.recheck = 1;
  for (int run = 0; run < RUNS; run++) {
    CHECK_STATUS(USW_OK, reduce_segments(&sum, x, NULL, &segments, run == 0 ? expected : found, staged));
    if (run > 0)
      expect_same(count * sizeof(double), "segments once more", count);
  }
}

/* ---- errors ---- */

static void refused(void) {
  static const size_t length[] = {1000};
  const size_t count = cut(length, 1, 0);
  usw_options_t staged = options_of(USW_STAGING_ALWAYS), never = options_of(USW_STAGING_NEVER);
  usw_segments_t segments = usw_segments_by_offsets(USW_U64, offsets, count);
  const usw_array_t array = usw_array_2d(USW_F64, x, 100, 1000);
  place_memory_t there = put(x, sizeof x), offsets_there = put(offsets, sizeof offsets);
  usw_array_t second = usw_array_2d(USW_F64, there.data, 100, 1000);
  double results[ITEMS / 1000];
  memset(results, 0xa5, sizeof results);
  memcpy(expected, results, sizeof results);
  CHECK_STATUS(USW_ERROR_PLACE, usw_scan_inclusive(USW_PLUS, USW_F64, x, ITEMS, found, &never));
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(1), results, &never));
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce_segments(USW_PLUS, USW_F64, x, ITEMS, &segments, results, &never));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_axes_pair(USW_DOT, &array, &second, USW_AXIS(1), results, &staged));
  CHECK_TEXT_HAS(usw_error_text(), "both are staged or none");
  segments.begins = offsets_there.data;
  segments.ends = (const uint64_t *)offsets_there.data + 1;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_segments(USW_PLUS, USW_F64, x, ITEMS, &segments, results, &staged));
  CHECK_TEXT_HAS(usw_error_text(), "keep them in host memory");
  segments = usw_segments_by_pairs(USW_U64, offsets, offsets + 2, count - 1);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_segments(USW_PLUS, USW_F64, x, ITEMS, &segments, results, &staged));
  CHECK_TEXT_HAS(usw_error_text(), "by pairs");
  segments = usw_segments_by_offsets(USW_U64, offsets, count);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_segments(USW_PLUS, USW_F64, x, ITEMS, &segments, found, &staged));
  staged.stream = &staged;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(1), results, &staged));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_scan_inclusive(USW_PLUS, USW_F64, x, ITEMS, found, &staged));
  staged.stream = NULL;
  offsets[count / 2] = 0;
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, x, ITEMS, &segments, results, &staged));
  CHECK_TEXT_HAS(usw_error_text(), "offsets must not fall");
  CHECK(memcmp(results, expected, sizeof results) == 0);
  device_memory_free(&there);
  device_memory_free(&offsets_there);
}

#ifdef USW_PORT_SIMT
/* Copies and allocations that fail: an error, results as they were, and the next call is right. */
static void failures(int64_t good, int is_of_copies) {
  const size_t n = 3 * OF_SCAN + 1;
  const usw_options_t staged = options_of(USW_STAGING_ALWAYS);
  const usw_array_t array = usw_array_2d(USW_F64, x, 2, OF_CHUNK + 1);
  double sums[2] = {7, 7}, sum = 0;
  for (int is_scan = 0; is_scan < 2; is_scan++) {
    if (is_of_copies)
      simt_fail_copies_after(good);
    else
      simt_fail_allocations_after(good);
    const usw_status_t status = is_scan ? usw_scan_inclusive(USW_PLUS, USW_F64, x, n, found, &staged)
                                        : usw_reduce_axes(USW_PLUS, &array, USW_AXIS(1), sums, &staged);
    simt_fail_copies_after(-1);
    simt_fail_allocations_after(-1);
    CHECK(status == (is_of_copies ? USW_ERROR_DEVICE : USW_ERROR_MEMORY) || (!is_of_copies && status == USW_OK));
    CHECK(is_scan || status == USW_OK || (sums[0] == 7 && sums[1] == 7));
  }
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x, n, found, &staged));
  CHECK_F64(sum, ((const double *)(const void *)found)[n - 1]);
}
#endif

int main(int argc, char **argv) {
  hide_host_memory();
  place = place_of_arguments(argc, argv);
#ifdef USW_PORT_SIMT
  fill(USW_F64);
  for (int64_t good = 0; good < 12; good++)
    for (int of_copies = 0; of_copies <= (good < 3); of_copies++)
      failures(good, of_copies);
#endif
  for (int s = 0; s < SCANS; s++)
    scan_lengths(&scans[s]);
  scan_ways();
  scan_rounds();
  for (int f = 0; f < FUNCTIONS; f++) {
    every_shape(&functions[f]);
    every_cut(&functions[f]);
  }
  axes_round();
  other_segments();
  segments_round();
  odd_chunks();
  refused();
  CHECK_STATUS(USW_OK, usw_finalize());
#ifdef USW_PORT_SIMT
  CHECK_U64(simt_counts().allocations, simt_counts().frees);
#endif
  return check_report();
}
