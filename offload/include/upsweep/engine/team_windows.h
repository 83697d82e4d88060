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

/* What is the same in all of a block: the item that positions count from, which is before all of its own, and where a stage may begin
 * (team_stage.h); the first segment that ends in it; and the item that the segment begins with which is open where it begins. */
typedef struct {
  size_t origin, segment, begin;
} usw_block_t;

/* Of each lane: where one of the next segments ends, as a position, USW_NO_END: not in the block; and the offset of another one's end, which may
 * be on its way: as many segments behind that, or the one that comes in its place (_known_behind()). */
typedef struct {
  uint32_t end;
  size_t ahead;
} usw_known_ends_t;

/* Where a sub-group is in its block, whose steps 32 bits can count (lib/policy/result_shares.c). */
typedef struct {
  uint32_t item, behind;  /* positions of the next item, and behind the last one */
  uint32_t ended, ends;   /* how many segments have ended, and are yet to end */
  uint32_t begin;         /* where the open segment begins; USW_BEFORE_BLOCK: not in the block */
  uint32_t stage, staged; /* which stage has the next window's elements, and the position of the first one */
  uint32_t seen;          /* of the next segments those that want up to so many lanes have been seen; 0: none */
  int has_end;            /* 1: a segment has ended in the block, or it begins with a new one */
  int is_wrong;           /* 1: an offset is */
  usw_known_ends_t known;
} usw_position_t;
#define USW_BEFORE_BLOCK 0
#define USW_NO_END UINT32_MAX

/* A window: `items` from `skip` on, counted from item number `first`; `ends` of segments, the last one at position last_end, and how many of the
 * segments have items among these. */
typedef struct {
  size_t first;
  uint32_t skip, items, ends, last_end, with_items;
  int is_wrong;           /* 1: an offset in it is */
  int has_past;           /* 1: the first segment that ends has none of these items, but earlier ones */
  int is_single;          /* 1: the window is whole, no line has two ends, and all segments that end have items */
  uint32_t stage;         /* which has the window's elements */
  usw_known_ends_t known; /* behind these segments */
} usw_window_t;

/* The next segments, one of each lane: whether it ends in the window, and where the one before it ends; how many do; whether an end is wrong. */
typedef struct {
  uint32_t before, found;
  int is_in, is_wrong;
} usw_round_t;

/* A lane's items of a window, as bits: those that are in it, and those behind which segments end. */
typedef struct {
  uint32_t inside, ends;
} usw_line_t;

/* The value of a lane. */
USW_INLINE uint64_t usw_long_of_lane(uint64_t x, uint32_t lane) {
  const uint64_t high = usw_port_shuffle((uint32_t)(x >> 32), lane, USW_SUB_GROUP);
  return high << 32 | usw_port_shuffle((uint32_t)x, lane, USW_SUB_GROUP);
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
  USW_F(_is_staged) = USW_F(_block_bytes) <= USW_STAGED_BYTES, /* for larger ones team memory has no room */
  USW_F(_is_light) =
      !USW_F(_heavy) && !USW_F(_tries) && USW_F(_is_staged) && sizeof(USW_F(_acc)) <= USW_LIGHT_SEGMENT_BYTES,
  /* Whether items are visited apart (team_apart.h). */
  USW_F(_apart) = USW_F(_is_light) && USW_F(_arrays) > 0 && USW_F(_outputs) == 0 &&
                  (sizeof(USW_F(_acc)) == 4 || sizeof(USW_F(_acc)) == 8 || sizeof(USW_F(_acc)) == 16),
  /* Whether there are bundles (team_bundles.h), too, with which a kernel needs more registers: not where accumulators have up to 8 bytes, and
   * items 4 or more. (Sums of 2^28 bytes in segments of 64 take 140 us with them on an H200, 225 without; perf/segments/segments.py.) */
  USW_F(_takes_bundles) = !USW_F(_is_light) || USW_F(_apart) || sizeof(USW_F(_acc)) > 8 || USW_F(_item_bytes) < 4,
  /* Whether items of segments are seen as those of columns, one by one, in calls with few of them; it takes longer for small items of long
   * segments. (Description of 2^28 halves on an H200: 428 us so, 250 by blocks; of 2^27 floats 234 and 206.) */
  USW_F(_sees_few) = USW_F(_by_columns) && USW_F(_takes_bundles) && USW_F(_item_bytes) >= 4,
  /* Whether they are in all calls, so that there are bundles alone. (Places of greatest doubles on an H200, us: in segments of 1 2610, so 5040; of
   * 16 613, so 661; of 64 503, so 434; of 0 to 64 813, so 615; by power laws of mean 16 and 256 817 and 729, so 1035 and 456. With windows for short
   * segments, too, either is slower: a kernel has room for one of them.) */
  USW_F(_sees_segments) = USW_F(_sees_few) && !USW_F(_is_light),
  /* Whether windows without ends, which are many where there are no bundles, are seen at once, and folded together in any order. */
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
  /* Stages: with a second one a window's elements are on their way while those of the one before it are folded. It takes registers: places of
   * greatest doubles in segments of 4 take 1190 us with it on an H200, 1090 without; sums of halves in segments of 16 394 and 410. */
  USW_F(_stages) = USW_F(_is_light) && !USW_F(_apart) && sizeof(USW_F(_acc)) <= 8 ? 2 : 1,
  /* Whether windows without two ends in a line are taken by themselves, with fewer steps. No body of these kernels counts items of its segment. */
  USW_F(_has_single) = USW_F(_apart) || !USW_F(_takes_bundles),
  USW_F(_heads) = USW_F(_has_single) && !USW_F(_apart) ? 2 * USW_SUB_GROUP : 1,
  /* How many ends behind the next ones are asked for: a window ahead, which takes registers. (Places of greatest doubles in segments of 4 take
   * 1044 us on an H200 without that, 1084 with it.) */
  USW_F(_ends_ahead) = USW_F(_takes_bundles) && !USW_F(_sees_segments) && !USW_F(_apart) ? 0 : USW_SUB_GROUP,
  USW_F(_slot_move) = sizeof(USW_F(_acc)) % 16 == 0  ? 16
                      : sizeof(USW_F(_acc)) % 8 == 0 ? 8
                                                     : 4,
  USW_F(_slot_moves) = sizeof(USW_F(_acc)) / USW_F(_slot_move)
};
/* Of each sub-group: whether a segment ends behind an item (or, in a single window, behind how many items of a line one does), 0 between windows;
 * whether each segment that ends has items; behind which items those end, in order, and which ones they are, for which the library's kernels do
 * not ask. */
USW_TEAM_MEMORY uint8_t USW_F(_is_end)[USW_SUB_GROUPS][USW_F(_window_items)] __attribute__((aligned(16)));
USW_TEAM_MEMORY uint8_t USW_F(_has_items)[USW_SUB_GROUPS][USW_F(_most_ends)];
USW_TEAM_MEMORY uint16_t USW_F(_window_ends)[USW_SUB_GROUPS][USW_F(_most_ends)];
USW_TEAM_MEMORY uint8_t USW_F(_ended_segments)[USW_SUB_GROUPS][USW_AXES ? 1 : USW_F(_most_ends)];
/* What all blocks are of, and what each sub-group's one is. */
USW_TEAM_MEMORY usw_path_t USW_F(_path_of_team);
USW_TEAM_MEMORY usw_block_t USW_F(_block_of_walk)[USW_SUB_GROUPS];

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

/* Items and segments of a block by their numbers. */
USW_INLINE size_t USW_F(_item_at)(const USW_F(_walk) walk, uint32_t position) {
  return USW_F(_block_of_walk)[walk.sub_group].origin + position;
}
USW_INLINE size_t USW_F(_begin_at)(const USW_F(_walk) walk, const usw_position_t at) {
  return at.begin == USW_BEFORE_BLOCK ? USW_F(_block_of_walk)[walk.sub_group].begin : USW_F(_item_at)(walk, at.begin);
}
USW_INLINE size_t USW_F(_segment_at)(const USW_F(_walk) walk, const usw_position_t at, uint32_t number) {
  return USW_F(_block_of_walk)[walk.sub_group].segment + (at.ended + number);
}

#include <upsweep/engine/team_window_ends.h>

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
USW_INLINE void USW_F(_put_ended)(const USW_F(_walk) walk, uint32_t stage, uint32_t k, uint32_t number,
                                  const USW_F(_acc) * a) {
  if (USW_F(_apart))
    USW_F(_put_apart)(walk.sub_group, k, a);
  else
    USW_F(_put_slot)(walk.sub_group, stage, number, a);
}
USW_INLINE void USW_F(_get_ended)(USW_F(_acc) * a, const USW_F(_walk) walk, uint32_t stage, uint32_t k,
                                  uint32_t number) {
  if (USW_F(_apart))
    USW_F(_get_apart)(a, walk.sub_group, k);
  else
    USW_F(_get_slot)(a, walk.sub_group, stage, number);
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
      USW_F(_put_ended)(walk, window.stage, first + i, place.ends, &place.tail);
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
    USW_F(_take_block_of_line)(&block, walk, window, b);
    place = USW_F(_fold_block)(place, walk, at, window, line, &block, b);
  }
  return place;
}

/* Fold what lanes have behind their last end into that of the next ones, up to one with an end. */
USW_INLINE void USW_F(_fold_tails)(USW_F(_acc) * tail, uint32_t has_end, uint32_t lane) {
  const uint32_t first =
      usw_port_lanes_up_to(has_end); /* the lane with an end before this one, whose tail is folded, too */
  const uint32_t distance = usw_port_opaque(has_end ? 0 : lane - (first > 0 ? first - 1 : 0));
  USW_F(_acc) before;
  USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
    USW_F(_shuffle_up)(&before, tail, delta, USW_SUB_GROUP);
    if (delta > distance)
      USW_F(_identity)(&before);
    USW_F(_merge)(&before, tail);
    *tail = before;
  }
}

/* Fold what is open before a window into the first line's tail, if no segment ends in it, and tails into those behind them. What is open behind
 * the window is the open segment's then. Returns what comes before this lane's line. */
USW_INLINE USW_F(_acc) USW_F(_join_tails)(USW_F(_acc) * tail, uint32_t has_end, const USW_F(_walk) walk, int has_past) {
  USW_F(_acc) open, before;
  USW_F(_identity)(&open);
  if (walk.lane == 0) {
    USW_F(_get_open)(&open, walk.sub_group, USW_OPEN);
    if (has_past) {
      USW_F(_put_open)(walk.sub_group, USW_PAST, &open);
      USW_F(_identity)(&open);
    }
    if (!has_end) {
      before = open;
      USW_F(_merge)(&before, tail);
      *tail = before;
    }
  }
  USW_F(_fold_tails)(tail, has_end, walk.lane);
  USW_F(_shuffle_up)(&before, tail, 1, USW_SUB_GROUP);
  if (walk.lane == 0)
    before = open;
  usw_port_sub_group_sync(); /* lane 0 has read what was open */
  if (walk.lane == USW_SUB_GROUP - 1)
    USW_F(_put_open)(walk.sub_group, USW_OPEN, tail);
  return before;
}

/* Fold a window's items behind what is open before it. Behind each end its segment's accumulator is in its slot, and what is open then in that
 * of the open segment. */
USW_INLINE void USW_F(_fold_window)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    uint32_t inside, const USW_F(_items) * items) {
  const usw_line_t line = {inside, USW_F(_take_ends_of_lane)(walk)};
  /* Those visited apart know their segments, and wait in places of their own. */
  const uint32_t ends_before = USW_F(_apart) ? 0 : usw_sum_before((uint32_t)__builtin_popcount(line.ends), walk.lane);
  const usw_line_t whole_line = {UINT32_MAX, line.ends};
  USW_F(_acc) tail;
  if (USW_F(_is_light) && window.items == USW_F(_window_items)) /* a copy of the loop that asks for less */
    tail = USW_F(_fold_line)(walk, at, window, whole_line, ends_before, items).tail;
  else
    tail = USW_F(_fold_line)(walk, at, window, line, ends_before, items).tail;
  USW_F(_acc) before = USW_F(_join_tails)(&tail, line.ends != 0, walk, window.has_past);
  if (line.ends != 0) {
    const uint32_t k = walk.lane * USW_F(_lane_items) + (uint32_t)__builtin_ctz(line.ends);
    USW_F(_acc) ended;
    USW_F(_get_ended)(&ended, walk, window.stage, k, ends_before);
    USW_F(_merge)(&before, &ended);
    USW_F(_put_ended)(walk, window.stage, k, ends_before, &before);
  }
}

/* What a line has up to its only end, behind its item i, which is item k of the window: its place hangs on i, or LLVM would make one store of
 * those of all items, which costs more than it saves. */
USW_INLINE void USW_F(_put_head)(const USW_F(_walk) walk, uint32_t k, uint32_t i, const USW_F(_acc) * a) {
  if (USW_F(_apart))
    USW_F(_put_apart)(walk.sub_group, k, a);
  else
    USW_F(_put_moves)(&USW_F(_head)[walk.sub_group][0][i % 2 * USW_SUB_GROUP + walk.lane], USW_F(_heads), a);
}
USW_INLINE void USW_F(_get_head)(USW_F(_acc) * a, const USW_F(_walk) walk, uint32_t k, uint32_t i) {
  if (USW_F(_apart))
    USW_F(_get_apart)(a, walk.sub_group, k);
  else
    USW_F(_get_moves)(a, &USW_F(_head)[walk.sub_group][0][i % 2 * USW_SUB_GROUP + walk.lane], USW_F(_heads));
}

/* Fold and write a window without two ends in a line: what is in a line behind its end goes on to the next ones. */
USW_INLINE void USW_F(_fold_single)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    const USW_F(_items) * items, USW_F(_stretch) * stretch) {
  const uint32_t first = walk.lane * USW_F(_lane_items), end = USW_F(_is_end)[walk.sub_group][walk.lane];
  const uint32_t number = usw_port_count_before(end != 0), bits = end != 0 ? 1u << (end - 1) : 0;
  USW_F(_acc) head, tail;
  USW_F(_is_end)[walk.sub_group][walk.lane] = 0;
  USW_F(_identity)(&head);
  USW_F(_identity)(&tail);
  USW_UNROLL for (uint32_t i = 0; i < USW_F(_lane_items); i++) {
    if (USW_F(_apart)) {
      USW_F(_acc) item;
      USW_F(_get_apart)(&item, walk.sub_group, first + i);
      USW_F(_merge)(&tail, &item);
    } else {
      USW_F(_visit_item_of_segment)
      (&tail, walk, USW_F(_segment_at)(walk, at, number + (i >= end && end != 0)), 0, window.first + first + i,
       &items[i / USW_F(_line_block)], i % USW_F(_line_block));
    }
    if (bits >> i & 1) {
      USW_F(_put_head)(walk, first + i, i, &tail);
      USW_F(_identity)(&tail);
    }
  }
  USW_F(_acc) before = USW_F(_join_tails)(&tail, end != 0, walk, 0);
  if (end != 0)
    USW_F(_get_head)(&head, walk, first + end - 1, end - 1);
  USW_F(_merge)(&before, &head);
  if (end != 0 && number == 0 && !at.has_end)
    stretch->head = before;
  else if (end != 0)
    USW_F(_write_results)(&before, USW_F(_segment_at)(walk, at, number), walk.arguments, 0);
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
      USW_F(_get_ended)(&a, walk, window.stage, USW_F(_window_ends)[walk.sub_group][number] - 1u, number);
    else if (is_past)
      USW_F(_get_open)(&a, walk.sub_group, USW_PAST);
    if (k == 0 && !at.has_end)
      stretch->head = a;
    else if (k < window.ends)
      USW_F(_write_results)(&a, USW_F(_segment_at)(walk, at, k), walk.arguments, !has_items && !is_past);
  }
}

/* Where a sub-group is behind a window, but for the stage. */
USW_INLINE usw_position_t USW_F(_position_behind)(usw_position_t at, const usw_window_t window) {
  at.item += window.items;
  at.ended += window.ends;
  at.ends -= window.ends;
  at.begin = window.ends > 0 ? window.last_end : at.begin;
  at.has_end |= window.ends > 0;
  at.is_wrong = window.is_wrong || window.items + window.ends == 0;
  at.known = window.known;
  return at;
}

/* Take the next window, whose items are on the stage, or come. */
USW_INLINE usw_position_t USW_F(_take_window)(USW_F(_walk) walk, const usw_position_t at, USW_F(_stretch) * stretch) {
  walk.lane %= USW_SUB_GROUP; /* so that compilers know its range */
  USW_F(_items) items[USW_F(_kept_blocks)];
  const int may_be_whole = USW_F(_apart) && USW_F(_may_be_whole_apart)(walk, at);
  if (may_be_whole)
    USW_F(_load_apart)(walk, USW_F(_item_at)(walk, at.item), 0, 0, 1, items);
  const usw_window_t window = USW_F(_find_window)(walk, at);
  /* Lanes wait for each other once they have taken what they want (_join_tails()), and only then. */
  const int syncs_once = USW_F(_has_single) && !USW_F(_apart) && window.is_single;
  const uint32_t start = walk.lane * USW_F(_lane_items);
  const uint32_t inside = usw_bits_before(window.skip + window.items, start) & ~usw_bits_before(window.skip, start);
  if (window.is_wrong || window.items + window.ends == 0)
    return USW_F(_position_behind)(at, window);
  USW_F(_await_stage)();
  if (USW_F(_apart) && window.items > 0) {
    USW_F(_visit_apart)(walk, at, window, items, may_be_whole);
    usw_port_sub_group_sync();
  }
  usw_position_t behind = USW_F(_position_behind)(at, window);
  if (USW_F(_is_light) && !USW_F(_apart)) {
    USW_UNROLL for (uint32_t b = 0; b < USW_F(_line_blocks); b++)
        USW_F(_take_block_of_line)(&items[b], walk, window, b);
    if (!syncs_once)
      usw_port_sub_group_sync(); /* all have taken theirs */
    if (USW_F(_stages) == 1)     /* whose slots are by themselves */
      behind = USW_F(_stage_behind)(walk, behind);
  }
  if (USW_F(_has_single) && window.is_single) {
    USW_F(_fold_single)(walk, at, window, items, stretch);
  } else {
    USW_F(_fold_window)(walk, at, window, inside, items);
    usw_port_sub_group_sync();
    USW_F(_write_ended)(walk, at, window, stretch);
  }
  if (window.ends > 0)
    behind.known = USW_F(_take_known)(walk, behind.known);
  if (!syncs_once)
    usw_port_sub_group_sync(); /* all have taken what they want of the stage, and of what the next window takes, too */
  return USW_F(_stages) == 2 ? USW_F(_stage_behind)(walk, behind) : behind;
}
