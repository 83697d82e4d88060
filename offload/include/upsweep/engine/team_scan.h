/* The GPU's part of a scan: one launch, each item read once and each output written once.
 *
 * Tiles are taken in order, by tickets if need be, so that whoever waits for a tile of a lower number waits for one that is under way or
 * done. A tile tells what its items come to as soon as it knows. What is before it is then put together from three levels of 32: the tiles of
 * its group before it, the groups of its row before its own, and what is before the row, which the last tile of the row before tells; the
 * last tile of a group tells what the group comes to. All of it depends on numbers of tiles alone: look-back by whatever has come first (Merrill, Garland, 2016)
 * would not give floating sums the same bits twice.
 *
 * What is told are words that carry the number of the launch (port.h has the like for one receiver), so that nothing has to be cleared
 * in between, and no fence is needed. */

#ifndef UPSWEEP_ENGINE_TEAM_SCAN_ONCE
#define UPSWEEP_ENGINE_TEAM_SCAN_ONCE
#ifndef USW_SCAN_PATIENCE
#define USW_SCAN_PATIENCE (1u << 24) /* questions in vain after which a team gives up: some seconds */
#endif
#endif

USW_ASSERT(USW_SUB_GROUP == USW_SCAN_WIDTH, "what is before a tile is asked for by one sub-group");
enum {
  USW_F(_part_of_scan) = USW_SUB_GROUP * USW_F(_block) * USW_F(_in_flight), /* of a sub-group */
  USW_F(_tile_of_scan) = USW_SUB_GROUPS * USW_F(_part_of_scan)
};

/* The tile that this team has. */
USW_TEAM_MEMORY uint32_t USW_F(_scan_now);

/* A scan, and the tile that this team is at: by value, as workers are. */
typedef struct {
  const USW_F(_arguments) * arguments;
  size_t n, tile, tiles;
  usw_scan_memory_t *memory;
  uint32_t launch;    /* the number that words carry */
  USW_F(_acc) * bank; /* pinned: the total, what is before the first item, and a word behind these */
  int has_start;
} USW_F(_scan);

/* Where pieces of groups and of rows begin, behind those of tiles. */
USW_INLINE size_t USW_F(_groups_at)(const USW_F(_scan) scan) { return scan.tiles; }
USW_INLINE size_t USW_F(_rows_at)(const USW_F(_scan) scan) {
  return scan.tiles + (scan.tiles + USW_SCAN_WIDTH - 1) / USW_SCAN_WIDTH;
}

USW_INLINE uint64_t *USW_F(_told_at)(const USW_F(_scan) scan, size_t piece) {
  return (uint64_t *)(void *)(scan.memory + 1) + piece * (USW_SCAN_BYTES_TOLD(sizeof(USW_F(_acc))) / 8);
}
USW_INLINE void USW_F(_tell)(const USW_F(_scan) scan, const USW_F(_acc) * a, size_t piece) {
  uint32_t words[2 * USW_F(_pairs)] = {0};
  uint64_t *const to = USW_F(_told_at)(scan, piece);
  const uint64_t tag = (uint64_t)scan.launch << 32;
  __builtin_memcpy(words, (const void *)a, sizeof *a);
  USW_UNROLL for (uint32_t p = 0; p < USW_F(_pairs); p++)
      usw_port_put_pair(&to[2 * p], tag | words[2 * p], tag | words[2 * p + 1]);
}
USW_INLINE int USW_F(_is_told)(const USW_F(_scan) scan, USW_F(_acc) * a, size_t piece) {
  uint32_t words[2 * USW_F(_pairs)];
  uint64_t *const from = USW_F(_told_at)(scan, piece);
  int is_told = 1;
  USW_UNROLL for (uint32_t p = 0; p < USW_F(_pairs); p++) {
    uint64_t first, second;
    usw_port_get_pair(&from[2 * p], &first, &second);
    words[2 * p] = (uint32_t)first;
    words[2 * p + 1] = (uint32_t)second;
    is_told &= first >> 32 == scan.launch && second >> 32 == scan.launch;
  }
  if (is_told)
    __builtin_memcpy((void *)a, words, sizeof *a);
  return is_told;
}

/* A lane's piece, if it asks for one, else the identity. Lanes ask together; *patience is what they have left. */
USW_INLINE void USW_F(_ask)(const USW_F(_scan) scan, USW_F(_acc) * a, size_t piece, int asks, uint32_t *patience) {
  int waits = asks;
  USW_F(_identity)(a);
#pragma nounroll
  while (usw_port_sub_group_any(waits)) {
    if (waits)
      waits = !USW_F(_is_told)(scan, a, piece);
    if (*patience == 0 || --*patience == 0) {
      __atomic_store_n((uint32_t *)(void *)(scan.bank + 2), 1, __ATOMIC_RELAXED);
      break;
    }
  }
}

/* All lanes' accumulators in order, for every lane. */
USW_INLINE void USW_F(_fold_for_all)(USW_F(_acc) * a, uint32_t lane) {
  USW_F(_fold)(a, lane, USW_SUB_GROUP, USW_SUB_GROUP);
  USW_F(_shuffle)(a, a, 0, USW_SUB_GROUP);
}

/* Tell what the tile comes to; the first one's is behind what comes before all. */
USW_INLINE void USW_F(_tell_tile)(const USW_F(_scan) scan, USW_F(_acc) * a, uint32_t lane) {
  if (scan.tile == 0 && scan.has_start) {
    USW_F(_acc) own = scan.bank[1];
    USW_F(_merge)(&own, a);
    *a = own;
  }
  if (lane == 0)
    USW_F(_tell)(scan, a, scan.tile);
}

/* What is before the tile in place of what it comes to. A team's first sub-group asks. */
USW_INLINE void USW_F(_go_behind)(const USW_F(_scan) scan, USW_F(_acc) * a, uint32_t lane) {
  const size_t group = scan.tile / USW_SCAN_WIDTH, row = group / USW_SCAN_WIDTH;
  const uint32_t in_group = (uint32_t)(scan.tile % USW_SCAN_WIDTH), in_row = (uint32_t)(group % USW_SCAN_WIDTH);
  const int ends_group = in_group == USW_SCAN_WIDTH - 1, ends_row = ends_group && in_row == USW_SCAN_WIDTH - 1;
  USW_F(_acc) of_group, tiles, groups, before;
  uint32_t patience = USW_SCAN_PATIENCE;
  USW_F(_ask)(scan, &tiles, group * USW_SCAN_WIDTH + lane, lane < in_group, &patience);
  USW_F(_fold_for_all)(&tiles, lane);
  of_group = tiles;
  USW_F(_merge)(&of_group, a);
  if (ends_group && lane == 0)
    USW_F(_tell)(scan, &of_group, USW_F(_groups_at)(scan) + group);
  USW_F(_ask)(scan, &groups, USW_F(_groups_at)(scan) + row * USW_SCAN_WIDTH + lane, lane < in_row, &patience);
  USW_F(_fold_for_all)(&groups, lane);
  USW_F(_ask)(scan, &before, USW_F(_rows_at)(scan) + row, row > 0, &patience);
  if (ends_row) {
    USW_F(_acc) of_row = groups, all = before;
    USW_F(_merge)(&of_row, &of_group);
    USW_F(_merge)(&all, &of_row);
    if (lane == 0)
      USW_F(_tell)(scan, &all, USW_F(_rows_at)(scan) + row + 1);
  }
  USW_F(_merge)(&groups, &tiles);
  USW_F(_merge)(&before, &groups);
  if (scan.tile == 0 && scan.has_start)
    before = scan.bank[1];
  *a = before;
}

/* ---- tiles ---- */

/* The next ticket of this team's: of thread 0 alone. */
USW_INLINE uint32_t USW_F(_take_ticket)(const USW_F(_scan) scan) {
  return usw_port_add_ticket(&scan.memory->next_ticket, 1) - (uint32_t)scan.arguments->usw_first_ticket;
}

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
      USW_F(_write_scanned)(a, s, first + k, k, scan.arguments, is_whole);
  }
}

/* What is before each of this lane's blocks in the sub-group, in place of what they come to; *through: what all blocks of the sub-group
 * come to. */
USW_INLINE void USW_F(_scan_sub_group)(USW_F(_acc) * part, USW_F(_acc) * through, uint32_t lane) {
  USW_F(_identity)(through);
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_acc) own = part[u], lower;
    USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
      USW_F(_shuffle_up)(&lower, &own, delta, USW_SUB_GROUP);
      if (lane >= delta) {
        USW_F(_merge)(&lower, &own);
        own = lower;
      }
    }
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

/* What the first `count` sub-groups of the tile come to. */
USW_INLINE USW_F(_acc) USW_F(_sub_groups_of_tile)(uint32_t count) {
  USW_F(_acc) all, next;
  USW_F(_identity)(&all);
#pragma nounroll
  for (uint32_t k = 0; k < count; k++) {
    USW_F(_get_value)(&next, k);
    USW_F(_merge)(&all, &next);
  }
  return all;
}

/* A tile; whole: it lies within n, of streams that are contiguous and aligned. Others want to know what it comes to: that goes first. */
USW_INLINE void USW_F(_scan_tile)(const USW_F(_scan) scan, int is_whole) {
  const uint32_t thread = usw_port_thread(), lane = thread % USW_SUB_GROUP;
  const uint32_t sub_group = usw_port_shuffle(thread / USW_SUB_GROUP, 0, USW_SUB_GROUP);
  const size_t group = USW_SUB_GROUP * USW_F(_block);
  const size_t start =
      scan.tile * USW_F(_tile_of_scan) + sub_group * (size_t)USW_F(_part_of_scan) + lane * USW_F(_block);
  USW_F(_items) items[USW_F(_in_flight)];
  USW_F(_acc) part[USW_F(_in_flight)], all, before;
  USW_F(_spans) s;
  s.usw_on_trial = USW_ASKS;
  s.usw_has_no_item = 0;
  USW_F(_identity)(&s.usw_before);
  USW_F(_open_outputs)(&s, scan.arguments);
  USW_F(_load_tile)(scan, items, start, is_whole);
  s.usw_is_mute = 1;
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_identity)(&part[u]);
    USW_F(_scan_block_of_lane)(scan, &part[u], &s, start + u * group, &items[u], is_whole);
  }
  if (USW_F(_ordered))
    USW_F(_scan_sub_group)(part, &all, lane);
  else
    USW_F(_fold_sub_group)(part, &all, lane);
  if (lane == 0)
    USW_F(_put_value)(sub_group, &all);
  usw_port_barrier();
  if (sub_group == 0) {
    all = USW_F(_sub_groups_of_tile)(USW_SUB_GROUPS);
    USW_F(_tell_tile)(scan, &all, lane);
  }
  if (!USW_F(_ordered))
    USW_F(_scan_sub_group)(part, &before, lane);
  if (sub_group == 0) {
    USW_F(_go_behind)(scan, &all, lane);
    if (lane == 0)
      USW_F(_put_value)(USW_SUB_GROUPS, &all);
  }
  before = USW_F(_sub_groups_of_tile)(sub_group);
  usw_port_barrier();
  USW_F(_get_value)(&all, USW_SUB_GROUPS);
  USW_F(_merge)(&all, &before);
  s.usw_is_mute = 0;
  USW_UNROLL for (size_t u = 0; u < USW_F(_in_flight); u++) {
    USW_F(_acc) a = all;
    USW_F(_merge)(&a, &part[u]);
    USW_F(_scan_block_of_lane)(scan, &a, &s, start + u * group, &items[u], is_whole);
    if (start + u * group < scan.n && scan.n - (start + u * group) <= USW_F(_block)) /* the last item's */
      scan.bank[0] = a;
  }
}

/* What every thread of a bare launch runs. Where teams start in the order of their numbers, and there are as many as tiles, numbers are
 * tiles (USW_FINISH_IN_ORDER). */
USW_INLINE void USW_F(_team_body)(USW_LAUNCH_WORDS(USW_WORD_PARAMETER, USW_F(_acc)) USW_F(_arguments) arguments) {
  const size_t tiles = (n + USW_F(_tile_of_scan) - 1) / USW_F(_tile_of_scan);
  const int has_one_tile = usw_port_teams() == tiles;
  USW_F(_scan)
  scan = {&arguments,
          n,
          usw_port_team(),
          tiles,
          (usw_scan_memory_t *)(void *)partials,
          (uint32_t)arguments.usw_launch,
          out,
          records != NULL};
#pragma nounroll
  for (;;) {
    if (finish != USW_FINISH_IN_ORDER) {
      if (usw_port_thread() == 0)
        USW_F(_scan_now) = USW_F(_take_ticket)(scan);
      usw_port_barrier(); /* behind which team memory is free again: all have done with the tile before */
      scan.tile = USW_F(_scan_now);
    }
    if (scan.tile >= tiles)
      break;
    if (aligned && (scan.tile + 1) * USW_F(_tile_of_scan) <= n)
      USW_F(_scan_tile)(scan, 1);
    else
      USW_F(_scan_tile)(scan, 0);
    if (has_one_tile)
      break;
  }
  (void)ticket;
}
