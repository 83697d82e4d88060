/* Every way that a place has to run a call: what the seeds promise holds for each of them. */
#ifndef USW_TESTS_SEEDS_STRATEGIES_H
#define USW_TESTS_SEEDS_STRATEGIES_H

#include "support/check.h"
#include "support/memory.h"

enum { MOST_STRATEGIES = 5 };

typedef struct {
  usw_options_t options[MOST_STRATEGIES]; /* of a call, by strategy; the first leaves the choice to the library */
  int count;
} strategies_t;

static inline strategies_t strategies_of(const test_place_t *place) {
  const int is_host = place->place == USW_HOST;
  const int is_simt = place->target[0] == 's'; /* has no clause */
  const int first = is_host ? USW_STRATEGY_HOST : USW_STRATEGY_TREE;
  const int last = is_host ? first : is_simt ? USW_STRATEGY_HOST_FINISH : USW_STRATEGY_CLAUSE;
  strategies_t all;
  all.options[0] = place_options(place);
  all.count = 1;
  for (int s = first; s <= last; s++) {
    usw_options_t *options = &all.options[all.count++];
    *options = place_options(place);
    options->strategy = (usw_strategy_t)s;
    options->accuracy = s == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  }
  return all;
}

#endif
