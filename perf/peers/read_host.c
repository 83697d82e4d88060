/* What the host's memory and caches give: plain reads, and plain copies, by the threads of the process. */
#include "peers.h"

#include <omp.h>
#include <string.h>

enum {
  MAX_STREAMS = 6,
  LINE_BYTES = 64,
  BLOCK_BYTES = 2 * LINE_BYTES, /* that a thread has in flight, one chain per vector */
  BYTES_PER_THREAD = 128 << 10, /* for less, waking another thread takes longer than reading; so does the library */
  NEAR_CACHES_BYTES = 1 << 20,  /* of one core */
};

#ifdef __x86_64__ /* the processor's level is chosen when the program is loaded */
#define FOR_EVERY_LEVEL __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FOR_EVERY_LEVEL
#endif

/* The parity of every bit, for which every byte has to be read, in vectors of so many bytes. Measured on a Zen 4: from
 * near caches 32 bytes are the fastest, from memory 16; vectors of 64 bytes, or longer blocks, take up to twice the time
 * there. */
#define READ_PART(name, VECTOR_BYTES)                                                                                  \
  typedef uint64_t name##_t __attribute__((vector_size(VECTOR_BYTES), aligned(1), may_alias));                         \
  FOR_EVERY_LEVEL static uint64_t name(const char *memory, size_t bytes) {                                             \
    name##_t found[BLOCK_BYTES / VECTOR_BYTES] = {{0}};                                                                \
    size_t at = 0;                                                                                                     \
    for (; at + BLOCK_BYTES <= bytes; at += BLOCK_BYTES)                                                               \
      for (int k = 0; k < BLOCK_BYTES / VECTOR_BYTES; k++)                                                             \
        found[k] ^= *(const name##_t *)(memory + at + k * VECTOR_BYTES);                                               \
    uint64_t all = 0;                                                                                                  \
    for (int k = 0; k < BLOCK_BYTES / VECTOR_BYTES; k++)                                                               \
      for (int word = 0; word < VECTOR_BYTES / 8; word++)                                                              \
        all ^= found[k][word];                                                                                         \
    for (; at < bytes; at++)                                                                                           \
      all ^= (unsigned char)memory[at];                                                                                \
    return all;                                                                                                        \
  }
READ_PART(read_near, 32)
READ_PART(read_far, 16)

static uint64_t read_part(const char *memory, size_t bytes) {
  return bytes > NEAR_CACHES_BYTES ? read_far(memory, bytes) : read_near(memory, bytes);
}

/* Where the part of a thread begins: on a line. */
static size_t part_begin(size_t bytes, int thread, int threads) {
  const size_t lines = bytes / LINE_BYTES, share = lines / (size_t)threads, rest = lines % (size_t)threads;
  const size_t mine = (size_t)thread, before = mine * share + (mine < rest ? mine : rest);
  return thread == threads ? bytes : before * LINE_BYTES;
}

static int threads_for(size_t bytes) {
  const size_t most = (size_t)omp_get_max_threads(), useful = bytes / BYTES_PER_THREAD;
  return useful < 1 ? 1 : (int)(useful < most ? useful : most);
}

/* Where what was read goes, as if somebody looked at it. */
extern volatile uint64_t peer_read_sink;
volatile uint64_t peer_read_sink;

int peer_read_host(const void *const *streams, const size_t *bytes, int count) {
  size_t total = 0;
  uint64_t all = 0;
  if (count < 0 || count > MAX_STREAMS)
    return -1;
  for (int k = 0; k < count; k++)
    total += bytes[k];
  const int threads = threads_for(total);
  if (threads == 1) {
    for (int k = 0; k < count; k++)
      all ^= read_part(streams[k], bytes[k]);
  } else {
#pragma omp parallel num_threads(threads) reduction(^ : all)
    for (int k = 0; k < count; k++) {
      const int thread = omp_get_thread_num(), there = omp_get_num_threads();
      const size_t begin = part_begin(bytes[k], thread, there), end = part_begin(bytes[k], thread + 1, there);
      all ^= read_part((const char *)streams[k] + begin, end - begin);
    }
  }
  peer_read_sink = all;
  return 0;
}

int peer_copy_host(void *destination, const void *source, size_t bytes) {
  const int threads = threads_for(bytes);
  if (threads == 1) {
    memcpy(destination, source, bytes);
    return 0;
  }
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num(), there = omp_get_num_threads();
    const size_t begin = part_begin(bytes, thread, there), end = part_begin(bytes, thread + 1, there);
    memcpy((char *)destination + begin, (const char *)source + begin, end - begin);
  }
  return 0;
}
