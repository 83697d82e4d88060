#include "exec/results.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "base/room.h"
#include "exec/device.h"
#include "exec/host.h"
#include "exec/recheck.h"
#include "exec/result_room.h"
#include "exec/segment_check.h"
#include "exec/staging_results.h"
#include "policy/axes.h"
#include "policy/chunks.h"
#include "policy/place.h"
#include "policy/result_shares.h"
#include "policy/results.h"
#include "policy/segments.h"
#include "policy/variant.h"

enum {
  JOIN_BYTES = 1 << 16,    /* of partials, that a thread should join at least */
  FEW_PARTIALS_BYTES = 512 /* that a stack has room for */
};

/* ---- where results are ---- */

static int is_direct(const uswi_call_t *call, uint32_t r) { return call->results_direct >> r & 1; }

int uswi_results_are_direct(const uswi_call_t *call) {
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    if (!is_direct(call, r))
      return 0;
  return 1;
}

void uswi_results_aim(uswi_call_t *call) {
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    call->extents[r] = (uint64_t)(uintptr_t)call->variables[r].address;
}

/* Memory of another device, or of any device in a call on the host. What the call remembers of the streams' memory stays. */
static usw_status_t reach_result(uswi_call_t *call, uint32_t r) {
  const char *const name = call->kernel->reducers[r].name;
  uint64_t address = (uint64_t)(uintptr_t)call->variables[r].address;
  if (!call->device)
    return uswi_reach(call, call->name, name, &address);
  if (!uswi_result_is_there(call, r))
    return USW_OK;
  const uint64_t home = call->home, home_bytes = call->home_bytes;
  const usw_status_t status = uswi_reach(call, call->name, name, &address);
  call->home = home;
  call->home_bytes = home_bytes;
  return status;
}

static usw_status_t reach_results(uswi_call_t *call) {
  usw_status_t status = USW_OK;
  for (uint32_t r = 0; r < call->kernel->reducer_count && status == USW_OK; r++)
    status = reach_result(call, r);
  return status;
}

/* Where the place has the offsets. */
static usw_status_t reach_offsets(uswi_call_t *call) {
  usw_segments_words_t *words = uswi_segments_words(call);
  const uint64_t between = words->usw_ends - words->usw_begins;
  if (words->usw_offset_bytes == 0)
    return USW_OK;
  usw_status_t status = uswi_reach(call, call->name, "offsets", &words->usw_begins);
  if (status == USW_OK && !call->segments->is_path)
    status = uswi_reach(call, call->name, "ends of segments", &words->usw_ends);
  else
    words->usw_ends = words->usw_begins + between;
  return status;
}

usw_status_t uswi_results_reach(uswi_call_t *call) {
  usw_status_t status = uswi_results_locate(call);
  if (status == USW_OK)
    status = reach_results(call);
  if (status != USW_OK || !call->segments)
    return status;
  return uswi_results_are_staged(call) ? USW_OK : reach_offsets(call);
}

/* ---- to room and back ---- */

/* Results that are not directly written, or all. */
static uint64_t in_room(const uswi_call_t *call, int is_for_all) {
  return is_for_all ? ~UINT64_C(0) : ~call->results_direct;
}

static usw_status_t fill(const uswi_call_t *call, char *room, int is_for_all) {
  return uswi_results_to_room(call, in_room(call, is_for_all), room);
}
static usw_status_t write_back(const uswi_call_t *call, const char *room, int is_for_all) {
  return uswi_results_from_room(call, in_room(call, is_for_all), room);
}

/* Where a run writes: all results into the room, or only those that the place cannot write directly. */
static void aim(const uswi_call_t *call, char *room, int is_for_all, uswi_call_t *run_out) {
  *run_out = *call;
  uswi_results_aim(run_out);
  for (uint32_t r = 0; r < call->kernel->reducer_count; room += uswi_result_room(call, r++))
    if (is_for_all || !is_direct(call, r))
      run_out->extents[r] = (uint64_t)(uintptr_t)room;
}

/* ---- segments ---- */

/* A kernel has found a wrong offset; or what it has read is no longer there. */
static usw_status_t tell_wrong(uswi_call_t *call) {
  const usw_status_t status = uswi_check_offsets(call, uswi_segments_words(call), uswi_results_of(call), call->n);
  return status != USW_OK ? status
                          : uswi_fail(USW_ERROR_INVALID, "%s: offsets have changed during the call", call->name);
}

/* ---- runs ---- */

/* All results into `room`, or into room of its own and from there to the caller's arrays. */
static usw_status_t run_staged(uswi_call_t *call, char *room) {
  const size_t bytes = uswi_results_room(call);
  char *const own = room ? NULL : malloc(bytes);
  if (!room && !own)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for results of %zu bytes", call->name, bytes);
  usw_status_t status = uswi_stage_results(call, room ? room : own);
  if (status == USW_OK && own)
    status = write_back(call, own, 1);
  free(own);
  return status;
}

/* What is left in `room`, if there is some, is all results; else they are in the caller's arrays. */
static usw_status_t run_on_device(const uswi_call_t *call, char *room) {
  const size_t bytes = room || !uswi_results_are_direct(call) ? uswi_results_room(call) : call->record_bytes;
  uswi_scratch_t *scratch;
  const size_t told_at = uswi_round_up(bytes, USWI_RESULT_BOUNDARY);
  const int tells = (call->kernel->facts & USW_FACT_SEGMENTS) != 0;
  uswi_launched_t launched;
  uswi_call_t run;
  usw_status_t status = uswi_scratch_take(call->device, uswi_partials_of_results(call),
                                          told_at + (tells ? USWI_RESULT_BOUNDARY : 0), 1, &scratch);
  if (status != USW_OK)
    return status;
  char *const pinned = uswi_scratch_room(scratch);
  uswi_told_t *const told = (uswi_told_t *)(void *)(pinned + told_at);
  status = fill(call, pinned, room != NULL);
  aim(call, pinned, room != NULL, &run);
  if (tells)
    uswi_segments_aim(&run, scratch->partials, told);
  if (status == USW_OK)
    status = uswi_start_on_device(&run, scratch, call->options->stream, 0, &launched);
  if (status == USW_OK && tells)
    launched.pending.written = &told->is_written;
  if (status == USW_OK)
    status = uswi_wait_on_device(&launched);
  if (status == USW_OK && tells && told->is_wrong)
    status = tell_wrong(&run);
  if (status == USW_OK && room)
    memcpy(room, pinned, bytes);
  else if (status == USW_OK)
    status = write_back(call, pinned, 0);
  uswi_scratch_give_back(scratch);
  return status;
}

/* What pieces have left, by as many threads as that is worth. */
static usw_status_t join_pieces(const uswi_call_t *call, size_t shares, size_t bytes, void *record) {
  const size_t chunks = uswi_chunks_at_most(call, bytes / JOIN_BYTES), results = uswi_results_of(call);
  uswi_call_t joining = *call;
  joining.first_share = shares;
  joining.n = bytes / call->kernel->accumulator_bytes;
  joining.chunks = (uint32_t)(chunks < results ? chunks : results);
  return uswi_run_on_host(&joining, record);
}

static usw_status_t join(const uswi_call_t *call, size_t shares, size_t bytes, void *record) {
  if (!call->segments)
    return join_pieces(call, shares, bytes, record);
  uswi_host_function(call->kernel)(shares, shares + 1, call->arguments, call->strides, call->extents, record);
  return USW_OK;
}

/* Blocks of segments, or pieces of results: the host's function joins what they leave behind the last one. */
static usw_status_t run_and_join(uswi_call_t *call, size_t bytes, void *record) {
  const size_t shares = uswi_shares_of_results(call);
  uswi_told_t told;
  _Alignas(USWI_RESULT_BOUNDARY) char few[FEW_PARTIALS_BYTES];
  void *const left = bytes <= sizeof few ? few : uswi_room_take(bytes);
  if (!left)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for the partials of %zu shares", call->name, shares);
  if (call->segments)
    uswi_segments_aim(call, left, &told);
  else
    uswi_axes_words(call)->usw_left_by_pieces = (uint64_t)(uintptr_t)left;
  usw_status_t status = uswi_run_on_host(call, record);
  if (status == USW_OK)
    status = join(call, shares, bytes, record);
  if (left != few)
    uswi_room_give_back(left);
  return status;
}

/* As mostly: into the caller's arrays, with nothing left to join. Such calls are often short, and a copy of the call is long. */
static usw_status_t run_in_arrays(uswi_call_t *call, void *record) {
  const size_t bytes = call->kernel->reducer_count * sizeof *call->extents;
  uint64_t counts[USWI_MAX_REDUCERS];
  memcpy(counts, call->extents, bytes);
  uswi_results_aim(call);
  const usw_status_t status = uswi_run_on_host(call, record);
  memcpy(call->extents, counts, bytes);
  return status;
}

static usw_status_t run_on_host(uswi_call_t *call, void *record, char *room) {
  const size_t partials = uswi_partials_of_results(call);
  if (!room && partials == 0)
    return run_in_arrays(call, record);
  uswi_call_t run;
  usw_status_t status = room ? fill(call, room, 1) : USW_OK;
  aim(call, room, room != NULL, &run);
  if (status == USW_OK)
    status = partials > 0 ? run_and_join(&run, partials, record) : uswi_run_on_host(&run, record);
  call->teams = run.teams; /* the threads, which a report tells */
  return status;
}

static usw_status_t run_once(uswi_call_t *call, void *record, char *room) {
  if (uswi_results_are_staged(call))
    return run_staged(call, room);
  return call->device ? run_on_device(call, room) : run_on_host(call, record, room);
}

static usw_status_t run_twice(uswi_call_t *call, uswi_call_t *second, void *record) {
  const size_t bytes = uswi_results_room(call);
  char *const room = calloc(2, bytes);
  if (!room)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu bytes to recheck its results", call->name, 2 * bytes);
  usw_status_t status = run_once(call, record, room);
  if (status == USW_OK)
    status = run_once(second, record, room + bytes);
  if (status == USW_OK)
    status = uswi_recheck_compare(call, second, room, room + bytes);
  if (status == USW_OK)
    status = write_back(call, room, 1);
  free(room);
  return status;
}

usw_status_t uswi_run_results(uswi_call_t *call, void *record) {
  const uint32_t rate = uswi_recheck_rate(call);
  uswi_call_t second;
  if (uswi_results_of(call) == 0)
    return USW_OK;
  usw_status_t status = uswi_results_reach(call);
  if (status == USW_OK && uswi_results_are_staged(call))
    status = uswi_check_staged_results(call);
  else if (status == USW_OK && call->segments && !uswi_finds_wrong_offsets(call))
    status = uswi_check_offsets(call, uswi_segments_words(call), uswi_results_of(call), call->n);
  if (status != USW_OK)
    return status;
  return rate && uswi_recheck_is_due(call, rate, &second) ? run_twice(call, &second, record)
                                                          : run_once(call, record, NULL);
}
