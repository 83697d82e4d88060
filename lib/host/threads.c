/* How many threads a call on the host takes: OpenMP's team, shared between the calls that are under
 * way. */
#include "host/threads.h"

#include <omp.h>
#include <stdatomic.h>

#include "environment.h"

static atomic_int calls; /* under way with more than one chunk */

/* The runtime's number is its own idea where it is that of the processors and OMP_NUM_THREADS is silent. */
static uswi_crew_t schedule(uint32_t chunks, uint32_t sharing) {
  const uswi_environment_t *environment = uswi_environment();
  const int most = omp_get_max_threads();
  const uswi_demand_t demand = {.chunks = chunks,
                                .runtime_threads = (uint32_t)most,
                                .limit = environment->threads,
                                .sharing = sharing,
                                .is_asked = environment->threads || environment->has_openmp_threads ||
                                            most != omp_get_num_procs(),
                                .is_nested = omp_in_parallel()};
  const int is_alone = most == 1 || demand.limit == 1 || demand.is_nested || chunks == 1;
  return uswi_schedule(is_alone ? NULL : uswi_topology(), &demand);
}

uswi_crew_t uswi_threads_take(uint32_t chunks) { return schedule(chunks, (uint32_t)atomic_fetch_add(&calls, 1) + 1); }

void uswi_threads_give_back(void) { atomic_fetch_sub(&calls, 1); }

uswi_crew_t uswi_threads_expect(uint32_t chunks) { return schedule(chunks, 1); }
