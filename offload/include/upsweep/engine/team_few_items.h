/* Segments of a call with few items on a GPU, each of which some lanes take, as they do rows (team_rows.h): no step waits for another team's. So
 * that a long one does not keep its few lanes at work alone, the items are cut into portions, and a segment with more items than one of these
 * has is left to sub-groups, one for each portion that has a part of it. A portion has parts of two such segments at most: of the one that has
 * its first item, and of one that begins in it and has its last. Whichever sub-group leaves the last part of a segment folds all of them, in
 * order. Where portions begin depends on the launch's words alone, so that every grid gives the same bits. */

/* What neighbouring lanes take: items of a segment. */
typedef struct {
  size_t segment, begin; /* and its first item */
  usw_range_t items;
  uint32_t lane, lanes;
} USW_F(_taken);

/* A part of a long segment, and where its accumulator goes: number 2 p of portion p that has the segment's items from its own first one on, number
 * 2 p + 1 of that where the segment begins. */
typedef struct {
  USW_F(_taken) taken;  /* no items: the portion has no such part */
  uint32_t first, last; /* the portions that have the segment's first and last item */
  uint32_t number, number_of_first;
} USW_F(_part_of_long);

/* Whether a call's segments are taken so: they follow each other, by offsets or of one length, and are not cut into blocks. */
USW_INLINE int USW_F(_has_few_items)(const USW_F(_arguments) * arguments) {
  const uint64_t bytes = arguments->usw_offset_bytes;
  return arguments->usw_blocks == 0 && arguments->usw_ends != 0 &&
         (bytes == 0 || arguments->usw_ends - arguments->usw_begins == bytes);
}
USW_INLINE uint32_t USW_F(_portion_items)(const USW_F(_arguments) * arguments) {
  return USW_PORTION_ITEMS((uint32_t)arguments->usw_lanes);
}
USW_INLINE uint32_t USW_F(_portions)(const USW_F(_arguments) * arguments) {
  const uint32_t items = USW_F(_portion_items)(arguments);
  return ((uint32_t)arguments->usw_items + items - 1) / items;
}

/* The first segment that ends behind an item; as many as there are, if none does. The first look is where it would be if all were of one length. */
USW_INLINE size_t USW_F(_segment_of_item)(size_t item, const USW_F(_arguments) * arguments) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  const size_t results = arguments->usw_results, guess = item * results / arguments->usw_items;
  size_t low = 0, high = results, first = guess > USW_SUB_GROUP / 2 ? guess - USW_SUB_GROUP / 2 : 0, step = 1;
#pragma nounroll
  while (low < high) {
    const size_t k = first + lane * step;
    const uint32_t before = usw_port_count(k < high && USW_F(_segment_end)(k, arguments) <= item, USW_SUB_GROUP);
    high = before < USW_SUB_GROUP ? usw_least(high, first + before * step) : high;
    low = before > 0 ? first + (before - 1) * step + 1 : low;
    first = low;
    step = (high - low + USW_SUB_GROUP - 1) / USW_SUB_GROUP;
  }
  return low;
}

/* Part number `number` of all portions, of which each has two. */
USW_INLINE USW_F(_part_of_long) USW_F(_find_part)(uint32_t number, const USW_F(_arguments) * arguments) {
  const uint32_t portion_items = USW_F(_portion_items)(arguments), lane = usw_port_thread() % USW_SUB_GROUP;
  const size_t first = number / 2 * (size_t)portion_items;
  const size_t end = usw_least(first + portion_items, arguments->usw_items), item = number % 2 == 0 ? first : end - 1;
  const size_t segment = USW_F(_segment_of_item)(item, arguments);
  USW_F(_part_of_long) part = {{segment, 0, {0, 0}, lane, USW_SUB_GROUP}, 0, 0, number, 0};
  if (segment == arguments->usw_results)
    return part;
  const usw_range_t range = USW_F(_range_of_segment)(segment, arguments);
  const int begins_before = range.first <= first, is_long = range.end - range.first > portion_items;
  if (!is_long || range.first > item || range.end <= item || begins_before != (number % 2 == 0))
    return part;
  part.taken.begin = range.first;
  part.taken.items.first = begins_before ? first : range.first;
  part.taken.items.end = usw_least(range.end, end);
  part.first = (uint32_t)range.first / portion_items;
  part.last = (uint32_t)(range.end - 1) / portion_items;
  part.number_of_first = 2 * part.first + (range.first % portion_items != 0);
  return part;
}

/* Leave a part's accumulator; where it is the last one, write the result of all. */
USW_INLINE void USW_F(_leave_part)(USW_F(_acc) * a, const USW_F(_part_of_long) part,
                                   const USW_F(_share_of_results) share) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP, parts = part.last - part.first + 1;
  const uint32_t each = (parts + USW_SUB_GROUP - 1) / USW_SUB_GROUP;
  uint32_t come = 0;
  if (lane == 0) {
    share.partials[part.number] = *a;
    come = usw_port_take_ticket(&share.ticket[1 + part.last]) + 1;
  }
  if (usw_port_shuffle(come, 0, USW_SUB_GROUP) != parts)
    return;
  usw_port_acquire();
  USW_F(_identity)(a);
#pragma nounroll
  for (uint32_t p = lane * each; p < (lane + 1) * each && p < parts; p++) {
    const USW_F(_acc) partial = share.partials[p == 0 ? part.number_of_first : 2 * (part.first + p)];
    USW_F(_merge)(a, &partial);
  }
  USW_F(_fold_lanes)(a, USW_SUB_GROUP);
  if (lane == 0)
    USW_F(_write_results)(a, part.taken.segment, share.arguments, 0);
}

/* A segment by some lanes of the sub-group; no items: it is long, or not there. */
USW_INLINE USW_F(_taken) USW_F(_find_short)(size_t first, const USW_F(_arguments) * arguments) {
  const uint32_t thread = usw_port_thread() % USW_SUB_GROUP, lanes = (uint32_t)arguments->usw_lanes;
  const size_t segment = first + thread / lanes;
  USW_F(_taken) taken = {segment, 0, {0, 0}, thread & (lanes - 1), lanes};
  if (segment >= arguments->usw_results)
    return taken;
  taken.items = USW_F(_range_of_segment)(segment, arguments);
  taken.begin = taken.items.first;
  if (taken.items.end - taken.begin <= USW_F(_portion_items)(arguments))
    return taken;
  taken.segment = arguments->usw_results;
  taken.items.end = taken.begin;
  return taken;
}

/* Visit the items, and fold them into the accumulator of the first lane. (Not shared with bundles, whose registers that changes: descriptions of
 * 2^27 floats in segments of 4 1390 us, 1750 with one function for both, H200.) */
USW_INLINE void USW_F(_take)(USW_F(_acc) * a, const USW_F(_taken) taken, const USW_F(_share_of_results) share) {
  const size_t start = taken.items.first, count = taken.items.end - start;
  const USW_F(_arguments) run = USW_F(_items_from)(share.arguments, start, taken.begin);
  USW_F(_spans) s = *share.s;
  USW_F(_identity)(a);
  USW_ENTER_SEGMENT(&s, taken.segment);
  if (count > 0 && USW_F(_sees_few))
    USW_F(_take_seen_run)(a, &s, &run, (uint32_t)count, taken.lane, taken.lanes, USW_SOME_SEEN);
  else if (count > 0)
    USW_F(_take_run)(a, &s, &run, count, (0 - start) % USW_F(_block), taken.lane, taken.lanes, 0);
  USW_F(_fold_lanes)(a, taken.lanes);
}

/* The segments of a launch: parts of long ones first, which take longer. */
USW_INLINE void USW_F(_visit_few_items)(USW_F(_acc) * a, const USW_F(_share_of_results) share) {
  const USW_F(_arguments) *const arguments = share.arguments;
  const uint32_t parts = 2 * USW_F(_portions)(arguments), at_once = USW_SUB_GROUP / (uint32_t)arguments->usw_lanes;
  const size_t units = parts + (arguments->usw_results + at_once - 1) / at_once;
  const size_t step = usw_port_teams() * (size_t)USW_SUB_GROUPS;
  size_t unit = usw_port_team() * (size_t)USW_SUB_GROUPS + usw_port_thread() / USW_SUB_GROUP;
#pragma nounroll
  for (; unit < units; unit += step) {
    USW_F(_part_of_long) part = {{0, 0, {0, 0}, 0, 0}, 0, 0, 0, 0};
    if (unit < parts)
      part = USW_F(_find_part)((uint32_t)unit, arguments);
    else
      part.taken = USW_F(_find_short)((unit - parts) * at_once, arguments);
    const USW_F(_taken) taken = part.taken;
    if (unit < parts && taken.items.first == taken.items.end)
      continue;
    USW_F(_take)(a, taken, share);
    if (unit < parts)
      USW_F(_leave_part)(a, part, share);
    else if (taken.lane == 0 && taken.segment < arguments->usw_results)
      USW_F(_write_results)(a, taken.segment, arguments, taken.items.first == taken.items.end);
  }
}
