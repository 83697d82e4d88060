#include "exec/parts.h"

#include <string.h>

#include "backend/driver.h"
#include "base/error.h"
#include "exec/dispatch.h"
#include "exec/recheck.h"
#include "exec/run.h"
#include "exec/staging_run.h"
#include "machine/arithmetic.h"
#include "policy/choose.h"
#include "policy/prepare.h"

enum { TEXT_BYTES = 512 };

/* All parts, and the first failure: others may fail while they are waited for. */
typedef struct {
  uswi_part_t *parts;
  size_t count;
  usw_status_t status;
  size_t failed;
  char text[TEXT_BYTES];
} run_t;

static void keep_text(char text[TEXT_BYTES]) {
  strncpy(text, usw_error_text(), TEXT_BYTES - 1);
  text[TEXT_BYTES - 1] = 0;
}

usw_status_t uswi_fail_of_part(usw_status_t status, size_t k, size_t count) {
  char text[TEXT_BYTES];
  keep_text(text);
  return uswi_fail(status, "part %zu of %zu: %s", k + 1, count, text);
}

static void note(run_t *run, const uswi_part_t *part, usw_status_t status) {
  if (status == USW_OK || run->status != USW_OK)
    return;
  run->status = status;
  run->failed = (size_t)(part - run->parts);
  keep_text(run->text);
}

/* ---- parts that are started ---- */

/* Staging takes the calling thread, and so do launches through the OpenMP runtime. */
static int can_start(const uswi_call_t *call) {
  const char *why;
  return call->device && call->device->driver && !call->staged && uswi_function_of_driver(call, &why) != NULL;
}

static void end(run_t *run, uswi_part_t *part) {
  usw_status_t status = uswi_wait_on_device(&part->launched);
  if (status == USW_OK)
    status = uswi_collect(&part->call, &part->launched, part->record);
  uswi_scratch_give_back(part->scratch);
  part->state = USWI_PART_HAS_ENDED;
  note(run, part, status);
}

static void end_all(run_t *run) {
  for (uswi_part_t *part = run->parts; part < run->parts + run->count; part++)
    if (part->state == USWI_PART_IS_STARTED)
      end(run, part);
}

/* Who holds scratches does not wait for one: two such threads could wait for each other. */
static usw_status_t take_scratch(run_t *run, uswi_part_t *part) {
  const uswi_device_t *device = part->call.device;
  size_t partials_bytes, pinned_bytes;
  uswi_scratch_of(&part->call, &partials_bytes, &pinned_bytes);
  const usw_status_t status = uswi_scratch_try(device, partials_bytes, pinned_bytes, &part->scratch);
  if (status != USW_ERROR_BUSY)
    return status;
  end_all(run);
  return uswi_scratch_take(device, partials_bytes, pinned_bytes, 1, &part->scratch);
}

static void start(run_t *run, uswi_part_t *part) {
  usw_status_t status = take_scratch(run, part);
  if (status == USW_OK) {
    status = uswi_start_on_device(&part->call, part->scratch, NULL, 0, &part->launched);
    if (status == USW_OK)
      part->state = USWI_PART_IS_STARTED;
    else
      uswi_scratch_give_back(part->scratch);
  }
  note(run, part, status);
}

/* The call's checks come for a part without items, too. */
static void start_what_can(run_t *run) {
  for (uswi_part_t *part = run->parts; part < run->parts + run->count; part++)
    part->state = USWI_PART_HAS_ENDED;
  for (uswi_part_t *part = run->parts; part < run->parts + run->count && run->status == USW_OK; part++) {
    note(run, part, uswi_prepare(&part->call, part->call.arguments));
    if (run->status != USW_OK || part->call.n == 0)
      continue;
    part->state = USWI_PART_IS_LEFT;
    if (can_start(&part->call))
      start(run, part);
  }
}

/* ---- parts that the calling thread runs ---- */

/* What takes no scratch of a device that others wait for while they hold some: it may run while those are busy. */
static int runs_meanwhile(const uswi_call_t *call) { return !call->device || (!call->device->driver && !call->staged); }

static void run_what_is_left(run_t *run, int only_meanwhile) {
  for (uswi_part_t *part = run->parts; part < run->parts + run->count && run->status == USW_OK; part++)
    if (part->state == USWI_PART_IS_LEFT && (!only_meanwhile || runs_meanwhile(&part->call))) {
      note(run, part, uswi_run_once(&part->call, part->record));
      part->state = USWI_PART_HAS_ENDED;
    }
}

/* Of each device the first part that is left and staged, in the order of the devices' numbers. */
static uint32_t choose_staged(const run_t *run, uswi_part_t **chosen) {
  uint32_t count = 0;
  for (uswi_part_t *part = run->parts; part < run->parts + run->count; part++) {
    uint32_t at = count;
    if (part->state != USWI_PART_IS_LEFT || !part->call.staged)
      continue;
    while (at > 0 && chosen[at - 1]->call.device->number >= part->call.device->number)
      at--;
    if (at < count && chosen[at]->call.device == part->call.device)
      continue;
    memmove(&chosen[at + 1], &chosen[at], (count - at) * sizeof *chosen);
    chosen[at] = part;
    count++;
  }
  return count;
}

/* Each through its device's own link, at the same time. */
static void run_staged(run_t *run) {
  uswi_part_t *chosen[USWI_MAX_DEVICES + 1];
  uswi_staged_call_t calls[USWI_MAX_DEVICES];
  for (uint32_t count; run->status == USW_OK && (count = choose_staged(run, chosen)) > 0;) {
    uint32_t failed;
    for (uint32_t k = 0; k < count; k++) {
      calls[k] = (uswi_staged_call_t){&chosen[k]->call, chosen[k]->record};
      chosen[k]->state = USWI_PART_HAS_ENDED;
    }
    const usw_status_t status = uswi_run_staged_together(calls, count, &failed);
    note(run, chosen[failed], status);
  }
}

/* When no scratch is held: second runs take their own. */
static void recheck(run_t *run) {
  for (uswi_part_t *part = run->parts; part < run->parts + run->count && run->status == USW_OK; part++) {
    const uint32_t rate = uswi_recheck_rate(&part->call);
    if (rate && part->call.n > 0)
      note(run, part, uswi_recheck(&part->call, rate, part->record));
  }
}

/* ---- the result ---- */

static void count_kept(run_t *run) {
  uint64_t kept = 0;
  for (uswi_part_t *part = run->parts; part < run->parts + run->count; part++) {
    if (part->call.n == 0)
      part->call.kernel->identity(part->record, NULL);
    uswi_count_kept(&part->call, part->record);
    kept = kept == UINT64_MAX || part->call.kept == UINT64_MAX ? UINT64_MAX : kept + part->call.kept;
  }
  run->parts->call.kept = kept;
}

/* Into the first part with items: merged with the identity, some numbers are others. */
static void *merge(const run_t *run, size_t *n_out) {
  void *total = NULL;
  size_t n = 0;
  for (uswi_part_t *part = run->parts; part < run->parts + run->count; part++) {
    if (part->call.n == 0)
      continue;
    n += part->call.n;
    if (total)
      part->call.kernel->merge(total, part->record, NULL);
    else
      total = part->record;
  }
  *n_out = n;
  if (!total)
    run->parts->call.kernel->identity(total = run->parts->record, NULL);
  return total;
}

static usw_status_t finish(run_t *run, const usw_variable_t *variables) {
  uswi_call_t *call = &run->parts->call;
  if (call->options->report)
    count_kept(run);
  size_t n;
  void *const total = merge(run, &n);
  call->n = n;
  call->variables = variables;
  return uswi_finish(call, total);
}

usw_status_t uswi_run_parts(uswi_part_t *parts, size_t count, const usw_variable_t *variables) {
  run_t run;
  run.parts = parts;
  run.count = count;
  run.status = USW_OK;
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, parts->call.kernel, parts->call.options);
  start_what_can(&run);
  run_what_is_left(&run, 1);
  end_all(&run);
  run_staged(&run);
  run_what_is_left(&run, 0);
  recheck(&run);
  usw_status_t status = run.status;
  if (status == USW_OK)
    status = finish(&run, variables);
  else
    uswi_fail(status, "part %zu of %zu: %s", run.failed + 1, count, run.text);
  uswi_arithmetic_end(&callers);
  if (status == USW_OK)
    uswi_fill_report(&parts->call);
  return status;
}
