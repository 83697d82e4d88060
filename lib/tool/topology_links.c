/* Links between GPUs: NVLink, where hwloc's NVML part tells its bandwidths, else what of PCIe two GPUs share. */
#include "topology_links.h"

#include "topology_objects.h"

#include <stdio.h>
#include <string.h>

enum { MEGABYTES_PER_GIGABYTE = 1000 };

/* ---- NVLink ---- */

static hwloc_obj_t pci_device_of(hwloc_obj_t object) {
  while (object && object->type != HWLOC_OBJ_PCI_DEVICE)
    object = object->parent;
  return object;
}

static double bandwidth_in(const struct hwloc_distances_s *matrix, hwloc_obj_t from, hwloc_obj_t to) {
  for (unsigned i = 0; i < matrix->nbobjs; i++)
    for (unsigned j = 0; j < matrix->nbobjs; j++)
      if (i != j && pci_device_of(matrix->objs[i]) == from && pci_device_of(matrix->objs[j]) == to)
        return (double)matrix->values[i * matrix->nbobjs + j];
  return 0;
}

/* MB/s, as hwloc tells them; 0: there is none, or nobody tells. */
static double nvlink_bandwidth(hwloc_topology_t topology, hwloc_obj_t from, hwloc_obj_t to) {
  struct hwloc_distances_s *matrix;
  unsigned count = 1;
  if (hwloc_distances_get_by_name(topology, "NVLinkBandwidth", &count, &matrix, 0) != 0 || count == 0)
    return 0;
  const double bandwidth = bandwidth_in(matrix, from, to);
  hwloc_distances_release(topology, matrix);
  return bandwidth;
}

/* ---- PCIe ---- */

static int is_below(hwloc_obj_t object, hwloc_obj_t top) {
  while (object && object != top)
    object = object->parent;
  return object != NULL;
}

static const char *shared_of_pcie(hwloc_obj_t from, hwloc_obj_t to) {
  hwloc_obj_t shared = from->parent;
  while (shared->parent && !is_below(to, shared))
    shared = shared->parent;
  if (shared->type == HWLOC_OBJ_BRIDGE)
    return shared->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI ? "a PCIe switch" : "PCIe, one host bridge";
  return shared->nodeset && hwloc_bitmap_weight(shared->nodeset) > 1 ? "PCIe, across NUMA nodes"
                                                                     : "PCIe, one NUMA node";
}

/* ---- both ---- */

static int is_gpu(hwloc_obj_t device) { return strcmp(tool_kind_of(&device->attr->pcidev), "GPU") == 0; }

int tool_find_links(hwloc_topology_t topology, tool_link_t links[TOOL_MOST_LINKS]) {
  int count = 0;
  for (hwloc_obj_t from = NULL; (from = hwloc_get_next_pcidev(topology, from)) != NULL;)
    for (hwloc_obj_t to = from; is_gpu(from) && (to = hwloc_get_next_pcidev(topology, to)) != NULL;)
      if (is_gpu(to) && to->attr->pcidev.vendor_id == from->attr->pcidev.vendor_id && count < TOOL_MOST_LINKS) {
        const double bandwidth = nvlink_bandwidth(topology, from, to);
        links[count++] = (tool_link_t){from, to, bandwidth > 0 ? "NVLink" : shared_of_pcie(from, to), bandwidth};
      }
  return count;
}

static int mark(hwloc_topology_t topology, hwloc_obj_t device, hwloc_obj_t other, const tool_link_t *link) {
  char address[TOOL_SIZE_BYTES], label[TOOL_LABEL_BYTES], rate[TOOL_SIZE_BYTES] = "";
  if (link->megabytes_per_s > 0)
    snprintf(rate, sizeof rate, ", %.0f GB/s", link->megabytes_per_s / MEGABYTES_PER_GIGABYTE);
  snprintf(label, sizeof label, "to %s: %s%s", tool_pci_address(&other->attr->pcidev, address), link->by, rate);
  return hwloc_topology_insert_misc_object(topology, device, label) ? 0 : -1;
}

int tool_mark_links(hwloc_topology_t topology) {
  tool_link_t links[TOOL_MOST_LINKS];
  const int count = tool_find_links(topology, links);
  for (int k = 0; k < count; k++)
    if (mark(topology, links[k].from, links[k].to, &links[k]) != 0 ||
        mark(topology, links[k].to, links[k].from, &links[k]) != 0)
      return -1;
  return 0;
}
