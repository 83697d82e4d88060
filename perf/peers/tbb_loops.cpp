/* Plain loops over a range, as the body of a parallel_reduce has them, for every kernel and type that Upsweep has. The
 * build says for which processors: -DPEER_LOOPS=<name of the list>.
 *
 * Accumulators are of the same types as Upsweep's. What a plain loop does not promise stays as it is: what it makes of a
 * NaN, of -0 and +0, and squares may overflow.
 *
 * Everything here is in a namespace without a name: a function that other files have as well could be linked from here,
 * and then run on a processor that cannot. So there is nothing of the C++ library, either. */
#include "tbb_loops.h"

#include <upsweep/functions.def>
#include <upsweep/half.h>
#include <upsweep/types.h>

namespace {

template <class T> struct complex {
  T re, im;
};

/* Complex numbers of our own in place of std::complex. */
template <class T> struct own {
  using type = T;
};
template <class T> struct own<std::complex<T>> {
  using type = complex<T>;
};

template <class Element, class Value, class Sum, class Real> struct type_of {
  using element = typename own<Element>::type;
  using value = typename own<Value>::type;
  using sum = typename own<Sum>::type;
  using real = Real;
};

/* ---- elements and what is done with them ---- */

template <class T> T value_of(const T &x) { return x; }
float value_of(const usw_f16_t &x) { return usw_f16_to_float(x); }
float value_of(const usw_bf16_t &x) { return usw_bf16_to_float(x); }

template <class E, class V> struct to_element {
  static E of(V value) { return value; }
};
template <> struct to_element<usw_f16_t, float> {
  static usw_f16_t of(float value) { return usw_float_to_f16(value); }
};
template <> struct to_element<usw_bf16_t, float> {
  static usw_bf16_t of(float value) { return usw_float_to_bf16(value); }
};

template <class T> T plus(T a, T b) { return a + b; }
template <class T> complex<T> plus(complex<T> a, complex<T> b) { return {a.re + b.re, a.im + b.im}; }
template <class T> T times(T a, T b) { return a * b; }
template <class T> complex<T> times(complex<T> a, complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/* Integers wrap. */
int64_t plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
template <class T> T conjugate(T a) { return a; }
template <class T> complex<T> conjugate(complex<T> a) { return {a.re, -a.im}; }

template <class T> bool is_nonzero(T x) { return x != 0; }
template <class T> bool is_nonzero(complex<T> x) { return x.re != 0 || x.im != 0; }

float modulus(float x) { return __builtin_fabsf(x); }
double modulus(double x) { return __builtin_fabs(x); }
float modulus(complex<float> x) { return __builtin_hypotf(x.re, x.im); }
double modulus(complex<double> x) { return __builtin_hypot(x.re, x.im); }

template <class T> double square(T x) { return static_cast<double>(x) * static_cast<double>(x); }
template <class T> double square(complex<T> x) { return square(x.re) + square(x.im); }

/* ---- the kernels: start() makes an accumulator, add() takes element i in, join() another accumulator ---- */

template <class Type, class Accumulator> struct reads {
  using element = typename Type::element;
  using accumulator = Accumulator;
  static auto at(const element *x, size_t i) { return value_of(x[i]); }
};
/* What is found is the result. */
template <class Type, class Accumulator> struct finds : reads<Type, Accumulator> {
  static Accumulator finish(const Accumulator &found) { return found; }
};

template <class T> struct number {
  static T of(int value) { return static_cast<T>(value); }
};
template <class T> struct number<complex<T>> {
  static complex<T> of(int value) { return {static_cast<T>(value), 0}; }
};

template <class Type> struct sum : finds<Type, typename Type::sum> {
  using S = typename Type::sum;
  using E = typename Type::element;
  static S start(const E *) { return number<S>::of(0); }
  static void add(S &found, const E *x, const E *, size_t i) { found = plus(found, static_cast<S>(sum::at(x, i))); }
  static void join(S &found, const S &other) { found = plus(found, other); }
};

template <class Type> struct prod : finds<Type, typename Type::sum> {
  using S = typename Type::sum;
  using E = typename Type::element;
  static S start(const E *) { return number<S>::of(1); }
  static void add(S &found, const E *x, const E *, size_t i) { found = times(found, static_cast<S>(prod::at(x, i))); }
  static void join(S &found, const S &other) { found = times(found, other); }
};

template <class Type> struct dot : sum<Type> {
  using S = typename Type::sum;
  using E = typename Type::element;
  static void add(S &found, const E *x, const E *y, size_t i) {
    found = plus(found, times(static_cast<S>(dot::at(x, i)), static_cast<S>(dot::at(y, i))));
  }
};

template <class Type> struct dotc : sum<Type> {
  using S = typename Type::sum;
  using E = typename Type::element;
  static void add(S &found, const E *x, const E *y, size_t i) { found = plus(found, times(conjugate(x[i]), y[i])); }
};

/* Extremes start from an element that is there. */
template <class Type, bool greatest> struct extreme : reads<Type, typename Type::value> {
  using V = typename Type::value;
  using E = typename Type::element;
  static bool is_better(V a, V b) { return greatest ? b < a : a < b; }
  static V start(const E *x) { return value_of(x[0]); }
  static void join(V &found, const V &other) { found = is_better(other, found) ? other : found; }
  static void add(V &found, const E *x, const E *, size_t i) { join(found, value_of(x[i])); }
  static E finish(const V &found) { return to_element<E, V>::of(found); }
};
template <class Type> struct min : extreme<Type, false> {};
template <class Type> struct max : extreme<Type, true> {};

template <class T> struct pair {
  T least, greatest;
};
template <class Type> struct minmax : reads<Type, pair<typename Type::value>> {
  using V = typename Type::value;
  using E = typename Type::element;
  static pair<V> start(const E *x) { return {value_of(x[0]), value_of(x[0])}; }
  static void join(pair<V> &found, const pair<V> &other) {
    min<Type>::join(found.least, other.least);
    max<Type>::join(found.greatest, other.greatest);
  }
  static void add(pair<V> &found, const E *x, const E *, size_t i) { join(found, {value_of(x[i]), value_of(x[i])}); }
  static pair<E> finish(const pair<V> &found) {
    return {to_element<E, V>::of(found.least), to_element<E, V>::of(found.greatest)};
  }
};

/* Ranges come in rising order to one body, but bodies are joined with any other. */
template <class T> struct located {
  T value;
  int64_t index;
};
template <class Type, bool greatest> struct place : reads<Type, located<typename Type::value>> {
  using V = typename Type::value;
  using E = typename Type::element;
  static located<V> start(const E *x) { return {value_of(x[0]), 0}; }
  static void add(located<V> &found, const E *x, const E *, size_t i) {
    const V value = value_of(x[i]);
    if (extreme<Type, greatest>::is_better(value, found.value))
      found = {value, static_cast<int64_t>(i)};
  }
  static void join(located<V> &found, const located<V> &other) {
    if (extreme<Type, greatest>::is_better(other.value, found.value) ||
        (other.value == found.value && other.index < found.index))
      found = other;
  }
  static located<E> finish(const located<V> &found) { return {to_element<E, V>::of(found.value), found.index}; }
};
template <class Type> struct argmin : place<Type, false> {};
template <class Type> struct argmax : place<Type, true> {};

template <class Type> struct bit_and : finds<Type, typename Type::element> {
  using E = typename Type::element;
  static E start(const E *) { return static_cast<E>(-1); }
  static void join(E &found, const E &other) { found &= other; }
  static void add(E &found, const E *x, const E *, size_t i) { found &= x[i]; }
};
template <class Type> struct bit_or : finds<Type, typename Type::element> {
  using E = typename Type::element;
  static E start(const E *) { return 0; }
  static void join(E &found, const E &other) { found |= other; }
  static void add(E &found, const E *x, const E *, size_t i) { found |= x[i]; }
};
template <class Type> struct bit_xor : finds<Type, typename Type::element> {
  using E = typename Type::element;
  static E start(const E *) { return 0; }
  static void join(E &found, const E &other) { found ^= other; }
  static void add(E &found, const E *x, const E *, size_t i) { found ^= x[i]; }
};

template <class Type> struct all : finds<Type, bool> {
  using E = typename Type::element;
  static bool start(const E *) { return true; }
  static void join(bool &found, const bool &other) { found = found && other; }
  static void add(bool &found, const E *x, const E *, size_t i) { found = found && is_nonzero(all::at(x, i)); }
};
template <class Type> struct any : finds<Type, bool> {
  using E = typename Type::element;
  static bool start(const E *) { return false; }
  static void join(bool &found, const bool &other) { found = found || other; }
  static void add(bool &found, const E *x, const E *, size_t i) { found = found || is_nonzero(any::at(x, i)); }
};
template <class Type> struct count : finds<Type, uint64_t> {
  using E = typename Type::element;
  static uint64_t start(const E *) { return 0; }
  static void join(uint64_t &found, const uint64_t &other) { found += other; }
  static void add(uint64_t &found, const E *x, const E *, size_t i) { found += is_nonzero(count::at(x, i)); }
};

template <class Type> struct norm1 : finds<Type, typename Type::real> {
  using R = typename Type::real;
  using E = typename Type::element;
  static R start(const E *) { return 0; }
  static void join(R &found, const R &other) { found += other; }
  static void add(R &found, const E *x, const E *, size_t i) { found += modulus(norm1::at(x, i)); }
};
template <class Type> struct norm_inf : finds<Type, typename Type::real> {
  using R = typename Type::real;
  using E = typename Type::element;
  static R start(const E *) { return 0; }
  static void join(R &found, const R &other) { found = found < other ? other : found; }
  static void add(R &found, const E *x, const E *, size_t i) { join(found, modulus(norm_inf::at(x, i))); }
};
template <class Type> struct norm2 : reads<Type, double> {
  using E = typename Type::element;
  static double start(const E *) { return 0; }
  static void join(double &found, const double &other) { found += other; }
  static void add(double &found, const E *x, const E *, size_t i) { found += square(norm2::at(x, i)); }
  static typename Type::real finish(const double &found) {
    return static_cast<typename Type::real>(__builtin_sqrt(found));
  }
};

/* ---- the list ---- */

template <class Kernel> struct functions {
  using A = typename Kernel::accumulator;
  using E = typename Kernel::element;
  static_assert(sizeof(A) <= peer::ACCUMULATOR_BYTES);
  static void start(const void *x, void *accumulator_out) {
    *static_cast<A *>(accumulator_out) = Kernel::start(static_cast<const E *>(x));
  }
  static void range(const void *x, const void *y, size_t begin, size_t end, void *accumulator) {
    A found = *static_cast<A *>(accumulator);
    for (size_t i = begin; i < end; i++)
      Kernel::add(found, static_cast<const E *>(x), static_cast<const E *>(y), i);
    *static_cast<A *>(accumulator) = found;
  }
  static void join(void *accumulator, const void *other) {
    Kernel::join(*static_cast<A *>(accumulator), *static_cast<const A *>(other));
  }
  static void finish(const void *accumulator, void *result_out) {
    const auto result = Kernel::finish(*static_cast<const A *>(accumulator));
    __builtin_memcpy(result_out, &result, sizeof result);
  }
  static constexpr peer::loops of(const char *kernel, const char *type) {
    return {kernel, type, start, range, join, finish};
  }
};

/* describe has no peer. */
template <class Type> struct describe;
template <class Type> struct functions<describe<Type>> {
  static constexpr peer::loops of(const char *, const char *) { return {"", "", nullptr, nullptr, nullptr, nullptr}; }
};

#define LOOPS(tag, CODE, code, type, value, sum, real, key, class, GROUP, kernel)                                      \
  USW_HAS_##GROUP##_##class(functions<kernel<type_of<type, value, sum, real>>>::of(#kernel, #tag), )
#define KERNEL(name, OPERATION, streams, RESULT, GROUP, ...) USW_TYPES(LOOPS, GROUP, name)
constexpr peer::loops loops[] = {USW_FUNCTIONS(KERNEL, )};

} // namespace

peer::loop_list PEER_LOOPS();
peer::loop_list PEER_LOOPS() { return {loops, sizeof loops / sizeof *loops}; }
