/* How many elements are not zero. Row: name, PLUS, type. */
#include "row.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_COUNT
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT uint64_t
#define USW_NATIVE_CLAUSE 1
#define USW_BY_BLOCKS USW_ROW_IS_BYTES
#define USW_BY_RUNS (USW_ROW_RANKS > 1)
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x)
#define USW_REDUCERS(R, S) R(uint64_t, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (uint64_t)USW_ROW_NONZERO(x)); }
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) { usw_combine(value, usw_nonzeros(x, blocks)); }
#endif
#if USW_BY_RUNS
USW_VISIT_RUN(i, count, chains) {
  enum { FEW = 128 }; /* so many fit an integer of an element's size, in which vectors count them */
  for (size_t first = 0; first < count; first += FEW) {
    const size_t end = count - first < FEW ? count : first + FEW;
    USW_ROW_KEY nonzeros = 0;
    for (size_t k = first; k < end; k++)
      nonzeros += (USW_ROW_KEY)USW_ROW_NONZERO(x[k]);
    usw_combine(value, (uint64_t)nonzeros);
  }
  return 1;
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value; }
#include <upsweep/kernel_end.h>
