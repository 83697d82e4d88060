/* A team's items for kernels with USW_IN_STEP: all threads of the team visit as often, so that the body may use collectives
 * (<upsweep/team.h>). A tile that lies within n is one anyway: every thread has as many items of it. In the last tile, which
 * reaches beyond n, threads without an item visit zeros, and what they combine is forgotten. */

/* Visit item i, or take part where it is none. */
USW_INLINE void USW_F(_visit_or_attend)(const USW_F(_worker) w, size_t i) {
  const USW_F(_arguments) *const arguments = w.arguments;
  const USW_F(_acc) before = *w.a;
  USW_F(_items) own, *const items = &own;
  const int has_item = i < w.n;
  __builtin_memset((void *)items, 0, sizeof *items);
  if (has_item) {
    const USW_F(_index) index USW_UNUSED = USW_F(_index_of)(USW_F(_locate)(i, arguments, 0), arguments, 0);
    const size_t k USW_UNUSED = 0;
    USW_ARGS(USW_LOAD_STRIDED, USW_NOTHING, USW_NOTHING)
  }
  w.s->usw_has_no_item = (uint32_t)!has_item;
  USW_F(_visit_loaded)
  (w.a, w.s, USW_F(_index_of)(USW_F(_locate)(has_item ? i : 0, arguments, 0), arguments, 0), items, 0, arguments, 0);
  if (!has_item)
    *w.a = before;
}

USW_INLINE void USW_F(_accumulate_together)(const USW_F(_worker) w, int has_aligned_streams) {
  const int aligned = has_aligned_streams && USW_F(_knows)(w.arguments, USW_F(_known));
  const size_t group = USW_F(_group_items)(w), tile_items = USW_F(_tile_items)(w);
  w.s->usw_in_team = 1;
  w.s->usw_has_no_item = 0;
  size_t tile = USW_F(_visit_whole_tiles)(w, aligned ? w.n / tile_items : 0);
  for (; tile * tile_items < w.n; tile += w.share.tile_step)
#pragma nounroll
    for (size_t u = 0; u < USW_F(_in_flight) * (size_t)USW_F(_block); u++)
      USW_F(_visit_or_attend)(w,
                              tile * tile_items + USW_F(_start_of)(w) + u / USW_F(_block) * group + u % USW_F(_block));
}
