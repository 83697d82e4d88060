/** @defgroup cxx C++17
 *  Upsweep for C++17: values in, values out.
 *  @code{.cpp}
 *     double s = usw::sum(x);                       // throws usw::error
 *     double s = usw::sum(x, status);               // status is a usw_status_t; nothing is thrown
 *     auto [value, index] = usw::argmin(x, options);
 *  @endcode
 * Every function of functions.def is here under its own name, for every element type of its group. x is anything that
 * std::data() and std::size() take: an array, a std::vector, std::array, std::span or usw::span, of host or device
 * memory. What the values mean, and what a call costs, stands with the C functions in upsweep.h. Arrays of several dimensions are
 * usw::view or std::mdspan: @ref cxx_axes. Results for runs of elements: @ref cxx_segments.
 *  @{ */
#ifndef UPSWEEP_UPSWEEP_HPP
#define UPSWEEP_UPSWEEP_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <upsweep/segments.hpp>
#include <upsweep/upsweep.h>
#include <upsweep/view.hpp>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

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

/** @cond */
namespace detail {

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
/* Many results: of views along axes, of other arrays for segments. */
template <usw_operation_t operation, class Which, class X>
using one_of = std::enable_if_t<is_view<X>::value == std::is_same_v<Which, axes>, result_of<operation, X>>;
template <usw_operation_t operation, class Which, class X> using results_of = std::vector<one_of<operation, Which, X>>;
template <usw_operation_t operation, class Which, class X> using memory_of = one_of<operation, Which, X> *;

/* Options of a call. With views nothing in braces is options: it is axes. */
class options_of_view {
public:
  options_of_view(const usw_options_t &how) noexcept : how_(how) {}
  operator const usw_options_t &() const noexcept { return how_; }

private:
  const usw_options_t &how_;
};
template <class X> using how = std::conditional_t<is_view<X>::value, options_of_view, usw_options_t>;

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

template <class V> usw_array_t array_of(const V &v) noexcept {
  std::size_t extents[USW_MAX_RANK];
  std::ptrdiff_t strides[USW_MAX_RANK];
  const auto rank = v.rank();
  for (auto d = rank; d-- > 0;)
    if (d < USW_MAX_RANK) {
      extents[d] = static_cast<std::size_t>(v.extent(d));
      strides[d] = static_cast<std::ptrdiff_t>(v.stride(d));
    }
  return usw_array(code<element_of<V>>::value, v.data_handle(), static_cast<std::uint32_t>(rank), extents, strides);
}

template <class X, class Y> constexpr void check_pair() noexcept {
  static_assert(std::is_same_v<element_of<X>, element_of<Y>>, "x and y must have the same type of elements");
  static_assert(is_view<X>::value == is_view<Y>::value, "x and y must both be views, or neither");
}

inline usw_status_t check_counts(const stream &from, const stream &with) noexcept {
  return from.count == with.count ? USW_OK
                                  : usw_error_set(USW_ERROR_INVALID, "x and y have different numbers of elements");
}

/* Results in memory of the caller's. */
template <usw_operation_t operation, class X>
void reduce_into(usw_status_t &status, const usw_options_t *how, const axes &which, void *results,
                 const X &x) noexcept {
  const usw_array_t array = array_of(x);
  const std::uint32_t bits = which.of_rank(array.rank, status);
  if (status == USW_OK)
    status = usw_reduce_axes(operation, &array, bits, results, how);
}

template <usw_operation_t operation, class X, class Y>
void reduce_into(usw_status_t &status, const usw_options_t *how, const axes &which, void *results, const X &x,
                 const Y &y) noexcept {
  check_pair<X, Y>();
  const usw_array_t first = array_of(x), second = array_of(y);
  const std::uint32_t bits = which.of_rank(first.rank, status);
  if (status == USW_OK)
    status = usw_reduce_axes_pair(operation, &first, &second, bits, results, how);
}

template <usw_operation_t operation, class X>
void reduce_into(usw_status_t &status, const usw_options_t *how, const segments &which, void *results,
                 const X &x) noexcept {
  const stream from = stream_of(x, how != nullptr ? how->stride[0] : 0);
  const usw_segments_t each = which.for_c(status);
  if (status == USW_OK)
    status = usw_reduce_segments(operation, code<element_of<X>>::value, from.first, from.count, &each, results, how);
}

template <usw_operation_t operation, class X, class Y>
void reduce_into(usw_status_t &status, const usw_options_t *how, const segments &which, void *results, const X &x,
                 const Y &y) noexcept {
  check_pair<X, Y>();
  const stream from = stream_of(x, how != nullptr ? how->stride[0] : 0);
  const stream with = stream_of(y, how != nullptr ? how->stride[1] : 0);
  const usw_segments_t each = which.for_c(status);
  if (status == USW_OK)
    status = check_counts(from, with);
  if (status == USW_OK)
    status = usw_reduce_segments_pair(operation, code<element_of<X>>::value, from.first, with.first, from.count, &each,
                                      results, how);
}

/* How many results a call has; 0 after a mistake. */
template <class X> std::size_t count_results(usw_status_t &status, const axes &which, const X &x) noexcept {
  const usw_array_t array = array_of(x);
  const std::uint32_t bits = which.of_rank(array.rank, status);
  std::size_t count = 1;
  for (std::uint32_t d = 0; d < array.rank && d < USW_MAX_RANK; d++)
    count *= (bits >> d & 1) != 0 ? 1 : array.extent[d];
  return status == USW_OK ? count : 0;
}
template <class X> std::size_t count_results(usw_status_t &status, const segments &which, const X &) noexcept {
  which.for_c(status);
  return status == USW_OK ? which.count() : 0;
}

/* Results in a vector: none after a failure. Elements of a std::vector<bool> have no addresses, so bytes stand in for them. */
template <usw_operation_t operation, class Which, class X, class... Y>
results_of<operation, Which, X> reduce_many(usw_status_t &status, const usw_options_t *how, const Which &which,
                                            const X &x, const Y &...y) {
  using value = result_of<operation, X>;
  const std::size_t count = count_results(status, which, x);
  if (status != USW_OK)
    return {};
  std::vector<std::conditional_t<std::is_same_v<value, bool>, unsigned char, value>> results(count + (count == 0));
  reduce_into<operation>(status, how, which, results.data(), x, y...);
  results.resize(status == USW_OK ? count : 0);
  if constexpr (std::is_same_v<value, bool>)
    return {results.begin(), results.end()};
  else
    return results;
}

template <usw_operation_t operation, class X>
result_of<operation, X> reduce(usw_status_t &status, const usw_options_t *how, const X &x) noexcept {
  result_of<operation, X> value{};
  if constexpr (is_view<X>::value)
    reduce_into<operation>(status, how, axes::every(), &value, x);
  else {
    const stream from = stream_of(x, how != nullptr ? how->stride[0] : 0);
    status = usw_reduce(operation, code<element_of<X>>::value, from.first, from.count, &value, how);
  }
  return value;
}

template <usw_operation_t operation, class X, class Y>
result_of<operation, X> reduce(usw_status_t &status, const usw_options_t *how, const X &x, const Y &y) noexcept {
  check_pair<X, Y>();
  result_of<operation, X> value{};
  if constexpr (is_view<X>::value)
    reduce_into<operation>(status, how, axes::every(), &value, x, y);
  else {
    const stream from = stream_of(x, how != nullptr ? how->stride[0] : 0);
    const stream with = stream_of(y, how != nullptr ? how->stride[1] : 0);
    status = check_counts(from, with);
    if (status == USW_OK)
      status = usw_reduce_pair(operation, code<element_of<X>>::value, from.first, with.first, from.count, &value, how);
  }
  return value;
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

template <usw_operation_t operation, class X, class... Y>
result_of<operation, X> reduce_or_throw(const usw_options_t *how, const X &x, const Y &...y) {
  usw_status_t status;
  const auto value = reduce<operation>(status, how, x, y...);
  check<X>(status);
  return value;
}

template <usw_operation_t operation, class Which, class X, class... Y>
results_of<operation, Which, X> reduce_many_or_throw(const usw_options_t *how, const Which &which, const X &x,
                                                     const Y &...y) {
  usw_status_t status;
  auto results = reduce_many<operation>(status, how, which, x, y...);
  check<X>(status);
  return results;
}

template <usw_operation_t operation, class Which, class X, class... Y>
void reduce_into_or_throw(const usw_options_t *how, const Which &which, void *results, const X &x, const Y &...y) {
  usw_status_t status;
  reduce_into<operation>(status, how, which, results, x, y...);
  check<X>(status);
}

} // namespace detail
/** @endcond */

/** @defgroup cxx_functions C++ functions
 *  Four forms of each function of @ref function_table, with or without options, by exception or by status:
 *  @code{.cpp}
 *  usw::sum(x)
 *  usw::sum(x, options)
 *  usw::sum(x, status)
 *  usw::sum(x, options, status)
 *  @endcode
 *  On failure the forms with a status return zeros. dot and dotc take y after x.
 *
 *  With axes of a usw::view or std::mdspan, the same four return a std::vector of the results, row-major over the axes that stay, or
 *  write them to memory of the caller's, on the host or on the device that the call runs on:
 *  @code{.cpp}
 *  usw::sum(x, axes)
 *  usw::sum(x, axes, options)
 *  usw::sum(x, axes, results)
 *  usw::sum(x, axes, results, options)
 *  @endcode
 *  On failure the vectors of the forms with a status are empty. Options' strides are not looked at.
 *
 *  With usw::segments in place of the axes the same eight give a result for each segment of an array that is no view. Options' strides
 *  walk inside x as without segments; offsets count the elements that they take. */
/** @cond */
#define USW_CXX_CLASSES_1 class X
#define USW_CXX_CLASSES_2 class X, class Y
#define USW_CXX_INPUTS_1 const X &x
#define USW_CXX_INPUTS_2 const X &x, const Y &y
#define USW_CXX_NAMES_1 x
#define USW_CXX_NAMES_2 x, y
#define USW_CXX_RESULT detail::result_of<operation, X>
#define USW_CXX_RESULTS(WHICH) detail::results_of<operation, WHICH, X>
#define USW_CXX_MEMORY(WHICH) detail::memory_of<operation, WHICH, X>
#define USW_CXX_MANY(name, OPERATION, streams, WHICH)                                                                  \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULTS(WHICH)                                                                                               \
  name(USW_CXX_INPUTS_##streams, const WHICH &which) {                                                                 \
    return detail::reduce_many_or_throw<operation>(nullptr, which, USW_CXX_NAMES_##streams);                           \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULTS(WHICH)                                                                                               \
  name(USW_CXX_INPUTS_##streams, const WHICH &which, const usw_options_t &how) {                                       \
    return detail::reduce_many_or_throw<operation>(detail::at(how), which, USW_CXX_NAMES_##streams);                   \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULTS(WHICH)                                                                                               \
  name(USW_CXX_INPUTS_##streams, const WHICH &which, usw_status_t &status) {                                           \
    return detail::reduce_many<operation>(status, nullptr, which, USW_CXX_NAMES_##streams);                            \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULTS(WHICH)                                                                                               \
  name(USW_CXX_INPUTS_##streams, const WHICH &which, const usw_options_t &how, usw_status_t &status) {                 \
    return detail::reduce_many<operation>(status, detail::at(how), which, USW_CXX_NAMES_##streams);                    \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  void name(USW_CXX_INPUTS_##streams, const WHICH &which, USW_CXX_MEMORY(WHICH) results) {                             \
    detail::reduce_into_or_throw<operation>(nullptr, which, results, USW_CXX_NAMES_##streams);                         \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  void name(USW_CXX_INPUTS_##streams, const WHICH &which, USW_CXX_MEMORY(WHICH) results, const usw_options_t &how) {   \
    detail::reduce_into_or_throw<operation>(detail::at(how), which, results, USW_CXX_NAMES_##streams);                 \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  void name(USW_CXX_INPUTS_##streams, const WHICH &which, USW_CXX_MEMORY(WHICH) results,                               \
            usw_status_t &status) noexcept {                                                                           \
    detail::reduce_into<operation>(status, nullptr, which, results, USW_CXX_NAMES_##streams);                          \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  void name(USW_CXX_INPUTS_##streams, const WHICH &which, USW_CXX_MEMORY(WHICH) results, const usw_options_t &how,     \
            usw_status_t &status) noexcept {                                                                           \
    detail::reduce_into<operation>(status, detail::at(how), which, results, USW_CXX_NAMES_##streams);                  \
  }
#define USW_CXX_FUNCTION(name, OPERATION, streams, ...)                                                                \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULT name(USW_CXX_INPUTS_##streams) {                                                                      \
    return detail::reduce_or_throw<operation>(nullptr, USW_CXX_NAMES_##streams);                                       \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULT name(USW_CXX_INPUTS_##streams, const detail::how<X> &how) {                                           \
    return detail::reduce_or_throw<operation>(detail::at(how), USW_CXX_NAMES_##streams);                               \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULT name(USW_CXX_INPUTS_##streams, usw_status_t &status) noexcept {                                       \
    return detail::reduce<operation>(status, nullptr, USW_CXX_NAMES_##streams);                                        \
  }                                                                                                                    \
  template <USW_CXX_CLASSES_##streams, usw_operation_t operation = USW_##OPERATION>                                    \
  USW_CXX_RESULT name(USW_CXX_INPUTS_##streams, const detail::how<X> &how, usw_status_t &status) noexcept {            \
    return detail::reduce<operation>(status, detail::at(how), USW_CXX_NAMES_##streams);                                \
  }                                                                                                                    \
  USW_CXX_MANY(name, OPERATION, streams, axes)                                                                         \
  USW_CXX_MANY(name, OPERATION, streams, segments)
USW_FUNCTIONS(USW_CXX_FUNCTION, )
#undef USW_CXX_FUNCTION
#undef USW_CXX_MANY
#undef USW_CXX_CLASSES_1
#undef USW_CXX_CLASSES_2
#undef USW_CXX_INPUTS_1
#undef USW_CXX_INPUTS_2
#undef USW_CXX_NAMES_1
#undef USW_CXX_NAMES_2
#undef USW_CXX_RESULT
#undef USW_CXX_RESULTS
#undef USW_CXX_MEMORY
/** @endcond */

} // namespace usw

/** @} */
#endif
