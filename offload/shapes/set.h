/* Reducer sets (lib/api/set.c): any number of reducers of any type and operator in one kernel.
 *
 * All results are the cells of one span. An item is some elements of one reducer (with keys, on a GPU: one element), so
 * that what to do is decided once for a batch of elements. The last cell tells of keys outside their spans. */
#define USW_RECORDS_AT_ONCE 2 /* of 24 bytes: eight would set the number of registers */

#include "shapes/set_words.h"

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* The task whose item it is. */
USW_INLINE const usw_set_task_t *usw_set_task_of(const usw_set_task_t *tasks, uint64_t task_count, uint64_t item) {
  uint64_t low = 0;
  for (uint64_t high = task_count; high - low > 1;) {
    const uint64_t middle = (low + high) / 2;
    if (tasks[middle].first_item <= item)
      low = middle;
    else
      high = middle;
  }
  return &tasks[low];
}

USW_INLINE uint64_t usw_set_key_of(const usw_set_task_t *task, uint64_t element) {
  return task->key_bytes == 4 ? ((const uint32_t *)(uintptr_t)task->keys)[element]
                              : ((const uint64_t *)(uintptr_t)task->keys)[element];
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL reducer_set
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  ARRAY(usw_set_task_t, tasks)                                                                                         \
  VALUE(uint64_t, task_count) VALUE(uint64_t, last_cell) VALUE(uint64_t, nan)
#define USW_REDUCERS(R, S) S(usw_set_cell_t, cells, USW_DYNAMIC_EXTENT, usw_set_operate, usw_set_nothing())
#include <upsweep/kernel.h>
/* Combine the words of an element into the cell that its key names; one whose key names none tells the last cell its task:
 * the first such task stays there. */
#define USW_SET_COMBINE_BY_KEY(element, low, high)                                                                     \
  do {                                                                                                                 \
    const uint64_t key = usw_set_key_of(task, element);                                                                \
    const int inside = key < task->extent;                                                                             \
    const usw_set_cell_t by_key = {{inside ? (low) : (uint64_t)(task - tasks), inside ? (high) : 0},                   \
                                   inside ? task->combine : USW_SET_COMBINE(USW_MINIMUM, USW_I64)};                    \
    usw_combine_at(cells, inside ? task->first_cell + key : last_cell, by_key);                                        \
  } while (0)
USW_VISIT(i) {
  const usw_set_task_t *task = usw_set_task_of(tasks, task_count, i);
  const uint64_t item = i - task->first_item;
  const uint64_t first = usw_set_first(task, item), count = usw_set_count(task, first);
  if (count == 0)
    return;
#if USW_SUB_GROUP > 1
  const usw_set_cell_t cell = usw_set_combined(task, first, count, nan);
  if (task->keys == 0)
    usw_combine_at(cells, task->first_cell, cell);
  else
    USW_SET_COMBINE_BY_KEY(first, cell.words[0], cell.words[1]);
#else
  if (task->keys == 0) {
    usw_combine_at(cells, task->first_cell, usw_set_combined(task, first, count, nan));
    return;
  }
  const uint64_t batch = usw_set_batch(task);
  uint64_t words[USW_SET_BATCH];
  for (uint64_t k = 0; k < count; k += batch) {
    const uint32_t now = usw_set_load_batch(words, task, first, count, k, nan);
    for (uint32_t e = 0; e < now; e++)
      USW_SET_COMBINE_BY_KEY(first + k + e, words[task->words * e], task->words == 2 ? words[2 * e + 1] : 0);
  }
#endif
}
#include <upsweep/kernel_end.h>
