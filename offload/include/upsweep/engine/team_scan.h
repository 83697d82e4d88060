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
  int has_start, is_aligned;
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

/* What lanes up to this one, of so many, come to, in place of its own. */
USW_INLINE void USW_F(_scan_lanes)(USW_F(_acc) * own, uint32_t lane, uint32_t lanes) {
  USW_F(_acc) lower;
  USW_UNROLL for (uint32_t delta = 1; delta < lanes; delta *= 2) {
    USW_F(_shuffle_up)(&lower, own, delta, USW_SUB_GROUP);
    if (lane >= delta) {
      USW_F(_merge)(&lower, own);
      *own = lower;
    }
  }
}

/* Sub-groups leave what their items come to, which lane 0 has, for the first one. It tells what the tile comes to; each of its lanes has what
 * the sub-groups up to the lane's come to. */
USW_INLINE USW_F(_acc)
    USW_F(_tell_of_team)(const USW_F(_scan) scan, const USW_F(_acc) * of_sub_group, uint32_t sub_group, uint32_t lane) {
  USW_F(_acc) through, all;
  USW_F(_identity)(&through);
  if (lane == 0)
    USW_F(_put_value)(sub_group, of_sub_group);
  usw_port_barrier();
  if (sub_group == 0) {
    if (lane < USW_SUB_GROUPS)
      USW_F(_get_value)(&through, lane);
    USW_F(_scan_lanes)(&through, lane, USW_SUB_GROUPS);
    USW_F(_shuffle)(&all, &through, USW_SUB_GROUPS - 1, USW_SUB_GROUP);
    USW_F(_tell_tile)(scan, &all, lane);
  }
  return through;
}

/* What is before the items of this sub-group; through: as _tell_of_team() has returned it. */
USW_INLINE USW_F(_acc)
    USW_F(_before_sub_group)(const USW_F(_scan) scan, USW_F(_acc) through, uint32_t sub_group, uint32_t lane) {
  USW_F(_acc) before, lower;
  if (sub_group == 0) {
    USW_F(_shuffle)(&before, &through, USW_SUB_GROUPS - 1, USW_SUB_GROUP);
    USW_F(_go_behind)(scan, &before, lane);
    USW_F(_shuffle_up)(&lower, &through, 1, USW_SUB_GROUP);
    if (lane > 0)
      USW_F(_merge)(&before, &lower);
    if (lane < USW_SUB_GROUPS)
      USW_F(_put_value)(lane, &before);
  }
  usw_port_barrier();
  USW_F(_get_value)(&before, sub_group);
  return before;
}

USW_INLINE USW_F(_spans) USW_F(_spans_of_scan)(const USW_F(_scan) scan) {
  USW_F(_spans) s;
  s.usw_on_trial = USW_ASKS;
  s.usw_has_no_item = 0;
  s.usw_is_mute = 1;
  USW_F(_identity)(&s.usw_before);
  USW_F(_open_outputs)(&s, scan.arguments);
  return s;
}

#if USW_SELECTS
#include <upsweep/engine/scan_select.h>
#elif USW_SCANS_BY_LANES
#include <upsweep/engine/scan_lanes.h>
#else
#include <upsweep/engine/scan_blocks.h>
#endif

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
          records != NULL,
          aligned != 0};
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
    USW_F(_scan_tile)(scan, aligned && (scan.tile + 1) * USW_F(_tile_of_scan) <= n);
    if (has_one_tile)
      break;
  }
  (void)ticket;
}
