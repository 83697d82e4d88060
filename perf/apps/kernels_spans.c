/* Array reductions of 16 to 4096 elements: how often each key comes, and the sum of the numbers that come with it. */
#include "apps.h"

#include <string.h>

enum { MOST_CELLS = 4096, ONE_KEY = 3 };

static uint32_t key_at(size_t i, uint32_t extent) {
  return (uint32_t)((uint64_t)i * 0x9e3779b97f4a7c15u >> 33) % extent;
}

static void fill_equal(size_t n, size_t first, size_t count, void *elements_out) {
  (void)n, (void)first;
  for (size_t k = 0; k < count; k++)
    ((uint32_t *)elements_out)[k] = ONE_KEY;
}

/* What is checked of the cells: the first few, the last, and a sum with weights; exact, as the elements are. */
static void digest(const double *cells, int extent, double *numbers_out) {
  numbers_out[0] = 0;
  for (int k = 0; k < extent; k++)
    numbers_out[0] += (double)(k % 7 + 1) * cells[k];
  for (int k = 0; k < 8; k++)
    numbers_out[1 + k] = cells[k];
  numbers_out[9] = cells[extent - 1];
}

static apps_expected_t expect_cells(const double *cells, int extent) {
  apps_expected_t expected = {0};
  double numbers[10];
  digest(cells, extent, numbers);
  for (int k = 0; k < 10; k++)
    apps_expect(&expected, numbers[k], 0);
  return expected;
}

static apps_expected_t expect_counts(size_t n, uint32_t extent, int equal) {
  double cells[MOST_CELLS] = {0};
  for (size_t i = 0; i < n; i++)
    cells[equal ? ONE_KEY : key_at(i, extent)]++;
  return expect_cells(cells, (int)extent);
}

static apps_expected_t expect_sums(size_t n, uint32_t extent, int equal) {
  double cells[MOST_CELLS] = {0};
  for (size_t i = 0; i < n; i++)
    cells[equal ? ONE_KEY : key_at(i, extent)] += apps_element(i);
  return expect_cells(cells, (int)extent);
}

#define SPAN_EXTENT 16
#include "span_kernels.h"
#define SPAN_EXTENT 64
#include "span_kernels.h"
#define SPAN_EXTENT 256
#include "span_kernels.h"
#define SPAN_EXTENT 1024
#include "span_kernels.h"
#define SPAN_EXTENT 4096
#include "span_kernels.h"
