/* Views of arrays of several dimensions, and the axes that a call reduces. For upsweep.hpp, which includes it. */
#ifndef UPSWEEP_VIEW_HPP
#define UPSWEEP_VIEW_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <type_traits>
#include <upsweep/axes.h>
#include <upsweep/status.h>
#include <utility>

namespace usw {

/** @cond */
namespace detail {

/* A whole number of any type: braces take variables of every type. */
struct number {
  std::ptrdiff_t value;
  template <class I, std::enable_if_t<std::is_integral_v<I>, int> = 0>
  constexpr number(I i) noexcept : value(static_cast<std::ptrdiff_t>(i)) {}
};

} // namespace detail
/** @endcond */

/** @defgroup cxx_axes C++ views and axes
 *  One result for each row, column or plane of an array of up to eight dimensions, with any strides.
 *  @code{.cpp}
 *  const usw::view image(x.data(), {rows, columns});
 *  std::vector<double> row_sums = usw::sum(image, 1);    // axis 1 is reduced
 *  std::vector<double> total = usw::sum(image, {0, -1}); // both are; -1 is the last axis
 *  usw::sum(image, 0, column_sums);                      // to memory of the caller's, on the host or the device
 *  double all = usw::sum(image);
 *  @endcode */

/** An array of up to eight dimensions that somebody else owns, in host or device memory. It has what std::mdspan has for strided
 *  layouts; every function that takes a view also takes a std::mdspan whose accessor is std::default_accessor. */
template <class T> class view {
public:
  using element_type = T;         /**< as in std::mdspan */
  using reference = T &;          /**< as in std::mdspan */
  using rank_type = std::size_t;  /**< as in std::mdspan */
  using index_type = std::size_t; /**< as in std::mdspan */

  /** Extents in braces, the last dimension the fastest, without gaps. */
  template <std::size_t rank> view(T *data, const detail::number (&extents)[rank]) noexcept : view(rank, data) {
    static_assert(rank <= USW_MAX_RANK, "a usw::view has at most eight dimensions (USW_MAX_RANK)");
    std::ptrdiff_t packed = 1;
    for (std::size_t d = rank; d-- > 0; packed *= extents[d].value)
      set(d, extents[d], packed);
  }
  /** Extents and as many strides, in elements; strides may be negative or 0. */
  template <std::size_t rank>
  view(T *data, const detail::number (&extents)[rank], const detail::number (&strides)[rank]) noexcept
      : view(rank, data) {
    static_assert(rank <= USW_MAX_RANK, "a usw::view has at most eight dimensions (USW_MAX_RANK)");
    for (std::size_t d = 0; d < rank; d++)
      set(d, extents[d], strides[d]);
  }
  T *data_handle() const noexcept { return data_; }                           /**< element (0, 0, ...) */
  std::size_t rank() const noexcept { return rank_; }                         /**< dimensions */
  std::size_t extent(std::size_t d) const noexcept { return extents_[d]; }    /**< of dimension d */
  std::ptrdiff_t stride(std::size_t d) const noexcept { return strides_[d]; } /**< of dimension d, in elements */

private:
  /* Not (data, rank): one extent in braces would be a rank. */
  view(std::size_t rank, T *data) noexcept : data_(data), rank_(rank) {}
  void set(std::size_t d, detail::number extent, detail::number stride) noexcept {
    extents_[d] = static_cast<std::size_t>(extent.value);
    strides_[d] = stride.value;
  }
  T *data_;
  std::size_t rank_;
  std::size_t extents_[USW_MAX_RANK] = {};
  std::ptrdiff_t strides_[USW_MAX_RANK] = {};
};

/** The axes that a call reduces: a number, or numbers in braces. Negative ones count from the end: -1 is the last axis. */
class axes {
public:
  /** One axis. */
  template <class I, std::enable_if_t<std::is_integral_v<I>, int> = 0> axes(I axis) noexcept { add(axis); }
  /** Several ones. */
  axes(std::initializer_list<detail::number> list) noexcept {
    for (const detail::number axis : list)
      add(axis);
  }
  /** Every axis: one result. */
  static axes every() noexcept {
    axes found({});
    found.from_start_ = USW_ALL_AXES;
    return found;
  }
  /** The axes of an array of `rank` dimensions as bits, for usw_reduce_axes(). */
  std::uint32_t of_rank(std::size_t rank, usw_status_t &status) const noexcept {
    std::uint32_t bits = from_start_;
    std::ptrdiff_t unknown = unknown_;
    for (std::ptrdiff_t k = 1; k <= bit_count; k++) {
      const bool is_there = (from_end_ >> (k - 1) & 1) != 0;
      if (is_there && k <= static_cast<std::ptrdiff_t>(rank))
        bits |= USW_AXIS(static_cast<std::ptrdiff_t>(rank) - k);
      else if (is_there)
        unknown = -k;
    }
    status = unknown == 0 ? USW_OK : refuse(unknown, rank);
    return bits;
  }

private:
  static constexpr std::ptrdiff_t bit_count = 32;
  std::uint32_t from_start_ = 0, from_end_ = 0; // bit k of the latter is axis -1 - k
  std::ptrdiff_t unknown_ = 0;                  // an axis that no array has
  void add(detail::number axis) noexcept {
    if (axis.value >= 0 && axis.value < bit_count)
      from_start_ |= USW_AXIS(axis.value);
    else if (axis.value < 0 && axis.value >= -bit_count)
      from_end_ |= USW_AXIS(-1 - axis.value);
    else
      unknown_ = axis.value;
  }
  static usw_status_t refuse(std::ptrdiff_t axis, std::size_t rank) noexcept {
    char text[96];
    std::snprintf(text, sizeof text, "there is no axis %td, the array has %zu dimensions", axis, rank);
    return usw_error_set(USW_ERROR_INVALID, text);
  }
};

/** @cond */
namespace detail {

/* Whether a type is a view: usw::view, or a std::mdspan whose elements are what lies in memory. */
template <class V, class = void> struct is_view : std::false_type {};
template <class V>
struct is_view<V, std::void_t<decltype(std::declval<const V &>().data_handle(), std::declval<const V &>().extent(0),
                                       std::declval<const V &>().stride(0), std::declval<const V &>().rank())>>
    : std::is_same<typename V::reference, typename V::element_type &> {};

} // namespace detail
/** @endcond */

} // namespace usw

#endif
