/* The inner product of two streams: products and their sum in the sum type. Row: name, PLUS or an accurate
 * one, type. */
#include "row.h"

#ifndef USW_LEFT_FACTOR /* what becomes of x before it is multiplied */
#define USW_LEFT_FACTOR(x) (x)
#define USW_PRODUCT_OPERATION USW_DOT
#endif

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_PRODUCT_OPERATION
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS USW_ROW_FACTS
#define USW_RESULT USW_ROW_SUM
#define USW_NATIVE_CLAUSE USW_ROW_IS_NATIVE
#define USW_NO_CLAUSE USW_ROW_IS_ACCURATE
#define USW_BY_BLOCKS USW_ROW_IS_BYTES
#define USW_BY_RUNS USW_ROW_IS_BYTES
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) IN(USW_ROW_ELEMENT, y)
#define USW_REDUCERS(R, S) R(USW_ROW_SUM, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const USW_ROW_SUM left = (USW_ROW_SUM)USW_ROW_VALUE(USW_LEFT_FACTOR(x)), right = (USW_ROW_SUM)USW_ROW_VALUE(y);
  usw_add_product(value, left, right);
}
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) { usw_combine(value, (USW_ROW_SUM)USW_ROW_TOTAL_OF_PRODUCTS(x, y, blocks)); }
#endif
#if USW_BY_RUNS
USW_VISIT_RUN(i, count, chains) {
  USW_ROW_WORD total = 0; /* wide enough for a run */
  for (size_t k = 0; k < count; k++)
    total += (USW_ROW_WORD)x[k] * (USW_ROW_WORD)y[k];
  usw_combine(value, (USW_ROW_SUM)total);
  return 1;
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = USW_OF(_total_, value)(a); }
#include <upsweep/kernel_end.h>
