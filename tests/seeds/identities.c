/* The table of known identities, operator by operator and type by type, as constants and by codes at run time, and which
 * operators have none over which types.   identities [--place NAME] */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include <upsweep/reducer.h>

#include "support/check.h"
#include "support/place.h"

typedef struct {
  int a, b;
} structure_t;

/* Integers: ROW(type, code, smallest, largest, all bits). */
#define INTEGERS(ROW)                                                                                                  \
  ROW(int8_t, USW_I8, INT8_MIN, INT8_MAX, -1)                                                                          \
  ROW(int16_t, USW_I16, INT16_MIN, INT16_MAX, -1)                                                                      \
  ROW(int32_t, USW_I32, INT32_MIN, INT32_MAX, -1)                                                                      \
  ROW(int64_t, USW_I64, INT64_MIN, INT64_MAX, -1)                                                                      \
  ROW(uint8_t, USW_U8, 0, UINT8_MAX, UINT8_MAX)                                                                        \
  ROW(uint16_t, USW_U16, 0, UINT16_MAX, UINT16_MAX)                                                                    \
  ROW(uint32_t, USW_U32, 0, UINT32_MAX, UINT32_MAX)                                                                    \
  ROW(uint64_t, USW_U64, 0, UINT64_MAX, UINT64_MAX)
/* Types that only C knows: they have the operators and identities of the integers that they are. */
#define MORE_INTEGERS(ROW)                                                                                             \
  ROW(char, 0, CHAR_MIN, CHAR_MAX, -1)                                                                                 \
  ROW(long, 0, LONG_MIN, LONG_MAX, -1)                                                                                 \
  ROW(unsigned long, 0, 0, ULONG_MAX, ULONG_MAX)                                                                       \
  ROW(long long, 0, LLONG_MIN, LLONG_MAX, -1)                                                                          \
  ROW(unsigned long long, 0, 0, ULLONG_MAX, ULLONG_MAX)

/* At compile time: which operators a type has, and their identities. */
#define HAS(operation, T) ((USW_OPERATORS_OF(T) >> (operation)) & 1)
#define IS(operation, T, expected)                                                                                     \
  USW_ASSERT(HAS(operation, T) && USW_IDENTITY(operation, T) == (T)(expected), #operation " over " #T);
#define HAS_NOT(operation, T) USW_ASSERT(!HAS(operation, T), #operation " over " #T);
#define INTEGER_CONSTANTS(T, code, smallest, largest, ones)                                                            \
  IS(USW_PLUS, T, 0)                                                                                                   \
  IS(USW_MULTIPLIES, T, 1)                                                                                             \
  IS(USW_BIT_AND, T, ones)                                                                                             \
  IS(USW_BIT_OR, T, 0)                                                                                                 \
  IS(USW_BIT_XOR, T, 0)                                                                                                \
  IS(USW_LOGICAL_AND, T, 1)                                                                                            \
  IS(USW_LOGICAL_OR, T, 0)                                                                                             \
  IS(USW_MINIMUM, T, largest)                                                                                          \
  IS(USW_MAXIMUM, T, smallest)
INTEGERS(INTEGER_CONSTANTS)
MORE_INTEGERS(INTEGER_CONSTANTS)
IS(USW_LOGICAL_AND, usw_b8_t, 1)
IS(USW_LOGICAL_OR, usw_b8_t, 0)

#define NO_BITS(T)                                                                                                     \
  HAS_NOT(USW_BIT_AND, T)                                                                                              \
  HAS_NOT(USW_BIT_OR, T)                                                                                               \
  HAS_NOT(USW_BIT_XOR, T)                                                                                              \
  HAS_NOT(USW_LOGICAL_AND, T)                                                                                          \
  HAS_NOT(USW_LOGICAL_OR, T)
#define NO_ORDER(T)                                                                                                    \
  HAS_NOT(USW_MINIMUM, T)                                                                                              \
  HAS_NOT(USW_MAXIMUM, T)
NO_BITS(float)
NO_BITS(double)
NO_BITS(usw_f16_t)
NO_BITS(usw_bf16_t)
NO_BITS(usw_cf32_t)
NO_BITS(usw_cf64_t)
NO_ORDER(usw_cf32_t)
NO_ORDER(usw_cf64_t)
NO_ORDER(usw_b8_t)
USW_ASSERT(USW_OPERATORS_OF(structure_t) == 0, "a structure has no operator of ours");
HAS_NOT(USW_NO_OPERATION, int)

/* Floating constants: static objects take nothing else in C. */
static const float f32_constants[] = {USW_IDENTITY(USW_PLUS, float), USW_IDENTITY(USW_MULTIPLIES, float),
                                      USW_IDENTITY(USW_MINIMUM, float), USW_IDENTITY(USW_MAXIMUM, float)};
static const double f64_constants[] = {USW_IDENTITY(USW_PLUS, double), USW_IDENTITY(USW_MULTIPLIES, double),
                                       USW_IDENTITY(USW_MINIMUM, double), USW_IDENTITY(USW_MAXIMUM, double)};

#define HALF_CONSTANTS(T)                                                                                              \
  {USW_IDENTITY(USW_PLUS, T), USW_IDENTITY(USW_MULTIPLIES, T), USW_IDENTITY(USW_MINIMUM, T),                           \
   USW_IDENTITY(USW_MAXIMUM, T)}
USW_ASSERT(USW_OPERATORS_OF(usw_f16_t) == USW_OPERATORS_OF(float), "halves have the operators of floats");
USW_ASSERT(USW_OPERATORS_OF(usw_bf16_t) == USW_OPERATORS_OF(float), "halves have the operators of floats");

static void floating_constants(void) {
  static const double expected[] = {0, 1, INFINITY, -INFINITY};
  const usw_f16_t f16_constants[] = HALF_CONSTANTS(usw_f16_t);
  const usw_bf16_t bf16_constants[] = HALF_CONSTANTS(usw_bf16_t);
  for (int k = 0; k < 4; k++) {
    CHECK_F64(expected[k], (double)usw_f16_to_float(f16_constants[k]));
    CHECK_F64(expected[k], (double)usw_bf16_to_float(bf16_constants[k]));
    CHECK_F64(expected[k], (double)f32_constants[k]);
    CHECK_F64(expected[k], f64_constants[k]);
  }
}

/* At run time: the same, by codes. The byte behind the element stays. */
static void check_known(usw_operation_t operation, usw_type_t type, const void *expected, size_t bytes) {
  unsigned char got[24];
  memset(got, 0x5a, sizeof got);
  CHECK_STATUS(USW_OK, usw_identity(operation, type, NULL));
  CHECK_STATUS(USW_OK, usw_identity(operation, type, got));
  check_count(memcmp(got, expected, bytes) == 0, __FILE__, __LINE__, "operation %d over type %d: another identity",
              (int)operation, (int)type);
  CHECK_U64(0x5a, got[bytes]);
}
#define CHECK_KNOWN(operation, type, T, expected)                                                                      \
  do {                                                                                                                 \
    const T identity = (T)(expected);                                                                                  \
    check_known(operation, type, &identity, sizeof identity);                                                          \
  } while (0)

#define CHECK_INTEGER(T, code, smallest, largest, ones)                                                                \
  CHECK_KNOWN(USW_PLUS, code, T, 0);                                                                                   \
  CHECK_KNOWN(USW_MULTIPLIES, code, T, 1);                                                                             \
  CHECK_KNOWN(USW_BIT_AND, code, T, ones);                                                                             \
  CHECK_KNOWN(USW_BIT_OR, code, T, 0);                                                                                 \
  CHECK_KNOWN(USW_BIT_XOR, code, T, 0);                                                                                \
  CHECK_KNOWN(USW_LOGICAL_AND, code, T, 1);                                                                            \
  CHECK_KNOWN(USW_LOGICAL_OR, code, T, 0);                                                                             \
  CHECK_KNOWN(USW_MINIMUM, code, T, largest);                                                                          \
  CHECK_KNOWN(USW_MAXIMUM, code, T, smallest);
#define CHECK_FLOATING(T, code)                                                                                        \
  CHECK_KNOWN(USW_PLUS, code, T, 0);                                                                                   \
  CHECK_KNOWN(USW_MULTIPLIES, code, T, 1);                                                                             \
  CHECK_KNOWN(USW_MINIMUM, code, T, INFINITY);                                                                         \
  CHECK_KNOWN(USW_MAXIMUM, code, T, -INFINITY);
#define CHECK_HALF(code, one, infinity)                                                                                \
  CHECK_KNOWN(USW_PLUS, code, uint16_t, 0);                                                                            \
  CHECK_KNOWN(USW_MULTIPLIES, code, uint16_t, one);                                                                    \
  CHECK_KNOWN(USW_MINIMUM, code, uint16_t, infinity);                                                                  \
  CHECK_KNOWN(USW_MAXIMUM, code, uint16_t, 0x8000 | (infinity));

static void known_at_run_time(void) {
  INTEGERS(CHECK_INTEGER)
  CHECK_FLOATING(float, USW_F32)
  CHECK_FLOATING(double, USW_F64)
  CHECK_HALF(USW_F16, 0x3c00, 0x7c00)
  CHECK_HALF(USW_BF16, 0x3f80, 0x7f80)
  CHECK_KNOWN(USW_LOGICAL_AND, USW_BOOL, usw_b8_t, 1);
  CHECK_KNOWN(USW_LOGICAL_OR, USW_BOOL, usw_b8_t, 0);
  CHECK_KNOWN(USW_PLUS, USW_CF32, usw_cf32_t, 0);
  CHECK_KNOWN(USW_MULTIPLIES, USW_CF32, usw_cf32_t, 1);
  CHECK_KNOWN(USW_PLUS, USW_CF64, usw_cf64_t, 0);
  CHECK_KNOWN(USW_MULTIPLIES, USW_CF64, usw_cf64_t, 1);
}

/* No identity: the answer says so and writes nothing. */
static void check_unknown(usw_operation_t operation, usw_type_t type) {
  unsigned char untouched[16], before[16];
  memset(untouched, 0xa5, sizeof untouched);
  memcpy(before, untouched, sizeof before);
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(operation, type, NULL));
  CHECK_STATUS(USW_ERROR_UNSUPPORTED, usw_identity(operation, type, untouched));
  CHECK(memcmp(untouched, before, sizeof before) == 0);
}

static void unknown_at_run_time(void) {
  static const usw_type_t without_bits[] = {USW_F16, USW_BF16, USW_F32, USW_F64, USW_CF32, USW_CF64};
  static const usw_type_t without_order[] = {USW_CF32, USW_CF64, USW_BOOL};
  static const usw_operation_t no_operators[] = {USW_NO_OPERATION, USW_DOT, USW_COUNT, USW_ARGMIN, USW_DESCRIBE};
  for (size_t k = 0; k < sizeof without_bits / sizeof *without_bits; k++)
    for (int operation = USW_BIT_AND; operation <= USW_LOGICAL_OR; operation++)
      check_unknown((usw_operation_t)operation, without_bits[k]);
  for (size_t k = 0; k < sizeof without_order / sizeof *without_order; k++) {
    check_unknown(USW_MINIMUM, without_order[k]);
    check_unknown(USW_MAXIMUM, without_order[k]);
  }
  for (size_t k = 0; k < sizeof no_operators / sizeof *no_operators; k++)
    check_unknown(no_operators[k], USW_I32);
  check_unknown(USW_PLUS, USW_NO_TYPE);
}

int main(int argc, char **argv) {
  (void)place_of_arguments(argc, argv); /* the same answers whatever else the library may do here */
  floating_constants();
  known_at_run_time();
  unknown_at_run_time();
  return check_report();
}
