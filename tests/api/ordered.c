/* Operators that are not commutative, in the order of the items: products of matrices, maps composed, a string's first
 * and last characters; short spans of them; beside them ordinary reducers. And entries that start from the identity.
 *   ordered [--place NAME] */
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"
#include "user_types.h"

enum { MOST_ITEMS = 300007, BINS = 3 };

#define USW_KERNEL in_order
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(chain_t, chain, follow)                                                                                            \
  R(affine_t, map, compose, affine_one())                                                                              \
  R(uint64_t, sum, USW_PLUS)                                                                                           \
  S(affine_t, maps, BINS, compose, affine_one())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(chain, link_of(i + 1));
  usw_combine(map, affine_of(x));
  usw_add(sum, x);
  usw_combine_at(maps, x % BINS, affine_of(i));
}
#include <upsweep/kernel_end.h>

/* For more teams than a team has threads, whose last one folds several partials by a thread. */
#define USW_KERNEL links
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) VALUE(uint64_t, first)
#define USW_REDUCERS(R, S) R(chain_t, chain, follow)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(chain, link_of(first + i)); }
#include <upsweep/kernel_end.h>

/* Which of its variables a kernel's list takes as they are. */
#define USW_KERNEL some_fresh
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, kept, USW_PLUS)                                                                                          \
  R(uint64_t, fresh, USW_PLUS, USW_INITIALIZE_TO_IDENTITY)                                                             \
  R(affine_t, map, compose, affine_one(), USW_INITIALIZE_TO_IDENTITY)                                                  \
  S(uint32_t, bits, BINS, USW_BIT_OR, USW_INITIALIZE_TO_IDENTITY)                                                      \
  S(uint32_t, more, USW_DYNAMIC_EXTENT, USW_PLUS, USW_INITIALIZE_TO_IDENTITY)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(kept, x);
  usw_add(fresh, x);
  usw_combine(map, about_seven(x));
  usw_or_at(bits, i % BINS, 1u << (x % 32));
  usw_add_at(more, i % usw_extent_of(more), x);
}
#include <upsweep/kernel_end.h>

static uint32_t x[MOST_ITEMS];
static test_place_t place;

static int same_map(affine_t f, affine_t g) { return f.a == g.a && f.b == g.b; }

static void check_order(size_t n, size_t offset_bytes, ptrdiff_t stride, usw_strategy_t strategy, uint32_t teams) {
  place_memory_t there = memory_get(&place, x, sizeof x, offset_bytes);
  chain_t chain = {0, 0, 0};
  affine_t map = {5, 6}, expected_map = map, maps[BINS], expected_maps[BINS];
  uint64_t sum = 0, expected_sum = 0;
  usw_options_t options = place_options(&place);
  char note[160];
  options.strategy = strategy;
  options.work_group_load = 2;
  options.teams = teams;
  options.stride[0] = stride;
  for (int k = 0; k < BINS; k++)
    maps[k] = expected_maps[k] = affine_one();
  for (size_t i = 0; i < n; i++) {
    const uint32_t element = x[i * (size_t)stride];
    expected_map = compose(expected_map, affine_of(element));
    expected_maps[element % BINS] = compose(expected_maps[element % BINS], affine_of(i));
    expected_sum += element;
  }
  snprintf(note, sizeof note, "n %zu, offset %zu, stride %td, strategy %d, teams %u", n, offset_bytes, stride,
           (int)strategy, teams);
  CHECK_AT(in_order(n, (const uint32_t *)there.data, &chain, &map, &sum, maps, &options) == USW_OK, note);
  CHECK_AT(chain.first == 0 && chain.last == n && chain.broken == 0, note);
  CHECK_AT(same_map(expected_map, map) && sum == expected_sum, note);
  for (int k = 0; k < BINS; k++)
    CHECK_AT(same_map(expected_maps[k], maps[k]), note);
  memory_free(&there);
}

static void check_orders(void) {
  static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 31, 33, 255, 257, 1023, 1025, 4097, 20011};
  static const uint32_t teams[] = {0, 1, 2, 7, 300};
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES]; /* the clause is the last */
  const int host = place.place == USW_HOST;
  place_strategies(&place, strategies);
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    for (int t = 0; t < (host ? 1 : 5); t++)
      for (int way = 0; way < 3; way++)
        if (place_takes_next(&place, 12))
          check_order(sizes[k], way == 1 ? 4 : 0, way == 2 ? 3 : 1, strategies[host ? 0 : (t + way) % 3], teams[t]);
  if (strcmp(place.target, "simt") != 0)
    check_order(MOST_ITEMS, 0, 1, USW_AUTO_STRATEGY, 0);
}

static void check_many_teams(void) {
  enum { TEAMS = 300, ITEMS = 4 * 256 * TEAMS }; /* tiles of four items a thread */
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  place_strategies(&place, strategies);
  for (int k = 0; k < 3; k++) {
    usw_options_t options = place_options(&place);
    chain_t chain = {0, 0, 0};
    options.strategy = strategies[k];
    options.teams = TEAMS;
    options.work_group_load = 2;
    CHECK_STATUS(USW_OK, links(ITEMS, 1, &chain, &options));
    CHECK(chain.first == 0 && chain.last == ITEMS && chain.broken == 0);
  }
}

static void check_refused(void) {
  chain_t chain = {0, 0, 0};
  affine_t map = {5, 6}, maps[BINS] = {{1, 2}, {3, 4}, {5, 6}};
  uint64_t sum = 7;
  usw_options_t options = place_options(&place);
  options.strategy = USW_STRATEGY_CLAUSE;
  options.accuracy = USW_FAST;
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, in_order(0, NULL, &chain, &map, &sum, maps, &options));
  CHECK(sum == 7 && map.a == 5 && maps[2].b == 6);
}

static void check_fresh(void) {
  uint64_t kept = 100, fresh = 100, sum = 0;
  uint32_t bits[BINS] = {1, 2, 4}, more[70], expected_bits[BINS] = {0}, expected_more[70] = {0};
  affine_t map = {11, 13}, expected = affine_one();
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  usw_options_t options = place_options(&place);
  memset(more, 0xff, sizeof more);
  for (size_t i = 0; i < 5000; i++) {
    sum += x[i];
    expected = compose(expected, about_seven(x[i]));
    expected_bits[i % BINS] |= 1u << (x[i] % 32);
    expected_more[i % 70] += x[i];
  }
  CHECK_STATUS(USW_OK, some_fresh(5000, (const uint32_t *)there.data, &kept, &fresh, &map, bits, more, 70, &options));
  CHECK_U64(sum + 100, kept);
  CHECK_U64(sum, fresh);
  CHECK(same_map(expected, map));
  CHECK(memcmp(bits, expected_bits, sizeof bits) == 0 && memcmp(more, expected_more, sizeof more) == 0);
  CHECK_STATUS(USW_OK, some_fresh(0, NULL, &kept, &fresh, &map, bits, more, 70, &options));
  CHECK(kept == sum + 100 && fresh == 0 && same_map(affine_one(), map) && bits[1] == 0 && more[69] == 0);
  memory_free(&there);
}

int main(int argc, char **argv) {
  place = place_of_arguments(argc, argv);
  for (size_t i = 0; i < MOST_ITEMS; i++)
    x[i] = (uint32_t)(i * 0x9e3779b97f4a7c15u >> 40);
  check_orders();
  if (place.place != USW_HOST) {
    check_many_teams();
    check_refused();
  }
  check_fresh();
  return check_report();
}
