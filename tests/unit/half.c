/* Conversions of the 16-bit types: every one of their values there and back, and floats around every one of them rounded
 * to the nearest, ties to even; against the compiler's own type where it has one. */
#include <math.h>
#include <string.h>
#include <upsweep/half.h>

#include "support/check.h"

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* The value of a 16-bit number by its definition. */
static double defined_value(uint32_t bits, int fraction_bits, int bias) {
  const int fraction = (int)(bits & ((1u << fraction_bits) - 1)), exponents = 1 << (15 - fraction_bits);
  const int exponent = (int)(bits >> fraction_bits) & (exponents - 1);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == exponents - 1)
    return fraction ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * ldexp(fraction, 1 - bias - fraction_bits);
  return sign * ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

/* For each type: there, back, and what lies between a number and the next one. */
#define HALF_TEST(tag, fraction_bits, bias, infinity)                                                                  \
  static uint32_t to_##tag(float value) { return usw_float_to_##tag(value).bits; }                                     \
  static float from_##tag(uint32_t bits) { return usw_##tag##_to_float((usw_##tag##_t){(uint16_t)bits}); }             \
  static void every_##tag(void) {                                                                                      \
    for (uint32_t bits = 0; bits < 65536; bits++) {                                                                    \
      const double value = defined_value(bits, fraction_bits, bias);                                                   \
      const float got = from_##tag(bits);                                                                              \
      const uint32_t back = to_##tag(got);                                                                             \
      const int same = isnan(value) ? isnan(got) && (back & 0x7fff) > infinity && ((back ^ bits) & 0x8000) == 0        \
                                    : (double)got == value && !signbit(got) == !signbit(value) && back == bits;        \
      check_count(same, __FILE__, __LINE__, #tag " 0x%04x is %a, not %a, and back 0x%04x", bits, (double)got, value,   \
                  back);                                                                                               \
    }                                                                                                                  \
  }                                                                                                                    \
  static void between_##tag(void) {                                                                                    \
    for (uint32_t bits = 0; bits < infinity; bits++) {                                                                 \
      /* the largest number rounds as if another one followed it */                                                    \
      const double low = (double)from_##tag(bits);                                                                     \
      const double next = bits + 1 < infinity ? (double)from_##tag(bits + 1) : 2 * low - (double)from_##tag(bits - 1); \
      const float half_way = (float)((low + next) / 2);                                                                \
      const uint32_t even = bits % 2 ? bits + 1 : bits;                                                                \
      const int right = to_##tag(half_way) == even && to_##tag(nextafterf(half_way, 0)) == bits &&                     \
                        to_##tag(nextafterf(half_way, INFINITY)) == bits + 1 &&                                        \
                        to_##tag(-half_way) == (even | 0x8000) && to_##tag(nextafterf((float)low, INFINITY)) == bits;  \
      check_count(right, __FILE__, __LINE__, #tag ": %a, half way to the number after 0x%04x, rounds to 0x%04x",       \
                  (double)half_way, bits, to_##tag(half_way));                                                         \
    }                                                                                                                  \
    CHECK_U64(infinity, to_##tag(INFINITY));                                                                           \
    CHECK_U64(infinity | 0x8000, to_##tag(-INFINITY));                                                                 \
    CHECK(to_##tag(float_of(0x7f800001)) > infinity); /* a NaN whose payload would be cut off */                       \
    CHECK(to_##tag(float_of(0x7fffffff)) > infinity && to_##tag(float_of(0x7fffffff)) < 0x8000);                       \
    CHECK(to_##tag(float_of(0xffffffff)) > (infinity | 0x8000));                                                       \
    CHECK_U64(0, to_##tag(0.0f));                                                                                      \
    CHECK_U64(0x8000, to_##tag(-0.0f));                                                                                \
  }
HALF_TEST(f16, 10, 15, 0x7c00u)
HALF_TEST(bf16, 7, 127, 0x7f80u)

#ifdef __FLT16_MANT_DIG__
/* Floats of every exponent against the compiler's conversions. */
static void by_compiler(void) {
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4093) {
    const float value = float_of((uint32_t)bits);
    const _Float16 half = (_Float16)value;
    uint16_t expected;
    memcpy(&expected, &half, sizeof expected);
    const uint32_t got = to_f16(value);
    const int right = isnan(value) ? (got & 0x7fff) > 0x7c00 : got == expected;
    check_count(right, __FILE__, __LINE__, "%a is 0x%04x, the compiler says 0x%04x", (double)value, got, expected);
  }
  for (uint32_t bits = 0; bits < 65536; bits++) {
    const uint16_t narrow = (uint16_t)bits;
    _Float16 half;
    memcpy(&half, &narrow, sizeof half);
    const float value = (float)half;
    check_count(isnan(value) ? isnan(from_f16(bits)) : bits_of(value) == bits_of(from_f16(bits)), __FILE__, __LINE__,
                "0x%04x is %a, the compiler says %a", bits, (double)from_f16(bits), (double)value);
  }
}
#else
static void by_compiler(void) { CHECK_U64(0x3f800000, bits_of(1)); }
#endif

int main(void) {
  every_f16();
  every_bf16();
  between_f16();
  between_bf16();
  by_compiler();
  return check_report();
}
