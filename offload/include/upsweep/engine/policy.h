/* The policies' constants: what a kernel's lists decide of how it loads (load.h), accumulates (accumulate.h) and finishes
 * (finish.h). A kernel's file may define some of them beforehand; tuning that depends on the device or on n is the library's
 * (lib/policy/tuning.def), and comes with each launch. */

#ifndef UPSWEEP_ENGINE_POLICY_ONCE
#define UPSWEEP_ENGINE_POLICY_ONCE

#ifndef USW_BYTES_IN_FLIGHT
#define USW_BYTES_IN_FLIGHT 64 /* per worker; measured in perf/baselines */
#endif
#ifndef USW_ITEMS_IN_FLIGHT
#define USW_ITEMS_IN_FLIGHT 4 /* the same where items have no input */
#endif
#ifndef USW_LIGHT_BYTES
#define USW_LIGHT_BYTES 64 /* an accumulator up to this */
#endif
/* Blocks that a thread has of a scan's tile, each with an accumulator of its own, or with none in tiles of the library's that wait on a stage
 * (scan_stage.h); and how many items at most. A block of items is 16 bytes of the largest element there. */
#ifndef USW_SCAN_ITEMS
#define USW_SCAN_ITEMS 32
#endif
#define USW_SCANNED_BLOCKS 4 /* of kernels that scan blocks: 8 of 16 bits do not fit in 64 registers */
#define USW_STAGED_ITEMS(block) (USW_SELECTS && (block) > 8 ? 32 : 16) /* bytes that are chosen: few in a tile else */
#define USW_SCAN_GROUPS_OF(bytes) ((bytes) <= 8 ? 8 : (bytes) <= 16 ? 4 : (bytes) <= 32 ? 2 : 1)
#define USW_SCAN_GROUPS(bytes, block, items)                                                                           \
  (USW_SCAN_GROUPS_OF(bytes) * (block) <= (items) ? USW_SCAN_GROUPS_OF(bytes)                                          \
   : (block) <= (items)                           ? (items) / (block)                                                  \
                                                  : 1)
#define USW_LOW_BIT(bytes) ((bytes) & -(bytes))
#define USW_HIGH_BIT(mask) ((mask) >= 16 ? 16 : (mask) >= 8 ? 8 : (mask) >= 4 ? 4 : (mask) >= 2 ? 2 : 1)
#define USW_BLOCK_OF(bytes) (USW_LOW_BIT(bytes) >= 16 ? 1 : 16 / USW_LOW_BIT(bytes))
#define USW_CLAMP(low, x, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

/* A text for kernels with many results; by a concatenation of its own, since others expand to it. */
#define USW_WHERE_MANY(...) USW_WHERE_MANY_IF(USW_MANY_RESULTS)(__VA_ARGS__)
#define USW_WHERE_MANY_IF(is_so) USW_WHERE_MANY_IF_(is_so)
#define USW_WHERE_MANY_IF_(is_so) USW_WHERE_MANY_##is_so
#define USW_WHERE_MANY_0(...)
#define USW_WHERE_MANY_1(...) __VA_ARGS__
#define USW_WHERE_AXES(...) USW_WHERE_AXES_IF(USW_AXES)(__VA_ARGS__)
#define USW_WHERE_AXES_IF(is_so) USW_WHERE_AXES_IF_(is_so)
#define USW_WHERE_AXES_IF_(is_so) USW_WHERE_AXES_##is_so
#define USW_WHERE_AXES_0(...)
#define USW_WHERE_AXES_1(...) __VA_ARGS__
#define USW_WHERE_SPACE(...) USW_WHERE_SPACE_IF(USW_AXES_OF_SPACE)(__VA_ARGS__)
#define USW_WHERE_SPACE_IF(is_so) USW_WHERE_SPACE_IF_(is_so)
#define USW_WHERE_SPACE_IF_(is_so) USW_WHERE_SPACE_##is_so
#define USW_WHERE_SPACE_0(...)
#define USW_WHERE_SPACE_1(...) __VA_ARGS__
#define USW_WHERE_NO_SPACE(...) USW_WHERE_NO_SPACE_IF(USW_AXES_OF_SPACE)(__VA_ARGS__)
#define USW_WHERE_NO_SPACE_IF(is_so) USW_WHERE_NO_SPACE_IF_(is_so)
#define USW_WHERE_NO_SPACE_IF_(is_so) USW_WHERE_NO_SPACE_##is_so
#define USW_WHERE_NO_SPACE_0(...) __VA_ARGS__
#define USW_WHERE_NO_SPACE_1(...)
#define USW_WHERE_SEGMENTS(...) USW_WHERE_SEGMENTS_IF(USW_SEGMENTS)(__VA_ARGS__)
#define USW_WHERE_SEGMENTS_IF(is_so) USW_WHERE_SEGMENTS_IF_(is_so)
#define USW_WHERE_SEGMENTS_IF_(is_so) USW_WHERE_SEGMENTS_##is_so
#define USW_WHERE_SEGMENTS_0(...)
#define USW_WHERE_SEGMENTS_1(...) __VA_ARGS__
#define USW_WHERE_SCAN(...) USW_WHERE_SCAN_IF(USW_SCAN)(__VA_ARGS__)
#define USW_WHERE_SCAN_IF(is_so) USW_WHERE_SCAN_IF_(is_so)
#define USW_WHERE_SCAN_IF_(is_so) USW_WHERE_SCAN_##is_so
#define USW_WHERE_SCAN_0(...)
#define USW_WHERE_SCAN_1(...) __VA_ARGS__
#define USW_WHERE_RESTARTS(...) USW_WHERE_RESTARTS_IF(USW_FINDS_RESTARTS)(__VA_ARGS__)
#define USW_WHERE_RESTARTS_IF(is_so) USW_WHERE_RESTARTS_IF_(is_so)
#define USW_WHERE_RESTARTS_IF_(is_so) USW_WHERE_RESTARTS_##is_so
#define USW_WHERE_RESTARTS_0(...)
#define USW_WHERE_RESTARTS_1(...) __VA_ARGS__
#define USW_WHERE_COUNTS_ON(...) USW_WHERE_COUNTS_ON_IF(USW_COUNTS_ON)(__VA_ARGS__)
#define USW_WHERE_COUNTS_ON_IF(is_so) USW_WHERE_COUNTS_ON_IF_(is_so)
#define USW_WHERE_COUNTS_ON_IF_(is_so) USW_WHERE_COUNTS_ON_##is_so
#define USW_WHERE_COUNTS_ON_0(...)
#define USW_WHERE_COUNTS_ON_1(...) __VA_ARGS__
/* Behind a kernel's own arguments, where it has many results, scans, or counts on over parts. */
#define USW_RESULTS_ARGUMENTS(VALUE)                                                                                   \
  USW_WHERE_COUNTS_ON(VALUE(uint64_t, usw_first_item))                                                                 \
  USW_WHERE_RESTARTS(USW_RESTART_WORDS(VALUE))                                                                         \
  USW_WHERE_SCAN(USW_SCAN_WORDS(VALUE))                                                                                \
  USW_WHERE_SPACE(USW_AXES_OF_SPACE_WORDS(VALUE))                                                                      \
  USW_WHERE_AXES(USW_FEW_AXES_WORDS(VALUE) USW_WHERE_NO_SPACE(USW_MORE_AXES_WORDS(VALUE)))                             \
  USW_WHERE_SEGMENTS(USW_SEGMENTS_WORDS(VALUE)) USW_WHERE_MANY(USW_RESULTS_WORDS(VALUE))

#define USW_NOTHING(T, n)
#define USW_COUNT_ONE(T, n) +1
#define USW_ADD_BYTES(T, n) +(int)sizeof(T)
#define USW_OR_BLOCK(T, n) | USW_BLOCK_OF((int)sizeof(T))
enum {
  USW_SMALL_BYTES = 16,       /* of an accumulator that leaves registers for elements */
  USW_CLAUSE_SMALL_BYTES = 32 /* an accumulator up to this: the clause copies it often */
};
#endif

/* Load: how items reach registers (load.h). */
enum {
  USW_F(_inputs) = 0 USW_ARGS(USW_COUNT_ONE, USW_NOTHING, USW_NOTHING),
  USW_F(_arrays) = 0 USW_OWN_ARGUMENTS(USW_NOTHING, USW_COUNT_ONE, USW_NOTHING, USW_NOTHING),
  USW_F(_streams) = USW_F(_inputs) + USW_F(_outputs),
  USW_F(_item_bytes) = 0 USW_ARGS(USW_ADD_BYTES, USW_NOTHING, USW_NOTHING),
  USW_F(_blocks_of_streams) = 0 USW_OWN_ARGUMENTS(USW_OR_BLOCK, USW_NOTHING, USW_NOTHING, USW_OR_BLOCK),
  USW_F(_block) = USW_SCAN ? USW_LOW_BIT(USW_F(_blocks_of_streams)) + !USW_F(_blocks_of_streams)
                           : USW_HIGH_BIT(1 | USW_F(_blocks_of_streams)),
  USW_F(_block_bytes) = USW_F(_item_bytes) * USW_F(_block),
  /* Many instructions an item, each copy of which the compiler works on for long: few copies will do. */
  USW_F(_heavy) = USW_F(_span_count) > 0 || (sizeof(USW_F(_acc)) > USW_LIGHT_BYTES && !USW_F(_tries)),
  /* Whether blocks are read once, past what caches are to keep: what registers had no room for, which kernels with many results have in memory.
   * Compilers may move such a load behind what is written, so nothing may be written where it reads.
   * (H200, us: description of 2^20 rows of 256 floats 418, so 336; sums of 2^28 bytes in segments of 64 221, so 132.) Not large
   * accumulators of elements that share a word: those of descriptions of halves had no room in registers then (255, so 373). */
  USW_F(_reads_once) = USW_MANY_RESULTS && USW_F(_arrays) == 0 && USW_F(_outputs) == 0 &&
                       (sizeof(USW_F(_acc)) <= USW_SMALL_BYTES || USW_F(_item_bytes) >= sizeof(uint32_t)),
  /* Those that say so; and those with one window, whose work on a tile, mostly of 8 items, is to hide the next one's loads. */
  USW_F(_loads_ahead) = USW_LOADS_AHEAD || (USW_F(_tries) && sizeof(USW_F(_acc)) <= sizeof(usw_bins_d_t)),
  USW_F(_in_flight) =
      USW_SCANS_BLOCKS ? USW_SCANNED_BLOCKS
      : USW_SCAN
          ? (USW_SCANS_BY_LANES || USW_SELECTS ? USW_SCAN_GROUPS(0, USW_F(_block), USW_STAGED_ITEMS(USW_F(_block)))
                                               : USW_SCAN_GROUPS(sizeof(USW_F(_acc)), USW_F(_block), USW_SCAN_ITEMS))
          : USW_CLAMP(1,
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

/* Finish: whether a team may wait for what others hand over (hand_off.h): small accumulators, without spans, in any order; and a
 * reproducible sum of real numbers alone, of which 16 bytes are a column, in teams that have a sub-group of up to 64 threads for
 * each (binned_exchange.h). */
#if defined(USW_OWN_FINISH) || USW_MANY_RESULTS || USW_SCAN /* which take what is in records, and nothing */
enum { USW_F(_columns) = 0, USW_F(_awaits) = 0 };
#else
enum {
  USW_F(_columns) =
      USW_TEAM_SIZE >= 64 * USW_SENT_COLUMNS &&
              sizeof(USW_F(_acc)) <= 16 * USW_SENT_COLUMNS USW_REDUCERS(USW_R_AND_IN_COLUMNS, USW_R_AND_NOT)
          ? sizeof(USW_F(_acc)) / 16
          : 0
};
enum {
  USW_F(_awaits) =
      USW_F(_columns) > 0 || (USW_F(_span_count) == 0 && !USW_F(_ordered) && sizeof(USW_F(_acc)) <= USW_SENT_BYTES)
};
#endif
