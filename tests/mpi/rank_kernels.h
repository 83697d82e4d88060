/* What tests of kernels over ranks share: kernels, and items for them. */
#ifndef USW_TESTS_RANK_KERNELS_H
#define USW_TESTS_RANK_KERNELS_H

#include <stdint.h>
#include <upsweep/mpi.h>

#define USW_MPI 1
#include "api/chained_kernel.h"

/* A message that takes memory. */
#define USW_KERNEL histogram
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS) R(uint64_t, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine_at(counts, x % 1000, i + 1);
  usw_inc(total);
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 5003, BINS = 1000 };

static uint32_t numbers[ITEMS];
static double b[ITEMS], ax[ITEMS];

static void fill(void) {
  uint64_t seed = 39;
  for (int i = 0; i < ITEMS; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    numbers[i] = (uint32_t)(seed >> 40);
    b[i] = (double)(seed >> 33) / 3e6;
    ax[i] = (double)(seed >> 44) / 7e2;
  }
}

#endif
