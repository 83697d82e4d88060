/* A chunk is a call of its own: of whole results over elements that the buffer has, one behind the other, behind which are the offsets of
 * segments, counted from the chunk's first item, and room for the results; or of the kernel of one result, whose records are merged as those
 * of any staged reduction. */

#include "exec/staging_results.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/segment_check.h"
#include "exec/staging_copy.h"
#include "exec/staging_memory.h"
#include "exec/staging_ring.h"
#include "policy/catalog.h"
#include "policy/place.h"
#include "policy/prepare.h"
#include "policy/result_shares.h"
#include "policy/segments.h"
#include "policy/staging.h"
#include "policy/staging_parts.h"

enum { SLACK = 6 * USWI_STAGING_BOUNDARY, RECORD_BOUNDARY = 64 };

/* What a chunk's call refers to, as long as its buffer is taken. */
typedef struct own {
  uswi_axes_t axes;
  uswi_segments_t segments;
  usw_variable_t variable;
} own_t;

typedef struct job {
  uswi_call_t *call;
  uswi_parts_t parts;
  const usw_kernel_t *of_one; /* the kernel of results that come in pieces */
  usw_options_t options;      /* of chunks */
  usw_options_t of_pieces;    /* of chunks that are pieces */
  own_t own[USWI_STAGING_BUFFERS];
  char *record, *part; /* of a result's pieces so far, and of the last one */
  char *room;
} job_t;

/* Where things are in a buffer. */
typedef struct layout {
  size_t stream[USWI_STAGED_STREAMS], offsets, end; /* end: of what is copied to the device */
  size_t results, told;
} layout_t;

static uint32_t streams_of(const job_t *job) { return job->call->kernel->stream_count; }
static size_t bytes_of(const job_t *job, uint32_t stream) { return job->call->kernel->arguments[stream].bytes; }
static size_t result_bytes(const job_t *job) { return job->call->kernel->reducers[0].bytes; }

static size_t offset_bytes(const job_t *job) {
  return job->call->segments ? job->call->segments->words.usw_offset_bytes : 0;
}

static layout_t layout_of(const job_t *job, const uswi_part_t *part) {
  layout_t layout = {{0}, 0, 0, 0, 0};
  size_t at = 0;
  for (uint32_t s = 0; s < streams_of(job); s++) {
    layout.stream[s] = at;
    layout.end = at + part->items * bytes_of(job, s);
    at = uswi_round_up(layout.end, USWI_STAGING_BOUNDARY);
  }
  if (part->is_piece)
    return layout;
  layout.offsets = at;
  if (job->call->segments)
    layout.end = at + (part->results + 1) * offset_bytes(job);
  layout.results = uswi_round_up(layout.end, USWI_STAGING_BOUNDARY);
  layout.told = uswi_round_up(layout.results + part->results * result_bytes(job), USWI_STAGING_BOUNDARY);
  return layout;
}

/* ---- axes ---- */

/* Positions of a chunk along the axes, the slowest first. */
typedef struct box {
  uint32_t count;
  size_t extent[USWI_MOST_AXES];
  ptrdiff_t step[USWI_MOST_AXES];
} box_t;

/* The extents of a chunk of whole results: of axes before the one that is cut there is one position. */
static size_t extent_in_chunk(const uswi_parts_t *parts, const uswi_part_t *part, uint32_t axis) {
  if (axis >= parts->kept || axis > parts->cut)
    return parts->axes[axis].extent;
  return axis < parts->cut ? 1 : part->results / parts->results_of_position;
}

/* What comes before result number r, in elements of a stream or, for none, in results. */
static ptrdiff_t start_of_result(const uswi_parts_t *parts, size_t r, int stream) {
  ptrdiff_t start = 0;
  for (uint32_t k = parts->kept; k-- > 0; r /= parts->axes[k].extent) {
    const ptrdiff_t step = stream < 0 ? (ptrdiff_t)parts->axes[k].result_step : parts->axes[k].step[stream];
    start += (ptrdiff_t)(r % parts->axes[k].extent) * step;
  }
  return start;
}

/* The order of a chunk's axes in a buffer: that of the elements in memory; the fastest is last. */
static void order_axes(const uswi_parts_t *parts, uint32_t stream, uint32_t order[USWI_MOST_AXES]) {
  for (uint32_t k = 0; k < parts->count; k++) {
    uint32_t at = k;
    const size_t step = uswi_distance(parts->axes[k].step[stream]);
    for (; at > 0 && uswi_distance(parts->axes[order[at - 1]].step[stream]) < step; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
}

/* Neighbours are one axis where their elements follow each other. */
static void append(box_t *box, size_t extent, ptrdiff_t step) {
  if (extent == 1)
    return;
  if (box->count > 0 && box->step[box->count - 1] == step * (ptrdiff_t)extent) {
    box->extent[box->count - 1] *= extent;
    box->step[box->count - 1] = step;
    return;
  }
  box->extent[box->count] = extent;
  box->step[box->count++] = step;
}

/* The elements of a stream in their order in the buffer: of a piece that of the result's items. */
static box_t box_of(const job_t *job, const uswi_part_t *part, uint32_t stream) {
  const uswi_parts_t *parts = &job->parts;
  uint32_t order[USWI_MOST_AXES];
  box_t box = {.count = 0};
  order_axes(parts, stream, order);
  for (uint32_t k = part->is_piece ? parts->kept : 0; k < parts->count; k++) {
    const uint32_t axis = part->is_piece ? k : order[k];
    append(&box, part->is_piece ? parts->axes[axis].extent : extent_in_chunk(parts, part, axis),
           parts->axes[axis].step[stream]);
  }
  if (box.count == 0) {
    box.extent[0] = 1;
    box.count = 1;
  }
  return box;
}

/* Elements first, ..., last - 1 of a box. */
static void gather_box(char *to, const char *from, const box_t *box, size_t first, size_t last, size_t bytes) {
  const uint32_t line = box->count - 1;
  while (first < last) {
    size_t rest = first / box->extent[line];
    const size_t in_line = first % box->extent[line], left = box->extent[line] - in_line;
    const size_t items = left < last - first ? left : last - first;
    ptrdiff_t start = (ptrdiff_t)in_line * box->step[line];
    for (uint32_t k = line; k-- > 0; rest /= box->extent[k])
      start += (ptrdiff_t)(rest % box->extent[k]) * box->step[k];
    uswi_staging_gather(to, from + start * (ptrdiff_t)bytes, items, box->step[line], bytes);
    to += items * bytes;
    first += items;
  }
}

static void fill_axes(const job_t *job, const uswi_part_t *part, char *to, uint32_t stream, size_t first, size_t last) {
  const size_t bytes = bytes_of(job, stream);
  const box_t box = box_of(job, part, stream);
  const ptrdiff_t start = start_of_result(&job->parts, part->result, (int)stream);
  const char *const from = (const char *)(uintptr_t)job->call->arguments[stream] + start * (ptrdiff_t)bytes;
  gather_box(to + first * bytes, from, &box, part->item + first, part->item + last, bytes);
}

/* A chunk's part of the arrays, packed: those that stay, then those that are reduced. */
static usw_status_t describe_axes(const job_t *job, const uswi_part_t *part, own_t *own) {
  const uswi_parts_t *parts = &job->parts;
  const usw_array_t *pointers[USWI_STAGED_STREAMS];
  usw_array_t arrays[USWI_STAGED_STREAMS];
  size_t extents[USWI_MOST_AXES];
  for (uint32_t k = 0; k < parts->count; k++)
    extents[k] = extent_in_chunk(parts, part, k);
  for (uint32_t s = 0; s < streams_of(job); s++) {
    uint32_t order[USWI_MOST_AXES];
    ptrdiff_t strides[USWI_MOST_AXES], step = 1;
    order_axes(parts, s, order);
    for (uint32_t k = parts->count; k-- > 0; step *= (ptrdiff_t)extents[order[k]])
      strides[order[k]] = step;
    arrays[s] = usw_array((usw_type_t)job->call->kernel->type, NULL, parts->count, extents, strides);
    pointers[s] = &arrays[s];
  }
  const uint32_t all = (1u << parts->count) - 1, kept = (1u << parts->kept) - 1;
  return uswi_axes_describe(job->call->name, job->call->kernel, pointers, all & ~kept, &own->axes);
}

/* Results of a chunk, which are in the order of the axes, to where they are to be. */
static void put_results(const job_t *job, const uswi_part_t *part, const char *from) {
  const size_t bytes = result_bytes(job);
  if (job->call->segments || job->parts.kept == 0) {
    memcpy(job->room + part->result * bytes, from, part->results * bytes);
    return;
  }
  const uswi_staged_axis_t *const line = &job->parts.axes[job->parts.kept - 1];
  const size_t of_line = extent_in_chunk(&job->parts, part, job->parts.kept - 1);
  for (size_t r = 0; r < part->results; r += of_line, from += of_line * bytes) {
    char *const to = job->room + (size_t)start_of_result(&job->parts, part->result + r, -1) * bytes;
    if (line->result_step == 1)
      memcpy(to, from, of_line * bytes);
    for (size_t k = 0; line->result_step != 1 && k < of_line; k++)
      memcpy(to + k * line->result_step * bytes, from + k * bytes, bytes);
  }
}

/* ---- segments ---- */

static void fill_segments(const job_t *job, const uswi_part_t *part, char *to, uint32_t stream, size_t first,
                          size_t last) {
  const size_t bytes = bytes_of(job, stream);
  const ptrdiff_t stride = job->call->strides[stream], start = (ptrdiff_t)(part->item + first) * stride;
  if (first < last)
    uswi_staging_gather(to + first * bytes,
                        (const char *)(uintptr_t)job->call->arguments[stream] + start * (ptrdiff_t)bytes, last - first,
                        stride, bytes);
}

static void fill_offsets(const job_t *job, const uswi_part_t *part, char *to, size_t first, size_t last) {
  const size_t bytes = offset_bytes(job);
  for (size_t k = first; k < last; k++) {
    const uint64_t offset = uswi_staged_offset(job->call, part->result + k) - part->item;
    memcpy(to + k * bytes, &offset, bytes); /* little-endian, as all places are */
  }
}

static usw_status_t describe_segments(const job_t *job, const uswi_part_t *part, const char *offsets, own_t *own) {
  const usw_type_t type = offset_bytes(job) == sizeof(uint32_t) ? USW_U32 : USW_U64;
  const usw_segments_t segments = usw_segments_by_offsets(type, offsets, part->results);
  return uswi_segments_describe(job->call->name, &segments, part->items, &own->segments);
}

/* ---- chunks ---- */

static void fill(void *context, size_t chunk, char *buffer, uint32_t shares, uint32_t share) {
  const job_t *job = context;
  const uswi_part_t part = uswi_parts_at(&job->parts, chunk);
  const layout_t layout = layout_of(job, &part);
  const size_t first = uswi_staging_share(part.items, shares, share),
               last = uswi_staging_share(part.items, shares, share + 1);
  for (uint32_t s = 0; s < streams_of(job); s++)
    (job->call->segments ? fill_segments : fill_axes)(job, &part, buffer + layout.stream[s], s, first, last);
  if (job->call->segments && !part.is_piece)
    fill_offsets(job, &part, buffer + layout.offsets, uswi_staging_share(part.results + 1, shares, share),
                 uswi_staging_share(part.results + 1, shares, share + 1));
}

static usw_status_t prepare(const job_t *job, const layout_t *layout, uswi_staging_buffer_t *buffer) {
  uint64_t arguments[USWI_MAX_ARGUMENTS] = {0};
  for (uint32_t s = 0; s < streams_of(job); s++)
    arguments[s] = (uint64_t)(uintptr_t)(buffer->there + layout->stream[s]);
  buffer->call.name = job->call->name;
  return uswi_prepare(&buffer->call, arguments);
}

/* Behind the launch that used it before, the scratch gets what this chunk needs. */
static usw_status_t aim_piece(const job_t *job, const uswi_part_t *part, const layout_t *layout,
                              uswi_staging_buffer_t *buffer) {
  size_t partials_bytes, pinned_bytes;
  uswi_call_init(&buffer->call, job->of_one, part->items, &job->of_pieces);
  buffer->call.index_of_first = part->item;
  if (job->call->segments)
    buffer->call.index_of_first -= uswi_staged_offset(job->call, part->result);
  const usw_status_t status = prepare(job, layout, buffer);
  if (status != USW_OK)
    return status;
  uswi_scratch_of(&buffer->call, &partials_bytes, &pinned_bytes);
  return uswi_scratch_grow(buffer->call.device, &buffer->scratch, partials_bytes, pinned_bytes);
}

static usw_status_t aim_results(const job_t *job, const uswi_part_t *part, const layout_t *layout,
                                uswi_staging_buffer_t *buffer, own_t *own) {
  const int is_of_segments = job->call->segments != NULL;
  uswi_call_init(&buffer->call, job->call->kernel, part->items, &job->options);
  own->variable = (usw_variable_t){buffer->pinned + layout->results, part->results};
  buffer->call.variables = &own->variable;
  buffer->call.segments = is_of_segments ? &own->segments : NULL;
  buffer->call.axes = is_of_segments ? NULL : &own->axes;
  usw_status_t status = is_of_segments ? describe_segments(job, part, buffer->there + layout->offsets, own)
                                       : describe_axes(job, part, own);
  if (status == USW_OK)
    status = prepare(job, layout, buffer);
  if (status == USW_OK)
    status = uswi_scratch_grow(buffer->call.device, &buffer->scratch, uswi_partials_of_results(&buffer->call),
                               buffer->call.record_bytes);
  buffer->call.extents[0] = (uint64_t)(uintptr_t)own->variable.address;
  if (status == USW_OK && is_of_segments)
    uswi_segments_aim(&buffer->call, buffer->scratch.partials, (uswi_told_t *)(void *)(buffer->pinned + layout->told));
  return status;
}

static usw_status_t aim(void *context, size_t chunk, uswi_staging_buffer_t *buffer, size_t *bytes_out) {
  job_t *const job = context;
  const uswi_part_t part = uswi_parts_at(&job->parts, chunk);
  const layout_t layout = layout_of(job, &part);
  const usw_status_t status = part.is_piece
                                  ? aim_piece(job, &part, &layout, buffer)
                                  : aim_results(job, &part, &layout, buffer, &job->own[chunk % USWI_STAGING_BUFFERS]);
  if (chunk == 0 && status == USW_OK) { /* which a report tells */
    job->call->teams = buffer->call.teams;
    job->call->team_size = buffer->call.team_size;
  }
  *bytes_out = layout.end;
  return status;
}

static usw_status_t start(void *context, size_t chunk, uswi_staging_buffer_t *buffer) {
  (void)context, (void)chunk;
  return uswi_start_on_device(&buffer->call, &buffer->scratch, NULL, 0, &buffer->launched);
}

static usw_status_t collect_piece(const job_t *job, const uswi_part_t *part, uswi_staging_buffer_t *buffer) {
  const usw_kernel_t *k = job->of_one;
  const usw_status_t status = uswi_collect(&buffer->call, &buffer->launched, part->is_first ? job->record : job->part);
  if (status != USW_OK)
    return status;
  if (!part->is_first)
    k->merge(job->record, job->part, buffer->call.extents);
  if (part->is_last) {
    const size_t r = job->call->segments ? part->result : (size_t)start_of_result(&job->parts, part->result, -1);
    const usw_variable_t variable = {job->room + r * result_bytes(job), 1};
    k->finish(job->record, &variable, buffer->call.extents);
  }
  return USW_OK;
}

static usw_status_t collect(void *context, size_t chunk, uswi_staging_buffer_t *buffer) {
  const job_t *job = context;
  const uswi_part_t part = uswi_parts_at(&job->parts, chunk);
  const layout_t layout = layout_of(job, &part);
  if (part.is_piece)
    return collect_piece(job, &part, buffer);
  if (job->call->segments && ((uswi_told_t *)(void *)(buffer->pinned + layout.told))->is_wrong)
    return uswi_fail(USW_ERROR_INVALID, "%s: offsets have changed during the call", job->call->name);
  put_results(job, &part, buffer->pinned + layout.results);
  return USW_OK;
}

/* ---- all of it ---- */

static int is_plain(uint64_t address) {
  return uswi_backend_where((const void *)(uintptr_t)address).memory != USWI_MEMORY_DEVICE;
}

int uswi_results_are_staged(const uswi_call_t *call) {
  if (!call->device || call->staged || call->n > 0)
    return call->device && call->staged;
  const usw_segments_words_t *words = call->segments ? &call->segments->words : NULL;
  return words && words->usw_offset_bytes > 0 && call->segments->is_path && !call->device->shares_host_memory &&
         !call->options->stream && uswi_may_stage(call) &&
         uswi_backend_where((const void *)(uintptr_t)words->usw_begins).memory == USWI_MEMORY_HOST;
}

usw_status_t uswi_check_staged_results(const uswi_call_t *call) {
  const uint64_t all = ((uint64_t)1 << call->kernel->stream_count) - 1;
  if (call->n > 0 && call->staged != all)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: one array is in host memory, the other is not: of many results both are staged or none",
                     call->name);
  if (!call->segments)
    return USW_OK;
  if (!call->segments->is_path)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: segments by pairs are not staged: they may overlap, so that chunks have no order",
                     call->name);
  if (!is_plain(call->segments->words.usw_begins))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: the elements are staged, and the offsets are memory of a device: keep them in host memory",
                     call->name);
  return uswi_check_offsets(call, &call->segments->words, call->segments->count, call->n);
}

static usw_status_t run(job_t *job) {
  const uswi_ring_t ring = {.call = job->call,
                            .chunks = job->parts.chunks,
                            .context = job,
                            .fill = fill,
                            .aim = aim,
                            .start = start,
                            .collect = collect};
  const size_t record_bytes = uswi_round_up(job->of_one->accumulator_bytes, RECORD_BOUNDARY);
  uswi_staging_memory_t *memory;
  char *const records = aligned_alloc(RECORD_BOUNDARY, 2 * record_bytes);
  if (!records)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for two partials of %zu bytes", job->call->name, record_bytes);
  job->record = records;
  job->part = records + record_bytes;
  usw_status_t status = uswi_staging_take(job->call, job->parts.chunk_bytes + SLACK, &memory);
  if (status == USW_OK) {
    status = uswi_ring_run(&ring, memory);
    uswi_staging_give_back(memory);
  }
  free(records);
  return status;
}

usw_status_t uswi_stage_results(uswi_call_t *call, char *room) {
  const usw_kernel_t *k = call->kernel;
  job_t job = {.call = call,
               .of_one = uswi_kernel_of_streams((usw_operation_t)k->operation, (usw_type_t)k->type, k->stream_count,
                                                call->options),
               .options = *call->options,
               .room = room};
  if (!job.of_one)
    return USW_ERROR_UNSUPPORTED;
  uswi_keep_place(call, &job.options);
  job.options.staging = USW_STAGING_NEVER;
  job.options.recheck = USW_RECHECK_NEVER;
  job.options.report = NULL;
  memset(job.options.stride, 0, sizeof job.options.stride);
  job.of_pieces = job.options;
  job.of_pieces.teams = 0; /* the device's own: bits of a single result hang on their number, those of many must not */
  usw_status_t status = uswi_parts_cut(call, &job.parts);
  if (status == USW_OK)
    status = run(&job);
  uswi_parts_free(&job.parts);
  return status;
}
