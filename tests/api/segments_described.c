#include "api/segments_described.h"

#include <upsweep/upsweep.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/device_memory.h"

enum { SEGMENTS = 80, MOST_ITEMS = SEGMENTS * 720 };

static double x[MOST_ITEMS];

static int are_near(double a, double b) { return fabs(a - b) <= 1e-11 * fabs(a) || (isnan(a) && isnan(b)); }

static int is_right(const usw_describe_f64_t *wanted, const usw_describe_f64_t *found) {
  return wanted->count == found->count && are_near(wanted->mean, found->mean) &&
         are_near(wanted->variance, found->variance) && wanted->minimum == found->minimum &&
         wanted->maximum == found->maximum && wanted->minimum_index == found->minimum_index &&
         wanted->maximum_index == found->maximum_index;
}

/* Lengths from `least` on: some more of every third segment, and one of all that is long. load: options.work_group_load. */
static void describe_lengths(const test_place_t *place, uint32_t least, uint32_t load) {
  usw_options_t options = place_options(place);
  const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  usw_describe_f64_t found[SEGMENTS];
  uint32_t offsets[SEGMENTS + 1] = {0};
  size_t wrong = 0;
  options.work_group_load = load;
  for (uint32_t k = 0; k < SEGMENTS; k++)
    offsets[k + 1] = offsets[k] + (k == SEGMENTS / 2 ? 11 * least : least + k % 3 * (least / 5 + 1));
  place_memory_t items = device_memory_get(place, x, sizeof x, 0);
  place_memory_t ends = device_memory_get(place, offsets, sizeof offsets, 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U32, ends.data, SEGMENTS);
  memset(found, 0x5a, sizeof found);
  CHECK_STATUS(USW_OK, usw_reduce_segments(USW_DESCRIBE, USW_F64, items.data, MOST_ITEMS, &segments, found, &options));
  for (uint32_t k = 0; k < SEGMENTS; k++) {
    usw_describe_f64_t wanted;
    CHECK_STATUS(USW_OK,
                 usw_reduce(USW_DESCRIBE, USW_F64, x + offsets[k], offsets[k + 1] - offsets[k], &wanted, &on_host));
    wrong += !is_right(&wanted, &found[k]);
  }
  check_count(wrong == 0, __FILE__, __LINE__, "lengths from %u on: %zu segments are wrong", (unsigned)least, wrong);
  device_memory_free(&items);
  device_memory_free(&ends);
}

/* An offset that is behind the next ones, or behind all items: the error names its segment, and no result is written. */
static void describe_wrong_offset(const test_place_t *place, uint32_t length, uint32_t wrong, uint32_t offset,
                                  uint32_t load) {
  usw_options_t options = place_options(place);
  usw_describe_f64_t found[SEGMENTS], untouched[SEGMENTS];
  uint32_t offsets[SEGMENTS + 1];
  char name[32];
  options.work_group_load = load;
  memset(found, 0x5a, sizeof found);
  memset(untouched, 0x5a, sizeof untouched);
  for (uint32_t k = 0; k <= SEGMENTS; k++)
    offsets[k] = k == wrong ? offset : k * length;
  place_memory_t items = device_memory_get(place, x, sizeof x, 0);
  place_memory_t ends = device_memory_get(place, offsets, sizeof offsets, 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U32, ends.data, SEGMENTS);
  snprintf(name, sizeof name, "segment %u ",
           (unsigned)(offset > wrong * length && offset <= MOST_ITEMS ? wrong : wrong - 1));
  CHECK_STATUS(USW_ERROR_INVALID,
               usw_reduce_segments(USW_DESCRIBE, USW_F64, items.data, MOST_ITEMS, &segments, found, &options));
  CHECK_TEXT_HAS(usw_error_text(), name);
  CHECK(memcmp(found, untouched, sizeof found) == 0);
  device_memory_free(&items);
  device_memory_free(&ends);
}

/* The library's own way with so few items, and blocks. */
void segments_described(const test_place_t *place) {
  static const uint32_t leasts[] = {0, 1, 3, 8, 16, 43, 171, 500}, loads[] = {0, 100};
  for (uint32_t i = 0; i < MOST_ITEMS; i++)
    x[i] = (double)(i * 2654435761u % 100003) / 7 - 5000;
  for (size_t l = 0; l < sizeof loads / sizeof *loads; l++) {
    for (uint32_t wrong = 2; wrong < SEGMENTS; wrong += 13) {
      describe_wrong_offset(place, 20, wrong, (wrong + 2) * 20, loads[l]);
      describe_wrong_offset(place, 500, wrong, (wrong - 1) * 500 - 1, loads[l]);
      describe_wrong_offset(place, 3, wrong, MOST_ITEMS + 1, loads[l]);
    }
    for (size_t k = 0; k < sizeof leasts / sizeof *leasts; k++)
      describe_lengths(place, leasts[k], loads[l]);
  }
}
