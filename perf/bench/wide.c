/* Data of the whole range of exponents, for the levels of accuracy: elements from subnormal numbers to some that are as
 * large as sums of many of them allow, and what has to come out. */
#include "bench.h"

#include <complex.h>
#include <math.h>

/* Exponents of elements. The second stream is of numbers near 1, so that products are as wide as the first. */
typedef struct range {
  int least, greatest;
} range_t;

static range_t range_of(const bench_type_t *type) {
  const int is_double = type->real == USW_F64;
  return is_double ? (range_t){-1074, 960} : (range_t){-149, 90};
}

int bench_has_wide(const bench_kernel_t *kernel, const bench_type_t *type) {
  const int is_float = type->type == USW_F32 || type->type == USW_F64 || type->class == BENCH_COMPLEX;
  const int is_summed = kernel->operation == USW_PLUS || kernel->operation == USW_NORM2 ||
                        (kernel->operation == USW_DOT && type->class != BENCH_COMPLEX);
  return is_float && is_summed && bench_has(kernel, type);
}

/* Any bits, the same ones for the same number (the finalizer of MurmurHash3). */
static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
  return x ^ x >> 33;
}

/* Part 0 or 1 of element i, as the type holds it. */
static double number(const bench_type_t *type, int input, int part, size_t i) {
  const range_t range = range_of(type);
  const uint64_t place = i % BENCH_PERIOD, bits = mixed(place + (uint64_t)(2 * input + part + 1) * BENCH_PERIOD);
  const double significand = 1 + (double)(bits >> 12) * 0x1p-52;
  const int exponent = input == 1 ? 0 : range.least + (int)((bits >> 1) % (uint64_t)(range.greatest - range.least + 1));
  const double size = ldexp(significand, exponent), value = bits & 1 ? -size : size;
  return type->real == USW_F32 ? (double)(float)value : value;
}

void bench_fill_wide(const bench_type_t *type, int input, size_t n, void *elements_out) {
  for (size_t i = 0; i < n; i++) {
    const double re = number(type, input, 0, i), im = number(type, input, 1, i);
    switch (type->type) {
    case USW_F32:
      ((float *)elements_out)[i] = (float)re;
      break;
    case USW_CF32:
      ((usw_cf32_t *)elements_out)[i] = (usw_cf32_t)(re + im * I);
      break;
    case USW_CF64:
      ((usw_cf64_t *)elements_out)[i] = re + im * I;
      break;
    default:
      ((double *)elements_out)[i] = re;
    }
  }
}

/* What tolerances of plain sums are a share of, generous for any order of additions. */
static long double plain_share(const bench_type_t *type) { return type->real == USW_F32 ? 1e-5L : 1e-12L; }

bench_expected_t bench_expect_wide(const bench_kernel_t *kernel, const bench_type_t *type, size_t n) {
  const int parts = kernel->operation != USW_NORM2 && type->class == BENCH_COMPLEX ? 2 : 1;
  bench_expected_t expected = {.numbers.count = parts};
  long double squares = 0;
  for (size_t i = 0; i < BENCH_PERIOD && i < n; i++) {
    const uint64_t repeats = (n - i - 1) / BENCH_PERIOD + 1;
    const long double times = (long double)repeats;
    const long double re = number(type, 0, 0, i), im = type->class == BENCH_COMPLEX ? number(type, 0, 1, i) : 0;
    const long double factor = kernel->operation == USW_DOT ? number(type, 1, 0, i) : 1;
    const long double x[2] = {re * factor, im * factor};
    squares += times * (re * re + im * im);
    for (int part = 0; part < parts; part++) {
      expected.numbers.at[part] += x[part] * times;
      expected.absolute[part] += fabsl(x[part]) * times;
      expected.largest[part] = fmaxl(expected.largest[part], fabsl(x[part]));
    }
  }
  if (kernel->operation == USW_NORM2)
    expected.numbers.at[0] = expected.absolute[0] = sqrtl(squares);
  for (int part = 0; part < parts; part++)
    expected.tolerance[part] = plain_share(type) * expected.absolute[part];
  return expected;
}
