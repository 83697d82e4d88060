/* The little that is asked of NVIDIA's driver directly, through dlopen: nothing here fails when
 * there is no driver. */
#ifndef USWI_BACKEND_CUDA_H
#define USWI_BACKEND_CUDA_H

#include <stdint.h>

#include "backend/backend.h"
#include "machine/environment.h"

typedef struct uswi_cuda_device {
  int major, minor; /* compute capability */
  uint32_t multiprocessors;
} uswi_cuda_device_t;

/* GPUs that the driver shows; 0 without a driver. */
int uswi_cuda_device_count(void);

/* 0 if there is no such GPU. */
int uswi_cuda_device(int ordinal, uswi_cuda_device_t *device_out);

/* Where an address points; `device` is the driver's ordinal. */
uswi_where_t uswi_cuda_where(const void *address);

/* How host threads wait for the GPUs, for the whole process, until it is put back. */
void uswi_cuda_set_wait(uswi_wait_t wait);
void uswi_cuda_restore_wait(void);

/* Launches in the context that the OpenMP runtime uses, which has to be there; by the driver's ordinals. */

/* Whether the driver has all that they need. */
int uswi_cuda_can_launch(void);

/* Load an image; NULL if that failed. */
void *uswi_cuda_load(int ordinal, const void *image);

void uswi_cuda_unload(int ordinal, void *module);

/* An entry of a module, if it takes so many arguments of 8 bytes; else NULL. */
void *uswi_cuda_function(int ordinal, void *module, const char *name, size_t words);

/* How many teams of an entry a multiprocessor runs at once; 0: unknown. */
uint32_t uswi_cuda_resident_teams(int ordinal, void *function, uint32_t team_size);

/* A stream that waits for no other one; NULL if there is no room. To destroy it waits for what runs there. */
void *uswi_cuda_create_stream(int ordinal);
void uswi_cuda_destroy_stream(int ordinal, void *stream);

/* A launch of an entry. */
typedef struct uswi_cuda_launch {
  int ordinal;
  uint32_t teams, team_size;
  void *function;
  void **arguments; /* the addresses of 8 bytes each */
} uswi_cuda_launch_t;

/* 0, or the driver's error. */
int uswi_cuda_launch(const uswi_cuda_launch_t *launch, void *stream);

/* A launch that the driver keeps, as a graph of one node. Another launch may be put in its place; both, and creating it, give
 * 0 or the driver's error. Streams of the library's own only. */
typedef struct uswi_cuda_graph {
  void *graph, *node, *executable;
} uswi_cuda_graph_t;
int uswi_cuda_create_graph(const uswi_cuda_launch_t *launch, uswi_cuda_graph_t *graph_out);
int uswi_cuda_set_graph(const uswi_cuda_graph_t *graph, const uswi_cuda_launch_t *launch);
int uswi_cuda_launch_graph(const uswi_cuda_graph_t *graph, void *stream);
void uswi_cuda_destroy_graph(uswi_cuda_graph_t *graph);

/* Whether work is still under way; if not, its error or 0. */
int uswi_cuda_is_running(void *stream, int *error_out);

/* Wait for it, as the thread's way of waiting is; 0 or its error. */
int uswi_cuda_wait(void *stream);
const char *uswi_cuda_error(int error);

/* Whether a stream of somebody else's is one of this GPU's context, and whether it is being captured into a graph. */
int uswi_cuda_has_stream(int ordinal, void *stream);
int uswi_cuda_is_capturing(int ordinal, void *stream);

/* While streams are captured, in this thread or another: let this thread call what may disturb captures, but does not
 * touch their streams, such as to allocate. Returns how it was, which restore_capture() takes. */
int uswi_cuda_relax_capture(void);
void uswi_cuda_restore_capture(int mode);

/* Events: what is in a stream by now. NULL if there is no room; 0 or the driver's error. */
void *uswi_cuda_create_event(int ordinal);
void uswi_cuda_destroy_event(void *event);
int uswi_cuda_record(int ordinal, void *event, void *stream);
int uswi_cuda_event_is_pending(void *event, int *error_out);
int uswi_cuda_wait_for_event(void *event);
int uswi_cuda_order_after(int ordinal, void *stream, void *event); /* what comes into the stream from now on */

/* Into a stream: a call of a host function, which must not call the driver, and copies of pinned memory. 0 or the driver's
 * error. */
int uswi_cuda_call_host(int ordinal, void *stream, void (*function)(void *), void *argument);
int uswi_cuda_copy_to_device(int ordinal, void *stream, void *to, const void *from, size_t bytes);
int uswi_cuda_copy_to_host(int ordinal, void *stream, void *to, const void *from, size_t bytes);

#endif
