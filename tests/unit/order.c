/* Order keys: for both floating types a total order of everything there is, there and back. */
#include <float.h>
#include <string.h>
#include <upsweep/order.h>

#include "support/check.h"

/* In ascending order; each is below the next. */
static const double ascending_f64[] = {
    -INFINITY, -DBL_MAX,     -1e300,      -1.5,    -1, -DBL_MIN, -DBL_MIN / 2, -DBL_TRUE_MIN, -0.0,
    0.0,       DBL_TRUE_MIN, DBL_MIN / 2, DBL_MIN, 1,  1.5,      1e300,        DBL_MAX,       INFINITY};
static const float ascending_f32[] = {
    -INFINITY, -FLT_MAX,     -1e30f,      -1.5f,   -1, -FLT_MIN, -FLT_MIN / 2, -FLT_TRUE_MIN, -0.0f,
    0.0f,      FLT_TRUE_MIN, FLT_MIN / 2, FLT_MIN, 1,  1.5f,     1e30f,        FLT_MAX,       INFINITY};

/* Every policy, every pair; NaNs of both signs and other payloads before or after all numbers. */
#define ORDER_TEST(tag, T, K, K_MAX, from_bits)                                                                        \
  static void order_##tag(void) {                                                                                      \
    enum { COUNT = sizeof ascending_##tag / sizeof *ascending_##tag };                                                 \
    const T *x = ascending_##tag;                                                                                      \
    const T nans[] = {(T)NAN, -(T)NAN, from_bits(1), from_bits(-1)};                                                   \
    for (int a = 0; a < COUNT; a++) {                                                                                  \
      const K key = usw_key_##tag(x[a], USW_NAN_PROPAGATE);                                                            \
      CHECK_I64(key, usw_key_##tag(x[a], USW_NAN_IGNORE));                                                             \
      CHECK_F64((double)x[a], (double)usw_from_key_##tag(key, 77));                                                    \
      for (int b = 0; b < COUNT; b++)                                                                                  \
        CHECK((a < b) == (key < usw_key_##tag(x[b], USW_NAN_PROPAGATE)));                                              \
      for (int k = 0; k < 4; k++) {                                                                                    \
        CHECK(usw_key_##tag(nans[k], USW_NAN_PROPAGATE) < key);                                                        \
        CHECK(usw_key_##tag(nans[k], USW_NAN_IGNORE) > key);                                                           \
      }                                                                                                                \
      CHECK(key < K_MAX);                                                                                              \
    }                                                                                                                  \
    for (int k = 0; k < 4; k++)                                                                                        \
      for (int nan = 0; nan < 2; nan++) {                                                                              \
        const K key = usw_key_##tag(nans[k], nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE);                                \
        CHECK(isnan(usw_from_key_##tag(key, 77)));                                                                     \
        CHECK(key < K_MAX);                                                                                            \
      }                                                                                                                \
    CHECK_F64(77, (double)usw_from_key_##tag(K_MAX, 77));                                                              \
  }

static double f64_nan(int payload) {
  const uint64_t bits = payload > 0 ? 0x7ff0000000000001u : 0xffffffffffffffffu;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static float f32_nan(int payload) {
  const uint32_t bits = payload > 0 ? 0x7f800001u : 0xffffffffu;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

ORDER_TEST(f64, double, int64_t, INT64_MAX, f64_nan)
ORDER_TEST(f32, float, int32_t, INT32_MAX, f32_nan)

/* All bits of a float that a walk with an odd step meets: order by key is order by value. */
static void many_f32(void) {
  uint32_t bits = 1;
  for (int k = 0; k < 2000000; k++, bits += 2654435761u) {
    float x, y;
    const uint32_t next = bits + 0x9E3779B9u;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &next, sizeof y);
    const int32_t kx = usw_key_f32(x, USW_NAN_PROPAGATE), ky = usw_key_f32(y, USW_NAN_PROPAGATE);
    const int wrong = isnan(x) || isnan(y) ? 0 : (x < y && kx >= ky) || (x > y && kx <= ky);
    const float back = usw_from_key_f32(kx, 0);
    if (wrong || (!isnan(x) && memcmp(&back, &x, sizeof x) != 0))
      check_count(0, __FILE__, __LINE__, "%a and %a: keys %d and %d", (double)x, (double)y, kx, ky);
  }
  CHECK(bits != 1);
}

int main(void) {
  order_f64();
  order_f32();
  many_f32();
  return check_report();
}
