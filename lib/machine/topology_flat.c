/* Built without hwloc: nobody tells of nodes, packages and hardware threads. */
#include <stdlib.h>

#include "machine/topology.h"

int uswi_topology_read(uswi_topology_t *topology) {
  (void)topology; /* nothing to read */
  return 0;
}

void uswi_topology_free(uswi_topology_t *topology) { free(topology->cores); }

const char *uswi_topology_lack(void) { return "built without hwloc"; }

int uswi_topology_bind(const uswi_topology_t *topology, uint32_t core, uint32_t sibling) {
  (void)topology, (void)core, (void)sibling; /* the numbers of processors are not known */
  return -1;
}
