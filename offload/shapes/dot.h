/* The inner product of two streams: products and their sum in the sum type. Entry: name, PLUS or an accurate
 * one, type. */
#include "entry.h"

#ifndef USW_LEFT_FACTOR /* what becomes of x before it is multiplied */
#define USW_LEFT_FACTOR(x) (x)
#define USW_PRODUCT_OPERATION USW_DOT
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_PRODUCT_OPERATION
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_ENTRY_FACTS
#define USW_RESULT USW_ENTRY_SUM
#define USW_NATIVE_CLAUSE                                                                                              \
  (USW_ENTRY_IS_NATIVE && !USW_ENTRY_IS_COMPLEX) /* C has rules of its own for complex products */
#define USW_NO_CLAUSE USW_ENTRY_IS_ACCURATE
#define USW_BY_BLOCKS USW_ENTRY_IS_BYTES
#define USW_BY_RUNS USW_ENTRY_IS_BYTES
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) IN(USW_ENTRY_ELEMENT, y)
#define USW_REDUCERS(R, S) R(USW_ENTRY_SUM, value, USW_ENTRY_OPERATION) USW_ENTRY_KEPT(R)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const USW_ENTRY_SUM left = (USW_ENTRY_SUM)USW_ENTRY_VALUE(USW_LEFT_FACTOR(x)),
                      right = (USW_ENTRY_SUM)USW_ENTRY_VALUE(y);
  const int is_number = USW_ENTRY_IS_NUMBER(x) & USW_ENTRY_IS_NUMBER(y);
  usw_add_product(value, is_number ? left : 0, is_number ? right : 0);
  USW_ENTRY_KEEP(is_number);
}
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) { usw_combine(value, (USW_ENTRY_SUM)USW_ENTRY_TOTAL_OF_PRODUCTS(x, y, blocks)); }
#endif
#if USW_BY_RUNS
USW_VISIT_RUN(i, count, chains) {
  USW_ENTRY_WORD total = 0; /* wide enough for a run */
  for (size_t k = 0; k < count; k++)
    total += (USW_ENTRY_WORD)x[k] * (USW_ENTRY_WORD)y[k];
  usw_combine(value, (USW_ENTRY_SUM)total);
  return 1;
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = USW_OF(_total_, value)(a); }
#include <upsweep/kernel_end.h>
#undef USW_LEFT_FACTOR
#undef USW_PRODUCT_OPERATION
