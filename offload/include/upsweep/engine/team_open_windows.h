/* Windows without ends of a path on a GPU (team_segments.h), which are many in long segments: several are taken in a row, where items may be
 * combined in any order, and lanes are folded once. Included behind team_windows.h. */

/* How many of the next windows, one behind the other, are whole and without ends. */
USW_INLINE uint32_t USW_F(_open_windows)(const usw_position_t at) {
  const uint32_t end = usw_port_shuffle(at.known.end, 0, USW_SUB_GROUP);
  const uint32_t last = end - 1 < at.behind ? end - 1 : at.behind;
  return at.item == at.staged && end > at.item ? (last - at.item) / USW_F(_window_items) : 0;
}

/* Visit the items of one, which are in lane groups: a block of each lane in each of them. */
USW_INLINE void USW_F(_visit_open)(USW_F(_acc) * a, const USW_F(_walk) walk, const usw_position_t at,
                                   const USW_F(_items) * items) {
  const size_t first = USW_F(_item_at)(walk, at.item) + walk.lane * USW_F(_block);
  const size_t segment = USW_F(_segment_at)(walk, at, 0), begin = USW_F(_begin_at)(walk, at);
  if (walk.is_aligned) {
    USW_F(_arguments) arguments = *walk.arguments;
    USW_F(_spans) s = *walk.s;
    USW_ENTER_SEGMENT(&s, segment);
    if (USW_AXES)
      arguments.usw_first = 0 - begin;
    const USW_F(_worker) w = {a, &s, &arguments, arguments.usw_items, {0, SIZE_MAX, 1, walk.lane, USW_SUB_GROUP}};
    const USW_F(_blocks_of_worker) part = {first, USW_F(_kept_blocks), SIZE_MAX, 1, USW_F(_known)};
    USW_F(_visit_whole_groups)(w, items, part);
    return;
  }
  USW_UNROLL for (uint32_t i = 0; i < USW_F(_lane_items); i++) {
    const uint32_t b = i / USW_F(_block), k = i % USW_F(_block);
    USW_F(_visit_item_of_segment)
    (a, walk, segment, begin, first + b * USW_F(_block) * USW_SUB_GROUP + k, &items[b], k);
  }
}

/* Compilers have an accumulator ready here: they would else keep elements in registers for longer than they need. */
USW_INLINE void USW_F(_have_ready)(USW_F(_acc) * a) {
  uint32_t words[sizeof(USW_F(_acc)) / sizeof(uint32_t)];
  __builtin_memcpy(words, (const void *)a, sizeof words);
  USW_UNROLL for (uint32_t w = 0; w < sizeof words / sizeof *words; w++) words[w] = usw_port_opaque(words[w]);
  __builtin_memcpy((void *)a, words, sizeof words);
}

/* Take so many windows without ends: in any order, so that lanes are folded once. Where blocks are what lanes copy at once, each lane takes what
 * it has copied itself, and waits for no other. */
USW_INLINE usw_position_t USW_F(_take_open_windows)(USW_F(_walk) walk, usw_position_t at, uint32_t windows) {
  const usw_blocks_of_lane_t blocks = {1, USW_SUB_GROUP};
  const int is_own = walk.is_aligned && USW_F(_block_bytes) == USW_F(_inputs) * USW_COPIED_BYTES;
  USW_F(_acc) a, open;
  USW_F(_identity)(&a);
#pragma nounroll
  do {
    USW_F(_items) items[USW_F(_kept_blocks)];
    walk = USW_F(_walk_anew)(walk);
    usw_port_await_batches();
    if (!is_own)
      usw_port_sub_group_sync();
    USW_UNROLL for (uint32_t b = 0; b < USW_F(_line_blocks); b++)
        USW_F(_take_from_stage)(&items[b], walk, at.stage, blocks, b);
    if (!is_own)
      usw_port_sub_group_sync();
    USW_F(_visit_open)(&a, walk, at, items);
    USW_F(_have_ready)(&a);
    USW_F(_stage_window)(walk, at, at.stage, at.item + USW_F(_stages) * USW_F(_window_items));
    at.item = at.staged = at.item + USW_F(_window_items);
    at.stage ^= USW_F(_stages) - 1;
  } while (--windows > 0);
  USW_F(_fold_lanes)(&a, USW_SUB_GROUP);
  usw_port_sub_group_sync(); /* what is open may be of the last lane */
  if (walk.lane == 0) {
    USW_F(_get_open)(&open, walk.sub_group, USW_OPEN);
    USW_F(_merge)(&open, &a);
    USW_F(_put_open)(walk.sub_group, USW_OPEN, &open);
  }
  return at;
}
