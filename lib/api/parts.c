/* Reductions of parts that lie in several places. */
#include <stdlib.h>
#include <upsweep/upsweep.h>

#include "api/library.h"
#include "api/parts.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "exec/exact.h"
#include "exec/parts.h"
#include "policy/call.h"
#include "policy/catalog.h"

enum { FEW_PARTS = 9 /* eight GPUs and the host: on the stack */ };

static const char owner[] = "usw_reduce_parts";

static usw_status_t check_options(const char *name, const usw_options_t *options) {
  if (options->size != sizeof *options)
    return uswi_fail(USW_ERROR_VERSION, "%s: options.size is %zu, this library knows %zu", name, options->size,
                     sizeof *options);
  if (options->place != USW_AUTO_PLACE)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.place is %d: each part has a place of its own, options have none",
                     name, (int)options->place);
  if (options->stream)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.stream is of one device, and parts may have several", name);
  if (options->devices)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.devices is for one array: each part has a place of its own", name);
  for (int s = 0; s < USW_MAX_INPUTS; s++)
    if (options->stride[s] != 0)
      return uswi_fail(USW_ERROR_INVALID, "%s: options.stride[%d] is %td: each part has strides of its own", name, s,
                       options->stride[s]);
  return USW_OK;
}

static usw_status_t check_parts(const usw_part_t *parts, size_t count) {
  size_t n = 0;
  for (size_t k = 0; k < count; k++) {
    if (parts[k].size != sizeof *parts)
      return uswi_fail(USW_ERROR_VERSION, "part %zu of %zu: its size is %zu, this library knows %zu", k + 1, count,
                       parts[k].size, sizeof *parts);
    if (parts[k].n > (size_t)INT64_MAX - n)
      return uswi_fail(USW_ERROR_INVALID, "part %zu of %zu: its %zu elements are too many: all are over 2^63 - 1",
                       k + 1, count, parts[k].n);
    n += parts[k].n;
  }
  return USW_OK;
}

usw_status_t uswi_check_parts(const char *name, const usw_part_t *parts, size_t count, const usw_options_t *options) {
  const usw_status_t status = check_options(name, options);
  return status == USW_OK ? check_parts(parts, count) : status;
}

usw_options_t uswi_options_of_part(const usw_part_t *part, const usw_options_t *options) {
  usw_options_t own = *options;
  own.place = part->place;
  own.device = part->device;
  own.stride[0] = part->stride[0];
  own.stride[1] = part->stride[1];
  return own;
}

static void init(uswi_part_t *part, const usw_kernel_t *kernel, const usw_part_t *from, const usw_options_t *options,
                 uint64_t first_index) {
  part->options = uswi_options_of_part(from, options);
  uswi_call_init(&part->call, kernel, from->n, &part->options);
  part->call.arguments[0] = (uint64_t)(uintptr_t)from->x[0];
  part->call.arguments[1] = (uint64_t)(uintptr_t)from->x[1];
  part->call.index_of_first = first_index;
}

static usw_status_t run(uswi_part_t *room, const usw_kernel_t *kernel, const usw_part_t *parts, size_t count,
                        void *result_out, const usw_options_t *options) {
  const usw_variable_t variable = {result_out, 1};
  uint64_t first_index = 0;
  for (size_t k = 0; k < count; k++) {
    init(&room[k], kernel, &parts[k], options, first_index);
    first_index += parts[k].n;
  }
  return uswi_run_parts(room, count, &variable);
}

static usw_status_t run_many(const usw_kernel_t *kernel, const usw_part_t *parts, size_t count, void *result_out,
                             const usw_options_t *options) {
  uswi_part_t *room =
      count <= SIZE_MAX / sizeof *room ? aligned_alloc(_Alignof(uswi_part_t), count * sizeof *room) : NULL;
  if (!room)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %zu parts of %zu bytes", owner, count, sizeof *room);
  const usw_status_t status = run(room, kernel, parts, count, result_out, options);
  free(room);
  return status;
}

static __attribute__((noinline)) usw_status_t run_few(const usw_kernel_t *kernel, const usw_part_t *parts, size_t count,
                                                      void *result_out, const usw_options_t *options) {
  uswi_part_t room[FEW_PARTS];
  return run(room, kernel, parts, count, result_out, options);
}

usw_status_t uswi_fail_of_folds(const usw_kernel_t *kernel, const usw_options_t *options) {
  return uswi_fail(USW_ERROR_UNSUPPORTED,
                   "%s: options.fold is %u, which takes several sweeps over all elements: parts have USW_EXACT instead",
                   kernel->name, options->fold);
}

/* Sweeps follow from what the ones before have found: a part after the other. */
static usw_status_t run_exact(const usw_kernel_t *kernel, const usw_part_t *parts, size_t count, void *result_out,
                              const usw_options_t *options) {
  usw_report_t total = {.size = sizeof total};
  uswi_exact_sum_t sums[2] = {{{{0}}, 0, 0}, {{{0}}, 0, 0}};
  const uint64_t start_ns = options->report ? uswi_now_ns() : 0;
  if (options->accuracy != USW_EXACT)
    return uswi_fail_of_folds(kernel, options);
  for (size_t k = 0; k < count; k++) {
    const usw_options_t own = uswi_options_of_part(&parts[k], options);
    const uint64_t streams[USWI_MAX_LIBRARY_ARGUMENTS] = {(uint64_t)(uintptr_t)parts[k].x[0],
                                                          (uint64_t)(uintptr_t)parts[k].x[1]};
    const usw_status_t status =
        uswi_exact_add(kernel, streams, parts[k].n, &own, options->report ? &total : NULL, sums);
    if (status != USW_OK)
      return uswi_fail_of_part(status, k, count);
  }
  uswi_exact_write(kernel, sums, result_out);
  if (options->report) {
    total.time_ns = uswi_now_ns() - start_ns;
    *options->report = total;
  }
  return USW_OK;
}

usw_status_t usw_reduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                              void *result_out, const usw_options_t *options) {
  static const usw_part_t nothing = {.size = sizeof nothing, .place = USW_HOST};
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!result_out || (!parts && count > 0))
    return uswi_fail(USW_ERROR_INVALID, "%s: %s NULL", owner, result_out ? "parts are" : "result_out is");
  options = options ? options : &uswi_default_options;
  status = uswi_check_parts(owner, parts, count, options);
  if (status != USW_OK)
    return status;
  const usw_kernel_t *kernel = uswi_kernel(operation, type, options);
  if (!kernel)
    return USW_ERROR_UNSUPPORTED;
  if (!uswi_is_aligned((uintptr_t)result_out, kernel->reducers[0].alignment_bytes))
    return uswi_fail(USW_ERROR_INVALID, "%s: result_out at %p is not aligned to %u bytes", owner, result_out,
                     kernel->reducers[0].alignment_bytes);
  if (count == 0) {
    parts = &nothing;
    count = 1;
  }
  if (uswi_takes_sweeps(operation, type, options))
    return run_exact(kernel, parts, count, result_out, options);
  return (count <= FEW_PARTS ? run_few : run_many)(kernel, parts, count, result_out, options);
}
