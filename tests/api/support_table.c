/* Every cell of the support table: strategy x accuracy x kind of kernel on one place. What it has runs, on grids of several
 * sizes, and gives what the host gives; what it has not returns its error, names the kernel and writes nothing.
 *   support_table [--place NAME] */
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/kinds.h"
#include "support/place.h"

enum { ITEMS = 10007, VARIABLE_BYTES = KIND_VARIABLE_DOUBLES * 8 };

static double x[ITEMS];
static test_place_t place;
static place_memory_t x_there;

/* What a kind promises of its results' bits, beyond being the same twice by most strategies. */
static usw_accuracy_t promise_of(int kind) {
  if (kind == KIND_EXACT)
    return USW_EXACT;
  if (kind == KIND_REPRODUCIBLE)
    return USW_REPRODUCIBLE;
  return kind == KIND_COMPENSATED ? USW_COMPENSATED : USW_REPEATABLE;
}

/* What a device says to a strategy. */
static usw_status_t status_on_device(usw_strategy_t strategy, usw_accuracy_t accuracy, int kind) {
  const int is_x86_64 = strcmp(place.target, "x86_64") == 0, is_simt = strcmp(place.target, "simt") == 0;
  const int wants_bits = accuracy != USW_FAST && promise_of(kind) < USW_REPRODUCIBLE;
  int has = 1;
  switch (strategy) {
  case USW_STRATEGY_HOST:
    has = 0;
    break;
  case USW_STRATEGY_CLAUSE:
    has = !is_simt && kind != KIND_ORDERED && kind != KIND_LARGE_SPAN && !(is_x86_64 && wants_bits) &&
          kind != KIND_REPRODUCIBLE;
    break;
  case USW_STRATEGY_TREE_ATOMIC:
  case USW_STRATEGY_ATOMIC:
    has =
        (kind == KIND_ROUNDING || kind == KIND_EXACT || kind == KIND_SMALL_STRUCT || kind == KIND_SMALL_NO_IDENTITY) &&
        !wants_bits;
    break;
  default:
    break;
  }
  return has ? USW_OK : USW_ERROR_UNSUPPORTED;
}

static usw_status_t expected_status(usw_strategy_t strategy, usw_accuracy_t accuracy, int kind) {
  if (accuracy >= USW_COMPENSATED && promise_of(kind) < accuracy)
    return USW_ERROR_UNSUPPORTED;
  if (kind == KIND_TOLD)
    return USW_ERROR_NO_IDENTITY;
  if (place.place == USW_HOST)
    return strategy == USW_AUTO_STRATEGY || strategy == USW_STRATEGY_HOST ? USW_OK : USW_ERROR_UNSUPPORTED;
  return status_on_device(strategy, accuracy, kind);
}

/* The kernel over all items, into a variable that begins as ones. */
static usw_status_t run(int kind, const double *items, const usw_options_t *options, double *variable) {
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)items, 0};
  const usw_variable_t variables[] = {{variable, 1}};
  for (int k = 0; k < KIND_VARIABLE_DOUBLES; k++)
    variable[k] = 1;
  return usw_kernel_run(kinds[kind].kernel, ITEMS, arguments, variables, options);
}

static void check_cell(usw_strategy_t strategy, usw_accuracy_t accuracy, int kind, uint32_t teams, uint32_t load) {
  const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  const usw_status_t expected_of = expected_status(strategy, accuracy, kind);
  double expected[KIND_VARIABLE_DOUBLES], got[KIND_VARIABLE_DOUBLES];
  usw_options_t options = place_options(&place);
  char note[200];
  options.strategy = strategy;
  options.accuracy = accuracy;
  options.teams = teams;
  options.work_group_load = load;
  options.initialize_to_identity = kinds[kind].initialize_to_identity;
  snprintf(note, sizeof note, "%s, strategy %d, accuracy %d, teams %u, load %u", kinds[kind].title, (int)strategy,
           (int)accuracy, teams, load);
  const usw_status_t status = run(kind, (const double *)x_there.data, &options, got);
  check_count(status == expected_of, __FILE__, __LINE__, "%s: %s, not %s (%s)", note, usw_status_name(status),
              usw_status_name(expected_of), status == USW_OK ? "" : usw_error_text());
  if (expected_of == USW_OK) {
    CHECK_AT(run(kind, x, &on_host, expected) == USW_OK, note);
  } else {
    CHECK_TEXT_HAS(usw_error_text(), kinds[kind].kernel->name);
    for (int k = 0; k < KIND_VARIABLE_DOUBLES; k++)
      expected[k] = 1;
  }
  CHECK_AT(memcmp(expected, got, VARIABLE_BYTES) == 0, note);
}

/* As many teams as there can be; by multipass 17, 16, 2 and 1 launches. An emulated GPU takes seconds for each. */
static void check_most_teams(void) {
  static const uint32_t loads[] = {2, 1, 256, 65535};
  static const int of[] = {KIND_ORDERED, KIND_ROUNDING, KIND_SPAN, KIND_LARGE_SPAN};
  const int is_simt = strcmp(place.target, "simt") == 0;
  for (int l = 0; l < (is_simt ? 1 : 4); l++)
    for (int k = 0; k < (is_simt ? 1 : 4); k++)
      check_cell(USW_STRATEGY_MULTIPASS, USW_REPEATABLE, of[k], 65535, loads[l]);
  for (int s = USW_STRATEGY_TREE_ATOMIC; s <= USW_STRATEGY_ATOMIC && !is_simt; s++)
    check_cell((usw_strategy_t)s, USW_FAST, KIND_ROUNDING, 65535, 0);
}

int main(int argc, char **argv) {
  static const struct {
    uint32_t teams, load;
  } grids[] = {{0, 0}, {1, 0}, {2, 1}, {7, 2}, {64, 1}, {300, 0}, {300, 256}, {301, 2}};
  place = place_of_arguments(argc, argv);
  for (int i = 0; i < ITEMS; i++)
    x[i] = (i * 37 % 1009) - 500; /* their sums round nothing */
  x_there = memory_get(&place, x, sizeof x, 0);
  for (size_t s = 0; s < sizeof kind_strategies / sizeof kind_strategies[0]; s++)
    for (size_t a = 0; a < sizeof kind_accuracies / sizeof kind_accuracies[0]; a++)
      for (int kind = 0; kind < KINDS; kind++)
        for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++)
          if (place_takes_next(&place, 24))
            check_cell(kind_strategies[s].code, kind_accuracies[a].code, kind, grids[g].teams, grids[g].load);
  if (place.place == USW_DEVICE && !(is_quick_tier() && strcmp(place.target, "simt") == 0))
    check_most_teams();
  memory_free(&x_there);
  return check_report();
}
