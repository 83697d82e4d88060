#include "oracle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/half.h>

#include "pattern.h"

_Static_assert(LDBL_MANT_DIG >= 64, "the oracle keeps 64-bit integers in long doubles");

static number_t number_at(usw_type_t type, const void *at) {
  number_t number = {0, 0};
  switch (type) {
#define READ_INTEGER(T)                                                                                                \
  {                                                                                                                    \
    T element;                                                                                                         \
    memcpy(&element, at, sizeof element);                                                                              \
    number.re = (long double)element;                                                                                  \
  }
#define READ_HALF(T) READ_HALF_##T
#define READ_FLOATING(T) READ_INTEGER(T)
#define READ_COMPLEX(T)                                                                                                \
  {                                                                                                                    \
    T element;                                                                                                         \
    memcpy(&element, at, sizeof element);                                                                              \
    number = (number_t){(long double)__real__ element, (long double)__imag__ element};                                 \
  }
#define READ_BOOLEAN(T) number.re = *(const unsigned char *)at; /* which a bool's other values would not survive */
#define READ_HALF_usw_f16_t                                                                                            \
  {                                                                                                                    \
    usw_f16_t element;                                                                                                 \
    memcpy(&element, at, sizeof element);                                                                              \
    number.re = (long double)usw_f16_to_float(element);                                                                \
  }
#define READ_HALF_usw_bf16_t                                                                                           \
  {                                                                                                                    \
    usw_bf16_t element;                                                                                                \
    memcpy(&element, at, sizeof element);                                                                              \
    number.re = (long double)usw_bf16_to_float(element);                                                               \
  }
#define READ(tag, CODE, code, T, value, sum, real, key, class, ...)                                                    \
  case USW_##CODE:                                                                                                     \
    READ_##class(T) break;
    USW_TYPES(READ, )
  case USW_NO_TYPE:
    break;
  }
  return number;
}

void numbers_of(usw_type_t type, const void *x, size_t n, number_t *numbers_out) {
  const size_t bytes = type_bytes(type);
  for (size_t i = 0; i < n; i++)
    numbers_out[i] = number_at(type, (const char *)x + i * bytes);
}

/* Where the members of the structures of results lie, by the type of the elements. */
typedef struct {
  size_t located_index, extremes_maximum;
  size_t describe[MOST_PARTS]; /* in the order of parts */
} layout_t;

static const layout_t layouts[] = {
#define LAYOUT(tag)                                                                                                    \
  {                                                                                                                    \
    offsetof(usw_located_##tag##_t, index), offsetof(usw_extremes_##tag##_t, maximum), {                               \
      offsetof(usw_describe_##tag##_t, minimum), offsetof(usw_describe_##tag##_t, maximum),                            \
          offsetof(usw_describe_##tag##_t, minimum_index), offsetof(usw_describe_##tag##_t, maximum_index),            \
          offsetof(usw_describe_##tag##_t, count), offsetof(usw_describe_##tag##_t, mean),                             \
          offsetof(usw_describe_##tag##_t, variance)                                                                   \
    }                                                                                                                  \
  }
#define LAYOUT_OF_TYPE(tag, CODE, code, T, value, sum, real, key, class, ...)                                          \
  USW_HAS_ORDERED_##class([code] = LAYOUT(tag), )
    USW_TYPES(LAYOUT_OF_TYPE, )
#undef LAYOUT_OF_TYPE
};

int result_parts(const row_t *row, const result_t *result, long double parts_out[MOST_PARTS]) {
  const unsigned char *at = result->bytes;
  const type_facts_t *f = type_facts(row->type);
  const usw_type_t description[MOST_PARTS] = {row->type, row->type, USW_I64, USW_I64, USW_U64, USW_F64, USW_F64};
  const usw_type_t single = row->result == RESULT_SUM     ? f->sum
                            : row->result == RESULT_REAL  ? f->real
                            : row->result == RESULT_BOOL  ? USW_BOOL
                            : row->result == RESULT_COUNT ? USW_U64
                                                          : row->type;
  const number_t first = number_at(single, at);
  parts_out[0] = first.re;
  switch (row->result) {
  case RESULT_SUM:
    parts_out[1] = first.im;
    return f->class_of == CLASS_COMPLEX ? 2 : 1;
  case RESULT_LOCATED:
    parts_out[1] = number_at(USW_I64, at + layouts[row->type].located_index).re;
    return 2;
  case RESULT_EXTREMES:
    parts_out[1] = number_at(row->type, at + layouts[row->type].extremes_maximum).re;
    return 2;
  case RESULT_DESCRIBE:
    for (int p = 0; p < MOST_PARTS; p++)
      parts_out[p] = number_at(description[p], at + layouts[row->type].describe[p]).re;
    return MOST_PARTS;
  default:
    return 1;
  }
}

int row_is_rounded(const row_t *row) {
  const int is_norm = row->result == RESULT_REAL && row->operation != USW_NORM_INF;
  return row->result == RESULT_DESCRIBE || is_norm || (row->result == RESULT_SUM && type_is_floating(row->type));
}

/* The same number, the sign of zero included, or both NaN. */
static int same(long double a, long double b) { return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b); }

int results_equal(const row_t *row, const result_t *a, const result_t *b) {
  long double of_a[MOST_PARTS], of_b[MOST_PARTS];
  const int count = result_parts(row, a, of_a);
  int equal = result_parts(row, b, of_b) == count;
  for (int p = 0; p < count; p++)
    equal &= same(of_a[p], of_b[p]);
  return equal;
}

int oracle_part_agrees(const oracle_part_t *part, long double got) {
  switch (part->check) {
  case PART_OPEN:
    return 1;
  case PART_NOT_FINITE:
    return !isfinite(got);
  case PART_NEAR:
    return isfinite(part->value) ? fabsl(got - part->value) <= part->error : same(part->value, got);
  default:
    return same(part->value, got);
  }
}

int oracle_agrees(const oracle_t *o, const result_t *got, char *why, size_t why_bytes) {
  long double parts[MOST_PARTS];
  const int count = result_parts(o->row, got, parts);
  if (count != o->count) {
    snprintf(why, why_bytes, "the oracle has %d numbers, the result %d", o->count, count);
    return 0;
  }
  for (int p = 0; p < count; p++)
    if (!oracle_part_agrees(&o->part[p], parts[p])) {
      snprintf(why, why_bytes, "number %d of %d: expected %s%.20Lg (error at most %.3Lg), got %.20Lg", p + 1, count,
               o->part[p].check == PART_NOT_FINITE ? "no finite number, as " : "", o->part[p].value, o->part[p].error,
               parts[p]);
      return 0;
    }
  return 1;
}
