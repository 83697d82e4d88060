/* What connects the GPUs of a machine; used by usw info and its --topology. */
#ifndef USW_TOOL_TOPOLOGY_LINKS_H
#define USW_TOOL_TOPOLOGY_LINKS_H

#include <hwloc.h>

enum { TOOL_MOST_LINKS = 120 /* of 16 GPUs */ };

typedef struct tool_link {
  hwloc_obj_t from, to; /* PCI devices of one vendor */
  const char
      *by; /* "NVLink", "a PCIe switch", "PCIe, one host bridge", "PCIe, one NUMA node", "PCIe, across NUMA nodes" */
  double megabytes_per_s; /* of NVLink; 0: not known */
} tool_link_t;

/* Of each two GPUs, as far as there is room; how many. */
int tool_find_links(hwloc_topology_t topology, tool_link_t links[TOOL_MOST_LINKS]);

/* Annotate GPUs with their links by Misc objects, which lstopo draws; 0, or -1 without memory. */
int tool_mark_links(hwloc_topology_t topology);

#endif
