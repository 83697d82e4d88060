/* Windows (team_windows.h) of kernels whose bodies load for themselves: their items are visited apart. Neighbouring lanes visit neighbouring items,
 * so that loads lie side by side, and whatever the body loads is under way for several items at once. The accumulators wait in team memory. */

#ifndef UPSWEEP_ENGINE_TEAM_APART_ONCE
#define UPSWEEP_ENGINE_TEAM_APART_ONCE
/* Past what caches have of arrays, for which items ask again and again. (Sparse matrix times vector, H200: stencil 270 us, so 250, mostly empty rows
 * 245 and 224.) */
#define USW_LOAD_NEXT(T, n)                                                                                            \
  if (USW_F(_apart) && USW_LOW_BIT((int)sizeof(T)) == sizeof(T) && sizeof(T) <= USW_COPIED_BYTES)                      \
    usw_port_read_once(&items->n[0], &arguments->n[first], (int)sizeof(T));                                            \
  else                                                                                                                 \
    items->n[0] = arguments->n[first];
#endif

enum { USW_F(_apart_places) = USW_F(_apart) ? USW_SUB_GROUP * (USW_F(_lane_items) + 1) : 1 };
typedef USW_MOVE_OF(sizeof(USW_F(_acc))) USW_F(_moved_acc);
USW_TEAM_MEMORY USW_F(_moved_acc) USW_F(_accs_apart)[USW_SUB_GROUPS][USW_F(_apart_places)];

/* Where item k of a window is: one place behind those of each lane keeps lanes out of each other's banks. */
USW_INLINE void USW_F(_put_apart)(uint32_t sub_group, uint32_t k, const USW_F(_acc) * a) {
  USW_F(_moved_acc) moved;
  __builtin_memcpy(&moved, (const void *)a, sizeof moved);
  USW_F(_accs_apart)[sub_group][k + k / USW_F(_lane_items)] = moved;
}
USW_INLINE void USW_F(_get_apart)(USW_F(_acc) * a, uint32_t sub_group, uint32_t k) {
  const USW_F(_moved_acc) moved = USW_F(_accs_apart)[sub_group][k + k / USW_F(_lane_items)];
  __builtin_memcpy((void *)a, &moved, sizeof moved);
}

/* An item where streams have no gaps. */
USW_INLINE void USW_F(_load_next)(USW_F(_items) * items USW_UNUSED, size_t first USW_UNUSED,
                                  const USW_F(_arguments) *
                                      arguments USW_UNUSED){USW_ARGS(USW_LOAD_NEXT, USW_NOTHING, USW_NOTHING)}

/* Load items `from`, ... of a window of `count`, one of each lane in each group; what is behind it as its first item. is_whole: nothing is, and
 * there are no gaps. */
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

/* Whether the next window may be whole: then its first items are loaded before its ends are looked for. */
USW_INLINE int USW_F(_may_be_whole_apart)(const USW_F(_walk) walk, const usw_position_t at) {
  return at.behind - at.item >= USW_F(_window_items) && USW_F(_are_contiguous)(walk.arguments);
}

/* Visit these: none that is behind the window, where the body might load what is not there. */
USW_INLINE void USW_F(_visit_some_apart)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                         uint32_t from, int is_whole, const USW_F(_items) * items) {
  USW_UNROLL for (uint32_t u = 0; u < USW_APART_ITEMS; u++) {
    const uint32_t k = from + u * USW_SUB_GROUP + walk.lane,
                   ends = USW_F(_ends_up_to)(walk.sub_group, k, window.with_items);
    USW_F(_acc) a;
    USW_F(_identity)(&a);
    if (is_whole || k < window.items)
      USW_F(_visit_item_of_segment)
    (&a, walk, USW_F(_segment_behind)(walk, at, window, ends), USW_F(_begin_behind)(walk, at, window, ends),
     window.first + k, &items[u], 0);
    USW_F(_put_apart)(walk.sub_group, k, &a);
  }
}
/* Visit a window's items. items: the first groups, if it may be whole. */
USW_INLINE void USW_F(_visit_apart)(const USW_F(_walk) walk, const usw_position_t at, const usw_window_t window,
                                    USW_F(_items) * items, int may_be_whole) {
  enum { ITEMS = USW_APART_ITEMS * USW_SUB_GROUP };
  if (may_be_whole && window.items == USW_F(_window_items)) {
    USW_UNROLL for (uint32_t from = 0; from < USW_F(_window_items); from += ITEMS) {
      if (from > 0)
        USW_F(_load_apart)(walk, window.first, 0, from, 1, items);
      USW_F(_visit_some_apart)(walk, at, window, from, 1, items);
    }
    return;
  }
#pragma nounroll
  for (uint32_t from = 0; from < USW_F(_window_items); from += ITEMS) {
    USW_F(_load_apart)(walk, window.first, window.items, from, 0, items);
    USW_F(_visit_some_apart)(walk, at, window, from, 0, items);
  }
}
