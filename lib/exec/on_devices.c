#include "exec/on_devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exec/parts.h"
#include "policy/check.h"
#include "policy/device_parts.h"

static usw_status_t check_options(const char *name, const usw_options_t *options) {
  if (options->place != USW_AUTO_PLACE)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.place is %d: with options.devices it is USW_AUTO_PLACE", name,
                     (int)options->place);
  if (options->stream)
    return uswi_fail(USW_ERROR_INVALID, "%s: options.stream is of one device, and options.devices may name several",
                     name);
  return USW_OK;
}

/* Parts have records without cells, and bodies that see an index would see each part begin with 0. */
static usw_status_t check_kernel(const uswi_call_t *call) {
  const uint32_t facts = call->kernel->facts;
  if (facts & (USW_FACT_MANY_RESULTS | USW_FACT_SCAN | USW_FACT_SPANS))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: options.devices is for kernels of one result: not of many, not of scans, not with spans",
                     call->name);
  if (call->kernel->operation == USW_NO_OPERATION && !(facts & USW_FACT_NO_INDEX))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: options.devices is not for a kernel whose body has an index: define USW_NO_INDEX, if it "
                     "needs none",
                     call->name);
  if (call->record_bytes > USWI_PART_RECORD_BYTES)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: options.devices is for variables that take up to %d bytes together, these take %zu",
                     call->name, USWI_PART_RECORD_BYTES, call->record_bytes);
  return USW_OK;
}

/* The streams of a part begin with its first item. */
static void set_arguments(const uswi_call_t *whole, size_t first, uint64_t *arguments) {
  const usw_kernel_t *k = whole->kernel;
  uint32_t stream = 0;
  memcpy(arguments, whole->arguments, k->argument_count * sizeof *arguments);
  for (uint32_t a = 0; a < k->argument_count; a++)
    if (uswi_is_stream(&k->arguments[a]))
      arguments[a] += first * (uint64_t)whole->strides[stream++] * k->arguments[a].bytes;
}

static usw_status_t run(const uswi_call_t *whole, const uswi_device_parts_t *by_device, uswi_part_t *room) {
  const uint32_t count = by_device->count;
  uswi_parts_t parts = {.part = room, .count = count, .whole = count, .variables = whole->variables};
  for (uint32_t k = 0; k < count; k++) {
    uswi_part_t *part = &room[k];
    const size_t first = by_device->starts[k];
    part->options = *whole->options;
    part->options.place = USW_DEVICE;
    part->options.device = by_device->devices[k];
    uswi_part_init(part, whole->kernel, by_device->starts[k + 1] - first, k);
    part->call.index_of_first = first;
    part->call.cut = uswi_cut_streams(whole, by_device, k);
    set_arguments(whole, first, part->call.arguments);
    part->arguments = part->call.arguments;
  }
  return uswi_run_parts(&parts);
}

usw_options_t uswi_options_on_devices(const usw_options_t *options) {
  usw_options_t of_parts = *options;
  of_parts.devices = 0;
  if (of_parts.staging == USW_AUTO_STAGING)
    of_parts.staging = USW_STAGING_ALWAYS;
  return of_parts;
}

usw_status_t uswi_check_on_devices(uswi_call_t *whole, const uint64_t *arguments, const usw_options_t *options) {
  usw_status_t status = check_options(whole->name, options);
  if (status == USW_OK)
    status = uswi_check(whole, arguments);
  return status == USW_OK ? check_kernel(whole) : status;
}

usw_status_t uswi_run_on_devices(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, const usw_options_t *options) {
  const usw_options_t of_parts = uswi_options_on_devices(options);
  uswi_call_t whole;
  uswi_device_parts_t by_device;
  uswi_call_init(&whole, kernel, n, &of_parts);
  whole.variables = variables;
  usw_status_t status = uswi_check_on_devices(&whole, arguments, options);
  if (status == USW_OK)
    status = uswi_device_parts(&whole, options->devices, &by_device);
  if (status != USW_OK)
    return status;
  uswi_part_t *const parts = aligned_alloc(_Alignof(uswi_part_t), by_device.count * sizeof *parts);
  if (!parts)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u parts of %zu bytes", kernel->name, by_device.count,
                     sizeof *parts);
  status = run(&whole, &by_device, parts);
  free(parts);
  return status;
}
