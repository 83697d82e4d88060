/* Every typed function, by every spelling, against the call by codes: included by typed.c (C11 generics) and
 * typed_cxx.cpp (overloads). */
#include <stdio.h>
#include <string.h>
#include <upsweep/half.h>
#include <upsweep/upsweep.h>

#include "oracle/oracle.h"
#include "support/check.h"

enum { ITEMS = 1000 };
static int calls;

/* Elements from small integers. */
#define FROM_INTEGER(tag, v) (usw_##tag##_t)(v)
#define FROM_HALF(tag, v) usw_float_to_##tag((float)(v))
#define FROM_FLOATING(tag, v) (usw_##tag##_t)(v)
#define FROM_COMPLEX(tag, v) (usw_##tag##_t)(usw_real_##tag##_t)(v)
#define FROM_BOOLEAN(tag, v) (usw_##tag##_t)((v) != 0)
#define ITEMS_OF(tag, CODE, code, type, value, sum, real, key, class, ...)                                             \
  static usw_##tag##_t x_##tag[ITEMS];                                                                                 \
  static void fill_##tag(void) {                                                                                       \
    for (int i = 0; i < ITEMS; i++)                                                                                    \
      x_##tag[i] = FROM_##class(tag, i % 7 + 1);                                                                       \
  }
USW_TYPES(ITEMS_OF, )
#undef ITEMS_OF

/* The call by codes, and whether a result is the one it gives. */
static usw_status_t by_codes(const row_t *row, const void *x, size_t n, result_t *result) {
  memset(result, 0, sizeof *result);
  return row->streams == 2 ? usw_reduce_pair(row->operation, row->type, x, x, n, result, NULL)
                           : usw_reduce(row->operation, row->type, x, n, result, NULL);
}

static void expect_equal(const row_t *row, const result_t *expected, const void *got, size_t bytes, const char *how) {
  result_t copy;
  memset(&copy, 0, sizeof copy);
  memcpy(&copy, got, bytes);
  check_count(bytes == row->result_bytes && results_equal(row, expected, &copy), __FILE__, __LINE__,
              "%s of type %d, %s: not the result of the call by codes", row->name, (int)row->type, how);
}

/* Functions of one and of two streams. */
#define APPLY_1(function, x, n, result_out) function(x, n, result_out)
#define APPLY_2(function, x, n, result_out) function(x, x, n, result_out)
#define CHECK_CALL(how, row, expected, R, call)                                                                        \
  {                                                                                                                    \
    R result;                                                                                                          \
    memset((void *)&result, 0, sizeof result);                                                                         \
    CHECK_STATUS(USW_OK, call);                                                                                        \
    expect_equal(row, &expected, (const void *)&result, sizeof result, how);                                           \
  }
#define TYPED_CALL(tag, class, name, OPERATION, streams, RESULT, GROUP)                                                \
  USW_HAS_##GROUP##_##class({                                                                                          \
    typedef USW_RESULT_##RESULT(tag) typed_result_t;                                                                   \
    const usw_##tag##_t *constant = x_##tag, *none = NULL;                                                             \
    typed_result_t *no_result = NULL, kept;                                                                            \
    const row_t *row = row_find(USW_##OPERATION, (usw_type_t)TYPE_##tag);                                              \
    result_t expected, empty;                                                                                          \
    calls++;                                                                                                           \
    CHECK_STATUS(USW_OK, by_codes(row, constant, ITEMS, &expected));                                                   \
    CHECK_STATUS(USW_OK, by_codes(row, none, 0, &empty));                                                              \
    CHECK_CALL("typed", row, expected, typed_result_t, APPLY_##streams(usw_##name##_##tag, x_##tag, ITEMS, &result))   \
    CHECK_CALL("const", row, expected, typed_result_t, APPLY_##streams(usw_##name, constant, ITEMS, &result))          \
    CHECK_CALL("not const", row, expected, typed_result_t, APPLY_##streams(usw_##name, &x_##tag[0], ITEMS, &result))   \
    CHECK_CALL("empty", row, empty, typed_result_t, APPLY_##streams(usw_##name, none, 0, &result))                     \
    memcpy((void *)&kept, &expected, sizeof kept);                                                                     \
    CHECK_STATUS(USW_ERROR_INVALID, APPLY_##streams(usw_##name, none, 1, &kept));                                      \
    expect_equal(row, &expected, (const void *)&kept, sizeof kept, "refused");                                         \
    CHECK_STATUS(USW_ERROR_INVALID, APPLY_##streams(usw_##name, constant, 1, no_result));                              \
  })

/* The types once more: the generic names need USW_TYPES themselves, and no macro expands inside itself. A type that is
 * missing here, or has another class, changes the number of calls. */
#define TYPES_OF_CALLS(CALL, ...)                                                                                      \
  CALL(i8, INTEGER, __VA_ARGS__)                                                                                       \
  CALL(i16, INTEGER, __VA_ARGS__)                                                                                      \
  CALL(i32, INTEGER, __VA_ARGS__)                                                                                      \
  CALL(i64, INTEGER, __VA_ARGS__)                                                                                      \
  CALL(u8, INTEGER, __VA_ARGS__)                                                                                       \
  CALL(u16, INTEGER, __VA_ARGS__)                                                                                      \
  CALL(u32, INTEGER, __VA_ARGS__)                                                                                      \
  CALL(u64, INTEGER, __VA_ARGS__)                                                                                      \
  CALL(f16, HALF, __VA_ARGS__)                                                                                         \
  CALL(bf16, HALF, __VA_ARGS__)                                                                                        \
  CALL(f32, FLOATING, __VA_ARGS__)                                                                                     \
  CALL(f64, FLOATING, __VA_ARGS__)                                                                                     \
  CALL(cf32, COMPLEX, __VA_ARGS__)                                                                                     \
  CALL(cf64, COMPLEX, __VA_ARGS__)                                                                                     \
  CALL(b8, BOOLEAN, __VA_ARGS__)

enum {
#define TYPE_CODE(tag, CODE, code, ...) TYPE_##tag = code,
  USW_TYPES(TYPE_CODE, )
#undef TYPE_CODE
};

#define TYPED_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  static void typed_##name(void) { TYPES_OF_CALLS(TYPED_CALL, name, OPERATION, streams, RESULT, GROUP) }
USW_FUNCTIONS(TYPED_FUNCTION, )

/* Results of a few calls as literals: the call by codes is right. */
static void literals(void) {
  double sum = 0, x[] = {3, -2, 0.5};
  usw_located_f64_t least;
  usw_b8_t all = 0;
  CHECK_STATUS(USW_OK, usw_sum(x, 3, &sum));
  CHECK_F64(1.5, sum);
  CHECK_STATUS(USW_OK, usw_argmin(x, 3, &least));
  CHECK_F64(-2, least.value);
  CHECK_I64(1, least.index);
  CHECK_STATUS(USW_OK, usw_all(x, 3, &all));
  CHECK(all);
}

static int typed_run(void) {
#define FILL(tag, ...) fill_##tag();
  USW_TYPES(FILL, )
#undef FILL
#define RUN(name, ...) typed_##name();
  USW_FUNCTIONS(RUN, )
#undef RUN
  literals();
  CHECK_I64(ROW_COUNT, calls);
  return check_report();
}
