/* Reductions over the ranks of an MPI program, in C++. */
#ifndef UPSWEEP_MPI_HPP
#define UPSWEEP_MPI_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <upsweep/mpi.h>
#include <upsweep/upsweep.hpp>
#include <utility>

namespace usw {

/** @defgroup cxx_mpi C++ over ranks
 *  The functions of @ref cxx_functions over the elements of all ranks of an MPI program, with the communicator first:
 *  @code{.cpp}
 *     double s = usw::mpi::sum(MPI_COMM_WORLD, x);               // throws usw::error, on all ranks or on none
 *     double s = usw::mpi::sum(MPI_COMM_WORLD, x, options, status);
 *     auto [value, index] = usw::mpi::argmin(MPI_COMM_WORLD, x); // the index counts over the ranks
 *     auto request = usw::mpi::iallreduce<USW_DOT>(comm, x, y);  // usw::mpi::request<double>
 *     ...
 *     double d = request.wait();
 *  @endcode
 *  x is an array as for usw::sum(), or a usw::view or std::mdspan of one dimension: this rank's elements. Options, and what the forms with a
 *  status return, are as there. What must be the same on all ranks, how errors are agreed, determinism and costs: @ref mpi. A mistake of one
 *  rank that C++ finds, as x and y of different sizes, fails on all ranks, too. */

/** Reductions over the ranks of an MPI program. */
namespace mpi {

/** Where an element of a global index is. */
struct location {
  int rank = -1;           /**< its rank; -1: there is none */
  std::int64_t index = -1; /**< its index among that rank's elements; -1: there is none */
};

/** A reduction over ranks that is under way, or can be started again. T is the type of the result.
 *
 *  It owns what it holds: the destructor waits for a reduction that is under way, which all ranks then do, and must run before
 *  MPI_Finalize(). Moving one that is under way is fine. request<> is for kernels, whose results are the caller's variables:
 *  @code{.cpp}
 *  usw::mpi::request<> both;
 *  usw::mpi::check(residual_mpi_start(n, b, ax, &sum, &worst, comm, nullptr, both.for_c()));
 *  both.wait();
 *  @endcode */
template <class T = void> class request {
public:
  /** Nothing is under way. */
  request() noexcept {
    if constexpr (!std::is_void_v<T>)
      value_.reset(new (std::nothrow) T{});
  }
  request(request &&other) noexcept
      : value_(std::move(other.value_)), request_(other.release()) {} /**< takes it over */
  /** Takes it over; what this was is waited for and freed. */
  request &operator=(request &&other) noexcept {
    if (this != &other) {
      usw_mpi_request_free(&request_);
      value_ = std::move(other.value_);
      request_ = other.release();
    }
    return *this;
  }
  ~request() { usw_mpi_request_free(&request_); }
  /** usw_mpi_start(): once more, with the elements as they are now. */
  void start(usw_status_t &status) noexcept { status = usw_mpi_start(&request_); }
  /** The same; throws. */
  void start() { detail::check<T>(usw_mpi_start(&request_)); }
  /** usw_mpi_test(): whether wait() would return at once. */
  bool test(usw_status_t &status) noexcept {
    int is_done = 0;
    status = usw_mpi_test(&request_, &is_done);
    return is_done != 0;
  }
  /** The same; throws. */
  bool test() {
    usw_status_t status;
    const bool is_done = test(status);
    detail::check<T>(status);
    return is_done;
  }
  /** usw_mpi_wait(): the result; zeros on failure. */
  T wait(usw_status_t &status) noexcept {
    status = usw_mpi_wait(&request_);
    if constexpr (!std::is_void_v<T>)
      return status == USW_OK ? *value_ : T{};
  }
  /** The same; throws. */
  T wait() {
    usw_status_t status;
    if constexpr (std::is_void_v<T>) {
      wait(status);
      detail::check<T>(status);
    } else {
      const T value = wait(status);
      detail::check<T>(status);
      return value;
    }
  }
  usw_mpi_request_t *for_c() noexcept { return &request_; } /**< for the functions of C */
  /** Where the result is written. NULL where there is no memory: C refuses it, on all ranks. */
  void *result_for_c() noexcept { return value_.get(); }

private:
  using result = std::conditional_t<std::is_void_v<T>, char, T>;
  usw_mpi_request_t release() noexcept { return std::exchange(request_, {}); }
  std::unique_ptr<result> value_; // its address is known to the library
  usw_mpi_request_t request_ = {};
};

} // namespace mpi

/** @cond */
namespace detail {

/* This rank's elements of one stream or two. */
template <class X, class... Y>
usw_status_t find_own(line (&own)[2], const usw_options_t *how, const X &x, const Y &...y) noexcept {
  usw_status_t status;
  own[0] = own[1] = line_of(x, how != nullptr ? how->stride[0] : 0, status);
  if constexpr (sizeof...(Y) > 0) {
    static_assert((std::is_same_v<element_of<X>, element_of<Y>> && ...), "x and y must have the same type of elements");
    if (status == USW_OK)
      own[1] = (line_of(y, how != nullptr ? how->stride[1] : 0, status), ...);
    if (status == USW_OK)
      status = check_counts(own[0], own[1]);
  }
  return status;
}

/* Parts for C: nothing after a mistake. */
template <class X> const usw_part_t *parts_for_c(usw_status_t &status, const X &x) noexcept { return x.for_c(status); }
template <class X, class Y> auto parts_for_c(usw_status_t &status, const X &x, const Y &y) noexcept {
  return both_of(x, y, status);
}

/* Call C with options and this rank's elements: x and n, or x, y and n, or parts and their number. A rank that has found a mistake still takes
 * part, with an element or a part at NULL, so that all ranks fail and none waits; the text is of the mistake again then. */
template <class Call, class X, class... Y>
usw_status_t take_part(const usw_options_t *how, const Call &call, const X &x, const Y &...y) noexcept {
  static_assert(((is_parts<X>::value == is_parts<Y>::value) && ...), "x and y must both be parts, or neither");
  usw_status_t mistake, status;
  if constexpr (is_parts<X>::value) {
    const auto own = parts_for_c(mistake, x, y...);
    const bool has_any = mistake == USW_OK && x.count() > 0;
    status = call(how, has_any ? &own[0] : nullptr, mistake == USW_OK ? x.count() : std::size_t{1});
    if (mistake != USW_OK && status == mistake)
      parts_for_c(mistake, x, y...);
  } else {
    line own[2];
    mistake = find_own(own, how, x, y...);
    if (mistake != USW_OK)
      own[0] = own[1] = {{nullptr, 1}, 1};
    const usw_options_t strided = with_strides(how, own[0].stride, own[1].stride);
    if constexpr (sizeof...(Y) == 0)
      status = call(&strided, own[0].first, own[0].count);
    else
      status = call(&strided, own[0].first, own[1].first, own[0].count);
    if (mistake != USW_OK && status == mistake)
      find_own(own, how, x, y...);
  }
  return status;
}

/* Which function of C takes these elements. */
template <class X, class... Y, class One, class Two, class Parts>
constexpr auto form_of(One one, Two two, Parts in_parts) noexcept {
  if constexpr (is_parts<X>::value)
    return in_parts;
  else if constexpr (sizeof...(Y) == 0)
    return one;
  else
    return two;
}

template <usw_operation_t operation, class X, class... Y>
result_of<operation, X> over_ranks(usw_status_t &status, const usw_options_t *how, MPI_Comm comm, const X &x,
                                   const Y &...y) noexcept {
  constexpr auto reduce = form_of<X, Y...>(usw_mpi_allreduce, usw_mpi_allreduce_pair, usw_mpi_allreduce_parts);
  result_of<operation, X> value{};
  status = take_part(
      how,
      [&](const usw_options_t *own_how, auto... own) {
        return reduce(operation, code<element_of<X>>::value, own..., &value, comm, own_how);
      },
      x, y...);
  return value;
}

template <usw_operation_t operation, class X>
result_of<operation, X> over_ranks_to(usw_status_t &status, const usw_options_t *how, MPI_Comm comm, int root,
                                      const X &x) noexcept {
  constexpr auto reduce = form_of<X>(usw_mpi_reduce, nullptr, usw_mpi_reduce_parts);
  result_of<operation, X> value{};
  status = take_part(
      how,
      [&](const usw_options_t *own_how, auto... own) {
        return reduce(operation, code<element_of<X>>::value, own..., &value, root, comm, own_how);
      },
      x);
  return value;
}

/* Over the ranks up to this one, or before it. */
template <usw_operation_t operation, class Before, class X>
result_of<operation, X> over_ranks_before(usw_status_t &status, const usw_options_t *how, Before, MPI_Comm comm,
                                          const X &x) noexcept {
  constexpr bool is_exclusive = std::is_same_v<Before, exclusive>;
  constexpr auto scan = form_of<X>(is_exclusive ? usw_mpi_exscan : usw_mpi_scan, nullptr,
                                   is_exclusive ? usw_mpi_exscan_parts : usw_mpi_scan_parts);
  result_of<operation, X> value{};
  status = take_part(
      how,
      [&](const usw_options_t *own_how, auto... own) {
        return scan(operation, code<element_of<X>>::value, own..., &value, comm, own_how);
      },
      x);
  return value;
}

template <usw_operation_t operation, class X> using request_of = mpi::request<result_of<operation, X>>;

/* A request, under way or to be started. */
template <usw_operation_t operation, class Started, class X, class... Y>
request_of<operation, X> make_request(usw_status_t &status, const usw_options_t *how, Started, MPI_Comm comm,
                                      const X &x, const Y &...y) noexcept {
  constexpr auto make = form_of<X, Y...>(Started::value ? usw_mpi_iallreduce : usw_mpi_allreduce_init,
                                         Started::value ? usw_mpi_iallreduce_pair : usw_mpi_allreduce_pair_init,
                                         Started::value ? usw_mpi_iallreduce_parts : usw_mpi_allreduce_parts_init);
  request_of<operation, X> made;
  status = take_part(
      how,
      [&](const usw_options_t *own_how, auto... own) {
        return make(operation, code<element_of<X>>::value, own..., made.result_for_c(), comm, own_how, made.for_c());
      },
      x, y...);
  return made;
}

} // namespace detail
/** @endcond */

namespace mpi {

/** @defgroup cxx_mpi_functions C++ functions over ranks
 *  Four forms each, with or without options, by exception or by status: nothing, options, status, or options and status follow.
 *  @code{.cpp}
 *  usw::mpi::sum(comm, x)                      usw_mpi_allreduce(); so is every function of @ref function_table
 *  usw::mpi::dot(comm, x, y)                   usw_mpi_allreduce_pair()
 *  usw::mpi::reduce<operation>(comm, root, x)  usw_mpi_reduce(): zeros on ranks that are not the root
 *  usw::mpi::scan<operation>(comm, x)          usw_mpi_scan(): of the ranks up to this one
 *  usw::mpi::exscan<operation>(comm, x)        usw_mpi_exscan(): of the ranks before this one
 *  usw::mpi::iallreduce<operation>(comm, x)              a usw::mpi::request that is under way
 *  usw::mpi::iallreduce<operation>(comm, x, y)
 *  usw::mpi::allreduce_init<operation>(comm, x)          one that its start() starts, any number of times
 *  usw::mpi::allreduce_init<operation>(comm, x, y)
 *  @endcode
 *  operation is USW_PLUS by default, of x and y USW_DOT. usw::parts, two where there are x and y, take the place of arrays in all of them:
 *  usw::mpi::sum(comm, usw::parts(a, b)) is usw_mpi_allreduce_parts(). A request's parts are those of the call that made it. */
/** @cond */
#define USW_CXX_BARE(...) __VA_ARGS__
#define USW_CXX_FORMS(CLASSES, RESULT, name, INPUTS, function, ...)                                                    \
  template <USW_CXX_BARE CLASSES> USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS) {                                      \
    return detail::or_throw<X>(                                                                                        \
        [&](usw_status_t &status) { return detail::function<operation>(status, nullptr, __VA_ARGS__); });              \
  }                                                                                                                    \
  template <USW_CXX_BARE CLASSES> USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS, const usw_options_t &how) {            \
    return detail::or_throw<X>(                                                                                        \
        [&](usw_status_t &status) { return detail::function<operation>(status, detail::at(how), __VA_ARGS__); });      \
  }                                                                                                                    \
  template <USW_CXX_BARE CLASSES> USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS, usw_status_t &status) noexcept {       \
    return detail::function<operation>(status, nullptr, __VA_ARGS__);                                                  \
  }                                                                                                                    \
  template <USW_CXX_BARE CLASSES>                                                                                      \
  USW_CXX_BARE RESULT name(USW_CXX_BARE INPUTS, const usw_options_t &how, usw_status_t &status) noexcept {             \
    return detail::function<operation>(status, detail::at(how), __VA_ARGS__);                                          \
  }
#define USW_CXX_CLASSES_1(OPERATION) (class X, usw_operation_t operation = OPERATION)
#define USW_CXX_CLASSES_2(OPERATION) (class X, class Y, usw_operation_t operation = OPERATION)
#define USW_CXX_INPUTS_1 (MPI_Comm comm, const X &x)
#define USW_CXX_INPUTS_2 (MPI_Comm comm, const X &x, const Y &y)
#define USW_CXX_NAMES_1 x
#define USW_CXX_NAMES_2 x, y
#define USW_CXX_FUNCTION(name, OPERATION, streams, ...)                                                                \
  USW_CXX_FORMS(USW_CXX_CLASSES_##streams(USW_##OPERATION), (detail::result_of<operation, X>), name,                   \
                USW_CXX_INPUTS_##streams, over_ranks, comm, USW_CXX_NAMES_##streams)
USW_FUNCTIONS(USW_CXX_FUNCTION, )

#define USW_CXX_ONE (usw_operation_t operation = USW_PLUS, class X)
#define USW_CXX_PAIR (usw_operation_t operation = USW_DOT, class X, class Y, class = detail::element_of<Y>)
#define USW_CXX_RESULT (detail::result_of<operation, X>)
#define USW_CXX_REQUEST (detail::request_of<operation, X>)
USW_CXX_FORMS(USW_CXX_ONE, USW_CXX_RESULT, reduce, (MPI_Comm comm, int root, const X &x), over_ranks_to, comm, root, x)
USW_CXX_FORMS(USW_CXX_ONE, USW_CXX_RESULT, scan, (MPI_Comm comm, const X &x), over_ranks_before, detail::inclusive(),
              comm, x)
USW_CXX_FORMS(USW_CXX_ONE, USW_CXX_RESULT, exscan, (MPI_Comm comm, const X &x), over_ranks_before, detail::exclusive(),
              comm, x)
USW_CXX_FORMS(USW_CXX_ONE, USW_CXX_REQUEST, iallreduce, (MPI_Comm comm, const X &x), make_request, std::true_type(),
              comm, x)
USW_CXX_FORMS(USW_CXX_PAIR, USW_CXX_REQUEST, iallreduce, (MPI_Comm comm, const X &x, const Y &y), make_request,
              std::true_type(), comm, x, y)
USW_CXX_FORMS(USW_CXX_ONE, USW_CXX_REQUEST, allreduce_init, (MPI_Comm comm, const X &x), make_request,
              std::false_type(), comm, x)
USW_CXX_FORMS(USW_CXX_PAIR, USW_CXX_REQUEST, allreduce_init, (MPI_Comm comm, const X &x, const Y &y), make_request,
              std::false_type(), comm, x, y)
#undef USW_CXX_BARE
#undef USW_CXX_FORMS
#undef USW_CXX_CLASSES_1
#undef USW_CXX_CLASSES_2
#undef USW_CXX_INPUTS_1
#undef USW_CXX_INPUTS_2
#undef USW_CXX_NAMES_1
#undef USW_CXX_NAMES_2
#undef USW_CXX_FUNCTION
#undef USW_CXX_ONE
#undef USW_CXX_PAIR
#undef USW_CXX_RESULT
#undef USW_CXX_REQUEST
/** @endcond */

/** @addtogroup cxx_mpi_functions
 *  @{ */

/** Throw usw::error unless a status of C's is USW_OK. */
template <class Status> void check(Status status) {
  static_assert(std::is_same_v<Status, usw_status_t>, "a status of the library's");
  detail::check<Status>(status);
}

/** usw_mpi_device(): the OpenMP device number of the GPU that this rank should take; -1 if its node has none. */
inline int device(MPI_Comm comm, usw_status_t &status) noexcept {
  int found = -1;
  status = usw_mpi_device(comm, &found);
  return found;
}
/** The same; throws. */
template <class Comm> int device(Comm comm) {
  return detail::or_throw<Comm>([&](usw_status_t &status) { return device(comm, status); });
}

/** usw_mpi_locate(): the rank that has the element of a global index, where this rank has n elements. */
inline location locate(MPI_Comm comm, std::size_t n, std::int64_t index, usw_status_t &status) noexcept {
  location found;
  status = usw_mpi_locate(n, index, &found.rank, &found.index, comm);
  return found;
}
/** The same; throws. */
template <class Comm> location locate(Comm comm, std::size_t n, std::int64_t index) {
  return detail::or_throw<Comm>([&](usw_status_t &status) { return locate(comm, n, index, status); });
}

/** @} */

} // namespace mpi

} // namespace usw

#endif
