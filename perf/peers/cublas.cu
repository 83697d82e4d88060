/* NVIDIA's cuBLAS as a peer, as everybody calls it: the result comes to the host before the call returns. */
#include "plugin.h"

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

struct peer_case {
  const char *kernel, *type;
  cublasStatus_t (*call)(int n, const void *x, const void *y, void *result_out);
};

namespace {

cublasHandle_t handle;

/* A function of two streams, and one of one stream, by the name of cuBLAS. */
#define PAIR(name, T)                                                                                                  \
  cublasStatus_t name(int n, const void *x, const void *y, void *result_out) {                                         \
    return cublas##name(handle, n, static_cast<const T *>(x), 1, static_cast<const T *>(y), 1,                         \
                        static_cast<T *>(result_out));                                                                 \
  }
#define SINGLE(name, T, R)                                                                                             \
  cublasStatus_t name(int n, const void *x, const void *, void *result_out) {                                          \
    return cublas##name(handle, n, static_cast<const T *>(x), 1, static_cast<R *>(result_out));                        \
  }
PAIR(Sdot, float)
PAIR(Ddot, double)
PAIR(Cdotu, cuComplex)
PAIR(Zdotu, cuDoubleComplex)
PAIR(Cdotc, cuComplex)
PAIR(Zdotc, cuDoubleComplex)
SINGLE(Sasum, float, float)
SINGLE(Dasum, double, double)
SINGLE(Snrm2, float, float)
SINGLE(Dnrm2, double, double)
SINGLE(Scnrm2, cuComplex, float)
SINGLE(Dznrm2, cuDoubleComplex, double)

/* The greatest absolute value: cuBLAS finds where it is, and one more copy fetches it. */
template <class T, cublasStatus_t (*find)(cublasHandle_t, int, const T *, int, int *)>
cublasStatus_t amax(int n, const void *x, const void *, void *result_out) {
  int place = 0;
  T value;
  const T *elements = static_cast<const T *>(x);
  const cublasStatus_t status = find(handle, n, elements, 1, &place);
  if (status)
    return status;
  if (cudaMemcpy(&value, elements + place - 1, sizeof value, cudaMemcpyDeviceToHost))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  *static_cast<T *>(result_out) = std::fabs(value);
  return CUBLAS_STATUS_SUCCESS;
}

const peer_case cases[] = {
    {"dot", "f32", Sdot},
    {"dot", "f64", Ddot},
    {"dot", "cf32", Cdotu},
    {"dot", "cf64", Zdotu},
    {"dotc", "cf32", Cdotc},
    {"dotc", "cf64", Zdotc},
    {"norm1", "f32", Sasum},
    {"norm1", "f64", Dasum},
    {"norm2", "f32", Snrm2},
    {"norm2", "f64", Dnrm2},
    {"norm2", "cf32", Scnrm2},
    {"norm2", "cf64", Dznrm2},
    {"norm_inf", "f32", amax<float, cublasIsamax_v2>},
    {"norm_inf", "f64", amax<double, cublasIdamax_v2>},
};

const peer_form_t forms[] = {{"cublas", "host pointer", 0}, {nullptr, nullptr, 0}};

const char *version() {
  static char text[64];
  int number[3] = {0};
  cublasGetProperty(MAJOR_VERSION, &number[0]);
  cublasGetProperty(MINOR_VERSION, &number[1]);
  cublasGetProperty(PATCH_LEVEL, &number[2]);
  snprintf(text, sizeof text, "cuBLAS %d.%d.%d", number[0], number[1], number[2]);
  return text;
}

const peer_case *find(const char *kernel, const char *type) {
  for (const peer_case &candidate : cases)
    if (strcmp(candidate.kernel, kernel) == 0 && strcmp(candidate.type, type) == 0)
      return &candidate;
  return nullptr;
}

int prepare(const peer_case *, const void *x, const void *, size_t n) {
  cudaPointerAttributes attributes;
  if (n > INT_MAX || cudaPointerGetAttributes(&attributes, x) || attributes.type != cudaMemoryTypeDevice ||
      cudaSetDevice(attributes.device))
    return -1;
  return !handle && cublasCreate(&handle) ? -1 : 0;
}

int run(const peer_case *found, int, const void *x, const void *y, size_t n, void *result_out) {
  return found->call(static_cast<int>(n), x, y, result_out) ? -1 : 0;
}

int settle() { return cudaDeviceSynchronize() ? -1 : 0; }

} // namespace

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, nullptr};
