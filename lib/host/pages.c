/* The system is asked for one page of each chunk, of all chunks at once: 11 us for 256 chunks. hwloc_get_area_memlocation()
 * does the same for one range: 105 us for 256 ranges of a page each, and 12 ms for all the pages of one GiB. A call of 256 MiB
 * takes a millisecond or so. */
#include "host/pages.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "host/chunks.h"

/* The first stream and the distance of its items in bytes; 0: there is none that lies in order. */
static uint64_t first_stream(const uswi_call_t *call, ptrdiff_t *step_out) {
  const usw_kernel_t *k = call->kernel;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (k->arguments[a].kind == USW_ARGUMENT_IN) {
      *step_out = call->strides[0] * (ptrdiff_t)k->arguments[a].bytes;
      return *step_out ? call->slots[a] : 0;
    }
  return 0;
}

uint16_t uswi_node_of_number(const uswi_topology_t *topology, int number) {
  for (uint32_t m = 0; number >= 0 && m < topology->memory_count; m++)
    if (topology->memories[m].number == (uint32_t)number)
      return topology->memories[m].node;
  return USWI_NOWHERE;
}

#ifdef SYS_move_pages
/* Negative numbers of nodes are errors of single pages: one that nobody has touched lies nowhere. */
static int ask(void **pages, int *numbers, uint32_t count) {
  return syscall(SYS_move_pages, 0, (unsigned long)count, pages, NULL, numbers, 0) == 0;
}
#else
static int ask(void **pages, int *numbers, uint32_t count) {
  (void)pages, (void)numbers, (void)count;
  return 0;
}
#endif

int uswi_asks_for_nodes(const uswi_call_t *call, const uswi_topology_t *topology) {
  return topology->node_count > 1 && (uint64_t)call->n * call->kernel->item_bytes >= USWI_LOCATED_BYTES;
}

int uswi_nodes_of_chunks(const uswi_call_t *call, const uswi_topology_t *topology, uint16_t *node_of_chunk_out) {
  void *pages[USWI_MOST_CHUNKS];
  int numbers[USWI_MOST_CHUNKS];
  ptrdiff_t step;
  if (!uswi_asks_for_nodes(call, topology))
    return 0;
  const uint64_t address = first_stream(call, &step), page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (!address)
    return 0;
  for (uint32_t c = 0; c < call->chunks; c++) {
    const size_t start = uswi_chunk_start(call->n, call->chunks, c),
                 end = uswi_chunk_start(call->n, call->chunks, c + 1);
    const uint64_t middle = address + (uint64_t)((ptrdiff_t)(start + (end - start) / 2) * step);
    pages[c] = (void *)(uintptr_t)(middle / page * page);
  }
  if (!ask(pages, numbers, call->chunks))
    return 0;
  for (uint32_t c = 0; c < call->chunks; c++)
    node_of_chunk_out[c] = uswi_node_of_number(topology, numbers[c]);
  return 1;
}

/* ---- where new pages go ---- */

enum { POLICY_PREFERRED = 1 };

#if defined(SYS_get_mempolicy) && defined(SYS_set_mempolicy)
static long get_policy(uswi_policy_t *policy) {
  return syscall(SYS_get_mempolicy, &policy->mode, policy->nodes, 8 * sizeof policy->nodes, NULL, 0);
}
static long set_policy(int mode, const unsigned long *nodes, size_t bytes) {
  return syscall(SYS_set_mempolicy, mode, nodes, 8 * bytes);
}
#else
static long get_policy(uswi_policy_t *policy) {
  (void)policy;
  return -1;
}
static long set_policy(int mode, const unsigned long *nodes, size_t bytes) {
  (void)mode, (void)nodes, (void)bytes;
  return -1;
}
#endif

void uswi_policy_prefer(int number, uswi_policy_t *before) {
  unsigned long nodes[sizeof before->nodes / sizeof *before->nodes] = {0};
  const size_t bits = 8 * sizeof *nodes;
  before->is_changed = 0;
  if (number < 0 || (size_t)number >= 8 * sizeof nodes || get_policy(before) != 0)
    return;
  nodes[(size_t)number / bits] = 1ul << (size_t)number % bits;
  before->is_changed = set_policy(POLICY_PREFERRED, nodes, sizeof nodes) == 0;
}

void uswi_policy_give_back(const uswi_policy_t *before) {
  if (before->is_changed)
    set_policy(before->mode, before->nodes, sizeof before->nodes);
}
