#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4096 };

static void *allocate_plain(size_t bytes, void *context) {
  (void)context;
  char *memory = aligned_alloc(PAGE_BYTES, (bytes + TOOL_BYTES_BEHIND + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
  if (memory)
    memset(memory + bytes, 0, TOOL_BYTES_BEHIND);
  return memory;
}

static void release_plain(void *memory, void *context) {
  (void)context;
  free(memory);
}

#ifdef USW_IMAGES
#include <omp.h>

/* Pinned memory of libomptarget; not in omp.h. */
void *llvm_omp_target_alloc_host(size_t bytes, int device) __attribute__((weak));
void llvm_omp_target_free_host(void *memory, int device) __attribute__((weak));

static void *allocate_pinned(size_t bytes, void *context) {
  return llvm_omp_target_alloc_host(bytes + TOOL_BYTES_BEHIND, ((const tool_device_t *)context)->number);
}

static void release_pinned(void *memory, void *context) {
  llvm_omp_target_free_host(memory, ((const tool_device_t *)context)->number);
}

static int open_copying(tool_device_t *device, int number, size_t buffer_bytes) {
  device->number = number;
  device->host = omp_get_initial_device();
  device->copy = omp_target_alloc(buffer_bytes + TOOL_BYTES_BEHIND, number);
  if (llvm_omp_target_alloc_host && llvm_omp_target_free_host)
    device->memory = (tool_memory_t){allocate_pinned, release_pinned, device};
  return device->copy ? 0 : -1;
}

const void *tool_device_put(const tool_device_t *device, const void *elements, size_t bytes) {
  if (device->number < 0)
    return elements;
  const int failed = omp_target_memcpy(device->copy, elements, bytes, 0, 0, device->number, device->host);
  return failed ? NULL : device->copy;
}

int tool_device_get(const tool_device_t *device, void *memory, size_t bytes) {
  return device->number >= 0 && omp_target_memcpy(memory, device->copy, bytes, 0, 0, device->host, device->number) != 0
             ? -1
             : 0;
}

void tool_device_close(tool_device_t *device) {
  if (device->copy)
    omp_target_free(device->copy, device->number);
  device->copy = NULL;
}

#else /* a library without images has no device: the options name the host */

static int open_copying(tool_device_t *device, int number, size_t buffer_bytes) {
  (void)device, (void)number, (void)buffer_bytes;
  return -1;
}

const void *tool_device_put(const tool_device_t *device, const void *elements, size_t bytes) {
  (void)device, (void)bytes;
  return elements;
}

int tool_device_get(const tool_device_t *device, void *memory, size_t bytes) {
  (void)device, (void)memory, (void)bytes;
  return 0;
}

void tool_device_close(tool_device_t *device) { (void)device; }

#endif

int tool_device_open(tool_device_t *device, const usw_options_t *options, size_t buffer_bytes) {
  *device = (tool_device_t){.number = -1, .memory = {allocate_plain, release_plain, NULL}};
  if (options->place != USW_DEVICE)
    return 0;
  const char *target = usw_device_target(options->device);
  const int reads_host_memory = target && strcmp(target, "x86_64") == 0;
  return reads_host_memory ? 0 : open_copying(device, options->device, buffer_bytes);
}

void *tool_device_room(const tool_device_t *device, void *memory) { return device->number < 0 ? memory : device->copy; }
