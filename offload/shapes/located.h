/* The smallest or largest element and its lowest index: the first of the smallest (key, index) pairs.
 * Entry: name, MINIMUM or MAXIMUM, type. */
#include "entry.h"
#include "first.h"

#ifndef UPSWEEP_SHAPES_LOCATED_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_LOCATED_H
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* An order key and where it was first found; the largest index when nothing was. */
typedef struct {
  USW_ENTRY_KEY key;
  uint64_t index;
} usw_place_of_key_t;
#define USW_MEMBERS_OF_usw_place_of_key_t(n) USW_MEMBER(n.key) USW_MEMBER_INDEX(n.index)

USW_INLINE usw_place_of_key_t usw_no_place(void) {
  const usw_place_of_key_t nothing = {USW_LARGEST(USW_ENTRY_KEY), UINT64_MAX};
  return nothing;
}

USW_INLINE usw_place_of_key_t usw_first_place(usw_place_of_key_t a, usw_place_of_key_t b) {
  usw_keep_first(&a.key, &a.index, b.key, b.index);
  return a;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif
#endif

#define USW_LOCATED_MINIMUM USW_ARGMIN
#define USW_LOCATED_MAXIMUM USW_ARGMAX
#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_CAT(USW_LOCATED_, USW_ENTRY_OPERATOR)
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY | USW_FACT_INDEX)
#define USW_RESULT USW_TAGGED(usw_located_, USW_ENTRY_TYPE, _t)
#define USW_COUNTS_FROM_RESTART USW_RESTARTS
#define USW_MERGES_SLOWLY 1
#define USW_BY_BLOCKS (USW_ENTRY_HAS_FIRST == 1)
#define USW_BY_RUNS USW_ENTRY_HAS_RUNS
#define USW_ONE_CHAIN USW_BY_RUNS
#define USW_BY_STRIPS (USW_AXES && USW_SUB_GROUP == 1 && (USW_ENTRY_IS_COMPARED || USW_ENTRY_IS_INTEGER))
#if USW_BY_STRIPS
#include "strip.h"
#define USW_STRIP_COLUMNS USW_STRIP_COLUMNS_OF_ENTRY
#define USW_BY_ROWS USW_ENTRY_IS_COMPARED
#define USW_SEES_AGAIN 1
#endif
#define USW_BY_COLUMNS (USW_AXES && USW_SUB_GROUP > 1)
#if USW_BY_COLUMNS
#include "column.h"
#define USW_BY_WORDS (USW_ENTRY_RANKS == 2 && (!USW_ENTRY_IS_HALF || USW_PORT_COMPARES_PAIRS))
#if USW_BY_WORDS
#include "column_word.h"
#endif
#endif
#if USW_ENTRY_HAS_FIRST == 2
#define USW_LOADS_AHEAD 1
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) VALUE(uint64_t, index_of_first) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(usw_place_of_key_t, first, usw_first_place, usw_no_place())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_place_of_key_t *first = &usw_accumulator->first;
  usw_keep_earlier(&first->key, &first->index, USW_ENTRY_TO_KEY(x, nan, USW_ENTRY_TURN), index_of_first + i);
}
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_place_of_key_t *first = &usw_accumulator->first;
  uint32_t position;
  const USW_ENTRY_ELEMENT value = usw_first_of_blocks(x, blocks, usw_memory_of_x + i, step, nan, USW_ENTRY_TURN,
                                                      first->key, first->index, &position);
  usw_keep_earlier(&first->key, &first->index, USW_ENTRY_TO_KEY(value, nan, USW_ENTRY_TURN),
                   index_of_first + i + position / USW_ENTRY_BLOCK * step + position % USW_ENTRY_BLOCK);
}
#endif
#if USW_BY_RUNS
USW_VISIT_RUN(i, count, chains) {
  if (count < 32) /* one by one is faster */
    return 0;
  usw_place_of_key_t *first = &usw_accumulator->first;
  usw_keep_earlier_of_run(&first->key, &first->index, x, count, index_of_first + i, nan, USW_ENTRY_TURN,
                          USW_LEAST_COMPARED);
  return 1;
}
#endif
#if USW_BY_STRIPS
typedef struct {
  usw_strip_places_t first;
  usw_strip_flags_t nans;
} USW_F(_strip);

USW_BEGIN_STRIP(is_row) {
  usw_strip_t value;
  if (!USW_ENTRY_IS_INTEGER && nan == USW_NAN_IGNORE) /* to compare NaNs raises FE_INVALID */
    return 0;
  usw_load_strip(&value, x);
  usw_begin_places(&usw_strip->first, &value);
  usw_strip->nans = (usw_strip_flags_t){0};
  return 1;
}
USW_VISIT_STRIP(item) {
  usw_strip_t value;
  usw_load_strip(&value, x);
  USW_ENTRY_KEEP_PLACES(&usw_strip->first, &value, item);
#if !USW_ENTRY_IS_INTEGER
  usw_strip->nans |= (usw_strip_flags_t)(value != value);
#endif
}
USW_END_STRIP(i, c, items) {
  const USW_ENTRY_ELEMENT value = usw_strip->first.value[c];
  if (usw_strip->nans[c] != 0)
    return 0;
  usw_accumulator->first.key = USW_ENTRY_TO_KEY(value, nan, USW_ENTRY_TURN);
  usw_accumulator->first.index = index_of_first + i + usw_item_of_place(&usw_strip->first, c);
  return 1;
}
#if USW_BY_ROWS
USW_END_ROW(i, count) {
  usw_strip_places_t first = usw_strip->first;
  USW_ENTRY_KEY nans = 0;
  for (size_t c = 0; c < USW_STRIP_COLUMNS; c++)
    nans |= usw_strip->nans[c];
  if (nans != 0)
    return 0;
  USW_ENTRY_FOLD_PLACES(&first, x);
  usw_accumulator->first.key = USW_ENTRY_TO_KEY(first.value[0], nan, USW_ENTRY_TURN);
  usw_accumulator->first.index = index_of_first + i + usw_item_of_place(&first, 0);
  return 1;
}
#endif
#endif
#if USW_BY_COLUMNS
typedef struct {
  usw_seen_t first;
  usw_compared_t sum;
} USW_F(_column);

USW_BEGIN_COLUMN {
  const usw_seen_t first = {USW_COMPARED_OF(x), 0};
  usw_column->first = first;
  usw_column->sum = first.value;
  return USW_ENTRY_IS_INTEGER || nan != USW_NAN_IGNORE;
}
USW_SEE_ITEM(item) {
  const usw_compared_t value = USW_COMPARED_OF(x);
  USW_ENTRY_SEE(&usw_column->first, value, item);
  if (!USW_ENTRY_IS_INTEGER)
    usw_column->sum += value;
}
USW_END_COLUMN(i, step, items) {
  usw_place_of_key_t *first = &usw_accumulator->first;
  if (!usw_is_number(usw_column->sum))
    return 0;
  usw_keep_earlier(&first->key, &first->index,
                   USW_ENTRY_TO_KEY(USW_ELEMENT_OF_COMPARED(usw_column->first.value), nan, USW_ENTRY_TURN),
                   index_of_first + i + usw_column->first.item * (uint64_t)step);
  return 1;
}
#endif
#if USW_BY_WORDS
typedef usw_word_places_t USW_F(_word);
#define USW_WORD_ITEMS USW_ITEMS_OF_WORDS
USW_BEGIN_WORD {
  *usw_word = usw_no_places(USW_ENTRY_WORD_TURN);
  return USW_ENTRY_IS_INTEGER || nan != USW_NAN_IGNORE;
}
USW_SEE_WORD(item, word) { usw_see_places(usw_word, word, item, USW_ENTRY_WORD_TURN); }
USW_SETTLE_WORD(k, first, items) {
  USW_ENTRY_ELEMENT element;
  const uint32_t item = first + usw_place_of_word(usw_word, k, USW_ENTRY_WORD_TURN, &element);
  const usw_seen_t found = {USW_COMPARED_OF(element), item};
  if (first == 0) {
    usw_column->first = found;
    usw_column->sum = found.value;
    return;
  }
  USW_ENTRY_SEE(&usw_column->first, found.value, item);
  if (!USW_ENTRY_IS_INTEGER)
    usw_column->sum += found.value;
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  __builtin_memset(result, 0, sizeof *result); /* padding too: results are compared and hashed as bytes */
  result->value = USW_ENTRY_FROM_KEY(a->first.key, USW_ENTRY_TURN);
  result->index = USW_ENTRY_ONLY_NANS(a->first.key) ? -1 : (int64_t)a->first.index;
#if USW_COUNTS_FROM_RESTART
  if (result->index >= 0)
    result->index -= (int64_t)a->usw_begin;
#endif
}
#include <upsweep/kernel_end.h>
