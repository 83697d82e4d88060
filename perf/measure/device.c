#include "device.h"

#include <upsweep/info.h>

uint32_t bench_device_multiprocessors(int device) {
  static int known = -1;
  static uint32_t multiprocessors = 1;
  usw_device_info_t info = {.size = USW_INIT(usw_device_info_t), .number = -1};
  for (int k = 0; known != device && info.number != device; k++)
    if (usw_device_info(k, &info))
      return 1;
  if (known != device) {
    multiprocessors = info.multiprocessors ? info.multiprocessors : 1;
    known = device;
  }
  return multiprocessors;
}

#ifdef USW_IMAGES
#include <omp.h>

/* Pinned memory of libomptarget; not in omp.h. */
void *llvm_omp_target_alloc_host(size_t bytes, int device) __attribute__((weak));
void llvm_omp_target_free_host(void *memory, int device) __attribute__((weak));

int bench_device_count(void) { return omp_get_num_devices(); }

void *bench_device_allocate(int device, size_t bytes) { return omp_target_alloc(bytes, device); }

void bench_device_free(int device, void *memory) {
  if (memory)
    omp_target_free(memory, device);
}

void *bench_device_allocate_pinned(int device, size_t bytes) {
  return llvm_omp_target_alloc_host ? llvm_omp_target_alloc_host(bytes, device) : NULL;
}

void bench_device_free_pinned(int device, void *memory) {
  if (llvm_omp_target_free_host)
    llvm_omp_target_free_host(memory, device);
}

int bench_device_write(int device, void *memory, size_t offset, const void *data, size_t bytes) {
  return omp_target_memcpy(memory, data, bytes, offset, 0, device, omp_get_initial_device());
}

int bench_device_read(int device, void *data, const void *memory, size_t bytes) {
  return omp_target_memcpy(data, memory, bytes, 0, 0, omp_get_initial_device(), device);
}

int bench_device_copy(int device, void *to, const void *from, size_t bytes) {
  return omp_target_memcpy(to, from, bytes, 0, 0, device, device);
}

#elif defined(USW_PORT_SIMT)
#include <stdlib.h>
#include <string.h>

/* The emulated GPU, whose memory is the host's. */
int bench_device_count(void) { return 1; }

void *bench_device_allocate(int device, size_t bytes) {
  (void)device;
  return malloc(bytes);
}

void bench_device_free(int device, void *memory) {
  (void)device;
  free(memory);
}

void *bench_device_allocate_pinned(int device, size_t bytes) { return bench_device_allocate(device, bytes); }

void bench_device_free_pinned(int device, void *memory) { bench_device_free(device, memory); }

int bench_device_write(int device, void *memory, size_t offset, const void *data, size_t bytes) {
  (void)device;
  memcpy((char *)memory + offset, data, bytes);
  return 0;
}

int bench_device_read(int device, void *data, const void *memory, size_t bytes) {
  (void)device;
  memcpy(data, memory, bytes);
  return 0;
}

int bench_device_copy(int device, void *to, const void *from, size_t bytes) {
  (void)device;
  memcpy(to, from, bytes);
  return 0;
}

#else

int bench_device_count(void) { return 0; }

void *bench_device_allocate(int device, size_t bytes) {
  (void)device, (void)bytes;
  return NULL;
}

void bench_device_free(int device, void *memory) { (void)device, (void)memory; }

void *bench_device_allocate_pinned(int device, size_t bytes) {
  (void)device, (void)bytes;
  return NULL;
}

void bench_device_free_pinned(int device, void *memory) { (void)device, (void)memory; }

int bench_device_write(int device, void *memory, size_t offset, const void *data, size_t bytes) {
  (void)device, (void)memory, (void)offset, (void)data, (void)bytes;
  return -1;
}

int bench_device_read(int device, void *data, const void *memory, size_t bytes) {
  (void)device, (void)data, (void)memory, (void)bytes;
  return -1;
}

int bench_device_copy(int device, void *to, const void *from, size_t bytes) {
  (void)device, (void)to, (void)from, (void)bytes;
  return -1;
}

#endif
