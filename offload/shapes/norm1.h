/* The sum of the absolute values, in the real type. Entry: name, PLUS, type. */
#include "entry.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_NORM1
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS 0
#define USW_RESULT USW_ENTRY_REAL
#define USW_NATIVE_CLAUSE !USW_ENTRY_IS_ACCURATE
#define USW_NO_CLAUSE USW_ENTRY_IS_ACCURATE
#if USW_ENTRY_IS_COMPLEX
#define USW_LOADS_AHEAD 1 /* roots of doubles are to hide the next tile's loads */
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(USW_ENTRY_REAL, value, USW_ENTRY_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, USW_ENTRY_ABSOLUTE(x)); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = USW_OF(_total_, value)(a); }
#include <upsweep/kernel_end.h>
