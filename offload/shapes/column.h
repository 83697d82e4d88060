/* A column's least or greatest element on a GPU, with or without the number of its first item, for kernels by columns
 * (engine/team_columns.h). Floats are compared as the processor does: equal zeros are one place, as by order keys, and a sum of all elements
 * tells of NaNs. */
#ifndef UPSWEEP_SHAPES_COLUMN_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_COLUMN_H

#include "entry.h"

/* 1 for types whose extremes take an instruction for each element. */
#define USW_ENDS_OF_f32 1
#define USW_ENDS_OF_f16 1
#define USW_ENDS_OF_bf16 1
#ifdef USW_PORT_HAS_ENDS
#define USW_COLUMN_HAS_ENDS (USW_CAT(USW_ENDS_OF_, USW_ENTRY_TYPE) + 0)
#else
#define USW_COLUMN_HAS_ENDS 0
#endif

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* What elements are compared as. */
#if USW_ENTRY_IS_HALF
typedef float usw_compared_t;
#define USW_COMPARED_OF(x) USW_ENTRY_VALUE(x)
#define USW_ELEMENT_OF_COMPARED(value) USW_CAT(usw_float_to_, USW_ENTRY_TYPE)(value)
#else
typedef USW_ENTRY_ELEMENT usw_compared_t;
#define USW_COMPARED_OF(x) (x)
#define USW_ELEMENT_OF_COMPARED(value) (value)
#endif

USW_INLINE int usw_is_number(usw_compared_t value) {
  const usw_compared_t same = value;
  return value == same;
}

typedef struct {
  usw_compared_t value;
  uint32_t item;
} usw_seen_t;

USW_INLINE void usw_see(usw_seen_t *seen, usw_compared_t value, uint32_t item, int is_before) {
  seen->value = is_before ? value : seen->value;
  seen->item = is_before ? item : seen->item;
}
USW_INLINE void usw_see_least(usw_seen_t *seen, usw_compared_t value, uint32_t item) {
  usw_see(seen, value, item, value < seen->value);
}
USW_INLINE void usw_see_greatest(usw_seen_t *seen, usw_compared_t value, uint32_t item) {
  usw_see(seen, value, item, value > seen->value);
}

/* An extreme value alone. */
#if USW_COLUMN_HAS_ENDS && USW_ENTRY_IS_HALF
typedef uint32_t usw_extreme_t; /* its bits, by instructions that tell zeros from each other, and of NaNs */
#define USW_PORT_LEAST USW_CAT(usw_port_least_pair_, USW_ENTRY_TYPE)
#define USW_PORT_GREATEST USW_CAT(usw_port_greatest_pair_, USW_ENTRY_TYPE)
USW_INLINE usw_extreme_t usw_extreme_of(USW_ENTRY_ELEMENT x) {
  uint16_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
USW_INLINE USW_ENTRY_ELEMENT usw_value_of_extreme(usw_extreme_t extreme) {
  const uint16_t bits = (uint16_t)extreme;
  USW_ENTRY_ELEMENT x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
#elif USW_COLUMN_HAS_ENDS
typedef float usw_extreme_t;
#define USW_PORT_LEAST usw_port_least_float
#define USW_PORT_GREATEST usw_port_greatest_float
USW_INLINE usw_extreme_t usw_extreme_of(USW_ENTRY_ELEMENT x) { return x; }
USW_INLINE USW_ENTRY_ELEMENT usw_value_of_extreme(usw_extreme_t extreme) { return extreme; }
#endif
#if USW_COLUMN_HAS_ENDS
USW_INLINE void usw_take_least(usw_extreme_t *least, USW_ENTRY_ELEMENT x) {
  *least = USW_PORT_LEAST(*least, usw_extreme_of(x));
}
USW_INLINE void usw_take_greatest(usw_extreme_t *greatest, USW_ENTRY_ELEMENT x) {
  *greatest = USW_PORT_GREATEST(*greatest, usw_extreme_of(x));
}
USW_INLINE int usw_is_decided(usw_extreme_t extreme) {
  (void)extreme;
  return 1;
}
#elif USW_ENTRY_IS_COMPARED
/* As the processor compares, which does not tell zeros from each other: if it is a zero, the extreme of the words that signs are in tells which
 * zeros there were, as all other elements have one sign then. */
typedef struct {
  USW_ENTRY_ELEMENT value, sum;
  int32_t sign_word;
} usw_extreme_t;

USW_INLINE int32_t usw_sign_word(USW_ENTRY_ELEMENT x) {
  USW_ENTRY_KEY bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return (int32_t)(bits >> (8 * (sizeof bits - sizeof(int32_t))));
}
USW_INLINE usw_extreme_t usw_extreme_of(USW_ENTRY_ELEMENT x) {
  const usw_extreme_t extreme = {x, x, usw_sign_word(x)};
  return extreme;
}
USW_INLINE void usw_take_least(usw_extreme_t *least, USW_ENTRY_ELEMENT x) {
  const int32_t word = usw_sign_word(x);
  least->value = x < least->value ? x : least->value;
  least->sign_word = word < least->sign_word ? word : least->sign_word;
  least->sum += x;
}
USW_INLINE void usw_take_greatest(usw_extreme_t *greatest, USW_ENTRY_ELEMENT x) {
  const int32_t word = usw_sign_word(x);
  greatest->value = x > greatest->value ? x : greatest->value;
  greatest->sign_word = word > greatest->sign_word ? word : greatest->sign_word;
  greatest->sum += x;
}
/* Whether there is no NaN. */
USW_INLINE int usw_is_decided(usw_extreme_t extreme) { return usw_is_number(extreme.sum); }
USW_INLINE USW_ENTRY_ELEMENT usw_value_of_extreme(usw_extreme_t extreme) {
  const USW_ENTRY_ELEMENT zero = 0;
  return extreme.value != zero ? extreme.value : extreme.sign_word < 0 ? -zero : zero;
}
#endif
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_ENTRY_TAKE_EXTREME USW_CAT(USW_TAKE_, USW_ENTRY_OPERATOR)
#define USW_TAKE_MINIMUM usw_take_least
#define USW_TAKE_MAXIMUM usw_take_greatest
#define USW_ENTRY_SEE USW_CAT(USW_SEE_, USW_ENTRY_OPERATOR)
#define USW_SEE_MINIMUM usw_see_least
#define USW_SEE_MAXIMUM usw_see_greatest
#endif
