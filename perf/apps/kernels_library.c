/* Reductions that the library has, written as a user would: each beside the library's own kernel. */
#include "apps.h"

#include <math.h>

#define USW_KERNEL apps_user_sum_f64
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_user_sum_f32
#define USW_ARGS(IN, ARRAY, VALUE) IN(float, x)
#define USW_REDUCERS(R, S) R(float, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_user_sum_i32
#define USW_ARGS(IN, ARRAY, VALUE) IN(int32_t, x)
#define USW_REDUCERS(R, S) R(int64_t, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_user_max_f64
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(most, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_user_dot_f32
#define USW_ARGS(IN, ARRAY, VALUE) IN(float, x) IN(float, y)
#define USW_REDUCERS(R, S) R(float, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x * y); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_user_sum_u8
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint8_t, x)
#define USW_REDUCERS(R, S) R(uint64_t, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL apps_user_max_i16
#define USW_ARGS(IN, ARRAY, VALUE) IN(int16_t, x)
#define USW_REDUCERS(R, S) R(int16_t, most, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(most, x); }
#include <upsweep/kernel_end.h>

/* Small whole numbers: sums are exact in every type, also in floats up to 2^24 items of 0 and 1. */
static unsigned element_at(size_t i) { return i % 127 == 0; }
static double count_of(size_t n) { return (double)((n + 126) / 127); }
#define FILL(name, T)                                                                                                  \
  static void fill_##name(size_t n, size_t first, size_t count, void *elements_out) {                                  \
    (void)n;                                                                                                           \
    for (size_t k = 0; k < count; k++)                                                                                 \
      ((T *)elements_out)[k] = (T)element_at(first + k);                                                               \
  }
FILL(f64, double)
FILL(f32, float)
FILL(i32, int32_t)
FILL(i16, int16_t)
FILL(u8, uint8_t)

static apps_expected_t expect_count(size_t n) {
  apps_expected_t expected = {0};
  apps_expect(&expected, count_of(n), 0);
  return expected;
}
static apps_expected_t expect_one(size_t n) {
  apps_expected_t expected = {0};
  (void)n;
  apps_expect(&expected, 1, 0);
  return expected;
}

/* An application of one stream: the user's kernel, and the library's. */
#define APP(app, user, T, start, fill_of, expect_of, operation, type)                                                  \
  static usw_status_t run_##app(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {          \
    T result = start;                                                                                                  \
    const usw_status_t status = user(call->n, call->streams[0], &result, options);                                     \
    numbers_out[0] = (double)result;                                                                                   \
    return status;                                                                                                     \
  }                                                                                                                    \
  static usw_status_t library_##app(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {      \
    T result = start;                                                                                                  \
    const usw_status_t status = usw_reduce(operation, type, call->streams[0], call->n, &result, options);              \
    numbers_out[0] = (double)result;                                                                                   \
    return status;                                                                                                     \
  }                                                                                                                    \
  const apps_case_t apps_##app = {.suite = "library",                                                                  \
                                  .name = "user_" #app,                                                                \
                                  .streams = {{sizeof(usw_##fill_of##_t), fill_##fill_of, NULL}},                      \
                                  .run = run_##app,                                                                    \
                                  .library = library_##app,                                                            \
                                  .expect = expect_of};
APP(sum_f64, apps_user_sum_f64, double, 0, f64, expect_count, USW_PLUS, USW_F64)
APP(sum_f32, apps_user_sum_f32, float, 0, f32, expect_count, USW_PLUS, USW_F32)
APP(sum_i32, apps_user_sum_i32, int64_t, 0, i32, expect_count, USW_PLUS, USW_I32)
APP(max_f64, apps_user_max_f64, double, -INFINITY, f64, expect_one, USW_MAXIMUM, USW_F64)
APP(sum_u8, apps_user_sum_u8, uint64_t, 0, u8, expect_count, USW_PLUS, USW_U8)
APP(max_i16, apps_user_max_i16, int16_t, INT16_MIN, i16, expect_one, USW_MAXIMUM, USW_I16)

static usw_status_t run_dot(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  float total = 0;
  const usw_status_t status = apps_user_dot_f32(call->n, call->streams[0], call->streams[1], &total, options);
  numbers_out[0] = total;
  return status;
}
static usw_status_t library_dot(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  float total = 0;
  const usw_status_t status =
      usw_reduce_pair(USW_DOT, USW_F32, call->streams[0], call->streams[1], call->n, &total, options);
  numbers_out[0] = total;
  return status;
}
const apps_case_t apps_dot_f32 = {.suite = "library",
                                  .name = "user_dot_f32",
                                  .streams = {{sizeof(float), fill_f32, NULL}, {sizeof(float), fill_f32, NULL}},
                                  .run = run_dot,
                                  .library = library_dot,
                                  .expect = expect_count};
