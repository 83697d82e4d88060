/* The first example of SYCL's text on reduction variables: one kernel reduces the same values twice. The numbers
 * 0 to 1023 have the sum 523776 and the maximum 1023.   sum_and_maximum [--place NAME] */
#include <limits.h>
#include <upsweep/upsweep.h>

#include "strategies.h"

/* The values as a stream: the body sees the value of its item. */
#define USW_KERNEL of_stream
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, value)
#define USW_REDUCERS(R, S) R(int, sum, USW_PLUS) R(int, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, value);
  usw_combine(most, value);
}
#include <upsweep/kernel_end.h>

/* The values as an array: the body takes them by its item's index, as from an accessor. */
#define USW_KERNEL of_array
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(int, values)
#define USW_REDUCERS(R, S) R(int, sum, USW_PLUS) R(int, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(sum, values[i]);
  usw_combine(most, values[i]);
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 1024 };

typedef usw_status_t (*kernel_t)(size_t n, const int *values, int *sum, int *most, const usw_options_t *options);

static void check_example(kernel_t kernel, const int *values, const usw_options_t *options) {
  int sum = 0, most = 0;
  CHECK_STATUS(USW_OK, kernel(ITEMS, values, &sum, &most, options));
  CHECK_I64(523776, sum);
  CHECK_I64(1023, most);
}

/* What the variables held before is part of the result. */
static void check_originals(kernel_t kernel, const int *values, const usw_options_t *options) {
  int sum = 1000000, most = 5000;
  CHECK_STATUS(USW_OK, kernel(ITEMS, values, &sum, &most, options));
  CHECK_I64(1523776, sum);
  CHECK_I64(5000, most);
  CHECK_STATUS(USW_OK, kernel(ITEMS, values, &sum, &most, options));
  CHECK_I64(2047552, sum);
  most = INT_MIN;
  CHECK_STATUS(USW_OK, kernel(ITEMS, values, &sum, &most, options));
  CHECK_I64(1023, most);
}

/* The first n numbers, for every n: the maximum is the last of them. */
static void check_prefixes(kernel_t kernel, const int *values, const usw_options_t *options) {
  for (int n = 1; n <= ITEMS; n = n < 40 ? n + 1 : n + 41) {
    int sum = 0, most = -1;
    CHECK_STATUS(USW_OK, kernel((size_t)n, values, &sum, &most, options));
    CHECK_I64(n * (n - 1) / 2, sum);
    CHECK_I64(n - 1, most);
  }
}

/* However many teams share the items. */
static void check_teams(kernel_t kernel, const int *values, usw_options_t options) {
  static const uint32_t teams[] = {1, 2, 3, 16, 63};
  for (size_t k = 0; k < sizeof teams / sizeof *teams; k++) {
    options.teams = teams[k];
    check_example(kernel, values, &options);
  }
}

int main(int argc, char **argv) {
  static int values[ITEMS];
  static const kernel_t kernels[] = {of_stream, of_array};
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int i = 0; i < ITEMS; i++)
    values[i] = i;
  place_memory_t there = memory_get(&place, values, sizeof values, 0);
  for (int s = 0; s < strategies.count; s++)
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
      const int *data = (const int *)there.data;
      check_example(kernels[k], data, &strategies.options[s]);
      check_originals(kernels[k], data, &strategies.options[s]);
      check_prefixes(kernels[k], data, &strategies.options[s]);
      check_teams(kernels[k], data, strategies.options[s]);
    }
  memory_free(&there);
  return check_report();
}
