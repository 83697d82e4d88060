/* On which NUMA nodes a call's data lies. */
#ifndef USWI_EXEC_PAGES_H
#define USWI_EXEC_PAGES_H

#include "machine/topology.h"
#include "policy/call.h"

enum { USWI_LOCATED_BYTES = 256 << 20 }; /* calls from here on ask */

/* Whether a call is one that asks. */
int uswi_asks_for_nodes(const uswi_call_t *call, const uswi_topology_t *topology);

/* The index of the node of each chunk's middle, by the first stream; USWI_NOWHERE where it is not known. 0: it cannot be
 * told, or would not pay. */
int uswi_nodes_of_chunks(const uswi_call_t *call, const uswi_topology_t *topology, uint16_t *node_of_chunk_out);

#endif
