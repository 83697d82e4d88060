// CUB's reductions of segments, beside which segments.py measures ours: a shared library, made by
//   nvcc -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC cub_segments.cu -o libcub_segments.so
// Functions return a cudaError_t and wait for their results. memory NULL: *bytes is how much of it the call needs.
#include <cub/cub.cuh>

template <typename T, typename R>
static int by_offsets(void *memory, size_t *bytes, const void *x, const int *offsets, int count, void *out, int is_max) {
  const T *const items = (const T *)x;
  const cudaError_t error =
      is_max ? cub::DeviceSegmentedReduce::Max(memory, *bytes, items, (T *)out, count, offsets, offsets + 1)
             : cub::DeviceSegmentedReduce::Sum(memory, *bytes, items, (R *)out, count, offsets, offsets + 1);
  return error == cudaSuccess && memory ? cudaDeviceSynchronize() : error;
}

#define FOR_TYPE(function, ...)                                                                                        \
  (type == 12   ? function<double, double>(__VA_ARGS__)                                                                \
   : type == 11 ? function<float, float>(__VA_ARGS__)                                                                  \
   : type == 5  ? function<unsigned char, unsigned long long>(__VA_ARGS__)                                             \
                : (int)cudaErrorInvalidValue)

extern "C" int cub_segments(int type, int is_max, void *memory, size_t *bytes, const void *x, const int *offsets, int count, void *out) {
  return FOR_TYPE(by_offsets, memory, bytes, x, offsets, count, out, is_max);
}
