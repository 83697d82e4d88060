#include "memory.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* OpenMP's functions are looked up when they are needed: this file links with any library. */
typedef void *(*allocate_t)(size_t bytes, int device);
typedef void (*free_t)(void *memory, int device);
typedef int (*copy_t)(void *to, const void *from, size_t bytes, size_t to_offset, size_t from_offset, int to_device,
                      int from_device);
typedef int (*number_t)(void);

static void *look_up(const char *name) {
  void *function = dlsym(RTLD_DEFAULT, name);
  if (!function) {
    fprintf(stderr, "%s is not in this program\n", name);
    exit(1);
  }
  return function;
}

void *memory_device_allocate(int device, size_t bytes) {
  return ((allocate_t)look_up("omp_target_alloc"))(bytes, device);
}

void memory_device_free(int device, void *memory) { ((free_t)look_up("omp_target_free"))(memory, device); }

int memory_device_copy(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  const int host = ((number_t)look_up("omp_get_initial_device"))();
  return ((copy_t)look_up("omp_target_memcpy"))(to, from, bytes, 0, 0, to_device < 0 ? host : to_device,
                                                from_device < 0 ? host : from_device);
}

/* The emulated device reads the host's memory. */
static int has_own_memory(const test_place_t *place) {
  return place->place == USW_DEVICE && strcmp(place->target, "simt") != 0;
}

place_memory_t memory_get(const test_place_t *place, const void *contents, size_t bytes, size_t offset_bytes) {
  place_memory_t memory = {.device = has_own_memory(place) ? place->device : -1};
  const size_t all_bytes = offset_bytes + bytes ? offset_bytes + bytes : 1;
  memory.block = memory.device < 0 ? malloc(all_bytes) : memory_device_allocate(memory.device, all_bytes);
  if (!memory.block) {
    fprintf(stderr, "no memory for %zu bytes on %s\n", all_bytes, place->target);
    exit(1);
  }
  memory.data = (char *)memory.block + offset_bytes;
  void *zeros = contents ? NULL : calloc(1, all_bytes);
  const void *from = contents ? contents : zeros;
  if (memory.device < 0)
    memcpy(memory.data, from, bytes);
  else if (bytes && memory_device_copy(memory.data, memory.device, from, -1, bytes) != 0) {
    fprintf(stderr, "cannot copy %zu bytes to %s\n", bytes, place->target);
    exit(1);
  }
  free(zeros);
  return memory;
}

void memory_read(const place_memory_t *memory, void *contents_out, size_t bytes) {
  if (memory->device < 0)
    memcpy(contents_out, memory->data, bytes);
  else if (memory_device_copy(contents_out, -1, memory->data, memory->device, bytes) != 0) {
    fprintf(stderr, "cannot copy %zu bytes from device %d\n", bytes, memory->device);
    exit(1);
  }
}

void memory_free(place_memory_t *memory) {
  if (memory->device < 0)
    free(memory->block);
  else
    memory_device_free(memory->device, memory->block);
  memory->block = memory->data = NULL;
}
