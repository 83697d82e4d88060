/* What is said of hwloc's objects, and the seats of a large call's threads. */
#include "topology_objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>

hwloc_topology_t tool_load_topology(void) {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0)
    return NULL;
  /* All of the machine: what this process may use of it is a fact of its own. */
  if (hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
      hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0 &&
      hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
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

void tool_name_device(hwloc_obj_t device, char *label) {
  char address[TOOL_SIZE_BYTES];
  const char *model = hwloc_obj_get_info_by_name(device, "PCIDevice");
  *label = 0;
  append(label, "%s", tool_pci_address(&device->attr->pcidev, address));
  if (model)
    append(label, ", %s", model);
  for (hwloc_obj_t child = device->io_first_child; child; child = child->next_sibling)
    if (child->type == HWLOC_OBJ_OS_DEVICE && child->name)
      append(label, ", %s", child->name);
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

void tool_name_object(hwloc_obj_t object, char *label) {
  char size[TOOL_SIZE_BYTES], type[TOOL_SIZE_BYTES];
  hwloc_obj_type_snprintf(type, sizeof type, object, 0);
  *label = 0;
  if (object->type == HWLOC_OBJ_PU)
    append(label, "hardware thread %u", object->os_index);
  else if (object->type == HWLOC_OBJ_NUMANODE)
    append(label, "NUMA node %u, %s", object->os_index,
           tool_size_text((double)object->attr->numanode.local_memory, size));
  else if (hwloc_obj_type_is_cache(object->type))
    append(label, "%s %s", type, tool_size_text((double)object->attr->cache.size, size));
  else if (object->type == HWLOC_OBJ_MACHINE)
    append(label, "machine, %s", tool_size_text((double)object->total_memory, size));
  else
    append(label, "%s %u",
           object->type == HWLOC_OBJ_CORE      ? "core"
           : object->type == HWLOC_OBJ_PACKAGE ? "package"
                                               : type,
           object->type == HWLOC_OBJ_CORE || object->type == HWLOC_OBJ_PACKAGE ? object->os_index
                                                                               : object->logical_index);
}

int tool_find_seats(tool_seats_t *seats) {
  usw_explanation_t large = {.size = USW_INIT(usw_explanation_t)};
  const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  usw_host_thread_t thread = {.size = USW_INIT(usw_host_thread_t)};
  *seats = (tool_seats_t){0};
  if (usw_explain(USW_PLUS, USW_F64, (size_t)1 << 24, &on_host, &large) != USW_OK)
    return -1;
  seats->threads = large.threads;
  seats->chunks = large.teams;
  seats->reason = large.threads_reason;
  seats->processors = malloc(large.threads * sizeof *seats->processors);
  for (unsigned t = 0; seats->processors && t < large.threads; t++) {
    if (usw_host_thread((int)t, &thread) != USW_OK) {
      tool_free_seats(seats); /* more threads than places */
      break;
    }
    seats->processors[t] = thread.processor;
  }
  return 0;
}

void tool_free_seats(tool_seats_t *seats) {
  free(seats->processors);
  seats->processors = NULL;
}

/* As the library deals blocks of neighbours (lib/policy/schedule.c). */
static unsigned block_start(const tool_seats_t *seats, unsigned t) {
  const unsigned rest = seats->chunks % seats->threads;
  return t * (seats->chunks / seats->threads) + (t < rest ? t : rest);
}

int tool_seat_of(const tool_seats_t *seats, hwloc_obj_t processor, unsigned *first, unsigned *last) {
  for (unsigned t = 0; seats->processors && t < seats->threads; t++)
    if (seats->processors[t] == processor->os_index) {
      *first = block_start(seats, t);
      *last = block_start(seats, t + 1) - 1;
      return (int)t;
    }
  return -1;
}

int tool_is_usable(hwloc_topology_t topology, hwloc_obj_t processor) {
  return hwloc_bitmap_isset(hwloc_topology_get_allowed_cpuset(topology), processor->os_index);
}
