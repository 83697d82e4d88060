/* NVIDIA's CUB as a peer: how its kernels are called. Scratch and results are allocated before the clock starts, and the
 * wait mode is the process's, which Upsweep has set, so that both sides wait in the same way. */
#include "cub.h"
#include "plugin.h"

#include <cstdio>
#include <cstring>
#include <cub/version.cuh>
#include <upsweep/functions.def>

using peer::field;
using peer::kernel_case;
using peer::kernel_cases;
using peer::request;

/* What cub_kernel.cu was compiled to, for each kernel that CUB has: the others' names stay null. */
#define DECLARE(name, ...) __attribute__((weak)) kernel_cases cub_cases_##name();
USW_FUNCTIONS(DECLARE, )

namespace {

enum form { SPIN, POLL, GRAPH, COPY, GPU_ONLY };
const peer_form_t forms[] = {{"cub", "spin", 0},
                             {"cub", "poll", 0},
                             {"cub_graph", "graph", 0},
                             {"cub+copy", "copy", 0},
                             {"cub_gpu_only", "events", PEER_OWN_CLOCK},
                             {nullptr, nullptr, 0}};

/* One device and one thread: that is how usw-bench calls. */
struct {
  cudaStream_t stream;
  void *scratch, *pinned, *on_device;
  size_t scratch_bytes;
  cudaEvent_t before, after; /* of GPU_ONLY */
  double seconds;
  cudaGraphExec_t graph; /* of GRAPH: what is captured of these arguments, */
  const kernel_case *captured;
  request arguments;
} state;

const char *version() {
  static char text[64];
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  snprintf(text, sizeof text, "CUB %d.%d.%d, CUDA %d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION,
           runtime / 1000, runtime % 1000 / 10);
  return text;
}

const peer_case_t *find(const char *kernel, const char *type) {
#define CASES(name, ...) cub_cases_##name,
  static kernel_cases (*const all[])() = {USW_FUNCTIONS(CASES, )};
  for (const auto cases_of : all) {
    const kernel_cases cases = cases_of ? cases_of() : kernel_cases{nullptr, 0};
    for (size_t k = 0; k < cases.count; k++)
      if (strcmp(cases.cases[k].kernel, kernel) == 0 && strcmp(cases.cases[k].type, type) == 0)
        return reinterpret_cast<const peer_case_t *>(&cases.cases[k]);
  }
  return nullptr;
}

const kernel_case &opened(const peer_case_t *found) { return *reinterpret_cast<const kernel_case *>(found); }

/* The context is the one that x was allocated in: a device's primary context. */
int prepare_device(const void *x) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, x) || attributes.type != cudaMemoryTypeDevice ||
      cudaSetDevice(attributes.device))
    return -1;
  if (state.stream)
    return 0;
  if (cudaHostAlloc(&state.pinned, peer::FOUND_BYTES, cudaHostAllocMapped) ||
      cudaMalloc(&state.on_device, peer::FOUND_BYTES) || cudaEventCreate(&state.before) ||
      cudaEventCreate(&state.after) || cudaStreamCreateWithFlags(&state.stream, cudaStreamNonBlocking))
    return -1;
  return 0;
}

int prepare(const peer_case_t *found, const void *x, const void *, size_t n) {
  size_t bytes = 0;
  if (n > UINT32_MAX || prepare_device(x))
    return -1;
  const request query = {nullptr, &bytes, x, x, state.pinned, static_cast<uint32_t>(n), state.stream};
  if (opened(found).launch(query))
    return -1;
  if (bytes <= state.scratch_bytes)
    return 0;
  cudaFree(state.scratch);
  state.scratch_bytes = 0;
  if (cudaMalloc(&state.scratch, bytes))
    return -1;
  state.scratch_bytes = bytes;
  return 0;
}

/* A pattern that results are unlikely to have; one that has it is found when the stream is idle. */
constexpr unsigned char UNWRITTEN = 0xa5;

bool is_written(const field &part) {
  const char *at = static_cast<const char *>(state.pinned) + part.offset;
  switch (part.bytes) {
  case 1:
    return *reinterpret_cast<const volatile uint8_t *>(at) != UNWRITTEN;
  case 2:
    return *reinterpret_cast<const volatile uint16_t *>(at) != UNWRITTEN * 0x0101u;
  case 4:
    return *reinterpret_cast<const volatile uint32_t *>(at) != UNWRITTEN * 0x01010101u;
  default:
    return *reinterpret_cast<const volatile uint64_t *>(at) != UNWRITTEN * 0x0101010101010101u;
  }
}

int poll(const kernel_case &wanted) {
  enum { LOOKS_PER_QUERY = 1 << 16 };
  for (const field &part : wanted.fields)
    for (unsigned long looks = 1; part.bytes && !is_written(part); looks++) {
      if (looks % LOOKS_PER_QUERY != 0)
        continue;
      const cudaError_t status = cudaStreamQuery(state.stream);
      if (status != cudaErrorNotReady)
        return status ? -1 : 0;
    }
  return 0;
}

/* As benchmarks of kernels do it: events in the stream around the kernels, which leave the result on the device. It is
 * fetched when the clock has stopped. */
int run_on_gpu(const kernel_case &wanted, request call, void *result_out) {
  unsigned char copied[peer::FOUND_BYTES];
  float milliseconds = 0;
  call.found = state.on_device;
  if (cudaEventRecord(state.before, state.stream) || wanted.launch(call) ||
      cudaEventRecord(state.after, state.stream) || cudaEventSynchronize(state.after) ||
      cudaEventElapsedTime(&milliseconds, state.before, state.after) ||
      cudaMemcpy(copied, state.on_device, sizeof copied, cudaMemcpyDeviceToHost))
    return -1;
  state.seconds = milliseconds * 1e-3;
  wanted.finish(copied, result_out);
  return 0;
}

bool is_captured(const kernel_case &wanted, const request &call) {
  const request &before = state.arguments;
  return state.captured == &wanted && before.scratch == call.scratch && before.x == call.x && before.y == call.y &&
         before.n == call.n;
}

int capture(const kernel_case &wanted, const request &call) {
  cudaGraph_t graph;
  state.captured = nullptr;
  if (state.graph)
    cudaGraphExecDestroy(state.graph);
  state.graph = nullptr;
  if (cudaStreamBeginCapture(state.stream, cudaStreamCaptureModeThreadLocal))
    return -1;
  const cudaError_t error = wanted.launch(call);
  if (cudaStreamEndCapture(state.stream, &graph) || error)
    return -1;
  const bool is_made = cudaGraphInstantiate(&state.graph, graph, 0) == cudaSuccess;
  cudaGraphDestroy(graph);
  if (!is_made)
    return -1;
  state.captured = &wanted;
  state.arguments = call;
  return 0;
}

/* What a program can do that reduces the same array again and again: it has CUB's kernels captured once, before the clock
 * starts, and launches that graph. */
int launch_graph(const kernel_case &wanted, const request &call) {
  if (!is_captured(wanted, call) && capture(wanted, call))
    return -1;
  return cudaGraphLaunch(state.graph, state.stream) ? -1 : 0;
}

int run(const peer_case_t *found, int form, const void *x, const void *y, size_t n, void *result_out) {
  const kernel_case &wanted = opened(found);
  request call = {state.scratch, &state.scratch_bytes, x, y, state.pinned, static_cast<uint32_t>(n), state.stream};
  if (form == GPU_ONLY)
    return run_on_gpu(wanted, call, result_out);
  if (form == COPY) { /* as in CUB's documentation: everything in the default stream */
    unsigned char copied[peer::FOUND_BYTES];
    call.found = state.on_device;
    call.stream = cudaStreamLegacy;
    if (wanted.launch(call) || cudaMemcpy(copied, state.on_device, sizeof copied, cudaMemcpyDeviceToHost))
      return -1;
    wanted.finish(copied, result_out);
    return 0;
  }
  memset(state.pinned, UNWRITTEN, peer::FOUND_BYTES);
  if (form == GRAPH ? launch_graph(wanted, call) : wanted.launch(call) != cudaSuccess)
    return -1;
  if (form != SPIN ? poll(wanted) : cudaStreamSynchronize(state.stream) != cudaSuccess)
    return -1;
  wanted.finish(state.pinned, result_out);
  return 0;
}

int settle() { return cudaDeviceSynchronize() ? -1 : 0; }

double seconds() { return state.seconds; }

} // namespace

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, seconds};
