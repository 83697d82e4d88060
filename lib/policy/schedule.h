/* How many threads a call on the host takes, and which chunks each gets: of the machine's facts and the call's alone, so
 * that tests can ask for machines that are not there. Results do not depend on it: chunks are cut without it
 * (chunks.h), and their records are merged in the order of their indices. */
#ifndef USWI_POLICY_SCHEDULE_H
#define USWI_POLICY_SCHEDULE_H

#include "machine/topology.h"

/* What a call and the OpenMP runtime bring. */
typedef struct uswi_demand {
  uint32_t chunks;
  uint64_t serial_ns;       /* what one thread would take */
  uint64_t late_ns;         /* what regions have taken of late beyond what they should */
  uint32_t runtime_threads; /* of the team that the OpenMP runtime would make */
  uint32_t limit;           /* USW_THREADS; 0: none */
  uint32_t sharing;         /* calls under way, this one with them */
  int is_asked;             /* somebody named the runtime's number: then hardware threads count, not cores */
  int is_nested;            /* the call comes from a parallel region, whose threads have the cores */
} uswi_demand_t;

/* What kept the number of threads from being larger. */
typedef enum uswi_bound {
  USWI_BOUND_CHUNKS,
  USWI_BOUND_CORES,
  USWI_BOUND_QUOTA,
  USWI_BOUND_RUNTIME,
  USWI_BOUND_LIMIT,
  USWI_BOUND_SHARING,
  USWI_BOUND_TIME,
  USWI_BOUND_NESTED
} uswi_bound_t;

typedef struct uswi_crew {
  uint32_t team;    /* threads to ask the runtime for */
  uint32_t threads; /* those of them that get chunks */
  uswi_bound_t bound;
  int helps;      /* who is done runs chunks that others have not begun */
  int is_counted; /* among the calls that share the cores (exec/threads.h) */
} uswi_crew_t;

/* topology NULL: no more than one thread can come of it. */
uswi_crew_t uswi_schedule(const uswi_topology_t *topology, const uswi_demand_t *demand);

/* What a parallel region of so many threads costs, in nanoseconds. */
uint64_t uswi_region_ns(uint32_t threads);

/* "one for each core": of a bound. */
const char *uswi_bound_text(uswi_bound_t bound);

/* NUMA nodes that so many threads sit on, one on each core from the first one on. */
uint32_t uswi_schedule_nodes(const uswi_topology_t *topology, uint32_t threads);

/* The first chunk of thread t: blocks of neighbours. That of thread `threads` is the number of chunks. */
uint32_t uswi_block_start(uint32_t chunks, uint32_t threads, uint32_t t);

/* Who runs each chunk where it is known where threads sit and where data lies (indices of nodes, USWI_NOWHERE: not known):
 * a thread gets as many as in blocks, at first those of its own node. */
void uswi_deal_by_node(uint32_t chunks, const uint16_t *node_of_chunk, uint32_t threads, const uint16_t *node_of_thread,
                       uint16_t *thread_of_chunk_out);

/* The same as an order of the chunks: a thread's stand where its block of neighbours would. */
void uswi_order_by_node(uint32_t chunks, const uint16_t *node_of_chunk, uint32_t threads,
                        const uint16_t *node_of_thread, uint16_t *chunk_at_out);

#endif
