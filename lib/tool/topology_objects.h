/* hwloc's objects in words; used by usw info and its --topology. */
#ifndef USW_TOOL_TOPOLOGY_OBJECTS_H
#define USW_TOOL_TOPOLOGY_OBJECTS_H

#include <hwloc.h>

enum { TOOL_LABEL_BYTES = 256, TOOL_SIZE_BYTES = 32 };

/* The whole machine, with its devices; NULL: hwloc cannot read it. */
hwloc_topology_t tool_load_topology(void);

/* "1.2 MiB" */
const char *tool_size_text(double bytes, char *buffer);

/* "0000:81:00.0", in a buffer of TOOL_SIZE_BYTES */
const char *tool_pci_address(const struct hwloc_pcidev_attr_s *pci, char *buffer);

/* What a PCI device is called here: "GPU", "network", "other". */
const char *tool_kind_of(const struct hwloc_pcidev_attr_s *pci);

/* Where a device is near to: "near NUMA node 0, package 0"; "" where there is but one node. */
void tool_name_neighbour(hwloc_topology_t topology, hwloc_obj_t device, char *label);

#endif
