/* Windows of a path on a GPU (team_segments.h): some neighbouring items of a sub-group, or fewer, where the block or the room for results ends.
 * Each lane has a line of them, which follow each other. Accumulators of segments that end in it go to slots in team memory; what a lane has
 * behind its last end is folded over the lanes in order, so that operators need not commute, into what the next end closes. No lane takes a branch
 * that its neighbours do not take, wherever segments end. */

#ifndef UPSWEEP_ENGINE_TEAM_WINDOWS_ONCE
#define UPSWEEP_ENGINE_TEAM_WINDOWS_ONCE
#include <upsweep/engine/moves.h>

enum {
  USW_LIGHT_SEGMENT_BYTES = 16, /* an accumulator up to this: a window's items take few instructions */
  USW_STAGED_BYTES = 64,        /* the elements of a block up to this: they come to a stage */
  USW_SLOT_BYTES = 2048,        /* of accumulators in the slots of a sub-group */
  USW_MOST_ENDS = 256,          /* of segments in a window */
  USW_APART_ITEMS = 8,          /* of a lane, that are visited apart */
  USW_FEW_LINE_ITEMS = 8
};
/* Items of a line: 64 bytes of them, but not too many to unroll. */
#define USW_LINE_ITEMS(bytes)                                                                                          \
  ((bytes) <= 2 ? 32 : (bytes) <= 4 ? 16 : (bytes) <= 8 ? 8 : (bytes) <= 16 ? 4 : (bytes) <= 32 ? 2 : 1)

/* Where a sub-group is: the next segment and item, where the open segment begins, and the steps to the end of the block; the first item of the
 * window on the stage (team_stage.h), and, of each lane, where one of the next segments ends; whether a segment has ended in the block. */
typedef struct {
  size_t segment, item, begin, left, staged, end;
  int has_end;
} usw_position_t;

/* A window: `items` from `skip` on, counted from item number `first`; `ends` of segments, the last one behind `last_end` of these items, and
 * how many of the segments have items among them. */
typedef struct {
  size_t first;
  uint32_t skip, items, ends, last_end, with_items;
  int is_wrong;        /* 1: an offset in it is */
  int has_past;        /* 1: the first segment that ends has none of these items, but earlier ones */
  size_t next, staged; /* as `end` and `staged` of a position, behind the window */
} usw_window_t;

/* A lane's items of a window, as bits: those that are in it, and those behind which segments end. */
typedef struct {
  uint32_t inside, ends;
} usw_line_t;

/* The value of a lane, and that of the lane before. */
USW_INLINE uint64_t usw_long_of_lane(uint64_t x, uint32_t lane) {
  const uint64_t high = usw_port_shuffle((uint32_t)(x >> 32), lane, USW_SUB_GROUP);
  return high << 32 | usw_port_shuffle((uint32_t)x, lane, USW_SUB_GROUP);
}
USW_INLINE uint64_t usw_long_before(uint64_t x) {
  const uint64_t high = usw_port_shuffle_up((uint32_t)(x >> 32), 1, USW_SUB_GROUP);
  return high << 32 | usw_port_shuffle_up((uint32_t)x, 1, USW_SUB_GROUP);
}

/* What the lanes before this one have of x, in all. */
USW_INLINE uint32_t usw_sum_before(uint32_t x, uint32_t lane) {
  uint32_t sum = x;
  USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
    const uint32_t before = usw_port_shuffle_up(sum, delta, USW_SUB_GROUP);
    sum += lane >= delta ? before : 0;
  }
  return sum - x;
}

/* The lowest bits, as many as positions up to `end` from `start` on, 32 at most. */
USW_INLINE uint32_t usw_bits_before(uint32_t end, uint32_t start) {
  const uint32_t count = end > start ? end - start : 0;
  return count < 32 ? (1u << count) - 1 : UINT32_MAX;
}
#endif

enum {
  USW_F(_arrays) = 0 USW_OWN_ARGUMENTS(USW_NOTHING, USW_COUNT_ONE, USW_NOTHING, USW_NOTHING),
  USW_F(_is_staged) = USW_F(_block_bytes) <= USW_STAGED_BYTES, /* for larger ones team memory has no room */
  USW_F(_is_light) =
      !USW_F(_heavy) && !USW_F(_tries) && USW_F(_is_staged) && sizeof(USW_F(_acc)) <= USW_LIGHT_SEGMENT_BYTES,
  /* Whether items are visited apart (team_apart.h). */
  USW_F(_apart) = USW_F(_is_light) && USW_F(_arrays) > 0 && USW_F(_outputs) == 0 &&
                  (sizeof(USW_F(_acc)) == 4 || sizeof(USW_F(_acc)) == 8 || sizeof(USW_F(_acc)) == 16),
  /* Whether there are bundles (team_bundles.h), too: not where an item takes few instructions, and a block has few items. A kernel that has both
   * needs more registers than there are: sums of 2^27 doubles in segments of 1, 4, 16 by a power law, and 64 take 1566, 732, 561 and 354 us on
   * an H200 with them, 1339, 607, 434 and 427 without. */
  USW_F(_takes_bundles) =
      !USW_F(_is_light) || USW_F(_apart) || USW_F(_block) > 2 || USW_MERGES_SLOWLY || sizeof(USW_F(_acc)) > 8,
  /* Whether windows without ends, which are many where there are no bundles, are seen at once, and folded in any order. */
  USW_F(_looks_first) = !USW_F(_takes_bundles) && !USW_F(_ordered),
  USW_F(_most_line_items) = !USW_F(_is_light)                                           ? USW_FEW_LINE_ITEMS
                            : !USW_AXES || USW_MERGES_SLOWLY || sizeof(USW_F(_acc)) > 8 ? 16
                                                                                        : 32,
  USW_F(_lane_items) = USW_F(_apart)
                           ? USW_APART_ITEMS << (sizeof(USW_F(_acc)) < 16)
                           : USW_CLAMP((int)USW_F(_block),
                                       USW_CLAMP(1, USW_LINE_ITEMS(USW_F(_item_bytes)), USW_F(_most_line_items)), 32),
  USW_F(_line_block) = USW_F(_apart) ? 1 : USW_F(_block), /* items that are taken from the stage at once */
  USW_F(_line_blocks) = USW_F(_lane_items) / USW_F(_line_block),
  /* Blocks that a lane has in registers. */
  USW_F(_kept_blocks) = USW_F(_apart)      ? USW_APART_ITEMS
                        : USW_F(_is_light) ? USW_F(_line_blocks)
                                           : 1,
  USW_F(_window_items) = USW_F(_lane_items) * USW_SUB_GROUP,
  /* Of segments that end in a window; where they are visited apart, these are in the place of their last item. */
  USW_F(_slots) = USW_F(_apart) ? 0 : USW_CLAMP(4, USW_SLOT_BYTES / (int)sizeof(USW_F(_acc)), USW_MOST_ENDS),
  USW_F(_most_ends) = USW_F(_apart) ? (int)USW_MOST_ENDS : (int)USW_F(_slots),
  USW_F(_open_slot) = USW_F(_slots),         /* of the open segment, */
  USW_F(_past_slot) = USW_F(_open_slot) + 1, /* and of one that ends, but has no items in the window */
  USW_F(_slot_move) = sizeof(USW_F(_acc)) % 16 == 0  ? 16
                      : sizeof(USW_F(_acc)) % 8 == 0 ? 8
                                                     : 4,
  USW_F(_slot_moves) = sizeof(USW_F(_acc)) / USW_F(_slot_move)
};
/* Of each sub-group: whether a segment ends behind an item, 0 between windows; whether each segment that ends has items; behind which items those
 * end, in order, and which ones they are, for which the library's kernels do not ask; and what has been folded of them. */
USW_TEAM_MEMORY uint8_t USW_F(_is_end)[USW_SUB_GROUPS][USW_F(_window_items)] __attribute__((aligned(16)));
USW_TEAM_MEMORY uint8_t USW_F(_has_items)[USW_SUB_GROUPS][USW_F(_most_ends)];
USW_TEAM_MEMORY uint16_t USW_F(_window_ends)[USW_SUB_GROUPS][USW_F(_most_ends)];
USW_TEAM_MEMORY uint8_t USW_F(_ended_segments)[USW_SUB_GROUPS][USW_AXES ? 1 : USW_F(_most_ends)];
typedef USW_MOVE_OF(USW_F(_slot_move)) USW_F(_slot_t);
USW_TEAM_MEMORY USW_F(_slot_t) USW_F(_slot)[USW_SUB_GROUPS][USW_F(_slot_moves)][USW_F(_slots) + 2];
USW_TEAM_MEMORY usw_path_t USW_F(_path_of_team);

USW_INLINE void USW_F(_put_slot)(uint32_t sub_group, uint32_t slot, const USW_F(_acc) * a) {
  USW_F(_slot_t) moves[USW_F(_slot_moves)];
  __builtin_memcpy(moves, (const void *)a, sizeof moves);
  USW_UNROLL for (uint32_t m = 0; m < USW_F(_slot_moves); m++) USW_F(_slot)[sub_group][m][slot] = moves[m];
}
USW_INLINE void USW_F(_get_slot)(USW_F(_acc) * a, uint32_t sub_group, uint32_t slot) {
  USW_F(_slot_t) moves[USW_F(_slot_moves)];
  USW_UNROLL for (uint32_t m = 0; m < USW_F(_slot_moves); m++) moves[m] = USW_F(_slot)[sub_group][m][slot];
  __builtin_memcpy((void *)a, moves, sizeof moves);
}

/* A sub-group that walks along the path: the same in all of its blocks. Handed on by value, as its position is: loads through pointers to
 * what changes in a loop LLVM 19's OpenMPOpt replaces by what was there before the loop (as in load.h). */
typedef struct {
  const USW_F(_arguments) * arguments;
  USW_F(_spans) * s;
  uint32_t lane, sub_group;
  int is_aligned;
} USW_F(_walk);

/* The same, of which compilers keep nothing in registers that was made before: addresses of what a window needs would be in the way of bundles,
 * and the other way round. */
USW_INLINE USW_F(_walk) USW_F(_walk_anew)(USW_F(_walk) walk) {
  walk.lane = usw_port_opaque(walk.lane);
  walk.sub_group = usw_port_opaque(walk.sub_group);
  return walk;
}

/* ---- ends of segments ---- */

/* Where the lane-th segment from a number on ends. */
USW_INLINE size_t USW_F(_end_of_lane)(const USW_F(_walk) walk, size_t segment) {
  const size_t k = segment + walk.lane;
  return k < walk.arguments->usw_results ? USW_F(_segment_end)(k, walk.arguments) : USW_F(_path_of_team).last;
}

/* How many segments with items end in the window up to a position. */
USW_INLINE uint32_t USW_F(_ends_up_to)(uint32_t sub_group, uint32_t position, uint32_t with_items) {
  uint32_t low = 0, high = with_items;
#pragma nounroll
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (USW_F(_window_ends)[sub_group][middle] <= position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
/* Where the segment behind so many of the window's ends begins, and which one it is. */
USW_INLINE size_t USW_F(_begin_behind)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                       uint32_t ends) {
  return ends > 0 ? window.first + USW_F(_window_ends)[walk.sub_group][ends - 1] : window.has_past ? at.item : at.begin;
}
USW_INLINE size_t USW_F(_segment_behind)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                         uint32_t ends) {
  const int is_ended = ends < window.with_items;
  return at.segment + (is_ended ? USW_F(_ended_segments)[walk.sub_group][USW_AXES ? 0 : ends] : window.ends);
}

/* Behind which items of its line segments end, as bits; the marks are gone then. */
USW_INLINE uint32_t USW_F(_take_ends_of_lane)(const USW_F(_walk) walk) {
  enum { AT_ONCE = USW_F(_lane_items) < 4 ? 1 : 4 };
  typedef USW_MOVE_OF(AT_ONCE) marks_t;
  USW_TEAM_SPACE marks_t *const of_lane =
      (USW_TEAM_SPACE marks_t *)&USW_F(_is_end)[walk.sub_group][walk.lane * USW_F(_lane_items)];
  uint32_t bits = 0;
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items) / AT_ONCE; k++) {
    const uint32_t marks = of_lane[k];
    /* of four marks, which are bits 0, 8, 16 and 24, to bits 28 and up */
    const uint32_t together = marks * (1u << 28 | 1u << 21 | 1u << 14 | 1u << 7) >> 28;
    bits |= (AT_ONCE == 4 ? together : marks) << k * AT_ONCE;
  }
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items) / AT_ONCE; k++) of_lane[k] = 0;
  return bits;
}

/* Find the ends of segments in the next window. */
USW_INLINE usw_window_t USW_F(_find_window)(const USW_F(_walk) walk, const usw_position_t at) {
  const uint32_t lane = walk.lane, sub_group = walk.sub_group;
  const size_t first = USW_F(_apart) ? at.item : at.staged, last = USW_F(_path_of_team).last;
  const uint32_t skip = (uint32_t)(at.item - first);
  const size_t room = usw_least(USW_F(_window_items) - skip, last - at.item);
  if (USW_F(_looks_first)) {
    const size_t next = usw_long_of_lane(at.end, 0);
    if (next >= at.item && next <= last && (next - at.item > room || next - at.item >= at.left)) {
      const usw_window_t open = {first, skip, (uint32_t)usw_least(room, at.left), 0, 0, 0, 0, 0, at.end, at.staged};
      return open;
    }
  }
  size_t before = at.begin, end = at.end; /* before: the end before that of lane 0 */
  uint32_t ends = 0, found, last_end = 0, with_items = 0;
  int is_wrong, has_past = 0;
  do {
    const size_t k = at.segment + ends + lane;
    const size_t end_before = usw_long_before(end), least = lane == 0 ? before : end_before;
    const size_t items = end - at.item;
    const int is_known = k < walk.arguments->usw_results;
    const int is_in = is_known && items <= room && items + ends + lane < at.left && ends + lane < USW_F(_most_ends);
    is_wrong = usw_port_sub_group_any((is_in || lane == 0) && is_known && (end < least || end > last));
    found = is_wrong ? 0 : usw_port_sub_group_least(0, is_in ? USW_SUB_GROUP : lane);
    const int has_items = lane < found && items > 0 && end != least;
    const uint32_t number = with_items + usw_port_count_before(has_items);
    if (lane < found)
      USW_F(_has_items)[sub_group][ends + lane] = (uint8_t)has_items;
    if (ends == 0)
      has_past = usw_port_sub_group_any(lane == 0 && found > 0 && !has_items && end != least);
    if (has_items) {
      USW_F(_window_ends)[sub_group][number] = (uint16_t)(skip + items);
      if (!USW_AXES)
        USW_F(_ended_segments)[sub_group][number] = (uint8_t)(ends + lane);
      USW_F(_is_end)[sub_group][skip + items - 1] = 1;
    }
    if (found > 0)
      last_end = usw_port_shuffle((uint32_t)items, found - 1, USW_SUB_GROUP);
    with_items += usw_port_count(has_items, USW_SUB_GROUP);
    before = usw_long_of_lane(end, USW_SUB_GROUP - 1);
    ends += found;
    if (found > 0)
      end = USW_F(_end_of_lane)(walk, at.segment + ends);
  } while (found == USW_SUB_GROUP && ends < USW_F(_most_ends));
  const uint32_t items = ends == USW_F(_most_ends) ? last_end : (uint32_t)usw_least(room, at.left - ends);
  const usw_window_t window = {first, skip, items, ends, last_end, with_items, is_wrong, has_past, end, at.staged};
  return window;
}

#include <upsweep/engine/team_stage.h>

/* ---- items ---- */

/* Visit an item that has been loaded, of a segment that begins at item `begin`: the library's kernels count from there. */
USW_INLINE void USW_F(_visit_item_of_segment)(USW_F(_acc) * a, const USW_F(_walk) walk, size_t segment, size_t begin,
                                              size_t item, const USW_F(_items) * items, uint32_t k) {
  USW_F(_arguments) arguments = *walk.arguments;
  USW_F(_spans) s = *walk.s;
  (void)segment, (void)begin;
  USW_ENTER_SEGMENT(&s, segment);
  if (USW_AXES)
    arguments.usw_first = 0 - begin;
  USW_F(_visit_loaded)(a, &s, item, items, k, &arguments, walk.is_aligned && USW_F(_outputs) == 0);
}

#include <upsweep/engine/team_apart.h>

/* ---- folding ---- */

/* The accumulator of a segment that ends behind item k of the window, the number-th of those with items. */
USW_INLINE void USW_F(_put_ended)(const USW_F(_walk) walk, uint32_t k, uint32_t number, const USW_F(_acc) * a) {
  if (USW_F(_apart))
    USW_F(_put_apart)(walk.sub_group, k, a);
  else
    USW_F(_put_slot)(walk.sub_group, number, a);
}
USW_INLINE void USW_F(_get_ended)(USW_F(_acc) * a, const USW_F(_walk) walk, uint32_t k, uint32_t number) {
  if (USW_F(_apart))
    USW_F(_get_apart)(a, walk.sub_group, k);
  else
    USW_F(_get_slot)(a, walk.sub_group, number);
}

/* On its way through a line: what there is behind the last end, how many ends there are up to it, and where the next segment begins. */
typedef struct {
  USW_F(_acc) tail;
  uint32_t ends;
  size_t begin;
} USW_F(_place_in_line);

/* Fold block b of a line; those visited apart wait in team memory. */
USW_INLINE USW_F(_place_in_line)
    USW_F(_fold_block)(USW_F(_place_in_line) place, const USW_F(_walk) walk, const usw_position_t at,
                       const usw_window_t window, const usw_line_t line, const USW_F(_items) * items, uint32_t b) {
  const uint32_t first = walk.lane * USW_F(_lane_items);
  USW_UNROLL for (uint32_t j = 0; j < USW_F(_line_block); j++) {
    const uint32_t i = b * USW_F(_line_block) + j;
    if ((line.inside >> i & 1) && USW_F(_apart)) {
      USW_F(_acc) item;
      USW_F(_get_apart)(&item, walk.sub_group, first + i);
      USW_F(_merge)(&place.tail, &item);
    } else if (line.inside >> i & 1) {
      USW_F(_visit_item_of_segment)
      (&place.tail, walk, USW_F(_segment_behind)(walk, at, window, place.ends), place.begin, window.first + first + i,
       items, j);
    }
    if (line.ends >> i & 1) {
      USW_F(_put_ended)(walk, first + i, place.ends, &place.tail);
      USW_F(_identity)(&place.tail);
      place.ends++;
      place.begin = window.first + first + i + 1;
    }
  }
  return place;
}
USW_INLINE USW_F(_place_in_line)
    USW_F(_fold_line)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                      const usw_line_t line, uint32_t ends_before, const USW_F(_items) * items) {
  USW_F(_place_in_line) place;
  USW_F(_identity)(&place.tail);
  place.ends = ends_before;
  place.begin = USW_F(_begin_behind)(walk, at, window, ends_before);
  if (USW_F(_is_light)) {
    USW_UNROLL for (uint32_t b = 0; b < USW_F(_line_blocks); b++) place =
        USW_F(_fold_block)(place, walk, at, window, line, &items[USW_F(_apart) ? 0 : b], b);
    return place;
  }
#pragma nounroll
  for (uint32_t b = 0; b < USW_F(_line_blocks); b++) {
    USW_F(_items) block;
    USW_F(_take_block_of_line)(&block, walk, window, walk.lane * USW_F(_lane_items) + b * USW_F(_block));
    place = USW_F(_fold_block)(place, walk, at, window, line, &block, b);
  }
  return place;
}

/* Fold what lanes have behind their last end into that of the next ones, up to one with an end. */
USW_INLINE void USW_F(_fold_tails)(USW_F(_acc) * tail, uint32_t has_end, uint32_t lane) {
  const uint32_t first =
      usw_port_lanes_up_to(has_end); /* the lane with an end before this one, whose tail is folded, too */
  const uint32_t distance = has_end ? 0 : lane - (first > 0 ? first - 1 : 0);
  USW_F(_acc) before;
  USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
    USW_F(_shuffle_up)(&before, tail, delta, USW_SUB_GROUP);
    if (delta <= distance) {
      USW_F(_merge)(&before, tail);
      *tail = before;
    }
  }
}

/* Fold a window's items behind what is open before it. Behind each end its segment's accumulator is in its slot, and what is open then in that
 * of the open segment. */
USW_INLINE void USW_F(_fold_window)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    uint32_t inside, const USW_F(_items) * items) {
  const usw_line_t line = {inside, USW_F(_take_ends_of_lane)(walk)};
  /* Those visited apart know their segments, and wait in places of their own. */
  const uint32_t ends_before = USW_F(_apart) ? 0 : usw_sum_before((uint32_t)__builtin_popcount(line.ends), walk.lane);
  const usw_line_t whole_line = {UINT32_MAX, line.ends};
  USW_F(_acc) tail, open, before;
  if (USW_F(_is_light) && window.items == USW_F(_window_items)) /* a copy of the loop that asks for less */
    tail = USW_F(_fold_line)(walk, at, window, whole_line, ends_before, items).tail;
  else
    tail = USW_F(_fold_line)(walk, at, window, line, ends_before, items).tail;
  USW_F(_identity)(&open);
  if (walk.lane == 0) {
    USW_F(_get_slot)(&open, walk.sub_group, USW_F(_open_slot));
    if (window.has_past) {
      USW_F(_put_slot)(walk.sub_group, USW_F(_past_slot), &open);
      USW_F(_identity)(&open);
    }
    if (line.ends == 0) {
      before = open;
      USW_F(_merge)(&before, &tail);
      tail = before;
    }
  }
  USW_F(_fold_tails)(&tail, line.ends != 0, walk.lane);
  USW_F(_shuffle_up)(&before, &tail, 1, USW_SUB_GROUP);
  if (walk.lane == 0)
    before = open;
  if (line.ends != 0) {
    const uint32_t k = walk.lane * USW_F(_lane_items) + (uint32_t)__builtin_ctz(line.ends);
    USW_F(_acc) ended;
    USW_F(_get_ended)(&ended, walk, k, ends_before);
    USW_F(_merge)(&before, &ended);
    USW_F(_put_ended)(walk, k, ends_before, &before);
  }
  usw_port_sub_group_sync(); /* lane 0 has read that slot */
  if (walk.lane == USW_SUB_GROUP - 1)
    USW_F(_put_slot)(walk.sub_group, USW_F(_open_slot), &tail);
}

/* The same of a window without ends, in any order. */
USW_INLINE void USW_F(_fold_open_window)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                         uint32_t inside, const USW_F(_items) * items) {
  const size_t first = window.first + walk.lane * USW_F(_lane_items);
  USW_F(_acc) a, open;
  USW_F(_identity)(&a);
  if (walk.is_aligned && window.items == USW_F(_window_items)) {
    USW_F(_arguments) arguments = *walk.arguments;
    USW_F(_spans) s = *walk.s;
    USW_ENTER_SEGMENT(&s, at.segment);
    if (USW_AXES)
      arguments.usw_first = 0 - at.begin;
    const USW_F(_worker) w = {&a, &s, &arguments, arguments.usw_items, {0, SIZE_MAX, 1, walk.lane, 1}};
    const USW_F(_blocks_of_worker) part = {first, USW_F(_kept_blocks), SIZE_MAX, 1, USW_F(_known)};
    USW_F(_visit_whole_groups)(w, items, part);
  } else {
    USW_UNROLL for (uint32_t i = 0; i < USW_F(_kept_blocks) * USW_F(_block); i++) if (inside >> i & 1)
        USW_F(_visit_item_of_segment)(&a, walk, at.segment, at.begin, first + i, &items[i / USW_F(_block)],
                                      i % USW_F(_block));
  }
  USW_F(_fold_lanes)(&a, USW_SUB_GROUP);
  if (walk.lane == 0) {
    USW_F(_get_slot)(&open, walk.sub_group, USW_F(_open_slot));
    USW_F(_merge)(&open, &a);
    USW_F(_put_slot)(walk.sub_group, USW_F(_open_slot), &open);
  }
}

/* Write the results of the segments that end; the first one of a block is its head. */
USW_INLINE void USW_F(_write_ended)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    USW_F(_stretch) * stretch) {
  uint32_t with_items = 0;
#pragma nounroll
  for (uint32_t from = 0; from < window.ends; from += USW_SUB_GROUP) {
    const uint32_t k = from + walk.lane;
    const int has_items = k < window.ends && USW_F(_has_items)[walk.sub_group][k];
    const uint32_t number = with_items + usw_port_count_before(has_items);
    const int is_past = k == 0 && window.has_past;
    USW_F(_acc) a;
    with_items += usw_port_count(has_items, USW_SUB_GROUP);
    USW_F(_identity)(&a);
    if (has_items)
      USW_F(_get_ended)(&a, walk, USW_F(_window_ends)[walk.sub_group][number] - 1u, number);
    else if (is_past)
      USW_F(_get_slot)(&a, walk.sub_group, USW_F(_past_slot));
    if (k == 0 && !at.has_end)
      stretch->head = a;
    else if (k < window.ends)
      USW_F(_write_results)(&a, at.segment + k, walk.arguments, !has_items && !is_past);
  }
}

/* Take the next window, whose items are on the stage, or come. */
USW_INLINE usw_window_t USW_F(_take_window)(const USW_F(_walk) walk, const usw_position_t at,
                                            USW_F(_stretch) * stretch) {
  USW_F(_items) items[USW_F(_kept_blocks)];
  const int may_be_whole = USW_F(_apart) && USW_F(_may_be_whole_apart)(walk, at);
  if (may_be_whole)
    USW_F(_load_apart)(walk, at.item, 0, 0, 1, items);
  usw_window_t window = USW_F(_find_window)(walk, at);
  const uint32_t start = walk.lane * USW_F(_lane_items);
  const uint32_t inside = usw_bits_before(window.skip + window.items, start) & ~usw_bits_before(window.skip, start);
  if (window.is_wrong)
    return window;
  if (!USW_F(_apart))
    usw_port_await_copies();
  usw_port_sub_group_sync();
  if (USW_F(_apart) && window.items > 0) {
    USW_F(_visit_apart)(walk, at, window, items, may_be_whole);
    usw_port_sub_group_sync();
  }
  if (USW_F(_is_light) && !USW_F(_apart)) {
    USW_UNROLL for (uint32_t b = 0; b < USW_F(_line_blocks); b++)
        USW_F(_take_block_of_line)(&items[b], walk, window, start + b * USW_F(_block));
    if (window.skip + window.items == USW_F(_window_items) &&
        window.first + USW_F(_window_items) < USW_F(_path_of_team).last && window.items + window.ends < at.left) {
      usw_port_sub_group_sync();
      window.staged += USW_F(_window_items);
      USW_F(_fill_stage)(walk, window.staged);
    }
  }
  if (USW_F(_looks_first) && window.ends == 0) {
    USW_F(_fold_open_window)(walk, at, window, inside, items);
    return window;
  }
  USW_F(_fold_window)(walk, at, window, inside, items);
  usw_port_sub_group_sync();
  USW_F(_write_ended)(walk, at, window, stretch);
  return window;
}
