/* Reducer sets: what the kernels of offload/shapes/set.h and batch.h read of each reducer. */
#include "api/set_task.h"

#include <string.h>
#include <upsweep/upsweep.h>

#include "base/error.h"
#include "policy/place.h"

/* The type that words are combined as. */
static usw_type_t combined_as(const uswi_set_reducer_t *reducer) {
  if (reducer->operation != USW_PLUS && reducer->operation != USW_MULTIPLIES)
    return USW_I64;
  switch (reducer->type) {
  case USW_F16:
  case USW_BF16:
  case USW_F32:
    return USW_F32;
  case USW_F64:
  case USW_CF32:
  case USW_CF64:
    return reducer->type;
  default:
    return USW_I64;
  }
}

/* How elements become words. Types that have the same bits for a reduction share what the kernel has for one of them. */
static void set_load(const uswi_set_reducer_t *reducer, usw_set_task_t *task) {
  const int is_integer = reducer->type <= USW_U64;
  usw_type_t type = reducer->type == USW_U64 ? USW_I64 : reducer->type;
  task->load = USW_SET_VALUE;
  task->flip = reducer->operation == USW_MAXIMUM ? UINT64_MAX : 0;
  if (uswi_set_is_ordered(reducer) && reducer->type == USW_U64)
    task->flip ^= (uint64_t)1 << 63; /* in the order of signed numbers */
  if (uswi_set_is_ordered(reducer) && !is_integer)
    task->load = USW_SET_KEY;
  if (reducer->operation == USW_LOGICAL_AND || reducer->operation == USW_LOGICAL_OR) {
    task->load = USW_SET_NONZERO;
    type = reducer->type <= USW_I64    ? (usw_type_t)(reducer->type + USW_U8 - USW_I8)
           : reducer->type == USW_BF16 ? USW_F16
           : reducer->type == USW_BOOL ? USW_U8
                                       : reducer->type;
  }
  task->load |= (uint64_t)type;
  task->words = task->load == (USW_SET_VALUE | (uint64_t)USW_CF64) ? 2 : 1;
}

static void set_combine(const uswi_set_reducer_t *reducer, usw_set_task_t *task) {
  const usw_type_t type = combined_as(reducer);
  usw_operation_t operation = reducer->operation == USW_MAXIMUM ? USW_MINIMUM : reducer->operation;
  uint64_t identity[2] = {0, 0};
  if (operation == USW_LOGICAL_AND)
    operation = USW_BIT_AND;
  else if (operation == USW_LOGICAL_OR)
    operation = USW_BIT_OR;
  usw_identity(operation, type, identity);
  task->identity = identity[0];
  task->combine = USW_SET_COMBINE(operation, type);
}

void uswi_set_describe(uswi_set_reducer_t *reducer) {
  reducer->task = (usw_set_task_t){.x = (uint64_t)(uintptr_t)reducer->x,
                                   .keys = reducer->key_bytes ? (uint64_t)(uintptr_t)reducer->keys : 0,
                                   .stride = reducer->stride,
                                   .key_bytes = reducer->key_bytes,
                                   .first_cell = reducer->first_cell,
                                   .extent = reducer->extent};
  set_load(reducer, &reducer->task);
  set_combine(reducer, &reducer->task);
}

usw_status_t uswi_set_fill_task(const uswi_set_reducer_t *reducer, size_t n, uint64_t elements_per_item,
                                uswi_call_t *call, usw_set_task_t *task) {
  usw_status_t status = USW_OK;
  *task = reducer->task;
  task->elements_per_item = elements_per_item;
  task->elements = n;
  if (n > 0)
    status = uswi_reach(call, reducer->name, "x", &task->x);
  if (n > 0 && status == USW_OK && task->keys)
    status = uswi_reach(call, reducer->name, "keys", &task->keys);
  return status;
}

usw_status_t uswi_set_carry_tasks(usw_set_t *set, uint32_t count, const uswi_device_t *device,
                                  const usw_set_task_t **tasks_out) {
  const size_t bytes = count * sizeof *set->tasks;
  *tasks_out = set->tasks;
  if (!device || device->shares_host_memory)
    return USW_OK;
  if (set->there && set->device != device) {
    uswi_backend_free(set->device, set->there);
    set->there = NULL;
  }
  if (!set->there) {
    set->device = device;
    set->count_there = 0;
    set->there = uswi_backend_allocate(device, sizeof set->tasks, 0);
  }
  if (!set->there)
    return uswi_fail(USW_ERROR_MEMORY, "usw_set_run: no room for %zu bytes on device %d", sizeof set->tasks,
                     device->number);
  *tasks_out = set->there;
  if (set->count_there == count && memcmp(set->tasks_there, set->tasks, bytes) == 0)
    return USW_OK;
  set->count_there = 0;
  if (!uswi_backend_copy_to_device(device, set->there, set->tasks, bytes))
    return uswi_fail(USW_ERROR_DEVICE, "usw_set_run: %zu bytes could not be copied to device %d", bytes,
                     device->number);
  memcpy(set->tasks_there, set->tasks, bytes);
  set->count_there = count;
  return USW_OK;
}
