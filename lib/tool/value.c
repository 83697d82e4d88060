/* A result taken apart, by the kind that functions.def gives it. */
#include "value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>

/* Where the members of a type's result structures are. */
typedef struct layout {
  size_t located_index;
  size_t extremes_maximum;
  size_t mean, variance, minimum, maximum, minimum_index, maximum_index; /* of a description; count comes first */
} layout_t;

/* Zeros for types without an order. */
static const layout_t layouts[USW_CF64 + 1] = {
#define ROW(tag, CODE, code, type, value, sum, real, key, class, ...)                                                  \
  USW_HAS_ORDERED_##class([code] = {                                                                                   \
                              offsetof(usw_located_##tag##_t, index), offsetof(usw_extremes_##tag##_t, maximum),       \
                              offsetof(usw_describe_##tag##_t, mean), offsetof(usw_describe_##tag##_t, variance),      \
                              offsetof(usw_describe_##tag##_t, minimum), offsetof(usw_describe_##tag##_t, maximum),    \
                              offsetof(usw_describe_##tag##_t, minimum_index),                                         \
                              offsetof(usw_describe_##tag##_t, maximum_index)}, )
    USW_TYPES(ROW, )
#undef ROW
};

void tool_write_real(char *buffer, size_t bytes, double value, int is_float) {
  if (value == nearbyint(value) && fabs(value) < 1e15) { /* 1000 rather than 1e+03 */
    snprintf(buffer, bytes, "%.0f", value);
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(buffer, bytes, "%.*g", digits, value);
    const double back = strtod(buffer, NULL);
    if (is_float ? (float)back == (float)value : back == value)
      return;
  }
}

static tool_field_kind_t write_real(char *text, double value, int is_float) {
  tool_write_real(text, TOOL_VALUE_BYTES, value, is_float);
  if (isnan(value))
    snprintf(text, TOOL_VALUE_BYTES, "nan"); /* whatever its sign */
  return isfinite(value) ? TOOL_NUMBER : TOOL_SPECIAL;
}

static tool_field_t real_field(const char *name, double value, int is_float) {
  tool_field_t field = {.name = name};
  field.kind = write_real(field.text, value, is_float);
  return field;
}

static tool_field_t signed_field(const char *name, int64_t value) {
  tool_field_t field = {.name = name, .kind = TOOL_NUMBER};
  snprintf(field.text, sizeof field.text, "%" PRId64, value);
  return field;
}

static tool_field_t unsigned_field(const char *name, uint64_t value) {
  tool_field_t field = {.name = name, .kind = TOOL_NUMBER};
  snprintf(field.text, sizeof field.text, "%" PRIu64, value);
  return field;
}

static tool_field_t complex_field(const char *name, double real, double imaginary, int is_float) {
  tool_field_t field = {.name = name};
  write_real(field.text, real, is_float);
  write_real(field.imaginary, imaginary, is_float);
  field.kind = TOOL_COMPLEX;
  return field;
}

static tool_field_t truth_field(const char *name, int value) {
  tool_field_t field = {.name = name, .kind = TOOL_TRUTH};
  snprintf(field.text, sizeof field.text, "%s", value ? "true" : "false");
  return field;
}

static tool_field_t index_field(const char *name, const char *at) {
  int64_t index;
  memcpy(&index, at, sizeof index);
  tool_field_t field = signed_field(name, index);
  field.kind = TOOL_INDEX;
  field.index = index;
  return field;
}

tool_field_t tool_element(const char *name, usw_type_t type, const void *at) {
  union {
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    usw_f16_t f16;
    usw_bf16_t bf16;
    float f32[2];
    double f64[2];
  } v;
  memcpy(&v, at, tool_type_of(type)->bytes);
  switch (type) {
  case USW_I8:
    return signed_field(name, v.i8);
  case USW_I16:
    return signed_field(name, v.i16);
  case USW_I32:
    return signed_field(name, v.i32);
  case USW_I64:
    return signed_field(name, v.i64);
  case USW_U8:
    return unsigned_field(name, v.u8);
  case USW_U16:
    return unsigned_field(name, v.u16);
  case USW_U32:
    return unsigned_field(name, v.u32);
  case USW_U64:
    return unsigned_field(name, v.u64);
  case USW_F16:
    return real_field(name, usw_f16_to_float(v.f16), 1);
  case USW_BF16:
    return real_field(name, usw_bf16_to_float(v.bf16), 1);
  case USW_F32:
    return real_field(name, v.f32[0], 1);
  case USW_F64:
    return real_field(name, v.f64[0], 0);
  case USW_CF32:
    return complex_field(name, v.f32[0], v.f32[1], 1);
  case USW_CF64:
    return complex_field(name, v.f64[0], v.f64[1], 0);
  default:
    return truth_field(name, v.u8);
  }
}

static double double_at(const char *result, size_t offset) {
  double value;
  memcpy(&value, result + offset, sizeof value);
  return value;
}

static size_t describe_fields(const tool_operation_t *operation, const tool_type_t *type, const char *result,
                              tool_field_t *fields) {
  const layout_t *at = &layouts[type->code];
  const double mean = double_at(result, at->mean), variance = double_at(result, at->variance);
  if (strcmp(operation->name, "mean") == 0)
    fields[0] = real_field("value", mean, 0);
  else if (strcmp(operation->name, "var") == 0)
    fields[0] = real_field("value", variance, 0);
  else if (strcmp(operation->name, "std") == 0)
    fields[0] = real_field("value", sqrt(variance), 0);
  else {
    uint64_t count;
    memcpy(&count, result, sizeof count);
    fields[0] = unsigned_field("count", count);
    fields[1] = real_field("mean", mean, 0);
    fields[2] = real_field("variance", variance, 0);
    fields[3] = tool_element("minimum", type->code, result + at->minimum);
    fields[4] = index_field("minimum_index", result + at->minimum_index);
    fields[5] = tool_element("maximum", type->code, result + at->maximum);
    fields[6] = index_field("maximum_index", result + at->maximum_index);
    return 7;
  }
  return 1;
}

size_t tool_fields(const tool_operation_t *operation, const tool_type_t *type, const void *result,
                   tool_field_t *fields) {
  const char *at = result;
  uint64_t count;
  switch (operation->result) {
  case TOOL_RESULT_SUM:
    fields[0] = tool_element("value", type->sum, at);
    return 1;
  case TOOL_RESULT_ELEMENT:
    fields[0] = tool_element("value", type->code, at);
    return 1;
  case TOOL_RESULT_REAL:
    fields[0] = tool_element("value", type->real, at);
    return 1;
  case TOOL_RESULT_BOOL:
    fields[0] = truth_field("value", *at);
    return 1;
  case TOOL_RESULT_COUNT:
    memcpy(&count, at, sizeof count);
    fields[0] = unsigned_field("value", count);
    return 1;
  case TOOL_RESULT_LOCATED:
    fields[0] = tool_element("value", type->code, at);
    fields[1] = index_field("index", at + layouts[type->code].located_index);
    return 2;
  case TOOL_RESULT_EXTREMES:
    fields[0] = tool_element("minimum", type->code, at);
    fields[1] = tool_element("maximum", type->code, at + layouts[type->code].extremes_maximum);
    return 2;
  default:
    return describe_fields(operation, type, at, fields);
  }
}

int tool_number_type(const tool_operation_t *operation, const tool_type_t *type) {
  switch (operation->result) {
  case TOOL_RESULT_SUM:
    return (int)type->sum;
  case TOOL_RESULT_ELEMENT:
    return (int)type->code;
  case TOOL_RESULT_REAL:
    return (int)type->real;
  case TOOL_RESULT_BOOL:
    return USW_BOOL;
  case TOOL_RESULT_COUNT:
    return USW_U64;
  case TOOL_RESULT_LOCATED:
    return USW_I64;
  case TOOL_RESULT_DESCRIBE:
    return strcmp(operation->name, "describe") == 0 ? TOOL_NO_NUMBER : USW_F64;
  default:
    return TOOL_NO_NUMBER;
  }
}

void tool_number(const tool_operation_t *operation, const tool_type_t *type, const void *result, void *number) {
  const layout_t *at = &layouts[type->code];
  const int is_located = operation->result == TOOL_RESULT_LOCATED, is_mean = strcmp(operation->name, "mean") == 0;
  if (operation->result == TOOL_RESULT_DESCRIBE) {
    double value = double_at(result, is_mean ? at->mean : at->variance);
    if (strcmp(operation->name, "std") == 0)
      value = sqrt(value);
    memcpy(number, &value, sizeof value);
    return;
  }
  const usw_type_t of = (usw_type_t)tool_number_type(operation, type);
  memcpy(number, (const char *)result + (is_located ? at->located_index : 0), tool_type_of(of)->bytes);
}

void tool_set_index(const tool_type_t *type, void *result, int64_t index) {
  memcpy((char *)result + layouts[type->code].located_index, &index, sizeof index);
}
