/* The machine's processors, caches, memory and devices, as hwloc sees them. */
#ifndef USW_TOOL_TOPOLOGY_H
#define USW_TOOL_TOPOLOGY_H

#include <cjson/cJSON.h>

/* The facts, to be freed; NULL: *why_out says why there are none. */
cJSON *tool_read_topology(const char **why_out);

/* The same as lines; NULL is no topology. */
void tool_print_topology(const cJSON *topology);

/* Run hwloc's lstopo on the machine, with the threads of a large call and their chunks marked on it. lstopo writes text to
 * stdout, or, with a file name, the format that the name ends in. NULL, or why it failed. */
const char *tool_run_lstopo(const char *file);

#endif
