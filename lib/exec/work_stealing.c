#include "exec/work_stealing.h"

#include "policy/schedule.h"

enum { HALF_BITS = 16 };
_Static_assert(USWI_MOST_CHUNKS < 1 << HALF_BITS, "the number of a chunk fits a half");

static uint32_t first_of(uint32_t left) { return left & ((1u << HALF_BITS) - 1); }
static uint32_t end_of(uint32_t left) { return left >> HALF_BITS; }

void uswi_work_deal(uswi_work_t *work, uint32_t chunks, uint32_t threads) {
  for (uint32_t t = 0; t < threads; t++)
    atomic_init(&work[t].left,
                uswi_block_start(chunks, threads, t + 1) << HALF_BITS | uswi_block_start(chunks, threads, t));
}

/* Records travel by the end of the region: takers need no order. */
static int take(uswi_work_t *work, int is_last, uint32_t *chunk_out) {
  uint32_t left = atomic_load_explicit(&work->left, memory_order_relaxed), less;
  do {
    if (first_of(left) == end_of(left))
      return 0;
    less = is_last ? left - (1u << HALF_BITS) : left + 1;
  } while (
      !atomic_compare_exchange_weak_explicit(&work->left, &left, less, memory_order_relaxed, memory_order_relaxed));
  *chunk_out = is_last ? end_of(less) : first_of(left);
  return 1;
}

int uswi_work_take(uswi_work_t *work, uint32_t t, uint32_t *chunk_out) { return take(&work[t], 0, chunk_out); }

int uswi_work_steal(uswi_work_t *work, uint32_t threads, uint32_t t, uint32_t *chunk_out) {
  for (uint32_t k = 1; k < threads; k++)
    if (take(&work[(t + k) % threads], 1, chunk_out))
      return 1;
  return 0;
}
