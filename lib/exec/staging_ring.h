/* The ring of buffers by which chunks come to a device: filled, copied and launched one beside the other. What a chunk is, its owner
 * tells: streams of a call (staging_run.c), or results of many (staging_results.c). */
#ifndef USWI_EXEC_STAGING_RING_H
#define USWI_EXEC_STAGING_RING_H

#include "exec/staging_memory.h"

typedef struct uswi_ring {
  const uswi_call_t *call; /* whose device, name and items these are */
  size_t chunks;
  int is_in_order; /* a chunk starts from what the one before has left: launches take turns */
  void *context;   /* of the functions */
  /* A share of a chunk from the caller's memory into its buffer; and, where a chunk writes, back again, else NULL. */
  void (*fill)(void *context, size_t chunk, char *buffer, uint32_t shares, uint32_t share);
  void (*drain)(void *context, size_t chunk, char *buffer, uint32_t shares, uint32_t share);
  /* Make the buffer's call, and tell how much of the buffer is to be copied to the device. */
  usw_status_t (*aim)(void *context, size_t chunk, uswi_staging_buffer_t *buffer, size_t *bytes_out);
  usw_status_t (*start)(void *context, size_t chunk, uswi_staging_buffer_t *buffer);
  /* Take what the launch has left, in the order of the chunks. */
  usw_status_t (*collect)(void *context, size_t chunk, uswi_staging_buffer_t *buffer);
} uswi_ring_t;

usw_status_t uswi_ring_run(const uswi_ring_t *ring, uswi_staging_memory_t *memory);

/* Several rings at the same time, each of a device of its own and with its memory; all have ended when this returns. The status is
 * that of the first in their order that failed, whose number is in failed_out. */
usw_status_t uswi_rings_run(const uswi_ring_t *rings, uswi_staging_memory_t *const *memories, uint32_t count,
                            uint32_t *failed_out);

/* Threads that such a call would take now, the one that launches with them. */
uint32_t uswi_staging_threads(const uswi_call_t *call);

#endif
