#include "policy/prepare.h"

#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "base/clock.h"
#include "base/error.h"
#include "policy/check.h"
#include "policy/choose.h"
#include "policy/place.h"

/* An entry that is there is not for the strategy, or the environment wants none of the driver. */
static usw_status_t lack_of(const uswi_driver_entry_t *entry) {
  return entry->function ? USW_ERROR_UNSUPPORTED : entry->lack;
}

/* A stream of the caller's needs launches through the driver. */
static usw_status_t check_stream(const uswi_call_t *call) {
  const char *why = "the call runs on the host", *name = call->name;
  void *stream = call->options->stream;
  if (!call->device || !uswi_function_of_driver(call, &why))
    return uswi_fail(call->device ? lack_of(call->entry) : USW_ERROR_UNSUPPORTED,
                     "%s: options.stream is for launches through NVIDIA's driver: %s", name, why);
  int error;
  const int is_of_device = call->device->driver->has_stream(call->device->ordinal, stream, &error);
  if (error != 0)
    return uswi_driver_status(call->device, name, error);
  if (!is_of_device)
    return uswi_fail(USW_ERROR_PLACE, "%s: options.stream is not a stream of device %d", name, call->device->number);
  return USW_OK;
}

/* Whether a call of the same kernel, by the same options, is decided like another one that differs in its data. */
static int is_like(const uswi_call_t *call, const uswi_call_t *like) {
  const uswi_device_t *a = call->device, *b = like->device;
  return a && b && call->n == like->n && !(call->staged | like->staged) && a->target == b->target &&
         a->runs_bare == b->runs_bare && a->starts_in_order == b->starts_in_order &&
         a->multiprocessors == b->multiprocessors && call->entry->resident_teams == like->entry->resident_teams &&
         !a->driver == !b->driver && uswi_tuning_of(a) == uswi_tuning_of(b);
}

static void decide_like(uswi_call_t *call, const uswi_call_t *like) {
  call->strategy = like->strategy;
  call->teams = like->teams;
  call->team_size = like->team_size;
  call->work_group_load = like->work_group_load;
  call->tuning_entry = like->tuning_entry;
  call->common_blocks = like->common_blocks;
  call->has_fixed_point = like->has_fixed_point;
}

usw_status_t uswi_prepare_like(uswi_call_t *call, const uint64_t *arguments, const uswi_call_t *like) {
  usw_status_t status = uswi_check_like(call, arguments);
  if (status != USW_OK)
    return status;
  status = uswi_place(call);
  if (status == USW_OK && call->device)
    call->entry = uswi_driver_entry(call->device, call->kernel);
  if (status == USW_OK && is_like(call, like))
    decide_like(call, like);
  else if (status == USW_OK)
    status = uswi_choose(call);
  return status;
}

usw_status_t uswi_prepare(uswi_call_t *call, const uint64_t *arguments) {
  usw_status_t status = uswi_check(call, arguments);
  if (status != USW_OK)
    return status;
  if (call->options->report)
    call->start_ns = uswi_now_ns();
  status = uswi_place(call);
  if (status == USW_OK && call->device)
    call->entry = uswi_driver_entry(call->device, call->kernel);
  if (status == USW_OK)
    status = uswi_choose(call);
  return status == USW_OK && call->options->stream ? check_stream(call) : status;
}
