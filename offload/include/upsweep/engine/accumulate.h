/* The accumulate policy: how a worker combines the items that it has loaded (load.h): one by one, by many where the kernel has a
 * body for them, or on trial, where numbers have to fit the window of a reproducible sum. */

#if USW_SCAN
/* Let the body of item i ask for the elements before its own; compilers leave out what it does not. */
USW_INLINE void USW_F(_set_previous)(USW_F(_spans) * s, size_t i, const USW_F(_arguments) * arguments) {
  const size_t before = i - (i > 0);
  (void)s, (void)before, (void)arguments;
  USW_ARGS(USW_SET_PREVIOUS, USW_NOTHING, USW_NOTHING)
}
#endif

/* Visit the item of an index, of inputs that are contiguous or strided. */
USW_INLINE void USW_F(_visit_index)(USW_F(_acc) * a, USW_F(_spans) * s, USW_F(_index) index,
                                    const USW_F(_arguments) * arguments USW_UNUSED, int contiguous) {
#if USW_SCAN
  USW_F(_set_previous)(s, index, arguments);
#endif
  if (contiguous)
    USW_F(_visit)(a, s,
                  USW_INDICES(index) USW_OWN_ARGUMENTS(USW_VISIT_NEXT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                       USW_VISIT_NEXT_OUT) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
  else
    USW_F(_visit)(a, s,
                  USW_INDICES(index) USW_OWN_ARGUMENTS(USW_VISIT_ONE_IN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                       USW_VISIT_OUT) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

#if USW_HAS_REGIONS || defined(USW_PORT_SIMT)

/* Visit item i, wherever it lies. */
USW_INLINE void USW_F(_visit_item)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, const USW_F(_arguments) * arguments) {
  USW_F(_visit_index)(a, s, USW_F(_index_of)(USW_F(_locate)(i, arguments, 0), arguments, 0), arguments, 0);
}

#endif

#if USW_SUB_GROUP > 1
/* Visit the item of an index, the k-th of a block; aligned: of streams that are contiguous, from a boundary on. */
USW_INLINE void USW_F(_visit_loaded)(USW_F(_acc) * a, USW_F(_spans) * s, USW_F(_index) index,
                                     const USW_F(_items) * items USW_UNUSED, size_t k USW_UNUSED,
                                     const USW_F(_arguments) * arguments USW_UNUSED, int aligned USW_UNUSED) {
#if USW_SCAN && !USW_SCANS_BY_LANES /* whose bodies ask for none, and which go on over zeros behind the last element */
  if (k == 0)
    USW_F(_set_previous)(s, index, arguments);
  else {
    USW_ARGS(USW_TAKE_PREVIOUS, USW_NOTHING, USW_NOTHING)
  }
#endif
  USW_F(_visit)(a, s,
                USW_INDICES(index) USW_OWN_ARGUMENTS(USW_VISIT_BLOCK_IN, USW_VISIT_OTHER, USW_VISIT_OTHER,
                                                     USW_VISIT_BLOCK_OUT) USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* Visit the items of the block of a part that begins at `first`, as many as are loaded at once. */
USW_INLINE void USW_F(_visit_items)(const USW_F(_worker) w, size_t first, const USW_F(_items) * items,
                                    USW_F(_blocks_of_worker) part) {
  USW_F(_index) position = USW_F(_locate)(first, w.arguments, part.known);
  USW_UNROLL for (size_t k = 0; k < USW_F(_at_once)(part.aligned); k++) {
    position = USW_F(_kth)(position, k, first + k, w.arguments, part.known);
    USW_F(_visit_loaded)
    (w.a, w.s, USW_F(_index_of)(position, w.arguments, part.known), items, k, w.arguments, part.aligned);
  }
}

/* Whether x of any lane of a sub-group, whose lanes are in step; else whether x. Lanes that branch by the former stay together: there
 * is nothing to bring them back (2 to 3 % of a reproducible sum of 2^20 doubles on an H200). */
USW_INLINE int USW_F(_any)(int x, int in_step) { return in_step ? usw_port_sub_group_any(x) : x; }

/* Whether it is one of a bare team, whose threads take the same tiles; workers of the clause go their own ways. (Unoptimized code
 * does not know.) */
#define USW_IS_TEAMS(share) __builtin_constant_p((share).unit)

/* Whether the share's tiles end before that one: asked only where the kernel is ordered. */
USW_INLINE int USW_F(_ends_before)(USW_F(_share) share, size_t tile) {
  return USW_F(_ordered) && share.tile_end < tile;
}

/* Whole blocks of some lane groups: by the body for many of them where the kernel has one and they are contiguous. */
USW_INLINE void USW_F(_visit_whole_groups)(const USW_F(_worker) w, const USW_F(_items) * items,
                                           USW_F(_blocks_of_worker) part) {
  const size_t group = USW_F(_group_items)(w);
#if USW_BY_BLOCKS
  if (part.aligned) {
    const USW_F(_arguments) *const arguments USW_UNUSED = w.arguments;
    USW_ARGS(USW_POINTERS_IN, USW_NOTHING, USW_NOTHING)
    USW_UNROLL for (size_t u = 0; u < part.groups; u++){USW_ARGS(USW_POINT_IN, USW_NOTHING, USW_NOTHING)} USW_F(
        _visit_many)(w.a, w.s, part.first USW_WHERE_MANY(+arguments->usw_first), group,
                     part.groups USW_ARGS(USW_VISIT_GROUPS_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
    return;
  }
#endif
  USW_UNROLL for (size_t u = 0; u < part.groups; u++) USW_F(_visit_items)(w, part.first + u * group, &items[u], part);
}

/* The blocks of a part that lie within its end; all of them at once only where all are known to. */
USW_INLINE void USW_F(_visit_groups)(const USW_F(_worker) w, const USW_F(_items) * items,
                                     USW_F(_blocks_of_worker) part) {
  const size_t all = part.groups, first = part.first, group = USW_F(_group_items)(w);
  const size_t at_a_time = USW_F(_by_blocks) && __builtin_constant_p(part.end) && part.end == SIZE_MAX ? all : 1;
  part.groups = at_a_time;
  USW_UNROLL for (size_t u = 0; u < all; u += at_a_time) {
    part.first = first + u * group;
    if (part.first + USW_F(_at_once)(part.aligned) <= part.end)
      USW_F(_visit_whole_groups)(w, &items[u], part);
  }
}

/* A trial that will succeed: the sums begin anew, to join those of `a`; the other variables go on. */
USW_INLINE void USW_F(_go_on_with)(USW_F(_acc) * trial, const USW_F(_acc) * a) {
  *trial = *a;
  USW_F(_like)(trial, a);
}
USW_INLINE void USW_F(_go_on_from)(USW_F(_acc) * a, USW_F(_acc) * trial) {
  USW_REDUCERS(USW_R_JOIN_SUM, USW_R_NOTHING)
  *a = *trial;
}

/* The items of a part one by one: numbers that fit no window, and those that come to a full sum, which carries then. */
USW_INLINE void USW_F(_visit_one_by_one)(const USW_F(_worker) w, USW_F(_blocks_of_worker) part) {
  const size_t at_once = USW_F(_at_once)(part.aligned);
#pragma nounroll
  for (size_t k = 0; k < part.groups * at_once; k++) {
    const size_t block = part.first + k / at_once * USW_F(_group_items)(w);
    if (block + at_once <= part.end)
      USW_F(_visit_item)(w.a, w.s, block + k % at_once, w.arguments);
  }
}

/* On trial: measure the numbers, then add them where they fit the window that was made for them. */
USW_INLINE void USW_F(_visit_on_trial)(const USW_F(_worker) w, const USW_F(_items) * items,
                                       USW_F(_blocks_of_worker) part, int in_step) {
  USW_F(_acc) trial;
  USW_F(_worker) trying = w;
  trying.a = &trial;
  USW_F(_begin_trial)(&trial, w.a);
  w.s->usw_on_trial = USW_MEASURES;
  w.s->usw_is_mute = 1;
  USW_F(_visit_groups)(trying, items, part);
  w.s->usw_is_mute = 0;
  int is_known = 1;
  if (USW_F(_any)(!USW_F(_end_trial)(&trial) | USW_F(_is_full)(w.a), in_step))
    is_known = !USW_F(_any)(!USW_F(_learn)(w.a, &trial) | USW_F(_is_full)(w.a), in_step);
  if (is_known) {
    w.s->usw_on_trial = USW_TRIES;
    USW_F(_go_on_with)(&trial, w.a);
    USW_F(_visit_groups)(trying, items, part);
    USW_F(_go_on_from)(w.a, &trial);
    return;
  }
  w.s->usw_on_trial = USW_ASKS;
  USW_F(_visit_one_by_one)(w, part);
}

/* Combine what has been loaded of a part. in_step: the lanes of a sub-group do so together. */
USW_INLINE void USW_F(_take_loaded)(const USW_F(_worker) w, const USW_F(_items) * items, USW_F(_blocks_of_worker) part,
                                    int in_step) {
  if (USW_F(_tries))
    USW_F(_visit_on_trial)(w, items, part, in_step);
  else
    USW_F(_visit_groups)(w, items, part);
}

USW_INLINE void USW_F(_take_groups)(const USW_F(_worker) w, USW_F(_blocks_of_worker) part) {
  USW_F(_items) items[USW_F(_in_flight)];
  USW_F(_load_groups)(w, items, part);
  USW_F(_take_loaded)(w, items, part, 0);
}

/* A tile that lies within n and whose elements are aligned. */
USW_INLINE USW_F(_blocks_of_worker) USW_F(_whole_tile)(size_t first, uint32_t known) {
  const USW_F(_blocks_of_worker) part = {first, USW_F(_in_flight), SIZE_MAX, 1, known};
  return part;
}

/* Visit one: the hot loop's body. */
USW_INLINE void USW_F(_visit_tile)(const USW_F(_worker) w, size_t first, uint32_t known) {
  USW_F(_blocks_of_worker) part = USW_F(_whole_tile)(first, known);
  if (USW_F(_block) < 8 || known == USW_F(_known_best)) {
    USW_F(_take_groups)(w, part);
    return;
  }
  part.groups = 1; /* so many items' indices at once are too many registers */
#pragma nounroll
  for (size_t u = 0; u < USW_F(_in_flight); u++) {
    part.first = first + u * USW_F(_group_items)(w);
    USW_F(_take_groups)(w, part);
  }
}

/* Between a tile and the next. */
USW_INLINE void USW_F(_leave_tile)(const USW_F(_worker) w) {
  (void)w;
#if USW_AFTER_TILES && USW_SUB_GROUP > 1
  USW_ASSERT(!USW_F(_ordered), "threads that do something together after tiles take the same ones");
  if (USW_IS_TEAMS(w.share))
    USW_F(_after_tile)(w.a);
#endif
}

/* Visit whole tiles, each while the next one's elements are under way: where what is done with them takes as long. Returns the
 * worker's tile after them. */
USW_INLINE size_t USW_F(_visit_tiles_ahead)(const USW_F(_worker) w, size_t whole, uint32_t known) {
  const int in_step = USW_IS_TEAMS(w.share) && !USW_F(_ordered);
  USW_F(_items) items[USW_F(_in_flight)], next[USW_F(_in_flight)];
  size_t tile = w.share.tile;
  if (tile >= whole) /* a branch: what is loaded on condition waits for its address, an argument, longer */
    return tile;
  USW_F(_blocks_of_worker) part = USW_F(_whole_tile)(tile * USW_F(_tile_items)(w) + USW_F(_start_of)(w), known);
  USW_F(_load_groups)(w, items, part);
#pragma nounroll
  do {
    USW_F(_blocks_of_worker) after = part;
    tile += w.share.tile_step;
    after.first += w.share.tile_step * USW_F(_tile_items)(w);
    if (tile < whole)
      USW_F(_load_groups)(w, next, after);
    USW_F(_take_loaded)(w, items, part, in_step);
    USW_F(_leave_tile)(w);
    __builtin_memcpy(items, next, sizeof items);
    part = after;
  } while (tile < whole);
  return tile;
}

USW_INLINE size_t USW_F(_visit_tiles)(const USW_F(_worker) w, size_t whole, uint32_t known) {
  if (USW_F(_loads_ahead) && known == USW_F(_known_best))
    return USW_F(_visit_tiles_ahead)(w, whole, known);
  const size_t tile_items = USW_F(_tile_items)(w), start = USW_F(_start_of)(w);
  size_t tile = w.share.tile;
  for (; tile < whole; tile += w.share.tile_step) {
    USW_F(_visit_tile)(w, tile * tile_items + start, known);
    USW_F(_leave_tile)(w);
  }
  return tile;
}

/* Visit a worker's whole tiles, by the loop that knows most of the space. Returns its tile after them. */
USW_INLINE size_t USW_F(_visit_whole_tiles)(const USW_F(_worker) w, size_t whole) {
  if (USW_F(_known) == USW_F(_known_best) || USW_F(_knows)(w.arguments, USW_F(_known_best)))
    return USW_F(_visit_tiles)(w, whole, USW_F(_known_best));
  if (USW_F(_knows)(w.arguments, USW_F(_known) | USW_SPACE_NARROW))
    return USW_F(_visit_tiles)(w, whole, USW_F(_known) | USW_SPACE_NARROW);
  return USW_F(_visit_tiles)(w, whole, USW_F(_known));
}

/* Visit a tile that may reach beyond n, or whose elements are strided or misaligned, item by item. */
USW_INLINE void USW_F(_visit_any_items)(const USW_F(_worker) w, size_t first) {
  const size_t group = USW_F(_group_items)(w);
#pragma nounroll
  for (size_t u = 0; u < USW_F(_in_flight); u++)
#pragma nounroll
    for (size_t i = first + u * group; i < w.n && i < first + u * group + USW_F(_block); i++)
      USW_F(_visit_item)(w.a, w.s, i, w.arguments);
}

/* The same, `at_a_time` lane groups at a time. Returns where a block begins that n cuts short, or n: it is the worker's last. */
USW_INLINE size_t USW_F(_visit_any_tile)(const USW_F(_worker) w, size_t first, size_t at_a_time, int aligned) {
  const size_t group = USW_F(_group_items)(w), n = w.n;
  size_t cut = n;
  if (USW_F(_heavy) || (!aligned && (USW_F(_one_by_one) || !USW_F(_knows)(w.arguments, USW_SPACE_UNTILED)))) {
    USW_F(_visit_any_items)(w, first);
    return n;
  }
  for (size_t end = first + group * USW_F(_in_flight); first < end; first += at_a_time * group) {
#pragma nounroll
    for (size_t k = 0; k < USW_F(_block); k += USW_F(_at_once)(aligned)) {
      const USW_F(_blocks_of_worker)
          part = {first + k, at_a_time, n, aligned, (uint32_t)(aligned ? USW_F(_known) : USW_SPACE_UNTILED)};
      USW_F(_take_groups)(w, part);
      USW_UNROLL for (size_t u = 0; u < at_a_time;
                      u++) if (first + u * group + k < cut && first + u * group + k + USW_F(_at_once)(aligned) > n)
          cut = first + u * group + k;
    }
  }
  return cut;
}

/* The whole of a reduction of at most one block per worker: short of instructions to fetch. */
USW_INLINE void USW_F(_accumulate_few)(const USW_F(_worker) w) {
  const size_t block = w.share.tile * USW_F(_tile_items)(w) + USW_F(_start_of)(w);
  const size_t end = USW_F(_ends_before)(w.share, w.share.tile + 1) ? 0
                     : block + USW_F(_block) < w.n                  ? block + USW_F(_block)
                                                                    : w.n;
#pragma nounroll
  for (size_t i = block; i < end; i++)
    USW_F(_visit_item)(w.a, w.s, i, w.arguments);
}

/* Everything that one worker does: the whole tiles at full speed, then the last one or those that are not aligned. */
USW_INLINE void USW_F(_accumulate)(const USW_F(_worker) w, int has_aligned_streams) {
  const int aligned = has_aligned_streams && USW_F(_knows)(w.arguments, USW_F(_known));
  const size_t n = w.n, tile_items = USW_F(_tile_items)(w);
  const size_t tiles = aligned && !USW_F(_has_one_loop) ? n / tile_items : 0;
  const size_t start = USW_F(_start_of)(w);
  size_t cut = n;
  /* Not for workers of the clause, which starts slowly anyway. */
  if (USW_IS_TEAMS(w.share) && n <= USW_F(_group_items)(w) && !USW_F(_tries)) {
    USW_F(_accumulate_few)(w);
    return;
  }
  size_t tile = USW_F(_visit_whole_tiles)(w, USW_F(_ends_before)(w.share, tiles) ? w.share.tile_end : tiles);
  /* One jump over all that follows: each would wait for code to be fetched. (Level for kernels that have less of it.) */
  if (USW_F(_tries) && (USW_F(_ends_before)(w.share, tile + 1) || tile * tile_items >= n))
    return;
  if (!USW_F(_tries) && aligned && !USW_F(_ends_before)(w.share, tile + 1) && tile * tile_items < n) /* one at most */
    cut = USW_F(_visit_any_tile)(w, tile * tile_items + start, USW_F(_in_flight), 1);
  /* One loop for both where numbers must fit, which takes many instructions. */
  for (; (USW_F(_tries) || !aligned) && !USW_F(_ends_before)(w.share, tile + 1) && tile * tile_items < n;
       tile += w.share.tile_step)
    cut = USW_F(_visit_any_tile)(w, tile * tile_items + start, USW_F(_strided_groups), 0);
  w.s->usw_on_trial = USW_ASKS;
#pragma nounroll
  for (; cut < n; cut++)
    USW_F(_visit_item)(w.a, w.s, cut, w.arguments);
}
#endif
