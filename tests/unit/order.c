/* Order keys: for every type that has an order a total order of everything there is, there and back, upwards for minima
 * and turned round for maxima. */
#include <float.h>
#include <string.h>
#include <upsweep/half.h>
#include <upsweep/order.h>

#include "support/check.h"

/* In ascending order; each is below the next. */
static const double ascending_f64[] = {
    -INFINITY, -DBL_MAX,     -1e300,      -1.5,    -1, -DBL_MIN, -DBL_MIN / 2, -DBL_TRUE_MIN, -0.0,
    0.0,       DBL_TRUE_MIN, DBL_MIN / 2, DBL_MIN, 1,  1.5,      1e300,        DBL_MAX,       INFINITY};
static const float ascending_f32[] = {
    -INFINITY, -FLT_MAX,     -1e30f,      -1.5f,   -1, -FLT_MIN, -FLT_MIN / 2, -FLT_TRUE_MIN, -0.0f,
    0.0f,      FLT_TRUE_MIN, FLT_MIN / 2, FLT_MIN, 1,  1.5f,     1e30f,        FLT_MAX,       INFINITY};
static const usw_f16_t ascending_f16[] = {{0xfc00}, {0xfbff}, {0xbc00}, {0x8400}, {0x8001}, {0x8000}, {0x0000},
                                          {0x0001}, {0x03ff}, {0x0400}, {0x3c00}, {0x7bff}, {0x7c00}};
static const usw_bf16_t ascending_bf16[] = {{0xff80}, {0xff7f}, {0xbf80}, {0x8080}, {0x8001}, {0x8000}, {0x0000},
                                            {0x0001}, {0x007f}, {0x0080}, {0x3f80}, {0x7f7f}, {0x7f80}};

/* NaNs of both signs, quiet and signalling. */
static const uint64_t nans_f64[] = {0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xffffffffffffffff};
static const uint32_t nans_f32[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff};
static const uint16_t nans_f16[] = {0x7e00, 0xfe00, 0x7c01, 0xffff};
static const uint16_t nans_bf16[] = {0x7fc0, 0xffc0, 0x7f81, 0xffff};
enum { NANS = 4 };

static double double_f64(double x) { return x; }
static double double_f32(float x) { return (double)x; }
static double double_f16(usw_f16_t x) { return (double)usw_f16_to_float(x); }
static double double_bf16(usw_bf16_t x) { return (double)usw_bf16_to_float(x); }

/* A number is the same when it comes back; the keys of two order as they do, or the other way round. */
#define NUMBERS_TEST(tag, K, K_MAX)                                                                                    \
  static void numbers_##tag(K turn) {                                                                                  \
    enum { COUNT = sizeof ascending_##tag / sizeof *ascending_##tag };                                                 \
    const usw_##tag##_t *x = ascending_##tag;                                                                          \
    for (int a = 0; a < COUNT; a++) {                                                                                  \
      const K key = usw_key_##tag(x[a], USW_NAN_PROPAGATE, turn);                                                      \
      CHECK_I64(key, usw_key_##tag(x[a], USW_NAN_IGNORE, turn));                                                       \
      CHECK_F64(double_##tag(x[a]), double_##tag(usw_from_key_##tag(key, turn)));                                      \
      CHECK(!usw_only_nans_##tag(key));                                                                                \
      CHECK(key < K_MAX);                                                                                              \
      for (int b = 0; b < COUNT; b++) {                                                                                \
        const K other = usw_key_##tag(x[b], USW_NAN_PROPAGATE, turn);                                                  \
        CHECK(turn ? (a < b) == (key > other) : (a < b) == (key < other));                                             \
      }                                                                                                                \
    }                                                                                                                  \
    CHECK_F64(turn ? -INFINITY : INFINITY, double_##tag(usw_from_key_##tag(K_MAX, turn)));                             \
    CHECK(!usw_only_nans_##tag(K_MAX));                                                                                \
  }

/* Every NaN comes before all numbers or after them, and before "nothing seen", whichever way the numbers are turned. */
#define NANS_TEST(tag, K, K_MAX)                                                                                       \
  static void nans_of_##tag(K turn) {                                                                                  \
    for (int k = 0; k < NANS; k++) {                                                                                   \
      usw_##tag##_t x;                                                                                                 \
      memcpy(&x, &nans_##tag[k], sizeof x);                                                                            \
      const K wins = usw_key_##tag(x, USW_NAN_PROPAGATE, turn), loses = usw_key_##tag(x, USW_NAN_IGNORE, turn);        \
      for (size_t a = 0; a < sizeof ascending_##tag / sizeof *ascending_##tag; a++) {                                  \
        const K key = usw_key_##tag(ascending_##tag[a], USW_NAN_PROPAGATE, turn);                                      \
        CHECK(wins < key);                                                                                             \
        CHECK(loses > key);                                                                                            \
      }                                                                                                                \
      CHECK(loses < K_MAX);                                                                                            \
      CHECK(isnan(double_##tag(usw_from_key_##tag(wins, turn))));                                                      \
      CHECK(isnan(double_##tag(usw_from_key_##tag(loses, turn))));                                                     \
      CHECK(usw_only_nans_##tag(loses) && !usw_only_nans_##tag(wins));                                                 \
    }                                                                                                                  \
  }
#define FLOATING_TEST(tag, K, K_MAX)                                                                                   \
  NUMBERS_TEST(tag, K, K_MAX)                                                                                          \
  NANS_TEST(tag, K, K_MAX)
FLOATING_TEST(f64, int64_t, INT64_MAX)
FLOATING_TEST(f32, int32_t, INT32_MAX)
FLOATING_TEST(f16, int16_t, INT16_MAX)
FLOATING_TEST(bf16, int16_t, INT16_MAX)

/* Every pair of 16-bit numbers whose bits are an odd step apart. */
#define EVERY_HALF_TEST(tag)                                                                                           \
  static void every_##tag(int16_t turn) {                                                                              \
    for (uint32_t bits = 0; bits < 65536; bits++)                                                                      \
      for (uint32_t step = 1; step < 65536; step += 8190) {                                                            \
        const usw_##tag##_t x = {(uint16_t)bits}, y = {(uint16_t)(bits + step)};                                       \
        const double of_x = double_##tag(x), of_y = double_##tag(y);                                                   \
        const int16_t kx = usw_key_##tag(x, USW_NAN_PROPAGATE, turn), ky = usw_key_##tag(y, USW_NAN_PROPAGATE, turn);  \
        const int below = of_x<of_y, above = of_x> of_y;                                                               \
        const int right = (!below || (turn ? kx > ky : kx < ky)) && (!above || (turn ? kx < ky : kx > ky));            \
        const int comes_back = isnan(of_x) || usw_from_key_##tag(kx, turn).bits == x.bits;                             \
        if (!right || !comes_back)                                                                                     \
          check_count(0, __FILE__, __LINE__, #tag " %a and %a: keys %d and %d", of_x, of_y, kx, ky);                   \
      }                                                                                                                \
  }
EVERY_HALF_TEST(f16)
EVERY_HALF_TEST(bf16)

/* All bits of a float that a walk with an odd step meets: order by key is order by value. */
static void many_f32(int32_t turn) {
  uint32_t bits = 1;
  for (int k = 0; k < 1000000; k++, bits += 2654435761u) {
    float x, y;
    const uint32_t next = bits + 0x9E3779B9u;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &next, sizeof y);
    const int32_t kx = usw_key_f32(x, USW_NAN_PROPAGATE, turn), ky = usw_key_f32(y, USW_NAN_PROPAGATE, turn);
    const int below = turn ? kx > ky : kx < ky, above = turn ? kx < ky : kx > ky;
    const int wrong = isnan(x) || isnan(y) ? 0 : (x < y && !below) || (x > y && !above);
    const float back = usw_from_key_f32(kx, turn);
    if (wrong || (!isnan(x) && memcmp(&back, &x, sizeof x) != 0))
      check_count(0, __FILE__, __LINE__, "%a and %a: keys %d and %d", (double)x, (double)y, kx, ky);
  }
  CHECK(bits != 1);
}

/* Integers: also their identities, which are the key of "nothing seen" and at the same time numbers. */
#define INTEGER_TEST(tag, CODE, code, T, value, sum, real, K, class, ...)                                              \
  USW_HAS_INTEGER_##class(static void integers_##tag(K turn) {                                                         \
    const T x[] = {USW_SMALLEST(T), (T)(USW_SMALLEST(T) + 1), 1, 2, 100, (T)(USW_LARGEST(T) - 1), USW_LARGEST(T)};     \
    for (int a = 0; a < 7; a++) {                                                                                      \
      const K key = usw_key_##tag(x[a], USW_NAN_PROPAGATE, turn);                                                      \
      CHECK(usw_key_##tag(x[a], USW_NAN_IGNORE, turn) == key);                                                         \
      CHECK(usw_from_key_##tag(key, turn) == x[a]);                                                                    \
      CHECK(!usw_only_nans_##tag(key));                                                                                \
      for (int b = 0; b < 7; b++) {                                                                                    \
        const K other = usw_key_##tag(x[b], USW_NAN_PROPAGATE, turn);                                                  \
        CHECK(turn ? (x[a] < x[b]) == (key > other) : (x[a] < x[b]) == (key < other));                                 \
      }                                                                                                                \
    }                                                                                                                  \
    CHECK(usw_from_key_##tag(USW_LARGEST(K), turn) == (turn ? USW_SMALLEST(T) : USW_LARGEST(T)));                      \
  })
USW_TYPES(INTEGER_TEST, )

int main(void) {
#define RUN(tag, CODE, code, T, value, sum, real, K, class, ...)                                                       \
  USW_HAS_INTEGER_##class(integers_##tag(0); integers_##tag((K) - 1);)
  USW_TYPES(RUN, )
  for (int turn = -1; turn < 1; turn++) {
    numbers_f64(turn);
    numbers_f32(turn);
    numbers_f16((int16_t)turn);
    numbers_bf16((int16_t)turn);
    nans_of_f64(turn);
    nans_of_f32(turn);
    nans_of_f16((int16_t)turn);
    nans_of_bf16((int16_t)turn);
    every_f16((int16_t)turn);
    every_bf16((int16_t)turn);
    many_f32(turn);
  }
  return check_report();
}
