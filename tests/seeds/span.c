/* The proposal's example of a span: four counters, each a reduction of its own, chosen by the item. Then a span beside a
 * variable, of an operator without identity, and spans that overlap.   span [--place NAME] */
#include <upsweep/upsweep.h>

#include "strategies.h"

#define USW_KERNEL counters
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, in)
#define USW_REDUCERS(R, S) S(int, out, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(out, i * 7 % 4, in); }
#include <upsweep/kernel_end.h>

/* The one of smaller remainder by 10, the smaller one of equals: none is an identity. */
static inline int rounder(int x, int y) { return y % 10 < x % 10 || (y % 10 == x % 10 && y < x) ? y : x; }

#define USW_KERNEL several
#define USW_ARGS(IN, ARRAY, VALUE) IN(int, in)
#define USW_REDUCERS(R, S)                                                                                             \
  S(uint64_t, counts, 3, USW_PLUS)                                                                                     \
  R(int, most, USW_MAXIMUM)                                                                                            \
  S(int, roundest, 2, rounder)                                                                                         \
  S(double, products, 2, USW_MULTIPLIES)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_inc_at(counts, in % 3);
  usw_combine(most, in);
  if (in % 5 == 0) /* nothing comes to element 0 */
    usw_combine_at(roundest, 1, in);
  usw_combine_at(products, i % 2, in % 2 == 0 ? -1 : 1);
}
#include <upsweep/kernel_end.h>

#include "span_check.h"

enum { ITEMS = 5003 };

static void check_several(size_t n, const int *in, const int *in_there, const usw_options_t *options) {
  uint64_t counts[3] = {5, 6, 7}, expected_counts[3] = {5, 6, 7};
  int most = 40, expected_most = 40, roundest[2] = {77, 79}, expected_roundest[2] = {77, 79};
  double products[2] = {2, -3}, expected_products[2] = {2, -3};
  for (size_t i = 0; i < n; i++) {
    expected_counts[in[i] % 3]++;
    expected_most = in[i] > expected_most ? in[i] : expected_most;
    if (in[i] % 5 == 0)
      expected_roundest[1] = rounder(expected_roundest[1], in[i]);
    expected_products[i % 2] *= in[i] % 2 == 0 ? -1 : 1;
  }
  CHECK_STATUS(USW_OK, several(n, in_there, counts, &most, roundest, products, options));
  for (int k = 0; k < 3; k++)
    CHECK_U64(expected_counts[k], counts[k]);
  CHECK_I64(expected_most, most);
  for (int k = 0; k < 2; k++) {
    CHECK_I64(expected_roundest[k], roundest[k]);
    CHECK_F64(expected_products[k], products[k]);
  }
}

/* Spans that share elements, or hold another reduction's variable, are refused; so is an identity that is not there. */
static void check_refusals(const int *in, usw_options_t options) {
  uint64_t counts[3] = {5, 6, 7};
  int ints[4] = {40, 77, 79, 81};
  double products[2] = {2, -3};
  CHECK_STATUS(USW_ERROR_INVALID, several(9, in, counts, &ints[1], ints, products, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'most' and 'roundest'");
  CHECK_STATUS(USW_ERROR_INVALID, several(9, in, counts, ints, ints + 1, (double *)(void *)&counts[2], &options));
  CHECK_TEXT_HAS(usw_error_text(), "'counts' and 'products'");
  CHECK_STATUS(USW_ERROR_INVALID, several(9, in, counts, ints, NULL, products, &options));
  options.initialize_to_identity = 4;
  CHECK_STATUS(USW_ERROR_NO_IDENTITY, several(9, in, counts, ints, ints + 1, products, &options));
  CHECK_TEXT_HAS(usw_error_text(), "'roundest'");
  CHECK(counts[0] == 5 && counts[1] == 6 && counts[2] == 7);
  CHECK(ints[0] == 40 && ints[1] == 77 && ints[2] == 79 && ints[3] == 81);
  CHECK(products[0] == 2 && products[1] == -3);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 31, 256, 1025, ITEMS};
  static int in[ITEMS];
  const test_place_t place = place_of_arguments(argc, argv);
  const strategies_t strategies = strategies_of(&place);
  for (int i = 0; i < ITEMS; i++)
    in[i] = 1 + i * 4241 % 9973;
  place_memory_t there = memory_get(&place, in, sizeof in, 0);
  check_counters(&place, counters);
  for (int s = 0; s < strategies.count; s++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      check_several(sizes[k], in, (const int *)there.data, &strategies.options[s]);
    check_refusals((const int *)there.data, strategies.options[s]);
  }
  memory_free(&there);
  return check_report();
}
