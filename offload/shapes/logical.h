/* Whether all elements, or any, are not zero. Row: name, LOGICAL_AND or LOGICAL_OR, type. */
#include "row.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_ROW_OPERATION
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT usw_b8_t
#define USW_NATIVE_CLAUSE 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x)
#define USW_REDUCERS(R, S) R(uint8_t, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (uint8_t)USW_ROW_NONZERO(x)); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value != 0; }
#include <upsweep/kernel_end.h>
