/* Minimum and maximum of one stream in one pass, as two integer minima over order keys. Entry: name, MINIMUM, type. */
#include "entry.h"
#if USW_ENTRY_IS_COMPARED
#include "extremum_of_run.h"
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_MINMAX
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY)
#define USW_RESULT USW_TAGGED(usw_extremes_, USW_ENTRY_TYPE, _t)
#define USW_BY_BLOCKS (USW_ENTRY_RANKS > 0)
#define USW_BY_RUNS (USW_ENTRY_IS_WORDS || USW_ENTRY_IS_COMPARED)
#if USW_ENTRY_IS_COMPARED
#define USW_HOST_RUN_ITEMS 2048 /* as extremum.h's */
#endif
#if USW_ENTRY_IS_HALF
#define USW_HOST_BULK_ITEMS 64 /* no compiler finds vectors in a block, with two keys of each */
#endif
#if USW_ENTRY_IS_WIDE
#define USW_LOADS_AHEAD 1
#endif
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(USW_ENTRY_KEY, least, USW_MINIMUM) R(USW_ENTRY_KEY, greatest, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(least, USW_ENTRY_TO_KEY(x, nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM));
  usw_combine(greatest, USW_ENTRY_TO_KEY(x, nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM));
}
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) {
  const USW_ENTRY_KEY minimum = (USW_ENTRY_KEY)USW_TURN_MINIMUM, maximum = (USW_ENTRY_KEY)USW_TURN_MAXIMUM;
  usw_combine(least, USW_ENTRY_TO_KEY(USW_ENTRY_LEAST(x, blocks, nan, minimum), nan, minimum));
  usw_combine(greatest, USW_ENTRY_TO_KEY(USW_ENTRY_LEAST(x, blocks, nan, maximum), nan, maximum));
}
#endif
#if USW_ENTRY_IS_COMPARED
USW_VISIT_RUN(i, count, chains) {
  USW_ENTRY_ELEMENT minimum, maximum;
  if (nan == USW_NAN_IGNORE || !USW_ENTRY_EXTREMUM_OF_RUN(MINIMUM)(x, count, &minimum) ||
      !USW_ENTRY_EXTREMUM_OF_RUN(MAXIMUM)(x, count, &maximum))
    return 0;
  usw_combine(least, USW_ENTRY_TO_KEY(minimum, nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM));
  usw_combine(greatest, USW_ENTRY_TO_KEY(maximum, nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM));
  return 1;
}
#elif USW_ENTRY_IS_WORDS
/* A key of the maximum is the element's own, turned: once for all. */
USW_VISIT_RUN(i, count, chains) {
  USW_ENTRY_ELEMENT minimum = x[0], maximum = x[0];
  for (size_t k = 0; k < count; k++) {
    minimum = x[k] < minimum ? x[k] : minimum;
    maximum = x[k] > maximum ? x[k] : maximum;
  }
  usw_combine(least, USW_ENTRY_TO_KEY(minimum, nan, (USW_ENTRY_KEY)USW_TURN_MINIMUM));
  usw_combine(greatest, USW_ENTRY_TO_KEY(maximum, nan, (USW_ENTRY_KEY)USW_TURN_MAXIMUM));
  return 1;
}
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  result->minimum = USW_ENTRY_FROM_KEY(a->least, (USW_ENTRY_KEY)USW_TURN_MINIMUM);
  result->maximum = USW_ENTRY_FROM_KEY(a->greatest, (USW_ENTRY_KEY)USW_TURN_MAXIMUM);
}
#include <upsweep/kernel_end.h>
