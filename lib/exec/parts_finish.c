#include "exec/parts_finish.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exec/dispatch.h"
#include "exec/part_results.h"
#include "exec/recheck.h"
#include "exec/result_room.h"
#include "exec/run.h"
#include "policy/cells.h"

usw_status_t uswi_fail_of_part(usw_status_t status, size_t k, size_t count) {
  char text[USWI_TEXT_BYTES];
  uswi_keep_error_text(text);
  return uswi_fail(status, "part %zu of %zu: %s", k + 1, count, text);
}

static void count_kept(const uswi_parts_t *parts) {
  uint64_t kept = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    if (part->state == USWI_PART_IS_EMPTY)
      part->call.kernel->identity(part->record, part->call.extents);
    uswi_count_kept(&part->call, part->record);
    kept = kept == UINT64_MAX || part->call.kept == UINT64_MAX ? UINT64_MAX : kept + part->call.kept;
  }
  parts->part->call.kept = kept;
}

/* Into the first part with items: merged with the identity, some numbers are others. */
static void *merge(const uswi_parts_t *parts, size_t *n_out) {
  void *total = NULL;
  size_t n = 0;
  for (uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    if (part->state == USWI_PART_IS_EMPTY)
      continue;
    n += part->call.n;
    if (part->state == USWI_PART_WAS_GATHERED)
      continue;
    if (total)
      part->call.kernel->merge(total, part->record, part->call.extents);
    else
      total = part->record;
  }
  *n_out = n;
  if (!total)
    parts->part->call.kernel->identity(total = parts->part->record, parts->part->call.extents);
  return total;
}

static int has_results(const uswi_parts_t *parts) {
  for (const uswi_part_t *part = parts->part; part < parts->part + parts->count; part++)
    if (part->results)
      return 1;
  return 0;
}

/* Large results go to the first GPU from the host, and from there to others. */
static size_t choose_source(const uswi_parts_t *parts, uswi_results_source_t *source_out) {
  const uswi_part_t *part = parts->part;
  *source_out = (uswi_results_source_t){NULL, NULL, NULL, NULL, 0};
  for (; part < parts->part + parts->count; part++) {
    if (part->results)
      uswi_part_results_choose(&part->call, part->results, source_out);
    if (source_out->call)
      return part->number;
  }
  return 0;
}

static usw_status_t copy_results(const uswi_parts_t *parts, const usw_variable_t *from, uswi_results_source_t *source,
                                 size_t number_of_source) {
  for (const uswi_part_t *part = parts->part; part < parts->part + parts->count; part++) {
    const usw_status_t status =
        part->results ? uswi_part_results_copy(&part->call, part->results, from, source) : USW_OK;
    if (status != USW_OK)
      return uswi_fail_of_part(status, part->number, parts->whole);
  }
  const usw_status_t status = uswi_part_results_wait(source);
  return status == USW_OK ? USW_OK : uswi_fail_of_part(status, number_of_source, parts->whole);
}

/* The caller's variables are written once all places have their results, because copies may fail. */
static __attribute__((noinline)) usw_status_t finish_at_places(const uswi_parts_t *parts, void *total) {
  const uswi_call_t *const call = &parts->part->call;
  const int is_finished = call->n > 0 && uswi_are_cells_the_result(call);
  usw_variable_t own[USWI_MAX_REDUCERS] = {{(char *)total + uswi_accumulator_step(call), call->variables[0].extent}};
  uswi_results_source_t source;
  const size_t number_of_source = choose_source(parts, &source);
  void *room = NULL;
  usw_status_t status = is_finished ? USW_OK : uswi_part_results_apart(call, &source, own, &room);
  if (status == USW_OK && !is_finished)
    status = uswi_finish_apart(call, total, own);
  if (status == USW_OK)
    status = copy_results(parts, own, &source, number_of_source);
  if (status == USW_OK)
    status = uswi_variables_back(call, own);
  if (!source.call)
    free(room);
  uswi_part_results_release(&source);
  return status;
}

/* To the record if there is one. The first part's call says how many items there are, for as long as it stands for all. */
usw_status_t uswi_parts_finish(const uswi_parts_t *parts, void *record_out) {
  uswi_call_t *call = &parts->part->call;
  const size_t own = call->n;
  if (parts->is_written) /* and there is no report */
    return USW_OK;
  if (call->options->report)
    count_kept(parts);
  void *const total = merge(parts, &call->n);
  usw_status_t status = USW_OK;
  if (record_out)
    memcpy(record_out, total, call->record_bytes);
  else
    status = has_results(parts) ? finish_at_places(parts, total) : uswi_finish(call, total);
  if (status == USW_OK)
    uswi_fill_report(call);
  call->n = own;
  return status;
}
