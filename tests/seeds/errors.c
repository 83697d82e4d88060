/* What the texts call an error or leave undefined has a status here, and no variable changes: variables that are the same
 * or overlap, an identity that is asked for and not there, nothing to reduce.   errors [--place NAME] */
#include <string.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

/* The one nearer to zero, the positive one of equals: no number is its identity. */
static inline int32_t nearer(int32_t x, int32_t y) {
  const int32_t x_size = x < 0 ? -x : x, y_size = y < 0 ? -y : y;
  return y_size < x_size || (y_size == x_size && y > x) ? y : x;
}

typedef struct {
  int32_t low, high;
} range_t;

static inline range_t no_range(void) {
  const range_t none = {INT32_MAX, INT32_MIN};
  return none;
}

static inline range_t hull(range_t x, range_t y) {
  const range_t both = {x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high};
  return both;
}

#define USW_KERNEL kernel
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x)
#define USW_REDUCERS(R, S)                                                                                             \
  R(int32_t, sum, USW_PLUS)                                                                                            \
  R(int32_t, most, USW_MAXIMUM)                                                                                        \
  R(range_t, range, hull, no_range())                                                                                  \
  R(int32_t, nearest, nearer)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const range_t one = {x, x};
  usw_add(sum, x);
  usw_combine(most, x);
  usw_combine(range, one);
  if (x > 1000)
    usw_combine(nearest, x);
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 600, WORDS = 8, NEAREST = 8 };

/* Room for variables to lie in: sum, most, range and nearest, apart or not. */
typedef struct {
  int32_t word[WORDS];
} room_t;

static const room_t before = {{11, -22, 33, -44, 55, 66, -77, 88}};
static const int32_t *data;

static usw_status_t run(size_t n, room_t *room, int sum, int most, int range, int nearest,
                        const usw_options_t *options) {
  return kernel(n, data, &room->word[sum], &room->word[most], (range_t *)(void *)&room->word[range],
                &room->word[nearest], options);
}

/* The call is refused, its error names what was wrong, and every variable is as it was. */
static void check_refused(usw_status_t expected, const char *culprit, usw_status_t got, const room_t *room) {
  CHECK_STATUS(expected, got);
  CHECK_TEXT_HAS(usw_error_text(), culprit);
  CHECK_TEXT_HAS(usw_error_text(), "kernel");
  CHECK(memcmp(room, &before, sizeof before) == 0);
}

/* Two reductions over one variable, and over variables that share bytes; side by side they are fine. */
static void check_aliases(size_t n, const usw_options_t *options) {
  room_t room = before;
  check_refused(USW_ERROR_INVALID, "'most'", run(n, &room, 0, 0, 2, 4, options), &room);
  check_refused(USW_ERROR_INVALID, "'nearest'", run(n, &room, 0, 1, 2, 0, options), &room);
  check_refused(USW_ERROR_INVALID, "'range'", run(n, &room, 0, 3, 3, 5, options), &room);
  check_refused(USW_ERROR_INVALID, "'range'", run(n, &room, 0, 4, 3, 5, options), &room);
  check_refused(USW_ERROR_INVALID, "'nearest'", run(n, &room, 0, 1, 2, 3, options), &room);
  CHECK_STATUS(USW_OK, run(n, &room, 4, 1, 2, 0, options));
  CHECK_STATUS(USW_OK, run(n, &room, 7, 6, 4, 3, options));
}

static void check_no_identity(size_t n, usw_options_t options) {
  room_t room = before;
  options.initialize_to_identity = NEAREST;
  check_refused(USW_ERROR_NO_IDENTITY, "'nearest'", run(n, &room, 0, 1, 2, 4, &options), &room);
  options.initialize_to_identity = NEAREST | 7;
  check_refused(USW_ERROR_NO_IDENTITY, "'nearest'", run(n, &room, 0, 1, 2, 4, &options), &room);
}

static void check_addresses(usw_options_t options) {
  room_t room = before;
  int32_t *at = room.word;
  range_t *range = (range_t *)(void *)&at[2];
  check_refused(USW_ERROR_INVALID, "'sum'", kernel(ITEMS, data, NULL, &at[1], range, &at[4], &options), &room);
  check_refused(USW_ERROR_INVALID, "'nearest'", kernel(0, data, at, &at[1], range, NULL, &options), &room);
  check_refused(USW_ERROR_INVALID, "'x'", kernel(1, NULL, at, &at[1], range, &at[4], &options), &room);
  check_refused(USW_ERROR_INVALID, "'most'",
                kernel(ITEMS, data, at, (int32_t *)(void *)((char *)&at[1] + 2), range, &at[4], &options), &room);
  options.size--;
  check_refused(USW_ERROR_VERSION, "options.size", kernel(ITEMS, data, at, &at[1], range, &at[4], &options), &room);
  options.size++;
  options.accuracy = (usw_accuracy_t)99;
  check_refused(USW_ERROR_INVALID, "accuracy", kernel(ITEMS, data, at, &at[1], range, &at[4], &options), &room);
}

/* No items: the original values stay, the identities are written where they were asked for. Data may be NULL. */
static void check_no_items(usw_options_t options) {
  int32_t sum = 12, most = -13, nearest = 14;
  range_t range = {3, 9};
  CHECK_STATUS(USW_OK, kernel(0, NULL, &sum, &most, &range, &nearest, &options));
  CHECK(sum == 12 && most == -13 && range.low == 3 && range.high == 9 && nearest == 14);
  options.initialize_to_identity = 7;
  CHECK_STATUS(USW_OK, kernel(0, NULL, &sum, &most, &range, &nearest, &options));
  CHECK(sum == 0 && most == INT32_MIN && range.low == INT32_MAX && range.high == INT32_MIN && nearest == 14);
}

/* A kernel that takes no original values, as with the proposal's discard_write: a variable without an identity into which
 * nothing was combined has no value, with no item and with many. */
static void check_empty(const usw_options_t *options) {
  usw_kernel_t discarding = kernel_kernel;
  room_t room = before;
  const usw_variable_t variables[4] = {{&room.word[0], 1}, {&room.word[1], 1}, {&room.word[2], 1}, {&room.word[4], 1}};
  const uint64_t arguments[1] = {(uint64_t)(uintptr_t)data};
  discarding.absorb = NULL;
  check_refused(USW_ERROR_EMPTY, "'nearest'", usw_kernel_run(&discarding, 0, arguments, variables, options), &room);
  check_refused(USW_ERROR_EMPTY, "'nearest'", usw_kernel_run(&discarding, 500, arguments, variables, options), &room);
  CHECK_STATUS(USW_OK, usw_kernel_run(&discarding, ITEMS, arguments, variables, options));
  CHECK_I64(1500, room.word[4]);
  CHECK_I64(2000, room.word[1]);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 257, ITEMS};
  static int32_t x[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int i = 0; i < ITEMS; i++)
    x[i] = i < 500 ? i - 250 : 1500 + i % 5 * 125;
  place_memory_t there = memory_get(&place, x, sizeof x, 0);
  data = (const int32_t *)there.data;
  for (int s = 0; s < strategies.count; s++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      check_aliases(sizes[k], &strategies.options[s]);
      check_no_identity(sizes[k], strategies.options[s]);
    }
    check_addresses(strategies.options[s]);
    check_no_items(strategies.options[s]);
    check_empty(&strategies.options[s]);
  }
  memory_free(&there);
  return check_report();
}
