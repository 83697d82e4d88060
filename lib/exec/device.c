/* Runs calls on a device: the launches of a strategy, and what is left for the host. */

#include "exec/device.h"

#include <stdlib.h>
#include <string.h>

#include "backend/gpu_driver.h"
#include "base/error.h"
#include "exec/cells.h"
#include "policy/cells.h"
#include "policy/choose.h"
#include "policy/scan.h"

/* Whether the host folds the last partials; more than that number of them are folded by further launches. */
static int ends_on_host(const uswi_call_t *call) {
  return call->strategy == USW_STRATEGY_HOST_FINISH || call->strategy == USW_STRATEGY_MULTIPASS;
}
static uint32_t teams_of_next_launch(const uswi_call_t *call, uint32_t partials) {
  return call->strategy == USW_STRATEGY_MULTIPASS ? uswi_teams_of_next_launch(partials, call->work_group_load) : 0;
}

/* ---- launches ---- */

/* Records in the bank that the host is to watch: armed, unless they have been since the last call. */
static uswi_watch_t watch(const uswi_context_t *context, uint32_t records) {
  const uswi_call_t *call = context->call;
  const uswi_scratch_t *scratch = context->scratch;
  const size_t bytes = records * call->record_bytes;
  if (!context->entry || context->is_owned || call->cells || !uswi_driver_watches(call->kernel))
    return (uswi_watch_t){0};
  if (scratch->armed_bytes[scratch->bank] < bytes)
    uswi_driver_arm(context->bank, bytes);
  return (uswi_watch_t){context->bank, call->record_bytes, records};
}

/* Whether one team can wait for what the others send. */
static int awaits(const uswi_call_t *call) {
  const size_t bytes = ((size_t)call->kernel->accumulator_bytes + 7) / 8 * 8 * 3; /* usw_launch_t::partials */
  return call->strategy == USW_STRATEGY_TREE && call->device->runs_bare && call->device->starts_in_order &&
         (call->kernel->facts & USW_FACT_AWAITS) && call->teams * bytes <= USWI_SENT_BYTES;
}

/* The tiles of a scan have memory of their own to tell each other in (scan.h). */
static __attribute__((noinline)) void aim_at_tiles(const uswi_context_t *context, usw_launch_t *how) {
  const uswi_call_t *call = context->call;
  how->finish = uswi_scan_is_in_order(call) ? USW_FINISH_IN_ORDER : USW_FINISH_LAST_TEAM;
  how->records = uswi_scan_has_start(call) ? (char *)context->bank + call->record_bytes : NULL;
  how->partials = context->scratch->told.memory;
}

/* One launch, which leaves one record. */
static usw_status_t start_one_launch(const uswi_context_t *context, uswi_launched_t *launched) {
  static const uint32_t finishes[] = {[USW_STRATEGY_TREE] = USW_FINISH_LAST_TEAM,
                                      [USW_STRATEGY_CLAUSE] = USW_FINISH_CLAUSE,
                                      [USW_STRATEGY_TREE_ATOMIC] = USW_FINISH_TREE_ATOMIC,
                                      [USW_STRATEGY_ATOMIC] = USW_FINISH_ATOMIC};
  const uswi_call_t *call = context->call;
  const uswi_scratch_t *scratch = context->scratch;
  const uint32_t finish = awaits(call) ? USW_FINISH_AWAIT : finishes[call->strategy];
  usw_launch_t how = {.teams = call->teams,
                      .finish = finish,
                      .aligned = uswi_is_aligned_call(call),
                      .partials = finish == USW_FINISH_AWAIT         ? scratch->sent
                                  : finish >= USW_FINISH_TREE_ATOMIC ? scratch->cells
                                                                     : scratch->partials};
  if (uswi_is_scan(call->kernel))
    aim_at_tiles(context, &how);
  launched->records = context->bank;
  launched->count = 1;
  launched->pending.watch = watch(context, 1);
  return uswi_put_launch(context, &how, call->n);
}

/* A launch over the items, then launches over what the one before left. The last one writes into pinned memory, but for
 * blocks of cells, which may be large. */
static usw_status_t start_launches(const uswi_context_t *context, uswi_launched_t *launched) {
  const uswi_call_t *call = context->call;
  char *here = (char *)context->scratch->partials, *there = here + call->teams * call->record_bytes;
  usw_launch_t how = {.teams = call->teams, .finish = USW_FINISH_HOST, .aligned = uswi_is_aligned_call(call)};
  size_t n = call->n;
  for (;;) {
    const uint32_t next = teams_of_next_launch(call, how.teams);
    const int is_for_host = next == 0 && !call->cells;
    how.partials = is_for_host ? context->bank : here;
    if (is_for_host)
      launched->pending.watch = watch(context, how.teams);
    const usw_status_t status = uswi_put_launch(context, &how, n);
    if (status != USW_OK || next == 0) {
      launched->records = (char *)how.partials;
      launched->count = how.teams;
      launched->are_on_device = !is_for_host;
      return status;
    }
    char *const records = here;
    here = there;
    there = records;
    how.records = records;
    n = how.teams;
    how.teams = next;
  }
}

/* ---- streams ---- */

/* The scratch's memory may still be in use by its last launch: let that end first. */
static usw_status_t order_streams(const uswi_context_t *context) {
  const uswi_device_t *device = context->call->device;
  uswi_scratch_t *scratch = context->scratch;
  int error = 0;
  if (!context->entry) {
    error = scratch->stream ? device->driver->wait(scratch->stream) : 0;
    if (scratch->is_elsewhere && error == 0)
      error = device->driver->wait_for_event(scratch->event);
  } else if (scratch->is_elsewhere) {
    error = device->driver->order_after(device->ordinal, context->stream, scratch->event);
  } else if (scratch->stream && context->stream != scratch->stream) {
    error = device->driver->wait(scratch->stream); /* its result is there: it is about to end */
  }
  scratch->is_elsewhere = 0;
  return uswi_driver_status(device, context->call->name, error);
}

/* Behind the launches in a stream of others. */
static usw_status_t record_event(const uswi_context_t *context, uswi_launched_t *launched) {
  const uswi_device_t *device = context->call->device;
  uswi_scratch_t *scratch = context->scratch;
  const int error = device->driver->record(device->ordinal, scratch->event, context->stream);
  launched->pending.event = scratch->event;
  scratch->is_elsewhere = error == 0;
  return uswi_driver_status(device, context->call->name, error);
}

int uswi_stream_of_scratch(const uswi_device_t *device, uswi_scratch_t *scratch, void **stream_out) {
  const int error = scratch->stream ? 0 : device->driver->create_stream(device->ordinal, &scratch->stream);
  *stream_out = scratch->stream;
  return error;
}

static usw_status_t choose_stream(uswi_context_t *context, void *stream) {
  const uswi_device_t *device = context->call->device;
  uswi_scratch_t *scratch = context->scratch;
  const int is_shared = stream && !context->is_owned;
  if (is_shared && device->driver->is_capturing(device->ordinal, stream))
    return uswi_fail(USW_ERROR_INVALID, "%s: options.stream is being captured: usw_plan_enqueue() is for that",
                     context->call->name);
  context->stream = stream;
  int error = stream ? 0 : uswi_stream_of_scratch(device, scratch, &context->stream);
  if (is_shared && !scratch->event)
    error = device->driver->create_event(device->ordinal, &scratch->event);
  return uswi_driver_status(device, context->call->name, error);
}

usw_status_t uswi_start_on_device(const uswi_call_t *call, uswi_scratch_t *scratch, void *stream, int is_owned,
                                  uswi_launched_t *launched_out) {
  const char *why;
  uswi_context_t context = {.call = call, .scratch = scratch, .bank = uswi_scratch_bank(scratch), .is_owned = is_owned};
  usw_status_t status = USW_OK;
  if (call->device->driver)
    status = uswi_driver_check(call->device, call->name);
  if (call->device->driver && status == USW_OK) {
    context.entry = uswi_function_of_driver(call, &why);
    if (context.entry)
      status = choose_stream(&context, stream);
    if (status == USW_OK && !is_owned)
      status = order_streams(&context);
  }
  *launched_out = (uswi_launched_t){
      .is_pending = context.entry != NULL,
      .pending = {.device = call->device, .kernel = call->kernel, .name = call->name, .stream = context.stream}};
  if (status == USW_OK)
    status = ends_on_host(call)          ? start_launches(&context, launched_out)
             : uswi_folds_by_cells(call) ? uswi_start_cells(&context, launched_out)
                                         : start_one_launch(&context, launched_out);
  if (status == USW_OK && context.entry && stream && !is_owned)
    status = record_event(&context, launched_out);
  if (status != USW_OK && context.entry && context.stream && !is_owned)
    call->device->driver->wait(context.stream); /* some of it may be there, and others get the scratch */
  if (!is_owned)                                /* while the device is busy */
    uswi_scratch_turn(scratch, launched_out->pending.watch.count * call->record_bytes);
  return status;
}

/* One launch, of one bank, in the scratch's own stream: nothing differs from one run to the next. */
int uswi_can_start_again(const uswi_call_t *call, const uswi_scratch_t *scratch, const uswi_launched_t *launched) {
  const size_t armed_bytes = launched->pending.watch.count * call->record_bytes;
  return launched->is_pending && launched->pending.stream == scratch->stream && !launched->pending.event &&
         uswi_scratch_has_one_bank(armed_bytes) && !uswi_folds_by_cells(call) &&
         (!ends_on_host(call) || teams_of_next_launch(call, call->teams) == 0);
}

usw_status_t uswi_start_again(const uswi_call_t *call, uswi_scratch_t *scratch, uswi_launched_t *launched) {
  usw_status_t status;
  if (uswi_driver_launch_again(&launched->pending, scratch->graphs, &status))
    return status;
  return uswi_start_on_device(call, scratch, NULL, 0, launched);
}

/* ---- results ---- */

usw_status_t uswi_wait_on_device(const uswi_launched_t *launched) {
  return launched->is_pending ? uswi_driver_wait(&launched->pending) : USW_OK;
}

int uswi_is_done_on_device(const uswi_launched_t *launched, usw_status_t *status_out) {
  if (launched->is_pending)
    return uswi_driver_is_done(&launched->pending, status_out);
  *status_out = USW_OK;
  return 1;
}

static void fold(const uswi_call_t *call, const char *records, uint32_t count, void *record_out) {
  memcpy(record_out, records, call->record_bytes);
  for (uint32_t r = 1; r < count; r++)
    call->kernel->merge(record_out, records + r * call->record_bytes, call->extents);
}

void *uswi_record_in_place(const uswi_launched_t *launched) {
  return launched->count == 1 && !launched->are_on_device ? launched->records : NULL;
}

usw_status_t uswi_collect(const uswi_call_t *call, const uswi_launched_t *launched, void *record_out) {
  const size_t bytes = launched->count * call->record_bytes;
  if (!launched->are_on_device) {
    fold(call, launched->records, launched->count, record_out);
    return USW_OK;
  }
  char *copies = malloc(bytes);
  if (!copies)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", call->name, launched->count,
                     call->record_bytes);
  const int is_copied = uswi_backend_copy_to_host(call->device, copies, launched->records, bytes);
  if (is_copied)
    fold(call, copies, launched->count, record_out);
  free(copies);
  return is_copied ? USW_OK
                   : uswi_fail(USW_ERROR_DEVICE, "%s: %u partials of %zu bytes cannot be copied from device %d",
                               call->name, launched->count, call->record_bytes, call->device->number);
}

/* ---- all of it ---- */

/* Partials that are left for the host at last. */
static uint32_t partials_for_host(const uswi_call_t *call) {
  uint32_t partials = call->teams;
  for (uint32_t next; (next = teams_of_next_launch(call, partials)) != 0;)
    partials = next;
  return partials;
}

/* By itself, so that short calls have little of it. */
static __attribute__((noinline)) size_t bytes_with_cells(const uswi_call_t *call, uint32_t next) {
  return uswi_left_bytes(call) + ((size_t)next + call->gathered) * call->record_bytes;
}

/* Inlined where one calls are made, as in run.c. */
static inline __attribute__((always_inline)) void scratch_of(const uswi_call_t *call, size_t *partials_bytes_out,
                                                             size_t *pinned_bytes_out) {
  const int by_atomics = call->strategy == USW_STRATEGY_TREE_ATOMIC || call->strategy == USW_STRATEGY_ATOMIC;
  const uint32_t next = teams_of_next_launch(call, call->teams);
  size_t partials = (size_t)call->teams + next + call->gathered, pinned = 1;
  if (by_atomics || (ends_on_host(call) && next == 0 && !call->cells))
    partials = 0;
  if (ends_on_host(call) && !call->cells)
    pinned = partials_for_host(call);
  *partials_bytes_out = partials * call->record_bytes;
  if (call->cells)
    *partials_bytes_out = bytes_with_cells(call, next);
  *pinned_bytes_out = pinned * call->record_bytes;
}

void uswi_scratch_of(const uswi_call_t *call, size_t *partials_bytes_out, size_t *pinned_bytes_out) {
  scratch_of(call, partials_bytes_out, pinned_bytes_out);
}

usw_status_t uswi_launch_and_wait(const uswi_call_t *call, uswi_scratch_t **scratch_out,
                                  uswi_launched_t *launched_out) {
  size_t partials_bytes, pinned_bytes;
  scratch_of(call, &partials_bytes, &pinned_bytes);
  usw_status_t status = uswi_scratch_take(call->device, partials_bytes, pinned_bytes, 1, scratch_out);
  if (status != USW_OK)
    return status;
  status = uswi_start_on_device(call, *scratch_out, call->options->stream, 0, launched_out);
  if (status == USW_OK)
    status = uswi_wait_on_device(launched_out);
  if (status != USW_OK)
    uswi_scratch_give_back(*scratch_out);
  return status;
}

usw_status_t uswi_run_on_device(const uswi_call_t *call, void *record_out) {
  uswi_scratch_t *scratch;
  uswi_launched_t launched;
  usw_status_t status = uswi_launch_and_wait(call, &scratch, &launched);
  if (status != USW_OK)
    return status;
  status = uswi_collect(call, &launched, record_out);
  uswi_scratch_give_back(scratch);
  return status;
}
