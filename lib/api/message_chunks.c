#include "api/message_chunks.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "policy/call.h"

/* Of a span's cells: their boundary in records (descriptor.h), how many bytes of them are merged at a time. Two chunks fit a first cache. */
enum { LINE_BYTES = 64, CELLS_BOUNDARY = 16, CHUNK_BYTES = 12 << 10 };

int uswi_has_free_extents(const usw_kernel_t *kernel) {
  int is_free = (kernel->facts & USW_FACT_SPANS) != 0;
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    is_free &= kernel->reducers[r].cell_bytes <= CHUNK_BYTES &&
               (kernel->reducers[r].cell_bytes == 0 || kernel->reducers[r].extent == 0);
  return is_free;
}

/* Two records of which one span alone has elements, as many as chunks have. */
typedef struct {
  const usw_kernel_t *kernel;
  size_t cells; /* where they begin */
  uint64_t extents[USWI_MAX_REDUCERS];
  char *a, *b;
} chunk_t;

/* The same elements of a span from both records. */
static void merge_cells(chunk_t *chunk, uint32_t r, uint64_t count, const char *first, const char *second, char *to) {
  const size_t cell = chunk->kernel->reducers[r].cell_bytes, most = CHUNK_BYTES / cell;
  for (uint64_t k = 0; k < count; k += most) {
    const size_t n = count - k < most ? (size_t)(count - k) : most;
    chunk->extents[r] = n;
    memcpy(chunk->a + chunk->cells, first + k * cell, n * cell);
    memcpy(chunk->b + chunk->cells, second + k * cell, n * cell);
    chunk->kernel->merge(chunk->a, chunk->b, chunk->extents);
    memcpy(to + k * cell, chunk->a + chunk->cells, n * cell);
  }
  chunk->extents[r] = 0;
}

int uswi_merge_in_chunks(const usw_kernel_t *kernel, const char *first, const char *second, char *to,
                         const uint64_t *extents) {
  const size_t acc = kernel->accumulator_bytes, begin = uswi_round_up(acc, CELLS_BOUNDARY);
  const size_t bytes = uswi_round_up(begin + CHUNK_BYTES, LINE_BYTES);
  chunk_t chunk = {.kernel = kernel, .cells = begin, .a = aligned_alloc(LINE_BYTES, 2 * bytes)};
  if (!chunk.a)
    return 0;
  chunk.b = chunk.a + bytes;
  memcpy(chunk.a, first, acc);
  memcpy(chunk.b, second, acc);
  kernel->merge(chunk.a, chunk.b, chunk.extents);
  memcpy(to, chunk.a, acc);
  kernel->identity(chunk.a, chunk.extents);
  kernel->identity(chunk.b, chunk.extents);
  size_t at = begin;
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    if (kernel->reducers[r].cell_bytes) {
      merge_cells(&chunk, r, extents[r], first + at, second + at, to + at);
      at += uswi_round_up(extents[r] * kernel->reducers[r].cell_bytes, CELLS_BOUNDARY);
    }
  free(chunk.a);
  return 1;
}
