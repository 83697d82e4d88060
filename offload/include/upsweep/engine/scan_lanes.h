/* A tile of a scan by lanes, of the library's kernels: each lane has items that follow each other (scan_stage.h), so that lanes are scanned once,
 * which pays where merging takes many instructions (H100, 2^28, share of a copy's rate: largest double 0.81, by blocks 0.58; sum of doubles 0.79
 * and 0.90). Where n cuts a tile short, lanes go on over zeros, whose results nobody gets: code of its own for such tiles would take registers
 * from all others. */
#include <upsweep/engine/scan_stage.h>

/* ---- where the scan begins anew ---- */

#if USW_FINDS_RESTARTS && !defined(USW_FIND_RESTARTS)
/* By keys that follow each other, of a tile that is whole: all are loaded before the first is looked at. */
#define USW_FIND_RESTARTS(bytes, T)                                                                                    \
  USW_INLINE void USW_F(_find_restarts_##bytes)(const T *keys, const USW_F(_lane) at) {                                \
    T block[USW_F(_in_flight)][USW_F(_block)], before[USW_F(_in_flight)];                                              \
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {                                                      \
      const size_t first = at.part + (u * USW_SUB_GROUP + at.lane) * (size_t)USW_F(_block);                            \
      __builtin_memcpy(block[u], __builtin_assume_aligned(keys + first, USW_BLOCK_BOUNDARY(T)), sizeof block[u]);      \
      before[u] = keys[first - (first > 0)];                                                                           \
    }                                                                                                                  \
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {                                                      \
      uint32_t is_new = at.part + (u * USW_SUB_GROUP + at.lane) == 0;                                                  \
      USW_UNROLL for (uint32_t k = 0; k < USW_F(_block); k++) is_new |=                                                \
          (uint32_t)(block[u][k] != (k > 0 ? block[u][k > 0 ? k - 1 : 0] : before[u])) << k;                           \
      USW_NUMBER(at.sub_group, u *USW_SUB_GROUP + at.lane) = (uint16_t)is_new;                                         \
    }                                                                                                                  \
  }
#endif

#if USW_FINDS_RESTARTS
USW_FIND_RESTARTS(1, uint8_t)
USW_FIND_RESTARTS(2, uint16_t)
USW_FIND_RESTARTS(4, uint32_t)
USW_FIND_RESTARTS(8, uint64_t)
USW_INLINE void USW_F(_find_restarts)(const USW_F(_scan) scan, const USW_F(_lane) at, int is_whole) {
  const void *const keys = (const void *)(uintptr_t)scan.arguments->usw_marks;
  if (!is_whole || scan.arguments->usw_key_stride != 1 || scan.arguments->usw_marks % 16 != 0) {
#pragma nounroll
    for (uint32_t b = at.lane; b < USW_SUB_GROUP * USW_F(_in_flight); b += USW_SUB_GROUP) {
      const size_t first = at.part + b * (size_t)USW_F(_block);
      USW_NUMBER(at.sub_group, b) =
          (uint16_t)((first < scan.n ? USW_F(_restarts_of)(first, USW_F(_block), scan.arguments) : UINT32_MAX) &
                     ((1u << USW_F(_block)) - 1));
    }
    return;
  }
  switch (scan.arguments->usw_key_bytes) {
  case 1:
    USW_F(_find_restarts_1)((const uint8_t *)keys, at);
    break;
  case 2:
    USW_F(_find_restarts_2)((const uint16_t *)keys, at);
    break;
  case 4:
    USW_F(_find_restarts_4)((const uint32_t *)keys, at);
    break;
  default:
    USW_F(_find_restarts_8)((const uint64_t *)keys, at);
    break;
  }
}
#endif

/* Bit k: at item k of this lane's. Items that are not there begin anew, too, if keys tell. */
USW_INLINE uint32_t USW_F(_restarts_of_lane)(const USW_F(_scan) scan, const USW_F(_lane) at, int is_whole) {
  uint32_t restarts = 0;
  (void)scan, (void)at, (void)is_whole;
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_key_bytes == 0)
    return is_whole || at.first < scan.n ? USW_F(_restarts_of)(at.first, USW_F(_block), scan.arguments) : 0;
  USW_F(_find_restarts)(scan, at, is_whole);
  usw_port_sub_group_sync();
  restarts = USW_F(_bits_of_lane)(at);
#endif
  return restarts;
}

#if USW_FINDS_RESTARTS
/* Let the marks of a tile be zero, for the next launch. */
USW_INLINE void USW_F(_clear_marks)(const USW_F(_scan) scan) {
  uint32_t *const marks = (uint32_t *)(uintptr_t)scan.arguments->usw_marks;
  const size_t words = USW_F(_tile_of_scan) / 32, first = scan.tile * words, all = (scan.n + 31) / 32;
  usw_port_barrier(); /* all have read them */
  for (size_t w = first + usw_port_thread(); w < first + words && w < all; w += USW_TEAM_SIZE)
    marks[w] = 0;
}
#endif

/* ---- results by item ---- */

/* Which of the sub-group's items have results: those of no segment have none. */
USW_INLINE usw_range_t USW_F(_results_of_part)(const USW_F(_scan) scan, const USW_F(_lane) at) {
  usw_range_t range = USW_F(_items_with_results)(scan.arguments);
  range.end = range.end < scan.n ? range.end : scan.n;
  range.first = range.first > at.part ? range.first - at.part : 0;
  range.end = range.end > at.part ? range.end - at.part : 0;
  return range;
}

/* What lanes have staged, so that neighbours write side by side. */
USW_INLINE void USW_F(_write_blocks)(const USW_F(_scan) scan, const USW_F(_lane) at) {
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const uint32_t b = u * USW_SUB_GROUP + at.lane;
    const USW_F(_moved_results) block = USW_AT_PLACE(USW_F(_moved_results), at.sub_group, USW_PLACE_OF_BLOCK(b));
    USW_RESULT *const to = scan.arguments->result + at.part + b * (size_t)USW_F(_block);
    __builtin_memcpy(__builtin_assume_aligned((void *)to, USW_BLOCK_BOUNDARY(USW_RESULT)), &block, sizeof block);
  }
}
USW_INLINE void USW_F(_write_elements)(const USW_F(_scan) scan, const USW_F(_lane) at, usw_range_t with_results) {
#pragma nounroll
  for (uint32_t k = at.lane; k < USW_F(_part_of_scan); k += USW_SUB_GROUP)
    if (k >= with_results.first && k < with_results.end)
      USW_F(_give_result)(at, k, scan.arguments->result + (ptrdiff_t)(at.part + k) * scan.arguments->usw_stride_result);
}

#if USW_FINDS_RESTARTS
/* ---- results by run ---- */

/* The key of item i is that of a run. */
USW_INLINE void USW_F(_write_key)(size_t i, size_t run, const USW_F(_arguments) * arguments) {
  const void *const keys = (const void *)(uintptr_t)arguments->usw_marks;
  void *const unique = (void *)(uintptr_t)arguments->usw_unique;
  const ptrdiff_t at = (ptrdiff_t)i * arguments->usw_key_stride;
  switch (arguments->usw_key_bytes) {
  case 1:
    ((uint8_t *)unique)[run] = ((const uint8_t *)keys)[at];
    break;
  case 2:
    ((uint16_t *)unique)[run] = ((const uint16_t *)keys)[at];
    break;
  case 4:
    ((uint32_t *)unique)[run] = ((const uint32_t *)keys)[at];
    break;
  default:
    ((uint64_t *)unique)[run] = ((const uint64_t *)keys)[at];
    break;
  }
}
/* What each lane has of runs; before: number among the sub-group's of the run before the lane's items, 0 that which is under way before all. */
typedef struct {
  uint32_t restarts, ends; /* bit k: a run begins, or ends, with item k of the lane's */
  uint32_t before;
} USW_F(_runs);

/* Numbers of items that end runs, by the number of the run. */
USW_INLINE void USW_F(_number_runs)(const USW_F(_scan) scan, const USW_F(_lane) at, const USW_F(_runs) runs) {
  uint32_t run = runs.before;
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items); k++) {
    run += runs.restarts >> k & 1;
    if ((runs.ends >> k & 1) && at.first + k < scan.n)
      USW_NUMBER(at.sub_group, USW_SPREAD(run)) = (uint16_t)(at.lane * USW_F(_lane_items) + k);
  }
  usw_port_sub_group_sync();
}

/* Results and keys of runs; before: runs before the sub-group's items, through: those that begin in it. */
USW_INLINE void USW_F(_write_runs)(const USW_F(_scan) scan, const USW_F(_lane) at, uint32_t before, uint32_t through,
                                   const USW_F(_runs) runs) {
  const USW_F(_arguments) *const arguments = scan.arguments;
  const uint32_t ends_with_item =
      usw_port_shuffle(runs.ends >> (USW_F(_lane_items) - 1), USW_SUB_GROUP - 1, USW_SUB_GROUP) & 1;
  const uint32_t begin = usw_port_shuffle(runs.restarts, 0, USW_SUB_GROUP) & 1;
  const int is_cut = scan.n - at.part < USW_SUB_GROUP * USW_F(_lane_items);
  const uint32_t end = through + (is_cut ? 1 : ends_with_item);
  USW_F(_number_runs)(scan, at, runs);
  for (uint32_t r = begin + at.lane; r < end; r += USW_SUB_GROUP) {
    const uint32_t k = USW_NUMBER(at.sub_group, USW_SPREAD(r));
    const size_t run = (size_t)before - 1 + r;
    USW_F(_give_result)(at, k, arguments->result + (ptrdiff_t)run * arguments->usw_stride_result);
    USW_F(_write_key)(at.part + k, run, arguments);
  }
}

/* Bit k: the run of item k of this lane's ends with it. */
USW_INLINE uint32_t USW_F(_ends_of_lane)(const USW_F(_scan) scan, const USW_F(_lane) at, uint32_t restarts) {
  const size_t behind = at.part + (size_t)USW_SUB_GROUP * USW_F(_lane_items);
  uint32_t next = usw_port_shuffle_down(restarts, 1, USW_SUB_GROUP);
  if (at.lane == USW_SUB_GROUP - 1)
    next = behind < scan.n ? USW_F(_restarts_of)(behind, 1, scan.arguments) : 1;
  return restarts >> 1 | (next & 1) << (USW_F(_lane_items) - 1);
}
#endif

/* ---- a tile ---- */

/* Item i, the k-th of a block, behind *a. */
USW_INLINE void USW_F(_scan_item_of_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s, size_t i,
                                          const USW_F(_items) * items, size_t k, uint32_t restarts,
                                          const USW_F(_acc) * anew) {
  if (restarts & 1)
    USW_F(_restart_at)(a, i, anew);
  if (!s->usw_is_mute)
    s->usw_before = *a;
  USW_F(_visit_loaded)(a, s, i, items, k, scan.arguments, 0);
}

/* This lane's items into *a, mute. */
USW_INLINE void USW_F(_accumulate_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s,
                                        const USW_F(_lane) at, uint32_t restarts, const USW_F(_acc) * anew) {
  USW_F(_identity)(a);
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_items) items;
    USW_F(_take_block)(at, &items, u);
    USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) {
      const size_t j = u * USW_F(_block) + k;
      USW_F(_scan_item_of_lane)(scan, a, s, at.first + j, &items, k, restarts >> j, anew);
    }
  }
}

/* The same behind *a; what each comes to takes its place. */
USW_INLINE void USW_F(_stage_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_lane) at,
                                   uint32_t restarts, const USW_F(_acc) * anew) {
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_items) items;
    USW_RESULT results[USW_F(_block)];
    USW_F(_moved_results) block;
    __builtin_memset((void *)results, 0, sizeof results); /* padding, too */
    USW_F(_take_block)(at, &items, u);
    USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) {
      const size_t j = u * USW_F(_block) + k;
      USW_F(_scan_item_of_lane)(scan, a, s, at.first + j, &items, k, restarts >> j, anew);
      const USW_F(_acc) from = scan.arguments->usw_is_exclusive ? s->usw_before : *a;
      USW_F(_finish)(&from, &results[k]);
    }
    __builtin_memcpy(&block, (const void *)results, sizeof block);
    USW_AT_PLACE(USW_F(_moved_results), at.sub_group, USW_PLACE_OF_LANE(at.lane, u)) = block;
  }
}

/* What all items come to, of the lane that has the last one; before: what is before the lane's. */
USW_INLINE void USW_F(_tell_all)(const USW_F(_scan) scan, USW_F(_acc) before, USW_F(_spans) * s, const USW_F(_lane) at,
                                 uint32_t restarts, const USW_F(_acc) * anew) {
  if (at.first >= scan.n || scan.n - at.first > USW_F(_lane_items))
    return;
#pragma nounroll
  for (uint32_t k = 0; at.first + k < scan.n; k++) {
    USW_F(_items) items;
    USW_F(_take_item)(at, &items, k);
    USW_F(_scan_item_of_lane)(scan, &before, s, at.first + k, &items, 0, restarts >> k, anew);
  }
  scan.bank[0] = before;
}

/* Results to memory: by item, or by run; own: what is before the lane's items in the sub-group, through: what all of its items come to. */
USW_INLINE void USW_F(_write_results)(const USW_F(_scan) scan, const USW_F(_lane) at, const USW_F(_acc) * before,
                                      const USW_F(_acc) * own, const USW_F(_acc) * through, uint32_t restarts,
                                      int is_whole) {
  (void)before, (void)own, (void)through, (void)restarts;
  usw_port_sub_group_sync();
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_by_run) {
    const USW_F(_runs) runs = {restarts, USW_F(_ends_of_lane)(scan, at, restarts), own->usw_restarts};
    if (at.part < scan.n)
      USW_F(_write_runs)(scan, at, before->usw_restarts, through->usw_restarts, runs);
    return;
  }
#endif
  const usw_range_t with_results = USW_F(_results_of_part)(scan, at);
  if (is_whole && with_results.first == 0 && with_results.end >= USW_F(_part_of_scan))
    USW_F(_write_blocks)(scan, at);
  else
    USW_F(_write_elements)(scan, at, with_results);
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_key_bytes == 0)
    USW_F(_clear_marks)(scan);
#endif
}

/* Of bits of this lane's items those of items that are there. */
USW_INLINE uint32_t USW_F(_only_those_there)(const USW_F(_scan) scan, const USW_F(_lane) at, uint32_t bits) {
  const size_t there = at.first < scan.n ? scan.n - at.first : 0;
  return there >= USW_F(_lane_items) ? bits : bits & ((1u << there) - 1);
}

/* A tile; whole: it lies within n, of streams that are contiguous and aligned. */
USW_INLINE void USW_F(_scan_tile)(const USW_F(_scan) scan, int is_whole) {
  const USW_F(_lane) at = USW_F(_lane_of)(scan.tile);
  USW_F(_acc) own, through, all, a;
  USW_F(_spans) s = USW_F(_spans_of_scan)(scan);
  const USW_F(_acc) anew = USW_F(_anew)(&s, scan.arguments);
#if !USW_RESTARTS /* which read marks or keys, too: sums by key of 2^27 doubles took 872 us so, in place of 843 */
  USW_F(_ask_ahead)(scan);
#endif
  USW_F(_fill_stage)(scan, at, is_whole);
  const uint32_t all_restarts = USW_F(_restarts_of_lane)(scan, at, is_whole);
  const uint32_t restarts = USW_F(_only_those_there)(scan, at, all_restarts);
  USW_F(_await_stage)();
  USW_F(_accumulate_lane)(scan, &own, &s, at, restarts, &anew);
  USW_F(_scan_lanes)(&own, at.lane, USW_SUB_GROUP);
  USW_F(_shuffle)(&through, &own, USW_SUB_GROUP - 1, USW_SUB_GROUP);
  USW_F(_shuffle_up)(&own, &own, 1, USW_SUB_GROUP);
  if (at.lane == 0)
    USW_F(_identity)(&own);
  all = USW_F(_tell_of_team)(scan, &through, at.sub_group, at.lane);
  all = USW_F(_before_sub_group)(scan, all, at.sub_group, at.lane);
  a = all;
  USW_F(_merge)(&a, &own);
  USW_F(_tell_all)(scan, a, &s, at, restarts, &anew);
  s.usw_is_mute = 0;
  USW_F(_stage_lane)(scan, &a, &s, at, restarts, &anew);
  USW_F(_write_results)(scan, at, &all, &own, &through, all_restarts, is_whole);
}
