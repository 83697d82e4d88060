#include "hard_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>

/* Binary digits of a number, the exponents of the last digit of the least and of the first digit of the largest one. */
typedef struct {
  int digits, least, most;
} numbers_t;

static numbers_t numbers_of_type(usw_type_t type) {
  switch (type) {
  case USW_F16:
    return (numbers_t){11, -24, 15};
  case USW_BF16:
    return (numbers_t){8, -133, 127};
  case USW_F32:
  case USW_CF32:
    return (numbers_t){24, -149, 127};
  default:
    return (numbers_t){53, -1074, 1023};
  }
}

const char *hard_name(hard_set_t set) {
  static const char *const names[] = {
#define HARD_NAME(name) #name,
      HARD_SETS(HARD_NAME)
#undef HARD_NAME
  };
  return names[set];
}

int hard_fits(hard_set_t set, usw_type_t type) {
  switch (type) {
  case USW_F64:
  case USW_CF64:
    return 1;
  case USW_F32:
  case USW_CF32:
  case USW_BF16:
    return set != HARD_low_scale && set != HARD_high_scale; /* which no float needs */
  case USW_F16:
    return set < HARD_ties || set > HARD_high_scale; /* all numbers fit one bin */
  case USW_I64:
    return set == HARD_unit;
  default:
    return 0;
  }
}

/* A number that depends on i and seed only (splitmix64). */
static uint64_t mix(uint64_t i, uint64_t seed) {
  uint64_t z = i * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u + 0x632BE59BD9B4E019u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* A positive number of exactly so many random digits, the last of which is worth 2^last. */
static double positive(uint64_t random, int digits, int last) {
  return ldexp((double)(random >> (64 - digits) | (uint64_t)1 << (digits - 1)), last);
}
static double with_sign_of(uint64_t random, double x) { return random & 1 ? -x : x; }

static double unit(uint64_t random, numbers_t f) {
  const uint64_t magnitude = random >> (64 - f.digits);
  return with_sign_of(random, ldexp((double)magnitude, -f.digits));
}

/* Pairs from both ends cancel, but for one in 32 and the one in the middle, which are small and positive. */
static double cancelling(size_t i, size_t n, uint64_t seed, numbers_t f) {
  const size_t pair = i < n / 2 ? i : n - 1 - i;
  const int small = f.least + f.digits - 1 > -48 ? f.least + f.digits - 1 : -48;
  if (pair % 32 == 3 || 2 * i + 1 == n)
    return positive(mix(i, seed), f.digits, small - f.digits + 1);
  const double x = with_sign_of(mix(pair, seed), positive(mix(pair, seed), f.digits, f.most > 15 ? 1 - f.digits : 0));
  return i < n / 2 ? x : -x;
}

static double of_whole_range(uint64_t random, uint64_t other, numbers_t f) {
  const int last = f.least + (int)(other % (uint64_t)(f.most - 24 - f.digits + 2 - f.least));
  const int digits = other >> 60 == 0 ? 1 + (int)(other >> 32) % f.digits : f.digits;
  return with_sign_of(random, positive(random, digits, last));
}

/* Pairs from both ends cancel and have windows whose lowest unit is 1 (doubles) or 2^40; others are odd halves of it. */
static double tie(size_t i, size_t n, uint64_t seed, numbers_t f) {
  const size_t pair = i < n / 2 ? i : n - 1 - i;
  const uint64_t random = mix(pair, seed), other = mix(i, seed + 1);
  if (random >> 62 != 0 || 2 * i + 1 == n)
    return with_sign_of(other, ldexp((double)((other >> 32 & 0x7f) | 1), f.digits == 53 ? -1 : 39));
  const double x = with_sign_of(random, positive(random, f.digits, 90 - f.digits));
  return i < n / 2 ? x : -x;
}

/* Positive numbers below 2^many, and one below 2^one. */
static double one_large(size_t i, size_t n, uint64_t seed, numbers_t f, int many, int one) {
  return positive(mix(i, seed), f.digits, (i == n / 2 ? one : many) - f.digits);
}

static double element(hard_set_t set, size_t i, size_t n, uint64_t seed, numbers_t f) {
  const uint64_t random = mix(i, seed);
  switch (set) {
  case HARD_condition_1e16:
    return cancelling(i, n, seed, f);
  case HARD_whole_range:
    return of_whole_range(random, mix(i, seed + 1), f);
  case HARD_subnormals:
    return with_sign_of(random, ldexp((double)(random >> (65 - f.digits)), f.least));
  case HARD_largest: {
    const double x = positive(random, f.digits, f.most - f.digits + 1 - (int)(random % 12));
    return i % 2 ? -x : x;
  }
  case HARD_ties:
    return tie(i, n, seed, f);
  case HARD_one_large:
    return one_large(i, n, seed, f, 39, 71);
  case HARD_low_scale:
    return n % 2 ? one_large(i, n, seed, f, -640, -569) : one_large(i, n, seed, f, -320, -285);
  case HARD_high_scale:
    return n % 2 ? one_large(i, n, seed, f, 870, 900) : one_large(i, n, seed, f, 435, 450);
  case HARD_one_infinity:
    return i == n / 3 ? INFINITY : unit(random, f);
  case HARD_both_infinities:
    return i == n / 3 ? INFINITY : i == n / 2 ? -INFINITY : unit(random, f);
  case HARD_one_nan:
    return i == n / 2 ? NAN : unit(random, f);
  case HARD_zeros:
    return n % 2 ? -0.0 : with_sign_of(random, 0);
  default:
    return unit(random, f);
  }
}

/* What the second stream is, so that products are as hard. */
static double factor(hard_set_t set, size_t i, size_t n, uint64_t seed, numbers_t f) {
  const size_t pair = i < n / 2 ? i : n - 1 - i;
  switch (set) {
  case HARD_condition_1e16: /* the same at both ends: products cancel as well */
    return positive(mix(pair, seed), f.digits, -f.digits);
  case HARD_ties:
    return with_sign_of(mix(pair, seed), 1);
  case HARD_one_large:
  case HARD_low_scale:
  case HARD_high_scale:
    return positive(mix(i, seed), f.digits, 1 - f.digits);
  default:
    return unit(mix(i, seed), f);
  }
}

static void put(usw_type_t type, char *at, double x) {
  const float single = (float)x;
  const usw_f16_t half = usw_float_to_f16(single);
  const usw_bf16_t brain = usw_float_to_bf16(single);
  if (type == USW_F64 || type == USW_CF64)
    memcpy(at, &x, sizeof x);
  else if (type == USW_F32 || type == USW_CF32)
    memcpy(at, &single, sizeof single);
  else if (type == USW_F16)
    memcpy(at, &half, sizeof half);
  else
    memcpy(at, &brain, sizeof brain);
}

static void fill(hard_set_t set, usw_type_t type, char *x, size_t n, int is_second) {
  const numbers_t f = numbers_of_type(type);
  const size_t bytes = type_bytes(type);
  const int parts = type == USW_CF64 || type == USW_CF32 ? 2 : 1;
  for (size_t i = 0; i < n * (size_t)parts; i++) {
    /* Imaginary parts are as the real ones, but for what is no number: there is one in all. */
    const int is_imaginary = parts == 2 && i % 2;
    const hard_set_t of_part = is_imaginary && set >= HARD_one_infinity && set <= HARD_one_nan ? HARD_unit : set;
    const uint64_t seed = 10 + 2 * (uint64_t)is_imaginary + 100 * (uint64_t)is_second;
    const size_t item = i / (size_t)parts;
    char *at = x + i * (bytes / (size_t)parts);
    if (type == USW_I64) {
      const uint64_t integer = mix(item, seed);
      memcpy(at, &integer, sizeof integer);
    } else {
      put(type, at, is_second ? factor(of_part, item, n, seed, f) : element(of_part, item, n, seed, f));
    }
  }
}

static char *allocate(size_t bytes) {
  char *memory = malloc(bytes + 1);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

static items_t no_items(usw_type_t type, size_t n) {
  const size_t bytes = n * type_bytes(type);
  return (items_t){.type = type, .n = n, .x = allocate(bytes), .y = allocate(bytes)};
}

items_t hard_items(hard_set_t set, usw_type_t type, size_t n) {
  const items_t items = no_items(type, n);
  fill(set, type, items.x, n, 0);
  fill(set, type, items.y, n, 1);
  return items;
}

static number_t *numbers_made(usw_type_t type, const void *elements, size_t n) {
  number_t *numbers = malloc((n + 1) * sizeof *numbers);
  if (!numbers)
    exit(1);
  numbers_of(type, elements, n, numbers);
  return numbers;
}

void hard_numbers(items_t *items) {
  items->numbers_of_x = numbers_made(items->type, items->x, items->n);
  items->numbers_of_y = numbers_made(items->type, items->y, items->n);
}

items_t hard_shuffled(const items_t *items, uint64_t seed) {
  const items_t shuffled = no_items(items->type, items->n);
  const size_t n = items->n, bytes = type_bytes(items->type);
  size_t *order = (size_t *)(void *)allocate(n * sizeof *order);
  for (size_t i = 0; i < n; i++)
    order[i] = seed ? i : n - 1 - i;
  for (size_t i = n; seed && i > 1; i--) { /* Fisher, Yates */
    const size_t other = (size_t)(mix(i, 1000 + seed) % i), last = order[i - 1];
    order[i - 1] = order[other];
    order[other] = last;
  }
  for (size_t i = 0; i < n; i++) {
    memcpy((char *)shuffled.x + i * bytes, (const char *)items->x + order[i] * bytes, bytes);
    memcpy((char *)shuffled.y + i * bytes, (const char *)items->y + order[i] * bytes, bytes);
  }
  free(order);
  return shuffled;
}
