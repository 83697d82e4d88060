#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

int is_quick_tier(void) {
  const char *tier = getenv("USW_TEST_TIER");
  return tier && strcmp(tier, "quick") == 0;
}

int place_has_families(const test_place_t *place, usw_type_t type) {
#ifdef USW_FAMILIES_ON_DEVICES
  static const usw_type_t types[] = {USW_FAMILIES_ON_DEVICES};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++)
    if (types[t] == type)
      return 1;
  return place->place == USW_HOST;
#else
  (void)place, (void)type;
  return 1;
#endif
}

int is_sanitized(void) { return IS_SANITIZED; }

int takes_next(unsigned share) {
  static uint64_t turn;
  return (turn++ * 0x9e3779b97f4a7c15u >> 33) % share == 0 || !is_quick_tier();
}

int place_takes_next(const test_place_t *place, unsigned share) {
  const int is_slow = IS_SANITIZED || strcmp(place->target, "simt") == 0 || strcmp(place->target, "x86_64") == 0;
  return takes_next(is_slow ? share : 1);
}

int simt_takes_next(const test_place_t *place, unsigned share) {
  return takes_next(strcmp(place->target, "simt") == 0 ? share : 1);
}

test_place_t place_of_arguments(int argc, char **argv) {
  const char *name = "host";
  test_place_t place = {USW_HOST, -1, "host"};
  for (int k = 1; k + 1 < argc; k++)
    if (strcmp(argv[k], "--place") == 0)
      name = argv[k + 1];
  if (!place_find(name, &place))
    exit(check_skip("there is no %s here", name));
  return place;
}

int places_like(const test_place_t *place, test_place_t *others_out, int most) {
  enum { DEVICES = 64 };
  int count = 0;
  for (int device = 0; place->place != USW_HOST && device < DEVICES && count < most; device++) {
    const char *target = usw_device_target(device);
    if (target && device != place->device && strcmp(target, place->target) == 0)
      others_out[count++] = (test_place_t){USW_DEVICE, device, target};
  }
  return count;
}
