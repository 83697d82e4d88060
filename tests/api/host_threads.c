/* On the host a result has the same bits for any number of threads, in a parallel region of the
 * caller and outside, and from threads that call at the same time. */
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"

enum { MOST_ITEMS = 1 << 20 };
static double x[MOST_ITEMS];

static void reduce(usw_operation_t operation, size_t n, result_t *result) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  CHECK_STATUS(USW_OK, usw_reduce(operation, USW_F64, x, n, result, &options));
}

static void compare(usw_operation_t operation, size_t n) {
  static const int threads[] = {2, 3, 7, 16};
  result_t one, many;
  omp_set_num_threads(1);
  reduce(operation, n, &one);
  for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
    omp_set_num_threads(threads[k]);
    reduce(operation, n, &many);
    check_count(results_equal(row_find(operation, USW_F64), &one, &many), __FILE__, __LINE__,
                "operation %d, n=%zu: %d threads give other bits than one", (int)operation, n, threads[k]);
  }
  int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  {
    result_t nested;
    reduce(operation, n, &nested);
    wrong += !results_equal(row_find(operation, USW_F64), &one, &nested);
  }
  check_count(wrong == 0, __FILE__, __LINE__, "operation %d, n=%zu: other bits inside a parallel region",
              (int)operation, n);
}

enum { CALLERS = 8, ROUNDS = 20 };
typedef struct caller {
  pthread_t thread;
  int wrong;
} caller_t;
static result_t expected;

static void *call_often(void *argument) {
  caller_t *caller = argument;
  for (int k = 0; k < ROUNDS; k++) {
    result_t result;
    reduce(USW_PLUS, MOST_ITEMS, &result);
    caller->wrong += !results_equal(row_find(USW_PLUS, USW_F64), &expected, &result);
  }
  return NULL;
}

static void at_once(void) {
  caller_t callers[CALLERS] = {0};
  omp_set_num_threads(1);
  reduce(USW_PLUS, MOST_ITEMS, &expected);
  for (int k = 0; k < CALLERS; k++)
    CHECK(pthread_create(&callers[k].thread, NULL, call_often, &callers[k]) == 0);
  for (int k = 0; k < CALLERS; k++) {
    CHECK(pthread_join(callers[k].thread, NULL) == 0);
    CHECK_I64(0, callers[k].wrong);
  }
}

int main(void) {
  static const size_t sizes[] = {1, 1000, 16384, 32768, 40000, 100003, 524289, MOST_ITEMS};
  static const usw_operation_t operations[] = {USW_PLUS, USW_DESCRIBE, USW_MAXIMUM, USW_MULTIPLIES, USW_NORM2};
  pattern_fill(PATTERN_wide, USW_F64, x, MOST_ITEMS, 4);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
      compare(operations[k], sizes[s]);
  at_once();
  return check_report();
}
