/* Every cell of the support table on one place: strategy x accuracy x kind of kernel, and the families of many results: strategy x accuracy x
 * operation x type. What it has runs, on grids of several sizes, and gives what the host gives; what it has not returns its error and
 * writes nothing.
 *   support_table [--place NAME] */
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "by_chance.h"
#include "oracle/memory.h"
#include "support/check.h"
#include "support/families.h"
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
  if (kind == KIND_SEGMENTS || kind == KIND_SCAN)
    return strategy == USW_AUTO_STRATEGY || strategy == USW_STRATEGY_TREE ? USW_OK : USW_ERROR_UNSUPPORTED;
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
  const usw_variable_t variables[] = {{variable, 1}};
  for (int k = 0; k < KIND_VARIABLE_DOUBLES; k++)
    variable[k] = 1;
  return kind_run(&kinds[kind], ITEMS, items, variables, options);
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

/* ---- families of many results ---- */

static int is_floating(usw_type_t type) { return type >= USW_F16 && type <= USW_CF64; }

static int is_complex(usw_type_t type) { return type == USW_CF32 || type == USW_CF64; }

/* The highest level that all results of (operation, type) promise: USW_EXACT of what rounds nothing alone, since it takes several sweeps. */
static usw_accuracy_t level_of(usw_operation_t operation, usw_type_t type, int is_scan) {
  switch (operation) {
  case USW_DESCRIBE:
    return USW_REPRODUCIBLE;
  case USW_PLUS:
    return !is_floating(type) ? USW_EXACT : is_scan ? USW_COMPENSATED : USW_REPRODUCIBLE;
  case USW_DOT:
  case USW_DOTC:
    return is_floating(type) ? USW_REPRODUCIBLE : USW_EXACT;
  case USW_NORM1:
  case USW_NORM2:
    return USW_REPRODUCIBLE;
  case USW_NORM_INF:
    return is_complex(type) ? USW_REPRODUCIBLE : USW_EXACT;
  case USW_MULTIPLIES:
    return is_floating(type) ? USW_FAST : USW_EXACT; /* the code behind USW_REPEATABLE's */
  default:
    return USW_EXACT;
  }
}

static int has_scan(usw_operation_t operation) {
  return operation < USW_DOT || operation == USW_COUNT || operation == USW_ARGMIN || operation == USW_ARGMAX;
}

static usw_status_t expected_of_family(family_t family, size_t operation, usw_type_t type,
                                       const usw_options_t *options) {
  const usw_operation_t code = family_operations[operation].code;
  const usw_strategy_t own = place.place == USW_HOST ? USW_STRATEGY_HOST : USW_STRATEGY_TREE;
  const int is_scan = family >= FAMILY_SCAN;
  int has = options->strategy == USW_AUTO_STRATEGY || options->strategy == own;
  if (family != FAMILY_SELECT) /* which has no operation */
    has = has && usw_result_bytes(code, type) > 0 && (!is_scan || has_scan(code)) &&
          options->accuracy <= level_of(code, type, is_scan);
  if (family == FAMILY_BY_KEY || is_scan)
    has = has && family_operations[operation].streams == 1;
  return has ? USW_OK : USW_ERROR_UNSUPPORTED;
}

enum { NOTHING = 0x5a, FAMILY_NOTE_BYTES = 200 };

/* What a call writes, beginning with all NOTHING. */
typedef struct {
  char results[FAMILY_RESULT_BYTES];
  int32_t unique[FAMILY_ITEMS];
  size_t count;
} family_output_t;

static usw_status_t run_family(const test_place_t *where, family_t family, size_t operation, usw_type_t type,
                               const usw_options_t *options, family_output_t *output) {
  char elements[FAMILY_ITEMS * 16];
  int32_t keys[FAMILY_ITEMS];
  uint8_t flags[FAMILY_ITEMS];
  const size_t bytes = family_elements(type, elements);
  for (size_t i = 0; i < FAMILY_ITEMS; i++) {
    keys[i] = (int32_t)i / 4;
    flags[i] = i % 3 == 0;
  }
  memset(output, NOTHING, sizeof *output);
  place_memory_t items = memory_get(where, elements, bytes, 0), of_keys = memory_get(where, keys, sizeof keys, 0);
  place_memory_t offsets = memory_get(where, family_offsets, sizeof family_offsets, 0);
  place_memory_t of_flags = memory_get(where, flags, sizeof flags, 0);
  place_memory_t results = memory_get(where, output->results, sizeof output->results, 0);
  place_memory_t unique = memory_get(where, output->unique, sizeof output->unique, 0);
  family_data_t data = {.x = items.data,
                        .offsets = (const int32_t *)offsets.data,
                        .keys = (const int32_t *)of_keys.data,
                        .flags = (const uint8_t *)of_flags.data,
                        .results = results.data,
                        .unique = (int32_t *)unique.data,
                        .count = output->count};
  const usw_status_t status = family_run(family, operation, type, &data, options);
  output->count = data.count;
  memory_read(&results, output->results, sizeof output->results);
  memory_read(&unique, output->unique, sizeof output->unique);
  place_memory_t *const all[] = {&items, &of_keys, &offsets, &of_flags, &results, &unique};
  for (size_t m = 0; m < sizeof all / sizeof *all; m++)
    memory_free(all[m]);
  return status;
}

/* Results are the same bits, but means and variances, which lanes of a GPU round in another order. */
static int outputs_are_alike(size_t operation, size_t type, const family_output_t *expected,
                             const family_output_t *got) {
  const operation_t of = {family_operations[operation].code, 1, family_operations[operation].name};
  const type_t elements = {family_types[type].code, 0, family_types[type].name};
  const size_t bytes = usw_result_bytes(of.operation, elements.type), all = sizeof got->results;
  if (strcmp(place.target, "nvptx") != 0 || of.operation != USW_DESCRIBE || bytes == 0)
    return memcmp(expected, got, sizeof *got) == 0;
  for (size_t at = 0; at + bytes <= all; at += bytes)
    if (!results_are_alike(&of, &elements, expected->results + at, got->results + at))
      return 0;
  return memcmp(expected->unique, got->unique, sizeof *got - all) == 0;
}

/* Preset quick and the full tier have the kernels of all types; others of a few. */
#ifdef USW_FAMILIES_SAMPLE
enum { HAS_FAMILIES = 0 };
#else
enum { HAS_FAMILIES = 1 };
#endif

static void check_family(family_t family, size_t operation, size_t type, usw_strategy_t strategy,
                         usw_accuracy_t accuracy) {
  static const test_place_t host = {USW_HOST, -1, "host"};
  static family_output_t expected, got;
  const usw_type_t code = family_types[type].code;
  usw_options_t options = place_options(&place), on_host = place_options(&host);
  char note[FAMILY_NOTE_BYTES];
  options.strategy = strategy;
  options.accuracy = on_host.accuracy = accuracy;
  snprintf(note, sizeof note, "%s: %s of %s, strategy %d, accuracy %d", family_names[family],
           family_operations[operation].name, family_types[type].name, (int)strategy, (int)accuracy);
  const usw_status_t wanted = expected_of_family(family, operation, code, &options);
  const usw_status_t status = run_family(&place, family, operation, code, &options, &got);
  check_count(status == wanted, __FILE__, __LINE__, "%s: %s, not %s (%s)", note, usw_status_name(status),
              usw_status_name(wanted), status == USW_OK ? "" : usw_error_text());
  if (wanted == USW_OK)
    CHECK_AT(run_family(&host, family, operation, code, &on_host, &expected) == USW_OK, note);
  else
    memset(&expected, NOTHING, sizeof expected);
  CHECK_AT(outputs_are_alike(operation, type, &expected, &got), note);
}

static void check_families(void) {
  const unsigned share = place.place == USW_HOST ? 1 : 24;
  for (int family = 0; family < FAMILIES; family++)
    for (size_t operation = 0; operation < (family == FAMILY_SELECT ? 1 : FAMILY_OPERATIONS); operation++)
      for (size_t type = 0; type < FAMILY_TYPES; type++)
        for (size_t a = 0; a < sizeof kind_accuracies / sizeof kind_accuracies[0]; a++)
          for (size_t s = 0; s < sizeof kind_strategies / sizeof kind_strategies[0]; s++)
            if (place_has_families(&place, family_types[type].code) && place_takes_next(&place, share))
              check_family((family_t)family, operation, type, kind_strategies[s].code, kind_accuracies[a].code);
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
  if (HAS_FAMILIES)
    check_families();
  memory_free(&x_there);
  return check_report();
}
