#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mixed_calls.h"

long mixed_resident_kib(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld %ld", &pages, &resident) < 2)
    resident = 0;
  if (file)
    fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) >> 10);
}

typedef int (*retain_t)(void **context, int device);
typedef int (*set_t)(void *context);
typedef int (*free_t)(size_t *free_out, size_t *all_out);

/* As the driver says in the context that calls use, of its first GPU. */
long mixed_free_kib_of_gpu(const test_place_t *place) {
  void *context = NULL, *library = strcmp(place->target, "nvptx") == 0 ? dlopen("libcuda.so.1", RTLD_NOW) : NULL;
  size_t free_bytes = 0, all = 0;
  if (!library)
    return -1;
  const retain_t retain = (retain_t)(uintptr_t)dlsym(library, "cuDevicePrimaryCtxRetain");
  const set_t set = (set_t)(uintptr_t)dlsym(library, "cuCtxSetCurrent");
  const free_t get = (free_t)(uintptr_t)dlsym(library, "cuMemGetInfo_v2");
  if (!retain || !set || !get || retain(&context, 0) != 0 || set(context) != 0 || get(&free_bytes, &all) != 0)
    return -1;
  return (long)(free_bytes >> 10);
}
