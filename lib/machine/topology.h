/* What of the machine this process may use: cores, their hardware threads, NUMA nodes, packages. Read once, when a call
 * first has work for more than one thread, or when somebody asks; never for a short call. */
#ifndef USWI_MACHINE_TOPOLOGY_H
#define USWI_MACHINE_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

enum { USWI_NOWHERE = UINT16_MAX }; /* no core, or no node, that is known */

/* A core with at least one hardware thread that this process may use. */
typedef struct uswi_core {
  uint32_t processor; /* the system's number of the first such hardware thread */
  uint16_t threads;   /* such hardware threads */
  uint16_t node;      /* index of the node that it sits on */
  uint16_t package;   /* index of its package */
  uint16_t kind;      /* 0: the slowest cores; larger: faster ones */
} uswi_core_t;

/* Memory: where it is near to. Nodes with cores come first, in the order of their indices. */
typedef struct uswi_memory_node {
  uint32_t number; /* the system's number of the node */
  uint16_t node;   /* index of the node whose cores are near; USWI_NOWHERE: of none or of several */
} uswi_memory_node_t;

typedef struct uswi_topology {
  char source[32];     /* what told: "hwloc 2.9.0", "OpenMP, no hwloc" */
  int is_this_machine; /* 0: a description (HWLOC_SYNTHETIC, HWLOC_XMLFILE) */
  int is_flat;         /* nobody told of nodes, packages and kinds: there is one of each */
  uint32_t core_count, processor_count;
  uint32_t node_count, package_count, kind_count; /* those that have cores here */
  uint32_t memory_count;                          /* NUMA nodes, with cores or without */
  uint64_t cache_bytes;                           /* of all last-level caches that these cores have */
  uint32_t quota;                                 /* processors' worth of time that the cgroup grants; 0: no limit */
  uswi_core_t *cores;
  uswi_memory_node_t *memories;
  uint16_t *core_of_processor; /* index of the core, or USWI_NOWHERE */
  uint32_t processor_limit;    /* entries of it */
  void *handle;                /* of what reads it */
} uswi_topology_t;

/* This machine. */
const uswi_topology_t *uswi_topology(void);

/* Read what hwloc's variables or this machine say now; 0: that failed. */
int uswi_topology_read(uswi_topology_t *topology);
void uswi_topology_free(uswi_topology_t *topology);

/* One node and package, a core for each of so many processors. 0: no memory. */
int uswi_topology_flat(uswi_topology_t *topology, uint32_t processors);

/* Why it is flat, for who reads it: "built without hwloc". */
const char *uswi_topology_lack(void);

/* The core that the calling thread runs on at this moment, by a call that does not enter the kernel. */
uint16_t uswi_topology_here(const uswi_topology_t *topology);

/* The system's number of a core's hardware thread: the first one that this process may use is 0. */
uint32_t uswi_topology_processor(const uswi_topology_t *topology, uint32_t core, uint32_t sibling);

/* Bind the calling thread to a core, to its hardware thread number `sibling`; 0: done. */
int uswi_topology_bind(const uswi_topology_t *topology, uint32_t core, uint32_t sibling);

/* The core of a seat and which of its hardware threads: every core has one seat, then every second hardware thread, and so on.
 * 0: there is no such seat. */
int uswi_seat(const uswi_topology_t *topology, uint32_t seat, uint32_t *core_out, uint32_t *sibling_out);

#endif
