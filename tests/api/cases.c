/* The table of cases: every kernel and type, over sizes around every edge, patterns of data, layouts
 * and grids, on one place by one strategy.
 *
 *   cases --place host|device:x86_64|device:gpu|device:any
 *         --strategy host|tree|clause|host_finish [--quick] */
#include <stdio.h>
#include <string.h>
#include <upsweep/descriptor.h>

#include "case_runner.h"
#include "cases.def"
#include "support/check.h"

static const case_row_t rows[] = {
#define CASE_ROW(name, operation, TYPE, streams) {#name, operation, USW_##TYPE, streams},
    CASE_ROWS(CASE_ROW)
#undef CASE_ROW
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static const uint32_t default_teams[] = {0};
static const case_layout_t contiguous[] = {{0, 1}};

/* The base case of a group: contiguous, aligned, the library's own grid, once. */
static case_group_t group_of(const case_row_t *row, pattern_t pattern, size_t n) {
  const case_group_t group = {row, pattern, n, USW_NAN_PROPAGATE, contiguous, 1, default_teams, 1, 1};
  return group;
}

/* Sizes around sub-groups, teams, blocks and tiles of every type. */
static void run_sizes(const case_runner_t *runner, int quick) {
  static const size_t sizes[] = {0,       1,
                                 2,       3,
                                 15,      16,
                                 17,      31,
                                 32,      33,
                                 255,     256,
                                 257,     511,
                                 513,     1023,
                                 1024,    1025,
                                 2047,    2048,
                                 2049,    4095,
                                 4096,    4097,
                                 8191,    8192,
                                 8193,    12287,
                                 12289,   16383,
                                 16384,   16385,
                                 32767,   32768,
                                 32769,   65535,
                                 65536,   65537,
                                 98303,   98305,
                                 100003,  262143,
                                 262145,  (1 << 20) - 1,
                                 1 << 20, (1 << 20) + 1};
  static const pattern_t patterns[] = {PATTERN_ramp, PATTERN_random};
  for (int r = 0; r < ROW_COUNT; r++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (size_t p = 0; p < 2 && !(quick && sizes[s] > 70000); p++) {
        const case_group_t group = group_of(&rows[r], patterns[p], sizes[s]);
        case_group_run(runner, &group);
      }
}

/* Whether a sum of such data may leave the range of its type on the way. */
static int overflows(const case_row_t *row, pattern_t pattern) {
  return pattern == PATTERN_extremes && type_is_floating(row->type) &&
         (row->operation == USW_PLUS || row->operation == USW_DOT || row->operation == USW_DESCRIBE);
}

/* Every pattern, with both NaN policies where elements can be NaN. */
static void run_patterns(const case_runner_t *runner, int quick) {
  static const size_t sizes[] = {1, 2, 33, 1000, 4097, 40009};
  for (int r = 0; r < ROW_COUNT; r++)
    for (int pattern = 0; pattern < PATTERN_COUNT; pattern++) {
      if (!pattern_fits(pattern, rows[r].type) || overflows(&rows[r], pattern))
        continue;
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes - (quick ? 1 : 0); s++)
        for (int nan = 0; nan < (type_is_floating(rows[r].type) ? 2 : 1); nan++) {
          case_group_t group = group_of(&rows[r], pattern, sizes[s]);
          group.nan = nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
          case_group_run(runner, &group);
        }
    }
}

/* The same items aligned, misaligned and strided: the same bits, each time twice. */
static void run_layouts(const case_runner_t *runner, int quick) {
  static const size_t sizes[] = {0, 1, 17, 257, 1000, 4097, 65537};
  static const pattern_t patterns[] = {PATTERN_wide, PATTERN_ramp};
  static const case_layout_t layouts[] = {{0, 1},
                                          {1, 1},
                                          {3, 1},
                                          {0, 2},
                                          {1, 2},
                                          {3, 2},
                                          {0, 3},
                                          {1, 3},
                                          {3, 3},
                                          {0, -1},
                                          {1, -1},
                                          {3, -1},
                                          {0, -2},
                                          {0, USW_STRIDE_NONE},
                                          {1, USW_STRIDE_NONE},
                                          {3, USW_STRIDE_NONE}};
  for (int r = 0; r < ROW_COUNT; r++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes - (quick ? 1 : 0); s++) {
      const pattern_t pattern = patterns[!type_is_floating(rows[r].type)];
      case_group_t group = group_of(&rows[r], pattern, sizes[s]);
      group.layouts = layouts;
      group.layout_count = sizeof layouts / sizeof *layouts;
      group.repeats = 2;
      case_group_run(runner, &group);
    }
}

/* Grids that are too small and too large for the items. */
static void run_teams(const case_runner_t *runner, int quick) {
  static const size_t sizes[] = {0, 1, 255, 4096, 32769, 100003};
  static const uint32_t teams[] = {1, 2, 7, 64};
  static const case_layout_t layouts[] = {{0, 1}, {1, 1}};
  for (int r = 0; r < ROW_COUNT; r++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes - (quick ? 1 : 0); s++) {
      case_group_t group = group_of(&rows[r], PATTERN_random, sizes[s]);
      group.layouts = layouts;
      group.layout_count = sizeof layouts / sizeof *layouts;
      group.teams = teams;
      group.teams_count = sizeof teams / sizeof *teams;
      group.repeats = 2;
      case_group_run(runner, &group);
    }
}

/* More teams than a team has threads, every one of them with items. */
static void run_many_teams(const case_runner_t *runner) {
  static const uint32_t teams[] = {300};
  enum { BYTES = 300 * 32768 + 24 }; /* tiles have 32768 bytes at most */
  for (int r = 0; r < ROW_COUNT; r++) {
    case_group_t group = group_of(&rows[r], PATTERN_least_last, BYTES / type_bytes(rows[r].type));
    group.teams = teams;
    case_group_run(runner, &group);
  }
}

#ifdef USW_PORT_SIMT
extern const usw_kernel_t *const uswi_kernels[];

/* Every kernel of the library has a row here, and the other way round. */
static void check_rows(void) {
  int kernels = 0;
  for (; uswi_kernels[kernels]; kernels++) {
    int found = 0;
    for (int r = 0; r < ROW_COUNT; r++)
      found += uswi_kernels[kernels]->operation == (uint32_t)rows[r].operation &&
               uswi_kernels[kernels]->type == (uint32_t)rows[r].type;
    CHECK_AT(found == 1, uswi_kernels[kernels]->name);
  }
  CHECK_I64(ROW_COUNT, kernels);
}
#else
static void check_rows(void) {}
#endif

int main(int argc, char **argv) {
  case_runner_t runner = {.strategy = USW_STRATEGY_HOST};
  int quick = 0;
  for (int k = 1; k < argc; k++) {
    const int has_value = k + 1 < argc;
    if (strcmp(argv[k], "--quick") == 0)
      quick = 1;
    else if (strcmp(argv[k], "--place") == 0 && has_value)
      k++; /* place_of_arguments() reads it */
    else if (strcmp(argv[k], "--strategy") == 0 && has_value && strategy_find(argv[k + 1], &runner.strategy))
      k++;
    else {
      fprintf(stderr, "usage: cases --place host|device:x86_64|device:gpu|device:any --strategy "
                      "host|tree|clause|host_finish [--quick]\n");
      return 2;
    }
  }
  runner.place = place_of_arguments(argc, argv);
  check_rows();
  run_sizes(&runner, quick);
  run_patterns(&runner, quick);
  run_layouts(&runner, quick);
  run_teams(&runner, quick);
  run_many_teams(&runner);
  return check_report();
}
