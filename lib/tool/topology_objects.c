/* hwloc's objects in words. */
#include "topology_objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

hwloc_topology_t tool_load_topology(void) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0)
    return NULL;
  /* The whole machine, also what this process may not use. */
  if (hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
      hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0 &&
      hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
      hwloc_topology_set_type_filter(topology, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
      hwloc_topology_load(topology) == 0)
    return topology;
  hwloc_topology_destroy(topology);
  return NULL;
}

const char *tool_size_text(double bytes, char *buffer) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit < 4; unit++)
    bytes /= 1024;
  snprintf(buffer, TOOL_SIZE_BYTES, bytes < 10 && bytes != (int)bytes ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return buffer;
}

/* hwloc leaves out the classes that are of no use to programs. */
const char *tool_kind_of(const struct hwloc_pcidev_attr_s *pci) {
  static const struct {
    unsigned class_id, mask;
    const char *kind;
  } kinds[] = {{0x0300, 0xff00, "GPU"},     {0x0b40, 0xffff, "coprocessor"}, {0x1200, 0xff00, "accelerator"},
               {0x0100, 0xff00, "storage"}, {0x0207, 0xffff, "InfiniBand"},  {0x0c06, 0xffff, "InfiniBand"},
               {0x0200, 0xff00, "network"}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    if ((pci->class_id & kinds[k].mask) == kinds[k].class_id)
      return kinds[k].kind;
  return "other";
}

/* Behind what a label has by now; what finds no room is left out. */
__attribute__((format(printf, 2, 3))) static void append(char *label, const char *format, ...) {
  const size_t used = strlen(label);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(label + used, TOOL_LABEL_BYTES - used, format, arguments);
  va_end(arguments);
}

const char *tool_pci_address(const struct hwloc_pcidev_attr_s *pci, char *buffer) {
  snprintf(buffer, TOOL_SIZE_BYTES, "%04x:%02x:%02x.%01x", (unsigned)pci->domain, pci->bus, pci->dev, pci->func);
  return buffer;
}

void tool_name_neighbour(hwloc_topology_t topology, hwloc_obj_t device, char *label) {
  const hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, device);
  const int nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
  *label = 0;
  if (nodes < 2 || !near->nodeset)
    return;
  const hwloc_obj_t package =
      near->type == HWLOC_OBJ_PACKAGE ? near : hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, near);
  const int count = hwloc_bitmap_weight(near->nodeset);
  if (count == 1)
    append(label, "near NUMA node %d", hwloc_bitmap_first(near->nodeset));
  else if (count < nodes)
    append(label, "near %d NUMA nodes from %d on", count, hwloc_bitmap_first(near->nodeset));
  else
    append(label, "as near to each NUMA node");
  if (package)
    append(label, ", package %u", package->os_index);
}
