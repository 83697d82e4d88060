/* The backend through a GPU's own driver: the same entries from the same images as the OpenMP runtime's, launched on streams of
 * the library's own, while the host watches the result appear in pinned memory. It saves what the runtime does around a
 * launch, and what waiting for a stream takes. */
#ifndef USWI_BACKEND_DRIVER_H
#define USWI_BACKEND_DRIVER_H

#include <stdatomic.h>
#include <upsweep/status.h>

#include "backend/backend.h"
#include "backend/graphs.h"

/* Records that a launch writes into pinned memory. */
typedef struct uswi_watch {
  void *records;
  size_t record_bytes;
  uint32_t count; /* 0: the launch writes none there */
} uswi_watch_t;

/* A launch. */
typedef struct uswi_driver_call {
  const uswi_device_t *device;
  const usw_kernel_t *kernel;
  const char *name; /* in errors */
  const usw_launch_t *how;
  size_t n;
  const uint64_t *arguments;
  void *out;
  void *stream;
  uswi_graphs_t **graphs; /* those of the stream; NULL: it is not the library's own */
} uswi_driver_call_t;

/* What is waited for: the records of a launch, or all that is in a stream, or was when an event was recorded there. */
typedef struct uswi_pending {
  const uswi_device_t *device;
  const usw_kernel_t *kernel;
  const char *name;                 /* in errors */
  void *stream, *event;             /* event NULL: the stream */
  uswi_watch_t watch;               /* count 0: records cannot be watched */
  const volatile uint64_t *written; /* a word of pinned memory that is 0 until all is written; NULL: none tells */
} uswi_pending_t;

/* A kernel's bare region on a device, as the driver knows it. */
typedef struct uswi_driver_entry {
  void *function;          /* NULL: launches go through the OpenMP runtime */
  const char *why;         /* they do; else "" */
  usw_status_t lack;       /* the error of a call that the driver alone can do, then */
  uint32_t resident_teams; /* that a multiprocessor runs at once; 0: unknown */
} uswi_driver_entry_t;

/* The kernel's entry; its image is loaded at the first question. */
const uswi_driver_entry_t *uswi_driver_entry(const uswi_device_t *device, const usw_kernel_t *kernel);

/* Put a launch into its stream. */
usw_status_t uswi_driver_launch(void *function, const uswi_driver_call_t *call);

/* The same launch again, of one that was pending and of which the graphs hold nothing else: 1, with its status, or 0 where it is
 * not in a graph, or many threads launch and a launch without one is quicker. The records that are watched are armed. */
int uswi_driver_launch_again(const uswi_pending_t *pending, uswi_graphs_t *graphs, usw_status_t *status_out);

/* Whether the records of such a kernel are watched, as the process waits. Their memory has to be armed before the launch. */
int uswi_driver_watches(const usw_kernel_t *kernel);
void uswi_driver_arm(void *records, size_t bytes);

/* Wait; or look whether there is nothing to wait for any more, with *status_out the launch's own then. */
usw_status_t uswi_driver_wait(const uswi_pending_t *pending);
int uswi_driver_is_done(const uswi_pending_t *pending, usw_status_t *status_out);

/* The error of one of the driver's functions as a status; name: of the call that made it. A device that is lost by it stays
 * so: uswi_driver_check() tells the same error of it from then on. */
usw_status_t uswi_driver_status(const uswi_device_t *device, const char *name, int error);
extern atomic_int uswi_driver_lost[USWI_MAX_DEVICES]; /* the error that a device was lost by; 0: it is there */
static inline int uswi_driver_is_lost(const uswi_device_t *device) {
  return atomic_load_explicit(&uswi_driver_lost[device->number % USWI_MAX_DEVICES], memory_order_relaxed) != 0;
}
usw_status_t uswi_driver_refuse(const uswi_device_t *device, const char *name);
static inline usw_status_t uswi_driver_check(const uswi_device_t *device, const char *name) {
  return uswi_driver_is_lost(device) ? uswi_driver_refuse(device, name) : USW_OK;
}

/* Unload the images, when nothing runs any more and nothing will. */
void uswi_driver_release(void);

#endif
