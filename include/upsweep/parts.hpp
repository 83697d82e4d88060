/* Arrays that lie in several places. For upsweep.hpp, which includes it. */
#ifndef UPSWEEP_PARTS_HPP
#define UPSWEEP_PARTS_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <upsweep/call.hpp>
#include <upsweep/parts.h>
#include <vector>

namespace usw {

/** @defgroup cxx_parts C++ parts
 *  One result of elements that lie in several places, GPUs and the host, in the order of the parts:
 *  @code{.cpp}
 *  double s = usw::sum(usw::parts(a, b, c));
 *  double d = usw::dot(usw::parts(a, b), usw::parts(u, v)); // a with u, b with v
 *  usw::parts<float> all;
 *  for (const auto &block : blocks)
 *    all.add(block);
 *  auto [value, index] = usw::argmax(all, options);         // the index counts on over the parts
 *  @endcode
 *  The four forms of @ref cxx_functions take them in place of x. Options have neither place nor strides nor a stream. What the values mean,
 *  errors, determinism and costs: usw_reduce_parts(). */

/** Parts with elements of type T. Each is an array as for usw::sum(), or a usw::view or std::mdspan of one dimension, which has a stride;
 *  host or device memory, owned by the caller, not copied. */
template <class T> class parts {
public:
  /** Parts that are reduced where they are, in this order. */
  template <class... X> explicit parts(const X &...x) {
    parts_.reserve(sizeof...(x));
    (add(x), ...);
  }
  /** A further part, and where it is reduced, as in usw_part_t. */
  template <class X> parts &add(const X &x, usw_place_t place = USW_AUTO_PLACE, int device = 0) {
    static_assert(std::is_same_v<detail::element_of<X>, typename storage<T>::type>,
                  "all parts must have the same type of elements");
    usw_status_t status;
    const detail::line from = detail::line_of(x, 0, status);
    has_wrong_view_ = has_wrong_view_ || status != USW_OK;
    parts_.push_back({USW_INIT(usw_part_t), place, device, from.count, {from.first, nullptr}, {from.stride, 0}});
    return *this;
  }
  std::size_t count() const noexcept { return parts_.size(); } /**< parts */
  /** The same for usw_reduce_parts(), valid until a part is added. */
  const usw_part_t *for_c(usw_status_t &status) const noexcept {
    status = has_wrong_view_ ? usw_error_set(USW_ERROR_INVALID,
                                             "a part is a view of several dimensions, or of none: parts have one")
                             : USW_OK;
    return parts_.data();
  }

private:
  std::vector<usw_part_t> parts_;
  bool has_wrong_view_ = false;
};

/** The type of the elements is that of the first part's. */
template <class X, class... More> parts(const X &, const More &...) -> parts<std::remove_cv_t<detail::data_of<X>>>;

/** @cond */
namespace detail {

inline bool fit(const usw_part_t &x, const usw_part_t &y) noexcept {
  return y.place == USW_AUTO_PLACE || (y.place == x.place && (y.device == x.device || y.place != USW_DEVICE));
}

/* Parts of two streams, which run where x says; nothing after a mistake. */
template <class T, class U>
std::unique_ptr<usw_part_t[]> both_of(const parts<T> &x, const parts<U> &y, usw_status_t &status) noexcept {
  const std::size_t count = x.count();
  const usw_part_t *first = x.for_c(status);
  const usw_part_t *second = status == USW_OK ? y.for_c(status) : nullptr;
  if (status == USW_OK && count != y.count())
    status = usw_error_set(USW_ERROR_INVALID, "x and y have different numbers of parts");
  std::unique_ptr<usw_part_t[]> both(status == USW_OK ? new (std::nothrow) usw_part_t[count] : nullptr);
  if (status == USW_OK && !both)
    status = usw_error_set(USW_ERROR_MEMORY, "no room for the parts of x and y together");
  for (std::size_t k = 0; status == USW_OK && k < count; k++) {
    both[k] = first[k];
    both[k].x[1] = second[k].x[0];
    both[k].stride[1] = second[k].stride[0];
    if (first[k].n != second[k].n)
      status = usw_error_set(USW_ERROR_INVALID, "a part of x and that of y have different numbers of elements");
    else if (!fit(first[k], second[k]))
      status = usw_error_set(USW_ERROR_INVALID, "a part of y has another place than that of x");
  }
  return both;
}

} // namespace detail
/** @endcond */

} // namespace usw

#endif
