/* Items to threads: which items a worker visits, and how their elements are loaded.
 *
 * Items are taken in blocks: the fewest contiguous items whose elements fill 16 bytes of every input, so that aligned
 * contiguous inputs are read 16 bytes at a time. A tile is `in_flight` blocks per worker, all loaded before the first
 * is visited. Which items a worker visits, and in which order, depends on indices alone: alignment and strides change
 * how an element is loaded, never what is added to what. Where an item lies in a space of more dimensions, index.h says. */

#ifndef UPSWEEP_ENGINE_MAP_ONCE
#define UPSWEEP_ENGINE_MAP_ONCE

#ifndef USW_BYTES_IN_FLIGHT
#define USW_BYTES_IN_FLIGHT 64 /* per worker; measured in perf/baselines */
#endif
#ifndef USW_ITEMS_IN_FLIGHT
#define USW_ITEMS_IN_FLIGHT 4 /* the same where items have no input */
#endif
#ifndef USW_LIGHT_BYTES
#define USW_LIGHT_BYTES 64 /* an accumulator up to this */
#endif
#define USW_LOW_BIT(bytes) ((bytes) & -(bytes))
#define USW_HIGH_BIT(mask) ((mask) >= 16 ? 16 : (mask) >= 8 ? 8 : (mask) >= 4 ? 4 : (mask) >= 2 ? 2 : 1)
#define USW_BLOCK_OF(bytes) (USW_LOW_BIT(bytes) >= 16 ? 1 : 16 / USW_LOW_BIT(bytes))
#define USW_CLAMP(low, x, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

#define USW_NOTHING(T, n)
#define USW_COUNT_ONE(T, n) +1
#define USW_ADD_BYTES(T, n) +(int)sizeof(T)
#define USW_OR_BLOCK(T, n) | USW_BLOCK_OF((int)sizeof(T))
#define USW_MEMBER_IN(T, n)                                                                                            \
  const T *n;                                                                                                          \
  ptrdiff_t usw_stride_##n;
#define USW_MEMBER_ARRAY(T, n) const T *n;
#define USW_MEMBER_VALUE(T, n) T n;
#define USW_SPACE_MEMBER USW_CAT(USW_SPACE_MEMBER_, USW_DIMENSIONS)
#define USW_SPACE_MEMBER_1
#define USW_SPACE_MEMBER_2 usw_layout_t usw_space;
#define USW_SPACE_MEMBER_3 usw_layout_t usw_space;
#define USW_BUFFER_IN(T, n) T n[USW_F(_block)];
#define USW_LOAD_ALIGNED(T, n) items->n[k] = ((const T *)__builtin_assume_aligned(arguments->n + first, 16))[k];
#define USW_LOAD_BLOCK(T, n)                                                                                           \
  __builtin_memcpy(items->n, __builtin_assume_aligned(arguments->n + first, 16), sizeof items->n);
#define USW_LOAD_STRIDED(T, n) items->n[k] = arguments->n[USW_ELEMENT(index) * arguments->usw_stride_##n];
#define USW_S_EXTENT_MEMBER(T, n, ...) uint64_t usw_extent_##n;
#define USW_VISIT_BLOCK_IN(T, n) , items->n[k]
#define USW_POINTERS_IN(T, n) const T *rows_of_##n[USW_F(_in_flight)];
#define USW_POINT_IN(T, n) rows_of_##n[u] = items[u].n;
#define USW_VISIT_GROUPS_IN(T, n) , rows_of_##n
#define USW_VISIT_ONE_IN(T, n) , arguments->n[USW_ELEMENT(index) * arguments->usw_stride_##n]
#define USW_VISIT_NEXT_IN(T, n) , arguments->n[USW_ELEMENT(index)]
#define USW_VISIT_OTHER(T, n) , arguments->n
#endif

/* Arguments as the engine hands them around: a stream is its address and its stride in elements. */
typedef struct {
  USW_SPACE_MEMBER
  USW_ARGS(USW_MEMBER_IN, USW_MEMBER_ARRAY, USW_MEMBER_VALUE)
  USW_REDUCERS(USW_R_NOTHING, USW_S_EXTENT_MEMBER)
  char usw_end;
} USW_F(_arguments);

enum {
  USW_F(_inputs) = 0 USW_ARGS(USW_COUNT_ONE, USW_NOTHING, USW_NOTHING),
  USW_F(_item_bytes) = 0 USW_ARGS(USW_ADD_BYTES, USW_NOTHING, USW_NOTHING),
  USW_F(_block) = USW_HIGH_BIT(1 USW_ARGS(USW_OR_BLOCK, USW_NOTHING, USW_NOTHING)),
  USW_F(_block_bytes) = USW_F(_item_bytes) * USW_F(_block),
  /* Many instructions an item, each copy of which the compiler works on for long: few copies will do. */
  USW_F(_heavy) = USW_F(_span_count) > 0 || (sizeof(USW_F(_acc)) > USW_LIGHT_BYTES && !USW_F(_tries)),
  /* Those that say so; and those with one window, whose work on a tile, mostly of 8 items, is to hide the next one's loads. */
  USW_F(_loads_ahead) = USW_LOADS_AHEAD || (USW_F(_tries) && sizeof(USW_F(_acc)) <= sizeof(usw_bins_d_t)),
  USW_F(_in_flight) =
      USW_CLAMP(1,
                USW_F(_item_bytes) == 0 ? USW_ITEMS_IN_FLIGHT
                                        : USW_BYTES_IN_FLIGHT / (USW_F(_block_bytes) + !USW_F(_block_bytes)),
                USW_F(_loads_ahead) && USW_F(_tries)    ? (8 + USW_F(_block) - 1) / USW_F(_block)
                : USW_F(_tries) && USW_F(_block) >= 8   ? 1
                : USW_F(_by_blocks)                     ? 8
                : sizeof(USW_F(_acc)) > USW_LIGHT_BYTES ? 8 / USW_F(_block) + 1
                                                        : 8),
  /* Of a block whose elements are loaded one by one. The addresses of more would be most of the registers of a kernel that
   * takes blocks at once: a team less on a multiprocessor. */
  USW_F(_strided_items) = USW_F(_by_blocks) && USW_F(_block) > 8 ? 8 : USW_F(_block),
  /* A tile is whole groups of as many: groups behind it are the next tile's. */
  USW_F(_strided_groups) = USW_F(_block) >= 8 || USW_F(_in_flight) % 2 != 0 ? 1 : 2,
  /* Items that load for themselves, one at a time: a loop of their own for whole tiles would be the same once more. */
  USW_F(_has_one_loop) = USW_F(_tries) && USW_F(_item_bytes) == 0 && USW_F(_in_flight) == 1
};

#include <upsweep/engine/index.h>

/* Visit the item of an index, of inputs that are contiguous or strided. */
USW_INLINE void USW_F(_visit_index)(USW_F(_acc) * a, USW_F(_spans) * s, USW_F(_index) index,
                                    const USW_F(_arguments) * arguments USW_UNUSED, int contiguous) {
  if (contiguous)
    USW_F(_visit)(a, s,
                  USW_INDICES(index) USW_ARGS(USW_VISIT_NEXT_IN, USW_VISIT_OTHER, USW_VISIT_OTHER)
                      USW_REDUCERS(USW_R_PASS, USW_S_PASS));
  else
    USW_F(_visit)(a, s,
                  USW_INDICES(index) USW_ARGS(USW_VISIT_ONE_IN, USW_VISIT_OTHER, USW_VISIT_OTHER)
                      USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

#if USW_HAS_REGIONS || defined(USW_PORT_SIMT)

/* Visit item i, wherever it lies. */
USW_INLINE void USW_F(_visit_item)(USW_F(_acc) * a, USW_F(_spans) * s, size_t i, const USW_F(_arguments) * arguments) {
  USW_F(_visit_index)(a, s, USW_F(_index_of)(USW_F(_locate)(i, arguments, 0), arguments, 0), arguments, 0);
}

/* The elements of one block of items. */
typedef struct {
  USW_ARGS(USW_BUFFER_IN, USW_NOTHING, USW_NOTHING)
  char usw_end;
} USW_F(_items);

/* How many items of a block are loaded at once. */
USW_INLINE size_t USW_F(_at_once)(int aligned) { return aligned ? USW_F(_block) : USW_F(_strided_items); }

USW_INLINE void USW_F(_load)(USW_F(_items) * items USW_UNUSED, size_t first USW_UNUSED, size_t count,
                             const USW_F(_arguments) * arguments USW_UNUSED, int aligned) {
  if (USW_F(_by_blocks) && aligned) { /* as words, which such a kernel wants */
    USW_ARGS(USW_LOAD_BLOCK, USW_NOTHING, USW_NOTHING)
    return;
  }
  USW_F(_index) position = USW_F(_locate)(first, arguments, USW_SPACE_UNTILED);
#pragma unroll
  for (size_t k = 0; k < count; k++) {
    position = USW_F(_kth)(position, k, first + k, arguments, USW_SPACE_UNTILED);
    const USW_F(_index) index USW_UNUSED = USW_F(_index_of)(position, arguments, USW_SPACE_UNTILED);
    if (aligned) {
      USW_ARGS(USW_LOAD_ALIGNED, USW_NOTHING, USW_NOTHING)
    } else {
      USW_ARGS(USW_LOAD_STRIDED, USW_NOTHING, USW_NOTHING)
    }
  }
}

/* Those of a block that n cuts short. */
USW_INLINE void USW_F(_load_some)(USW_F(_items) * items USW_UNUSED, size_t first, size_t n,
                                  const USW_F(_arguments) * arguments USW_UNUSED) {
  USW_F(_index) position = USW_F(_locate)(first, arguments, USW_SPACE_UNTILED);
#pragma unroll
  for (size_t k = 0; k < USW_F(_block); k++) {
    position = USW_F(_kth)(position, k, first + k, arguments, USW_SPACE_UNTILED);
    const USW_F(_index) index USW_UNUSED = USW_F(_index_of)(position, arguments, USW_SPACE_UNTILED);
    if (first + k < n) {
      USW_ARGS(USW_LOAD_STRIDED, USW_NOTHING, USW_NOTHING)
    }
  }
}

/* Visit the item of an index, the k-th of a block. */
USW_INLINE void USW_F(_visit_loaded)(USW_F(_acc) * a, USW_F(_spans) * s, USW_F(_index) index,
                                     const USW_F(_items) * items USW_UNUSED, size_t k USW_UNUSED,
                                     const USW_F(_arguments) * arguments USW_UNUSED) {
  USW_F(_visit)(a, s,
                USW_INDICES(index) USW_ARGS(USW_VISIT_BLOCK_IN, USW_VISIT_OTHER, USW_VISIT_OTHER)
                    USW_REDUCERS(USW_R_PASS, USW_S_PASS));
}

/* `known`: what is known of the space (index.h). */
USW_INLINE void USW_F(_visit_items)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, const USW_F(_items) * items,
                                    size_t count, const USW_F(_arguments) * arguments, uint32_t known) {
  USW_F(_index) position = USW_F(_locate)(first, arguments, known);
#pragma unroll
  for (size_t k = 0; k < count; k++) {
    position = USW_F(_kth)(position, k, first + k, arguments, known);
    USW_F(_visit_loaded)(a, s, USW_F(_index_of)(position, arguments, known), items, k, arguments);
  }
}

/* Who does what: a tile is in_flight groups of `unit` blocks; a worker's block of a group is the one numbered `lane`.
 * The worker takes every tile_step-th tile, from `tile` on; up to tile_end where the kernel is ordered. */
typedef struct {
  size_t tile, tile_end, tile_step, lane, unit;
} USW_F(_share);

/* The share of a thread of a team. In order: tiles of its own, one after the other, behind those of the thread before. */
USW_INLINE USW_F(_share) USW_F(_share_of)(size_t n, size_t team, size_t teams, size_t thread, size_t team_size) {
  USW_F(_share) share = {team, SIZE_MAX, teams, thread, team_size};
  if (USW_F(_ordered)) {
    const size_t tile_items = (size_t)USW_F(_block) * USW_F(_in_flight), tiles = (n + tile_items - 1) / tile_items;
    const size_t workers = teams * team_size, worker = team * team_size + thread, more = tiles % workers;
    share.tile = tiles / workers * worker + (worker < more ? worker : more);
    share.tile_end = share.tile + tiles / workers + (worker < more);
    share.tile_step = share.unit = 1;
    share.lane = 0;
  }
  return share;
}

/* Whether x of any lane of a sub-at_a_time, whose lanes are in step; else whether x. Lanes that branch by the former stay together: there
 * is nothing to bring them back (2 to 3 % of a reproducible sum of 2^20 doubles on an H200). */
USW_INLINE int USW_F(_any)(int x, int in_step) {
#if USW_SUB_GROUP > 1
  if (in_step)
    return usw_port_sub_group_any(x);
#endif
  (void)in_step;
  return x;
}

/* Whether it is one of a bare team, whose threads take the same tiles; workers of the clause go their own ways. (Unoptimized code
 * does not know.) */
#define USW_IS_TEAMS(share) __builtin_constant_p((share).unit)

/* Whether the share's tiles end before that one: asked only where the kernel is ordered. */
USW_INLINE int USW_F(_ends_before)(USW_F(_share) share, size_t tile) {
  return USW_F(_ordered) && share.tile_end < tile;
}

/* Load some groups of a tile, then visit them; but for blocks that n cuts short. */
USW_INLINE void USW_F(_load_groups)(USW_F(_items) * items, size_t n, size_t first, size_t group, size_t groups,
                                    const USW_F(_arguments) * arguments, int aligned) {
#pragma unroll
  for (size_t u = 0; u < groups; u++)
    if (first + u * group + USW_F(_at_once)(aligned) <= n)
      USW_F(_load)(&items[u], first + u * group, USW_F(_at_once)(aligned), arguments, aligned);
}
/* The items of whole groups: by the body for many of them where the kernel has one and they are contiguous. */
USW_INLINE void USW_F(_visit_whole_groups)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_items) * items,
                                           size_t first, size_t group, size_t groups,
                                           const USW_F(_arguments) * arguments, int aligned, uint32_t known) {
#if USW_BY_BLOCKS
  if (aligned) {
    USW_ARGS(USW_POINTERS_IN, USW_NOTHING, USW_NOTHING)
#pragma unroll
    for (size_t u = 0; u < groups; u++) {
      USW_ARGS(USW_POINT_IN, USW_NOTHING, USW_NOTHING)
    }
    USW_F(_visit_many)(a, s, first, group, groups USW_ARGS(USW_VISIT_GROUPS_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
    return;
  }
#endif
#pragma unroll
  for (size_t u = 0; u < groups; u++)
    USW_F(_visit_items)(a, s, first + u * group, &items[u], USW_F(_at_once)(aligned), arguments, known);
}
USW_INLINE void USW_F(_visit_groups)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_items) * items, size_t n,
                                     size_t first, size_t group, size_t groups, const USW_F(_arguments) * arguments,
                                     int aligned, uint32_t known) {
  /* All groups at once only where all are known to be whole. */
  const size_t at_a_time = USW_F(_by_blocks) && __builtin_constant_p(n) && n == SIZE_MAX ? groups : 1;
#pragma unroll
  for (size_t u = 0; u < groups; u += at_a_time)
    if (first + u * group + USW_F(_at_once)(aligned) <= n)
      USW_F(_visit_whole_groups)(a, s, &items[u], first + u * group, group, at_a_time, arguments, aligned, known);
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

/* Visit them; where numbers must fit a window, measure them before. Those that none fits are added one by one, and those that
 * come to a full sum, which carries then. */
USW_INLINE void USW_F(_take_loaded)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_items) * items, size_t n,
                                    size_t first, size_t group, size_t groups, const USW_F(_arguments) * arguments,
                                    int aligned, uint32_t known, int in_step) {
  if (!USW_F(_tries)) {
    USW_F(_visit_groups)(a, s, items, n, first, group, groups, arguments, aligned, known);
    return;
  }
  USW_F(_acc) trial;
  USW_F(_begin_trial)(&trial, a);
  s->usw_on_trial = USW_MEASURES;
  USW_F(_visit_groups)(&trial, s, items, n, first, group, groups, arguments, aligned, known);
  int is_known = 1;
  if (USW_F(_any)(!USW_F(_end_trial)(&trial) | USW_F(_is_full)(a), in_step))
    is_known = !USW_F(_any)(!USW_F(_learn)(a, &trial) | USW_F(_is_full)(a), in_step);
  if (is_known) {
    s->usw_on_trial = USW_TRIES;
    USW_F(_go_on_with)(&trial, a);
    USW_F(_visit_groups)(&trial, s, items, n, first, group, groups, arguments, aligned, known);
    USW_F(_go_on_from)(a, &trial);
    return;
  }
  s->usw_on_trial = USW_ASKS;
#pragma nounroll
  for (size_t k = 0; k < groups * USW_F(_at_once)(aligned); k++) {
    const size_t block = first + k / USW_F(_at_once)(aligned) * group;
    if (block + USW_F(_at_once)(aligned) <= n)
      USW_F(_visit_item)(a, s, block + k % USW_F(_at_once)(aligned), arguments);
  }
}

USW_INLINE void USW_F(_take_groups)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, size_t first, size_t group,
                                    size_t groups, const USW_F(_arguments) * arguments, int aligned, uint32_t known) {
  USW_F(_items) items[USW_F(_in_flight)];
  USW_F(_load_groups)(items, n, first, group, groups, arguments, aligned);
  USW_F(_take_loaded)(a, s, items, n, first, group, groups, arguments, aligned, known, 0);
}

/* Visit one tile that lies within n and whose elements are aligned: the hot loop's body. */
USW_INLINE void USW_F(_visit_tile)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t group,
                                   const USW_F(_arguments) * arguments, uint32_t known) {
  if (USW_F(_block) >= 8 && known != USW_F(_known_best)) { /* so many items' indices at once are too many registers */
#pragma nounroll
    for (size_t u = 0; u < USW_F(_in_flight); u++)
      USW_F(_take_groups)(a, s, SIZE_MAX, first + u * group, group, 1, arguments, 1, known);
    return;
  }
  USW_F(_take_groups)(a, s, SIZE_MAX, first, group, USW_F(_in_flight), arguments, 1, known);
}

/* Between a tile and the next. */
USW_INLINE void USW_F(_leave_tile)(USW_F(_acc) * a, USW_F(_share) share) {
  (void)a, (void)share;
#if USW_AFTER_TILES && USW_SUB_GROUP > 1
  USW_ASSERT(!USW_F(_ordered), "threads that do something together after tiles take the same ones");
  if (USW_IS_TEAMS(share))
    USW_F(_after_tile)(a);
#endif
}

/* Visit tiles so, each while the next one's elements are under way: where what is done with them takes as long. */
USW_INLINE size_t USW_F(_visit_tiles_ahead)(USW_F(_acc) * a, USW_F(_spans) * s, size_t tile, size_t whole,
                                            USW_F(_share) share, const USW_F(_arguments) * arguments, uint32_t known) {
  const size_t group = share.unit * USW_F(_block), tile_items = group * USW_F(_in_flight);
  const int in_step = USW_IS_TEAMS(share) && !USW_F(_ordered);
  USW_F(_items) items[USW_F(_in_flight)], next[USW_F(_in_flight)];
  size_t first = tile * tile_items + share.lane * USW_F(_block);
  if (tile >= whole) /* a branch: what is loaded on condition waits for its address, an argument, longer */
    return tile;
  USW_F(_load_groups)(items, SIZE_MAX, first, group, USW_F(_in_flight), arguments, 1);
#pragma nounroll
  do {
    const size_t here = first;
    tile += share.tile_step;
    first += share.tile_step * tile_items;
    if (tile < whole)
      USW_F(_load_groups)(next, SIZE_MAX, first, group, USW_F(_in_flight), arguments, 1);
    USW_F(_take_loaded)(a, s, items, SIZE_MAX, here, group, USW_F(_in_flight), arguments, 1, known, in_step);
    USW_F(_leave_tile)(a, share);
    __builtin_memcpy(items, next, sizeof items);
  } while (tile < whole);
  return tile;
}

USW_INLINE size_t USW_F(_visit_tiles)(USW_F(_acc) * a, USW_F(_spans) * s, size_t tile, size_t whole,
                                      USW_F(_share) share, const USW_F(_arguments) * arguments, uint32_t known) {
  const size_t group = share.unit * USW_F(_block), tile_items = group * USW_F(_in_flight);
  if (USW_F(_loads_ahead) && known == USW_F(_known_best))
    return USW_F(_visit_tiles_ahead)(a, s, tile, whole, share, arguments, known);
  for (; tile < whole; tile += share.tile_step) {
    USW_F(_visit_tile)(a, s, tile * tile_items + share.lane * USW_F(_block), group, arguments, known);
    USW_F(_leave_tile)(a, share);
  }
  return tile;
}

/* Visit a worker's whole tiles, by the loop that knows most of the space. Returns its tile after them. */
USW_INLINE size_t USW_F(_visit_whole_tiles)(USW_F(_acc) * a, USW_F(_spans) * s, size_t tile, size_t whole,
                                            USW_F(_share) share, const USW_F(_arguments) * arguments) {
  if (USW_F(_known) == USW_F(_known_best) || USW_F(_knows)(arguments, USW_F(_known_best)))
    return USW_F(_visit_tiles)(a, s, tile, whole, share, arguments, USW_F(_known_best));
  if (USW_F(_knows)(arguments, USW_F(_known) | USW_SPACE_NARROW))
    return USW_F(_visit_tiles)(a, s, tile, whole, share, arguments, USW_F(_known) | USW_SPACE_NARROW);
  return USW_F(_visit_tiles)(a, s, tile, whole, share, arguments, USW_F(_known));
}

/* Visit one tile that may reach beyond n, or whose elements are strided or misaligned, `at_a_time` groups at a time.
 * Returns where a block begins that n cuts short, or n: it is the worker's last. */
USW_INLINE size_t USW_F(_visit_any_tile)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, size_t first, size_t group,
                                         size_t at_a_time, const USW_F(_arguments) * arguments, int aligned) {
  size_t cut = n;
  if (USW_F(_heavy) || (!aligned && (USW_F(_one_by_one) || !USW_F(_knows)(arguments, USW_SPACE_UNTILED)))) {
#pragma nounroll
    for (size_t u = 0; u < USW_F(_in_flight); u++)
#pragma nounroll
      for (size_t i = first + u * group; i < n && i < first + u * group + USW_F(_block); i++)
        USW_F(_visit_item)(a, s, i, arguments);
    return n;
  }
  for (size_t end = first + group * USW_F(_in_flight); first < end; first += at_a_time * group) {
#pragma nounroll
    for (size_t k = 0; k < USW_F(_block); k += USW_F(_at_once)(aligned)) {
      USW_F(_take_groups)
      (a, s, n, first + k, group, at_a_time, arguments, aligned, aligned ? USW_F(_known) : USW_SPACE_UNTILED);
#pragma unroll
      for (size_t u = 0; u < at_a_time; u++)
        if (first + u * group + k < cut && first + u * group + k + USW_F(_at_once)(aligned) > n)
          cut = first + u * group + k;
    }
  }
  return cut;
}

/* Everything that one worker does: the whole tiles at full speed, then the last one or those that are not aligned. */
USW_INLINE void USW_F(_accumulate)(USW_F(_acc) * a, USW_F(_spans) * s, size_t n, USW_F(_share) share,
                                   const USW_F(_arguments) * arguments, int has_aligned_streams) {
  const int aligned = has_aligned_streams && USW_F(_knows)(arguments, USW_F(_known));
  const size_t group = share.unit * USW_F(_block), tile_items = group * USW_F(_in_flight);
  const size_t start = share.lane * USW_F(_block), tiles = aligned && !USW_F(_has_one_loop) ? n / tile_items : 0;
  const size_t whole = USW_F(_ends_before)(share, tiles) ? share.tile_end : tiles;
  size_t tile = share.tile;
  size_t cut = n;
  /* At most one block per worker: short of instructions to fetch. Not for workers of the clause, which starts slowly anyway. */
  if (USW_IS_TEAMS(share) && n <= group && !USW_F(_tries)) {
    const size_t block = tile * tile_items + start;
    const size_t block_end = USW_F(_ends_before)(share, tile + 1) ? 0
                             : block + USW_F(_block) < n          ? block + USW_F(_block)
                                                                  : n;
#pragma nounroll
    for (size_t i = block; i < block_end; i++)
      USW_F(_visit_item)(a, s, i, arguments);
    return;
  }
  tile = USW_F(_visit_whole_tiles)(a, s, tile, whole, share, arguments);
  /* One jump over all that follows: each would wait for code to be fetched. (Level for kernels that have less of it.) */
  if (USW_F(_tries) && (USW_F(_ends_before)(share, tile + 1) || tile * tile_items >= n))
    return;
  if (!USW_F(_tries) && aligned && !USW_F(_ends_before)(share, tile + 1) && tile * tile_items < n) /* one at most */
    cut = USW_F(_visit_any_tile)(a, s, n, tile * tile_items + start, group, USW_F(_in_flight), arguments, 1);
  /* One loop for both where numbers must fit, which takes many instructions. */
  for (; (USW_F(_tries) || !aligned) && !USW_F(_ends_before)(share, tile + 1) && tile * tile_items < n;
       tile += share.tile_step)
    cut = USW_F(_visit_any_tile)(a, s, n, tile * tile_items + start, group, USW_F(_strided_groups), arguments, 0);
  s->usw_on_trial = USW_ASKS;
#pragma nounroll
  for (; cut < n; cut++)
    USW_F(_visit_item)(a, s, cut, arguments);
}
#endif
