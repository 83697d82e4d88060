/* Where a call runs: on the device whose memory it reads, on the host, or where it was told to. */
#include "policy/place.h"

#include "backend/backend.h"
#include "backend/driver.h"
#include "base/error.h"
#include "machine/environment.h"
#include "policy/devices.h"
#include "policy/known_pages.h"

static int is_address(const usw_argument_t *argument) { return argument->kind != USW_ARGUMENT_VALUE; }

/* The driver takes a while to answer: it is asked once for each allocation, if its addresses come one behind the other. */
static void remember(uswi_call_t *call, const uswi_where_t *where) {
  if (where->memory != USWI_MEMORY_DEVICE)
    return;
  call->home = where->start;
  call->home_bytes = where->bytes;
}

usw_status_t uswi_unknown_place(const char *owner, const char *what, uint64_t address) {
  return uswi_fail(USW_ERROR_DEVICE, "%s: the driver cannot tell whose memory '%s' at 0x%llx is", owner, what,
                   (unsigned long long)address);
}

/* The GPU whose memory an address points to or is mapped to; NULL: the host. */
__attribute__((noinline)) static usw_status_t find_home(uswi_call_t *call, uint64_t argument) {
  call->home = call->home_bytes = 0;
  const void *address = (const void *)(uintptr_t)argument;
  const uswi_where_t where = uswi_backend_where(address);
  if (where.memory == USWI_MEMORY_UNKNOWN)
    return uswi_unknown_place(call->name, "data", argument);
  remember(call, &where);
  if (where.memory == USWI_MEMORY_DEVICE || where.memory == USWI_MEMORY_MANAGED) {
    call->device = uswi_device(where.device);
    return USW_OK;
  }
  for (int g = 0; uswi_gpu(g) && !call->device; g++)
    if (uswi_backend_mapped(uswi_gpu(g), address))
      call->device = uswi_gpu(g);
  return USW_OK;
}

/* Where a call's addresses start: its first input or array. Without a GPU nothing is asked. */
static usw_status_t automatic(uswi_call_t *call, uint64_t first_address) {
  call->device = NULL;
  return uswi_gpu(0) && call->n > 0 && first_address ? find_home(call, first_address) : USW_OK;
}

static uint64_t first_address_of(const uswi_call_t *call) {
  for (uint32_t a = 0; a < call->kernel->argument_count; a++)
    if (is_address(&call->kernel->arguments[a]))
      return call->arguments[a];
  return 0;
}

/* An address as the device sees it; 0 if the device cannot see it, and *memory_out is what it is then. The driver is asked
 * first, and once: it answers for most. */
static uint64_t on_device(uswi_call_t *call, uint64_t argument, uswi_memory_t *memory_out) {
  const uswi_device_t *device = call->device;
  const void *address = (const void *)(uintptr_t)argument;
  const uswi_where_t where = uswi_backend_where(address);
  *memory_out = where.memory;
  if (where.memory == USWI_MEMORY_DEVICE && where.device == device->number)
    remember(call, &where);
  if (where.memory == USWI_MEMORY_DEVICE)
    return where.device == device->number ? argument : 0;
  const void *mapped = uswi_backend_mapped(device, address);
  if (mapped)
    return (uint64_t)(uintptr_t)mapped;
  const int readable = where.memory != USWI_MEMORY_HOST && where.memory != USWI_MEMORY_UNKNOWN;
  return readable || device->shares_host_memory ? argument : 0;
}

static usw_status_t reach_from_host(const char *owner, const char *what, uint64_t address) {
  const uswi_where_t where = uswi_backend_where((const void *)(uintptr_t)address);
  if (where.memory == USWI_MEMORY_DEVICE)
    return uswi_fail(USW_ERROR_PLACE, "%s: '%s' at 0x%llx is memory of device %d, which the host cannot read", owner,
                     what, (unsigned long long)address, where.device);
  if (where.memory != USWI_MEMORY_UNKNOWN)
    uswi_now_known_to_host(address);
  return USW_OK;
}

/* Whether it is in memory that is known to be the device's. */
static int is_home(const uswi_call_t *call, uint64_t address) { return address - call->home < call->home_bytes; }

int uswi_may_stage(const uswi_call_t *call) {
  const usw_staging_t asked = call->options->staging;
  return (asked == USW_AUTO_STAGING ? uswi_environment()->staging : asked) == USW_STAGING_ALWAYS;
}

static usw_status_t out_of_reach(const uswi_call_t *call, const char *owner, const char *what, uint64_t address,
                                 uswi_memory_t memory) {
  const int is_asked = uswi_may_stage(call) && memory == USWI_MEMORY_HOST;
  if (memory == USWI_MEMORY_UNKNOWN)
    return uswi_unknown_place(owner, what, address);
  if (is_asked)
    return uswi_fail(
        USW_ERROR_UNSUPPORTED,
        "%s: '%s' at 0x%llx is neither memory of device %d nor mapped there, and only streams of kernels are "
        "staged: not arrays, not sets",
        owner, what, (unsigned long long)address, call->device->number);
  return uswi_fail(USW_ERROR_PLACE,
                   "%s: '%s' at 0x%llx is neither memory of device %d nor mapped there: map it, allocate it there, or "
                   "set options.staging",
                   owner, what, (unsigned long long)address, call->device->number);
}

/* An address, which a stream's may be left as it is, because what is there is to come in chunks. */
static usw_status_t reach(uswi_call_t *call, const char *owner, const char *what, uint64_t *address, int is_stream,
                          int *is_staged) {
  uswi_memory_t memory;
  *is_staged = 0;
  if (call->device && is_home(call, *address))
    return USW_OK;
  if (!call->device)
    return uswi_gpu(0) && !uswi_is_known_to_host(*address) ? reach_from_host(owner, what, *address) : USW_OK;
  const uint64_t there = on_device(call, *address, &memory);
  if (there) {
    *address = there;
    return USW_OK;
  }
  *is_staged = is_stream && memory == USWI_MEMORY_HOST && uswi_may_stage(call);
  return *is_staged ? USW_OK : out_of_reach(call, owner, what, *address, memory);
}

usw_status_t uswi_reach(uswi_call_t *call, const char *owner, const char *what, uint64_t *address) {
  int is_staged;
  return reach(call, owner, what, address, 0, &is_staged);
}

/* Of a stream that is mapped in part the device counts as having none: what it cannot read where it is, is staged. */
__attribute__((noinline)) static usw_status_t reach_cut_stream(const uswi_call_t *call, const char *what,
                                                               uint64_t address, int *is_staged) {
  const uswi_memory_t memory = uswi_backend_where((const void *)(uintptr_t)address).memory;
  const int is_readable =
      (memory != USWI_MEMORY_HOST && memory != USWI_MEMORY_UNKNOWN) || call->device->shares_host_memory;
  *is_staged = !is_readable && memory == USWI_MEMORY_HOST && uswi_may_stage(call);
  if (is_readable || *is_staged)
    return USW_OK;
  return uswi_fail(USW_ERROR_PLACE,
                   "%s: '%s' at 0x%llx is mapped on device %d in part only: map sections that cover the array, or set "
                   "options.staging",
                   call->name, what, (unsigned long long)address, call->device->number);
}

/* Bodies that see their items' indices would see those of each chunk begin with 0; the library's own count from an argument. */
static usw_status_t check_staging(const uswi_call_t *call) {
  const char *name = call->name;
  if (call->kernel->facts & USW_FACT_RESTARTS)
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: its streams are in host memory, and scans that begin anew are not staged: of segments, by "
                     "key, selections",
                     name);
  if (call->kernel->operation == USW_NO_OPERATION &&
      (uswi_has_many_results(call->kernel) || uswi_is_scan(call->kernel)))
    return uswi_fail(
        USW_ERROR_UNSUPPORTED,
        "%s: its streams are in host memory, and kernels of users with many results or scans are not staged", name);
  if (call->kernel->operation == USW_NO_OPERATION && !(call->kernel->facts & USW_FACT_NO_INDEX))
    return uswi_fail(USW_ERROR_UNSUPPORTED,
                     "%s: its streams are in host memory, and a kernel whose body has an index is not staged: define "
                     "USW_NO_INDEX, if it needs none",
                     name);
  if (call->options->stream)
    return uswi_fail(USW_ERROR_UNSUPPORTED, "%s: options.stream is not for streams in host memory, which are staged",
                     name);
  return USW_OK;
}

/* By itself, so that calls on a host without GPUs do not have its stack. */
__attribute__((noinline)) static usw_status_t translate(uswi_call_t *call) {
  const usw_kernel_t *k = call->kernel;
  usw_status_t status = USW_OK;
  int is_staged;
  for (uint32_t a = 0; a < k->argument_count && call->n > 0 && status == USW_OK; a++) {
    if (!is_address(&k->arguments[a]))
      continue;
    if (call->cut && call->cut >> a & 1) /* few calls have any */
      status = reach_cut_stream(call, k->arguments[a].name, call->arguments[a], &is_staged);
    else
      status = reach(call, call->name, k->arguments[a].name, &call->arguments[a], uswi_is_stream(&k->arguments[a]),
                     &is_staged);
    if (is_staged)
      call->staged |= UINT64_C(1) << a;
  }
  return status == USW_OK && call->staged ? check_staging(call) : status;
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
    return uswi_fail(
        USW_ERROR_DEVICE,
        "%s was compiled without offload and runs on the host only: compile it with the flags of Upsweep::kernels",
        call->name);
  if (k->images[0] && !uswi_device_has_image(device, k->images))
    return uswi_fail(USW_ERROR_DEVICE,
                     "%s has no image for device %d (%s %s), only for %s: build it with -DUSW_GPU_ARCHS=%s", call->name,
                     device->number, device->target, device->image, k->images, device->image);
  __atomic_fetch_or(passed, bit, __ATOMIC_RELAXED);
  return USW_OK;
}

static usw_status_t named_device(uswi_call_t *call, int number) {
  call->home = call->home_bytes = 0;
  call->device = uswi_device(number);
  if (call->device)
    return USW_OK;
  const char *refusal = uswi_backend_refusal();
  return uswi_fail(USW_ERROR_DEVICE, "%s: there is no device %d that this library can use; there are %d devices%s%s",
                   call->name, number, uswi_device_count(), refusal ? ": " : "", refusal ? refusal : "");
}

usw_status_t uswi_place_near(uswi_call_t *call, uint64_t first_address) {
  const usw_options_t *o = call->options;
  const uswi_environment_t *environment = uswi_environment();
  call->staged = 0;
  const int by_environment = o->place == USW_AUTO_PLACE && environment->place != USW_AUTO_PLACE;
  const usw_place_t place = by_environment ? environment->place : o->place;
  usw_status_t status = USW_OK;
  if (place == USW_AUTO_PLACE)
    status = automatic(call, first_address);
  else if (place == USW_HOST)
    call->device = NULL;
  else
    status = named_device(call, by_environment ? environment->device : o->device);
  if (status == USW_OK && call->device && call->device->driver)
    status = uswi_driver_check(call->device, call->name);
  return status == USW_OK && call->device ? check_image(call) : status;
}

usw_status_t uswi_place(uswi_call_t *call) {
  const usw_status_t status = uswi_place_near(call, first_address_of(call));
  return status == USW_OK && (call->device || uswi_gpu(0)) ? translate(call) : status;
}
