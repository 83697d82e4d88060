/* What tests can make the emulated device do, and ask of it. */
#ifndef USW_TESTS_SIMT_LANE_H
#define USW_TESTS_SIMT_LANE_H

#include <stdint.h>

/* So far, in all threads; allocations that failed do not count. */
typedef struct {
  uint64_t allocations, frees; /* of device and of pinned host memory */
  uint64_t launches;
  uint64_t awaiting; /* of these, the ones whose last team waits for the others */
} simt_counts_t;

simt_counts_t simt_counts(void);

/* From now on the next `good` allocations succeed and all later ones fail; -1: all succeed. */
void simt_fail_allocations_after(int64_t good);

/* Once the next `good` launches are done, one bit of the first record that the next one leaves is turned. */
void simt_flip_after(int64_t good, unsigned bit);

#endif
