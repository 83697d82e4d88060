#include "case_runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* What one function gives for the items: what it must, and what each way gave first on each grid. */
typedef struct {
  const row_t *row;
  oracle_t oracle;
  result_t *firsts; /* [way * teams_count + t] */
} answer_t;

/* One case: the group's items, as they lie, on a grid, in one way. */
typedef struct {
  case_runner_t *runner;
  case_way_t *way;
  const case_group_t *group;
  const row_t *row;
  const laid_out_t *items;
  uint32_t teams;
  char text[256]; /* all of this in words */
} case_t;

/* Count a check of a case; one that fails prints the case and what is wrong. */
#define CHECK_CASE(c, ok, format, ...)                                                                                 \
  ((c)->way->failed += !check_count((ok), __FILE__, __LINE__, "%s: " format, (c)->text, __VA_ARGS__))

static void describe_case(case_t *c) {
  const case_group_t *g = c->group;
  const layout_t layout = c->items->layout;
  snprintf(c->text, sizeof c->text, "%s: %s_%s n=%zu pattern=%s nan=%s offset=%zu stride=%s%td teams=%u",
           strategy_name(c->way->strategy), c->row->name, type_name(g->type), g->n, pattern_name(g->pattern),
           g->nan == USW_NAN_IGNORE ? "ignore" : "propagate", layout.offset,
           layout.stride == USW_STRIDE_NONE ? "none, not " : "", layout.stride, c->teams);
}

/* By these strategies combining goes in any order: what rounds is for USW_FAST alone. */
static int is_by_atomics(usw_strategy_t strategy) {
  return strategy == USW_STRATEGY_TREE_ATOMIC || strategy == USW_STRATEGY_ATOMIC;
}
static int has_any_order(usw_strategy_t strategy) { return strategy == USW_STRATEGY_CLAUSE || is_by_atomics(strategy); }

/* Whether the strategy does not have the function, because what it accumulates is too large for atomics. */
static int is_refused(usw_strategy_t strategy, const row_t *row) {
  const int is_f64 = row->type == USW_F64 || row->type == USW_CF64;
  switch (is_by_atomics(strategy) ? row->operation : USW_NO_OPERATION) {
  case USW_ARGMIN:
  case USW_ARGMAX:
  case USW_DESCRIBE:
    return 1;
  case USW_NORM2:
    return is_f64;
  case USW_MULTIPLIES:
    return row->type == USW_CF64;
  default:
    return 0;
  }
}

static void check_record(const case_t *c, const usw_record_t *record) {
  const test_place_t *place = &c->runner->place;
  const uint64_t bytes = (uint64_t)c->group->n * type_bytes(c->group->type) * (uint64_t)c->row->streams;
  const int teams_are_exact = place->place == USW_DEVICE && c->teams && c->group->n;
  const int right = record->place == place->place && record->device == place->device &&
                    record->strategy == c->way->strategy && record->bytes == bytes &&
                    strcmp(record->target, place->target) == 0 && record->teams > 0 &&
                    (!teams_are_exact || record->teams == c->teams);
  CHECK_CASE(c, right, "the record says place %d device %d strategy %d teams %u bytes %llu target %s",
             (int)record->place, record->device, (int)record->strategy, record->teams,
             (unsigned long long)record->bytes, record->target);
}

/* Run the case once, by options that are ready but for what the case says. */
static usw_status_t call(const case_t *c, usw_options_t *options, result_t *result) {
  options->strategy = c->way->strategy;
  options->nan = c->group->nan;
  options->teams = c->teams;
  options->work_group_load = c->group->n % 3 == 0 ? 2 : 0; /* of multipass */
  return laid_out_reduce(c->items, c->row, options, result);
}

/* A call that the support table refuses returns that error, names the kernel, and writes nothing. */
static void check_refused(const case_t *c, usw_accuracy_t accuracy) {
  usw_options_t options = place_options(&c->runner->place);
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.accuracy = accuracy;
  const usw_status_t status = call(c, &options, &result);
  CHECK_CASE(c,
             status == USW_ERROR_UNSUPPORTED && memcmp(&result, &before, sizeof result) == 0 &&
                 strstr(usw_error_text(), c->row->name),
             "%s: %s", usw_status_name(status), usw_error_text());
}

/* Run the case once; what lies behind the result must stay as it is. */
static result_t run_once(const case_t *c) {
  const row_t *row = c->row;
  usw_options_t options = place_options(&c->runner->place);
  usw_record_t record = {.size = USW_INIT(usw_record_t)};
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.accuracy = has_any_order(c->way->strategy) && row_is_rounded(row) ? USW_FAST : USW_REPEATABLE;
  options.record = &record;
  const usw_status_t status = call(c, &options, &result);
  CHECK_CASE(c, status == USW_OK, "%s: %s", usw_status_name(status), usw_error_text());
  const int is_inside = memcmp(result.bytes + row->result_bytes, before.bytes + row->result_bytes,
                               sizeof result - row->result_bytes) == 0;
  CHECK_CASE(c, is_inside, "%s", "wrote behind its result");
  if (status == USW_OK)
    check_record(c, &record);
  return result;
}

/* Additions that an element goes through at most: host threads keep 16 chains or more, GPUs 256; the x86_64 device may
 * have one worker, and one chain. 64 for the tree above the chains. */
static rounding_t rounding_of(const case_runner_t *runner, const case_group_t *g) {
  const int is_serial = strcmp(runner->place.target, "x86_64") == 0;
  const rounding_t rounding = {64 + (double)g->n / (is_serial ? 1 : 16), pattern_is_exact(g->pattern)};
  return rounding;
}

/* FNV-1a over the numbers of a result, so that results of whole runs can be compared. */
static void add_to_hash(case_way_t *way, const row_t *row, const result_t *result) {
  long double parts[MOST_PARTS];
  const int count = result_parts(row, result, parts);
  for (int p = 0; p < count; p++) {
    int exponent = 0;
    const long double fraction = frexpl(parts[p], &exponent);
    const uint64_t digits = isfinite(parts[p]) ? (uint64_t)(int64_t)ldexpl(fraction, 63) : !isnan(parts[p]);
    const uint64_t words[] = {digits, (uint64_t)exponent, isnan(parts[p]) ? 0 : (uint64_t)signbit(parts[p])};
    for (int w = 0; w < (isfinite(parts[p]) ? 3 : 1); w++)
      way->hash = (way->hash ^ words[w]) * 0x100000001b3u;
  }
}

/* One function on one grid in one way; the first result of all layouts is kept. */
static void run_case(case_t *c, const oracle_t *oracle, result_t *first, int is_first) {
  const int any_order = has_any_order(c->way->strategy) && row_is_rounded(c->row); /* no bits are promised */
  char why[640] = "";
  describe_case(c);
  if (any_order && is_by_atomics(c->way->strategy))
    check_refused(c, USW_REPEATABLE);
  if (is_refused(c->way->strategy, c->row)) {
    check_refused(c, USW_FAST);
    return;
  }
  for (int r = 0; r < c->group->repeats; r++) {
    const result_t result = run_once(c);
    CHECK_CASE(c, oracle_agrees(oracle, &result, why, sizeof why), "%s", why);
    add_to_hash(c->way, c->row, &result);
    if (is_first && r == 0)
      *first = result;
    else if (!any_order)
      CHECK_CASE(c, results_equal(c->row, first, &result), "%s", "not the bits of the first run or layout");
  }
}

/* Whether a way takes the present group (--share of cases.c): groups are dealt in an order that looks like chance, so that
 * no way gets the same size or type of all. */
static int takes_group(const case_runner_t *runner, const case_group_t *g, int way) {
  const uint64_t chance = (uint64_t)runner->group_count * 0x9e3779b97f4a7c15u >> 33, share = (uint64_t)runner->share;
  if (share == 1 || (way == 0 && !g->is_large))
    return 1;
  return (chance + (uint64_t)way) % (g->is_large ? share * (uint64_t)runner->way_count : share) == 0;
}

/* Every function on every grid in every way, over items that lie in one layout. */
static void run_grids(case_t *c, answer_t *answers, size_t answer_count, int is_first) {
  const case_group_t *g = c->group;
  for (size_t a = 0; a < answer_count; a++)
    for (int w = 0; w < c->runner->way_count; w++)
      for (size_t t = 0; t < g->teams_count && takes_group(c->runner, g, w); t++) {
        c->row = answers[a].row;
        c->way = &c->runner->ways[w];
        c->teams = g->teams[t];
        run_case(c, &answers[a].oracle, &answers[a].firsts[(size_t)w * g->teams_count + t], is_first);
      }
}

/* The selected functions of the group's type, with what each must give. */
static size_t ask_oracle(const case_runner_t *runner, const case_group_t *g, const items_t *items, answer_t *answers) {
  size_t count = 0;
  for (int r = 0; r < ROW_COUNT; r++) {
    const row_t *row = &rows[r];
    if (row->type != g->type || !runner->is_selected[r])
      continue;
    const number_t *y = row->streams == 2 ? items->numbers_of_y : NULL;
    answers[count].row = row;
    answers[count].oracle = oracle_of(row, items->numbers_of_x, y, g->n, g->nan, rounding_of(runner, g));
    answers[count++].firsts = malloc((size_t)runner->way_count * g->teams_count * sizeof(result_t));
  }
  return count;
}

/* The layouts in which all items are the first element, or the others. */
static void run_layouts(case_runner_t *runner, const case_group_t *g, int all_the_first) {
  answer_t answers[ROW_COUNT];
  items_t items = items_make(g->type, g->pattern, g->n, all_the_first);
  const size_t answer_count = ask_oracle(runner, g, &items, answers);
  int is_first = 1;
  for (size_t k = 0; k < g->layout_count && answer_count > 0; k++) {
    if ((g->layouts[k].stride == USW_STRIDE_NONE) != all_the_first)
      continue;
    laid_out_t laid_out = items_lay_out(&items, &runner->place, g->layouts[k]);
    case_t c = {.runner = runner, .group = g, .items = &laid_out};
    run_grids(&c, answers, answer_count, is_first);
    is_first = 0;
    laid_out_free(&laid_out);
  }
  for (size_t a = 0; a < answer_count; a++)
    free(answers[a].firsts);
  items_free(&items);
}

void case_group_run(case_runner_t *runner, const case_group_t *g) {
  size_t of_first = 0;
  int is_taken = 0;
  if ((g->is_large && runner->quick) || ++runner->group_count % runner->every != (runner->every > 1))
    return;
  for (int w = 0; w < runner->way_count; w++)
    is_taken |= takes_group(runner, g, w);
  if (!is_taken)
    return;
  for (size_t k = 0; k < g->layout_count; k++)
    of_first += g->layouts[k].stride == USW_STRIDE_NONE;
  if (of_first < g->layout_count)
    run_layouts(runner, g, 0);
  if (of_first > 0)
    run_layouts(runner, g, 1);
}
