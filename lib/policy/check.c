/* What is wrong with a call whatever its place: structures of another version, NULL, misaligned,
 * overflowing. */
#include "policy/check.h"

#include <string.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/error.h"
#include "policy/axes.h"
#include "policy/fold.h"
#include "policy/outputs.h"
#include "policy/result_shares.h"
#include "policy/results.h"
#include "policy/scan.h"
#include "policy/segments.h"

enum { MOST_ELEMENTS = 0x7fffffff /* of a span: teams count them in 32 bits */, BLOCK_ALIGNMENT = 16 };

static size_t round_up(size_t bytes) { return uswi_round_up(bytes, BLOCK_ALIGNMENT); }

static int is_complex(const usw_kernel_t *kernel) { return kernel->type == USW_CF32 || kernel->type == USW_CF64; }

/* Whether one of the library's kernels has sums of floating numbers, which at upper levels are bins: a description has means of
 * integers, too. */
static int has_floating_sums(const usw_kernel_t *kernel) {
  switch (kernel->operation) {
  case USW_DESCRIBE:
    return 1;
  case USW_PLUS:
  case USW_DOT:
  case USW_DOTC:
  case USW_NORM1:
  case USW_NORM2:
    return kernel->type >= USW_F16 && kernel->type <= USW_CF64;
  default:
    return 0;
  }
}

/* Whether a user's accumulator is more than its variables, as bins are. */
static int is_more_than_variables(const usw_kernel_t *kernel) {
  size_t bytes = 0;
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    bytes = uswi_round_up(bytes, kernel->reducers[r].alignment_bytes) + kernel->reducers[r].bytes;
  return kernel->accumulator_bytes > uswi_round_up(bytes, BLOCK_ALIGNMENT);
}

/* Without a clause are kernels that have bins, and scans and kernels of many results, whether they have bins or not: scans have none. */
static int has_bins(const usw_kernel_t *kernel) {
  if (kernel->operation != USW_NO_OPERATION)
    return has_floating_sums(kernel);
  return (kernel->facts & USW_FACT_NO_CLAUSE) && !uswi_is_scan(kernel) &&
         (!uswi_has_many_results(kernel) || is_more_than_variables(kernel));
}

/* Integers, extremes, bits: but for the largest modulus of complex numbers, each of which is rounded. */
static int rounds_nothing(const usw_kernel_t *kernel) {
  return (kernel->facts & USW_FACT_EXACT) && !has_bins(kernel) &&
         !(kernel->operation == USW_NORM_INF && is_complex(kernel));
}

/* What one sweep over the elements cannot do. Calls that take sweeps come here with the options of one (exec/exact.c). */
static usw_status_t check_sweeps(const uswi_call_t *call) {
  const usw_options_t *o = call->options;
  if (rounds_nothing(call->kernel))
    return USW_OK;
  if (o->accuracy == USW_EXACT && uswi_has_many_results(call->kernel))
    return uswi_fail(
        USW_ERROR_UNSUPPORTED,
        "%s: USW_EXACT takes several sweeps over the elements, and a call for many results makes one: take "
        "USW_REPRODUCIBLE, or one call for each result (sums, real norm1 and real dot)",
        call->name);
  if (o->accuracy == USW_EXACT)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: USW_EXACT takes several sweeps over the elements, which usw_reduce() makes for sums and real "
                     "norm1, usw_reduce_pair() for real dot, of floating numbers",
                     call->name);
  if (o->fold > uswi_default_fold((usw_type_t)call->kernel->type))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: options.fold is %u, which takes several sweeps over the elements; one keeps %u bins",
                     call->name, o->fold, uswi_default_fold((usw_type_t)call->kernel->type));
  return USW_OK;
}

usw_status_t uswi_check_fold(const char *owner, const usw_options_t *options) {
  if (options->fold > USWI_MOST_FOLD)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.fold is %u, at most %d bins are possible", owner, options->fold,
                     USWI_MOST_FOLD);
  if (options->fold != 0 && options->accuracy != USW_REPRODUCIBLE)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.fold is %u, which goes with USW_REPRODUCIBLE only", owner,
                     options->fold);
  return USW_OK;
}

static usw_status_t check_accuracy(const uswi_call_t *call) {
  static const char *const upper[] = {"USW_COMPENSATED", "USW_REPRODUCIBLE", "USW_EXACT"};
  const usw_options_t *o = call->options;
  const uint32_t promised = o->accuracy == USW_EXACT ? USW_REPRODUCIBLE : (uint32_t)o->accuracy;
  if ((unsigned)o->accuracy > USW_EXACT)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.accuracy is %d, which is no level", call->name, (int)o->accuracy);
  const usw_status_t status = uswi_check_fold(call->name, o);
  if (status != USW_OK)
    return status;
  if (o->accuracy >= USW_COMPENSATED && call->kernel->accuracy < promised)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: its operators round, and not all of them promise %s", call->name,
                     upper[o->accuracy - USW_COMPENSATED]);
  return check_sweeps(call);
}

usw_status_t uswi_check_place(const uswi_call_t *call) {
  if ((unsigned)call->options->place > USW_DEVICE)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.place is %d, which is no place", call->name,
                     (int)call->options->place);
  return USW_OK;
}

usw_status_t uswi_check_size(const char *owner, const usw_options_t *options) {
  if (!options || options->size == sizeof *options)
    return USW_OK;
  return uswi_fail(USW_ERROR_VERSION, "%s: options.size is %zu, this library knows %zu", owner, options->size,
                   sizeof *options);
}

usw_status_t uswi_check_options(const uswi_call_t *call) {
  const usw_options_t *o = call->options;
  if (o->size != sizeof *o)
    return uswi_check_size(call->name, o);
  if (o->report && o->report->size != sizeof *o->report)
    return uswi_fail(USW_ERROR_VERSION, "%s: report.size is %zu, this library knows %zu", call->name, o->report->size,
                     sizeof *o->report);
  if (uswi_check_place(call) != USW_OK)
    return USW_ERROR_INVALID;
  if ((unsigned)o->strategy > USW_STRATEGY_MULTIPASS)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.strategy is %d, which is no strategy", call->name,
                     (int)o->strategy);
  if ((unsigned)o->nan > USW_NAN_IGNORE)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.nan is %d, which is no policy", call->name, (int)o->nan);
  if ((unsigned)o->staging > USW_STAGING_NEVER)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.staging is %d, which is no way of staging", call->name,
                     (int)o->staging);
  if (o->devices) /* exec/on_devices.c deals items to devices, and options of its parts name none */
    return uswi_fail(
        USW_ERROR_UNSUPPORTED,
        "%s: options.devices is for usw_reduce(), usw_reduce_pair() and kernels of one result, by one sweep "
        "over the items",
        call->name);
  if (o->teams > 65535)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.teams is %u, at most 65535 are possible", call->name, o->teams);
  if ((unsigned)o->accuracy < USW_COMPENSATED && o->fold == 0) /* as mostly: any kernel does */
    return USW_OK;
  return check_accuracy(call);
}

static usw_status_t misaligned(const char *owner, const char *what, uint64_t address, uint32_t alignment_bytes) {
  return uswi_fail(USW_ERROR_INVALID, "%s: '%s' at 0x%llx is not aligned to %u bytes", owner, what,
                   (unsigned long long)address, alignment_bytes);
}

/* The extents of the spans, and the room that their cells need in a record. */
static usw_status_t check_spans(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  size_t block_bytes = 0;
  for (uint32_t r = 0; r < k->reducer_count; r++) {
    const usw_reducer_t *reducer = &k->reducers[r];
    const size_t extent = call->extents[r] = reducer->extent ? reducer->extent : call->variables[r].extent;
    size_t bytes;
    if (extent == 0)
      return uswi_fail(USW_ERROR_INVALID, "%s: the span '%s' has no element", call->name, reducer->name);
    if (extent > (size_t)MOST_ELEMENTS || __builtin_mul_overflow(extent, reducer->bytes, &bytes) ||
        bytes > (size_t)PTRDIFF_MAX / 2)
      return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: the span '%s' has %zu elements, at most %u are possible", call->name,
                       reducer->name, extent, MOST_ELEMENTS);
    if (reducer->cell_bytes) {
      block_bytes += round_up(extent * reducer->cell_bytes);
      call->cells += extent;
    }
  }
  if (call->cells)
    call->record_bytes = round_up(k->accumulator_bytes) + block_bytes;
  return USW_OK;
}

usw_status_t uswi_check_extents(uswi_call_t *call) { return check_spans(call); }

/* Which may be in a device's memory. */
static usw_status_t find_spans(uswi_call_t *call) {
  const usw_status_t status = check_spans(call);
  if (status == USW_OK)
    uswi_results_locate_spans(call);
  return status;
}

/* All variables have the same number of results. */
static __attribute__((noinline)) usw_status_t check_results(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  size_t bytes;
  for (uint32_t r = 0; r < k->reducer_count; r++) {
    const size_t count = call->extents[r] = call->variables[r].extent;
    if (count != call->extents[0])
      return uswi_fail(USW_ERROR_INVALID, "%s: '%s' has %zu results, '%s' %zu", call->name, k->reducers[r].name, count,
                       k->reducers[0].name, (size_t)call->extents[0]);
    if (__builtin_mul_overflow(count, k->reducers[r].bytes, &bytes) || bytes > (size_t)PTRDIFF_MAX / 2)
      return uswi_fail(USW_ERROR_INVALID, "%s: %zu results of '%s' are larger than the address space", call->name,
                       count, k->reducers[r].name);
  }
  return USW_OK;
}

/* Two variables that share bytes would each overwrite the other's result. By itself: most calls have one. */
static __attribute__((noinline)) usw_status_t check_apart(const uswi_call_t *call, uint32_t r) {
  const usw_kernel_t *k = call->kernel;
  const char *at = (const char *)call->variables[r].address, *end = at + call->extents[r] * k->reducers[r].bytes;
  for (uint32_t q = 0; q < r; q++) {
    const char *other = (const char *)call->variables[q].address;
    if (at < other + call->extents[q] * k->reducers[q].bytes && other < end)
      return uswi_fail(USW_ERROR_INVALID, "%s: '%s' and '%s' are the same variable or overlap", call->name,
                       k->reducers[q].name, k->reducers[r].name);
  }
  return USW_OK;
}

static inline __attribute__((always_inline)) usw_status_t check_variables(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = USW_OK;
  if (!call->variables)
    return USW_OK;
  const uint32_t has_extents = k->facts & (USW_FACT_SPANS | USW_FACT_MANY_RESULTS);
  if (has_extents)
    status = has_extents & USW_FACT_SPANS ? find_spans(call) : check_results(call);
  for (uint32_t r = 0; r < k->reducer_count && status == USW_OK; r++) {
    if (!has_extents)
      call->extents[r] = 1;
    const char *at = (const char *)call->variables[r].address;
    if (!at && call->extents[r] > 0)
      return uswi_fail(USW_ERROR_INVALID, "%s: the address of '%s' is NULL", call->name, k->reducers[r].name);
    if (!uswi_is_aligned((uintptr_t)at, k->reducers[r].alignment_bytes))
      return misaligned(call->name, k->reducers[r].name, (uintptr_t)at, k->reducers[r].alignment_bytes);
    if (((call->options->initialize_to_identity >> r) & 1) && !k->reducers[r].has_identity)
      return uswi_fail(USW_ERROR_NO_IDENTITY, "%s: '%s' cannot start from the identity: its operator has none",
                       call->name, k->reducers[r].name);
    if (r > 0)
      status = check_apart(call, r);
  }
  return status;
}

usw_status_t uswi_check_variables(uswi_call_t *call) { return check_variables(call); }

/* Whether n elements, stride apart, span more bytes than an address can. */
static int is_too_long(size_t n, ptrdiff_t stride, size_t bytes) {
  const size_t step = uswi_distance(stride);
  size_t elements, span;
  return __builtin_mul_overflow(n - 1, step, &elements) || __builtin_mul_overflow(elements, bytes, &span) ||
         span > (size_t)PTRDIFF_MAX - bytes;
}

static usw_status_t check_address(const char *owner, const char *what, uint64_t address, size_t n,
                                  uint32_t alignment_bytes) {
  if (address == 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: '%s' is NULL with n = %zu", owner, what, n);
  if (!uswi_is_aligned(address, alignment_bytes))
    return misaligned(owner, what, address, alignment_bytes);
  return USW_OK;
}

usw_status_t uswi_check_stream(const char *owner, const char *what, uint64_t address, size_t n, ptrdiff_t stride,
                               uint32_t bytes, uint32_t alignment_bytes) {
  const usw_status_t status = check_address(owner, what, address, n, alignment_bytes);
  if (status == USW_OK && is_too_long(n, stride, bytes))
    return uswi_fail(USW_ERROR_INVALID, "%s: '%s' with n = %zu and stride %td is larger than the address space", owner,
                     what, n, stride);
  return status;
}

static __attribute__((noinline)) usw_status_t too_many_streams(const uswi_call_t *call) {
  return uswi_fail(USW_ERROR_UNSUPPORTED, "%s has %u streams, at most %d are possible", call->name,
                   call->kernel->stream_count, USW_MAX_INPUTS);
}

/* The stream number `stream` of a call. */
static inline __attribute__((always_inline)) usw_status_t check_stream(uswi_call_t *call,
                                                                       const usw_argument_t *argument, uint64_t address,
                                                                       uint32_t stream) {
  if (stream == USW_MAX_INPUTS)
    return too_many_streams(call);
  call->strides[stream] = uswi_stride(call->options->stride[stream]);
  if (call->n == 0)
    return USW_OK;
  return uswi_check_stream(call->name, argument->name, address, call->n, call->strides[stream], argument->bytes,
                           argument->alignment_bytes);
}

/* Argument number a, with so many streams before it. */
static inline __attribute__((always_inline)) usw_status_t check_argument(uswi_call_t *call, uint32_t a,
                                                                         uint64_t address, uint32_t *stream) {
  const usw_argument_t *argument = &call->kernel->arguments[a];
  if (uswi_is_stream(argument))
    return check_stream(call, argument, address, (*stream)++);
  if (argument->kind == USW_ARGUMENT_ARRAY && call->n > 0)
    return check_address(call->name, argument->name, address, call->n, argument->alignment_bytes);
  return USW_OK;
}

/* Copies the arguments in, one at a time, as they are few. */
static inline __attribute__((always_inline)) usw_status_t check_arguments(uswi_call_t *call,
                                                                          const uint64_t *arguments) {
  uint32_t stream = 0;
  usw_status_t status = USW_OK;
  for (uint32_t a = 0; a < call->kernel->argument_count && status == USW_OK; a++) {
    call->arguments[a] = arguments[a];
    status = check_argument(call, a, arguments[a], &stream);
  }
  return status;
}

/* Those of a kernel along axes of a space, whose elements lie within the address space (space.c): streams begin with the first item. */
static usw_status_t check_arguments_of_space(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = USW_OK;
  memcpy(uswi_axes_words(call), &call->axes->words, uswi_axes_words_bytes(k));
  *uswi_axes_of_space_words(call) = call->axes->of_space;
  for (uint32_t a = 0, stream = 0; a < k->argument_count && status == USW_OK; a++) {
    const usw_argument_t *argument = &k->arguments[a];
    if (argument->kind != USW_ARGUMENT_VALUE && call->n > 0)
      status = check_address(call->name, argument->name, call->arguments[a], call->n, argument->alignment_bytes);
    if (!uswi_is_stream(argument))
      continue;
    if (stream == USW_MAX_INPUTS)
      return too_many_streams(call);
    call->strides[stream] = uswi_stride(call->options->stride[stream]);
    call->arguments[a] += call->axes->first_element * (size_t)call->strides[stream] * argument->bytes;
    stream++;
  }
  return status;
}

/* Those of a kernel along axes, whose strides and words are known, and whose elements lie within the address space (axes.c). */
static usw_status_t check_arguments_of_axes(uswi_call_t *call, const uint64_t *arguments) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = USW_OK;
  memcpy(call->arguments, arguments, k->argument_count * sizeof *arguments);
  if (uswi_has_axes_of_space(k))
    return check_arguments_of_space(call);
  *uswi_axes_words(call) = call->axes->words;
  for (uint32_t a = 0; a < call->kernel->stream_count && status == USW_OK; a++) {
    call->strides[a] = call->axes->strides[a];
    if (call->n > 0)
      status = check_address(call->name, k->arguments[a].name, arguments[a], call->n, k->arguments[a].alignment_bytes);
  }
  return status;
}

/* Those of a kernel of segments. Where that is one along axes, too, few come from the caller, and there are no axes. */
static usw_status_t check_arguments_of_segments(uswi_call_t *call, const uint64_t *arguments) {
  const usw_kernel_t *k = call->kernel;
  uint32_t count = k->argument_count;
  usw_status_t status = USW_OK;
  if (k->facts & USW_FACT_AXES)
    count = (uint32_t)((uint64_t *)(void *)uswi_axes_words(call) - call->arguments);
  memcpy(call->arguments, arguments, count * sizeof *arguments);
  memset(call->arguments + count, 0, (k->argument_count - count) * sizeof *arguments);
  for (uint32_t a = 0, stream = 0; a < count && status == USW_OK; a++)
    status = check_argument(call, a, arguments[a], &stream);
  return status;
}

/* What not every kernel has; by itself, so that short calls do not ask for each. */
enum {
  SPECIAL_FACTS = USW_FACT_NAN_POLICY | USW_FACT_INDEX | USW_FACT_OUTPUTS | USW_FACT_MANY_RESULTS | USW_FACT_SCAN
};

usw_status_t uswi_finish_arguments(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  if ((k->facts & (USW_FACT_SEGMENTS | USW_FACT_AXES)) && !call->segments && !call->axes)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s is a kernel of %s: run it by its function", call->name,
                     k->facts & USW_FACT_SEGMENTS ? "segments" : "axes");
  if (call->segments && call->segments->is_path && call->n > USWI_MOST_PATH_ITEMS)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: n = %zu is over 2^48 items in segments: pass some segments at a time",
                     call->name, call->n);
  uint64_t *end = call->arguments + k->argument_count;
  if (uswi_has_many_results(k)) {
    const usw_results_words_t words = {.usw_items = call->axes ? call->axes->items : call->n,
                                       .usw_results = call->extents[0],
                                       .usw_fresh = uswi_fresh_reducers(call),
                                       .usw_lanes = 1};
    *uswi_results_words(call) = words;
  }
  if (call->segments)
    *uswi_segments_words(call) = call->segments->words;
  if (uswi_is_scan(k)) /* a scan of the library's has an output behind its other arguments, and its words are set */
    end = uswi_end_before_scan_words(k, call->arguments) - 1;
  if (k->facts & USW_FACT_AXES)
    end = (uint64_t *)(void *)uswi_axes_words(call);
  if (k->facts & USW_FACT_NAN_POLICY)
    end[-1] = call->options->nan;
  if (k->facts & USW_FACT_INDEX)
    end[k->facts & USW_FACT_COUNTS_ON ? -1 : -2] = call->index_of_first;
  return k->facts & USW_FACT_OUTPUTS ? uswi_check_outputs(call) : USW_OK;
}

static __attribute__((noinline)) usw_status_t check_special_arguments(uswi_call_t *call, const uint64_t *arguments) {
  const usw_status_t status = call->axes       ? check_arguments_of_axes(call, arguments)
                              : call->segments ? check_arguments_of_segments(call, arguments)
                                               : check_arguments(call, arguments);
  return status == USW_OK ? uswi_finish_arguments(call) : status;
}

usw_status_t uswi_check_items(const char *owner, size_t n) {
  if (n <= (size_t)INT64_MAX)
    return USW_OK;
  return uswi_fail(USW_ERROR_INVALID, "%s: n = %zu is over 2^63 - 1", owner, n);
}

usw_status_t uswi_check(uswi_call_t *call, const uint64_t *arguments) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = uswi_check_options(call);
  if (status == USW_OK)
    status = uswi_check_items(call->name, call->n);
  if (status == USW_OK)
    status = check_variables(call);
  if (status != USW_OK)
    return status;
  return k->facts & SPECIAL_FACTS ? check_special_arguments(call, arguments) : check_arguments(call, arguments);
}

usw_status_t uswi_check_like(uswi_call_t *call, const uint64_t *arguments) {
  usw_status_t status = uswi_check_place(call);
  if (status == USW_OK)
    status = uswi_check_items(call->name, call->n);
  if (status == USW_OK)
    status = check_arguments(call, arguments);
  if ((call->kernel->facts & SPECIAL_FACTS) && status == USW_OK)
    status = uswi_finish_arguments(call);
  return status;
}

usw_status_t uswi_check_counts(const usw_kernel_t *kernel) {
  if (kernel->argument_count > USWI_MAX_ARGUMENTS || kernel->reducer_count > USWI_MAX_REDUCERS)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s has %u arguments and %u reducers, at most %d and %d are possible",
                     kernel->name, kernel->argument_count, kernel->reducer_count, USWI_MAX_ARGUMENTS,
                     USWI_MAX_REDUCERS);
  for (uint32_t a = USWI_MOST_ADDRESSED; a < kernel->argument_count; a++)
    if (kernel->arguments[a].kind != USW_ARGUMENT_VALUE)
      return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: '%s' is its argument number %u: name arrays before the first %d",
                       kernel->name, kernel->arguments[a].name, a, USWI_MOST_ADDRESSED);
  return USW_OK;
}

usw_status_t uswi_refuse_kernel(const usw_kernel_t *kernel) {
  if (!kernel)
    return uswi_fail(USW_ERROR_INVALID, "the kernel is NULL");
  if (kernel->abi != USW_DESCRIPTOR_ABI)
    return uswi_fail(USW_ERROR_VERSION, "a kernel's descriptor has ABI %u, this library knows %u: compile it again",
                     kernel->abi, USW_DESCRIPTOR_ABI);
  return uswi_fail(USW_ERROR_VERSION,
                   "%s was compiled by clang %u, the library by clang %d: they need the same runtime", kernel->name,
                   kernel->llvm_major, USWI_LLVM_MAJOR);
}
