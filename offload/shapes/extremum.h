/* Minimum or maximum of one stream, as an integer minimum over order keys (order.h).
 * Entry: name, MINIMUM or MAXIMUM, type. */
#include "entry.h"
#if USW_ENTRY_IS_COMPARED
#include "extremum_of_run.h"
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_ENTRY_OPERATION
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS (USW_FACT_EXACT | USW_FACT_NAN_POLICY)
#define USW_RESULT USW_ENTRY_ELEMENT
#define USW_NATIVE_CLAUSE 1
#define USW_MERGES_SLOWLY (USW_ENTRY_IS_LONG || USW_ENTRY_IS_WIDE) /* words of 8 bytes */
#define USW_BY_BLOCKS (USW_ENTRY_RANKS > 0)
#define USW_BY_RUNS USW_ENTRY_IS_COMPARED
#if USW_AXES && USW_SUB_GROUP > 1
#include "column.h"
#define USW_BY_COLUMNS (USW_COLUMN_HAS_ENDS || USW_ENTRY_IS_COMPARED)
#endif
#if USW_SCAN && !USW_RESTARTS && (USW_ENTRY_IS_HALF || USW_ENTRY_HAS_TOTALS)
#include <upsweep/running.h>
#define USW_SCANS_BLOCKS 1
#endif
#define USW_HOST_RUN_ITEMS 2048 /* their end takes as long as a hundred of them */
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(USW_ENTRY_KEY, key, USW_MINIMUM)
#define USW_TAKES_INITIAL 1
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(key, USW_ENTRY_TO_KEY(x, nan, USW_ENTRY_TURN)); }
#if USW_BY_BLOCKS
USW_VISIT_BLOCKS(i, step, blocks) {
  usw_combine(key, USW_ENTRY_TO_KEY(USW_ENTRY_LEAST(x, blocks, nan, USW_ENTRY_TURN), nan, USW_ENTRY_TURN));
}
#endif
#if USW_BY_RUNS
USW_VISIT_RUN(i, count, chains) {
  USW_ENTRY_ELEMENT extremum;
  if (count < USW_LEAST_COMPARED || nan == USW_NAN_IGNORE ||
      !USW_ENTRY_EXTREMUM_OF_RUN(USW_ENTRY_OPERATOR)(x, count, &extremum))
    return 0;
  usw_combine(key, USW_ENTRY_TO_KEY(extremum, nan, USW_ENTRY_TURN));
  return 1;
}
#endif
#if USW_BY_COLUMNS
typedef usw_extreme_t USW_F(_column);
USW_BEGIN_COLUMN {
  *usw_column = usw_extreme_of(x);
  return nan != USW_NAN_IGNORE;
}
USW_SEE_ITEM(item) { USW_ENTRY_TAKE_EXTREME(usw_column, x); }
USW_END_COLUMN(i, step, items) {
  if (!usw_is_decided(*usw_column))
    return 0;
  usw_accumulator->key = USW_ENTRY_TO_KEY(usw_value_of_extreme(*usw_column), nan, USW_ENTRY_TURN);
  return 1;
}
#endif
#if USW_SCANS_BLOCKS
/* The element that stands for a key; for that of no items the identity, or a NaN where they are passed over: one that nothing follows stays. */
USW_INLINE USW_ENTRY_ELEMENT USW_F(_running)(USW_ENTRY_KEY key, uint64_t nan USW_UNUSED) {
#if USW_ENTRY_IS_HALF
  const USW_ENTRY_ELEMENT no_number = {USW_CAT(USW_NAN_BITS_, USW_ENTRY_TYPE)};
  if (nan == USW_NAN_IGNORE && key == USW_IDENTITY(USW_MINIMUM, USW_ENTRY_KEY))
    return no_number;
#endif
  return USW_ENTRY_FROM_KEY(key, USW_ENTRY_TURN);
}
USW_SET_NEUTRAL(element) { *element = USW_F(_running)(USW_IDENTITY(USW_MINIMUM, USW_ENTRY_KEY), nan); }
USW_TAKE_BLOCK {
  const USW_ENTRY_ELEMENT *const block[] = {x};
  usw_accumulator->key = USW_ENTRY_TO_KEY(USW_ENTRY_LEAST(block, 1, nan, USW_ENTRY_TURN), nan, USW_ENTRY_TURN);
}
USW_SCAN_BLOCK(results) {
  /* A scan may begin with a NaN, which wins also where others are passed over. */
  const uint64_t policy = USW_ENTRY_IS_HALF && usw_accumulator->key == INT16_MIN ? USW_NAN_PROPAGATE : nan;
  USW_ENTRY_ELEMENT extreme = USW_F(_running)(usw_accumulator->key, policy);
  USW_ENTRY_RUNNING(x, policy, USW_ENTRY_TURN, &extreme, results);
  usw_accumulator->key = USW_ENTRY_TO_KEY(extreme, policy, USW_ENTRY_TURN);
}
#endif
#if USW_SCAN
USW_BEGIN(initial) { usw_combine(key, USW_ENTRY_TO_KEY(initial, USW_NAN_PROPAGATE, USW_ENTRY_TURN)); }
#endif
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) {
  *result = USW_ENTRY_FROM_KEY(a->key, USW_ENTRY_TURN);
}
#include <upsweep/kernel_end.h>
