/* How many threads a call on the host takes: OpenMP's team, shared between the calls that are under
 * way. */

#include "exec/threads.h"

#include <omp.h>
#include <stdatomic.h>

#include "machine/environment.h"
#include "machine/topology.h"

enum { MOST_LATE_NS = 16000000, REGIONS = 4, MOST_PATIENCE = 16 };

/* Where other threads want the cores, or a virtual machine's system packs threads onto one of them, a region may take a
 * hundred times what it should, because it ends when its last thread had its turn: by how much the second best of the last ones
 * took too long. While that keeps calls from having threads it wears off: when they have taken as long as regions were late it is
 * tried again, and if that was late as well, after twice as long, up to sixteen times; so that at last a sixteenth of the time or
 * so is spent on trying, and a bad moment is soon forgotten. */
static atomic_ullong late_ns, last_late_ns[REGIONS];
static atomic_uint regions, patience = 1;
static atomic_int has_waited; /* since the last region */

static atomic_int calls; /* under way that are worth two threads */

/* The runtime's number is its own idea where it is that of the processors and OMP_NUM_THREADS is silent. */
static uswi_crew_t schedule(uint32_t chunks, uint64_t serial_ns, uint32_t sharing) {
  const uswi_environment_t *environment = uswi_environment();
  const int most = omp_get_max_threads();
  const uswi_demand_t demand = {.chunks = chunks,
                                .serial_ns = serial_ns,
                                .late_ns = atomic_load_explicit(&late_ns, memory_order_relaxed),
                                .runtime_threads = (uint32_t)most,
                                .limit = environment->threads,
                                .sharing = sharing,
                                .is_asked = environment->threads || environment->has_openmp_threads ||
                                            most != omp_get_num_procs(),
                                .is_nested = omp_in_parallel()};
  const int is_alone = most == 1 || demand.limit == 1 || demand.is_nested || chunks == 1;
  return uswi_schedule(is_alone ? NULL : uswi_topology(), &demand);
}

static void wear_off(uint64_t serial_ns) {
  const uint64_t late = atomic_load_explicit(&late_ns, memory_order_relaxed);
  const uint64_t step = serial_ns / atomic_load_explicit(&patience, memory_order_relaxed);
  if (!late)
    return;
  atomic_store_explicit(&late_ns, late > step ? late - step : 0, memory_order_relaxed);
  atomic_store_explicit(&has_waited, 1, memory_order_relaxed);
}

/* After a region: what was waited for was in vain, or all is well. */
static void learn_patience(int is_late) {
  const int is_retry = atomic_exchange_explicit(&has_waited, 0, memory_order_relaxed);
  const unsigned times = atomic_load_explicit(&patience, memory_order_relaxed);
  if (!is_late)
    atomic_store_explicit(&patience, 1, memory_order_relaxed);
  else if (is_retry && times < MOST_PATIENCE)
    atomic_store_explicit(&patience, 2 * times, memory_order_relaxed);
}

/* A call too short for two threads is for one, whoever else calls. */
uswi_crew_t uswi_threads_take(uint32_t chunks, uint64_t serial_ns) {
  if (serial_ns / 2 <= uswi_region_ns(2))
    return (uswi_crew_t){.team = 1, .threads = 1, .bound = USWI_BOUND_TIME};
  const uint32_t sharing = (uint32_t)atomic_fetch_add(&calls, 1) + 1;
  uswi_crew_t crew = schedule(chunks, serial_ns, sharing);
  crew.is_counted = 1;
  if (crew.bound == USWI_BOUND_TIME)
    wear_off(serial_ns);
  return crew;
}

static uint64_t second_least(void) {
  uint64_t least = UINT64_MAX, second = UINT64_MAX;
  for (uint32_t k = 0; k < REGIONS; k++) {
    const uint64_t late = atomic_load_explicit(&last_late_ns[k], memory_order_relaxed);
    second = late < least ? least : late < second ? late : second;
    least = late < least ? late : least;
  }
  return second;
}

/* That others take up to twice as long as the calling thread is the work's unevenness. */
void uswi_threads_tell(const uswi_crew_t *crew, uint64_t own_ns, uint64_t wait_ns) {
  const uint64_t expected = uswi_region_ns(crew->team) + own_ns, late = wait_ns > expected ? wait_ns - expected : 0;
  const uint32_t at = atomic_fetch_add_explicit(&regions, 1, memory_order_relaxed) % REGIONS;
  atomic_store_explicit(&last_late_ns[at], late < MOST_LATE_NS ? late : MOST_LATE_NS, memory_order_relaxed);
  atomic_store_explicit(&late_ns, second_least(), memory_order_relaxed);
  learn_patience(late > expected);
}

void uswi_threads_give_back(const uswi_crew_t *crew) {
  if (crew->is_counted)
    atomic_fetch_sub(&calls, 1);
}

uswi_crew_t uswi_threads_expect(uint32_t chunks, uint64_t serial_ns) { return schedule(chunks, serial_ns, 1); }
