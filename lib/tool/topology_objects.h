/* hwloc's objects, for who shows them: what the lines, the tree and the drawing have in common. */
#ifndef USW_TOOL_TOPOLOGY_OBJECTS_H
#define USW_TOOL_TOPOLOGY_OBJECTS_H

#include <hwloc.h>

enum { TOOL_LABEL_BYTES = 256, TOOL_SIZE_BYTES = 32 };

/* All of the machine, with its devices; NULL: hwloc cannot read it. */
hwloc_topology_t tool_load_topology(void);

/* "1.2 MiB" */
const char *tool_size_text(double bytes, char *buffer);

/* "0000:81:00.0", in a buffer of TOOL_SIZE_BYTES */
const char *tool_pci_address(const struct hwloc_pcidev_attr_s *pci, char *buffer);

/* What a PCI device is called here: "GPU", "network", "other". */
const char *tool_kind_of(const struct hwloc_pcidev_attr_s *pci);

/* "0000:81:00.0, GH100, card1" */
void tool_name_device(hwloc_obj_t device, char *label);

/* Where a device is near to: "near NUMA node 0, package 0"; "" where there is but one node. */
void tool_name_neighbour(hwloc_topology_t topology, hwloc_obj_t device, char *label);

/* "NUMA node 0, 23 GiB", "Core 1", "L2 2 MiB". */
void tool_name_object(hwloc_obj_t object, char *label);

/* The threads of a large call on the host. */
typedef struct tool_seats {
  unsigned threads, chunks;
  const char *reason;   /* why they are not more */
  unsigned *processors; /* of each thread; NULL: they are not known */
} tool_seats_t;

int tool_find_seats(tool_seats_t *seats);
void tool_free_seats(tool_seats_t *seats);

/* The thread that sits on a hardware thread, or -1; its chunks as [first, last]. */
int tool_seat_of(const tool_seats_t *seats, hwloc_obj_t processor, unsigned *first, unsigned *last);

/* Whether this process may use the hardware thread. */
int tool_is_usable(hwloc_topology_t topology, hwloc_obj_t processor);

#endif
