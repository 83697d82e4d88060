/* A column's least or greatest element on a GPU and the number of its first item, for kernels by columns (engine/team_columns.h). Floats are
 * compared as the processor does: equal zeros are one place, as by order keys, and a sum of all elements tells of NaNs. */
#ifndef UPSWEEP_SHAPES_COLUMN_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_COLUMN_H

#include "entry.h"

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
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_ENTRY_SEE USW_CAT(USW_SEE_, USW_ENTRY_OPERATOR)
#define USW_SEE_MINIMUM usw_see_least
#define USW_SEE_MAXIMUM usw_see_greatest
#endif
