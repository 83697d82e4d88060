/* What kernels by chance (kernels.py) share: types and operators of a user's own, and the calls of a kernel, which
 * are the same for all and compared with its plain loop. All values are whole numbers that sums of floats hold
 * exactly, so that results have to be equal in any order. */
#ifndef USW_FUZZ_KERNEL_CHECK_H
#define USW_FUZZ_KERNEL_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/team.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_STREAMS = 8, MOST_REDUCERS = 8, ARRAY_ELEMENTS = 64, MOST_VARIABLES_BYTES = 1 << 16 };

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* x -> a * x + b modulo 2^32: composing keeps an order. */
typedef struct {
  uint32_t a, b;
} map_t;
static inline map_t map_of(uint32_t a, uint32_t b) { return (map_t){a, b}; }
static inline map_t map_one(void) { return (map_t){1, 0}; }
static inline map_t map_then(map_t f, map_t g) { return (map_t){f.a * g.a, f.a * g.b + f.b}; }

/* Types with padding, of 16, 12 and 3 bytes. */
typedef struct {
  uint8_t low;
  uint64_t high;
} padded_t;
static inline padded_t padded_of(uint8_t low, uint64_t high) { return (padded_t){low, high}; }
static inline padded_t padded_zero(void) { return (padded_t){0, 0}; }
static inline padded_t padded_add(padded_t x, padded_t y) {
  return (padded_t){(uint8_t)(x.low + y.low), x.high + y.high};
}
typedef struct {
  int32_t a, b, c;
} triple_t;
static inline triple_t triple_of(int32_t a, int32_t b, int32_t c) { return (triple_t){a, b, c}; }
static inline triple_t triple_least(void) { return (triple_t){INT32_MAX, INT32_MIN, 0}; }
static inline triple_t triple_join(triple_t x, triple_t y) {
  return (triple_t){x.a < y.a ? x.a : y.a, x.b > y.b ? x.b : y.b, x.c ^ y.c};
}
typedef struct {
  uint8_t bits[3];
} small_t;
static inline small_t small_of(uint8_t x, uint8_t y, uint8_t z) { return (small_t){{x, y, z}}; }
static inline small_t small_none(void) { return (small_t){{0, 0, 0}}; }
static inline small_t small_join(small_t x, small_t y) {
  return (small_t){
      {(uint8_t)(x.bits[0] | y.bits[0]), (uint8_t)(x.bits[1] + y.bits[1]), (uint8_t)(x.bits[2] ^ y.bits[2])}};
}

/* Which of two numbers comes first in an order of its own, and nothing comes before all: no identity. */
static inline int32_t earlier(int32_t x, int32_t y) {
  return (uint32_t)x * 2654435761u < (uint32_t)y * 2654435761u ? x : y;
}
static inline double nearer(double x, double y) {
  const double dx = fabs(x - 10), dy = fabs(y - 10);
  return dx < dy || (dx == dy && x < y) ? x : y;
}
static inline usw_cf64_t cf64_of(double re, double im) {
  usw_cf64_t z = 0;
  __real__ z = re;
  __imag__ z = im;
  return z;
}
static inline usw_cf32_t cf32_of(float re, float im) {
  usw_cf32_t z = 0;
  __real__ z = re;
  __imag__ z = im;
  return z;
}
/* Numbers of any type as 64 bits, in which expressions are computed, modulo 2^64. */
#define WORD(x) ((uint64_t)(int64_t)(x))
/* A number between -m and m, of such bits. */
#define NARROW(word, m) ((int64_t)(word) % ((m) + 1))
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* One call: where its items lie, and what of it the plain loop has. */
typedef struct {
  const test_place_t *place;
  size_t n;
  usw_space_t space;
  ptrdiff_t stride[MOST_STREAMS];
  const void *in[MOST_STREAMS], *in_on_host[MOST_STREAMS]; /* of item 0 */
  void *out[MOST_STREAMS], *out_on_host[MOST_STREAMS];
  const int32_t *array, *array_on_host;
  int64_t value[2];
  size_t extent[MOST_REDUCERS]; /* of spans whose extent comes with the call */
  const usw_options_t *options;
  usw_plan_t *plan; /* NULL: a call without */
} job_t;

typedef struct {
  const char *name;
  int dimensions, inputs, outputs, reducers, has_identities, is_ordered, has_accuracy;
  const char *stream_types;    /* a letter each: b B h H i I l L of whole numbers, f d; inputs, then outputs */
  const size_t *fixed_extents; /* of each reducer: 0 of a variable, 1 where the extent comes with the call */
  size_t variables_bytes;
  void (*start)(void *variables, const job_t *job);
  void (*serial)(void *variables, const job_t *job);
  usw_status_t (*call)(void *variables, const job_t *job, int is_fresh);
  void (*identities)(void *variables, const job_t *job);
  usw_status_t (*make_plan)(usw_plan_t **plan_out, const usw_options_t *options);
  const char *(*difference)(const void *a, const void *b, const job_t *job); /* NULL: none */
} kernel_t;

/* Called before main() by the files of kernels. */
void kernels_add(const kernel_t *kernels, size_t count);

#endif
