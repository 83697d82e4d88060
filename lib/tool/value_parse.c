/* Numbers of command lines as elements of a type. */
#include "value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>

/* Two's complement of `bytes` bytes, on either order of them. */
static void store_integer(uint64_t value, size_t bytes, void *into) {
  const uint8_t v8 = (uint8_t)value;
  const uint16_t v16 = (uint16_t)value;
  const uint32_t v32 = (uint32_t)value;
  memcpy(into,
         bytes == 1   ? (const void *)&v8
         : bytes == 2 ? (const void *)&v16
         : bytes == 4 ? (const void *)&v32
                      : &value,
         bytes);
}

static int parse_integer(const char *text, int is_signed, size_t bytes, void *into) {
  char *end;
  const int sign = *text == '-';
  const uint64_t most = UINT64_MAX >> (64 - 8 * bytes), most_positive = is_signed ? most / 2 : most;
  if (!isdigit((unsigned char)text[sign]) || (sign && !is_signed))
    return -1;
  errno = 0;
  const uint64_t size = strtoull(text + sign, &end, 10);
  if (errno || *end || size > most_positive + (uint64_t)sign)
    return -1;
  store_integer(sign ? 0 - size : size, bytes, into);
  return 0;
}

/* One that a float or a double has; -1: there is none, or it overflows. */
static int parse_real(const char *text, int is_float, char **end, double *real) {
  if (isspace((unsigned char)*text))
    return -1;
  errno = 0;
  *real = is_float ? (double)strtof(text, end) : strtod(text, end);
  return *end == text || (errno == ERANGE && isinf(*real)) ? -1 : 0;
}

/* "1", "1-2i" or "2i". */
static int parse_complex(const char *text, int is_float, double parts[2]) {
  char *end;
  parts[0] = parts[1] = 0;
  if (parse_real(text, is_float, &end, &parts[0]))
    return -1;
  if (*end == 'i' && !end[1]) {
    parts[1] = parts[0];
    parts[0] = 0;
    return 0;
  }
  if (!*end)
    return 0;
  if ((*end != '+' && *end != '-') || parse_real(end, is_float, &end, &parts[1]))
    return -1;
  return *end == 'i' && !end[1] ? 0 : -1;
}

static int parse_truth(const char *text, void *into) {
  const int truth = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  *(uint8_t *)into = (uint8_t)truth;
  return truth || strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ? 0 : -1;
}

/* Finite numbers that a half has not are none. */
static int store_half(usw_type_t type, double value, void *into) {
  const usw_f16_t f16 = usw_float_to_f16((float)value);
  const usw_bf16_t bf16 = usw_float_to_bf16((float)value);
  const float back = type == USW_F16 ? usw_f16_to_float(f16) : usw_bf16_to_float(bf16);
  memcpy(into, type == USW_F16 ? (const void *)&f16 : &bf16, sizeof f16);
  return isinf(back) && !isinf(value) ? -1 : 0;
}

int tool_parse_value(const char *text, usw_type_t type, void *value) {
  const int is_float = type != USW_F64 && type != USW_CF64;
  double parts[2];
  char *end;
  switch (type) {
  case USW_I8:
  case USW_I16:
  case USW_I32:
  case USW_I64:
  case USW_U8:
  case USW_U16:
  case USW_U32:
  case USW_U64:
    return parse_integer(text, type == USW_I8 || type == USW_I16 || type == USW_I32 || type == USW_I64,
                         tool_type_of(type)->bytes, value);
  case USW_BOOL:
    return parse_truth(text, value);
  case USW_CF32:
  case USW_CF64:
    if (parse_complex(text, is_float, parts))
      return -1;
    break;
  default:
    if (parse_real(text, is_float, &end, &parts[0]) || *end)
      return -1;
  }
  const float floats[2] = {(float)parts[0], (float)parts[1]};
  if (type == USW_F16 || type == USW_BF16)
    return store_half(type, parts[0], value);
  memcpy(value, is_float ? (const void *)floats : parts, tool_type_of(type)->bytes);
  return 0;
}
