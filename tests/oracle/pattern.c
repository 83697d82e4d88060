#include "pattern.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>

typedef enum { ANY, INTEGERS, REALS } types_t;

static const struct {
  const char *name;
  types_t types;
  int exact;
} patterns[] = {
#define PATTERN_ROW(name, types, exact) {#name, types, exact},
    PATTERNS(PATTERN_ROW)
#undef PATTERN_ROW
};

/* What types.def does not say: codes of sums and norms, epsilon, largest, least normal and tiniest number. */
#define FLOATING_FACTS(sum_code, real_code, e, most, normal, least)                                                    \
  .sum = sum_code, .real = real_code, .epsilon = e, .largest = most, .least_normal = normal, .tiniest = least
#define FACTS_F16 FLOATING_FACTS(USW_F32, USW_F32, 0x1p-10, 65504, 0x1p-14, 0x1p-24)
#define FACTS_BF16 FLOATING_FACTS(USW_F32, USW_F32, 0x1p-7, 0x1.FEp127, 0x1p-126, 0x1p-133)
#define FACTS_F32 FLOATING_FACTS(USW_F32, USW_F32, FLT_EPSILON, FLT_MAX, FLT_MIN, FLT_TRUE_MIN)
#define FACTS_F64 FLOATING_FACTS(USW_F64, USW_F64, DBL_EPSILON, DBL_MAX, DBL_MIN, DBL_TRUE_MIN)
#define FACTS_CF32 FLOATING_FACTS(USW_CF32, USW_F32, FLT_EPSILON, FLT_MAX, FLT_MIN, FLT_TRUE_MIN)
#define FACTS_CF64 FLOATING_FACTS(USW_CF64, USW_F64, DBL_EPSILON, DBL_MAX, DBL_MIN, DBL_TRUE_MIN)
#define INTEGER_FACTS(T) .is_signed = (T) - 1 < (T)1, .sum = (T) - 1 < (T)1 ? USW_I64 : USW_U64

static const type_facts_t facts[] = {
#define FACTS(tag, CODE, code, T, value, sum_type, real_type, key, class, ...)                                         \
  [code] = {.name = #tag,                                                                                              \
            .bytes = sizeof(T),                                                                                        \
            .class_of = CLASS_##class,                                                                                 \
            USW_HAS_INTEGER_##class(INTEGER_FACTS(T)) USW_HAS_CONTINUOUS_##class(FACTS_##CODE)},
    USW_TYPES(FACTS, )
#undef FACTS
};

const type_facts_t *type_facts(usw_type_t type) {
  const int is_known = (unsigned)type < sizeof facts / sizeof *facts && facts[type].name;
  return is_known ? &facts[type] : NULL;
}

size_t type_bytes(usw_type_t type) { return facts[type].bytes; }
const char *type_name(usw_type_t type) { return type_facts(type) ? facts[type].name : "no type"; }

int type_is_floating(usw_type_t type) {
  const type_class_t class_of = facts[type].class_of;
  return class_of == CLASS_HALF || class_of == CLASS_FLOATING || class_of == CLASS_COMPLEX;
}

const char *pattern_name(pattern_t pattern) { return patterns[pattern].name; }
int pattern_is_exact(pattern_t pattern) { return patterns[pattern].exact; }
int pattern_fits(pattern_t pattern, usw_type_t type) {
  const types_t types = patterns[pattern].types;
  return types == ANY || (types == REALS ? type_is_floating(type) : facts[type].class_of == CLASS_INTEGER);
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
  case PATTERN_signs:
    return mix(i, 5) % 2 ? 1 : -1;
  case PATTERN_one_zero:
    return i == n / 2 ? 0 : 3;
  case PATTERN_one_nonzero:
    return i == n / 2 ? 5 : 0;
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

/* Most are 1 or -1, so that a product of any number of them stays in the range of a float. */
static double near_one(size_t i, size_t n, uint64_t seed) {
  enum { OTHERS = 4000 };
  const double other = mix(i, seed + 2) % (n + 1) < OTHERS ? from_minus_one_to_one(i, seed + 1) / 128 : 0;
  return mix(i, seed) % 2 ? 1 + other : -1 - other;
}

/* Element i of a pattern of numbers among which some are none. */
static double special(pattern_t pattern, size_t i, size_t n, uint64_t seed) {
  switch (pattern) {
  case PATTERN_nan_first:
    return one_special(i, 0, NAN, seed);
  case PATTERN_nan_middle:
    return one_special(i, n / 2, NAN, seed);
  case PATTERN_nan_last:
    return one_special(i, n - 1, -NAN, seed);
  case PATTERN_nan_often:
    return i % 3 == 1 ? (i % 2 ? NAN : -NAN) : from_minus_one_to_one(i, seed);
  case PATTERN_nan_all:
    return NAN;
  case PATTERN_infinity_plus:
    return one_special(i, n / 3, INFINITY, seed);
  case PATTERN_infinity_minus:
    return one_special(i, n - 1, -INFINITY, seed);
  case PATTERN_infinity_both:
    return i == n / 3 ? INFINITY : one_special(i, n / 2, -INFINITY, seed);
  case PATTERN_infinity_near_one:
    return i == n / 3 ? INFINITY : near_one(i, n, seed);
  default:
    return INFINITY;
  }
}

/* Element i of a pattern of floating numbers, by the limits of its type. */
static double real(pattern_t pattern, size_t i, size_t n, uint64_t seed, const type_facts_t *f) {
  const double random = from_minus_one_to_one(i, seed);
  const int is_narrow = f->largest < 0x1p16; /* f16 holds neither 1e16 nor 2^60 */
  const double huge = is_narrow ? 0x1p14 : f->largest * 0x1p-27, tiny = f->least_normal * (is_narrow ? 2 : 0x1p27);
  /* No power of two: chains, which take every so many items, would have numbers that cancel meet each other. */
  const double cancelling[] = {is_narrow ? 60000 : 1e16, 1, is_narrow ? -60000 : -1e16, 0.5, 0.25};
  switch (pattern) {
  case PATTERN_offset:
    return fmin(1e9, 1 / f->epsilon) + small(PATTERN_ramp, i, n);
  case PATTERN_zeros:
    return i % 2 ? 0.0 : -0.0;
  case PATTERN_zeros_plus_first:
    return i == 0 ? 0.0 : -0.0;
  case PATTERN_zeros_minus_last:
    return i + 1 < n ? 0.0 : -0.0;
  case PATTERN_random:
    return random;
  case PATTERN_near_one:
    return near_one(i, n, seed);
  case PATTERN_extremes:
    return i % 2 ? f->largest : -f->largest;
  case PATTERN_cancelling:
    return cancelling[i % 5];
  case PATTERN_wide:
    return ldexp(random, is_narrow ? (int)(mix(i, seed + 1) % 27) - 13 : (int)(mix(i, seed + 1) % 121) - 60);
  case PATTERN_huge:
    return random * huge;
  case PATTERN_tiny:
    return (random > 0 ? random + 1 : random - 1) * tiny;
  case PATTERN_huge_and_tiny:
    return random * (mix(i, seed + 1) % 2 ? huge : tiny);
  case PATTERN_root_of_largest:
    return sqrt(f->largest) * ldexp(random > 0 ? random + 1 : random - 1, (int)(mix(i, seed + 1) % 5) - 3);
  case PATTERN_root_of_least:
    return sqrt(f->least_normal) * ldexp(random > 0 ? random + 1 : random - 1, (int)(mix(i, seed + 1) % 5) - 13);
  case PATTERN_subnormals:
    return f->tiniest * ((double)(mix(i, seed) % 101) - 50);
  case PATTERN_near_largest:
    return f->largest / (double)n * (0.75 + random / 8);
  case PATTERN_over_largest:
    return f->largest * (0.5 + fabs(random) / 4);
  default:
    return pattern >= PATTERN_nan_first ? special(pattern, i, n, seed) : small(pattern, i, n);
  }
}

/* The bits of integer element i. */
static uint64_t bits(pattern_t pattern, size_t i, size_t n, uint64_t seed, const type_facts_t *f) {
  const uint64_t ones = UINT64_MAX >> (64 - 8 * f->bytes), largest = f->is_signed ? ones >> 1 : ones;
  switch (pattern) {
  case PATTERN_offset:
    return (f->bytes > 2 ? 1000000000 : 100) + (uint64_t)(int64_t)small(PATTERN_ramp, i, n);
  case PATTERN_one_clear:
    return i == n / 3 ? mix(i, seed) : UINT64_MAX;
  case PATTERN_random:
    return mix(i, seed);
  case PATTERN_near_one:
    return mix(i, seed) | 1;
  case PATTERN_extremes:
    return i % 3 ? largest : ~largest;
  default:
    return (uint64_t)(int64_t)small(pattern, i, n);
  }
}

/* A NaN of any payload, quiet or signalling, as bits of a type of that size. */
static uint64_t nan_bits(double nan, uint64_t i, int type_bits, int fraction_bits) {
  const uint64_t sign = (uint64_t)1 << (type_bits - 1), hidden = (uint64_t)1 << fraction_bits;
  const uint64_t payload = mix(i, 7) & (hidden - 1);
  return (sign - hidden) | (payload ? payload : 1) | (signbit(nan) ? sign : 0);
}

static void store_real(usw_type_t type, void *at, double value, size_t i) {
  const int is_nan = isnan(value);
  uint64_t as_bits = 0;
  if (type == USW_F16) {
    as_bits = is_nan ? nan_bits(value, i, 16, 10) : usw_float_to_f16((float)value).bits;
  } else if (type == USW_BF16) {
    as_bits = is_nan ? nan_bits(value, i, 16, 7) : usw_float_to_bf16((float)value).bits;
  } else if (type == USW_F32) {
    const float narrow = (float)value;
    memcpy(&as_bits, &narrow, sizeof narrow);
    as_bits = is_nan ? nan_bits(value, i, 32, 23) : as_bits;
  } else {
    memcpy(&as_bits, &value, sizeof value);
    as_bits = is_nan ? nan_bits(value, i, 64, 52) : as_bits;
  }
  memcpy(at, &as_bits, facts[type].bytes); /* the low bytes come first: tests run on little-endian machines */
}

/* The imaginary part of element i. Beside numbers close to 1 it is close to 0, so that the modulus is close to 1. */
static double imaginary(pattern_t pattern, size_t i, size_t n, uint64_t seed, const type_facts_t *f) {
  const double part = real(pattern, n - 1 - i, n, seed + 9, f);
  const int is_near_one = pattern == PATTERN_near_one || pattern == PATTERN_infinity_near_one;
  return is_near_one && isfinite(part) ? part - copysign(1, part) : part;
}

void pattern_fill(pattern_t pattern, usw_type_t type, void *x, size_t n, uint64_t seed) {
  const type_facts_t *f = &facts[type];
  for (size_t i = 0; i < n; i++) {
    char *at = (char *)x + i * f->bytes;
    if (f->class_of == CLASS_COMPLEX) {
      store_real(f->real, at, real(pattern, i, n, seed, f), i);
      store_real(f->real, at + f->bytes / 2, imaginary(pattern, i, n, seed, f), i + 1);
    } else if (type_is_floating(type))
      store_real(type, at, real(pattern, i, n, seed, f), i);
    else if (f->class_of == CLASS_BOOLEAN)
      *at = (char)(bits(pattern, i, n, seed, f) != 0);
    else {
      const uint64_t integer = bits(pattern, i, n, seed, f);
      memcpy(at, &integer, f->bytes);
    }
  }
}
