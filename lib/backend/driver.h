/* The lane through NVIDIA's driver: the same entries from the same images as the OpenMP runtime's, launched on streams of
 * the library's own, while the host watches the result appear in pinned memory. It saves what the runtime does around a
 * launch, and what waiting for a stream takes. */
#ifndef USWI_BACKEND_DRIVER_H
#define USWI_BACKEND_DRIVER_H

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
  const usw_launch_t *how;
  size_t n;
  const uint64_t *slots;
  void *out;
  void *stream;
  uswi_graphs_t **graphs; /* those of the stream; NULL: it is not the library's own */
} uswi_driver_call_t;

/* What is waited for: the records of a launch, or all that is in a stream, or was when an event was recorded there. */
typedef struct uswi_pending {
  const uswi_device_t *device;
  const usw_kernel_t *kernel;
  void *stream, *event; /* event NULL: the stream */
  uswi_watch_t watch;   /* count 0: records cannot be watched */
} uswi_pending_t;

/* The entry of a kernel's bare region on a device, for uswi_driver_run(); NULL: it has to go through the OpenMP runtime, and
 * *why_out says why, else nothing. */
void *uswi_driver_entry(const uswi_device_t *device, const usw_kernel_t *kernel, const char **why_out);

/* How many teams of it a multiprocessor runs at once; 0: unknown. */
uint32_t uswi_driver_resident_teams(const uswi_device_t *device, const usw_kernel_t *kernel);

/* Put a launch into its stream. */
usw_status_t uswi_driver_launch(void *entry, const uswi_driver_call_t *call);

/* Whether the records of such a kernel are watched, as the process waits. Their memory has to be armed before the launch. */
int uswi_driver_watches(const usw_kernel_t *kernel);
void uswi_driver_arm(void *records, size_t bytes);

/* Wait; or look whether there is nothing to wait for any more, with *status_out the launch's own then. */
usw_status_t uswi_driver_wait(const uswi_pending_t *pending);
int uswi_driver_is_done(const uswi_pending_t *pending, usw_status_t *status_out);

/* The error of a call of the driver's for a kernel, as a status. */
usw_status_t uswi_driver_status(const uswi_device_t *device, const usw_kernel_t *kernel, int error);

/* Unload the images, when nothing runs any more and nothing will. */
void uswi_driver_release(void);

#endif
