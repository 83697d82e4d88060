/* A call on the host: chunks of items, threads over the chunks, the chunks' accumulators merged in
 * index order.
 *
 * How the items fall into chunks depends on n alone, so the result has the same bits for any number
 * of threads. */
#include <omp.h>
#include <stdlib.h>

#include "call.h"
#include "error.h"
#include "host/threads.h"
#include "host/variant.h"

enum {
  CHUNK_BYTES = 128 << 10, /* the least that is worth a thread */
  MOST_CHUNKS = 256,
  LINE_BYTES = 64,
  SMALL_PARTIALS_BYTES = 32 << 10,
};

static uint32_t chunks_of(const uswi_call_t *call) {
  const uint64_t item_bytes = call->kernel->item_bytes ? call->kernel->item_bytes : 1;
  const uint64_t items_per_chunk = CHUNK_BYTES / item_bytes ? CHUNK_BYTES / item_bytes : 1;
  const uint64_t chunks = call->n / items_per_chunk;
  return chunks < 2 ? 1 : chunks < MOST_CHUNKS ? (uint32_t)chunks : MOST_CHUNKS;
}

/* Where chunk c begins: whole cache lines of items, except that the last chunk ends with the items.
 */
static size_t chunk_start(size_t n, uint32_t chunks, uint32_t c) {
  const size_t whole = n / chunks / LINE_BYTES * LINE_BYTES;
  return c == chunks ? n : c * whole;
}

static void run_chunks(const uswi_call_t *call, uint32_t chunks, int threads, char *partials, size_t partial_bytes) {
  const usw_host_function_t host = uswi_host_function(call->kernel);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (uint32_t c = 0; c < chunks; c++)
    host(chunk_start(call->n, chunks, c), chunk_start(call->n, chunks, c + 1), call->slots, call->strides,
         partials + c * partial_bytes);
}

usw_status_t uswi_run_on_host(uswi_call_t *call, void *accumulator_out) {
  const usw_kernel_t *k = call->kernel;
  const uint32_t chunks = chunks_of(call);
  if (chunks == 1) {
    uswi_host_function(k)(0, call->n, call->slots, call->strides, accumulator_out);
    return USW_OK;
  }
  /* Partials on lines of their own: threads write them at the same time. */
  const size_t partial_bytes = ((size_t)k->accumulator_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  _Alignas(LINE_BYTES) char small[SMALL_PARTIALS_BYTES];
  char *partials = small;
  if (chunks * partial_bytes > sizeof small)
    partials = aligned_alloc(LINE_BYTES, chunks * partial_bytes);
  if (!partials)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", k->name, chunks, partial_bytes);
  call->teams = uswi_threads_take(chunks);
  run_chunks(call, chunks, (int)call->teams, partials, partial_bytes);
  uswi_threads_give_back();
  k->identity(accumulator_out);
  for (uint32_t c = 0; c < chunks; c++)
    k->merge(accumulator_out, partials + c * partial_bytes);
  if (partials != small)
    free(partials);
  return USW_OK;
}
