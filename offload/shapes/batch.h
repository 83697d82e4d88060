/* Batches (lib/api/set_batch.c): reducers of a set over short arrays, each by teams of its own. A task is what one team takes,
 * and its partial the result, or a part of it: no team waits for another. */
#include "shapes/set_words.h"

#define USW_MEMBERS_OF_usw_set_cell_t(n) USW_MEMBER_WORDS(n.words) USW_MEMBER(n.combine)
#define USW_KERNEL reducer_batch
#define USW_NO_CLAUSE 1
#define USW_RESULT usw_set_cell_t
#define USW_ARGS(IN, ARRAY, VALUE) ARRAY(usw_set_task_t, tasks) VALUE(uint64_t, item_bits) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) R(usw_set_cell_t, cell, usw_set_operate, usw_set_nothing())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const usw_set_task_t *task = &tasks[i >> item_bits];
  const uint64_t item = i & (((uint64_t)1 << item_bits) - 1);
  const uint64_t first = usw_set_first(task, item), count = usw_set_count(task, first);
  if (count > 0)
    usw_combine(cell, usw_set_combined(task, first, count, nan));
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = a->cell; }
#include <upsweep/kernel_end.h>
