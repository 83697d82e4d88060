/* No topology: built without hwloc. */
#include "topology.h"

#include <stdio.h>

cJSON *tool_read_topology(const char **why_out) {
  *why_out = "this usw was built without hwloc: install its headers (libhwloc-dev) and build again to see the topology";
  return NULL;
}

void tool_print_topology(const cJSON *topology) {
  (void)topology; /* there is none */
  puts("topology       unknown: built without hwloc");
}
