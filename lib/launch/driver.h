/* The lane through NVIDIA's driver: the same entries from the same images as the OpenMP runtime's, launched on streams of
 * the library's own, while the host watches the result appear in pinned memory. It saves what the runtime does around a
 * launch, and what waiting for a stream takes. */
#ifndef USWI_LAUNCH_DRIVER_H
#define USWI_LAUNCH_DRIVER_H

#include <upsweep/status.h>

#include "launch/lane.h"

/* Records that a launch writes into pinned memory. */
typedef struct uswi_watch {
  void *records;
  size_t record_bytes;
  uint32_t count; /* 0: the launch writes none there */
} uswi_watch_t;

/* A launch. *stream is NULL at first; it belongs to the scratch that `how` points to. */
typedef struct uswi_driver_call {
  const uswi_device_t *device;
  const usw_kernel_t *kernel;
  const usw_launch_t *how;
  size_t n;
  const uint64_t *slots;
  void *out;
  void **stream;
  uswi_watch_t watch;
} uswi_driver_call_t;

/* The entry of a kernel's bare region on a device, for uswi_driver_run(); NULL: it has to go through the OpenMP runtime, and
 * *why_out says why. */
void *uswi_driver_entry(const uswi_device_t *device, const usw_kernel_t *kernel, const char **why_out);

/* Launch it and wait for the result: all records of the watch, or the end of the launch. */
usw_status_t uswi_driver_run(void *entry, const uswi_driver_call_t *call);

/* Unload the images, when nothing runs any more and nothing will. */
void uswi_driver_release(void);

/* Wait until nothing runs on a stream any more: before its scratch is used in another way. */
void uswi_driver_settle(void *stream);
void uswi_driver_forget(const uswi_device_t *device, void *stream);

#endif
