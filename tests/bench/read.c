/* The reference `read` as the GPU runs it (perf/peers/read_device.c): every block of every stream is read by somebody.
 * All is zero but for one block, whose thread must find READ_KEY and store to the sink. */
#include "../../perf/peers/read_device.c"

#include "../support/check.h"

#include <stdio.h>

/* What the reference shares with the rest of usw-bench. */
uint32_t bench_device_multiprocessors(int device) { return device == 0 ? 3 : 1; }

int bench_device_copy(int device, void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return device;
}

enum { MAX_BYTES = 1 << 21 };
static uint64_t storage[PEER_MAX_STREAMS][MAX_BYTES / sizeof(uint64_t)] __attribute__((aligned(READ_BLOCK_BYTES)));

/* One block at `place` of stream s. */
static int finds(int s, size_t place, const size_t *bytes, int count) {
  const void *streams[PEER_MAX_STREAMS];
  for (int k = 0; k < count; k++)
    streams[k] = storage[k];
  uint64_t *block = storage[s] + place * 2;
  block[0] = 0x0123456789abcdefu;
  block[1] = block[0] ^ READ_KEY;
  read_sink = 0;
  const int failed = peer_read_device(0, streams, bytes, count);
  const int is_found = read_sink == block[0];
  block[0] = block[1] = 0;
  return !failed && is_found;
}

static void check_streams(const size_t *bytes, int count) {
  for (int s = 0; s < count; s++) {
    const size_t blocks = bytes[s] / READ_BLOCK_BYTES, step = blocks / 7 + 1;
    for (size_t place = 0; place < blocks; place += step)
      CHECK(finds(s, place, bytes, count));
    if (blocks)
      CHECK(finds(s, blocks - 1, bytes, count));
  }
}

/* The last bytes, which fill no block, belong to the first threads of the first team, as does the first block. */
static void check_rest(void) {
  const void *stream = storage[0];
  unsigned char *last = (unsigned char *)storage[0] + READ_BLOCK_BYTES;
  const size_t bytes = READ_BLOCK_BYTES + 1;
  *last = 0x5a;
  storage[0][0] = READ_KEY;
  storage[0][1] = 0x5a;
  read_sink = 0;
  CHECK(peer_read_device(0, &stream, &bytes, 1) == 0);
  CHECK(read_sink == (READ_KEY ^ 0x5a));
  *last = 0;
  storage[0][0] = storage[0][1] = 0;
}

static void check_refusals(void) {
  const void *aligned[PEER_MAX_STREAMS + 1] = {storage[0]}, *odd = (const char *)storage[0] + 8;
  const size_t bytes[PEER_MAX_STREAMS + 1] = {64};
  CHECK(peer_read_device(0, &odd, bytes, 1) == -1);
  CHECK(peer_read_device(0, aligned, bytes, 0) == -1);
  CHECK(peer_read_device(0, aligned, bytes, PEER_MAX_STREAMS + 1) == -1);
  CHECK(peer_read_device(-1, aligned, bytes, 1) == -1);
}

int main(void) {
  const size_t cases[][PEER_MAX_STREAMS] = {
      {16}, {15}, {100000}, {16 * 8 * 512 * 3}, {MAX_BYTES}, {800000, 800000}, {4096, 17, 0, 70001, 16, 300000},
  };
  const int counts[] = {1, 1, 1, 1, 1, 2, 6};
  const char *const grids[][2] = {{NULL, NULL}, {"5", "96"}, {"300", "1024"}, {"1", "32"}};
  for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
    if (grids[g][0]) {
      setenv("USW_BENCH_READ_TEAMS", grids[g][0], 1);
      setenv("USW_BENCH_READ_TEAM_SIZE", grids[g][1], 1);
    }
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
      check_streams(cases[k], counts[k]);
    check_rest();
  }
  check_refusals();
  return check_report();
}
