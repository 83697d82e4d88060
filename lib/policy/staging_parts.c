#include "policy/staging_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "policy/segments.h"
#include "policy/staging.h"

enum { ROUND_ITEMS = 1024, FIRST_ROOM = 64 };

static size_t item_bytes_of(const uswi_call_t *call) {
  size_t bytes = 0;
  for (uint32_t a = 0; a < call->kernel->argument_count; a++)
    if (uswi_is_stream(&call->kernel->arguments[a]))
      bytes += call->kernel->arguments[a].bytes;
  return bytes;
}

/* Arrays that repeat their elements may have more than addresses. */
static size_t times(size_t a, size_t b) {
  size_t product;
  return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* As chunks of streams: as many as keep the buffers busy, if they are not too short for it. */
static size_t chunk_bytes_of(size_t bytes) {
  const size_t share = bytes / USWI_STAGING_FEW_CHUNKS;
  return share < USWI_STAGING_LEAST_BYTES  ? USWI_STAGING_LEAST_BYTES
         : share > USWI_STAGING_MOST_BYTES ? USWI_STAGING_MOST_BYTES
                                           : share;
}

static void set_pieces(uswi_parts_t *parts, size_t item_bytes) {
  const size_t items = parts->chunk_bytes / item_bytes;
  parts->piece_items = items > ROUND_ITEMS ? items / ROUND_ITEMS * ROUND_ITEMS : items;
}

/* ---- axes ---- */

static void append(uswi_parts_t *parts, const uint64_t *level) {
  if (level[0] != 1)
    parts->axes[parts->count++] = (uswi_staged_axis_t){level[0], {(ptrdiff_t)level[2], (ptrdiff_t)level[3]}, level[4]};
}

/* The axes that the words of a call tell. */
static void read_axes(uswi_parts_t *parts) {
  const usw_axes_words_t *words = &parts->call->axes->words;
  const ptrdiff_t *strides = parts->call->axes->strides;
  const uint64_t *levels = &words->usw_extent_of_level_0;
  const uint64_t line[USW_WORDS_OF_LEVEL] = {words->usw_width, 0, words->usw_column_step, words->usw_second_column_step,
                                             words->usw_result_step};
  const uint64_t run[USW_WORDS_OF_LEVEL] = {words->usw_length, 0, (uint64_t)strides[0], (uint64_t)strides[1], 0};
  parts->count = 0;
  for (uint64_t k = words->usw_kept_levels; k-- > 0;)
    append(parts, levels + k * USW_WORDS_OF_LEVEL);
  append(parts, line);
  parts->kept = parts->count;
  for (uint64_t k = words->usw_reduced_levels; k-- > 0;)
    append(parts, levels + (words->usw_kept_levels + k) * USW_WORDS_OF_LEVEL);
  append(parts, run);
}

/* The slowest axis of which a position is no more than a chunk, and the positions of a chunk. */
static void cut_results(uswi_parts_t *parts, size_t result_bytes) {
  size_t outer = 1;
  parts->results_of_position = parts->call->axes->results;
  parts->cut = 0;
  parts->at_once = parts->chunks_of_axis = 1;
  for (; parts->cut < parts->kept; parts->cut++) {
    const size_t extent = parts->axes[parts->cut].extent;
    parts->results_of_position /= extent;
    parts->at_once = parts->chunk_bytes / times(parts->results_of_position, result_bytes);
    if (parts->at_once > 0) {
      parts->at_once = parts->at_once < extent ? parts->at_once : extent;
      parts->chunks_of_axis = uswi_quotient_up(extent, parts->at_once);
      break;
    }
    outer *= extent;
  }
  parts->chunks = outer * parts->chunks_of_axis;
}

static void cut_axes(uswi_parts_t *parts) {
  const uswi_axes_t *axes = parts->call->axes;
  const size_t item_bytes = item_bytes_of(parts->call), own_bytes = parts->call->kernel->reducers[0].bytes;
  const size_t elements_bytes = times(axes->items, item_bytes);
  parts->items = axes->items;
  parts->chunk_bytes = chunk_bytes_of(times(parts->call->n, item_bytes));
  read_axes(parts);
  set_pieces(parts, item_bytes);
  if (elements_bytes <= parts->chunk_bytes - own_bytes) {
    cut_results(parts, elements_bytes + own_bytes);
    return;
  }
  parts->pieces = uswi_quotient_up(parts->items, parts->piece_items);
  parts->chunks = axes->results * parts->pieces;
}

static uswi_part_t part_of_axes(const uswi_parts_t *parts, size_t chunk) {
  if (parts->pieces > 0) {
    const size_t piece = chunk % parts->pieces, first = piece * parts->piece_items, rest = parts->items - first;
    return (uswi_part_t){.result = chunk / parts->pieces,
                         .results = 1,
                         .item = first,
                         .items = rest < parts->piece_items ? rest : parts->piece_items,
                         .is_piece = 1,
                         .is_first = piece == 0,
                         .is_last = piece == parts->pieces - 1};
  }
  if (parts->kept == 0)
    return (uswi_part_t){.results = 1, .items = parts->items};
  const size_t extent = parts->axes[parts->cut].extent, outer = chunk / parts->chunks_of_axis;
  const size_t at = chunk % parts->chunks_of_axis * parts->at_once, rest = extent - at;
  const size_t positions = rest < parts->at_once ? rest : parts->at_once;
  const size_t results = positions * parts->results_of_position;
  return (uswi_part_t){.result = (outer * extent + at) * parts->results_of_position,
                       .results = results,
                       .items = results * parts->items};
}

/* ---- segments ---- */

uint64_t uswi_staged_offset(const uswi_call_t *call, size_t k) {
  const usw_segments_words_t *words = &call->segments->words;
  uint64_t offset = 0;
  memcpy(&offset, (const char *)(uintptr_t)words->usw_begins + k * words->usw_offset_bytes, words->usw_offset_bytes);
  return offset;
}

static usw_status_t put(uswi_parts_t *parts, uswi_part_t part) {
  const size_t count = parts->chunks, is_full = count >= FIRST_ROOM ? (count & (count - 1)) == 0 : count == 0;
  if (is_full) {
    const size_t room = count == 0 ? FIRST_ROOM : 2 * count;
    uswi_part_t *const list = realloc(parts->list, room * sizeof *list);
    if (!list)
      return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a list of %zu chunks", parts->call->name, room);
    parts->list = list;
  }
  parts->list[parts->chunks++] = part;
  return USW_OK;
}

/* How many segments from number k on are no more than a chunk. */
static size_t segments_of_chunk(const uswi_parts_t *parts, size_t k, size_t item_bytes, size_t own_bytes) {
  const uint64_t first = uswi_staged_offset(parts->call, k);
  size_t low = 0, high = parts->call->segments->count - k;
  if (high > parts->chunk_bytes / own_bytes)
    high = parts->chunk_bytes / own_bytes;
  while (low < high) {
    const size_t middle = high - (high - low) / 2;
    if ((uswi_staged_offset(parts->call, k + middle) - first) * item_bytes + middle * own_bytes <= parts->chunk_bytes)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static usw_status_t put_pieces(uswi_parts_t *parts, size_t k) {
  const size_t first = uswi_staged_offset(parts->call, k), end = uswi_staged_offset(parts->call, k + 1);
  usw_status_t status = USW_OK;
  for (size_t item = first; item < end && status == USW_OK; item += parts->piece_items) {
    const size_t rest = end - item, items = rest < parts->piece_items ? rest : parts->piece_items;
    status = put(parts, (uswi_part_t){.result = k,
                                      .results = 1,
                                      .item = item,
                                      .items = items,
                                      .is_piece = 1,
                                      .is_first = item == first,
                                      .is_last = items == rest});
  }
  return status;
}

static usw_status_t cut_segments(uswi_parts_t *parts) {
  const uswi_call_t *call = parts->call;
  const size_t item_bytes = item_bytes_of(call), count = call->segments->count;
  const size_t own_bytes = call->kernel->reducers[0].bytes + call->segments->words.usw_offset_bytes;
  const uint64_t items = uswi_staged_offset(call, count) - uswi_staged_offset(call, 0);
  usw_status_t status = USW_OK;
  parts->chunk_bytes = chunk_bytes_of(items * item_bytes + count * own_bytes);
  set_pieces(parts, item_bytes);
  for (size_t k = 0; k < count && status == USW_OK;) {
    const size_t results = segments_of_chunk(parts, k, item_bytes, own_bytes);
    const uint64_t first = uswi_staged_offset(call, k);
    if (results > 0)
      status = put(parts, (uswi_part_t){.result = k,
                                        .results = results,
                                        .item = first,
                                        .items = uswi_staged_offset(call, k + results) - first});
    else
      status = put_pieces(parts, k);
    k += results > 0 ? results : 1;
  }
  return status;
}

/* ---- both ---- */

usw_status_t uswi_parts_cut(const uswi_call_t *call, uswi_parts_t *parts_out) {
  *parts_out = (uswi_parts_t){.call = call};
  if (call->segments)
    return cut_segments(parts_out);
  cut_axes(parts_out);
  return USW_OK;
}

void uswi_parts_free(uswi_parts_t *parts) { free(parts->list); }

uswi_part_t uswi_parts_at(const uswi_parts_t *parts, size_t chunk) {
  return parts->list ? parts->list[chunk] : part_of_axes(parts, chunk);
}
