/* The backend through LLVM's OpenMP runtime: a launch is a call of the kernel's stub, which holds the
 * target region. */
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/driver.h"
#include "backend/gpu_driver.h"
#include "backend/gpu_drivers.h"
#include "backend/launch_thread.h"
#include "base/error.h"
#include "base/number.h"

#ifndef USW_IMAGES
#error "compile this with the names of the images, or use none.c"
#endif

enum { MOST_NUMBERS = 64, OFFLOAD_DISABLED = 0, LEAST_THREAD_LIMIT = 3 };

/* Pinned memory of libomptarget; not in omp.h. */
void *llvm_omp_target_alloc_host(size_t bytes, int device) __attribute__((weak));
void llvm_omp_target_free_host(void *memory, int device) __attribute__((weak));

/* libomp's view of OMP_TARGET_OFFLOAD; not in omp.h. */
int __kmpc_get_target_offload(void) __attribute__((weak));

static const char *refusal;

/* OpenMP's number of each driver's GPUs, -1 where there is none. */
static int number_of_gpu[USWI_GPU_DRIVERS][MOST_NUMBERS];

/* The number of devices is the host's own device number. */
static int host_number;

/* How many devices libomptarget has, asked of it directly: libomp answers for it only in programs
 * that happen to load libomp first, and says 0 in the others. */
static int runtime_devices(void) {
  Dl_info runtime;
  if (!dladdr((const void *)(uintptr_t)&omp_target_alloc, &runtime))
    return 0;
  void *library = dlopen(runtime.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  int (*count)(void) = library ? (int (*)(void))(uintptr_t)dlsym(library, "omp_get_num_devices") : NULL;
  const int devices = count ? count() : 0;
  if (library)
    dlclose(library);
  return devices;
}

/* libomptarget counts its devices whether offload is disabled or not; regions then run on the host. */
static int is_disabled(void) { return __kmpc_get_target_offload && __kmpc_get_target_offload() == OFFLOAD_DISABLED; }

/* With room for one or two threads libomp ends the process when a launch thread comes to it. Values that it does not take count as
 * 1 there, "all" as the number of processors. */
static int has_room_for_threads(void) {
  const char *limit = getenv("KMP_DEVICE_THREAD_LIMIT"), *old_limit = getenv("KMP_ALL_THREADS");
  const char *text = limit ? limit : old_limit;
  uint64_t threads;
  return !text || (uswi_read_number(text, strlen(text), UINT64_MAX, &threads) && threads >= LEAST_THREAD_LIMIT);
}

static int may_use_cpu(void) {
  if (!strstr(USW_IMAGES, "x86_64"))
    return 0;
  if (has_room_for_threads())
    return 1;
  refusal = "KMP_DEVICE_THREAD_LIMIT leaves libomp no thread for launches on the x86_64 device: set it to 3 or more";
  return 0;
}

static int has_gpu_images(void) { return strstr(USW_IMAGES, "sm_") || strstr(USW_IMAGES, "gfx"); }

/* Where the drivers say that an address points, and which of them said so. */
static uswi_where_t ask_drivers(const void *address, int *driver_out) {
  uswi_where_t where = {.memory = USWI_MEMORY_HOST, .device = -1};
  for (int d = 0; d < USWI_GPU_DRIVERS && where.memory == USWI_MEMORY_HOST; d++) {
    *driver_out = d;
    where = uswi_gpu_drivers[d]->where(address);
  }
  return where;
}

typedef enum found { FOUND_NOTHING, FOUND_GPU, FOUND_CPU } found_t;

/* Whether the host can read an address: the system copies from it, or says that it cannot. Where it may not say: yes. */
static int is_readable(void *address) {
  char byte;
  const struct iovec to = {&byte, 1}, from = {address, 1};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1 || errno != EFAULT;
}

/* What an OpenMP device is, which memory from there tells: a driver's GPU, or LLVM's x86_64 device, whose memory is the host's. A
 * GPU that has none left, or whose driver cannot be asked, is nothing. */
static found_t find_device(int number, int *driver_out, int *ordinal_out) {
  void *memory = omp_target_alloc(64, number);
  if (!memory)
    return FOUND_NOTHING;
  const uswi_where_t where = ask_drivers(memory, driver_out);
  const int is_of_host = where.memory == USWI_MEMORY_HOST && is_readable(memory);
  omp_target_free(memory, number);
  *ordinal_out = where.device;
  return where.memory == USWI_MEMORY_DEVICE ? FOUND_GPU : is_of_host ? FOUND_CPU : FOUND_NOTHING;
}

/* 0: the driver does not say what it is. */
static int describe_gpu(uswi_device_t *device, int driver, int ordinal) {
  usw_device_info_t gpu = {.size = sizeof gpu};
  device->driver = uswi_gpu_drivers[driver];
  device->ordinal = ordinal;
  if (!device->driver->describe(ordinal, &gpu))
    return 0;
  device->target = device->driver->target;
  snprintf(device->image, sizeof device->image, "%s", gpu.image);
  device->runs_bare = 1;
  device->starts_in_order = 1;
  device->multiprocessors = gpu.multiprocessors;
  number_of_gpu[driver][ordinal] = device->number;
  return 1;
}

/* What is not NVIDIA's is LLVM's x86_64 device. AMD images are compiled in this version, not run.
 */
static void describe_cpu(uswi_device_t *device) {
  device->target = "x86_64";
  snprintf(device->image, sizeof device->image, "x86_64");
  device->shares_host_memory = 1;
  device->multiprocessors = (uint32_t)omp_get_num_procs();
}

int uswi_backend_devices(uswi_device_t *devices, int capacity) {
  int count = 0, gpus = 0;
  host_number = runtime_devices();
  const int numbers = host_number < MOST_NUMBERS ? host_number : MOST_NUMBERS;
  for (int d = 0; d < USWI_GPU_DRIVERS; d++)
    for (int g = 0; g < MOST_NUMBERS; g++)
      number_of_gpu[d][g] = -1;
  if (is_disabled()) {
    refusal = "OMP_TARGET_OFFLOAD is disabled: unset it, or set it to default or mandatory";
    return 0;
  }
  for (int number = 0; number < numbers && count < capacity; number++) {
    int driver, ordinal;
    uswi_device_t device = {.number = number};
    const found_t found = find_device(number, &driver, &ordinal);
    if (found == FOUND_CPU && may_use_cpu())
      describe_cpu(&device);
    else if (found == FOUND_GPU && describe_gpu(&device, driver, ordinal))
      gpus++;
    else if (found != FOUND_CPU && !refusal)
      refusal = "a device is left out: it has no memory left, or its driver cannot be asked what it is";
    if (!device.target)
      continue;
    devices[count++] = device;
  }
  if (gpus == 0 && has_gpu_images() && uswi_driver_gpu_count() > 0)
    uswi_log(USW_LOG_WARNING,
             "the driver shows %d GPU(s), the OpenMP runtime none: it opens libcuda.so (not "
             "libcuda.so.1) and needs an "
             "image for the GPU (this library has: %s)",
             uswi_driver_gpu_count(), USW_IMAGES);
  return count;
}

const char *uswi_backend_refusal(void) { return refusal; }

uswi_where_t uswi_backend_where(const void *address) {
  int driver;
  uswi_where_t where = ask_drivers(address, &driver);
  if (where.device >= 0)
    where.device = where.device < MOST_NUMBERS ? number_of_gpu[driver][where.device] : -1;
  return where;
}

const void *uswi_backend_mapped(const uswi_device_t *device, const void *address) {
  return omp_target_is_present(address, device->number) ? omp_get_mapped_ptr(address, device->number) : NULL;
}

/* libomptarget ends the process when it cannot free memory: what is on a device that is lost is left there. */
static int is_lost(const uswi_device_t *device) { return device->driver && uswi_driver_is_lost(device); }

void *uswi_backend_allocate(const uswi_device_t *device, size_t bytes, int zeroed) {
  void *memory = is_lost(device) ? NULL : omp_target_alloc(bytes, device->number);
  if (!memory || !zeroed)
    return memory;
  void *zeros = calloc(1, bytes);
  const int failed = !zeros || omp_target_memcpy(memory, zeros, bytes, 0, 0, device->number, host_number) != 0;
  free(zeros);
  if (failed)
    omp_target_free(memory, device->number);
  return failed ? NULL : memory;
}

void uswi_backend_free(const uswi_device_t *device, void *memory) {
  if (!is_lost(device))
    omp_target_free(memory, device->number);
}

/* libomptarget gives an address back to the driver before it forgets it: to another thread that is given it meanwhile it says that
 * there is no memory (LLVM 19; one in a million calls from 16 threads on an H200). */
static pthread_mutex_t pinned_memory = PTHREAD_MUTEX_INITIALIZER;

void *uswi_backend_allocate_host(const uswi_device_t *device, size_t bytes) {
  if (!llvm_omp_target_alloc_host || is_lost(device))
    return NULL;
  pthread_mutex_lock(&pinned_memory);
  void *memory = llvm_omp_target_alloc_host(bytes, device->number);
  pthread_mutex_unlock(&pinned_memory);
  return memory;
}

void uswi_backend_free_host(const uswi_device_t *device, void *memory) {
  if (!llvm_omp_target_free_host || is_lost(device))
    return;
  pthread_mutex_lock(&pinned_memory);
  llvm_omp_target_free_host(memory, device->number);
  pthread_mutex_unlock(&pinned_memory);
}

int uswi_backend_copy_to_host(const uswi_device_t *device, void *to, const void *from, size_t bytes) {
  return !is_lost(device) && omp_target_memcpy(to, from, bytes, 0, 0, host_number, device->number) == 0;
}

int uswi_backend_copy_to_device(const uswi_device_t *device, void *to, const void *from, size_t bytes) {
  return !is_lost(device) &&
         omp_target_memcpy(to, (void *)(uintptr_t)from, bytes, 0, 0, device->number, host_number) == 0;
}

typedef struct launch {
  const usw_entry_t *entry;
  const usw_launch_t *how; /* with the device's number */
  size_t n;
  const uint64_t *arguments;
  void *accumulator_out;
} launch_t;

static void run_stub(void *context) {
  const launch_t *launch = context;
  launch->entry->stub(launch->how, launch->n, launch->arguments, launch->accumulator_out);
}

int uswi_backend_launch(const uswi_device_t *device, const usw_entry_t *entry, const usw_launch_t *how, size_t n,
                        const uint64_t *arguments, void *accumulator_out) {
  launch_t launch = {entry, how, n, arguments, accumulator_out};
  if (device->shares_host_memory)
    return uswi_launch_thread_run(run_stub, &launch);
  run_stub(&launch);
  return 1;
}

void uswi_backend_release(void) { uswi_launch_threads_release(); }
