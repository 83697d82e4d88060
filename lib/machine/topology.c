/* The topology that calls use: read once, what hwloc told or a flat one. */

#include "machine/topology.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "machine/quota.h"

enum { LARGE_CACHE_BYTES = 64 << 20 };

static uswi_topology_t here;
static pthread_once_t once = PTHREAD_ONCE_INIT;

int uswi_topology_flat(uswi_topology_t *topology, uint32_t processors) {
  *topology = (uswi_topology_t){.source = "OpenMP, no hwloc",
                                .is_this_machine = 1,
                                .is_flat = 1,
                                .core_count = processors,
                                .processor_count = processors,
                                .node_count = 1,
                                .package_count = 1,
                                .kind_count = 1};
  topology->cores = calloc(processors, sizeof *topology->cores);
  for (uint32_t c = 0; topology->cores && c < processors; c++)
    topology->cores[c] = (uswi_core_t){.processor = c, .threads = 1};
  return topology->cores != NULL;
}

/* What the system says of the last cache; where it says nothing, that of a large machine. */
static uint64_t cache_by_system(void) {
  long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (bytes <= 0)
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? (uint64_t)bytes : LARGE_CACHE_BYTES;
}

static void read_once(void) {
  static uswi_core_t only = {.threads = 1};
  if (!uswi_topology_read(&here) && !uswi_topology_flat(&here, (uint32_t)omp_get_num_procs())) {
    here.core_count = here.processor_count = 1; /* no memory for more */
    here.cores = &only;
  }
  here.quota = uswi_quota();
  if (here.cache_bytes == 0)
    here.cache_bytes = cache_by_system();
}

const uswi_topology_t *uswi_topology(void) {
  pthread_once(&once, read_once);
  return &here;
}

uint16_t uswi_topology_here(const uswi_topology_t *topology) {
  const int processor = sched_getcpu();
  return processor >= 0 && (uint32_t)processor < topology->processor_limit ? topology->core_of_processor[processor]
                                                                           : USWI_NOWHERE;
}

uint32_t uswi_topology_processor(const uswi_topology_t *topology, uint32_t core, uint32_t sibling) {
  uint32_t at = topology->cores[core].processor;
  while (sibling > 0 && ++at < topology->processor_limit)
    sibling -= topology->core_of_processor[at] == core;
  return at;
}

int uswi_seat(const uswi_topology_t *topology, uint32_t seat, uint32_t *core_out, uint32_t *sibling_out) {
  for (uint32_t sibling = 0; seat < topology->processor_count; sibling++)
    for (uint32_t core = 0; core < topology->core_count; core++)
      if (topology->cores[core].threads > sibling && seat-- == 0) {
        *core_out = core;
        *sibling_out = sibling;
        return 1;
      }
  return 0;
}
