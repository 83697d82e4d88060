/* Where segments end in the windows of a path on a GPU. Included by team_windows.h, behind its types and team memory; defines what finds a window
 * (_find_window()), and what asks for its ends. */

/* Where the lane-th of the next segments ends behind `ends` of them, if it ends in the block: as the caller says, and as a position. An offset
 * that is wrong may be taken for one that is too large: then the block's ends do not come. */
USW_INLINE size_t USW_F(_offset_of_lane)(const USW_F(_walk) walk, const usw_position_t at, uint32_t ends) {
  const uint32_t k = ends + walk.lane;
  return k < at.ends ? USW_F(_segment_end)(USW_F(_segment_at)(walk, at, k), walk.arguments)
                     : USW_F(_item_at)(walk, USW_NO_END);
}
USW_INLINE uint32_t USW_F(_end_of_offset)(const USW_F(_walk) walk, size_t offset) {
  const size_t position = offset - USW_F(_item_at)(walk, 0);
  return position < USW_NO_END ? (uint32_t)position : USW_NO_END;
}

/* The next ends behind `found` of those that are known, and behind `ends` of the position's: offsets that were asked for a window ago join them,
 * so that nobody waits for one, and the next ones are asked for. (Sums of 2^27 doubles in segments of 4 on an H200: 513 us, so 487.) Where none
 * are asked for ahead, those are the next ones, which are not known before they are taken. */
USW_INLINE usw_known_ends_t USW_F(_known_behind)(const USW_F(_walk) walk, const usw_position_t at,
                                                 const usw_known_ends_t known, uint32_t found, uint32_t ends) {
  const uint32_t end = walk.lane < found ? USW_F(_end_of_offset)(walk, known.ahead) : known.end;
  usw_known_ends_t behind = {USW_NO_END, USW_F(_offset_of_lane)(walk, at, ends + USW_F(_ends_ahead))};
  if (USW_F(_ends_ahead) > 0)
    behind.end = usw_port_shuffle(end, (walk.lane + found) % USW_SUB_GROUP, USW_SUB_GROUP);
  return behind;
}
/* Take what was asked for so, if it is to be known now: before the elements that come next, or waiting for it might be waiting for these, too. */
USW_INLINE usw_known_ends_t USW_F(_take_known)(const USW_F(_walk) walk, usw_known_ends_t known) {
  if (USW_F(_ends_ahead) == 0)
    known.end = USW_F(_end_of_offset)(walk, known.ahead);
  return known;
}
/* The first ones of a block. */
USW_INLINE usw_known_ends_t USW_F(_known_first)(const USW_F(_walk) walk, const usw_position_t at) {
  usw_known_ends_t known = {USW_F(_end_of_offset)(walk, USW_F(_offset_of_lane)(walk, at, 0)), 0};
  if (USW_F(_ends_ahead) > 0)
    known.ahead = USW_F(_offset_of_lane)(walk, at, USW_F(_ends_ahead));
  return known;
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
  return ends > 0          ? window.first + USW_F(_window_ends)[walk.sub_group][ends - 1]
         : window.has_past ? USW_F(_item_at)(walk, at.item)
                           : USW_F(_begin_at)(walk, at);
}
USW_INLINE size_t USW_F(_segment_behind)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                         uint32_t ends) {
  const int is_ended = ends < window.with_items;
  const uint32_t number = is_ended ? USW_F(_ended_segments)[walk.sub_group][USW_AXES ? 0 : ends] : window.ends;
  return USW_F(_segment_at)(walk, at, number);
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

/* Which of the next segments, behind `ends` of the window, end up to position `last`. before: where the last of those ends. */
USW_INLINE usw_round_t USW_F(_look_for_ends)(const USW_F(_walk) walk, uint32_t end, uint32_t before, uint32_t ends,
                                             uint32_t last) {
  const int has_room = USW_F(_most_ends) % USW_SUB_GROUP == 0 || ends + walk.lane < USW_F(_most_ends);
  const uint32_t end_before = usw_port_shuffle_up(end, 1, USW_SUB_GROUP);
  usw_round_t round;
  round.before = walk.lane == 0 ? before : end_before;
  round.is_in = end <= last && has_room;
  round.is_wrong = usw_port_sub_group_any(end < round.before);
  round.found = usw_port_count(round.is_in, USW_SUB_GROUP);
  return round;
}

/* Mark the ends of a window whose first ones have been found. */
USW_INLINE usw_window_t USW_F(_mark_ends)(const USW_F(_walk) walk, const usw_position_t at, usw_window_t window,
                                          usw_round_t round) {
  const uint32_t lane = walk.lane, sub_group = walk.sub_group, last = at.item + window.items;
  int has_more;
  do {
    const uint32_t end = window.known.end;
    const uint32_t k = window.ends + lane;
    const int has_items = round.is_in && end != round.before;
    const uint32_t number = window.with_items + usw_port_count_before(has_items);
    if (round.is_in)
      USW_F(_has_items)[sub_group][k] = (uint8_t)has_items;
    if (window.ends == 0)
      window.has_past = usw_port_sub_group_any(lane == 0 && end == at.item && at.begin != at.item);
    if (has_items) {
      USW_F(_window_ends)[sub_group][number] = (uint16_t)(end - at.item + window.skip);
      if (!USW_AXES)
        USW_F(_ended_segments)[sub_group][number] = (uint8_t)k;
      USW_F(_is_end)[sub_group][end - at.item + window.skip - 1] = 1;
    }
    if (round.found > 0)
      window.last_end = usw_port_shuffle(end, round.found - 1, USW_SUB_GROUP);
    window.with_items += usw_port_count(has_items, USW_SUB_GROUP);
    window.ends += round.found;
    if (round.found > 0)
      window.known = USW_F(_known_behind)(walk, at, window.known, round.found, window.ends);
    has_more = round.found == USW_SUB_GROUP && window.ends < USW_F(_most_ends);
    if (has_more) {
      window.known = USW_F(_take_known)(walk, window.known);
      round = USW_F(_look_for_ends)(walk, window.known.end, window.last_end, window.ends, last);
      window.is_wrong = round.is_wrong;
    }
  } while (has_more && !window.is_wrong);
  if (window.ends == USW_F(_most_ends))
    window.items = window.last_end - at.item;
  return window;
}

/* Whether a window is whole, and all its ends have been found, behind an item each and in lines of their own. */
USW_INLINE int USW_F(_are_single)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                  const usw_round_t round) {
  const uint32_t place = at.known.end - 1 - at.staged, before = round.before - 1 - at.staged;
  const int is_last = walk.lane == USW_SUB_GROUP - 1 && at.known.end != at.item + window.items;
  return window.items == USW_F(_window_items) &&
         !usw_port_sub_group_any(round.is_in && ((place ^ before) < USW_F(_lane_items) || is_last));
}
/* Mark these: of each line, behind how many of its items a segment ends. */
USW_INLINE usw_window_t USW_F(_mark_single)(const USW_F(_walk) walk, const usw_position_t at, usw_window_t window,
                                            const usw_round_t round) {
  const uint32_t place = at.known.end - 1 - at.staged;
  if (round.is_in)
    USW_F(_is_end)[walk.sub_group][place / USW_F(_lane_items)] = (uint8_t)(place % USW_F(_lane_items) + 1);
  if (USW_F(_apart) && round.is_in) {
    USW_F(_window_ends)[walk.sub_group][walk.lane] = (uint16_t)(place + 1);
    if (!USW_AXES)
      USW_F(_ended_segments)[walk.sub_group][walk.lane] = (uint8_t)walk.lane;
  }
  window.is_single = 1;
  window.ends = window.with_items = round.found;
  if (round.found > 0) {
    window.last_end = usw_port_shuffle(at.known.end, round.found - 1, USW_SUB_GROUP);
    window.known = USW_F(_known_behind)(walk, at, at.known, round.found, round.found);
  }
  return window;
}

/* Find the ends of segments in the next window. */
USW_INLINE usw_window_t USW_F(_find_window)(const USW_F(_walk) walk, const usw_position_t at) {
  const uint32_t skip = at.item - at.staged, room = USW_F(_window_items) - skip, left = at.behind - at.item;
  const uint32_t items = room < left ? room : left;
  usw_window_t window = {USW_F(_item_at)(walk, at.staged), skip, items, 0, 0, 0, 0, 0, 0, at.stage, at.known};
  if (USW_F(_ends_ahead) == 0)
    window.known.ahead = 0; /* taken already */
  const usw_round_t round = USW_F(_look_for_ends)(walk, at.known.end, at.item, 0, at.item + items);
  window.is_wrong = round.is_wrong;
  if (round.is_wrong)
    return window;
  if (USW_F(_has_single) && USW_F(_are_single)(walk, at, window, round))
    return USW_F(_mark_single)(walk, at, window, round);
  return USW_F(_mark_ends)(walk, at, window, round);
}
