/* Where a call runs: on the device whose memory it reads, on the host, or where it was told to. */
#include "call.h"
#include "devices.h"
#include "environment.h"
#include "error.h"

static int is_address(const usw_argument_t *argument) { return argument->kind != USW_ARGUMENT_VALUE; }

/* The GPU whose memory an address points to or is mapped to; NULL: the host. */
static const uswi_device_t *home_of(uint64_t slot) {
  const void *address = (const void *)(uintptr_t)slot;
  const uswi_where_t where = uswi_lane_where(address);
  if (where.memory == USWI_MEMORY_DEVICE || where.memory == USWI_MEMORY_MANAGED)
    return uswi_device(where.device);
  for (int g = 0; uswi_gpu(g); g++)
    if (uswi_lane_mapped(uswi_gpu(g), address))
      return uswi_gpu(g);
  return NULL;
}

/* Automatic: where the first input or array lives. Without a GPU that is the host, and nothing is
 * asked. */
static const uswi_device_t *automatic(const uswi_call_t *call) {
  if (!uswi_gpu(0) || call->n == 0)
    return NULL;
  for (uint32_t a = 0; a < call->kernel->argument_count; a++)
    if (is_address(&call->kernel->arguments[a]))
      return home_of(call->slots[a]);
  return NULL;
}

/* An address as the device sees it; 0 if the device cannot see it. The driver is asked first: it
 * answers for most. */
static uint64_t on_device(const uswi_device_t *device, uint64_t slot) {
  const void *address = (const void *)(uintptr_t)slot;
  const uswi_where_t where = uswi_lane_where(address);
  if (where.memory == USWI_MEMORY_DEVICE)
    return where.device == device->number ? slot : 0;
  const void *mapped = uswi_lane_mapped(device, address);
  if (mapped)
    return (uint64_t)(uintptr_t)mapped;
  const int readable = device->shares_host_memory || where.memory != USWI_MEMORY_HOST;
  return readable ? slot : 0;
}

/* Translate every address, or say which one the place cannot read. */
static usw_status_t translate(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  for (uint32_t a = 0; a < k->argument_count && call->n > 0; a++) {
    if (!is_address(&k->arguments[a]))
      continue;
    if (call->device) {
      const uint64_t there = on_device(call->device, call->slots[a]);
      if (!there)
        return uswi_fail(USW_ERROR_PLACE, "%s: '%s' at 0x%llx is neither memory of device %d nor mapped there", k->name,
                         k->arguments[a].name, (unsigned long long)call->slots[a], call->device->number);
      call->slots[a] = there;
    } else if (uswi_gpu(0)) {
      const uswi_where_t where = uswi_lane_where((const void *)(uintptr_t)call->slots[a]);
      if (where.memory == USWI_MEMORY_DEVICE)
        return uswi_fail(USW_ERROR_PLACE, "%s: '%s' at 0x%llx is memory of device %d, which the host cannot read",
                         k->name, k->arguments[a].name, (unsigned long long)call->slots[a], where.device);
    }
  }
  return USW_OK;
}

/* Whether the kernel can run on the device at all. The kernel's cache holds a bit for each device
 * that has passed. */
static usw_status_t check_image(const uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  const uswi_device_t *device = call->device;
  uintptr_t *passed = (uintptr_t *)k->cache;
  const uintptr_t bit = (uintptr_t)1 << device->number % USWI_MAX_DEVICES;
  if (__atomic_load_n(passed, __ATOMIC_RELAXED) & bit)
    return USW_OK;
  const usw_entry_t *entry = device->runs_bare ? &k->bare : &k->standard;
  if (!entry->stub)
    return uswi_fail(USW_ERROR_DEVICE, "%s was compiled without offload: it runs on the host only", k->name);
  if (k->images[0] && !uswi_device_has_image(device, k->images))
    return uswi_fail(USW_ERROR_DEVICE, "%s has no image for device %d (%s %s): it was compiled for %s", k->name,
                     device->number, device->target, device->image, k->images);
  __atomic_fetch_or(passed, bit, __ATOMIC_RELAXED);
  return USW_OK;
}

static usw_status_t named_device(uswi_call_t *call, int number) {
  call->device = uswi_device(number);
  if (call->device)
    return USW_OK;
  return uswi_fail(USW_ERROR_DEVICE, "%s: there is no device %d that this library can use; there are %d devices",
                   call->kernel->name, number, uswi_device_count());
}

usw_status_t uswi_place(uswi_call_t *call) {
  const usw_options_t *o = call->options;
  const uswi_environment_t *environment = uswi_environment();
  const int by_environment = o->place == USW_AUTO_PLACE && environment->place != USW_AUTO_PLACE;
  const usw_place_t place = by_environment ? environment->place : o->place;
  usw_status_t status = USW_OK;
  if (place == USW_AUTO_PLACE)
    call->device = automatic(call);
  else if (place == USW_HOST)
    call->device = NULL;
  else
    status = named_device(call, by_environment ? environment->device : o->device);
  if (status == USW_OK && call->device)
    status = check_image(call);
  return status == USW_OK ? translate(call) : status;
}
