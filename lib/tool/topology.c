/* The machine's topology through hwloc. The facts are read into JSON; the lines are written from it. */
#include "topology.h"

#include "topology_links.h"
#include "topology_objects.h"

#include <hwloc.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 512 };

/* ---- reading ---- */

static double weight(hwloc_const_bitmap_t set) { return set ? hwloc_bitmap_weight(set) : 0; }

static void add_count(cJSON *facts, const char *name, hwloc_topology_t topology, hwloc_obj_type_t type) {
  const int count = hwloc_get_nbobjs_by_type(topology, type);
  cJSON_AddNumberToObject(facts, name, count > 0 ? count : 0);
}

/* What the whole machine has, and how much of it this process may use. */
static void add_processors(cJSON *facts, hwloc_topology_t topology) {
  cJSON_AddBoolToObject(facts, "is_this_machine", hwloc_topology_is_thissystem(topology));
  add_count(facts, "packages", topology, HWLOC_OBJ_PACKAGE);
  add_count(facts, "cores", topology, HWLOC_OBJ_CORE);
  add_count(facts, "hardware_threads", topology, HWLOC_OBJ_PU);
  cJSON_AddNumberToObject(facts, "allowed_hardware_threads", weight(hwloc_topology_get_allowed_cpuset(topology)));
  hwloc_bitmap_t bound = hwloc_bitmap_alloc();
  if (bound && hwloc_topology_is_thissystem(topology) && hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) == 0)
    cJSON_AddNumberToObject(facts, "bound_hardware_threads", weight(bound));
  hwloc_bitmap_free(bound);
}

static void add_nodes(cJSON *facts, hwloc_topology_t topology) {
  cJSON *nodes = cJSON_AddArrayToObject(facts, "numa_nodes");
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, at)) != NULL;) {
    cJSON *node = cJSON_CreateObject();
    cJSON_AddNumberToObject(node, "number", at->os_index);
    cJSON_AddNumberToObject(node, "memory_bytes", (double)at->attr->numanode.local_memory);
    cJSON_AddNumberToObject(node, "hardware_threads", weight(at->cpuset));
    cJSON_AddItemToArray(nodes, node);
  }
}

static double number_of(const cJSON *object, const char *name) {
  return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static const char *text_of(const cJSON *object, const char *name) {
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* Count one cache; those of one name, size and share are one row. */
static void add_cache(cJSON *caches, const char *name, hwloc_obj_t cache) {
  const double bytes = (double)cache->attr->cache.size, sharing = weight(cache->cpuset);
  cJSON *row;
  cJSON_ArrayForEach(row, caches) {
    cJSON *count = cJSON_GetObjectItemCaseSensitive(row, "count");
    if (strcmp(text_of(row, "name"), name) == 0 && number_of(row, "bytes") == bytes &&
        number_of(row, "hardware_threads") == sharing) {
      cJSON_SetNumberValue(count, count->valuedouble + 1);
      return;
    }
  }
  row = cJSON_CreateObject();
  cJSON_AddStringToObject(row, "name", name);
  cJSON_AddNumberToObject(row, "bytes", bytes);
  cJSON_AddNumberToObject(row, "count", 1);
  cJSON_AddNumberToObject(row, "hardware_threads", sharing);
  cJSON_AddItemToArray(caches, row);
}

static void add_caches(cJSON *facts, hwloc_topology_t topology) {
  static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE,
                                           HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE};
  cJSON *caches = cJSON_AddArrayToObject(facts, "caches");
  for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
    for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(topology, types[t], at)) != NULL;) {
      char name[TOOL_SIZE_BYTES];
      hwloc_obj_type_snprintf(name, sizeof name, at, 0); /* "L1d" */
      add_cache(caches, name, at);
    }
}

/* Devices of the PCI bus, each with the names that the system gives it. */
static void add_devices(cJSON *facts, hwloc_topology_t topology) {
  cJSON *devices = cJSON_AddArrayToObject(facts, "pci_devices");
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_pcidev(topology, at)) != NULL;) {
    const struct hwloc_pcidev_attr_s *pci = &at->attr->pcidev;
    const char *model = hwloc_obj_get_info_by_name(at, "PCIDevice");
    const hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, at);
    char address[TOOL_SIZE_BYTES], neighbour[TOOL_LABEL_BYTES];
    cJSON *device = cJSON_CreateObject();
    cJSON_AddStringToObject(device, "address", tool_pci_address(pci, address));
    cJSON_AddStringToObject(device, "kind", tool_kind_of(pci));
    cJSON_AddStringToObject(device, "model", model ? model : "");
    cJSON_AddNumberToObject(device, "near_hardware_threads", weight(near->cpuset));
    tool_name_neighbour(topology, at, neighbour);
    cJSON_AddStringToObject(device, "near", neighbour);
    cJSON *names = cJSON_AddArrayToObject(device, "names");
    for (hwloc_obj_t child = at->io_first_child; child; child = child->next_sibling)
      if (child->type == HWLOC_OBJ_OS_DEVICE && child->name)
        cJSON_AddItemToArray(names, cJSON_CreateString(child->name));
    cJSON_AddItemToArray(devices, device);
  }
}

static void add_links(cJSON *facts, hwloc_topology_t topology) {
  tool_link_t links[TOOL_MOST_LINKS];
  const int count = tool_find_links(topology, links);
  cJSON *list = cJSON_AddArrayToObject(facts, "gpu_links");
  for (int k = 0; k < count; k++) {
    char address[TOOL_SIZE_BYTES];
    cJSON *link = cJSON_CreateObject();
    cJSON_AddStringToObject(link, "from", tool_pci_address(&links[k].from->attr->pcidev, address));
    cJSON_AddStringToObject(link, "to", tool_pci_address(&links[k].to->attr->pcidev, address));
    cJSON_AddStringToObject(link, "by", links[k].by);
    cJSON_AddNumberToObject(link, "mb_per_s", links[k].megabytes_per_s); /* 0: not known */
    cJSON_AddItemToArray(list, link);
  }
}

cJSON *tool_read_topology(const char **why_out) {
  hwloc_topology_t topology = tool_load_topology();
  *why_out = "hwloc cannot read this machine's topology";
  if (!topology)
    return NULL;
  cJSON *facts = cJSON_CreateObject();
  add_processors(facts, topology);
  add_nodes(facts, topology);
  add_caches(facts, topology);
  add_devices(facts, topology);
  add_links(facts, topology);
  hwloc_topology_destroy(topology);
  return facts;
}

/* ---- lines ---- */

static const char *plural(double count) { return count == 1 ? "" : "s"; }

static void print_count(const char *before, double count, const char *name) {
  printf("%s%.0f %s%s", before, count, name, plural(count));
}

static void print_processors(const cJSON *facts) {
  print_count("topology       ", number_of(facts, "packages"), "package");
  print_count(", ", cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(facts, "numa_nodes")), "NUMA node");
  print_count(", ", number_of(facts, "cores"), "core");
  print_count(", ", number_of(facts, "hardware_threads"), "hardware thread");
  if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(facts, "is_this_machine")))
    printf("; described to hwloc, not this machine");
  print_count("\n  allowed      ", number_of(facts, "allowed_hardware_threads"), "hardware thread");
  if (cJSON_HasObjectItem(facts, "bound_hardware_threads"))
    printf("; this process is bound to %.0f", number_of(facts, "bound_hardware_threads"));
  putchar('\n');
}

static void print_device(const cJSON *device) {
  char line[LINE_BYTES];
  const char *model = text_of(device, "model");
  const cJSON *name;
  int used = snprintf(line, sizeof line, "%s%s%s", text_of(device, "address"), *model ? ", " : "", model);
  cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(device, "names")) {
    if (used < LINE_BYTES)
      used += snprintf(line + used, sizeof line - (size_t)used, ", %s", name->valuestring);
  }
  const char *near = text_of(device, "near");
  printf("  %-12s %s%s%s\n", text_of(device, "kind"), line, *near ? "; " : "", near);
}

static void print_link(const cJSON *link) {
  const double rate = number_of(link, "mb_per_s");
  printf("  GPU link     %s to %s: %s", text_of(link, "from"), text_of(link, "to"), text_of(link, "by"));
  if (rate > 0)
    printf(", %.0f GB/s", rate / 1000);
  putchar('\n');
}

void tool_print_topology(const cJSON *topology) {
  char size[TOOL_SIZE_BYTES];
  const cJSON *row;
  if (!topology) {
    puts("topology       unknown: hwloc cannot read it");
    return;
  }
  print_processors(topology);
  cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(topology, "numa_nodes")) {
    const double threads = number_of(row, "hardware_threads");
    printf("  NUMA node %-2.0f %s, %.0f hardware thread%s\n", number_of(row, "number"),
           tool_size_text(number_of(row, "memory_bytes"), size), threads, plural(threads));
  }
  cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(topology, "caches")) {
    const double threads = number_of(row, "hardware_threads");
    printf("  cache %-6s %.0f of %s, each of %.0f hardware thread%s\n", text_of(row, "name"), number_of(row, "count"),
           tool_size_text(number_of(row, "bytes"), size), threads, plural(threads));
  }
  cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(topology, "pci_devices")) print_device(row);
  cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(topology, "gpu_links")) print_link(row);
}
