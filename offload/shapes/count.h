/* How many elements are not zero. Row: name, PLUS, type. */
#include "row.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_COUNT
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT uint64_t
#define USW_NATIVE_CLAUSE 1
#define USW_BY_BLOCKS USW_ROW_IS_BYTES
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x)
#define USW_REDUCERS(R, S) R(uint64_t, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (uint64_t)USW_ROW_NONZERO(x)); }
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) { usw_combine(value, usw_nonzeros(x, blocks)); }
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value; }
#include <upsweep/kernel_end.h>
