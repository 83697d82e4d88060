/* The least or greatest elements of columns that share a word of 4 bytes, and the numbers of their first items, for kernels by words
 * (engine/team_columns.h): two or four columns in an instruction or two. `turn` is as in order.h, but a word, so that the least element is looked
 * for.
 *
 *   usw_no_places(turn)                              of no items
 *   usw_see_places(&least, word, item, turn)         the next elements, of item number 0, ..., USW_PLACED_ITEMS - 1
 *   usw_place_of_word(&least, k, turn, &element)     the number of column k's first item, and its element
 *
 * Integers are compared by ranks (ranks.h), halves as the processor does, so that equal zeros are one place; an element that is a NaN says that
 * there was one. */
#ifndef UPSWEEP_SHAPES_COLUMN_WORD_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_COLUMN_WORD_H

#include "entry.h"

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
enum { USW_PLACED_ITEMS = USW_ENTRY_IS_BYTES ? 1 << 8 : 1 << 16 };
#ifdef USW_PORT_SIMT
#define USW_ITEMS_OF_WORDS 16 /* so few that small arrays have more */
#else
#define USW_ITEMS_OF_WORDS USW_PLACED_ITEMS
#endif

/* The lower or the upper half of a pair. */
USW_INLINE int usw_half_of_pair(uint32_t pair, uint32_t k) { return (int16_t)(k == 0 ? pair : pair >> 16); }

#if USW_ENTRY_IS_BYTES
/* Of even columns and of odd ones: pairs with ranks in their upper bytes, and below them the items: one minimum does for both. */
typedef struct {
  uint32_t even, odd;
} usw_word_places_t;

USW_INLINE usw_word_places_t usw_no_places(uint32_t turn) {
  const usw_word_places_t nothing = {usw_pair_of(INT16_MAX), usw_pair_of(INT16_MAX)};
  (void)turn;
  return nothing;
}
USW_INLINE void usw_see_places(usw_word_places_t *least, uint32_t word, uint32_t item, uint32_t turn) {
  const uint32_t ranks = USW_CAT(usw_ranks_, USW_ENTRY_TYPE)(word, turn), items = item * 0x10001u;
  least->even = usw_least_pair(least->even, usw_port_bytes(ranks, items, 0x2604));
  least->odd = usw_least_pair(least->odd, usw_port_bytes(ranks, items, 0x3614));
}
USW_INLINE uint32_t usw_place_of_word(const usw_word_places_t *least, uint32_t k, uint32_t turn,
                                      USW_ENTRY_ELEMENT *element) {
  const int both = usw_half_of_pair(k % 2 == 0 ? least->even : least->odd, k / 2);
  *element = USW_CAT(usw_ranked_, USW_ENTRY_TYPE)(both >> 8, turn);
  return (uint32_t)both & (USW_PLACED_ITEMS - 1);
}
#elif USW_ENTRY_IS_HALF
/* Pairs: the elements, the numbers of their items, and what a NaN stays in. */
typedef struct {
  uint32_t elements, items, nans;
} usw_word_places_t;

USW_INLINE usw_word_places_t usw_no_places(uint32_t turn) {
  const uint32_t infinity = USW_CAT(USW_INFINITY_BITS_, USW_ENTRY_TYPE) | (turn & 0x8000);
  const usw_word_places_t nothing = {infinity * 0x10001u, 0, 0};
  return nothing;
}
USW_INLINE void usw_see_places(usw_word_places_t *least, uint32_t word, uint32_t item, uint32_t turn) {
  const uint32_t is_less = USW_CAT(usw_port_less_pair_, USW_ENTRY_TYPE)(turn == 0 ? word : least->elements,
                                                                        turn == 0 ? least->elements : word);
  least->elements = (word & is_less) | (least->elements & ~is_less);
  least->items = ((item * 0x10001u) & is_less) | (least->items & ~is_less);
  least->nans = USW_CAT(usw_port_greatest_pair_, USW_ENTRY_TYPE)(least->nans, word);
}
USW_INLINE uint32_t usw_place_of_word(const usw_word_places_t *least, uint32_t k, uint32_t turn,
                                      USW_ENTRY_ELEMENT *element) {
  USW_ENTRY_ELEMENT no_number;
  (void)turn;
  no_number.bits = (uint16_t)usw_half_of_pair(least->nans, k);
  element->bits = (uint16_t)usw_half_of_pair(least->elements, k);
  if (USW_ENTRY_VALUE(no_number) != USW_ENTRY_VALUE(no_number))
    *element = no_number;
  return (uint16_t)usw_half_of_pair(least->items, k);
}
#else
/* Ranks in the upper halves of two numbers, and below them the items. */
typedef struct {
  int32_t even, odd;
} usw_word_places_t;

USW_INLINE usw_word_places_t usw_no_places(uint32_t turn) {
  const usw_word_places_t nothing = {INT32_MAX, INT32_MAX};
  (void)turn;
  return nothing;
}
USW_INLINE void usw_see_places(usw_word_places_t *least, uint32_t word, uint32_t item, uint32_t turn) {
  const uint32_t ranks = USW_CAT(usw_ranks_, USW_ENTRY_TYPE)(word, 0, turn);
  const int32_t even = (int32_t)usw_port_bytes(ranks, item, 0x1054), odd = (int32_t)usw_port_bytes(ranks, item, 0x3254);
  least->even = even < least->even ? even : least->even;
  least->odd = odd < least->odd ? odd : least->odd;
}
USW_INLINE uint32_t usw_place_of_word(const usw_word_places_t *least, uint32_t k, uint32_t turn,
                                      USW_ENTRY_ELEMENT *element) {
  const int32_t both = k == 0 ? least->even : least->odd;
  *element = USW_CAT(usw_ranked_, USW_ENTRY_TYPE)(both >> 16, 0, turn);
  return (uint32_t)both & (USW_PLACED_ITEMS - 1);
}
#endif
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_ENTRY_WORD_TURN (USW_ENTRY_TURN == 0 ? 0 : UINT32_MAX)
#endif
