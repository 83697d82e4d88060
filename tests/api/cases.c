/* The table of cases: every function over every type, over sizes around every edge, patterns of data, layouts and
 * grids, on one place by any of its strategies. What a group of cases must give is found once for all of them.
 *
 *   cases --place host|device:x86_64|device:gpu|device:any
 *         --strategy host|tree|clause|host_finish|tree_atomic|atomic|multipass,...
 *         [--accuracy repeatable,compensated,reproducible] [--only sum,prod,...] [--types f64,f32,...] [--quick] [--share K]
 *         [--every K]      --types stands behind --only
 *
 * Without --accuracy all levels run; a strategy without repeatable sums is asked for fast ones. A way is a strategy at an
 * accuracy. --quick leaves out large sizes. With --share one in K groups of large ones runs, in one of
 * the ways; the others run in the first one, and one in K of them in each of the rest. --every leaves out all groups but
 * each K-th, from the first. In the end there is a line per way with its failures and a hash of all its results: runs that
 * must give the same bits have the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/descriptor.h>

#include "case_levels.h"
#include "case_runner.h"
#include "support/check.h"

static const uint32_t default_teams[] = {0};
static const layout_t contiguous[] = {{0, 1}};

/* The base case of a group: contiguous, aligned, the library's own grid, once. */
static case_group_t group_of(usw_type_t type, pattern_t pattern, size_t n) {
  const case_group_t group = {type, pattern, n, USW_NAN_PROPAGATE, contiguous, 1, default_teams, 1, 1, 0};
  return group;
}

/* One type of each class and size of element: where an item starts and how many fit in a block or tile depends on these
 * alone. The other types differ in how an element is read and combined; they run over fewer and smaller sizes. */
static int is_leader(usw_type_t type) {
  switch (type) {
  case USW_U8:
  case USW_I16:
  case USW_I32:
  case USW_U64:
  case USW_F16:
  case USW_F32:
  case USW_F64:
  case USW_CF32:
  case USW_CF64:
    return 1;
  default:
    return 0;
  }
}

#define EACH_TYPE(type) for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))

/* Sizes around sub-groups, teams, blocks and tiles of every type. */
static void run_sizes(case_runner_t *runner) {
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
  static const pattern_t patterns[] = {PATTERN_ramp, PATTERN_random, PATTERN_near_one};
  EACH_TYPE(type)
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    if (sizes[s] > (type == USW_U8 || type == USW_F64 ? 1 << 21 : is_leader(type) ? 300000 : 9000))
      continue;
    /* Large sizes take one pattern each, in turn: near_one is what products are made for. */
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
      if (sizes[s] < 70000 ? p < 2 || sizes[s] % 2 : s % 3 == p) {
        case_group_t group = group_of(type, patterns[p], sizes[s]);
        group.is_large = sizes[s] > 2100;
        case_group_run(runner, &group);
      }
  }
}

/* Every pattern, with both NaN policies where elements can be NaN; the largest size where there are some. */
static void run_patterns(case_runner_t *runner) {
  static const size_t sizes[] = {1, 2, 33, 1000, 4097, 40009};
  EACH_TYPE(type)
  for (pattern_t pattern = 0; pattern < PATTERN_COUNT; pattern++) {
    if (!pattern_fits(pattern, type))
      continue;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      if (sizes[s] > (is_leader(type) ? 50000 : 5000))
        continue;
      const int has_nan = pattern >= PATTERN_nan_first && pattern <= PATTERN_nan_all;
      const int has_policy = type_is_floating(type) && (has_nan || sizes[s] < 10000);
      for (int nan = 0; nan <= has_policy; nan++) {
        case_group_t group = group_of(type, pattern, sizes[s]);
        group.is_large = sizes[s] > 1000;
        group.nan = nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
        case_group_run(runner, &group);
      }
    }
  }
}

/* The same items aligned, misaligned and strided: the same bits, each time twice. */
static void run_layouts(case_runner_t *runner) {
  static const size_t sizes[] = {0, 1, 17, 257, 1000, 4097, 65537};
  static const layout_t layouts[] = {{0, 1},
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
  EACH_TYPE(type)
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    if (sizes[s] > (is_leader(type) ? 70000 : 1000))
      continue;
    case_group_t group = group_of(type, type_is_floating(type) ? PATTERN_wide : PATTERN_near_one, sizes[s]);
    group.is_large = sizes[s] > 300;
    group.layouts = layouts;
    group.layout_count = sizeof layouts / sizeof *layouts;
    group.repeats = 2;
    case_group_run(runner, &group);
  }
}

/* Grids that are too small and too large for the items. */
static void run_teams(case_runner_t *runner) {
  static const size_t sizes[] = {0, 1, 255, 4096, 32769, 100003};
  static const uint32_t teams[] = {1, 2, 7, 64};
  static const layout_t layouts[] = {{0, 1}, {1, 1}};
  EACH_TYPE(type)
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    if (sizes[s] > (is_leader(type) ? 100003 : 5000))
      continue;
    case_group_t group = group_of(type, PATTERN_random, sizes[s]);
    group.is_large = sizes[s] > 5000;
    group.layouts = layouts;
    group.layout_count = sizeof layouts / sizeof *layouts;
    group.teams = teams;
    group.teams_count = sizeof teams / sizeof *teams;
    group.repeats = 2;
    case_group_run(runner, &group);
  }
}

/* More teams than a team has threads, every one of them with items. How they fold depends on the function and on the
 * types of its partials: the large elements have all of these, and need the fewest items. */
static void run_many_teams(case_runner_t *runner) {
  static const uint32_t teams[] = {300};
  enum { BYTES = 300 * 32768 + 24 }; /* tiles have 32768 bytes at most */
  EACH_TYPE(type)
  if (is_leader(type) && type_bytes(type) >= 8) {
    case_group_t group = group_of(type, PATTERN_least_last, BYTES / type_bytes(type));
    group.is_large = type != USW_F64;
    group.teams = teams;
    case_group_run(runner, &group);
  }
}

/* The library serves every row of the table, and nothing else. */
static void check_rows(void) {
  unsigned char result[64] = {0};
  for (int operation = -1; operation < 80; operation++)
    for (int type = -1; type < 40; type++) {
      const row_t *row = row_find((usw_operation_t)operation, (usw_type_t)type);
      const size_t bytes = usw_result_bytes((usw_operation_t)operation, (usw_type_t)type);
      check_count(bytes == (row ? row->result_bytes : 0), __FILE__, __LINE__,
                  "operation %d, type %d: usw_result_bytes() is %zu, not %zu", operation, type, bytes,
                  row ? row->result_bytes : 0);
      const usw_status_t one = usw_reduce((usw_operation_t)operation, (usw_type_t)type, NULL, 0, result, NULL);
      const usw_status_t two =
          usw_reduce_pair((usw_operation_t)operation, (usw_type_t)type, NULL, NULL, 0, result, NULL);
      const int right = one == (row && row->streams == 1 ? USW_OK : USW_ERROR_UNSUPPORTED) &&
                        two == (row && row->streams == 2 ? USW_OK : USW_ERROR_UNSUPPORTED);
      check_count(right, __FILE__, __LINE__, "operation %d, type %d: usw_reduce() gives %s, usw_reduce_pair() %s",
                  operation, type, usw_status_name(one), usw_status_name(two));
    }
}

/* Take the word that a list with commas starts with, or 0 at its end; the rest of the list is behind it. */
static int next_word(const char **list, char *word_out, size_t bytes) {
  const size_t length = strcspn(*list, ",");
  if (length == 0)
    return 0;
  snprintf(word_out, bytes, "%.*s", (int)length, *list);
  *list += length + ((*list)[length] == ',');
  return 1;
}

/* Select the rows of functions; 0 if a word is no function. */
static int select_only(case_runner_t *runner, const char *list) {
  char word[32];
  memset(runner->is_selected, 0, sizeof runner->is_selected);
  while (next_word(&list, word, sizeof word)) {
    int found = 0;
    for (int r = 0; r < ROW_COUNT; r++)
      if (strcmp(rows[r].name, word) == 0)
        found = runner->is_selected[r] = 1;
    if (!found)
      return 0;
  }
  return 1;
}

/* Select the rows of types alone, of those that are selected; 0 if a word is no type. */
static int select_types(case_runner_t *runner, const char *list) {
  char word[32];
  unsigned char is_named[ROW_COUNT] = {0};
  while (next_word(&list, word, sizeof word)) {
    int found = 0;
    for (int r = 0; r < ROW_COUNT; r++)
      if (strcmp(type_name(rows[r].type), word) == 0)
        found = is_named[r] = 1;
    if (!found)
      return 0;
  }
  for (int r = 0; r < ROW_COUNT; r++)
    runner->is_selected[r] &= is_named[r];
  return 1;
}

/* What the command line names. */
typedef struct {
  usw_strategy_t strategies[MOST_CASE_WAYS / 3];
  usw_accuracy_t accuracies[3];
  int strategy_count, accuracy_count; /* no accuracy: all of them */
} selection_t;

/* Take strategies; 0 if a word is none, or there are none or too many. */
static int select_strategies(selection_t *selection, const char *list) {
  char word[32];
  int *count = &selection->strategy_count;
  *count = 0;
  while (next_word(&list, word, sizeof word)) {
    if (*count == (int)(sizeof selection->strategies / sizeof *selection->strategies) ||
        !strategy_find(word, &selection->strategies[(*count)++]))
      return 0;
  }
  return *count > 0;
}

static const struct {
  const char *name;
  usw_accuracy_t accuracy;
} accuracies[] = {{"repeatable", USW_REPEATABLE}, {"compensated", USW_COMPENSATED}, {"reproducible", USW_REPRODUCIBLE}};
enum { ACCURACIES = sizeof accuracies / sizeof *accuracies };

/* The same of accuracies. */
static int select_accuracies(selection_t *selection, const char *list) {
  char word[32];
  selection->accuracy_count = 0;
  while (next_word(&list, word, sizeof word)) {
    int k = 0;
    while (k < ACCURACIES && strcmp(word, accuracies[k].name) != 0)
      k++;
    if (k == ACCURACIES || selection->accuracy_count == ACCURACIES)
      return 0;
    selection->accuracies[selection->accuracy_count++] = accuracies[k].accuracy;
  }
  return selection->accuracy_count > 0;
}

/* Every accuracy by every strategy; all accuracies where nobody named some. */
static void make_ways(case_runner_t *runner, selection_t *selection) {
  for (int k = 0; k < ACCURACIES && selection->accuracy_count <= k; k++)
    selection->accuracies[selection->accuracy_count++] = accuracies[k].accuracy;
  for (int a = 0; a < selection->accuracy_count; a++)
    for (int s = 0; s < selection->strategy_count; s++)
      runner->ways[runner->way_count++] = (case_way_t){
          .strategy = selection->strategies[s], .accuracy = selection->accuracies[a], .hash = CASE_HASH_START};
}

static int usage(void) {
  fprintf(stderr, "usage: cases --place host|device:x86_64|device:gpu|device:any --strategy "
                  "host|tree|clause|host_finish|tree_atomic|atomic|multipass,... [--accuracy "
                  "repeatable,compensated,reproducible] [--only sum,prod,...] [--types f64,...] [--quick] [--share K] "
                  "[--every K]\n");
  return 2;
}

static int read_arguments(case_runner_t *runner, selection_t *selection, int argc, char **argv) {
  memset(runner->is_selected, 1, sizeof runner->is_selected);
  for (int k = 1; k < argc; k++) {
    const char *word = argv[k], *value = k + 1 < argc ? argv[k + 1] : "";
    if (strcmp(word, "--quick") == 0)
      runner->quick = 1;
    else if (strcmp(word, "--place") == 0 && *value)
      k++; /* place_of_arguments() reads it */
    else if ((strcmp(word, "--strategy") == 0 && select_strategies(selection, value)) ||
             (strcmp(word, "--accuracy") == 0 && select_accuracies(selection, value)) ||
             (strcmp(word, "--only") == 0 && *value && select_only(runner, value)) ||
             (strcmp(word, "--types") == 0 && *value && select_types(runner, value)) ||
             (strcmp(word, "--share") == 0 && (runner->share = strtol(value, NULL, 10)) > 0) ||
             (strcmp(word, "--every") == 0 && (runner->every = strtol(value, NULL, 10)) > 0))
      k++;
    else
      return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  case_runner_t runner = {.share = 1, .every = 1};
  selection_t selection = {.strategies = {USW_STRATEGY_HOST}, .strategy_count = 1};
  if (!read_arguments(&runner, &selection, argc, argv))
    return usage();
  runner.place = place_of_arguments(argc, argv);
  make_ways(&runner, &selection);
  check_rows();
  run_sizes(&runner);
  run_patterns(&runner);
  run_layouts(&runner);
  run_teams(&runner);
  run_many_teams(&runner);
  for (int w = 0; w < runner.way_count; w++)
    printf("%s%s: %ld failed, hash of all results %016" PRIx64 "\n", strategy_name(runner.ways[w].strategy),
           level_suffix(runner.ways[w].accuracy), runner.ways[w].failed, runner.ways[w].hash);
  return check_report();
}
