/* Reducers as objects, for bodies in C++: combine(), the operators that fit, identity(), and spans by index. Made of the
 * functions that the macros in C are made of. */
#ifndef UPSWEEP_ENGINE_REDUCERS_CXX_H
#define UPSWEEP_ENGINE_REDUCERS_CXX_H

#include <type_traits>

#if USW_HAS_REGIONS
#pragma omp begin declare target
#endif
namespace usw {

/* A reducer of a body: nothing to read, copy or assign. Combine is called with the accumulator and the value. */
template <class Combine, class T, int code, bool has_identity> class reducer {
public:
  typedef T value_type;
  static constexpr int dimensions = 0;
  static constexpr int operation = code;

  explicit reducer(const Combine &combine_in) : combine_(combine_in) {}
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  const reducer &combine(const T &value) const {
    combine_(value);
    return *this;
  }
  const reducer &operator+=(const T &value) const { return fitting<USW_PLUS>(value); }
  const reducer &operator*=(const T &value) const { return fitting<USW_MULTIPLIES>(value); }
  const reducer &operator&=(const T &value) const { return fitting<USW_BIT_AND>(value); }
  const reducer &operator|=(const T &value) const { return fitting<USW_BIT_OR>(value); }
  const reducer &operator^=(const T &value) const { return fitting<USW_BIT_XOR>(value); }
  const reducer &operator++() const {
    static_assert(std::is_integral<T>::value, "++ is for integers");
    return fitting<USW_PLUS>(T(1));
  }
  void operator++(int) const { ++*this; }
  T identity() const {
    static_assert(has_identity, "the reducer's operator has no identity");
    return combine_.identity();
  }

private:
  template <int fits> const reducer &fitting(const T &value) const {
    static_assert(code == fits, "this does not fit the reducer's operator: use combine()");
    return combine(value);
  }
  Combine combine_;
};

/* An array of reducers. */
template <class Combine, class T, int code, bool has_identity> class span_reducer {
public:
  typedef T value_type;
  static constexpr int dimensions = 1;
  static constexpr int operation = code;

  explicit span_reducer(const Combine &combine_in) : combine_(combine_in) {}
  span_reducer(const span_reducer &) = delete;
  span_reducer &operator=(const span_reducer &) = delete;
  reducer<Combine, T, code, has_identity> operator[](size_t index) const {
    return reducer<Combine, T, code, has_identity>(combine_.at(index));
  }

private:
  Combine combine_;
};

} // namespace usw
#if USW_HAS_REGIONS
#pragma omp end declare target
#endif

/* What the two classes call, and the body's parameters; for each reducer of a kernel. */
#define USW_R_CXX(T, n, ...)                                                                                           \
  struct USW_OF(_into_, n) {                                                                                           \
    USW_F(_acc) * a;                                                                                                   \
    const USW_F(_spans) * s;                                                                                           \
    void operator()(const T &value) const { USW_OF(_combine_, n)(a, s, value); }                                       \
    T identity() const { return USW_OF(_identity_of_, n)(); }                                                          \
  };                                                                                                                   \
  typedef usw::reducer<USW_OF(_into_, n), T, USW_OF(_code_, n), USW_OF(_has_identity_, n)> USW_OF(_reducer_, n);
#define USW_S_CXX(T, n, ...)                                                                                           \
  struct USW_OF(_into_, n) {                                                                                           \
    USW_F(_acc) * a;                                                                                                   \
    USW_F(_spans) * s;                                                                                                 \
    size_t index;                                                                                                      \
    void operator()(const T &value) const { USW_OF(_combine_, n)(a, s, index, value); }                                \
    T identity() const { return USW_OF(_identity_of_, n)(); }                                                          \
    USW_OF(_into_, n) at(size_t k) const { return USW_OF(_into_, n){a, s, k}; }                                        \
  };                                                                                                                   \
  typedef usw::span_reducer<USW_OF(_into_, n), T, USW_OF(_code_, n), USW_OF(_has_identity_, n)> USW_OF(_reducer_, n);
#define USW_R_PARAMETER(T, n, ...) , const USW_OF(_reducer_, n) & n USW_UNUSED
#define USW_S_PARAMETER(T, n, ...) USW_R_PARAMETER(T, n, __VA_ARGS__)
#define USW_R_PASS(T, n, ...) , USW_OF(_reducer_, n)(USW_OF(_into_, n){a, s})
#define USW_S_PASS(T, n, ...) , USW_OF(_reducer_, n)(USW_OF(_into_, n){a, s, 0})

#endif
