/* The sum of the absolute values, in the real type. Entry: name, PLUS, type. */
#include "entry.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_NORM1
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_ENTRY_FACTS
#define USW_RESULT USW_ENTRY_REAL
#define USW_NATIVE_CLAUSE USW_ENTRY_IS_NATIVE
#define USW_NO_CLAUSE USW_ENTRY_IS_ACCURATE
#if USW_ENTRY_IS_COMPLEX
#define USW_LOADS_AHEAD 1 /* roots of doubles are to hide the next tile's loads */
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(USW_ENTRY_REAL, value, USW_ENTRY_OPERATION) USW_ENTRY_KEPT(R)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int is_number = USW_ENTRY_IS_NUMBER(x);
  usw_combine(value, is_number ? USW_ENTRY_ABSOLUTE(x) : 0);
  USW_ENTRY_KEEP(is_number);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = USW_OF(_total_, value)(a); }
#include <upsweep/kernel_end.h>
