/* The machine's processors, caches, memory and devices, as hwloc sees them. */
#ifndef USW_TOOL_TOPOLOGY_H
#define USW_TOOL_TOPOLOGY_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* The facts, to be freed; NULL: *why_out says why there are none. */
cJSON *tool_read_topology(const char **why_out);

/* The same as lines; NULL is no topology. */
void tool_print_topology(const cJSON *topology);

/* The machine as a tree, with the threads of a large call where they sit when they are bound; 0, or *why_out says why not. */
int tool_print_tree(const char **why_out);

/* The same as a drawing in SVG. */
int tool_draw_tree(FILE *file, const char **why_out);

#endif
