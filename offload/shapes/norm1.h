/* The sum of the absolute values, in the real type. Row: name, PLUS, type. */
#include "row.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_NORM1
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS 0
#define USW_RESULT USW_ROW_REAL
#define USW_NATIVE_CLAUSE !USW_ROW_IS_ACCURATE
#define USW_NO_CLAUSE USW_ROW_IS_ACCURATE
#if !USW_ROW_IS_SCALAR
#define USW_LOADS_AHEAD 1 /* roots of doubles are to hide the next tile's loads */
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x)
#define USW_REDUCERS(R, S) R(USW_ROW_REAL, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, USW_ROW_ABSOLUTE(x)); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = USW_OF(_total_, value)(a); }
#include <upsweep/kernel_end.h>
