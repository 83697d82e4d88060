/* What the results have to be. All of it follows from one period of the data, and how often it comes. */
#include "bench.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>

/* What is true of the first n elements, in units of the data. */
typedef struct facts {
  int64_t sum[2], dot[2], dotc[2], nonzero, least, greatest, least_index, greatest_index;
  long double absolute, absolute_dot, moduli, squares, largest_modulus, largest_dot;
  uint64_t bits_and, bits_or, bits_xor;
} facts_t;

static void add_dot(facts_t *facts, bench_element_t x, bench_element_t y, int64_t times) {
  facts->dot[0] += (x.real * y.real - x.imaginary * y.imaginary) * times;
  facts->dot[1] += (x.real * y.imaginary + x.imaginary * y.real) * times;
  facts->dotc[0] += (x.real * y.real + x.imaginary * y.imaginary) * times;
  facts->dotc[1] += (x.real * y.imaginary - x.imaginary * y.real) * times;
  const int64_t size = (llabs(x.real) + llabs(x.imaginary)) * (llabs(y.real) + llabs(y.imaginary));
  facts->absolute_dot += (long double)size * times;
  facts->largest_dot = fmaxl(facts->largest_dot, (long double)size);
}

static facts_t facts_of(const bench_type_t *type, size_t n) {
  facts_t facts = {.least = INT64_MAX, .greatest = INT64_MIN, .bits_and = UINT64_MAX};
  for (size_t i = 0; i < BENCH_PERIOD && i < n; i++) {
    const int64_t times = (int64_t)((n - i - 1) / BENCH_PERIOD + 1);
    const bench_element_t x = bench_element(type, BENCH_GENERAL, 0, i);
    const int64_t square = x.real * x.real + x.imaginary * x.imaginary;
    const long double modulus = sqrtl((long double)square);
    facts.sum[0] += x.real * times;
    facts.sum[1] += x.imaginary * times;
    add_dot(&facts, x, bench_element(type, BENCH_GENERAL, 1, i), times);
    facts.absolute += (long double)(llabs(x.real) + llabs(x.imaginary)) * times;
    facts.nonzero += square != 0 ? times : 0;
    facts.moduli += modulus * times;
    facts.squares += (long double)square * times;
    facts.largest_modulus = fmaxl(facts.largest_modulus, modulus);
    facts.bits_and &= (uint64_t)x.real;
    facts.bits_or |= (uint64_t)x.real;
    facts.bits_xor ^= times % 2 ? (uint64_t)x.real : 0;
    if (x.real < facts.least)
      facts.least = x.real, facts.least_index = (int64_t)i;
    if (x.real > facts.greatest)
      facts.greatest = x.real, facts.greatest_index = (int64_t)i;
  }
  return facts;
}

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent /= 2, base *= base)
    result *= exponent % 2 ? base : 1;
  return result;
}

/* The product of the factors: integers modulo 2^64; others by counting halves and turns, exactly. */
static void expect_product(const bench_type_t *type, size_t n, long double *real_out, long double *imaginary_out) {
  uint64_t product = 1, turns = 0; /* quarters of a turn */
  int64_t exponent = 0;
  for (size_t i = 0; i < BENCH_PERIOD && i < n; i++) {
    const uint64_t times = (n - i - 1) / BENCH_PERIOD + 1;
    const bench_element_t x = bench_element(type, BENCH_FACTORS, 0, i);
    const int64_t size = llabs(x.real) + llabs(x.imaginary);
    product *= power((uint64_t)x.real, times);
    exponent += size == 4 ? (int64_t)times : size == 1 ? -(int64_t)times : 0;
    turns += (x.real > 0 ? 0 : x.imaginary > 0 ? 1 : x.real < 0 ? 2 : 3) * times;
  }
  *imaginary_out = 0;
  if (type->class == BENCH_INTEGER) {
    *real_out = type->is_signed ? (long double)(int64_t)product : (long double)product;
    return;
  }
  const long double size = ldexpl(turns % 4 >= 2 ? -1 : 1, (int)exponent);
  *real_out = turns % 2 ? 0 : size;
  *imaginary_out = turns % 2 ? size : 0;
}

/* What the bounds of the next number are shares of. */
static void expect_shares(bench_expected_t *expected, long double absolute, long double largest) {
  expected->absolute[expected->numbers.count] = absolute;
  expected->largest[expected->numbers.count] = largest;
}

static void expect(bench_expected_t *expected, long double number, long double tolerance) {
  expected->tolerance[expected->numbers.count] = tolerance;
  expected->numbers.at[expected->numbers.count++] = number;
}

/* The tolerance is a share of the sum of the absolute values. */
static void expect_pair(bench_expected_t *expected, const bench_type_t *type, const int64_t *pair, double unit,
                        long double share, long double absolute, long double largest) {
  for (int part = 0; part < (type->class == BENCH_COMPLEX ? 2 : 1); part++) {
    expect_shares(expected, absolute * unit, largest * unit);
    expect(expected, (long double)pair[part] * unit, share * absolute * unit);
  }
}

static void expect_described(bench_expected_t *expected, const facts_t *facts, size_t n, double unit) {
  const long double mean = (long double)facts->sum[0] / n * unit;
  const long double variance = facts->squares / n * unit * unit - mean * mean;
  const long double largest = facts->largest_modulus * unit;
  expect(expected, n, 0);
  expect_shares(expected, largest, largest);
  expect(expected, mean, 1e-9L * (1 + fabsl(mean)));
  expect(expected, variance, 1e-9L * (1 + variance));
  expect(expected, facts->least * unit, 0);
  expect(expected, facts->greatest * unit, 0);
  expect(expected, facts->least_index, 0);
  expect(expected, facts->greatest_index, 0);
}

/* Bits of an element as the number that the element is. */
static long double number_of_bits(const bench_type_t *type, uint64_t bits) {
  const int unused = 64 - (int)type->bytes * 8;
  return type->is_signed ? (long double)((int64_t)(bits << unused) >> unused) : (long double)(bits << unused >> unused);
}

static void expect_sum(bench_expected_t *expected, const bench_kernel_t *kernel, const bench_type_t *type,
                       const facts_t *facts, size_t n) {
  const double unit = bench_unit(type, 0), unit_of_dot = unit * bench_unit(type, 1);
  const long double share = type->sum == USW_F32 || type->sum == USW_CF32 ? 1e-6L : 0; /* the others are exact */
  long double product[2];
  switch (kernel->operation) {
  case USW_PLUS:
    expect_pair(expected, type, facts->sum, unit, share, facts->absolute, facts->largest_modulus);
    break;
  case USW_DOT:
    expect_pair(expected, type, facts->dot, unit_of_dot, share, facts->absolute_dot, facts->largest_dot);
    break;
  case USW_DOTC:
    expect_pair(expected, type, facts->dotc, unit_of_dot, share, facts->absolute_dot, facts->largest_dot);
    break;
  default:
    expect_product(type, n, &product[0], &product[1]);
    for (int part = 0; part < (type->class == BENCH_COMPLEX ? 2 : 1); part++)
      expect(expected, product[part], 0);
    break;
  }
}

static void expect_element(bench_expected_t *expected, const bench_kernel_t *kernel, const bench_type_t *type,
                           const facts_t *facts) {
  const double unit = bench_unit(type, 0);
  switch (kernel->operation) {
  case USW_BIT_AND:
    expect(expected, number_of_bits(type, facts->bits_and), 0);
    break;
  case USW_BIT_OR:
    expect(expected, number_of_bits(type, facts->bits_or), 0);
    break;
  case USW_BIT_XOR:
    expect(expected, number_of_bits(type, facts->bits_xor), 0);
    break;
  case USW_MAXIMUM:
  case USW_ARGMAX:
    expect(expected, facts->greatest * unit, 0);
    break;
  default:
    expect(expected, facts->least * unit, 0);
    break;
  }
  if (kernel->result == BENCH_RESULT_LOCATED)
    expect(expected, kernel->operation == USW_ARGMIN ? facts->least_index : facts->greatest_index, 0);
  if (kernel->result == BENCH_RESULT_EXTREMES)
    expect(expected, facts->greatest * unit, 0);
}

/* A modulus of a complex number is rounded, a square root too; a sum of floats is at every addition. */
static void expect_norm(bench_expected_t *expected, const bench_kernel_t *kernel, const bench_type_t *type,
                        const facts_t *facts) {
  const long double share = type->real == USW_F32 ? 1e-5L : 1e-12L, unit = bench_unit(type, 0);
  const long double norm1 = facts->moduli * unit, norm2 = sqrtl(facts->squares) * unit;
  const long double norm_inf = facts->largest_modulus * unit;
  const int is_real = type->class != BENCH_COMPLEX;
  if (kernel->operation != USW_NORM_INF)
    expect_shares(expected, kernel->operation == USW_NORM1 ? norm1 : norm2, norm_inf);
  if (kernel->operation == USW_NORM1)
    expect(expected, norm1, is_real && type->real == USW_F64 ? 0 : share * norm1);
  else if (kernel->operation == USW_NORM2)
    expect(expected, norm2, share * norm2);
  else
    expect(expected, norm_inf, is_real ? 0 : share * norm_inf);
}

bench_expected_t bench_expect(const bench_kernel_t *kernel, const bench_type_t *type, size_t n) {
  const facts_t facts = facts_of(type, n);
  bench_expected_t expected = {.numbers.count = 0};
  switch (kernel->result) {
  case BENCH_RESULT_SUM:
    expect_sum(&expected, kernel, type, &facts, n);
    break;
  case BENCH_RESULT_ELEMENT:
  case BENCH_RESULT_LOCATED:
  case BENCH_RESULT_EXTREMES:
    expect_element(&expected, kernel, type, &facts);
    break;
  case BENCH_RESULT_BOOL:
    expect(&expected, kernel->operation == USW_LOGICAL_AND ? facts.nonzero == (int64_t)n : facts.nonzero != 0, 0);
    break;
  case BENCH_RESULT_COUNT:
    expect(&expected, facts.nonzero, 0);
    break;
  case BENCH_RESULT_REAL:
    expect_norm(&expected, kernel, type, &facts);
    break;
  case BENCH_RESULT_DESCRIBE:
    expect_described(&expected, &facts, n, bench_unit(type, 0));
    break;
  }
  return expected;
}

/* ---- from the bytes of a result to numbers ---- */

#define NUMBERS_INTEGER(tag, T) numbers->at[numbers->count++] = *(const T *)from
#define NUMBERS_BOOLEAN(tag, T) NUMBERS_INTEGER(tag, T)
#define NUMBERS_FLOATING(tag, T) NUMBERS_INTEGER(tag, T)
#define NUMBERS_HALF(tag, T) numbers->at[numbers->count++] = usw_##tag##_to_float(*(const T *)from)
#define NUMBERS_COMPLEX(tag, T)                                                                                        \
  numbers->at[numbers->count++] = creal(*(const T *)from);                                                             \
  numbers->at[numbers->count++] = cimag(*(const T *)from)

static void append(bench_numbers_t *numbers, usw_type_t type, const void *from) {
  switch (type) {
#define APPEND(tag, CODE, code, T, value, sum, real, key, class, ...)                                                  \
  case USW_##CODE:                                                                                                     \
    NUMBERS_##class(tag, T);                                                                                           \
    break;
    USW_TYPES(APPEND, )
  default:
    break;
  }
}

bench_numbers_t bench_numbers(const bench_kernel_t *kernel, const bench_type_t *type, const bench_value_t *value) {
  const unsigned char *bytes = value->bytes;
  bench_numbers_t numbers = {0};
  switch (kernel->result) {
  case BENCH_RESULT_SUM:
    append(&numbers, type->sum, bytes);
    break;
  case BENCH_RESULT_REAL:
    append(&numbers, type->real, bytes);
    break;
  case BENCH_RESULT_BOOL:
    append(&numbers, USW_U8, bytes); /* 0 or 1, and nothing else */
    break;
  case BENCH_RESULT_COUNT:
    append(&numbers, USW_U64, bytes);
    break;
  case BENCH_RESULT_ELEMENT:
    append(&numbers, type->type, bytes);
    break;
  case BENCH_RESULT_LOCATED:
    append(&numbers, type->type, bytes);
    append(&numbers, USW_I64, bytes + 8);
    break;
  case BENCH_RESULT_EXTREMES:
    append(&numbers, type->type, bytes);
    append(&numbers, type->type, bytes + type->bytes);
    break;
  case BENCH_RESULT_DESCRIBE:
    append(&numbers, USW_U64, bytes);
    append(&numbers, USW_F64, bytes + offsetof(usw_describe_f64_t, mean));
    append(&numbers, USW_F64, bytes + offsetof(usw_describe_f64_t, variance));
    append(&numbers, type->type, bytes + offsetof(usw_describe_f64_t, minimum));
    append(&numbers, type->type, bytes + offsetof(usw_describe_f64_t, minimum) + type->bytes);
    append(&numbers, USW_I64, bytes + type->describe_index_bytes);
    append(&numbers, USW_I64, bytes + type->describe_index_bytes + sizeof(int64_t));
    break;
  }
  return numbers;
}

void bench_allow(bench_expected_t *expected, const usw_explanation_t *promised) {
  const int is_of_largest = strncmp(promised->error_relative, "the largest", strlen("the largest")) == 0;
  for (int k = 0; k < expected->numbers.count; k++) {
    const long double absolute = expected->absolute[k], of = is_of_largest ? expected->largest[k] : absolute;
    if (absolute > 0)
      expected->tolerance[k] = promised->error_bound * of + promised->result_bound * fabsl(expected->numbers.at[k]) +
                               absolute * LDBL_EPSILON * BENCH_PERIOD;
  }
}

int bench_is_right(const bench_expected_t *expected, const bench_numbers_t *found, int is_plain_loop) {
  enum { PLAIN_LOOP_SLACK = 1000 }; /* one chain of millions of floats loses three more digits */
  for (int k = 0; k < expected->numbers.count; k++) {
    const long double tolerance = expected->tolerance[k] * (is_plain_loop ? PLAIN_LOOP_SLACK : 1);
    if (!(fabsl(found->at[k] - expected->numbers.at[k]) <= tolerance)) /* a NaN is outside, too */
      return 0;
  }
  return found->count == expected->numbers.count;
}
