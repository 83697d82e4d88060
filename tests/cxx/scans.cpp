// C++ scans and reductions by key: every operation over every type against C's, forms of calls, containers, views, mistakes.
#include "elements.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t count = 105;

template <class T> std::array<T, count> &data() {
  static std::array<T, count> memory;
  for (std::size_t i = 0; i < count; i++)
    memory[i] = element<T>(1 + static_cast<int>(i * i % 11));
  return memory;
}

const std::array<std::int32_t, count> &some_keys() {
  static std::array<std::int32_t, count> keys;
  for (std::size_t i = 0; i < count; i++)
    keys[i] = static_cast<std::int32_t>(i < 3 ? i : i / 20 % 3);
  return keys;
}

// ---- every operation ----

template <class Expected, class Found>
void check_all(std::size_t many, const Expected &expected, const Found &found, const char *name) {
  CHECK_U64(many, found.size());
  for (std::size_t k = 0; k < many && k < found.size(); k++)
    check_same<typename Expected::value_type>(expected[k], found[k], name);
}

// A build without this scan of this type refuses it here and there.
template <usw_operation_t operation, class Value, class X>
void check_scans(usw_type_t type, const X &x, const char *name) {
  std::array<Value, count> expected{}, found{};
  usw_status_t status = USW_ERROR_STATE;
  usw_status_t wanted = usw_scan_inclusive(operation, type, x.data(), count, expected.data(), nullptr);
  const auto running = usw::scan_inclusive<operation>(x, status);
  static_assert(std::is_same_v<decltype(running), const std::vector<Value>>);
  CHECK_STATUS(wanted, status);
  check_all(wanted == USW_OK ? count : 0, expected, running, name);
  wanted = usw_scan_exclusive(operation, type, x.data(), count, expected.data(), nullptr, nullptr);
  usw::scan_exclusive<operation>(x, found, usw::options(), status);
  CHECK_STATUS(wanted, status);
  check_all(count, expected, found, name);
}

template <usw_operation_t operation, class Value, class X>
void check_by_key(usw_type_t type, const X &x, const char *name) {
  const auto &keys = some_keys();
  std::array<Value, count> expected{}, found{};
  std::array<std::int32_t, count> wanted_keys{}, unique{};
  std::size_t wanted = 0;
  usw_status_t status = USW_ERROR_STATE;
  CHECK_STATUS(USW_OK, usw_reduce_by_key(operation, type, x.data(), USW_I32, keys.data(), count, wanted_keys.data(),
                                         expected.data(), &wanted, nullptr));
  CHECK_U64(9, wanted);
  CHECK_U64(wanted, usw::reduce_by_key<operation>(x, keys, unique, found.data(), status));
  CHECK_STATUS(USW_OK, status);
  check_all(count, wanted_keys, unique, name);
  check_all(count, expected, found, name);
  status = USW_ERROR_STATE;
  const auto runs = usw::reduce_by_key<operation>(x, keys, usw::options(), status);
  static_assert(std::is_same_v<decltype(runs), const usw::runs<std::int32_t, Value>>);
  CHECK_STATUS(USW_OK, status);
  check_all(wanted, wanted_keys, runs.keys, name);
  check_all(wanted, expected, runs.results, name);
}

template <usw_operation_t operation, class Value, class X>
void check_typed(usw_type_t type, const X &x, const char *name) {
  if constexpr (usw::detail::is_scan<operation>)
    check_scans<operation, Value>(type, x, name);
  check_by_key<operation, Value>(type, x, name);
}

#define CHECK_STREAMS_1(call) call;
#define CHECK_STREAMS_2(call)
#define CHECK_TYPED(tag, CODE, code, type, value_type, sum, real, key, class_, name, OPERATION, streams, RESULT,       \
                    GROUP)                                                                                             \
  USW_HAS_##GROUP##_##class_(CHECK_STREAMS_##streams(                                                                  \
      (check_typed<USW_##OPERATION, USW_RESULT_##RESULT(tag)>(USW_##CODE, data<usw_##tag##_t>(), #name "_" #tag))))
#define CHECK_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  USW_TYPES(CHECK_TYPED, name, OPERATION, streams, RESULT, GROUP)

void every_operation() { USW_FUNCTIONS(CHECK_FUNCTION, ) }

// ---- containers, views, options ----

template <class Found> void check_values(std::initializer_list<double> expected, const Found &found) {
  CHECK_U64(expected.size(), std::size(found));
  std::size_t k = 0;
  for (const double value : expected)
    if (k < std::size(found))
      CHECK_F64(value, static_cast<double>(std::data(found)[k++]));
}

void outputs() {
  const std::vector<int> lengths = {3, 0, 1, 4};
  std::vector<long long> wide(4); // another type than int64_t, read and written as it
  std::int64_t plain[4] = {};
  usw_status_t status = USW_ERROR_STATE;
  check_values({3, 3, 4, 8}, usw::scan_inclusive(lengths, status));
  check_values({0, 3, 3, 4}, usw::scan_exclusive(lengths, status));
  check_values({100, 103, 103, 104}, usw::scan_exclusive(lengths, 100, status));
  check_values({100, 103, 103, 104}, usw::scan_exclusive(lengths, 100, usw::options(), status));
  CHECK_STATUS(USW_OK, status);
  usw::scan_inclusive(lengths, wide, status);
  check_values({3, 3, 4, 8}, wide);
  usw::scan_exclusive(lengths, plain, 7, status);
  check_values({7, 10, 10, 11}, plain);
  usw::scan_exclusive(lengths, &plain[0], 8, usw::options(), status);
  check_values({8, 11, 11, 12}, plain);
  usw::scan_exclusive(usw::span(lengths.data(), 3), usw::span(plain, 3), status);
  check_values({0, 3, 3, 12}, plain);
  usw::scan_inclusive(wide, wide, status); // in place
  check_values({3, 6, 10, 18}, wide);
  CHECK_STATUS(USW_OK, status);
  check_values({}, usw::scan_inclusive(std::vector<double>(), status));
  CHECK_STATUS(USW_OK, status);
  const auto truths = usw::scan_exclusive<USW_LOGICAL_OR>(lengths, status);
  CHECK(truths.size() == 4 && !truths[0] && truths[1] && truths[3]);
  const auto lowest = usw::scan_inclusive<USW_ARGMIN>(std::vector<double>{5, 7, 2}, status);
  CHECK_STATUS(USW_OK, status);
  CHECK_U64(3, lowest.size());
  CHECK_F64(2, lowest[2].value);
  CHECK_I64(2, lowest[2].index);
}

void strides() {
  const double x[] = {1, 2, 3, 4, 5, 6};
  std::array<double, 6> y{};
  usw_status_t status = USW_ERROR_STATE;
  usw::options how;
  usw::scan_inclusive(usw::view(&x[5], {3}, {-2}), usw::view(&y[2], {3}, {-1}), status);
  check_values({12, 10, 6, 0, 0, 0}, y);
  check_values({6, 11, 15}, usw::scan_inclusive(usw::view(&x[5], {3}, {-1}), status));
  check_values({1, 2, 3}, usw::scan_inclusive(usw::view(x, {3}, {0}), status));
  CHECK_STATUS(USW_OK, status);
  how.stride[0] = how.stride[1] = -1;
  check_values({21, 20, 18, 15, 11, 6}, usw::scan_inclusive(x, how, status));
  usw::scan_inclusive(x, y, how, status);
  check_values({21, 20, 18, 15, 11, 6}, y);
  how.stride[0] = 2; // 1, 3, 5 to y[4], y[2], y[0]
  how.stride[1] = -2;
  usw::scan_exclusive(x, y.data(), 1, how, status);
  check_values({5, 20, 2, 15, 1, 6}, y);
  check_values({9, 4, 1}, usw::scan_inclusive(x, how, status));
  CHECK_STATUS(USW_OK, status);
}

void runs() {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6};
  const char keys[] = {'a', 'a', 'b', 'b', 'b', 'a'}, spread[] = {'b', '-', '-', 'b', '-', '-', 'c'};
  std::vector<unsigned long long> unique(6);
  std::vector<double> sums(6);
  usw_status_t status = USW_ERROR_STATE;
  usw::options how;
  const auto [letters, totals] = usw::reduce_by_key(x, keys, status);
  static_assert(std::is_same_v<decltype(letters), const std::vector<char>>);
  check_values({'a', 'b', 'a'}, letters);
  check_values({3, 12, 6}, totals);
  CHECK_U64(2, usw::reduce_by_key(usw::span(x.data(), 3), std::vector<std::uint64_t>{9, 8, 8}, unique, sums, status));
  check_values({9, 8, 0, 0, 0, 0}, unique);
  check_values({1, 5, 0, 0, 0, 0}, sums);
  const auto backwards = usw::reduce_by_key<USW_MAXIMUM>(usw::view(&x[5], {6}, {-1}), keys, status);
  check_values({6, 4, 1}, backwards.results);
  how.stride[0] = 2; // 1, 3, 5
  how.stride[1] = 3;
  const auto strided = usw::reduce_by_key(x, spread, how, status);
  check_values({'b', 'c'}, strided.keys);
  check_values({4, 5}, strided.results);
  CHECK_U64(0, usw::reduce_by_key(std::vector<double>(), std::vector<int>(), status).keys.size());
  const auto truths = usw::reduce_by_key<USW_LOGICAL_AND>(std::vector<int>{1, 0, 1}, std::vector<int>{1, 1, 2}, status);
  CHECK(truths.results.size() == 2 && !truths.results[0] && truths.results[1]);
  CHECK_STATUS(USW_OK, status);
}

// ---- mistakes ----

void check_invalid(usw_status_t status, const char *text) {
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), text);
}

void mistakes() {
  const std::vector<double> x = {1, 2, 3, 4};
  const std::vector<int> keys = {1, 1, 2, 2}, few = {1, 2};
  std::vector<double> sums(4), short_of_one(3);
  std::vector<int> unique(4);
  usw_status_t status = USW_OK;
  usw::scan_inclusive(x, short_of_one, status);
  check_invalid(status, "x and out have different numbers");
  usw::scan_inclusive(x, usw::view(sums.data(), {2, 2}), status);
  check_invalid(status, "a view of 2 dimensions");
  CHECK(usw::scan_inclusive(usw::view(x.data(), {2, 2}), status).empty());
  check_invalid(status, "a view of 2 dimensions");
  usw::scan_inclusive(x, usw::view(sums.data(), {4}, {0}), status);
  check_invalid(status, "stride 0");
  usw::scan_inclusive(usw::span(sums.data(), 3), &sums[1], status);
  check_invalid(status, "shares elements");
  CHECK(usw::reduce_by_key(x, few, status).results.empty());
  check_invalid(status, "x and keys have different numbers");
  CHECK(usw::reduce_by_key(x, usw::view(keys.data(), {2, 2}), status).results.empty());
  check_invalid(status, "a view of 2 dimensions");
  CHECK_U64(0, usw::reduce_by_key(x, keys, unique, short_of_one, status));
  check_invalid(status, "room for fewer");
  CHECK_U64(0, usw::reduce_by_key(x, keys, unique, static_cast<double *>(nullptr), status));
  check_invalid(status, "NULL");
  check_values({0, 0, 0, 0}, sums);
#ifdef __cpp_exceptions
  const usw::options how;
  usw::scan_inclusive<USW_MULTIPLIES>(x, sums);
  check_values({1, 2, 6, 24}, sums);
  usw::scan_exclusive(x, sums, 1, how);
  check_values({1, 2, 4, 7}, sums);
  check_values({1, 3, 6, 10}, usw::scan_inclusive(x, how));
  check_values({5, 6, 8, 11}, usw::scan_exclusive(x, 5));
  CHECK_U64(2, usw::reduce_by_key(x, keys, unique, sums));
  check_values({3, 7}, usw::reduce_by_key(x, keys, how).results);
  try {
    usw::scan_inclusive(x, short_of_one);
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_INVALID, failure.status());
    CHECK_TEXT_HAS(failure.what(), "x and out");
  }
  try {
    usw::reduce_by_key(x, few);
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_TEXT_HAS(failure.what(), "x and keys");
  }
#endif
}

} // namespace

int main() {
  every_operation();
  outputs();
  strides();
  runs();
  mistakes();
  return check_report();
}
