/* A tile of a selection (offload/shapes/select.h): each lane counts its flags, and tells others of its team, and teams each other, how many there
 * are. Elements wait on the stage (scan_stage.h), and are written side by side. */
#include <upsweep/engine/scan_stage.h>

#ifndef UPSWEEP_ENGINE_SCAN_SELECT_ONCE
#define UPSWEEP_ENGINE_SCAN_SELECT_ONCE
/* Where one element of so many is chosen, or more, all are loaded while the tile waits; else those alone, when it has waited. */
#ifndef USW_SPARSE
#define USW_SPARSE 4
#endif
/* Bit k: byte k of a word is not zero. */
USW_INLINE uint32_t usw_bytes_set(uint32_t word) {
  const uint32_t highest = (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u;
  return (highest >> 7) * 0x10204080u >> 28;
}
#endif

/* The flags of a block of a tile that is whole, as bits. */
USW_INLINE uint32_t USW_F(_bits_of)(const uint8_t *flags) {
  uint32_t bits = 0;
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_block); k += 4) {
    uint32_t word = 0;
    __builtin_memcpy(&word, flags + k, USW_F(_block) < 4 ? USW_F(_block) : 4);
    bits |= usw_bytes_set(word) << k;
  }
  return bits;
}
/* Those of all blocks, for the lanes that have them next to each other: bit k is that of item k of this lane's. */
USW_INLINE uint32_t USW_F(_flags_of_lane)(const USW_F(_scan) scan, const USW_F(_lane) at, int is_whole) {
  const uint8_t *const flags = scan.arguments->flag;
  uint32_t bits = 0;
  if (is_whole) {
    uint8_t blocks[USW_F(_in_flight)][USW_F(_block)];
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) {
      const size_t first = at.part + (u * USW_SUB_GROUP + at.lane) * (size_t)USW_F(_block);
      __builtin_memcpy(blocks[u], __builtin_assume_aligned(flags + first, USW_BLOCK_BOUNDARY(uint8_t)), sizeof *blocks);
    }
    USW_UNROLL for (uint32_t u = 0; u < USW_F(_in_flight); u++) USW_NUMBER(at.sub_group, u * USW_SUB_GROUP + at.lane) =
        (uint16_t)USW_F(_bits_of)(blocks[u]);
    usw_port_sub_group_sync();
    bits = USW_F(_bits_of_lane)(at);
    usw_port_sub_group_sync();
    return bits;
  }
#pragma nounroll
  for (uint32_t k = 0; k < USW_F(_lane_items) && at.first + k < scan.n; k++)
    bits |= (uint32_t)(flags[(ptrdiff_t)(at.first + k) * scan.arguments->usw_stride_flag] != 0) << k;
  return bits;
}

/* How many lanes up to this one have chosen. */
USW_INLINE uint32_t USW_F(_count_lanes)(uint32_t count, uint32_t lane) {
  USW_UNROLL for (uint32_t delta = 1; delta < USW_SUB_GROUP; delta *= 2) {
    const uint32_t lower = usw_port_shuffle_up(count, delta, USW_SUB_GROUP);
    count += lane >= delta ? lower : 0;
  }
  return count;
}

/* Numbers of the sub-group's items whose elements are chosen, in order; this lane's are those of `bits`, and begin with number `own`. */
USW_INLINE void USW_F(_number_chosen)(const USW_F(_lane) at, uint32_t bits, uint32_t own) {
  USW_UNROLL for (uint32_t k = 0; k < USW_F(_lane_items); k++) {
    if (bits >> k & 1)
      USW_NUMBER(at.sub_group, USW_SPREAD(own)) = (uint16_t)(at.lane * USW_F(_lane_items) + k);
    own += bits >> k & 1;
  }
  usw_port_sub_group_sync();
}
/* These `count` elements, from the stage or from memory, behind `before` others. */
USW_INLINE void USW_F(_write_chosen)(const USW_F(_scan) scan, const USW_F(_lane) at, uint32_t count, size_t before,
                                     int is_staged) {
  const USW_F(_arguments) *const arguments = scan.arguments;
#pragma clang loop unroll_count(4)
  for (uint32_t r = at.lane; r < count; r += USW_SUB_GROUP) {
    const uint32_t k = USW_NUMBER(at.sub_group, USW_SPREAD(r));
    USW_F(_result_type) *const to = arguments->result + (ptrdiff_t)(before + r) * arguments->usw_stride_result;
    if (is_staged)
      USW_F(_give_result)(at, k, to);
    else
      *to = arguments->x[(ptrdiff_t)(at.part + k) * arguments->usw_stride_x];
  }
}

/* A tile; whole: it lies within n, of streams that are contiguous and aligned. */
USW_INLINE void USW_F(_scan_tile)(const USW_F(_scan) scan, int is_whole) {
  const USW_F(_lane) at = USW_F(_lane_of)(scan.tile);
  USW_F(_acc) of_sub_group, all;
  const uint32_t bits = USW_F(_flags_of_lane)(scan, at, is_whole), own = (uint32_t)__builtin_popcount(bits);
  const uint32_t through = USW_F(_count_lanes)(own, at.lane);
  const uint32_t count = usw_port_shuffle(through, USW_SUB_GROUP - 1, USW_SUB_GROUP);
  const int is_staged = is_whole && count * USW_SPARSE >= USW_F(_part_of_scan);
  if (is_staged)
    USW_F(_fill_stage)(scan, at, 1);
  USW_F(_identity)(&of_sub_group);
  of_sub_group.kept = count;
  all = USW_F(_tell_of_team)(scan, &of_sub_group, at.sub_group, at.lane);
  all = USW_F(_before_sub_group)(scan, all, at.sub_group, at.lane);
  USW_F(_number_chosen)(at, bits, through - own);
  if (is_staged) {
    USW_F(_await_stage)();
    USW_F(_write_chosen)(scan, at, count, all.kept, 1);
  } else {
    USW_F(_write_chosen)(scan, at, count, all.kept, 0);
  }
  if (at.part < scan.n && scan.n - at.part <= USW_F(_part_of_scan) && at.lane == 0) { /* the last item's sub-group */
    USW_F(_merge)(&all, &of_sub_group);
    scan.bank[0] = all;
  }
}
