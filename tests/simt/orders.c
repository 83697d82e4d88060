/* Timing never shows: whatever order teams and threads take turns in, the tree gives the same bits.
 * And a second call finds the scratch as the first one left it. */
#include "fibers.h"

#include <string.h>
#include <upsweep/upsweep.h>

#include "backend_simt.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 40009 };

static void reduce(usw_operation_t operation, usw_strategy_t strategy, uint32_t teams, const double *x,
                   result_t *result) {
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE};
  options.strategy = strategy;
  options.work_group_load = 3;
  options.teams = teams;
  memset(result, 0, sizeof *result);
  CHECK_STATUS(USW_OK, operation == USW_DOT ? usw_reduce_pair(operation, USW_F64, x, x + 1, ITEMS, result, &options)
                                            : usw_reduce(operation, USW_F64, x, ITEMS, result, &options));
}

enum { ORDERS = 6, FEW_ORDERS = 2 };

static void compare_orders(usw_operation_t operation, usw_strategy_t strategy, uint32_t teams, const double *x,
                           uint32_t orders) {
  result_t first, other;
  simt_set_order(0);
  reduce(operation, strategy, teams, x, &first);
  for (uint32_t seed = 1; seed < orders; seed++) {
    simt_set_order(seed);
    reduce(operation, strategy, teams, x, &other);
    check_count(results_equal(row_find(operation, USW_F64), &first, &other), __FILE__, __LINE__,
                "operation %d, strategy %d, %u teams: order %u gives other bits", (int)operation, (int)strategy, teams,
                seed);
  }
}

static void compare(usw_operation_t operation, usw_strategy_t strategy, uint32_t teams, const double *x) {
  compare_orders(operation, strategy, teams, x, ORDERS);
}

/* The last team waits for what the others send, unless accumulators are large or there is no room for so many. */
static void wait_or_take_tickets(const double *x) {
  const uint64_t before = simt_counts().awaiting;
  compare(USW_ARGMIN, USW_STRATEGY_TREE, 100, x);
  CHECK_U64(before + ORDERS, simt_counts().awaiting);
  compare_orders(USW_ARGMIN, USW_STRATEGY_TREE, 2800, x, is_quick_tier() ? FEW_ORDERS : ORDERS);
  compare(USW_ARGMIN, USW_STRATEGY_HOST_FINISH, 100, x);
  compare(USW_DESCRIBE, USW_STRATEGY_TREE, 100, x);
  CHECK_U64(before + ORDERS, simt_counts().awaiting);
}

int main(void) {
  static const usw_operation_t operations[] = {USW_PLUS,   USW_MULTIPLIES, USW_DOT,     USW_ARGMIN,
                                               USW_MINMAX, USW_NORM2,      USW_DESCRIBE};
  static const uint32_t teams[] = {0, 1, 2, 9};
  static double x[ITEMS + 1];
  pattern_fill(PATTERN_wide, USW_F64, x, ITEMS + 1, 6);
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
    for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
      compare(operations[o], USW_STRATEGY_TREE, teams[t], x);
      compare(operations[o], USW_STRATEGY_HOST_FINISH, teams[t], x);
      compare(operations[o], USW_STRATEGY_MULTIPASS, teams[t], x);
    }
  compare(USW_PLUS, USW_STRATEGY_TREE, 257, x);
  compare(USW_PLUS, USW_STRATEGY_TREE, 600, x);
  wait_or_take_tickets(x);
  const simt_counts_t before = simt_counts();
  for (int call = 0; call < 10; call++)
    compare(USW_PLUS, USW_STRATEGY_TREE, 9, x);
  const simt_counts_t after = simt_counts();
  CHECK_U64(before.allocations, after.allocations);
  CHECK_U64(before.launches + 10 * ORDERS, after.launches);
  result_t result;
  reduce(USW_PLUS, USW_STRATEGY_MULTIPASS, 300, x, &result); /* 300, 100, 34, 12, 4, 2 partials */
  CHECK_U64(after.launches + 6, simt_counts().launches);
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_U64(simt_counts().allocations, simt_counts().frees);
  return check_report();
}
