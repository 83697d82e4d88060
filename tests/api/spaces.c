/* Iteration spaces of two and three dimensions: exactly the items of a plain loop, with the elements of their indices, on
 * every place, whatever extents, starts, steps, tiles, pitches and alignment.
 *   spaces [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "space_kernels.h"
#include "support/check.h"
#include "support/place.h"

enum { ELEMENTS = 1 << 18, ORIGIN = ELEMENTS / 2, SMALL_ITEMS = 5000, MOST_CELLS = 5000 };

typedef struct {
  uint64_t count, sum_of_marks, marks, elements;
} found_t;

static uint32_t x[ELEMENTS + 4];
static uint64_t wide[ELEMENTS + 4];
static uint8_t c[ELEMENTS + 16];
static test_place_t place;
static place_memory_t x_there, wide_there, c_there;
static usw_options_t options;

static uint32_t random_state = 12345;
static size_t random_below(size_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return n ? (random_state >> 8) % n : 0;
}

static ptrdiff_t step_of(const usw_space_t *space, uint32_t d) { return space->step[d] ? space->step[d] : 1; }

/* The pitches that the documentation gives for 0. */
static ptrdiff_t pitch_of(const usw_space_t *space) {
  return (ptrdiff_t)(space->pitch[0] ? space->pitch[0] : space->extent[space->dimensions - 1]);
}
static ptrdiff_t plane_pitch_of(const usw_space_t *space) {
  return space->pitch[1] ? (ptrdiff_t)space->pitch[1] : pitch_of(space) * (ptrdiff_t)space->extent[1];
}

/* What a plain loop finds; which of the kernels' elements it takes is `kind`. */
enum { STREAMS, MANY, ARRAY_ONLY };
static found_t serial(const usw_space_t *space, int kind, ptrdiff_t stride) {
  found_t f = {0, 0, 0, 0};
  const int is_3d = space->dimensions == 3;
  const uint32_t row = is_3d ? 1 : 0, column = row + 1;
  for (size_t p = 0; p < (is_3d ? space->extent[0] : 1); p++)
    for (size_t q = 0; q < space->extent[row]; q++)
      for (size_t r = 0; r < space->extent[column]; r++) {
        const ptrdiff_t k = is_3d ? space->start[0] + (ptrdiff_t)p * step_of(space, 0) : 0;
        const ptrdiff_t j = space->start[row] + (ptrdiff_t)q * step_of(space, row);
        const ptrdiff_t i = space->start[column] + (ptrdiff_t)r * step_of(space, column);
        const ptrdiff_t e = ORIGIN + stride * ((is_3d ? k * plane_pitch_of(space) : 0) + j * pitch_of(space) + i);
        const uint64_t m = mark((uint64_t)k, (uint64_t)j, (uint64_t)i);
        f.count++;
        f.sum_of_marks += m;
        f.marks ^= m;
        f.elements += (kind == STREAMS ? x[e] + ((uint64_t)c[e] << 32) : kind == MANY ? 16 * wide[e] : x[e]) * (m | 1);
      }
  return f;
}

static void compare(const found_t *expected, const found_t *got, const usw_space_t *s, const char *what, int line) {
  check_count(
      memcmp(expected, got, sizeof *got) == 0, __FILE__, line,
      "%s, extent %zu %zu %zu start %td %td %td step %td %td %td tile %zu %zu %zu pitch %zu %zu: count %llu not "
      "%llu, elements %s",
      what, s->extent[0], s->extent[1], s->extent[2], s->start[0], s->start[1], s->start[2], s->step[0], s->step[1],
      s->step[2], s->tile[0], s->tile[1], s->tile[2], s->pitch[0], s->pitch[1], (unsigned long long)got->count,
      (unsigned long long)expected->count, expected->elements == got->elements ? "right" : "wrong");
}
#define COMPARE(kind, stride, call)                                                                                    \
  do {                                                                                                                 \
    const found_t expected = serial(space, kind, stride);                                                              \
    found_t f = {0, 0, 0, 0};                                                                                          \
    CHECK_STATUS(USW_OK, call);                                                                                        \
    compare(&expected, &f, space, #call, __LINE__);                                                                    \
  } while (0)
#define FOUND &f.count, &f.sum_of_marks, &f.marks, &f.elements, &options

static const uint32_t *x_origin(void) { return (const uint32_t *)x_there.data + ORIGIN; }
static const uint64_t *wide_origin(void) { return (const uint64_t *)wide_there.data + ORIGIN; }
static const uint8_t *c_origin(void) { return (const uint8_t *)c_there.data + ORIGIN; }

static void check_2d(const usw_space_t *space) {
  const uint64_t *w = wide_origin();
  COMPARE(STREAMS, 1, two_streams(space, x_origin(), c_origin(), FOUND));
  COMPARE(MANY, 1, two_many(space, w, w, w, w, FOUND));
  COMPARE(ARRAY_ONLY, 1, two_array(space, x_origin(), pitch_of(space), FOUND));
}

static void check_3d(const usw_space_t *space) {
  COMPARE(STREAMS, 1, three_streams(space, x_origin(), c_origin(), FOUND));
  COMPARE(ARRAY_ONLY, 1, three_array(space, x_origin(), pitch_of(space), plane_pitch_of(space), FOUND));
}

static void check_space(const usw_space_t *space) {
  if (space->dimensions == 2)
    check_2d(space);
  else
    check_3d(space);
}

static void check_sums(const usw_space_t *space) {
  uint64_t bins[BINS] = {1, 2, 3, 4, 5}, expected_bins[BINS] = {1, 2, 3, 4, 5};
  double sum = 0.5, weighted = 0, expected_sum = 0.5, expected_weighted = 0;
  for (size_t q = 0; q < space->extent[0]; q++)
    for (size_t r = 0; r < space->extent[1]; r++) {
      const ptrdiff_t j = space->start[0] + (ptrdiff_t)q * step_of(space, 0);
      const ptrdiff_t i = space->start[1] + (ptrdiff_t)r * step_of(space, 1);
      const ptrdiff_t e = ORIGIN + j * pitch_of(space) + i;
      expected_bins[(size_t)(j + 2 * i + 4000000) % BINS] += x[e];
      expected_sum += c[e];
      expected_weighted += (double)(c[e] * (j + 2 * i));
    }
  CHECK_STATUS(USW_OK, two_bins(space, x_origin(), bins, &options));
  CHECK_STATUS(USW_OK, two_exact(space, c_origin(), &sum, &weighted, &options));
  for (int b = 0; b < BINS; b++)
    CHECK_U64(expected_bins[b], bins[b]);
  CHECK_F64(expected_sum, sum);
  CHECK_F64(expected_weighted, weighted);
}

static void check_cells(const usw_space_t *space, size_t extent) {
  static double cells[MOST_CELLS], expected[MOST_CELLS];
  uint64_t count = 0;
  memset(cells, 0, sizeof cells);
  memset(expected, 0, sizeof expected);
  for (size_t p = 0; p < space->extent[0] * space->extent[1]; p++) {
    const ptrdiff_t j = space->start[0] + (ptrdiff_t)(p / space->extent[1]) * step_of(space, 0);
    const ptrdiff_t i = space->start[1] + (ptrdiff_t)(p % space->extent[1]) * step_of(space, 1);
    expected[x[ORIGIN + j * pitch_of(space) + i] % extent] += (double)(j + 2 * i);
    if (i & 1)
      expected[(uint64_t)(j + 4000000) % extent] += (double)i;
  }
  CHECK_STATUS(USW_OK, two_cells(space, x_origin(), extent, &count, cells, extent, &options));
  CHECK_U64(space->extent[0] * space->extent[1], count);
  CHECK(memcmp(expected, cells, sizeof cells) == 0);
}

/* Tile after tile, and in each row by row. */
static void check_order(const usw_space_t *space) {
  const size_t rows = space->tile[0] ? space->tile[0] : space->extent[0];
  const size_t columns = space->tile[1] ? space->tile[1] : space->extent[1];
  affine_t map = {3, 5}, expected = map;
  for (size_t row = 0; row < space->extent[0]; row += rows)
    for (size_t column = 0; column < space->extent[1]; column += columns)
      for (size_t q = row; q < row + rows && q < space->extent[0]; q++)
        for (size_t r = column; r < column + columns && r < space->extent[1]; r++) {
          const ptrdiff_t j = space->start[0] + (ptrdiff_t)q * step_of(space, 0);
          const ptrdiff_t i = space->start[1] + (ptrdiff_t)r * step_of(space, 1);
          const affine_t of_item = {2 * (uint64_t)x[ORIGIN + j * pitch_of(space) + i] + 1, (uint64_t)(j + 31 * i)};
          expected = compose(expected, of_item);
        }
  CHECK_STATUS(USW_OK, two_ordered(space, x_origin(), &map, &options));
  CHECK_U64(expected.a, map.a);
  CHECK_U64(expected.b, map.b);
}

/* Extents with which a team has a copy of the cells per thread, for a few, and none in its memory. */
static void check_cells_and_order(const usw_space_t *space) {
  static const size_t extents[] = {3, 40, 700, MOST_CELLS};
  static size_t next;
  if (options.strategy == USW_STRATEGY_CLAUSE)
    return;
  check_cells(space, extents[next++ % 4]);
  check_order(space);
}

/* Whole arrays of every awkward size, with and without tiles. */
static void check_whole(void) {
  static const size_t sizes[] = {0, 1, 2, 3, 7, 15, 16, 17, 31, 64, 65, 127};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  for (size_t a = 0; a < SIZES; a++)
    for (size_t b = 0; b < SIZES; b++) {
      usw_space_t space = usw_space_2d(sizes[a], sizes[b]);
      check_space(&space);
      space.tile[0] = 1 + sizes[b] % 5;
      space.tile[1] = 1 + sizes[a] % 17;
      check_space(&space);
      const size_t planes = 1 + (a + b) % 4;
      usw_space_t box = usw_space_3d(planes, sizes[a], sizes[b]);
      check_space(&box);
      box.tile[0] = 2;
      box.tile[1] = 16;
      box.tile[2] = 1 + b;
      check_space(&box);
    }
}

/* Tiles that fit or do not, by one. */
static void check_tiles(void) {
  for (size_t rows = 7; rows <= 9; rows++)
    for (size_t columns = 31; columns <= 33; columns++)
      for (size_t planes = 3; planes <= 5; planes++) {
        usw_space_t space = usw_space_3d(planes, rows, columns);
        space.tile[0] = 2;
        space.tile[1] = 4;
        space.tile[2] = 16;
        check_space(&space);
        space.tile[1] = 100; /* as all of the dimension */
        check_space(&space);
      }
}

/* Enough items for whole tiles of several teams, with rows that are whole blocks and rows that are not. */
static void check_large(void) {
  static const size_t rows[] = {1, 65537, 256, 257, 317, 3};
  static const size_t columns[] = {65537, 1, 256, 255, 208, 21000};
  for (size_t s = 0; s < sizeof rows / sizeof *rows; s++) {
    if (!place_takes_next(&place, 3))
      continue;
    usw_space_t space = usw_space_2d(rows[s], columns[s]);
    check_space(&space);
    check_sums(&space);
    check_cells_and_order(&space);
    space.tile[0] = 30;
    space.tile[1] = 32;
    check_space(&space);
    check_cells_and_order(&space);
    const usw_space_t inner = usw_space_slice(
        usw_space_slice(usw_space_2d(rows[s] + 2, columns[s] + 2), 0, 1, rows[s], 1), 1, 1, columns[s], 1);
    if ((rows[s] + 2) * (columns[s] + 2) < ELEMENTS / 2)
      check_space(&inner);
  }
  const usw_space_t cube = usw_space_3d(40, 41, 42), even = usw_space_3d(40, 40, 48);
  check_space(&cube);
  check_space(&even);
}

/* Slices of a padded array, each dimension with a start and a step of its own. */
static void check_random(int count) {
  for (int t = 0; t < count; t++) {
    const uint32_t dimensions = t % 2 ? 3 : 2;
    usw_space_t space = dimensions == 3 ? usw_space_3d(20, 30, 100) : usw_space_2d(300, 200);
    for (uint32_t d = 0; d < dimensions; d++) {
      const ptrdiff_t step = (ptrdiff_t)random_below(7) - 3;
      const size_t most = space.extent[d] / 3, extent = 1 + random_below(most);
      const ptrdiff_t start = (ptrdiff_t)random_below(20) - 10;
      if (random_below(3))
        space = usw_space_slice(space, d, start, extent, step);
      if (random_below(3) == 0)
        space.tile[d] = 1 + random_below(extent + 2);
    }
    if (space.extent[0] * space.extent[1] * (dimensions == 3 ? space.extent[2] : 1) < 8 * SMALL_ITEMS)
      check_space(&space);
    if (dimensions == 2) {
      check_sums(&space);
      check_cells_and_order(&space);
    }
  }
}

/* The element of an item with a stride, which also makes all items read one. */
static void check_strides(void) {
  const usw_space_t of_array = usw_space_2d(37, 61), *space = &of_array;
  options.stride[0] = options.stride[1] = 3;
  COMPARE(STREAMS, 3, two_streams(space, x_origin(), c_origin(), FOUND));
  options.stride[0] = options.stride[1] = -1;
  COMPARE(STREAMS, -1, two_streams(space, x_origin(), c_origin(), FOUND));
  options.stride[0] = options.stride[1] = USW_STRIDE_NONE;
  COMPARE(STREAMS, 0, two_streams(space, x_origin(), c_origin(), FOUND));
  options.stride[0] = options.stride[1] = 0;
}

/* The same bits on every run, whatever the alignment of the elements. */
static void check_bits(void) {
  const usw_space_t spaces[] = {usw_space_2d(300, 301), usw_space_2d(301, 256)};
  for (int s = 0; s < 2; s++)
    for (int tiles = 0; tiles < 2; tiles++) {
      usw_space_t space = spaces[s];
      space.tile[0] = tiles ? 7 : 0;
      space.tile[1] = tiles ? 50 : 0;
      double first = 0.125;
      CHECK_STATUS(USW_OK, two_inexact(&space, (const uint32_t *)x_there.data, &first, &options));
      for (size_t offset = 0; offset < 16; offset += 4) {
        place_memory_t copy = memory_get(&place, x, 92000 * sizeof *x, offset);
        double sum = 0.125;
        CHECK_STATUS(USW_OK, two_inexact(&space, (const uint32_t *)copy.data, &sum, &options));
        CHECK_F64(first, sum);
        memory_free(&copy);
      }
    }
}

static void check_strategies(void) {
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(&place, strategies);
  const usw_options_t before = options;
  for (int s = 0; s < count && place.place == USW_DEVICE; s++) {
    options.work_group_load = 2;
    options.strategy = strategies[s];
    options.accuracy = USW_FAST;
    check_random(10);
    options.teams = 3;
    const usw_space_t plane = usw_space_2d(200, 333), cube = usw_space_3d(30, 31, 60);
    check_space(&plane);
    check_space(&cube);
    options = before;
  }
}

/* More than 2^32 items, where indices are 64 bits wide. */
static void check_huge(void) {
  const size_t columns = ((size_t)1 << 31) + 3;
  const usw_space_t space = usw_space_2d(2, columns);
  uint64_t count = 0, rows = 0, sum = 0;
  if (place.place != USW_HOST && strcmp(place.target, "nvptx") != 0)
    return; /* no place for so many */
  CHECK_STATUS(USW_OK, two_counts(&space, 0, &count, &rows, &sum, &options));
  CHECK_U64(2 * columns, count);
  CHECK_U64(columns, rows);
  CHECK_U64(columns * (columns - 1), sum);
}

static void refuse(const usw_space_t *space, usw_status_t status, const char *text) {
  found_t f = {1, 2, 3, 4};
  CHECK_STATUS(status, two_streams(space, x_origin(), c_origin(), FOUND));
  CHECK_TEXT_HAS(usw_error_text(), "two_streams: ");
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK(f.count == 1 && f.sum_of_marks == 2 && f.marks == 3 && f.elements == 4);
}

static void check_errors(void) {
  const usw_space_t good = usw_space_2d(3, 5);
  usw_space_t bad = good;
  refuse(NULL, USW_ERROR_INVALID, "the space is NULL");
  bad.size = 8;
  refuse(&bad, USW_ERROR_VERSION, "space.size is 8");
  bad = usw_space_3d(1, 2, 3);
  refuse(&bad, USW_ERROR_INVALID, "space.dimensions is 3, the kernel has 2");
  bad = usw_space_2d((size_t)1 << 40, (size_t)1 << 30);
  refuse(&bad, USW_ERROR_INVALID, "over 2^63 - 1 items: space.extent[1] is 1073741824");
  bad = usw_space_2d(SIZE_MAX, 1);
  refuse(&bad, USW_ERROR_INVALID, "space.extent[0]");
  bad = good;
  bad.step[1] = PTRDIFF_MAX / 2;
  refuse(&bad, USW_ERROR_INVALID, "dimension 1 has indices over 2^63");
  bad = good;
  bad.start[0] = PTRDIFF_MAX - 1;
  refuse(&bad, USW_ERROR_INVALID, "dimension 0 has indices over 2^63");
  bad = good;
  bad.start[1] = 1;
  refuse(&bad, USW_ERROR_INVALID, "space.pitch[0] is 0, but dimension 1 is not whole (start 1, step 1)");
  bad = good;
  bad.pitch[0] = SIZE_MAX / 8;
  refuse(&bad, USW_ERROR_INVALID, "'x' with this space and stride 1 is larger than the address space");
  bad = usw_space_2d(1 << 20, 1 << 20);
  options.stride[1] = (ptrdiff_t)1 << 40;
  refuse(&bad, USW_ERROR_INVALID, "'c' with this space and stride 1099511627776");
  options.stride[1] = 0;
  found_t f = {1, 2, 3, 4};
  CHECK_STATUS(USW_ERROR_INVALID, two_streams(&good, NULL, c_origin(), FOUND));
  CHECK_TEXT_HAS(usw_error_text(), "'x' is NULL");
  bad = usw_space_2d(0, 5);
  CHECK_STATUS(USW_OK, two_streams(&bad, NULL, NULL, FOUND)); /* an empty space reads nothing */
  CHECK(f.count == 1 && f.elements == 4);
  const usw_space_t same = usw_space_slice(good, 2, 1, 1, 1), backwards = usw_space_slice(good, 1, 4, 5, -1);
  CHECK(memcmp(&same, &good, sizeof good) == 0);
  check_space(&backwards);
  bad = backwards; /* whole, backwards: no pitch is needed */
  bad.pitch[0] = 0;
  check_space(&bad);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  options = place_options(&place);
  for (uint32_t e = 0; e < ELEMENTS; e++) {
    x[e] = (uint32_t)mark(1, 2, e);
    wide[e] = mark(3, 4, e);
    c[e] = (uint8_t)mark(5, 6, e);
  }
  x_there = memory_get(&place, x, ELEMENTS * sizeof *x, 0);
  wide_there = memory_get(&place, wide, ELEMENTS * sizeof *wide, 0);
  c_there = memory_get(&place, c, ELEMENTS, 0);
  check_whole();
  check_tiles();
  check_large();
  check_random(200);
  check_strides();
  check_bits();
  check_strategies();
  check_huge();
  check_errors();
  memory_free(&x_there);
  memory_free(&wide_there);
  memory_free(&c_there);
  return check_report();
}
