/* Scans and reductions by key. For upsweep.hpp, which includes it. */
#ifndef UPSWEEP_SCANS_HPP
#define UPSWEEP_SCANS_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <upsweep/call.hpp>
#include <upsweep/keys.h>
#include <upsweep/scan.h>
#include <upsweep/view.hpp>
#include <utility>
#include <vector>

namespace usw {

/** @defgroup cxx_scans C++ scans and reductions by key
 *  Running results, and a result for each run of equal keys. The names are those of C; the operation is a template argument, USW_PLUS by
 *  default:
 *  @code{.cpp}
 *  std::vector<double> sums = usw::scan_inclusive(x);                       // x[0], x[0] + x[1], ...
 *  usw::scan_inclusive<USW_MAXIMUM>(x, x);                                  // running maxima, in place
 *  std::vector<std::int64_t> offsets = usw::scan_exclusive(lengths);        // 0, lengths[0], ...
 *  usw::scan_exclusive(lengths, offsets, 100);                              // behind an initial value
 *  usw::scan_inclusive(usw::view(&x[n - 1], {n}, {-1}), usw::view(&y[n - 1], {n}, {-1})); // from the end
 *  auto [keys, totals] = usw::reduce_by_key(x, sorted_keys);                // usw::runs: two vectors
 *  std::size_t runs = usw::reduce_by_key(x, sorted_keys, unique, results);  // to memory of the caller's
 *  @endcode
 *  As in @ref cxx_functions options, a status, or both may follow in each form:
 *  @code{.cpp}
 *  usw::scan_inclusive<operation>(x)                   usw::scan_inclusive<operation>(x, out)
 *  usw::scan_exclusive<operation>(x)                   usw::scan_exclusive<operation>(x, out)
 *  usw::scan_exclusive<operation>(x, initial)          usw::scan_exclusive<operation>(x, out, initial)
 *  usw::reduce_by_key<operation>(x, keys)              usw::reduce_by_key<operation>(x, keys, unique, results)
 *  @endcode
 *  - operation: as for usw_scan_inclusive() and usw_reduce_by_key(). An operation or type that has no such function does not compile.
 *  - x, keys: arrays as for usw::sum(), or a usw::view or std::mdspan of one dimension, in host or device memory, owned by the caller.
 *    Memory that no container owns is usw::span(address, n). Keys are integers.
 *  - out: as many elements as x has. An address, what std::data() and std::size() take, or a view of one dimension, in the memory that the
 *    call runs in. Its elements have the type of one result: sums of integers are of 64 bits, USW_ARGMIN gives a value with its index. It
 *    may be x itself where C allows it: elements of the same size and the same stride.
 *  - initial: one result, combined before all elements; USW_COUNT, USW_ARGMIN and USW_ARGMAX take none.
 *  - unique, results: room for as many elements as x has, one behind the other: an address, or what std::data() and std::size() take.
 *    unique is in the memory that the call runs in. The call returns the number of runs, which is how many elements it has written to each.
 *  - Without out, unique and results, results are in std::vectors: for calls that run on the host.
 *  - Options' strides walk inside x and out, x and keys, as inside the x of usw::options; views have their own. An address gets as many
 *    strides as x has elements. A vector of results has no gaps: where stride[1] is negative, it is filled from its end.
 *
 *  On failure forms with a status return an empty std::vector, or no runs; out is undefined then. Forms without one throw usw::error. What the
 *  values mean, determinism and costs: @ref scan, @ref keys. */

/** The results of a reduction by key: element k of both is of run k. */
template <class Key, class Result> struct runs {
  std::vector<Key> keys;       /**< the key of each run, in order */
  std::vector<Result> results; /**< what its elements come to */
};

/** @cond */
namespace detail {

/* The type of the elements of memory for results; none of what is no such memory. */
template <class Out, class = void> struct target {};
template <class T> struct target<T *> {
  using type = T;
};
template <class Out>
struct target<Out, std::enable_if_t<!std::is_pointer_v<Out>, std::void_t<decltype(std::data(std::declval<Out &>()))>>> {
  using type = std::remove_pointer_t<decltype(std::data(std::declval<Out &>()))>;
};
template <class Out> struct target<Out, std::enable_if_t<is_view<Out>::value>> {
  using type = typename Out::element_type;
};

/* Whether a T holds a result: it has this type, or is of the same storage type. */
template <class T, class Result, class = void> struct holds : std::is_same<T, Result> {};
template <class T, class Result>
struct holds<T, Result, std::void_t<typename storage<T>::type>>
    : std::bool_constant<!std::is_const_v<T> && std::is_same_v<typename storage<T>::type, Result>> {};

template <class Out, class Result>
using if_holds = std::enable_if_t<holds<typename target<std::remove_reference_t<Out>>::type, Result>::value, int>;
template <class Out, class Result>
using if_row_of = std::enable_if_t<!is_view<std::remove_reference_t<Out>>::value, if_holds<Out, Result>>;

template <class Out>
line line_of_target(Out &out, std::size_t count, std::ptrdiff_t stride, usw_status_t &status) noexcept {
  if constexpr (std::is_pointer_v<std::remove_const_t<Out>>) {
    const bool is_from_end = stride < 0 && stride != USW_STRIDE_NONE && count > 1;
    status = USW_OK;
    return {{is_from_end ? out - stride * static_cast<std::ptrdiff_t>(count - 1) : out, count}, stride};
  } else {
    const line to = line_of(out, stride, status);
    if (status == USW_OK && to.count != count)
      status = usw_error_set(USW_ERROR_INVALID, "x and out have different numbers of elements");
    return to;
  }
}

template <usw_operation_t operation>
constexpr bool is_scan =
    operation < USW_DOT || operation == USW_COUNT || operation == USW_ARGMIN || operation == USW_ARGMAX;
template <usw_operation_t operation, class X>
using scanned_of = std::enable_if_t<is_scan<operation>, result_of<operation, X>>;
template <usw_operation_t operation, class X>
using initial_of = std::enable_if_t<(operation < USW_DOT), result_of<operation, X>>;

/* What is before the first element: nothing of inclusive scans; of exclusive ones an initial value, or the identity at NULL. */
struct inclusive {};
struct exclusive {
  const void *initial = nullptr;
};

inline usw_status_t run_scan(usw_operation_t operation, usw_type_t type, const line &from, void *out, inclusive,
                             const usw_options_t *how) noexcept {
  return usw_scan_inclusive(operation, type, from.first, from.count, out, how);
}
inline usw_status_t run_scan(usw_operation_t operation, usw_type_t type, const line &from, void *out, exclusive before,
                             const usw_options_t *how) noexcept {
  return usw_scan_exclusive(operation, type, from.first, from.count, out, before.initial, how);
}

inline usw_options_t with_strides(const usw_options_t *how, std::ptrdiff_t first, std::ptrdiff_t second) noexcept {
  usw_options_t own = how != nullptr ? *how : options();
  own.stride[0] = first;
  own.stride[1] = second;
  return own;
}

template <usw_operation_t operation, class Before, class X, class Out>
void scan_into(usw_status_t &status, const usw_options_t *how, Before before, const X &x, Out &out) noexcept {
  const line from = line_of(x, how != nullptr ? how->stride[0] : 0, status);
  if (status != USW_OK)
    return;
  const line to = line_of_target(out, from.count, how != nullptr ? how->stride[1] : 0, status);
  if (status != USW_OK)
    return;
  const usw_options_t own = with_strides(how, from.stride, to.stride);
  status = run_scan(operation, code<element_of<X>>::value, from, const_cast<void *>(to.first), before, &own);
}

/* Elements of a std::vector<bool> have no addresses, so bytes stand in for them. */
template <class T> using memory_for = std::vector<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>>;
template <class T> std::vector<T> first_elements(memory_for<T> &memory, std::size_t count) {
  memory.resize(count);
  if constexpr (std::is_same_v<T, bool>)
    return {memory.begin(), memory.end()};
  else
    return std::move(memory);
}

template <usw_operation_t operation, class Before, class X>
std::vector<scanned_of<operation, X>> scan(usw_status_t &status, const usw_options_t *how, Before before, const X &x) {
  using value = scanned_of<operation, X>;
  const line from = line_of(x, how != nullptr ? how->stride[0] : 0, status);
  if (status != USW_OK)
    return {};
  const bool is_from_end = how != nullptr && how->stride[1] < 0 && how->stride[1] != USW_STRIDE_NONE;
  const usw_options_t own = with_strides(how, from.stride, is_from_end ? -1 : 1);
  memory_for<value> results(from.count + (from.count == 0));
  auto *const first = is_from_end ? &results.back() : results.data();
  status = run_scan(operation, code<element_of<X>>::value, from, first, before, &own);
  return first_elements<value>(results, status == USW_OK ? from.count : 0);
}

template <class Keys, class T = element_of<Keys>>
using key_of = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, T>;

/* Both lines of a reduction by key. */
struct keyed {
  line items, keys;
};

template <class X, class Keys>
keyed keyed_of(usw_status_t &status, const usw_options_t *how, const X &x, const Keys &keys) noexcept {
  keyed found{};
  found.items = line_of(x, how != nullptr ? how->stride[0] : 0, status);
  if (status == USW_OK)
    found.keys = line_of(keys, how != nullptr ? how->stride[1] : 0, status);
  if (status == USW_OK && found.items.count != found.keys.count)
    status = usw_error_set(USW_ERROR_INVALID, "x and keys have different numbers of elements");
  return found;
}

template <class Out> void *room_of(Out &out, std::size_t count, usw_status_t &status) noexcept {
  if constexpr (std::is_pointer_v<std::remove_const_t<Out>>) {
    return out;
  } else {
    if (status == USW_OK && std::size(out) < count)
      status = usw_error_set(USW_ERROR_INVALID, "unique and results have room for fewer elements than x has");
    return std::data(out);
  }
}

template <usw_operation_t operation, class X, class Keys>
std::size_t run_by_key(usw_status_t &status, const usw_options_t *how, const keyed &from, void *unique,
                       void *results) noexcept {
  const usw_options_t own = with_strides(how, from.items.stride, from.keys.stride);
  std::size_t count = 0;
  status = usw_reduce_by_key(operation, code<element_of<X>>::value, from.items.first, code<element_of<Keys>>::value,
                             from.keys.first, from.items.count, unique, results, &count, &own);
  return count;
}

template <usw_operation_t operation, class X, class Keys, class Unique, class Results>
std::size_t by_key_into(usw_status_t &status, const usw_options_t *how, const X &x, const Keys &keys, Unique &unique,
                        Results &results) noexcept {
  const keyed from = keyed_of(status, how, x, keys);
  void *const to_keys = room_of(unique, from.items.count, status), *const to =
                                                                       room_of(results, from.items.count, status);
  return status == USW_OK ? run_by_key<operation, X, Keys>(status, how, from, to_keys, to) : 0;
}

template <usw_operation_t operation, class X, class Keys, class = key_of<Keys>>
using runs_of = runs<std::remove_cv_t<data_of<Keys>>, result_of<operation, X>>;

template <usw_operation_t operation, class X, class Keys>
runs_of<operation, X, Keys> by_key(usw_status_t &status, const usw_options_t *how, const X &x, const Keys &keys) {
  using value = result_of<operation, X>;
  const keyed from = keyed_of(status, how, x, keys);
  if (status != USW_OK)
    return {};
  const std::size_t room = from.items.count + (from.items.count == 0);
  runs_of<operation, X, Keys> found;
  memory_for<value> results(room);
  found.keys.resize(room);
  const std::size_t count = run_by_key<operation, X, Keys>(status, how, from, found.keys.data(), results.data());
  found.keys.resize(count);
  found.results = first_elements<value>(results, count);
  return found;
}

/* A call without a status: what it returns, or usw::error. */
template <class X, class Call> auto or_throw(const Call &call) {
  usw_status_t status = USW_OK;
  if constexpr (std::is_void_v<decltype(call(status))>) {
    call(status);
    check<X>(status);
  } else {
    auto found = call(status);
    check<X>(status);
    return found;
  }
}

} // namespace detail

/* Four forms of a function: with or without options, by exception or by status. */
#define USW_CXX_BARE(...) __VA_ARGS__
#define USW_CXX_FORMS(RESULT, name, CLASSES, INPUTS, function, ...)                                                    \
  template <usw_operation_t operation = USW_PLUS, USW_CXX_BARE CLASSES>                                                \
  USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS) {                                                                      \
    return detail::or_throw<X>(                                                                                        \
        [&](usw_status_t &status) { return detail::function<operation>(status, nullptr, __VA_ARGS__); });              \
  }                                                                                                                    \
  template <usw_operation_t operation = USW_PLUS, USW_CXX_BARE CLASSES>                                                \
  USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS, const usw_options_t &how) {                                            \
    return detail::or_throw<X>(                                                                                        \
        [&](usw_status_t &status) { return detail::function<operation>(status, detail::at(how), __VA_ARGS__); });      \
  }                                                                                                                    \
  template <usw_operation_t operation = USW_PLUS, USW_CXX_BARE CLASSES>                                                \
  USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS, usw_status_t &status) {                                                \
    return detail::function<operation>(status, nullptr, __VA_ARGS__);                                                  \
  }                                                                                                                    \
  template <usw_operation_t operation = USW_PLUS, USW_CXX_BARE CLASSES>                                                \
  USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS, const usw_options_t &how, usw_status_t &status) {                      \
    return detail::function<operation>(status, detail::at(how), __VA_ARGS__);                                          \
  }
#define USW_CXX_SCANNED (std::vector<detail::scanned_of<operation, X>>)
#define USW_CXX_OUT (class X, class Out, detail::if_holds<Out, detail::scanned_of<operation, X>> = 0)
#define USW_CXX_OUTS                                                                                                   \
  (class X, class Keys, class Unique, class Results, detail::if_row_of<Unique, detail::key_of<Keys>> = 0,              \
   detail::if_row_of<Results, detail::result_of<operation, X>> = 0)
USW_CXX_FORMS(USW_CXX_SCANNED, scan_inclusive, (class X), (const X &x), scan, detail::inclusive(), x)
USW_CXX_FORMS((void), scan_inclusive, USW_CXX_OUT, (const X &x, Out &&out), scan_into, detail::inclusive(), x, out)
USW_CXX_FORMS(USW_CXX_SCANNED, scan_exclusive, (class X), (const X &x), scan, detail::exclusive(), x)
USW_CXX_FORMS(USW_CXX_SCANNED, scan_exclusive, (class X), (const X &x, detail::initial_of<operation, X> initial), scan,
              detail::exclusive{&initial}, x)
USW_CXX_FORMS((void), scan_exclusive, USW_CXX_OUT, (const X &x, Out &&out), scan_into, detail::exclusive(), x, out)
USW_CXX_FORMS((void), scan_exclusive, USW_CXX_OUT, (const X &x, Out &&out, detail::initial_of<operation, X> initial),
              scan_into, detail::exclusive{&initial}, x, out)
USW_CXX_FORMS((detail::runs_of<operation, X, Keys>), reduce_by_key, (class X, class Keys),
              (const X &x, const Keys &keys), by_key, x, keys)
USW_CXX_FORMS((std::size_t), reduce_by_key, USW_CXX_OUTS,
              (const X &x, const Keys &keys, Unique &&unique, Results &&results), by_key_into, x, keys, unique, results)
#undef USW_CXX_BARE
#undef USW_CXX_FORMS
#undef USW_CXX_SCANNED
#undef USW_CXX_OUT
#undef USW_CXX_OUTS
/** @endcond */

} // namespace usw

#endif
