/* A driver for machines without a GPU: the devices are those of the emulation (tests/simt), whose memory is the host's. A
 * launch runs at once, in the thread that makes it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upsweep/descriptor.h>

#include "backend/backend.h"
#include "backend/graphs.h"
#include "points.h"
#include "stub_image.h"

#ifdef USW_PORT_SIMT
#include "backend_simt.h"

#define DECLARE(name) extern const usw_kernel_t name##_kernel;
STUB_KERNELS(DECLARE)

enum { OK = 0, ERROR_VALUE = 1, ERROR_MEMORY = 2, ERROR_NOT_FOUND = 500, MULTIPROCESSORS = 4 };

typedef unsigned long long address_t;
static char contexts[SIMT_MOST_DEVICES], module_handle;
static _Thread_local char *current; /* context */

/* ---- entries: a kernel is its own handle ---- */

static int get_function(void **function, void *module, const char *name) {
#define KERNEL(kernel) {STUB_SYMBOL(kernel), &kernel##_kernel},
  static const struct {
    const char *name;
    const usw_kernel_t *kernel;
  } kernels[] = {STUB_KERNELS(KERNEL)};
  (void)module;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
    if (strcmp(kernels[k].name, name) == 0) {
      *function = (void *)(uintptr_t)kernels[k].kernel;
      return OK;
    }
  return ERROR_NOT_FOUND;
}

static int has_stride(const usw_argument_t *argument) {
  return argument->kind == USW_ARGUMENT_IN || argument->kind == USW_ARGUMENT_OUT;
}

static int has_word(const usw_kernel_t *kernel, uint32_t reducer) {
  return kernel->reducers[reducer].dimensions == 1 || (kernel->facts & USW_FACT_MANY_RESULTS) != 0;
}

/* The words of an entry, as the compiler lays out what its region captures. */
#define TAKE(T, name) name = (T)(uintptr_t)*word++;
static size_t run(const usw_kernel_t *k, const uint64_t *words, int is_counted) {
  const uint64_t *word = words + 1;
  uint64_t arguments[USWI_MAX_ARGUMENTS], extents[USWI_MAX_REDUCERS];
  ptrdiff_t strides[2 * USW_MAX_INPUTS];
  usw_launch_t how = {.strides = strides, .extents = extents};
  size_t n, stride = 0;
  uint32_t finish, aligned;
  const void *records;
  void *partials, *out;
  uint32_t *ticket;
  USW_LAUNCH_WORDS(TAKE, void)
  for (uint32_t a = 0; a < k->argument_count; a++) {
    arguments[a] = *word++;
    if (has_stride(&k->arguments[a]))
      strides[stride++] = (ptrdiff_t)*word++;
  }
  for (uint32_t r = 0; r < k->reducer_count; r++)
    extents[r] = has_word(k, r) ? *word++ : 1;
  how.teams = (uint32_t)*word++;
  how.finish = finish;
  how.aligned = aligned;
  how.records = records;
  how.partials = partials;
  how.ticket = ticket;
  if (!is_counted)
    k->bare.stub(&how, n, arguments, out);
  return (size_t)(word - words);
}

static int parameter(void *function, size_t number, size_t *offset, size_t *bytes) {
  static const uint64_t none[USWI_MOST_WORDS];
  if (number >= run(function, none, 1))
    return ERROR_VALUE;
  *offset = 8 * number;
  *bytes = 8;
  return OK;
}

static int launch_words(void *function, void *const *arguments) {
  static const uint64_t none[USWI_MOST_WORDS];
  uint64_t words[USWI_MOST_WORDS];
  const size_t count = run(function, none, 1);
  for (size_t w = 0; w < count; w++)
    memcpy(&words[w], arguments[w], sizeof words[w]);
  run(function, words, 0);
  return OK;
}

static int launch(void *function, unsigned teams, unsigned y, unsigned z, unsigned size, unsigned size_y,
                  unsigned size_z, unsigned shared, void *stream, void **arguments, void **extra) {
  (void)teams, (void)y, (void)z, (void)size, (void)size_y, (void)size_z, (void)shared, (void)stream, (void)extra;
  return launch_words(function, arguments);
}

/* ---- graphs of one kernel ---- */

/* Handles are allocations, so that a sanitizer sees which are left: past the faults, because they are the driver's. */
void *__real_calloc(size_t count, size_t bytes);
void __real_free(void *memory);

typedef struct node { /* CUDA_KERNEL_NODE_PARAMS */
  void *function;
  unsigned teams[3], team_size[3], team_memory_bytes;
  void **arguments, **extra, *kernel, *context;
} node_t;

typedef struct graph {
  void *function;
  uint64_t words[USWI_MOST_WORDS];
} graph_t;

static int set(graph_t *graph, const node_t *node) {
  static const uint64_t none[USWI_MOST_WORDS];
  graph->function = node->function;
  for (size_t w = 0; w < run(node->function, none, 1); w++)
    memcpy(&graph->words[w], node->arguments[w], sizeof graph->words[w]);
  return OK;
}

static int make(void **handle, unsigned flags) {
  (void)flags;
  *handle = __real_calloc(1, 1);
  return *handle ? OK : ERROR_MEMORY;
}
static int end(void *handle) {
  __real_free(handle);
  return OK;
}

static int create_graph(void **graph, unsigned flags) {
  (void)flags;
  *graph = __real_calloc(1, sizeof(graph_t));
  return *graph ? OK : ERROR_MEMORY;
}
static int add_node(void **node, void *graph, void *const *before, size_t count, const node_t *how) {
  (void)before, (void)count;
  *node = graph;
  return set(graph, how);
}
static int instantiate(void **executable, void *graph, unsigned long long flags) {
  (void)flags;
  *executable = __real_calloc(1, sizeof(graph_t));
  if (*executable)
    memcpy(*executable, graph, sizeof(graph_t));
  return *executable ? OK : ERROR_MEMORY;
}
static int set_node(void *executable, void *node, const node_t *how) {
  (void)node;
  return set(executable, how);
}
static int launch_graph(void *executable, void *stream) {
  const graph_t *graph = executable;
  (void)stream;
  run(graph->function, graph->words, 0);
  return OK;
}

/* ---- the rest ---- */

static int init(unsigned flags) { return (int)flags; }
static int version(int *version) {
  *version = 12040;
  return OK;
}
static int count(int *devices) {
  *devices = simt_devices();
  return OK;
}
static int attribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : MULTIPROCESSORS;
  return OK;
}
static int pointer_attributes(unsigned count, int *attributes, void **values, address_t address) {
  (void)count, (void)attributes;
  address_t start;
  size_t bytes;
  int device;
  const int is_there = simt_range_of((const void *)(uintptr_t)address, &device, &start, &bytes);
  *(unsigned *)values[0] = is_there ? 2 : 0;
  *(unsigned *)values[1] = 0;
  *(int *)values[2] = is_there ? device : -2;
  *(address_t *)values[3] = start;
  *(size_t *)values[4] = bytes;
  return OK;
}
static int range_attribute(void *value, size_t bytes, int attribute, address_t address, size_t range) {
  (void)value, (void)bytes, (void)attribute, (void)address, (void)range;
  return ERROR_VALUE;
}
static int retain(void **handle, int device) {
  if (device < 0 || device >= simt_devices())
    return ERROR_VALUE;
  *handle = &contexts[device];
  return OK;
}
static int release(int device) { return device < simt_devices() ? OK : ERROR_VALUE; }
static int push(void *handle) {
  current = handle;
  return OK;
}
static int pop(void **handle) {
  *handle = current;
  return OK;
}
static int get_flags(unsigned *flags) {
  *flags = 0;
  return OK;
}
static int set_flags(unsigned flags) {
  (void)flags;
  return OK;
}
static int load_module(void **module, const void *image) {
  (void)image;
  *module = &module_handle;
  return OK;
}
static int done(void *handle) {
  (void)handle;
  return OK;
}
static int resident(int *teams, void *function, int size, size_t shared) {
  (void)function, (void)size, (void)shared;
  *teams = 2;
  return OK;
}
static int error_text(int error, const char **text) {
  *text = error == ERROR_MEMORY ? "out of memory" : error == 719 ? "unspecified launch failure" : "another error";
  return OK;
}
static int stream_context(void *stream, void **handle) {
  (void)stream;
  *handle = &contexts[0];
  return OK;
}
static int is_capturing(void *stream, int *status) {
  (void)stream;
  *status = 0;
  return OK;
}
static int exchange_capture(int *mode) {
  *mode = 0;
  return OK;
}
static int record(void *event, void *stream) {
  (void)event, (void)stream;
  return OK;
}
static int order_after(void *stream, void *event, unsigned flags) {
  (void)stream, (void)event, (void)flags;
  return OK;
}
static int call_host(void *stream, void (*function)(void *), void *argument) {
  (void)stream;
  function(argument);
  return OK;
}
static int slow_gpu = -1;
static long slow_ns_of_kib;

void stub_slow_down(int gpu, long ns_of_kib) {
  slow_gpu = gpu;
  slow_ns_of_kib = ns_of_kib;
}

static void wait_for_link(address_t to, size_t copied) {
  address_t start;
  size_t bytes;
  int device;
  const long ns = slow_ns_of_kib * (long)(copied >> 10);
  const struct timespec time = {ns / 1000000000, ns % 1000000000};
  if (slow_gpu >= 0 && simt_range_of((const void *)(uintptr_t)to, &device, &start, &bytes) && device == slow_gpu)
    nanosleep(&time, NULL);
}

static int to_device(address_t to, const void *from, size_t bytes, void *stream) {
  (void)stream;
  wait_for_link(to, bytes);
  memcpy((void *)(uintptr_t)to, from, bytes);
  return OK;
}
static int to_host(void *to, address_t from, size_t bytes, void *stream) {
  (void)stream;
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return OK;
}
static int across(address_t to, void *to_context, address_t from, void *context, size_t bytes, void *stream) {
  (void)to_context, (void)context, (void)stream;
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return OK;
}
static int fill(address_t to, unsigned char value, size_t bytes, void *stream) {
  (void)stream;
  memset((void *)(uintptr_t)to, value, bytes);
  return OK;
}
static int name_of(char *name, int bytes, int device) {
  (void)device;
  snprintf(name, (size_t)bytes, "stub");
  return OK;
}
static int memory_of(size_t *bytes, int device) {
  (void)device;
  *bytes = (size_t)1 << 30;
  return OK;
}
/* In capital letters, as NVIDIA's driver may have it. */
static int bus_of(char *address, int bytes, int device) {
  snprintf(address, (size_t)bytes, "0000:A%X:00.0", (unsigned)device);
  return OK;
}

#define ENTRY(symbol, function) {symbol, (void *)(uintptr_t)function}
static const point_t functions[] = {ENTRY("cuInit", init),
                                    ENTRY("cuDriverGetVersion", version),
                                    ENTRY("cuDeviceGetCount", count),
                                    ENTRY("cuDeviceGetAttribute", attribute),
                                    ENTRY("cuPointerGetAttributes", pointer_attributes),
                                    ENTRY("cuMemRangeGetAttribute", range_attribute),
                                    ENTRY("cuDevicePrimaryCtxRetain", retain),
                                    ENTRY("cuDevicePrimaryCtxRelease_v2", release),
                                    ENTRY("cuCtxPushCurrent_v2", push),
                                    ENTRY("cuCtxPopCurrent_v2", pop),
                                    ENTRY("cuCtxGetFlags", get_flags),
                                    ENTRY("cuCtxSetFlags", set_flags),
                                    ENTRY("cuModuleLoadData", load_module),
                                    ENTRY("cuModuleUnload", done),
                                    ENTRY("cuModuleGetFunction", get_function),
                                    ENTRY("cuFuncGetParamInfo", parameter),
                                    ENTRY("cuOccupancyMaxActiveBlocksPerMultiprocessor", resident),
                                    ENTRY("cuStreamCreate", make),
                                    ENTRY("cuStreamDestroy_v2", end),
                                    ENTRY("cuStreamQuery", done),
                                    ENTRY("cuStreamSynchronize", done),
                                    ENTRY("cuLaunchKernel", launch),
                                    ENTRY("cuGraphCreate", create_graph),
                                    ENTRY("cuGraphAddKernelNode_v2", add_node),
                                    ENTRY("cuGraphInstantiateWithFlags", instantiate),
                                    ENTRY("cuGraphExecKernelNodeSetParams_v2", set_node),
                                    ENTRY("cuGraphLaunch", launch_graph),
                                    ENTRY("cuGraphExecDestroy", end),
                                    ENTRY("cuGraphDestroy", end),
                                    ENTRY("cuGetErrorString", error_text),
                                    ENTRY("cuStreamGetCtx", stream_context),
                                    ENTRY("cuStreamIsCapturing", is_capturing),
                                    ENTRY("cuThreadExchangeStreamCaptureMode", exchange_capture),
                                    ENTRY("cuEventCreate", make),
                                    ENTRY("cuEventDestroy_v2", end),
                                    ENTRY("cuEventRecord", record),
                                    ENTRY("cuEventQuery", done),
                                    ENTRY("cuEventSynchronize", done),
                                    ENTRY("cuStreamWaitEvent", order_after),
                                    ENTRY("cuLaunchHostFunc", call_host),
                                    ENTRY("cuMemcpyHtoDAsync_v2", to_device),
                                    ENTRY("cuMemcpyDtoHAsync_v2", to_host),
                                    ENTRY("cuMemcpyPeerAsync", across),
                                    ENTRY("cuMemsetD8Async", fill),
                                    ENTRY("cuDeviceGetName", name_of),
                                    ENTRY("cuDeviceGetPCIBusId", bus_of),
                                    ENTRY("cuDeviceTotalMem_v2", memory_of)};

static char stub;

void *points_open_stub(const char *name) {
  return simt_has_driver() && strcmp(name, "libcuda.so.1") == 0 ? &stub : NULL;
}
int points_is_stub(const void *library) { return library == &stub; }
void *points_of_stub(const char *name) {
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
    if (strcmp(functions[f].name, name) == 0)
      return functions[f].function;
  return NULL;
}
#endif
