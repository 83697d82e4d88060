/* Runs one group of the table of cases: the same items in several layouts and on several grids, by every function that
 * their type has. */
#ifndef USW_TESTS_CASE_RUNNER_H
#define USW_TESTS_CASE_RUNNER_H

#include "oracle/items.h"
#include "support/place.h"

typedef struct {
  test_place_t place;
  usw_strategy_t strategy;
  unsigned char is_selected[ROW_COUNT]; /* rows to run */
  uint64_t hash;                        /* of all results so far, in the order of the cases */
  long every, group_count;              /* of the groups offered so far, which ones run: each every-th */
} case_runner_t;

typedef struct {
  usw_type_t type;
  pattern_t pattern;
  size_t n;
  usw_nan_t nan;
  const layout_t *layouts;
  size_t layout_count;
  const uint32_t *teams;
  size_t teams_count;
  int repeats; /* runs of each case, which must agree in every bit */
} case_group_t;

void case_group_run(case_runner_t *runner, const case_group_t *group);

#endif
