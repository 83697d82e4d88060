#include "exec/parts.h"

#include <stdlib.h>
#include <string.h>

#include "backend/driver.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/dispatch.h"
#include "exec/part_results.h"
#include "exec/parts_finish.h"
#include "exec/parts_gather.h"
#include "exec/recheck.h"
#include "exec/run.h"
#include "exec/staging_run.h"
#include "exec/starters.h"
#include "machine/arithmetic.h"
#include "policy/check.h"
#include "policy/choose.h"
#include "policy/prepare.h"

enum { LINE_BYTES = 64 };

static void note(uswi_parts_t *parts, const uswi_part_t *part, usw_status_t status) {
  if (status == USW_OK || parts->status != USW_OK)
    return;
  parts->status = status;
  parts->failed = part->number;
  uswi_keep_error_text(parts->text);
}

static usw_status_t tell(const uswi_parts_t *parts) {
  if (parts->status == USW_OK)
    return USW_OK;
  return uswi_fail(parts->status, "part %zu of %zu: %s", parts->failed + 1, parts->whole, parts->text);
}

/* ---- before they run ---- */

/* Variables of all parts are checked once: the first call finds out what the others need to know of them. */
static usw_status_t check_variables(uswi_parts_t *parts) {
  uswi_call_t *first = &parts->part->call;
  const int has_spans = (first->kernel->facts & USW_FACT_SPANS) != 0;
  if (has_spans) {
    first->record_bytes = first->kernel->accumulator_bytes;
    first->cells = 0;
  }
  first->variables = parts->variables;
  const usw_status_t status = uswi_check_variables(first);
  for (uswi_part_t *part = parts->part + 1; part < parts->part + parts->count; part++) {
    memcpy(part->call.extents, first->extents, first->kernel->reducer_count * sizeof *first->extents);
    part->call.results_there = first->results_there;
    part->call.record_bytes = first->record_bytes;
    part->call.cells = first->cells;
  }
  return status;
}

static int is_large(const uswi_part_t *part) { return part->call.record_bytes > sizeof part->room; }

static usw_status_t give_record(uswi_parts_t *parts, uswi_part_t *part) {
  part->record = part->room;
  if (!is_large(part))
    return USW_OK;
  parts->have_memory = 1;
  if (!part->memory)
    part->memory = aligned_alloc(LINE_BYTES, uswi_round_up(part->call.record_bytes, LINE_BYTES));
  part->record = part->memory;
  return part->record ? USW_OK
                      : uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", part->call.name,
                                  part->call.record_bytes);
}

/* Staging takes the calling thread, and so do launches through the OpenMP runtime. */
static int can_start(const uswi_call_t *call) {
  const char *why;
  return call->device && call->device->driver && !call->staged && uswi_function_of_driver(call, &why) != NULL;
}

/* The call's checks come for a part without items, too. */
static usw_status_t prepare(uswi_parts_t *parts, uswi_part_t *part) {
  const usw_variable_t *own = part->call.variables;
  part->call.variables = parts->variables ? NULL : own; /* which are checked */
  usw_status_t status = parts->variables && part > parts->part
                            ? uswi_prepare_like(&part->call, part->arguments, &part[-1].call)
                            : uswi_prepare(&part->call, part->arguments);
  part->call.variables = parts->variables ? parts->variables : own; /* a second run compares results */
  if (status == USW_OK && part->results)
    status = uswi_part_results_check(&part->call, part->results);
  if (status == USW_OK && part->call.n > 0) {
    part->state = USWI_PART_IS_LEFT;
    part->is_launched = can_start(&part->call);
    parts->left++;
    parts->launched += (size_t)part->is_launched;
    parts->staged += part->call.staged != 0;
  }
  /* A large one of a launch may need none (end()). */
  return status == USW_OK && (!part->is_launched || !is_large(part)) ? give_record(parts, part) : status;
}

void uswi_parts_clear(uswi_parts_t *parts) {
  if (!parts->have_memory)
    return;
  parts->have_memory = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    free(part->memory);
    part->record = part->memory = NULL;
    part->is_launched = part->is_repeatable = 0;
    part->state = USWI_PART_IS_EMPTY;
    if (!part->own.ticket)
      continue;
    uswi_scratch_free(part->call.device, &part->own);
    uswi_scratch_count_owners(-1);
  }
}

/* ---- parts that are started ---- */

static void give_back(const uswi_parts_t *parts, uswi_part_t *part) {
  if (!parts->is_kept)
    uswi_scratch_give_back(part->scratch);
}

/* Whether a record may stay in pinned memory of the scratch until all is merged: not where somebody takes a scratch before that. */
static int may_stay(const uswi_parts_t *parts, const uswi_part_t *part) {
  return parts->left == 0 && uswi_record_in_place(&part->launched) && uswi_recheck_rate(&parts->part->call) == 0;
}

static __attribute__((noinline)) usw_status_t collect_large(uswi_parts_t *parts, uswi_part_t *part) {
  if (may_stay(parts, part)) {
    part->record = uswi_record_in_place(&part->launched);
    part->is_held = 1;
    parts->held++;
    return USW_OK;
  }
  const usw_status_t status = give_record(parts, part);
  return status == USW_OK ? uswi_collect(&part->call, &part->launched, part->record) : status;
}

static __attribute__((noinline)) void let_go_of_scratches(uswi_parts_t *parts) {
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++)
    if (part->is_held) {
      give_back(parts, part);
      part->is_held = 0;
      parts->held--;
    }
}

static inline void let_go(uswi_parts_t *parts) {
  if (parts->held > 0)
    let_go_of_scratches(parts);
}

static void end(uswi_parts_t *parts, uswi_part_t *part) {
  const int is_written = parts->is_written && part->call.gathered > 1;
  usw_status_t status = uswi_wait_on_device(&part->launched);
  if (status == USW_OK && !is_written)
    status = is_large(part) ? collect_large(parts, part) : uswi_collect(&part->call, &part->launched, part->record);
  if (!part->is_held)
    give_back(parts, part);
  part->state = USWI_PART_HAS_ENDED;
  note(parts, part, status);
}

static usw_status_t launch(uswi_part_t *part) {
  return part->is_repeatable ? uswi_start_again(&part->call, part->scratch, &part->launched)
                             : uswi_start_on_device(&part->call, part->scratch, NULL, 0, &part->launched);
}

static void launch_for_another(void *part) { ((uswi_part_t *)part)->asked_status = launch(part); }

static void conclude_start(uswi_parts_t *parts, uswi_part_t *part, usw_status_t status) {
  if (status == USW_OK)
    part->state = USWI_PART_IS_STARTED;
  else
    give_back(parts, part);
  note(parts, part, status);
}

/* What another thread has not begun is launched here. What failed there is tried again: the text of an error belongs to its thread. */
static void wait_for_starters(uswi_parts_t *parts) {
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++)
    if (part->state == USWI_PART_IS_ASKED_FOR) {
      const int is_launched = uswi_starter_wait(part->call.device) && part->asked_status == USW_OK;
      part->state = USWI_PART_IS_LEFT;
      conclude_start(parts, part, is_launched ? USW_OK : launch(part));
    }
}

/* The part that they are gathered by ends behind them. */
static void end_gathered(uswi_parts_t *parts, uswi_part_t *part) {
  note(parts, part, uswi_wait_on_device(&part->launched));
  give_back(parts, part);
  part->state = USWI_PART_WAS_GATHERED;
  parts->gathered--;
}

static void end_all(uswi_parts_t *parts) {
  for (uswi_part_t *part = parts->part; parts->gathered > 0 && part < parts->part + parts->count; part++)
    if (part->state == USWI_PART_IS_GATHERED)
      end_gathered(parts, part);
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++)
    if (part->state == USWI_PART_IS_STARTED)
      end(parts, part);
}

/* Who holds scratches does not wait for one: two such threads could wait for each other. */
static usw_status_t take_scratch(uswi_parts_t *parts, uswi_part_t *part) {
  const uswi_device_t *device = part->call.device;
  size_t partials_bytes, pinned_bytes;
  if (parts->is_kept)
    return USW_OK;
  uswi_scratch_of(&part->call, &partials_bytes, &pinned_bytes);
  const usw_status_t status = uswi_scratch_try(device, partials_bytes, pinned_bytes, &part->scratch);
  if (status != USW_ERROR_BUSY)
    return status;
  wait_for_starters(parts);
  end_all(parts);
  return uswi_scratch_take(device, partials_bytes, pinned_bytes, 1, &part->scratch);
}

static void start(uswi_parts_t *parts, uswi_part_t *part, int may_ask) {
  const usw_status_t status = take_scratch(parts, part);
  parts->left--;
  if (status != USW_OK)
    note(parts, part, status);
  else if (may_ask && uswi_starter_ask(part->call.device, launch_for_another, part))
    part->state = USWI_PART_IS_ASKED_FOR;
  else
    conclude_start(parts, part, launch(part));
}

/* The first one last: other threads launch the others meanwhile, unless the calling thread has parts to run, which may want all cores. */
static void start_what_can(uswi_parts_t *parts) {
  const int may_ask = parts->launched > 1 && parts->launched == parts->left;
  uswi_part_t *first = NULL;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count && parts->status == USW_OK; part++) {
    if (part->state != USWI_PART_IS_LEFT || !part->is_launched)
      continue;
    if (may_ask && !first)
      first = part;
    else
      start(parts, part, may_ask && part->call.device != first->call.device);
  }
  if (first && parts->status == USW_OK)
    start(parts, first, 0);
  wait_for_starters(parts);
  uswi_part_t *failed;
  const usw_status_t status = parts->status == USW_OK ? uswi_parts_gather(parts, &failed) : USW_OK;
  if (status != USW_OK)
    note(parts, failed, status);
}

/* ---- parts that the calling thread runs ---- */

/* What takes no scratch of a device that others wait for while they hold some: it may run while those are busy. */
static int runs_meanwhile(const uswi_call_t *call) { return !call->device || (!call->device->driver && !call->staged); }

static void run_what_is_left(uswi_parts_t *parts, int only_meanwhile) {
  for (uswi_part_t *part = parts->part; parts->left > 0 && part < parts->part + parts->count && parts->status == USW_OK;
       part++)
    if (part->state == USWI_PART_IS_LEFT && (!only_meanwhile || runs_meanwhile(&part->call))) {
      note(parts, part, uswi_run_once(&part->call, part->record));
      part->state = USWI_PART_HAS_ENDED;
      parts->left--;
    }
}

/* Of each device the first part that is left and staged, in the order of the devices' numbers. */
static uint32_t choose_staged(const uswi_parts_t *parts, uswi_part_t **chosen) {
  uint32_t count = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
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
static void run_staged(uswi_parts_t *parts) {
  uswi_part_t *chosen[USWI_MAX_DEVICES + 1];
  uswi_staged_call_t calls[USWI_MAX_DEVICES];
  for (uint32_t count; parts->left > 0 && parts->status == USW_OK && (count = choose_staged(parts, chosen)) > 0;) {
    uint32_t failed;
    for (uint32_t k = 0; k < count; k++) {
      calls[k] = (uswi_staged_call_t){&chosen[k]->call, chosen[k]->record};
      chosen[k]->state = USWI_PART_HAS_ENDED;
      parts->left--;
    }
    const usw_status_t status = uswi_run_staged_together(calls, count, &failed);
    note(parts, chosen[failed], status);
  }
}

/* When no scratch of a device's is held: second runs take their own. All parts have the same options. */
static void recheck(uswi_parts_t *parts) {
  const uint32_t rate = uswi_recheck_rate(&parts->part->call);
  for (uswi_part_t *part = parts->part; rate && part < parts->part + parts->count && parts->status == USW_OK; part++)
    if (part->state == USWI_PART_HAS_ENDED)
      note(parts, part, uswi_recheck(&part->call, rate, part->record));
}

/* ---- all of it ---- */

/* Once for what is started, and once more for its end where that is another call. */
static void begin(uswi_parts_t *parts, uswi_arithmetic_t *callers) {
  parts->status = USW_OK;
  uswi_arithmetic_begin(callers, parts->part->call.kernel, parts->part->call.options);
}

static void count_from_zero(uswi_parts_t *parts) {
  parts->left = parts->launched = parts->gathered = 0;
  parts->is_written = 0;
}

static void run(uswi_parts_t *parts) {
  count_from_zero(parts);
  parts->staged = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count && parts->status == USW_OK; part++)
    note(parts, part, prepare(parts, part));
  if (parts->status != USW_OK)
    return;
  if (parts->launched > 1)
    uswi_parts_choose_gather(parts);
  if (parts->launched > 0)
    start_what_can(parts);
  run_what_is_left(parts, 1);
  if (parts->launched > 0)
    end_all(parts);
  if (parts->staged > 0)
    run_staged(parts);
  run_what_is_left(parts, 0);
  recheck(parts);
}

static usw_status_t run_all(uswi_parts_t *parts, void *record_out) {
  uswi_arithmetic_t callers;
  begin(parts, &callers);
  parts->to_record = record_out != NULL;
  run(parts);
  const usw_status_t status = parts->status == USW_OK ? uswi_parts_finish(parts, record_out) : tell(parts);
  uswi_arithmetic_end(&callers);
  let_go(parts);
  uswi_parts_clear(parts);
  return status;
}

usw_status_t uswi_run_parts(uswi_parts_t *parts) {
  const usw_status_t status = check_variables(parts);
  return status == USW_OK ? run_all(parts, NULL) : status;
}

usw_status_t uswi_reduce_parts_to_record(uswi_parts_t *parts, void *record_out) {
  const usw_status_t status = parts->variables ? check_variables(parts) : USW_OK;
  return status == USW_OK ? run_all(parts, record_out) : status;
}

usw_status_t uswi_run_each_part(uswi_parts_t *parts) {
  uswi_arithmetic_t callers;
  begin(parts, &callers);
  run(parts);
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count && parts->status == USW_OK; part++) {
    if (part->state == USWI_PART_IS_EMPTY)
      part->call.kernel->identity(part->record, part->call.extents);
    note(parts, part, uswi_finish(&part->call, part->record));
    if (parts->status == USW_OK)
      uswi_fill_report(&part->call);
  }
  uswi_arithmetic_end(&callers);
  let_go(parts);
  uswi_parts_clear(parts);
  return tell(parts);
}

/* ---- parts that are kept ---- */

static usw_status_t keep_scratch(uswi_part_t *part) {
  size_t partials_bytes, bank_bytes;
  if (!part->is_launched)
    return USW_OK;
  uswi_scratch_of(&part->call, &partials_bytes, &bank_bytes);
  const usw_status_t status = uswi_scratch_grow(part->call.device, &part->own, partials_bytes, bank_bytes);
  if (status != USW_OK)
    return status;
  uswi_scratch_count_owners(1);
  part->scratch = &part->own;
  return USW_OK;
}

/* Check the variables of a run; of spans each may have others, and what is kept is for one extent of each. */
static usw_status_t take_variables(uswi_parts_t *parts, int *have_changed) {
  uint64_t extents[USWI_MAX_REDUCERS];
  uswi_call_t *const first = &parts->part->call;
  const size_t bytes = first->kernel->reducer_count * sizeof *extents;
  *have_changed = 0;
  if (!(first->kernel->facts & USW_FACT_SPANS))
    return check_variables(parts);
  memcpy(extents, first->extents, bytes);
  const usw_status_t status = check_variables(parts);
  *have_changed = memcmp(first->extents, extents, bytes) != 0;
  return status;
}

usw_status_t uswi_parts_keep(uswi_parts_t *parts) {
  int have_changed = 0;
  const usw_status_t status = parts->variables ? take_variables(parts, &have_changed) : USW_OK;
  if (parts->is_kept && !have_changed)
    return status;
  uswi_parts_clear(parts);
  parts->is_kept = 0;
  if (status != USW_OK)
    return status;
  parts->is_kept = parts->have_memory = 1;
  parts->status = USW_OK;
  parts->staged = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count && parts->status == USW_OK; part++)
    note(parts, part, prepare(parts, part));
  if (parts->status == USW_OK && parts->launched > 1)
    uswi_parts_choose_gather(parts);
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count && parts->status == USW_OK; part++)
    note(parts, part, keep_scratch(part));
  if (parts->status == USW_OK)
    return USW_OK;
  uswi_parts_clear(parts);
  parts->is_kept = 0;
  return tell(parts);
}

static void start_again(uswi_parts_t *parts) {
  count_from_zero(parts);
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    if (part->state == USWI_PART_IS_EMPTY)
      continue;
    part->state = USWI_PART_IS_LEFT;
    parts->left++;
    parts->launched += (size_t)part->is_launched;
  }
  if (parts->launched == 0)
    return;
  start_what_can(parts);
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++)
    part->is_repeatable = part->is_repeatable || (part->state == USWI_PART_IS_STARTED &&
                                                  uswi_can_start_again(&part->call, part->scratch, &part->launched));
}

usw_status_t uswi_parts_start(uswi_parts_t *parts) {
  uswi_arithmetic_t callers;
  begin(parts, &callers);
  if (parts->part->call.options->report)
    parts->part->call.start_ns = uswi_now_ns();
  parts->to_record = 0;
  start_again(parts);
  if (parts->staged > 0)
    run_staged(parts); /* no scratch of a device's is held */
  run_what_is_left(parts, 0);
  if (parts->status != USW_OK) {
    end_all(parts);
    let_go(parts);
  }
  uswi_arithmetic_end(&callers);
  return tell(parts);
}

int uswi_parts_are_done(const uswi_parts_t *parts) {
  usw_status_t status;
  for (const uswi_part_t *part = parts->part; part < parts->part + parts->count; part++)
    if (part->state == USWI_PART_IS_STARTED && !uswi_is_done_on_device(&part->launched, &status))
      return 0;
  return 1;
}

usw_status_t uswi_parts_end(uswi_parts_t *parts) {
  uswi_arithmetic_t callers;
  begin(parts, &callers);
  end_all(parts);
  recheck(parts);
  const usw_status_t status = parts->status == USW_OK ? uswi_parts_finish(parts, NULL) : tell(parts);
  uswi_arithmetic_end(&callers);
  let_go(parts);
  return status;
}
