#include "exec/pages.h"

#include <unistd.h>

#include "machine/numa.h"
#include "policy/axes.h"
#include "policy/chunks.h"

/* The first stream and the distance of its items in bytes; 0: there is none that lies in order. */
static uint64_t first_stream(const uswi_call_t *call, ptrdiff_t *step_out) {
  const usw_kernel_t *k = call->kernel;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (k->arguments[a].kind == USW_ARGUMENT_IN) {
      *step_out = call->strides[0] * (ptrdiff_t)k->arguments[a].bytes;
      return *step_out ? call->arguments[a] : 0;
    }
  return 0;
}

/* Whether chunks are one behind the other in memory: not those of columns, nor pieces of several results. */
static int are_in_order(const uswi_call_t *call) {
  return !call->axes || (call->strides[0] == 1 && uswi_axes_words((uswi_call_t *)(uintptr_t)call)->usw_pieces <= 1);
}

int uswi_asks_for_nodes(const uswi_call_t *call, const uswi_topology_t *topology) {
  return topology->node_count > 1 && (uint64_t)call->n * call->item_bytes >= USWI_LOCATED_BYTES && are_in_order(call);
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
  if (!uswi_numa_nodes_of_pages(pages, call->chunks, numbers))
    return 0;
  for (uint32_t c = 0; c < call->chunks; c++)
    node_of_chunk_out[c] = uswi_node_of_number(topology, numbers[c]);
  return 1;
}
