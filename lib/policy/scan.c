#include "policy/scan.h"

#include <string.h>

#include "machine/topology.h"
#include "policy/chunks.h"

void uswi_scan_arguments(const usw_kernel_t *kernel, uint64_t x, uint64_t out, int is_exclusive,
                         uint64_t arguments_out[USWI_MAX_ARGUMENTS]) {
  memset(arguments_out, 0, USWI_MAX_ARGUMENTS * sizeof *arguments_out);
  arguments_out[0] = x;
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    if (kernel->arguments[a].kind == USW_ARGUMENT_OUT)
      arguments_out[a] = out;
  uswi_scan_words(kernel, arguments_out)->usw_is_exclusive = (uint64_t)is_exclusive;
}

uint32_t uswi_scan_item_bytes(const usw_kernel_t *kernel) {
  uint32_t bytes = 0;
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    if (uswi_is_stream(&kernel->arguments[a]))
      bytes += kernel->arguments[a].bytes;
  return bytes;
}

size_t uswi_scan_chunk_items(const usw_kernel_t *kernel) {
  const uint32_t bytes = uswi_scan_item_bytes(kernel);
  const size_t items = USWI_SCAN_CHUNK_BYTES / (bytes ? bytes : 1) / USWI_LINE_BYTES * USWI_LINE_BYTES;
  return items ? items : USWI_LINE_BYTES;
}

int uswi_scan_goes_past_caches(const uswi_call_t *call) {
  const usw_kernel_t *const kernel = call->kernel;
  uint64_t bytes = 0;
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    if (kernel->arguments[a].kind == USW_ARGUMENT_OUT) {
      bytes += (uint64_t)call->n * kernel->arguments[a].bytes;
      if (call->arguments[a] == call->arguments[0])
        return 0;
    }
  return bytes >= USWI_SCAN_FEW_BYTES && bytes > uswi_topology()->cache_bytes;
}

size_t uswi_scan_chunks(const uswi_call_t *call) {
  return uswi_quotient_up(call->n, uswi_scan_chunk_items(call->kernel));
}

uint32_t uswi_scan_most_threads(const uswi_call_t *call) {
  const size_t chunks = uswi_scan_chunks(call);
  return chunks < USWI_MOST_CHUNKS ? (uint32_t)chunks : USWI_MOST_CHUNKS;
}

uint64_t uswi_scan_tiles(const uswi_call_t *call) {
  return uswi_quotient_up(call->n, (uint64_t)call->kernel->bare.team_size * call->kernel->items_per_thread);
}

size_t uswi_scan_memory_bytes(const uswi_call_t *call) {
  const size_t tiles = uswi_scan_tiles(call), groups = uswi_quotient_up(tiles, USW_SCAN_WIDTH);
  const size_t rows = uswi_quotient_up(groups, USW_SCAN_WIDTH);
  return sizeof(usw_scan_memory_t) +
         (tiles + groups + rows + 1) * USW_SCAN_BYTES_TOLD((size_t)call->kernel->accumulator_bytes);
}

int uswi_scan_is_in_order(const uswi_call_t *call) {
  return call->device->starts_in_order && call->teams == uswi_scan_tiles(call);
}

/* Each team that is not one of as many as tiles ends with a ticket beyond them. */
uint32_t uswi_scan_tickets(const uswi_call_t *call) {
  const uint64_t tiles = uswi_scan_tiles(call);
  return uswi_scan_is_in_order(call) ? 0 : (uint32_t)(call->teams == tiles ? tiles : tiles + call->teams);
}

int uswi_scan_has_start(const uswi_call_t *call) {
  const uint64_t all = UINT64_MAX >> (64 - call->kernel->reducer_count);
  if (call->before)
    return 1;
  return call->kernel->absorb && call->variables && (~uswi_fresh_reducers(call) & all) != 0;
}

uswi_share_t uswi_share_of_scan(const uswi_call_t *call) {
  const uint32_t team_size = call->kernel->bare.team_size;
  if (call->n == 0)
    return (uswi_share_t){"", 0, 0, 1};
  if (call->device && call->device->runs_bare)
    return (uswi_share_t){uswi_scan_is_in_order(call) ? "a tile" : "a tile by ticket",
                          (uint64_t)team_size * call->kernel->items_per_thread, uswi_scan_tiles(call), team_size};
  return call->device ? (uswi_share_t){"a chunk", call->n, 1, 1}
                      : (uswi_share_t){"a chunk", uswi_scan_chunk_items(call->kernel), uswi_scan_chunks(call), 1};
}
