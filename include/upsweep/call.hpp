/* What every call of the C++ interface needs: options, errors, element types, where elements are. For upsweep.hpp, parts.hpp and scans.hpp. */
#ifndef UPSWEEP_CALL_HPP
#define UPSWEEP_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <upsweep/upsweep.h>
#include <upsweep/view.hpp>
#include <utility>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

/** @addtogroup cxx
 *  @{ */

/** Everything of the C++ interface. */
namespace usw {

#ifdef __cpp_lib_span
using std::span;
#else
/** An address and a number of elements, for memory that no container owns. std::span from C++20 on. */
template <class T> class span {
public:
  using element_type = T; /**< as in std::span */
  constexpr span() noexcept = default;
  /** size elements from data on. */
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  constexpr T *data() const noexcept { return data_; }          /**< the first element's address */
  constexpr std::size_t size() const noexcept { return size_; } /**< number of elements */

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

/** Options of a call, all at their defaults: usw_options_t with its size filled in.
 *
 *  A stride walks inside x as a slice does in Python: s > 0 takes x[0], x[s], ...; s < 0 starts at the last element;
 *  USW_STRIDE_NONE takes x[0] std::size(x) times. Device memory works as well: elements are not touched here. */
struct options : usw_options_t {
  options() noexcept : usw_options_t() { size = USW_INIT(usw_options_t); }
};

/** A report for options.report, with its size filled in. */
struct report : usw_report_t {
  report() noexcept : usw_report_t() { size = USW_INIT(usw_report_t); }
};

/** A call that failed. what() is usw_error_text() of the call. */
class error : public std::runtime_error {
public:
  /** A status and what it is about. */
  error(usw_status_t status, const char *text) : std::runtime_error(text), status_(status) {}
  usw_status_t status() const noexcept { return status_; } /**< never USW_OK */

private:
  usw_status_t status_;
};

/** The storage type of the library that a C++ type is read as.
 *
 *  Integers are found by size and sign. For 16-bit floating types of your own say which of the two they are:
 *      template <> struct usw::storage<_Float16> { using type = usw_f16_t; }; */
template <class T, class = void> struct storage {};

/** @cond */
namespace detail {

template <class T> struct code; // element type -> usw_type_t
template <usw_operation_t operation, class T> struct result {};
template <std::size_t bytes, bool is_signed> struct integer {};

#define USW_CXX_TYPE(tag, CODE, value, type, ...)                                                                      \
  template <> struct code<usw_##tag##_t> : std::integral_constant<usw_type_t, USW_##CODE> {};
USW_TYPES(USW_CXX_TYPE, )
#undef USW_CXX_TYPE

#define USW_CXX_INTEGER(tag, CODE, code, type, value, sum, real, key, class_, ...)                                     \
  USW_HAS_INTEGER_##class_(template <> struct integer<sizeof(type), std::is_signed_v<type>> { using type_ = type; };)
USW_TYPES(USW_CXX_INTEGER, )
#undef USW_CXX_INTEGER

/* result<USW_PLUS, int32_t>::type is int64_t; there is none where the type is not of the function's group. */
#define USW_CXX_RESULT(tag, CODE, code, type_, value, sum, real, key, class_, OPERATION, RESULT, GROUP)                \
  USW_HAS_##GROUP##_##class_(                                                                                          \
      template <> struct result<USW_##OPERATION, usw_##tag##_t> { using type = USW_RESULT_##RESULT(tag); };)
#define USW_CXX_RESULTS(name, OPERATION, streams, RESULT, GROUP, ...)                                                  \
  USW_TYPES(USW_CXX_RESULT, OPERATION, RESULT, GROUP)
USW_FUNCTIONS(USW_CXX_RESULTS, )
#undef USW_CXX_RESULTS
#undef USW_CXX_RESULT

} // namespace detail

#define USW_CXX_STORAGE(tag, CODE, code, type_, value, sum, real, key, class_, ...)                                    \
  USW_HAS_CONTINUOUS_##class_(template <> struct storage<usw_##tag##_t> { using type = usw_##tag##_t; };)
USW_TYPES(USW_CXX_STORAGE, )
#undef USW_CXX_STORAGE
/** @endcond */
/** A bool is a usw_b8_t. */
template <> struct storage<bool> {
  using type = bool; /**< itself */
};
/** Integers: the type of the library with the same size and sign. */
template <class T> struct storage<T, std::enable_if_t<std::is_integral_v<T>>> {
  /** That type. */
  using type = typename detail::integer<sizeof(T), std::is_signed_v<T>>::type_;
};

template <class T> class parts;

/** @cond */
namespace detail {

template <class X> struct is_parts : std::false_type {};
template <class T> struct is_parts<parts<T>> : std::true_type {};

template <class T> T *first_of(const parts<T> &x) noexcept; // for its type alone
template <class X, std::enable_if_t<!is_view<X>::value, int> = 0>
auto first_of(const X &x) noexcept -> decltype(std::data(x)) {
  return std::data(x);
}
template <class X, std::enable_if_t<is_view<X>::value, int> = 0>
auto first_of(const X &x) noexcept -> std::decay_t<decltype(x.data_handle())> { // std::mdspan returns a reference
  return x.data_handle();
}
template <class X> using data_of = std::remove_pointer_t<decltype(first_of(std::declval<const X &>()))>;
template <class X> using element_of = typename storage<std::remove_cv_t<data_of<X>>>::type;
template <usw_operation_t operation, class X> using result_of = typename result<operation, element_of<X>>::type;

inline const usw_options_t *at(const usw_options_t &how) noexcept { return &how; }

/* Where an input starts and how many items a stride finds in it. */
struct stream {
  const void *first;
  std::size_t count;
};

template <class X> stream stream_of(const X &x, std::ptrdiff_t stride) noexcept {
  const std::size_t size = std::size(x);
  const auto *data = std::data(x);
  if (size == 0 || stride == 0 || stride == 1 || stride == USW_STRIDE_NONE)
    return {data, size};
  const std::size_t step = stride < 0 ? std::size_t(0) - std::size_t(stride) : std::size_t(stride);
  return {stride < 0 ? data + (size - 1) : data, (size - 1) / step + 1};
}

/* Where the first of some elements is, how many there are, how far they are apart. */
struct line : stream {
  std::ptrdiff_t stride;
};

inline usw_status_t refuse_rank(std::size_t rank) noexcept {
  char text[96];
  std::snprintf(text, sizeof text, "a view of %zu dimensions: scans, reductions by key and parts take one", rank);
  return usw_error_set(USW_ERROR_INVALID, text);
}

template <class X> line line_of(const X &x, std::ptrdiff_t stride, usw_status_t &status) noexcept {
  status = USW_OK;
  if constexpr (is_view<X>::value) {
    if (x.rank() != 1) {
      status = refuse_rank(x.rank());
      return {};
    }
    const auto count = static_cast<std::size_t>(x.extent(0));
    const std::ptrdiff_t apart = count > 1 ? static_cast<std::ptrdiff_t>(x.stride(0)) : 1;
    return {{x.data_handle(), count}, apart != 0 ? apart : USW_STRIDE_NONE};
  } else {
    return {stream_of(x, stride), stride};
  }
}

/* Stop the call that failed, or the compiler where nothing can be thrown: T depends on the call. */
template <class T> void check([[maybe_unused]] usw_status_t status) {
#ifdef __cpp_exceptions
  if (status != USW_OK)
    throw error(status, usw_error_text());
#else
  static_assert(!std::is_same_v<T, T>, "without exceptions, hand over a status: usw::sum(x, status)");
#endif
}

} // namespace detail
/** @endcond */

} // namespace usw

/** @} */
#endif
