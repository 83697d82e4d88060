/* The stage of a window (team_windows.h), in team memory, of each sub-group its own. Elements come to it as neighbours have them side by side, by
 * copies, which need no registers while they are under way; lanes take them from it, each of them items that follow each other. */

#ifndef UPSWEEP_ENGINE_TEAM_STAGE_ONCE
#define UPSWEEP_ENGINE_TEAM_STAGE_ONCE
#include <upsweep/engine/moves.h>

enum {
  USW_COPIED_BYTES = 16,
  USW_ELEMENTS_AT_ONCE = 8 /* of a lane, that are not copied */
};
#define USW_STAGED_ELEMENTS(T, n)                                                                                      \
  unsigned char n[USW_F(_apart) || !USW_F(_is_staged) ? USW_COPIED_BYTES : USW_F(_window_items) * sizeof(T)]           \
      __attribute__((aligned(USW_STAGE_ROW)));
#define USW_COPY_TO_STAGE(T, n)                                                                                        \
  USW_UNROLL for (uint32_t from = 0; from < USW_F(_window_items) * sizeof(T);                                          \
                  from += USW_COPIED_BYTES * USW_SUB_GROUP) {                                                          \
    const uint32_t at = from + walk.lane * USW_COPIED_BYTES;                                                           \
    usw_port_copy(&USW_F(_window_stage)[walk.sub_group].n[usw_place_on_stage(at)],                                     \
                  (const char *)(walk.arguments->n + first) + at, USW_COPIED_BYTES);                                   \
  }
#define USW_PUT_ON_STAGE(T, n)                                                                                         \
  {                                                                                                                    \
    typedef USW_MOVE_OF(USW_CLAMP(1, USW_LOW_BIT((int)sizeof(T)), USW_COPIED_BYTES)) moved_t;                          \
    USW_UNROLL for (uint32_t byte = 0; byte < sizeof(T); byte += sizeof(moved_t)) {                                    \
      const uint32_t at = usw_place_on_stage(k * (uint32_t)sizeof(T) + byte);                                          \
      moved_t moved;                                                                                                   \
      __builtin_memcpy(&moved, (const char *)items[u].n + byte, sizeof moved);                                         \
      *(USW_TEAM_SPACE moved_t *)&USW_F(_window_stage)[walk.sub_group].n[at] = moved;                                  \
    }                                                                                                                  \
  }
#define USW_TAKE_FROM_STAGE(T, n)                                                                                      \
  USW_UNROLL for (uint32_t byte = 0; byte < sizeof items->n; byte += USW_COPIED_BYTES) {                               \
    const uint32_t at = usw_place_on_stage(k * (uint32_t)sizeof(T) + byte);                                            \
    const usw_move_16_t moved = *(USW_TEAM_SPACE usw_move_16_t *)&USW_F(_window_stage)[walk.sub_group].n[at];          \
    __builtin_memcpy((char *)items->n + byte, &moved, sizeof moved);                                                   \
  }

/* Where a byte of a stream's elements is. */
USW_INLINE uint32_t usw_place_on_stage(uint32_t at) {
  enum { ROW = USW_STAGE_ROW / USW_COPIED_BYTES };
  const uint32_t block = at / USW_COPIED_BYTES;
  return USW_PERMUTED(block, ROW, ROW) * USW_COPIED_BYTES + at % USW_COPIED_BYTES;
}
#endif

enum { USW_F(_stage_step) = USW_STAGE_ROW / USW_COPIED_BYTES * USW_F(_block) /* items: whole lines of every stream */ };
typedef struct {
  USW_ARGS(USW_STAGED_ELEMENTS, USW_NOTHING, USW_NOTHING)
  char usw_end; /* a kernel need not have streams */
} USW_F(_staged);
USW_TEAM_MEMORY USW_F(_staged) USW_F(_window_stage)[USW_SUB_GROUPS];

/* One element after the other. */
USW_INLINE void USW_F(_stage_elements)(const USW_F(_walk) walk, size_t first) {
  const size_t n = walk.arguments->usw_items;
#pragma nounroll
  for (uint32_t from = 0; from < USW_F(_window_items); from += USW_ELEMENTS_AT_ONCE * USW_SUB_GROUP) {
    USW_F(_items) items[USW_ELEMENTS_AT_ONCE];
    USW_UNROLL for (uint32_t u = 0; u < USW_ELEMENTS_AT_ONCE; u++) {
      const size_t item = first + from + u * USW_SUB_GROUP + walk.lane;
      USW_F(_load)(&items[u], item < n ? item : first, 1, walk.arguments, 0);
    }
    USW_UNROLL for (uint32_t u = 0; u < USW_ELEMENTS_AT_ONCE; u++) {
      const uint32_t k = from + u * USW_SUB_GROUP + walk.lane;
      if (k < USW_F(_window_items)) {
        USW_ARGS(USW_PUT_ON_STAGE, USW_NOTHING, USW_NOTHING)
      }
    }
  }
}

/* Let a window's elements come; usw_port_await_copies() waits for them. All lanes have taken what they want of those before. */
USW_INLINE void USW_F(_fill_stage)(const USW_F(_walk) walk, size_t first) {
  if (!USW_F(_is_staged))
    return;
  if (!walk.is_aligned || first + USW_F(_window_items) > walk.arguments->usw_items) {
    USW_F(_stage_elements)(walk, first);
    return;
  }
  USW_ARGS(USW_COPY_TO_STAGE, USW_NOTHING, USW_NOTHING)
}

/* A block of items, from number k of the window on. */
USW_INLINE void USW_F(_take_block_of_line)(USW_F(_items) * items, const USW_F(_walk) walk, const usw_window_t window,
                                           uint32_t k) {
  const size_t first USW_UNUSED = window.first + k, n = walk.arguments->usw_items;
  if (!USW_F(_is_staged) && walk.is_aligned && first + USW_F(_block) <= n)
    USW_F(_load)(items, first, USW_F(_block), walk.arguments, 1);
  else if (!USW_F(_is_staged))
    USW_F(_load_some)(items, first, n, walk.arguments);
  if (!USW_F(_is_staged))
    return;
  USW_ARGS(USW_TAKE_FROM_STAGE, USW_NOTHING, USW_NOTHING)
}
