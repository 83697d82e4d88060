/* Marks where segments begin, a bit for each item (lib/api/scan_segments.c). An item of this kernel is `at_once` segments, whose marks are mostly
 * in few words, each of which is written once. offset_bytes 0: segments have one length. Before the marks are the bounds of all segments. */
#include "entry.h"

#define USW_KERNEL marks
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  ARRAY(char, offsets)                                                                                                 \
  VALUE(uint64_t, offset_bytes)                                                                                        \
  VALUE(uint64_t, length)                                                                                              \
  VALUE(uint64_t, segments) VALUE(uint64_t, at_once) VALUE(uint64_t, items) VALUE(uint64_t, memory)
/* The first segment that is wrong. */
#define USW_REDUCERS(R, S) R(uint64_t, wrong, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_INLINE uint64_t USW_F(_offset_at)(const char *offsets, uint64_t k, uint64_t offset_bytes, uint64_t length) {
  return offset_bytes == 0   ? k * length
         : offset_bytes == 4 ? ((const uint32_t *)(const void *)offsets)[k]
                             : ((const uint64_t *)(const void *)offsets)[k];
}
USW_INLINE void USW_F(_put)(usw_marks_t *marks, uint64_t word, uint32_t bits) {
  if (bits)
    __atomic_fetch_or((uint32_t *)(void *)(marks + 1) + word, bits, __ATOMIC_RELAXED);
}
USW_VISIT(group) {
  usw_marks_t *const all = (usw_marks_t *)(uintptr_t)memory;
  const uint64_t first = at_once * group, behind = first + at_once < segments ? first + at_once : segments;
  uint64_t from = USW_F(_offset_at)(offsets, first, offset_bytes, length), word = 0;
  uint32_t bits = 0;
  if (first == 0)
    all->begin = from;
  for (uint64_t k = first; k < behind; k += 4) { /* four offsets are on their way at once */
    uint64_t ends[4];
    USW_UNROLL for (uint64_t u = 0; u < 4; u++) {
      const uint64_t end = k + u + 1;
      ends[u] = USW_F(_offset_at)(offsets, end < behind ? end : behind, offset_bytes, length);
    }
    USW_UNROLL for (uint64_t u = 0; u < 4; u++) {
      const uint64_t to = ends[u];
      if (k + u >= behind)
        continue;
      if (from > to || to > items) {
        usw_combine(wrong, k + u);
      } else if (from < to) {
        if (from / 32 != word)
          USW_F(_put)(all, word, bits);
        bits = (from / 32 == word ? bits : 0) | UINT32_C(1) << from % 32;
        word = from / 32;
      }
      from = to;
    }
  }
  USW_F(_put)(all, word, bits);
  if (behind == segments)
    all->end = from;
}
#include <upsweep/kernel_end.h>
