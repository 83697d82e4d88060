/* What every form of the dot product must give. */
#ifndef USW_TESTS_SEEDS_DOT_PRODUCT_CHECK_H
#define USW_TESTS_SEEDS_DOT_PRODUCT_CHECK_H

#include "strategies.h"

enum { DOT_ITEMS = 20011 };

typedef usw_status_t (*dot_product_t)(size_t n, const int *a, const int *b, int *sum, const usw_options_t *options);

/* read_write, discard_write, and the number of teams, which the text's nd_range fixes by its work-group size. */
static void check_dot_product(dot_product_t kernel, size_t n, const int *a, const int *b, int expected,
                              usw_options_t options) {
  int sum = 1000;
  CHECK_STATUS(USW_OK, kernel(n, a, b, &sum, &options));
  CHECK_I64(1000 + expected, sum);
  options.initialize_to_identity = 1;
  CHECK_STATUS(USW_OK, kernel(n, a, b, &sum, &options));
  CHECK_I64(expected, sum);
  for (uint32_t teams = 1; teams < 9; teams += 3) {
    options.teams = teams;
    CHECK_STATUS(USW_OK, kernel(n, a, b, &sum, &options));
    CHECK_I64(expected, sum);
  }
}

static void check_dot_products(const test_place_t *place, const dot_product_t *kernels, size_t kernel_count) {
  static const size_t sizes[] = {0, 1, 2, 255, 256, 257, 4096, DOT_ITEMS};
  static int a[DOT_ITEMS], b[DOT_ITEMS];
  const strategies_t strategies = strategies_of(place);
  for (int i = 0; i < DOT_ITEMS; i++) {
    a[i] = i % 101 - 50;
    b[i] = i % 37;
  }
  place_memory_t a_there = memory_get(place, a, sizeof a, 0), b_there = memory_get(place, b, sizeof b, 4);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int expected = 0;
    for (size_t i = 0; i < sizes[k]; i++)
      expected += a[i] * b[i];
    for (int s = 0; s < strategies.count; s++)
      for (size_t form = 0; form < kernel_count; form++)
        check_dot_product(kernels[form], sizes[k], (const int *)a_there.data, (const int *)b_there.data, expected,
                          strategies.options[s]);
  }
  memory_free(&a_there);
  memory_free(&b_there);
}

#endif
