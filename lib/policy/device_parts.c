#include "policy/device_parts.h"

#include "base/error.h"
#include "policy/device_shares.h"
#include "policy/devices.h"
#include "policy/staging.h"
#include "policy/tuning.h"

static usw_status_t find_all(const char *name, uswi_device_parts_t *parts) {
  for (; uswi_gpu((int)parts->count); parts->count++)
    parts->devices[parts->count] = uswi_gpu((int)parts->count)->number;
  if (parts->count > 0)
    return USW_OK;
  return uswi_fail(USW_ERROR_DEVICE,
                   "%s: options.devices is USW_ALL_DEVICES, and there is no GPU that this library can use", name);
}

/* One part for each device, in the order of their numbers. */
static usw_status_t find(const char *name, uint64_t mask, uswi_device_parts_t *parts) {
  parts->count = 0;
  if (mask == USW_ALL_DEVICES)
    return find_all(name, parts);
  for (int number = 0; number < USWI_MAX_DEVICES; number++)
    if (mask >> number & 1) {
      if (!uswi_device(number))
        return uswi_fail(USW_ERROR_DEVICE,
                         "%s: options.devices names device %d, which is none that this library can use; there are %d "
                         "devices",
                         name, number, uswi_device_count());
      parts->devices[parts->count++] = number;
    }
  return USW_OK;
}

/* A call too short for all takes the first ones. */
static uint32_t most_parts(const uswi_call_t *call, uint32_t devices) {
  const uint64_t bytes = (uint64_t)call->n * uswi_bytes_of_item(call);
  const uint64_t most = bytes / USWI_STAGING_LEAST_BYTES;
  return most < 1 ? 1 : most < devices ? (uint32_t)most : devices;
}

/* Where the parts begin, by the rates of the devices. */
static void share_out(const uswi_call_t *whole, uswi_device_parts_t *parts) {
  const size_t item_bytes = uswi_bytes_of_item(whole);
  uint64_t rates[USWI_MAX_DEVICES];
  for (uint32_t k = 0; k < parts->count; k++)
    rates[k] = uswi_staging_rates[uswi_table_of(uswi_device(parts->devices[k])) - uswi_tables];
  uswi_device_starts(whole->n, USWI_STAGING_LEAST_BYTES / item_bytes, rates, parts->count, parts->starts);
}

usw_status_t uswi_device_parts(const uswi_call_t *whole, uint64_t devices, uswi_device_parts_t *parts_out) {
  uswi_device_parts_t found;
  const usw_status_t status = find(whole->name, devices, &found);
  if (status != USW_OK)
    return status;
  *parts_out = found;
  parts_out->count = most_parts(whole, found.count);
  share_out(whole, parts_out);
  uswi_follow_sections(whole, found.devices, found.count, parts_out);
  return USW_OK;
}
