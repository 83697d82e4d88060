/* Segments on a GPU (segments.h says how they are cut). Blocks are a sub-group's, which no other waits for: it takes windows (team_windows.h),
 * or bundles where lengths are alike (team_bundles.h). What blocks leave is joined in order: whichever sub-group leaves the last of as many
 * stretches as it has lanes joins these into one, and so on. */

#include <upsweep/engine/team_windows.h>

#include <upsweep/engine/team_bundles.h>

/* ---- blocks ---- */

/* How many segments end within the first `steps` steps: lanes look at different ones. */
USW_INLINE size_t USW_F(_ends_of_steps)(size_t steps, const USW_F(_walk) walk) {
  const size_t items = USW_F(_path_of_team).last - USW_F(_path_of_team).first;
  size_t low = steps > items ? steps - items : 0, high = usw_least(steps, walk.arguments->usw_results);
#pragma nounroll
  while (low < high) {
    const size_t step = (high - low + USW_SUB_GROUP - 1) / USW_SUB_GROUP, k = low + walk.lane * step;
    const uint32_t within =
        usw_port_count(k < high && USW_F(_ends_within)(k, steps, USW_F(_path_of_team), walk.arguments), USW_SUB_GROUP);
    high = within == 0 ? low : usw_least(high, low + within * step);
    low = within == 0 ? low : low + (within - 1) * step + 1;
  }
  return low;
}

/* Where a block begins. */
USW_INLINE usw_position_t USW_F(_start_of_block)(const USW_F(_walk) walk, size_t block) {
  const usw_path_t path = USW_F(_path_of_team);
  const size_t first = usw_least(block * path.steps_of_block, path.steps);
  const size_t segment = USW_F(_ends_of_steps)(first, walk);
  const usw_position_t start = {segment, path.first + (first - segment),
                                segment == 0 ? path.first : USW_F(_segment_end)(segment - 1, walk.arguments),
                                usw_least(path.steps_of_block, path.steps - first), 0};
  return start;
}

/* Walk through a block, which leaves a stretch. */
USW_INLINE void USW_F(_walk_block)(const USW_F(_walk) walk, size_t block, USW_F(_stretch) * stretch) {
  usw_position_t at = USW_F(_start_of_block)(walk, block);
  USW_F(_acc) open;
  int is_wrong = at.begin > at.item; /* offsets that fall */
  USW_F(_identity)(&open);
  if (walk.lane == 0) {
    stretch->begin = at.segment;
    USW_F(_put_slot)(USW_F(_open), &open);
  }
#pragma nounroll
  while (at.left > 0 && !is_wrong) {
    const size_t k = at.segment + walk.lane;
    const size_t end =
        k < walk.arguments->usw_results ? USW_F(_segment_end)(k, walk.arguments) : USW_F(_path_of_team).last;
    const usw_bundle_t bundle = USW_F(_find_bundle)(walk, at, end);
    if (bundle.segments > 0) {
      const uint32_t ends = bundle.is_cut ? 0 : bundle.segments;
      USW_F(_take_bundle)(walk, at, bundle, end, stretch);
      at.segment += ends;
      at.item += bundle.items;
      at.begin = ends > 0 ? at.item : at.begin;
      at.left -= bundle.items + ends;
      at.has_end |= ends > 0;
      continue;
    }
    const usw_window_t window = USW_F(_take_window)(walk, at, end, stretch);
    is_wrong = window.is_wrong || window.ends + window.items == 0;
    if (window.ends > 0)
      at.begin = window.item + USW_F(_window_end)(window.ends - 1, window.ends);
    usw_port_sub_group_sync(); /* the next window takes the same team memory */
    at.segment += window.ends;
    at.item += window.items;
    at.left -= window.ends + window.items;
    at.has_end |= window.ends > 0;
  }
  if (is_wrong)
    USW_F(_tell_wrong)(walk.arguments);
  if (walk.lane == 0) {
    USW_F(_get_slot)(&open, USW_F(_open));
    stretch->end = at.segment;
    if (at.has_end)
      stretch->tail = open;
    else
      stretch->head = open;
  }
}

/* ---- stretches ---- */

/* Join the stretches of `lanes` lanes: what lane 0 gets. */
USW_INLINE USW_F(_stretch)
    USW_F(_join_lanes)(const USW_F(_stretch) stretch, uint32_t lanes, const USW_F(_arguments) * arguments) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  const uint32_t has_end = lane < lanes && stretch.begin < stretch.end;
  USW_F(_part_of_lane) part = {stretch.head, stretch.tail}; /* without an end there is no tail */
  const uint64_t end = usw_long_of_lane(stretch.end, lanes - 1), end_before = usw_long_before(stretch.end);
  if (lane > 0 && lane < lanes && stretch.begin != end_before)
    USW_F(_tell_wrong)(arguments);
  if (lane >= lanes)
    USW_F(_identity)(&part.head);
  const uint32_t last_lane = USW_F(_fold_parts)(&part, has_end);
  if (has_end && lane + 1 < last_lane && stretch.end < arguments->usw_results)
    USW_F(_write_results)(&part.tail, stretch.end, arguments, USW_F(_is_empty_segment)(stretch.end, arguments));
  USW_F(_stretch) joined = {stretch.begin, end, part.head, part.tail};
  if (last_lane > 0)
    USW_F(_shuffle)(&joined.tail, &part.tail, last_lane - 1, USW_SUB_GROUP);
  return joined;
}

/* Whether this sub-group is the last to come here of `members`. Everything that the others wrote is seen then. */
USW_INLINE int USW_F(_is_last_sub_group_of)(uint32_t members, uint32_t *ticket) {
  uint32_t number = 0;
  usw_port_sub_group_sync();
  if (usw_port_thread() % USW_SUB_GROUP == 0)
    number = usw_port_take_ticket(ticket);
  number = usw_port_shuffle(number, 0, USW_SUB_GROUP);
  if (number != members - 1)
    return 0;
  usw_port_acquire();
  if (usw_port_thread() % USW_SUB_GROUP == 0)
    *ticket = 0;
  return 1;
}

/* Join the stretches of all blocks, of which number `block` has just been left, where this sub-group's is the last of as many as there are
 * lanes; then go on with what they give. */
USW_INLINE void USW_F(_join_stretches_from)(size_t block, const USW_F(_share_of_results) share) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  USW_F(_stretch) *stretches = USW_F(_stretches)(share.arguments);
  uint32_t *ticket = share.ticket + 1;
  size_t count = share.arguments->usw_blocks, number = block;
#pragma nounroll
  while (count > 1) {
    const size_t group = number / USW_SUB_GROUP, first = group * USW_SUB_GROUP;
    const uint32_t members = (uint32_t)usw_least(count - first, USW_SUB_GROUP);
    if (!USW_F(_is_last_sub_group_of)(members, &ticket[group]))
      return;
    const USW_F(_stretch) joined =
        USW_F(_join_lanes)(stretches[first + (lane < members ? lane : 0)], members, share.arguments);
    stretches += count;
    if (lane == 0)
      stretches[group] = joined;
    count = (count + USW_SUB_GROUP - 1) / USW_SUB_GROUP;
    ticket += count;
    number = group;
  }
  if (lane != 0)
    return;
  USW_F(_stretch) all = stretches[0];
  if (all.begin != 0 || all.end != share.arguments->usw_results)
    USW_F(_tell_wrong)(share.arguments);
  else
    USW_F(_write_results)(&all.head, 0, share.arguments, USW_F(_is_empty_segment)(0, share.arguments));
}

/* The blocks of a launch. */
USW_INLINE void USW_F(_visit_segments_of_team)(const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const size_t step = usw_port_teams() * (size_t)USW_SUB_GROUPS;
  const int is_aligned = USW_F(_are_contiguous)(arguments)
      USW_OWN_ARGUMENTS(USW_AND_ON_BOUNDARY, USW_NOTHING, USW_NOTHING, USW_AND_ON_BOUNDARY);
  const USW_F(_walk) walk = {arguments, share.s, usw_port_thread() % USW_SUB_GROUP, is_aligned};
  size_t block = usw_port_team() * (size_t)USW_SUB_GROUPS + usw_port_thread() / USW_SUB_GROUP;
  if (usw_port_thread() == 0)
    USW_F(_path_of_team) = USW_F(_path)(arguments);
  usw_port_barrier();
#pragma nounroll
  for (; block < arguments->usw_blocks; block += step) {
    USW_F(_walk_block)(walk, block, &USW_F(_stretches)(arguments)[block]);
    USW_F(_join_stretches_from)(block, share);
  }
}
