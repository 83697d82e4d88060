/* What a call over the same bytes could cost at best on the host: its threads read, or copy, and do nothing else. */
#include "peers.h"

#include <string.h>

/* What is read ends here, so that no load can be left out. */
static volatile uint64_t sink;

enum { SERIAL_BYTES = 32 << 10 }; /* less than this takes less time than threads take to start */

int peer_read_host(const void *const *streams, const size_t *bytes, int count) {
  uint64_t fold = 0;
  for (int s = 0; s < count; s++) {
    const uint64_t *words = streams[s];
    const size_t n = bytes[s] / sizeof *words;
#pragma omp parallel for simd reduction(^ : fold) if (bytes[s] > SERIAL_BYTES)
    for (size_t i = 0; i < n; i++)
      fold ^= words[i];
  }
  sink = sink ^ fold;
  return 0;
}

int peer_copy_host(void *scratch, const void *const *streams, const size_t *bytes, int count) {
  enum { BLOCK_BYTES = 1 << 20 };
  for (int s = 0; s < count; s++) {
#pragma omp parallel for if (bytes[s] > SERIAL_BYTES)
    for (size_t first = 0; first < bytes[s]; first += BLOCK_BYTES) {
      const size_t left = bytes[s] - first;
      memcpy((char *)scratch + first, (const char *)streams[s] + first, left < BLOCK_BYTES ? left : BLOCK_BYTES);
    }
  }
  return 0;
}
