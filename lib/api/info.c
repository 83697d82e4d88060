/* What there is: the build, the runtimes in this process, the devices. Nothing here changes anything. */
#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "api/library.h"
#include "backend/backend.h"
#include "backend/gpu_driver.h"
#include "backend/gpu_drivers.h"
#include "base/error.h"
#include "exec/threads.h"
#include "machine/environment.h"
#include "machine/isa.h"
#include "machine/topology.h"
#include "policy/devices.h"
#include "policy/schedule.h"
#include "policy/variant.h"

#ifdef USW_IMAGES
#define IMAGES USW_IMAGES
#else
#define IMAGES ""
#endif

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Files that the dynamic linker has loaded; their names live for ever here. */
static struct {
  char openmp[PATH_MAX], offload[PATH_MAX], driver[PATH_MAX];
  int driver_version, is_found;
} found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The file that a symbol comes from. */
static void name_file(char *file, void *symbol) {
  Dl_info facts;
  if (symbol && dladdr(symbol, &facts) && facts.dli_fname)
    snprintf(file, PATH_MAX, "%s", facts.dli_fname);
}

static void look(void) {
  name_file(found.openmp, (void *)(uintptr_t)&omp_get_max_threads);
  if (IMAGES[0])
    name_file(found.offload, (void *)(uintptr_t)&omp_target_alloc);
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver) {
    int (*version)(int *) = (int (*)(int *))(uintptr_t)dlsym(driver, "cuDriverGetVersion");
    name_file(found.driver, (void *)(uintptr_t)version);
    if (version && version(&found.driver_version) != 0)
      found.driver_version = 0;
  }
  void *unversioned = dlopen("libcuda.so", RTLD_LAZY | RTLD_LOCAL); /* what libomptarget 19 opens */
  found.is_found = unversioned != NULL;
}

static const char *wait_name(uswi_wait_t wait) {
  return wait == USWI_WAIT_SPIN ? "spin" : wait == USWI_WAIT_YIELD ? "yield" : "block";
}

usw_status_t usw_info(usw_info_t *info_out) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!info_out)
    return uswi_fail(USW_ERROR_INVALID, "usw_info: info_out is NULL");
  if (info_out->size != sizeof *info_out)
    return uswi_fail(USW_ERROR_VERSION, "usw_info: size is %zu, this library knows %zu", info_out->size,
                     sizeof *info_out);
  pthread_once(&once, look);
  const uswi_crew_t crew = uswi_threads_expect(UINT32_MAX, UINT64_MAX);
  const uswi_topology_t *topology = uswi_topology();
  uint64_t rechecked, differing;
  usw_recheck_counts(&rechecked, &differing);
  *info_out = (usw_info_t){
      .size = sizeof *info_out,
      .version = USW_VERSION,
      .compiler = COMPILER,
      .images = IMAGES,
      .openmp_runtime = found.openmp,
      .offload_runtime = found.offload,
      .wait = wait_name(uswi_environment()->wait),
      .host_variant = uswi_isa_name(uswi_isa()),
      .host_best = uswi_isa_name(uswi_isa_best()),
      .host_threads = crew.threads,
      .host_processors = (uint32_t)omp_get_num_procs(),
      .device_count = uswi_device_count(),
      .driver_gpu_count = uswi_driver_gpu_count(),
      .driver_version = found.driver_version,
      .driver_file = found.driver,
      .driver_is_found_by_libomptarget = found.is_found,
      .recheck = uswi_environment()->recheck,
      .rechecked_calls = rechecked,
      .differing_calls = differing,
      .threads_reason = uswi_bound_text(crew.bound),
      .host_cores = topology->core_count,
      .host_nodes = topology->node_count,
      .host_quota = topology->quota,
      .topology = topology->source,
      .topology_lack = topology->is_flat ? uswi_topology_lack() : "",
      .is_bound = uswi_environment()->bind,
      .devices_lack = uswi_backend_refusal() ? uswi_backend_refusal() : "",
  };
  return USW_OK;
}

/* The checks that calls for the k-th of something begin with; size is the first member of the structure. */
static usw_status_t check(const char *name, int k, const size_t *size, size_t known) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!size || k < 0)
    return uswi_fail(USW_ERROR_INVALID, "%s: %s", name, size ? "k is negative" : "the structure's address is NULL");
  if (*size != known)
    return uswi_fail(USW_ERROR_VERSION, "%s: size is %zu, this library knows %zu", name, *size, known);
  return USW_OK;
}

usw_status_t usw_host_thread(int k, usw_host_thread_t *thread_out) {
  const usw_status_t status = check("usw_host_thread", k, (const size_t *)thread_out, sizeof *thread_out);
  if (status != USW_OK)
    return status;
  const uswi_topology_t *topology = uswi_topology();
  uint32_t core, sibling;
  if ((uint32_t)k >= uswi_threads_expect(UINT32_MAX, UINT64_MAX).threads ||
      !uswi_seat(topology, (uint32_t)k, &core, &sibling))
    return uswi_fail(USW_ERROR_UNSUPPORTED, "usw_host_thread: there is no thread %d of a large call, or no core for it",
                     k);
  *thread_out = (usw_host_thread_t){.size = sizeof *thread_out,
                                    .core = core,
                                    .processor = uswi_topology_processor(topology, core, sibling),
                                    .package = topology->cores[core].package,
                                    .kind = topology->cores[core].kind};
  if (topology->memories)
    thread_out->node = topology->memories[topology->cores[core].node].number;
  return USW_OK;
}

static const uswi_device_t *device_at(int k) {
  for (int number = 0; number < USWI_MAX_DEVICES; number++)
    if (uswi_device(number) && k-- == 0)
      return uswi_device(number);
  return NULL;
}

usw_status_t usw_device_info(int k, usw_device_info_t *device_out) {
  const usw_status_t status = check("usw_device_info", k, (const size_t *)device_out, sizeof *device_out);
  if (status != USW_OK)
    return status;
  const uswi_device_t *device = device_at(k);
  if (!device)
    return uswi_fail(USW_ERROR_DEVICE, "usw_device_info: there is no device %d, only %d%s%s", k, uswi_device_count(),
                     uswi_backend_refusal() ? ": " : "", uswi_backend_refusal() ? uswi_backend_refusal() : "");
  usw_device_info_t info = {.size = sizeof info, .node = -1};
  if (device->driver)
    device->driver->describe(device->ordinal, &info);
  info.number = device->number;
  info.target = device->target;
  info.multiprocessors = device->multiprocessors;
  info.has_image = uswi_device_has_image(device, IMAGES);
  memcpy(info.image, device->image, sizeof device->image);
  *device_out = info;
  return USW_OK;
}

usw_status_t usw_gpu_info(int k, usw_device_info_t *gpu_out) {
  const usw_status_t status = check("usw_gpu_info", k, (const size_t *)gpu_out, sizeof *gpu_out);
  if (status != USW_OK)
    return status;
  int ordinal = 0;
  const uswi_gpu_driver_t *driver = uswi_driver_gpu(k, &ordinal);
  usw_device_info_t gpu = {.size = sizeof gpu, .number = k, .node = -1};
  if (!driver || !driver->describe(ordinal, &gpu))
    return uswi_fail(USW_ERROR_DEVICE, "usw_gpu_info: the driver shows no GPU %d, only %d", k, uswi_driver_gpu_count());
  uswi_device_t device = {.target = driver->target};
  snprintf(device.image, sizeof device.image, "%s", gpu.image);
  gpu.target = driver->target;
  gpu.has_image = uswi_device_has_image(&device, IMAGES);
  *gpu_out = gpu;
  return USW_OK;
}

int usw_gpu_count(int *device_out) {
  int count = 0;
  if (uswi_enter() != USW_OK)
    return 0;
  while (uswi_gpu(count))
    count++;
  if (count && device_out)
    *device_out = uswi_gpu(0)->number;
  return count;
}

const char *usw_device_target(int device) {
  if (uswi_enter() != USW_OK)
    return NULL;
  const uswi_device_t *of_number = uswi_device(device);
  return of_number ? of_number->target : NULL;
}
