/* The load policy: which items a worker takes, and how their elements reach its registers.
 *
 * Items are taken in blocks: the fewest contiguous items whose elements fill 16 bytes of every input, so that aligned
 * contiguous inputs are read 16 bytes at a time. A lane group is one block of each worker; a tile is `in_flight` lane groups,
 * all loaded before the first is visited. Which items a worker visits, and in which order, depends on indices alone: alignment
 * and strides change how an element is loaded, never what is added to what. Where an item lies in a space of more dimensions,
 * index.h says. What is done with the elements, accumulate.h says. */

#ifndef UPSWEEP_ENGINE_LOAD_ONCE
#define UPSWEEP_ENGINE_LOAD_ONCE

#define USW_MEMBER_IN(T, n)                                                                                            \
  const T *n;                                                                                                          \
  ptrdiff_t usw_stride_##n;
#define USW_MEMBER_ARRAY(T, n) const T *n;
#define USW_MEMBER_VALUE(T, n) T n;
#define USW_MEMBER_OUT(T, n)                                                                                           \
  T *n;                                                                                                                \
  ptrdiff_t usw_stride_##n;
#define USW_SPACE_MEMBER USW_CAT(USW_SPACE_MEMBER_, USW_ITEM_DIMENSIONS)
#define USW_SPACE_MEMBER_1
#define USW_SPACE_MEMBER_2 usw_layout_t usw_space;
#define USW_SPACE_MEMBER_3 usw_layout_t usw_space;
#define USW_BUFFER_IN(T, n) T n[USW_F(_block)];
/* Where a block begins: it may be less than 16 bytes of an element of a scan. */
#define USW_BLOCK_BOUNDARY(T) (USW_F(_block) * sizeof(T) < 16 ? USW_F(_block) * sizeof(T) : 16)
#define USW_LOAD_ALIGNED(T, n)                                                                                         \
  items->n[k] = ((const T *)__builtin_assume_aligned(arguments->n + first, USW_BLOCK_BOUNDARY(T)))[k];
#define USW_LOAD_BLOCK(T, n)                                                                                           \
  __builtin_memcpy(items->n, __builtin_assume_aligned(arguments->n + first, 16), sizeof items->n);
#define USW_LOAD_BLOCK_ONCE(T, n)                                                                                      \
  USW_UNROLL for (size_t byte = 0; byte < sizeof items->n; byte += 16)                                                 \
      usw_port_read_once((char *)items->n + byte, (const char *)(arguments->n + first) + byte, 16);
#define USW_LOAD_STRIDED(T, n) items->n[k] = arguments->n[USW_ELEMENT(index) * arguments->usw_stride_##n];
#define USW_S_EXTENT_MEMBER(T, n, ...) uint64_t usw_extent_##n;
#define USW_R_RESULTS_MEMBER(T, n, ...) USW_WHERE_MANY(T *usw_results_of_##n;)
#define USW_VISIT_BLOCK_IN(T, n) , items->n[k]
#define USW_POINTERS_IN(T, n) const T *vectors_of_##n[USW_F(_in_flight)];
#define USW_POINT_IN(T, n) vectors_of_##n[u] = items[u].n;
#define USW_VISIT_GROUPS_IN(T, n) , vectors_of_##n, arguments->n USW_WHERE_MANY(-arguments->usw_first)
#define USW_VISIT_ONE_IN(T, n) , arguments->n[USW_ELEMENT(index) * arguments->usw_stride_##n]
#define USW_VISIT_NEXT_IN(T, n) , arguments->n[USW_ELEMENT(index)]
#define USW_VISIT_OTHER(T, n) , arguments->n
#define USW_AND_CONTIGUOUS(T, n) &&arguments->usw_stride_##n == 1
/* The elements before an item's, in memory, and in a block of which the item is the k-th. */
#define USW_SET_PREVIOUS(T, n) s->usw_previous_of_##n = arguments->n[(ptrdiff_t)before * arguments->usw_stride_##n];
#define USW_TAKE_PREVIOUS(T, n) s->usw_previous_of_##n = items->n[k - 1];
/* An output: the address of its item's element; of the k-th item of a block that begins on a boundary. */
#define USW_VISIT_OUT(T, n) , arguments->n + USW_ELEMENT(index) * arguments->usw_stride_##n
#define USW_VISIT_NEXT_OUT(T, n) , arguments->n + USW_ELEMENT(index)
#define USW_VISIT_BLOCK_OUT(T, n)                                                                                      \
  , aligned ? (T *)__builtin_assume_aligned(arguments->n + USW_ELEMENT(index), USW_BLOCK_BOUNDARY(T),                  \
                                            k * sizeof(T) % USW_BLOCK_BOUNDARY(T))                                     \
            : arguments->n + USW_ELEMENT(index) * arguments->usw_stride_##n
#endif

/* Arguments as the engine hands them around: a stream is its address and its stride in elements. */
typedef struct {
  USW_SPACE_MEMBER
  USW_OWN_ARGUMENTS(USW_MEMBER_IN, USW_MEMBER_ARRAY, USW_MEMBER_VALUE, USW_MEMBER_OUT)
  USW_EACH_RESULT(USW_R_RESULTS_MEMBER, USW_S_EXTENT_MEMBER)
  USW_RESULTS_ARGUMENTS(USW_MEMBER_VALUE)
  USW_WHERE_MANY(size_t usw_first;)
  USW_WHERE_SPACE(size_t usw_index_0, usw_index_1, usw_index_2;)
  char usw_end;
} USW_F(_arguments);

#include <upsweep/engine/index.h>

/* Whether elements of items that follow each other, in rows of the space, do so too. */
USW_INLINE int USW_F(_are_contiguous)(const USW_F(_arguments) * arguments) {
  return USW_F(_has_rows)(arguments)
      USW_OWN_ARGUMENTS(USW_AND_CONTIGUOUS, USW_NOTHING, USW_NOTHING, USW_AND_CONTIGUOUS);
}

#if USW_HAS_REGIONS || defined(USW_PORT_SIMT)

/* The elements of one block of items. */
typedef struct {
  USW_ARGS(USW_BUFFER_IN, USW_NOTHING, USW_NOTHING)
  char usw_end;
} USW_F(_items);

/* How many items of a block are loaded at once. */
USW_INLINE size_t USW_F(_at_once)(int aligned) { return aligned ? USW_F(_block) : USW_F(_strided_items); }

USW_INLINE void USW_F(_load)(USW_F(_items) * items USW_UNUSED, size_t first USW_UNUSED, size_t count,
                             const USW_F(_arguments) * arguments USW_UNUSED, int aligned) {
  if (USW_F(_reads_once) && aligned) {
    USW_ARGS(USW_LOAD_BLOCK_ONCE, USW_NOTHING, USW_NOTHING)
    return;
  }
  if ((USW_F(_by_blocks) || USW_SCANS_BLOCKS) && aligned) { /* as words, which such a kernel wants */
    USW_ARGS(USW_LOAD_BLOCK, USW_NOTHING, USW_NOTHING)
    return;
  }
  USW_F(_index) position = USW_F(_locate)(first, arguments, USW_SPACE_UNTILED);
  USW_UNROLL for (size_t k = 0; k < count; k++) {
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
  USW_UNROLL for (size_t k = 0; k < USW_F(_block); k++) {
    position = USW_F(_kth)(position, k, first + k, arguments, USW_SPACE_UNTILED);
    const USW_F(_index) index USW_UNUSED = USW_F(_index_of)(position, arguments, USW_SPACE_UNTILED);
    if (first + k < n) {
      USW_ARGS(USW_LOAD_STRIDED, USW_NOTHING, USW_NOTHING)
    }
  }
}

/* Which tiles a worker takes: every tile_step-th, from `tile` on; up to tile_end where the kernel is ordered. Its block of a lane
 * group, of `unit` blocks, is the one numbered `lane`. */
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

/* A worker: a thread of a team, or one of a standard region. Handed on by value: of loads through a pointer to it LLVM 19's
 * OpenMPOpt made, for NVIDIA's GPUs, loads of element 0 in loops (bit_and of u32 of at most 1024 elements). */
typedef struct {
  USW_F(_acc) * a;
  USW_F(_spans) * s;
  const USW_F(_arguments) * arguments;
  size_t n; /* items of the reduction */
  USW_F(_share) share;
} USW_F(_worker);

/* Items from one lane group of a worker's to the next, and from one of its tiles to the next in memory. */
USW_INLINE size_t USW_F(_group_items)(const USW_F(_worker) w) { return w.share.unit * USW_F(_block); }
USW_INLINE size_t USW_F(_tile_items)(const USW_F(_worker) w) { return USW_F(_group_items)(w) * USW_F(_in_flight); }

/* The worker's first item in tile 0. Loops over tiles take it before they begin: compilers would else make a sum with it in each
 * round, for each lane group in a register of its own (64 registers for 36, all of f32). */
USW_INLINE size_t USW_F(_start_of)(const USW_F(_worker) w) { return w.share.lane * USW_F(_block); }

/* A worker's blocks of some lane groups. */
typedef struct {
  size_t first;   /* item of the first block */
  size_t groups;  /* how many */
  size_t end;     /* n: blocks that it cuts short are left out; SIZE_MAX: there is none */
  int aligned;    /* 1: whole blocks of streams that are contiguous, on a boundary of 16 bytes */
  uint32_t known; /* what is known of the space (index.h) */
} USW_F(_blocks_of_worker);

/* Load the blocks of a part. */
USW_INLINE void USW_F(_load_groups)(const USW_F(_worker) w, USW_F(_items) * items, USW_F(_blocks_of_worker) part) {
  const size_t at_once = USW_F(_at_once)(part.aligned), group = USW_F(_group_items)(w);
  USW_UNROLL for (size_t u = 0; u < part.groups; u++) if (part.first + u * group + at_once <= part.end)
      USW_F(_load)(&items[u], part.first + u * group, at_once, w.arguments, part.aligned);
}
#endif
