/* The clock of the GPU itself, if it is there: see peers/kernel_clock.h. */
#ifndef BENCH_KERNEL_CLOCK_H
#define BENCH_KERNEL_CLOCK_H

#include "peers/kernel_clock.h"

/* Opened at the first call. NULL if there is none that works, with one line on stderr, once, that says why. */
const peer_kernel_clock_t *bench_kernel_clock(void);

#endif
