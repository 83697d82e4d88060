/* Kernels differ more than their bytes tell: 16384 items take from 0.1 us (minimum of bytes) to 110 us (an accurate
 * description of doubles). So the first calls are timed, one chunk each, and the fastest is kept. Kernels are known by their
 * host function: descriptors may be copies. */

#include "policy/cost_model.h"

#include <stdatomic.h>

enum { COSTS = 256, PROBES = 4, TIMED_CALLS = 8, DEFAULT_PS_PER_BYTE = 11 }; /* 90 GB/s, a core's second cache */

typedef struct cost {
  _Atomic(usw_host_function_t) kernel;
  atomic_uint calls; /* timed */
  atomic_uint ps;    /* of an item; 0: nobody knows */
} cost_t;
static cost_t costs[COSTS];

/* The kernel's entry, made if there is none; NULL: there is no room for one. */
static cost_t *find(const usw_kernel_t *kernel) {
  const usw_host_function_t function = kernel->host[0];
  const uintptr_t address = (uintptr_t)function;
  for (uintptr_t probe = 0; probe < PROBES; probe++) {
    cost_t *cost = &costs[(address / 16 + address / 4096 + probe) % COSTS];
    usw_host_function_t known = atomic_load_explicit(&cost->kernel, memory_order_relaxed);
    if (known == function || (!known && atomic_compare_exchange_strong(&cost->kernel, &known, function)) ||
        known == function)
      return cost;
  }
  return NULL;
}

uint64_t uswi_cost_expect(const uswi_call_t *call) {
  const cost_t *cost = find(call->kernel);
  const uint32_t known = cost ? atomic_load_explicit(&cost->ps, memory_order_relaxed) : 0;
  const double ps = known ? known : (double)call->item_bytes * DEFAULT_PS_PER_BYTE;
  return (uint64_t)((double)call->n * ps * 1e-3);
}

int uswi_cost_is_wanted(const uswi_call_t *call) {
  cost_t *cost = call->first_share == 0 ? find(call->kernel) : NULL; /* what joins partials reads no items */
  return cost && atomic_load_explicit(&cost->calls, memory_order_relaxed) < TIMED_CALLS;
}

void uswi_cost_learn(const uswi_call_t *call, uint64_t items, uint64_t ns) {
  cost_t *cost = find(call->kernel);
  const double ps = (double)ns * 1e3 / (double)items + 1;
  if (!cost || ps > UINT32_MAX)
    return;
  uint32_t known = atomic_load(&cost->ps);
  while ((!known || (uint32_t)ps < known) && !atomic_compare_exchange_weak(&cost->ps, &known, (uint32_t)ps))
    continue;
  atomic_fetch_add(&cost->calls, 1);
}
