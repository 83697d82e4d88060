/* Kernels whose body uses collectives: neighbours' sums, a sub-group's any, a team's scan, over every kind of end.
 *   in_step [--place NAME] */
#include <stdio.h>
#include <string.h>
#include <upsweep/team.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_ITEMS = 100003, BINS = 4 };

/* Every item counts once, whoever adds it: lane 0 for its sub-group, thread 0 for its team, the last thread for a scan. */
#define USW_KERNEL aggregated
#define USW_IN_STEP 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint32_t, limit)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, plain, USW_PLUS)                                                                                         \
  R(uint64_t, by_sub_group, USW_PLUS)                                                                                  \
  R(uint64_t, by_team, USW_PLUS)                                                                                       \
  R(uint64_t, by_scan, USW_PLUS)                                                                                       \
  R(uint64_t, large, USW_PLUS)                                                                                         \
  R(uint64_t, items, USW_PLUS)                                                                                         \
  S(uint64_t, bins, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const usw_team_t team = usw_kernel_team();
  const usw_sub_group_t group = usw_sub_group_of(team);
  const uint64_t value = x;
  /* What threads without an item combine is forgotten: they hand their share to nobody. */
  const uint32_t has = usw_has_item() ? 1 : 0;
  const uint64_t of_sub_group = usw_sub_group_reduce(group, value, USW_PLUS);
  const uint64_t of_team = usw_team_reduce_to_first(team, value, USW_PLUS);
  const uint64_t up_to_here = usw_team_inclusive_scan(team, has, USW_PLUS);
  const uint32_t above = usw_sub_group_count(group, has && x > limit);
  const uint32_t have = usw_team_count(team, (int)has); /* outside of any condition: all threads call */
  if (has)
    usw_add(plain, value);
  else
    usw_add(plain, 1000000); /* to be forgotten */
  if (group.lane == 0)
    usw_add(by_sub_group, of_sub_group);
  if (team.thread == 0)
    usw_add(by_team, of_team);
  if (has && up_to_here == have)
    usw_add(by_scan, up_to_here);
  if (group.lane == 0)
    usw_add(large, above);
  usw_inc(items);
  usw_inc_at(bins, i % BINS);
}
#include <upsweep/kernel_end.h>

/* Two dimensions, and no stream at all. */
#define USW_KERNEL cells_in_step
#define USW_IN_STEP 1
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(uint32_t, field)
#define USW_REDUCERS(R, S) R(uint64_t, sum, USW_PLUS) R(int64_t, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(j, i) {
  const usw_team_t team = usw_kernel_team();
  const uint64_t value = usw_has_item() ? field[j * 100 + i] : 0;
  const uint64_t of_team = usw_team_reduce(team, value, USW_PLUS);
  if (team.thread == 0)
    usw_add(sum, of_team);
  usw_combine(most, (int64_t)value);
}
#include <upsweep/kernel_end.h>

static uint32_t x[3 * MOST_ITEMS + 1];
static test_place_t place;

static void check_aggregates(size_t n, size_t offset_bytes, ptrdiff_t stride, usw_strategy_t strategy, uint32_t teams) {
  const uint32_t limit = 900;
  uint64_t sum = 0, above = 0;
  uint64_t plain = 0, by_sub_group = 0, by_team = 0, by_scan = 0, large = 0, items = 0, bins[BINS] = {0};
  place_memory_t memory = memory_get(&place, x, (n * (size_t)stride + 1) * sizeof *x, offset_bytes);
  usw_options_t options = place_options(&place);
  char note[128];
  options.strategy = strategy;
  options.accuracy = USW_FAST; /* for the clause */
  options.teams = teams;
  options.stride[0] = stride;
  snprintf(note, sizeof note, "n=%zu offset=%zu stride=%td strategy=%d teams=%u", n, offset_bytes, stride,
           (int)strategy, teams);
  for (size_t i = 0; i < n; i++) {
    sum += x[i * (size_t)stride];
    above += x[i * (size_t)stride] > limit;
  }
  const usw_status_t status = aggregated(n, (const uint32_t *)memory.data, limit, &plain, &by_sub_group, &by_team,
                                         &by_scan, &large, &items, bins, &options);
  CHECK_AT(status == USW_OK, usw_error_text());
  CHECK_AT(plain == sum, note);
  CHECK_AT(by_sub_group == sum, note);
  CHECK_AT(by_team == sum, note);
  CHECK_AT(by_scan == n, note);
  CHECK_AT(large == above, note);
  CHECK_AT(items == n, note);
  for (size_t b = 0; b < BINS; b++)
    CHECK_AT(bins[b] == (n + BINS - 1 - b) / BINS, note);
  memory_free(&memory);
}

static void check_cells(size_t rows, size_t columns) {
  const usw_space_t space = {.size = USW_INIT(usw_space_t), .dimensions = 2, .extent = {rows, columns}};
  place_memory_t memory = memory_get(&place, x, 100 * 100 * sizeof *x, 0);
  const usw_options_t options = place_options(&place);
  uint64_t sum = 0, expected = 0;
  int64_t most = -1, largest = -1;
  for (size_t j = 0; j < rows; j++)
    for (size_t i = 0; i < columns; i++) {
      const uint32_t value = x[j * 100 + i];
      expected += value;
      largest = value > largest ? value : largest;
    }
  CHECK_STATUS(USW_OK, cells_in_step(&space, (const uint32_t *)memory.data, &sum, &most, &options));
  CHECK_U64(expected, sum);
  CHECK_I64(largest, most);
  memory_free(&memory);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 4095, 4096, 4097, 32769, MOST_ITEMS};
  static const usw_strategy_t strategies[] = {USW_AUTO_STRATEGY, USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH,
                                              USW_STRATEGY_CLAUSE};
  place = place_of_arguments(argc, argv);
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    x[i] = (uint32_t)(i * 2654435761u >> 8) % 1000;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t k = 0; k < (place.place == USW_HOST ? 1 : strcmp(place.target, "simt") == 0 ? 3 : 4); k++) {
      check_aggregates(sizes[s], 0, 1, strategies[k], 0);
      check_aggregates(sizes[s], 4, 1, strategies[k], 3);
      check_aggregates(sizes[s], 0, 3, strategies[k], 1);
    }
  check_cells(1, 1);
  check_cells(7, 100);
  check_cells(100, 33);
  return check_report();
}
