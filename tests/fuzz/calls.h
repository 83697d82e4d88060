/* What fuzzers of calls share: places, and elements of any type. */
#ifndef USW_FUZZ_CALLS_H
#define USW_FUZZ_CALLS_H

#include "input.h"
#include "oracle/oracle.h"
#include "oracle/pattern.h"
#include "oracle/place.h"

/* The host or, as it takes ten times as long, less often the emulated GPU; chance.c names others in USW_FUZZ_PLACES.
 * The result is called from one thread. */
static inline const test_place_t *take_place(input_t *input) {
  static test_place_t places[4];
  static int count;
  const char *wanted = getenv("USW_FUZZ_PLACES");
  char names[200], *rest = NULL;
  if (count == 0) {
    snprintf(names, sizeof names, "%s", wanted ? wanted : "host,host,device:any");
    for (char *name = strtok_r(names, ",", &rest); name && count < 4; name = strtok_r(NULL, ",", &rest))
      count += place_find(name, &places[count]);
  }
  require(count > 0, "there is no such place");
  return &places[take_below(input, (uint64_t)count)];
}

/* n elements, to be freed: any bytes, a pattern, or few values that are hard, again and again. */
static inline void *take_elements(input_t *input, usw_type_t type, size_t n) {
  enum { FEW = 5 };
  const size_t bytes = type_bytes(type);
  const uint64_t kind = take_below(input, 4);
  uint8_t few[FEW * 16], *x = malloc(n * bytes + 1);
  if (kind > 1) {
    pattern_t pattern = (pattern_t)take_below(input, PATTERN_COUNT);
    if (!pattern_fits(pattern, type))
      pattern = PATTERN_random;
    pattern_fill(pattern, type, x, n, take_bytes(input, 2));
  } else if (kind == 1) {
    take_into(input, few, FEW * bytes);
    for (size_t k = 0; k < n; k++)
      memcpy(x + k * bytes, few + (k * 7 + k / 11) % FEW * bytes, bytes);
  } else {
    take_into(input, x, n * bytes);
  }
  for (size_t k = 0; type == USW_BOOL && k < n; k++)
    x[k] &= 1;
  return x;
}

/* Mostly few; now and then more than teams, tiles and blocks have. */
static inline size_t take_length(input_t *input) {
  const uint64_t kind = take_below(input, 8);
  return kind < 5 ? take_below(input, 70) : kind < 7 ? take_below(input, 1100) : take_below(input, 6000);
}

#endif
