/* The strategies in words, as tuning files, environment and messages have them. */
#ifndef USWI_BASE_STRATEGY_H
#define USWI_BASE_STRATEGY_H

#include <string.h>
#include <upsweep/options.h>

enum { USWI_STRATEGIES = USW_STRATEGY_MULTIPASS + 1 };

static inline const char *uswi_strategy_name(usw_strategy_t strategy) {
  static const char *const names[USWI_STRATEGIES] = {
      [USW_AUTO_STRATEGY] = "auto",     [USW_STRATEGY_HOST] = "host",
      [USW_STRATEGY_TREE] = "tree",     [USW_STRATEGY_HOST_FINISH] = "host_finish",
      [USW_STRATEGY_CLAUSE] = "clause", [USW_STRATEGY_TREE_ATOMIC] = "tree_atomic",
      [USW_STRATEGY_ATOMIC] = "atomic", [USW_STRATEGY_MULTIPASS] = "multipass"};
  return names[strategy];
}

/* The strategy of a word; -1: it is none. */
static inline int uswi_strategy_named(const char *word, size_t length) {
  for (int s = 0; s < USWI_STRATEGIES; s++) {
    const char *name = uswi_strategy_name((usw_strategy_t)s);
    if (strlen(name) == length && strncmp(name, word, length) == 0)
      return s;
  }
  return -1;
}

#endif
