/* Every form in which a reduction variable can be given: its operator's identity is known, is given, or there is none;
 * each with the variable's original value and, where there is an identity, without it.   overloads [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

enum { ITEMS = 5000, UNITS = 997 };

/* Addition modulo 997, for numbers below it: an operator of the user's, whose identity is 0. */
static inline uint32_t add_modulo(uint32_t x, uint32_t y) { return (x + y) % UNITS; }

/* The shorter of two intervals of time, the later one of equals: none is an identity. */
typedef struct {
  int32_t length_ms, start_ms;
} interval_t;

static inline interval_t shorter(interval_t x, interval_t y) {
  const int y_wins = y.length_ms < x.length_ms || (y.length_ms == x.length_ms && y.start_ms > x.start_ms);
  return y_wins ? y : x;
}

/* The greatest common divisor. 0 would be an identity, but nobody has to know that. */
static inline uint32_t greatest_divisor(uint32_t x, uint32_t y) {
  while (y != 0) {
    const uint32_t rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

#define USW_KERNEL overloads
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, known, USW_PLUS)                                                                                         \
  R(uint32_t, given, add_modulo, 0)                                                                                    \
  R(uint32_t, none, greatest_divisor)                                                                                  \
  R(interval_t, none_of_struct, shorter)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const interval_t interval = {1 + (int32_t)(x % 1000), (int32_t)i};
  usw_add(known, x);
  usw_combine(given, x % UNITS);
  usw_combine(none, x * 6);
  usw_combine(none_of_struct, interval);
}
#include <upsweep/kernel_end.h>

enum { KNOWN = 1, GIVEN = 2, NONE = 4, NONE_OF_STRUCT = 8 };

typedef struct {
  uint64_t known;
  uint32_t given, none;
  interval_t none_of_struct;
} results_t;

static results_t originals(void) {
  const interval_t interval = {500, -7};
  results_t r;
  memset(&r, 0, sizeof r);
  r.known = 1000000007;
  r.given = 996;
  r.none = 6000;
  r.none_of_struct = interval;
  return r;
}

static results_t serial(size_t n, const uint32_t *x, uint64_t skip) {
  results_t r = originals();
  if (skip & KNOWN)
    r.known = 0;
  if (skip & GIVEN)
    r.given = 0;
  for (size_t i = 0; i < n; i++) {
    const interval_t interval = {1 + (int32_t)(x[i] % 1000), (int32_t)i};
    r.known += x[i];
    r.given = (r.given + x[i] % UNITS) % UNITS;
    r.none = greatest_divisor(r.none, x[i] * 6);
    r.none_of_struct = shorter(r.none_of_struct, interval);
  }
  return r;
}

static void check_results(const results_t *expected, const results_t *got) {
  CHECK_U64(expected->known, got->known);
  CHECK_U64(expected->given, got->given);
  CHECK_U64(expected->none, got->none);
  CHECK_I64(expected->none_of_struct.length_ms, got->none_of_struct.length_ms);
  CHECK_I64(expected->none_of_struct.start_ms, got->none_of_struct.start_ms);
}

static usw_status_t run(size_t n, const uint32_t *x, results_t *r, const usw_options_t *options) {
  return overloads(n, x, &r->known, &r->given, &r->none, &r->none_of_struct, options);
}

/* Every choice of variables that start from their identity: those without one may not be among them. */
static void check_choices(size_t n, const uint32_t *x, const uint32_t *x_there, usw_options_t options) {
  for (uint64_t skip = 0; skip < 16; skip++) {
    const int is_possible = (skip & (NONE | NONE_OF_STRUCT)) == 0;
    const results_t expected = is_possible ? serial(n, x, skip) : originals();
    results_t got = originals();
    options.initialize_to_identity = skip;
    CHECK_STATUS(is_possible ? USW_OK : USW_ERROR_NO_IDENTITY, run(n, x_there, &got, &options));
    check_results(&expected, &got);
  }
}

/* A pointer means one variable: what lies around it stays. */
static void check_neighbours(size_t n, const uint32_t *x, const uint32_t *x_there, const usw_options_t *options) {
  const results_t expected = serial(n, x, 0);
  uint64_t known[3] = {11, originals().known, 13};
  uint32_t given[3] = {21, originals().given, 23}, none[3] = {31, originals().none, 33};
  interval_t intervals[3] = {{41, 42}, originals().none_of_struct, {43, 44}};
  CHECK_STATUS(USW_OK, overloads(n, x_there, &known[1], &given[1], &none[1], &intervals[1], options));
  CHECK_U64(expected.known, known[1]);
  CHECK_U64(expected.given, given[1]);
  CHECK_U64(expected.none, none[1]);
  CHECK_I64(expected.none_of_struct.start_ms, intervals[1].start_ms);
  CHECK(known[0] == 11 && known[2] == 13);
  CHECK(given[0] == 21 && given[2] == 23);
  CHECK(none[0] == 31 && none[2] == 33);
  CHECK(intervals[0].start_ms == 42 && intervals[2].length_ms == 43);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 3, 31, 33, 256, 257, 1024, ITEMS};
  static uint32_t x[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (uint32_t i = 0; i < ITEMS; i++)
    x[i] = 20 + i * 7919 % 100000 * 10;
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      check_choices(sizes[k], x, (const uint32_t *)there.data, strategies.options[s]);
      check_neighbours(sizes[k], x, (const uint32_t *)there.data, &strategies.options[s]);
    }
  memory_free(&there);
  return check_report();
}
