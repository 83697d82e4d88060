/* The backend through a GPU's own driver: see driver.h. */

#include "backend/driver.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu_driver.h"
#include "backend/image.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/pause.h"
#include "machine/environment.h"

/* ---- entries ---- */

enum { KERNELS = 4096, MODULES = 64, PROBES = 64, TRIES = 16 /* to get an entry that the driver has refused */ };

/* What is known of one kernel, by its stub. */
typedef struct known {
  _Atomic(uintptr_t) stub;
  atomic_int is_known[USWI_MAX_DEVICES];
  uint8_t tries[USWI_MAX_DEVICES]; /* with the lock held */
  uswi_driver_entry_t entry[USWI_MAX_DEVICES];
} known_t;

typedef struct module {
  const unsigned char *image;
  const uswi_device_t *device;
  void *handle;
} module_t;

static _Atomic(known_t *) table[KERNELS];
static module_t modules[MODULES];
static int module_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static known_t *known_of(uintptr_t stub) {
  size_t k = (stub >> 4) * 0x9e3779b97f4a7c15u >> 32 & (KERNELS - 1);
  for (int probe = 0; probe < PROBES; probe++, k = (k + 1) & (KERNELS - 1)) {
    known_t *known = atomic_load_explicit(&table[k], memory_order_acquire);
    if (!known) {
      known_t *fresh = calloc(1, sizeof *fresh);
      if (!fresh)
        return NULL;
      atomic_init(&fresh->stub, stub);
      if (atomic_compare_exchange_strong(&table[k], &known, fresh))
        return fresh;
      free(fresh);
    }
    if (known->stub == stub)
      return known;
  }
  return NULL;
}

/* The image's module on a GPU, loaded once. With the lock held. */
static void *module_of(const uswi_device_t *device, uswi_image_t image) {
  for (int m = 0; m < module_count; m++)
    if (modules[m].image == image.start && modules[m].device == device)
      return modules[m].handle;
  if (module_count == MODULES)
    return NULL;
  void *handle = device->driver->load(device->ordinal, image.start);
  if (handle)
    modules[module_count++] = (module_t){image.start, device, handle};
  return handle;
}

static int has_stride(const usw_argument_t *argument) {
  return argument->kind == USW_ARGUMENT_IN || argument->kind == USW_ARGUMENT_OUT;
}

/* Whether the launch says where the reducer's results are, or how long its span is. */
static int has_word(const usw_kernel_t *kernel, uint32_t reducer) {
  return kernel->reducers[reducer].dimensions == 1 || (kernel->facts & USW_FACT_MANY_RESULTS) != 0;
}

/* Words that a region's entry takes: see USW_LAUNCH_WORDS. */
static size_t words_of(const usw_kernel_t *kernel) {
  size_t words = 1 + USWI_LAUNCH_WORDS + kernel->argument_count + 1;
  for (uint32_t a = 0; a < kernel->argument_count; a++)
    words += (size_t)has_stride(&kernel->arguments[a]);
  for (uint32_t r = 0; r < kernel->reducer_count; r++)
    words += (size_t)has_word(kernel, r);
  return words;
}

/* *is_final_out: the answer is the same at every try; the driver's may be another one when it has memory again. */
static void *find(const uswi_device_t *device, const usw_kernel_t *kernel, const char **why_out, int *is_final_out) {
  const char *symbol;
  *is_final_out = 1;
  *why_out = device->driver->lack();
  if (*why_out)
    return NULL;
  const uswi_image_t image = uswi_image_of((const void *)(uintptr_t)kernel->bare.stub, device->image);
  *why_out = "the program has no image of its own for this GPU";
  if (!image.start)
    return NULL;
  *why_out = "the kernel's file has variables on the device, of which there would be two";
  if (uswi_image_has_variables(image))
    return NULL;
  *why_out = "its entry is not found, or not the only one of this name";
  if (uswi_image_entries(image, kernel->bare.stub_name, &symbol) != 1)
    return NULL;
  *is_final_out = 0;
  *why_out = "the driver cannot load the image";
  void *module = module_of(device, image);
  if (!module)
    return NULL;
  void *entry = device->driver->function(device->ordinal, module, symbol, words_of(kernel));
  *why_out = entry ? "" : "its entry takes other arguments than this library knows";
  return entry;
}

/* Returns whether there is no need to look again. */
static int look_up(const uswi_device_t *device, const usw_kernel_t *kernel, uswi_driver_entry_t *entry) {
  int is_final;
  *entry = (uswi_driver_entry_t){.why = "", .lack = USW_ERROR_UNSUPPORTED};
  entry->function = find(device, kernel, &entry->why, &is_final);
  if (entry->function)
    entry->resident_teams = device->driver->resident_teams(device->ordinal, entry->function, kernel->bare.team_size);
  return is_final || (entry->function && entry->resident_teams > 0);
}

/* With the lock held. An answer that is not the last one must not be seen: other threads read the last one without the lock. */
static const uswi_driver_entry_t *look_up_again(const uswi_device_t *device, const usw_kernel_t *kernel,
                                                known_t *known) {
  static const uswi_driver_entry_t refused = {.why = "the driver has refused its image or entry",
                                              .lack = USW_ERROR_DEVICE};
  uswi_driver_entry_t entry;
  const int d = device->number % USWI_MAX_DEVICES;
  if (!look_up(device, kernel, &entry) && ++known->tries[d] < TRIES)
    return &refused;
  known->entry[d] = entry;
  atomic_store_explicit(&known->is_known[d], 1, memory_order_release);
  return &known->entry[d];
}

const uswi_driver_entry_t *uswi_driver_entry(const uswi_device_t *device, const usw_kernel_t *kernel) {
  static const uswi_driver_entry_t other = {.why = "the device is not NVIDIA's", .lack = USW_ERROR_UNSUPPORTED},
                                   no_room = {.why = "there is no room for what is known of its entry",
                                              .lack = USW_ERROR_MEMORY};
  if (!device->driver || !kernel->bare.stub)
    return &other;
  known_t *known = known_of((uintptr_t)kernel->bare.stub);
  const int d = device->number % USWI_MAX_DEVICES;
  if (!known)
    return &no_room;
  const uswi_driver_entry_t *entry = &known->entry[d];
  if (!atomic_load_explicit(&known->is_known[d], memory_order_acquire)) {
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&known->is_known[d], memory_order_relaxed))
      entry = look_up_again(device, kernel, known);
    pthread_mutex_unlock(&lock);
  }
  return entry;
}

/* ---- launches ---- */

/* What every byte of a record is until the device has written it. A result may be the same: then the stream tells that it is
 * there. */
enum { UNTOUCHED = 0xb1 };

void uswi_driver_arm(void *records, size_t bytes) { memset(records, UNTOUCHED, bytes); }

static const uint32_t untouched_word = 0x01010101u * UNTOUCHED;

/* Whether one of so many words of 4 bytes is as before. */
static int has_untouched_word(const void *words, size_t count) {
  const uint32_t *word = words;
  uint32_t found = 0;
  for (size_t w = 0; w < count; w++) /* not until the first: vectors do it */
    found |= word[w] == untouched_word;
  return found != 0;
}

/* Whether a number of `bytes` still is as before, or half of it: a device may write 8 bytes as two words. */
static int is_untouched(const void *at, uint16_t bytes) {
  const uint8_t *byte = at;
  if (bytes >= 4)
    return has_untouched_word(at, bytes / 4);
  return byte[0] == UNTOUCHED && byte[bytes - 1] == UNTOUCHED;
}

/* Kernels that name the numbers of their records can be watched, but not many results, nor scans: when the record has arrived, others have
 * not. */
int uswi_driver_watches(const usw_kernel_t *kernel) {
  return kernel->member_count > 0 && !(kernel->facts & (USW_FACT_MANY_RESULTS | USW_FACT_SCAN)) &&
         uswi_environment()->wait == USWI_WAIT_SPIN;
}

enum {
  LOOKS = 4096,             /* between two questions to the driver: tens of microseconds; */
  LOOKS_AT_FEW_BYTES = 256, /* fewer at numbers that are likely to be what an untouched one is */
  AHEAD_BYTES = 1024,
  LINE_BYTES = 64,
  LINE_WORDS = LINE_BYTES / 4
};

static int is_running(const uswi_pending_t *pending, int *error_out) {
  return pending->event ? pending->device->driver->is_event_pending(pending->event, error_out)
                        : pending->device->driver->is_running(pending->stream, error_out);
}

/* Whether every byte of a record is of a number of 4 bytes or more, and how often to ask the driver. */
typedef struct shape {
  int is_whole;
  uint32_t looks;
} shape_t;

static shape_t shape_of(const uswi_pending_t *pending) {
  const usw_kernel_t *k = pending->kernel;
  shape_t shape = {1, LOOKS};
  size_t bytes = 0;
  for (const usw_member_t *m = k->members; m < k->members + k->member_count; m++) {
    bytes += (size_t)m->bytes * m->count;
    if (m->count > 0 && m->bytes < 4)
      shape = (shape_t){0, LOOKS_AT_FEW_BYTES};
  }
  shape.is_whole &= bytes == pending->watch.record_bytes;
  return shape;
}

/* Whether a number of a record has not arrived. */
static int is_incomplete(const uswi_pending_t *pending, uint32_t record) {
  const uswi_watch_t *watch = &pending->watch;
  const usw_kernel_t *k = pending->kernel;
  const char *at = (const char *)watch->records + record * watch->record_bytes;
  for (const usw_member_t *m = k->members; m < k->members + k->member_count; m++)
    for (uint32_t i = 0; i < m->count; i++)
      if (is_untouched(at + m->offset_bytes + (size_t)i * m->bytes, m->bytes))
        return 1;
  return 0;
}

/* What is looked at one after the other: records, or, where every word of theirs is part of a number, lines of all of them, since
 * many small records take long. */
static size_t count_of(const uswi_watch_t *watch, shape_t shape) {
  return shape.is_whole ? uswi_quotient_up(watch->count * watch->record_bytes, LINE_BYTES) : watch->count;
}
static size_t bytes_of(const uswi_watch_t *watch, shape_t shape) {
  return shape.is_whole ? LINE_BYTES : watch->record_bytes;
}
static int has_arrived_at(const uswi_pending_t *pending, shape_t shape, size_t number) {
  const uswi_watch_t *watch = &pending->watch;
  const uint32_t *const words = watch->records;
  const size_t word = number * LINE_WORDS, end = watch->count * watch->record_bytes / 4;
  atomic_signal_fence(memory_order_seq_cst); /* the device writes: look again */
  if (!shape.is_whole)
    return !is_incomplete(pending, (uint32_t)number);
  return !(word + LINE_WORDS <= end ? has_untouched_word(words + word, LINE_WORDS)
                                    : has_untouched_word(words + word, end - word));
}

/* Have the lines at some distance behind a place fetched: when what is first has arrived, others have as well, and each line
 * comes from the memory that the device wrote. */
static void fetch_ahead(const uswi_watch_t *watch, size_t offset, size_t step) {
  const char *const end = (const char *)watch->records + watch->count * watch->record_bytes;
  const char *const at = (const char *)watch->records + offset;
  const char *from = offset == step ? at : at + AHEAD_BYTES - step;
  for (; from < at + AHEAD_BYTES && from < end; from += LINE_BYTES)
    __builtin_prefetch(from);
}

/* Between two looks: whether nothing runs any more, with the driver's error then, which is asked for every so many looks. */
static inline int has_stopped(const uswi_pending_t *pending, uint32_t *looks, uint32_t most_looks, int *error_out) {
  uswi_pause();
  return ++*looks % most_looks == 0 && !is_running(pending, error_out);
}

/* Until all records have arrived, or nothing runs any more: the driver's error then. */
static int watch(const uswi_pending_t *pending) {
  const shape_t shape = shape_of(pending);
  const size_t count = count_of(&pending->watch, shape), step = bytes_of(&pending->watch, shape);
  uint32_t looks = 0;
  int error = 0;
  for (size_t k = 0; k < count; k++) {
    if (k > 0)
      fetch_ahead(&pending->watch, k * step, step);
    while (!has_arrived_at(pending, shape, k))
      if (has_stopped(pending, &looks, shape.looks, &error))
        return error;
  }
  return error;
}

/* The same of a word that tells it. */
static int watch_word(const uswi_pending_t *pending) {
  uint32_t looks = 0;
  int error = 0;
  while (*pending->written == 0 && !has_stopped(pending, &looks, LOOKS, &error))
    ;
  return error;
}

/* One look at all of them. */
static int has_arrived(const uswi_pending_t *pending) {
  const shape_t shape = shape_of(pending);
  for (size_t k = 0; k < count_of(&pending->watch, shape); k++)
    if (!has_arrived_at(pending, shape, k))
      return 0;
  return pending->watch.count > 0;
}

/* The words of a launch, as words_of() counts them; returns how many. */
#define FILL(T, name) words[w++] = (uint64_t)(uintptr_t)(name);
static size_t fill(const uswi_driver_call_t *call, uint64_t *words) {
  const usw_launch_t *how = call->how;
  const usw_kernel_t *k = call->kernel;
  const size_t n = call->n;
  const uint32_t finish = how->finish, aligned = how->aligned;
  const void *records = how->records, *partials = how->partials, *ticket = how->ticket, *out = call->out;
  size_t w = 0, stride = 0;
  words[w++] = 0;
  USW_LAUNCH_WORDS(FILL, void)
  for (uint32_t a = 0; a < k->argument_count; a++) {
    words[w++] = call->arguments[a];
    if (has_stride(&k->arguments[a]))
      words[w++] = (uint64_t)how->strides[stride++];
  }
  for (uint32_t r = 0; r < k->reducer_count; r++)
    if (has_word(k, r))
      words[w++] = how->extents[r];
  words[w++] = how->teams;
  return w;
}

atomic_int uswi_driver_lost[USWI_MAX_DEVICES];

static atomic_int *lost_by(const uswi_device_t *device) { return &uswi_driver_lost[device->number % USWI_MAX_DEVICES]; }

usw_status_t uswi_driver_status(const uswi_device_t *device, const char *name, int error) {
  if (error == 0)
    return USW_OK;
  const uswi_gpu_error_t kind = device->driver->error_kind(error);
  if (kind == USWI_GPU_LOST)
    atomic_store(lost_by(device), error);
  return uswi_fail(kind == USWI_GPU_FULL ? USW_ERROR_MEMORY : USW_ERROR_DEVICE, "%s: device %d: %s", name,
                   device->number, device->driver->error_text(error));
}

usw_status_t uswi_driver_refuse(const uswi_device_t *device, const char *name) {
  return uswi_fail(USW_ERROR_DEVICE, "%s: device %d is lost to this process: an earlier launch ended with '%s'", name,
                   device->number, device->driver->error_text(atomic_load(lost_by(device))));
}

/* Threads that are in the driver to launch, by device. Graphs are launched one after the other: with many threads launches
 * are quicker (H200, calls a ms: 4 threads 460 by graphs, 428 by launches; 8 threads 449 and 710). */
enum { FEW_LAUNCHING = 2 };
static struct {
  _Alignas(LINE_BYTES) atomic_uint threads;
} launching[USWI_MAX_DEVICES];

/* Enter: whether a graph is the quicker way now. */
static int begin_launch(const uswi_device_t *device) {
  atomic_uint *const threads = &launching[device->number % USWI_MAX_DEVICES].threads;
  return atomic_fetch_add_explicit(threads, 1, memory_order_relaxed) < FEW_LAUNCHING;
}

static void end_launch(const uswi_device_t *device) {
  atomic_fetch_sub_explicit(&launching[device->number % USWI_MAX_DEVICES].threads, 1, memory_order_relaxed);
}

usw_status_t uswi_driver_launch(void *function, const uswi_driver_call_t *call) {
  uint64_t words[USWI_MOST_WORDS];
  void *arguments[USWI_MOST_WORDS];
  const size_t count = fill(call, words);
  for (size_t w = 0; w < count; w++)
    arguments[w] = &words[w];
  const uswi_gpu_launch_t launch = {
      call->device->driver, call->device->ordinal, call->how->teams, call->kernel->bare.team_size, function, arguments};
  const int error = begin_launch(call->device) && call->graphs
                        ? uswi_graphs_launch(call->graphs, &launch, words, count, call->stream)
                        : launch.driver->launch(&launch, call->stream);
  end_launch(call->device);
  return uswi_driver_status(call->device, call->name, error);
}

int uswi_driver_launch_again(const uswi_pending_t *pending, uswi_graphs_t *graphs, usw_status_t *status_out) {
  const uswi_watch_t *watch = &pending->watch;
  if (watch->count > 0)
    uswi_driver_arm(watch->records, watch->count * watch->record_bytes);
  const int error = begin_launch(pending->device) ? uswi_graphs_launch_again(graphs, pending->stream) : -1;
  end_launch(pending->device);
  if (error == -1)
    return 0;
  *status_out = uswi_driver_status(pending->device, pending->name, error);
  return 1;
}

usw_status_t uswi_driver_wait(const uswi_pending_t *pending) {
  const int may_watch = pending->written && uswi_environment()->wait == USWI_WAIT_SPIN;
  const int error = pending->watch.count > 0 ? watch(pending)
                    : may_watch              ? watch_word(pending)
                    : pending->event         ? pending->device->driver->wait_for_event(pending->event)
                                             : pending->device->driver->wait(pending->stream);
  atomic_thread_fence(memory_order_acquire);
  return uswi_driver_status(pending->device, pending->name, error);
}

int uswi_driver_is_done(const uswi_pending_t *pending, usw_status_t *status_out) {
  int error = 0;
  const int done = has_arrived(pending) || !is_running(pending, &error);
  atomic_thread_fence(memory_order_acquire);
  if (done)
    *status_out = uswi_driver_status(pending->device, pending->name, error);
  return done;
}

void uswi_driver_release(void) {
  pthread_mutex_lock(&lock);
  for (int m = 0; m < module_count; m++)
    modules[m].device->driver->unload(modules[m].device->ordinal, modules[m].handle);
  module_count = 0;
  pthread_mutex_unlock(&lock);
}
