/* The lists of a command line or of a suite: kernels, types, applications, lengths, and so on. */
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "bench.h"
#include "measure/arguments.h"
#include "measure/number.h"

static int add_kernel(const char *word, void *input) {
  bench_options_t *options = input;
  for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++) {
    if (strcmp(word, kernel->name) != 0)
      continue;
    options->kernels[options->kernel_count++] = kernel;
    return options->kernel_count < BENCH_MAX_LIST ? 0 : -1;
  }
  return -1;
}

static int add_type(const char *word, void *input) {
  bench_options_t *options = input;
  for (const bench_type_t *type = bench_types; type->name; type++) {
    if (strcmp(word, type->name) != 0)
      continue;
    options->types[options->type_count++] = type;
    return options->type_count < BENCH_MAX_LIST ? 0 : -1;
  }
  return -1;
}

static int add_length(const char *word, void *input) {
  bench_options_t *options = input;
  uint64_t length;
  if (number_parse(word, 1, SIZE_MAX / 8, &length))
    return -1;
  options->lengths[options->length_count++] = (size_t)length;
  return options->length_count < BENCH_MAX_LIST ? 0 : -1;
}

/* Both applications of the name, where two suites have one. */
static int add_app(const char *word, void *input) {
  bench_options_t *options = input;
  int found = 0;
  for (int k = 0; apps_cases[k]; k++) {
    if (strcmp(word, apps_cases[k]->name) != 0 && strcmp(word, "all") != 0)
      continue;
    options->apps[options->app_count++] = apps_cases[k];
    found = 1;
    if (options->app_count == BENCH_MAX_LIST)
      return -1;
  }
  return found ? 0 : -1;
}

static int add_strategy(const char *word, void *input) {
  bench_options_t *options = input;
  const int strategy = bench_find_strategy(word);
  if (strategy < 0)
    return -1;
  options->strategies[options->strategy_count++] = (usw_strategy_t)strategy;
  return options->strategy_count < BENCH_MAX_LIST ? 0 : -1;
}

static int add_accuracy(const char *word, void *input) {
  bench_options_t *options = input;
  const int accuracy = bench_find_accuracy(word);
  if (accuracy < 0)
    return -1;
  options->accuracies[options->accuracy_count++] = (usw_accuracy_t)accuracy;
  return options->accuracy_count < BENCH_MAX_LIST ? 0 : -1;
}

static int add_teams(const char *word, void *input) {
  bench_options_t *options = input;
  uint64_t teams;
  if (number_parse(word, 1, 65535, &teams))
    return -1;
  options->teams[options->team_count++] = (uint32_t)teams;
  return options->team_count < BENCH_MAX_LIST ? 0 : -1;
}

static int add_peer(const char *word, void *input) {
  bench_options_t *options = input;
  for (int k = 0; bench_peer_names[k]; k++) {
    if (strcmp(word, bench_peer_names[k]) != 0 && strcmp(word, "on") != 0)
      continue;
    options->peers |= 1u << k;
    if (strcmp(word, "on") != 0)
      return 0;
  }
  return strcmp(word, "on") == 0 || strcmp(word, "off") == 0 ? 0 : -1;
}

int bench_parse_list(bench_list_t list, const char *text, bench_options_t *options) {
  static const struct {
    const char *option, *what;
    arguments_word_t add;
  } lists[] = {
      [BENCH_LIST_KERNELS] = {"kernels", "kernel", add_kernel},
      [BENCH_LIST_TYPES] = {"types", "type", add_type},
      [BENCH_LIST_APPS] = {"apps", "application", add_app},
      [BENCH_LIST_LENGTHS] = {"n", "size, written as " NUMBER_FORMS, add_length},
      [BENCH_LIST_STRATEGIES] = {"strategies", "strategy", add_strategy},
      [BENCH_LIST_ACCURACIES] = {"accuracies", "accuracy", add_accuracy},
      [BENCH_LIST_TEAMS] = {"teams", "number of teams from 1 to 65535, written as " NUMBER_FORMS, add_teams},
      [BENCH_LIST_PEERS] = {"peers", "peer", add_peer},
  };
  return arguments_list("usw-bench", lists[list].option, text, lists[list].what, lists[list].add, options);
}
