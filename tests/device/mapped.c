/* A host address that has a copy on the device: a call there reads the copy, as a target region
 * would, from the middle of the array too. Without a copy a GPU refuses.   mapped --place NAME */
#include <omp.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 5000, SKIPPED = 77 };

static double host[ITEMS];

static void expect_sum(double expected, const double *x, size_t n, const usw_options_t *options) {
  double sum = -1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n, &sum, options));
  CHECK_F64(expected, sum);
}

int main(int argc, char **argv) {
  const test_place_t place = place_of_arguments(argc, argv);
  const int is_gpu = strcmp(place.target, "x86_64") != 0;
  const usw_options_t there = place_options(&place);
  usw_options_t here = there;
  static double twos[ITEMS];
  here.place = USW_HOST;
  for (int i = 0; i < ITEMS; i++) {
    host[i] = 1;
    twos[i] = 2;
  }
  place_memory_t copy = memory_get(&place, twos, sizeof twos, 0);
  CHECK_I64(0, omp_target_associate_ptr(host, copy.data, sizeof host, 0, place.device));
  expect_sum(2 * ITEMS, host, ITEMS, &there);
  expect_sum(2 * (ITEMS - SKIPPED), host + SKIPPED, ITEMS - SKIPPED, &there);
  expect_sum(1 * ITEMS, host, ITEMS, &here);
  /* By itself a call goes to a GPU that has the copy, and never to the x86_64 device. */
  expect_sum(is_gpu ? 2 * ITEMS : ITEMS, host, ITEMS, NULL);
  CHECK_I64(0, omp_target_disassociate_ptr(host, place.device));
  expect_sum(1 * ITEMS, host, ITEMS, NULL);
  if (is_gpu) {
    double sum = 42;
    CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, host, ITEMS, &sum, &there));
    CHECK_F64(42, sum);
  } else
    expect_sum(1 * ITEMS, host, ITEMS, &there);
  memory_free(&copy);
  return check_report();
}
