#include "policy/schedule.h"

#include "policy/chunks.h"

/* Of bounds that are the same the last one counts. */
static void bound_by(uswi_crew_t *crew, uint32_t most, uswi_bound_t bound) {
  if (most > crew->threads)
    return;
  crew->threads = most;
  crew->bound = bound;
}

/* Reductions wait for memory, which a core's second hardware thread does not make faster. */
static void bound_by_machine(uswi_crew_t *crew, const uswi_topology_t *topology) {
  bound_by(crew, topology->core_count, USWI_BOUND_CORES);
  if (topology->quota)
    bound_by(crew, topology->quota, USWI_BOUND_QUOTA);
}

/* Measured with threads that still spin: 1.1 us for 2 threads, 5 us for 16. */
uint64_t uswi_region_ns(uint32_t threads) { return 500 + (uint64_t)threads * 250; }

/* All threads or one: a runtime that finds another number of threads than last time makes its team anew. Between regions of
 * 16 threads one of 2 or 4 took 11 us where one of 16 takes 5, and the next one of 16 took as much. */
static void bound_by_time(uswi_crew_t *crew, const uswi_demand_t *demand) {
  const uint64_t serial_ns = demand->serial_ns;
  if (crew->threads > 1 && serial_ns - serial_ns / crew->threads <= uswi_region_ns(crew->threads) + demand->late_ns)
    bound_by(crew, 1, USWI_BOUND_TIME);
}

/* Calls under way at the same time have a share of the threads each: half of them, a quarter and so on, since another number
 * from call to call would have teams made anew. A share of two threads is not worth that where a call does not take long. */
enum { FEW_THREADS = 2, LONG_NS = 5000000 };
static void bound_by_calls(uswi_crew_t *crew, const uswi_demand_t *demand) {
  uint32_t calls = 1;
  while (calls < demand->sharing)
    calls *= 2;
  const uint32_t share = crew->threads / calls, is_little = share <= FEW_THREADS && demand->serial_ns < LONG_NS;
  if (calls > 1)
    bound_by(crew, is_little ? 1 : share, USWI_BOUND_SHARING);
}

/* Where cores are of different speeds, or where threads have so much to do that one of them may be held up meanwhile: by other
 * programs, or by another virtual machine on the same core. Not for short calls: to look for what is left is to fetch a line of each
 * other thread. */
enum { LONG_FOR_ONE_NS = 40000 };
static int helps(const uswi_crew_t *crew, const uswi_topology_t *topology, const uswi_demand_t *demand) {
  return crew->threads > 1 &&
         ((topology && topology->kind_count > 1) || demand->serial_ns / crew->threads >= LONG_FOR_ONE_NS);
}

uswi_crew_t uswi_schedule(const uswi_topology_t *topology, const uswi_demand_t *demand) {
  uswi_crew_t crew = {.threads = demand->runtime_threads, .bound = USWI_BOUND_RUNTIME};
  if (demand->limit)
    bound_by(&crew, demand->limit, USWI_BOUND_LIMIT);
  if (topology && !demand->is_asked)
    bound_by_machine(&crew, topology);
  bound_by_calls(&crew, demand);
  bound_by_time(&crew, demand);
  if (demand->is_nested)
    bound_by(&crew, 1, USWI_BOUND_NESTED);
  if (crew.threads == 0)
    crew.threads = 1;
  crew.team = crew.threads;
  bound_by(&crew, demand->chunks, USWI_BOUND_CHUNKS);
  if (crew.threads < crew.team / 4 || crew.threads == 1) /* few of many: the others need not wake */
    crew.team = crew.threads;
  crew.helps = helps(&crew, topology, demand);
  return crew;
}

const char *uswi_bound_text(uswi_bound_t bound) {
  static const char *const texts[] = {[USWI_BOUND_CHUNKS] = "one for each chunk",
                                      [USWI_BOUND_CORES] = "one for each core",
                                      [USWI_BOUND_QUOTA] = "as many as the cgroup's quota of time",
                                      [USWI_BOUND_RUNTIME] = "as many as OpenMP",
                                      [USWI_BOUND_LIMIT] = "as many as USW_THREADS",
                                      [USWI_BOUND_SHARING] = "a share of the cores, beside other calls",
                                      [USWI_BOUND_TIME] = "more would take longer",
                                      [USWI_BOUND_NESTED] = "the calling one, in a parallel region"};
  return texts[bound];
}

uint32_t uswi_schedule_nodes(const uswi_topology_t *topology, uint32_t threads) {
  uint32_t nodes = 0;
  for (uint32_t node = 0; node < topology->node_count; node++) {
    uint32_t core = 0;
    while (core < topology->core_count && core < threads && topology->cores[core].node != node)
      core++;
    nodes += core < topology->core_count && core < threads;
  }
  return nodes;
}

uint32_t uswi_block_start(uint32_t chunks, uint32_t threads, uint32_t t) {
  const uint32_t rest = chunks % threads;
  return t * (chunks / threads) + (t < rest ? t : rest);
}

static uint32_t share_of(uint32_t chunks, uint32_t threads, uint32_t t) {
  return uswi_block_start(chunks, threads, t + 1) - uswi_block_start(chunks, threads, t);
}

/* Chunks that nobody has, to a thread up to its share: those on its node, or (node USWI_NOWHERE) any. */
static void fill_share(uint32_t chunks, const uint16_t *node_of_chunk, uint32_t t, uint32_t share, uint16_t node,
                       uint16_t *thread_of_chunk) {
  for (uint32_t c = 0; c < chunks; c++)
    share -= thread_of_chunk[c] == t;
  for (uint32_t c = 0; c < chunks && share > 0; c++)
    if (thread_of_chunk[c] == USWI_NOWHERE && (node == USWI_NOWHERE || node_of_chunk[c] == node)) {
      thread_of_chunk[c] = (uint16_t)t;
      share--;
    }
}

void uswi_deal_by_node(uint32_t chunks, const uint16_t *node_of_chunk, uint32_t threads, const uint16_t *node_of_thread,
                       uint16_t *thread_of_chunk_out) {
  for (uint32_t c = 0; c < chunks; c++)
    thread_of_chunk_out[c] = USWI_NOWHERE;
  for (uint32_t t = 0; t < threads; t++)
    if (node_of_thread[t] != USWI_NOWHERE)
      fill_share(chunks, node_of_chunk, t, share_of(chunks, threads, t), node_of_thread[t], thread_of_chunk_out);
  for (uint32_t t = 0; t < threads; t++)
    fill_share(chunks, node_of_chunk, t, share_of(chunks, threads, t), USWI_NOWHERE, thread_of_chunk_out);
}

void uswi_order_by_node(uint32_t chunks, const uint16_t *node_of_chunk, uint32_t threads,
                        const uint16_t *node_of_thread, uint16_t *chunk_at_out) {
  uint16_t thread_of_chunk[USWI_MOST_CHUNKS], placed[USWI_MOST_CHUNKS] = {0};
  uswi_deal_by_node(chunks, node_of_chunk, threads, node_of_thread, thread_of_chunk);
  for (uint32_t c = 0; c < chunks; c++) {
    const uint32_t t = thread_of_chunk[c];
    chunk_at_out[uswi_block_start(chunks, threads, t) + placed[t]++] = (uint16_t)c;
  }
}
