// CUB's sum of doubles on one of several GPUs, for parts.py: a shared library, made by
//   nvcc -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC cub_parts.cu -o libcub_parts.so
// Returns a cudaError_t and does not wait. memory NULL: *bytes is how much of it the call needs.
#include <cub/cub.cuh>

extern "C" int cub_sum(int device, void *memory, size_t *bytes, const double *x, size_t n, double *out) {
  const cudaError_t error = cudaSetDevice(device);
  return error == cudaSuccess ? cub::DeviceReduce::Sum(memory, *bytes, x, out, n) : error;
}
