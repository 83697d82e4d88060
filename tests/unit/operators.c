/* Operators on every scalar type, and their identities as constant expressions. Built at -O0 to -O3
 * and with sanitizers: integers wrap without undefined behaviour. */
#include <upsweep/reducer.h>

#include "support/check.h"

/* Constant expressions of the type: usable where the compiler must know them. */
_Static_assert(USW_IDENTITY(USW_PLUS, int) == 0, "");
_Static_assert(USW_IDENTITY(USW_PLUS, unsigned char) == 0, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, signed char) == SCHAR_MAX, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, char) == CHAR_MAX, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, unsigned short) == USHRT_MAX, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, int) == INT_MAX, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, unsigned) == UINT_MAX, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, long) == LONG_MAX, "");
_Static_assert(USW_IDENTITY(USW_MINIMUM, unsigned long long) == ULLONG_MAX, "");
_Static_assert(USW_IDENTITY(USW_MAXIMUM, short) == SHRT_MIN, "");
_Static_assert(USW_IDENTITY(USW_MAXIMUM, unsigned char) == 0, "");
_Static_assert(USW_IDENTITY(USW_MAXIMUM, long long) == LLONG_MIN, "");
_Static_assert(USW_IDENTITY(USW_MULTIPLIES, unsigned char) == 1, "");
_Static_assert(USW_IDENTITY(USW_BIT_AND, unsigned short) == USHRT_MAX, "");
_Static_assert(USW_IDENTITY(USW_BIT_AND, long) == -1, "");
_Static_assert(USW_IDENTITY(USW_BIT_OR, long) == 0, "");
_Static_assert(USW_IDENTITY(USW_BIT_XOR, char) == 0, "");
_Static_assert(USW_IDENTITY(USW_LOGICAL_AND, _Bool) == 1, "");
_Static_assert(USW_IDENTITY(USW_LOGICAL_OR, int) == 0, "");
_Static_assert(sizeof(USW_IDENTITY(USW_MINIMUM, short)) == sizeof(short), "");

/* Which types have which operators. */
_Static_assert(USW_OPERATORS_OF(double) & 1 << USW_MULTIPLIES, "");
_Static_assert(!(USW_OPERATORS_OF(double) & 1 << USW_BIT_AND), "");
_Static_assert(!(USW_OPERATORS_OF(float) & 1 << USW_LOGICAL_OR), "");
_Static_assert(!(USW_OPERATORS_OF(usw_cf64_t) & 1 << USW_MINIMUM), "");
_Static_assert(USW_OPERATORS_OF(usw_cf32_t) & 1 << USW_PLUS, "");
_Static_assert(USW_OPERATORS_OF(_Bool) == (1 << USW_LOGICAL_AND | 1 << USW_LOGICAL_OR), "");
_Static_assert(USW_OPERATORS_OF(unsigned char) & 1 << USW_BIT_XOR, "");
static const double static_identities[] = {USW_IDENTITY(USW_PLUS, double), USW_IDENTITY(USW_MINIMUM, double),
                                           USW_IDENTITY(USW_MAXIMUM, double)};
static const float static_identities_f32[] = {USW_IDENTITY(USW_MINIMUM, float), USW_IDENTITY(USW_MAXIMUM, float)};

/* The identity changes nothing, from either side; what is not zero is true to the logical operators. The functions are
 * called by their own names: the generic one needs the list of scalars itself. */
#define NEUTRAL_CASE(NAME, name, code, group, integers, reals, complexes, identity, T, tag, CLASS)                     \
  USW_HAS_##group##_##CLASS({                                                                                          \
    const T expected = (code) >= USW_LOGICAL_AND ? (T)(x != 0) : x, neutral = (T)USW_IDENTITY_##identity(T);           \
    CHECK_AT(usw_operate_##tag(code, neutral, x) == expected, #name " of " #T);                                        \
    CHECK_AT(usw_operate_##tag(code, x, neutral) == expected, #name " of " #T);                                        \
    found |= 1 << (code);                                                                                              \
  })
#define NEUTRAL_TEST(T, tag, CLASS, ...)                                                                               \
  static void neutral_##tag(void) {                                                                                    \
    const T values[] = {(T)0, (T)1, (T) - 1, (T)100, VALUES_##CLASS(T)};                                               \
    int found = 0;                                                                                                     \
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {                                                      \
      const T x = values[k];                                                                                           \
      USW_OPERATORS(NEUTRAL_CASE, T, tag, CLASS)                                                                       \
    }                                                                                                                  \
    CHECK_I64(usw_operators_of_##tag, found);                                                                          \
  }
#define VALUES_INTEGER(T) USW_LARGEST(T), USW_SMALLEST(T)
#define VALUES_FLOATING(T) USW_LARGEST(T), USW_SMALLEST(T)
#define VALUES_COMPLEX(T) __builtin_complex((__typeof__(__real__(T) 0))3, (__typeof__(__real__(T) 0))-4)
#define VALUES_BOOLEAN(T) 1
USW_SCALARS(NEUTRAL_TEST, )

/* Every pair of values, against the compiler's own operators. */
#define PAIRS_TEST(T, tag, CLASS, ...)                                                                                 \
  static void pairs_##tag(void) {                                                                                      \
    const T values[] = {(T)0, (T)1, (T) - 1, (T)3, (T)100, VALUES_##CLASS(T)};                                         \
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)                                                        \
      for (size_t j = 0; j < sizeof values / sizeof *values; j++) {                                                    \
        const T x = values[k], y = values[j];                                                                          \
        PAIR_##CLASS(T, tag)                                                                                           \
      }                                                                                                                \
  }
#define PAIR_ORDERED(tag)                                                                                              \
  CHECK(usw_operate_##tag(USW_MINIMUM, x, y) == (x < y ? x : y));                                                      \
  CHECK(usw_operate_##tag(USW_MAXIMUM, x, y) == (x > y ? x : y));
#define PAIR_LOGICAL(tag)                                                                                              \
  CHECK(usw_operate_##tag(USW_LOGICAL_AND, x, y) == (x && y));                                                         \
  CHECK(usw_operate_##tag(USW_LOGICAL_OR, x, y) == (x || y));
#define PAIR_INTEGER(T, tag)                                                                                           \
  T sum, product; /* what overflows is cut back, and that it did does not matter */                                    \
  (void)__builtin_add_overflow(x, y, &sum);                                                                            \
  (void)__builtin_mul_overflow(x, y, &product);                                                                        \
  CHECK(usw_operate_##tag(USW_PLUS, x, y) == sum);                                                                     \
  CHECK(usw_operate_##tag(USW_MULTIPLIES, x, y) == product);                                                           \
  CHECK(usw_operate_##tag(USW_BIT_AND, x, y) == (T)(x & y));                                                           \
  CHECK(usw_operate_##tag(USW_BIT_OR, x, y) == (T)(x | y));                                                            \
  CHECK(usw_operate_##tag(USW_BIT_XOR, x, y) == (T)(x ^ y));                                                           \
  PAIR_ORDERED(tag) PAIR_LOGICAL(tag)
#define PAIR_FLOATING(T, tag)                                                                                          \
  CHECK_F64((double)(x + y), (double)usw_operate_##tag(USW_PLUS, x, y));                                               \
  CHECK_F64((double)(x * y), (double)usw_operate_##tag(USW_MULTIPLIES, x, y));                                         \
  PAIR_ORDERED(tag)
#define PAIR_COMPLEX(T, tag)                                                                                           \
  CHECK(usw_operate_##tag(USW_PLUS, x, y) == x + y);                                                                   \
  CHECK(usw_operate_##tag(USW_MULTIPLIES, x, y) == x * y);
#define PAIR_BOOLEAN(T, tag) PAIR_LOGICAL(tag)
USW_SCALARS(PAIRS_TEST, )

static void wraps(void) {
  CHECK_I64(INT_MIN, usw_operate(USW_PLUS, INT_MAX, 1));
  CHECK_I64(INT_MAX, usw_operate(USW_PLUS, INT_MIN, -1));
  CHECK_I64(LLONG_MIN, usw_operate(USW_PLUS, LLONG_MAX, 1LL));
  CHECK_I64(0, usw_operate(USW_PLUS, LLONG_MIN, LLONG_MIN));
  CHECK_U64(0, usw_operate(USW_PLUS, UINT_MAX, 1u));
  CHECK_U64(0, usw_operate(USW_PLUS, ULLONG_MAX, 1ull));
  CHECK_U64(4, usw_operate(USW_PLUS, (unsigned char)250, (unsigned char)10));
  CHECK_I64(-126, usw_operate(USW_PLUS, (signed char)120, (signed char)10));
  CHECK_I64(SHRT_MIN, usw_operate(USW_PLUS, (short)SHRT_MAX, (short)1));
  CHECK_U64(1, usw_operate(USW_PLUS, (unsigned short)65535, (unsigned short)2));
  CHECK_I64(LLONG_MIN, usw_operate(USW_MULTIPLIES, LLONG_MIN, -1LL));
  CHECK_I64(1, usw_operate(USW_MULTIPLIES, INT_MAX, INT_MAX));
  CHECK_U64(1, usw_operate(USW_MULTIPLIES, (unsigned short)65535, (unsigned short)65535));
  CHECK_I64(-128, usw_operate(USW_BIT_AND, (signed char)-128, (signed char)-1));
  CHECK_I64(-1, usw_operate(USW_BIT_OR, -2, 1));
  CHECK_U64(6, usw_operate(USW_BIT_XOR, 5u, 3u));
  CHECK_I64(1, usw_operate(USW_LOGICAL_AND, 256, -1));
  CHECK_I64(0, usw_operate(USW_LOGICAL_OR, 0L, 0L));
}

/* NaN wins and -0 is below +0, whichever comes first. */
static void specials(void) {
  const double numbers[] = {-INFINITY, -1, -0.0, 0.0, 1, INFINITY};
  for (int k = 0; k < 6; k++) {
    CHECK(isnan(usw_operate(USW_MINIMUM, numbers[k], (double)NAN)));
    CHECK(isnan(usw_operate(USW_MINIMUM, (double)NAN, numbers[k])));
    CHECK(isnan(usw_operate(USW_MAXIMUM, numbers[k], (double)NAN)));
    CHECK(isnan(usw_operate(USW_MAXIMUM, (double)NAN, numbers[k])));
    CHECK(isnan(usw_operate(USW_MAXIMUM, (float)numbers[k], -(float)NAN)));
    CHECK(isnan(usw_operate(USW_MINIMUM, -(float)NAN, (float)numbers[k])));
    for (int j = 0; j < 6; j++) {
      CHECK_F64(numbers[k < j ? k : j], usw_operate(USW_MINIMUM, numbers[k], numbers[j]));
      CHECK_F64(numbers[k > j ? k : j], usw_operate(USW_MAXIMUM, numbers[k], numbers[j]));
    }
  }
  CHECK_F64(0, usw_operate(USW_PLUS, 0.0, -0.0));
  CHECK_F64(0, static_identities[0]);
  CHECK_F64(INFINITY, static_identities[1]);
  CHECK_F64(-INFINITY, static_identities[2]);
  CHECK_F64(INFINITY, (double)static_identities_f32[0]);
  CHECK_F64(-INFINITY, (double)static_identities_f32[1]);
}

/* (ac - bd) + (ad + bc)i and nothing more: C's own product would turn these NaNs into infinities. */
static void complex_products(void) {
  const usw_cf64_t a = __builtin_complex(2.0, 3.0), b = __builtin_complex(5.0, -7.0);
  const usw_cf64_t product = usw_operate(USW_MULTIPLIES, a, b);
  CHECK_F64(31, __real__ product);
  CHECK_F64(1, __imag__ product);
  const usw_cf32_t one = __builtin_complex(1.0f, 0.0f), infinite = __builtin_complex((float)INFINITY, 0.0f);
  const usw_cf32_t not_recovered = usw_operate(USW_MULTIPLIES, infinite, one);
  CHECK_F64(INFINITY, (double)__real__ not_recovered);
  CHECK_F64(NAN, (double)__imag__ not_recovered);
}

/* Halves: every number with numbers of every kind, from both sides. Sums and products are the nearest ones, minimum and
 * maximum those of the values; both found by doubles, which hold all of it exactly. */
static int is_nearest(double exact, double got, double below, double above) { /* the two numbers beside it, or NaN */
  if (isnan(exact) || isnan(got))
    return isnan(exact) && isnan(got);
  if (isinf(exact) || isinf(got)) /* the one number beside an infinity is the largest */
    return exact == got || (isinf(got) && !signbit(got) == !signbit(exact) && fabs(exact) > fabs(below));
  const double error = fabs(got - exact);
  return !(error > fabs(below - exact)) && !(error > fabs(above - exact));
}
#define HALF_PAIRS(T, tag, CLASS, ...)                                                                                 \
  static double double_of_##tag(uint32_t bits) {                                                                       \
    const T number = {(uint16_t)bits};                                                                                 \
    return (double)usw_##tag##_to_float(number);                                                                       \
  }                                                                                                                    \
  static void pair_##tag(T a, T b) {                                                                                   \
    const double x = double_of_##tag(a.bits), y = double_of_##tag(b.bits);                                             \
    const T results[] = {usw_operate_##tag(USW_PLUS, a, b), usw_operate_##tag(USW_MULTIPLIES, a, b),                   \
                         usw_operate_##tag(USW_MINIMUM, a, b), usw_operate_##tag(USW_MAXIMUM, a, b)};                  \
    const double exact[] = {x + y, x * y};                                                                             \
    const int nan = isnan(x) || isnan(y), a_first = x < y || (x == y && signbit(x));                                   \
    int right = 1;                                                                                                     \
    for (int k = 0; k < 2; k++)                                                                                        \
      right &= is_nearest(exact[k], double_of_##tag(results[k].bits), double_of_##tag(results[k].bits - 1u),           \
                          double_of_##tag(results[k].bits + 1u));                                                      \
    for (int k = 0; k < 2; k++)                                                                                        \
      right &=                                                                                                         \
          nan ? isnan(double_of_##tag(results[2 + k].bits)) : results[2 + k].bits == (a_first != k ? a.bits : b.bits); \
    check_count(right, __FILE__, __LINE__, #tag ": 0x%04x and 0x%04x", a.bits, b.bits);                                \
  }                                                                                                                    \
  static void pairs_##tag(void) {                                                                                      \
    const uint16_t infinity = USW_INFINITY_BITS_##tag, one = USW_ONE_BITS_##tag;                                       \
    const uint16_t others[] = {                                                                                        \
        0,     1, 2, 0x1234, one, (uint16_t)(one + 1), (uint16_t)(infinity - 1), infinity, (uint16_t)(infinity + 1),   \
        0x7fff};                                                                                                       \
    for (uint32_t bits = 0; bits < 65536; bits++)                                                                      \
      for (size_t k = 0; k < 2 * sizeof others / sizeof *others; k++) {                                                \
        const T a = {(uint16_t)bits}, b = {(uint16_t)(others[k / 2] | k % 2 << 15)};                                   \
        pair_##tag(a, b);                                                                                              \
        pair_##tag(b, a);                                                                                              \
      }                                                                                                                \
  }
USW_HALVES(HALF_PAIRS, )

int main(void) {
#define RUN_TESTS(T, tag, CLASS, ...)                                                                                  \
  neutral_##tag();                                                                                                     \
  pairs_##tag();
  USW_SCALARS(RUN_TESTS, )
  pairs_f16();
  pairs_bf16();
  complex_products();
  wraps();
  specials();
  return check_report();
}
