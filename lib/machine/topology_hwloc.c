/* The topology through hwloc: what of it this process may use, by its cgroup and its binding. Devices are not looked for:
 * that is most of what hwloc takes (4 ms without, 13 with them on a machine of two cores). */
#include <hwloc.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/topology.h"

#if HWLOC_API_VERSION >= 0x00020400
#define HAS_KINDS 1
#endif

const char *uswi_topology_lack(void) { return "hwloc cannot read this machine"; }

/* The places of OMP_PLACES, where the runtime binds threads to them: the calling thread, which may be bound by now, does
 * not show what the process has. 0: it binds none. */
static int add_places(hwloc_bitmap_t set) {
  if (omp_get_proc_bind() == omp_proc_bind_false)
    return 0;
  for (int place = 0; place < omp_get_num_places(); place++) {
    const int count = omp_get_place_num_procs(place);
    int *numbers = malloc((size_t)(count > 0 ? count : 1) * sizeof *numbers);
    if (!numbers)
      return 0;
    omp_get_place_proc_ids(place, numbers);
    for (int k = 0; k < count; k++)
      hwloc_bitmap_set(set, (unsigned)numbers[k]);
    free(numbers);
  }
  return !hwloc_bitmap_iszero(set);
}

/* The hardware threads that this process may use; a description has no binding. */
static hwloc_bitmap_t usable(hwloc_topology_t machine) {
  const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(machine);
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  if (!set)
    return NULL;
  if (!hwloc_topology_is_thissystem(machine) ||
      (!add_places(set) && hwloc_get_cpubind(machine, set, HWLOC_CPUBIND_PROCESS) != 0))
    hwloc_bitmap_copy(set, allowed);
  hwloc_bitmap_and(set, set, allowed);
  if (hwloc_bitmap_iszero(set)) /* bound to what the description does not have */
    hwloc_bitmap_copy(set, allowed);
  return set;
}

static int meets(hwloc_obj_t object, hwloc_const_bitmap_t set) {
  return object->cpuset && hwloc_bitmap_intersects(object->cpuset, set);
}

/* The index among those that have cores here of the object of this kind that has the core. */
static uint16_t index_of(hwloc_topology_t machine, hwloc_obj_type_t type, hwloc_obj_t core, hwloc_const_bitmap_t set) {
  uint16_t index = 0;
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(machine, type, at)) != NULL;) {
    if (at->cpuset && hwloc_bitmap_isincluded(core->cpuset, at->cpuset))
      return index;
    index += meets(at, set);
  }
  return 0;
}

/* Whether cores look to this node first: not where another one is of fewer hardware threads, as DRAM beside memory of the
 * whole machine, or comes before it (HBM beside DRAM). Memory alone has no hardware threads, or all. */
static int is_nearest(hwloc_topology_t machine, hwloc_obj_t node) {
  int is_before = 1;
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, at)) != NULL;) {
    is_before &= at != node;
    if (at != node && !hwloc_bitmap_iszero(at->cpuset) && hwloc_bitmap_isincluded(at->cpuset, node->cpuset) &&
        (is_before || !hwloc_bitmap_isequal(at->cpuset, node->cpuset)))
      return 0;
  }
  return 1;
}

/* Memory of nodes that have cores here in the order of their indices, then all other. */
static int read_memories(hwloc_topology_t machine, hwloc_const_bitmap_t set, uswi_topology_t *topology) {
  const int nodes = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_NUMANODE);
  topology->memories = calloc((size_t)(nodes > 0 ? nodes : 1), sizeof *topology->memories);
  if (!topology->memories)
    return 0;
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, at)) != NULL;)
    if (meets(at, set) && is_nearest(machine, at)) {
      topology->memories[topology->memory_count++] =
          (uswi_memory_node_t){.number = at->os_index, .node = (uint16_t)topology->node_count};
      topology->node_count++;
    }
  return 1;
}

/* The index of the node that has all of these hardware threads. */
static uint16_t node_of(hwloc_topology_t machine, hwloc_const_bitmap_t threads, const uswi_topology_t *topology) {
  for (uint32_t m = 0; m < topology->node_count; m++) {
    const hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index(machine, topology->memories[m].number);
    if (!hwloc_bitmap_iszero(threads) && hwloc_bitmap_isincluded(threads, node->cpuset))
      return (uint16_t)m;
  }
  return USWI_NOWHERE;
}

static void read_other_memories(hwloc_topology_t machine, hwloc_const_bitmap_t set, uswi_topology_t *topology) {
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, at)) != NULL;)
    if (!meets(at, set) || !is_nearest(machine, at))
      topology->memories[topology->memory_count++] =
          (uswi_memory_node_t){.number = at->os_index, .node = node_of(machine, at->cpuset, topology)};
}

/* Kinds by hwloc's rank, 0 where it does not know one. */
static uint16_t kind_of(hwloc_topology_t machine, hwloc_obj_t core, uint32_t *count) {
  *count = 1;
#ifdef HAS_KINDS
  const int kinds = hwloc_cpukinds_get_nr(machine, 0);
  const int kind = hwloc_cpukinds_get_by_cpuset(machine, core->cpuset, 0);
  int rank = -1;
  if (kinds > 1 && kind >= 0)
    hwloc_cpukinds_get_info(machine, (unsigned)kind, NULL, &rank, NULL, NULL, 0);
  if (rank >= 0)
    *count = (uint32_t)kinds;
  return rank >= 0 ? (uint16_t)rank : 0;
#else
  (void)machine, (void)core;
  return 0;
#endif
}

static void read_core(hwloc_topology_t machine, hwloc_obj_t object, hwloc_const_bitmap_t set,
                      uswi_topology_t *topology) {
  const uint16_t index = (uint16_t)topology->core_count;
  uswi_core_t *core = &topology->cores[topology->core_count++];
  uint32_t kinds;
  *core = (uswi_core_t){.package = index_of(machine, HWLOC_OBJ_PACKAGE, object, set),
                        .node = node_of(machine, object->cpuset, topology),
                        .kind = kind_of(machine, object, &kinds)};
  if (core->node == USWI_NOWHERE) /* it has hardware threads of several: its memory is anywhere */
    core->node = 0;
  if (kinds > topology->kind_count)
    topology->kind_count = kinds;
  for (int number = -1; (number = hwloc_bitmap_next(object->cpuset, number)) >= 0;)
    if (hwloc_bitmap_isset(set, (unsigned)number)) {
      if (core->threads++ == 0)
        core->processor = (uint32_t)number;
      topology->core_of_processor[number] = index;
      topology->processor_count++;
    }
}

static int read_cores(hwloc_topology_t machine, hwloc_const_bitmap_t set, uswi_topology_t *topology) {
  hwloc_obj_type_t type = HWLOC_OBJ_CORE;
  if (hwloc_get_nbobjs_by_type(machine, type) <= 0) /* no cores are known: each hardware thread is one */
    type = HWLOC_OBJ_PU;
  const int last = hwloc_bitmap_last(set), count = hwloc_get_nbobjs_by_type(machine, type);
  if (last < 0 || count <= 0 || count >= USWI_NOWHERE)
    return 0;
  topology->processor_limit = (uint32_t)last + 1;
  topology->core_of_processor = malloc(topology->processor_limit * sizeof *topology->core_of_processor);
  topology->cores = calloc((size_t)count, sizeof *topology->cores);
  if (!topology->core_of_processor || !topology->cores)
    return 0;
  for (uint32_t p = 0; p < topology->processor_limit; p++)
    topology->core_of_processor[p] = USWI_NOWHERE;
  for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(machine, type, at)) != NULL;)
    if (meets(at, set))
      read_core(machine, at, set, topology);
  return topology->core_count > 0;
}

/* The largest caches there are, of those that have cores here. */
static uint64_t cache_bytes(hwloc_topology_t machine, hwloc_const_bitmap_t set) {
  static const hwloc_obj_type_t types[] = {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE};
  uint64_t bytes = 0;
  for (size_t t = 0; t < sizeof types / sizeof *types && bytes == 0; t++)
    for (hwloc_obj_t at = NULL; (at = hwloc_get_next_obj_by_type(machine, types[t], at)) != NULL;)
      if (meets(at, set))
        bytes += at->attr->cache.size;
  return bytes;
}

static int read_machine(hwloc_topology_t machine, uswi_topology_t *topology) {
  hwloc_bitmap_t set = usable(machine);
  if (!set || !read_memories(machine, set, topology) || !read_cores(machine, set, topology)) {
    hwloc_bitmap_free(set);
    return 0;
  }
  read_other_memories(machine, set, topology);
  for (uint32_t c = 0; c < topology->core_count; c++)
    if (topology->cores[c].package >= topology->package_count)
      topology->package_count = (uint32_t)topology->cores[c].package + 1;
  topology->cache_bytes = cache_bytes(machine, set);
  hwloc_bitmap_free(set);
  return 1;
}

int uswi_topology_read(uswi_topology_t *topology) {
  hwloc_topology_t machine;
  *topology = (uswi_topology_t){.kind_count = 1};
  if (hwloc_topology_init(&machine) != 0)
    return 0;
  topology->handle = machine;
  if (hwloc_topology_load(machine) != 0 || !read_machine(machine, topology)) {
    uswi_topology_free(topology);
    return 0;
  }
  snprintf(topology->source, sizeof topology->source, "hwloc %s", HWLOC_VERSION);
  topology->is_this_machine = hwloc_topology_is_thissystem(machine);
  return 1;
}

void uswi_topology_free(uswi_topology_t *topology) {
  hwloc_topology_destroy(topology->handle);
  free(topology->cores);
  free(topology->memories);
  free(topology->core_of_processor);
  *topology = (uswi_topology_t){0};
}

int uswi_topology_bind(const uswi_topology_t *topology, uint32_t core, uint32_t sibling) {
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  if (!topology->handle || !topology->is_this_machine || !set) {
    hwloc_bitmap_free(set);
    return -1;
  }
  hwloc_bitmap_only(set, uswi_topology_processor(topology, core, sibling));
  const int failed = hwloc_set_cpubind(topology->handle, set, HWLOC_CPUBIND_THREAD);
  hwloc_bitmap_free(set);
  return failed;
}
