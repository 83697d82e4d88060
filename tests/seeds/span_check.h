/* What every form of the four counters must give: item i goes to counter 7 i modulo 4. */
#ifndef USW_TESTS_SEEDS_SPAN_CHECK_H
#define USW_TESTS_SEEDS_SPAN_CHECK_H

#include "strategies.h"

enum { COUNTERS = 4, COUNTER_ITEMS = 9001 };

typedef usw_status_t (*counters_t)(size_t n, const int *in, int *out, const usw_options_t *options);

/* A span of N elements is N independent reductions, and nothing outside it changes. */
static void check_counter_items(counters_t kernel, size_t n, const int *in, const int *in_there,
                                usw_options_t options) {
  for (uint64_t skip = 0; skip < 2; skip++) {
    int out[COUNTERS + 2] = {-1, 10, 20, 30, 40, -1}, expected[COUNTERS] = {10, 20, 30, 40};
    if (skip)
      for (int k = 0; k < COUNTERS; k++)
        expected[k] = 0;
    for (size_t i = 0; i < n; i++)
      expected[i * 7 % COUNTERS] += in[i];
    options.initialize_to_identity = skip;
    CHECK_STATUS(USW_OK, kernel(n, in_there, out + 1, &options));
    for (int k = 0; k < COUNTERS; k++)
      CHECK_I64(expected[k], out[1 + k]);
    CHECK(out[0] == -1 && out[COUNTERS + 1] == -1);
  }
}

static void check_counters(const test_place_t *place, counters_t kernel) {
  static const size_t sizes[] = {0, 1, 2, 3, 5, 255, 257, 1024, COUNTER_ITEMS};
  static int in[COUNTER_ITEMS];
  const strategies_t strategies = strategies_of(place);
  for (int i = 0; i < COUNTER_ITEMS; i++)
    in[i] = i % 1000 - 300;
  place_memory_t there = memory_get(place, in, sizeof in, 0);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      check_counter_items(kernel, sizes[k], in, (const int *)there.data, strategies.options[s]);
  memory_free(&there);
}

#endif
