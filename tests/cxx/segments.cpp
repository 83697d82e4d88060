// C++ segments: every function over every type against usw_reduce_segments(), forms of calls, containers of offsets, mistakes.
#include "elements.hpp"

#include <array>
#include <vector>

namespace {

constexpr std::size_t count = 105;
const std::array<std::int32_t, 6> offsets = {0, 7, 7, 8, 80, 105};
constexpr std::size_t rows = 5;

template <class T> std::array<T, count> &data() {
  static std::array<T, count> memory;
  for (std::size_t i = 0; i < count; i++)
    memory[i] = element<T>(1 + static_cast<int>(i * i % 11));
  return memory;
}

usw_segments_t for_c() { return usw_segments_by_offsets(USW_I32, offsets.data(), rows); }

usw_status_t reduce(usw_operation_t operation, usw_type_t type, void *results, const void *x) {
  const usw_segments_t segments = for_c();
  return usw_reduce_segments(operation, type, x, count, &segments, results, nullptr);
}
usw_status_t reduce(usw_operation_t operation, usw_type_t type, void *results, const void *x, const void *y) {
  const usw_segments_t segments = for_c();
  return usw_reduce_segments_pair(operation, type, x, y, count, &segments, results, nullptr);
}

// ---- every function ----

#define ARRAYS_1 x
#define ARRAYS_2 x, x
#define ADDRESSES_1 x.data()
#define ADDRESSES_2 x.data(), x.data()
#define CHECK_TYPED(tag, CODE, code, type, value_type, sum, real, key, class_, name, OPERATION, streams, RESULT,       \
                    GROUP)                                                                                             \
  USW_HAS_##GROUP##_##class_({                                                                                         \
    using value = USW_RESULT_##RESULT(tag);                                                                            \
    const auto &x = data<usw_##tag##_t>();                                                                             \
    std::array<value, rows> expected{}, found{};                                                                       \
    CHECK_STATUS(USW_OK, reduce(USW_##OPERATION, USW_##CODE, expected.data(), ADDRESSES_##streams));                   \
    usw_status_t status = USW_ERROR_STATE;                                                                             \
    usw::name(ARRAYS_##streams, usw::segments(offsets), found.data(), status);                                         \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    for (std::size_t k = 0; k < rows; k++)                                                                             \
      check_same(expected[k], found[k], #name "_" #tag);                                                               \
    status = USW_ERROR_STATE;                                                                                          \
    const auto results = usw::name(ARRAYS_##streams, usw::segments(offsets), usw::options(), status);                  \
    static_assert(std::is_same_v<decltype(results), const std::vector<value>>);                                        \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    CHECK_U64(rows, results.size());                                                                                   \
    for (std::size_t k = 0; k < results.size() && k < rows; k++)                                                       \
      check_same<value>(expected[k], results[k], #name "_" #tag);                                                      \
  })
#define CHECK_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  USW_TYPES(CHECK_TYPED, name, OPERATION, streams, RESULT, GROUP)

void every_function() { USW_FUNCTIONS(CHECK_FUNCTION, ) }

// ---- containers and options ----

void check_values(std::initializer_list<double> expected, const std::vector<double> &found) {
  CHECK_U64(expected.size(), found.size());
  std::size_t k = 0;
  for (const double value : expected)
    if (k < found.size())
      CHECK_F64(value, found[k++]);
}

template <class T> void check_offsets() {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7};
  const std::vector<T> all = {1, 3, 3, 7}, begins = {4, 0}, ends = {7, 5};
  const T plain[] = {0, 7};
  usw_status_t status;
  check_values({5, 0, 22}, usw::sum(x, usw::segments(all), status));
  CHECK_STATUS(USW_OK, status);
  check_values({18, 15}, usw::sum(x, usw::segments(begins, ends), status));
  check_values({28}, usw::sum(x, usw::segments(plain), status));
  check_values({22}, usw::sum(x, usw::segments(usw::span<const T>(&all[2], 2)), status));
  CHECK_STATUS(USW_OK, status);
}

void containers() {
  const double x[] = {1, 2, 3, 4, 5, 6};
  const std::vector<long long> ends = {2, 2, 6};
  usw_status_t status;
  usw::options how;
  usw::report ran;
  how.place = USW_HOST;
  how.report = &ran;
  check_offsets<std::int32_t>();
  check_offsets<std::uint32_t>();
  check_offsets<std::int64_t>();
  check_offsets<std::uint64_t>();
  check_values({0, 18}, usw::sum(x, usw::segments(ends), how, status));
  CHECK_TEXT_HAS(ran.target, "host");
  check_values({3, 7, 11}, usw::sum(usw::span<const double>(x, 6), usw::segments::of_length(2, 3), status));
  CHECK_U64(3, usw::segments::of_length(2, 3).count());
  CHECK_U64(2, usw::segments(ends).count());
  check_values({25, 61}, usw::dot(x, std::vector<double>(x, x + 6), usw::segments(std::vector<int>{2, 4, 6}), status));
  check_values({}, usw::sum(x, usw::segments(std::vector<int>{3}), status));
  CHECK_STATUS(USW_OK, status);
  const auto highest = usw::argmax(x, usw::segments::of_length(3, 2), status);
  CHECK_U64(2, highest.size());
  CHECK_F64(6, highest[1].value);
  CHECK_I64(2, highest[1].index);
  const auto truths = usw::any(x, usw::segments(ends), status);
  CHECK(truths.size() == 2 && !truths[0] && truths[1]);
  how.stride[0] = 2; // 1, 3, 5
  check_values({1, 8}, usw::sum(x, usw::segments(std::vector<int>{0, 1, 3}), how, status));
  how.stride[0] = -1; // 6, 5, ..., 1
  check_values({6, 9}, usw::sum(x, usw::segments(std::vector<int>{0, 1, 3}), how, status));
  CHECK_STATUS(USW_OK, status);
}

// ---- mistakes ----

template <class Segments> void check_mistake(const Segments &segments, const char *text) {
  const double x[] = {1, 2, 3, 4, 5, 6};
  double results[3] = {-1, -1, -1};
  usw_status_t status = USW_OK;
  CHECK(usw::sum(x, segments, status).empty());
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), text);
  status = USW_OK;
  usw::sum(x, segments, results, status);
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_F64(-1, results[0]);
}

void mistakes() {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6};
  const std::vector<int> two = {0, 2}, three = {0, 2, 6}, falling = {0, 4, 2}, outside = {0, 2, 7};
  const int *const nowhere = nullptr;
  double results[2] = {-1, -1};
  usw_status_t status = USW_OK;
  check_mistake(usw::segments(std::vector<int>()), "there are no offsets");
  check_mistake(usw::segments(usw::span<const int>(nowhere, 3)), "the offsets are NULL");
  check_mistake(usw::segments(usw::span<const int>(nowhere, 2), two), "the offsets are NULL");
  check_mistake(usw::segments(two, three), "different numbers");
  check_mistake(usw::segments(falling), "segment 1 ");
  check_mistake(usw::segments(outside), "there are 6 items");
  check_mistake(usw::segments::of_length(4, 2), "2 segments of 4 items");
  CHECK_U64(0, usw::segments(std::vector<int>()).count());
  CHECK(usw::dot(x, std::vector<double>(5), usw::segments(two), status).empty());
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "different numbers of elements");
#ifdef __cpp_exceptions
  const usw::options how;
  check_values({3, 18}, usw::sum(x, usw::segments(three)));
  check_values({3, 18}, usw::sum(x, usw::segments(three), how));
  usw::sum(x, usw::segments(three), results);
  CHECK_F64(18, results[1]);
  usw::max(x, usw::segments(three), results, how);
  CHECK_F64(6, results[1]);
  try {
    usw::sum(x, usw::segments(falling));
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_INVALID, failure.status());
    CHECK_TEXT_HAS(failure.what(), "offsets must not fall");
  }
#else
  usw::sum(x, usw::segments(three), results, status);
  CHECK_F64(18, results[1]);
#endif
}

} // namespace

int main() {
  every_function();
  containers();
  mistakes();
  return check_report();
}
