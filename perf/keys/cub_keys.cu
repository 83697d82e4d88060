// CUB's reductions by key, beside which keys.py measures ours: a shared library, made by
//   nvcc -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC cub_keys.cu -o libcub_keys.so
// Returns a cudaError_t and waits for its results. memory NULL: *bytes is how much of it the call needs.
#include <cub/cub.cuh>

struct plus {
  template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct greater {
  template <typename T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <typename T, typename K>
static int by_key(int is_max, void *memory, size_t *bytes, const void *x, const void *keys, size_t n, void *unique, void *out, void *runs) {
  const cudaError_t error =
      is_max ? cub::DeviceReduce::ReduceByKey(memory, *bytes, (const K *)keys, (K *)unique, (const T *)x, (T *)out, (long long *)runs, greater(), (long long)n)
             : cub::DeviceReduce::ReduceByKey(memory, *bytes, (const K *)keys, (K *)unique, (const T *)x, (T *)out, (long long *)runs, plus(), (long long)n);
  return error == cudaSuccess && memory ? cudaDeviceSynchronize() : error;
}

extern "C" int cub_by_key(int type, int key_bytes, int is_max, void *memory, size_t *bytes, const void *x, const void *keys, size_t n, void *unique,
                          void *out, void *runs) {
  if (type == 12)
    return key_bytes == 8 ? by_key<double, long long>(is_max, memory, bytes, x, keys, n, unique, out, runs)
                          : by_key<double, int>(is_max, memory, bytes, x, keys, n, unique, out, runs);
  return key_bytes == 8 ? by_key<float, long long>(is_max, memory, bytes, x, keys, n, unique, out, runs)
                        : by_key<float, int>(is_max, memory, bytes, x, keys, n, unique, out, runs);
}
