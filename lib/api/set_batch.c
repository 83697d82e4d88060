/* Batches: reducers of a set over short arrays, one launch of the kernel in offload/shapes/batch.h. Each array is for teams of
 * its own, one or a few, whose partials are the results: no team waits for another, as they do where many share an array. */
#include "api/set_batch.h"

#include <string.h>
#include <upsweep/upsweep.h>

#include "api/set_result.h"
#include "api/set_task.h"
#include "base/bytes.h"
#include "exec/device.h"
#include "exec/recheck.h"
#include "exec/run.h"
#include "exec/scratch.h"
#include "machine/environment.h"
#include "policy/prepare.h"

enum { ELEMENTS_PER_ITEM = 8 };

extern const usw_kernel_t reducer_batch_kernel; /* offload/shapes/batch.h */

/* Items of a task: what one team takes at once. Kernels are compiled for powers of two. */
static uint32_t item_bits(void) {
  return (uint32_t)__builtin_ctz(reducer_batch_kernel.bare.team_size * reducer_batch_kernel.items_per_thread);
}
static size_t elements_of_task(void) { return (size_t)ELEMENTS_PER_ITEM << item_bits(); }

/* What the caller says of strategies and grids is for runs of all reducers together. */
static int is_asked_otherwise(const uswi_call_t *call) {
  const usw_options_t *o = call->options;
  return o->strategy != USW_AUTO_STRATEGY || uswi_environment()->strategy != USW_AUTO_STRATEGY || o->teams != 0 ||
         uswi_environment()->teams != 0 || uswi_recheck_rate(call) != 0;
}

uint32_t uswi_set_batch_tasks(usw_set_t *set, size_t n, const uswi_call_t *call) {
  uint64_t tasks = 0;
  if (!call->device || !call->device->runs_bare || is_asked_otherwise(call))
    return 0;
  for (uint32_t r = 0; r < set->count; r++) {
    uswi_set_reducer_t *reducer = &set->reducers[r];
    const size_t elements = uswi_set_elements(reducer, n);
    if (reducer->key_bytes || elements > USWI_SET_MOST_TASKS * elements_of_task())
      return 0;
    reducer->tasks = (uint32_t)uswi_quotient_up(elements, elements_of_task());
    tasks += reducer->tasks;
    if (tasks > USWI_SET_MOST_TASKS)
      return 0;
  }
  return (uint32_t)tasks;
}

/* The tasks of all reducers, one behind the other: each takes what is behind the one before. */
static usw_status_t fill_tasks(usw_set_t *set, size_t of_run, uswi_call_t *call) {
  const size_t elements = elements_of_task();
  usw_set_task_t *task = set->tasks;
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < set->count && status == USW_OK; r++) {
    const uswi_set_reducer_t *reducer = &set->reducers[r];
    const size_t n = uswi_set_elements(reducer, of_run);
    const int64_t step = (int64_t)elements * reducer->stride * (int64_t)reducer->kernel->arguments[0].bytes;
    usw_set_task_t whole;
    status = uswi_set_fill_task(reducer, n, ELEMENTS_PER_ITEM, call, &whole);
    for (uint32_t k = 0; k < reducer->tasks && status == USW_OK; k++) {
      *task = whole;
      task->elements = n - k * elements < elements ? n - k * elements : elements;
      task->x = whole.x + k * (uint64_t)step;
      task++;
    }
  }
  return status;
}

/* The records of a reducer's tasks into one cell: the kernel's accumulator is a cell. Of many short arrays all of this is
 * between the last result's arrival and the caller. */
static usw_set_cell_t fold(const uswi_call_t *call, char *records, uint32_t count) {
  usw_set_cell_t cell = {{0, 0}, 0};
  for (uint32_t k = 1; k < count; k++)
    call->kernel->merge(records, records + k * call->record_bytes, call->extents);
  if (count > 0)
    memcpy(&cell, records, sizeof cell);
  return cell;
}

static void write_results(usw_set_t *set, char *records) {
  const uswi_call_t *call = &set->batch.call;
  for (uint32_t r = 0; r < set->count; r++) {
    const uint32_t count = set->reducers[r].tasks;
    const usw_set_cell_t cell = fold(call, records, count);
    uswi_set_finish(set, r, &cell, call->options);
    records += count * call->record_bytes;
  }
}

/* One launch, which leaves a record for each task in pinned memory. */
usw_status_t uswi_set_launch_batch(usw_set_t *set) {
  uswi_scratch_t *scratch;
  uswi_launched_t launched;
  const usw_status_t status = uswi_launch_and_wait(&set->batch.call, &scratch, &launched);
  if (status != USW_OK)
    return status;
  write_results(set, launched.records);
  uswi_scratch_give_back(scratch);
  return USW_OK;
}

/* Whether the kernel reads every array where the caller has it: then the next run need not ask where they are. Mappings may
 * change between two runs. */
static int is_read_in_place(const usw_set_t *set) {
  const usw_set_task_t *task = set->tasks;
  for (uint32_t r = 0; r < set->count; task += set->reducers[r++].tasks)
    if (set->reducers[r].tasks > 0 && task->x != (uint64_t)(uintptr_t)set->reducers[r].x)
      return 0;
  return 1;
}

usw_status_t uswi_set_run_batch(usw_set_t *set, size_t n, uswi_call_t *placed, uint32_t tasks) {
  uswi_batch_t *batch = &set->batch;
  const usw_set_task_t *tasks_there = NULL;
  batch->n = n;
  batch->asked = batch->options = *placed->options;
  batch->options.place = USW_DEVICE;
  batch->options.device = placed->device->number;
  batch->options.strategy = USW_STRATEGY_HOST_FINISH;
  batch->options.teams = tasks;
  usw_status_t status = fill_tasks(set, n, placed);
  if (status == USW_OK)
    status = uswi_set_carry_tasks(set, tasks, placed->device, &tasks_there);
  if (status != USW_OK)
    return status;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)tasks_there, item_bits(), (uint64_t)batch->options.nan};
  uswi_call_init(&batch->call, &reducer_batch_kernel, (size_t)tasks << item_bits(), &batch->options);
  batch->call.name = placed->name;
  status = uswi_prepare(&batch->call, arguments);
  if (status == USW_OK)
    status = uswi_set_launch_batch(set);
  if (status == USW_OK)
    uswi_fill_report(&batch->call);
  batch->is_known = status == USW_OK && !batch->asked.stream && !batch->asked.report && is_read_in_place(set);
  return status;
}

int uswi_set_knows_batch(const usw_set_t *set, size_t n, const usw_options_t *options) {
  static const usw_options_t defaults = {.size = sizeof defaults};
  return set->batch.is_known && set->batch.n == n &&
         memcmp(options ? options : &defaults, &set->batch.asked, sizeof defaults) == 0;
}
