// C++ parts: every function over every type against usw_reduce_parts(), forms of calls, containers, mistakes.
#include "elements.hpp"

#include <array>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t count = 105, cut = 40;

template <class T> std::array<T, count> &data() {
  static std::array<T, count> memory;
  for (std::size_t i = 0; i < count; i++)
    memory[i] = element<T>(1 + static_cast<int>(i * i % 11));
  return memory;
}

template <class T> usw::parts<T> dealt(const std::array<T, count> &x) {
  return usw::parts(usw::span<const T>(x.data(), cut), usw::span<const T>(x.data(), 0),
                    usw::span<const T>(x.data() + cut, count - cut));
}

template <class T>
usw_status_t reduce(usw_operation_t operation, usw_type_t type, const std::array<T, count> &x, void *result) {
  const usw_part_t each[] = {
      {USW_INIT(usw_part_t), USW_AUTO_PLACE, 0, cut, {x.data(), x.data()}, {0, 0}, nullptr},
      {USW_INIT(usw_part_t), USW_AUTO_PLACE, 0, count - cut, {x.data() + cut, x.data() + cut}, {0, 0}, nullptr}};
  return usw_reduce_parts(operation, type, each, 2, result, nullptr);
}

// ---- every function ----

#define ARRAYS_1 dealt(x)
#define ARRAYS_2 dealt(x), dealt(x)
#define CHECK_TYPED(tag, CODE, code, type, value_type, sum, real, key, class_, name, OPERATION, streams, RESULT,       \
                    GROUP)                                                                                             \
  USW_HAS_##GROUP##_##class_({                                                                                         \
    using value = USW_RESULT_##RESULT(tag);                                                                            \
    const auto &x = data<usw_##tag##_t>();                                                                             \
    value expected{};                                                                                                  \
    CHECK_STATUS(USW_OK, reduce(USW_##OPERATION, USW_##CODE, x, &expected));                                           \
    usw_status_t status = USW_ERROR_STATE;                                                                             \
    const auto found = usw::name(ARRAYS_##streams, status);                                                            \
    static_assert(std::is_same_v<decltype(found), const value>);                                                       \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    check_same(expected, found, #name "_" #tag);                                                                       \
  })
#define CHECK_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  USW_TYPES(CHECK_TYPED, name, OPERATION, streams, RESULT, GROUP)

void every_function() { USW_FUNCTIONS(CHECK_FUNCTION, ) }

// ---- containers and options ----

void containers() {
  const double plain[] = {1, 2, 3};
  const std::vector<double> more = {9, 0, -9};
  const usw::view<const double> backward(plain + 2, {2}, {-2}), same(plain + 1, {3}, {0}); // 3, 1 and 2, 2, 2
  usw_status_t status;
  usw::options how;
  usw::report ran;
  CHECK_F64(6, usw::sum(usw::parts(plain, more), status));
  CHECK_F64(10, usw::sum(usw::parts(backward, same), status));
  CHECK_F64(3 * 1 + 1 * 2 + 9 * 2 + 0 - 9 * 2,
            usw::dot(usw::parts(backward, more), usw::parts(usw::span<const double>(plain, 2), same), status));
  const auto least = usw::argmin(usw::parts(plain, more, plain), status);
  CHECK_F64(-9, least.value);
  CHECK_I64(5, least.index);
  CHECK_STATUS(USW_OK, status);
  usw::parts<double> all;
  CHECK_U64(0, all.count());
  CHECK_F64(1, usw::prod(all, status));
  CHECK_F64(0, usw::dot(all, all, status));
  all.add(plain, USW_HOST).add(more, USW_HOST, 3).add(backward);
  how.report = &ran;
  how.accuracy = USW_EXACT;
  CHECK_U64(3, all.count());
  CHECK_F64(10, usw::sum(all, how, status));
  CHECK_U64(8 * sizeof(double), ran.bytes);
  const usw::parts copied(all);
  static_assert(std::is_same_v<decltype(copied), const usw::parts<double>>);
  CHECK_F64(8, static_cast<double>(usw::describe(copied, status).count));
  CHECK_STATUS(USW_OK, status);
  all.add(more, USW_DEVICE, 4711);
  CHECK_F64(0, usw::sum(all, status));
  CHECK_STATUS(USW_ERROR_DEVICE, status);
  CHECK_TEXT_HAS(usw_error_text(), "part 4 of 4: ");
  usw::options shared;
  shared.devices = std::uint64_t{1} << 63;
  CHECK_F64(0, usw::sum(more, shared, status));
  CHECK_STATUS(USW_ERROR_DEVICE, status);
  CHECK_TEXT_HAS(usw_error_text(), "options.devices names device 63");
}

// ---- results and plans ----

void results() {
  const std::vector<double> x = {1, 2}, y = {4};
  double there[2] = {77, 77};
  usw_status_t status;
  usw::parts<double> all;
  all.add(x, USW_HOST, 0, &there[0]).add(y).add(std::vector<double>(), USW_HOST, 0, &there[1]);
  CHECK_F64(7, usw::sum(all, status));
  CHECK_STATUS(USW_OK, status);
  CHECK_F64(7, there[0]);
  CHECK_F64(7, there[1]);
}

template <usw_operation_t operation, class T> usw::parts_plan<operation, T> moved(usw::parts_plan<operation, T> plan) {
  return plan;
}

void plans() {
  std::vector<float> x = {3, 1, 4}, y = {1, 5};
  usw_status_t status = USW_ERROR_STATE;
  usw::options how;
  usw::report ran;
  how.report = &ran;
  const usw::parts all(x, y);
  usw::parts_plan<USW_PLUS, float> sum(all, how, status);
  CHECK_STATUS(USW_OK, status);
  static_assert(std::is_same_v<decltype(sum.run(status)), decltype(usw::sum(all, status))>);
  static_assert(!std::is_copy_constructible_v<decltype(sum)> && !std::is_copy_assignable_v<decltype(sum)>);
  CHECK_F64(14, static_cast<double>(sum.run(status)));
  x[1] = 100;
  CHECK_F64(113, static_cast<double>(sum.run(status)));
  CHECK_STATUS(USW_OK, status);
  CHECK_U64(5 * sizeof(float), ran.bytes);
  usw::parts_plan<USW_ARGMAX, float> largest(all, usw::options(), status);
  const auto found = moved(std::move(largest)).run(status);
  CHECK_I64(1, found.index);
  usw::parts_plan<USW_DOT, float> dot(all, all, usw::options(), status);
  float first = 0, second = 0;
  usw_request_t earlier = dot.start(first, status);
  CHECK_STATUS(USW_OK, status);
  usw_request_t later = dot.start(second, status);
  CHECK_STATUS(USW_OK, usw_request_wait(&later));
  CHECK_STATUS(USW_OK, usw_request_wait(&earlier));
  CHECK_F64(9 + 10000 + 16 + 1 + 25, static_cast<double>(first));
  CHECK_F64(static_cast<double>(first), static_cast<double>(second));
  usw::parts_plan<USW_LOGICAL_AND, float> every(all, usw::options(), status);
  CHECK(every.run(status));
  CHECK_STATUS(USW_OK, status);
}

void mistakes_of_plans() {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6}, few = {1};
  usw_status_t status = USW_OK;
  const usw::parts wrong(x, usw::view<const double>(x.data(), {2, 3}));
  usw::parts_plan<USW_PLUS, double> none(wrong, usw::options(), status);
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "parts have one");
  CHECK(none.for_c() == nullptr);
  CHECK_F64(0, none.run(status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  const usw::parts_plan<USW_DOT, double> pair(usw::parts(x, x), usw::parts(x, few), usw::options(), status);
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "different numbers of elements");
  usw::parts_plan<USW_PLUS, double> elsewhere(usw::parts<double>().add(x, USW_DEVICE, 4711), usw::options(), status);
  CHECK_STATUS(USW_ERROR_DEVICE, status);
  CHECK_TEXT_HAS(usw_error_text(), "part 1 of 1: ");
#ifdef __cpp_exceptions
  double value = 0;
  usw::parts_plan<USW_PLUS, double> sum(usw::parts(x, few));
  CHECK_F64(22, sum.run());
  usw_request_t request = sum.start(value);
  usw::wait(request);
  CHECK_F64(22, value);
  int thrown = 0;
  try {
    usw::wait(request); // which has been waited for
  } catch (const usw::error &failure) {
    thrown += failure.status() == USW_ERROR_INVALID;
  }
  try {
    usw::parts_plan<USW_PLUS, double> another(wrong);
  } catch (const usw::error &failure) {
    thrown += failure.status() == USW_ERROR_INVALID;
  }
  try {
    usw::parts_plan<USW_DOT, double> another(usw::parts(x, x), usw::parts(x, few));
  } catch (const usw::error &failure) {
    thrown += failure.status() == USW_ERROR_INVALID;
  }
  none = std::move(sum);
  CHECK_F64(22, none.run());
  try {
    sum.run();
  } catch (const usw::error &failure) {
    thrown += failure.status() == USW_ERROR_INVALID;
  }
  CHECK_I64(4, thrown);
#endif
}

// ---- mistakes ----

void refused(const usw::parts<double> &x, const usw::parts<double> &y, const char *text) {
  usw_status_t status = USW_OK;
  CHECK_F64(0, usw::dot(x, y, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), text);
}

void mistakes() {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6}, few = {1};
  const usw::view<const double> table(x.data(), {2, 3});
  usw_status_t status = USW_OK;
  CHECK_F64(0, usw::sum(usw::parts(x, table), status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "parts have one");
  refused(usw::parts(x), usw::parts(table), "parts have one");
  refused(usw::parts(x, x), usw::parts(x), "different numbers of parts");
  refused(usw::parts(x, x), usw::parts(x, few), "different numbers of elements");
  refused(usw::parts(x), usw::parts<double>().add(x, USW_HOST), "another place");
  usw::options how;
  how.stride[0] = 2;
  CHECK_F64(0, usw::sum(usw::parts(x), how, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "options.stride[0]");
#ifdef __cpp_exceptions
  CHECK_F64(22, usw::sum(usw::parts(x, few)));
  CHECK_F64(6, usw::max(usw::parts(x, few), usw::options()));
  try {
    usw::sum(usw::parts(x, table));
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_INVALID, failure.status());
  }
#endif
}

} // namespace

int main() {
  every_function();
  containers();
  results();
  plans();
  mistakes_of_plans();
  mistakes();
  return check_report();
}
