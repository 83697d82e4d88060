/* No topology: built without hwloc. */
#include "topology.h"

#include <stdio.h>

static const char why[] =
    "this usw was built without hwloc: install its headers (libhwloc-dev) and build again to see the topology";

cJSON *tool_read_topology(const char **why_out) {
  *why_out = why;
  return NULL;
}

int tool_print_tree(const char **why_out) {
  *why_out = why;
  return -1;
}

int tool_draw_tree(FILE *file, const char **why_out) {
  (void)file; /* nothing to draw */
  *why_out = why;
  return -1;
}

void tool_print_topology(const cJSON *topology) {
  (void)topology; /* there is none */
  puts("topology       unknown: built without hwloc");
}
