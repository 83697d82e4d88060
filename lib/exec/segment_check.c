#include "exec/segment_check.h"

#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "policy/segments.h"

enum { AT_ONCE = 1024 /* offsets that are copied from a device */ };

/* Offsets from number k on, of an array that is in the host's memory or in a device's. */
typedef struct {
  const char *address;
  size_t bytes;
  const uswi_device_t *device; /* NULL: the host's memory */
  char copies[AT_ONCE * sizeof(uint64_t)];
} offsets_t;

static void open_offsets(const uswi_call_t *call, uint64_t address, size_t bytes, offsets_t *offsets_out) {
  const char *const there = (const char *)(uintptr_t)address;
  offsets_out->address = there;
  offsets_out->bytes = bytes;
  offsets_out->device = uswi_backend_where(there).memory == USWI_MEMORY_DEVICE ? call->device : NULL;
}

/* `count` of them, at most AT_ONCE; NULL: they cannot be copied. */
static const char *look_at(offsets_t *offsets, size_t k, size_t count) {
  const char *const from = offsets->address + k * offsets->bytes;
  if (!offsets->device)
    return from;
  return uswi_backend_copy_to_host(offsets->device, offsets->copies, from, count * offsets->bytes) ? offsets->copies
                                                                                                   : NULL;
}

static uint64_t number_at(const char *offsets, size_t k, size_t bytes) {
  uint64_t number = 0;
  memcpy(&number, offsets + k * bytes, bytes); /* little-endian, as all places are */
  return number;
}

/* Whether so many offsets do not fall or leave the items, without a branch for each, as nearly all are right: compilers find vectors. */
#define DEFINE_ARE_RIGHT(offset_t, MOST)                                                                               \
  static int are_right_##offset_t(const char *begins, const char *ends, size_t count, uint64_t items) {                \
    const offset_t last = items < (MOST) ? (offset_t)items : (MOST);                                                   \
    int is_wrong = 0;                                                                                                  \
    for (size_t k = 0; k < count; k++) {                                                                               \
      offset_t from, to;                                                                                               \
      memcpy(&from, begins + k * sizeof from, sizeof from);                                                            \
      memcpy(&to, ends + k * sizeof to, sizeof to);                                                                    \
      is_wrong |= (from > to) | (to > last);                                                                           \
    }                                                                                                                  \
    return !is_wrong;                                                                                                  \
  }
DEFINE_ARE_RIGHT(uint32_t, UINT32_MAX)
DEFINE_ARE_RIGHT(uint64_t, UINT64_MAX)

static int are_right(const char *begins, const char *ends, size_t bytes, size_t count, uint64_t items) {
  return bytes == sizeof(uint32_t) ? are_right_uint32_t(begins, ends, count, items)
                                   : are_right_uint64_t(begins, ends, count, items);
}

int uswi_are_right_offsets(const usw_segments_words_t *words, size_t segments, size_t items) {
  return are_right((const char *)(uintptr_t)words->usw_begins, (const char *)(uintptr_t)words->usw_ends,
                   words->usw_offset_bytes, segments, items);
}

/* Offsets as their type has them. */
static long long signed_of(const uswi_call_t *call, uint64_t offset) {
  return call->segments->words.usw_offset_bytes == sizeof(int32_t) ? (int32_t)(uint32_t)offset : (long long)offset;
}

static usw_status_t tell(const uswi_call_t *call, size_t k, uint64_t begin, uint64_t end, size_t items) {
  const unsigned long long from = begin, to = end;
  if (call->segments && call->segments->is_signed && (signed_of(call, begin) < 0 || signed_of(call, end) < 0))
    return uswi_fail(USW_ERROR_INVALID, "%s: segment %zu begins at item %lld and ends at %lld: no item is before 0",
                     call->name, k, signed_of(call, begin), signed_of(call, end));
  if (end <= items)
    return uswi_fail(USW_ERROR_INVALID, "%s: segment %zu begins at item %llu and ends at %llu: offsets must not fall",
                     call->name, k, from, to);
  return uswi_fail(USW_ERROR_INVALID, "%s: segment %zu ends at item %llu, but there are %zu items", call->name, k, to,
                   items);
}

usw_status_t uswi_check_offsets(const uswi_call_t *call, const usw_segments_words_t *words, size_t segments,
                                size_t items) {
  const size_t bytes = words->usw_offset_bytes;
  offsets_t begins, ends;
  if (bytes == 0)
    return USW_OK;
  open_offsets(call, words->usw_begins, bytes, &begins);
  open_offsets(call, words->usw_ends, bytes, &ends);
  for (size_t first = 0; first < segments; first += AT_ONCE) {
    const size_t count = segments - first < AT_ONCE ? segments - first : AT_ONCE;
    const char *begin = look_at(&begins, first, count), *end = look_at(&ends, first, count);
    if (!begin || !end)
      return uswi_fail(USW_ERROR_DEVICE, "%s: the offsets cannot be copied from device %d", call->name,
                       call->device->number);
    const int is_right = are_right(begin, end, bytes, count, items);
    for (size_t k = 0; !is_right && k < count; k++) {
      const uint64_t from = number_at(begin, k, bytes), to = number_at(end, k, bytes);
      if (from > to || to > items)
        return tell(call, first + k, from, to, items);
    }
  }
  return USW_OK;
}

void uswi_segments_aim(uswi_call_t *call, void *stretches, uswi_told_t *told) {
  usw_segments_words_t *words = uswi_segments_words(call);
  *told = (uswi_told_t){0, 0};
  words->usw_stretches = (uint64_t)(uintptr_t)stretches;
  words->usw_wrong = (uint64_t)(uintptr_t)told;
}
