/* Kernels differ more than their bytes tell: 16384 items take from 0.1 us (minimum of bytes) to 110 us (an accurate
 * description of doubles). So the first calls are timed, one chunk each, and the fastest is kept. Kernels are known by their
 * host function: descriptors may be copies. */

#include "policy/cost_model.h"

#include <stdatomic.h>

enum { PACES = 256, PROBES = 4, TIMED_CALLS = 8, DEFAULT_PS_PER_BYTE = 11 }; /* 90 GB/s, a core's second cache */

typedef struct pace {
  _Atomic(usw_host_function_t) kernel;
  atomic_uint calls; /* timed */
  atomic_uint ps;    /* of an item; 0: nobody knows */
} pace_t;
static pace_t paces[PACES];

/* The kernel's entry, made if there is none; NULL: there is no room for one. */
static pace_t *find(const usw_kernel_t *kernel) {
  const usw_host_function_t function = kernel->host[0];
  const uintptr_t address = (uintptr_t)function;
  for (uintptr_t probe = 0; probe < PROBES; probe++) {
    pace_t *pace = &paces[(address / 16 + address / 4096 + probe) % PACES];
    usw_host_function_t known = atomic_load_explicit(&pace->kernel, memory_order_relaxed);
    if (known == function || (!known && atomic_compare_exchange_strong(&pace->kernel, &known, function)) ||
        known == function)
      return pace;
  }
  return NULL;
}

uint64_t uswi_pace_expect(const uswi_call_t *call) {
  const pace_t *pace = find(call->kernel);
  const uint32_t known = pace ? atomic_load_explicit(&pace->ps, memory_order_relaxed) : 0;
  const double ps = known ? known : (double)call->item_bytes * DEFAULT_PS_PER_BYTE;
  return (uint64_t)((double)call->n * ps * 1e-3);
}

int uswi_pace_is_wanted(const uswi_call_t *call) {
  pace_t *pace = find(call->kernel);
  return pace && atomic_load_explicit(&pace->calls, memory_order_relaxed) < TIMED_CALLS;
}

void uswi_pace_tell(const uswi_call_t *call, uint64_t items, uint64_t ns) {
  pace_t *pace = find(call->kernel);
  const double ps = (double)ns * 1e3 / (double)items + 1;
  if (!pace || ps > UINT32_MAX)
    return;
  uint32_t known = atomic_load(&pace->ps);
  while ((!known || (uint32_t)ps < known) && !atomic_compare_exchange_weak(&pace->ps, &known, (uint32_t)ps))
    continue;
  atomic_fetch_add(&pace->calls, 1);
}
