#include "place.h"

#include <string.h>

enum { DEVICE_NUMBERS = 64 };

static int find_target(const char *wanted, test_place_t *place_out) {
  for (int number = 0; number < DEVICE_NUMBERS; number++) {
    const char *target = usw_device_target(number);
    if (target && (!wanted || strcmp(target, wanted) == 0)) {
      *place_out = (test_place_t){USW_DEVICE, number, target};
      return 1;
    }
  }
  return 0;
}

int place_find(const char *name, test_place_t *place_out) {
  static const char device[] = "device:";
  int gpu = -1;
  if (strcmp(name, "host") == 0) {
    *place_out = (test_place_t){USW_HOST, -1, "host"};
    return 1;
  }
  if (strncmp(name, device, sizeof device - 1) != 0)
    return 0;
  const char *target = name + sizeof device - 1;
  if (strcmp(target, "gpu") != 0)
    return find_target(strcmp(target, "any") == 0 ? NULL : target, place_out);
  if (usw_gpu_count(&gpu) == 0)
    return 0;
  *place_out = (test_place_t){USW_DEVICE, gpu, usw_device_target(gpu)};
  return 1;
}

usw_options_t place_options(const test_place_t *place) {
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  options.place = place->place;
  options.device = place->device;
  return options;
}

int place_strategies(const test_place_t *place, usw_strategy_t strategies_out[MOST_PLACE_STRATEGIES]) {
  static const usw_strategy_t of_devices[] = {USW_STRATEGY_TREE, USW_STRATEGY_HOST_FINISH, USW_STRATEGY_MULTIPASS,
                                              USW_STRATEGY_CLAUSE};
  strategies_out[0] = USW_STRATEGY_HOST;
  if (place->place == USW_HOST)
    return 1;
  memcpy(strategies_out, of_devices, sizeof of_devices);
  return MOST_PLACE_STRATEGIES - (strcmp(place->target, "simt") == 0); /* which has no clause */
}

static const struct {
  const char *name;
  usw_strategy_t strategy;
} strategies[] = {{"auto", USW_AUTO_STRATEGY},     {"host", USW_STRATEGY_HOST},
                  {"tree", USW_STRATEGY_TREE},     {"host_finish", USW_STRATEGY_HOST_FINISH},
                  {"clause", USW_STRATEGY_CLAUSE}, {"tree_atomic", USW_STRATEGY_TREE_ATOMIC},
                  {"atomic", USW_STRATEGY_ATOMIC}, {"multipass", USW_STRATEGY_MULTIPASS}};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

int strategy_find(const char *name, usw_strategy_t *strategy_out) {
  for (int k = 0; k < STRATEGIES; k++)
    if (strcmp(strategies[k].name, name) == 0) {
      *strategy_out = strategies[k].strategy;
      return 1;
    }
  return 0;
}

const char *strategy_name(usw_strategy_t strategy) {
  for (int k = 0; k < STRATEGIES; k++)
    if (strategies[k].strategy == strategy)
      return strategies[k].name;
  return "no strategy";
}
