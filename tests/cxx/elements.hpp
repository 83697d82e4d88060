// What the tests of the C++ header share: elements of every type, results compared by their members.
#ifndef UPSWEEP_TESTS_CXX_ELEMENTS_HPP
#define UPSWEEP_TESTS_CXX_ELEMENTS_HPP

#include <cstring>
#include <support/check.h>
#include <upsweep/half.h>
#include <upsweep/upsweep.hpp>

namespace {

template <class T> T element(int i) { return static_cast<T>(i); }
template <> usw_f16_t element(int i) { return usw_float_to_f16(static_cast<float>(i)); }
template <> usw_bf16_t element(int i) { return usw_float_to_bf16(static_cast<float>(i)); }
template <> usw_cf32_t element(int i) { return {static_cast<float>(i), static_cast<float>(i % 3)}; }
template <> usw_cf64_t element(int i) { return {static_cast<double>(i), static_cast<double>(i % 3)}; }
template <> bool element(int i) { return i % 3 != 0; }

template <class R> void check_same(const R &expected, const R &got, const char *name) {
  CHECK_AT(std::memcmp(&expected, &got, sizeof expected) == 0, name);
}

// With gaps between members only the members count.
#define CHECK_STRUCTURES(tag, CODE, code, type, value_type, sum, real, key, class_, ...)                               \
  USW_HAS_ORDERED_##class_(                                                                                            \
      template <>                                                                                                      \
      void check_same(const usw_located_##tag##_t &expected, const usw_located_##tag##_t &got, const char *name) {     \
        check_same(expected.value, got.value, name);                                                                   \
        check_same(expected.index, got.index, name);                                                                   \
      } template <>                                                                                                    \
      void check_same(const usw_describe_##tag##_t &expected, const usw_describe_##tag##_t &got, const char *name) {   \
        check_same(expected.count, got.count, name);                                                                   \
        check_same(expected.mean, got.mean, name);                                                                     \
        check_same(expected.variance, got.variance, name);                                                             \
        check_same(expected.maximum, got.maximum, name);                                                               \
        check_same(expected.maximum_index, got.maximum_index, name);                                                   \
      })
USW_TYPES(CHECK_STRUCTURES, )

} // namespace

#endif
