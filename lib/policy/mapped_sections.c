#include "policy/mapped_sections.h"

#include "policy/devices.h"

/* A stream: item i begins at first + i * step. */
typedef struct stream {
  uint64_t first;
  int64_t step;
  uint32_t bytes, argument;
} stream_t;

typedef struct streams {
  stream_t of[USW_MAX_INPUTS];
  uint32_t count;
  size_t n; /* items of the call */
} streams_t;

static streams_t streams_of(const uswi_call_t *whole) {
  const usw_kernel_t *k = whole->kernel;
  streams_t streams = {.n = whole->n};
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (uswi_is_stream(&k->arguments[a])) {
      stream_t *const stream = &streams.of[streams.count];
      stream->first = whole->arguments[a];
      stream->bytes = k->arguments[a].bytes;
      stream->step = (int64_t)whole->strides[streams.count++] * stream->bytes;
      stream->argument = a;
    }
  return streams;
}

static uint64_t address_of(const stream_t *stream, size_t item) {
  return stream->first + (uint64_t)item * (uint64_t)stream->step;
}

static uint64_t mapped(const uswi_device_t *device, uint64_t address) {
  return (uint64_t)(uintptr_t)uswi_backend_mapped(device, (const void *)(uintptr_t)address);
}

/* Whether an item is mapped as far from the device's copy of item `from`, which is at `there`, as it is on the host. */
static int goes_on(const stream_t *stream, const uswi_device_t *device, size_t from, uint64_t there, size_t item) {
  const uint64_t end = address_of(stream, item) + stream->bytes - 1;
  return mapped(device, end) == there + (end - address_of(stream, from));
}

static int all_go_on(const streams_t *s, const uswi_device_t *device, size_t from, const uint64_t *there, size_t item) {
  for (uint32_t k = 0; k < s->count; k++)
    if (!goes_on(&s->of[k], device, from, there[k], item))
      return 0;
  return 1;
}

static int find_copies(const streams_t *s, const uswi_device_t *device, size_t from, uint64_t *there) {
  for (uint32_t k = 0; k < s->count; k++)
    if (!(there[k] = mapped(device, address_of(&s->of[k], from))))
      return 0;
  return 1;
}

/* The first item behind the section that has item `from`; `from` itself if none has. */
static size_t end_of_section(const streams_t *s, const uswi_device_t *device, size_t from) {
  uint64_t there[USW_MAX_INPUTS];
  size_t in = from, out = s->n - 1;
  if (!find_copies(s, device, from, there))
    return from;
  if (all_go_on(s, device, from, there, out))
    return s->n;
  while (out - in > 1) {
    const size_t middle = in + (out - in) / 2;
    *(all_go_on(s, device, from, there, middle) ? &in : &out) = middle;
  }
  return out;
}

/* Streams that no device has the first item of may be staged, whatever the others are. */
static void keep_mapped(streams_t *s, const int *devices, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < s->count; k++) {
    uint32_t d = 0;
    while (d < count && !mapped(uswi_device(devices[d]), s->of[k].first))
      d++;
    if (d < count)
      s->of[kept++] = s->of[k];
  }
  s->count = kept;
}

static int are_in_sections(const streams_t *s, const uswi_device_parts_t *parts) {
  uint64_t there[USW_MAX_INPUTS];
  for (uint32_t k = 0; k < parts->count; k++) {
    const uswi_device_t *device = uswi_device(parts->devices[k]);
    const size_t first = parts->starts[k], end = parts->starts[k + 1];
    if (end > first && !(find_copies(s, device, first, there) && all_go_on(s, device, first, there, end - 1)))
      return 0;
  }
  return 1;
}

/* From each item on by the device whose section reaches farthest, of equal ones the first: if any sections cover the items, these do. */
static int cover(const streams_t *s, const int *devices, uint32_t count, uswi_device_parts_t *parts) {
  size_t at = 0;
  for (parts->count = 0; at < s->n && parts->count < USWI_MAX_DEVICES; parts->count++) {
    size_t farthest = at;
    for (uint32_t d = 0; d < count && farthest < s->n; d++) {
      const size_t end = end_of_section(s, uswi_device(devices[d]), at);
      if (end <= farthest)
        continue;
      farthest = end;
      parts->devices[parts->count] = devices[d];
    }
    if (farthest == at)
      return 0;
    parts->starts[parts->count] = at;
    at = farthest;
  }
  parts->starts[parts->count] = at;
  return at == s->n;
}

void uswi_follow_sections(const uswi_call_t *whole, const int *devices, uint32_t count, uswi_device_parts_t *parts) {
  streams_t streams = streams_of(whole);
  uswi_device_parts_t sections;
  if (whole->n > 0)
    keep_mapped(&streams, devices, count);
  if (whole->n > 0 && streams.count > 0 && !are_in_sections(&streams, parts) &&
      cover(&streams, devices, count, &sections))
    *parts = sections;
}

uint64_t uswi_cut_streams(const uswi_call_t *whole, const uswi_device_parts_t *parts, uint32_t part) {
  const uswi_device_t *device = uswi_device(parts->devices[part]);
  const size_t first = parts->starts[part], end = parts->starts[part + 1];
  const streams_t s = streams_of(whole);
  uint64_t cut = 0;
  for (uint32_t k = 0; k < s.count && end > first; k++) {
    const uint64_t there = mapped(device, address_of(&s.of[k], first));
    cut |= (uint64_t)(there && !goes_on(&s.of[k], device, first, there, end - 1)) << s.of[k].argument;
  }
  return cut;
}
