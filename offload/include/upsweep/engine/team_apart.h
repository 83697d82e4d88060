/* Windows (team_windows.h) of kernels with small accumulators: their items are visited apart. Neighbouring lanes visit neighbouring items, so that
 * loads lie side by side, and whatever the body loads for itself is under way for several items at once. The accumulators wait in team memory.
 * From there each lane takes neighbouring ones, and folds them in order into what follows the last end: no lane takes a branch that its
 * neighbours do not take, wherever segments end. */

enum {
  USW_F(_apart_places) = USW_F(_apart) ? USW_SUB_GROUP * (USW_F(_lane_items) + 1) : 1,
  /* Before ends are looked for. The library's kernels, of 64 registers, have no room for that. */
  USW_F(_loads_early) = !USW_AXES,
  USW_F(_apart_ends) = USW_F(_apart) ? USW_F(_window_items) : 8
};
typedef USW_MOVE_OF(sizeof(USW_F(_acc))) USW_F(_moved_acc);

/* Of each sub-group: the accumulators, and whether a segment ends behind an item: 0 between windows. */
USW_TEAM_MEMORY USW_F(_moved_acc) USW_F(_accs_apart)[USW_SUB_GROUPS][USW_F(_apart_places)];
USW_TEAM_MEMORY uint8_t USW_F(_is_end)[USW_SUB_GROUPS][USW_F(_apart_ends)] __attribute__((aligned(16)));

/* Where item k of a window is: one place behind those of each lane keeps lanes out of each other's banks. */
USW_INLINE void USW_F(_put_apart)(uint32_t k, const USW_F(_acc) * a) {
  USW_F(_moved_acc) moved;
  __builtin_memcpy(&moved, (const void *)a, sizeof moved);
  USW_F(_accs_apart)[usw_port_thread() / USW_SUB_GROUP][k + k / USW_F(_lane_items)] = moved;
}
USW_INLINE void USW_F(_get_apart)(USW_F(_acc) * a, uint32_t k) {
  const USW_F(_moved_acc) moved = USW_F(_accs_apart)[usw_port_thread() / USW_SUB_GROUP][k + k / USW_F(_lane_items)];
  __builtin_memcpy((void *)a, &moved, sizeof moved);
}

/* A segment ends behind `items` items of the window. */
USW_INLINE void USW_F(_mark_end)(uint32_t items) {
  if (items > 0)
    USW_F(_is_end)[usw_port_thread() / USW_SUB_GROUP][items - 1] = 1;
}
/* Behind which of its items of a window segments end, as bits; the marks are gone then. */
USW_INLINE uint32_t USW_F(_take_ends_of_lane)(uint32_t lane) {
  uint32_t bits = 0;
  uint8_t marks[USW_F(_lane_items)];
  USW_TEAM_SPACE uint8_t *const of_lane =
      &USW_F(_is_end)[usw_port_thread() / USW_SUB_GROUP][USW_F(_apart) ? lane * USW_F(_lane_items) : 0];
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items); k++) marks[k] = of_lane[k];
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items); k++) of_lane[k] = 0;
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items); k++) bits |= (uint32_t)marks[k] << k;
  return bits;
}

/* Load items `from`, ... of a window, one of each lane in each group. is_whole: all are the window's, and have no gaps. */
USW_INLINE void USW_F(_load_apart)(const USW_F(_walk) walk, size_t first, uint32_t count, uint32_t from, int is_whole,
                                   USW_F(_items) * items) {
  USW_UNROLL for (uint32_t u = 0; u < USW_APART_ITEMS; u++) {
    const uint32_t k = from + u * USW_SUB_GROUP + walk.lane;
    if (is_whole)
      USW_F(_load_next)(&items[u], first + k, walk.arguments);
    else
      USW_F(_load)(&items[u], first + (k < count ? k : 0), 1, walk.arguments, 0);
  }
}
/* Visit these. */
USW_INLINE void USW_F(_visit_some_apart)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                         uint32_t from, int is_whole, const USW_F(_items) * items) {
  USW_UNROLL for (uint32_t u = 0; u < USW_APART_ITEMS; u++) {
    const uint32_t k = from + u * USW_SUB_GROUP + walk.lane, ends = USW_F(_first_end_behind)(k, window.ends);
    const uint32_t begin = ends > 0 ? USW_F(_window_ends)[usw_port_thread() / USW_SUB_GROUP][ends - 1] : 0;
    USW_F(_acc) a;
    USW_F(_identity)(&a);
    USW_F(_visit_item_of_segment)
    (&a, walk, at.segment + ends, ends > 0 ? at.item + begin : at.begin, at.item + k, &items[u], 0);
    if (!is_whole && k >= window.items)
      USW_F(_identity)(&a);
    USW_F(_put_apart)(k, &a);
  }
}
/* Visit a window's items. items: the first groups of a window that is whole, if they are loaded early. */
USW_INLINE void USW_F(_visit_apart)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    USW_F(_items) * items, int may_be_whole) {
  enum { ITEMS = USW_APART_ITEMS * USW_SUB_GROUP };
  if (may_be_whole && window.items == USW_F(_window_items)) {
    USW_UNROLL for (uint32_t from = 0; from < USW_F(_window_items); from += ITEMS) {
      if (from > 0 || !USW_F(_loads_early))
        USW_F(_load_apart)(walk, at.item, 0, from, 1, items);
      USW_F(_visit_some_apart)(walk, at, window, from, 1, items);
    }
  } else if (window.items > 0) {
#pragma nounroll
    for (uint32_t from = 0; from < USW_F(_window_items); from += ITEMS) {
      USW_F(_load_apart)(walk, at.item, window.items, from, 0, items);
      USW_F(_visit_some_apart)(walk, at, window, from, 0, items);
    }
  }
}

/* Fold what lanes have behind their last end into that of the next ones, up to one with an end. */
USW_INLINE void USW_F(_fold_tails)(USW_F(_acc) * tail, uint32_t has_end) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  USW_F(_acc) before;
#pragma nounroll
  for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
    USW_F(_shuffle_up)(&before, tail, delta, USW_SUB_GROUP);
    const uint32_t ended = usw_port_shuffle_up(has_end, delta, USW_SUB_GROUP);
    if (lane >= delta && !has_end) {
      USW_F(_merge)(&before, tail);
      *tail = before;
      has_end = ended;
    }
  }
}

/* Fold the accumulators of a window. Behind each end its segment's is in the place of its last item, and in the slot of the open segment what
 * follows the last end. */
USW_INLINE void USW_F(_fold_apart)(const USW_F(_walk) walk, const usw_window_t window) {
  const uint32_t first = walk.lane * USW_F(_lane_items), ends = USW_F(_take_ends_of_lane)(walk.lane);
  USW_F(_acc) open, tail, before;
  USW_F(_identity)(&open);
  USW_F(_identity)(&tail);
  if (window.items > 0)
    USW_UNROLL for (uint32_t i = 0; i < USW_F(_lane_items); i++) {
      USW_F(_acc) item, nothing;
      USW_F(_identity)(&nothing);
      USW_F(_get_apart)(&item, first + i);
      USW_F(_merge)(&tail, &item);
      USW_F(_put_apart)(first + i, &tail);
      if (ends >> i & 1)
        tail = nothing;
    }
  if (walk.lane == 0) {
    USW_F(_get_slot)(&open, USW_F(_open));
    if (window.ends > 0 && USW_F(_window_end)(0, window.ends) == 0) { /* no item of it is left */
      USW_F(_put_slot)(USW_F(_last), &open);
      USW_F(_identity)(&open);
    }
    before = open;
    if (ends == 0) {
      USW_F(_merge)(&open, &tail);
      tail = open;
    }
  }
  USW_F(_fold_tails)(&tail, ends != 0);
  USW_F(_acc) of_before;
  USW_F(_shuffle_up)(&of_before, &tail, 1, USW_SUB_GROUP);
  if (walk.lane > 0)
    before = of_before;
  if (ends != 0) {
    const uint32_t k = first + (uint32_t)__builtin_ctz(ends);
    USW_F(_acc) ended;
    USW_F(_get_apart)(&ended, k);
    USW_F(_merge)(&before, &ended);
    USW_F(_put_apart)(k, &before);
  }
  usw_port_sub_group_sync(); /* lane 0 has read that slot */
  if (walk.lane == USW_SUB_GROUP - 1)
    USW_F(_put_slot)(USW_F(_open), &tail);
}
