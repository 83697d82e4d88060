/* How many elements are not zero. A NaN is not zero; -0 is. Row: name, PLUS, type. */
#include "row.h"

#define USW_KERNEL USW_ROW_KERNEL
#define USW_OPERATION USW_COUNT
#define USW_TYPE USW_ROW_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT uint64_t
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ROW_ELEMENT, x)
#define USW_REDUCERS(R, S) R(uint64_t, value, USW_ROW_OPERATION)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (uint64_t)(x != 0)); }
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value; }
#include <upsweep/kernel_end.h>

usw_status_t USW_ROW_FUNCTION(const USW_ROW_ELEMENT *x, size_t n, uint64_t *result_out) {
  const uint64_t slots[] = {(uint64_t)(uintptr_t)x};
  void *variables[] = {result_out};
  return usw_kernel_run(&USW_ROW_DESCRIPTOR, n, slots, variables, NULL);
}
