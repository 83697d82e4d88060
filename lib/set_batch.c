/* Batches: reducers of a set over short arrays, one launch of the kernel in offload/shapes/batch.h. Each array is for teams of
 * its own, one or a few, whose partials are the results: no team waits for another, as they do where many share an array. */
#include <upsweep/upsweep.h>

#include "environment.h"
#include "error.h"
#include "recheck.h"
#include "run_on_device.h"
#include "set.h"

enum { ELEMENTS_PER_ITEM = 8 };

extern const usw_kernel_t reducer_batch_kernel; /* offload/shapes/batch.h */

/* Items of a row: what one team takes at once. */
static uint64_t items_of_row(void) {
  return (uint64_t)reducer_batch_kernel.bare.team_size * reducer_batch_kernel.items_per_thread;
}

static uint64_t rows_of(size_t n) {
  const uint64_t elements = items_of_row() * ELEMENTS_PER_ITEM;
  return n / elements + (n % elements != 0);
}

/* What the caller says of strategies and grids is for runs of all reducers together. */
static int is_asked_otherwise(const uswi_call_t *call) {
  const usw_options_t *o = call->options;
  return o->strategy != USW_AUTO_STRATEGY || uswi_environment()->strategy != USW_AUTO_STRATEGY || o->teams != 0 ||
         uswi_environment()->teams != 0 || uswi_recheck_rate(call) != 0;
}

uint32_t uswi_set_batch_rows(const usw_set_t *set, size_t n, const uswi_call_t *call) {
  uint64_t rows = 0;
  if (!call->device || !call->device->runs_bare || is_asked_otherwise(call))
    return 0;
  for (uint32_t r = 0; r < set->count; r++) {
    if (set->reducers[r].key_bytes)
      return 0;
    rows += rows_of(uswi_set_elements(&set->reducers[r], n));
    if (rows > USWI_SET_MOST_ROWS)
      return 0;
  }
  return (uint32_t)rows;
}

/* The rows of all reducers, one behind the other: each takes what is behind the one before. */
static usw_status_t fill_rows(usw_set_t *set, size_t of_run, uswi_call_t *call) {
  const uint64_t elements = items_of_row() * ELEMENTS_PER_ITEM;
  usw_set_row_t *row = set->rows;
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < set->count && status == USW_OK; r++) {
    const uswi_set_reducer_t *reducer = &set->reducers[r];
    const size_t n = uswi_set_elements(reducer, of_run);
    const int64_t step = (int64_t)elements * reducer->stride * (int64_t)reducer->kernel->arguments[0].bytes;
    usw_set_row_t whole;
    status = uswi_set_fill_row(reducer, n, ELEMENTS_PER_ITEM, call, &whole);
    for (uint64_t k = 0; k < rows_of(n) && status == USW_OK; k++) {
      *row = whole;
      row->elements = n - k * elements < elements ? n - k * elements : elements;
      row->x = whole.x + k * (uint64_t)step;
      row++;
    }
  }
  return status;
}

/* The records of a reducer's rows into one cell. */
static usw_set_cell_t fold(const uswi_call_t *call, char *records, uint64_t count) {
  usw_set_cell_t cell = {{0, 0}, 0};
  const usw_variable_t variable = {&cell, 1};
  for (uint64_t k = 1; k < count; k++)
    call->kernel->merge(records, records + k * call->record_bytes, call->extents);
  if (count > 0)
    call->kernel->finish(records, &variable, call->extents);
  return cell;
}

static void write_results(usw_set_t *set, size_t n, const uswi_call_t *call, char *records) {
  for (uint32_t r = 0; r < set->count; r++) {
    const uint64_t count = rows_of(uswi_set_elements(&set->reducers[r], n));
    const usw_set_cell_t cell = fold(call, records, count);
    uswi_set_finish(set, r, &cell, call->options);
    records += count * call->record_bytes;
  }
}

/* One launch, which leaves a record for each row in pinned memory. */
static usw_status_t launch(usw_set_t *set, size_t n, const uswi_call_t *call) {
  uswi_slot_t *slot;
  uswi_launched_t launched;
  const usw_status_t status = uswi_launch_and_wait(call, &slot, &launched);
  if (status != USW_OK)
    return status;
  write_results(set, n, call, launched.records);
  uswi_scratch_give_back(slot);
  return USW_OK;
}

usw_status_t uswi_set_run_batch(usw_set_t *set, size_t n, uswi_call_t *placed, uint32_t rows) {
  usw_kernel_t kernel = reducer_batch_kernel;
  usw_options_t options = *placed->options;
  const usw_set_row_t *rows_there = NULL;
  uswi_call_t call;
  kernel.name = placed->kernel->name;
  options.place = USW_DEVICE;
  options.device = placed->device->number;
  options.strategy = USW_STRATEGY_HOST_FINISH;
  options.teams = rows;
  usw_status_t status = fill_rows(set, n, placed);
  if (status == USW_OK)
    status = uswi_set_carry_rows(set, rows, placed->device, &rows_there);
  if (status != USW_OK)
    return status;
  const uint64_t slots[] = {(uint64_t)(uintptr_t)rows_there, items_of_row(), (uint64_t)options.nan};
  uswi_call_init(&call, &kernel, rows * items_of_row(), &options);
  status = uswi_prepare(&call, slots);
  if (status == USW_OK)
    status = launch(set, n, &call);
  if (status == USW_OK)
    uswi_fill_record(&call);
  return status;
}
