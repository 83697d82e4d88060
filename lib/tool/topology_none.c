/* No topology: built without hwloc. */
#include "topology.h"

#include <stdio.h>

static const char why[] =
    "this usw was built without hwloc: install its headers (libhwloc-dev) and build again to see the topology";

cJSON *tool_read_topology(const char **why_out) {
  *why_out = why;
  return NULL;
}

const char *tool_run_lstopo(const char *file) {
  (void)file;
  return why;
}

void tool_print_topology(const cJSON *topology) {
  (void)topology; /* there is none */
  puts("topology       unknown: built without hwloc");
}
