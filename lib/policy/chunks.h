/* How the items of a call on the host fall into chunks: by n, the kernel and the tuning table alone, never by the number of
 * threads. */
#ifndef USWI_POLICY_CHUNKS_H
#define USWI_POLICY_CHUNKS_H

#include "policy/call.h"

enum {
  USWI_MOST_CHUNKS = 256,
  USWI_LINE_BYTES = 64,
  USWI_CELL_ITEMS = 8,            /* items that a chunk must have for each cell of a span that is merged for it */
  USWI_RECORDS_BYTES = 256 << 20, /* the most for records of all chunks */
};

/* So many of them, or as many as can be. */
static inline uint32_t uswi_chunks_at_most(const uswi_call_t *call, uint64_t chunks) {
  uint64_t most = USWI_MOST_CHUNKS;
  if (call->cells && most > USWI_RECORDS_BYTES / call->record_bytes)
    most = USWI_RECORDS_BYTES / call->record_bytes;
  return chunks < 2 || most < 2 ? 1 : chunks < most ? (uint32_t)chunks : (uint32_t)most;
}

static inline uint32_t uswi_chunks_of(const uswi_call_t *call, uint32_t chunk_bytes) {
  const uint64_t item_bytes = uswi_bytes_of_item(call);
  if (call->n * item_bytes < chunk_bytes) /* divisions would be a good part of a short call */
    return 1;
  const uint64_t items_per_chunk = chunk_bytes / item_bytes ? chunk_bytes / item_bytes : 1;
  const uint64_t chunks = call->n / (items_per_chunk + USWI_CELL_ITEMS * call->cells);
  return uswi_chunks_at_most(call, chunks);
}

/* Which of a number of results is the first of chunk c. */
static inline size_t uswi_chunk_result(size_t results, uint32_t chunks, uint32_t c) {
  const size_t rest = results % chunks;
  return c * (results / chunks) + (c < rest ? c : rest);
}

/* Where chunk c begins: whole cache lines of items, except that the last chunk ends with the items. */
static inline size_t uswi_chunk_start(size_t n, uint32_t chunks, uint32_t c) {
  const size_t whole = n / chunks / USWI_LINE_BYTES * USWI_LINE_BYTES;
  return c == chunks ? n : c * whole;
}

#endif
