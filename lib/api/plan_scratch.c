/* The scratch of a plan's own: the library's memory for what is put into streams, or memory that the caller lends. */
#include "api/plan_scratch.h"

#include <stdlib.h>
#include <upsweep/upsweep.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/scratch.h"
#include "machine/environment.h"
#include "policy/choose.h"
#include "policy/place.h"
#include "policy/prepare.h"
#include "policy/result_shares.h"
#include "policy/tuning.h"

enum { BOUNDARY = 256 };
#define MOST_N ((size_t)INT64_MAX)

static size_t round_up(size_t bytes) { return uswi_round_up(bytes, BOUNDARY); }

/* What a call of n items needs, if it is more than that of those before. */
static usw_status_t add_need(uswi_call_t *call, size_t n, size_t *partials_bytes, size_t *pinned_bytes) {
  size_t partials, pinned;
  call->n = n;
  const usw_status_t status = uswi_choose(call);
  if (status != USW_OK)
    return status;
  uswi_scratch_of(call, &partials, &pinned);
  if (uswi_has_many_results(call->kernel) && uswi_partials_of_results(call) > partials)
    partials = uswi_partials_of_results(call);
  *partials_bytes = partials > *partials_bytes ? partials : *partials_bytes;
  *pinned_bytes = pinned > *pinned_bytes ? pinned : *pinned_bytes;
  return USW_OK;
}

/* The most that a call like this needs for any n: at the ends of the tuning table's entries, within which teams only grow. */
static usw_status_t measure(const uswi_call_t *like, size_t *partials_bytes_out, size_t *pinned_bytes_out) {
  const usw_options_t *o = like->options;
  const usw_strategy_t said = o->strategy == USW_AUTO_STRATEGY ? uswi_environment()->strategy : o->strategy;
  const usw_strategy_t asked = uswi_has_many_results(like->kernel) ? USW_STRATEGY_TREE : said; /* choose.c */
  const size_t item_bytes = uswi_bytes_of_item(like);
  uswi_call_t call = *like;
  *partials_bytes_out = *pinned_bytes_out = 0;
  usw_status_t status = add_need(&call, MOST_N, partials_bytes_out, pinned_bytes_out);
  for (const uswi_tuning_entry_t *entry = uswi_tuning_of(like->device)->first[asked]; status == USW_OK; entry++) {
    if (entry->most_bytes / item_bytes < MOST_N)
      status = add_need(&call, entry->most_bytes / item_bytes, partials_bytes_out, pinned_bytes_out);
    if (entry->line == 0 && entry->class.results == 0 && entry->most_bytes == UINT64_MAX) /* the last one */
      break;
  }
  *partials_bytes_out = round_up(*partials_bytes_out);
  *pinned_bytes_out = round_up(*pinned_bytes_out);
  return status;
}

static usw_status_t refuse_spans(const usw_kernel_t *kernel) {
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    if (kernel->reducers[r].dimensions == 1)
      return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: '%s' is a span: plans have no scratch of their own for these",
                       kernel->name, kernel->reducers[r].name);
  return USW_OK;
}

usw_status_t uswi_plan_own_scratch(usw_plan_t *plan, const uswi_call_t *like) {
  size_t partials_bytes, pinned_bytes;
  if (plan->own_device == like->device)
    return USW_OK;
  if (plan->own_device)
    return uswi_fail(USW_ERROR_PLACE, "%s: the plan's scratch is on device %d, not on device %d", plan->name,
                     plan->own_device->number, like->device->number);
  usw_status_t status = refuse_spans(plan->kernel);
  if (status == USW_OK)
    status = measure(like, &partials_bytes, &pinned_bytes);
  if (status == USW_OK)
    status = uswi_scratch_grow(like->device, &plan->own, partials_bytes, pinned_bytes);
  if (status != USW_OK)
    return status;
  plan->own_device = like->device;
  uswi_scratch_count_owners(1);
  return USW_OK;
}

usw_status_t uswi_plan_lent_scratch(usw_plan_t *plan, const uswi_call_t *like) {
  if (uswi_plan_is_running(plan))
    return uswi_fail(USW_ERROR_BUSY, "%s: the plan's scratch is in use by another run", plan->name);
  return uswi_plan_own_scratch(plan, like);
}

void uswi_plan_free_scratch(usw_plan_t *plan) {
  if (!plan->own_device)
    return;
  if (plan->is_lent)
    uswi_scratch_lend(&plan->own, NULL, NULL, 0, NULL, 0); /* the scratch's stream is the library's all the same */
  uswi_scratch_free(plan->own_device, &plan->own);
  plan->own_device = NULL;
  plan->is_lent = 0;
  uswi_scratch_count_owners(-1);
}

/* What a plan needs on the device that it names, tickets included. */
static usw_status_t measure_plan(const usw_plan_t *plan, usw_scratch_t *need, const uswi_device_t **device_out) {
  static const uint64_t no_arguments[USWI_MAX_ARGUMENTS];
  uswi_call_t call;
  if (plan->options.place != USW_DEVICE)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the plan names no device to have scratch on", plan->name);
  if (plan->map != USWI_PLAN_OF_KERNEL || uswi_is_scan(plan->kernel))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: plans along axes, of segments and of scans have no scratch of the caller's", plan->name);
  usw_status_t status = refuse_spans(plan->kernel);
  if (status != USW_OK)
    return status;
  uswi_call_init(&call, plan->kernel, 0, &plan->options);
  status = uswi_prepare(&call, no_arguments);
  *need = (usw_scratch_t){.size = sizeof *need};
  if (status == USW_OK)
    status = measure(&call, &need->device_bytes, &need->pinned_bytes);
  need->device_bytes += uswi_scratch_tickets_bytes();
  need->pinned_bytes *= 2; /* banks */
  *device_out = call.device;
  return status;
}

static usw_status_t scratch_of(const usw_plan_t *plan, usw_scratch_t *need_out) {
  const uswi_device_t *device = NULL;
  usw_scratch_t need = {0};
  if (!need_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_scratch: need_out is NULL");
  if (need_out->size != sizeof *need_out)
    return uswi_fail(USW_ERROR_VERSION, "usw_plan_scratch: need_out.size is %zu, this library knows %zu",
                     need_out->size, sizeof *need_out);
  const usw_status_t status = measure_plan(plan, &need, &device);
  if (status == USW_OK)
    *need_out = need;
  return status;
}

usw_status_t usw_plan_scratch(usw_plan_t *plan, usw_scratch_t *need_out) {
  const usw_status_t status = uswi_plan_enter(plan, "usw_plan_scratch");
  return status == USW_OK ? uswi_plan_leave(plan, scratch_of(plan, need_out)) : status;
}

/* ---- the caller's memory ---- */

static usw_status_t check_memory(const char *what, const void *memory, size_t bytes, size_t needed) {
  if (!memory)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_use_scratch: scratch.%s is NULL", what);
  if (bytes < needed)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_use_scratch: scratch.%s has %zu bytes, %zu are needed", what, bytes,
                     needed);
  if ((uintptr_t)memory % BOUNDARY != 0)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_use_scratch: scratch.%s at 0x%llx is not on a boundary of %d bytes",
                     what, (unsigned long long)(uintptr_t)memory, BOUNDARY);
  return USW_OK;
}

/* Whose the memory is; a device that shares the host's may have any. */
static usw_status_t check_places(const usw_scratch_t *scratch, const uswi_device_t *device) {
  if (device->shares_host_memory)
    return USW_OK;
  const uswi_where_t there = uswi_backend_where(scratch->device), here = uswi_backend_where(scratch->pinned);
  if (there.memory == USWI_MEMORY_UNKNOWN || here.memory == USWI_MEMORY_UNKNOWN)
    return uswi_unknown_place("usw_plan_use_scratch", "scratch", (uint64_t)(uintptr_t)scratch->device);
  if (there.memory != USWI_MEMORY_DEVICE || there.device != device->number)
    return uswi_fail(USW_ERROR_PLACE, "usw_plan_use_scratch: scratch.device is not memory of device %d",
                     device->number);
  if (here.memory != USWI_MEMORY_PINNED)
    return uswi_fail(USW_ERROR_PLACE, "usw_plan_use_scratch: scratch.pinned is not pinned host memory");
  return USW_OK;
}

static usw_status_t clear_tickets(const uswi_device_t *device, void *tickets) {
  const size_t bytes = uswi_scratch_tickets_bytes();
  void *zeros = calloc(1, bytes);
  if (!zeros)
    return uswi_fail(USW_ERROR_MEMORY, "usw_plan_use_scratch: no room for %zu bytes", bytes);
  const int is_copied = uswi_backend_copy_to_device(device, tickets, zeros, bytes);
  free(zeros);
  if (is_copied)
    return USW_OK;
  return uswi_fail(USW_ERROR_DEVICE, "usw_plan_use_scratch: %zu bytes could not be copied to device %d", bytes,
                   device->number);
}

static usw_status_t use_scratch(usw_plan_t *plan, const usw_scratch_t *scratch) {
  const uswi_device_t *device = NULL;
  usw_scratch_t need = {0};
  if (!scratch)
    return uswi_fail(USW_ERROR_INVALID, "usw_plan_use_scratch: scratch is NULL");
  if (scratch->size != sizeof *scratch)
    return uswi_fail(USW_ERROR_VERSION, "usw_plan_use_scratch: scratch.size is %zu, this library knows %zu",
                     scratch->size, sizeof *scratch);
  if (plan->own_device || uswi_plan_is_running(plan))
    return uswi_fail(USW_ERROR_BUSY, "usw_plan_use_scratch: the plan has scratch already, or a run is under way");
  usw_status_t status = measure_plan(plan, &need, &device);
  if (status == USW_OK)
    status = check_memory("device", scratch->device, scratch->device_bytes, need.device_bytes);
  if (status == USW_OK)
    status = check_memory("pinned", scratch->pinned, scratch->pinned_bytes, need.pinned_bytes);
  if (status == USW_OK && device)
    status = check_places(scratch, device);
  if (status != USW_OK || !device)
    return status;
  const size_t partials_bytes = need.device_bytes - uswi_scratch_tickets_bytes();
  char *tickets = (char *)scratch->device + partials_bytes;
  status = clear_tickets(device, tickets);
  if (status != USW_OK)
    return status;
  uswi_scratch_lend(&plan->own, tickets, scratch->device, partials_bytes, scratch->pinned, need.pinned_bytes);
  plan->own_device = device;
  plan->is_lent = 1;
  uswi_scratch_count_owners(1);
  return USW_OK;
}

usw_status_t usw_plan_use_scratch(usw_plan_t *plan, const usw_scratch_t *scratch) {
  const usw_status_t status = uswi_plan_enter(plan, "usw_plan_use_scratch");
  return status == USW_OK ? uswi_plan_leave(plan, use_scratch(plan, scratch)) : status;
}
