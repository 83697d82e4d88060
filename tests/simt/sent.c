/* Reproducible sums on their way to the team that waits (engine/binned_exchange.h): columns that are added up, and those that cannot be,
 * because a team has another window, has carried, or has so many units that their sum might not fit. The host's bits, always;
 * and what was sent is gone when the launch ends, or the next one would read it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "backend_simt.h"
#include "fibers.h"
#include "oracle/oracle.h"
#include "support/check.h"
#include "support/place.h"

enum { TILE = 2048, MOST_TEAMS = 300, MUCH = 3 << 20, MANY_A_THREAD = (4 << 20) + 5 * TILE };

typedef enum shape {
  ALIKE,
  ZEROS,
  ONE_IS_HIGHER,
  LAST_IS_HIGHER,
  LAST_IS_ZERO,
  ENDS_ARE_ZERO,
  ALL_DIFFER,
  THREADS_DIFFER, /* and the teams do not */
  INFINITE,
  NOT_A_NUMBER,
  LARGE /* all else are for compare_all() */
} shape_t;

/* What item i is multiplied by, of team k's tile. */
static double factor(shape_t shape, size_t i, uint32_t teams) {
  const uint32_t k = (uint32_t)(i / TILE);
  switch (shape) {
  case ZEROS:
    return 0;
  case ONE_IS_HIGHER:
    return k == teams / 2 ? 0x1p50 : 1;
  case LAST_IS_HIGHER:
    return k == teams - 1 ? 0x1p50 : 1;
  case LAST_IS_ZERO: /* whose window goes with any: the first team's is what all should have */
    return k != teams - 1;
  case ENDS_ARE_ZERO:
    return k != 0 && k != teams - 1;
  case ALL_DIFFER:
    return ldexp(1, (int)(k * 37 % 100) - 50);
  case THREADS_DIFFER: /* blocks of 16 bytes: some are zeros, some a thread's only ones of its window */
    return i / 2 % 5 == 0 ? 0 : ldexp(1, (int)(i / 2 % 128 * 37 % 100) - 50);
  case INFINITE:
    return k == teams / 3 ? (double)INFINITY : 1;
  case NOT_A_NUMBER:
    return k == teams / 3 ? (double)NAN : 1;
  default:
    return 1;
  }
}

static void fill(double *x, float *narrow, size_t n, shape_t shape, uint32_t teams) {
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < n; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const double value = (double)(int64_t)state * 0x1p-63;
    x[i] = shape == LARGE ? 0x1p39 - 1 - fabs(value) : value * factor(shape, i, teams);
    narrow[i] = (float)x[i];
  }
}

static void reduce(usw_place_t place, usw_operation_t operation, usw_type_t type, uint32_t teams, const void *x,
                   size_t n, result_t *result) {
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = place, .accuracy = USW_REPRODUCIBLE};
  if (place == USW_DEVICE) {
    options.strategy = USW_STRATEGY_TREE;
    options.teams = teams;
  }
  memset(result, 0, sizeof *result);
  CHECK_STATUS(USW_OK, operation == USW_DOT ? usw_reduce_pair(operation, type, x, x, n, result, &options)
                                            : usw_reduce(operation, type, x, n, result, &options));
}

static void compare(usw_operation_t operation, usw_type_t type, shape_t shape, uint32_t teams, const void *x,
                    size_t n) {
  result_t host, device;
  const uint64_t before = simt_counts().awaiting;
  reduce(USW_HOST, operation, type, teams, x, n, &host);
  const uint32_t seeds = n < MUCH || !is_quick_tier() ? 2 : 1; /* so many items take seconds */
  for (uint32_t seed = 0; seed < seeds; seed++) {
    simt_set_order(seed);
    reduce(USW_DEVICE, operation, type, teams, x, n, &device);
    check_count(results_equal(row_find(operation, type), &host, &device), __FILE__, __LINE__,
                "operation %d, type %d, shape %d, %u teams, order %u: not the host's bits", (int)operation, (int)type,
                (int)shape, teams, seed);
  }
  CHECK_U64(before + seeds, simt_counts().awaiting);
  CHECK_U64(0, simt_counts().unsent);
}

static void compare_all(shape_t shape, uint32_t teams, size_t n, double *x, float *narrow) {
  fill(x, narrow, n, shape, teams);
  compare(USW_PLUS, USW_F64, shape, teams, x, n);
  compare(USW_DOT, USW_F64, shape, teams, x, n);
  compare(USW_NORM2, USW_F64, shape, teams, x, n);
  compare(USW_PLUS, USW_F32, shape, teams, narrow, n);
}

int main(void) {
  static const uint32_t teams[] = {2, 65, MOST_TEAMS};
  double *const x = malloc(MANY_A_THREAD * sizeof *x);
  float *const narrow = malloc(MANY_A_THREAD * sizeof *narrow);
  CHECK(x && narrow);
  for (int shape = 0; shape < LARGE; shape++)
    for (size_t t = 0; t < sizeof teams / sizeof *teams; t++)
      compare_all((shape_t)shape, teams[t], (size_t)teams[t] * TILE, x, narrow);
  fill(x, narrow, MUCH, LARGE, 7); /* more units in all than a word may have */
  compare(USW_PLUS, USW_F64, LARGE, 7, x, MUCH);
  fill(x, narrow, MANY_A_THREAD, ALIKE, 2); /* more cuts of a thread than columns may have */
  compare(USW_PLUS, USW_F64, ALIKE, 2, x, MANY_A_THREAD);
  free(x);
  free(narrow);
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
