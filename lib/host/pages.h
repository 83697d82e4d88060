/* On which NUMA nodes a call's data lies. */
#ifndef USWI_HOST_PAGES_H
#define USWI_HOST_PAGES_H

#include "call.h"
#include "host/topology.h"

enum { USWI_LOCATED_BYTES = 256 << 20 }; /* calls from here on ask */

/* Whether a call is one that asks. */
int uswi_asks_for_nodes(const uswi_call_t *call, const uswi_topology_t *topology);

/* The index of the node of each chunk's middle, by the first stream; USWI_NOWHERE where it is not known. 0: it cannot be
 * told, or would not pay. */
int uswi_nodes_of_chunks(const uswi_call_t *call, const uswi_topology_t *topology, uint16_t *node_of_chunk_out);

/* The index of the node with this number of the system's; USWI_NOWHERE: cores of no one node are near to it, or the number
 * is negative. */
uint16_t uswi_node_of_number(const uswi_topology_t *topology, int number);

/* Where the calling thread's new pages go. */
typedef struct uswi_policy {
  int is_changed, mode;
  unsigned long nodes[1024 / (8 * sizeof(unsigned long))];
} uswi_policy_t;

/* Prefer a node, by the system's number, until the policy is given back; none, if the number is negative. */
void uswi_policy_prefer(int number, uswi_policy_t *before);
void uswi_policy_give_back(const uswi_policy_t *before);

#endif
