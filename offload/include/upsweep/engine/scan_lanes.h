/* A tile of a scan by lanes, of the library's kernels: each lane has items that follow each other, so that lanes are scanned once, which pays
 * where merging takes many instructions (H100, 2^28, share of a copy's rate: largest double 0.76, by blocks 0.58; sum of doubles 0.79 and 0.90).
 * Blocks are loaded and written as neighbours, and handed from lane to lane through team memory, of which each sub-group has a stage of its own. */

#ifndef UPSWEEP_ENGINE_SCAN_LANES_ONCE
#define UPSWEEP_ENGINE_SCAN_LANES_ONCE
/* What moves at once: 1, 2, 4, 8 or 16 bytes, whatever they are. */
typedef uint8_t usw_move_1_t __attribute__((may_alias));
typedef uint16_t usw_move_2_t __attribute__((may_alias));
typedef uint32_t usw_move_4_t __attribute__((may_alias));
typedef uint64_t usw_move_8_t __attribute__((may_alias));
typedef uint32_t usw_move_16_t __attribute__((vector_size(16), may_alias));
#define USW_MOVE_OF(bytes)                                                                                             \
  __typeof__(*__builtin_choose_expr(                                                                                   \
      (bytes) == 16, (usw_move_16_t *)0,                                                                               \
      __builtin_choose_expr(                                                                                           \
          (bytes) == 8, (usw_move_8_t *)0,                                                                             \
          __builtin_choose_expr((bytes) == 4, (usw_move_4_t *)0,                                                       \
                                __builtin_choose_expr((bytes) == 2, (usw_move_2_t *)0, (usw_move_1_t *)0)))))
#define USW_BLOCK_INTO(T, n) __builtin_memcpy(&block, items->n, sizeof block);
#define USW_BLOCK_FROM(T, n) __builtin_memcpy(items->n, &block, sizeof block);
#define USW_WRITE_BLOCK(T, n)                                                                                          \
  if (is_whole)                                                                                                        \
    __builtin_memcpy(__builtin_assume_aligned(arguments->n + first, USW_BLOCK_BOUNDARY(T)), results,                   \
                     USW_F(_block) * sizeof(T));                                                                       \
  else                                                                                                                 \
    USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) if (USW_F(_has_result)(scan, first + k))                     \
        arguments->n[(ptrdiff_t)(first + k) * arguments->usw_stride_##n] = results[k];
#define USW_WRITE_RUN(T, n) arguments->n[(ptrdiff_t)run * arguments->usw_stride_##n] = result;
#endif

USW_ASSERT((int)USW_F(_inputs) == 1 && (int)USW_F(_outputs) == 1, "a scan of the library's has an input and an output");
enum {
  USW_F(_lane_items) = USW_F(_block) * USW_F(_in_flight),
  USW_F(_item_block) = USW_F(_block) * USW_F(_item_bytes),
  USW_F(_result_block) = USW_F(_block) * sizeof(USW_RESULT),
  /* One block behind those of each lane keeps lanes out of each other's banks. */
  USW_F(_stage_blocks) = USW_SUB_GROUP * (USW_F(_in_flight) + 1),
  USW_F(_stage_of_blocks) =
      USW_F(_stage_blocks) *
      (USW_F(_item_block) > (int)USW_F(_result_block) ? (int)USW_F(_item_block) : (int)USW_F(_result_block)),
  USW_F(_stage_of_numbers) = USW_FINDS_RESTARTS * 2 * (USW_SUB_GROUP * USW_F(_lane_items) + 8),
  USW_F(_stage_bytes) =
      (USW_F(_stage_of_blocks) > USW_F(_stage_of_numbers) ? USW_F(_stage_of_blocks) : USW_F(_stage_of_numbers)) / 16 *
          16 +
      16
};
typedef USW_MOVE_OF(USW_F(_item_block)) USW_F(_moved_items);
typedef USW_MOVE_OF(USW_F(_result_block)) USW_F(_moved_results);
typedef USW_MOVE_OF(sizeof(USW_RESULT)) USW_F(_moved_result);

USW_TEAM_MEMORY unsigned char USW_F(_stage)[USW_SUB_GROUPS][USW_F(_stage_bytes)] __attribute__((aligned(16)));
/* The k-th T of a sub-group's stage; and where block number b of the sub-group's items is there. */
#define USW_STAGED(T, sub_group, k) (((USW_TEAM_SPACE T *)USW_F(_stage)[sub_group])[k])
#define USW_PLACE_OF_BLOCK(b) ((b) + (b) / USW_F(_in_flight))

/* What this lane has of a tile. */
typedef struct {
  uint32_t lane, sub_group;
  size_t part, first; /* the first item of the sub-group, and of this lane */
} USW_F(_lane);

/* ---- items and results, from lane to lane ---- */

/* Blocks as they are loaded, for those that follow each other. */
USW_INLINE void USW_F(_hand_over_items)(const USW_F(_lane) at, USW_F(_items) * blocks) {
  USW_F(_moved_items) block;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const USW_F(_items) *const items = &blocks[u];
    const uint32_t b = u * USW_SUB_GROUP + at.lane;
    USW_ARGS(USW_BLOCK_INTO, USW_NOTHING, USW_NOTHING)
    USW_STAGED(USW_F(_moved_items), at.sub_group, USW_PLACE_OF_BLOCK(b)) = block;
  }
  usw_port_sub_group_sync();
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_items) *const items = &blocks[u];
    block = USW_STAGED(USW_F(_moved_items), at.sub_group, at.lane * (USW_F(_in_flight) + 1) + u);
    USW_ARGS(USW_BLOCK_FROM, USW_NOTHING, USW_NOTHING)
  }
  usw_port_sub_group_sync();
}

/* Whether item i has a result: those of no segment have none. */
USW_INLINE int USW_F(_has_result)(const USW_F(_scan) scan, size_t i) {
#if USW_FINDS_RESTARTS
  if (i < scan.arguments->usw_skipped)
    return 0;
#endif
  return i < scan.n;
}

/* Blocks of results, which each lane has staged, to where neighbours write side by side. */
USW_INLINE void USW_F(_write_blocks)(const USW_F(_scan) scan, const USW_F(_lane) at, int is_whole) {
  const USW_F(_arguments) *const arguments = scan.arguments;
  usw_port_sub_group_sync();
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const uint32_t b = u * USW_SUB_GROUP + at.lane;
    const size_t first = at.part + b * (size_t)USW_F(_block);
    const USW_F(_moved_results) block = USW_STAGED(USW_F(_moved_results), at.sub_group, USW_PLACE_OF_BLOCK(b));
    USW_RESULT results[USW_F(_block)];
    __builtin_memcpy((void *)results, &block, sizeof block);
    USW_OUTPUTS(USW_WRITE_BLOCK)
  }
}

/* ---- where the scan begins anew ---- */

/* Bit k: at item k of this lane's. Items that are not there begin anew, too. */
USW_INLINE uint32_t USW_F(_restarts_of_lane)(const USW_F(_scan) scan, const USW_F(_lane) at, int is_whole) {
  uint32_t restarts = 0;
  (void)scan, (void)at, (void)is_whole;
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_key_bytes == 0)
    return is_whole || at.first < scan.n ? USW_F(_restarts_of)(at.first, USW_F(_block), scan.arguments, 0) : 0;
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const uint32_t b = u * USW_SUB_GROUP + at.lane;
    const size_t first = at.part + b * (size_t)USW_F(_block);
    const uint32_t of_block =
        is_whole || first < scan.n ? USW_F(_restarts_of)(first, USW_F(_block), scan.arguments, is_whole) : UINT32_MAX;
    USW_STAGED(usw_move_2_t, at.sub_group, b) = (uint16_t)of_block;
  }
  usw_port_sub_group_sync();
  USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
    const uint32_t of_block = USW_STAGED(usw_move_2_t, at.sub_group, at.lane * USW_F(_in_flight) + u);
    restarts |= (of_block & ((1u << USW_F(_block)) - 1)) << u * USW_F(_block);
  }
  usw_port_sub_group_sync();
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
/* Number among the sub-group's results of the run that item k of this lane's is in: 0 is the run that is under way before them. */
USW_INLINE uint32_t USW_F(_run_of_item)(const USW_F(_acc) * before_lane, uint32_t restarts, size_t k) {
  return before_lane->usw_restarts + (uint32_t)__builtin_popcount(restarts & ((2u << k) - 1));
}

/* Results that are staged by run, for which each lane has put numbers of items into the stage next; before: all of the sub-group's,
 * through: what these come to. */
USW_INLINE void USW_F(_write_runs)(const USW_F(_scan) scan, const USW_F(_lane) at, const USW_F(_acc) * before,
                                   const USW_F(_acc) * before_lane, const USW_F(_acc) * through, uint32_t restarts,
                                   uint32_t ends) {
  const USW_F(_arguments) *const arguments = scan.arguments;
  const uint32_t ends_with_item =
      usw_port_shuffle(ends >> (USW_F(_lane_items) - 1), USW_SUB_GROUP - 1, USW_SUB_GROUP) & 1;
  const uint32_t begin = usw_port_shuffle(restarts, 0, USW_SUB_GROUP) & 1;
  const int is_cut = scan.n - at.part < USW_SUB_GROUP * USW_F(_lane_items);
  const uint32_t end = through->usw_restarts + (is_cut ? 1 : ends_with_item);
  const size_t first_run = (size_t)before->usw_restarts - 1;
  usw_port_sub_group_sync();
  for (uint32_t r = begin + at.lane; r < end; r += USW_SUB_GROUP) {
    const USW_F(_moved_result) moved = USW_STAGED(USW_F(_moved_result), at.sub_group, r);
    const size_t run = first_run + r;
    USW_RESULT result;
    __builtin_memcpy((void *)&result, &moved, sizeof result);
    USW_OUTPUTS(USW_WRITE_RUN)
  }
  usw_port_sub_group_sync();
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items); k++) if ((ends >> k & 1) && at.first + k < scan.n)
      USW_STAGED(usw_move_2_t, at.sub_group, USW_F(_run_of_item)(before_lane, restarts, k)) =
          (uint16_t)(at.lane * USW_F(_lane_items) + k);
  usw_port_sub_group_sync();
  for (uint32_t r = begin + at.lane; r < end; r += USW_SUB_GROUP)
    USW_F(_write_key)(at.part + USW_STAGED(usw_move_2_t, at.sub_group, r), first_run + r, arguments);
}
#endif

/* Bit k: the run of item k of this lane's ends with it. */
USW_INLINE uint32_t USW_F(_ends_of_lane)(const USW_F(_scan) scan, const USW_F(_lane) at, uint32_t restarts) {
  uint32_t next = 0;
  (void)scan, (void)at, (void)restarts;
#if USW_FINDS_RESTARTS
  const size_t behind = at.part + (size_t)USW_SUB_GROUP * USW_F(_lane_items);
  next = usw_port_shuffle_down(restarts, 1, USW_SUB_GROUP);
  if (at.lane == USW_SUB_GROUP - 1)
    next = behind < scan.n ? USW_F(_restarts_of)(behind, 1, scan.arguments, 0) : 1;
  next = restarts >> 1 | (next & 1) << (USW_F(_lane_items) - 1);
#endif
  return next;
}

/* ---- a tile ---- */

/* This lane's items into *a, mute. */
USW_INLINE void USW_F(_accumulate_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s,
                                        const USW_F(_lane) at, const USW_F(_items) * items, uint32_t restarts,
                                        int is_whole) {
  USW_F(_identity)(a);
  USW_UNROLL for (size_t j = 0; j < USW_F(_lane_items); j++) {
    const size_t u = j / USW_F(_block), k = j % USW_F(_block);
    if (!is_whole && at.first + j >= scan.n)
      continue;
    if (restarts >> j & 1)
      USW_F(_restart_at)(a, s, at.first + j, scan.arguments);
    USW_F(_visit_loaded)(a, s, at.first + j, &items[u], k, scan.arguments, 0);
  }
}

/* The same behind *a; what each comes to is staged, by run or in its block. */
USW_INLINE void USW_F(_stage_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_lane) at,
                                   const USW_F(_items) * items, uint32_t restarts, uint32_t ends, uint32_t first_run,
                                   int is_whole) {
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    USW_RESULT results[USW_F(_block)];
    USW_F(_moved_results) block;
    __builtin_memset((void *)results, 0, sizeof results);
    USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) {
      const size_t j = u * USW_F(_block) + k;
      if (!is_whole && at.first + j >= scan.n)
        continue;
      if (restarts >> j & 1)
        USW_F(_restart_at)(a, s, at.first + j, scan.arguments);
      s->usw_before = *a;
      USW_F(_visit_loaded)(a, s, at.first + j, &items[u], k, scan.arguments, 0);
      const USW_F(_acc) from = scan.arguments->usw_is_exclusive ? s->usw_before : *a;
      USW_F(_finish)(&from, &results[k]);
#if USW_FINDS_RESTARTS
      if (scan.arguments->usw_by_run && (ends >> j & 1)) {
        USW_F(_moved_result) result;
        __builtin_memcpy(&result, (const void *)&results[k], sizeof result);
        USW_STAGED(USW_F(_moved_result), at.sub_group, a->usw_restarts - first_run) = result;
      }
#endif
    }
    (void)ends, (void)first_run;
#if USW_FINDS_RESTARTS
    if (scan.arguments->usw_by_run)
      continue;
#endif
    __builtin_memcpy(&block, (const void *)results, sizeof block);
    USW_STAGED(USW_F(_moved_results), at.sub_group, at.lane * (USW_F(_in_flight) + 1) + u) = block;
  }
}

/* A tile; whole: it lies within n, of streams that are contiguous and aligned. */
USW_INLINE void USW_F(_scan_tile)(const USW_F(_scan) scan, int is_whole) {
  const uint32_t thread = usw_port_thread(), lane = thread % USW_SUB_GROUP;
  const uint32_t sub_group = usw_port_shuffle(thread / USW_SUB_GROUP, 0, USW_SUB_GROUP);
  const size_t part = scan.tile * USW_F(_tile_of_scan) + sub_group * (size_t)USW_F(_part_of_scan);
  const USW_F(_lane) at = {lane, sub_group, part, part + lane * (size_t)USW_F(_lane_items)};
  USW_F(_items) items[USW_F(_in_flight)];
  USW_F(_acc) own, through, all, a;
  USW_F(_spans) s = USW_F(_spans_of_scan)(scan);
  USW_F(_load_tile)(scan, items, part + lane * USW_F(_block), is_whole);
  const uint32_t restarts = USW_F(_restarts_of_lane)(scan, at, is_whole);
  USW_F(_hand_over_items)(at, items);
  USW_F(_accumulate_lane)(scan, &own, &s, at, items, restarts, is_whole);
  USW_F(_scan_lanes)(&own, lane);
  USW_F(_shuffle)(&through, &own, USW_SUB_GROUP - 1, USW_SUB_GROUP);
  USW_F(_shuffle_up)(&own, &own, 1, USW_SUB_GROUP);
  if (lane == 0)
    USW_F(_identity)(&own);
  all = USW_F(_tell_of_team)(scan, &through, sub_group, lane);
  all = USW_F(_before_sub_group)(scan, all, sub_group, lane);
  a = all;
  USW_F(_merge)(&a, &own);
  s.usw_is_mute = 0;
  uint32_t ends = 0, first_run = 0;
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_by_run)
    ends = USW_F(_ends_of_lane)(scan, at, restarts);
  first_run = all.usw_restarts;
#endif
  USW_F(_stage_lane)(scan, &a, &s, at, items, restarts, ends, first_run, is_whole);
  if (at.first < scan.n && scan.n - at.first <= USW_F(_lane_items)) /* the last item's */
    scan.bank[0] = a;
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_by_run) {
    if (part < scan.n)
      USW_F(_write_runs)(scan, at, &all, &own, &through, restarts, ends);
    return;
  }
#endif
  USW_F(_write_blocks)(scan, at, is_whole && USW_F(_has_result)(scan, part));
#if USW_FINDS_RESTARTS
  if (scan.arguments->usw_key_bytes == 0)
    USW_F(_clear_marks)(scan);
#endif
}
