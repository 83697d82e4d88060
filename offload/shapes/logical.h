/* Whether all elements, or any, are not zero. Entry: name, LOGICAL_AND or LOGICAL_OR, type. */
#include "entry.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_ENTRY_OPERATION
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_FACT_EXACT
#define USW_RESULT usw_b8_t
#define USW_NATIVE_CLAUSE 1
#define USW_BY_BLOCKS USW_ENTRY_IS_BYTES
#define USW_BY_RUNS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(uint8_t, value, USW_ENTRY_OPERATION)
#define USW_TAKES_INITIAL 1
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(value, (uint8_t)USW_ENTRY_NONZERO(x)); }
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_combine(value, (uint8_t)(USW_ENTRY_OPERATION == USW_LOGICAL_AND ? usw_all_nonzero(x, blocks)
                                                                      : usw_any_nonzero(x, blocks)));
}
#endif
/* In unsigned integers of an element's size, as vectors have them, of which the least tells whether one is 0; of 8 bytes, which few
 * processors have minima of, each is compared. (On an EPYC it took up to 2.1 times as long to compare all
 * with AVX-512, 1.6 with AVX2, 1.8 with SSE4.2.) What has been decided is not looked at again. */
USW_VISIT_RUN(i, count, chains) {
  const int is_decided = usw_accumulator->value == (USW_ENTRY_OPERATION == USW_LOGICAL_OR);
  if (is_decided)
    return 1;
  __typeof__(USW_ENTRY_TRUTH(*x)) some = 0, none = 0, least = USW_ENTRY_TRUTH(*x);
  for (size_t k = 0; k < count; k++) {
    const __typeof__(least) truth = USW_ENTRY_TRUTH(x[k]);
    some |= truth;
    if (sizeof truth < 8)
      least = truth < least ? truth : least;
    else
      none |= truth == 0;
  }
  const int all = sizeof least < 8 ? least != 0 : none == 0;
  usw_combine(value, (uint8_t)(USW_ENTRY_OPERATION == USW_LOGICAL_AND ? all : some != 0));
  return 1;
}
#if USW_SCAN
USW_BEGIN(initial) { usw_combine(value, (uint8_t)(initial != 0)); }
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->value != 0; }
#include <upsweep/kernel_end.h>
