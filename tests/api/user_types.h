/* Types and operators of the user kernels that tests run. */
#ifndef USW_TESTS_USER_TYPES_H
#define USW_TESTS_USER_TYPES_H

#include <math.h>
#include <stdint.h>

/* x -> a * x + b over the integers modulo 2^64. Maps that share their fixed point commute. */
typedef struct {
  uint64_t a, b;
} affine_t;

static inline affine_t affine_one(void) {
  const affine_t one = {1, 0};
  return one;
}

static inline affine_t compose(affine_t f, affine_t g) {
  const affine_t both = {f.a * g.a, f.a * g.b + f.b};
  return both;
}

/* A map for each number, of unlike fixed points: these do not commute. */
static inline affine_t affine_of(uint64_t i) {
  const affine_t map = {2 * i + 3, i};
  return map;
}

/* The map x -> a * (x - 7) + 7. */
static inline affine_t about_seven(uint64_t a) {
  const affine_t map = {a, 7 * (1 - a)};
  return map;
}

/* The first and the last item, and whether all between follow each other: no identity, any mistake in the order shows. */
typedef struct {
  uint64_t first, last;
  uint32_t broken;
} chain_t;

static inline chain_t follow(chain_t x, chain_t y) {
  const chain_t z = {x.first, y.last, x.broken + y.broken + (x.last + 1 != y.first)};
  return z;
}

static inline chain_t link_of(uint64_t i) {
  const chain_t z = {i, i, 0};
  return z;
}

/* Whichever is nearer to 10, the smaller of two equally near: no number is its identity. */
static inline double closer(double x, double y) {
  const double dx = fabs(x - 10), dy = fabs(y - 10);
  return dx < dy || (dx == dy && x < y) ? x : y;
}

/* Four bytes and a half of payload in a type with padding: what moves words must move all of it. */
typedef struct {
  uint8_t low;
  uint32_t sum;
  uint16_t high;
} padded_t;

static inline padded_t padded_zero(void) {
  const padded_t zero = {0, 0, 0};
  return zero;
}

static inline padded_t padded_add(padded_t x, padded_t y) {
  const padded_t sum = {(uint8_t)(x.low + y.low), x.sum + y.sum, (uint16_t)(x.high + y.high)};
  return sum;
}

#endif
