/* The dot product of BabelStream's CUDA version as a peer, written again for more types: four blocks of 1024 threads for
 * each multiprocessor, a stride of the whole grid, a tree in shared memory, and one partial of each block, written
 * straight to pinned memory, where the host adds them after a synchronize. A sum is the same with one stream. */
#include "plugin.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace {

constexpr int BLOCK_THREADS = 1024, BLOCKS_EACH = 4;

/* One device and one thread: that is how usw-bench calls. */
struct {
  void *partials; /* pinned, one of 8 bytes for each block */
  int blocks;
} state;

template <class Element, class Sum, bool is_dot>
__global__ void reduce(const Element *x, const Element *y, size_t n, Sum *partials) {
  __shared__ Sum sums[BLOCK_THREADS];
  const size_t local = threadIdx.x;
  Sum sum = 0;
  for (size_t i = static_cast<size_t>(blockDim.x) * blockIdx.x + local; i < n;
       i += static_cast<size_t>(blockDim.x) * gridDim.x)
    sum += is_dot ? static_cast<Sum>(x[i]) * static_cast<Sum>(y[i]) : static_cast<Sum>(x[i]);
  sums[local] = sum;
  for (int offset = BLOCK_THREADS / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (local < offset)
      sums[local] += sums[local + offset];
  }
  if (local == 0)
    partials[blockIdx.x] = sums[0];
}

template <class Element, class Sum, bool is_dot>
int run_case(const void *x, const void *y, size_t n, void *result_out) {
  Sum *partials = static_cast<Sum *>(state.partials);
  reduce<Element, Sum, is_dot>
      <<<state.blocks, BLOCK_THREADS>>>(static_cast<const Element *>(x), static_cast<const Element *>(y), n, partials);
  if (cudaGetLastError() || cudaDeviceSynchronize())
    return -1;
  Sum sum = 0;
  for (int block = 0; block < state.blocks; block++)
    sum += partials[block];
  memcpy(result_out, &sum, sizeof sum);
  return 0;
}

} // namespace

struct peer_case {
  const char *kernel, *type;
  int (*run)(const void *x, const void *y, size_t n, void *result_out);
};

namespace {

const peer_case cases[] = {
    {"dot", "f64", run_case<double, double, true>},    {"dot", "f32", run_case<float, float, true>},
    {"sum", "f64", run_case<double, double, false>},   {"sum", "f32", run_case<float, float, false>},
    {"sum", "i32", run_case<int32_t, int64_t, false>},
};

const peer_form_t forms[] = {{"babelstream", "pinned partials", 0}, {nullptr, nullptr, 0}};

const char *version() {
  static char text[64];
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  snprintf(text, sizeof text, "dot as in BabelStream 5.0, CUDA %d.%d", runtime / 1000, runtime % 1000 / 10);
  return text;
}

const peer_case_t *find(const char *kernel, const char *type) {
  for (const peer_case &candidate : cases)
    if (strcmp(candidate.kernel, kernel) == 0 && strcmp(candidate.type, type) == 0)
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
  state.blocks = BLOCKS_EACH * multiprocessors;
  return !state.partials && cudaHostAlloc(&state.partials, state.blocks * sizeof(uint64_t), cudaHostAllocMapped) ? -1
                                                                                                                 : 0;
}

int run(const peer_case_t *found, int, const void *x, const void *y, size_t n, void *result_out) {
  return found->run(x, y, n, result_out);
}

int settle() { return cudaDeviceSynchronize() ? -1 : 0; }

} // namespace

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, nullptr};
