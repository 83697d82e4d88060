#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

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
