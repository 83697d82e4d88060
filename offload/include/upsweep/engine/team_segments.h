/* Segments on a GPU (segments.h says how they are cut). Blocks are a sub-group's, which no other waits for: it takes windows (team_windows.h),
 * or bundles where lengths are alike (team_bundles.h), or these alone. A segment that begins in an earlier block than it ends in is whole the
 * work of the block where it ends, if it is short: most calls leave no stretches. What blocks leave of long ones is joined in order: whichever
 * sub-group comes last of as many neighbours as a ticket has bits for joins their stretches into one, and so on. */

#ifndef UPSWEEP_ENGINE_TEAM_SEGMENTS_ONCE
#define UPSWEEP_ENGINE_TEAM_SEGMENTS_ONCE
enum {
  USW_SHORT_ITEMS = 1024,   /* of a segment, in blocks of any size; */
  USW_SHORT_IN_A_BLOCK = 8, /* in large ones this part of their steps, which keeps blocks alike */
  USW_EMPTY_OF_LANE = 4,    /* segments without items at once */
  USW_JOINED =
      16, /* stretches at once: each has a bit in the ticket's lower half, if it was left; the upper half counts */
  USW_COMES = 1u << USW_JOINED /* what a sub-group adds to count */
};
/* In place of a stretch's numbers: nothing is open before it, or behind it. */
#define USW_BEGINS_ANEW (UINT64_MAX - 1)
#define USW_LEAVES_NOTHING UINT64_MAX
typedef struct {
  size_t begin, end;
  int has_head, has_tail;
} usw_ends_of_block_t;
#endif

#include <upsweep/engine/team_windows.h>

#include <upsweep/engine/team_open_windows.h>

#include <upsweep/engine/team_bundles.h>

/* ---- blocks ---- */

/* How many segments end within the first `first` steps, and within the first `last`: half of the lanes look for each. */
USW_INLINE usw_range_t USW_F(_ends_of_steps)(size_t first, size_t last, const USW_F(_walk) walk) {
  enum { HALF = USW_SUB_GROUP / 2 };
  const size_t items = USW_F(_path_of_team).last - USW_F(_path_of_team).first;
  const int is_second = walk.lane >= HALF;
  const size_t steps = is_second ? last : first;
  size_t low = steps > items ? steps - items : 0, high = usw_least(steps, walk.arguments->usw_results);
#pragma nounroll
  while (usw_port_sub_group_any(low < high)) {
    const size_t step = (high - low + HALF - 1) / HALF, k = low + walk.lane % HALF * step;
    const int is_within = k < high && USW_F(_ends_within)(k, steps, USW_F(_path_of_team), walk.arguments);
    const uint32_t of_first = usw_port_count(is_within && !is_second, USW_SUB_GROUP);
    const uint32_t of_second = usw_port_count(is_within && is_second, USW_SUB_GROUP);
    const uint32_t within = is_second ? of_second : of_first;
    high = within == 0 ? low : usw_least(high, low + within * step);
    low = within == 0 ? low : low + (within - 1) * step + 1;
  }
  const usw_range_t ends = {usw_long_of_lane(low, 0), usw_long_of_lane(low, HALF)};
  return ends;
}

/* What a block leaves, in team memory for each sub-group: the segments that are open where it begins and where it ends, and whether these are
 * long, so that it leaves a head and a tail. Where it leaves both and no segment ends, it is the middle of one. */
USW_TEAM_MEMORY usw_ends_of_block_t USW_F(_ends_of_block)[USW_SUB_GROUPS];

/* Where a block begins. */
USW_INLINE usw_position_t USW_F(_find_block)(const USW_F(_walk) walk, size_t block) {
  const usw_path_t path = USW_F(_path_of_team);
  const size_t first = usw_least(block * path.steps_of_block, path.steps);
  const size_t last = usw_least(first + path.steps_of_block, path.steps), results = walk.arguments->usw_results;
  const usw_range_t ends = USW_F(_ends_of_steps)(first, last, walk);
  const size_t most = path.steps_of_block / USW_SHORT_IN_A_BLOCK, least = USW_SHORT_ITEMS;
  const size_t short_items = most > least ? most : least;
  size_t item = path.first + first - ends.first, behind = path.first + last - ends.end;
  const size_t begin = ends.first == 0 ? path.first : USW_F(_segment_end)(ends.first - 1, walk.arguments);
  const size_t begin_of_last = ends.end == 0 ? path.first : USW_F(_segment_end)(ends.end - 1, walk.arguments);
  const size_t end = ends.first < results ? USW_F(_segment_end)(ends.first, walk.arguments) : path.last;
  const size_t end_of_last = ends.end < results ? USW_F(_segment_end)(ends.end, walk.arguments) : path.last;
  const int falls = ends.end < ends.first || begin < path.first || begin > item || end < item || end > path.last ||
                    begin_of_last > behind || end_of_last < behind || end_of_last > path.last;
  const int has_head = begin < item && end - begin > short_items;
  const int has_tail = begin_of_last < behind && end_of_last - begin_of_last > short_items;
  item = has_head ? item : begin;
  behind = has_tail ? behind : begin_of_last;
  const int is_wrong = falls || behind < item;
  if (walk.lane == 0) {
    const usw_ends_of_block_t of_block = {ends.first, ends.end, has_head, has_tail};
    USW_F(_ends_of_block)[walk.sub_group] = of_block;
  }
  const size_t origin = (item - 1) / USW_F(_stage_step) * USW_F(_stage_step); /* of item 0, too: size_t wraps around */
  const uint32_t position = (uint32_t)(item - origin);
  const uint32_t begins = has_head ? USW_BEFORE_BLOCK : position, nothing = position - USW_F(_window_items);
  usw_position_t start = {position, position, 0, 0, begins, 0, nothing, 0, !has_head, is_wrong, {USW_NO_END, 0}};
  if (walk.lane == 0) {
    const usw_block_t of_walk = {origin, ends.first, begin};
    USW_F(_block_of_walk)[walk.sub_group] = of_walk;
  }
  usw_port_sub_group_sync();
  if (!is_wrong) {
    start.behind = (uint32_t)(behind - origin);
    start.ends = (uint32_t)(ends.end - ends.first);
    start.known = USW_F(_known_first)(walk, start);
  }
  return start;
}

/* Leave a block's stretch. The head is there already if a segment has ended. */
USW_INLINE void USW_F(_leave_stretch)(const USW_F(_walk) walk, const usw_ends_of_block_t of_block,
                                      USW_F(_stretch) * stretch) {
  const int is_middle = of_block.has_head && of_block.begin == of_block.end;
  USW_F(_acc) open, nothing;
  USW_F(_get_open)(&open, walk.sub_group, USW_OPEN);
  USW_F(_identity)(&nothing);
  stretch->begin = of_block.has_head ? of_block.begin : USW_BEGINS_ANEW;
  stretch->end = of_block.has_tail ? of_block.end : USW_LEAVES_NOTHING;
  if (is_middle)
    stretch->head = open;
  else if (!of_block.has_head)
    stretch->head = nothing;
  stretch->tail = of_block.has_tail && !is_middle ? open : nothing;
}

/* Whether the next segments, one for each lane, have no items, and the open one neither. (To ask costs kernels of large accumulators, and those whose
 * items are visited apart, registers that other segments want: descriptions of 2^27 doubles in segments of 4 1740 us without, 1850 with it, a
 * sparse matrix of 27 points times a vector 228 and 237, H200.) */
USW_INLINE int USW_F(_are_empty)(const usw_position_t at) {
  return USW_F(_is_light) && !USW_F(_apart) && at.has_end && at.begin == at.item &&
         !usw_port_sub_group_any(at.known.end != at.item);
}

/* Take segments without items, as long as several for each lane follow each other: the ends of all of them are asked for at once. (2^27 doubles
 * in segments of 64, and 40000 without items in a row, H200: sums 390 us, 890 by windows, places of the greatest 560 and 1630.) */
USW_INLINE usw_position_t USW_F(_take_empty)(const USW_F(_walk) walk, usw_position_t at) {
  enum { ENDS = USW_EMPTY_OF_LANE * USW_SUB_GROUP };
  const size_t item = USW_F(_item_at)(walk, at.item);
  const uint32_t ended = at.ended;
  int are_empty;
  do {
    size_t offsets[USW_EMPTY_OF_LANE];
    are_empty = 1;
    USW_UNROLL for (uint32_t k = 0; k < ENDS; k += USW_SUB_GROUP) offsets[k / USW_SUB_GROUP] =
        USW_F(_offset_of_lane)(walk, at, k);
    USW_UNROLL for (uint32_t k = 0; k < USW_EMPTY_OF_LANE; k++) are_empty &= offsets[k] == item;
    are_empty = !usw_port_sub_group_any(!are_empty);
    USW_UNROLL for (uint32_t k = walk.lane; are_empty && k < ENDS; k += USW_SUB_GROUP) {
      USW_F(_acc) nothing;
      USW_F(_identity)(&nothing);
      USW_F(_write_results)(&nothing, USW_F(_segment_at)(walk, at, k), walk.arguments, 1);
    }
    at.ended += are_empty ? ENDS : 0;
    at.ends -= are_empty ? ENDS : 0;
  } while (are_empty);
  if (at.ended != ended)
    at.known = USW_F(_known_first)(walk, at);
  return at;
}

/* Walk through a block. Returns whether it leaves a stretch. */
USW_INLINE int USW_F(_walk_block)(const USW_F(_walk) walk, size_t block, USW_F(_stretch) * stretch) {
  usw_position_t at = USW_F(_find_block)(walk, block);
  const usw_bundle_t none = {0, USW_SUB_GROUP, 0, 0, 0, 0};
  USW_F(_acc) open;
  USW_F(_identity)(&open);
  if (walk.lane == 0)
    USW_F(_put_open)(walk.sub_group, USW_OPEN, &open);
#pragma nounroll
  while ((at.item < at.behind || at.ends > 0) && !at.is_wrong) {
    USW_F(_walk) anew = USW_F(_walk_anew)(walk);
    if (USW_F(_are_empty)(at)) {
      at = USW_F(_take_empty)(anew, at);
      if (at.item == at.behind && at.ends == 0)
        break;
    }
    const usw_bundle_t bundle = USW_F(_sees_segments)   ? USW_F(_find_bundle_to_see)(anew, at)
                                : USW_F(_takes_bundles) ? USW_F(_find_bundle)(anew, at)
                                                        : none;
    if (bundle.segments > 0) {
      USW_F(_take_bundle)(anew, at, bundle, stretch);
      at = USW_F(_position_behind_bundle)(anew, at, bundle);
      continue;
    }
    if (USW_F(_sees_segments)) { /* which find a bundle wherever offsets are right */
      at.is_wrong = 1;
      continue;
    }
    anew = USW_F(_walk_anew)(walk);
    at = USW_F(_stage_next)(anew, at);
    const uint32_t windows = USW_F(_looks_first) ? USW_F(_open_windows)(at) : 0;
    if (windows > 0) {
      at = USW_F(_take_open_windows)(anew, at, windows);
      continue;
    }
    at = USW_F(_take_window)(anew, at, stretch);
    if (USW_F(_takes_bundles)) /* the next window or bundle takes the same team memory */
      usw_port_sub_group_sync();
  }
  usw_port_sub_group_sync();
  const usw_ends_of_block_t of_block = USW_F(_ends_of_block)[walk.sub_group];
  if (at.is_wrong) {
    USW_F(_tell_wrong)(walk.arguments);
    if (!USW_F(_sees_segments))
      (void)USW_F(_take_ends_of_lane)(walk); /* some may be marked */
  }
  if (walk.lane == 0 && (of_block.has_head || of_block.has_tail))
    USW_F(_leave_stretch)(walk, of_block, stretch);
  return of_block.has_head || of_block.has_tail;
}

/* ---- stretches ---- */

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

/* Join the stretches of `lanes` lanes: what lane 0 gets. */
USW_INLINE USW_F(_stretch)
    USW_F(_join_lanes)(const USW_F(_stretch) stretch, uint32_t lanes, const USW_F(_arguments) * arguments) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  const uint32_t has_end = lane < lanes && stretch.begin != stretch.end;
  USW_F(_part_of_lane) part = {stretch.head, stretch.tail}; /* without an end there is no tail */
  const uint64_t end = usw_long_of_lane(stretch.end, lanes - 1);
  const uint32_t last_lane = USW_F(_fold_parts)(&part, has_end);
  if (has_end && lane + 1 < last_lane && stretch.end != USW_LEAVES_NOTHING)
    USW_F(_write_results)(&part.tail, stretch.end, arguments, 0);
  USW_F(_stretch) joined = {stretch.begin, end, part.head, part.tail};
  if (last_lane > 0)
    USW_F(_shuffle)(&joined.tail, &part.tail, last_lane - 1, USW_SUB_GROUP);
  return joined;
}

/* Tell the others that this sub-group has come, and whether its stretch, number `number` of theirs, is one to join. Returns how many have come,
 * itself included, times USW_COMES, and the bits of those that are to be joined. The last of `members` makes the ticket ready for the next
 * launch. */
USW_INLINE uint32_t USW_F(_come)(int is_to_join, uint32_t number, uint32_t members, uint32_t *ticket) {
  const uint32_t mine = USW_COMES + (is_to_join ? 1u << number : 0);
  uint32_t all = 0;
  usw_port_sub_group_sync();
  if (usw_port_thread() % USW_SUB_GROUP == 0) {
    usw_port_acquire(); /* a fence: results and the stretch are there before this is told */
    all = usw_port_add_ticket(ticket, mine) + mine;
    if (all / USW_COMES == members)
      *ticket = 0;
  }
  return usw_port_shuffle(all, 0, USW_SUB_GROUP);
}

/* Join the stretches of all blocks, of which number `block` has just been walked through, where this sub-group comes last of some neighbours;
 * then go on with what they give. Returns whether it comes last of all. */
USW_INLINE int USW_F(_join_stretches_from)(size_t block, int is_to_join, const USW_F(_share_of_results) share) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  USW_F(_stretch) *stretches = USW_F(_stretches)(share.arguments);
  uint32_t *ticket = share.ticket + 1;
  size_t count = share.arguments->usw_blocks, number = block;
#pragma nounroll
  while (count > 1) {
    const size_t group = number / USW_JOINED, first = group * USW_JOINED;
    const uint32_t members = (uint32_t)usw_least(count - first, USW_JOINED);
    const uint32_t all = USW_F(_come)(is_to_join, (uint32_t)(number - first), members, &ticket[group]);
    const uint32_t left = all % USW_COMES;
    if (all / USW_COMES != members)
      return 0;
    is_to_join = left != 0;
    if (is_to_join) {
      USW_F(_stretch) stretch;
      stretch.begin = USW_BEGINS_ANEW;
      stretch.end = USW_LEAVES_NOTHING;
      USW_F(_identity)(&stretch.head);
      USW_F(_identity)(&stretch.tail);
      usw_port_acquire();
      if (left >> lane & 1)
        stretch = stretches[first + lane];
      const USW_F(_stretch) joined = USW_F(_join_lanes)(stretch, members, share.arguments);
      if (lane == 0)
        stretches[count + group] = joined;
    }
    stretches += count;
    count = (count + USW_JOINED - 1) / USW_JOINED;
    ticket += count;
    number = group;
  }
  return 1;
}

/* The blocks of a launch. */
USW_INLINE void USW_F(_visit_segments_of_team)(const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const size_t step = usw_port_teams() * (size_t)USW_SUB_GROUPS;
  const int is_aligned = USW_F(_are_contiguous)(arguments)
      USW_OWN_ARGUMENTS(USW_AND_ON_BOUNDARY, USW_NOTHING, USW_NOTHING, USW_AND_ON_BOUNDARY);
  const USW_F(_walk)
      walk = {arguments, share.s, usw_port_thread() % USW_SUB_GROUP, usw_port_thread() / USW_SUB_GROUP, is_aligned};
  size_t block = usw_port_team() * (size_t)USW_SUB_GROUPS + usw_port_thread() / USW_SUB_GROUP;
  if (usw_port_thread() == 0)
    USW_F(_path_of_team) = USW_F(_path)(arguments);
  if (!USW_F(_sees_segments))
    (void)USW_F(_take_ends_of_lane)(walk); /* none is marked */
  usw_port_barrier();
#pragma nounroll
  for (; block < arguments->usw_blocks; block += step) {
    const int is_to_join = USW_F(_walk_block)(walk, block, &USW_F(_stretches)(arguments)[block]);
    if (!USW_F(_join_stretches_from)(block, is_to_join, share))
      continue;
    usw_port_sub_group_sync();
    if (walk.lane == 0)
      USW_F(_tell_end)(arguments);
  }
}
