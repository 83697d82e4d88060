// CUB's scans and a plain copy, beside which scans.py measures ours: a shared library, made by
//   nvcc -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC cub_scans.cu -o libcub_scans.so
// Functions return a cudaError_t and wait for their results. memory NULL: *bytes is how much of it the call needs. Sums are in the type that
// ours have, into which they are written.
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <thrust/iterator/transform_iterator.h>

struct greater {
  template <typename T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
template <typename R> struct widen {
  template <typename T> __device__ R operator()(T x) const { return (R)x; }
};

template <typename T, typename R> static int scan(void *memory, size_t *bytes, const void *x, size_t n, void *out, int is_max) {
  const T *const items = (const T *)x;
  const auto wide = thrust::make_transform_iterator(items, widen<R>());
  const cudaError_t error = is_max ? cub::DeviceScan::InclusiveScan(memory, *bytes, items, (T *)out, greater(), n)
                                   : cub::DeviceScan::InclusiveSum(memory, *bytes, wide, (R *)out, n);
  return error == cudaSuccess && memory ? cudaDeviceSynchronize() : error;
}

extern "C" int cub_scan(int type, int is_max, void *memory, size_t *bytes, const void *x, size_t n, void *out) {
  switch (type) {
  case 12:
    return scan<double, double>(memory, bytes, x, n, out, is_max);
  case 11:
    return scan<float, float>(memory, bytes, x, n, out, is_max);
  case 9:
    return scan<__half, float>(memory, bytes, x, n, out, is_max);
  case 5:
    return scan<unsigned char, unsigned long long>(memory, bytes, x, n, out, is_max);
  case 4:
    return scan<long long, long long>(memory, bytes, x, n, out, is_max);
  case 3:
    return scan<int, long long>(memory, bytes, x, n, out, is_max);
  case 2:
    return scan<short, long long>(memory, bytes, x, n, out, is_max);
  default:
    return cudaErrorInvalidValue;
  }
}

template <typename T> static int scan_by_key(void *memory, size_t *bytes, const void *x, const int *keys, size_t n, void *out) {
  const cudaError_t error = cub::DeviceScan::InclusiveSumByKey(memory, *bytes, keys, (const T *)x, (T *)out, n);
  return error == cudaSuccess && memory ? cudaDeviceSynchronize() : error;
}

extern "C" int cub_scan_by_key(int type, void *memory, size_t *bytes, const void *x, const void *keys, size_t n, void *out) {
  return type == 12   ? scan_by_key<double>(memory, bytes, x, (const int *)keys, n, out)
         : type == 11 ? scan_by_key<float>(memory, bytes, x, (const int *)keys, n, out)
                      : cudaErrorInvalidValue;
}

extern "C" int cub_select(int type, void *memory, size_t *bytes, const void *x, const unsigned char *flags, size_t n, void *out, void *kept) {
  const auto select = [&](auto *items) {
    return cub::DeviceSelect::Flagged(memory, *bytes, items, flags, (decltype(items))out, (long long *)kept, n);
  };
  const cudaError_t error = type == 12 ? select((double *)x) : type == 11 ? select((float *)x) : select((unsigned char *)x);
  return error == cudaSuccess && memory ? cudaDeviceSynchronize() : error;
}

static __global__ void copy(const uint4 *x, uint4 *y, size_t n) {
  const size_t at = (size_t)blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
  for (int r = 0; r < 4; r++)
    if (at + r * 256 < n)
      __stcs(&y[at + r * 256], __ldcs(&x[at + r * 256]));
}

extern "C" int plain_copy(const void *x, void *y, size_t bytes) {
  const size_t n = (bytes + 15) / 16;
  copy<<<(unsigned)((n + 1023) / 1024), 256>>>((const uint4 *)x, (uint4 *)y, n);
  return cudaDeviceSynchronize();
}
