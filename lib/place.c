/* Where a call runs: on the device whose memory it reads, on the host, or where it was told to. */
#include "call.h"
#include "devices.h"
#include "environment.h"
#include "error.h"

static int is_address(const usw_argument_t *argument) { return argument->kind != USW_ARGUMENT_VALUE; }

/* The driver takes a while to answer: it is asked once for each allocation, if its addresses come one behind the other. */
static void remember(uswi_call_t *call, const uswi_where_t *where) {
  if (where->memory != USWI_MEMORY_DEVICE)
    return;
  call->home = where->start;
  call->home_bytes = where->bytes;
}

/* The GPU whose memory an address points to or is mapped to; NULL: the host. */
static const uswi_device_t *home_of(uswi_call_t *call, uint64_t slot) {
  const void *address = (const void *)(uintptr_t)slot;
  const uswi_where_t where = uswi_lane_where(address);
  remember(call, &where);
  if (where.memory == USWI_MEMORY_DEVICE || where.memory == USWI_MEMORY_MANAGED)
    return uswi_device(where.device);
  for (int g = 0; uswi_gpu(g); g++)
    if (uswi_lane_mapped(uswi_gpu(g), address))
      return uswi_gpu(g);
  return NULL;
}

/* Where a call's addresses start: its first input or array. Without a GPU nothing is asked. */
static const uswi_device_t *automatic(uswi_call_t *call, uint64_t first_address) {
  return uswi_gpu(0) && call->n > 0 && first_address ? home_of(call, first_address) : NULL;
}

static uint64_t first_address_of(const uswi_call_t *call) {
  for (uint32_t a = 0; a < call->kernel->argument_count; a++)
    if (is_address(&call->kernel->arguments[a]))
      return call->slots[a];
  return 0;
}

/* An address as the device sees it; 0 if the device cannot see it. The driver is asked first: it
 * answers for most. */
static uint64_t on_device(uswi_call_t *call, uint64_t slot) {
  const uswi_device_t *device = call->device;
  const void *address = (const void *)(uintptr_t)slot;
  const uswi_where_t where = uswi_lane_where(address);
  if (where.memory == USWI_MEMORY_DEVICE && where.device == device->number)
    remember(call, &where);
  if (where.memory == USWI_MEMORY_DEVICE)
    return where.device == device->number ? slot : 0;
  const void *mapped = uswi_lane_mapped(device, address);
  if (mapped)
    return (uint64_t)(uintptr_t)mapped;
  const int readable = device->shares_host_memory || where.memory != USWI_MEMORY_HOST;
  return readable ? slot : 0;
}

/* The driver takes longer to say that memory is the host's than a short reduction there, and threads wait for each other in it.
 * So each thread keeps pages that it has asked for. If one becomes a GPU's later, a call on the host is an error all the same,
 * which the processor tells then. */
enum { KNOWN_PAGES = 16, PAGE_BYTES = 4096 };
static _Thread_local uint64_t known_pages[KNOWN_PAGES];

static uint64_t *known_page_of(uint64_t address) { return &known_pages[address / PAGE_BYTES % KNOWN_PAGES]; }
static int is_known_page(uint64_t address) { return *known_page_of(address) == address / PAGE_BYTES; }

static usw_status_t reach_from_host(const char *owner, const char *what, uint64_t address) {
  const uswi_where_t where = uswi_lane_where((const void *)(uintptr_t)address);
  if (where.memory == USWI_MEMORY_DEVICE)
    return uswi_fail(USW_ERROR_PLACE, "%s: '%s' at 0x%llx is memory of device %d, which the host cannot read", owner,
                     what, (unsigned long long)address, where.device);
  *known_page_of(address) = address / PAGE_BYTES;
  return USW_OK;
}

usw_status_t uswi_reach(uswi_call_t *call, const char *owner, const char *what, uint64_t *address) {
  if (call->device && *address - call->home < call->home_bytes)
    return USW_OK;
  if (call->device) {
    const uint64_t there = on_device(call, *address);
    if (!there)
      return uswi_fail(USW_ERROR_PLACE, "%s: '%s' at 0x%llx is neither memory of device %d nor mapped there", owner,
                       what, (unsigned long long)*address, call->device->number);
    *address = there;
  } else if (uswi_gpu(0) && !is_known_page(*address)) {
    return reach_from_host(owner, what, *address);
  }
  return USW_OK;
}

static usw_status_t translate(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = USW_OK;
  for (uint32_t a = 0; a < k->argument_count && call->n > 0 && status == USW_OK; a++)
    if (is_address(&k->arguments[a]))
      status = uswi_reach(call, k->name, k->arguments[a].name, &call->slots[a]);
  return status;
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

usw_status_t uswi_place_near(uswi_call_t *call, uint64_t first_address) {
  const usw_options_t *o = call->options;
  const uswi_environment_t *environment = uswi_environment();
  const int by_environment = o->place == USW_AUTO_PLACE && environment->place != USW_AUTO_PLACE;
  const usw_place_t place = by_environment ? environment->place : o->place;
  usw_status_t status = USW_OK;
  if (place == USW_AUTO_PLACE)
    call->device = automatic(call, first_address);
  else if (place == USW_HOST)
    call->device = NULL;
  else
    status = named_device(call, by_environment ? environment->device : o->device);
  return status == USW_OK && call->device ? check_image(call) : status;
}

usw_status_t uswi_place(uswi_call_t *call) {
  const usw_status_t status = uswi_place_near(call, first_address_of(call));
  return status == USW_OK ? translate(call) : status;
}
