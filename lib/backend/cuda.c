/* The numbers are those of the public interface of NVIDIA's driver, whose header is not needed to build the library. */

#include "backend/cuda.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "backend/backend.h"
#include "backend/cuda_functions.def"
#include "base/error.h"
#include "machine/environment.h"
#include "machine/numa.h"

enum { /* CUpointer_attribute, CUmemorytype, CUdevice_attribute, CUmem_range_attribute, CUctx_flags
        */
       POINTER_MEMORY_TYPE = 2,
       POINTER_IS_MANAGED = 8,
       POINTER_DEVICE_ORDINAL = 9,
       POINTER_RANGE_START = 11,
       POINTER_RANGE_BYTES = 12,
       MEMORY_TYPE_HOST = 1,
       MEMORY_TYPE_DEVICE = 2,
       DEVICE_MULTIPROCESSORS = 16,
       DEVICE_MAJOR = 75,
       DEVICE_MINOR = 76,
       RANGE_PREFERRED_LOCATION = 2,
       LOCATION_HOST = -1,
       LOCATION_NONE = -2,
       CONTEXT_WAIT_MASK = 7,
       ERROR_VALUE = 1,
       MOST_GPUS = 64
};

typedef struct node { /* CUDA_KERNEL_NODE_PARAMS, since CUDA 12.0 */
  void *function;
  unsigned teams[3], team_size[3], team_memory_bytes;
  void **arguments, **extra, *kernel, *context;
} node_t;

#define POINTER(name, symbol, parameters) int(*name) parameters;
#define SYMBOL(name, symbol, parameters) {symbol, &driver.name},

typedef struct driver {
  USWI_CUDA_BASIC(POINTER)
  USWI_CUDA_LAUNCHES(POINTER)
  USWI_CUDA_OPTIONAL(POINTER)
  int count;
  int can_launch; /* 1: the functions above that launching needs are there */
} driver_t;

static driver_t driver;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct {
  int changed;
  unsigned flags;
} found_wait[MOST_GPUS];

typedef struct symbol {
  const char *name;
  void *address; /* of the pointer */
} symbol_t;

/* Whether the library has all of them. */
static int find_all(void *library, const symbol_t *symbols, size_t count) {
  size_t found = 0;
  for (size_t s = 0; s < count; s++) {
    void *address = dlsym(library, symbols[s].name);
    *(void **)symbols[s].address = address;
    found += address != NULL;
  }
  return found == count;
}

static void load(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return;
  const symbol_t symbols[] = {USWI_CUDA_BASIC(SYMBOL)}, of_launches[] = {USWI_CUDA_LAUNCHES(SYMBOL)},
                 optional[] = {USWI_CUDA_OPTIONAL(SYMBOL)};
  if (!find_all(library, symbols, sizeof symbols / sizeof *symbols))
    return;
  find_all(library, optional, sizeof optional / sizeof *optional);
  driver.can_launch = find_all(library, of_launches, sizeof of_launches / sizeof *of_launches);
  int count = 0;
  if (driver.init(0) == 0 && driver.device_count(&count) == 0)
    driver.count = count < MOST_GPUS ? count : MOST_GPUS;
}

static int count_gpus(void) {
  pthread_once(&once, load);
  return driver.count;
}

/* Where a GPU is on the PCI bus: Linux writes addresses in small letters. */
static void locate(int ordinal, usw_device_info_t *gpu) {
  if (!driver.pci_address || driver.pci_address(gpu->pci_address, sizeof gpu->pci_address, ordinal) != 0)
    gpu->pci_address[0] = 0;
  for (char *c = gpu->pci_address; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  if (gpu->pci_address[0])
    gpu->node = uswi_node_of_pci(gpu->pci_address);
}

static int describe(int ordinal, usw_device_info_t *gpu) {
  int major = 0, minor = 0, multiprocessors = 0;
  size_t bytes = 0;
  if (ordinal < 0 || ordinal >= count_gpus())
    return 0;
  const int failed = driver.device_attribute(&major, DEVICE_MAJOR, ordinal) |
                     driver.device_attribute(&minor, DEVICE_MINOR, ordinal) |
                     driver.device_attribute(&multiprocessors, DEVICE_MULTIPROCESSORS, ordinal);
  gpu->multiprocessors = (uint32_t)multiprocessors;
  snprintf(gpu->image, sizeof gpu->image, "sm_%d%d", major, minor);
  if (!driver.name || driver.name(gpu->name, sizeof gpu->name, ordinal) != 0)
    gpu->name[0] = 0;
  if (driver.memory && driver.memory(&bytes, ordinal) == 0)
    gpu->memory_bytes = bytes;
  locate(ordinal, gpu);
  return !failed;
}

/* Managed memory is used where it prefers to be; without a preference, on its GPU. */
static uswi_where_t managed(const void *address, int ordinal) {
  int location = LOCATION_NONE;
  if (driver.range_attribute(&location, sizeof location, RANGE_PREFERRED_LOCATION,
                             (unsigned long long)(uintptr_t)address, 1) != 0 ||
      location == LOCATION_NONE)
    location = ordinal;
  return (uswi_where_t){.memory = USWI_MEMORY_MANAGED, .device = location == LOCATION_HOST ? -1 : location};
}

static int enter(int ordinal);
static void leave(void);

static uswi_where_t where(const void *address) {
  const uswi_where_t plain = {.memory = USWI_MEMORY_HOST, .device = -1};
  if (count_gpus() == 0)
    return plain;
  int attributes[] = {POINTER_MEMORY_TYPE, POINTER_IS_MANAGED, POINTER_DEVICE_ORDINAL, POINTER_RANGE_START,
                      POINTER_RANGE_BYTES};
  unsigned type = 0, is_managed = 0;
  int ordinal = -1;
  unsigned long long start = 0;
  size_t bytes = 0;
  void *values[] = {&type, &is_managed, &ordinal, &start, &bytes};
  const unsigned long long at = (unsigned long long)(uintptr_t)address;
  int error = driver.pointer_attributes(sizeof attributes / sizeof *attributes, attributes, values, at);
  if (error != 0 && error != ERROR_VALUE && enter(0) == 0) { /* a thread without a context may not be answered */
    error = driver.pointer_attributes(sizeof attributes / sizeof *attributes, attributes, values, at);
    leave();
  }
  if (error != 0)
    return error == ERROR_VALUE ? plain : (uswi_where_t){.memory = USWI_MEMORY_UNKNOWN, .device = -1};
  if (is_managed)
    return managed(address, ordinal);
  if (type == MEMORY_TYPE_DEVICE)
    return (uswi_where_t){USWI_MEMORY_DEVICE, ordinal, start, bytes};
  return type == MEMORY_TYPE_HOST ? (uswi_where_t){.memory = USWI_MEMORY_PINNED, .device = ordinal} : plain;
}

/* Change the wait bits of a GPU's primary context; returns the flags it had, or 0 and leaves it if
 * it cannot. */
static int change_wait(int ordinal, unsigned wait, unsigned *flags_out) {
  void *context = NULL, *popped;
  int changed = 0;
  if (!driver.set_flags || driver.retain_context(&context, ordinal) != 0)
    return 0;
  if (driver.push_context(context) == 0) {
    changed =
        driver.get_flags(flags_out) == 0 && driver.set_flags((*flags_out & ~(unsigned)CONTEXT_WAIT_MASK) | wait) == 0;
    driver.pop_context(&popped);
  }
  driver.release_context(ordinal); /* the OpenMP runtime holds the context */
  return changed;
}

static void set_wait(uswi_wait_t wait) {
  for (int g = 0; g < count_gpus(); g++) {
    found_wait[g].changed = change_wait(g, wait, &found_wait[g].flags);
    if (!found_wait[g].changed)
      uswi_warn_of_variable("GPU %d: this driver cannot change how threads wait; USW_WAIT has no effect", g);
  }
}

static void restore_wait(void) {
  unsigned ignored;
  for (int g = 0; g < MOST_GPUS; g++)
    if (found_wait[g].changed)
      change_wait(g, found_wait[g].flags & CONTEXT_WAIT_MASK, &ignored);
}

/* ---- launches ---- */

enum {
  STREAM_NON_BLOCKING = 1,
  EVENT_WITHOUT_TIME = 2,
  LEGACY_STREAM = 1,
  THREADS_STREAM = 2,
  CAPTURE_RELAXED = 2,
  ERROR_NO_MEMORY = 2,
  ERROR_NO_CONTEXT = 201,
  ERROR_NOT_READY = 600
};

/* The default streams are those of whatever context is current. */
static int is_default(const void *stream) {
  return (uintptr_t)stream == LEGACY_STREAM || (uintptr_t)stream == THREADS_STREAM;
}

/* The context that the OpenMP runtime uses, for as long as the process lives; NULL if there is none. */
static void *context_of(int ordinal) {
  static _Atomic(void *) contexts[MOST_GPUS];
  void *context = contexts[ordinal], *expected = NULL;
  if (context || driver.retain_context(&context, ordinal) != 0)
    return context;
  if (!atomic_compare_exchange_strong(&contexts[ordinal], &expected, context))
    driver.release_context(ordinal);
  return context;
}

/* Make the GPU's context this thread's, until leave(). 0, or the driver's error. */
static int enter(int ordinal) {
  void *context = context_of(ordinal);
  return context ? driver.push_context(context) : ERROR_NO_CONTEXT;
}
static void leave(void) {
  void *popped;
  driver.pop_context(&popped);
}

/* What a function of the driver's says in that context. */
#define USWI_IN_CONTEXT(ordinal, call)                                                                                 \
  int error = enter(ordinal);                                                                                          \
  if (error != 0)                                                                                                      \
    return error;                                                                                                      \
  error = call;                                                                                                        \
  leave();                                                                                                             \
  return error

static const char *lack(void) {
  return count_gpus() > 0 && driver.can_launch ? NULL : "the driver is older than CUDA 12.4: update it";
}

static void *load_image(int ordinal, const void *image) {
  void *module = NULL;
  if (enter(ordinal) != 0)
    return NULL;
  if (driver.load_module(&module, image) != 0)
    module = NULL;
  leave();
  return module;
}

static void unload(int ordinal, void *module) {
  const int has_entered = enter(ordinal) == 0;
  driver.unload_module(module);
  if (has_entered)
    leave();
}

static void *find_function(int ordinal, void *module, const char *name, size_t words) {
  void *function = NULL;
  size_t offset, bytes;
  if (enter(ordinal) != 0)
    return NULL;
  int found = driver.get_function(&function, module, name) == 0;
  for (size_t w = 0; w < words && found; w++)
    found = driver.parameter(function, w, &offset, &bytes) == 0 && offset == w * 8 && bytes == 8;
  found = found && driver.parameter(function, words, &offset, &bytes) != 0;
  leave();
  return found ? function : NULL;
}

static uint32_t resident_teams(int ordinal, void *function, uint32_t team_size) {
  int teams = 0;
  if (enter(ordinal) != 0)
    return 0;
  if (driver.resident_teams(&teams, function, (int)team_size, 0) != 0)
    teams = 0;
  leave();
  return (uint32_t)teams;
}

static int create_stream(int ordinal, void **stream_out) {
  USWI_IN_CONTEXT(ordinal, driver.create_stream(stream_out, STREAM_NON_BLOCKING));
}

/* A stream knows its context. */
static void destroy_stream(int ordinal, void *stream) {
  const int has_entered = enter(ordinal) == 0;
  driver.synchronize(stream);
  driver.destroy_stream(stream);
  if (has_entered)
    leave();
}

static int launch(const uswi_gpu_launch_t *l, void *stream) {
  return driver.launch(l->function, l->teams, 1, 1, l->team_size, 1, 1, 0, stream, l->arguments, NULL);
}

static int launch_in_context(const uswi_gpu_launch_t *l, void *stream) {
  USWI_IN_CONTEXT(l->ordinal, launch(l, stream));
}

/* A stream knows its context; the default ones, and older drivers, want it to be current, which takes a percent of a call. */
static int launch_in_stream(const uswi_gpu_launch_t *l, void *stream) {
  const int error = is_default(stream) ? ERROR_NO_CONTEXT : launch(l, stream);
  return error == ERROR_NO_CONTEXT ? launch_in_context(l, stream) : error;
}

static int is_running(void *stream, int *error_out) {
  const int error = driver.query(stream);
  *error_out = error == ERROR_NOT_READY ? 0 : error;
  return error == ERROR_NOT_READY;
}

static int wait_for_stream(void *stream) { return driver.synchronize(stream); }

static const char *error_text(int error) {
  const char *text = NULL;
  return driver.error_text(error, &text) == 0 && text ? text : "an error that the driver does not know";
}

/* The errors that leave a context unusable: CUDA_ERROR_ECC_UNCORRECTABLE, _NVLINK_UNCORRECTABLE, _ILLEGAL_ADDRESS,
 * _LAUNCH_TIMEOUT, _CONTEXT_IS_DESTROYED, _ASSERT, _HARDWARE_STACK_ERROR to _LAUNCH_FAILED. */
static uswi_gpu_error_t error_kind(int error) {
  static const int lost[] = {214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719};
  for (size_t k = 0; k < sizeof lost / sizeof *lost; k++)
    if (error == lost[k])
      return USWI_GPU_LOST;
  return error == ERROR_NO_MEMORY ? USWI_GPU_FULL : USWI_GPU_FAILED;
}

static int relax_capture(void) {
  int mode = CAPTURE_RELAXED;
  return driver.exchange_capture(&mode) == 0 ? mode : CAPTURE_RELAXED;
}

static void restore_capture(int mode) { driver.exchange_capture(&mode); }

/* ---- graphs of one launch ---- */

static node_t node_of(const uswi_gpu_launch_t *l) {
  return (node_t){.function = l->function,
                  .teams = {l->teams, 1, 1},
                  .team_size = {l->team_size, 1, 1},
                  .arguments = l->arguments,
                  .context = context_of(l->ordinal)};
}

static int build_graph(const node_t *node, uswi_gpu_graph_t *graph) {
  int error = driver.create_graph(&graph->graph, 0);
  if (error == 0)
    error = driver.add_node(&graph->node, graph->graph, NULL, 0, node);
  if (error == 0)
    error = driver.instantiate(&graph->executable, graph->graph, 0);
  return error;
}

static void destroy_graph(uswi_gpu_graph_t *graph) {
  if (graph->executable)
    driver.destroy_executable(graph->executable);
  if (graph->graph)
    driver.destroy_graph(graph->graph);
  *graph = (uswi_gpu_graph_t){0};
}

static int create_graph(const uswi_gpu_launch_t *l, uswi_gpu_graph_t *graph_out) {
  const node_t node = node_of(l);
  *graph_out = (uswi_gpu_graph_t){0};
  int error = enter(l->ordinal);
  if (error != 0)
    return error;
  const int mode = relax_capture(); /* other threads may be capturing their streams */
  error = build_graph(&node, graph_out);
  restore_capture(mode);
  leave();
  if (error != 0)
    destroy_graph(graph_out);
  return error;
}

static int set_graph(const uswi_gpu_graph_t *graph, const uswi_gpu_launch_t *l) {
  const node_t node = node_of(l);
  USWI_IN_CONTEXT(l->ordinal, driver.set_node(graph->executable, graph->node, &node));
}

static int launch_graph(const uswi_gpu_graph_t *graph, void *stream) {
  return driver.launch_graph(graph->executable, stream);
}

/* ---- streams of others, events, the host's and copies' turns in a stream ---- */

static int has_stream(int ordinal, void *stream, int *error_out) {
  void *context = NULL;
  *error_out = is_default(stream) ? 0 : driver.stream_context(stream, &context);
  return is_default(stream) || context == context_of(ordinal);
}

static int is_capturing(int ordinal, void *stream) {
  int status = 0;
  if (enter(ordinal) != 0)
    return 0;
  const int error = driver.is_capturing(stream, &status);
  leave();
  return error == 0 && status != 0;
}

static int create_event(int ordinal, void **event_out) {
  USWI_IN_CONTEXT(ordinal, driver.create_event(event_out, EVENT_WITHOUT_TIME));
}

static void destroy_event(void *event) { driver.destroy_event(event); }

static int is_event_pending(void *event, int *error_out) {
  const int error = driver.query_event(event);
  *error_out = error == ERROR_NOT_READY ? 0 : error;
  return error == ERROR_NOT_READY;
}

static int wait_for_event(void *event) { return driver.synchronize_event(event); }

static int record_event(int ordinal, void *event, void *stream) {
  USWI_IN_CONTEXT(ordinal, driver.record(event, stream));
}

static int order_after(int ordinal, void *stream, void *event) {
  USWI_IN_CONTEXT(ordinal, driver.order_after(stream, event, 0));
}

static int call_host(int ordinal, void *stream, void (*function)(void *), void *argument) {
  USWI_IN_CONTEXT(ordinal, driver.call_host(stream, function, argument));
}

static int copy_to_device(int ordinal, void *stream, void *to, const void *from, size_t bytes) {
  USWI_IN_CONTEXT(ordinal, driver.copy_to_device((unsigned long long)(uintptr_t)to, from, bytes, stream));
}

static int copy_across(int ordinal, void *stream, int to_ordinal, void *to, const void *from, size_t bytes) {
  USWI_IN_CONTEXT(ordinal, driver.copy_across((unsigned long long)(uintptr_t)to, context_of(to_ordinal),
                                              (unsigned long long)(uintptr_t)from, context_of(ordinal), bytes, stream));
}

static int copy_to_host(int ordinal, void *stream, void *to, const void *from, size_t bytes) {
  USWI_IN_CONTEXT(ordinal, driver.copy_to_host(to, (unsigned long long)(uintptr_t)from, bytes, stream));
}

static int clear(int ordinal, void *stream, void *memory, size_t bytes) {
  USWI_IN_CONTEXT(ordinal, driver.fill((unsigned long long)(uintptr_t)memory, 0, bytes, stream));
}

const uswi_gpu_driver_t uswi_cuda_driver = {.target = "nvptx",
                                            .count = count_gpus,
                                            .describe = describe,
                                            .where = where,
                                            .set_wait = set_wait,
                                            .restore_wait = restore_wait,
                                            .lack = lack,
                                            .load = load_image,
                                            .unload = unload,
                                            .function = find_function,
                                            .resident_teams = resident_teams,
                                            .launch = launch_in_stream,
                                            .error_text = error_text,
                                            .error_kind = error_kind,
                                            .create_stream = create_stream,
                                            .destroy_stream = destroy_stream,
                                            .is_running = is_running,
                                            .wait = wait_for_stream,
                                            .has_stream = has_stream,
                                            .is_capturing = is_capturing,
                                            .relax_capture = relax_capture,
                                            .restore_capture = restore_capture,
                                            .call_host = call_host,
                                            .copy_to_device = copy_to_device,
                                            .copy_to_host = copy_to_host,
                                            .clear = clear,
                                            .copy_across = copy_across,
                                            .create_graph = create_graph,
                                            .set_graph = set_graph,
                                            .launch_graph = launch_graph,
                                            .destroy_graph = destroy_graph,
                                            .create_event = create_event,
                                            .destroy_event = destroy_event,
                                            .record = record_event,
                                            .is_event_pending = is_event_pending,
                                            .wait_for_event = wait_for_event,
                                            .order_after = order_after};
