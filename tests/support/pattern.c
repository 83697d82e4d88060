#include "pattern.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef enum { ANY, FLOATING } types_t;

static const struct {
  const char *name;
  types_t types;
  int exact;
} patterns[] = {
#define PATTERN_ROW(name, types, exact) {#name, types, exact},
    PATTERNS(PATTERN_ROW)
#undef PATTERN_ROW
};

const char *pattern_name(pattern_t pattern) { return patterns[pattern].name; }
int pattern_is_exact(pattern_t pattern) { return patterns[pattern].exact; }
int pattern_fits(pattern_t pattern, usw_type_t type) {
  return patterns[pattern].types == ANY || type_is_floating(type);
}

enum { CLASS_INTEGER, CLASS_FLOATING };

size_t type_bytes(usw_type_t type) {
  switch (type) {
#define CASE(tag, CODE, code, T, sum, key, class)                                                                      \
  case USW_##CODE:                                                                                                     \
    return sizeof(T);
    USW_TYPES(CASE)
#undef CASE
  case USW_NO_TYPE:
    break;
  }
  abort();
}

const char *type_name(usw_type_t type) {
  switch (type) {
#define CASE(tag, CODE, code, T, sum, key, class)                                                                      \
  case USW_##CODE:                                                                                                     \
    return #tag;
    USW_TYPES(CASE)
#undef CASE
  case USW_NO_TYPE:
    break;
  }
  return "no type";
}

int type_is_floating(usw_type_t type) {
  switch (type) {
#define CASE(tag, CODE, code, T, sum, key, class)                                                                      \
  case USW_##CODE:                                                                                                     \
    return CLASS_##class == CLASS_FLOATING;
    USW_TYPES(CASE)
#undef CASE
  case USW_NO_TYPE:
    break;
  }
  abort();
}

/* A number that depends on i and seed only (splitmix64). */
static uint64_t mix(uint64_t i, uint64_t seed) {
  uint64_t z = i * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u + 0x632BE59BD9B4E019u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static double from_minus_one_to_one(uint64_t i, uint64_t seed) { return (double)(int64_t)mix(i, seed) * 0x1p-63; }

/* Patterns of small integers, the same for every type. */
static int small(pattern_t pattern, size_t i, size_t n) {
  switch (pattern) {
  case PATTERN_ramp:
    return (int)(i % 13) - 4;
  case PATTERN_equal:
    return 3;
  case PATTERN_ties:
    return (int)(mix(i, 0) % 3) - 1;
  case PATTERN_least_last:
    return i == n - 1 ? -3 : 5;
  case PATTERN_greatest_first:
    return i == 0 ? 6 : 5;
  default:
    return 0;
  }
}

static double one_special(size_t i, size_t at, double special, uint64_t seed) {
  return i == at ? special : from_minus_one_to_one(i, seed);
}

/* Element i; the limits are those of the type. */
static double real(pattern_t pattern, size_t i, size_t n, uint64_t seed, double largest, double tiniest) {
  static const double cancelling[] = {1e16, 1, -1e16, 0.5};
  const double random = from_minus_one_to_one(i, seed);
  switch (pattern) {
  case PATTERN_zeros:
    return i % 2 ? 0.0 : -0.0;
  case PATTERN_zeros_plus_first:
    return i == 0 ? 0.0 : -0.0;
  case PATTERN_random:
    return random;
  case PATTERN_extremes:
    return i % 2 ? largest : -largest;
  case PATTERN_cancelling:
    return cancelling[i % 4];
  case PATTERN_wide:
    return ldexp(random, (int)(mix(i, seed + 1) % 121) - 60);
  case PATTERN_subnormals:
    return tiniest * (double)(int64_t)(mix(i, seed) % 2001 - 1000);
  case PATTERN_nan_first:
    return one_special(i, 0, NAN, seed);
  case PATTERN_nan_middle:
    return one_special(i, n / 2, NAN, seed);
  case PATTERN_nan_last:
    return one_special(i, n - 1, -NAN, seed);
  case PATTERN_nan_often:
    return i % 3 == 1 ? (i % 2 ? NAN : -NAN) : random;
  case PATTERN_nan_all:
    return NAN;
  case PATTERN_infinity_plus:
    return one_special(i, n / 3, INFINITY, seed);
  case PATTERN_infinity_minus:
    return one_special(i, n - 1, -INFINITY, seed);
  case PATTERN_infinity_both:
    return i == n / 3 ? INFINITY : one_special(i, n / 2, -INFINITY, seed);
  case PATTERN_infinity_all:
    return INFINITY;
  default:
    return small(pattern, i, n);
  }
}

/* The bits of integer element i. */
static uint64_t bits(pattern_t pattern, size_t i, size_t n, uint64_t seed, uint64_t largest) {
  switch (pattern) {
  case PATTERN_random:
    return mix(i, seed);
  case PATTERN_extremes:
    return i % 3 ? largest : ~largest;
  default:
    return (uint64_t)(int64_t)small(pattern, i, n);
  }
}

void pattern_fill(pattern_t pattern, usw_type_t type, void *x, size_t n, uint64_t seed) {
  for (size_t i = 0; i < n; i++) {
    switch (type) {
    case USW_F64:
      ((double *)x)[i] = real(pattern, i, n, seed, DBL_MAX, DBL_TRUE_MIN);
      break;
    case USW_F32:
      ((float *)x)[i] = (float)real(pattern, i, n, seed, FLT_MAX, FLT_TRUE_MIN);
      break;
    case USW_I64:
      ((int64_t *)x)[i] = (int64_t)bits(pattern, i, n, seed, INT64_MAX);
      break;
    case USW_I32:
      ((int32_t *)x)[i] = (int32_t)(uint32_t)bits(pattern, i, n, seed, INT32_MAX);
      break;
    case USW_U8:
      ((uint8_t *)x)[i] = (uint8_t)bits(pattern, i, n, seed, UINT8_MAX);
      break;
    case USW_NO_TYPE:
      abort();
    }
  }
}
