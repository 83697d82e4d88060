/* Reducer sets: run as one call of the kernel in offload/shapes/set.h. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/library.h"
#include "api/parts.h"
#include "api/set_batch.h"
#include "api/set_object.h"
#include "api/set_result.h"
#include "api/set_task.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/parts.h"
#include "exec/parts_finish.h"
#include "exec/run.h"
#include "policy/call.h"
#include "policy/check.h"
#include "policy/place.h"

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

/* Fill in the tasks, one for each reducer; returns the number of items. */
static usw_status_t fill_tasks(usw_set_t *set, size_t of_run, uswi_call_t *call, uint64_t *items_out) {
  const int has_lanes = call->device && call->device->runs_bare;
  usw_status_t status = USW_OK;
  *items_out = 0;
  for (uint32_t r = 0; r < set->count && status == USW_OK; r++) {
    const uswi_set_reducer_t *reducer = &set->reducers[r];
    const size_t n = uswi_set_elements(reducer, of_run);
    const uint64_t item = elements_per_item(set, reducer, n, has_lanes);
    const uint64_t group = item * USW_SET_LANES; /* elements of as many items as have lanes side by side */
    status = uswi_set_fill_task(reducer, n, item, call, &set->tasks[r]);
    set->tasks[r].first_item = *items_out;
    *items_out += uswi_quotient_up(n, group) * USW_SET_LANES;
  }
  return status;
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
                           const usw_set_task_t *tasks) {
  usw_options_t options = *placed->options;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)tasks, set->count, set->cell_count, (uint64_t)options.nan};
  const usw_variable_t cells = {set->cells, set->cell_count + 1};
  uswi_call_t call;
  options.place = placed->device ? USW_DEVICE : USW_HOST;
  options.device = placed->device ? placed->device->number : 0;
  options.initialize_to_identity = 1;
  uswi_call_init(&call, &reducer_set_kernel, items, &options);
  call.name = placed->name;
  call.item_bytes = items ? (uint32_t)(bytes_of(set, n) / items) : 0; /* which teams and chunks are counted by */
  call.variables = &cells;
  return uswi_run_call(&call, arguments);
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
  const usw_set_task_t *tasks = NULL;
  usw_status_t status = fill_tasks(set, n, call, &items);
  if (status == USW_OK)
    status = uswi_set_carry_tasks(set, set->count, call->device, &tasks);
  if (status == USW_OK)
    status = make_cells(set);
  if (status == USW_OK)
    status = launch(set, n, call, items, tasks);
  if (status == USW_OK)
    status = check_keys(set);
  if (status == USW_OK)
    finish(set, call->options);
  return status;
}

/* Where a call of the set's kernel runs, whose arrays are checked. */
static usw_status_t place(const usw_set_t *set, size_t n, uswi_call_t *call) {
  const uswi_set_reducer_t *first = first_with_elements(set, n);
  usw_status_t status = check_arrays(set, n);
  if (status == USW_OK)
    status = uswi_place_near(call, first ? (uint64_t)(uintptr_t)first->x : 0);
  return status;
}

/* A run of which nothing is known. */
static usw_status_t run(usw_set_t *set, size_t n, const usw_options_t *options) {
  uswi_call_t call;
  const uswi_set_reducer_t *first = first_with_elements(set, n);
  const uint64_t has_items = first ? 1 : 0; /* how many comes later */
  uswi_call_init(&call, &reducer_set_kernel, has_items, options);
  call.name = "usw_set_run";
  usw_status_t status = check_set(set, &call);
  const uint64_t start_ns = status == USW_OK && call.options->report ? uswi_now_ns() : 0;
  if (status == USW_OK)
    status = place(set, n, &call);
  if (status != USW_OK)
    return status;
  const uint32_t tasks_of_batch = uswi_set_batch_tasks(set, n, &call);
  status = tasks_of_batch ? uswi_set_run_batch(set, n, &call, tasks_of_batch) : run_together(set, n, &call);
  if (status == USW_OK && call.options->report) {
    call.options->report->bytes = bytes_of(set, n);
    call.options->report->time_ns = uswi_now_ns() - start_ns;
    call.options->report->kept = UINT64_MAX;
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

/* ---- parts ---- */

static usw_status_t check_reducers(const usw_set_t *set, const usw_set_t *first) {
  int are_same = set->count == first->count;
  for (uint32_t r = 0; r < first->count && are_same; r++) {
    const uswi_set_reducer_t *a = &set->reducers[r], *b = &first->reducers[r];
    are_same =
        a->operation == b->operation && a->type == b->type && a->extent == b->extent && !a->key_bytes == !b->key_bytes;
  }
  return are_same ? USW_OK
                  : uswi_fail(USW_ERROR_INVALID, "usw_set_run_parts: the set has other reducers than that of part 1");
}

static usw_status_t check_part(const usw_set_part_t *parts, size_t k) {
  if (parts[k].size != sizeof *parts)
    return uswi_fail(USW_ERROR_VERSION, "usw_set_run_parts: its size is %zu, this library knows %zu", parts[k].size,
                     sizeof *parts);
  if (!parts[k].set)
    return uswi_fail(USW_ERROR_INVALID, "usw_set_run_parts: the set is NULL");
  for (size_t other = 0; other < k; other++)
    if (parts[other].set == parts[k].set)
      return uswi_fail(USW_ERROR_INVALID, "usw_set_run_parts: the set is that of part %zu: each part has its own",
                       other + 1);
  return check_reducers(parts[k].set, parts->set);
}

/* Place a part, and describe its items where its kernel can read that. */
static usw_status_t fill_part(const usw_set_part_t *from, const usw_options_t *options, uswi_part_t *part, size_t k) {
  usw_set_t *const set = from->set;
  const usw_set_task_t *tasks = NULL;
  uint64_t items = 0;
  uswi_call_t call;
  part->options = *options;
  part->options.place = from->place;
  part->options.device = from->device;
  set->batch.is_known = 0;
  uswi_call_init(&call, &reducer_set_kernel, first_with_elements(set, from->n) != NULL, &part->options);
  call.name = "usw_set_run_parts";
  usw_status_t status = check_set(set, &call);
  if (status == USW_OK)
    status = place(set, from->n, &call);
  if (status == USW_OK)
    status = fill_tasks(set, from->n, &call, &items);
  if (status == USW_OK)
    status = uswi_set_carry_tasks(set, set->count, call.device, &tasks);
  if (status != USW_OK)
    return status;
  uswi_keep_place(&call, &part->options);
  part->options.initialize_to_identity = 1;
  uswi_part_init(part, &reducer_set_kernel, items, k);
  part->call.name = call.name;
  part->call.item_bytes = items ? (uint32_t)(bytes_of(set, from->n) / items) : 0;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)tasks, set->count, set->cell_count, (uint64_t)options->nan};
  memcpy(part->call.arguments, arguments, sizeof arguments);
  part->arguments = part->call.arguments;
  return USW_OK;
}

static usw_status_t run_parts(const usw_set_part_t *from, size_t count, const usw_options_t *options,
                              uswi_part_t *room) {
  usw_set_t *const set = from->set;
  usw_status_t status = USW_OK;
  for (size_t k = 0; k < count && status == USW_OK; k++) {
    status = check_part(from, k);
    if (status == USW_OK)
      status = fill_part(&from[k], options, &room[k], k);
    if (status != USW_OK)
      status = uswi_fail_of_part(status, k, count);
  }
  if (status == USW_OK)
    status = make_cells(set);
  if (status != USW_OK)
    return status;
  const usw_variable_t cells = {set->cells, set->cell_count + 1};
  uswi_parts_t parts = {.part = room, .count = count, .whole = count, .variables = &cells};
  status = uswi_run_parts(&parts);
  if (status == USW_OK)
    status = check_keys(set);
  if (status == USW_OK)
    finish(set, options);
  return status;
}

usw_status_t usw_set_run_parts(const usw_set_part_t *parts, size_t count, const usw_options_t *options) {
  const uint64_t start_ns = options && options->report ? uswi_now_ns() : 0;
  uswi_part_t *room = NULL;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  if (!parts || count == 0)
    return uswi_fail(USW_ERROR_INVALID, "usw_set_run_parts: there are no parts, which have the reducers");
  status = uswi_check_options_of_parts("usw_set_run_parts", options);
  if (status == USW_OK) {
    room = uswi_allocate_parts("usw_set_run_parts", count);
    status = room ? run_parts(parts, count, options, room) : USW_ERROR_MEMORY;
  }
  if (status == USW_OK && options->report) {
    options->report->bytes = 0;
    for (size_t k = 0; k < count; k++)
      options->report->bytes += bytes_of(parts[k].set, parts[k].n);
    options->report->time_ns = uswi_now_ns() - start_ns;
    options->report->kept = UINT64_MAX;
  }
  free(room);
  return status;
}
