/* Bundles of a path on a GPU (team_segments.h): segments of like lengths, and what is long, taken without windows. Some neighbouring lanes take
 * one segment each, as rows are (team_results.h). Kernels by columns with large accumulators see their items as those of a column, as they do
 * those of a row (team_whole_rows.h); they take all segments so, however short, and no windows, which would fold accumulators wherever one ends.
 * Where lengths are not alike, they pick segments that want as many lanes, and see the others later. (Descriptions of 2^27 doubles on an H200 as this
 * came, us: in segments of 1 15840, so 6780; of 16 1300, so 853; of 64 1290, so 585; of 0 to 42 5100, so 1205; of a power law 3350, so 2920, picked
 * 1800; perf/segments/segments.py.) */

#ifndef UPSWEEP_ENGINE_TEAM_BUNDLES_ONCE
#define UPSWEEP_ENGINE_TEAM_BUNDLES_ONCE
enum {
  USW_LEAST_BLOCKS = 4,        /* in a segment of a bundle on the average: shorter ones are windows', */
  USW_LEAST_BLOCKS_APART = 32, /* where the body loads for itself (team_apart.h) */
  USW_LIKE_LENGTHS = 6,        /* twice the longest in a bundle to the mean, */
  USW_FEW_LIGHT_ITEMS = 48,    /* where that is less and items take few instructions: */
  USW_LIKE_SHORT_LENGTHS = 3,
  USW_LIKE_SEEN = 4,   /* the longest to the mean, where all are seen; */
  USW_FOLD_ITEMS = 16, /* lanes of these have more items each than so many times their number, */
  USW_MOST_SEEN = 16,  /* of them loaded at once by lanes that have */
  USW_MANY_SEEN = 64,  /* so many, */
  USW_SOME_SEEN = 8,   /* by others, */
  USW_FEW_SEEN = 2     /* and by those that have no more */
};

/* Some of the next segments, or a part of the next one: as many lanes for each, a power of two. */
typedef struct {
  uint32_t segments, lanes;
  uint32_t items; /* of all; they end in the block, but where there is one segment that is cut */
  int is_cut;
  int is_picked;  /* 1: the segments do not follow each other; their numbers are in team memory */
  int leaves_any; /* 1: others of the next segments are left, which want more lanes */
} usw_bundle_t;
#define USW_IS_TAKEN UINT32_MAX /* in place of the lanes that a segment wants */

/* Of the next segments those that end in the block, up to one whose offset is wrong: how many, and the items of all. Where the lane's own one
 * starts, and where the first one ends, wherever that is. */
typedef struct {
  uint32_t segments, items, start, first_end;
} usw_next_segments_t;

/* How many lanes a segment that is seen wants, a power of two: with more there is more to fold, with fewer they load from more lines of the cache
 * at once. */
USW_INLINE uint32_t usw_lanes_to_see(uint32_t items) {
  const uint32_t times = items / USW_FOLD_ITEMS;
  const uint32_t lanes = times == 0 ? 1 : 2u << (31 - (uint32_t)__builtin_clz(times)) / 2;
  return lanes < USW_SUB_GROUP ? lanes : USW_SUB_GROUP;
}
#endif

/* Where the lane's own of the next segments starts. */
USW_INLINE uint32_t USW_F(_start_of_lane)(const USW_F(_walk) walk, const usw_position_t at) {
  const uint32_t end_before = usw_port_shuffle_up(at.known.end, 1, USW_SUB_GROUP);
  return walk.lane == 0 ? at.item : end_before;
}

USW_INLINE usw_next_segments_t USW_F(_next_segments)(const USW_F(_walk) walk, const usw_position_t at) {
  const uint32_t start = USW_F(_start_of_lane)(walk, at), first_end = usw_port_shuffle(at.known.end, 0, USW_SUB_GROUP);
  const int is_in = at.known.end >= start && at.known.end <= at.behind;
  const uint32_t segments = usw_port_sub_group_least(0, is_in ? USW_SUB_GROUP : walk.lane);
  const uint32_t items = segments > 0 ? usw_port_shuffle(at.known.end, segments - 1, USW_SUB_GROUP) - at.item : 0;
  const usw_next_segments_t next = {segments, items, start, first_end};
  return next;
}

/* The next segment, by all lanes, or what the block has of it. */
USW_INLINE usw_bundle_t USW_F(_bundle_of_one)(const usw_position_t at, uint32_t end) {
  const usw_bundle_t bundle = {1, USW_SUB_GROUP, (end < at.behind ? end : at.behind) - at.item, end > at.behind, 0, 0};
  return bundle;
}

/* The next segments that end in the block, if they are of like lengths; else a part of a long one; else none. Where offsets are wrong there is
 * none. */
USW_INLINE usw_bundle_t USW_F(_find_bundle)(const USW_F(_walk) walk, const usw_position_t at) {
  const usw_next_segments_t next = USW_F(_next_segments)(walk, at);
  const uint32_t longest = usw_port_sub_group_max(walk.lane < next.segments ? at.known.end - next.start : 0);
  const uint32_t mean = next.segments > 0 ? next.items / next.segments : 0;
  usw_bundle_t bundle = {0, USW_SUB_GROUP, 0, 0, 0, 0};
  const uint32_t least = (USW_F(_apart) ? USW_LEAST_BLOCKS_APART : USW_LEAST_BLOCKS) * USW_F(_block);
  const uint32_t like = USW_F(_is_light) && mean < USW_FEW_LIGHT_ITEMS ? USW_LIKE_SHORT_LENGTHS : USW_LIKE_LENGTHS;
  if (mean >= least && (uint64_t)2 * longest <= (uint64_t)like * mean) {
    bundle.segments = next.segments;
    bundle.items = next.items;
#pragma nounroll
    while (bundle.lanes > 1 && bundle.lanes / 2 * USW_F(_block) * USW_F(_in_flight) >= mean)
      bundle.lanes /= 2;
  } else if (next.first_end >= at.item) {
    const usw_bundle_t of_one = USW_F(_bundle_of_one)(at, next.first_end);
    if (of_one.items >= USW_F(_window_items))
      bundle = of_one;
  }
  return bundle;
}

/* Of each sub-group: which of the next segments are picked. */
USW_TEAM_MEMORY uint8_t USW_F(_picked)[USW_SUB_GROUPS][USW_F(_sees_segments) ? USW_SUB_GROUP : 1];

/* Of the next segments, whose lengths are not alike, those that want the fewest lanes, but more than those that have been seen; with them those that
 * want more, where lanes would be without work. (Descriptions of 2^27 doubles in segments of a power law of mean 16 on an H200: 3020 us by bundles
 * that end at each long segment, so 1800; in one loop more around _take_bundle() 1860, and equal lengths 8 to 13 % slower.) */
USW_INLINE usw_bundle_t USW_F(_pick_segments)(const USW_F(_walk) walk, const usw_position_t at,
                                              const usw_next_segments_t next) {
  const uint32_t items = at.known.end - next.start, own = usw_lanes_to_see(items);
  const uint32_t wanted = walk.lane < next.segments && own > at.seen ? own : USW_IS_TAKEN;
  usw_bundle_t bundle = {0, usw_port_sub_group_least(0, wanted), 0, 0, 1, 0};
  bundle.segments = usw_port_count(wanted <= bundle.lanes, USW_SUB_GROUP);
#pragma nounroll
  while (2 * bundle.lanes * bundle.segments <= USW_SUB_GROUP) {
    bundle.lanes *= 2;
    bundle.segments = usw_port_count(wanted <= bundle.lanes, USW_SUB_GROUP);
  }
  const int is_picked = wanted <= bundle.lanes;
  const uint32_t place = usw_port_count_before(is_picked);
  bundle.items = (uint32_t)usw_port_sub_group_sum(is_picked ? items : 0);
  bundle.leaves_any = usw_port_sub_group_any(!is_picked && wanted != USW_IS_TAKEN);
  usw_port_sub_group_sync(); /* all have taken the numbers of those before */
  if (is_picked)
    USW_F(_picked)[walk.sub_group][place] = (uint8_t)walk.lane;
  usw_port_sub_group_sync();
  return bundle;
}

/* The same of kernels that see segments, which take all of them so: the next ones that end in the block, if they are of like lengths, else some of
 * these; or what the block has of the next one. */
USW_INLINE usw_bundle_t USW_F(_find_bundle_to_see)(const USW_F(_walk) walk, const usw_position_t at) {
  const usw_next_segments_t next = USW_F(_next_segments)(walk, at);
  const uint32_t mean = next.segments > 0 ? next.items / next.segments : 0, most = USW_LIKE_SEEN * (mean + 1);
  usw_bundle_t bundle = {next.segments, 1, next.items, 0, 0, 0};
  if (next.segments == 0)
    return next.first_end >= at.item && at.item < at.behind ? USW_F(_bundle_of_one)(at, next.first_end) : bundle;
  if (usw_port_sub_group_any(walk.lane < next.segments && at.known.end - next.start > most))
    return USW_F(_pick_segments)(walk, at, next);
  bundle.lanes = usw_lanes_to_see(mean);
#pragma nounroll
  while (bundle.lanes * bundle.segments < USW_SUB_GROUP)
    bundle.lanes *= 2;
  return bundle;
}

/* ---- runs that are seen ---- */

#if USW_BY_COLUMNS
enum {
  USW_F(_seen_at_once) = USW_CLAMP(2, USW_BYTES_IN_FLIGHT / (USW_F(_item_bytes) + !USW_F(_item_bytes)), USW_MOST_SEEN)
};

/* As _hold_lines(). (Description of 2^27 doubles on an H200: 336 us, 916 without.) */
USW_INLINE void USW_F(_hold_seen)(USW_F(_items) * items, uint32_t count,
                                  const USW_F(_arguments) * arguments){USW_HOLD(items, count, 1)}

/* See a lane's items of a run without gaps, every lanes-th one, as those of a column. In place of those that are not there the first one of a round
 * is loaded again. 0: the kernel takes none. */
USW_INLINE int USW_F(_see_run)(USW_F(_acc) * a, const USW_F(_arguments) * run, uint32_t count, uint32_t lane,
                               uint32_t lanes, uint32_t at_once) {
  const USW_F(_arguments) *const arguments USW_UNUSED = run;
  USW_F(_column) column;
  uint32_t seen = 0;
  int takes = 1;
  if (lane >= count)
    return 1;
#pragma nounroll
  for (uint32_t first = lane; first < count; first += at_once * lanes) {
    USW_F(_items) loaded[USW_F(_seen_at_once)];
    USW_UNROLL for (uint32_t u = 0; u < at_once; u++) {
      const uint32_t item = first + u * lanes;
      USW_F(_load_next)(&loaded[u], item < count ? item : first, run);
    }
    USW_F(_hold_seen)(loaded, at_once, run);
    USW_UNROLL for (uint32_t u = 0; u < at_once; u++) {
      const USW_F(_items) *const items = &loaded[u];
      const uint32_t k = 0;
      if (u == 0 && first == lane)
        takes = USW_F(_begin_column)(&column USW_ARGS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER));
      else if (first + u * lanes < count)
        USW_F(_see_item)(&column, seen USW_ARGS(USW_VISIT_LOADED_COLUMN, USW_VISIT_OTHER, USW_VISIT_OTHER));
      seen += first + u * lanes < count;
    }
  }
  return takes && USW_F(_end_column)(a, &column, lane + run->usw_first, lanes,
                                     seen USW_ARGS(USW_NO_ELEMENT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
}

/* A lane's items of a run, into a fresh accumulator. of_lane: how many those are on the average in the bundle. */
USW_INLINE void USW_F(_take_seen_run)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, uint32_t count,
                                      uint32_t lane, uint32_t lanes, uint32_t of_lane) {
  enum { MOST = USW_F(_seen_at_once), SOME = MOST < USW_SOME_SEEN ? (int)MOST : (int)USW_SOME_SEEN };
  const USW_F(_turn) turn = {lane, lanes, USW_FEW_SEEN};
  int is_seen = USW_F(_are_contiguous)(run);
  if (is_seen && of_lane <= USW_FEW_SEEN)
    is_seen = USW_F(_see_run)(a, run, count, lane, lanes, USW_FEW_SEEN);
  else if (is_seen && (MOST == SOME || of_lane < USW_MANY_SEEN))
    is_seen = USW_F(_see_run)(a, run, count, lane, lanes, SOME);
  else if (is_seen)
    is_seen = USW_F(_see_run)(a, run, count, lane, lanes, MOST);
  if (is_seen)
    return;
  USW_F(_identity)(a);
  USW_F(_take_lines)(a, s, run, count, turn, 0);
}
#else
USW_INLINE void USW_F(_take_seen_run)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_arguments) * run, uint32_t count,
                                      uint32_t lane, uint32_t lanes, uint32_t of_lane) {
  (void)a, (void)s, (void)run, (void)count, (void)lane, (void)lanes, (void)of_lane;
}
#endif

/* ---- bundles ---- */

/* Take a bundle, several segments at once. */
USW_INLINE void USW_F(_take_bundle)(const USW_F(_walk) walk, const usw_position_t at, const usw_bundle_t bundle,
                                    USW_F(_stretch) * stretch) {
  const uint32_t lane = walk.lane & (bundle.lanes - 1), at_once = USW_SUB_GROUP / bundle.lanes;
  const uint32_t start_of_lane = USW_F(_start_of_lane)(walk, at);
  const size_t origin = USW_F(_item_at)(walk, 0), begin_of_first = USW_F(_begin_at)(walk, at);
  const uint32_t of_lane = bundle.items / (bundle.segments * bundle.lanes);
#pragma nounroll
  for (uint32_t first = 0; first < bundle.segments; first += at_once) {
    const uint32_t place = first + walk.lane / bundle.lanes;
    const uint32_t known = place < bundle.segments ? place : bundle.segments - 1;
    const uint32_t k = bundle.is_picked ? USW_F(_picked)[walk.sub_group][known] : known;
    const size_t start = origin + usw_port_shuffle(start_of_lane, k, USW_SUB_GROUP);
    const size_t end = origin + usw_port_shuffle(at.known.end, k, USW_SUB_GROUP);
    const size_t count = place >= bundle.segments ? 0 : bundle.is_cut ? bundle.items : end - start;
    const size_t begin = k == 0 ? begin_of_first : start;
    const USW_F(_arguments) run = USW_F(_items_from)(walk.arguments, start, begin);
    USW_F(_spans) s = *walk.s;
    USW_F(_acc) a;
    USW_F(_identity)(&a);
    USW_ENTER_SEGMENT(&s, USW_F(_segment_at)(walk, at, k));
    if (USW_F(_sees_segments))
      USW_F(_take_seen_run)(&a, &s, &run, (uint32_t)count, lane, bundle.lanes, of_lane);
    else if (count > 0)
      USW_F(_take_run)(&a, &s, &run, count, (0 - start) % USW_F(_block), lane, bundle.lanes, 0);
    USW_F(_fold_lanes)(&a, bundle.lanes);
    if (first == 0 && k == 0 && walk.lane == 0) { /* items of the first one may have come before */
      USW_F(_acc) open;
      USW_F(_get_open)(&open, walk.sub_group, USW_OPEN);
      USW_F(_merge)(&open, &a);
      a = open;
      if (!bundle.is_cut)
        USW_F(_identity)(&open);
      USW_F(_put_open)(walk.sub_group, USW_OPEN, &open);
    }
    if (lane != 0 || place >= bundle.segments || bundle.is_cut)
      continue;
    if (k == 0 && !at.has_end)
      stretch->head = a;
    else
      USW_F(_write_results)(&a, USW_F(_segment_at)(walk, at, k), walk.arguments, begin == end);
  }
}

/* Where a sub-group is behind a bundle: where it was, as long as others of the next segments are left. */
USW_INLINE usw_position_t USW_F(_position_behind_bundle)(const USW_F(_walk) walk, usw_position_t at,
                                                         const usw_bundle_t bundle) {
  uint32_t ends = bundle.is_cut ? 0 : bundle.segments, items = bundle.items;
  at.seen = bundle.leaves_any ? bundle.lanes : 0;
  if (bundle.leaves_any)
    return at;
  if (bundle.is_picked) {
    const usw_next_segments_t next = USW_F(_next_segments)(walk, at);
    ends = next.segments;
    items = next.items;
  }
  at.ended += ends;
  at.item += items;
  at.begin = ends > 0 ? at.item : at.begin;
  at.ends -= ends;
  at.has_end |= ends > 0;
  if (ends > 0)
    at.known = USW_F(_take_known)(walk, USW_F(_known_behind)(walk, at, at.known, ends, 0));
  return at;
}
