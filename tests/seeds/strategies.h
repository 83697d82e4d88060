/* Every way that a place has to run a call: what the seeds promise holds for each of them. */
#ifndef USW_TESTS_SEEDS_STRATEGIES_H
#define USW_TESTS_SEEDS_STRATEGIES_H

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_STRATEGIES = 1 + MOST_PLACE_STRATEGIES };

typedef struct {
  usw_options_t options[MOST_STRATEGIES]; /* of a call, by strategy; the first leaves the choice to the library */
  int count;
} strategies_t;

static inline strategies_t strategies_of(const test_place_t *place) {
  usw_strategy_t names[MOST_PLACE_STRATEGIES];
  const int count = place_strategies(place, names);
  strategies_t all;
  all.options[0] = place_options(place);
  all.count = 1;
  for (int s = 0; s < count; s++) {
    usw_options_t *options = &all.options[all.count++];
    *options = place_options(place);
    options->strategy = names[s];
    options->work_group_load = 1; /* of multipass: as many launches as there can be */
    options->accuracy = names[s] == USW_STRATEGY_CLAUSE ? USW_FAST : USW_REPEATABLE;
  }
  return all;
}

#endif
