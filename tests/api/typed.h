/* The typed functions, by every spelling: included by typed.c (C11 generics) and typed_cxx.cpp
 * (overloads). */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

enum { ITEMS = 1000 };

/* ROW(name, tag, element type, result type): x[i] = i % 7 + 1, first as const and then as not. */
#define TYPED_ROWS(ROW, tag, T, S)                                                                                     \
  ROW(sum, tag, T, S, 3997)                                                                                            \
  ROW(min, tag, T, T, 1)                                                                                               \
  ROW(max, tag, T, T, 7)                                                                                               \
  ROW(count, tag, T, uint64_t, 1000)
#define TYPED_CASE(name, tag, T, R, expected)                                                                          \
  {                                                                                                                    \
    R by_type = 99, by_const = 99, by_name = 99;                                                                       \
    const T *constant = x;                                                                                             \
    CHECK_STATUS(USW_OK, usw_##name##_##tag(x, ITEMS, &by_type));                                                      \
    CHECK_STATUS(USW_OK, usw_##name(constant, ITEMS, &by_const));                                                      \
    CHECK_STATUS(USW_OK, usw_##name(x, ITEMS, &by_name));                                                              \
    CHECK_F64(expected, (double)by_type);                                                                              \
    CHECK_F64(expected, (double)by_const);                                                                             \
    CHECK_F64(expected, (double)by_name);                                                                              \
    CHECK_STATUS(USW_OK, usw_##name(x, 0, &by_type));                                                                  \
    CHECK_STATUS(USW_ERROR_INVALID, usw_##name((const T *)NULL, 1, &by_name));                                         \
    CHECK_F64(expected, (double)by_name);                                                                              \
    CHECK_STATUS(USW_ERROR_INVALID, usw_##name(x, 1, (R *)NULL));                                                      \
  }
#define TYPED_FUNCTION(tag, T, S)                                                                                      \
  static void typed_##tag(void) {                                                                                      \
    static T x[ITEMS];                                                                                                 \
    for (int i = 0; i < ITEMS; i++)                                                                                    \
      x[i] = (T)(i % 7 + 1);                                                                                           \
    TYPED_ROWS(TYPED_CASE, tag, T, S)                                                                                  \
  }
TYPED_FUNCTION(f64, double, double)
TYPED_FUNCTION(f32, float, float)
TYPED_FUNCTION(i64, int64_t, int64_t)
TYPED_FUNCTION(i32, int32_t, int64_t)
TYPED_FUNCTION(u8, uint8_t, uint64_t)

static void typed_others(void) {
  static double x[ITEMS], y[ITEMS];
  double dot = 0;
  usw_located_f64_t least;
  usw_describe_f64_t all;
  for (int i = 0; i < ITEMS; i++) {
    x[i] = (i * 37) % ITEMS - 500;
    y[i] = 2;
  }
  const double *constant = x;
  CHECK_STATUS(USW_OK, usw_dot(x, y, ITEMS, &dot));
  CHECK_F64(-1000, dot);
  CHECK_STATUS(USW_OK, usw_dot(constant, constant, 2, &dot));
  CHECK_F64(500.0 * 500 + 463.0 * 463, dot);
  CHECK_STATUS(USW_OK, usw_dot_f64(x, y, 0, &dot));
  CHECK_F64(0, dot);
  CHECK_STATUS(USW_OK, usw_argmin(x, ITEMS, &least));
  CHECK_F64(-500, least.value);
  CHECK_I64(0, least.index);
  CHECK_STATUS(USW_OK, usw_argmin_f64(constant, 0, &least));
  CHECK_F64(INFINITY, least.value);
  CHECK_I64(-1, least.index);
  CHECK_STATUS(USW_OK, usw_describe(constant, ITEMS, &all));
  CHECK_U64(ITEMS, all.count);
  CHECK(fabs(all.mean + 0.5) < 1e-9);
  CHECK(fabs(all.variance - (1000.0 * 1000 - 1) / 12) < 1e-6);
  CHECK_F64(-500, all.minimum);
  CHECK_F64(499, all.maximum);
  CHECK_I64(0, all.minimum_index);
  CHECK(x[all.maximum_index] == 499);
  CHECK_STATUS(USW_OK, usw_describe_f64(x, 0, &all));
  CHECK_U64(0, all.count);
  CHECK(isnan(all.mean) && isnan(all.variance));
  CHECK_I64(-1, all.minimum_index);
  CHECK_I64(-1, all.maximum_index);
}

/* What an empty input gives. */
static void typed_empty(void) {
  double f64 = 1;
  float f32 = 1;
  int64_t i64 = 1;
  int32_t i32 = 1;
  uint8_t u8 = 1;
  uint64_t u64 = 1;
  CHECK_STATUS(USW_OK, usw_sum_f64(NULL, 0, &f64));
  CHECK_F64(0, f64);
  CHECK_STATUS(USW_OK, usw_min_f64(NULL, 0, &f64));
  CHECK_F64(INFINITY, f64);
  CHECK_STATUS(USW_OK, usw_max_f32(NULL, 0, &f32));
  CHECK_F64(-INFINITY, (double)f32);
  CHECK_STATUS(USW_OK, usw_min_i64(NULL, 0, &i64));
  CHECK_I64(INT64_MAX, i64);
  CHECK_STATUS(USW_OK, usw_max_i64(NULL, 0, &i64));
  CHECK_I64(INT64_MIN, i64);
  CHECK_STATUS(USW_OK, usw_min_i32(NULL, 0, &i32));
  CHECK_I64(INT32_MAX, i32);
  CHECK_STATUS(USW_OK, usw_max_i32(NULL, 0, &i32));
  CHECK_I64(INT32_MIN, i32);
  CHECK_STATUS(USW_OK, usw_min_u8(NULL, 0, &u8));
  CHECK_U64(UINT8_MAX, u8);
  CHECK_STATUS(USW_OK, usw_max_u8(NULL, 0, &u8));
  CHECK_U64(0, u8);
  CHECK_STATUS(USW_OK, usw_sum_u8(NULL, 0, &u64));
  CHECK_U64(0, u64);
  CHECK_STATUS(USW_OK, usw_count_f32(NULL, 0, &u64));
  CHECK_U64(0, u64);
}

static int typed_run(void) {
  typed_f64();
  typed_f32();
  typed_i64();
  typed_i32();
  typed_u8();
  typed_others();
  typed_empty();
  return check_report();
}
