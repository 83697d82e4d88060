/* Runs calls on a device: the launches of a strategy, and what is left for the host. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "environment.h"
#include "error.h"
#include "launch/driver.h"
#include "scratch.h"

/* Every input contiguous and on a 16-byte boundary: what 16-byte loads need. */
static uint32_t is_aligned(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  uint32_t input = 0;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (k->arguments[a].kind == USW_ARGUMENT_IN && (call->strides[input++] != 1 || call->slots[a] % 16 != 0))
      return 0;
  return 1;
}

/* Whether the host folds the last partials; more than that number of them are folded by further launches. */
static int ends_on_host(const uswi_call_t *call) {
  return call->strategy == USW_STRATEGY_HOST_FINISH || call->strategy == USW_STRATEGY_MULTIPASS;
}
static uint32_t teams_of_pass(const uswi_call_t *call, uint32_t partials) {
  return call->strategy == USW_STRATEGY_MULTIPASS ? uswi_teams_of_pass(partials, call->work_group_load) : 0;
}

/* Records that the host folds come to it in pinned memory, unless they hold blocks of cells, which may be large: those
 * are left in device memory and copied. */
static usw_status_t fold_on_host(const uswi_call_t *call, const char *records, uint32_t count, void *record_out) {
  const usw_kernel_t *k = call->kernel;
  const size_t bytes = call->record_bytes;
  char *copies = NULL;
  if (call->cells) {
    copies = malloc(count * bytes);
    if (!copies)
      return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", k->name, count, bytes);
    if (!uswi_lane_copy_to_host(call->device, copies, records, count * bytes)) {
      free(copies);
      return uswi_fail(USW_ERROR_DEVICE, "%s: %u partials of %zu bytes cannot be copied from device %d", k->name, count,
                       bytes, call->device->number);
    }
    records = copies;
  }
  memcpy(record_out, records, bytes);
  for (uint32_t r = 1; r < count; r++)
    k->merge(record_out, records + r * bytes, call->extents);
  free(copies);
  return USW_OK;
}

void *uswi_entry_through_driver(const uswi_call_t *call, const char **why_out) {
  *why_out = "the device is not NVIDIA's";
  if (call->device->ordinal < 0)
    return NULL;
  *why_out = "the clause is OpenMP's own";
  if (call->strategy == USW_STRATEGY_CLAUSE)
    return NULL;
  *why_out = "USW_LANE is openmp";
  if (uswi_environment()->lane == USWI_LANE_OPENMP)
    return NULL;
  return uswi_driver_entry(call->device, call->kernel, why_out);
}

static void launch_through_runtime(const uswi_call_t *call, const uswi_slot_t *slot, const usw_launch_t *how,
                                   size_t n) {
  const int bare = call->strategy != USW_STRATEGY_CLAUSE && call->device->runs_bare;
  uswi_lane_launch(call->device, bare ? &call->kernel->bare : &call->kernel->standard, how, n, call->slots,
                   slot->result);
}

/* Through the driver, on the slot's stream, where it can; else through the OpenMP runtime, when the stream has ended. */
static usw_status_t launch_on_nvidia(const uswi_call_t *call, uswi_slot_t *slot, const usw_launch_t *how, size_t n,
                                     const uswi_watch_t *watch) {
  const char *why;
  void *entry = uswi_entry_through_driver(call, &why);
  if (entry)
    return uswi_driver_run(entry, &(uswi_driver_call_t){call->device, call->kernel, how, n, call->slots, slot->result,
                                                        &slot->stream, *watch});
  uswi_driver_settle(slot->stream);
  launch_through_runtime(call, slot, how, n);
  return USW_OK;
}

/* Run a launch. `watch` is what it writes into pinned memory. */
static usw_status_t launch(const uswi_call_t *call, uswi_slot_t *slot, usw_launch_t *how, size_t n,
                           const uswi_watch_t *watch) {
  how->device = call->device->number;
  how->workers = (uint64_t)how->teams * call->team_size;
  how->ticket = slot->ticket;
  how->strides = call->strides;
  how->extents = call->extents;
  if (call->device->ordinal >= 0)
    return launch_on_nvidia(call, slot, how, n, watch);
  launch_through_runtime(call, slot, how, n);
  return USW_OK;
}

/* One launch, which leaves one record. */
static usw_status_t run_one_launch(const uswi_call_t *call, uswi_slot_t *slot, void *record_out) {
  static const uint32_t finishes[] = {[USW_STRATEGY_TREE] = USW_FINISH_LAST_TEAM,
                                      [USW_STRATEGY_CLAUSE] = USW_FINISH_CLAUSE,
                                      [USW_STRATEGY_TREE_ATOMIC] = USW_FINISH_TREE_ATOMIC,
                                      [USW_STRATEGY_ATOMIC] = USW_FINISH_ATOMIC};
  const uint32_t finish = finishes[call->strategy];
  usw_launch_t how = {.teams = call->teams,
                      .finish = finish,
                      .aligned = is_aligned(call),
                      .partials = finish >= USW_FINISH_TREE_ATOMIC ? slot->cells : slot->partials};
  const uswi_watch_t watch = {slot->result, call->record_bytes, call->cells ? 0 : 1};
  const usw_status_t status = launch(call, slot, &how, call->n, &watch);
  if (status == USW_OK)
    memcpy(record_out, slot->result, call->record_bytes);
  return status;
}

/* A launch over the items, then launches over what the one before left. The last one writes into pinned memory. */
static usw_status_t run_passes(const uswi_call_t *call, uswi_slot_t *slot, void *record_out) {
  char *here = (char *)slot->partials, *there = here + call->teams * call->record_bytes;
  usw_launch_t how = {.teams = call->teams, .finish = USW_FINISH_HOST, .aligned = is_aligned(call)};
  size_t n = call->n;
  for (;;) {
    const uint32_t next = teams_of_pass(call, how.teams);
    how.partials = next == 0 && !call->cells ? slot->result : here;
    const uswi_watch_t watch = {how.partials, call->record_bytes, how.partials == slot->result ? how.teams : 0};
    const usw_status_t status = launch(call, slot, &how, n, &watch);
    if (status != USW_OK)
      return status;
    if (next == 0)
      return fold_on_host(call, (const char *)how.partials, how.teams, record_out);
    char *const records = here;
    here = there;
    there = records;
    how.records = records;
    n = how.teams;
    how.teams = next;
  }
}

/* Partials that are left for the host at last. */
static uint32_t partials_for_host(const uswi_call_t *call) {
  uint32_t partials = call->teams;
  for (uint32_t next; (next = teams_of_pass(call, partials)) != 0;)
    partials = next;
  return partials;
}

/* The scratch that a strategy needs: records on the device, those of one pass and of the next, and in pinned memory. */
static usw_status_t take_scratch(const uswi_call_t *call, uswi_slot_t **slot_out) {
  const int by_atomics = call->strategy == USW_STRATEGY_TREE_ATOMIC || call->strategy == USW_STRATEGY_ATOMIC;
  const uint32_t next = teams_of_pass(call, call->teams);
  size_t partials = (size_t)call->teams + next, pinned = 1;
  if (by_atomics || (ends_on_host(call) && next == 0 && !call->cells))
    partials = 0;
  if (ends_on_host(call) && !call->cells)
    pinned = partials_for_host(call);
  return uswi_scratch_take(call->device, partials * call->record_bytes, pinned * call->record_bytes, slot_out);
}

usw_status_t uswi_run_on_device(const uswi_call_t *call, void *record_out) {
  uswi_slot_t *slot;
  usw_status_t status = take_scratch(call, &slot);
  if (status != USW_OK)
    return status;
  if (ends_on_host(call))
    status = run_passes(call, slot, record_out);
  else
    status = run_one_launch(call, slot, record_out);
  uswi_scratch_give_back(slot);
  return status;
}
