/* The reference `read` as fast as a kernel can be asked and can answer: peer_read_device() reads in the same way, but is
 * launched by OpenMP's runtime and waits by it. The last block to finish writes a number to mapped memory, where the host
 * may look for it. One or two streams, which must begin at multiples of 16 bytes. */
#include "plugin.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <upsweep/types.h>

namespace {

constexpr int BLOCK_THREADS = 512, BLOCKS_EACH = 2, LOADS = 8, LOADS_SHIFT = 3, STREAMS = 2;
constexpr uint32_t KEY = 0x9e3779b9u; /* any number: data that folds to it makes one store, which nobody reads */

__device__ volatile uint32_t sink;

struct streams {
  const uint4 *from[STREAMS];
  size_t bytes[STREAMS]; /* 0: there is none */
};

__device__ uint4 operator^(const uint4 &a, const uint4 &b) { return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w}; }

/* A tile is block size << shift loads of 16 bytes, of which `left` are there. */
__device__ uint4 read_tile(const uint4 *tile, size_t left, uint32_t shift) {
  uint4 loaded[LOADS], fold = {0, 0, 0, 0};
  if (shift == LOADS_SHIFT && left >= BLOCK_THREADS * LOADS) {
#pragma unroll
    for (uint32_t k = 0; k < LOADS; k++)
      loaded[k] = tile[k * BLOCK_THREADS + threadIdx.x];
  } else {
#pragma unroll
    for (uint32_t k = 0; k < LOADS; k++) {
      const size_t place = k * BLOCK_THREADS + threadIdx.x;
      loaded[k] = k >> shift == 0 && place < left ? tile[place] : fold;
    }
  }
#pragma unroll
  for (uint32_t k = 0; k < LOADS; k++)
    fold = fold ^ loaded[k];
  return fold;
}

/* All streams lie behind each other as tiles, which blocks take in turns. */
__global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS_EACH)
    read_all(streams all, uint32_t shift, uint32_t *ticket, volatile uint32_t *answer, uint32_t number) {
  size_t tile = blockIdx.x;
  uint4 fold = {0, 0, 0, 0};
  const size_t tile_loads = static_cast<size_t>(BLOCK_THREADS) << shift;
#pragma unroll
  for (int s = 0; s < STREAMS; s++) {
    const size_t loads = all.bytes[s] / sizeof(uint4), tiles = (loads + tile_loads - 1) / tile_loads;
    const size_t whole = loads * sizeof(uint4);
    if (blockIdx.x == 0 && threadIdx.x < all.bytes[s] - whole)
      fold.x ^= reinterpret_cast<const unsigned char *>(all.from[s])[whole + threadIdx.x];
    for (; tile < tiles; tile += gridDim.x)
      fold = fold ^ read_tile(all.from[s] + tile * tile_loads, loads - tile * tile_loads, shift);
    tile -= tiles;
  }
  if ((fold.x ^ fold.y ^ fold.z ^ fold.w) == KEY)
    sink = fold.x;
  __syncthreads();
  /* The ticket starts again at 0 behind the last block. */
  if (threadIdx.x == 0 && (gridDim.x == 1 || atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1))
    *answer = number;
}

/* One device and one thread: that is how usw-bench calls. */
struct {
  cudaStream_t stream;
  uint32_t *ticket, *answer, number;
  uint32_t most_blocks;
} state;

} // namespace

/* Kernels differ in nothing but their streams, types in nothing but their bytes. */
struct peer_case {
  const char *type;
  size_t bytes;
};

namespace {

#define CASE(tag, CODE, code, type, ...) {#tag, sizeof(type)},
const peer_case cases[] = {USW_TYPES(CASE, )};

enum form { SPIN, POLL };
const peer_form_t forms[] = {{"cuda_read", "spin", PEER_NO_RESULT}, {"cuda_read", "poll", PEER_NO_RESULT}, {nullptr, nullptr, 0}};

const char *version() {
  static char text[64];
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  snprintf(text, sizeof text, "cuda_read, a kernel of CUDA %d.%d", runtime / 1000, runtime % 1000 / 10);
  return text;
}

const peer_case_t *find(const char *, const char *type) {
  for (const peer_case &candidate : cases)
    if (strcmp(candidate.type, type) == 0)
      return &candidate;
  return nullptr;
}

/* The context is the one that x was allocated in: a device's primary context. */
int prepare(const peer_case_t *, const void *x, const void *, size_t) {
  cudaPointerAttributes attributes;
  int multiprocessors = 0;
  if (cudaPointerGetAttributes(&attributes, x) || attributes.type != cudaMemoryTypeDevice ||
      cudaSetDevice(attributes.device) ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, attributes.device))
    return -1;
  const char *teams = getenv("USW_BENCH_READ_TEAMS");
  const long asked = teams ? strtol(teams, nullptr, 10) : 0;
  state.most_blocks = static_cast<uint32_t>(asked > 0 ? asked : BLOCKS_EACH * multiprocessors);
  if (state.stream)
    return 0;
  if (cudaMalloc(&state.ticket, sizeof *state.ticket) || cudaMemset(state.ticket, 0, sizeof *state.ticket) ||
      cudaHostAlloc(&state.answer, sizeof *state.answer, cudaHostAllocMapped) ||
      cudaStreamCreateWithFlags(&state.stream, cudaStreamNonBlocking))
    return -1;
  *state.answer = 0;
  return 0;
}

/* Short streams: more tiles rather than longer ones, until every block has one. */
size_t tiles_of(const streams &all, uint32_t shift) {
  size_t tiles = 0;
  for (const size_t bytes : all.bytes)
    tiles += bytes / sizeof(uint4) / (static_cast<size_t>(BLOCK_THREADS) << shift) + (bytes != 0);
  return tiles;
}

int poll() {
  enum { LOOKS_PER_QUERY = 1 << 16 };
  const volatile uint32_t *answer = state.answer;
  for (unsigned long looks = 1; *answer != state.number; looks++) {
    const cudaError_t status = looks % LOOKS_PER_QUERY ? cudaErrorNotReady : cudaStreamQuery(state.stream);
    if (status && status != cudaErrorNotReady)
      return -1;
  }
  return 0;
}

int run(const peer_case_t *found, int form, const void *x, const void *y, size_t n, void *) {
  const streams all = {{static_cast<const uint4 *>(x), static_cast<const uint4 *>(y)},
                       {n * found->bytes, y ? n * found->bytes : 0}};
  uint32_t shift = LOADS_SHIFT;
  while (shift > 0 && tiles_of(all, shift) < state.most_blocks)
    shift--;
  const size_t tiles = tiles_of(all, shift);
  const uint32_t blocks = tiles < state.most_blocks ? static_cast<uint32_t>(tiles) : state.most_blocks;
  state.number++;
  read_all<<<blocks, BLOCK_THREADS, 0, state.stream>>>(all, shift, state.ticket, state.answer, state.number);
  if (cudaGetLastError())
    return -1;
  return form == POLL ? poll() : cudaStreamSynchronize(state.stream) ? -1 : 0;
}

int settle() { return cudaDeviceSynchronize() ? -1 : 0; }

} // namespace

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, nullptr};
