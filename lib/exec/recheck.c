/* One call in N runs twice. What is compared are the results as they would be written, with the original values combined
 * in: accumulators may hold padding, and parts that depend on the grid. */

#include "exec/recheck.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/strategy.h"
#include "exec/dispatch.h"
#include "exec/recheck_outputs.h"
#include "policy/choose.h"
#include "policy/outputs.h"
#include "policy/results.h"

enum {
  BOUNDARY = 64,         /* of records */
  FEWEST_ITEMS = 2 * 64, /* that fall into two chunks, which begin at multiples of 64 */
  SMALL_BYTES = 4 << 10, /* of what a second run needs, on the stack */
  VALUE_BYTES = 48,
  WAY_BYTES = 64 /* of texts */
};

static _Atomic uint64_t counted, checked, differing;

void usw_recheck_counts(uint64_t *checked_out, uint64_t *differing_out) {
  if (checked_out)
    *checked_out = checked;
  if (differing_out)
    *differing_out = differing;
}

/* ---- the second way ---- */

/* Whether any way gives the same bits. A user's minimum or maximum of floating numbers may be another NaN. */
static int is_free(const usw_kernel_t *kernel) {
  if (!(kernel->facts & USW_FACT_EXACT))
    return 0;
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    if (kernel->reducers[r].operation == USW_MINIMUM || kernel->reducers[r].operation == USW_MAXIMUM)
      return 0;
  return 1;
}

/* Blocks of cells are left where they are: the host would have to copy every team's. */
static usw_strategy_t other_strategy(const uswi_call_t *call) {
  return call->strategy == USW_STRATEGY_TREE && !call->cells ? USW_STRATEGY_HOST_FINISH : USW_STRATEGY_TREE;
}

int uswi_second_way(const uswi_call_t *call, uswi_call_t *second) {
  *second = *call;
  if (!uswi_is_repeatable(call))
    return 0;
  if (uswi_has_many_results(call->kernel) || uswi_is_scan(call->kernel)) { /* of whichever team or chunk */
    uint32_t *const workers = call->device ? &second->teams : &second->chunks;
    const uint32_t least = !call->device && uswi_is_scan(call->kernel) ? 2 : 1; /* which has always several chunks */
    *workers -= *workers > least;
    return 1;
  }
  if (!is_free(call->kernel))
    return 1;
  if (call->device) {
    second->strategy = other_strategy(call);
    second->teams = call->teams > 1 ? call->teams - 1 : 2;
    second->team_size = call->device->runs_bare ? call->kernel->bare.team_size : 1;
  } else if (call->chunks > 1) {
    second->chunks = call->chunks - 1;
  } else if (call->n >= FEWEST_ITEMS && !call->cells) {
    second->chunks = 2;
  }
  return 1;
}

/* ---- results ---- */

static size_t round_up(size_t bytes) { return uswi_round_up(bytes, BOUNDARY); }

/* Turn a record into results at `room`, as finish() of run.c does with the caller's variables, but for original values in a device's memory, which
 * both runs have; returns the bits of reducers that have no value. The record is used up. */
static uint64_t finish(const uswi_call_t *call, void *record, char *room) {
  const usw_kernel_t *k = call->kernel;
  usw_variable_t variables[USWI_MAX_REDUCERS];
  const uint64_t there = k->facts & USW_FACT_SPANS ? call->results_there : 0;
  for (uint32_t r = 0; r < k->reducer_count; r++) {
    variables[r] = (usw_variable_t){room, call->variables ? call->extents[r] : 1};
    if (call->variables && !(there >> r & 1))
      memcpy(room, call->variables[r].address, uswi_result_bytes(call, r));
    room += uswi_result_room(call, r);
  }
  if (k->absorb && call->variables && !uswi_has_originals(call))
    k->absorb(record, variables, call->extents, uswi_fresh_reducers(call) | there, 0);
  return k->finish(record, variables, call->extents);
}

/* ---- what differs, in words ---- */

/* A floating result of one number; 0: it is none. */
static int is_floating(const usw_kernel_t *k, double *number, const void *value) {
  const int is_number = (k->operation >= USW_PLUS && k->operation <= USW_MAXIMUM) || k->operation == USW_DOT ||
                        (k->operation >= USW_NORM1 && k->operation <= USW_NORM_INF);
  const int is_double = k->type == USW_F64 || k->type == USW_CF64;
  const int is_float = k->type == USW_F32 || k->type == USW_CF32 || k->type == USW_F16 || k->type == USW_BF16;
  float single;
  if (is_number && is_double && k->reducers[0].bytes == sizeof *number) {
    memcpy(number, value, sizeof *number);
    return 1;
  }
  if (is_number && is_float && k->reducers[0].bytes == sizeof single) {
    memcpy(&single, value, sizeof single);
    *number = (double)single;
    return 1;
  }
  return 0;
}

/* The number, or the bytes, highest first, of the part of at most eight that begins at `value`. */
static const char *text_of(const usw_kernel_t *k, const void *value, size_t bytes, char text[VALUE_BYTES]) {
  uint64_t bits = 0;
  double number;
  if (is_floating(k, &number, value)) {
    snprintf(text, VALUE_BYTES, "%.17g", number);
  } else {
    memcpy(&bits, value, bytes < sizeof bits ? bytes : sizeof bits);
    snprintf(text, VALUE_BYTES, "0x%0*llx", (int)(2 * (bytes < sizeof bits ? bytes : sizeof bits)),
             (unsigned long long)bits);
  }
  return text;
}

/* How a call ran. */
static const char *way_of(const uswi_call_t *call, char text[WAY_BYTES]) {
  if (call->device)
    snprintf(text, WAY_BYTES, "by %s with %u team%s", uswi_strategy_name(call->strategy), call->teams,
             call->teams == 1 ? "" : "s");
  else
    snprintf(text, WAY_BYTES, "in %u chunk%s", call->chunks, call->chunks == 1 ? "" : "s");
  return text;
}

/* ---- two runs ---- */

typedef struct run {
  const uswi_call_t *call;
  void *record;
  char *results;
  uint64_t empty; /* reducers that have no value */
  char *outputs;  /* copies of them, or NULL */
} run_t;

static usw_status_t tell(const run_t *first, const run_t *second, const char *name, const char *what) {
  const uswi_call_t *call = first->call;
  char place[WAY_BYTES] = "the host", way[WAY_BYTES], second_way[WAY_BYTES];
  const uint64_t so_far = ++differing;
  if (call->device)
    snprintf(place, sizeof place, "device %d (%s)", call->device->number, call->device->target);
  uswi_log(USW_LOG_WARNING, "%s: a recheck failed: %llu of %llu so far", call->name, (unsigned long long)so_far,
           (unsigned long long)checked);
  return uswi_fail(USW_ERROR_MISMATCH, "%s: two runs over the same %zu items on %s differ in '%s'%s: first %s, then %s",
                   call->name, call->n, place, name, what, way_of(call, way), way_of(second->call, second_way));
}

/* The reducer's result from byte `at` on, which is the first that differs. */
static usw_status_t tell_values(const run_t *first, const run_t *second, uint32_t reducer, size_t offset, size_t at) {
  const usw_reducer_t *of = &first->call->kernel->reducers[reducer];
  const size_t element = at / of->bytes, in_element = at % of->bytes / 8 * 8;
  const size_t from = offset + element * of->bytes + in_element, bytes = of->bytes - in_element;
  char what[3 * VALUE_BYTES], index[VALUE_BYTES] = "", value[VALUE_BYTES], second_value[VALUE_BYTES];
  if (of->dimensions == 1 || uswi_has_many_results(first->call->kernel))
    snprintf(index, sizeof index, "[%zu]", element);
  snprintf(what, sizeof what, "%s, %s and %s", index, text_of(first->call->kernel, first->results + from, bytes, value),
           text_of(first->call->kernel, second->results + from, bytes, second_value));
  return tell(first, second, of->name, what);
}

static usw_status_t compare_outputs(const run_t *first, const run_t *second) {
  char index[VALUE_BYTES];
  uint32_t argument;
  size_t item;
  if (!first->outputs || !uswi_outputs_differ(first->call, first->outputs, second->outputs, &argument, &item))
    return USW_OK;
  snprintf(index, sizeof index, "[%zu]", item);
  return tell(first, second, first->call->kernel->arguments[argument].name, index);
}

static usw_status_t compare(const run_t *first, const run_t *second) {
  size_t offset = 0, at = 0;
  if (first->empty != second->empty)
    return tell(first, second, first->call->kernel->reducers[__builtin_ctzll(first->empty ^ second->empty)].name,
                ", which one gave no value");
  for (uint32_t r = 0; r < first->call->kernel->reducer_count && !first->empty; r++) {
    const size_t bytes = uswi_result_bytes(first->call, r);
    const char *one = first->results + offset, *other = second->results + offset;
    if (memcmp(one, other, bytes) != 0) {
      while (one[at] == other[at])
        at++;
      return tell_values(first, second, r, offset, at);
    }
    offset += uswi_result_room(first->call, r);
  }
  return compare_outputs(first, second);
}

int uswi_recheck_is_due(const uswi_call_t *call, uint32_t rate, uswi_call_t *second) {
  const uint64_t number = atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed) + 1;
  if (number % rate != 0)
    return 0;
  const char *why = uswi_is_in_place(call) ? "it has written its inputs" : NULL;
  if (!uswi_second_way(call, second))
    why = "its strategy does not promise the same bits twice";
  if (why)
    uswi_log(USW_LOG_INFO, "%s: not rechecked: %s", call->name, why);
  return !why;
}

usw_status_t uswi_recheck_compare(const uswi_call_t *first, const uswi_call_t *second, char *results,
                                  char *second_results) {
  const run_t one = {first, NULL, results, 0, NULL}, other = {second, NULL, second_results, 0, NULL};
  checked++;
  return compare(&one, &other);
}

/* In `room`, which holds two records and two sets of results. */
static usw_status_t run_twice(const uswi_call_t *call, uswi_call_t *second_call, const void *record, char *room) {
  const size_t record_bytes = round_up(call->record_bytes), bytes = uswi_results_room(call);
  char *const results = room + 2 * record_bytes;
  run_t first = {call, room, results, 0, NULL}, second = {second_call, room + record_bytes, results + bytes, 0, NULL};
  usw_status_t status = uswi_outputs_copy(call, &first.outputs);
  if (status == USW_OK)
    status = uswi_run_once(second_call, second.record);
  if (status == USW_OK)
    status = uswi_outputs_copy(call, &second.outputs);
  if (status == USW_OK) {
    memcpy(first.record, record, call->record_bytes);
    memset(results, 0, 2 * bytes);
    first.empty = finish(call, first.record, first.results);
    second.empty = finish(call, second.record, second.results);
    checked++;
    status = compare(&first, &second);
  }
  free(first.outputs);
  free(second.outputs);
  return status;
}

usw_status_t uswi_recheck(const uswi_call_t *call, uint32_t rate, const void *record) {
  uswi_call_t second;
  uint64_t index;
  if (!uswi_recheck_is_due(call, rate, &second))
    return USW_OK;
  if (call->kernel->bad_index && call->kernel->bad_index(record, &index))
    return USW_OK; /* it is about to fail */
  const size_t bytes = 2 * (round_up(call->record_bytes) + uswi_results_room(call));
  if (bytes <= SMALL_BYTES) {
    _Alignas(BOUNDARY) char room[SMALL_BYTES];
    return run_twice(call, &second, record, room);
  }
  char *room = aligned_alloc(BOUNDARY, bytes);
  if (!room)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes to recheck its results", call->name, bytes);
  const usw_status_t status = run_twice(call, &second, record, room);
  free(room);
  return status;
}
