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
 * usw::view or std::mdspan: @ref cxx_axes. Results for runs of elements: @ref cxx_segments. Arrays in several places: @ref cxx_parts.
 * Running results, and results for runs of equal keys: @ref cxx_scans.
 *  @{ */
#ifndef UPSWEEP_UPSWEEP_HPP
#define UPSWEEP_UPSWEEP_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <upsweep/call.hpp>
#include <upsweep/parts.hpp>
#include <upsweep/scans.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/upsweep.h>
#include <upsweep/view.hpp>
#include <utility>
#include <vector>

namespace usw {

/** @cond */
namespace detail {

/* Many results: of views along axes, of other arrays for segments. */
template <usw_operation_t operation, class Which, class X>
using one_of =
    std::enable_if_t<is_view<X>::value == std::is_same_v<Which, axes> && !is_parts<X>::value, result_of<operation, X>>;
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
  static_assert(is_parts<X>::value == is_parts<Y>::value, "x and y must both be parts, or neither");
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
  else if constexpr (is_parts<X>::value) {
    const usw_part_t *each = x.for_c(status);
    if (status == USW_OK)
      status = usw_reduce_parts(operation, code<element_of<X>>::value, each, x.count(), &value, how);
  } else {
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
  else if constexpr (is_parts<X>::value) {
    const auto each = both_of(x, y, status);
    if (status == USW_OK)
      status = usw_reduce_parts(operation, code<element_of<X>>::value, each.get(), x.count(), &value, how);
  } else {
    const stream from = stream_of(x, how != nullptr ? how->stride[0] : 0);
    const stream with = stream_of(y, how != nullptr ? how->stride[1] : 0);
    status = check_counts(from, with);
    if (status == USW_OK)
      status = usw_reduce_pair(operation, code<element_of<X>>::value, from.first, with.first, from.count, &value, how);
  }
  return value;
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
 *  On failure the forms with a status return zeros. dot and dotc take y after x. x and y may be usw::parts.
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
