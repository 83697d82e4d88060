/* The inner product of two streams: products in the element type, their sum in the sum type. Row: name, PLUS, type. */
#include "row.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_DOT
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS (USW_ROW_IS_FLOATING ? 0 : USW_FACT_EXACT)
#define USW_RESULT USW_ROW_SUM
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x) IN(USW_ROW_ELEMENT, y)
#define USW_REDUCERS(R, S) R(USW_ROW_SUM, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (USW_ROW_SUM)x * (USW_ROW_SUM)y); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value; }
#include <upsweep/kernel_end.h>

usw_status_t USW_ROW_FUNCTION(const USW_ROW_ELEMENT *x, const USW_ROW_ELEMENT *y, size_t n, USW_ROW_SUM *result_out) {
  const uint64_t slots[] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y};
  void *variables[] = {result_out};
  return usw_kernel_run(&USW_ROW_DESCRIPTOR, n, slots, variables, NULL);
}
