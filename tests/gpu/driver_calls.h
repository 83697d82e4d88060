/* What of the driver streams.c calls, found at run time: the test links without it. */
#ifndef USW_TESTS_DRIVER_CALLS_H
#define USW_TESTS_DRIVER_CALLS_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef unsigned long long address_t;

static int (*cuDevicePrimaryCtxRetain)(void **, int);
static int (*cuCtxSetCurrent)(void *);
static int (*cuCtxCreate)(void **, unsigned, int);
static int (*cuCtxDestroy)(void *);
static int (*cuMemAlloc)(address_t *, size_t);
static int (*cuMemHostAlloc)(void **, size_t, unsigned);
static int (*cuMemsetD32Async)(address_t, unsigned, size_t, void *);
static int (*cuMemcpyDtoHAsync)(void *, address_t, size_t, void *);
static int (*cuMemcpyHtoD)(address_t, const void *, size_t);
static int (*cuStreamCreate)(void **, unsigned);
static int (*cuStreamSynchronize)(void *);
static int (*cuStreamBeginCapture)(void *, int);
static int (*cuStreamEndCapture)(void *, void **);
static int (*cuGraphInstantiate)(void **, void *, unsigned long long);
static int (*cuGraphLaunch)(void *, void *);

static int find_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  const struct {
    const char *name;
    void *address;
  } functions[] = {{"cuDevicePrimaryCtxRetain", &cuDevicePrimaryCtxRetain},
                   {"cuCtxSetCurrent", &cuCtxSetCurrent},
                   {"cuCtxCreate_v2", &cuCtxCreate},
                   {"cuCtxDestroy_v2", &cuCtxDestroy},
                   {"cuMemAlloc_v2", &cuMemAlloc},
                   {"cuMemHostAlloc", &cuMemHostAlloc},
                   {"cuMemsetD32Async", &cuMemsetD32Async},
                   {"cuMemcpyDtoHAsync_v2", &cuMemcpyDtoHAsync},
                   {"cuMemcpyHtoD_v2", &cuMemcpyHtoD},
                   {"cuStreamCreate", &cuStreamCreate},
                   {"cuStreamSynchronize", &cuStreamSynchronize},
                   {"cuStreamBeginCapture_v2", &cuStreamBeginCapture},
                   {"cuStreamEndCapture", &cuStreamEndCapture},
                   {"cuGraphInstantiateWithFlags", &cuGraphInstantiate},
                   {"cuGraphLaunch", &cuGraphLaunch}};
  for (size_t k = 0; k < sizeof functions / sizeof *functions && library; k++) {
    void *found = dlsym(library, functions[k].name);
    if (!found)
      return 0;
    memcpy(functions[k].address, &found, sizeof found);
  }
  return library != NULL;
}

#endif
