/* Calls whose streams come in chunks: a chunk is a call of its own over the items that its buffer has. Of reductions chunks leave records,
 * which are merged in their order; of scans each begins with the record of the chunk before. */

#include "exec/staging_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/scan.h"
#include "exec/staging_copy.h"
#include "exec/staging_ring.h"
#include "policy/scan.h"
#include "policy/staging.h"

enum { RECORD_BOUNDARY = 64 };

typedef struct streams {
  const uswi_call_t *call;
  uswi_staging_plan_t plan;
  char *record, *part; /* of all chunks so far, and of the last one */
} streams_t;

static void fill(void *context, size_t chunk, char *buffer, uint32_t shares, uint32_t share) {
  const streams_t *streams = context;
  uswi_staging_fill(streams->call, &streams->plan, chunk, buffer, shares, share);
}

static void drain(void *context, size_t chunk, char *buffer, uint32_t shares, uint32_t share) {
  const streams_t *streams = context;
  uswi_staging_drain(streams->call, &streams->plan, chunk, buffer, shares, share);
}

static usw_status_t aim(void *context, size_t chunk, uswi_staging_buffer_t *buffer, size_t *bytes_out) {
  const streams_t *streams = context;
  uswi_staging_aim(streams->call, &streams->plan, chunk, buffer->there, buffer->pinned, &buffer->call);
  *bytes_out = uswi_staging_bytes(&streams->plan, chunk);
  return USW_OK;
}

/* ---- reductions ---- */

static usw_status_t start(void *context, size_t chunk, uswi_staging_buffer_t *buffer) {
  (void)context, (void)chunk;
  return uswi_start_on_device(&buffer->call, &buffer->scratch, NULL, 0, &buffer->launched);
}

static usw_status_t collect(void *context, size_t chunk, uswi_staging_buffer_t *buffer) {
  const streams_t *streams = context;
  const uswi_call_t *call = streams->call;
  const usw_status_t status =
      uswi_collect(&buffer->call, &buffer->launched, chunk == 0 ? streams->record : streams->part);
  if (status == USW_OK && chunk > 0)
    call->kernel->merge(streams->record, streams->part, call->extents);
  return status;
}

/* ---- scans ---- */

/* Of fewer items than the others there may be fewer tiles. */
static usw_status_t start_scan(void *context, size_t chunk, uswi_staging_buffer_t *buffer) {
  const streams_t *streams = context;
  uswi_call_t *call = &buffer->call;
  const uint64_t tiles = call->device->runs_bare ? uswi_scan_tiles(call) : 1;
  call->teams = call->teams < tiles ? call->teams : (uint32_t)tiles;
  call->before = chunk == 0 ? NULL : streams->record;
  return uswi_scan_start(call, &buffer->scratch, &buffer->launched);
}

static usw_status_t collect_scan(void *context, size_t chunk, uswi_staging_buffer_t *buffer) {
  const streams_t *streams = context;
  (void)chunk;
  return uswi_scan_collect(&buffer->call, &buffer->scratch, streams->record);
}

/* The scratch of every buffer gets room for what tiles of a chunk tell. */
static usw_status_t get_memory(const streams_t *streams, uswi_staging_memory_t *memory) {
  uswi_call_t chunk = *streams->call;
  usw_status_t status = USW_OK;
  chunk.n = streams->plan.chunk_items;
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS && status == USW_OK; b++)
    status = uswi_scan_get_memory(&chunk, &memory->buffers[b].scratch);
  return status;
}

static void forget(const uswi_call_t *call, uswi_staging_memory_t *memory) {
  for (uint32_t b = 0; b < USWI_STAGING_BUFFERS; b++)
    uswi_scratch_forget(call->device, &memory->buffers[b].scratch);
}

/* ---- all of it ---- */

static uswi_ring_t ring_of(streams_t *streams) {
  const int is_scan = uswi_is_scan(streams->call->kernel);
  return (uswi_ring_t){.call = streams->call,
                       .chunks = streams->plan.chunks,
                       .is_in_order = is_scan,
                       .context = streams,
                       .fill = fill,
                       .drain = streams->call->kernel->facts & USW_FACT_OUTPUTS ? drain : NULL,
                       .aim = aim,
                       .start = is_scan ? start_scan : start,
                       .collect = is_scan ? collect_scan : collect};
}

static usw_status_t run(streams_t *streams, uswi_staging_memory_t *memory) {
  const int is_scan = uswi_is_scan(streams->call->kernel);
  const uswi_ring_t ring = ring_of(streams);
  usw_status_t status = is_scan ? get_memory(streams, memory) : USW_OK;
  if (status == USW_OK)
    status = uswi_ring_run(&ring, memory);
  if (status != USW_OK && is_scan)
    forget(streams->call, memory);
  return status;
}

/* The streams of a call, and staging memory for them. */
static usw_status_t begin(const uswi_call_t *call, void *record_out, streams_t *streams,
                          uswi_staging_memory_t **memory_out) {
  const size_t bytes = uswi_round_up(call->record_bytes, RECORD_BOUNDARY);
  *streams = (streams_t){.call = call,
                         .plan = uswi_staging_plan_of(call),
                         .record = record_out,
                         .part = aligned_alloc(RECORD_BOUNDARY, bytes)};
  if (!streams->part)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", call->name, bytes);
  const usw_status_t status = uswi_staging_take(call, streams->plan.buffer_bytes, memory_out);
  if (status != USW_OK)
    free(streams->part);
  return status;
}

static void end(const streams_t *streams, uswi_staging_memory_t *memory) {
  uswi_staging_give_back(memory);
  free(streams->part);
}

usw_status_t uswi_run_staged(const uswi_call_t *call, void *record_out) {
  streams_t streams;
  uswi_staging_memory_t *memory;
  usw_status_t status = begin(call, record_out, &streams, &memory);
  if (status != USW_OK)
    return status;
  status = run(&streams, memory);
  end(&streams, memory);
  return status;
}

/* ---- several ---- */

/* Who waits for memory of a device holds memory of lower numbers only, so that two such threads do not wait for each other. */
static usw_status_t run_all(const uswi_staged_call_t *calls, uint32_t count, streams_t *streams, uswi_ring_t *rings,
                            uint32_t *failed_out) {
  uswi_staging_memory_t *memories[USWI_MAX_DEVICES];
  usw_status_t status = USW_OK;
  uint32_t begun = 0;
  while (begun < count && status == USW_OK) {
    status = begin(calls[begun].call, calls[begun].record_out, &streams[begun], &memories[begun]);
    *failed_out = begun;
    begun += status == USW_OK;
  }
  for (uint32_t k = 0; k < begun; k++)
    rings[k] = ring_of(&streams[k]);
  if (status == USW_OK)
    status = uswi_rings_run(rings, memories, count, failed_out);
  for (uint32_t k = 0; k < begun; k++)
    end(&streams[k], memories[k]);
  return status;
}

usw_status_t uswi_run_staged_together(const uswi_staged_call_t *calls, uint32_t count, uint32_t *failed_out) {
  streams_t *const streams = malloc(count * sizeof *streams);
  uswi_ring_t *const rings = malloc(count * sizeof *rings);
  usw_status_t status;
  *failed_out = 0;
  if (streams && rings)
    status = run_all(calls, count, streams, rings, failed_out);
  else
    status = uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u staged parts", calls->call->name, count);
  free(streams);
  free(rings);
  return status;
}
