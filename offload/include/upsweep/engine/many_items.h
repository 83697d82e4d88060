/* Kernels of one dimension with more bodies, beside that of USW_VISIT, for many items at once; and what scans begin with.
 *
 * USW_BY_BLOCKS, defined as 1: one for the items of several blocks (accumulate.h). x[b][k] is the element of item i + b * step + k,
 * which is still in memory, at usw_memory_of_x[i + b * step + k].
 * USW_BY_RUNS, defined as 1: one for the host, for `count` items that follow each other, whole lane groups (host.h). x[k] is the element
 * of item i + k, which the body for one item combines into usw_accumulator[k % chains]. Where it returns 0, having left all as
 * it was, the host has the body for one item do so.
 *
 * USW_ONE_CHAIN, defined as 1: that body combines into usw_accumulator[0] alone, in any order, and needs no more chains.
 *
 * USW_BY_STRIPS, defined as 1: the host takes an item of USW_STRIP_COLUMNS results side by side at once (strips.h), in vectors of them.
 * typedef struct { ... } USW_F(_strip) is what is known of at most USW_COLUMN_ITEMS items, x[c] the element of column c, and there are
 * three functions: USW_BEGIN_STRIP(is_row), at the first item; USW_VISIT_STRIP(item), for each, of which the first one is number 0; and
 * USW_END_STRIP(i, c, items), which sets usw_accumulator[0] to that of column c, whose first item is i. Where the first or the last returns
 * 0 the host has the body for one item do so, for all columns or for this one.
 *
 * USW_BY_ROWS, defined as 1 beside it: the host takes rows of f64 and f32 by strips along them (rows_in_lanes.h), begun with is_row. An item's
 * number is then that of its first element, that of column 0. Where the last item has too few elements, the row's first one stands for the others,
 * and must change nothing; or, with USW_SEES_AGAIN defined as 1, the item begins with elements of the one before. A fourth function,
 * USW_END_ROW(i, count), sets usw_accumulator[0] to that of all `count` elements, of which the first has the index i. Where it returns 0 the body
 * for one item does so.
 *
 * USW_BY_COLUMNS, defined as 1: a thread of a GPU takes columns of results so (team_columns.h). typedef struct { ... } USW_F(_column) is what is
 * known of some items of one column, x the element of an item, and there are three functions: USW_BEGIN_COLUMN, at the first item, number 0;
 * USW_SEE_ITEM(item), for each further one; and USW_END_COLUMN(i, step, items), which combines them into the fresh usw_accumulator, where item
 * number k has the index i + k * step. Elements are not there any more then. Where the first or the last returns 0, the body for one item sees
 * each. With large accumulators items of rows and of segments are seen so, too (team_seen_rows.h, team_bundles.h).
 *
 * USW_BY_WORDS, defined as 1 beside it, where the only stream has elements of one or two bytes: a thread that has several columns takes those of
 * a word of 4 bytes at once. typedef struct { ... } USW_F(_word) is what is known of such columns, and there are three functions: USW_BEGIN_WORD,
 * of no items; USW_SEE_WORD(item, word), for the items number 0, ..., USW_WORD_ITEMS - 1 at most, of which `word` has the elements; and
 * USW_SETTLE_WORD(k, first, items), which lets usw_column know of column k's so many items, the first of which is its item number `first`: if that
 * is 0, there were none before. Where USW_BEGIN_WORD returns 0, the body for one item sees each. Kernels with large accumulators have
 * USW_FACT_NAN_POLICY then, by which the library tells how many columns a thread takes (policy/result_shares.c).
 *
 * USW_SCANS_BLOCKS, defined as 1: a GPU scans blocks of the library's kernels (scan_blocks.h), whose only stream has elements of the results'
 * size, x[k] the element of the block's item k. There are three functions: USW_SET_NEUTRAL(element), which makes it one that changes no result;
 * USW_TAKE_BLOCK, which combines all items into the fresh usw_accumulator; and USW_SCAN_BLOCK(results), which does so behind usw_accumulator,
 * one after the other, and sets results[k] to what has then come together. It must not depend on the port: a tile's size, which follows from it, is
 * in the descriptor, too, and a launch with another number of teams than tiles would not end.
 *
 * USW_LOADS_AHEAD, defined as 1: a tile's elements are loaded while the one before is visited.
 * USW_AFTER_TILES, defined as 1: a function, USW_AFTER_TILE { ... }, that sub-groups call together, on GPUs, when their threads
 * have visited a whole tile and go on to later items. Not for ordered kernels. */
#ifndef UPSWEEP_ENGINE_MANY_ITEMS_ONCE
#define UPSWEEP_ENGINE_MANY_ITEMS_ONCE
#define USW_BLOCKS_IN(T, n) , const T *const *n USW_UNUSED, const T *const usw_memory_of_##n USW_UNUSED
#define USW_VISIT_BLOCKS(i, step, blocks)                                                                              \
  USW_INLINE void USW_F(_visit_many)(                                                                                  \
      USW_F(_acc) * usw_accumulator USW_UNUSED, const USW_F(_spans) * usw_spans USW_UNUSED, const size_t i USW_UNUSED, \
      const size_t step USW_UNUSED,                                                                                    \
      const size_t blocks USW_UNUSED USW_ARGS(USW_BLOCKS_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_RUN_IN(T, n) , const T *n USW_UNUSED
#define USW_VISIT_RUN(i, count, chains)                                                                                \
  USW_INLINE int USW_F(_visit_many_in_run)(                                                                            \
      USW_F(_acc) * usw_accumulator USW_UNUSED, USW_F(_spans) * usw_spans USW_UNUSED, const size_t i USW_UNUSED,       \
      const size_t count USW_UNUSED,                                                                                   \
      const size_t chains USW_UNUSED USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_BEGIN_STRIP(is_row)                                                                                        \
  USW_INLINE int USW_F(_begin_strip)(                                                                                  \
      USW_F(_strip) * usw_strip,                                                                                       \
      const int is_row USW_UNUSED USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_VISIT_STRIP(item)                                                                                          \
  USW_INLINE void USW_F(_visit_strip)(                                                                                 \
      USW_F(_strip) * usw_strip,                                                                                       \
      const size_t item USW_UNUSED USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_END_STRIP(i, c, items)                                                                                     \
  USW_INLINE int USW_F(_end_strip)(                                                                                    \
      USW_F(_acc) * usw_accumulator, const USW_F(_strip) * usw_strip, const size_t i USW_UNUSED, const size_t c,       \
      const size_t items USW_UNUSED USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_END_ROW(i, count)                                                                                          \
  USW_INLINE int USW_F(_end_row)(                                                                                      \
      USW_F(_acc) * usw_accumulator, const USW_F(_strip) * usw_strip, const size_t i USW_UNUSED,                       \
      const size_t count USW_UNUSED USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_ELEMENT_IN(T, n) , const T n USW_UNUSED
#define USW_NO_ELEMENT_IN(T, n)
#define USW_BEGIN_COLUMN                                                                                               \
  USW_INLINE int USW_F(_begin_column)(USW_F(_column) *                                                                 \
                                      usw_column USW_ARGS(USW_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_SEE_ITEM(item)                                                                                             \
  USW_INLINE void USW_F(_see_item)(                                                                                    \
      USW_F(_column) * usw_column,                                                                                     \
      const uint32_t item USW_UNUSED USW_ARGS(USW_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_END_COLUMN(i, step, items)                                                                                 \
  USW_INLINE int USW_F(_end_column)(                                                                                   \
      USW_F(_acc) * usw_accumulator, const USW_F(_column) * usw_column, const uint64_t i USW_UNUSED,                   \
      const uint32_t step USW_UNUSED,                                                                                  \
      const uint32_t items USW_UNUSED USW_ARGS(USW_NO_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_BEGIN_WORD                                                                                                 \
  USW_INLINE int USW_F(_begin_word)(USW_F(_word) *                                                                     \
                                    usw_word USW_ARGS(USW_NO_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_SEE_WORD(item, word)                                                                                       \
  USW_INLINE void USW_F(_see_word)(                                                                                    \
      USW_F(_word) * usw_word, const uint32_t item USW_UNUSED,                                                         \
      const uint32_t word USW_ARGS(USW_NO_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_SETTLE_WORD(k, first, items)                                                                               \
  USW_INLINE void USW_F(_settle_word)(                                                                                 \
      USW_F(_column) * usw_column, const USW_F(_word) * usw_word, const uint32_t k, const uint32_t first,              \
      const uint32_t items USW_UNUSED USW_ARGS(USW_NO_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_SET_NEUTRAL(element)                                                                                       \
  USW_INLINE void USW_F(_set_neutral)(USW_RESULT *                                                                     \
                                      element USW_ARGS(USW_NO_ELEMENT_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_TAKE_BLOCK                                                                                                 \
  USW_INLINE void USW_F(_take_elements)(                                                                               \
      USW_F(_acc) * usw_accumulator USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_SCAN_BLOCK(results)                                                                                        \
  USW_INLINE void USW_F(_scan_elements)(USW_F(_acc) * usw_accumulator,                                                 \
                                        USW_RESULT *                                                                   \
                                            results USW_ARGS(USW_RUN_IN, USW_PARAMETER_ARRAY, USW_PARAMETER_VALUE))
#define USW_AFTER_TILE USW_INLINE void USW_F(_after_tile)(USW_F(_acc) * usw_accumulator USW_UNUSED)
/* What the library's kernels make of an initial result: USW_BEGIN(initial) { ... }, as a body of theirs. */
#define USW_BEGIN(initial)                                                                                             \
  USW_INLINE void USW_F(_begin)(USW_F(_acc) * usw_accumulator, USW_F(_spans) * usw_spans, const USW_RESULT initial)
#endif

#ifndef USW_BY_RUNS
#define USW_BY_RUNS 0
#endif
#ifndef USW_BY_STRIPS
#define USW_BY_STRIPS 0
#endif
#ifndef USW_BY_ROWS
#define USW_BY_ROWS 0
#endif
#ifndef USW_SEES_AGAIN
#define USW_SEES_AGAIN 0
#endif
#ifndef USW_BY_COLUMNS
#define USW_BY_COLUMNS 0
#endif
#ifndef USW_BY_WORDS
#define USW_BY_WORDS 0
#endif
#ifndef USW_SCANS_BLOCKS
#define USW_SCANS_BLOCKS 0
#endif
#if USW_SCAN /* which needs each item's result */
#undef USW_BY_BLOCKS
#endif
#ifndef USW_BY_BLOCKS
#define USW_BY_BLOCKS 0
#endif
#ifndef USW_ONE_CHAIN
#define USW_ONE_CHAIN 0
#endif
#ifndef USW_LOADS_AHEAD
#define USW_LOADS_AHEAD 0
#endif
#ifndef USW_AFTER_TILES
#define USW_AFTER_TILES 0
#endif
#if USW_ONE_CHAIN
enum { USW_F(_has_one_chain) = 1 };
#else
enum { USW_F(_has_one_chain) = 0 };
#endif
#if USW_BY_BLOCKS
enum { USW_F(_by_blocks) = 1 };
#else
enum { USW_F(_by_blocks) = 0 };
#endif
#if USW_BY_COLUMNS
enum { USW_F(_by_columns) = 1 };
#else
enum { USW_F(_by_columns) = 0 };
#endif
