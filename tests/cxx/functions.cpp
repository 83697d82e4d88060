// The C++ header: every function over every type against the C functions, containers, strides, failures.
#include "elements.hpp"

#include <array>
#include <string>
#include <vector>

struct brain_float {
  std::uint16_t bits;
};
template <> struct usw::storage<brain_float> {
  using type = usw_bf16_t;
};

namespace {

constexpr std::size_t count = 1000;

// A std::vector<bool> has no addresses.
template <class T> std::array<T, count> &data(int from) {
  static std::array<T, count> memory;
  for (std::size_t i = 0; i < count; i++)
    memory[i] = element<T>(from + static_cast<int>(i) % 7);
  return memory;
}

#define INPUTS_1 x
#define INPUTS_2 x, y
#define POINTERS_1 x.data()
#define POINTERS_2 x.data(), y.data()
#define CHECK_TYPED(tag, CODE, code, type, value_type, sum, real, key, class_, name, streams, RESULT, GROUP)           \
  USW_HAS_##GROUP##_##class_({                                                                                         \
    std::array<usw_##tag##_t, count> &x = data<usw_##tag##_t>(1);                                                      \
    [[maybe_unused]] std::array<usw_##tag##_t, count> y = x;                                                           \
    USW_RESULT_##RESULT(tag) expected{};                                                                               \
    CHECK_STATUS(USW_OK, usw_##name##_##tag(POINTERS_##streams, count, &expected));                                    \
    usw_status_t status = USW_ERROR_STATE;                                                                             \
    const auto got = usw::name(INPUTS_##streams, status);                                                              \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    static_assert(std::is_same_v<decltype(got), const USW_RESULT_##RESULT(tag)>);                                      \
    check_same(expected, got, #name "_" #tag);                                                                         \
    status = USW_ERROR_STATE;                                                                                          \
    check_same(expected, usw::name(INPUTS_##streams, usw::options(), status), #name "_" #tag);                         \
    CHECK_STATUS(USW_OK, status);                                                                                      \
  })
#define CHECK_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  USW_TYPES(CHECK_TYPED, name, streams, RESULT, GROUP)

void every_function() { USW_FUNCTIONS(CHECK_FUNCTION, ) }

void containers() {
  usw_status_t status;
  const int plain[] = {3, 1, 2};
  CHECK_I64(6, usw::sum(plain, status));
  const std::vector<long long> longs = {5, -7};
  CHECK_I64(-2, usw::sum(longs, status));
  const std::vector<char> letters = {1, 2};
  CHECK_I64(3, static_cast<int64_t>(usw::sum(letters, status)));
  const double values[] = {1, 2, 4};
  CHECK_F64(6, usw::sum(usw::span<const double>(values + 1, 2), status));
  CHECK_F64(0, usw::sum(std::vector<double>(), status));
  CHECK_STATUS(USW_OK, status);
  const brain_float halves[] = {{0x3f80}, {0x4000}};
  CHECK_F64(3, usw::sum(halves, status));
  const auto [value, index] = usw::argmax(values, status);
  CHECK_F64(4, value);
  CHECK_I64(2, index);
}

void strides() {
  const double x[] = {1, 2, 4, 8, 16};
  usw_status_t status;
  usw::options how;
  usw::report ran;
  how.report = &ran;
  how.place = USW_HOST;
  how.stride[0] = 2;
  CHECK_F64(21, usw::sum(x, how, status));
  CHECK_U64(24, ran.bytes);
  how.stride[0] = -3;
  CHECK_F64(18, usw::sum(x, how, status));
  CHECK_I64(0, usw::argmax(x, how, status).index);
  how.stride[0] = 2;
  CHECK_F64(5, usw::sum(usw::span<const double>(x, 4), how, status));
  how.stride[0] = 100;
  CHECK_F64(1, usw::sum(x, how, status));
  how.stride[0] = USW_STRIDE_NONE;
  CHECK_F64(5, usw::sum(x, how, status));
  CHECK_STATUS(USW_OK, status);
  how.stride[0] = 2;
  const double y[] = {1, 10, 100};
  CHECK_F64(1641, usw::dot(x, y, how, status));
  CHECK_STATUS(USW_OK, status);
  how.stride[0] = 1;
  CHECK_F64(0, usw::dot(x, y, how, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
}

void failures() {
  const std::vector<double> x(5, 1.0);
  usw::options how;
  how.place = USW_DEVICE;
  how.device = 12345;
  usw_status_t status = USW_OK;
  CHECK_F64(0, usw::sum(x, how, status));
  CHECK_STATUS(USW_ERROR_DEVICE, status);
#ifdef __cpp_exceptions
  CHECK_F64(5, usw::sum(x));
  CHECK_F64(5, usw::dot(x, x, usw::options()));
  try {
    usw::sum(x, how);
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_DEVICE, failure.status());
    CHECK_TEXT_HAS(failure.what(), "12345");
  }
  try {
    usw::dot(x, std::vector<double>(4, 1.0));
    CHECK(false);
  } catch (const std::exception &failure) {
    CHECK_TEXT_HAS(failure.what(), "different numbers of elements");
  }
#endif
}

} // namespace

int main() {
  every_function();
  containers();
  strides();
  failures();
  return check_report();
}
