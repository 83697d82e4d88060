#include <upsweep/gathering.h>

#include <stdlib.h>
#include <string.h>
#include <upsweep/parts.h>

#include "api/library.h"
#include "api/message.h"
#include "backend/gpu_driver.h"
#include "base/error.h"
#include "base/state.h"
#include "exec/cells.h"
#include "exec/device.h"
#include "exec/recheck.h"
#include "exec/run.h"
#include "machine/arithmetic.h"
#include "policy/cells.h"
#include "policy/choose.h"
#include "policy/prepare.h"
#include "policy/results.h"

/* The call whose records are gathered. */
typedef struct {
  uswi_call_t call;
  usw_variable_t variables[USWI_MAX_REDUCERS];
  usw_options_t options;
  size_t count, number;
  uswi_scratch_t *scratch;
  uswi_launched_t launched;
} state_t;

static usw_status_t check(const usw_kernel_t *kernel, const usw_variable_t *variables, size_t n, uint64_t first_index,
                          size_t count, size_t number, const usw_gathering_t *gathering_out) {
  size_t record_bytes;
  const usw_status_t status = uswi_describe_message(kernel, variables, &record_bytes);
  if (status != USW_OK)
    return status;
  if (!gathering_out || !variables)
    return uswi_fail(USW_ERROR_INVALID, "usw_gathering_begin: %s NULL",
                     gathering_out ? "the variables are" : "gathering_out is");
  if (number >= count)
    return uswi_fail(USW_ERROR_INVALID, "usw_gathering_begin: number is %zu, there are %zu processes", number, count);
  if (count > INT32_MAX || record_bytes > SIZE_MAX / 2 / (count + 1))
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu records of %zu bytes", kernel->name, count, record_bytes);
  return uswi_check_indices(kernel, n, first_index);
}

/* Whether what the launches leave is folded by a launch of the driver's, and nobody wants to see it before. */
static int stays_on_gpu(const uswi_call_t *call) {
  const char *why;
  const int is_counted = call->options->report && (call->kernel->facts & USW_FACT_PASSES_NANS);
  return call->device && call->n > 0 && !call->staged && uswi_folds_by_cells(call) && !is_counted &&
         uswi_recheck_rate(call) == 0 && uswi_function_of_driver(call, &why);
}

/* The process's own record is the first one until it has a place among the others. */
static usw_status_t move_to_place(state_t *state) {
  const uswi_call_t *call = &state->call;
  const uswi_device_t *device = call->device;
  if (state->number == 0)
    return USW_OK;
  const int error = device->driver->copy_across(device->ordinal, state->launched.pending.stream, device->ordinal,
                                                uswi_gathered_record(call, state->scratch, state->number),
                                                uswi_gathered_record(call, state->scratch, 0), call->record_bytes);
  return uswi_driver_status(device, call->name, error);
}

/* A scratch for all records; NULL: there is none now, or no memory. Who holds one does not wait for another. */
static uswi_scratch_t *take_scratch(const uswi_call_t *call) {
  size_t partials_bytes, pinned_bytes;
  uswi_scratch_t *scratch;
  uswi_scratch_of(call, &partials_bytes, &pinned_bytes);
  return uswi_scratch_try(call->device, partials_bytes, pinned_bytes, &scratch) == USW_OK ? scratch : NULL;
}

/* Waits whatever the status is, which stays if it is a failure: what is in the stream uses the scratch. */
static usw_status_t wait_for_stream(const state_t *state, usw_status_t status) {
  const uswi_device_t *device = state->call.device;
  const int error = device->driver->wait(state->launched.pending.stream);
  return status == USW_OK ? uswi_driver_status(device, state->call.name, error) : status;
}

/* To its end: who puts others beside the record may know of no stream. */
static usw_status_t reduce(state_t *state) {
  uswi_call_t *call = &state->call;
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  usw_status_t status = uswi_start_on_device(call, state->scratch, call->options->stream, 0, &state->launched);
  if (status == USW_OK)
    status = wait_for_stream(state, move_to_place(state));
  uswi_arithmetic_end(&callers);
  if (status != USW_OK) {
    uswi_scratch_give_back(state->scratch);
    return status;
  }
  if (call->options->report)
    uswi_count_kept(call, NULL); /* nothing of the record is looked at */
  uswi_fill_report(call);
  return USW_OK;
}

static usw_status_t prepare(state_t *state, const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                            const usw_variable_t *variables, const usw_options_t *options, uint64_t first_index) {
  uint64_t words[USW_MAX_PART_ARGUMENTS];
  uswi_call_init(&state->call, kernel, n, options);
  memcpy(state->variables, variables, kernel->reducer_count * sizeof *variables);
  state->call.variables = state->variables;
  state->call.index_of_first = first_index;
  const usw_status_t status = uswi_prepare(&state->call, uswi_with_own_arguments(kernel, arguments, words));
  if (status == USW_OK && options) {
    state->options = *options; /* whose size is known to be right */
    state->call.options = &state->options;
  }
  return status;
}

usw_status_t usw_gathering_begin(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, const usw_options_t *options, uint64_t first_index,
                                 size_t count, size_t number, usw_gathering_t *gathering_out) {
  usw_gathering_t gathering = {.device = -1};
  usw_status_t status = check(kernel, variables, n, first_index, count, number, gathering_out);
  if (status != USW_OK)
    return status;
  state_t *state = calloc(1, sizeof *state);
  if (!state)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a gathering", kernel->name);
  state->count = count;
  state->number = number;
  status = prepare(state, kernel, n, arguments, variables, options, first_index);
  if (status == USW_OK && stays_on_gpu(&state->call)) {
    const size_t of_span = uswi_records_of_span(&state->call);
    state->call.gathered = (uint32_t)(count > of_span ? count : of_span);
    state->scratch = take_scratch(&state->call);
    status = state->scratch ? reduce(state) : USW_OK;
  }
  if (status == USW_OK && state->scratch)
    gathering = (usw_gathering_t){.records = uswi_gathered_record(&state->call, state->scratch, 0),
                                  .record_bytes = state->call.record_bytes,
                                  .device = state->call.device->number,
                                  .stream = state->launched.pending.stream,
                                  .state = state};
  else
    free(state);
  if (status == USW_OK)
    *gathering_out = gathering;
  return status;
}

static void release(usw_gathering_t *gathering) {
  state_t *const state = gathering->state;
  uswi_scratch_give_back(state->scratch);
  free(state);
  *gathering = (usw_gathering_t){.records = NULL};
}

static usw_status_t fold(state_t *state) {
  const uswi_call_t *call = &state->call;
  const int is_there = uswi_is_span_on_device(call), is_copied = uswi_is_span_copied(call);
  usw_status_t status =
      uswi_start_gathered(call, state->scratch, state->count, is_there || is_copied, &state->launched);
  if (status == USW_OK && is_there)
    status = uswi_put_span(call, state->scratch, &state->launched);
  status = wait_for_stream(state, status);
  if (status != USW_OK || is_there)
    return status;
  return is_copied ? uswi_copy_span(call, &state->launched) : uswi_finish(call, state->launched.records);
}

usw_status_t usw_gathering_end(usw_gathering_t *gathering) {
  uswi_arithmetic_t callers;
  const usw_status_t entered = uswi_enter();
  if (entered != USW_OK)
    return entered;
  if (!gathering || !gathering->state)
    return uswi_fail(USW_ERROR_INVALID, "usw_gathering_end: there is no gathering with records");
  state_t *const state = gathering->state;
  uswi_arithmetic_begin(&callers, state->call.kernel, state->call.options);
  const usw_status_t status = fold(state);
  uswi_arithmetic_end(&callers);
  release(gathering);
  return status;
}

static usw_status_t leave(const state_t *state, uint32_t source, void *message, size_t bytes) {
  const uswi_call_t *call = &state->call;
  size_t record_bytes;
  usw_status_t status = uswi_check_message(call->kernel, call->variables, message, bytes, &record_bytes);
  if (status != USW_OK)
    return status;
  if (!uswi_backend_copy_to_host(call->device, (char *)message + uswi_record_of_message(call->kernel),
                                 uswi_gathered_record(call, state->scratch, state->number), call->record_bytes))
    status = uswi_fail(USW_ERROR_DEVICE, "%s: a record of %zu bytes cannot be copied from device %d", call->name,
                       call->record_bytes, call->device->number);
  return uswi_write_message_header(call, status, source, message, bytes);
}

usw_status_t usw_gathering_leave(usw_gathering_t *gathering, uint32_t source, void *message_out, size_t bytes) {
  usw_status_t status = uswi_enter();
  if (status != USW_OK || !gathering || !gathering->state)
    return status;
  status = wait_for_stream(gathering->state, USW_OK);
  if (status == USW_OK && message_out)
    status = leave(gathering->state, source, message_out, bytes);
  release(gathering);
  return status;
}
