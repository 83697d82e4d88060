/* Checked builds: an index outside its span is an error that names kernel, span and index, and nothing is written.
 *   checked [--place NAME] */
#define USW_CHECKED
#include <upsweep/upsweep.h>

#define USW_KERNEL checked_bins
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, bin)
#define USW_REDUCERS(R, S) R(uint64_t, items, USW_PLUS) S(uint32_t, bins, 6, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc(items);
  usw_inc_at(bins, bin);
}
#include <upsweep/kernel_end.h>

/* The same for spans in the block: one whose threads take turns, of an extent that comes with the call. */
#define USW_KERNEL checked_sums
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, bin)
#define USW_REDUCERS(R, S) S(double, sums, USW_DYNAMIC_EXTENT, USW_PLUS) S(uint64_t, counts, 700, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add_at(sums, bin, 0.5);
  usw_inc_at(counts, 100 * bin);
}
#include <upsweep/kernel_end.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 30000 };

static void run(const test_place_t *place, const int32_t *data, usw_status_t expected, const char *text) {
  uint64_t items = 5;
  uint32_t bins[6] = {1, 1, 1, 1, 1, 1};
  place_memory_t x = memory_get(place, data, ITEMS * sizeof *data, 0);
  usw_options_t options = place_options(place);
  CHECK_STATUS(expected, checked_bins(ITEMS, (const int32_t *)x.data, &items, bins, &options));
  CHECK_U64(expected == USW_OK ? 5 + ITEMS : 5, items);
  for (int k = 0; k < 6; k++)
    CHECK_U64(expected == USW_OK ? 1 + ITEMS / 6 : 1, bins[k]);
  if (text)
    CHECK_TEXT_HAS(usw_error_text(), text);
  memory_free(&x);
}

static void run_sums(const test_place_t *place, const int32_t *data, size_t extent, const char *text) {
  double sums[1000] = {1, 1, 1};
  uint64_t counts[700] = {1, 1, 1};
  place_memory_t x = memory_get(place, data, ITEMS * sizeof *data, 0);
  usw_options_t options = place_options(place);
  CHECK_STATUS(text ? USW_ERROR_INVALID : USW_OK,
               checked_sums(ITEMS, (const int32_t *)x.data, sums, extent, counts, &options));
  CHECK_F64(text ? 1 : 1 + ITEMS / 12, sums[2]);
  CHECK_U64(text ? 0 : ITEMS / 6, counts[500]);
  if (text)
    CHECK_TEXT_HAS(usw_error_text(), text);
  memory_free(&x);
}

int main(int argc, char **argv) {
  const test_place_t place = place_of_arguments(argc, argv);
  static int32_t data[ITEMS];
  for (int i = 0; i < ITEMS; i++)
    data[i] = i % 6;
  run(&place, data, USW_OK, NULL);
  run_sums(&place, data, 1000, NULL);
  run_sums(&place, data, 5, "checked_sums: index 5 is outside the span 'sums' of 5 elements");
  data[ITEMS - 7] = 7;
  run_sums(&place, data, 1000, "checked_sums: index 700 is outside the span 'counts' of 700 elements");
  data[ITEMS - 7] = 6;
  run(&place, data, USW_ERROR_INVALID, "checked_bins: index 6 is outside the span 'bins' of 6 elements");
  data[ITEMS - 7] = -1;
  run(&place, data, USW_ERROR_INVALID, "checked_bins: index 18446744073709551615 is outside the span 'bins'");
  return check_report();
}
