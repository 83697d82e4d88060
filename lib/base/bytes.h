/* Sizes. */
#ifndef USWI_BASE_BYTES_H
#define USWI_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline size_t uswi_round_up(size_t bytes, size_t boundary) {
  return (bytes + boundary - 1) / boundary * boundary;
}

/* a / b, rounded up; without the overflow of (a + b - 1) / b. */
static inline uint64_t uswi_quotient_up(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

/* How far apart neighbours of a stride are. */
static inline size_t uswi_distance(ptrdiff_t stride) { return stride < 0 ? 0 - (size_t)stride : (size_t)stride; }

/* What kernels divide by `divisor` with (engine/index.h). Of 0 there is none: an empty extent is not divided by. */
static inline uint64_t uswi_magic_of(size_t divisor) { return divisor == 0 ? 0 : UINT64_MAX / divisor; }

/* Whether an address is a multiple of a power of two. */
static inline int uswi_is_aligned(uint64_t address, uint32_t alignment_bytes) {
  return (address & (alignment_bytes - 1)) == 0;
}

#endif
