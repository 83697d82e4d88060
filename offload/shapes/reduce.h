/* One operator over one stream: sums and products in the sum type (integers widen to 64 bits). Entry: name, operator,
 * type. */
#include "entry.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION (uint32_t)USW_OF(_code_, value)
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_ENTRY_FACTS
#define USW_RESULT USW_ENTRY_SUM
#define USW_NATIVE_CLAUSE                                                                                              \
  (USW_ENTRY_IS_NATIVE && !USW_ENTRY_IS_COMPLEX) /* C has rules of its own for complex products */
#define USW_NO_CLAUSE USW_ENTRY_IS_ACCURATE
#define USW_IS_SUM USW_CAT(USW_IS_SUM_, USW_ENTRY_OPERATOR)
#define USW_IS_NARROW_SUM (USW_ENTRY_HAS_NARROW_TOTALS && USW_IS_SUM)
#define USW_IS_NARROW_PRODUCT (USW_ENTRY_HAS_TOTALS && USW_CAT(USW_IS_PRODUCT_, USW_ENTRY_OPERATOR))
#define USW_IS_SUM_PLUS 1
#define USW_IS_PRODUCT_MULTIPLIES 1
#define USW_BY_BLOCKS (USW_ENTRY_IS_BYTES || USW_IS_NARROW_PRODUCT)
#define USW_BY_RUNS (USW_IS_NARROW_SUM || USW_IS_NARROW_PRODUCT)
#define USW_BY_COLUMNS (USW_AXES && USW_SUB_GROUP > 1 && USW_ENTRY_IS_BYTES && USW_IS_SUM)
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(USW_ENTRY_SUM, value, USW_ENTRY_OPERATION) USW_ENTRY_KEPT(R)
#define USW_TAKES_INITIAL 1
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int is_number = USW_ENTRY_IS_NUMBER(x);
  usw_combine(value, is_number ? (USW_ENTRY_SUM)USW_ENTRY_VALUE(x) : usw_identity_of(value));
  USW_ENTRY_KEEP(is_number);
}
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_combine(value, (USW_ENTRY_SUM)(USW_ENTRY_OPERATION == USW_PLUS ? USW_ENTRY_TOTAL(x, blocks)
                                                                     : USW_ENTRY_PRODUCT(x, blocks)));
}
#endif
#if USW_IS_NARROW_PRODUCT
/* Numbers a quarter or a half of the run apart are multiplied in 32 bits, which hold that, and only their products in 64. */
USW_VISIT_RUN(i, count, chains) {
  const size_t step = count / USW_ENTRY_FACTORS;
  USW_ENTRY_SUM product = 1;
  for (size_t k = 0; k < step; k++) {
    USW_ENTRY_WORD factor = x[k];
    USW_UNROLL for (size_t f = 1; f < USW_ENTRY_FACTORS; f++) factor *= (USW_ENTRY_WORD)x[k + f * step];
    product *= (USW_ENTRY_SUM)factor;
  }
  usw_combine(value, product);
  return 1;
}
#elif USW_IS_NARROW_SUM
USW_VISIT_RUN(i, count, chains) {
  int32_t total = 0; /* wide enough for a run */
  for (size_t k = 0; k < count; k++)
    total += x[k];
  usw_combine(value, (USW_ENTRY_SUM)total);
  return 1;
}
#endif
#if USW_BY_COLUMNS
typedef struct {
  int32_t total; /* half of the registers and steps that the sum takes, and wide enough for so many items: */
} USW_F(_column);
enum { USW_F(_most_of_column) = INT32_MAX >> 8 };

USW_BEGIN_COLUMN {
  usw_column->total = x;
  return 1;
}
USW_SEE_ITEM(item) { usw_column->total += x; }
USW_END_COLUMN(i, step, items) {
  usw_accumulator->value = (USW_ENTRY_SUM)usw_column->total;
  return items <= USW_F(_most_of_column);
}
#endif
#if USW_SCAN
USW_BEGIN(initial) { usw_combine(value, initial); }
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = USW_OF(_total_, value)(a); }
#include <upsweep/kernel_end.h>
