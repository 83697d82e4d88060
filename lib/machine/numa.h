/* NUMA nodes of the system: where pages lie, and where new ones go. */
#ifndef USWI_MACHINE_NUMA_H
#define USWI_MACHINE_NUMA_H

#include "machine/topology.h"

/* The index of the node with this number of the system's; USWI_NOWHERE: cores of no one node are near to it, or the number
 * is negative. */
uint16_t uswi_node_of_number(const uswi_topology_t *topology, int number);

/* The system's number of each page's node, of all pages by one call: 11 us for 256 (hwloc_get_area_memlocation(), which takes
 * one range: 105 us). A negative number: the page was never touched. 0: the system does not say. */
int uswi_numa_nodes_of_pages(void **pages, uint32_t count, int *numbers_out);

/* The node that Linux says is near to a PCI device ("0000:17:00.0"); it says -1 where all are. */
int uswi_node_of_pci(const char *address);

/* Where the calling thread's new pages go. */
typedef struct uswi_policy {
  int is_changed, mode;
  unsigned long nodes[1024 / (8 * sizeof(unsigned long))];
} uswi_policy_t;

/* Prefer a node, by the system's number, until the policy is given back; none, if the number is negative. */
void uswi_policy_prefer(int number, uswi_policy_t *before);
void uswi_policy_give_back(const uswi_policy_t *before);

#endif
