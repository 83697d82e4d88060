#include "policy/segments.h"

#include "base/error.h"

enum { JOINED = 16 /* stretches into one, as in engine/team_segments.h */ };

static int is_offset_type(usw_type_t type) {
  return type == USW_I32 || type == USW_U32 || type == USW_I64 || type == USW_U64;
}

static uint32_t offset_bytes(usw_type_t type) { return type == USW_I32 || type == USW_U32 ? 4 : 8; }

static usw_status_t describe_lengths(const char *name, const usw_segments_t *segments, size_t n,
                                     uswi_segments_t *segments_out) {
  size_t items;
  if (__builtin_mul_overflow(segments->count, segments->length, &items) || items > n)
    return uswi_fail(USW_ERROR_INVALID, "%s: %zu segments of %zu items are more than the %zu items", name,
                     segments->count, segments->length, n);
  segments_out->words.usw_ends = segments->length;
  return USW_OK;
}

static usw_status_t describe_offsets(const char *name, const usw_segments_t *segments, uswi_segments_t *segments_out) {
  const uint64_t begins = (uint64_t)(uintptr_t)segments->begins, ends = (uint64_t)(uintptr_t)segments->ends;
  if (!is_offset_type(segments->type))
    return uswi_fail(USW_ERROR_INVALID, "%s: offsets are of type USW_I32, USW_U32, USW_I64 or USW_U64, not of type %d",
                     name, (int)segments->type);
  const uint32_t bytes = offset_bytes(segments->type);
  if (segments->count > 0 && (!begins || !ends))
    return uswi_fail(USW_ERROR_INVALID, "%s: the %s of the segments are NULL", name, begins ? "ends" : "begins");
  if (begins % bytes != 0 || ends % bytes != 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: the offsets are not on a boundary of their %u bytes", name, bytes);
  segments_out->is_path = ends == begins + bytes;
  segments_out->is_signed = segments->type == USW_I32 || segments->type == USW_I64;
  segments_out->words.usw_begins = begins;
  segments_out->words.usw_ends = ends;
  segments_out->words.usw_offset_bytes = bytes;
  return USW_OK;
}

usw_status_t uswi_segments_describe(const char *name, const usw_segments_t *segments, size_t n,
                                    uswi_segments_t *segments_out) {
  if (!segments)
    return uswi_fail(USW_ERROR_INVALID, "%s: the segments are NULL", name);
  if (segments->size != sizeof *segments)
    return uswi_fail(USW_ERROR_VERSION, "%s: segments.size is %zu, this library knows %zu", name, segments->size,
                     sizeof *segments);
  *segments_out = (uswi_segments_t){.count = segments->count, .is_path = 1};
  return segments->type == USW_NO_TYPE ? describe_lengths(name, segments, n, segments_out)
                                       : describe_offsets(name, segments, segments_out);
}

usw_status_t uswi_segments_check_kernel(const usw_kernel_t *kernel) {
  if (kernel->facts & USW_FACT_SEGMENTS)
    return USW_OK;
  return uswi_fail(USW_ERROR_UNSUPPORTED, "%s is no kernel of segments: define USW_SEGMENTS before <upsweep/kernel.h>",
                   kernel->name);
}

usw_array_t uswi_rows_of_segments(const usw_segments_t *segments, usw_type_t type, uint32_t stream,
                                  const usw_options_t *options) {
  const size_t extents[] = {segments->count, segments->length};
  const ptrdiff_t asked = options && options->size == sizeof *options ? options->stride[stream] : 1;
  const ptrdiff_t stride = uswi_stride(asked), strides[] = {(ptrdiff_t)segments->length * stride, stride};
  return usw_array(type, NULL, 2, extents, strides);
}

size_t uswi_stretches_bytes(const uswi_call_t *call) {
  const size_t blocks = uswi_segments_words((uswi_call_t *)(uintptr_t)call)->usw_blocks;
  size_t stretches = blocks;
  for (size_t count = blocks; count > 1; stretches += count)
    count = (count + JOINED - 1) / JOINED;
  return stretches * USW_STRETCH_BYTES(call->kernel->accumulator_bytes);
}
