/* A stage in team memory, of each sub-group its own, on which the library's scans have a tile's elements (their input is x, their output
 * result) until what is before them is known. Elements are loaded and written as blocks, which neighbours have side by side. Tiles by lanes are
 * scanned otherwise: each lane has elements that follow each other, and a block of results takes the place of its elements. */

#ifndef UPSWEEP_ENGINE_SCAN_STAGE_ONCE
#define UPSWEEP_ENGINE_SCAN_STAGE_ONCE
#include <upsweep/engine/moves.h>

/* How far ahead of a tile the second cache is asked for elements. (H200, 2^28, us, in turns: sum of doubles on a stage 1241, so 1182; of floats 632,
 * 602; largest of doubles 1407, 1345. 1, 3 and 4 MiB take as long, but sums of bytes with 4, 863 in place of 775. Tiles that wait in registers, with
 * 16 MiB: 1314, so 1621.) */
enum { USW_BYTES_AHEAD = 2 << 20, USW_LINE_BYTES = 128 };

/* Where number k is, of which lanes write a few each, which follow each other: apart, so that they are not all in one bank. */
#define USW_SPREAD(k) ((k) + (k) / 16 * 2)
#endif

typedef __typeof__(*((USW_F(_arguments) *)0)->result) USW_F(_result_type);
enum {
  USW_F(_lane_items) = USW_F(_block) * USW_F(_in_flight),
  USW_F(_element_bytes) = sizeof *((USW_F(_arguments) *)0)->x,
  USW_F(_item_block) = USW_F(_block) * USW_F(_element_bytes),
  USW_F(_result_block) = USW_F(_block) * sizeof(USW_F(_result_type)),
  /* A place holds a block of elements, or, of tiles by lanes, of results. */
  USW_F(_has_lanes) = USW_SCANS_BY_LANES || USW_SELECTS,
  USW_F(_place) =
      USW_F(_has_lanes) && USW_F(_result_block) > USW_F(_item_block) ? USW_F(_result_block) : USW_F(_item_block),
  USW_F(_places) = USW_SUB_GROUP * USW_F(_in_flight),
  USW_F(_row) = USW_CLAMP(1, USW_STAGE_ROW / USW_F(_place), USW_SUB_GROUP), /* places */
  USW_F(_like_rows) = USW_F(_in_flight) > USW_F(_row) ? USW_F(_in_flight) : USW_F(_row),
  /* Behind them: numbers, one for each item and one more, of runs or elements; or one for each block. */
  USW_F(_behind_places) = USW_F(_places) * USW_F(_place),
  USW_F(_has_numbers) = USW_FINDS_RESTARTS || USW_SELECTS,
  USW_F(_stage_bytes) =
      USW_F(_behind_places) +
      (USW_F(_has_numbers) * 2 * (USW_SPREAD(USW_SUB_GROUP * USW_F(_lane_items)) + 1) + USW_STAGE_ROW - 1) /
          USW_STAGE_ROW * USW_STAGE_ROW,
  USW_F(_copies) =
      USW_F(_item_block) == 4 || USW_F(_item_block) == 8 || USW_F(_item_block) == 16 /* usw_port_copy() can */
};
USW_ASSERT(!USW_F(_has_lanes) || USW_F(_lane_items) <= 32, "a word has a bit for each item of a lane's");
typedef USW_MOVE_OF(USW_F(_item_block)) USW_F(_moved_items);
typedef USW_MOVE_OF(USW_F(_result_block)) USW_F(_moved_results);
typedef USW_MOVE_OF(sizeof(USW_F(_result_type))) USW_F(_moved_result);

USW_TEAM_MEMORY unsigned char USW_F(_stage)[USW_SUB_GROUPS][USW_F(_stage_bytes)]
    __attribute__((aligned(USW_STAGE_ROW)));
/* The T at a place of a sub-group's stage, and the numbers behind the places. The places of block number b of the sub-group's, and of block u of a
 * lane's. */
#define USW_AT_PLACE(T, sub_group, place)                                                                              \
  (*(USW_TEAM_SPACE T *)&USW_F(_stage)[sub_group][(place) * (size_t)USW_F(_place)])
#define USW_NUMBER(sub_group, k) (((USW_TEAM_SPACE usw_move_2_t *)&USW_F(_stage)[sub_group][USW_F(_behind_places)])[k])
#define USW_PLACE_OF_BLOCK(b) (USW_F(_has_lanes) ? USW_PERMUTED(b, USW_F(_like_rows), USW_F(_row)) : (b))
#define USW_PLACE_OF_LANE(lane, u) USW_PLACE_OF_BLOCK((lane) * USW_F(_in_flight) + (u))

/* What this lane has of a tile. */
typedef struct {
  uint32_t lane, sub_group;
  size_t part, first; /* the first item of the sub-group, and of this lane */
} USW_F(_lane);
USW_INLINE USW_F(_lane) USW_F(_lane_of)(size_t tile) {
  USW_F(_lane) at;
  const uint32_t thread = usw_port_thread();
  at.lane = thread % USW_SUB_GROUP;
  at.sub_group = usw_port_shuffle(thread / USW_SUB_GROUP, 0, USW_SUB_GROUP);
  at.part = tile * USW_F(_tile_of_scan) + at.sub_group * (size_t)USW_F(_part_of_scan);
  at.first = at.part + at.lane * (size_t)USW_F(_lane_items);
  return at;
}

/* Numbers of blocks, of up to `_block` bits, for the lanes that have them: bit k is that of item k of this lane's. */
USW_INLINE uint32_t USW_F(_bits_of_lane)(const USW_F(_lane) at) {
  typedef USW_MOVE_OF(2 * USW_F(_in_flight)) moved_t;
  const moved_t moved = ((USW_TEAM_SPACE moved_t *)&USW_F(_stage)[at.sub_group][USW_F(_behind_places)])[at.lane];
  uint16_t of_blocks[USW_F(_in_flight)];
  uint32_t bits = 0;
  __builtin_memcpy(of_blocks, &moved, sizeof of_blocks);
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) bits |= (uint32_t)of_blocks[u] << u * USW_F(_block);
  return bits;
}

/* ---- elements onto the stage ---- */

/* Ask for those of a tile that a team takes soon: a tile waits for those before it, and memory would do nothing for teams that all wait. The last tile,
 * which n may cut short, is nobody's concern. */
USW_INLINE void USW_F(_ask_ahead)(const USW_F(_scan) scan) {
  enum { BYTES = USW_F(_tile_of_scan) * USW_F(_element_bytes) };
  const size_t tile = scan.tile + (BYTES < USW_BYTES_AHEAD ? USW_BYTES_AHEAD / BYTES : 1);
  if (!scan.is_aligned || tile + 1 >= scan.tiles)
    return;
  const char *const from = (const char *)(scan.arguments->x + tile * USW_F(_tile_of_scan));
  USW_UNROLL for (uint32_t at = 0; at < BYTES;
                  at += USW_TEAM_SIZE * USW_LINE_BYTES) if (at + usw_port_thread() * USW_LINE_BYTES < BYTES)
      usw_port_ask_for(from + at + usw_port_thread() * USW_LINE_BYTES);
}

/* Blocks that are whole and on a boundary, on their way. */
USW_INLINE void USW_F(_copy_blocks)(const USW_F(_scan) scan, const USW_F(_lane) at) {
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const uint32_t b = u * USW_SUB_GROUP + at.lane;
    usw_port_copy(&USW_AT_PLACE(USW_F(_moved_items), at.sub_group, USW_PLACE_OF_BLOCK(b)),
                  scan.arguments->x + at.part + b * (size_t)USW_F(_block), USW_F(_item_block));
  }
}
/* The same where a copy of so few bytes is none of the port's. */
USW_INLINE void USW_F(_load_blocks)(const USW_F(_scan) scan, const USW_F(_lane) at) {
  USW_F(_moved_items) blocks[USW_F(_in_flight)];
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) __builtin_memcpy(
      &blocks[u],
      __builtin_assume_aligned(scan.arguments->x + at.part + (u * USW_SUB_GROUP + at.lane) * (size_t)USW_F(_block),
                               USW_F(_item_block)),
      sizeof *blocks);
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++)
      USW_AT_PLACE(USW_F(_moved_items), at.sub_group, USW_PLACE_OF_BLOCK(u * USW_SUB_GROUP + at.lane)) = blocks[u];
}
/* One element after the other; zeros behind the last one, where lanes go on. */
USW_INLINE void USW_F(_load_elements)(const USW_F(_scan) scan, const USW_F(_lane) at) {
#pragma nounroll
  for (uint32_t b = at.lane; b < USW_SUB_GROUP * USW_F(_in_flight); b += USW_SUB_GROUP) {
    const size_t first = at.part + b * (size_t)USW_F(_block);
    USW_F(_items) items;
    USW_F(_moved_items) block;
    __builtin_memset((void *)&items, 0, sizeof items);
    USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) if (first + k < scan.n) items.x[k] =
        scan.arguments->x[(ptrdiff_t)(first + k) * scan.arguments->usw_stride_x];
    __builtin_memcpy(&block, (const void *)items.x, sizeof block);
    USW_AT_PLACE(USW_F(_moved_items), at.sub_group, USW_PLACE_OF_BLOCK(b)) = block;
  }
}
/* The tile's elements; _await_stage() ends it. */
USW_INLINE void USW_F(_fill_stage)(const USW_F(_scan) scan, const USW_F(_lane) at, int is_whole) {
  if (!is_whole)
    USW_F(_load_elements)(scan, at);
  else if (USW_F(_copies))
    USW_F(_copy_blocks)(scan, at);
  else
    USW_F(_load_blocks)(scan, at);
}
USW_INLINE void USW_F(_await_stage)(void) {
  if (USW_F(_copies))
    usw_port_await_copies();
  usw_port_sub_group_sync();
}

/* ---- and from it ---- */

/* Block u of this lane's. */
USW_INLINE void USW_F(_take_block)(const USW_F(_lane) at, USW_F(_items) * items, uint32_t u) {
  const USW_F(_moved_items) block = USW_AT_PLACE(USW_F(_moved_items), at.sub_group, USW_PLACE_OF_LANE(at.lane, u));
  __builtin_memcpy((void *)items->x, &block, sizeof block);
}
/* Item k of this lane's, as the first of a block. */
USW_INLINE void USW_F(_take_item)(const USW_F(_lane) at, USW_F(_items) * items, uint32_t k) {
  typedef USW_MOVE_OF(USW_F(_element_bytes)) moved_t;
  const uint32_t place = USW_PLACE_OF_LANE(at.lane, k / USW_F(_block));
  const moved_t moved = ((USW_TEAM_SPACE moved_t *)&USW_AT_PLACE(moved_t, at.sub_group, place))[k % USW_F(_block)];
  __builtin_memcpy((void *)items->x, &moved, sizeof moved);
}
/* The result of item k of the sub-group's, or its element, where both are the same, with its padding. */
USW_INLINE void USW_F(_give_result)(const USW_F(_lane) at, uint32_t k, USW_F(_result_type) * to) {
  typedef USW_F(_moved_result) moved_t;
  const uint32_t place = USW_PLACE_OF_BLOCK(k / USW_F(_block));
  const moved_t moved = ((USW_TEAM_SPACE moved_t *)&USW_AT_PLACE(moved_t, at.sub_group, place))[k % USW_F(_block)];
  __builtin_memcpy(__builtin_assume_aligned((void *)to, _Alignof(USW_F(_result_type))), &moved, sizeof moved);
}
