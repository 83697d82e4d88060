/* Spans of any extent, known at compile time or not, of integers, floats and structures, with every way that keys can fall
 * and bodies that combine several times: against a serial loop, and with the same bits on every run.
 *   large_spans [--place NAME] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "span_items.h"
#include "support/check.h"
#include "user_types.h"

enum { MANY_ITEMS = 70001, MOST_CELLS = 20000, MOST_CELL_BYTES = 16 };

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* A NaN now and then, of two different ones. */
static inline float end_of(size_t i) {
  const uint32_t bits = i % 2 ? 0x7fc00001 : 0xffc00123;
  float nan;
  memcpy(&nan, &bits, sizeof nan);
  return i % 13 < 2 ? nan : (float)(i * 7919 % 10007) - 5000;
}

/* Keeps the value and how often it came: 16 bytes, no identity. */
typedef struct {
  double greatest;
  uint64_t times;
} greatest_t;
static inline greatest_t greater(greatest_t x, greatest_t y) {
  const greatest_t z = {x.greatest < y.greatest ? y.greatest : x.greatest, x.times + y.times};
  return z;
}
static inline greatest_t greatest_of(size_t i) {
  const greatest_t z = {(double)(i % 1013), 1};
  return z;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define VALUE_OF_COUNT(i) ((uint64_t)(i) * 0xfedcba9876543211u)
#define VALUE_OF_FLOAT(i) (0.25 * (double)((i) % 31) - 2)
#define VALUE_OF_FRACTION(i) (1.0 / (double)(1 + (i)))
#define VALUE_OF_BITS(i) (1u << (i) % 32)
#define VALUE_OF_BYTE(i) ((uint8_t)((i) % 3))
#define VALUE_OF_FACTOR(i) ((int64_t)(i) | 1)
#define VALUE_OF_MASK(i) (~((uint64_t)1 << (i) % 64))

#define SPAN_EXTENT USW_DYNAMIC_EXTENT
#define SPAN_NAME counts_of
#define SPAN_TYPE uint64_t
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_COUNT
#include "span_kernel.h"
#define SPAN_NAME bits_of
#define SPAN_TYPE uint32_t
#define SPAN_OPERATOR USW_BIT_XOR
#define SPAN_VALUE VALUE_OF_BITS
#include "span_kernel.h"
#define SPAN_NAME sums_of
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_FLOAT
#include "span_kernel.h"
#define SPAN_NAME greatest_in
#define SPAN_TYPE greatest_t
#define SPAN_OPERATOR greater
#define SPAN_VALUE greatest_of
#include "span_kernel.h"
#define SPAN_NAME bytes_of
#define SPAN_TYPE uint8_t
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_BYTE
#include "span_kernel.h"
#define SPAN_NAME largest_of
#define SPAN_TYPE float
#define SPAN_OPERATOR USW_MAXIMUM
#define SPAN_VALUE VALUE_TO_COMPARE
#include "span_kernel.h"
#define SPAN_NAME ends_of
#define SPAN_TYPE float
#define SPAN_OPERATOR USW_MAXIMUM
#define SPAN_VALUE end_of
#include "span_kernel.h"
#define SPAN_NAME products_of
#define SPAN_TYPE int64_t
#define SPAN_OPERATOR USW_MULTIPLIES
#define SPAN_VALUE VALUE_OF_FACTOR
#include "span_kernel.h"
#define SPAN_NAME masks_of
#define SPAN_TYPE uint64_t
#define SPAN_OPERATOR USW_BIT_AND
#define SPAN_VALUE VALUE_OF_MASK
#include "span_kernel.h"
#define SPAN_NAME fractions_of
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_FRACTION
#include "span_kernel.h"
#undef SPAN_EXTENT
#define SPAN_EXTENT 24 /* 192 bytes: in the accumulator, two threads to a copy */
#define SPAN_NAME sums_of_24
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_FLOAT
#include "span_kernel.h"
#undef SPAN_EXTENT
#define SPAN_EXTENT 300
#define SPAN_NAME sums_of_300
#define SPAN_TYPE double
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_FLOAT
#include "span_kernel.h"
#undef SPAN_EXTENT
#define SPAN_EXTENT 4096
#define SPAN_NAME counts_of_4096
#define SPAN_TYPE uint64_t
#define SPAN_OPERATOR USW_PLUS
#define SPAN_VALUE VALUE_OF_COUNT
#include "span_kernel.h"
#define SPAN_NAME greatest_in_4096
#define SPAN_TYPE greatest_t
#define SPAN_OPERATOR greater
#define SPAN_VALUE greatest_of
#include "span_kernel.h"

/* A kernel's function, whatever its span. */
typedef struct {
  const char *name;
  size_t bytes;
  uint32_t extent; /* 0: given with each call */
  usw_status_t (*run)(size_t n, const uint32_t *key, uint32_t extent, uint32_t most, uint64_t *items, void *cells,
                      const usw_options_t *options);
  void (*reference)(size_t n, uint32_t extent, uint32_t most, void *cells_out);
  void (*start)(uint32_t extent, void *cells_out);
} kernel_t;
#define RUN_DYNAMIC(name, T)                                                                                           \
  static usw_status_t run_##name(size_t n, const uint32_t *key, uint32_t extent, uint32_t most, uint64_t *items,       \
                                 void *cells, const usw_options_t *options) {                                          \
    return name(n, key, extent, most, items, (T *)cells, extent, options);                                             \
  }
#define RUN_FIXED(name, T, count)                                                                                      \
  static usw_status_t run_##name(size_t n, const uint32_t *key, uint32_t extent, uint32_t most, uint64_t *items,       \
                                 void *cells, const usw_options_t *options) {                                          \
    return name(n, key, extent, most, items, (T *)cells, options);                                                     \
  }
#define KERNELS(DYNAMIC, FIXED)                                                                                        \
  DYNAMIC(counts_of, uint64_t)                                                                                         \
  DYNAMIC(bits_of, uint32_t)                                                                                           \
  DYNAMIC(sums_of, double)                                                                                             \
  DYNAMIC(greatest_in, greatest_t)                                                                                     \
  DYNAMIC(bytes_of, uint8_t)                                                                                           \
  DYNAMIC(largest_of, float)                                                                                           \
  DYNAMIC(ends_of, float)                                                                                              \
  DYNAMIC(products_of, int64_t)                                                                                        \
  DYNAMIC(masks_of, uint64_t)                                                                                          \
  DYNAMIC(fractions_of, double)                                                                                        \
  FIXED(sums_of_24, double, 24)                                                                                        \
  FIXED(sums_of_300, double, 300)                                                                                      \
  FIXED(counts_of_4096, uint64_t, 4096)                                                                                \
  FIXED(greatest_in_4096, greatest_t, 4096)
KERNELS(RUN_DYNAMIC, RUN_FIXED)
#define LIST_DYNAMIC(name, T) {#name, sizeof(T), 0, run_##name, reference_##name, start_##name},
#define LIST_FIXED(name, T, count) {#name, sizeof(T), count, run_##name, reference_##name, start_##name},
static const kernel_t kernels[] = {KERNELS(LIST_DYNAMIC, LIST_FIXED)};
enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

static usw_accuracy_t accuracy = USW_REPEATABLE; /* of all calls */

/* fractions are not exact: only that they repeat is checked, and that they are near. Of ends a NaN may be another one, but always the same. */
static int same_cells(const kernel_t *kernel, const void *expected, const void *got, uint32_t extent) {
  if (strcmp(kernel->name, "ends_of") == 0) {
    for (uint32_t k = 0; k < extent; k++) {
      const float e = ((const float *)expected)[k], g = ((const float *)got)[k];
      if (isnan(e) ? !isnan(g) : e != g)
        return 0;
    }
    return 1;
  }
  if (strcmp(kernel->name, "fractions_of") != 0)
    return memcmp(expected, got, extent * kernel->bytes) == 0;
  for (uint32_t k = 0; k < extent; k++) {
    const double e = ((const double *)expected)[k], g = ((const double *)got)[k];
    if (!(e - g < 1e-9 * e && g - e < 1e-9 * e))
      return 0;
  }
  return 1;
}

static void check(const kernel_t *kernel, pattern_t pattern, size_t n, uint32_t extent, uint32_t most,
                  usw_strategy_t strategy, uint32_t teams) {
  static uint64_t expected[MOST_CELLS * MOST_CELL_BYTES / 8], got[sizeof expected / 8], again[sizeof expected / 8];
  uint64_t items = 5, more_items = 5;
  usw_options_t options = place_options(&place);
  char note[200];
  options.accuracy = accuracy;
  options.strategy = strategy;
  options.work_group_load = 3;
  options.teams = teams;
  kernel->start(extent, expected);
  kernel->start(extent, got);
  kernel->start(extent, again);
  kernel->reference(n, extent, most, expected);
  snprintf(note, sizeof note, "%s, %s keys, n %zu, extent %u, most %u, strategy %d, teams %u", kernel->name,
           pattern_names[pattern], n, extent, most, (int)strategy, teams);
  const uint32_t *key = (const uint32_t *)keys_there.data;
  CHECK_AT(kernel->run(n, key, extent, most, &items, got, &options) == USW_OK, note);
  CHECK_AT(items == n + 5, note);
  CHECK_AT(same_cells(kernel, expected, got, extent), note);
  CHECK_AT(kernel->run(n, key, extent, most, &more_items, again, &options) == USW_OK, note);
  CHECK_AT(memcmp(got, again, extent * kernel->bytes) == 0, note);
}

/* Extents around where one way ends and the next begins: a copy per thread, for two, for four, per sub-group, per team, and
 * none in team memory. */
static void check_extents(const kernel_t *kernel, pattern_t pattern, size_t n, uint32_t most) {
  static const uint32_t extents[] = {1, 5, 16, 17, 32, 33, 64, 100, 500, 1030, 2048, 4096, 5000, 9000};
  static const usw_strategy_t strategies[] = {USW_AUTO_STRATEGY, USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH,
                                              USW_STRATEGY_MULTIPASS};
  for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++) {
    const uint32_t extent = kernel->extent ? kernel->extent : extents[e];
    check(kernel, pattern, n, extent, most, strategies[place.place == USW_HOST ? 0 : e % 4], 0);
    if (kernel->extent)
      break;
  }
}

static void check_grids(const kernel_t *kernel) {
  static const uint32_t teams[] = {1, 2, 33, 70};
  for (int t = 0; t < 4; t++) {
    check(kernel, UNIFORM, 3000, kernel->extent ? kernel->extent : 700, 2, USW_STRATEGY_TREE, teams[t]);
    check(kernel, UNIFORM, 3000, kernel->extent ? kernel->extent : 700, 2, USW_STRATEGY_MULTIPASS, teams[t]);
  }
}

/* At USW_FAST sums come in any order, as they are added; these are exact in every one. */
static void check_fast(const kernel_t *kernel, pattern_t pattern) {
  static const uint32_t extents[] = {2048, 4097, 9000};
  accuracy = USW_FAST;
  for (int e = 0; e < 3; e++)
    for (uint32_t most = 1; most <= 4; most += 3)
      check(kernel, pattern, 5003, extents[e], most, USW_AUTO_STRATEGY, 0);
  check(kernel, pattern, 3000, 9000, 2, USW_AUTO_STRATEGY, 33);
  accuracy = USW_REPEATABLE;
}

static uint32_t teams_of(const kernel_t *kernel, usw_accuracy_t asked, uint32_t recheck) {
  enum { MANY_CELLS = 1 << 20 };
  static uint64_t cells[MANY_CELLS];
  uint64_t items = 0;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = place_options(&place);
  options.report = &report;
  options.accuracy = asked;
  options.recheck = recheck;
  CHECK_STATUS(USW_OK, kernel->run(5003, (const uint32_t *)keys_there.data, MANY_CELLS, 1, &items, cells, &options));
  CHECK_U64(5003, items);
  return report.teams;
}

/* On a GPU one team takes few items rather than fold another one's large block; where all can have one in common, all take some. */
static void check_teams(const kernel_t *counts, const kernel_t *sums) {
  CHECK(teams_of(counts, USW_REPEATABLE, 0) > 1);
  CHECK_U64(1, teams_of(sums, USW_REPEATABLE, 0));
  CHECK(teams_of(sums, USW_FAST, 0) > 1);
  CHECK_U64(1, teams_of(sums, USW_FAST, 1)); /* a second run is to have the same bits */
}

static const kernel_t *find(const char *name) {
  int k = 0;
  while (strcmp(kernels[k].name, name) != 0)
    k++;
  return &kernels[k];
}

static void check_errors(void) {
  double cells[40] = {0};
  uint64_t items = 5, *overlapping = (uint64_t *)(void *)&cells[7];
  usw_options_t options = place_options(&place);
  const uint32_t *key = (const uint32_t *)keys_there.data;
  CHECK_STATUS(USW_ERROR_INVALID, sums_of(100, key, 10, 1, &items, cells, 0, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'cells' has no element");
  CHECK_STATUS(USW_ERROR_INVALID, sums_of(100, key, 10, 1, &items, NULL, 10, &options));
  CHECK_STATUS(USW_ERROR_INVALID, sums_of(100, key, 10, 1, overlapping, cells, 10, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'items' and 'cells'");
  CHECK_STATUS(USW_OK, sums_of(100, key, 7, 1, overlapping, cells, 7, &options));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, sums_of(100, key, 7, 1, &items, cells, (size_t)1 << 40, &options));
  options.strategy = USW_STRATEGY_CLAUSE;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, sums_of(100, key, 10, 1, &items, cells, 10, &options));
  CHECK_U64(5, items);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 3, 300, 1025, 5003};
  place = place_of_arguments(argc, argv);
  const int simt = strcmp(place.target, "simt") == 0;
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    set_keys((pattern_t)pattern);
    for (int k = 0; k < KERNEL_COUNT; k++) {
      check_extents(&kernels[k], (pattern_t)pattern, sizes[(k + pattern) % 6], 1);
      check_extents(&kernels[k], (pattern_t)pattern, sizes[(k + pattern + 3) % 6], 4);
      if (place_takes_next(&place, 4))
        check_extents(&kernels[k], (pattern_t)pattern, simt ? 5003 : MANY_ITEMS, 1);
    }
    check_fast(find("sums_of"), (pattern_t)pattern);
  }
  set_keys(UNIFORM);
  for (int k = 0; k < KERNEL_COUNT && place.place != USW_HOST; k++)
    check_grids(&kernels[k]);
  if (simt || strcmp(place.target, "nvptx") == 0)
    check_teams(find("counts_of"), find("sums_of"));
  check_errors();
  memory_free(&keys_there);
  return check_report();
}
