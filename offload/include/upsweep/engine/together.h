/* A team's items for kernels with USW_IN_STEP: all threads of the team visit as often, so that the body may use collectives
 * (<upsweep/team.h>). A tile that lies within n is one anyway: every thread has as many items of it. In the last tile, which
 * reaches beyond n, threads without an item visit zeros, and what they combine is forgotten. */

/* Visit item i, or take part where it is none. */
USW_INLINE void USW_F(_visit_or_attend)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, size_t n,
                                        const USW_F(_arguments) * arguments) {
  const USW_F(_acc) before = *a;
  USW_F(_items) own, *const items = &own;
  const int has_item = i < n;
  __builtin_memset((void *)items, 0, sizeof *items);
  if (has_item) {
    const USW_F(_index) index USW_UNUSED = USW_F(_index_of)(USW_F(_locate)(i, arguments, 0), arguments, 0);
    const size_t k USW_UNUSED = 0;
    USW_ARGS(USW_LOAD_STRIDED, USW_NOTHING, USW_NOTHING)
  }
  s->usw_has_no_item = (uint32_t)!has_item;
  USW_F(_visit_loaded)
  (a, s, USW_F(_index_of)(USW_F(_locate)(has_item ? i : 0, arguments, 0), arguments, 0), items, 0, arguments);
  if (!has_item)
    *a = before;
}

USW_INLINE void USW_F(_accumulate_together)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, USW_F(_share) share,
                                            const USW_F(_arguments) * arguments, int has_aligned_streams) {
  const int aligned = has_aligned_streams && USW_F(_knows)(arguments, USW_F(_known));
  const size_t group = share.unit * USW_F(_block), tile_items = group * USW_F(_in_flight);
  const size_t start = share.lane * USW_F(_block), tiles = aligned ? n / tile_items : 0;
  s->usw_in_team = 1;
  s->usw_has_no_item = 0;
  size_t tile = USW_F(_visit_whole_tiles)(a, s, share.tile, tiles, share, arguments);
  for (; tile * tile_items < n; tile += share.tile_step)
#pragma nounroll
    for (size_t u = 0; u < USW_F(_in_flight) * (size_t)USW_F(_block); u++)
      USW_F(_visit_or_attend)
  (a, s, tile * tile_items + u / USW_F(_block) * group + start + u % USW_F(_block), n, arguments);
}
