/* How a staged call is cut into chunks, and which threads copy: of numbers alone, so that tests can ask for lengths and
 * machines that are not there. Chunks depend on n and the streams only: results have the same bits on every run, whoever
 * copies. */
#ifndef USWI_POLICY_STAGING_H
#define USWI_POLICY_STAGING_H

#include <upsweep/options.h>

#include "machine/topology.h"
#include "policy/call.h"

enum {
  /* One is filled, one copied, one reduced; one more, because these take unlike times. */
  USWI_STAGING_BUFFERS = 4,
  /* So long that what was written to a buffer has left the cores' own caches for the shared one when the device reads it:
   * out of those it reads slowly. One GiB on an H200's host (16 cores with 2 MiB each, 300 MiB shared), of the rate of a pinned
   * copy: 1 MiB 0.55 (16 buffers), 4 MiB 0.45, 8 MiB 0.72, 16 MiB 0.93; without filling them 0.95. */
  USWI_STAGING_MOST_BYTES = 16 << 20,
  USWI_STAGING_LEAST_BYTES = 256 << 10,
  /* Of calls that are too short for more, as long as chunks have the least number of bytes. */
  USWI_STAGING_FEW_CHUNKS = 8,
  /* Threads that keep a GPU's link busy: a core copies 7 to 10 GB/s, a link takes 55. */
  USWI_STAGING_ENOUGH = 8,
  USWI_STAGING_MOST_THREADS = 256
};

/* A stream of a call. */
typedef struct uswi_staged_stream {
  int is_staged; /* 0: the device reads it where it is */
  uint32_t bytes;
  ptrdiff_t stride;
  int is_output; /* 1: written; behind all that are read */
} uswi_staged_stream_t;

typedef struct uswi_staging_plan {
  size_t n, chunk_items, chunks;
  size_t offset[USW_MAX_INPUTS]; /* of a stream's elements in a buffer */
  size_t buffer_bytes;
  size_t
      last_offset; /* of the last stream in it that is read, which has so many bytes for each item, or so many for all */
  size_t last_item_bytes, last_fixed_bytes;
} uswi_staging_plan_t;

/* n > 0. */
uswi_staging_plan_t uswi_staging_cut(size_t n, const uswi_staged_stream_t *streams, uint32_t count);

/* The plan of a staged call. */
uswi_staging_plan_t uswi_staging_plan_of(const uswi_call_t *call);

static inline size_t uswi_staging_first(const uswi_staging_plan_t *plan, size_t chunk) {
  return chunk * plan->chunk_items;
}
static inline size_t uswi_staging_items(const uswi_staging_plan_t *plan, size_t chunk) {
  const size_t rest = plan->n - uswi_staging_first(plan, chunk);
  return rest < plan->chunk_items ? rest : plan->chunk_items;
}

/* What is to be copied of its buffer to the device. */
static inline size_t uswi_staging_bytes(const uswi_staging_plan_t *plan, size_t chunk) {
  return plan->last_offset + plan->last_fixed_bytes + uswi_staging_items(plan, chunk) * plan->last_item_bytes;
}

/* The first of a chunk's items that the share of a copying thread has; that of share `shares` is their number. */
size_t uswi_staging_share(size_t items, uint32_t shares, uint32_t share);

/* Whether a core is one of a GPU's: GPUs near to the same node have cores of their own as long as there are enough.
 * `nodes` are the indices of the nodes that the GPUs are near to, USWI_NOWHERE: not known, or near to all. */
int uswi_staging_is_near(const uswi_topology_t *topology, const uint16_t *nodes, uint32_t gpus, uint32_t gpu,
                         uint32_t core);

/* The GPUs of a machine, and those that calls are staged to at the same time. */
typedef struct uswi_staging_site {
  const uswi_topology_t *topology;
  const uint16_t *nodes; /* of all GPUs */
  uint32_t gpus;
  const uint16_t *gpu_of_call;
} uswi_staging_site_t;

/* What a thread does: its call, and which of the shares it copies, USWI_NOWHERE of those that do not copy. */
typedef struct uswi_staging_deal {
  uint16_t call_of_thread[USWI_STAGING_MOST_THREADS], share_of_thread[USWI_STAGING_MOST_THREADS];
  uint16_t conductor[USWI_MAX_DEVICES]; /* by call: the thread that launches; it copies only where nobody else does */
  uint32_t helpers[USWI_MAX_DEVICES];   /* by call: threads that copy */
} uswi_staging_deal_t;

/* Who launches and who copies, by the cores that the threads of a team sit on (indices, or USWI_NOWHERE). For a call copy all
 * threads that are near to its GPU and to no other call's, and as many others as are needed to have enough. One call has thread
 * 0 launch; of several each has a thread that is near, unless there are fewer than two threads for a call: then thread 0
 * launches all. */
void uswi_staging_deal(const uswi_staging_site_t *site, uint32_t calls, const uint16_t *core_of_thread,
                       uint32_t threads, uswi_staging_deal_t *deal);

#endif
