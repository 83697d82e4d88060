/* Runs one group of the table of cases: the same items in several layouts and on several grids, by every function that
 * their type has, in several ways. */
#ifndef USW_TESTS_CASE_RUNNER_H
#define USW_TESTS_CASE_RUNNER_H

#include "oracle/items.h"
#include "support/place.h"

enum { MOST_CASE_WAYS = 24 };
static const uint64_t CASE_HASH_START = 0xcbf29ce484222325u;

/* One way to run a case. */
typedef struct {
  usw_strategy_t strategy;
  usw_accuracy_t accuracy; /* USW_REPEATABLE: or USW_FAST, where the strategy has no better one */
  uint64_t hash;           /* of all its results so far, in the order of the cases */
  long failed;             /* of its checks */
} case_way_t;

typedef struct {
  test_place_t place;
  case_way_t ways[MOST_CASE_WAYS];
  int way_count;
  unsigned char is_selected[ROW_COUNT]; /* rows to run */
  int quick;                            /* large groups do not run */
  long every, group_count;              /* of the groups offered so far, which ones run: each every-th */
  long share;                           /* of these, which ones a way takes: see takes_group() */
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
  int is_large;
} case_group_t;

void case_group_run(case_runner_t *runner, const case_group_t *group);

#endif
