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

/* Visit the items of a batch that are within n, and take what they leave; bit k set: item k of the batch left more.
 * items NULL: they have not been loaded. */
USW_INLINE uint32_t USW_F(_visit_batch)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, size_t first, size_t group,
                                        uint32_t batch, const USW_F(_items) * items,
                                        const USW_F(_arguments) * arguments) {
  USW_F(_index) position USW_UNUSED;
  uint32_t more = 0;
  USW_UNROLL for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++) {
    const uint32_t item = batch + k;
    const size_t i = first + item / USW_F(_block) * group + item % USW_F(_block);
    if (items && (k == 0 || item % USW_F(_block) == 0))
      position = USW_F(_locate)(i, arguments, USW_SPACE_UNTILED);
    else if (items)
      position = USW_F(_kth)(position, item % USW_F(_block), i, arguments, USW_SPACE_UNTILED);
    if (item < USW_F(_step_items) && i < n) {
      if (items) {
        const USW_F(_index) index = USW_F(_index_of)(position, arguments, USW_SPACE_UNTILED);
        const USW_F(_items) *loaded = &items[item / USW_F(_block) % USW_F(_step_groups)];
        USW_F(_visit_loaded)(a, s, index, loaded, item % USW_F(_block), arguments);
      } else {
        USW_F(_visit_item)(a, s, i, arguments);
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
USW_INLINE void USW_F(_visit_again)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, int more,
                                    const USW_F(_arguments) * arguments) {
  const uint32_t k = 0;
  for (s->usw_wanted = 1; USW_F(_any_sharing)(s, more); s->usw_wanted++) {
    const USW_F(_acc) before = *a;
    if (more)
      USW_F(_visit_item)(a, s, i, arguments);
    *a = before;
    more = USW_REDUCERS(USW_R_NOTHING, USW_S_COLLECT) 0;
    USW_F(_find_turns)(s, 1);
    USW_F(_settle)(s, 1);
  }
  (void)k;
  s->usw_wanted = 0;
}

/* The elements of a tile's items within n. */
USW_INLINE void USW_F(_load_step)(USW_F(_items) * items, size_t n, size_t start, size_t group,
                                  const USW_F(_arguments) * arguments, int aligned) {
  USW_UNROLL for (size_t u = 0; u < USW_F(_step_groups); u++) {
    if (start + u * group + USW_F(_block) <= n)
      USW_F(_load)(&items[u], start + u * group, USW_F(_block), arguments, aligned);
    else if (start + u * group < n)
      USW_F(_load_some)(&items[u], start + u * group, n, arguments);
  }
}

/* Combine what a batch left. Votes are left out where the compiler sees that no item combines again. */
USW_INLINE void USW_F(_finish_batch)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t group, uint32_t batch,
                                     uint32_t more, const USW_F(_arguments) * arguments) {
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
  for (uint32_t k = 0; k < USW_BATCH_ITEMS; k++) {
    const uint32_t item = batch + k;
    USW_F(_visit_again)(a, s, first + item / USW_F(_block) * group + item % USW_F(_block), more >> k & 1, arguments);
  }
}

/* Tiles of a space, item by item: many instructions, of which one copy is enough. */
USW_INLINE void USW_F(_step_by_item)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, size_t start, size_t group,
                                     const USW_F(_arguments) * arguments) {
#pragma nounroll
  for (uint32_t batch = 0; batch < USW_F(_step_items); batch += USW_BATCH_ITEMS) {
    const uint32_t more = USW_F(_visit_batch)(a, s, n, start, group, batch, NULL, arguments);
    USW_F(_finish_batch)(a, s, start, group, batch, more, arguments);
  }
}

/* The next tile's elements are on their way while this one's turns are taken, where those take long. */
USW_INLINE void USW_F(_accumulate_in_step)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, USW_F(_share) share,
                                           const USW_F(_arguments) * arguments, int has_aligned_streams) {
  const int aligned = has_aligned_streams && USW_F(_knows)(arguments, USW_F(_known));
  const int untiled = USW_F(_knows)(arguments, USW_SPACE_UNTILED), early = USW_F(_team_size) < 256;
  const size_t group = share.unit * USW_F(_block), step = group * USW_F(_step_groups);
  USW_F(_items) items[USW_F(_step_groups)];
  size_t start = share.tile * step + share.lane * USW_F(_block);
  if (early && untiled)
    USW_F(_load_step)(items, n, start, group, arguments, aligned);
  for (size_t tile = share.tile; tile * step < n; tile += share.tile_step, start += share.tile_step * step) {
    if (!untiled) {
      USW_F(_step_by_item)(a, s, n, start, group, arguments);
      continue;
    }
    if (!early)
      USW_F(_load_step)(items, n, start, group, arguments, aligned);
    USW_UNROLL for (uint32_t batch = 0; batch < USW_F(_step_items); batch += USW_BATCH_ITEMS) {
      const uint32_t more = USW_F(_visit_batch)(a, s, n, start, group, batch, items, arguments);
      if (early && batch + USW_BATCH_ITEMS >= USW_F(_step_items))
        USW_F(_load_step)(items, n, start + share.tile_step * step, group, arguments, aligned);
      USW_F(_finish_batch)(a, s, start, group, batch, more, arguments);
    }
  }
}
