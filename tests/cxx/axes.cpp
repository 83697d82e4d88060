// C++ views: every function over every type along axes against usw_reduce_axes(), forms of calls, mdspan, mistakes.
#include "elements.hpp"

#include <array>
#include <string>
#include <vector>
#if __has_include(<mdspan>)
#include <mdspan>
#endif

namespace {

constexpr std::size_t planes = 3, rows = 5, columns = 7, count = planes * rows * columns;

template <class T> std::array<T, count> &data() {
  static std::array<T, count> memory;
  for (std::size_t i = 0; i < count; i++)
    memory[i] = element<T>(1 + static_cast<int>(i * i % 11));
  return memory;
}

usw_status_t reduce(usw_operation_t operation, const usw_array_t *x, std::uint32_t bits, void *results) {
  return usw_reduce_axes(operation, x, bits, results, nullptr);
}
usw_status_t reduce(usw_operation_t operation, const usw_array_t *x, const usw_array_t *y, std::uint32_t bits,
                    void *results) {
  return usw_reduce_axes_pair(operation, x, y, bits, results, nullptr);
}

// ---- every function ----

#define VIEWS_1 view
#define VIEWS_2 view, view
#define ARRAYS_1 &array
#define ARRAYS_2 &array, &array
#define CHECK_TYPED(tag, CODE, code, type, value_type, sum, real, key, class_, name, OPERATION, streams, RESULT,       \
                    GROUP)                                                                                             \
  USW_HAS_##GROUP##_##class_({                                                                                         \
    using value = USW_RESULT_##RESULT(tag);                                                                            \
    const usw::view view(data<usw_##tag##_t>().data(), {planes, rows, columns});                                       \
    const usw_array_t array = usw_array_3d(USW_##CODE, view.data_handle(), planes, rows, columns);                     \
    constexpr std::size_t kept = rows;                                                                                 \
    std::array<value, kept> expected{}, found{};                                                                       \
    CHECK_STATUS(USW_OK, reduce(USW_##OPERATION, ARRAYS_##streams, USW_AXIS(0) | USW_AXIS(2), expected.data()));       \
    usw_status_t status = USW_ERROR_STATE;                                                                             \
    usw::name(VIEWS_##streams, {0, -1}, found.data(), status);                                                         \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    for (std::size_t k = 0; k < kept; k++)                                                                             \
      check_same(expected[k], found[k], #name "_" #tag);                                                               \
    status = USW_ERROR_STATE;                                                                                          \
    const auto results = usw::name(VIEWS_##streams, {2, 0}, usw::options(), status);                                   \
    static_assert(std::is_same_v<decltype(results), const std::vector<value>>);                                        \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    CHECK_U64(kept, results.size());                                                                                   \
    for (std::size_t k = 0; k < results.size() && k < kept; k++)                                                       \
      check_same<value>(expected[k], results[k], #name "_" #tag);                                                      \
    const value all = usw::name(VIEWS_##streams, status);                                                              \
    value whole{};                                                                                                     \
    CHECK_STATUS(USW_OK, reduce(USW_##OPERATION, ARRAYS_##streams, USW_ALL_AXES, &whole));                             \
    check_same(whole, all, #name "_" #tag);                                                                            \
  })
#define CHECK_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  USW_TYPES(CHECK_TYPED, name, OPERATION, streams, RESULT, GROUP)

void every_function() { USW_FUNCTIONS(CHECK_FUNCTION, ) }

// ---- views ----

void check_values(std::initializer_list<double> expected, const std::vector<double> &found) {
  CHECK_U64(expected.size(), found.size());
  std::size_t k = 0;
  for (const double value : expected)
    if (k < found.size())
      CHECK_F64(value, found[k++]);
}

void views() {
  const double x[] = {1, 2, 3, 4, 5, 6};
  const int two = 2;
  const std::size_t three = 3;
  usw_status_t status;
  usw::options how;
  usw::report ran;
  how.place = USW_HOST;
  how.report = &ran;
  how.stride[0] = 2; // not looked at
  const usw::view matrix(x, {two, three});
  check_values({6, 15}, usw::sum(matrix, 1, status));
  check_values({5, 7, 9}, usw::sum(matrix, {0}, status));
  check_values({5, 7, 9}, usw::sum(matrix, -2, how, status));
  CHECK_TEXT_HAS(ran.target, "host");
  check_values({21}, usw::sum(matrix, {0, 1}, status));
  check_values({21}, usw::sum(matrix, usw::axes::every(), status));
  check_values({1, 2, 3, 4, 5, 6}, usw::sum(matrix, {}, how, status));
  CHECK_F64(21, usw::sum(matrix, how, status));
  CHECK_F64(6, usw::sum(usw::view(x, {3}), status)); // one extent, no rank
  const usw::view transposed(x, {three, two}, {1, three});
  check_values({5, 7, 9}, usw::sum(transposed, 1, status));
  const usw::view backward(x + 5, {2, 3}, {-3, -1});
  const auto largest = usw::argmax(backward, 1, status);
  CHECK_U64(2, largest.size());
  CHECK_F64(3, largest[1].value);
  CHECK_I64(0, largest[1].index);
  check_values({6, 15}, usw::sum(usw::view(x, {2, 3, 4}, {3, 1, 0}), 1, status).size() == 8
                            ? usw::sum(usw::view(x, {2, 3, 1}, {3, 1, 0}), {1, 2}, status)
                            : std::vector<double>());
  check_values({}, usw::sum(usw::view(x, {0, 3}), 1, status));
  check_values({0, 0, 0}, usw::sum(usw::view(x, {0, 3}), 0, status));
  check_values({14, 77}, usw::dot(matrix, usw::view(x, {2, 3}), 1, status));
  CHECK_F64(91, usw::dot(matrix, matrix, status));
  CHECK_STATUS(USW_OK, status);
  const auto truths = usw::any(usw::view(x, {2, 3}), 1, status);
  CHECK(truths.size() == 2 && truths[0] && truths[1]);
}

void mdspans() {
#ifdef __cpp_lib_mdspan
  const double x[] = {1, 2, 3, 4, 5, 6};
  usw_status_t status;
  check_values({6, 15}, usw::sum(std::mdspan(x, 2, 3), 1, status));
  const std::mdspan<const double, std::extents<int, 2, 3>, std::layout_left> columns_first(x);
  check_values({9, 12}, usw::sum(columns_first, 1, status));
  CHECK_STATUS(USW_OK, status);
#endif
}

// What a std::mdspan has, for compilers without it: types of its own for ranks and extents.
struct like_mdspan {
  using element_type = const float;
  using reference = const float &;
  const float *memory;
  static constexpr std::size_t rank() noexcept { return 2; }
  constexpr const float *const &data_handle() const noexcept { return memory; }
  constexpr int extent(std::size_t d) const noexcept { return d == 0 ? 3 : 2; }
  constexpr int stride(std::size_t d) const noexcept { return d == 0 ? 1 : 3; }
  constexpr std::size_t size() const noexcept { return 6; }
};

void other_views() {
  const float x[] = {1, 2, 3, 4, 5, 6};
  usw_status_t status;
  const auto sums = usw::sum(like_mdspan{x}, 1, status);
  CHECK_STATUS(USW_OK, status);
  CHECK_U64(3, sums.size());
  CHECK_F64(7, static_cast<double>(sums[1]));
  const auto dots = usw::dot(like_mdspan{x}, usw::view(x, {3, 2}), 0, status);
  CHECK_U64(2, dots.size());
  CHECK_F64(1 * 1 + 2 * 3 + 3 * 5, static_cast<double>(dots[0]));
}

// ---- mistakes ----

void mistakes() {
  const double x[] = {1, 2, 3, 4, 5, 6};
  double results[3] = {-1, -1, -1};
  const usw::view matrix(x, {2, 3});
  usw_status_t status = USW_OK;
  CHECK(usw::sum(matrix, 2, status).empty());
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "there is no axis 2");
  for (const int axis : {-3, 32, -33, 1000}) {
    usw::sum(matrix, {0, axis}, results, status);
    CHECK_STATUS(USW_ERROR_INVALID, status);
    CHECK_TEXT_HAS(usw_error_text(), ("there is no axis " + std::to_string(axis)).c_str());
    CHECK_F64(-1, results[0]);
  }
  CHECK(usw::dot(matrix, usw::view(x, {3, 2}), 0, status).empty());
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), "extent");
#ifdef __cpp_exceptions
  const usw::options how;
  check_values({6, 15}, usw::sum(matrix, 1));
  check_values({6, 15}, usw::sum(matrix, 1, how));
  usw::sum(matrix, 0, results);
  CHECK_F64(9, results[2]);
  usw::max(matrix, 0, results, how);
  CHECK_F64(6, results[2]);
  CHECK_F64(21, usw::sum(matrix));
  CHECK_F64(21, usw::sum(matrix, how));
  try {
    usw::sum(matrix, -4, results);
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_INVALID, failure.status());
    CHECK_TEXT_HAS(failure.what(), "there is no axis -4, the array has 2 dimensions");
  }
#endif
}

} // namespace

int main() {
  every_function();
  views();
  mdspans();
  other_views();
  mistakes();
  return check_report();
}
