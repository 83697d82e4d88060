#include "api/segments_wrong.h"

#include <stdio.h>
#include <upsweep/upsweep.h>

#include "support/check.h"
#include "support/device_memory.h"

enum { FALLS, LEAVES, RISES, SEGMENTS = 4000, MOST_OF_SEGMENT = 5, GAP_BEGINS = 1000, LOAD_OF_BLOCKS = 100 };

/* Segments of `length` items, but none of `gap` in a row, of which the offset behind number `wrong` is less than the one before, or outside the
 * array; or `count` offsets from there on are so large that the next one is less. load: options.work_group_load. */
typedef struct {
  uint32_t length, gap, wrong, count, load;
  int kind;
} wrong_t;

static const double x[MOST_OF_SEGMENT * SEGMENTS];
static double found[SEGMENTS];

static void wrong_offset(const test_place_t *place, wrong_t w) {
  usw_options_t options = place_options(place);
  const size_t n = (size_t)w.length * (SEGMENTS - w.gap);
  uint32_t offsets[SEGMENTS + 1];
  char text[40];
  options.work_group_load = w.load;
  for (uint32_t k = 0; k <= SEGMENTS; k++)
    offsets[k] = w.length * (k < GAP_BEGINS ? k : k < GAP_BEGINS + w.gap ? GAP_BEGINS : k - w.gap);
  const uint32_t less = offsets[w.wrong] - 1;
  for (uint32_t k = 1; k <= w.count; k++)
    offsets[w.wrong + k] = w.kind == FALLS ? less : w.kind == LEAVES ? (uint32_t)-1 : (uint32_t)n;
  for (int k = 0; k < SEGMENTS; k++)
    found[k] = -1;
  place_memory_t items = device_memory_get(place, x, n * sizeof *x, 0);
  place_memory_t ends = device_memory_get(place, offsets, sizeof offsets, 0);
  const usw_segments_t segments = usw_segments_by_offsets(USW_U32, ends.data, SEGMENTS);
  CHECK_STATUS(USW_ERROR_INVALID, usw_reduce_segments(USW_PLUS, USW_F64, items.data, n, &segments, found, &options));
  snprintf(text, sizeof text, "segment %u ", w.kind == RISES ? w.wrong + w.count : w.wrong);
  CHECK_TEXT_HAS(usw_error_text(), text);
  for (int k = 0; k < SEGMENTS; k++)
    CHECK_F64(-1, found[k]);
  device_memory_free(&items);
  device_memory_free(&ends);
}

/* In each of many places; among segments without items; and where more offsets are too large than a GPU's sub-group looks at together, in places
 * of any block, whose other segments would be nobody's. */
static void wrong_offsets(const test_place_t *place, uint32_t load, uint32_t step) {
  enum { FIRST = 2000, IN_BLOCKS = 128, TOO_LARGE = 40, GAP = 2000 };
  for (uint32_t wrong = 0; wrong < SEGMENTS; wrong += step)
    wrong_offset(place, (wrong_t){MOST_OF_SEGMENT, 0, wrong, 1, load, wrong % 2 ? FALLS : LEAVES});
  for (uint32_t wrong = GAP_BEGINS; wrong < GAP_BEGINS + GAP; wrong += step)
    wrong_offset(place, (wrong_t){MOST_OF_SEGMENT, GAP, wrong, 1, load, wrong % 2 ? FALLS : RISES});
  for (uint32_t wrong = FIRST; wrong < FIRST + IN_BLOCKS; wrong += 7) {
    wrong_offset(place, (wrong_t){1, 0, wrong, 1, load, RISES});
    wrong_offset(place, (wrong_t){1, 0, wrong, TOO_LARGE, load, RISES});
  }
}

void segments_wrong(const test_place_t *place, uint32_t step) {
  wrong_offsets(place, 0, step);
  wrong_offsets(place, LOAD_OF_BLOCKS, step);
}
