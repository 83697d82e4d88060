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

static int is_near_thread(const uswi_staging_site_t *site, uint32_t call, uint16_t core) {
  return core != USWI_NOWHERE &&
         uswi_staging_is_near(site->topology, site->nodes, site->gpus, site->gpu_of_call[call], core);
}

/* Where few threads are, one looks after all calls, so that others copy. */
static void deal_conductors(const uswi_staging_site_t *site, uint32_t calls, const uint16_t *core_of_thread,
                            uint32_t threads, uswi_staging_deal_t *deal) {
  const int are_many = calls > 1 && threads >= 2 * calls;
  uint32_t lowest_free = 0;
  for (uint32_t k = 0; k < calls; k++)
    deal->conductor[k] = 0;
  for (uint32_t k = 0; k < calls && are_many; k++) {
    uint32_t chosen = threads;
    for (uint32_t t = 0; t < threads && chosen == threads; t++)
      if (deal->call_of_thread[t] == USWI_NOWHERE && is_near_thread(site, k, core_of_thread[t]))
        chosen = t;
    while (chosen == threads && deal->call_of_thread[lowest_free] != USWI_NOWHERE)
      lowest_free++;
    deal->conductor[k] = chosen == threads ? (uint16_t)lowest_free : (uint16_t)chosen;
    deal->call_of_thread[deal->conductor[k]] = (uint16_t)k;
  }
  if (!are_many)
    deal->call_of_thread[0] = 0;
}

static void deal_helper(uswi_staging_deal_t *deal, uint32_t t, uint32_t call) {
  deal->call_of_thread[t] = (uint16_t)call;
  deal->share_of_thread[t] = (uint16_t)deal->helpers[call]++;
}

/* The call with the fewest helpers so far, of all or of those whose GPU is near to a core; `calls`: there is none. */
static uint32_t least_helped(const uswi_staging_site_t *site, uint32_t calls, const uint16_t *core,
                             const uswi_staging_deal_t *deal) {
  uint32_t least = calls;
  for (uint32_t k = 0; k < calls; k++)
    if ((!core || is_near_thread(site, k, *core)) && (least == calls || deal->helpers[k] < deal->helpers[least]))
      least = k;
  return least;
}

void uswi_staging_deal(const uswi_staging_site_t *site, uint32_t calls, const uint16_t *core_of_thread,
                       uint32_t threads, uswi_staging_deal_t *deal) {
  for (uint32_t t = 0; t < threads; t++)
    deal->call_of_thread[t] = deal->share_of_thread[t] = USWI_NOWHERE;
  for (uint32_t k = 0; k < calls; k++)
    deal->helpers[k] = 0;
  deal_conductors(site, calls, core_of_thread, threads, deal);
  const uint32_t most = (threads - 1) / calls; /* the cores near to one call's GPU may have all threads */
  for (uint32_t t = 0; t < threads; t++) {
    const uint32_t near =
        deal->call_of_thread[t] == USWI_NOWHERE ? least_helped(site, calls, &core_of_thread[t], deal) : calls;
    if (near < calls && deal->helpers[near] < most)
      deal_helper(deal, t, near);
  }
  for (uint32_t t = 0; t < threads; t++) {
    const uint32_t least = least_helped(site, calls, NULL, deal);
    if (deal->call_of_thread[t] == USWI_NOWHERE && deal->helpers[least] < USWI_STAGING_ENOUGH)
      deal_helper(deal, t, least);
  }
}
