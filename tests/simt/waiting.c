/* A scan whose teams wait for one that does not go on: they give up, the call returns an error, and the next scan is right again. The team
 * that is stuck goes on when all others have ended, so the launch ends. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "backend_simt.h"
#include "fibers.h"
#include "support/check.h"

static uint32_t most_vain_questions;
#define USW_SCAN_PATIENCE most_vain_questions

/* The team that visits item `stuck` does not go on. */
#define USW_KERNEL running_sum
#define USW_SCAN 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) VALUE(uint64_t, stuck)
#define USW_OUTPUTS(OUT) OUT(double, running)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  if (i == stuck)
    simt_be_last();
  usw_add(sum, x);
  usw_write(running, usw_scanned_through(sum));
}
#include <upsweep/kernel_end.h>

enum {
  TILE = 4096,
  TILES = 40,
  ITEMS = TILES * TILE - 5,
  FEW_TEAMS = 3,
  LITTLE_PATIENCE = 20,
  MUCH_PATIENCE = 1 << 24
};

static double x[ITEMS], running[ITEMS];

static usw_options_t options_of(uint32_t teams) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE, .teams = teams};
  return options;
}

/* All elements are 1. */
static void check_results(void) {
  size_t right = 0;
  while (right < ITEMS && running[right] == (double)(right + 1))
    right++;
  CHECK_U64(ITEMS, right);
}

static void scan_by_library(uint32_t teams) {
  const usw_options_t options = options_of(teams);
  memset(running, 0, sizeof running);
  CHECK_STATUS(USW_OK, usw_scan_inclusive(USW_PLUS, USW_F64, x, ITEMS, running, &options));
  check_results();
}

static void scan_by_kernel(uint32_t teams, uint64_t stuck) {
  const usw_options_t options = options_of(teams);
  double sum = 0;
  memset(running, 0, sizeof running);
  most_vain_questions = MUCH_PATIENCE;
  CHECK_STATUS(USW_OK, running_sum(ITEMS, x, stuck, running, &sum, &options));
  CHECK_F64(ITEMS, sum);
  check_results();
}

/* Nobody gets what is before the tiles behind the one that is stuck. The variable is as it was. */
static void give_up(uint32_t teams, uint64_t stuck) {
  const usw_options_t options = options_of(teams);
  double sum = 7;
  most_vain_questions = LITTLE_PATIENCE;
  CHECK_STATUS(USW_ERROR_DEVICE, running_sum(ITEMS, x, stuck, running, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), "running_sum: on device 0 a team has waited for another one in vain");
  CHECK_F64(7, sum);
}

int main(void) {
  static const uint32_t teams[] = {0, FEW_TEAMS}; /* numbers are tiles; tickets */
  static const uint64_t stuck_tiles[] = {0, 3, 31, 32, 38};
  for (size_t i = 0; i < ITEMS; i++)
    x[i] = 1;
  for (uint32_t t = 0; t < 2; t++)
    for (uint32_t k = 0; k < sizeof stuck_tiles / sizeof *stuck_tiles; k++) {
      simt_set_order(k);
      give_up(teams[t], stuck_tiles[k] * TILE + 77);
      scan_by_kernel(teams[t ^ (k & 1)], UINT64_MAX);
      scan_by_library(teams[t ^ (k & 1)]);
    }
  scan_by_kernel(0, ITEMS - 1); /* nobody waits for the last tile */
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_U64(simt_counts().allocations, simt_counts().frees);
  return check_report();
}
