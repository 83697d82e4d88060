/* How many threads a call on the host takes: OpenMP's team, shared between the calls that are under
 * way. */
#include "host/threads.h"

#include <omp.h>
#include <stdatomic.h>

#include "environment.h"

static atomic_int calls; /* under way with more than one chunk */

uint32_t uswi_threads_limit(void) {
  const uint32_t most = (uint32_t)omp_get_max_threads(), limit = uswi_environment()->threads;
  return limit && limit < most ? limit : most;
}

uint32_t uswi_threads_take(uint32_t chunks) {
  const int sharing = atomic_fetch_add(&calls, 1) + 1;
  uint32_t threads = omp_in_parallel() ? 1 : uswi_threads_limit();
  threads /= (uint32_t)sharing;
  if (threads > chunks)
    threads = chunks;
  return threads ? threads : 1;
}

void uswi_threads_give_back(void) { atomic_fetch_sub(&calls, 1); }
