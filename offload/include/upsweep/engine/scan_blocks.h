/* A tile of a scan by blocks: each lane has blocks of items as they are loaded, so that neighbours write side by side, also where the body
 * writes. Blocks of lanes are scanned one group after the other, which takes few instructions where merging does. Between both visits the
 * library's kernels have their blocks on a stage (scan_stage.h), each lane its own: registers are for what they come to, and more teams have room.
 * (H200, 2^28, us, in turns: sum of doubles in registers 1307, 80 of them, on a stage 1249, with 48; of i64 1288, 1208; of floats 668, 636.) Those of
 * users, whose streams may be many, and blocks of 1 or 2 bytes, for which ports have no copy, wait in registers. */
#if USW_SCANS_ON_STAGE
#include <upsweep/engine/scan_stage.h>
#endif

#ifndef UPSWEEP_ENGINE_SCAN_BLOCKS_ONCE
#define UPSWEEP_ENGINE_SCAN_BLOCKS_ONCE
/* The element of item i, the k-th of a block, which is on a boundary if `aligned`. */
#define USW_WRITE_LOADED(T, n)                                                                                         \
  if (aligned)                                                                                                         \
    *(T *)__builtin_assume_aligned(arguments->n + i, USW_BLOCK_BOUNDARY(T), k * sizeof(T) % USW_BLOCK_BOUNDARY(T)) =   \
        result;                                                                                                        \
  else                                                                                                                 \
    arguments->n[(ptrdiff_t)i * arguments->usw_stride_##n] = result;
/* A block's elements from i on: at once; or one after the other, `count` of them, in loops that leave those of other blocks in registers. */
#define USW_WRITE_BLOCK(T, n)                                                                                          \
  __builtin_memcpy(__builtin_assume_aligned(arguments->n + i, 16), (const void *)results, sizeof results);
#define USW_WRITE_SOME(T, n)                                                                                           \
  USW_NO_UNROLL for (size_t k = 0; k < count; k++) arguments->n[(ptrdiff_t)(i + k) * arguments->usw_stride_##n] =      \
      results[k];
#define USW_LOAD_SOME(T, n)                                                                                            \
  T some_of_##n[USW_F(_block)];                                                                                        \
  USW_NO_UNROLL for (size_t k = 0; k < USW_F(_block); k++) some_of_##n[k] =                                            \
      k < count ? arguments->n[(ptrdiff_t)(i + k) * arguments->usw_stride_##n] : neutral;                              \
  __builtin_memcpy(items->n, some_of_##n, sizeof some_of_##n);
#define USW_TAKE_IN(T, n) , items->n
/* Where a thread has block u on the stage. */
#define USW_OWN_PLACE(u)                                                                                               \
  USW_AT_PLACE(USW_F(_moved_items), usw_port_thread() / USW_SUB_GROUP,                                                 \
               (u) * USW_SUB_GROUP + usw_port_thread() % USW_SUB_GROUP)
#endif

enum { USW_F(_in_order) = USW_F(_ordered) || USW_RESTARTS };

#if USW_SCANS_BLOCKS
/* Items of a block from item i on. */
USW_INLINE size_t USW_F(_count_of_block)(const USW_F(_scan) scan, size_t i) {
  const size_t left = i < scan.n ? scan.n - i : 0;
  return left < USW_F(_block) ? left : USW_F(_block);
}
/* Whether they are in memory as they are in registers. */
USW_INLINE int USW_F(_is_whole_block)(const USW_F(_scan) scan, size_t i) {
  return scan.is_aligned && i < scan.n && scan.n - i >= USW_F(_block);
}
#endif

/* Those of a block that n may cut short, or whose streams may not be contiguous. */
USW_INLINE void USW_F(_load_any_block)(const USW_F(_scan) scan, USW_F(_items) * items, size_t first) {
#if USW_SCANS_BLOCKS
  const USW_F(_arguments) *const arguments = scan.arguments;
  const size_t i = first, count = USW_F(_count_of_block)(scan, i);
  if (USW_F(_is_whole_block)(scan, i)) {
    USW_F(_load)(items, i, USW_F(_block), arguments, 1);
  } else if (count > 0) {
    USW_RESULT neutral;
    USW_F(_set_neutral)(&neutral USW_ARGS(USW_NOTHING, USW_VISIT_OTHER, USW_VISIT_OTHER));
    USW_ARGS(USW_LOAD_SOME, USW_NOTHING, USW_NOTHING)
  }
#else
  USW_F(_load_some)(items, first, scan.n, scan.arguments);
#endif
}

/* ---- where the elements of this lane's blocks are between both visits ---- */

#if USW_SCANS_ON_STAGE
enum { USW_F(_is_staged) = USW_F(_copies) };
/* Onto the stage; a tile that may be cut short in a loop: small calls have no other, and read its instructions for the first time. */
USW_INLINE void USW_F(_stage_tile)(const USW_F(_scan) scan, size_t start, int is_whole) {
  const size_t group = USW_SUB_GROUP * USW_F(_block);
  if (is_whole) {
    USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++)
        usw_port_copy(&USW_OWN_PLACE(u), scan.arguments->x + start + u * group, USW_F(_item_block));
    usw_port_await_copies();
    return;
  }
  USW_NO_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_items) items;
    USW_F(_moved_items) block;
    USW_F(_load_any_block)(scan, &items, start + u * group);
    __builtin_memcpy(&block, (const void *)items.x, sizeof block);
    USW_OWN_PLACE(u) = block;
  }
}
USW_INLINE USW_F(_items) USW_F(_staged_block)(size_t u) {
  USW_F(_items) items;
  const USW_F(_moved_items) block = USW_OWN_PLACE(u);
  __builtin_memcpy((void *)items.x, &block, sizeof block);
  return items;
}
#else
enum { USW_F(_is_staged) = 0 };
#endif

USW_INLINE void USW_F(_load_tile)(const USW_F(_scan) scan, USW_F(_items) * items, size_t start, int is_whole) {
  const size_t group = USW_SUB_GROUP * USW_F(_block);
#if USW_SCANS_ON_STAGE
  if (USW_F(_is_staged)) {
    USW_F(_stage_tile)(scan, start, is_whole);
    return;
  }
#endif
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    if (is_whole)
      USW_F(_load)(&items[u], start + u * group, USW_F(_block), scan.arguments, 1);
    else
      USW_F(_load_any_block)(scan, &items[u], start + u * group);
  }
}
/* Block u. */
USW_INLINE USW_F(_items) USW_F(_block_of_tile)(const USW_F(_items) * items, size_t u) {
#if USW_SCANS_ON_STAGE
  if (USW_F(_is_staged))
    return USW_F(_staged_block)(u);
#endif
  return items[u];
}

/* ---- a visit ---- */

#if USW_SCANS_BLOCKS
/* Each result in the place of the next one, and that of *before first. */
USW_INLINE void USW_F(_move_up)(USW_RESULT *results, const USW_F(_acc) * before) {
  enum { BITS = 8 * sizeof(USW_RESULT), WORDS = 16 / 4 };
  USW_RESULT first;
  uint32_t words[WORDS], lower = 0;
  USW_F(_finish)(before, &first);
  __builtin_memcpy(&lower, (const void *)&first, sizeof first);
  lower <<= 32 - BITS;
  __builtin_memcpy(words, (const void *)results, sizeof words);
  USW_UNROLL for (size_t w = 0; w < WORDS; w++) {
    const uint32_t word = words[w];
    words[w] = word << BITS | lower >> (32 - BITS);
    lower = word;
  }
  __builtin_memcpy((void *)results, words, sizeof words);
}

/* The items of a block that has been loaded: into *a, mute; or behind *a, where each has a result. Not those beyond n. */
USW_INLINE void USW_F(_scan_block_of_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s, size_t first,
                                           const USW_F(_items) * items, int is_whole) {
  const USW_F(_arguments) *const arguments = scan.arguments;
  const USW_F(_acc) before = *a;
  const size_t i = first, count = USW_F(_count_of_block)(scan, i);
  USW_RESULT results[USW_F(_block)];
  if (!is_whole && count == 0)
    return;
  if (s->usw_is_mute) {
    USW_F(_take_elements)(a USW_ARGS(USW_TAKE_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  } else {
    USW_F(_scan_elements)(a, results USW_ARGS(USW_TAKE_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
    if (arguments->usw_is_exclusive)
      USW_F(_move_up)(results, &before);
    if (is_whole || USW_F(_is_whole_block)(scan, i)) {
      USW_OUTPUTS(USW_WRITE_BLOCK)
    } else {
      USW_OUTPUTS(USW_WRITE_SOME)
    }
  }
}
#else
/* Behind the visit of item i: of the library's kernels the result. */
USW_INLINE void USW_F(_write_loaded)(const USW_F(_acc) * a, const USW_F(_spans) * s, size_t i, size_t k,
                                     const USW_F(_arguments) * arguments, int aligned) {
  (void)a, (void)s, (void)i, (void)k, (void)arguments, (void)aligned;
#ifdef USW_RESULT
  USW_F(_acc) from = *a;
  USW_RESULT result;
  if (arguments->usw_is_exclusive)
    from = s->usw_before;
  USW_F(_finish)(&from, &result);
  USW_OUTPUTS(USW_WRITE_LOADED)
#endif
}

/* The items of a block that has been loaded: into *a, mute; or behind *a, where each writes. Not those beyond n. */
USW_INLINE void USW_F(_scan_block_of_lane)(const USW_F(_scan) scan, USW_F(_acc) * a, USW_F(_spans) * s, size_t first,
                                           const USW_F(_items) * items, int is_whole) {
  USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) {
    if (!is_whole && first + k >= scan.n)
      continue;
    if (!s->usw_is_mute)
      s->usw_before = *a;
    USW_F(_visit_loaded)(a, s, first + k, items, k, scan.arguments, is_whole);
    if (!s->usw_is_mute)
      USW_F(_write_loaded)(a, s, first + k, k, scan.arguments, is_whole);
  }
}
#endif

/* What is before each of this lane's blocks in the sub-group, in place of what they come to; *through: what all blocks of the sub-group
 * come to. */
USW_INLINE void USW_F(_scan_sub_group)(USW_F(_acc) * part, USW_F(_acc) * through, uint32_t lane) {
  USW_F(_identity)(through);
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_acc) own = part[u], lower;
    USW_F(_scan_lanes)(&own, lane, USW_SUB_GROUP);
    USW_F(_shuffle_up)(&lower, &own, 1, USW_SUB_GROUP);
    part[u] = *through;
    if (lane > 0)
      USW_F(_merge)(&part[u], &lower);
    USW_F(_shuffle)(&own, &own, USW_SUB_GROUP - 1, USW_SUB_GROUP);
    USW_F(_merge)(through, &own);
  }
}

/* What all blocks of the sub-group come to, to lane 0, without what is before each: quick, where the order of items does not matter. */
USW_INLINE void USW_F(_fold_sub_group)(const USW_F(_acc) * part, USW_F(_acc) * all, uint32_t lane) {
  *all = part[0];
  USW_UNROLL for (size_t u = 1; u < USW_F(_in_flight); u++) USW_F(_merge)(all, &part[u]);
  USW_F(_fold)(all, lane, USW_SUB_GROUP, USW_SUB_GROUP);
}

/* A tile whose blocks are all of a kind. Others want to know what it comes to: that goes first. */
USW_INLINE void USW_F(_scan_blocks)(const USW_F(_scan) scan, int is_whole) {
  const uint32_t thread = usw_port_thread(), lane = thread % USW_SUB_GROUP;
  const uint32_t sub_group = usw_port_shuffle(thread / USW_SUB_GROUP, 0, USW_SUB_GROUP);
  const size_t group = USW_SUB_GROUP * USW_F(_block);
  const size_t start =
      scan.tile * USW_F(_tile_of_scan) + sub_group * (size_t)USW_F(_part_of_scan) + lane * USW_F(_block);
  USW_F(_items) items[USW_F(_in_flight)];
  USW_F(_acc) part[USW_F(_in_flight)], all, unused;
  USW_F(_spans) s = USW_F(_spans_of_scan)(scan);
  USW_F(_load_tile)(scan, items, start, is_whole);
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    const USW_F(_items) block = USW_F(_block_of_tile)(items, u);
    USW_F(_identity)(&part[u]);
    USW_F(_scan_block_of_lane)(scan, &part[u], &s, start + u * group, &block, is_whole);
  }
  if (USW_F(_in_order))
    USW_F(_scan_sub_group)(part, &all, lane);
  else
    USW_F(_fold_sub_group)(part, &all, lane);
  all = USW_F(_tell_of_team)(scan, &all, sub_group, lane);
  if (!USW_F(_in_order))
    USW_F(_scan_sub_group)(part, &unused, lane);
  all = USW_F(_before_sub_group)(scan, all, sub_group, lane);
  s.usw_is_mute = 0;
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    const USW_F(_items) block = USW_F(_block_of_tile)(items, u);
    USW_F(_acc) a = all;
    USW_F(_merge)(&a, &part[u]);
    USW_F(_scan_block_of_lane)(scan, &a, &s, start + u * group, &block, is_whole);
    if (start + u * group < scan.n && scan.n - (start + u * group) <= USW_F(_block)) /* the last item's */
      scan.bank[0] = a;
  }
}

/* A tile; whole: it lies within n, of streams that are contiguous and aligned. */
USW_INLINE void USW_F(_scan_tile)(const USW_F(_scan) scan, int is_whole) {
#if USW_SCANS_ON_STAGE /* those that begin anew go by lanes */
  USW_F(_ask_ahead)(scan);
#endif
  if (is_whole)
    USW_F(_scan_blocks)(scan, 1);
  else
    USW_F(_scan_blocks)(scan, 0);
}
