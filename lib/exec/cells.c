#include "exec/cells.h"

#include "backend/gpu_driver.h"
#include "policy/cells.h"
#include "policy/choose.h"

/* Records that are gathered lie behind those of the teams. */
char *uswi_gathered_record(const uswi_call_t *call, const uswi_scratch_t *scratch, size_t number) {
  return (char *)scratch->partials + uswi_left_bytes(call) + number * call->record_bytes;
}

/* A launch in which all teams take cells of so many blocks: to clear them, or to fold `count` records, or what they left, into one. */
static usw_status_t over_cells(const uswi_context_t *context, uint32_t finish, uint32_t blocks, void *partials) {
  usw_launch_t how = {.teams = uswi_teams_of_cells(context->call, blocks), .finish = finish, .partials = partials};
  return uswi_put_launch(context, &how, 0);
}
static usw_status_t fold_by_cells(const uswi_context_t *context, uint32_t finish, void *records, size_t count) {
  usw_launch_t how = {
      .teams = uswi_teams_of_cells(context->call, 1), .finish = finish, .records = records, .partials = records};
  return uswi_put_launch(context, &how, count);
}

/* A launch over the items, then one that folds what it left. */
static usw_status_t start_blocks(const uswi_context_t *items, const uswi_context_t *fold) {
  const uswi_call_t *call = items->call;
  const uint32_t blocks = call->common_blocks, common = USW_FINISH_COMMON | blocks << USW_FINISH_BITS;
  void *const partials = items->scratch->partials;
  usw_launch_t how = {.teams = call->teams,
                      .finish = blocks > 0 ? common : USW_FINISH_HOST,
                      .aligned = uswi_is_aligned_call(call),
                      .partials = partials};
  usw_status_t status =
      blocks > 0 ? over_cells(items, USW_FINISH_CLEAR | blocks << USW_FINISH_BITS, blocks, partials) : USW_OK;
  if (status == USW_OK)
    status = uswi_put_launch(items, &how, call->n);
  return status == USW_OK ? fold_by_cells(fold, blocks > 0 ? common : USW_FINISH_LAST_TEAM, partials, call->teams)
                          : status;
}

/* Sums by a fixed point: launches that measure the numbers, add them, and round the sums; then those of turns. Either do nothing. */
static usw_status_t start_fixed(const uswi_context_t *items, const uswi_context_t *fold) {
  enum { ONE_BLOCK = 1 << USW_FINISH_BITS }; /* without which each team would have cells of its own */
  const uswi_call_t *call = items->call;
  char *const partials = items->scratch->partials, *const records = partials + uswi_fixed_bytes(call);
  usw_launch_t how = {.teams = call->teams,
                      .finish = USW_FINISH_MEASURE | ONE_BLOCK,
                      .aligned = uswi_is_aligned_call(call),
                      .partials = partials};
  usw_status_t status = over_cells(items, USW_FINISH_CLEAR | ONE_BLOCK, 1, partials);
  if (status == USW_OK)
    status = uswi_put_launch(items, &how, call->n);
  if (status == USW_OK)
    status = over_cells(items, USW_FINISH_CLEAR_WORDS | USW_FINISH_IF_FIXED, USW_FIXED_WORDS, partials);
  how.finish = USW_FINISH_FIXED | ONE_BLOCK | USW_FINISH_IF_FIXED;
  if (status == USW_OK)
    status = uswi_put_launch(items, &how, call->n);
  if (status == USW_OK)
    status = fold_by_cells(fold, USW_FINISH_ROUND | USW_FINISH_IF_FIXED, partials, call->teams);
  how.finish = USW_FINISH_HOST | USW_FINISH_UNLESS_FIXED;
  how.partials = records;
  how.teams = uswi_teams_in_turns(call);
  if (status == USW_OK)
    status = uswi_put_launch(items, &how, call->n);
  return status == USW_OK ? fold_by_cells(fold, USW_FINISH_LAST_TEAM | USW_FINISH_UNLESS_FIXED, records, how.teams)
                          : status;
}

/* The records that are gathered, in this stream. */
static usw_status_t fold_gathered(const uswi_call_t *call, uswi_scratch_t *scratch, size_t count, void *to,
                                  void *stream) {
  const char *why;
  const uswi_context_t context = {
      .call = call, .scratch = scratch, .bank = to, .entry = uswi_function_of_driver(call, &why), .stream = stream};
  return fold_by_cells(&context, USW_FINISH_LAST_TEAM, uswi_gathered_record(call, scratch, 0), count);
}

usw_status_t uswi_start_gathered(const uswi_call_t *call, uswi_scratch_t *scratch, size_t count, int stays,
                                 uswi_launched_t *launched) {
  launched->records = stays ? uswi_gathered_record(call, scratch, 0) : uswi_scratch_bank(scratch);
  launched->are_on_device = stays;
  return fold_gathered(call, scratch, count, launched->records, launched->pending.stream);
}

/* ---- spans ---- */

static int copy(const uswi_call_t *call, const uswi_launched_t *launched, void *to, const void *from, size_t bytes) {
  const uswi_device_t *device = call->device;
  return device->driver->copy_across(device->ordinal, launched->pending.stream, device->ordinal, to, from, bytes);
}

/* The original values as a record behind the call's own; both are folded into that. */
static usw_status_t combine_originals(const uswi_call_t *call, uswi_scratch_t *scratch,
                                      const uswi_launched_t *launched) {
  const size_t begin = uswi_accumulator_step(call);
  char *const own = uswi_gathered_record(call, scratch, 0), *const originals = uswi_gathered_record(call, scratch, 1);
  int error = copy(call, launched, originals, own, begin);
  if (error == 0)
    error = copy(call, launched, originals + begin, call->variables[0].address, uswi_bytes_of_cells(call));
  const usw_status_t status = uswi_driver_status(call->device, call->name, error);
  return status == USW_OK ? fold_gathered(call, scratch, 2, own, launched->pending.stream) : status;
}

usw_status_t uswi_put_span(const uswi_call_t *call, uswi_scratch_t *scratch, const uswi_launched_t *launched) {
  const char *const cells = uswi_gathered_record(call, scratch, 0) + uswi_accumulator_step(call);
  const usw_status_t status = uswi_fresh_reducers(call) == 0 ? combine_originals(call, scratch, launched) : USW_OK;
  if (status != USW_OK)
    return status;
  return uswi_driver_status(call->device, call->name,
                            copy(call, launched, call->variables[0].address, cells, uswi_bytes_of_cells(call)));
}

usw_status_t uswi_copy_span(const uswi_call_t *call, const uswi_launched_t *launched) {
  const size_t bytes = uswi_bytes_of_cells(call);
  const char *const cells = launched->records + uswi_accumulator_step(call);
  return uswi_backend_copy_to_host(call->device, call->variables[0].address, cells, bytes)
             ? USW_OK
             : uswi_fail(USW_ERROR_DEVICE, "%s: %zu bytes of '%s' cannot be copied from device %d", call->name, bytes,
                         call->kernel->reducers[0].name, call->device->number);
}

/* ---- all of it ---- */

usw_status_t uswi_start_cells(const uswi_context_t *context, uswi_launched_t *launched) {
  const uswi_call_t *call = context->call;
  uswi_context_t fold = *context;
  if (call->gathered > 0)
    fold.bank = uswi_gathered_record(call, context->scratch, 0);
  launched->records = fold.bank;
  launched->count = 1;
  launched->are_on_device = call->gathered > 0;
  const usw_status_t status = call->has_fixed_point ? start_fixed(context, &fold) : start_blocks(context, &fold);
  return status == USW_OK && call->writes_span ? uswi_put_span(call, context->scratch, launched) : status;
}
