/* A call on the host: chunks of items, threads over the chunks, the chunks' records merged in index order. So the
 * result has the same bits for any number of threads. */
#include <omp.h>
#include <stdlib.h>

#include "error.h"
#include "host/arithmetic.h"
#include "host/chunks.h"
#include "host/threads.h"
#include "host/variant.h"

enum { SMALL_PARTIALS_BYTES = 32 << 10 };

static void run_chunks(const uswi_call_t *call, uint32_t chunks, int threads, char *partials, size_t partial_bytes) {
  const usw_host_function_t host = uswi_host_function(call->kernel);
#pragma omp parallel num_threads(threads)
  {
    uswi_arithmetic_t threads_own;
    uswi_arithmetic_begin(&threads_own, call->kernel, call->options); /* what it inherits is up to the runtime */
#pragma omp for schedule(static) nowait
    for (uint32_t c = 0; c < chunks; c++)
      host(uswi_chunk_start(call->n, chunks, c), uswi_chunk_start(call->n, chunks, c + 1), call->slots, call->strides,
           call->extents, partials + c * partial_bytes);
    uswi_arithmetic_end(&threads_own);
  }
}

usw_status_t uswi_run_on_host(uswi_call_t *call, void *record_out) {
  const usw_kernel_t *k = call->kernel;
  const uint32_t chunks = call->chunks;
  if (chunks == 1) {
    uswi_host_function(k)(0, call->n, call->slots, call->strides, call->extents, record_out);
    return USW_OK;
  }
  /* Partials on lines of their own: threads write them at the same time. */
  const size_t partial_bytes = (call->record_bytes + USWI_LINE_BYTES - 1) / USWI_LINE_BYTES * USWI_LINE_BYTES;
  _Alignas(USWI_LINE_BYTES) char small[SMALL_PARTIALS_BYTES];
  char *partials = small;
  if (chunks * partial_bytes > sizeof small)
    partials = aligned_alloc(USWI_LINE_BYTES, chunks * partial_bytes);
  if (!partials)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", k->name, chunks, partial_bytes);
  call->teams = uswi_threads_take(chunks);
  run_chunks(call, chunks, (int)call->teams, partials, partial_bytes);
  uswi_threads_give_back();
  k->identity(record_out, call->extents);
  for (uint32_t c = 0; c < chunks; c++)
    k->merge(record_out, partials + c * partial_bytes, call->extents);
  if (partials != small)
    free(partials);
  return USW_OK;
}
