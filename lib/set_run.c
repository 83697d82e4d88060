/* Reducer sets: run as one call of the kernel in offload/shapes/set.h. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "call.h"
#include "error.h"
#include "set.h"
#include "state.h"

/* Elements of an item. On a GPU: one where there are keys, fewer where there are few, so that more threads find some.
 * Elsewhere: a batch; fewer where each chunk of items has many cells, so that there is more than one chunk. */
enum { HOST_ITEM = 256, HOST_KEYS_ITEM = 32, MANY_CELLS = 1024, SMALL_ITEM = 8, LARGE_ITEM = 32, LARGE_N = 1 << 22 };

static uint64_t elements_per_item(const usw_set_t *set, const uswi_set_reducer_t *reducer, size_t n, int has_lanes) {
  const int has_keys = reducer->key_bytes != 0;
  if (!has_lanes)
    return has_keys && set->cell_count > MANY_CELLS ? HOST_KEYS_ITEM : HOST_ITEM;
  return has_keys ? 1 : n < LARGE_N ? SMALL_ITEM : LARGE_ITEM;
}

extern const usw_kernel_t reducer_set_kernel; /* offload/shapes/set.h */

static usw_status_t check_arrays(const usw_set_t *set, size_t of_run) {
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < set->count && status == USW_OK; r++) {
    const uswi_set_reducer_t *reducer = &set->reducers[r];
    const usw_argument_t *x = &reducer->kernel->arguments[0];
    const size_t n = uswi_set_elements(reducer, of_run);
    if (n == 0)
      continue;
    if (n > (size_t)1 << 56)
      return uswi_fail(USW_ERROR_INVALID, "%s: n = %zu is over 2^56", reducer->name, n);
    status =
        uswi_check_stream(reducer->name, "x", (uintptr_t)reducer->x, n, reducer->stride, x->bytes, x->alignment_bytes);
    if (status == USW_OK && reducer->key_bytes)
      status = uswi_check_stream(reducer->name, "keys", (uintptr_t)reducer->keys, n, 1, reducer->key_bytes,
                                 reducer->key_bytes);
  }
  return status;
}

static usw_status_t check_set(const usw_set_t *set, const uswi_call_t *call) {
  if (set->count == 0)
    return uswi_fail(USW_ERROR_INVALID, "usw_set_run: the set has no reducer");
  const usw_status_t status = uswi_check_options(call);
  for (int input = 0; input < USW_MAX_INPUTS && status == USW_OK; input++)
    if (call->options->stride[input] != 0)
      return uswi_fail(USW_ERROR_INVALID, "usw_set_run: options.stride[%d] is not 0: each reducer has its own stride",
                       input);
  return status;
}

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
static void set_load(const uswi_set_reducer_t *reducer, usw_set_row_t *row) {
  const int is_integer = reducer->type <= USW_U64;
  usw_type_t type = reducer->type == USW_U64 ? USW_I64 : reducer->type;
  row->load = USW_SET_VALUE;
  row->flip = reducer->operation == USW_MAXIMUM ? UINT64_MAX : 0;
  if (uswi_set_is_ordered(reducer) && reducer->type == USW_U64)
    row->flip ^= (uint64_t)1 << 63; /* in the order of signed numbers */
  if (uswi_set_is_ordered(reducer) && !is_integer)
    row->load = USW_SET_KEY;
  if (reducer->operation == USW_LOGICAL_AND || reducer->operation == USW_LOGICAL_OR) {
    row->load = USW_SET_NONZERO;
    type = reducer->type <= USW_I64    ? (usw_type_t)(reducer->type + USW_U8 - USW_I8)
           : reducer->type == USW_BF16 ? USW_F16
           : reducer->type == USW_BOOL ? USW_U8
                                       : reducer->type;
  }
  row->load |= (uint64_t)type;
  row->words = row->load == (USW_SET_VALUE | (uint64_t)USW_CF64) ? 2 : 1;
}

static void set_combine(const uswi_set_reducer_t *reducer, usw_set_row_t *row) {
  const usw_type_t type = combined_as(reducer);
  usw_operation_t operation = reducer->operation == USW_MAXIMUM ? USW_MINIMUM : reducer->operation;
  uint64_t identity[2] = {0, 0};
  if (operation == USW_LOGICAL_AND)
    operation = USW_BIT_AND;
  else if (operation == USW_LOGICAL_OR)
    operation = USW_BIT_OR;
  usw_identity(operation, type, identity);
  row->identity = identity[0];
  row->combine = USW_SET_COMBINE(operation, type);
}

void uswi_set_describe(uswi_set_reducer_t *reducer) {
  reducer->row = (usw_set_row_t){.x = (uint64_t)(uintptr_t)reducer->x,
                                 .keys = reducer->key_bytes ? (uint64_t)(uintptr_t)reducer->keys : 0,
                                 .stride = reducer->stride,
                                 .key_bytes = reducer->key_bytes,
                                 .first_cell = reducer->first_cell,
                                 .extent = reducer->extent};
  set_load(reducer, &reducer->row);
  set_combine(reducer, &reducer->row);
}

usw_status_t uswi_set_fill_row(const uswi_set_reducer_t *reducer, size_t n, uint64_t elements_per_item,
                               uswi_call_t *call, usw_set_row_t *row) {
  usw_status_t status = USW_OK;
  *row = reducer->row;
  row->elements_per_item = elements_per_item;
  row->elements = n;
  if (n > 0)
    status = uswi_reach(call, reducer->name, "x", &row->x);
  if (n > 0 && status == USW_OK && row->keys)
    status = uswi_reach(call, reducer->name, "keys", &row->keys);
  return status;
}

/* Fill in the rows, one for each reducer; returns the number of items. */
static usw_status_t fill_rows(usw_set_t *set, size_t of_run, uswi_call_t *call, uint64_t *items_out) {
  const int has_lanes = call->device && call->device->runs_bare;
  usw_status_t status = USW_OK;
  *items_out = 0;
  for (uint32_t r = 0; r < set->count && status == USW_OK; r++) {
    const uswi_set_reducer_t *reducer = &set->reducers[r];
    const size_t n = uswi_set_elements(reducer, of_run);
    const uint64_t item = elements_per_item(set, reducer, n, has_lanes);
    const uint64_t group = item * USW_SET_LANES; /* elements of as many items as have lanes side by side */
    status = uswi_set_fill_row(reducer, n, item, call, &set->rows[r]);
    set->rows[r].first_item = *items_out;
    *items_out += (n / group + (n % group != 0)) * USW_SET_LANES;
  }
  return status;
}

usw_status_t uswi_set_carry_rows(usw_set_t *set, uint32_t count, const uswi_device_t *device,
                                 const usw_set_row_t **rows_out) {
  const size_t bytes = count * sizeof *set->rows;
  *rows_out = set->rows;
  if (!device || device->shares_host_memory)
    return USW_OK;
  if (set->there && set->device != device) {
    uswi_lane_free(set->device, set->there);
    set->there = NULL;
  }
  if (!set->there) {
    set->device = device;
    set->count_there = 0;
    set->there = uswi_lane_allocate(device, sizeof set->rows, 0);
  }
  if (!set->there)
    return uswi_fail(USW_ERROR_MEMORY, "usw_set_run: no room for %zu bytes on device %d", sizeof set->rows,
                     device->number);
  *rows_out = set->there;
  if (set->count_there == count && memcmp(set->rows_there, set->rows, bytes) == 0)
    return USW_OK;
  set->count_there = 0;
  if (!uswi_lane_copy_to_device(device, set->there, set->rows, bytes))
    return uswi_fail(USW_ERROR_DEVICE, "usw_set_run: %zu bytes could not be copied to device %d", bytes,
                     device->number);
  memcpy(set->rows_there, set->rows, bytes);
  set->count_there = count;
  return USW_OK;
}

static usw_status_t make_cells(usw_set_t *set) {
  const size_t room = set->cell_count + 1;
  if (room <= set->cells_room)
    return USW_OK;
  usw_set_cell_t *cells = realloc(set->cells, room * sizeof *cells);
  if (!cells)
    return uswi_fail(USW_ERROR_MEMORY, "usw_set_run: no room for %zu results of %zu bytes", room, sizeof *cells);
  set->cells = cells;
  set->cells_room = room;
  return USW_OK;
}

/* The first reducer that has elements, which decides the place; NULL: none has. */
static const uswi_set_reducer_t *first_with_elements(const usw_set_t *set, size_t n) {
  for (uint32_t r = 0; r < set->count; r++)
    if (uswi_set_elements(&set->reducers[r], n) > 0)
      return &set->reducers[r];
  return NULL;
}

static uint64_t bytes_of(const usw_set_t *set, size_t n) {
  uint64_t bytes = 0;
  for (uint32_t r = 0; r < set->count; r++)
    bytes += (uint64_t)uswi_set_elements(&set->reducers[r], n) *
             (set->reducers[r].kernel->arguments[0].bytes + set->reducers[r].key_bytes);
  return bytes;
}

/* Leaves the cells of all reducers in set->cells. */
static usw_status_t launch(usw_set_t *set, size_t n, const uswi_call_t *placed, uint64_t items,
                           const usw_set_row_t *rows) {
  usw_options_t options = *placed->options;
  usw_kernel_t kernel = *placed->kernel;
  const uint64_t slots[] = {(uint64_t)(uintptr_t)rows, set->count, set->cell_count, (uint64_t)options.nan};
  const usw_variable_t cells = {set->cells, set->cell_count + 1};
  options.place = placed->device ? USW_DEVICE : USW_HOST;
  options.device = placed->device ? placed->device->number : 0;
  options.initialize_to_identity = 1;
  kernel.item_bytes = items ? (uint32_t)(bytes_of(set, n) / items) : 0; /* which teams and chunks are counted by */
  return usw_kernel_run(&kernel, items, slots, &cells, &options);
}

static usw_status_t check_keys(const usw_set_t *set) {
  const usw_set_cell_t *last = &set->cells[set->cell_count];
  if (last->combine == 0)
    return USW_OK;
  const uswi_set_reducer_t *reducer = &set->reducers[(uint32_t)last->words[0]];
  return uswi_fail(USW_ERROR_INVALID, "%s: a key is outside its span of %zu elements", reducer->name, reducer->extent);
}

static void finish(usw_set_t *set, const usw_options_t *options) {
  for (uint32_t r = 0; r < set->count; r++)
    uswi_set_finish(set, r, &set->cells[set->reducers[r].first_cell], options);
}

/* All reducers as items of one kernel. */
static usw_status_t run_together(usw_set_t *set, size_t n, uswi_call_t *call) {
  uint64_t items = 0;
  const usw_set_row_t *rows = NULL;
  usw_status_t status = fill_rows(set, n, call, &items);
  if (status == USW_OK)
    status = uswi_set_carry_rows(set, set->count, call->device, &rows);
  if (status == USW_OK)
    status = make_cells(set);
  if (status == USW_OK)
    status = launch(set, n, call, items, rows);
  if (status == USW_OK)
    status = check_keys(set);
  if (status == USW_OK)
    finish(set, call->options);
  return status;
}

/* A run of which nothing is known. */
static usw_status_t run(usw_set_t *set, size_t n, const usw_options_t *options) {
  usw_kernel_t kernel = reducer_set_kernel;
  uswi_call_t call;
  kernel.name = "usw_set_run"; /* in errors */
  const uswi_set_reducer_t *first = first_with_elements(set, n);
  uswi_call_init(&call, &kernel, first ? 1 : 0, options); /* whether there is an item: their number comes later */
  usw_status_t status = check_set(set, &call);
  const uint64_t start_ns = status == USW_OK && call.options->record ? uswi_now_ns() : 0;
  if (status == USW_OK)
    status = check_arrays(set, n);
  if (status == USW_OK)
    status = uswi_place_near(&call, first ? (uint64_t)(uintptr_t)first->x : 0);
  if (status != USW_OK)
    return status;
  const uint32_t rows_of_batch = uswi_set_batch_rows(set, n, &call);
  status = rows_of_batch ? uswi_set_run_batch(set, n, &call, rows_of_batch) : run_together(set, n, &call);
  if (status == USW_OK && call.options->record) {
    call.options->record->bytes = bytes_of(set, n);
    call.options->record->time_ns = uswi_now_ns() - start_ns;
  }
  return status;
}

usw_status_t usw_set_run(usw_set_t *set, size_t n, const usw_options_t *options) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!set)
    return uswi_fail(USW_ERROR_INVALID, "usw_set_run: set is NULL");
  if (uswi_set_knows_batch(set, n, options))
    return uswi_set_launch_batch(set);
  set->batch.is_known = 0;
  return run(set, n, options);
}
