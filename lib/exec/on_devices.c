#include "exec/on_devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "exec/parts.h"
#include "policy/check.h"
#include "policy/device_shares.h"
#include "policy/devices.h"
#include "policy/staging.h"
#include "policy/tuning.h"

/* The devices of a call, in the order of their numbers. */
typedef struct devices {
  int numbers[USWI_MAX_DEVICES];
  uint32_t count;
} devices_t;

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

static usw_status_t find_all(const char *name, devices_t *devices) {
  for (; uswi_gpu((int)devices->count); devices->count++)
    devices->numbers[devices->count] = uswi_gpu((int)devices->count)->number;
  if (devices->count > 0)
    return USW_OK;
  return uswi_fail(USW_ERROR_DEVICE,
                   "%s: options.devices is USW_ALL_DEVICES, and there is no GPU that this library can use", name);
}

static usw_status_t find(const char *name, uint64_t mask, devices_t *devices) {
  devices->count = 0;
  if (mask == USW_ALL_DEVICES)
    return find_all(name, devices);
  for (int number = 0; number < USWI_MAX_DEVICES; number++)
    if (mask >> number & 1) {
      if (!uswi_device(number))
        return uswi_fail(USW_ERROR_DEVICE,
                         "%s: options.devices names device %d, which is none that this library can use; there are %d "
                         "devices",
                         name, number, uswi_device_count());
      devices->numbers[devices->count++] = number;
    }
  return USW_OK;
}

/* A call too short for all takes the first ones. */
static uint32_t parts_of(const uswi_call_t *call, uint32_t devices) {
  const uint64_t bytes = (uint64_t)call->n * (call->item_bytes ? call->item_bytes : 1);
  const uint64_t most = bytes / USWI_STAGING_LEAST_BYTES;
  return most < 1 ? 1 : most < devices ? (uint32_t)most : devices;
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

/* Where the parts begin, by the rates of the devices. */
static void share_out(const uswi_call_t *whole, const devices_t *devices, uint32_t count, size_t *starts) {
  const size_t item_bytes = whole->item_bytes ? whole->item_bytes : 1;
  uint64_t rates[USWI_MAX_DEVICES];
  for (uint32_t k = 0; k < count; k++)
    rates[k] = uswi_staging_rates[uswi_table_of(uswi_device(devices->numbers[k])) - uswi_tables];
  uswi_device_starts(whole->n, USWI_STAGING_LEAST_BYTES / item_bytes, rates, count, starts);
}

static usw_status_t run(const uswi_call_t *whole, const devices_t *devices, uswi_part_t *room, uint32_t count) {
  uswi_parts_t parts = {.part = room, .count = count, .whole = count, .variables = whole->variables};
  size_t starts[USWI_MAX_DEVICES + 1];
  share_out(whole, devices, count, starts);
  for (uint32_t k = 0; k < count; k++) {
    uswi_part_t *part = &room[k];
    const size_t first = starts[k];
    part->options = *whole->options;
    part->options.place = USW_DEVICE;
    part->options.device = devices->numbers[k];
    uswi_part_init(part, whole->kernel, starts[k + 1] - first, k);
    part->call.index_of_first = first;
    set_arguments(whole, first, part->call.arguments);
    part->arguments = part->call.arguments;
  }
  return uswi_run_parts(&parts);
}

usw_status_t uswi_run_on_devices(const usw_kernel_t *kernel, size_t n, const uint64_t *arguments,
                                 const usw_variable_t *variables, const usw_options_t *options) {
  usw_options_t of_parts = *options;
  uswi_call_t whole;
  devices_t devices;
  of_parts.devices = 0;
  if (of_parts.staging == USW_AUTO_STAGING)
    of_parts.staging = USW_STAGING_ALWAYS;
  uswi_call_init(&whole, kernel, n, &of_parts);
  whole.variables = variables;
  usw_status_t status = check_options(kernel->name, options);
  if (status == USW_OK)
    status = uswi_check(&whole, arguments);
  if (status == USW_OK)
    status = check_kernel(&whole);
  if (status == USW_OK)
    status = find(kernel->name, options->devices, &devices);
  if (status != USW_OK)
    return status;
  const uint32_t count = parts_of(&whole, devices.count);
  uswi_part_t *const parts = aligned_alloc(_Alignof(uswi_part_t), count * sizeof *parts);
  if (!parts)
    return uswi_fail(USW_ERROR_MEMORY, "%s: no room for %u parts of %zu bytes", kernel->name, count, sizeof *parts);
  status = run(&whole, &devices, parts, count);
  free(parts);
  return status;
}
