/* The clock of measurements and launch reports. */
#ifndef USWI_BASE_CLOCK_H
#define USWI_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment in the past. */
static inline uint64_t uswi_now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#endif
