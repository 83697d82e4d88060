/* Runs calls: usw_kernel_run() from its checks to the written result. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call.h"
#include "driver/cuda.h"
#include "error.h"
#include "host/arithmetic.h"
#include "recheck.h"
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

uint64_t uswi_fresh_reducers(const uswi_call_t *call) {
  uint64_t fresh = call->options->initialize_to_identity;
  for (uint32_t r = 0; r < call->kernel->reducer_count; r++)
    fresh |= (uint64_t)call->kernel->reducers[r].is_fresh << r;
  return fresh;
}

/* Inlined where one calls are made, of which it is a noticeable part. */
static inline __attribute__((always_inline)) usw_status_t finish(const uswi_call_t *call, void *record) {
  const usw_kernel_t *k = call->kernel;
  uint64_t index, bad;
  if (k->bad_index && (bad = k->bad_index(record, &index)) != 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: index %llu is outside the span '%s' of %llu elements", k->name,
                     (unsigned long long)index, k->reducers[bad - 1].name, (unsigned long long)call->extents[bad - 1]);
  if (k->absorb)
    k->absorb(record, call->variables, call->extents, uswi_fresh_reducers(call), call->n == 0);
  const uint64_t empty = k->finish(record, call->variables, call->extents);
  if (empty)
    return uswi_fail(USW_ERROR_EMPTY,
                     "%s: '%s' has no value: nothing was combined into it and its operator has no identity", k->name,
                     k->reducers[__builtin_ctzll(empty)].name);
  return USW_OK;
}

usw_status_t uswi_finish(const uswi_call_t *call, void *record) { return finish(call, record); }

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

usw_status_t uswi_run_once(uswi_call_t *call, void *record_out) {
  if (call->n == 0) {
    call->kernel->identity(record_out, call->extents);
    return USW_OK;
  }
  return call->device ? uswi_run_on_device(call, record_out) : uswi_run_on_host(call, record_out);
}

usw_status_t uswi_accumulate(uswi_call_t *call, void *record_out) {
  const usw_status_t status = uswi_run_once(call, record_out);
  const uint32_t rate = uswi_recheck_rate(call);
  return rate && status == USW_OK && call->n > 0 ? uswi_recheck(call, rate, record_out) : status;
}

static inline __attribute__((always_inline)) usw_status_t run(uswi_call_t *call, void *record) {
  uswi_arithmetic_t callers;
  uswi_arithmetic_begin(&callers, call->kernel, call->options);
  usw_status_t status = uswi_accumulate(call, record);
  if (status == USW_OK)
    status = finish(call, record);
  uswi_arithmetic_end(&callers);
  return status;
}

usw_status_t uswi_run(uswi_call_t *call, void *record) { return run(call, record); }

/* The record lives on the stack unless a user's type or span is large. */
static usw_status_t run_with_record(uswi_call_t *call) {
  if (call->record_bytes <= SMALL_RECORD_BYTES) {
    _Alignas(64) char record[SMALL_RECORD_BYTES];
    return run(call, record);
  }
  void *record = aligned_alloc(64, (call->record_bytes + 63) / 64 * 64);
  if (!record)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for a result of %zu bytes", call->kernel->name, call->record_bytes);
  const usw_status_t status = uswi_run(call, record);
  free(record);
  return status;
}

usw_status_t uswi_check_kernel(const usw_kernel_t *kernel) {
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
  call->home = call->home_bytes = 0;
  call->teams = call->team_size = 1;
}

/* A stream of the caller's needs launches through the driver. */
static usw_status_t check_stream(const uswi_call_t *call) {
  const char *why = "the call runs on the host", *name = call->kernel->name;
  void *stream = call->options->stream;
  if (!call->device || !uswi_entry_through_driver(call, &why))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: options.stream is for launches through NVIDIA's driver: %s", name,
                     why);
  if (!uswi_cuda_has_stream(call->device->ordinal, stream))
    return uswi_fail(USW_ERROR_PLACE, "%s: options.stream is not a stream of device %d", name, call->device->number);
  return USW_OK;
}

usw_status_t uswi_prepare(uswi_call_t *call, const uint64_t *slots) {
  usw_status_t status = uswi_enter();
  if (status == USW_OK)
    status = uswi_check_kernel(call->kernel);
  if (status == USW_OK) {
    call->record_bytes = call->kernel->accumulator_bytes;
    status = uswi_check(call, slots);
  }
  if (status != USW_OK)
    return status;
  if (call->options->record)
    call->start_ns = uswi_now_ns();
  status = uswi_place(call);
  if (status == USW_OK)
    status = uswi_choose(call);
  return status == USW_OK && call->options->stream ? check_stream(call) : status;
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
