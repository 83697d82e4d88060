/* Results side by side on the host, USW_STRIP_COLUMNS at once, for kernels by strips (engine/strips.h): the least and the greatest elements
 * of some items, each with the number of its first item. Floats are compared as the processor does: equal zeros are one place, as by order
 * keys, and NaNs are not found. Kernels with many results run in the usual arithmetic, whatever their caller has, so that subnormal numbers are
 * told from zeros. */
#ifndef UPSWEEP_SHAPES_STRIP_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_STRIP_H

#include "entry.h"
#include "first.h"

#define USW_STRIP_COLUMNS_OF_ENTRY (sizeof(USW_ENTRY_ELEMENT) >= 4 ? 8 : 32 / sizeof(USW_ENTRY_ELEMENT))
#define USW_STRIP_VECTOR(T) __attribute__((vector_size(USW_STRIP_COLUMNS_OF_ENTRY * sizeof(T))))
typedef USW_ENTRY_ELEMENT usw_strip_t USW_STRIP_VECTOR(USW_ENTRY_ELEMENT);
typedef USW_ENTRY_KEY
    usw_strip_flags_t USW_STRIP_VECTOR(USW_ENTRY_KEY); /* what comparing them gives, and numbers of items */

/* Extremes, and which items have them. */
typedef struct {
  usw_strip_t value;
  usw_strip_flags_t item;
} usw_strip_places_t;

#define USW_STRIP_IF(type_t, flags, a, b)                                                                              \
  ((type_t)(((flags) & (usw_strip_flags_t)(a)) | (~(flags) & (usw_strip_flags_t)(b))))

/* Vectors go by address: how they are passed would depend on the processor. */
USW_INLINE void usw_load_strip(usw_strip_t *strip, const USW_ENTRY_ELEMENT *x) {
  __builtin_memcpy(strip, x, sizeof *strip);
}

USW_INLINE void usw_begin_places(usw_strip_places_t *places, const usw_strip_t *x) {
  places->value = *x;
  places->item = (usw_strip_flags_t){0};
}

/* Take the elements of an item where `is_before` says that they come before those that are there. */
USW_INLINE void usw_keep_places(usw_strip_places_t *places, const usw_strip_t *x, size_t item,
                                const usw_strip_flags_t *is_before) {
  const usw_strip_flags_t number = (usw_strip_flags_t){0} + (USW_ENTRY_KEY)item;
  places->value = USW_STRIP_IF(usw_strip_t, *is_before, *x, places->value);
  places->item = USW_STRIP_IF(usw_strip_flags_t, *is_before, number, places->item);
}
USW_INLINE void usw_keep_least(usw_strip_places_t *places, const usw_strip_t *x, size_t item) {
  const usw_strip_flags_t is_before = (usw_strip_flags_t)(*x < places->value);
  usw_keep_places(places, x, item, &is_before);
}
USW_INLINE void usw_keep_greatest(usw_strip_places_t *places, const usw_strip_t *x, size_t item) {
  const usw_strip_flags_t is_before = (usw_strip_flags_t)(*x > places->value);
  usw_keep_places(places, x, item, &is_before);
}

#define USW_ENTRY_KEEP_PLACES USW_CAT(USW_KEEP_PLACES_, USW_ENTRY_OPERATOR)
#define USW_KEEP_PLACES_MINIMUM usw_keep_least
#define USW_KEEP_PLACES_MAXIMUM usw_keep_greatest

/* Of a row x, where an item's number is that of its first element, column 0's: the first of all, and its number, in column 0. The extreme is
 * found first, then the least number of those that equal it; of zeros the element of that number tells the sign. Both by one comparison at a
 * time, which AVX2 has vectors for. (An EPYC, 1000 rows of 100 f64: places 71 us by both at once, so 53; described 137, 103.) */
#if USW_ENTRY_IS_COMPARED
#define USW_HALF_OF_STRIP(v) __builtin_shufflevector(v, v, 4, 5, 6, 7, 4, 5, 6, 7)
#define USW_QUARTER_OF_STRIP(v) __builtin_shufflevector(v, v, 2, 3, 2, 3, 2, 3, 2, 3)
#define USW_EIGHTH_OF_STRIP(v) __builtin_shufflevector(v, v, 1, 1, 1, 1, 1, 1, 1, 1)
#define USW_FIRST_OF_STRIP(v) __builtin_shufflevector(v, v, 0, 0, 0, 0, 0, 0, 0, 0)
#define USW_TAKE_WHERE(BEFORE, v, part)                                                                                \
  v = USW_STRIP_IF(__typeof__(v), (usw_strip_flags_t)(part(v) BEFORE v), part(v), v);
#define USW_FOLD_STRIP(BEFORE, v)                                                                                      \
  USW_TAKE_WHERE(BEFORE, v, USW_HALF_OF_STRIP)                                                                         \
  USW_TAKE_WHERE(BEFORE, v, USW_QUARTER_OF_STRIP)                                                                      \
  USW_TAKE_WHERE(BEFORE, v, USW_EIGHTH_OF_STRIP)
#define USW_FOLD_PLACES(name, BEFORE)                                                                                  \
  USW_INLINE void name(usw_strip_places_t *places, const USW_ENTRY_ELEMENT *x) {                                       \
    const usw_strip_flags_t column = {0, 1, 2, 3, 4, 5, 6, 7},                                                         \
                            none = (usw_strip_flags_t){0} + USW_LARGEST(USW_ENTRY_KEY);                                \
    usw_strip_t value = places->value;                                                                                 \
    USW_FOLD_STRIP(BEFORE, value)                                                                                      \
    value = USW_FIRST_OF_STRIP(value);                                                                                 \
    usw_strip_flags_t item =                                                                                           \
        USW_STRIP_IF(usw_strip_flags_t, (usw_strip_flags_t)(places->value == value), places->item + column, none);     \
    USW_FOLD_STRIP(<, item)                                                                                            \
    places->item[0] = item[0];                                                                                         \
    places->value[0] = value[0] == 0 ? x[item[0]] : value[0];                                                          \
  }
USW_FOLD_PLACES(usw_fold_least, <)
USW_FOLD_PLACES(usw_fold_greatest, >)
#define USW_ENTRY_FOLD_PLACES USW_CAT(USW_FOLD_PLACES_, USW_ENTRY_OPERATOR)
#define USW_FOLD_PLACES_MINIMUM usw_fold_least
#define USW_FOLD_PLACES_MAXIMUM usw_fold_greatest
#endif

/* The number of the item that column c of some places has. */
USW_INLINE uint64_t usw_item_of_place(const usw_strip_places_t *places, size_t c) {
  return sizeof(USW_ENTRY_KEY) == 1 ? (uint8_t)places->item[c] : (uint64_t)places->item[c];
}
#endif
