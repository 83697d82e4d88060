#include "exec/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/room.h"
#include "exec/cells.h"
#include "exec/device.h"
#include "exec/dispatch.h"
#include "exec/recheck.h"
#include "exec/result_room.h"
#include "exec/results.h"
#include "machine/arithmetic.h"
#include "policy/cells.h"
#include "policy/prepare.h"
#include "policy/results.h"

enum { SMALL_RECORD_BYTES = 512 };

/* With spans in a device's memory: into room of the host's, from which they are copied there. */
static __attribute__((noinline)) usw_status_t finish_in_room(const uswi_call_t *call, void *record) {
  usw_variable_t own[USWI_MAX_REDUCERS];
  const size_t bytes = uswi_results_room(call);
  char *const room = aligned_alloc(USWI_RESULT_BOUNDARY, bytes);
  if (!room)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for results of %zu bytes", call->name, bytes);
  usw_status_t status = uswi_variables_to_room(call, room, own);
  if (status == USW_OK)
    status = uswi_finish_apart(call, record, own);
  if (status == USW_OK)
    status = uswi_variables_back(call, own);
  free(room);
  return status;
}

/* Inlined where one calls are made, of which it is a noticeable part. */
static inline __attribute__((always_inline)) usw_status_t finish(const uswi_call_t *call, void *record) {
  const usw_kernel_t *k = call->kernel;
  uint64_t index, bad;
  if (uswi_has_many_results(k))
    return USW_OK;
  if (call->results_there)
    return finish_in_room(call, record);
  if (k->bad_index && (bad = k->bad_index(record, &index)) != 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: index %llu is outside the span '%s' of %llu elements", call->name,
                     (unsigned long long)index, k->reducers[bad - 1].name, (unsigned long long)call->extents[bad - 1]);
  if (k->absorb && !uswi_has_originals(call))
    k->absorb(record, call->variables, call->extents, uswi_fresh_reducers(call), call->n == 0);
  const uint64_t empty = k->finish(record, call->variables, call->extents);
  if (empty)
    return uswi_fail(USW_ERROR_EMPTY,
                     "%s: '%s' has no value: nothing was combined into it and its operator has no identity", call->name,
                     k->reducers[__builtin_ctzll(empty)].name);
  return USW_OK;
}

usw_status_t uswi_finish(const uswi_call_t *call, void *record) { return finish(call, record); }

usw_status_t uswi_finish_apart(const uswi_call_t *call, void *record, const usw_variable_t *own) {
  uswi_call_t apart = *call;
  apart.variables = own;
  apart.results_there = 0;
  return uswi_finish(&apart, record);
}

void uswi_count_kept(uswi_call_t *call, const void *record) {
  const usw_kernel_t *k = call->kernel;
  const int is_unknown = (k->facts & USW_FACT_NAN_POLICY) && k->type > USW_U64 && call->options->nan == USW_NAN_IGNORE;
  call->kept = is_unknown ? UINT64_MAX : call->n;
  if (!(k->facts & USW_FACT_PASSES_NANS))
    return;
  if ((k->facts & USW_FACT_RESTARTS) || uswi_has_many_results(k)) /* it has those of the last segment, or of none */
    call->kept = UINT64_MAX;
  else
    memcpy(&call->kept, (const char *)record + k->members[k->member_count - 1].offset_bytes, sizeof call->kept);
}

void uswi_fill_report(const uswi_call_t *call) {
  usw_report_t *report = call->options->report;
  if (!report)
    return;
  *report = (usw_report_t){.size = sizeof *report,
                           .place = call->device ? USW_DEVICE : USW_HOST,
                           .device = call->device ? call->device->number : -1,
                           .strategy = call->strategy,
                           .teams = call->teams,
                           .team_size = call->team_size,
                           .bytes = (uint64_t)call->n * call->item_bytes,
                           .time_ns = uswi_now_ns() - call->start_ns,
                           .target = call->device ? call->device->target : "host",
                           .kept = call->kept};
}

usw_status_t uswi_accumulate(uswi_call_t *call, void *record_out) {
  if (uswi_has_many_results(call->kernel)) /* which are written already then */
    return uswi_run_results(call, record_out);
  const usw_status_t status = uswi_run_once(call, record_out);
  const uint32_t rate = uswi_recheck_rate(call);
  return rate && status == USW_OK && call->n > 0 ? uswi_recheck(call, rate, record_out) : status;
}

usw_status_t uswi_reduce_to_record(uswi_call_t *call, const uint64_t *arguments, void *record_out) {
  uswi_arithmetic_t callers;
  usw_status_t status = uswi_prepare(call, arguments);
  if (status != USW_OK)
    return status;
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  status = uswi_accumulate(call, record_out);
  if (status == USW_OK && call->options->report)
    uswi_count_kept(call, record_out);
  uswi_arithmetic_end(&callers);
  if (status == USW_OK)
    uswi_fill_report(call);
  return status;
}

static inline __attribute__((always_inline)) usw_status_t run(uswi_call_t *call, void *record) {
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  usw_status_t status = uswi_accumulate(call, record);
  if (status == USW_OK && call->options->report)
    uswi_count_kept(call, record);
  if (status == USW_OK)
    status = finish(call, record);
  uswi_arithmetic_end(&callers);
  return status;
}

usw_status_t uswi_run(uswi_call_t *call, void *record) { return run(call, record); }

/* Whether what the device leaves is finished where it is, rather than copied first. */
static int is_finished_in_place(const uswi_call_t *call) {
  return call->device && call->n > 0 && !call->staged && uswi_folds_by_cells(call) && uswi_recheck_rate(call) == 0;
}

static usw_status_t finish_in_place(uswi_call_t *call, const uswi_launched_t *launched) {
  if (call->options->report)
    uswi_count_kept(call, launched->records);
  if (call->writes_span)
    return USW_OK;
  return call->gathered > 0 ? uswi_copy_span(call, launched) : uswi_finish(call, launched->records);
}

static usw_status_t run_in_place(uswi_call_t *call) {
  uswi_arithmetic_t callers;
  uswi_scratch_t *scratch;
  uswi_launched_t launched;
  call->gathered = (uint32_t)uswi_is_span_copied(call);
  uswi_aim_at_span(call);
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  usw_status_t status = uswi_launch_and_wait(call, &scratch, &launched);
  if (status == USW_OK) {
    status = finish_in_place(call, &launched);
    uswi_scratch_give_back(scratch);
  }
  uswi_arithmetic_end(&callers);
  return status;
}

/* The record lives on the stack unless a user's type or span is large. */
static usw_status_t run_with_record(uswi_call_t *call) {
  if (call->record_bytes <= SMALL_RECORD_BYTES) {
    _Alignas(64) char record[SMALL_RECORD_BYTES];
    return run(call, record);
  }
  if (is_finished_in_place(call))
    return run_in_place(call);
  void *const record = uswi_room_take(call->record_bytes);
  if (!record)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", call->name, call->record_bytes);
  const usw_status_t status = uswi_run(call, record);
  uswi_room_give_back(record);
  return status;
}

usw_status_t uswi_run_call(uswi_call_t *call, const uint64_t *arguments) {
  usw_status_t status = uswi_prepare(call, arguments);
  if (status == USW_OK)
    status = run_with_record(call);
  if (status == USW_OK)
    uswi_fill_report(call);
  return status;
}

usw_status_t uswi_run_kernel(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                             const usw_variable_t *variables, const usw_options_t *options) {
  uswi_call_t call; /* filled step by step: zeroing it would cost more than a small reduction */
  uswi_call_init(&call, kernel, n, options);
  call.variables = variables;
  return uswi_run_call(&call, arguments);
}
