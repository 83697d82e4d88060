/* The elements of a data set as buffers: a thread reads the next ones while the caller reduces. */
#ifndef USW_TOOL_STREAM_H
#define USW_TOOL_STREAM_H

#include "source.h"

#include <pthread.h>

enum { TOOL_BUFFERS = 4 };

/* Where buffers are allocated: plain memory, or memory that a device copies from quickly. */
typedef struct tool_memory {
  void *(*allocate)(size_t bytes, void *context);
  void (*release)(void *memory, void *context);
  void *context;
} tool_memory_t;

typedef struct tool_stream {
  const tool_memory_t *memory;
  tool_sources_t *sources;
  size_t buffer_bytes;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  char *buffers[TOOL_BUFFERS];
  size_t counts[TOOL_BUFFERS];       /* elements; 0: the data ended */
  uint64_t filled, handed_out, used; /* buffers, since the start */
  int stopping;
  /* the reading thread's own */
  size_t current; /* source under way */
  int is_open;
  uint64_t left;         /* elements of it, or TOOL_UNKNOWN_COUNT */
  tool_source_t *failed; /* the source that could not be read; to be looked at after the end */
} tool_stream_t;

/* Start reading. Every buffer but the last is full, whatever the files: results do not depend on how the data is
 * split. Returns 0, or -1 without memory or thread. */
int tool_stream_start(tool_stream_t *stream, tool_sources_t *sources, size_t buffer_bytes, const tool_memory_t *memory);

/* The next buffer, NULL at the end or on failure. It stays valid until the next call. */
const void *tool_stream_next(tool_stream_t *stream, size_t *count_out);

/* End reading, early or not. Returns the source that failed, or NULL. */
const tool_source_t *tool_stream_stop(tool_stream_t *stream);

#endif
