#include "case_runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_levels.h"
#include "support/check.h"

/* What came first; later results must have its bits. */
typedef struct {
  result_t result;
  int is_there;
} first_t;

/* What one function gives for the items: what it must, and what came first. */
typedef struct {
  const row_t *row;
  oracle_t oracle;
  first_t *firsts;      /* of each way on each grid: [way * teams_count + t] */
  first_t reproducible; /* of all ways, grids and places */
} answer_t;

/* One case: the group's items, as they lie, on a grid, in one way. */
typedef struct {
  case_runner_t *runner;
  case_way_t *way;
  const case_group_t *group;
  const laid_out_t *items;
  answer_t *answer;
  const row_t *row;
  uint32_t teams;
  usw_options_t options;
  char text[256]; /* all of this in words */
} case_t;

/* Count a check of a case; one that fails prints the case and what is wrong. */
#define CHECK_CASE(c, ok, format, ...)                                                                                 \
  ((c)->way->failed += !check_count((ok), __FILE__, __LINE__, "%s: " format, (c)->text, __VA_ARGS__))

/* Whether the bits depend on what came when; of what rounds nothing they never do. */
static int has_any_order(const case_t *c) {
  return c->way->accuracy != USW_REPRODUCIBLE && strategy_has_any_order(c->way->strategy) && row_is_rounded(c->row);
}

static void describe_case(case_t *c) {
  const case_group_t *g = c->group;
  const layout_t layout = c->items->layout;
  snprintf(c->text, sizeof c->text, "%s%s: %s_%s n=%zu pattern=%s nan=%s offset=%zu stride=%s%td teams=%u",
           strategy_name(c->way->strategy), level_suffix(c->way->accuracy), c->row->name, type_name(g->type), g->n,
           pattern_name(g->pattern), g->nan == USW_NAN_IGNORE ? "ignore" : "propagate", layout.offset,
           layout.stride == USW_STRIDE_NONE ? "none, not " : "", layout.stride, c->teams);
  c->options = place_options(&c->runner->place);
  c->options.strategy = c->way->strategy;
  c->options.accuracy = level_is_upper(c->way->accuracy) ? c->way->accuracy
                        : has_any_order(c)               ? USW_FAST
                                                         : USW_REPEATABLE;
  c->options.nan = g->nan;
  c->options.teams = c->teams;
  c->options.work_group_load = g->n % 3 == 0 ? 2 : 0; /* of multipass */
}

static void check_report_of(const case_t *c, const usw_report_t *report) {
  const test_place_t *place = &c->runner->place;
  const uint64_t bytes = (uint64_t)c->group->n * type_bytes(c->group->type) * (uint64_t)c->row->streams;
  const int teams_are_exact = place->place == USW_DEVICE && c->teams && c->group->n;
  const int right = report->place == place->place && report->device == place->device &&
                    report->strategy == c->way->strategy && report->bytes == bytes &&
                    strcmp(report->target, place->target) == 0 && report->teams > 0 &&
                    report->kept == c->answer->oracle.kept && (!teams_are_exact || report->teams == c->teams);
  CHECK_CASE(c, right, "the report says place %d device %d strategy %d teams %u bytes %llu target %s kept %llu",
             (int)report->place, report->device, (int)report->strategy, report->teams,
             (unsigned long long)report->bytes, report->target, (unsigned long long)report->kept);
}

/* A call that the support table refuses returns that error, names the kernel, and writes nothing. */
static void check_refused(const case_t *c, usw_accuracy_t accuracy) {
  usw_options_t options = c->options;
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.accuracy = accuracy;
  const usw_status_t status = laid_out_reduce(c->items, c->row, &options, &result);
  CHECK_CASE(c,
             status == USW_ERROR_UNSUPPORTED && memcmp(&result, &before, sizeof result) == 0 &&
                 strstr(usw_error_text(), c->row->name),
             "%s: %s", usw_status_name(status), usw_error_text());
}

/* Run the case once; what lies behind the result must stay as it is. */
static result_t run_once(const case_t *c) {
  const row_t *row = c->row;
  usw_options_t options = c->options;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.report = &report;
  const usw_status_t status = laid_out_reduce(c->items, row, &options, &result);
  CHECK_CASE(c, status == USW_OK, "%s: %s", usw_status_name(status), usw_error_text());
  const int is_inside = memcmp(result.bytes + row->result_bytes, before.bytes + row->result_bytes,
                               sizeof result - row->result_bytes) == 0;
  CHECK_CASE(c, is_inside, "%s", "wrote behind its result");
  if (status == USW_OK)
    check_report_of(c, &report);
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

static void check_bits(const case_t *c, first_t *first, const result_t *result, const char *of_what) {
  if (first->is_there)
    CHECK_CASE(c, results_equal(c->row, &first->result, result), "not the bits of the first %s", of_what);
  else
    *first = (first_t){*result, 1};
}

/* What a result of an upper level must be, beside the exact one within its bound. */
static void check_level(const case_t *c, const usw_explanation_t *explained, const result_t *result) {
  answer_t *answer = c->answer;
  const case_way_t *usual = &c->runner->ways[0];
  const first_t *repeatable = &answer->firsts[0]; /* of the first grid, if there is any */
  const int has_repeatable = usual->accuracy == USW_REPEATABLE && !strategy_has_any_order(usual->strategy);
  const double chain = rounding_of(c->runner, c->group).chain;
  char why[640] = "";
  CHECK_CASE(c, level_agrees(c->way->accuracy, &answer->oracle, chain, explained, result, why, sizeof why), "%s", why);
  if (c->way->accuracy != USW_REPRODUCIBLE)
    return;
  check_bits(c, &answer->reproducible, result, "place, strategy, grid or layout");
  if (has_repeatable && repeatable->is_there)
    CHECK_CASE(c, level_is_as_near(&answer->oracle, &repeatable->result, result, why, sizeof why), "%s", why);
}

/* Whether the library has the function at the case's upper level; what it refuses is checked where first is not there. */
static int has_level(const case_t *c, usw_explanation_t *explained, first_t *first) {
  const int is_served = strategy_has_level(c->way->strategy, c->row);
  const usw_status_t status = usw_explain(c->row->operation, c->row->type, c->group->n, &c->options, explained);
  if (first->is_there && status == USW_OK)
    return 1;
  CHECK_CASE(c, status == (is_served ? USW_OK : USW_ERROR_UNSUPPORTED), "usw_explain() gives %s: %s",
             usw_status_name(status), usw_error_text());
  if (status != USW_OK && !first->is_there)
    check_refused(c, c->way->accuracy);
  first->is_there |= status != USW_OK;
  return status == USW_OK;
}

/* One function on one grid in one way; the first result of all layouts is kept. */
static void run_case(case_t *c, first_t *first) {
  usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
  const int is_upper = level_is_upper(c->way->accuracy);
  char why[640] = "";
  describe_case(c);
  if (is_upper && !has_level(c, &explained, first))
    return;
  if (!is_upper && has_any_order(c) && strategy_is_by_atomics(c->way->strategy))
    check_refused(c, USW_REPEATABLE);
  if (strategy_refuses(c->way->strategy, c->row)) {
    check_refused(c, USW_FAST);
    return;
  }
  for (int r = 0; r < c->group->repeats; r++) {
    const result_t result = run_once(c);
    add_to_hash(c->way, c->row, &result);
    if (is_upper && row_is_rounded(c->row))
      check_level(c, &explained, &result);
    else
      CHECK_CASE(c, oracle_agrees(&c->answer->oracle, &result, why, sizeof why), "%s", why);
    if (!has_any_order(c))
      check_bits(c, first, &result, "run or layout");
  }
}

/* Whether a way takes the present group (--share of cases.c): groups are dealt in an order that looks like chance, so that
 * no way gets the same size or type of all. Reproducible ways take the same ones, to be compared. */
static int takes_group(const case_runner_t *runner, const case_group_t *g, int way) {
  const uint64_t chance = (uint64_t)runner->group_count * 0x9e3779b97f4a7c15u >> 33, share = (uint64_t)runner->share;
  const uint64_t turn = runner->ways[way].accuracy == USW_REPRODUCIBLE ? 0 : (uint64_t)way;
  if (share == 1 || (way == 0 && !g->is_large))
    return 1;
  return (chance + turn) % (g->is_large ? share * (uint64_t)runner->way_count : share) == 0;
}

/* The upper levels run in fewer cases: by functions that do not round, for which they are nothing else, over few items
 * only, and in one layout of four, which differ in offset and stride. */
static int takes_case(const case_way_t *way, const row_t *row, size_t n, int layout) {
  enum { FEW = 40, LAYOUTS = 4 };
  return !level_is_upper(way->accuracy) || ((n < FEW || row_is_rounded(row)) && layout % LAYOUTS == 0);
}

/* Every function on every grid in every way, over items that lie in one layout, the k-th one. */
static void run_grids(case_t *c, answer_t *answers, size_t answer_count, int k) {
  const case_group_t *g = c->group;
  for (size_t a = 0; a < answer_count; a++)
    for (int w = 0; w < c->runner->way_count; w++)
      for (size_t t = 0; t < g->teams_count; t++) {
        c->way = &c->runner->ways[w];
        c->answer = &answers[a];
        c->row = answers[a].row;
        c->teams = g->teams[t];
        if (takes_group(c->runner, g, w) && takes_case(c->way, c->row, g->n, k))
          run_case(c, &answers[a].firsts[(size_t)w * g->teams_count + t]);
      }
}

/* The host's reproducible results are what other places must give. */
static void ask_host(const case_runner_t *runner, const case_group_t *g, const items_t *items, answer_t *answers,
                     size_t answer_count) {
  const test_place_t host = {USW_HOST, -1, "host"};
  const laid_out_t lying = {.layout = {0, 1}, .n = g->n, .x = items->x, .y = items->y, .strides = {1, 1}};
  int is_asked = 0;
  for (int w = 0; w < runner->way_count; w++)
    is_asked |= runner->ways[w].accuracy == USW_REPRODUCIBLE && takes_group(runner, g, w);
  for (size_t a = 0; a < answer_count && is_asked; a++) {
    usw_options_t options = place_options(&host);
    options.accuracy = USW_REPRODUCIBLE;
    options.nan = g->nan;
    first_t *first = &answers[a].reproducible;
    first->is_there =
        row_is_rounded(answers[a].row) && laid_out_reduce(&lying, answers[a].row, &options, &first->result) == USW_OK;
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
    answers[count++] =
        (answer_t){.row = row,
                   .oracle = oracle_of(row, items->numbers_of_x, y, g->n, g->nan, rounding_of(runner, g)),
                   .firsts = calloc((size_t)runner->way_count * g->teams_count, sizeof(first_t))};
  }
  return count;
}

/* The layouts in which all items are the first element, or the others. */
static void run_layouts(case_runner_t *runner, const case_group_t *g, int all_the_first) {
  answer_t answers[ROW_COUNT];
  items_t items = items_make(g->type, g->pattern, g->n, all_the_first);
  const size_t answer_count = ask_oracle(runner, g, &items, answers);
  int layouts = 0;
  ask_host(runner, g, &items, answers, answer_count);
  for (size_t k = 0; k < g->layout_count && answer_count > 0; k++) {
    if ((g->layouts[k].stride == USW_STRIDE_NONE) != all_the_first)
      continue;
    laid_out_t laid_out = items_lay_out(&items, &runner->place, g->layouts[k]);
    case_t c = {.runner = runner, .group = g, .items = &laid_out};
    run_grids(&c, answers, answer_count, layouts++);
    laid_out_free(&laid_out);
  }
  for (size_t a = 0; a < answer_count; a++)
    free(answers[a].firsts);
  items_free(&items);
}

void case_group_run(case_runner_t *runner, const case_group_t *g) {
  size_t of_first = 0;
  int is_taken = 0;
  if ((g->is_large && runner->quick) || runner->group_count++ % runner->every != 0)
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
