/* A ring of buffers between the thread that reads and the thread that reduces. */
#include "stream.h"

#include <inttypes.h>
#include <string.h>

/* Reverse the bytes of each word. */
static void swap_words(void *data, size_t bytes, uint32_t word_bytes) {
  if (word_bytes == 2)
    for (uint16_t *word = data; word < (uint16_t *)data + bytes / 2; word++)
      *word = __builtin_bswap16(*word);
  else if (word_bytes == 4)
    for (uint32_t *word = data; word < (uint32_t *)data + bytes / 4; word++)
      *word = __builtin_bswap32(*word);
  else if (word_bytes == 8)
    for (uint64_t *word = data; word < (uint64_t *)data + bytes / 8; word++)
      *word = __builtin_bswap64(*word);
}

/* A source ended: was that where it should? */
static int check_end(const tool_stream_t *stream, tool_source_t *source, size_t odd_bytes) {
  char more[16];
  if (odd_bytes)
    return tool_problem(source, "truncated: it ends with %zu bytes of an element of %" PRIu32, odd_bytes,
                        source->type->bytes);
  if (stream->left == TOOL_UNKNOWN_COUNT)
    return 0;
  if (stream->left)
    return tool_problem(source, "truncated: %" PRIu64 " of %" PRIu64 " elements are missing", stream->left,
                        source->count);
  const ssize_t got = source->format->read(source, more, sizeof more);
  if (got > 0)
    return tool_problem(source, "has more data than its shape says");
  return got < 0 ? -1 : 0;
}

/* Whole elements of one source, at most `bytes` bytes; fewer only at its end. -1 on failure. */
static ssize_t fill_from(tool_stream_t *stream, tool_source_t *source, char *into, size_t bytes) {
  const size_t element_bytes = source->type->bytes;
  size_t done = 0;
  if (stream->left != TOOL_UNKNOWN_COUNT && stream->left < bytes / element_bytes)
    bytes = stream->left * element_bytes;
  while (done < bytes) {
    const ssize_t got = source->format->read(source, into + done, bytes - done);
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  if (stream->left != TOOL_UNKNOWN_COUNT)
    stream->left -= done / element_bytes;
  const int ended = done < bytes || stream->left == 0;
  if (ended && check_end(stream, source, done % element_bytes))
    return -1;
  if (ended) {
    source->format->close(source);
    stream->is_open = 0;
    stream->current++;
  }
  if (source->swapped)
    swap_words(into, done, source->type->word_bytes);
  return (ssize_t)done;
}

/* Elements of the next sources until the buffer is full or the data set ends. */
static size_t fill(tool_stream_t *stream, char *buffer) {
  size_t done = 0;
  while (done < stream->buffer_bytes && stream->current < stream->sources->count) {
    tool_source_t *source = &stream->sources->list[stream->current];
    if (!stream->is_open) {
      stream->is_open = source->format->open(source) == 0;
      stream->left = source->is_open_ended ? TOOL_UNKNOWN_COUNT : source->count;
    }
    const ssize_t got = stream->is_open ? fill_from(stream, source, buffer + done, stream->buffer_bytes - done) : -1;
    if (got < 0) {
      stream->failed = source;
      return 0;
    }
    done += (size_t)got;
  }
  return done / stream->sources->list[0].type->bytes;
}

static void *read_ahead(void *context) {
  tool_stream_t *stream = context;
  size_t count = 1;
  for (uint64_t k = 0; count > 0; k++) {
    pthread_mutex_lock(&stream->mutex);
    while (k - stream->used >= TOOL_BUFFERS && !stream->stopping)
      pthread_cond_wait(&stream->changed, &stream->mutex);
    const int stopping = stream->stopping;
    pthread_mutex_unlock(&stream->mutex);
    count = stopping ? 0 : fill(stream, stream->buffers[k % TOOL_BUFFERS]);
    pthread_mutex_lock(&stream->mutex);
    stream->counts[k % TOOL_BUFFERS] = count;
    stream->filled = k + 1;
    pthread_cond_signal(&stream->changed);
    pthread_mutex_unlock(&stream->mutex);
  }
  if (stream->is_open)
    stream->sources->list[stream->current].format->close(&stream->sources->list[stream->current]);
  return NULL;
}

static void release_buffers(tool_stream_t *stream) {
  for (int b = 0; b < TOOL_BUFFERS; b++)
    if (stream->buffers[b])
      stream->memory->release(stream->buffers[b], stream->memory->context);
}

int tool_stream_start(tool_stream_t *stream, tool_sources_t *sources, size_t buffer_bytes,
                      const tool_memory_t *memory) {
  *stream = (tool_stream_t){.memory = memory, .sources = sources, .buffer_bytes = buffer_bytes};
  int failed = 0;
  for (int b = 0; b < TOOL_BUFFERS; b++) {
    stream->buffers[b] = memory->allocate(buffer_bytes, memory->context);
    failed |= !stream->buffers[b];
  }
  pthread_mutex_init(&stream->mutex, NULL);
  pthread_cond_init(&stream->changed, NULL);
  if (!failed && pthread_create(&stream->thread, NULL, read_ahead, stream) == 0)
    return 0;
  release_buffers(stream);
  return -1;
}

const void *tool_stream_next(tool_stream_t *stream, size_t *count_out) {
  pthread_mutex_lock(&stream->mutex);
  const uint64_t k = stream->handed_out; /* the buffer to hand out; the one before it is given back */
  stream->used = k;
  pthread_cond_signal(&stream->changed);
  while (stream->filled <= k)
    pthread_cond_wait(&stream->changed, &stream->mutex);
  const size_t count = stream->counts[k % TOOL_BUFFERS];
  stream->handed_out = count ? k + 1 : k;
  pthread_mutex_unlock(&stream->mutex);
  *count_out = count;
  return count ? stream->buffers[k % TOOL_BUFFERS] : NULL;
}

const tool_source_t *tool_stream_stop(tool_stream_t *stream) {
  pthread_mutex_lock(&stream->mutex);
  stream->stopping = 1;
  pthread_cond_signal(&stream->changed);
  pthread_mutex_unlock(&stream->mutex);
  pthread_join(stream->thread, NULL);
  pthread_mutex_destroy(&stream->mutex);
  pthread_cond_destroy(&stream->changed);
  release_buffers(stream);
  return stream->failed;
}
