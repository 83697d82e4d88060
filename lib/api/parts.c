/* Reductions of parts that lie in several places. */
#include "api/parts.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "api/kernel.h"
#include "api/library.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/exact.h"
#include "exec/exact_parts.h"
#include "exec/part_results.h"
#include "exec/parts_finish.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/check.h"
#include "policy/devices.h"

enum { FEW_PARTS = 9 /* eight GPUs and the host: on the stack */ };

/* ---- what callers hand over ---- */

usw_status_t uswi_check_options_of_parts(const char *owner, const usw_options_t *options) {
  const usw_status_t status = uswi_check_size(owner, options);
  if (status != USW_OK)
    return status;
  if (options->place != USW_AUTO_PLACE)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.place is %d: each part has a place of its own, options have none",
                     owner, (int)options->place);
  if (options->stream)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.stream is of one device, and parts may have several", owner);
  if (options->devices)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.devices is for one array: each part has a place of its own",
                     owner);
  for (int s = 0; s < USW_MAX_INPUTS; s++)
    if (options->stride[s] != 0)
      return uswi_fail(USW_ERROR_INVALID, "%s: options.stride[%d] is %td: each part has strides of its own", owner, s,
                       options->stride[s]);
  return USW_OK;
}

/* The number k of them, its n, and how many items there are before. */
static usw_status_t check_part(size_t size, size_t known, size_t k, size_t count, size_t n, size_t before) {
  if (size != known)
    return uswi_fail(USW_ERROR_VERSION, "part %zu of %zu: its size is %zu, this library knows %zu", k + 1, count, size,
                     known);
  if (n > (size_t)INT64_MAX - before)
    return uswi_fail(USW_ERROR_INVALID, "part %zu of %zu: its %zu elements are too many: all are over 2^63 - 1", k + 1,
                     count, n);
  return USW_OK;
}

usw_status_t uswi_check_parts(const char *owner, const usw_part_t *parts, size_t count, const usw_options_t *options) {
  usw_status_t status = uswi_check_options_of_parts(owner, options);
  for (size_t k = 0, n = 0; k < count && status == USW_OK; n += parts[k++].n)
    status = check_part(parts[k].size, sizeof *parts, k, count, parts[k].n, n);
  return status;
}

static usw_status_t check_kernel_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count) {
  usw_status_t status = USW_OK;
  for (size_t k = 0, n = 0; k < count && status == USW_OK; n += parts[k++].n) {
    status = check_part(parts[k].size, sizeof *parts, k, count, parts[k].n, n);
    if (status == USW_OK && parts[k].kernel != kernel)
      status =
          uswi_fail(USW_ERROR_INVALID, "part %zu of %zu: it is a part of another kernel than %s: %s_part() makes it",
                    k + 1, count, kernel->name, kernel->name);
  }
  return status;
}

usw_status_t uswi_describe_parts_of(const char *owner, const usw_kernel_t *kernel, const usw_part_t *parts,
                                    size_t count, const usw_options_t *options, uswi_described_parts_t *described_out) {
  static const usw_part_t nothing = {.size = sizeof nothing, .place = USW_HOST};
  if (!parts && count > 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: parts are NULL", owner);
  *described_out = (uswi_described_parts_t){
      .owner = owner, .kernel = kernel, .parts = count > 0 ? parts : &nothing, .count = count > 0 ? count : 1};
  return uswi_check_parts(owner, parts, count, options);
}

usw_status_t uswi_describe_parts(const char *owner, usw_operation_t operation, usw_type_t type, const usw_part_t *parts,
                                 size_t count, const usw_options_t *options, uswi_described_parts_t *described_out) {
  const usw_status_t status = uswi_describe_parts_of(owner, NULL, parts, count, options, described_out);
  if (status != USW_OK)
    return status;
  described_out->kernel = uswi_kernel(operation, type, options);
  return described_out->kernel ? USW_OK : USW_ERROR_UNSUPPORTED;
}

usw_status_t uswi_check_family_of_parts(const usw_kernel_t *kernel) {
  const uint32_t others = USW_FACT_SPACE | USW_FACT_MANY_RESULTS | USW_FACT_SCAN;
  const int is_one = !(kernel->facts & others) && kernel->argument_count <= USW_MAX_PART_ARGUMENTS;
  const int is_own = kernel->member_count > 0; /* one of the library's, whose indices can be moved */
  if (is_one && (is_own || (kernel->facts & (USW_FACT_COUNTS_ON | USW_FACT_NO_INDEX))))
    return USW_OK;
  if (is_one)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: its items would count from 0 in each part: define USW_PARTS",
                     kernel->name);
  return uswi_fail(USW_ERROR_UNSUPPORTED,
                   "%s: kernels of spaces, segments, axes and scans, and of over %d arguments, have no parts",
                   kernel->name, USW_MAX_PART_ARGUMENTS);
}

usw_status_t uswi_describe_kernel_parts(const char *owner, const usw_kernel_t *kernel, const usw_kernel_part_t *parts,
                                        size_t count, const usw_options_t *options,
                                        uswi_described_parts_t *described_out) {
  static const usw_kernel_part_t nothing = {.size = sizeof nothing, .place = USW_HOST};
  if (!parts && count > 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: %s: parts are NULL", owner, kernel->name);
  usw_status_t status = uswi_check_family_of_parts(kernel);
  if (status == USW_OK)
    status = uswi_check_options_of_parts(owner, options);
  if (status == USW_OK)
    status = check_kernel_parts(kernel, parts, count);
  *described_out = (uswi_described_parts_t){
      .owner = owner, .kernel = kernel, .of_kernel = count > 0 ? parts : &nothing, .count = count > 0 ? count : 1};
  return status;
}

/* ---- parts of either kind as those that run ---- */

static void set_own(usw_options_t *options, const usw_part_t *part) {
  options->place = part->place;
  options->device = part->device;
  options->stride[0] = part->stride[0];
  options->stride[1] = part->stride[1];
}

usw_options_t uswi_options_of_part(const usw_part_t *part, const usw_options_t *options) {
  usw_options_t own = *options;
  set_own(&own, part);
  return own;
}

static size_t fill_part(uswi_part_t *part, const usw_part_t *from, const usw_options_t *options) {
  part->options = *options;
  set_own(&part->options, from);
  part->streams[0] = (uint64_t)(uintptr_t)from->x[0];
  part->streams[1] = (uint64_t)(uintptr_t)from->x[1];
  part->arguments = part->streams;
  return from->n;
}

static size_t fill_kernel_part(uswi_part_t *part, const usw_kernel_part_t *from, const usw_options_t *options) {
  part->options = *options;
  part->options.place = from->place;
  part->options.device = from->device;
  for (int s = 0; s < USW_MAX_INPUTS; s++)
    part->options.stride[s] = from->stride[s];
  part->arguments = from->arguments;
  return from->n;
}

static void *const *results_of(const uswi_described_parts_t *described, size_t k) {
  if (!described->parts)
    return described->of_kernel[k].results;
  return described->parts[k].result ? &described->parts[k].result : NULL;
}

usw_status_t uswi_check_no_results(const uswi_described_parts_t *described) {
  for (size_t k = 0; k < described->count; k++)
    if (results_of(described, k))
      return uswi_fail_of_part(
          uswi_fail(USW_ERROR_UNSUPPORTED, "%s: a message is no result yet: let the part's be NULL", described->owner),
          k, described->count);
  return USW_OK;
}

void uswi_fill_parts(const uswi_described_parts_t *described, const usw_options_t *options, uswi_part_t *room) {
  uint64_t first = described->first_index;
  for (size_t k = 0; k < described->count; k++) {
    const size_t n = described->parts ? fill_part(&room[k], &described->parts[k], options)
                                      : fill_kernel_part(&room[k], &described->of_kernel[k], options);
    uswi_part_init(&room[k], described->kernel, n, k);
    room[k].call.index_of_first = first;
    room[k].results = results_of(described, k);
    first += n;
  }
}

uswi_part_t *uswi_allocate_parts(const char *owner, size_t count) {
  uswi_part_t *room = NULL;
  if (count <= SIZE_MAX / sizeof *room)
    room = aligned_alloc(_Alignof(uswi_part_t), count * sizeof *room);
  if (!room)
    uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu parts of %zu bytes", owner, count, sizeof *room);
  return room;
}

/* ---- calls ---- */

static usw_status_t run(uswi_part_t *room, const uswi_described_parts_t *described, const usw_variable_t *variables,
                        const usw_options_t *options) {
  uswi_parts_t parts; /* not zeroed: its text is long */
  parts.part = room;
  parts.count = parts.whole = described->count;
  parts.variables = variables;
  parts.is_kept = parts.have_memory = 0;
  parts.held = 0;
  uswi_fill_parts(described, options, room);
  return described->record_out ? uswi_reduce_parts_to_record(&parts, described->record_out) : uswi_run_parts(&parts);
}

static usw_status_t run_many(const uswi_described_parts_t *described, const usw_variable_t *variables,
                             const usw_options_t *options) {
  uswi_part_t *room = uswi_allocate_parts(described->owner, described->count);
  if (!room)
    return USW_ERROR_MEMORY;
  const usw_status_t status = run(room, described, variables, options);
  free(room);
  return status;
}

static __attribute__((noinline)) usw_status_t run_few(const uswi_described_parts_t *described,
                                                      const usw_variable_t *variables, const usw_options_t *options) {
  uswi_part_t room[FEW_PARTS];
  return run(room, described, variables, options);
}

usw_status_t uswi_run_described_parts(const uswi_described_parts_t *described, const usw_variable_t *variables,
                                      const usw_options_t *options) {
  return (described->count <= FEW_PARTS ? run_few : run_many)(described, variables, options);
}

usw_status_t uswi_check_exact_parts(const usw_kernel_t *kernel, const usw_options_t *options) {
  if (options->accuracy == USW_EXACT)
    return USW_OK;
  return uswi_fail(USW_ERROR_UNSUPPORTED,
                   "%s: options.fold is %u, which takes several sweeps over all elements: parts have USW_EXACT instead",
                   kernel->name, options->fold);
}

/* A part where its sweeps run, for its result. */
static uswi_call_t call_of_exact_part(const uswi_described_parts_t *described, const uswi_sweeps_t *sweeps,
                                      const usw_variable_t *variable) {
  const uswi_exact_t *exact = &sweeps->exact;
  uswi_call_t call;
  uswi_call_init(&call, described->kernel, sweeps->n, &exact->options);
  call.name = exact->name;
  call.device = exact->has_device ? uswi_device(exact->options.device) : NULL;
  call.variables = variable;
  call.extents[0] = 1;
  call.home = call.home_bytes = 0;
  return call;
}

static usw_status_t begin_exact_part(const uswi_described_parts_t *described, size_t k, const usw_options_t *options,
                                     uswi_part_t *room, uswi_sweeps_t *sweeps) {
  const size_t n = fill_part(room, &described->parts[k], options);
  usw_status_t status = uswi_sweeps_begin(sweeps, described->kernel, room->streams, n, &room->options);
  if (status == USW_OK && results_of(described, k)) {
    const uswi_call_t call = call_of_exact_part(described, sweeps, NULL);
    status = uswi_part_results_check(&call, results_of(described, k));
  }
  return status == USW_OK ? USW_OK : uswi_fail_of_part(status, k, described->count);
}

static usw_status_t write_exact_parts(const uswi_described_parts_t *described, const uswi_sweeps_t *sweeps,
                                      const uswi_exact_sum_t sums[2], void *result_out) {
  enum { LARGEST_SUM_BYTES = 16 };
  _Alignas(LARGEST_SUM_BYTES) char result[LARGEST_SUM_BYTES];
  const usw_variable_t variable = {result, 1};
  usw_status_t status = USW_OK;
  uswi_exact_write(described->kernel, sums, result);
  for (size_t k = 0; k < described->count && status == USW_OK; k++)
    if (results_of(described, k)) {
      const uswi_call_t call = call_of_exact_part(described, &sweeps[k], &variable);
      status = uswi_part_results_copy(&call, results_of(described, k), &variable, NULL);
      if (status != USW_OK)
        status = uswi_fail_of_part(status, k, described->count);
    }
  if (status == USW_OK)
    memcpy(result_out, result, described->kernel->reducers[0].bytes);
  return status;
}

static usw_status_t add_exact_parts(const uswi_described_parts_t *described, uswi_sweeps_t *sweeps,
                                    const usw_options_t *options, usw_report_t *total, uswi_exact_sum_t sums[2]) {
  uswi_part_t *const room = uswi_allocate_parts(described->owner, described->count);
  usw_status_t status = room ? USW_OK : USW_ERROR_MEMORY;
  for (size_t k = 0; k < described->count && status == USW_OK; k++)
    status = begin_exact_part(described, k, options, room, &sweeps[k]);
  if (status == USW_OK)
    status = uswi_exact_add_parts(sweeps, room, described->count, total, sums);
  free(room);
  return status;
}

static usw_status_t check_exact_result(const uswi_described_parts_t *described, const void *result_out,
                                       const usw_options_t *options) {
  const uint32_t alignment_bytes = described->kernel->reducers[0].alignment_bytes;
  if (!result_out || !uswi_is_aligned((uintptr_t)result_out, alignment_bytes))
    return uswi_fail(USW_ERROR_INVALID, "%s: result_out at %p is NULL or not aligned to %u bytes", described->owner,
                     result_out, alignment_bytes);
  return uswi_check_exact_parts(described->kernel, options);
}

usw_status_t uswi_run_exact_parts(const uswi_described_parts_t *described, void *result_out,
                                  const usw_options_t *options) {
  usw_report_t total = {.size = sizeof total};
  uswi_exact_sum_t sums[2] = {{{{0}}, 0, 0}, {{{0}}, 0, 0}};
  const uint64_t start_ns = options->report ? uswi_now_ns() : 0;
  usw_status_t status = check_exact_result(described, result_out, options);
  if (status != USW_OK)
    return status;
  uswi_sweeps_t *const sweeps = calloc(described->count, sizeof *sweeps);
  if (!sweeps)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for sweeps over %zu parts", described->owner, described->count);
  status = add_exact_parts(described, sweeps, options, options->report ? &total : NULL, sums);
  if (status == USW_OK)
    status = write_exact_parts(described, sweeps, sums, result_out);
  free(sweeps);
  if (status != USW_OK)
    return status;
  if (options->report) {
    total.time_ns = uswi_now_ns() - start_ns;
    *options->report = total;
  }
  return USW_OK;
}

usw_status_t usw_reduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                              void *result_out, const usw_options_t *options) {
  const usw_variable_t variable = {result_out, 1};
  uswi_described_parts_t described;
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  status = uswi_describe_parts("usw_reduce_parts", operation, type, parts, count, options, &described);
  if (status != USW_OK)
    return status;
  if (uswi_takes_sweeps(operation, type, options))
    return uswi_run_exact_parts(&described, result_out, options);
  return uswi_run_described_parts(&described, &variable, options);
}

usw_status_t usw_kernel_run_parts(const usw_kernel_t *kernel, const usw_kernel_part_t *parts, size_t count,
                                  const usw_variable_t *variables, const usw_options_t *options) {
  uswi_described_parts_t described;
  usw_status_t status = uswi_enter_kernel(kernel, variables);
  if (status != USW_OK)
    return status;
  options = options ? options : &uswi_default_options;
  status = uswi_describe_kernel_parts("usw_kernel_run_parts", kernel, parts, count, options, &described);
  return status == USW_OK ? uswi_run_described_parts(&described, variables, options) : status;
}
