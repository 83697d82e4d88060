/* Arrays that lie in several places, and plans of them. For upsweep.hpp, which includes it. */
#ifndef UPSWEEP_PARTS_HPP
#define UPSWEEP_PARTS_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <upsweep/call.hpp>
#include <upsweep/parts.h>
#include <utility>
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
  /** A further part, where it is reduced, and where the result is written too, as in usw_part_t. */
  template <class X>
  parts &add(const X &x, usw_place_t place = USW_AUTO_PLACE, int device = 0, void *result = nullptr) {
    static_assert(std::is_same_v<detail::element_of<X>, typename storage<T>::type>,
                  "all parts must have the same type of elements");
    usw_status_t status;
    const detail::line from = detail::line_of(x, 0, status);
    has_wrong_view_ = has_wrong_view_ || status != USW_OK;
    parts_.push_back(
        {USW_INIT(usw_part_t), place, device, from.count, {from.first, nullptr}, {from.stride, 0}, result});
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

/* A plan of one array in parts, or of two. */
template <usw_operation_t operation, class T>
usw_plan_t *plan_parts(const usw_options_t &how, usw_status_t &status, const parts<T> &x) noexcept {
  usw_plan_t *plan = nullptr;
  const usw_part_t *each = x.for_c(status);
  if (status == USW_OK)
    status = usw_plan_create_parts(&plan, operation, code<typename storage<T>::type>::value, each, x.count(), at(how));
  return plan;
}

template <usw_operation_t operation, class T>
usw_plan_t *plan_parts(const usw_options_t &how, usw_status_t &status, const parts<T> &x, const parts<T> &y) noexcept {
  usw_plan_t *plan = nullptr;
  const auto each = both_of(x, y, status);
  if (status == USW_OK)
    status =
        usw_plan_create_parts(&plan, operation, code<typename storage<T>::type>::value, each.get(), x.count(), at(how));
  return plan;
}

} // namespace detail
/** @endcond */

/** A reduction that is bound to parts: the same one again and again, over what is in their arrays by then.
 *  @code{.cpp}
 *  usw::parts_plan<USW_PLUS, double> plan(blocks);       // what usw::sum(blocks) gives
 *  usw::parts_plan<USW_DOT, double> product(blocks, others);
 *  for (;;) {
 *    double s = plan.run(), later = 0;
 *    usw_request_t request = product.start(later);
 *    ... work that does not need later ...
 *    usw::wait(request);                                 // now it is there
 *  }
 *  @endcode
 *  The operation is that of the function (functions.def), T the type of the elements. The arrays must be there as long as the plan. An
 *  object can be moved, not copied; it waits in its destructor for what was started. What is checked when, threads and costs:
 *  usw_plan_create_parts(). */
template <usw_operation_t operation, class T> class parts_plan {
public:
  /** What the function of the operation returns. */
  using value_type = detail::result_of<operation, parts<T>>;

  /** A plan of one array in parts. Throws usw::error. */
  explicit parts_plan(const parts<T> &x, const usw_options_t &how = options()) : parts_plan(how, x) {}
  /** The same; nothing is thrown. After a failure the plan runs nothing: run() gives USW_ERROR_INVALID. */
  parts_plan(const parts<T> &x, const usw_options_t &how, usw_status_t &status) noexcept
      : plan_(detail::plan_parts<operation>(how, status, x)) {}
  /** A plan of two, whose parts belong together as for usw::dot(). Throws usw::error. */
  parts_plan(const parts<T> &x, const parts<T> &y, const usw_options_t &how = options()) : parts_plan(how, x, y) {}
  /** The same; nothing is thrown. */
  parts_plan(const parts<T> &x, const parts<T> &y, const usw_options_t &how, usw_status_t &status) noexcept
      : plan_(detail::plan_parts<operation>(how, status, x, y)) {}
  parts_plan(parts_plan &&other) noexcept : plan_(std::exchange(other.plan_, nullptr)) {} /**< other is empty then */
  /** Both change places. */
  parts_plan &operator=(parts_plan &&other) noexcept {
    std::swap(plan_, other.plan_);
    return *this;
  }
  ~parts_plan() { usw_plan_destroy(plan_); }

  /** The value, of what is in the arrays now. Throws usw::error. */
  value_type run() {
    usw_status_t status;
    const value_type value = run(status);
    detail::check<T>(status);
    return value;
  }
  /** The same; nothing is thrown. */
  value_type run(usw_status_t &status) noexcept {
    value_type value{};
    status = usw_plan_run_parts(plan_, &value);
    return value;
  }
  /** Start a run. The request is for usw::wait() or usw_request_wait(), which writes the value. Throws usw::error. */
  usw_request_t start(value_type &value) {
    usw_status_t status;
    const usw_request_t request = start(value, status);
    detail::check<T>(status);
    return request;
  }
  /** The same; nothing is thrown. */
  usw_request_t start(value_type &value, usw_status_t &status) noexcept {
    usw_request_t request{};
    status = usw_plan_start_parts(plan_, &value, &request);
    return request;
  }
  usw_plan_t *for_c() const noexcept { return plan_; } /**< for usw_plan_on_completion() and others; NULL: none */

private:
  template <class... Y> explicit parts_plan(const usw_options_t &how, const parts<T> &x, const Y &...y) {
    usw_status_t status;
    plan_ = detail::plan_parts<operation>(how, status, x, y...);
    detail::check<T>(status);
  }
  usw_plan_t *plan_ = nullptr;
};

/** usw_request_wait() that throws usw::error. A template, so that programs without exceptions need not have it. */
template <class Request> void wait(Request &request) {
  static_assert(std::is_same_v<Request, usw_request_t>, "a request is a usw_request_t");
  detail::check<Request>(usw_request_wait(&request));
}

} // namespace usw

#endif
