/* The stages of windows (team_windows.h), in team memory, of each sub-group its own. Elements come to them as neighbours have them side by side,
 * by copies, which need no registers while they are under way; lanes take them from there, each of them items that follow each other. What lanes
 * make of them has places here, too: in slots, which may be in a stage. */

#ifndef UPSWEEP_ENGINE_TEAM_STAGE_ONCE
#define UPSWEEP_ENGINE_TEAM_STAGE_ONCE
#include <upsweep/engine/moves.h>

enum {
  USW_COPIED_BYTES = 16,
  USW_ELEMENTS_AT_ONCE = 8, /* of a lane, that are not copied */
  USW_OPEN = 0,             /* the open segment's accumulator, */
  USW_PAST = 1              /* and that of one that ends, but has no items in the window */
};
#define USW_STAGED_ELEMENTS(T, n)                                                                                      \
  unsigned char n[USW_F(_apart) || !USW_F(_is_staged) ? USW_COPIED_BYTES : USW_F(_window_items) * sizeof(T)]           \
      __attribute__((aligned(USW_STAGE_ROW)));
#define USW_COPY_TO_STAGE(T, n)                                                                                        \
  {                                                                                                                    \
    const uint32_t at = walk.lane * USW_COPIED_BYTES;                                                                  \
    const char *const from = (const char *)(walk.arguments->n + first) + at;                                           \
    USW_UNROLL for (uint32_t byte = 0; byte < USW_F(_window_items) * sizeof(T);                                        \
                    byte += USW_COPIED_BYTES * USW_SUB_GROUP)                                                          \
        usw_port_copy(&USW_F(_stage)[walk.sub_group][stage].elements.n[usw_place_behind(at, byte, 1)], from + byte,    \
                      USW_COPIED_BYTES);                                                                               \
  }
#define USW_PUT_ON_STAGE(T, n)                                                                                         \
  {                                                                                                                    \
    typedef USW_MOVE_OF(USW_CLAMP(1, USW_LOW_BIT((int)sizeof(T)), USW_COPIED_BYTES)) moved_t;                          \
    USW_UNROLL for (uint32_t byte = 0; byte < sizeof(T); byte += sizeof(moved_t)) {                                    \
      const uint32_t at = usw_place_on_stage(k * (uint32_t)sizeof(T) + byte);                                          \
      moved_t moved;                                                                                                   \
      __builtin_memcpy(&moved, (const char *)items[u].n + byte, sizeof moved);                                         \
      *(USW_TEAM_SPACE moved_t *)&USW_F(_stage)[walk.sub_group][stage].elements.n[at] = moved;                         \
    }                                                                                                                  \
  }
#define USW_TAKE_FROM_STAGE(T, n)                                                                                      \
  USW_UNROLL for (uint32_t byte = 0; byte < sizeof items->n; byte += USW_COPIED_BYTES) {                               \
    const uint32_t from = walk.lane * blocks.of_lane * (uint32_t)sizeof items->n;                                      \
    const uint32_t more = b * blocks.of_next * (uint32_t)sizeof items->n + byte;                                       \
    const uint32_t at = usw_place_behind(from, more, USW_LOW_BIT((int)sizeof(T)) == sizeof(T));                        \
    const usw_move_16_t moved = *(USW_TEAM_SPACE usw_move_16_t *)&USW_F(_stage)[walk.sub_group][stage].elements.n[at]; \
    __builtin_memcpy((char *)items->n + byte, &moved, sizeof moved);                                                   \
  }

/* Which blocks of a window are a lane's: from the first one of a lane to that of the next, and from one of a lane's to the next. */
typedef struct {
  uint32_t of_lane, of_next;
} usw_blocks_of_lane_t;

/* Where a byte of a stream's elements is. */
USW_INLINE uint32_t usw_place_on_stage(uint32_t at) {
  enum { ROW = USW_STAGE_ROW / USW_COPIED_BYTES };
  const uint32_t block = at / USW_COPIED_BYTES;
  return USW_PERMUTED(block, ROW, ROW) * USW_COPIED_BYTES + at % USW_COPIED_BYTES;
}
/* The same of a byte `more` behind that. Where the two have no bits in common, nor have their places: what hangs on the lane is asked once. */
USW_INLINE uint32_t usw_place_behind(uint32_t at, uint32_t more, int have_no_bits_in_common) {
  if (!have_no_bits_in_common)
    return usw_place_on_stage(at + more);
  return (usw_place_on_stage(at) ^ usw_place_on_stage(more) % USW_STAGE_ROW) + more / USW_STAGE_ROW * USW_STAGE_ROW;
}
#endif

enum { USW_F(_stage_step) = USW_STAGE_ROW / USW_COPIED_BYTES * USW_F(_block) /* items: whole lines of every stream */ };
typedef struct {
  USW_ARGS(USW_STAGED_ELEMENTS, USW_NOTHING, USW_NOTHING)
  char usw_end; /* a kernel need not have streams */
} USW_F(_staged);
/* Where there are two stages, one whose elements lanes have taken holds what they make of them, in slots; else these are by themselves. */
enum {
  USW_F(_slots_of_stage) = USW_F(_stages) == 2 ? USW_F(_slots) : 1,
  USW_F(_own_slots) = USW_F(_stages) == 2 ? 1 : USW_CLAMP(1, USW_F(_slots), USW_MOST_ENDS)
};
typedef USW_MOVE_OF(USW_F(_slot_move)) USW_F(_slot_t);
typedef union {
  USW_F(_staged) elements;
  USW_F(_slot_t) slots[USW_F(_slot_moves)][USW_F(_slots_of_stage)];
} USW_F(_stage_t);
USW_TEAM_MEMORY USW_F(_stage_t) USW_F(_stage)[USW_SUB_GROUPS][USW_F(_stages)];
USW_TEAM_MEMORY USW_F(_slot_t) USW_F(_slot)[USW_SUB_GROUPS][USW_F(_slot_moves)][USW_F(_own_slots)];
/* By itself, too: the open segment, and one that ends, but has no items in the window; and what lines have up to their only ends. */
USW_TEAM_MEMORY USW_F(_slot_t) USW_F(_open)[USW_SUB_GROUPS][USW_F(_slot_moves)][2];
USW_TEAM_MEMORY USW_F(_slot_t) USW_F(_head)[USW_SUB_GROUPS][USW_F(_slot_moves)][USW_F(_heads)];

/* An accumulator to team memory, or from there: its moves are `step` places from each other. */
USW_INLINE void USW_F(_put_moves)(USW_TEAM_SPACE USW_F(_slot_t) * to, uint32_t step, const USW_F(_acc) * a) {
  USW_F(_slot_t) moves[USW_F(_slot_moves)];
  __builtin_memcpy(moves, (const void *)a, sizeof moves);
  USW_UNROLL for (uint32_t m = 0; m < USW_F(_slot_moves); m++) to[m * step] = moves[m];
}
USW_INLINE void USW_F(_get_moves)(USW_F(_acc) * a, const USW_TEAM_SPACE USW_F(_slot_t) * from, uint32_t step) {
  USW_F(_slot_t) moves[USW_F(_slot_moves)];
  USW_UNROLL for (uint32_t m = 0; m < USW_F(_slot_moves); m++) moves[m] = from[m * step];
  __builtin_memcpy((void *)a, moves, sizeof moves);
}
USW_INLINE void USW_F(_put_slot)(uint32_t sub_group, uint32_t stage, uint32_t slot, const USW_F(_acc) * a) {
  if (USW_F(_stages) == 2)
    USW_F(_put_moves)(&USW_F(_stage)[sub_group][stage].slots[0][slot], USW_F(_slots_of_stage), a);
  else
    USW_F(_put_moves)(&USW_F(_slot)[sub_group][0][slot], USW_F(_own_slots), a);
}
USW_INLINE void USW_F(_get_slot)(USW_F(_acc) * a, uint32_t sub_group, uint32_t stage, uint32_t slot) {
  if (USW_F(_stages) == 2)
    USW_F(_get_moves)(a, &USW_F(_stage)[sub_group][stage].slots[0][slot], USW_F(_slots_of_stage));
  else
    USW_F(_get_moves)(a, &USW_F(_slot)[sub_group][0][slot], USW_F(_own_slots));
}
USW_INLINE void USW_F(_put_open)(uint32_t sub_group, uint32_t which, const USW_F(_acc) * a) {
  USW_F(_put_moves)(&USW_F(_open)[sub_group][0][which], 2, a);
}
USW_INLINE void USW_F(_get_open)(USW_F(_acc) * a, uint32_t sub_group, uint32_t which) {
  USW_F(_get_moves)(a, &USW_F(_open)[sub_group][0][which], 2);
}

/* One element after the other. */
USW_INLINE void USW_F(_stage_elements)(const USW_F(_walk) walk, uint32_t stage, size_t first) {
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

/* Let a window's elements come. All lanes have taken what they want of those before. */
USW_INLINE void USW_F(_fill_stage)(const USW_F(_walk) walk, uint32_t stage, size_t first) {
  if (!USW_F(_is_staged))
    return;
  if (!walk.is_aligned || first + USW_F(_window_items) > walk.arguments->usw_items) {
    if (USW_F(_looks_first)) /* lanes put what others have copied, and might be taking yet (_take_open_windows()) */
      usw_port_sub_group_sync();
    USW_F(_stage_elements)(walk, stage, first);
    return;
  }
  USW_ARGS(USW_COPY_TO_STAGE, USW_NOTHING, USW_NOTHING)
}
/* The same of a window from a position on, if it has items of the block. Copies of each window are a batch. */
USW_INLINE void USW_F(_stage_window)(const USW_F(_walk) walk, const usw_position_t at, uint32_t stage,
                                     uint32_t staged) {
  if (staged < at.behind)
    USW_F(_fill_stage)(walk, stage, USW_F(_item_at)(walk, staged));
  if (USW_F(_stages) == 2)
    usw_port_batch_copies();
}

/* Where the next window begins, whose elements come if they are not on the stage, and those of the one behind it. */
USW_INLINE usw_position_t USW_F(_stage_next)(const USW_F(_walk) walk, usw_position_t at) {
  if (USW_F(_apart))
    at.staged = at.item;
  if (at.item - at.staged < USW_F(_window_items))
    return at;
  at.staged = at.item - at.item % USW_F(_stage_step);
  usw_port_await_copies(); /* that nobody wants any more */
  usw_port_sub_group_sync();
  USW_F(_stage_window)(walk, at, at.stage, at.staged);
  if (USW_F(_stages) == 2)
    USW_F(_stage_window)(walk, at, at.stage ^ 1, at.staged + USW_F(_window_items));
  return at;
}
/* The elements of the next window are there. */
USW_INLINE void USW_F(_await_stage)(void) {
  if (USW_F(_stages) == 2)
    usw_port_await_batches();
  else if (!USW_F(_apart))
    usw_port_await_copies();
  usw_port_sub_group_sync();
}
/* Behind a whole window this stage gets the elements of the next one, or, where the other stage has these, of the one behind that. Where fewer
 * items were taken, because there are many ends, slots have taken the place of what was left of them. */
USW_INLINE usw_position_t USW_F(_stage_behind)(const USW_F(_walk) walk, usw_position_t at) {
  if (at.item - at.staged == USW_F(_window_items)) {
    USW_F(_stage_window)(walk, at, at.stage, at.staged + USW_F(_stages) * USW_F(_window_items));
    at.staged += USW_F(_window_items);
    at.stage ^= USW_F(_stages) - 1;
  } else if (USW_F(_stages) == 2) {
    at.staged = at.item - USW_F(_window_items);
  }
  return at;
}

/* Block b of a lane. */
USW_INLINE void USW_F(_take_from_stage)(USW_F(_items) * items USW_UNUSED, const USW_F(_walk) walk USW_UNUSED,
                                        uint32_t stage USW_UNUSED, const usw_blocks_of_lane_t blocks USW_UNUSED,
                                        uint32_t b USW_UNUSED){USW_ARGS(USW_TAKE_FROM_STAGE, USW_NOTHING, USW_NOTHING)}

/* Block b of a lane's line. */
USW_INLINE void USW_F(_take_block_of_line)(USW_F(_items) * items, const USW_F(_walk) walk, const usw_window_t window,
                                           uint32_t b) {
  const size_t first USW_UNUSED = window.first + walk.lane * USW_F(_lane_items) + b * USW_F(_block);
  const size_t n USW_UNUSED = walk.arguments->usw_items;
  const usw_blocks_of_lane_t blocks = {USW_F(_line_blocks), 1};
  if (!USW_F(_is_staged) && walk.is_aligned && first + USW_F(_block) <= n)
    USW_F(_load)(items, first, USW_F(_block), walk.arguments, 1);
  else if (!USW_F(_is_staged))
    USW_F(_load_some)(items, first, n, walk.arguments);
  if (USW_F(_is_staged))
    USW_F(_take_from_stage)(items, walk, window.stage, blocks, b);
}
