/* Bundles of a path on a GPU (team_segments.h): segments of like lengths, and what is long, taken without windows. Some neighbouring lanes take
 * one segment each, as rows are (team_results.h). */

#ifndef UPSWEEP_ENGINE_TEAM_BUNDLES_ONCE
#define UPSWEEP_ENGINE_TEAM_BUNDLES_ONCE
enum {
  USW_LEAST_BLOCKS = 4,        /* in a segment of a bundle on the average: shorter ones are windows', */
  USW_LEAST_BLOCKS_APART = 32, /* where the body loads for itself (team_apart.h) */
  USW_LIKE_LENGTHS = 6,        /* twice the longest in a bundle to the mean, */
  USW_FEW_LIGHT_ITEMS = 48,    /* where that is less and items take few instructions: */
  USW_LIKE_SHORT_LENGTHS = 3
};

/* Some of the next segments, or a part of the next one: as many lanes for each, a power of two. */
typedef struct {
  uint32_t segments, lanes;
  uint32_t items; /* of all; they end in the block, but where there is one segment that is cut */
  int is_cut;
} usw_bundle_t;
#endif

/* The next segments that end in the block, if they are of like lengths; else a part of a long one; else none. Where offsets are wrong there is
 * none. */
USW_INLINE usw_bundle_t USW_F(_find_bundle)(const USW_F(_walk) walk, const usw_position_t at) {
  const uint32_t end_before = usw_port_shuffle_up(at.known.end, 1, USW_SUB_GROUP);
  const uint32_t start = walk.lane == 0 ? at.item : end_before, next = usw_port_shuffle(at.known.end, 0, USW_SUB_GROUP);
  const int is_in = at.known.end >= start && at.known.end <= at.behind;
  const uint32_t segments = usw_port_sub_group_least(0, is_in ? USW_SUB_GROUP : walk.lane);
  const uint32_t longest = usw_port_sub_group_max(walk.lane < segments ? at.known.end - start : 0);
  const uint32_t items = segments > 0 ? usw_port_shuffle(at.known.end, segments - 1, USW_SUB_GROUP) - at.item : 0;
  const uint32_t mean = segments > 0 ? items / segments : 0;
  usw_bundle_t bundle = {0, USW_SUB_GROUP, 0, 0};
  const uint32_t least = (USW_F(_apart) ? USW_LEAST_BLOCKS_APART : USW_LEAST_BLOCKS) * USW_F(_block);
  const uint32_t like = USW_F(_is_light) && mean < USW_FEW_LIGHT_ITEMS ? USW_LIKE_SHORT_LENGTHS : USW_LIKE_LENGTHS;
  if (mean >= least && (uint64_t)2 * longest <= (uint64_t)like * mean) {
    bundle.segments = segments;
    bundle.items = items;
#pragma nounroll
    while (bundle.lanes > 1 && bundle.lanes / 2 * USW_F(_block) * USW_F(_in_flight) >= mean)
      bundle.lanes /= 2;
  } else if (next >= at.item) {
    const uint32_t end = next < at.behind ? next : at.behind;
    if (end - at.item >= USW_F(_window_items)) {
      bundle.segments = 1;
      bundle.items = end - at.item;
      bundle.is_cut = next > at.behind;
    }
  }
  return bundle;
}

/* Take a bundle, several segments at once. */
USW_INLINE void USW_F(_take_bundle)(const USW_F(_walk) walk, const usw_position_t at, const usw_bundle_t bundle,
                                    USW_F(_stretch) * stretch) {
  const uint32_t lane = walk.lane & (bundle.lanes - 1), at_once = USW_SUB_GROUP / bundle.lanes;
  const uint32_t end_before = usw_port_shuffle_up(at.known.end, 1, USW_SUB_GROUP);
  const uint32_t start_of_lane = walk.lane == 0 ? at.item : end_before;
  const size_t origin = USW_F(_item_at)(walk, 0), begin_of_first = USW_F(_begin_at)(walk, at);
#pragma nounroll
  for (uint32_t first = 0; first < bundle.segments; first += at_once) {
    const uint32_t k = first + walk.lane / bundle.lanes, known = k < bundle.segments ? k : bundle.segments - 1;
    const size_t start = origin + usw_port_shuffle(start_of_lane, known, USW_SUB_GROUP);
    const size_t end = origin + usw_port_shuffle(at.known.end, known, USW_SUB_GROUP);
    const size_t count = k >= bundle.segments ? 0 : bundle.is_cut ? bundle.items : end - start;
    const size_t begin = k == 0 ? begin_of_first : start;
    const USW_F(_arguments) run = USW_F(_items_from)(walk.arguments, start, begin);
    USW_F(_spans) s = *walk.s;
    USW_F(_acc) a;
    USW_F(_identity)(&a);
    USW_ENTER_SEGMENT(&s, USW_F(_segment_at)(walk, at, k));
    if (count > 0)
      USW_F(_take_run)(&a, &s, &run, count, (0 - start) % USW_F(_block), lane, bundle.lanes);
    USW_F(_fold_lanes)(&a, bundle.lanes);
    if (first == 0 && walk.lane == 0) { /* items of the first one may have come before */
      USW_F(_acc) open;
      USW_F(_get_open)(&open, walk.sub_group, USW_OPEN);
      USW_F(_merge)(&open, &a);
      a = open;
      if (!bundle.is_cut)
        USW_F(_identity)(&open);
      USW_F(_put_open)(walk.sub_group, USW_OPEN, &open);
    }
    if (lane != 0 || k >= bundle.segments || bundle.is_cut)
      continue;
    if (k == 0 && !at.has_end)
      stretch->head = a;
    else
      USW_F(_write_results)(&a, USW_F(_segment_at)(walk, at, k), walk.arguments, begin == end);
  }
}
