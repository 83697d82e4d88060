#include "case_runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* What one function gives for the items: what it must, and what it gave first on each grid. */
typedef struct {
  const row_t *row;
  oracle_t oracle;
  result_t *firsts;
} answer_t;

/* One case: the group's items, as they lie, on a grid. */
typedef struct {
  case_runner_t *runner;
  const case_group_t *group;
  const row_t *row;
  const laid_out_t *items;
  uint32_t teams;
} case_t;

static void describe_case(const case_t *c, char *text, size_t bytes) {
  const case_group_t *g = c->group;
  const layout_t layout = c->items->layout;
  snprintf(text, bytes, "%s_%s n=%zu pattern=%s nan=%s offset=%zu stride=%s%td teams=%u", c->row->name,
           type_name(g->type), g->n, pattern_name(g->pattern), g->nan == USW_NAN_IGNORE ? "ignore" : "propagate",
           layout.offset, layout.stride == USW_STRIDE_NONE ? "none, not " : "", layout.stride, c->teams);
}

/* By these strategies combining goes in any order: what rounds is for USW_FAST alone. */
static int is_by_atomics(usw_strategy_t strategy) {
  return strategy == USW_STRATEGY_TREE_ATOMIC || strategy == USW_STRATEGY_ATOMIC;
}
static int has_any_order(const case_runner_t *runner) {
  return runner->strategy == USW_STRATEGY_CLAUSE || is_by_atomics(runner->strategy);
}

/* Whether the strategy does not have the function, because what it accumulates is too large for atomics. */
static int is_refused(const case_runner_t *runner, const row_t *row) {
  const int is_f64 = row->type == USW_F64 || row->type == USW_CF64;
  switch (is_by_atomics(runner->strategy) ? row->operation : USW_NO_OPERATION) {
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

static void check_record(const case_t *c, const usw_record_t *record, const char *text) {
  const case_runner_t *runner = c->runner;
  const uint64_t bytes = (uint64_t)c->group->n * type_bytes(c->group->type) * (uint64_t)c->row->streams;
  const int teams_are_exact = runner->place.place == USW_DEVICE && c->teams && c->group->n;
  const int right = record->place == runner->place.place && record->device == runner->place.device &&
                    record->strategy == runner->strategy && record->bytes == bytes &&
                    strcmp(record->target, runner->place.target) == 0 && record->teams > 0 &&
                    (!teams_are_exact || record->teams == c->teams);
  check_count(right, __FILE__, __LINE__,
              "%s: the record says place %d device %d strategy %d teams %u bytes %llu target %s", text,
              (int)record->place, record->device, (int)record->strategy, record->teams,
              (unsigned long long)record->bytes, record->target);
}

/* Run the case once, by options that are ready but for what the case says. */
static usw_status_t call(const case_t *c, usw_options_t *options, result_t *result) {
  options->strategy = c->runner->strategy;
  options->nan = c->group->nan;
  options->teams = c->teams;
  options->work_group_load = c->group->n % 3 == 0 ? 2 : 0; /* of multipass */
  return laid_out_reduce(c->items, c->row, options, result);
}

/* A call that the support table refuses returns that error, names the kernel, and writes nothing. */
static void check_refused(const case_t *c, usw_accuracy_t accuracy, const char *text) {
  usw_options_t options = place_options(&c->runner->place);
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.accuracy = accuracy;
  const usw_status_t status = call(c, &options, &result);
  check_count(status == USW_ERROR_UNSUPPORTED && memcmp(&result, &before, sizeof result) == 0 &&
                  strstr(usw_error_text(), c->row->name),
              __FILE__, __LINE__, "%s: %s: %s", text, usw_status_name(status), usw_error_text());
}

/* Run the case once; what lies behind the result must stay as it is. */
static result_t run_once(const case_t *c, const char *text) {
  const row_t *row = c->row;
  usw_options_t options = place_options(&c->runner->place);
  usw_record_t record = {.size = USW_INIT(usw_record_t)};
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.accuracy = has_any_order(c->runner) && row_is_rounded(row) ? USW_FAST : USW_REPEATABLE;
  options.record = &record;
  const usw_status_t status = call(c, &options, &result);
  check_count(status == USW_OK, __FILE__, __LINE__, "%s: %s: %s", text, usw_status_name(status), usw_error_text());
  check_count(memcmp(result.bytes + row->result_bytes, before.bytes + row->result_bytes,
                     sizeof result - row->result_bytes) == 0,
              __FILE__, __LINE__, "%s: wrote behind its result", text);
  if (status == USW_OK)
    check_record(c, &record, text);
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
static void add_to_hash(case_runner_t *runner, const row_t *row, const result_t *result) {
  long double parts[MOST_PARTS];
  const int count = result_parts(row, result, parts);
  for (int p = 0; p < count; p++) {
    int exponent = 0;
    const long double fraction = frexpl(parts[p], &exponent);
    const uint64_t digits = isfinite(parts[p]) ? (uint64_t)(int64_t)ldexpl(fraction, 63) : !isnan(parts[p]);
    const uint64_t words[] = {digits, (uint64_t)exponent, isnan(parts[p]) ? 0 : (uint64_t)signbit(parts[p])};
    for (int w = 0; w < (isfinite(parts[p]) ? 3 : 1); w++)
      runner->hash = (runner->hash ^ words[w]) * 0x100000001b3u;
  }
}

/* Every function on every grid, over items that lie in one layout. */
static void run_grids(case_t *c, answer_t *answers, size_t answer_count, int is_first) {
  const case_group_t *g = c->group;
  for (size_t a = 0; a < answer_count; a++) {
    answer_t *answer = &answers[a];
    /* Bits are promised for everything but what is rounded in any order. */
    const int is_promised = !has_any_order(c->runner) || !row_is_rounded(answer->row);
    c->row = answer->row;
    for (size_t t = 0; t < g->teams_count; t++) {
      char text[256], why[640];
      c->teams = g->teams[t];
      describe_case(c, text, sizeof text);
      if (!is_promised && is_by_atomics(c->runner->strategy))
        check_refused(c, USW_REPEATABLE, text);
      if (is_refused(c->runner, c->row)) {
        check_refused(c, USW_FAST, text);
        continue;
      }
      for (int r = 0; r < g->repeats; r++) {
        const result_t result = run_once(c, text);
        const int agrees = oracle_agrees(&answer->oracle, &result, why, sizeof why);
        check_count(agrees, __FILE__, __LINE__, "%s: %s", text, agrees ? "" : why);
        add_to_hash(c->runner, answer->row, &result);
        if (is_first && r == 0)
          answer->firsts[t] = result;
        else if (is_promised)
          check_count(results_equal(answer->row, &answer->firsts[t], &result), __FILE__, __LINE__,
                      "%s: not the bits of the first run or layout", text);
      }
    }
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
    answers[count++].firsts = malloc(g->teams_count * sizeof(result_t));
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
    case_t c = {runner, g, NULL, &laid_out, 0};
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
  if (runner->group_count++ % runner->every != 0)
    return;
  for (size_t k = 0; k < g->layout_count; k++)
    of_first += g->layouts[k].stride == USW_STRIDE_NONE;
  if (of_first < g->layout_count)
    run_layouts(runner, g, 0);
  if (of_first > 0)
    run_layouts(runner, g, 1);
}
