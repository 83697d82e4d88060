/* A team's items, all threads in step: for kernels with spans whose cells threads of a team take turns at. The body leaves
 * what it combines into them behind, item by item; after a batch of items the team combines it. See team_spans.h.
 *
 * A body that combines into such a span more than once an item runs again until all has been taken: what it combines into
 * its other reducers then counts only the first time. */

enum {
  USW_F(_step_groups) = USW_F(_block) < USW_BATCH_ITEMS ? USW_BATCH_ITEMS / USW_F(_block) : 1,
  USW_F(_step_items) = USW_F(_step_groups) * USW_F(_block)
};

/* Whether it is so for anyone who shares copies with this thread. */
USW_INLINE int USW_F(_any_sharing)(const USW_F(_spans) * s, int x) {
  return USW_COPIES(s) >= USW_SUB_GROUPS ? usw_port_sub_group_any(x) : usw_port_team_any(x);
}

/* An item of a step of the worker's, whose first one is `first`. */
USW_INLINE size_t USW_F(_step_item)(const USW_F(_worker) w, size_t first, uint32_t item) {
  return first + item / USW_F(_block) * USW_F(_group_items)(w) + item % USW_F(_block);
}

/* Visit the items of a batch that are within n, and take what they leave; bit k set: item k of the batch left more.
 * items NULL: they have not been loaded. */
USW_INLINE uint32_t USW_F(_visit_batch)(const USW_F(_worker) w, size_t first, uint32_t batch,
                                        const USW_F(_items) * items) {
  const USW_F(_arguments) *const arguments = w.arguments;
  USW_F(_spans) *const s USW_UNUSED = w.s;
  USW_F(_index) position USW_UNUSED;
  uint32_t more = 0;
  USW_UNROLL for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++) {
    const uint32_t item = batch + k;
    const size_t i = USW_F(_step_item)(w, first, item);
    if (items && (k == 0 || item % USW_F(_block) == 0))
      position = USW_F(_locate)(i, arguments, USW_SPACE_UNTILED);
    else if (items)
      position = USW_F(_kth)(position, item % USW_F(_block), i, arguments, USW_SPACE_UNTILED);
    if (item < USW_F(_step_items) && i < w.n) {
      if (items) {
        const USW_F(_index) index = USW_F(_index_of)(position, arguments, USW_SPACE_UNTILED);
        const USW_F(_items) *loaded = &items[item / USW_F(_block) % USW_F(_step_groups)];
        USW_F(_visit_loaded)(w.a, s, index, loaded, item % USW_F(_block), arguments, 0);
      } else {
        USW_F(_visit_item)(w.a, s, i, arguments);
      }
    }
    more |= (uint32_t)(USW_REDUCERS(USW_R_NOTHING, USW_S_COLLECT) 0) << k;
  }
  return more;
}

USW_INLINE int USW_F(_has_batch)(const USW_F(_spans) * s) {
  int some = 0;
  (void)s;
  USW_UNROLL for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++) some |= USW_REDUCERS(USW_R_NOTHING, USW_S_ANY_TO_SETTLE) 0;
  return some;
}

/* Who is whose turn among those of a sub-group, for the first `items` of the batch. */
USW_INLINE void USW_F(_find_turns)(USW_F(_spans) * s, uint32_t items USW_UNUSED) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_FIND_TURNS)
}

/* Combine the first `items` of the batch. All that share copies have voted before. */
USW_INLINE void USW_F(_settle)(USW_F(_spans) * s, uint32_t items USW_UNUSED) {
  (void)s;
  USW_REDUCERS(USW_R_NOTHING, USW_S_SETTLE_ONE)
}

/* What an item leaves after its first value, one by one: the body runs again, and its other reducers forget it. */
USW_INLINE void USW_F(_visit_again)(const USW_F(_worker) w, size_t i, int more) {
  USW_F(_spans) *const s = w.s;
  const uint32_t k = 0;
  for (s->usw_wanted = 1; USW_F(_any_sharing)(s, more); s->usw_wanted++) {
    const USW_F(_acc) before = *w.a;
    if (more)
      USW_F(_visit_item)(w.a, s, i, w.arguments);
    *w.a = before;
    more = USW_REDUCERS(USW_R_NOTHING, USW_S_COLLECT) 0;
    USW_F(_find_turns)(s, 1);
    USW_F(_settle)(s, 1);
  }
  (void)k;
  s->usw_wanted = 0;
}

/* The elements of a tile's items within n. */
USW_INLINE void USW_F(_load_step)(const USW_F(_worker) w, USW_F(_items) * items, size_t start, int aligned) {
  const size_t group = USW_F(_group_items)(w);
  USW_UNROLL for (size_t u = 0; u < USW_F(_step_groups); u++) {
    if (start + u * group + USW_F(_block) <= w.n)
      USW_F(_load)(&items[u], start + u * group, USW_F(_block), w.arguments, aligned);
    else if (start + u * group < w.n)
      USW_F(_load_some)(&items[u], start + u * group, w.n, w.arguments);
  }
}

/* Combine what a batch left. Votes are left out where the compiler sees that no item combines again. */
USW_INLINE void USW_F(_finish_batch)(const USW_F(_worker) w, size_t first, uint32_t batch, uint32_t more) {
  USW_F(_spans) *const s = w.s;
  const int some = more != 0 || USW_F(_has_batch)(s);
  if (USW_COPIES(s) == USW_TEAM_SIZE)
    return;
  if (usw_port_sub_group_any(some))
    USW_F(_find_turns)(s, USW_BATCH_ITEMS);
  if (!USW_F(_any_sharing)(s, some))
    return;
  USW_F(_settle)(s, USW_BATCH_ITEMS);
  if ((__builtin_constant_p(more) && more == 0) || !USW_F(_any_sharing)(s, more != 0))
    return;
#pragma nounroll
  for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++)
    USW_F(_visit_again)(w, USW_F(_step_item)(w, first, batch + k), more >> k & 1);
}

/* Tiles of a space, item by item: many instructions, of which one copy is enough. */
USW_INLINE void USW_F(_step_by_item)(const USW_F(_worker) w, size_t start) {
#pragma nounroll
  for (uint32_t batch = 0; batch < USW_F(_step_items); batch += USW_BATCH_ITEMS) {
    const uint32_t more = USW_F(_visit_batch)(w, start, batch, NULL);
    USW_F(_finish_batch)(w, start, batch, more);
  }
}

/* The next tile's elements are on their way while this one's turns are taken, where those take long. */
USW_INLINE void USW_F(_accumulate_in_step)(const USW_F(_worker) w, int has_aligned_streams) {
  const int aligned = has_aligned_streams && USW_F(_knows)(w.arguments, USW_F(_known));
  const int untiled = USW_F(_knows)(w.arguments, USW_SPACE_UNTILED), early = USW_F(_team_size) < 256;
  const size_t step = USW_F(_group_items)(w) * USW_F(_step_groups), stride = w.share.tile_step * step;
  USW_F(_items) items[USW_F(_step_groups)];
  size_t start = w.share.tile * step + w.share.lane * USW_F(_block);
  if (early && untiled)
    USW_F(_load_step)(w, items, start, aligned);
  for (size_t tile = w.share.tile; tile * step < w.n; tile += w.share.tile_step, start += stride) {
    if (!untiled) {
      USW_F(_step_by_item)(w, start);
      continue;
    }
    if (!early)
      USW_F(_load_step)(w, items, start, aligned);
    USW_UNROLL for (uint32_t batch = 0; batch < USW_F(_step_items); batch += USW_BATCH_ITEMS) {
      const uint32_t more = USW_F(_visit_batch)(w, start, batch, items);
      if (early && batch + USW_BATCH_ITEMS >= USW_F(_step_items))
        USW_F(_load_step)(w, items, start + stride, aligned);
      USW_F(_finish_batch)(w, start, batch, more);
    }
  }
}
