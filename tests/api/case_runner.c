#include "case_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/memory.h"

/* The items of a group, contiguous and on the host. */
typedef struct {
  void *x, *y; /* y: NULL for one stream */
} items_t;

/* One case: the group's items, as they lie, on a grid. */
typedef struct {
  const case_runner_t *runner;
  const case_group_t *group;
  case_layout_t layout;
  uint32_t teams;
  void *x, *y; /* of item 0, on the place */
} case_t;

static void describe_case(const case_t *c, char *text, size_t bytes) {
  const case_group_t *g = c->group;
  snprintf(text, bytes, "%s_%s n=%zu pattern=%s nan=%s offset=%zu stride=%s%td teams=%u", g->row->name,
           type_name(g->row->type), g->n, pattern_name(g->pattern), g->nan == USW_NAN_IGNORE ? "ignore" : "propagate",
           c->layout.offset, c->layout.stride == USW_STRIDE_NONE ? "none, not " : "", c->layout.stride, c->teams);
}

/* The second stream differs from the first in some layouts. */
static case_layout_t layout_of_y(case_layout_t x) {
  const case_layout_t y = {x.offset == 3 ? 0 : x.offset, x.stride == 3 || x.stride == USW_STRIDE_NONE ? 1 : x.stride};
  return y;
}

static items_t make_items(const case_group_t *g, int all_the_first) {
  const size_t bytes = type_bytes(g->row->type);
  items_t items = {malloc(g->n * bytes + 1), NULL};
  pattern_fill(g->pattern, g->row->type, items.x, g->n, 1);
  for (size_t i = 1; all_the_first && i < g->n; i++)
    memcpy((char *)items.x + i * bytes, items.x, bytes);
  if (g->row->streams == 2) {
    items.y = malloc(g->n * bytes + 1);
    pattern_fill(pattern_is_exact(g->pattern) ? PATTERN_ramp : PATTERN_random, g->row->type, items.y, g->n, 2);
  }
  return items;
}

static void free_items(items_t *items) {
  free(items->x);
  free(items->y);
}

/* Lay items out on the place; *first_out is item 0. What lies between them is large numbers. */
static place_memory_t lay_out(const case_runner_t *runner, const void *items, size_t n, size_t bytes,
                              case_layout_t layout, void **first_out) {
  const size_t step = layout.stride == USW_STRIDE_NONE ? 0 : (size_t)labs(layout.stride);
  const size_t span = n == 0 ? 0 : (n - 1) * step + 1;
  char *image = malloc(span * bytes + 1);
  memset(image, 0x7e, span * bytes);
  for (size_t i = 0; i < n && (step > 0 || i == 0); i++) {
    const size_t at = layout.stride < 0 && step > 0 ? span - 1 - i * step : i * step;
    memcpy(image + at * bytes, (const char *)items + i * bytes, bytes);
  }
  place_memory_t memory = memory_get(&runner->place, image, span * bytes, layout.offset * bytes);
  free(image);
  const size_t first = layout.stride < 0 && step > 0 && span > 0 ? span - 1 : 0;
  *first_out = (char *)memory.data + first * bytes;
  return memory;
}

static void check_record(const case_t *c, const usw_record_t *record, const char *text) {
  const case_row_t *row = c->group->row;
  const case_runner_t *runner = c->runner;
  const uint64_t bytes = (uint64_t)c->group->n * type_bytes(row->type) * (uint64_t)row->streams;
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

/* Run the case once; what lies behind the result must stay as it is. */
static result_t run_once(const case_t *c, const char *text) {
  const case_group_t *g = c->group;
  usw_options_t options = place_options(&c->runner->place);
  usw_record_t record = {.size = USW_INIT(usw_record_t)};
  result_t result, before;
  memset(&result, 0xa5, sizeof result);
  before = result;
  options.strategy = c->runner->strategy;
  options.accuracy = options.strategy == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  options.nan = g->nan;
  options.teams = c->teams;
  options.stride[0] = c->layout.stride;
  options.stride[1] = layout_of_y(c->layout).stride;
  options.record = &record;
  const usw_status_t status =
      g->row->streams == 2 ? usw_reduce_pair(g->row->operation, g->row->type, c->x, c->y, g->n, &result, &options)
                           : usw_reduce(g->row->operation, g->row->type, c->x, g->n, &result, &options);
  const size_t bytes = result_bytes(g->row->operation, g->row->type);
  check_count(status == USW_OK, __FILE__, __LINE__, "%s: %s: %s", text, usw_status_name(status), usw_error_text());
  check_count(memcmp(result.bytes + bytes, before.bytes + bytes, sizeof result - bytes) == 0, __FILE__, __LINE__,
              "%s: wrote behind its result", text);
  if (status == USW_OK)
    check_record(c, &record, text);
  return result;
}

/* Additions that an element goes through at most: host threads keep 16 chains or more, GPUs 256;
 * the x86_64 device may have one worker, and one chain. 64 for the tree above the chains. */
static double chain_of(const case_runner_t *runner, const case_group_t *g) {
  const int is_serial = strcmp(runner->place.target, "x86_64") == 0;
  const int is_exact = pattern_is_exact(g->pattern) && g->row->operation != USW_DESCRIBE;
  return is_exact ? 0 : 64 + (double)g->n / (is_serial ? 1 : 16);
}

/* Bits are promised for everything but the clause's sums. */
static int bits_are_promised(const case_runner_t *runner, const oracle_t *oracle) {
  const int is_rounded =
      oracle->operation == USW_PLUS || oracle->operation == USW_DOT || oracle->operation == USW_DESCRIBE;
  return runner->strategy != USW_STRATEGY_CLAUSE || !is_rounded;
}

/* All grids of one layout. `firsts` keeps the first result of each grid, to compare bits with. */
static void run_layout(const case_runner_t *runner, const case_group_t *g, case_layout_t layout, const items_t *items,
                       const oracle_t *oracle, result_t *firsts, int is_first) {
  const size_t bytes = type_bytes(g->row->type);
  case_t c = {runner, g, layout, 0, NULL, NULL};
  place_memory_t y = {0}, x = lay_out(runner, items->x, g->n, bytes, layout, &c.x);
  if (items->y)
    y = lay_out(runner, items->y, g->n, bytes, layout_of_y(layout), &c.y);
  for (size_t t = 0; t < g->teams_count; t++) {
    char text[256], why[640];
    c.teams = g->teams[t];
    describe_case(&c, text, sizeof text);
    for (int r = 0; r < g->repeats; r++) {
      const result_t result = run_once(&c, text);
      const int agrees = oracle_agrees(oracle, &result, why, sizeof why);
      check_count(agrees, __FILE__, __LINE__, "%s: %s", text, why);
      if (is_first && r == 0)
        firsts[t] = result;
      else if (bits_are_promised(runner, oracle))
        check_count(results_equal(oracle->operation, oracle->type, &firsts[t], &result), __FILE__, __LINE__,
                    "%s: not the bits of the first run or layout", text);
    }
  }
  memory_free(&x);
  if (items->y)
    memory_free(&y);
}

void case_group_run(const case_runner_t *runner, const case_group_t *g) {
  result_t *firsts = malloc(g->teams_count * sizeof *firsts);
  for (int all_the_first = 0; all_the_first < 2; all_the_first++) {
    int is_first = 1;
    size_t wanted = 0;
    for (size_t k = 0; k < g->layout_count; k++)
      wanted += (g->layouts[k].stride == USW_STRIDE_NONE) == all_the_first;
    if (!wanted)
      continue;
    items_t items = make_items(g, all_the_first);
    const oracle_t oracle =
        oracle_of(g->row->operation, g->row->type, items.x, items.y, g->n, g->nan, chain_of(runner, g));
    for (size_t k = 0; k < g->layout_count; k++) {
      if ((g->layouts[k].stride == USW_STRIDE_NONE) != all_the_first)
        continue;
      run_layout(runner, g, g->layouts[k], &items, &oracle, firsts, is_first);
      is_first = 0;
    }
    free_items(&items);
  }
  free(firsts);
}
