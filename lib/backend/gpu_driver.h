/* A vendor's driver behind the OpenMP runtime, as one table of operations: what an address points to, launches of entries on
 * streams, graphs, events. A second vendor is a second table. Whatever an operation is asked of a GPU, its number is the
 * driver's own. Operations that return int give 0 or the driver's error. */
#ifndef USWI_BACKEND_GPU_DRIVER_H
#define USWI_BACKEND_GPU_DRIVER_H

#include <upsweep/info.h>

#include "backend/backend.h"
#include "machine/environment.h"

typedef struct uswi_gpu_driver uswi_gpu_driver_t;

/* What an error means for the process. */
typedef enum uswi_gpu_error {
  USWI_GPU_FAILED,
  USWI_GPU_FULL, /* no memory */
  USWI_GPU_LOST  /* nothing of the process's runs on the GPU any more: a kernel trapped or wrote where it must not */
} uswi_gpu_error_t;

/* A launch of an entry. */
typedef struct uswi_gpu_launch {
  const uswi_gpu_driver_t *driver;
  int ordinal;
  uint32_t teams, team_size;
  void *function;
  void **arguments; /* the addresses of 8 bytes each */
} uswi_gpu_launch_t;

/* A launch that the driver keeps, as a graph of one node. */
typedef struct uswi_gpu_graph {
  void *graph, *node, *executable;
} uswi_gpu_graph_t;

struct uswi_gpu_driver {
  const char *target; /* "nvptx" */

  /* GPUs that the driver shows; 0 without a driver. */
  int (*count)(void);
  /* Fill in image ("sm_90"), multiprocessors, name, memory, PCI address and NUMA node; what the driver does not tell stays as
   * it is. 0: there is no such GPU. */
  int (*describe)(int ordinal, usw_device_info_t *gpu);
  /* Where an address points; `device` is the driver's number. */
  uswi_where_t (*where)(const void *address);
  /* How host threads wait for the GPUs, for the whole process, until it is put back. */
  void (*set_wait)(uswi_wait_t wait);
  void (*restore_wait)(void);

  /* ---- launches, in the context that the OpenMP runtime uses, which has to be there ---- */

  /* NULL, or why the driver has not all that they need. */
  const char *(*lack)(void);
  /* Load an image; NULL if that failed. */
  void *(*load)(int ordinal, const void *image);
  void (*unload)(int ordinal, void *module);
  /* An entry of a module, if it takes so many arguments of 8 bytes; else NULL. */
  void *(*function)(int ordinal, void *module, const char *name, size_t words);
  /* How many teams of an entry a multiprocessor runs at once; 0: unknown. */
  uint32_t (*resident_teams)(int ordinal, void *function, uint32_t team_size);
  int (*launch)(const uswi_gpu_launch_t *launch, void *stream);
  const char *(*error_text)(int error);
  uswi_gpu_error_t (*error_kind)(int error);

  /* ---- streams ---- */

  /* A stream that waits for no other one. To destroy it waits for what runs there. */
  int (*create_stream)(int ordinal, void **stream_out);
  void (*destroy_stream)(int ordinal, void *stream);
  /* Whether work is still under way; if not, its error or 0. */
  int (*is_running)(void *stream, int *error_out);
  /* Wait for it, as the thread's way of waiting is. */
  int (*wait)(void *stream);
  /* Whether a stream of somebody else's is one of this GPU's context, and whether it is being captured into a graph. */
  int (*has_stream)(int ordinal, void *stream, int *error_out);
  int (*is_capturing)(int ordinal, void *stream);
  /* While streams are captured, in this thread or another: let this thread call what may disturb captures, but does not touch
   * their streams, such as to allocate. Returns how it was, which restore_capture() takes. */
  int (*relax_capture)(void);
  void (*restore_capture)(int mode);
  /* Into a stream: a call of a host function, which must not call the driver, copies of pinned memory, and zeros. */
  int (*call_host)(int ordinal, void *stream, void (*function)(void *), void *argument);
  int (*copy_to_device)(int ordinal, void *stream, void *to, const void *from, size_t bytes);
  int (*copy_to_host)(int ordinal, void *stream, void *to, const void *from, size_t bytes);
  int (*clear)(int ordinal, void *stream, void *memory, size_t bytes);
  /* From memory of the stream's GPU to that of another one. */
  int (*copy_across)(int ordinal, void *stream, int to_ordinal, void *to, const void *from, size_t bytes);

  /* ---- graphs; in streams of the library's own only. Another launch may be put in place of a graph's ---- */

  int (*create_graph)(const uswi_gpu_launch_t *launch, uswi_gpu_graph_t *graph_out);
  int (*set_graph)(const uswi_gpu_graph_t *graph, const uswi_gpu_launch_t *launch);
  int (*launch_graph)(const uswi_gpu_graph_t *graph, void *stream);
  void (*destroy_graph)(uswi_gpu_graph_t *graph);

  /* ---- events: what is in a stream by now ---- */

  int (*create_event)(int ordinal, void **event_out);
  void (*destroy_event)(void *event);
  int (*record)(int ordinal, void *event, void *stream);
  int (*is_event_pending)(void *event, int *error_out);
  int (*wait_for_event)(void *event);
  /* What comes into the stream from now on waits for the event. */
  int (*order_after)(int ordinal, void *stream, void *event);
};

#endif
