/* One kernel of NVIDIA's CUB, for every type that Upsweep has it for. The build says which, by its row in functions.def:
 * -DPEER_KERNEL=<name> -DPEER_GROUP=<group>.
 *
 * Accumulators and results are of the same types as Upsweep's. What CUB does not promise stays as it is: it passes over
 * NaNs in extremes, takes -0 and +0 for equal, and its squares may overflow. Lengths are 32-bit numbers, its faster
 * form. Functions with a name in CUB are called by it, the others are CUB's transform and reduce. */
#include "cub.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>
#include <type_traits>
#include <upsweep/types.h>

namespace {

using peer::field;
using peer::request;

/* The types that CUDA has for Upsweep's. */
template <class T> struct on_device {
  using type = T;
};
template <> struct on_device<usw_f16_t> {
  using type = __half;
};
template <> struct on_device<usw_bf16_t> {
  using type = __nv_bfloat16;
};
template <> struct on_device<std::complex<float>> {
  using type = float2;
};
template <> struct on_device<std::complex<double>> {
  using type = double2;
};
template <> struct on_device<bool> {
  using type = uint8_t;
};

template <class Element, class Value, class Sum, class Real> struct type_of {
  using element = typename on_device<Element>::type;
  using value = typename on_device<Value>::type;
  using sum = typename on_device<Sum>::type;
  using real = Real;
  using square = std::conditional_t<std::is_same_v<Real, float>, double, Real>; /* norm2 of 16 and 32 bits */
};

template <class T> constexpr bool is_complex = std::is_same_v<T, float2> || std::is_same_v<T, double2>;
template <class T> constexpr bool is_half = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

/* ---- operators and transforms ---- */

struct complex_plus {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return {a.x + b.x, a.y + b.y}; }
};
struct complex_multiplies {
  template <class T> __host__ __device__ T operator()(const T &a, const T &b) const {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
};
template <class T> using plus = std::conditional_t<is_complex<T>, complex_plus, cuda::std::plus<T>>;
template <class T> using multiplies = std::conditional_t<is_complex<T>, complex_multiplies, cuda::std::multiplies<T>>;

struct is_nonzero {
  template <class T> __host__ __device__ bool operator()(T x) const {
    if constexpr (is_complex<T>)
      return x.x != 0 || x.y != 0;
    else if constexpr (is_half<T>)
      return static_cast<float>(x) != 0;
    else
      return x != 0;
  }
};

template <class T> struct nonzero_as {
  template <class E> __host__ __device__ T operator()(const E &x) const { return is_nonzero()(x) ? 1 : 0; }
};

template <class Real> struct modulus {
  template <class E> __host__ __device__ Real operator()(const E &x) const {
    if constexpr (is_complex<E>)
      return hypot(x.x, x.y);
    else
      return fabs(static_cast<Real>(x));
  }
};

template <class Square> struct squared {
  template <class E> __host__ __device__ Square operator()(const E &x) const {
    if constexpr (is_complex<E>) {
      return static_cast<Square>(x.x) * x.x + static_cast<Square>(x.y) * x.y;
    } else if constexpr (is_half<E>) {
      const Square value = static_cast<float>(x);
      return value * value;
    } else {
      return static_cast<Square>(x) * static_cast<Square>(x);
    }
  }
};

template <class E> struct extremes {
  E least, greatest;
};
struct twice {
  template <class E> __host__ __device__ extremes<E> operator()(const E &x) const { return {x, x}; }
};
struct wider {
  template <class E> __host__ __device__ extremes<E> operator()(const extremes<E> &a, const extremes<E> &b) const {
    return {b.least < a.least ? b.least : a.least, a.greatest < b.greatest ? b.greatest : a.greatest};
  }
};

template <class Type, bool conjugated> struct product {
  using sum = typename Type::sum;
  const typename Type::element *x, *y;
  __host__ __device__ sum operator()(uint32_t i) const {
    if constexpr (is_complex<sum>) {
      const sum a = {x[i].x, conjugated ? -x[i].y : x[i].y};
      return complex_multiplies()(a, y[i]);
    } else {
      return static_cast<sum>(x[i]) * static_cast<sum>(y[i]);
    }
  }
};

template <class T> T one() {
  if constexpr (is_complex<T>)
    return {1, 0};
  else
    return 1;
}

/* ---- the kernels: launch() finds something, finish() makes the result of it ---- */

/* What is found is the result. */
template <class Found> struct as_found {
  using found = Found;
  static void finish(const void *found, void *result_out) { memcpy(result_out, found, sizeof(Found)); }
};

template <class Type> struct sum : as_found<typename Type::sum> {
  static cudaError_t launch(const request &r, const typename Type::element *x, typename Type::sum *found) {
    using S = typename Type::sum;
    return cub::DeviceReduce::Reduce(r.scratch, *r.scratch_bytes, x, found, r.n, plus<S>{}, S{}, r.stream);
  }
};

template <class Type> struct prod : as_found<typename Type::sum> {
  static cudaError_t launch(const request &r, const typename Type::element *x, typename Type::sum *found) {
    using S = typename Type::sum;
    return cub::DeviceReduce::Reduce(r.scratch, *r.scratch_bytes, x, found, r.n, multiplies<S>{}, one<S>(), r.stream);
  }
};

template <class Type> struct min : as_found<typename Type::element> {
  static cudaError_t launch(const request &r, const typename Type::element *x, typename Type::element *found) {
    return cub::DeviceReduce::Min(r.scratch, *r.scratch_bytes, x, found, r.n, r.stream);
  }
};

template <class Type> struct max : as_found<typename Type::element> {
  static cudaError_t launch(const request &r, const typename Type::element *x, typename Type::element *found) {
    return cub::DeviceReduce::Max(r.scratch, *r.scratch_bytes, x, found, r.n, r.stream);
  }
};

/* Bits have no sign: both signednesses share one instance of CUB. */
template <class Type, template <class> class Operator, int identity> struct bits : as_found<typename Type::element> {
  static cudaError_t launch(const request &r, const typename Type::element *x, typename Type::element *found) {
    using B = std::make_unsigned_t<typename Type::element>;
    return cub::DeviceReduce::Reduce(r.scratch, *r.scratch_bytes, reinterpret_cast<const B *>(x),
                                     reinterpret_cast<B *>(found), r.n, Operator<B>{}, static_cast<B>(identity),
                                     r.stream);
  }
};
template <class Type> struct bit_and : bits<Type, cuda::std::bit_and, -1> {};
template <class Type> struct bit_or : bits<Type, cuda::std::bit_or, 0> {};
template <class Type> struct bit_xor : bits<Type, cuda::std::bit_xor, 0> {};

/* Whether an integer is zero has no sign either. */
template <class E> auto unsigned_pointer(const E *x) {
  if constexpr (std::is_integral_v<E>)
    return reinterpret_cast<const std::make_unsigned_t<E> *>(x);
  else
    return x;
}

template <class Type, class Found, class Operator, int identity> struct nonzeros {
  using found = Found;
  static cudaError_t launch(const request &r, const typename Type::element *x, Found *found) {
    return cub::DeviceReduce::TransformReduce(r.scratch, *r.scratch_bytes, unsigned_pointer(x), found, r.n, Operator{},
                                              nonzero_as<Found>{}, Found{identity}, r.stream);
  }
  static void finish(const void *found, void *result_out) {
    *static_cast<bool *>(result_out) = *static_cast<const Found *>(found) != 0;
  }
};
template <class Type> struct all : nonzeros<Type, uint32_t, cuda::std::bit_and<uint32_t>, 1> {};
template <class Type> struct any : nonzeros<Type, uint32_t, cuda::std::bit_or<uint32_t>, 0> {};
template <class Type> struct count : nonzeros<Type, uint64_t, cuda::std::plus<uint64_t>, 0> {
  static void finish(const void *found, void *result_out) { memcpy(result_out, found, sizeof(uint64_t)); }
};

template <class E> struct located {
  E value;
  int64_t index;
};

template <class Type> struct argmin : as_found<located<typename Type::element>> {
  static cudaError_t launch(const request &r, const typename Type::element *x, located<typename Type::element> *found) {
    return cub::DeviceReduce::ArgMin(r.scratch, *r.scratch_bytes, x, &found->value, &found->index, r.n, r.stream);
  }
};

template <class Type> struct argmax : as_found<located<typename Type::element>> {
  static cudaError_t launch(const request &r, const typename Type::element *x, located<typename Type::element> *found) {
    return cub::DeviceReduce::ArgMax(r.scratch, *r.scratch_bytes, x, &found->value, &found->index, r.n, r.stream);
  }
};

template <class Type> struct minmax : as_found<extremes<typename Type::element>> {
  static cudaError_t launch(const request &r, const typename Type::element *x,
                            extremes<typename Type::element> *found) {
    using limits = cuda::std::numeric_limits<typename Type::element>;
    const extremes<typename Type::element> none = {limits::max(), limits::lowest()};
    return cub::DeviceReduce::TransformReduce(r.scratch, *r.scratch_bytes, x, found, r.n, wider{}, twice{}, none,
                                              r.stream);
  }
};

template <class Type, class Found, class Operator, class Transform> struct transformed : as_found<Found> {
  static cudaError_t launch(const request &r, const typename Type::element *x, Found *found) {
    return cub::DeviceReduce::TransformReduce(r.scratch, *r.scratch_bytes, x, found, r.n, Operator{}, Transform{},
                                              Found{}, r.stream);
  }
};
template <class Type>
struct norm1
    : transformed<Type, typename Type::real, cuda::std::plus<typename Type::real>, modulus<typename Type::real>> {};
template <class Type>
struct norm_inf
    : transformed<Type, typename Type::real, cuda::maximum<typename Type::real>, modulus<typename Type::real>> {};
template <class Type>
struct norm2
    : transformed<Type, typename Type::square, cuda::std::plus<typename Type::square>, squared<typename Type::square>> {
  static void finish(const void *found, void *result_out) {
    const auto squares = *static_cast<const typename Type::square *>(found);
    *static_cast<typename Type::real *>(result_out) = static_cast<typename Type::real>(std::sqrt(squares));
  }
};

template <class Type, bool conjugated> struct products : as_found<typename Type::sum> {
  static cudaError_t launch(const request &r, const typename Type::element *x, typename Type::sum *found) {
    using S = typename Type::sum;
    const auto *y = static_cast<const typename Type::element *>(r.y);
    return cub::DeviceReduce::TransformReduce(r.scratch, *r.scratch_bytes, thrust::counting_iterator<uint32_t>(0),
                                              found, r.n, plus<S>{}, product<Type, conjugated>{x, y}, S{}, r.stream);
  }
};
template <class Type> struct dot : products<Type, false> {};
template <class Type> struct dotc : products<Type, true> {};

/* ---- the table ---- */

template <class Found> struct fields_of {
  static_assert(sizeof(Found) <= 8);
  static constexpr field all[peer::MAX_FIELDS] = {{0, sizeof(Found)}, {0, 0}};
};
template <> struct fields_of<double2> {
  static constexpr field all[peer::MAX_FIELDS] = {{0, 8}, {8, 8}};
};
template <class E> struct fields_of<located<E>> {
  static constexpr field all[peer::MAX_FIELDS] = {{0, sizeof(E)}, {offsetof(located<E>, index), 8}};
};
template <class E> struct fields_of<extremes<E>> {
  static constexpr field all[peer::MAX_FIELDS] = {{0, sizeof(E)}, {sizeof(E), sizeof(E)}};
};

template <class Kernel, class Type> cudaError_t launch(const request &r) {
  return Kernel::launch(r, static_cast<const typename Type::element *>(r.x),
                        static_cast<typename Kernel::found *>(r.found));
}

template <class Kernel, class Type> constexpr peer::kernel_case case_of(const char *kernel, const char *type) {
  using fields = fields_of<typename Kernel::found>;
  static_assert(sizeof(typename Kernel::found) <= peer::FOUND_BYTES);
  return {kernel, type, launch<Kernel, Type>, Kernel::finish, {fields::all[0], fields::all[1]}};
}

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)
#define CASE(tag, CODE, code, type, value, sum, real, key, class, GROUP)                                               \
  USW_HAS_##GROUP##_##class(case_of<PEER_KERNEL<type_of<type, value, sum, real>>, type_of<type, value, sum, real>>(    \
                                TEXT(PEER_KERNEL), #tag), )
#define CASES_(GROUP) USW_TYPES(CASE, GROUP)
#define CASES(GROUP) CASES_(GROUP)

constexpr peer::kernel_case cases[] = {CASES(PEER_GROUP)};

} // namespace

#define ENTRY_(name) cub_cases_##name
#define ENTRY(name) ENTRY_(name)
peer::kernel_cases ENTRY(PEER_KERNEL)() { return {cases, sizeof cases / sizeof *cases}; }
