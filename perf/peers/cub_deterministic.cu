/* What NVIDIA's CUB promises of a sum's bits as peers: `cub_run_to_run`, the same on every run on one GPU, which its plain
 * call promises too, and `cub_gpu_to_gpu`, the same on every GPU of theirs, by a reproducible accumulator.
 *
 * This needs headers of CCCL 3.4 or later, which a toolkit may not have: CCCL=<folder> perf/peers/build. These calls take
 * their scratch from a memory resource: ours hands out what prepare() has allocated, as the plain call would have it. */
#include "plugin.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cub/version.cuh>
#if CUB_VERSION < 300400
#error "these headers have no deterministic sums: CCCL=<folder of CCCL 3.4 or later> build ..."
#endif
#include <cub/device/device_reduce.cuh>
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#include <cuda/memory_resource>
#include <cuda/std/execution>
#include <cuda/stream_ref>
#include <cuda_runtime_api.h>
#include <new>

namespace {

/* One device and one thread: that is how usw-bench calls. */
struct {
  cudaStream_t stream;
  void *scratch, *pinned;
  size_t scratch_bytes;
} state;

/* Scratch grows at the first call over so many elements, which is prepare()'s. */
struct scratch_resource {
  void *allocate(cuda::stream_ref, size_t bytes, size_t = 0) {
    if (bytes > state.scratch_bytes) {
      cudaFree(state.scratch);
      state.scratch_bytes = 0;
      if (cudaMalloc(&state.scratch, bytes))
        throw std::bad_alloc();
      state.scratch_bytes = bytes;
    }
    return state.scratch;
  }
  void deallocate(cuda::stream_ref, void *, size_t, size_t = 0) noexcept {}
  void *allocate_sync(size_t bytes, size_t = 0) { return allocate(state.stream, bytes); }
  void deallocate_sync(void *, size_t, size_t = 0) noexcept {}
  bool operator==(const scratch_resource &) const { return true; }
  bool operator!=(const scratch_resource &) const { return false; }
  friend void get_property(const scratch_resource &, cuda::mr::device_accessible) noexcept {}
};

static_assert(cuda::mr::resource<scratch_resource>, "or CUB would allocate at every call");

template <class Element, class Level> int launch(const void *x, size_t n, Level level) {
  using cuda::std::execution::prop;
  const auto environment = cuda::std::execution::env{prop{cuda::get_stream_t{}, cuda::stream_ref{state.stream}},
                                                     prop{cuda::mr::get_memory_resource_t{}, scratch_resource{}},
                                                     cuda::execution::require(level)};
  return cub::DeviceReduce::Sum(static_cast<const Element *>(x), static_cast<Element *>(state.pinned),
                                static_cast<uint32_t>(n), environment)
             ? -1
             : 0;
}

enum level { RUN_TO_RUN, GPU_TO_GPU, LEVELS };
enum wait { SPIN, POLL, WAITS };

template <class Element> int launch_case(level wanted, const void *x, size_t n) {
  return wanted == GPU_TO_GPU ? launch<Element>(x, n, cuda::execution::determinism::gpu_to_gpu)
                              : launch<Element>(x, n, cuda::execution::determinism::run_to_run);
}

/* A pattern that sums are unlikely to have; one that has it is found when the stream is idle. */
constexpr unsigned char UNWRITTEN = 0xa5;

template <class Word> bool is_written() {
  return *static_cast<const volatile Word *>(state.pinned) != static_cast<Word>(UNWRITTEN * 0x0101010101010101u);
}

} // namespace

struct peer_case {
  const char *kernel, *type;
  size_t bytes;
  int (*launch)(level wanted, const void *x, size_t n);
  bool (*is_written)();
};

namespace {

const peer_case cases[] = {{"sum", "f64", 8, launch_case<double>, is_written<uint64_t>},
                           {"sum", "f32", 4, launch_case<float>, is_written<uint32_t>}};

/* Form k: level k / WAITS, wait k % WAITS. */
const peer_form_t forms[] = {{"cub_run_to_run", "spin", 0},
                             {"cub_run_to_run", "poll", 0},
                             {"cub_gpu_to_gpu", "spin", 0},
                             {"cub_gpu_to_gpu", "poll", 0},
                             {nullptr, nullptr, 0}};

const char *version() {
  static char text[64];
  snprintf(text, sizeof text, "deterministic CUB of CCCL %d.%d.%d", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION,
           CCCL_PATCH_VERSION);
  return text;
}

const peer_case_t *find(const char *kernel, const char *type) {
  for (const peer_case &candidate : cases)
    if (strcmp(candidate.kernel, kernel) == 0 && strcmp(candidate.type, type) == 0)
      return &candidate;
  return nullptr;
}

/* The context is the one that x was allocated in: a device's primary context. */
int prepare_device(const void *x) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, x) || attributes.type != cudaMemoryTypeDevice ||
      cudaSetDevice(attributes.device))
    return -1;
  if (state.stream)
    return 0;
  return cudaHostAlloc(&state.pinned, sizeof(uint64_t), cudaHostAllocMapped) ||
                 cudaStreamCreateWithFlags(&state.stream, cudaStreamNonBlocking)
             ? -1
             : 0;
}

int prepare(const peer_case_t *found, const void *x, const void *, size_t n) {
  if (n > UINT32_MAX || prepare_device(x))
    return -1;
  for (int wanted = 0; wanted < LEVELS; wanted++)
    if (found->launch(static_cast<level>(wanted), x, n) || cudaStreamSynchronize(state.stream))
      return -1;
  return 0;
}

int poll(const peer_case_t *found) {
  enum { LOOKS_PER_QUERY = 1 << 16 };
  for (unsigned long looks = 1; !found->is_written(); looks++) {
    const cudaError_t status = looks % LOOKS_PER_QUERY ? cudaErrorNotReady : cudaStreamQuery(state.stream);
    if (status != cudaErrorNotReady)
      return status ? -1 : 0;
  }
  return 0;
}

int run(const peer_case_t *found, int form, const void *x, const void *, size_t n, void *result_out) {
  memset(state.pinned, UNWRITTEN, sizeof(uint64_t));
  if (found->launch(static_cast<level>(form / WAITS), x, n))
    return -1;
  if (form % WAITS == POLL ? poll(found) : cudaStreamSynchronize(state.stream) != cudaSuccess)
    return -1;
  memcpy(result_out, state.pinned, found->bytes);
  return 0;
}

int settle() { return cudaDeviceSynchronize() ? -1 : 0; }

} // namespace

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, nullptr};
