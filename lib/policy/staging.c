#include "policy/staging.h"

#include "base/bytes.h"

enum {
  ROUND_ITEMS = 1024, /* streams on the device keep their alignment from chunk to chunk */
  ROUND_BYTES = 256,  /* elements in a buffer are aligned for whatever reads them */
  LINE_ITEMS = 64     /* copying threads do not share lines */
};

static int is_one_element(const uswi_staged_stream_t *stream) { return stream->stride == 0; }

static size_t item_bytes_of(const uswi_staged_stream_t *streams, uint32_t count) {
  size_t bytes = 0;
  for (uint32_t s = 0; s < count; s++)
    if (streams[s].is_staged && !is_one_element(&streams[s]))
      bytes += streams[s].bytes;
  return bytes;
}

static size_t items_of_chunk(size_t n, size_t item_bytes) {
  if (item_bytes == 0)
    return n;
  const size_t most = USWI_STAGING_MOST_BYTES / item_bytes, least = USWI_STAGING_LEAST_BYTES / item_bytes;
  size_t items = n / USWI_STAGING_FEW_CHUNKS;
  items = items < least ? least : items > most ? most : items;
  if (items > ROUND_ITEMS)
    items = items / ROUND_ITEMS * ROUND_ITEMS;
  return items == 0 ? 1 : items < n ? items : n;
}

uswi_staging_plan_t uswi_staging_cut(size_t n, const uswi_staged_stream_t *streams, uint32_t count) {
  uswi_staging_plan_t plan = {.n = n, .chunk_items = items_of_chunk(n, item_bytes_of(streams, count))};
  plan.chunks = uswi_quotient_up(n, plan.chunk_items);
  for (uint32_t s = 0; s < count; s++) {
    plan.offset[s] = plan.buffer_bytes;
    if (!streams[s].is_staged)
      continue;
    const size_t item_bytes = is_one_element(&streams[s]) ? 0 : streams[s].bytes;
    const size_t fixed_bytes = is_one_element(&streams[s]) ? streams[s].bytes : 0;
    plan.buffer_bytes += uswi_round_up(fixed_bytes + plan.chunk_items * item_bytes, ROUND_BYTES);
    if (streams[s].is_output)
      continue;
    plan.last_offset = plan.offset[s];
    plan.last_item_bytes = item_bytes;
    plan.last_fixed_bytes = fixed_bytes;
  }
  return plan;
}

uswi_staging_plan_t uswi_staging_plan_of(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  uswi_staged_stream_t streams[USW_MAX_INPUTS];
  uint32_t count = 0;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (uswi_is_stream(&k->arguments[a])) {
      streams[count] = (uswi_staged_stream_t){(int)(call->staged >> a & 1), k->arguments[a].bytes, call->strides[count],
                                              k->arguments[a].kind == USW_ARGUMENT_OUT};
      count++;
    }
  return uswi_staging_cut(call->n, streams, count);
}

size_t uswi_staging_share(size_t items, uint32_t shares, uint32_t share) {
  return share == shares ? items : items / shares / LINE_ITEMS * LINE_ITEMS * share;
}

int uswi_staging_is_near(const uswi_topology_t *topology, const uint16_t *nodes, uint32_t gpus, uint32_t gpu,
                         uint32_t core) {
  const uint16_t node = nodes[gpu];
  uint32_t cores = 0, before = 0, neighbours = 1, rank = 0;
  for (uint32_t c = 0; c < topology->core_count; c++)
    if (node == USWI_NOWHERE || topology->cores[c].node == node) {
      cores++;
      before += c < core;
    }
  for (uint32_t g = 0; g < gpus; g++) {
    neighbours += nodes[g] == node && g != gpu;
    rank += nodes[g] == node && g < gpu;
  }
  if (node != USWI_NOWHERE && topology->cores[core].node != node)
    return 0;
  return cores < neighbours || (before >= cores * rank / neighbours && before < cores * (rank + 1) / neighbours);
}

uint32_t uswi_staging_crew(const uswi_topology_t *topology, const uint16_t *nodes, uint32_t gpus, uint32_t gpu,
                           const uint16_t *core_of_thread, uint32_t threads, uint16_t *share_out) {
  uint32_t crew = 0;
  share_out[0] = USWI_NOWHERE;
  for (uint32_t t = 1; t < threads; t++) {
    const int is_near =
        core_of_thread[t] != USWI_NOWHERE && uswi_staging_is_near(topology, nodes, gpus, gpu, core_of_thread[t]);
    share_out[t] = is_near ? (uint16_t)crew++ : USWI_NOWHERE;
  }
  for (uint32_t t = 1; t < threads && crew < USWI_STAGING_ENOUGH; t++)
    if (share_out[t] == USWI_NOWHERE)
      share_out[t] = (uint16_t)crew++;
  return crew;
}
