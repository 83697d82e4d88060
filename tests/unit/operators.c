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
_Static_assert(sizeof(USW_IDENTITY(USW_MINIMUM, short)) == sizeof(short), "");
static const double static_identities[] = {USW_IDENTITY(USW_PLUS, double), USW_IDENTITY(USW_MINIMUM, double),
                                           USW_IDENTITY(USW_MAXIMUM, double)};
static const float static_identities_f32[] = {USW_IDENTITY(USW_MINIMUM, float), USW_IDENTITY(USW_MAXIMUM, float)};

/* The identity changes nothing, from either side. */
#define IDENTITY_TEST(T, tag, CLASS)                                                                                   \
  static void identity_##tag(void) {                                                                                   \
    const T values[] = {(T)0, (T)1, (T) - 1, (T)100, USW_LARGEST(T), USW_SMALLEST(T)};                                 \
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {                                                      \
      const T x = values[k];                                                                                           \
      CHECK(usw_operate(USW_PLUS, USW_IDENTITY(USW_PLUS, T), x) == x);                                                 \
      CHECK(usw_operate(USW_PLUS, x, USW_IDENTITY(USW_PLUS, T)) == x);                                                 \
      CHECK(usw_operate(USW_MINIMUM, USW_IDENTITY(USW_MINIMUM, T), x) == x);                                           \
      CHECK(usw_operate(USW_MINIMUM, x, USW_IDENTITY(USW_MINIMUM, T)) == x);                                           \
      CHECK(usw_operate(USW_MAXIMUM, USW_IDENTITY(USW_MAXIMUM, T), x) == x);                                           \
      CHECK(usw_operate(USW_MAXIMUM, x, USW_IDENTITY(USW_MAXIMUM, T)) == x);                                           \
      for (size_t j = 0; j < sizeof values / sizeof *values; j++) {                                                    \
        const T y = values[j];                                                                                         \
        CHECK(usw_operate(USW_MINIMUM, x, y) == (x < y ? x : y));                                                      \
        CHECK(usw_operate(USW_MAXIMUM, x, y) == (x > y ? x : y));                                                      \
      }                                                                                                                \
    }                                                                                                                  \
  }
USW_SCALARS(IDENTITY_TEST)

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

int main(void) {
#define RUN_IDENTITY_TEST(T, tag, CLASS) identity_##tag();
  USW_SCALARS(RUN_IDENTITY_TEST)
  wraps();
  specials();
  return check_report();
}
