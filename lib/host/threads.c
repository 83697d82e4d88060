/* How many threads a call on the host takes: OpenMP's team, shared between the calls that are under
 * way. */
#include "host/threads.h"

#include <omp.h>
#include <stdatomic.h>

#include "environment.h"

static atomic_int calls; /* under way that are worth two threads */

/* The runtime's number is its own idea where it is that of the processors and OMP_NUM_THREADS is silent. */
static uswi_crew_t schedule(uint32_t chunks, uint64_t serial_ns, uint32_t sharing) {
  const uswi_environment_t *environment = uswi_environment();
  const int most = omp_get_max_threads();
  const uswi_demand_t demand = {.chunks = chunks,
                                .serial_ns = serial_ns,
                                .runtime_threads = (uint32_t)most,
                                .limit = environment->threads,
                                .sharing = sharing,
                                .is_asked = environment->threads || environment->has_openmp_threads ||
                                            most != omp_get_num_procs(),
                                .is_nested = omp_in_parallel()};
  const int is_alone = most == 1 || demand.limit == 1 || demand.is_nested || chunks == 1;
  return uswi_schedule(is_alone ? NULL : uswi_topology(), &demand);
}

/* A call too short for two threads is for one, whoever else calls. */
uswi_crew_t uswi_threads_take(uint32_t chunks, uint64_t serial_ns) {
  if (serial_ns / 2 <= uswi_region_ns(2))
    return (uswi_crew_t){.team = 1, .threads = 1, .bound = USWI_BOUND_TIME};
  const uint32_t sharing = (uint32_t)atomic_fetch_add(&calls, 1) + 1;
  uswi_crew_t crew = schedule(chunks, serial_ns, sharing);
  crew.is_counted = 1;
  return crew;
}

void uswi_threads_give_back(const uswi_crew_t *crew) {
  if (crew->is_counted)
    atomic_fetch_sub(&calls, 1);
}

uswi_crew_t uswi_threads_expect(uint32_t chunks, uint64_t serial_ns) { return schedule(chunks, serial_ns, 1); }
