/* The threads of calls on the host, and who runs which chunk, on machines that are described: one core; two packages of four
 * NUMA nodes with cores of two hardware threads; nodes of unlike sizes; cores of two speeds; three cores by a cgroup; memory
 * without cores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/quota.h"
#include "policy/schedule.h"
#include "support/check.h"

enum { CHUNKS = 256, PATH_BYTES = 512, LITTLE = 20000, SHORT = 1000000, LONG = 1000000000 };

#define NODES(set) "nodeset=\"" set "\" complete_nodeset=\"" set "\""
#define SETS(set) "cpuset=\"" set "\" complete_cpuset=\"" set "\" "
#define HEAD                                                                                                           \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology "                  \
  "version=\"2.0\">\n"
#define MACHINE(allowed, nodes)                                                                                        \
  "<object type=\"Machine\" os_index=\"0\" " SETS("0xf")                                                               \
      NODES(nodes) " allowed_cpuset=\"" allowed "\" allowed_nodeset=\"" nodes "\" gp_index=\"1\">\n"
#define CORE(number, set, gp)                                                                                          \
  "<object type=\"Core\" os_index=\"" number "\" " SETS(set)                                                           \
      NODES("0x1") " gp_index=\"1" gp "\">"                                                                            \
                   "<object type=\"PU\" os_index=\"" number "\" " SETS(set) NODES("0x1") " gp_index=\"2" gp            \
                                                                                         "\"/></object>\n"
#define CORES CORE("0", "0x1", "0") CORE("1", "0x2", "1") CORE("2", "0x4", "2") CORE("3", "0x8", "3")
#define MEMORY(number, set, nodes, gp)                                                                                 \
  "<object type=\"NUMANode\" os_index=\"" number "\" " SETS(set) NODES(nodes) " gp_index=\"3" gp                       \
                                                                              "\" local_memory=\"1073741824\"/>\n"

static const char three_cores[] =
    HEAD MACHINE("0xe", "0x1") MEMORY("0", "0xf", "0x1", "0") CORES "</object></topology>\n";
static const char memory_alone[] = HEAD MACHINE("0xf", "0x3") MEMORY("0", "0xf", "0x1", "0")
    MEMORY("1", "0x0", "0x2", "1") CORES "</object></topology>\n";
static const char two_speeds[] = HEAD MACHINE("0xf", "0x1") MEMORY("0", "0xf", "0x1", "0") CORES
    "</object><cpukind cpuset=\"0x3\" forced_efficiency=\"1\"/><cpukind cpuset=\"0xc\" forced_efficiency=\"0\"/>"
    "</topology>\n";

static void read_synthetic(const char *text, uswi_topology_t *topology) {
  setenv("HWLOC_SYNTHETIC", text, 1);
  CHECK(uswi_topology_read(topology));
  CHECK(!topology->is_this_machine);
  unsetenv("HWLOC_SYNTHETIC");
}

static void read_xml(const char *text, uswi_topology_t *topology) {
  char path[] = "/tmp/usw_schedule_XXXXXX";
  const int file = mkstemp(path);
  CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
  close(file);
  setenv("HWLOC_XMLFILE", path, 1);
  CHECK(uswi_topology_read(topology));
  unsetenv("HWLOC_XMLFILE");
  unlink(path);
}

/* A call where the runtime's number is that of the hardware threads, and nobody asked for it. */
static uswi_crew_t crew_for(const uswi_topology_t *topology, uint64_t serial_ns) {
  const uswi_demand_t demand = {
      .chunks = CHUNKS, .serial_ns = serial_ns, .runtime_threads = topology->processor_count, .sharing = 1};
  return uswi_schedule(topology, &demand);
}
static uswi_crew_t large(const uswi_topology_t *topology) { return crew_for(topology, LONG); }

static void check_facts(const uswi_topology_t *t, uint32_t packages, uint32_t nodes, uint32_t cores,
                        uint32_t processors) {
  CHECK_U64(packages, t->package_count);
  CHECK_U64(nodes, t->node_count);
  CHECK_U64(cores, t->core_count);
  CHECK_U64(processors, t->processor_count);
}

static void one_core(void) {
  uswi_topology_t t;
  read_synthetic("core:1 pu:1", &t);
  check_facts(&t, 1, 1, 1, 1);
  CHECK_U64(1, large(&t).threads);
  uswi_topology_free(&t);
  read_synthetic("core:1 pu:2", &t);
  check_facts(&t, 1, 1, 1, 2);
  CHECK_U64(1, large(&t).threads);
  CHECK(large(&t).bound == USWI_BOUND_CORES);
  uswi_topology_free(&t);
}

/* What keeps the number of threads down, one after the other. */
static void bounds(const uswi_topology_t *t) {
  uswi_demand_t demand = {.chunks = CHUNKS, .serial_ns = LONG, .runtime_threads = 128, .sharing = 1};
  CHECK_U64(64, uswi_schedule(t, &demand).threads);
  demand.is_asked = 1; /* OMP_NUM_THREADS=128: second hardware threads, too */
  CHECK_U64(128, uswi_schedule(t, &demand).threads);
  CHECK(uswi_schedule(t, &demand).bound == USWI_BOUND_RUNTIME);
  demand.limit = 70;
  CHECK_U64(70, uswi_schedule(t, &demand).threads);
  CHECK(uswi_schedule(t, &demand).bound == USWI_BOUND_LIMIT);
  demand.limit = 0;
  demand.sharing = 8;
  CHECK_U64(16, uswi_schedule(t, &demand).threads);
  CHECK(uswi_schedule(t, &demand).bound == USWI_BOUND_SHARING);
  demand.sharing = 5; /* as of 8 */
  CHECK_U64(16, uswi_schedule(t, &demand).threads);
  demand.sharing = 64;
  CHECK_U64(2, uswi_schedule(t, &demand).threads);
  demand.serial_ns = SHORT; /* not for two threads */
  CHECK_U64(1, uswi_schedule(t, &demand).threads);
  CHECK(uswi_schedule(t, &demand).bound == USWI_BOUND_SHARING);
  demand.sharing = 8;
  CHECK_U64(16, uswi_schedule(t, &demand).threads);
  demand.serial_ns = LONG;
  demand.is_asked = 0;
  CHECK_U64(8, uswi_schedule(t, &demand).threads);
  demand.sharing = 1000;
  CHECK_U64(1, uswi_schedule(t, &demand).threads);
  demand.sharing = 1;
  demand.chunks = 3;
  CHECK_U64(3, uswi_schedule(t, &demand).threads);
  CHECK(uswi_schedule(t, &demand).bound == USWI_BOUND_CHUNKS);
  CHECK_U64(3, uswi_schedule(t, &demand).team); /* 61 threads more need not wake */
  demand.chunks = 17;
  CHECK_U64(17, uswi_schedule(t, &demand).threads);
  CHECK_U64(64, uswi_schedule(t, &demand).team); /* but a team of another size costs, too */
  demand.is_nested = 1;
  CHECK_U64(1, uswi_schedule(t, &demand).threads);
  CHECK(uswi_schedule(t, &demand).bound == USWI_BOUND_NESTED);
  CHECK_U64(1, uswi_schedule(NULL, &demand).threads);
}

/* One thread where a region would cost more than it brings; more threads have to bring more. */
static void by_time(void) {
  uswi_topology_t t;
  uint64_t worth[2];
  static const char *const machines[] = {"core:2 pu:1", "core:16 pu:1"};
  for (int k = 0; k < 2; k++) {
    read_synthetic(machines[k], &t);
    uswi_demand_t demand = {.chunks = CHUNKS, .runtime_threads = t.core_count, .sharing = 1};
    CHECK_U64(1, uswi_schedule(&t, &demand).threads);
    while (uswi_schedule(&t, &demand).threads == 1)
      demand.serial_ns += 10;
    worth[k] = demand.serial_ns;
    CHECK_U64(t.core_count, uswi_schedule(&t, &demand).threads);
    demand.late_ns = 20; /* regions take longer than they should */
    CHECK_U64(1, uswi_schedule(&t, &demand).threads);
    demand.late_ns = 0;
    demand.serial_ns -= 10;
    CHECK(uswi_schedule(&t, &demand).bound == USWI_BOUND_TIME);
    uswi_topology_free(&t);
  }
  CHECK(worth[0] > uswi_region_ns(2) && worth[1] > uswi_region_ns(16) && worth[1] > worth[0]);
}

/* The largest caches of all cores together. */
static void caches(void) {
  uswi_topology_t t;
  read_synthetic("package:2 l3:2(size=1048576) l2:2(size=65536) core:1 pu:1", &t);
  CHECK_U64(4 << 20, t.cache_bytes);
  uswi_topology_free(&t);
  read_synthetic("l2:3(size=65536) core:1 pu:1", &t);
  CHECK_U64(3 << 16, t.cache_bytes);
  uswi_topology_free(&t);
  CHECK(uswi_topology()->cache_bytes > 0);
}

static void two_packages(void) {
  uswi_topology_t t;
  read_synthetic("package:2 numa:4 core:8 pu:2", &t);
  check_facts(&t, 2, 8, 64, 128);
  CHECK_U64(64, large(&t).threads);
  CHECK(large(&t).bound == USWI_BOUND_CORES && large(&t).helps);
  CHECK(crew_for(&t, 64 * LITTLE).threads == 64 && !crew_for(&t, 64 * LITTLE).helps);
  for (uint32_t c = 0; c < t.core_count; c++) {
    CHECK_U64(c / 8, t.cores[c].node);
    CHECK_U64(c / 32, t.cores[c].package);
    CHECK_U64(2, t.cores[c].threads);
    CHECK_U64(2 * c, t.cores[c].processor);
    CHECK_U64(c, t.core_of_processor[2 * c + 1]);
  }
  CHECK_U64(1, uswi_schedule_nodes(&t, 1));
  CHECK_U64(1, uswi_schedule_nodes(&t, 8));
  CHECK_U64(2, uswi_schedule_nodes(&t, 9));
  CHECK_U64(8, uswi_schedule_nodes(&t, 64));
  CHECK_U64(8, uswi_schedule_nodes(&t, 1000));
  bounds(&t);
  uint32_t core, sibling;
  CHECK(uswi_seat(&t, 63, &core, &sibling) && core == 63 && sibling == 0);
  CHECK(uswi_seat(&t, 64, &core, &sibling) && core == 0 && sibling == 1);
  CHECK_U64(1, uswi_topology_processor(&t, core, sibling));
  CHECK(uswi_seat(&t, 127, &core, &sibling) && core == 63 && sibling == 1);
  CHECK(!uswi_seat(&t, 128, &core, &sibling));
  t.quota = 5; /* of time, by the cgroup */
  CHECK_U64(5, large(&t).threads);
  CHECK(large(&t).bound == USWI_BOUND_QUOTA);
  uswi_topology_free(&t);
}

static void unlike_nodes(void) {
  uswi_topology_t t;
  read_xml(HEAD MACHINE("0xf", "0x3") "<object type=\"Group\" " SETS("0x7")
               NODES("0x1") " gp_index=\"40\" kind=\"0\" "
                            "subkind=\"0\">\n" MEMORY("0", "0x7", "0x1", "0") CORE("0", "0x1", "0")
                                CORE("1", "0x2", "1")
                                    CORE("2", "0x4", "2") "</object>\n<object type=\"Group\" " SETS("0x8")
                                        NODES("0x2") " gp_index=\"41\" "
                                                     "kind=\"0\" subkind=\"0\">\n" MEMORY("1", "0x8", "0x2", "1")
                                                         CORE("3", "0x8", "3") "</object></object></topology>\n",
           &t);
  check_facts(&t, 1, 2, 4, 4);
  CHECK_U64(0, t.cores[2].node);
  CHECK_U64(1, t.cores[3].node);
  CHECK_U64(2, uswi_schedule_nodes(&t, 4));
  CHECK_U64(1, uswi_schedule_nodes(&t, 3));
  uswi_topology_free(&t);
}

static void described(void) {
  uswi_topology_t t;
  read_xml(three_cores, &t);
  check_facts(&t, 1, 1, 3, 3);
  CHECK_U64(3, large(&t).threads);
  CHECK_U64(1, t.cores[0].processor);
  CHECK_U64(USWI_NOWHERE, t.core_of_processor[0]);
  uswi_topology_free(&t);
  read_xml(memory_alone, &t);
  check_facts(&t, 1, 1, 4, 4);
  CHECK_U64(2, t.memory_count);
  CHECK_U64(0, t.memories[0].number);
  CHECK_U64(0, t.memories[0].node);
  uswi_topology_free(&t);
  read_synthetic("[numa] package:2 [numa] core:2 pu:1", &t); /* memory of the whole machine beside that of packages */
  check_facts(&t, 2, 2, 4, 4);
  CHECK_U64(3, t.memory_count);
  CHECK(t.memories[0].node == 0 && t.memories[1].node == 1 && t.memories[2].node == USWI_NOWHERE);
  CHECK_U64(1, t.cores[3].node);
  uswi_topology_free(&t);
  read_synthetic("package:2 [numa] [numa] core:2 pu:1", &t); /* two kinds of memory beside each other */
  check_facts(&t, 2, 2, 4, 4);
  CHECK_U64(4, t.memory_count);
  for (uint32_t m = 0; m < t.memory_count; m++)
    CHECK_U64(t.memories[m].number / 2, t.memories[m].node);
  uswi_topology_free(&t);
  read_xml(two_speeds, &t);
  check_facts(&t, 1, 1, 4, 4);
  CHECK_U64(2, t.kind_count);
  CHECK(t.cores[0].kind == 1 && t.cores[3].kind == 0);
  CHECK(large(&t).threads == 4 && large(&t).helps);
  CHECK(crew_for(&t, 4 * LITTLE).threads == 4 && crew_for(&t, 4 * LITTLE).helps); /* the fast cores do more */
  uswi_topology_free(&t);
}

static void flat(void) {
  uswi_topology_t t;
  CHECK(uswi_topology_flat(&t, 6));
  check_facts(&t, 1, 1, 6, 6);
  CHECK(t.is_flat);
  CHECK_U64(6, large(&t).threads);
  free(t.cores);
}

static void blocks(void) {
  for (uint32_t threads = 1; threads < 70; threads++)
    for (uint32_t t = 0; t <= threads; t++) {
      const uint32_t at = uswi_block_start(CHUNKS, threads, t);
      CHECK(t == 0 ? at == 0 : t == threads ? at == CHUNKS : 1);
      if (t > 0) {
        const uint32_t share = at - uswi_block_start(CHUNKS, threads, t - 1);
        CHECK(share == CHUNKS / threads || share == CHUNKS / threads + 1);
      }
    }
}

/* Deals, and checks that every chunk has a thread and every thread its share; counts chunks run on their own node. */
static uint32_t deal(const uint16_t *node_of_chunk, uint32_t threads, const uint16_t *node_of_thread) {
  uint16_t thread_of_chunk[CHUNKS], chunk_at[CHUNKS];
  uint32_t counts[CHUNKS] = {0}, near = 0;
  uswi_deal_by_node(CHUNKS, node_of_chunk, threads, node_of_thread, thread_of_chunk);
  uswi_order_by_node(CHUNKS, node_of_chunk, threads, node_of_thread, chunk_at);
  for (uint32_t t = 0; t < threads; t++)
    for (uint32_t at = uswi_block_start(CHUNKS, threads, t); at < uswi_block_start(CHUNKS, threads, t + 1); at++)
      CHECK_U64(t, thread_of_chunk[chunk_at[at]]);
  for (uint32_t c = 0; c < CHUNKS; c++) {
    CHECK(thread_of_chunk[c] < threads);
    counts[thread_of_chunk[c]]++;
    near += node_of_chunk[c] != USWI_NOWHERE && node_of_thread[thread_of_chunk[c]] == node_of_chunk[c];
  }
  for (uint32_t t = 0; t < threads; t++)
    CHECK_U64(uswi_block_start(CHUNKS, threads, t + 1) - uswi_block_start(CHUNKS, threads, t), counts[t]);
  return near;
}

static void by_node(void) {
  uint16_t halves[CHUNKS], mixed[CHUNKS], one[CHUNKS], none[CHUNKS], threads[16], unknown[16];
  for (uint32_t c = 0; c < CHUNKS; c++) {
    halves[c] = c < CHUNKS / 2;
    mixed[c] = c % 2;
    one[c] = 1;
    none[c] = USWI_NOWHERE;
  }
  for (uint32_t t = 0; t < 16; t++) {
    threads[t] = t % 2; /* threads sit where the system had them */
    unknown[t] = USWI_NOWHERE;
  }
  CHECK_U64(CHUNKS, deal(halves, 16, threads)); /* first touch on two nodes is honoured */
  CHECK_U64(CHUNKS, deal(mixed, 16, threads));
  CHECK_U64(CHUNKS / 2, deal(one, 16, threads)); /* the other node's threads help */
  CHECK_U64(0, deal(none, 16, threads));
  CHECK_U64(0, deal(halves, 16, unknown));
  CHECK_U64(CHUNKS / 2, deal(halves, 1, threads));
  threads[0] = threads[2] = USWI_NOWHERE; /* two threads of node 0 do not tell: they take what is left over */
  CHECK_U64(CHUNKS - 32, deal(halves, 16, threads));
}

static void write_file(const char *root, const char *name, const char *text) {
  char path[2 * PATH_BYTES];
  snprintf(path, sizeof path, "mkdir -p $(dirname %s/%s) && printf -- '%s' > %s/%s", root, name, text, root, name);
  CHECK(system(path) == 0);
}

static void quotas(void) {
  char root[] = "/tmp/usw_quota_XXXXXX", command[PATH_BYTES];
  CHECK(mkdtemp(root) != NULL);
  CHECK_U64(0, uswi_quota_below(root));
  write_file(root, "proc/self/cgroup", "0::/a/b\\n");
  CHECK_U64(0, uswi_quota_below(root));
  write_file(root, "sys/fs/cgroup/a/b/cpu.max", "max 100000\\n");
  CHECK_U64(0, uswi_quota_below(root));
  write_file(root, "sys/fs/cgroup/a/cpu.max", "250000 100000\\n"); /* the outer one holds, too */
  CHECK_U64(3, uswi_quota_below(root));
  write_file(root, "sys/fs/cgroup/a/b/cpu.max", "200000 100000\\n");
  CHECK_U64(2, uswi_quota_below(root));
  write_file(root, "proc/self/cgroup", "9:cpuset:/\\n4:cpuacct,cpu:/c\\n0::/\\n");
  CHECK_U64(0, uswi_quota_below(root));
  write_file(root, "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "-1\\n");
  write_file(root, "sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\\n");
  CHECK_U64(0, uswi_quota_below(root));
  write_file(root, "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "400000\\n");
  CHECK_U64(4, uswi_quota_below(root));
  snprintf(command, sizeof command, "rm -r %s", root);
  CHECK(system(command) == 0);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) { /* built with hwloc */
    one_core();
    caches();
    two_packages();
    by_time();
    unlike_nodes();
    described();
  }
  flat();
  blocks();
  by_node();
  quotas();
  return check_report();
}
