/* Runs calls: usw_kernel_run() from its checks to the written result, and the launch on a device. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call.h"
#include "error.h"
#include "scratch.h"
#include "state.h"

#ifdef __clang__
enum { LLVM_MAJOR = __clang_major__ };
#else
enum { LLVM_MAJOR = 0 };
#endif

enum { SMALL_RECORD_BYTES = 512 };

uint64_t uswi_now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Every input contiguous and on a 16-byte boundary: what 16-byte loads need. */
static uint32_t is_aligned(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  uint32_t input = 0;
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (k->arguments[a].kind == USW_ARGUMENT_IN && (call->strides[input++] != 1 || call->slots[a] % 16 != 0))
      return 0;
  return 1;
}

/* Records that the host folds come to it in pinned memory, unless they hold blocks of cells, which may be large: those
 * are left in device memory and copied. */
static usw_status_t fold_records(const uswi_call_t *call, const uswi_slot_t *slot, void *record_out) {
  const usw_kernel_t *k = call->kernel;
  const size_t bytes = call->record_bytes;
  char *copies = NULL;
  const char *records = slot->result;
  if (call->cells) {
    copies = malloc(call->teams * bytes);
    if (!copies || !uswi_lane_copy_to_host(call->device, copies, slot->partials, call->teams * bytes)) {
      free(copies);
      return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u partials of %zu bytes", k->name, call->teams, bytes);
    }
    records = copies;
  }
  memcpy(record_out, records, bytes);
  for (uint32_t team = 1; team < call->teams; team++)
    k->merge(record_out, records + team * bytes, call->extents);
  free(copies);
  return USW_OK;
}

static usw_status_t run_on_device(const uswi_call_t *call, void *record_out) {
  const usw_kernel_t *k = call->kernel;
  const int clause = call->strategy == USW_STRATEGY_CLAUSE, on_host = call->strategy == USW_STRATEGY_HOST_FINISH;
  const usw_entry_t *entry = clause || !call->device->runs_bare ? &k->standard : &k->bare;
  const size_t partials_bytes = call->teams * call->record_bytes;
  const int in_pinned = on_host && !call->cells;
  uswi_slot_t *slot;
  usw_status_t status = uswi_scratch_take(call->device, in_pinned ? 0 : partials_bytes,
                                          in_pinned ? partials_bytes : call->record_bytes, &slot);
  if (status != USW_OK)
    return status;
  const usw_launch_t how = {.device = call->device->number,
                            .teams = call->teams,
                            .workers = (uint64_t)call->teams * call->team_size,
                            .finish = clause    ? USW_FINISH_CLAUSE
                                      : on_host ? USW_FINISH_HOST
                                                : USW_FINISH_LAST_TEAM,
                            .aligned = is_aligned(call),
                            .partials = in_pinned ? slot->result : slot->partials,
                            .ticket = slot->ticket,
                            .strides = call->strides,
                            .extents = call->extents};
  uswi_lane_launch(call->device, entry, &how, call->n, call->slots, slot->result);
  if (on_host)
    status = fold_records(call, slot, record_out);
  else
    memcpy(record_out, slot->result, call->record_bytes);
  uswi_scratch_give_back(slot);
  return status;
}

/* The reducers that start from the identity: by the options or by the kernel's list. */
static uint64_t fresh_reducers(const uswi_call_t *call) {
  uint64_t fresh = call->options->initialize_to_identity;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    fresh |= (uint64_t)call->kernel->reducers[r].is_fresh << r;
  return fresh;
}

/* Combine the original values in and write the result. */
static usw_status_t finish(const uswi_call_t *call, void *record) {
  const usw_kernel_t *k = call->kernel;
  uint64_t index, bad;
  if (k->bad_index && (bad = k->bad_index(record, &index)) != 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: index %llu is outside the span '%s' of %llu elements", k->name,
                     (unsigned long long)index, k->reducers[bad - 1].name, (unsigned long long)call->extents[bad - 1]);
  if (k->absorb)
    k->absorb(record, call->variables, call->extents, fresh_reducers(call), call->n == 0);
  const uint64_t empty = k->finish(record, call->variables, call->extents);
  if (empty)
    return uswi_fail(USW_ERROR_EMPTY,
                     "%s: '%s' has no value: nothing was combined into it and its operator has no identity", k->name,
                     k->reducers[__builtin_ctzll(empty)].name);
  return USW_OK;
}

void uswi_fill_record(const uswi_call_t *call) {
  usw_record_t *record = call->options->record;
  if (!record)
    return;
  *record = (usw_record_t){.size = sizeof *record,
                           .place = call->device ? USW_DEVICE : USW_HOST,
                           .device = call->device ? call->device->number : -1,
                           .strategy = call->strategy,
                           .teams = call->teams,
                           .team_size = call->team_size,
                           .bytes = (uint64_t)call->n * call->kernel->item_bytes,
                           .time_ns = uswi_now_ns() - call->start_ns,
                           .target = call->device ? call->device->target : "host"};
}

usw_status_t uswi_accumulate(uswi_call_t *call, void *record_out) {
  if (call->n == 0) {
    call->kernel->identity(record_out, call->extents);
    return USW_OK;
  }
  return call->device ? run_on_device(call, record_out) : uswi_run_on_host(call, record_out);
}

static usw_status_t run(uswi_call_t *call, void *record) {
  const usw_status_t status = uswi_accumulate(call, record);
  return status == USW_OK ? finish(call, record) : status;
}

/* The record lives on the stack unless a user's type or span is large. */
static usw_status_t run_with_record(uswi_call_t *call) {
  if (call->record_bytes <= SMALL_RECORD_BYTES) {
    _Alignas(64) char record[SMALL_RECORD_BYTES];
    return run(call, record);
  }
  void *record = aligned_alloc(64, (call->record_bytes + 63) / 64 * 64);
  if (!record)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", call->kernel->name, call->record_bytes);
  const usw_status_t status = run(call, record);
  free(record);
  return status;
}

static usw_status_t check_kernel(const usw_kernel_t *kernel) {
  if (!kernel)
    return uswi_fail(USW_ERROR_INVALID, "the kernel is NULL");
  if (kernel->abi != USW_DESCRIPTOR_ABI)
    return uswi_fail(USW_ERROR_VERSION, "a kernel's descriptor has ABI %u, this library knows %u: compile it again",
                     kernel->abi, USW_DESCRIPTOR_ABI);
  if (kernel->llvm_major != 0 && kernel->llvm_major != LLVM_MAJOR)
    return uswi_fail(USW_ERROR_VERSION,
                     "%s was compiled by clang %u, the library by clang %d: they need the same runtime", kernel->name,
                     kernel->llvm_major, LLVM_MAJOR);
  return USW_OK;
}

void uswi_call_init(uswi_call_t *call, const usw_kernel_t *kernel, size_t n, const usw_options_t *options) {
  static const usw_options_t defaults = {.size = sizeof defaults};
  call->kernel = kernel;
  call->n = n;
  call->variables = NULL;
  call->record_bytes = 0;
  call->cells = 0;
  call->options = options ? options : &defaults;
  call->index_of_first = 0;
  call->start_ns = 0;
  call->device = NULL;
  call->teams = call->team_size = 1;
}

usw_status_t uswi_prepare(uswi_call_t *call, const uint64_t *slots) {
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = check_kernel(call->kernel);
  if (status == USW_OK) {
    call->record_bytes = call->kernel->accumulator_bytes;
    status = uswi_check(call, slots);
  }
  if (status != USW_OK)
    return status;
  if (call->options->record)
    call->start_ns = uswi_now_ns();
  status = uswi_place(call);
  return status == USW_OK ? uswi_choose(call) : status;
}

usw_status_t usw_kernel_run(const usw_kernel_t *kernel, size_t n, const uint64_t *slots,
                            const usw_variable_t *variables, const usw_options_t *options) {
  uswi_call_t call; /* filled step by step: zeroing it would cost more than a small reduction */
  uswi_call_init(&call, kernel, n, options);
  call.variables = variables;
  usw_status_t status = variables ? uswi_prepare(&call, slots) : uswi_fail(USW_ERROR_INVALID, "the variables are NULL");
  if (status == USW_OK)
    status = run_with_record(&call);
  if (status == USW_OK)
    uswi_fill_record(&call);
  return status;
}
