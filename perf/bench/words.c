/* Names of strategies and accuracies. */
#include "bench.h"

#include <string.h>

static const char *const strategies[] = {
    [USW_AUTO_STRATEGY] = "auto",     [USW_STRATEGY_HOST] = "host",
    [USW_STRATEGY_TREE] = "tree",     [USW_STRATEGY_HOST_FINISH] = "host_finish",
    [USW_STRATEGY_CLAUSE] = "clause", [USW_STRATEGY_TREE_ATOMIC] = "tree_atomic",
    [USW_STRATEGY_ATOMIC] = "atomic", [USW_STRATEGY_MULTIPASS] = "multipass",
};
static const char *const accuracies[] = {
    [USW_REPEATABLE] = "repeatable",     [USW_FAST] = "fast",   [USW_COMPENSATED] = "compensated",
    [USW_REPRODUCIBLE] = "reproducible", [USW_EXACT] = "exact",
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies, ACCURACIES = sizeof accuracies / sizeof *accuracies };

static int find(const char *const *words, int count, const char *word) {
  for (int k = 0; k < count; k++)
    if (words[k] && strcmp(words[k], word) == 0)
      return k;
  return -1;
}

const char *bench_strategy_name(usw_strategy_t strategy) {
  return (int)strategy < STRATEGIES && strategies[strategy] ? strategies[strategy] : "";
}

const char *bench_accuracy_name(usw_accuracy_t accuracy) {
  return (int)accuracy < ACCURACIES ? accuracies[accuracy] : "";
}

int bench_find_strategy(const char *word) { return find(strategies, STRATEGIES, word); }
int bench_find_accuracy(const char *word) { return find(accuracies, ACCURACIES, word); }
