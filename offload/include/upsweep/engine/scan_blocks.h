/* A tile of a scan by blocks: each lane has blocks of items as they are loaded, so that neighbours write side by side, also where the body
 * writes. Blocks of lanes are scanned one group after the other, which takes few instructions where merging does. */

#ifndef UPSWEEP_ENGINE_SCAN_BLOCKS_ONCE
#define UPSWEEP_ENGINE_SCAN_BLOCKS_ONCE
/* The element of item i, the k-th of a block, which is on a boundary if `aligned`. */
#define USW_WRITE_LOADED(T, n)                                                                                         \
  if (aligned)                                                                                                         \
    *(T *)__builtin_assume_aligned(arguments->n + i, USW_BLOCK_BOUNDARY(T), k * sizeof(T) % USW_BLOCK_BOUNDARY(T)) =   \
        result;                                                                                                        \
  else                                                                                                                 \
    arguments->n[(ptrdiff_t)i * arguments->usw_stride_##n] = result;
#endif

enum { USW_F(_in_order) = USW_F(_ordered) || USW_RESTARTS };

/* The elements of this lane's blocks of a tile. */
USW_INLINE void USW_F(_load_tile)(const USW_F(_scan) scan, USW_F(_items) * items, size_t start, int is_whole) {
  const size_t group = USW_SUB_GROUP * USW_F(_block);
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    if (is_whole)
      USW_F(_load)(&items[u], start + u * group, USW_F(_block), scan.arguments, 1);
    else
      USW_F(_load_some)(&items[u], start + u * group, scan.n, scan.arguments);
  }
}

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
    USW_F(_identity)(&part[u]);
    USW_F(_scan_block_of_lane)(scan, &part[u], &s, start + u * group, &items[u], is_whole);
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
    USW_F(_acc) a = all;
    USW_F(_merge)(&a, &part[u]);
    USW_F(_scan_block_of_lane)(scan, &a, &s, start + u * group, &items[u], is_whole);
    if (start + u * group < scan.n && scan.n - (start + u * group) <= USW_F(_block)) /* the last item's */
      scan.bank[0] = a;
  }
}

/* A tile; whole: it lies within n, of streams that are contiguous and aligned. */
USW_INLINE void USW_F(_scan_tile)(const USW_F(_scan) scan, int is_whole) {
  if (is_whole)
    USW_F(_scan_blocks)(scan, 1);
  else
    USW_F(_scan_blocks)(scan, 0);
}
