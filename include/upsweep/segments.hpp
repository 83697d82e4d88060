/* Segments of arrays. For upsweep.hpp, which includes it. */
#ifndef UPSWEEP_SEGMENTS_HPP
#define UPSWEEP_SEGMENTS_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <upsweep/segments.h>
#include <upsweep/status.h>
#include <utility>

namespace usw {

/** @cond */
namespace detail {

/* The type of a container's elements, where they are whole numbers. */
template <class Offsets,
          class T = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Offsets &>()))>>>
using offset_of = std::enable_if_t<std::is_integral_v<T>, T>;

} // namespace detail
/** @endcond */

/** @defgroup cxx_segments C++ segments
 *  One result for each of many segments of an array: runs of elements of any lengths, as the rows of a sparse matrix.
 *  @code{.cpp}
 *  const std::vector<std::int32_t> offsets = {0, 3, 3, 7};               // three segments, of 3, 0 and 4 elements
 *  std::vector<double> sums = usw::sum(x, usw::segments(offsets));
 *  auto highest = usw::argmax(x, usw::segments(begins, ends));           // anywhere
 *  std::vector<double> norms = usw::norm2(x, usw::segments::of_length(100, 20));
 *  usw::sum(x, usw::segments(offsets), results);                         // to memory of the caller's, on the host or the device
 *  @endcode */

/** Segments of an array. Offsets are in what std::data() and std::size() take, as elements are: host or device memory, owned by the caller,
 *  not copied. They are integers of 32 or 64 bits. */
class segments {
public:
  /** Segments that follow each other: segment k is elements offsets[k], ..., offsets[k + 1] - 1. */
  template <class Offsets, class T = detail::offset_of<Offsets>>
  explicit segments(const Offsets &offsets) noexcept
      : segments_(
            usw_segments_by_offsets(code_of<T>(), std::data(offsets), std::size(offsets) - (std::size(offsets) > 0))) {
    if (std::size(offsets) == 0)
      mistake_ = "there are no offsets: n segments have n + 1";
    else
      look_for(std::data(offsets) != nullptr);
  }
  /** Segments anywhere: the first element of each, and the one behind its last. */
  template <class Begins, class Ends, class T = detail::offset_of<Begins>, class U = detail::offset_of<Ends>>
  segments(const Begins &begins, const Ends &ends) noexcept
      : segments_(usw_segments_by_pairs(code_of<T>(), std::data(begins), std::data(ends), std::size(begins))) {
    static_assert(code_of<T>() == code_of<U>(), "begins and ends must have the same type");
    if (std::size(begins) != std::size(ends))
      mistake_ = "begins and ends have different numbers of elements";
    else
      look_for(std::data(begins) != nullptr && std::data(ends) != nullptr);
  }
  /** Segments of one length, which follow each other. */
  static segments of_length(std::size_t length, std::size_t count) noexcept {
    return {usw_segments_of_length(length, count), nullptr};
  }
  std::size_t count() const noexcept { return segments_.count; } /**< segments: as many results has a call */
  /** The same for usw_reduce_segments(). */
  usw_segments_t for_c(usw_status_t &status) const noexcept {
    status = mistake_ != nullptr ? usw_error_set(USW_ERROR_INVALID, mistake_) : USW_OK;
    return segments_;
  }

private:
  segments(const usw_segments_t &of_length, std::nullptr_t) noexcept : segments_(of_length) {}
  template <class T> static constexpr usw_type_t code_of() noexcept {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "offsets must be integers of 32 or 64 bits");
    return sizeof(T) == 4 ? (std::is_signed_v<T> ? USW_I32 : USW_U32) : (std::is_signed_v<T> ? USW_I64 : USW_U64);
  }
  void look_for(bool are_there) noexcept { // without offsets usw_segments_t is of segments of one length
    if (!are_there && segments_.count > 0)
      mistake_ = "the offsets are NULL";
  }
  usw_segments_t segments_;
  const char *mistake_ = nullptr;
};

} // namespace usw

#endif
