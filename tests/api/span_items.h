/* What tests of large spans share: items, which combine by keys that fall in several ways, and numbers of all bits. */
#ifndef USW_TESTS_SPAN_ITEMS_H
#define USW_TESTS_SPAN_ITEMS_H

#include <stdint.h>
#include <string.h>

#include "oracle/memory.h"
#include "support/place.h"

enum { MOST_ITEMS = (1 << 17) + 77 };

static uint32_t keys[MOST_ITEMS];
static test_place_t place;
static place_memory_t keys_there;

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* How often item i combines, and where: up to `most` times, now and then not at all. */
static inline uint32_t times_of(size_t i, uint32_t most) { return i % 7 == 3 ? 0 : 1 + (uint32_t)(i % 5) % most; }
static inline uint32_t cell_of(uint32_t key, uint32_t k, uint32_t extent) { return (key + 3 * k) % extent; }

/* A double of 53 bits by chance, from 2 to the power of -range on, or 0. */
static inline double number_of(size_t i, uint32_t range) {
  const uint64_t fraction = (uint64_t)i * 0x9e3779b97f4a7c15u >> 12, exponent = 1023 - range + i % (2 * range + 1);
  const uint64_t bits = (uint64_t)(i % 3 == 0) << 63 | exponent << 52 | fraction;
  double number;
  memcpy(&number, &bits, sizeof number);
  return i % 11 == 5 ? 0 : number;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#define VALUE_TO_COMPARE(i) ((float)((i) * 7919 % 10007) - 5000)

typedef enum { UNIFORM, ALL_EQUAL, SORTED, TWO_KEYS, PATTERNS } pattern_t;
static const char *const pattern_names[] = {"uniform", "all equal", "sorted", "two keys"};

static void set_keys(pattern_t pattern) {
  for (size_t i = 0; i < MOST_ITEMS; i++)
    keys[i] = pattern == UNIFORM     ? (uint32_t)(i * 0x9e3779b97f4a7c15u >> 33)
              : pattern == ALL_EQUAL ? 3
              : pattern == SORTED    ? (uint32_t)(i / 5)
                                     : (uint32_t)(i & 1);
  if (keys_there.data)
    memory_free(&keys_there);
  keys_there = memory_get(&place, keys, sizeof keys, 0);
}

#endif
