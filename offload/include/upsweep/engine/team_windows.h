/* Windows of a path on a GPU (team_segments.h): as many neighbouring items as a sub-group's lanes load at once, or fewer, where the block or
 * the room for results ends. Each lane has neighbouring items. Accumulators of segments that end among them go to slots in team memory; what
 * a lane has before its first end and behind its last one is folded over the lanes in order, so that operators need not commute. */

#ifndef UPSWEEP_ENGINE_TEAM_WINDOWS_ONCE
#define UPSWEEP_ENGINE_TEAM_WINDOWS_ONCE
#include <upsweep/engine/moves.h>

#define USW_LOAD_NEXT(T, n) items->n[0] = arguments->n[first];
enum {
  USW_ITEMS_OF_LANE = 16, /* of a window, at most */
  USW_SLOT_BYTES = 2048,  /* of accumulators in the slots of a sub-group */
  USW_APART_ITEMS = 8,    /* of a lane, that are visited apart, */
  USW_APART_ENDS = 256,   /* and ends of segments in a window of such */
  USW_NO_END = 0xffff
};

/* Where a sub-group is: the next segment and item, where the open segment begins, and the steps to the end of the block; whether a segment has
 * ended in that. */
typedef struct {
  size_t segment, item, begin, left;
  int has_end;
} usw_position_t;

/* A window: `items` from `skip` on, counted from item number `item`, which is a boundary of blocks. */
typedef struct {
  size_t item;
  uint32_t skip, items, ends;
  int is_wrong; /* 1: an offset in it is */
} usw_window_t;

/* What a lane finds in a window: the number of the first end behind its last item, and whether one is before that. */
typedef struct {
  uint32_t next, has_end;
} usw_ends_of_lane_t;

/* The value of a lane, and that of the lane before. */
USW_INLINE uint64_t usw_long_of_lane(uint64_t x, uint32_t lane) {
  const uint64_t high = usw_port_shuffle((uint32_t)(x >> 32), lane, USW_SUB_GROUP);
  return high << 32 | usw_port_shuffle((uint32_t)x, lane, USW_SUB_GROUP);
}
USW_INLINE uint64_t usw_long_before(uint64_t x) {
  const uint64_t high = usw_port_shuffle_up((uint32_t)(x >> 32), 1, USW_SUB_GROUP);
  return high << 32 | usw_port_shuffle_up((uint32_t)x, 1, USW_SUB_GROUP);
}
#endif

enum {
  /* Whether items are visited apart (team_apart.h). */
  USW_F(_apart) = !USW_F(_heavy) && USW_F(_outputs) == 0 &&
                  (sizeof(USW_F(_acc)) == 4 || sizeof(USW_F(_acc)) == 8 || (sizeof(USW_F(_acc)) == 16 && !USW_AXES)),
  USW_F(_window_groups) = USW_CLAMP(1, USW_F(_heavy) ? 1 : USW_ITEMS_OF_LANE / USW_F(_block), USW_F(_in_flight)),
  /* Twice as many where they are small, or the body has to wait for what it loads for itself. */
  USW_F(_arrays) = 0 USW_OWN_ARGUMENTS(USW_NOTHING, USW_COUNT_ONE, USW_NOTHING, USW_NOTHING),
  USW_F(_has_many_items) = sizeof(USW_F(_acc)) < 16 && (USW_F(_arrays) > 0 || USW_F(_item_bytes) < 8),
  USW_F(_lane_items) =
      USW_F(_apart) ? USW_APART_ITEMS << USW_F(_has_many_items) : (int)USW_F(_window_groups) * (int)USW_F(_block),
  USW_F(_window_items) = USW_F(_lane_items) * USW_SUB_GROUP,
  USW_F(_slots) = USW_F(_apart) ? 0 : USW_CLAMP(4, USW_SLOT_BYTES / (int)sizeof(USW_F(_acc)), 256),
  USW_F(_most_ends) = USW_F(_apart) ? USW_APART_ENDS : (int)USW_F(_slots), /* of segments, in a window */
  USW_F(_slot_words) = sizeof(USW_F(_acc)) / 4,
  USW_F(_open) = USW_F(_slots),   /* the slot of the open segment, */
  USW_F(_last) = USW_F(_open) + 1 /* and of the last or first one that ends in a window */
};
/* Of each sub-group: behind which items of the window segments end, in order, and what has been folded of these. What is kept in team memory
 * needs no register of a thread. */
USW_TEAM_MEMORY uint16_t USW_F(_window_ends)[USW_SUB_GROUPS][USW_F(_most_ends)];
USW_TEAM_MEMORY uint32_t USW_F(_slot)[USW_SUB_GROUPS][USW_F(_slot_words)][USW_F(_slots) + 2];
USW_TEAM_MEMORY usw_path_t USW_F(_path_of_team);

USW_INLINE void USW_F(_put_slot)(uint32_t slot, const USW_F(_acc) * a) {
  uint32_t words[USW_F(_slot_words)];
  __builtin_memcpy(words, (const void *)a, sizeof words);
  USW_UNROLL for (uint32_t w = 0; w < USW_F(_slot_words); w++)
      USW_F(_slot)[usw_port_thread() / USW_SUB_GROUP][w][slot] = words[w];
}
USW_INLINE void USW_F(_get_slot)(USW_F(_acc) * a, uint32_t slot) {
  uint32_t words[USW_F(_slot_words)];
  USW_UNROLL for (uint32_t w = 0; w < USW_F(_slot_words); w++) words[w] =
      USW_F(_slot)[usw_port_thread() / USW_SUB_GROUP][w][slot];
  __builtin_memcpy((void *)a, words, sizeof words);
}

/* ---- heads and tails ---- */

/* What a lane has before its first end, and behind its last one. Without an end all is the head. */
typedef struct {
  USW_F(_acc) head, tail;
} USW_F(_part_of_lane);

/* Fold the heads up to the next end into that of each lane, and into each tail those that follow it. Returns the number of lanes up to the
 * last one with an end. */
USW_INLINE uint32_t USW_F(_fold_parts)(USW_F(_part_of_lane) * part, uint32_t has_end) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  USW_F(_acc) other;
  uint32_t is_ended = has_end;
#pragma nounroll
  for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
    USW_F(_shuffle_down)(&other, &part->head, delta, USW_SUB_GROUP);
    const uint32_t ends = usw_port_shuffle_down(is_ended, delta, USW_SUB_GROUP);
    if (lane + delta < USW_SUB_GROUP && !is_ended) {
      USW_F(_merge)(&part->head, &other);
      is_ended = ends;
    }
  }
  USW_F(_shuffle_down)(&other, &part->head, 1, USW_SUB_GROUP);
  if (has_end && lane + 1 < USW_SUB_GROUP)
    USW_F(_merge)(&part->tail, &other);
  return usw_port_sub_group_max(has_end ? lane + 1 : 0);
}

/* ---- windows ---- */

/* A sub-group that walks along the path: the same in all of its blocks. Handed on by value, as its position is: loads through pointers to
 * what changes in a loop LLVM 19's OpenMPOpt replaces by what was there before the loop (as in load.h). */
typedef struct {
  const USW_F(_arguments) * arguments;
  USW_F(_spans) * s;
  uint32_t lane;
  int is_aligned;
} USW_F(_walk);

/* The first of the window's ends behind a position. */
USW_INLINE uint32_t USW_F(_first_end_behind)(uint32_t position, uint32_t ends) {
  const uint32_t sub_group = usw_port_thread() / USW_SUB_GROUP;
  uint32_t low = 0, high = ends;
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
USW_INLINE uint32_t USW_F(_window_end)(uint32_t k, uint32_t ends) {
  return k < ends ? USW_F(_window_ends)[usw_port_thread() / USW_SUB_GROUP][k] : USW_NO_END;
}

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

/* An item where streams have no gaps. */
USW_INLINE void USW_F(_load_next)(USW_F(_items) * items USW_UNUSED, size_t first USW_UNUSED,
                                  const USW_F(_arguments) *
                                      arguments USW_UNUSED){USW_ARGS(USW_LOAD_NEXT, USW_NOTHING, USW_NOTHING)}

#include <upsweep/engine/team_apart.h>

/* Find the ends of segments in the next window. ends_of_lanes: those of the next ones. */
USW_INLINE usw_window_t USW_F(_find_window)(const USW_F(_walk) walk, const usw_position_t at, size_t ends_of_lanes) {
  const uint32_t lane = walk.lane, sub_group = usw_port_thread() / USW_SUB_GROUP;
  const uint32_t skip = USW_F(_apart) ? 0 : (uint32_t)(at.item % USW_F(_block));
  const size_t room = usw_least(USW_F(_window_items) - skip, USW_F(_path_of_team).last - at.item);
  size_t before = at.begin; /* the end before that of lane 0 */
  uint32_t ends = 0, found, last_end = 0;
  int is_wrong;
  do {
    const size_t k = at.segment + ends + lane;
    const size_t end = ends_of_lanes, end_before = usw_long_before(end), least = lane == 0 ? before : end_before;
    const size_t items = end - at.item;
    const int is_known = k < walk.arguments->usw_results;
    const int is_in = is_known && items <= room && items + ends + lane < at.left && ends + lane < USW_F(_most_ends);
    is_wrong =
        usw_port_sub_group_any((is_in || lane == 0) && is_known && (end < least || end > USW_F(_path_of_team).last));
    found = is_wrong ? 0 : usw_port_sub_group_least(0, is_in ? USW_SUB_GROUP : lane);
    if (lane < found) {
      USW_F(_window_ends)[sub_group][ends + lane] = (uint16_t)(skip + items);
      if (USW_F(_apart))
        USW_F(_mark_end)((uint32_t)items);
      else if (end == least && !(ends == 0 && lane == 0)) {
        USW_F(_acc) nothing;
        USW_F(_identity)(&nothing);
        USW_F(_put_slot)(ends + lane, &nothing);
      }
    }
    if (found > 0)
      last_end = usw_port_shuffle((uint32_t)items, found - 1, USW_SUB_GROUP);
    before = usw_long_of_lane(end, USW_SUB_GROUP - 1);
    ends += found;
    if (found == USW_SUB_GROUP && k + USW_SUB_GROUP < walk.arguments->usw_results)
      ends_of_lanes = USW_F(_segment_end)(k + USW_SUB_GROUP, walk.arguments);
  } while (found == USW_SUB_GROUP && ends < USW_F(_most_ends));
  const usw_window_t window = {at.item - skip, skip,
                               ends == USW_F(_most_ends) ? last_end : (uint32_t)usw_least(room, at.left - ends), ends,
                               is_wrong};
  return window;
}

/* A lane's items of the window from item `first` on. What is behind the window is loaded, too. */
USW_INLINE void USW_F(_load_window)(const USW_F(_walk) walk, size_t first, USW_F(_items) * items) {
  const size_t n = walk.arguments->usw_items, of_lane = first + walk.lane * USW_F(_lane_items);
  if (first + USW_F(_window_items) > n) {
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_window_groups); u++)
        USW_F(_load_some)(&items[u], of_lane + u * USW_F(_block), n, walk.arguments);
  } else if (walk.is_aligned) {
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_window_groups); u++)
        USW_F(_load)(&items[u], of_lane + u * USW_F(_block), USW_F(_block), walk.arguments, 1);
  } else {
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_window_groups); u++)
        USW_F(_load)(&items[u], of_lane + u * USW_F(_block), USW_F(_block), walk.arguments, 0);
  }
}

/* Visit a lane's items of a window. */
USW_INLINE usw_ends_of_lane_t USW_F(_visit_window)(const USW_F(_walk) walk, const usw_position_t at,
                                                   const usw_window_t window, const USW_F(_items) * items,
                                                   USW_F(_part_of_lane) * part) {
  const uint32_t start = walk.lane * USW_F(_lane_items), sub_group = usw_port_thread() / USW_SUB_GROUP;
  const uint32_t from = start < window.skip ? window.skip : start, behind = window.skip + window.items;
  uint32_t k = USW_F(_first_end_behind)(from, window.ends), end = USW_F(_window_end)(k, window.ends), has_end = 0;
  size_t begin = k == 0 ? at.begin : window.item + USW_F(_window_ends)[sub_group][k - 1];
  USW_F(_identity)(&part->tail);
  USW_UNROLL for (uint32_t i = 0; i < USW_F(_lane_items); i++) {
    const uint32_t position = start + i;
    if (position >= window.skip && position < behind)
      USW_F(_visit_item_of_segment)
    (&part->tail, walk, at.segment + k, begin, window.item + position, &items[i / USW_F(_block)], i % USW_F(_block));
    if (position + 1 == end) {
      if (has_end)
        USW_F(_put_slot)(k, &part->tail);
      else
        part->head = part->tail;
      has_end = 1;
      USW_F(_identity)(&part->tail);
      do
        k++;
      while (USW_F(_window_end)(k, window.ends) == end);
      end = USW_F(_window_end)(k, window.ends);
      begin = window.item + position + 1;
    }
  }
  if (!has_end)
    part->head = part->tail;
  const usw_ends_of_lane_t found = {k, has_end};
  return found;
}

/* What has been folded of the segment that ends behind `end` items of a window, the k-th end. */
USW_INLINE void USW_F(_get_ended)(USW_F(_acc) * a, uint32_t k, uint32_t end, int is_empty) {
  if (!USW_F(_apart))
    USW_F(_get_slot)(a, k);
  else if (is_empty)
    USW_F(_identity)(a);
  else if (end == 0)
    USW_F(_get_slot)(a, USW_F(_last));
  else
    USW_F(_get_apart)(a, end - 1);
}

/* Write the results in the slots; the first one of a block is its head. */
USW_INLINE void USW_F(_write_slots)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    USW_F(_stretch) * stretch) {
#pragma nounroll
  for (uint32_t k = walk.lane; k < window.ends; k += USW_SUB_GROUP) {
    const uint32_t end = USW_F(_window_end)(k, window.ends);
    const int is_empty =
        k > 0 ? end == USW_F(_window_end)(k - 1, window.ends) : at.begin == at.item && end == window.skip;
    USW_F(_acc) a;
    USW_F(_get_ended)(&a, k, end, is_empty);
    if (k == 0 && !at.has_end)
      stretch->head = a;
    else
      USW_F(_write_results)(&a, at.segment + k, walk.arguments, is_empty);
  }
}

/* Take the next window. */
USW_INLINE usw_window_t USW_F(_take_window_apart)(const USW_F(_walk) walk, const usw_position_t at,
                                                  size_t ends_of_lanes, USW_F(_stretch) * stretch) {
  USW_F(_items) items[USW_APART_ITEMS];
  const int may_be_whole =
      USW_F(_path_of_team).last - at.item >= USW_F(_window_items) && USW_F(_are_contiguous)(walk.arguments);
  if (USW_F(_loads_early) && may_be_whole)
    USW_F(_load_apart)(walk, at.item, 0, 0, 1, items);
  const usw_window_t window = USW_F(_find_window)(walk, at, ends_of_lanes);
  if (window.is_wrong)
    return window;
  usw_port_sub_group_sync();
  USW_F(_visit_apart)(walk, at, window, items, may_be_whole);
  usw_port_sub_group_sync();
  USW_F(_fold_apart)(walk, window);
  usw_port_sub_group_sync();
  USW_F(_write_slots)(walk, at, window, stretch);
  return window;
}
USW_INLINE usw_window_t USW_F(_take_window)(const USW_F(_walk) walk, const usw_position_t at, size_t ends_of_lanes,
                                            USW_F(_stretch) * stretch) {
  USW_F(_items) items[USW_F(_window_groups)];
  USW_F(_part_of_lane) part;
  USW_F(_acc) open;
  USW_F(_load_window)(walk, at.item - at.item % USW_F(_block), items);
  const usw_window_t window = USW_F(_find_window)(walk, at, ends_of_lanes);
  if (window.is_wrong)
    return window;
  usw_port_sub_group_sync();
  const uint32_t first = USW_F(_first_end_behind)(window.skip, window.ends);
  const usw_ends_of_lane_t found = USW_F(_visit_window)(walk, at, window, items, &part);
  const uint32_t last_lane = USW_F(_fold_parts)(&part, found.has_end);
  if (found.has_end)
    USW_F(_put_slot)(found.next < window.ends ? found.next : USW_F(_last), &part.tail);
  if (walk.lane == 0) {
    USW_F(_get_slot)(&open, USW_F(_open));
    if (window.ends > 0 && USW_F(_window_end)(0, window.ends) == window.skip) { /* no item of it is left */
      USW_F(_put_slot)(0, &open);
      USW_F(_identity)(&open);
    }
    USW_F(_merge)(&open, &part.head);
    USW_F(_put_slot)(last_lane > 0 ? first : USW_F(_open), &open);
  }
  usw_port_sub_group_sync();
  if (last_lane > 0 && walk.lane == 0) {
    USW_F(_get_slot)(&open, USW_F(_last));
    USW_F(_put_slot)(USW_F(_open), &open);
  }
  USW_F(_write_slots)(walk, at, window, stretch);
  return window;
}
